"""From a claim to an item: what a new item starts with, how it enters, and how it takes another's place (W5, W7, W13, F7).

What a claim means for the items that it agrees or disagrees with is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from hermes_core.changes import Cause, Event
from hermes_core.config import Config
from hermes_core.draft import Draft
from hermes_core.evidence import counted, linked, merged
from hermes_core.gates import bounded, freeze
from hermes_core.items import Basis, Evidence, HeldOverride, Kind, Layer, MemoryItem, Pool, Status
from hermes_core.likeness import qualifier_set
from hermes_core.reasons import Reason
from hermes_core.relate import Claim, Related
from hermes_core.settle import depart

LINKED_AT_ONCE = 3  # neighbours that one new item is linked with


def start_confidence(claim: Claim, config: Config) -> float:
    """W5: what the claim is worth by its basis, never more than its extractor dared to say."""
    screen = config.screen
    start = {
        Basis.EXPLICIT: screen.explicit_start,
        Basis.BEHAVIOUR: screen.behaviour_start,
        Basis.IMPLIED: screen.implied_start,
    }[claim.basis]
    return max(0.0, min(claim.candidate.confidence, start))


def stored_kind(claim: Claim) -> Kind:
    """W5: what is only implied is kept as a short-term state first."""
    if claim.basis is Basis.IMPLIED and claim.kind is not Kind.EVENT:
        return Kind.STATE
    return claim.kind


def half_life(claim: Claim, kind: Kind, config: Config) -> float | None:
    """Days: the slot's own where it has one, else the kind's; None does not fade."""
    if kind is claim.kind and claim.half_life_days is not None:
        return claim.half_life_days
    return config.decay.half_life_days[kind]


def new_item(claim: Claim, config: Config) -> MemoryItem:
    """The item that the claim would be: a candidate with one piece of evidence."""
    c, screen, said_at = claim.candidate, config.screen, claim.turn.said_at
    kind = stored_kind(claim)
    confidence = start_confidence(claim, config)
    if claim.emotional:
        confidence = min(confidence, screen.emotional_confidence)
    return MemoryItem(
        id=claim.item_id,
        user_id=claim.turn.user_id,
        subject=c.subject,
        kind=kind,
        slot=c.slot,
        value=c.value,
        qualifiers=c.qualifiers,
        polarity=c.polarity,
        text=c.text,
        status=Status.CANDIDATE,
        exclusive=claim.exclusive,
        created_at=said_at,
        said_at=said_at,
        confirmed_at=said_at,
        confidence=confidence,
        importance=max(0.0, min(c.importance, 1.0)),
        confirmations=counted((claim.evidence,), config),
        evidence=(claim.evidence,),
        half_life_days=half_life(claim, kind, config),
        tokens=claim.tokens,
        language=claim.language,
        basis=claim.basis,
        lasting=c.lasting,
        high_impact=claim.high_impact,
        timeless=claim.timeless,
        sensitivity=claim.sensitivity,
        visible_to=claim.visible_to,
        suspicious=claim.suspicious,
        observed_until=_observation(claim, kind, config),
    )


def _observation(claim: Claim, kind: Kind, config: Config) -> datetime | None:
    screen, said_at = config.screen, claim.turn.said_at
    if claim.basis is Basis.IMPLIED and kind is Kind.STATE:
        return said_at + timedelta(days=screen.implied_observation_days)
    if claim.basis is Basis.BEHAVIOUR and screen.behaviour_sessions > 1:
        return said_at + timedelta(days=screen.behaviour_observation_days)
    return None


def with_evidence(new: MemoryItem, more: Sequence[Evidence], config: Config) -> MemoryItem:
    """The new item with earlier statements of the same claim: they count as they were said."""
    if not more:
        return new
    evidence = merged(more, new.evidence, config.bounded.evidence_cap)
    return msgspec.structs.replace(new, evidence=evidence, confirmations=counted(evidence, config))


def from_override(
    old: MemoryItem, override: HeldOverride, new_id: str, tokens: int, cause: Cause, config: Config
) -> MemoryItem:
    """F6: the item that a held override would be, citing everything that was said for it."""
    said = [e.said_at for e in override.evidence] or [cause.at]
    base = msgspec.structs.replace(
        old,
        id=new_id,
        status=Status.CANDIDATE,
        value=override.value,
        text=override.text,
        polarity=override.polarity,
        qualifiers=override.qualifiers,
        tokens=tokens,
        language=override.language or old.language,
        confidence=max(override.confidence, config.screen.explicit_start),
        created_at=cause.at,
        said_at=min(said),
        confirmed_at=max(cause.at, *said),
        evidence=(),
        confirmations=1.0,
        hits=0,
        hit_at=None,
        basis=Basis.EXPLICIT,
        held=(),
        supersedes=(),
        superseded_by=None,
        contested_by=None,
        complements=(),
        derived_from=(),
        archived_because=None,
        observed_until=None,
        frozen_at=None,
        rejections=0,
        kept_alive=0,
        pinned=False,
        note="",
    )
    return with_evidence(base, override.evidence, config)


def as_override(item: MemoryItem, reason: Reason) -> HeldOverride:
    """F6: what a losing item claimed, to be kept beside the winner with its evidence."""
    return HeldOverride(
        value=item.value,
        text=item.text,
        polarity=item.polarity,
        qualifiers=item.qualifiers,
        confidence=item.confidence,
        reason=str(reason),
        tokens=item.tokens,
        language=item.language,
        evidence=item.evidence,
    )


def enter(
    draft: Draft,
    new: MemoryItem,
    reason: Reason | None = None,
    *,
    nearest: float = 0.0,
    exempt: bool = False,
    freed: frozenset[str] = frozenset(),
) -> bounded.Entry:
    """Ask the bounded gate; when it agrees, let leave who must and admit `new`. Returns the gate's answer."""
    entry = bounded.entry(draft.state, new, draft.now, draft.config, nearest=nearest, exempt=exempt, freed=freed)
    if entry.admitted:
        for item in entry.leaving:
            depart(draft, item, bounded.farewell(item), Reason.REPLACED_WORST, f"for {new.id}")
        draft.admit(new, reason or entry.reason, entry.detail)
    return entry


def admit_new(draft: Draft, claim: Claim, rel: Related) -> None:
    """A claim on new ground: through the bounded gate, linked with what it refines or complements (W13)."""
    if (known := _rules_out(claim, rel)) is not None:
        draft.refuse(Reason.ALREADY_KNOWN, claim.candidate.text, item_id=known.id)
        return
    gaps = _gaps(draft, claim, rel)
    neighbours = [i for i in _neighbours(claim, rel, draft.config) if i not in gaps]
    new = _with_links(new_item(claim, draft.config), neighbours, draft.config)
    exempt = bool(gaps) or (claim.clear and (claim.candidate.lasting or freeze.vital(new, draft.config)))
    entry = enter(draft, new, nearest=_nearest_live(draft, claim), exempt=exempt, freed=frozenset(g.id for g in gaps))
    if not entry.admitted:
        draft.refuse(entry.reason, claim.candidate.text, detail=entry.detail)
        return
    for gap in gaps:
        supersede(draft, gap, new.id, Reason.FILLS_THE_GAP)
    link_back(draft, new, rel, neighbours)


def _rules_out(claim: Claim, rel: Related) -> MemoryItem | None:
    """The known value of an exclusive slot, when the claim only says that some other value isn't it."""
    if not claim.exclusive or claim.candidate.polarity > 0:
        return None
    return next((i for i in rel.complemented if i.polarity > 0 and _same_place(claim, i)), None)


def _gaps(draft: Draft, claim: Claim, rel: Related) -> list[MemoryItem]:
    """ "No longer at Alpha" leaves a gap in an exclusive slot; the next clear value fills it."""
    if not claim.exclusive or not claim.clear or claim.candidate.polarity < 0:
        return []
    return [
        item
        for item in rel.complemented
        if item.polarity < 0 and item.pool is Pool.HOT and _same_place(claim, item) and item.id in draft.state.live
    ]


def _same_place(claim: Claim, item: MemoryItem) -> bool:
    return item.slot == claim.candidate.slot and qualifier_set(item.qualifiers) == qualifier_set(
        claim.candidate.qualifiers
    )


def _nearest_live(draft: Draft, claim: Claim) -> float:
    return max((s for i, s in claim.similar.items() if i in draft.state.live), default=0.0)


def _neighbours(claim: Claim, rel: Related, config: Config) -> tuple[MemoryItem, ...]:
    """W13: what it refines, and what it complements when that is near or a matter of limits and identity."""
    near = config.similarity.near
    complemented = [
        item
        for item in rel.complemented
        if claim.similar.get(item.id, 0.0) >= near or item.kind in (Kind.CONSTRAINT, Kind.IDENTITY)
    ]
    return (*rel.refined, *complemented)[:LINKED_AT_ONCE]


def _with_links(new: MemoryItem, neighbours: Sequence[MemoryItem], config: Config) -> MemoryItem:
    ids = linked(new.complements, (item.id for item in neighbours), config)
    return msgspec.structs.replace(new, complements=ids) if ids != new.complements else new


def link_back(draft: Draft, new: MemoryItem, rel: Related, neighbours: Sequence[MemoryItem]) -> None:
    """The other half of a link, on those neighbours that are still there."""
    refined = {item.id for item in rel.refined}
    for item in neighbours:
        if item.id in draft.state:
            reason = Reason.REFINES if item.id in refined else Reason.COMPLEMENTS
            now = draft.item(item.id)
            draft.step(now, Event.LINKED, reason, complements=linked(now.complements, (new.id,), draft.config))


def supersede(draft: Draft, old: MemoryItem, by: str, reason: Reason) -> MemoryItem:
    """F9: the loser goes to the archive, never away; it remembers who took its place."""
    current = draft.item(old.id)
    if current.status is Status.FROZEN:
        current = draft.step(current, Event.UNLOCKED, reason)
    return draft.step(
        current,
        Event.SUPERSEDED,
        reason,
        archived_because="superseded",
        superseded_by=by,
        contested_by=None,
        frozen_at=None,
        observed_until=None,
        note=noted(current, f"gave way to {by} on {draft.now:%Y-%m-%d}"),
    )


def take_over(draft: Draft, new: MemoryItem, old: Sequence[MemoryItem], reason: Reason) -> MemoryItem:
    """F7: unlock, archive the old, admit the new in their place, and freeze it again if one of them was frozen."""
    frozen = [item for item in old if draft.item(item.id).status is Status.FROZEN]
    ids = [item.id for item in old]
    for item in old:
        supersede(draft, item, new.id, reason)
    config = draft.config
    new = msgspec.structs.replace(
        new,
        supersedes=linked(new.supersedes, ids, config),
        note=noted(new, f"took the place of {', '.join(ids)} on {draft.now:%Y-%m-%d}"),
    )
    draft.admit(new, reason)
    _end_contests(draft, new, old, reason)
    if frozen and new.layer is not Layer.SHORT_TERM:
        draft.step(new, Event.PROMOTED, reason)
        leaves_gap = new.exclusive and new.polarity < 0  # the slot is open again, not settled
        if freeze.places(draft.state, config) and not leaves_gap:
            draft.step(new, Event.FROZE, reason, frozen_at=draft.now)
    return draft.item(new.id)


def _end_contests(draft: Draft, new: MemoryItem, old: Sequence[MemoryItem], reason: Reason) -> None:
    """F8: who took an item's place also ends what the item contested, and what contested it."""
    ids = {item.id for item in old}
    challengers = {item.contested_by for item in old}
    for item in sorted(draft.state.live.values(), key=lambda i: i.id):
        if item.id != new.id and (item.contested_by in ids or item.id in challengers):
            supersede(draft, item, new.id, reason)


def noted(item: MemoryItem, line: str) -> str:
    """The item's note with one more remark."""
    return f"{item.note}; {line}" if item.note else line
