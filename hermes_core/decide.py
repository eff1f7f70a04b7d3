"""The write rule: one claim against one state gives the changes it causes, never none (law X).

Order: screen, freeze gate, confirm, arbitrate, wake, bounded gate; then what is earned or must leave is settled.
Pure: the moment is the turn's `said_at`, the ids and similarities are in the claim (law R).
"""

from __future__ import annotations

from hermes_core.admission import admit_new
from hermes_core.arbitrate import SETTLED_STATUSES, against_frozen, arbitrate
from hermes_core.changes import Cause, Change
from hermes_core.config import Config
from hermes_core.confirm import confirm_known, wake_known
from hermes_core.draft import Draft
from hermes_core.errors import OwnerMismatch
from hermes_core.items import Kind
from hermes_core.reasons import Reason
from hermes_core.relate import Claim, Related, related
from hermes_core.settle import settle
from hermes_core.user_state import UserState


def decide(state: UserState, claim: Claim, config: Config) -> tuple[Change, ...]:
    """The changes that the claim causes, in order; OwnerMismatch when it is another user's (law O)."""
    turn = claim.turn
    if turn.user_id != state.user_id:
        raise OwnerMismatch(f"a claim of user {turn.user_id!r} was brought to {state.user_id!r}")
    draft = Draft(state, Cause(by="turn", at=turn.said_at, session_id=turn.session_id, turn_id=turn.id), config)
    reason = screened(claim, config)
    if reason is not None:
        draft.refuse(reason, claim.candidate.text or claim.candidate.quote)
        return draft.changes
    rel = related(state, claim, config)
    if (known := _already_counted(state, claim, rel)) is not None:
        draft.refuse(Reason.ALREADY_COUNTED, claim.candidate.text, item_id=known)
        return draft.changes
    _weigh(draft, claim, rel)
    settle(draft)
    return draft.changes


def screened(claim: Claim, config: Config) -> Reason | None:
    """Why the claim is not even looked at, or None (W4, W6, W7, W10)."""
    c = claim.candidate
    if claim.forgotten:
        return Reason.FORGOTTEN_BY_USER
    if claim.turn.role != "user" or not c.quote.strip():
        return Reason.UNGROUNDED
    if not c.text.strip() or not c.value.strip():
        return Reason.MALFORMED
    if claim.salience < config.screen.salience_floor:
        return Reason.LOW_SALIENCE
    if claim.tokens > config.bounded.item_tokens:
        return Reason.TOO_LONG
    if claim.emotional and claim.kind is Kind.IDENTITY:
        return Reason.EMOTIONAL
    return None


def _already_counted(state: UserState, claim: Claim, rel: Related) -> str | None:
    """A turn's claim has its effect once: the item it already made, or already speaks for."""
    if claim.item_id in state:
        return claim.item_id
    for item in rel.same:
        if any(e.turn_id == claim.turn.id for e in item.evidence):
            return item.id
    return None


def _weigh(draft: Draft, claim: Claim, rel: Related) -> None:
    if any(item.status in SETTLED_STATUSES for item in rel.conflicts):
        against_frozen(draft, claim, rel.conflicts)
    elif rel.same:
        confirm_known(draft, claim, rel)
    elif rel.conflicts:
        arbitrate(draft, claim, rel.conflicts)
    elif rel.archived and wake_known(draft, claim, rel.archived[0]):
        return
    else:
        admit_new(draft, claim, rel)


__all__ = ["Claim", "decide", "screened"]
