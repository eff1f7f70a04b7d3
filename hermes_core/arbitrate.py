"""Claims against what is known: the freeze gate's answer carried out, and arbitration among the unfrozen (F4-F9, F16).

The gate itself and what agreeing claims do live elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from hermes_core.admission import enter, from_override, new_item, start_confidence, supersede, take_over, with_evidence
from hermes_core.changes import Event
from hermes_core.decay import strength
from hermes_core.draft import Draft
from hermes_core.gates import freeze
from hermes_core.gates.freeze import Answer, Challenge
from hermes_core.items import Basis, Evidence, HeldOverride, Kind, MemoryItem, Status, Tone
from hermes_core.reasons import Reason
from hermes_core.relate import Claim

SETTLED_STATUSES = (Status.FROZEN, Status.UNLOCKED)


def older(claim: Claim, item: MemoryItem) -> bool:
    """O3: said before the item was last affirmed; the time of saying decides, not that of ingestion."""
    last = max(((e.said_at, e.seq) for e in item.evidence), default=(item.confirmed_at, 0))
    last = max(last, (item.confirmed_at, 0))
    return (claim.turn.said_at, claim.turn.seq) < last


def against_frozen(draft: Draft, claim: Claim, conflicts: Sequence[MemoryItem]) -> None:
    """F5: the freeze gate answers for every frozen item that the claim contradicts; one refusal stops it all."""
    config = draft.config
    frozen = [i for i in conflicts if i.status in SETTLED_STATUSES]
    answers = [(item, *freeze.answer(challenge(claim, item, draft), config)) for item in frozen]
    if all(answer is Answer.APPLIED for _, answer, _ in answers):
        others = [i for i in conflicts if i not in frozen and not older(claim, i)]
        succeed(draft, claim, [*frozen, *others], Reason.CORRECTED_BY_USER)
        return
    for item, answer, reason in answers:
        if answer is Answer.IGNORED:
            draft.refuse(reason, claim.candidate.text, item_id=item.id)
        elif answer is Answer.AWAITS:
            hold(draft, claim, item, reason, awaiting_approval=True)
        elif answer is Answer.APPLIED:
            hold(draft, claim, item, Reason.FROZEN_HOLDS)
        else:
            hold(draft, claim, item, reason)


def challenge(claim: Claim, item: MemoryItem, draft: Draft) -> Challenge:
    confidence = start_confidence(claim, draft.config)
    return Challenge(
        confidence=confidence,
        basis=claim.basis,
        emotional=claim.emotional,
        correcting=corrects(claim, item),
        suspicious=claim.suspicious,
        older=older(claim, item),
        denies_vital=freeze.denies_vital(item, claim.override(confidence, Reason.VITAL_STANDS), draft.config),
    )


def corrects(claim: Claim, item: MemoryItem) -> bool:
    """The claim corrects, or goes on with the correction that the item is the first half of ("I left Alpha, I'm at Beta now")."""
    same_breath = bool(item.supersedes) and all(e.turn_id == claim.turn.id for e in item.evidence)
    return claim.correcting or same_breath


def hold(draft: Draft, claim: Claim, item: MemoryItem, reason: Reason, *, awaiting_approval: bool = False) -> None:
    """F5, F6: keep the claim beside the item, with its evidence."""
    override = claim.override(start_confidence(claim, draft.config), reason, awaiting_approval=awaiting_approval)
    current = draft.item(item.id)
    draft.step(
        current, Event.HELD, reason, held=freeze.holding(current, override, draft.config), detail=claim.candidate.text
    )


def contradicted(draft: Draft, claim: Claim, item: MemoryItem) -> None:
    """F4, F16: a calm contradiction takes one confirmation back, once per session that it comes from."""
    current = draft.item(item.id)
    spoken = {e.session_id for h in current.held for e in h.evidence if e.turn_id != claim.turn.id}
    if claim.turn.session_id in spoken:
        return
    draft.step(
        current,
        Event.CONTRADICTED,
        Reason.CONTRADICTS,
        confirmations=max(0.0, current.confirmations - 1.0),
        rejections=current.rejections + 1,
    )


def succeed(draft: Draft, claim: Claim, old: Sequence[MemoryItem], reason: Reason) -> None:
    """The claim becomes an item in the place of `old`, citing what was held for it before."""
    config = draft.config
    waiting = _waiting(claim, old, draft)
    if waiting is not None:  # "I left Alpha": what was held against Alpha ("I'm at Beta") steps into the gap
        holder, override = waiting
        new = from_override(holder, override, override.item_id, override.tokens, draft.cause, config)
        take_over(draft, with_evidence(new, (claim.evidence,), config), old, reason)
        return
    c = claim.candidate
    earlier: list[Evidence] = []
    for item in old:
        earlier += freeze.evidence_for(item, c.value, c.polarity, c.qualifiers)
    take_over(draft, with_evidence(new_item(claim, config), earlier, config), old, reason)


def _waiting(claim: Claim, old: Sequence[MemoryItem], draft: Draft) -> tuple[MemoryItem, HeldOverride] | None:
    """The latest calm, explicit override of an exclusive slot whose value the claim takes away."""
    if not claim.exclusive or claim.candidate.polarity > 0:
        return None
    found = [
        (e.said_at, e.seq, item, held)
        for item in (draft.item(o.id) for o in old)
        for held in item.held
        if held.polarity > 0 and held.item_id and held.item_id not in draft.state
        for e in held.evidence
        if e.tone is Tone.CALM and e.basis is Basis.EXPLICIT
    ]
    return max(found, key=lambda f: (f[0], f[1], f[3].item_id))[2:] if found else None


# ---- among the unfrozen
def arbitrate(draft: Draft, claim: Claim, conflicts: Sequence[MemoryItem]) -> None:
    """F9: recency, confidence, explicit before implied; F8: an opposite preference cools down first."""
    outcome = [(item, *_verdict(draft, claim, item)) for item in conflicts]
    against = [(item, reason) for item, wins, reason in outcome if not wins]
    if against:
        for item, reason in against:
            _lose(draft, claim, item, reason)
        return
    contested = [item for item, _, reason in outcome if reason is Reason.COOLING_DOWN]
    if contested:
        cool_down(draft, claim, contested, [i for i in conflicts if i not in contested])
        return
    if rate_limited(draft, claim, conflicts):
        return
    succeed(draft, claim, list(conflicts), outcome[0][2])


def _verdict(draft: Draft, claim: Claim, item: MemoryItem) -> tuple[bool, Reason]:
    """Does the claim win against this unfrozen item, and by which rule?"""
    config = draft.config
    confidence = start_confidence(claim, config)
    if older(claim, item):
        return False, Reason.OUTDATED
    if claim.suspicious:
        return False, Reason.SUSPICIOUS
    if claim.emotional:
        return False, Reason.EMOTIONAL
    if claim.basis is not Basis.EXPLICIT:
        if item.basis is Basis.EXPLICIT:
            return False, Reason.EXPLICIT_WINS
        stronger = confidence >= strength(item, draft.now)
        return stronger, Reason.NEWER_WINS if stronger else Reason.WEAKER
    if confidence < config.freeze.ignore_under:
        return False, Reason.WEAKER
    if item.basis is not Basis.EXPLICIT:
        return True, Reason.EXPLICIT_WINS
    if corrects(claim, item):
        return True, Reason.CORRECTED_BY_USER
    standing = item.status is Status.CONFIRMED or (item.status is Status.STALE and item.contested_by is not None)
    cooling = item.kind is Kind.PREFERENCE and standing
    return True, Reason.COOLING_DOWN if cooling else Reason.NEWER_WINS


def _lose(draft: Draft, claim: Claim, item: MemoryItem, reason: Reason) -> None:
    """The claim does not move the item; unless it is out of date or suspicious it stays visible beside it."""
    if reason in (Reason.OUTDATED, Reason.SUSPICIOUS):
        draft.refuse(reason, claim.candidate.text, item_id=item.id)
        return
    hold(draft, claim, item, reason)
    if not claim.emotional and claim.basis is not Basis.IMPLIED:
        contradicted(draft, claim, item)


def cool_down(draft: Draft, claim: Claim, old: Sequence[MemoryItem], weaker: Sequence[MemoryItem]) -> None:
    """F8: the new preference starts low, the old one waits under observation; the next session decides."""
    config = draft.config
    new = new_item(claim, config)
    new = msgspec.structs.replace(new, confidence=min(new.confidence, config.freeze.cooldown_confidence))
    entry = enter(draft, new, Reason.COOLING_DOWN, exempt=True, freed=frozenset(i.id for i in weaker))
    if not entry.admitted:
        for item in old:
            hold(draft, claim, item, entry.reason)
        return
    for item in weaker:
        supersede(draft, item, new.id, Reason.NEWER_WINS)
    until = draft.now + timedelta(days=config.freeze.cooldown_days)
    for item in old:
        if item.id not in draft.state.live:  # it was the worst of a full pool
            continue
        contradicted(draft, claim, item)
        event = Event.LINKED if item.status is Status.STALE else Event.STALED
        draft.step(item, event, Reason.COOLING_DOWN, contested_by=new.id, observed_until=until)
    for item in tuple(draft.state.live.values()):  # whatever the weaker ones contested is now contested by the new one
        if item.contested_by in {w.id for w in weaker}:
            draft.step(item, Event.LINKED, Reason.COOLING_DOWN, contested_by=new.id, observed_until=until)


def rate_limited(draft: Draft, claim: Claim, conflicts: Sequence[MemoryItem]) -> bool:
    """W16: a short-term slot that changes more than once a day goes to observation; True when that happened."""
    screen = draft.config.screen
    if claim.kind is not Kind.STATE or claim.candidate.correction:
        return False
    day = timedelta(days=screen.rate_limit_days)
    shown = [i for i in conflicts if i.observed_until is None]
    if not shown or _changes_since(draft, shown[0], draft.now - day) < screen.rate_limit_changes:
        return False
    for item in conflicts:
        if item.observed_until is not None:
            supersede(draft, item, claim.item_id, Reason.RATE_LIMITED)
    new = msgspec.structs.replace(new_item(claim, draft.config), observed_until=draft.now + day)
    entry = enter(draft, new, Reason.RATE_LIMITED, exempt=True)
    if not entry.admitted:
        draft.refuse(entry.reason, claim.candidate.text, detail=entry.detail)
    return True


def _changes_since(draft: Draft, item: MemoryItem, moment: datetime) -> int:
    """How often the slot changed its value since the moment, following who superseded whom."""
    count, current = 0, item
    while current.supersedes and current.created_at > moment:
        count += 1
        before = draft.state.get(current.supersedes[-1])
        if before is None:
            break
        current = before
    return count
