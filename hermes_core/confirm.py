"""The user says it again: counting once per session, re-confirming, waking, promoting what was only observed (W5, W12, F8, F12, F14, F19).

What a claim does to items that it contradicts lives in `arbitrate`, except where agreeing with one ends a contest.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import msgspec

from hermes_core import decay
from hermes_core.admission import half_life, new_item, start_confidence, supersede, take_over, with_evidence
from hermes_core.arbitrate import older
from hermes_core.changes import Event
from hermes_core.config import Config
from hermes_core.draft import Draft
from hermes_core.evidence import calm, counts_anew, merged, stronger, weight
from hermes_core.gates import bounded
from hermes_core.items import Basis, Kind, MemoryItem, Status
from hermes_core.reasons import Reason
from hermes_core.relate import Claim, Related
from hermes_core.settle import AWAKE, depart

_STANDING = (Status.FROZEN, Status.UNLOCKED, Status.CONFIRMED, Status.STALE, Status.CANDIDATE)


def confirm_known(draft: Draft, claim: Claim, rel: Related) -> None:
    """The claim says what a live item says: a confirmation, or only more evidence."""
    item = min(rel.same, key=lambda i: (_STANDING.index(i.status), i.kind is Kind.STATE, i.id))
    if claim.candidate.agreed and not _in_question(draft, item):
        draft.refuse(Reason.RECALLED_TEXT, claim.candidate.text, item_id=item.id, detail=claim.candidate.asked)
    elif claim.suspicious and not item.suspicious:
        draft.refuse(Reason.SUSPICIOUS, claim.candidate.text, item_id=item.id)
    elif _durable_now(draft, claim, item):
        _promote_observed(draft, claim, item)
    elif item.status is Status.STALE:
        _reaffirm(draft, claim, item)
    else:
        confirm(draft, claim, item)
        _end_contest(draft, claim, item, rel.conflicts)


def _in_question(draft: Draft, item: MemoryItem) -> bool:
    """Whether asking about the item makes sense: else a yes to what memory showed is no evidence of it (law C, J1)."""
    contested = item.contested_by is not None or any(i.contested_by == item.id for i in draft.state.live.values())
    return contested or bool(item.held) or item.status is Status.STALE


def confirm(draft: Draft, claim: Claim, item: MemoryItem) -> None:
    """Law C: one confirmation per session; the rest is noted as evidence."""
    config = draft.config
    current = draft.item(item.id)
    if not counts_anew(current, claim.turn.session_id, config) or current.status in (Status.ARCHIVED, Status.UNLOCKED):
        note(draft, claim, current)
        return
    fields = gained(current, claim, config)
    current = draft.step(current, Event.CONFIRMED, Reason.SAID_AGAIN, **fields)
    _lengthen(draft, current)
    _watch(draft, claim, draft.item(item.id))


def note(draft: Draft, claim: Claim, item: MemoryItem) -> None:
    """More evidence, no confirmation: said again in the session, or by more sessions than are kept."""
    config = draft.config
    same_session = claim.turn.session_id in item.sessions
    evidence = merged(item.evidence, (claim.evidence,), config.bounded.evidence_cap)
    fields: dict[str, Any] = {"evidence": evidence}
    if not same_session and not claim.emotional:
        fields["confirmed_at"] = max(item.confirmed_at, claim.turn.said_at)
    draft.step(item, Event.NOTED, Reason.SAME_SESSION if same_session else Reason.ALREADY_COUNTED, **fields)


def gained(item: MemoryItem, claim: Claim, config: Config) -> dict[str, Any]:
    """The fields that a counted statement changes."""
    worth = weight(claim.evidence.tone, claim.basis, config)
    evidence = merged(item.evidence, (claim.evidence,), config.bounded.evidence_cap)
    basis = item.basis if claim.emotional else stronger(item.basis, claim.basis)
    confidence = item.confidence + config.freeze.confirmation_gain * (1.0 - item.confidence) * worth
    if not claim.emotional:
        confidence = max(confidence, start_confidence(claim, config))
    if not calm(evidence):
        confidence = min(confidence, max(item.confidence, config.screen.emotional_confidence))
    return {
        "confidence": min(1.0, confidence),
        "confirmations": item.confirmations + worth,
        "confirmed_at": max(item.confirmed_at, claim.turn.said_at),
        "said_at": min(item.said_at, claim.turn.said_at),
        "evidence": evidence,
        "basis": basis,
        "rejections": 0,
        "importance": max(item.importance, min(1.0, claim.candidate.importance)),
        "lasting": item.lasting or (claim.candidate.lasting and claim.clear),
        "high_impact": item.high_impact or claim.high_impact,
        "timeless": item.timeless or claim.timeless,
    }


def _lengthen(draft: Draft, item: MemoryItem) -> None:
    longer = decay.lengthened(item, item.confirmations, draft.config)
    if longer is not None:
        days, times = longer
        draft.step(item, Event.LENGTHENED, Reason.KEPT_ALIVE, half_life_days=days, kept_alive=times)


def _watch(draft: Draft, claim: Claim, item: MemoryItem) -> None:
    """W5: release from observation what was seen often enough; go on watching a state that is only implied."""
    if item.observed_until is None:
        return
    screen = draft.config.screen
    if item.kind is Kind.STATE and item.basis is Basis.IMPLIED:
        until = claim.turn.said_at + timedelta(days=screen.implied_observation_days)
        draft.step(item, Event.OBSERVED, Reason.SAID_AGAIN, observed_until=max(until, item.observed_until))
    elif item.basis is Basis.EXPLICIT or len(item.sessions) >= screen.behaviour_sessions:
        draft.step(item, Event.OBSERVED, Reason.EARNED, observed_until=None)


# ---- a state seen again becomes durable (F19)
def _durable_now(draft: Draft, claim: Claim, item: MemoryItem) -> bool:
    """A state is seen again soon in another session, or what was only observed is now said outright."""
    if item.kind is not Kind.STATE or claim.emotional or claim.suspicious:
        return False
    if claim.kind is not Kind.STATE and claim.basis is Basis.EXPLICIT:
        return True
    if claim.turn.session_id in item.sessions:
        return False
    days = draft.config.screen.implied_observation_days
    return any(abs((claim.turn.said_at - e.said_at).total_seconds()) <= days * 86_400.0 for e in item.evidence)


def _promote_observed(draft: Draft, claim: Claim, state_item: MemoryItem) -> None:
    """F19: a durable item takes the state's place, with its evidence."""
    config = draft.config
    kind = claim.kind if claim.kind not in (Kind.STATE, Kind.EVENT) else Kind.PREFERENCE
    new = with_evidence(new_item(claim, config), state_item.evidence, config)
    explicit = claim.kind is kind and claim.basis is Basis.EXPLICIT
    new = msgspec.structs.replace(
        new,
        kind=kind,
        half_life_days=half_life(claim, kind, config),
        observed_until=None,
        basis=Basis.EXPLICIT if explicit else Basis.BEHAVIOUR,
        confidence=new.confidence if explicit else config.screen.behaviour_start,
        derived_from=(state_item.id,),
    )
    take_over(draft, new, [state_item], Reason.SEEN_AGAIN_SOON)


# ---- what waited for re-confirmation, and contests (F8)
def _reaffirm(draft: Draft, claim: Claim, item: MemoryItem) -> None:
    """Stale -> confirmed by a clear statement, which also ends a contest; anything less is noted."""
    challenger = draft.state.live.get(item.contested_by or "")
    if not claim.clear or older(claim, item) or (challenger is not None and older(claim, challenger)):
        note(draft, claim, item)
        return
    counts = counts_anew(item, claim.turn.session_id, draft.config)
    fields = gained(item, claim, draft.config)
    if not counts:
        fields["confirmations"] = item.confirmations
    item = draft.step(
        item, Event.RECONFIRMED, Reason.SAID_AGAIN, **fields, held=(), contested_by=None, observed_until=None
    )
    if challenger is not None:
        supersede(draft, challenger, item.id, Reason.COOLED_DOWN)
    _lengthen(draft, item)


def _end_contest(draft: Draft, claim: Claim, item: MemoryItem, conflicts: Sequence[MemoryItem]) -> None:
    """F8: said again calmly in another session, the newcomer has won; its rivals go to the archive."""
    current = draft.item(item.id)
    if claim.emotional or claim.basis is Basis.IMPLIED or len(current.sessions) < 2:
        return
    rivals = [i for i in draft.state.live.values() if i.contested_by == item.id]
    if not rivals:
        return
    for rival in rivals:
        supersede(draft, rival, item.id, Reason.COOLED_DOWN)
    current = draft.item(item.id)
    start = draft.config.screen.explicit_start
    draft.step(
        current,
        Event.LINKED,
        Reason.COOLED_DOWN,
        supersedes=(*current.supersedes, *(r.id for r in rivals))[-draft.config.bounded.links_cap :],
        confidence=max(current.confidence, start),
    )


# ---- out of the archive (F14)
def wake_known(draft: Draft, claim: Claim, item: MemoryItem) -> bool:
    """A clear statement of what went cold wakes it, if the bounded gate has room; False: treat the claim as new."""
    if not claim.clear and claim.basis is not Basis.BEHAVIOUR:
        return False
    if claim.emotional or claim.suspicious:
        return False
    awake = msgspec.structs.replace(item, confirmed_at=max(item.confirmed_at, claim.turn.said_at))
    entry = bounded.entry(draft.state, awake, draft.now, draft.config, exempt=True)
    if not entry.admitted:
        return False
    for leaving in entry.leaving:
        depart(draft, leaving, bounded.farewell(leaving), Reason.REPLACED_WORST, f"for {item.id}")
    draft.step(item, Event.WOKEN, Reason.WOKEN_BY_CLAIM, superseded_by=None, rejections=0, **AWAKE)
    confirm(draft, claim, item)
    return True
