"""The freeze gate: what settles, and what may still move it (F2-F9, F16-F18, law F). It answers; it never alters a state.

Nothing about room in the hot pool or about similarity may live here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from hermes_core import decay
from hermes_core.config import Config
from hermes_core.evidence import calm, calm_sessions, merged
from hermes_core.items import (
    Basis,
    Evidence,
    HeldOverride,
    Kind,
    Layer,
    MemoryItem,
    Status,
    Tone,
    _Text,
)
from hermes_core.likeness import qualifier_set
from hermes_core.reasons import Reason
from hermes_core.user_state import UserState


# ---- what settles
def promotable(item: MemoryItem, config: Config) -> Reason | None:
    """Why a candidate is confirmed now, or None: said calmly and clearly once, or often enough (W7: calmly at least once)."""
    if item.status is not Status.CANDIDATE or item.suspicious or item.observed_until is not None:
        return None
    if not calm(item.evidence):
        return None
    freeze = config.freeze
    if item.basis is Basis.EXPLICIT and item.confidence >= freeze.confirmed_at_once:
        return Reason.CALM_AND_EXPLICIT
    return Reason.EARNED if item.confirmations >= freeze.confirmed_from else None


def settled(item: MemoryItem, now: datetime, config: Config) -> Reason | None:
    """F2, F3: why a confirmed item has earned its freezing, or None. Whether a place is free is another question."""
    if item.status is not Status.CONFIRMED or item.suspicious or item.kind not in config.freeze.whitelist:
        return None
    reason = _route(item, config)
    if reason is None or item.confidence < config.freeze.min_confidence:
        return None
    return None if not calm(item.evidence) or decay.weathered(item, now, config) else reason


def _route(item: MemoryItem, config: Config) -> Reason | None:
    """By which road the item could freeze: often enough, or at once (F3)."""
    if item.confirmations >= config.freeze.min_confirmations:
        return Reason.SETTLED
    if item.basis is not Basis.EXPLICIT:
        return None
    if vital(item, config):
        return Reason.VITAL
    return Reason.FROM_NOW_ON if config.freeze.at_once_lasting and item.lasting else None


def vital(item: MemoryItem, config: Config) -> bool:
    """F3: of high impact and timeless, such as an allergy or a blood type; that there is none of it protects nobody."""
    return config.freeze.at_once_high_impact and item.high_impact and item.timeless and item.polarity > 0


def unit(item: MemoryItem) -> tuple[str, ...]:
    """F17: what freezes as one: a fact as a whole, a preference by its slot, a relation by its edge."""
    where = (item.subject, item.slot, *sorted(qualifier_set(item.qualifiers)))
    if item.layer is Layer.DYNAMIC and item.exclusive:
        return where
    if item.kind is Kind.RELATION:
        return (*where, item.value)
    return (*where, item.value, str(item.polarity))


def taken(state: UserState, item: MemoryItem) -> bool:
    """F17: another frozen item already holds this unit."""
    return any(unit(other) == unit(item) for other in state.frozen if other.id != item.id)


def places(state: UserState, config: Config) -> int:
    """Free places in the frozen pool."""
    return max(0, config.bounded.frozen_limit - len(state.frozen))


# ---- what may move it
class Answer(_Text):
    """F5: what becomes of a claim against a settled item."""

    IGNORED = "ignored"
    HELD = "held"
    AWAITS = "awaits"
    APPLIED = "applied"


@dataclass(frozen=True)
class Challenge:
    """A claim against an item, reduced to what the gate looks at. `confidence` is the claim's own, on 0..1."""

    confidence: float
    basis: Basis
    emotional: bool
    correcting: bool  # says that the earlier statement no longer holds, or "from now on"
    suspicious: bool
    older: bool  # said before the item was last affirmed
    denies_vital: bool = False  # takes something vital back, and not yet from enough sessions


def answer(challenge: Challenge, config: Config) -> tuple[Answer, Reason]:
    """F5: ignored, held, or applied, by the claim's confidence and nature. An emotional claim never moves anything."""
    freeze = config.freeze
    if challenge.older:
        return Answer.IGNORED, Reason.OUTDATED
    if challenge.suspicious:
        return Answer.IGNORED, Reason.SUSPICIOUS
    if challenge.confidence < freeze.ignore_under:
        return Answer.IGNORED, Reason.FROZEN_IGNORES
    if challenge.emotional:
        return Answer.HELD, Reason.EMOTIONAL
    corrects = challenge.correcting and challenge.basis is Basis.EXPLICIT
    if not corrects or challenge.confidence < freeze.apply_from:
        return Answer.HELD, Reason.FROZEN_HOLDS
    if challenge.denies_vital:  # a misread "not" must not cost an allergy: until it is said again, both are shown
        return Answer.HELD, Reason.VITAL_STANDS
    if freeze.review == "manual":
        return Answer.AWAITS, Reason.AWAITS_APPROVAL
    return Answer.APPLIED, Reason.CORRECTED_BY_USER


def denies_vital(item: MemoryItem, override: HeldOverride, config: Config) -> bool:
    """Whether the override takes something vital back with less than the sessions that this needs, held ones counted."""
    if not vital(item, config) or override.polarity == item.polarity:
        return False
    told = next((h for h in item.held if same_claim(h, override)), None)
    sessions = {e.session_id for h in (told, override) if h is not None for e in h.evidence if e.tone is Tone.CALM}
    return len(sessions) < config.freeze.vital_denial_sessions


def same_claim(one: HeldOverride, other: HeldOverride) -> bool:
    return (one.value, one.polarity, qualifier_set(one.qualifiers)) == (
        other.value,
        other.polarity,
        qualifier_set(other.qualifiers),
    )


def holding(item: MemoryItem, override: HeldOverride, config: Config) -> tuple[HeldOverride, ...]:
    """F6: the item's held overrides with this one: gathered with its like, the longest silent one dropped when too many."""
    held = list(item.held)
    for place, known in enumerate(held):
        if same_claim(known, override):
            held[place] = _gathered(known, override, config)
            break
    else:
        held.append(override)
    while len(held) > config.bounded.held_cap:
        held.remove(min(held, key=lambda h: (h.awaiting_approval, last_said(h) or item.created_at)))
    return tuple(held)


def _gathered(known: HeldOverride, again: HeldOverride, config: Config) -> HeldOverride:
    return HeldOverride(
        value=known.value,
        text=known.text,
        polarity=known.polarity,
        qualifiers=known.qualifiers,
        confidence=max(known.confidence, again.confidence),
        reason=again.reason,
        awaiting_approval=known.awaiting_approval or again.awaiting_approval,
        tokens=known.tokens,
        language=known.language,
        item_id=known.item_id,
        evidence=merged(known.evidence, again.evidence, config.bounded.evidence_cap),
    )


def last_said(override: HeldOverride) -> datetime | None:
    """When the override was last spoken for."""
    return max((e.said_at for e in override.evidence), default=None)


def held_often(item: MemoryItem, config: Config) -> bool:
    """F6: some override has calm evidence from enough distinct sessions."""
    return any(calm_sessions(h) >= config.freeze.held_sessions for h in item.held)


def rejected_often(item: MemoryItem, config: Config) -> bool:
    """F16: rejected or contradicted several times in a row."""
    return item.rejections >= config.freeze.rejections_to_stale


def evidence_for(item: MemoryItem, value: str, polarity: int, qualifiers: tuple[str, ...]) -> tuple[Evidence, ...]:
    """What was held for exactly this claim: the new item may cite it when it takes over."""
    wanted = HeldOverride(value=value, text="", polarity=polarity, qualifiers=qualifiers)
    return tuple(e for h in item.held if same_claim(h, wanted) for e in h.evidence)
