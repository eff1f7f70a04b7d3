"""U2: several observations support one conclusion on a slot, and the conclusion names them. A pure rule over data rules.

Conclusions are inferences: always candidates, never chained, never above the confidence that freezes, withdrawn when
too few observations remain, and silent where the user spoke outright. No model, clock or store may be used here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec

from hermes_core.catalogue import Catalogue
from hermes_core.changes import Cause, Change, Event, step
from hermes_core.conclusion_rules import Rule, default_rules
from hermes_core.config import Config
from hermes_core.items import Basis, Evidence, Kind, Layer, MemoryItem, Sensitivity, Status, Tone
from hermes_core.observations import Similarity, matcher
from hermes_core.reasons import Reason
from hermes_core.tokens import ApproximateCounter
from hermes_core.user_state import UserState

Forgotten = Callable[[str, str], bool]  # slot, value -> whether the user had it forgotten

HIGHEST = 0.75  # confidence of a conclusion at most, and below what freezes
BELOW_FREEZE = 0.05  # under freeze.min_confidence


@dataclass(frozen=True)
class _Proposal:
    """A rule whose observations suffice now."""

    rule: Rule
    item_id: str
    observations: tuple[MemoryItem, ...]
    sessions: int


def aggregate(
    state: UserState,
    now: datetime,
    config: Config,
    catalogue: Catalogue | None = None,
    *,
    rules: Sequence[Rule] | None = None,
    similarity: Similarity | None = None,
    forgotten: Forgotten | None = None,
    count: Callable[[str], int] | None = None,
    cause: Cause | None = None,
) -> tuple[Change, ...]:
    """U2: the changes that bring the conclusions in line with what supports them; () when they are.

    Confidence grows with the distinct sessions behind the observations. `rules` default to the package's;
    `forgotten` says what the user had forgotten and may not be concluded again (law E); `count` counts tokens.
    """
    used = tuple(default_rules() if rules is None else rules)
    match = matcher(used, catalogue)
    able = (item for item in state.live.values() if _may_support(item))
    observed = match.observations(able, similarity, config.similarity.wake)
    proposals = _compatible(
        [
            _proposal(rule, observed[rule.name], state, config)
            for rule in used
            if len(observed.get(rule.name, ())) >= rule.needs and not _said_outright(rule, state, catalogue)
        ]
    )
    wanted = {p.item_id: p for p in proposals if not (forgotten and forgotten(p.rule.slot, _value(p.rule, catalogue)))}
    cause = cause or Cause(by="time", at=now)
    changes = [c for item in _conclusions(state) if (c := _withdrawal(item, wanted, state, catalogue, cause, used))]
    after = state.apply(changes)
    for proposal in wanted.values():
        made = _made(proposal, state, now, config, catalogue, cause, count or _roughly)
        if made is None or (made.event is not Event.REVALUED and not _has_room(after, made, config)):
            continue
        after = after.apply([made])
        changes.append(made)
    return tuple(changes)


def _has_room(state: UserState, made: Change, config: Config) -> bool:
    """Law B: an inference never pushes out what was said; it waits until there is a place."""
    caps = config.bounded
    layer = made.after.layer if made.after is not None else None
    if len(state.hot) >= caps.hot_cap or (layer is Layer.SHORT_TERM and len(state.short_term) >= caps.short_term_cap):
        return False
    if layer is not Layer.DYNAMIC or not caps.dynamic_cap:
        return True
    return sum(item.layer is Layer.DYNAMIC for item in state.hot) < caps.dynamic_cap


def is_conclusion(item: MemoryItem) -> bool:
    """Whether an item was drawn from others rather than said (its note names the rule)."""
    return item.basis is Basis.IMPLIED and bool(item.derived_from) and item.note.startswith(NOTE)


NOTE = "conclusion:"


def conclusion_id(user_id: str, rule: str) -> str:
    """The one id that a rule's conclusion has for a user, so that it is refreshed and never doubled."""
    return hashlib.blake2b(f"{user_id}\0conclusion\0{rule}".encode("utf-8", "replace"), digest_size=10).hexdigest()


def confidence_from(sessions: int, config: Config) -> float:
    """An implied claim's start, closer to certainty with each further session, under what freezes."""
    raw = 1.0 - (1.0 - config.screen.implied_start) * (1.0 - config.freeze.confirmation_gain) ** max(0, sessions - 1)
    return round(min(raw, HIGHEST, max(0.0, config.freeze.min_confidence - BELOW_FREEZE)), 6)


def _may_support(item: MemoryItem) -> bool:
    calm = any(e.tone is Tone.CALM for e in item.evidence)
    return (
        item.subject == "user"
        and calm
        and not item.suspicious
        and item.status not in (Status.STALE, Status.UNLOCKED)
        and not is_conclusion(item)
    )


def _proposal(rule: Rule, found: list[MemoryItem], state: UserState, config: Config) -> _Proposal:
    ordered = sorted(found, key=lambda item: (item.said_at, item.id))
    kept = tuple(ordered[-config.bounded.links_cap :])
    return _Proposal(rule, conclusion_id(state.user_id, rule.name), kept, len({s for i in kept for s in i.sessions}))


def _said_outright(rule: Rule, state: UserState, catalogue: Catalogue | None) -> MemoryItem | None:
    """What the user said on the conclusion's own slot that makes it needless or wrong; explicit beats implied always."""
    slot = catalogue.slot(rule.slot) if catalogue is not None else None
    exclusive = slot is not None and slot.exclusive
    opposites = catalogue.opposites(rule.slot, rule.value) if catalogue is not None else ()
    for item in state.in_slot("user", rule.slot):
        if is_conclusion(item) or item.basis is not Basis.EXPLICIT or item.status is Status.STALE:
            continue
        if exclusive or item.value in opposites or _value(rule, catalogue) == item.value:
            return item
    return None


def _compatible(proposals: list[_Proposal]) -> list[_Proposal]:
    """Of conclusions that exclude each other, the better supported one."""
    chosen: list[_Proposal] = []
    for p in sorted(proposals, key=lambda p: (-p.sessions, -len(p.observations), p.rule.name)):
        if not any(p.rule.name in c.rule.opposite or c.rule.name in p.rule.opposite for c in chosen):
            chosen.append(p)
    return sorted(chosen, key=lambda p: p.rule.name)


def _conclusions(state: UserState) -> list[MemoryItem]:
    return sorted((item for item in state.live.values() if is_conclusion(item)), key=lambda item: item.id)


def _withdrawal(
    item: MemoryItem,
    wanted: dict[str, _Proposal],
    state: UserState,
    catalogue: Catalogue | None,
    cause: Cause,
    rules: Iterable[Rule],
) -> Change | None:
    """A conclusion that nothing holds up any more goes; one that the user confirmed in words is theirs and stays."""
    if item.id in wanted or _is_theirs(item):
        return None
    rule = next((rule for rule in rules if conclusion_id(state.user_id, rule.name) == item.id), None)
    outright = _said_outright(rule, state, catalogue) if rule is not None else None
    reason = Reason.EXPLICIT_WINS if outright is not None else Reason.BASIS_GONE
    return step(
        item,
        Event.WITHDRAWN,
        reason=reason,
        cause=cause,
        detail=outright.id if outright is not None else "",
        archived_because=reason.value,
    )


def _is_theirs(item: MemoryItem) -> bool:
    """The user took the conclusion over: said it, pinned it, or confirmed it by command (a rule makes candidates only)."""
    return bool(_own_words(item)) or item.pinned or item.status is not Status.CANDIDATE


def _own_words(item: MemoryItem) -> tuple[Evidence, ...]:
    """Evidence in which the user said the conclusion itself (what it borrows from observations is marked implied)."""
    return tuple(e for e in item.evidence if e.basis is not Basis.IMPLIED)


def _made(
    proposal: _Proposal,
    state: UserState,
    now: datetime,
    config: Config,
    catalogue: Catalogue | None,
    cause: Cause,
    count: Callable[[str], int],
) -> Change | None:
    known = state.get(proposal.item_id)
    if known is None:
        new = _new_item(proposal, state.user_id, now, config, catalogue, count)
        if new is None:
            return None
        return step(None, Event.ADMITTED, reason=Reason.AGGREGATED, cause=cause, detail=_names(proposal), new=new)
    if known.status is Status.STALE:
        return None  # rejected or contested: the user decides, not the rule
    fresh = _refreshed(known, proposal, config)
    if known.status is Status.ARCHIVED:
        return _revived(known, fresh, proposal, cause)
    if fresh == known:
        return None
    fields = {name: getattr(fresh, name) for name in ("derived_from", "evidence", "confidence", "confirmed_at")}
    return step(known, Event.REVALUED, reason=Reason.AGGREGATED, cause=cause, detail=_names(proposal), **fields)


def _revived(known: MemoryItem, fresh: MemoryItem, proposal: _Proposal, cause: Cause) -> Change | None:
    """Back from the archive when its basis is back, or when something new supports it; never after a correction."""
    lost_basis = known.archived_because in (Reason.BASIS_GONE.value, Reason.EXPLICIT_WINS.value)
    news = set(fresh.derived_from) - set(known.derived_from)
    if known.superseded_by is not None or not (lost_basis or news):
        return None
    return step(
        known,
        Event.RESTORED,
        to=Status.CANDIDATE,
        reason=Reason.AGGREGATED,
        cause=cause,
        detail=_names(proposal),
        new=msgspec.structs.replace(fresh, archived_because=None),
    )


def _refreshed(known: MemoryItem, proposal: _Proposal, config: Config) -> MemoryItem:
    own = _own_words(known)
    theirs = _is_theirs(known) and known.status is not Status.ARCHIVED
    confidence = confidence_from(proposal.sessions, config)
    return msgspec.structs.replace(
        known,
        derived_from=tuple(item.id for item in proposal.observations),
        evidence=(*own, *_borrowed(proposal, config))[: max(config.bounded.evidence_cap, len(own))],
        confidence=max(confidence, known.confidence) if theirs else confidence,
        confirmed_at=max(known.confirmed_at, proposal.observations[-1].said_at),
    )


def _new_item(
    proposal: _Proposal,
    user_id: str,
    now: datetime,
    config: Config,
    catalogue: Catalogue | None,
    count: Callable[[str], int],
) -> MemoryItem | None:
    rule, seen = proposal.rule, proposal.observations
    slot = catalogue.slot(rule.slot) if catalogue is not None else None
    visible, hidden = _visibility(seen)
    if hidden:
        return None
    kind = Kind(rule.kind) if rule.kind else (slot.kind if slot is not None else Kind.PREFERENCE)
    language = "zh" if sum(item.language.startswith("zh") for item in seen) * 2 > len(seen) else "en"
    sensitive = any(item.sensitivity is Sensitivity.SENSITIVE for item in seen)
    sensitive = sensitive or (slot is not None and slot.sensitivity is Sensitivity.SENSITIVE)
    text = rule.text[language]
    return MemoryItem(
        id=proposal.item_id,
        user_id=user_id,
        kind=kind,
        slot=rule.slot,
        value=_value(rule, catalogue),
        text=text,
        status=Status.CANDIDATE,
        created_at=now,
        said_at=seen[-1].said_at,
        confirmed_at=seen[-1].said_at,
        exclusive=slot is not None and slot.exclusive,
        confidence=confidence_from(proposal.sessions, config),
        importance=rule.importance if slot is None else max(rule.importance, slot.importance * 0.8),
        confirmations=1.0,
        evidence=_borrowed(proposal, config),
        half_life_days=_half_life(kind, slot.half_life_days if slot is not None else None, config),
        tokens=count(text),
        language=language,
        basis=Basis.IMPLIED,
        sensitivity=Sensitivity.SENSITIVE if sensitive else Sensitivity.NORMAL,
        visible_to=visible,
        derived_from=tuple(item.id for item in seen),
        note=NOTE + rule.name,
    )


def _value(rule: Rule, catalogue: Catalogue | None) -> str:
    return rule.value if catalogue is None else catalogue.normalise(rule.slot, rule.value)


def _half_life(kind: Kind, slot: float | None, config: Config) -> float | None:
    return slot if slot is not None else config.decay.half_life_days.get(kind)


def _borrowed(proposal: _Proposal, config: Config) -> tuple[Evidence, ...]:
    """One cited turn per observation and session, marked implied, the oldest and the latest within the cap (law G)."""
    found = {
        (e.turn_id, e.quote): msgspec.structs.replace(e, basis=Basis.IMPLIED)
        for item in proposal.observations
        for e in item.evidence
    }
    rows = sorted(found.values(), key=lambda e: (e.said_at, e.seq, e.turn_id, e.quote))
    cap = config.bounded.evidence_cap
    return tuple(rows) if len(rows) <= cap else (*rows[: cap // 2], *rows[-(cap - cap // 2) :])


def _visibility(seen: Iterable[MemoryItem]) -> tuple[tuple[str, ...], bool]:
    """Who may see all that it rests on (() is everybody), and whether nobody may."""
    restricted = [set(item.visible_to) for item in seen if item.visible_to]
    if not restricted:
        return (), False
    common = set.intersection(*restricted)
    return tuple(sorted(common)), not common


def _names(proposal: _Proposal) -> str:
    return ", ".join(item.id for item in proposal.observations)


def _roughly(text: str) -> int:
    """Tokens without a tokenizer, rather too many than too few."""
    return int(ApproximateCounter().count(text) * 1.25) + 1
