"""The life cycle as data: one TRANSITIONS table, the Change that records a step, and their replay.

`step` is the only way to make or alter an item. No rule decides here; rules choose which step to take.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from hermes_core.errors import IllegalTransition
from hermes_core.items import MemoryItem, Status, Value, _Text


class Event(_Text):
    """What happened to an item (past tense), or to a claim that became none."""

    ADMITTED = "admitted"  # the bounded gate let a new item in
    CONFIRMED = "confirmed"  # the user said it again in another session (law C)
    NOTED = "noted"  # said again in the same session, or out of order: evidence, no confirmation
    PROMOTED = "promoted"  # candidate -> confirmed
    FROZE = "froze"  # the freeze gate settled it
    CONTRADICTED = "contradicted"  # F4: a contradiction takes a confirmation back
    HELD = "held"  # F5: an override kept beside a settled item
    RELEASED = "released"  # a held override was dropped (rejected, outlived or approved)
    STALED = "staled"  # F6, F8, F16: waits for re-confirmation
    RECONFIRMED = "reconfirmed"  # stale -> confirmed
    UNLOCKED = "unlocked"  # F7: opened for an explicit correction
    REFROZEN = "refrozen"  # F7: closed again
    SUPERSEDED = "superseded"  # a newer item took its place
    WEATHERED = "weathered"  # F11: frozen -> confirmed by idleness
    SEALED = "sealed"  # F13: archived by idleness
    EVICTED = "evicted"  # W11: archived (confirmed) for a better newcomer
    WOKEN = "woken"  # F14, F15: archived -> confirmed
    DROPPED = "dropped"  # an evicted candidate, or the archive's lowest value: only the trail remembers
    FORGOTTEN = "forgotten"  # C6: by the user's command
    PINNED = "pinned"
    UNPINNED = "unpinned"
    LIKED = "liked"  # C5: the user's command confirms it
    REJECTED = "rejected"  # C5, F16: the user's command or behaviour says no
    LINKED = "linked"  # complements, derived_from, superseded_by, contested_by
    HIT = "hit"  # it reached a context; resets idleness, is never evidence
    OBSERVED = "observed"  # W5, W16: put under, or released from, observation
    LENGTHENED = "lengthened"  # F12: keep-alive
    REVALUED = "revalued"  # C13: rebuild or aggregation recomputed derived fields
    RESTORED = "restored"  # C4: rollback or import brought back an image
    WITHDRAWN = "withdrawn"  # C4: rollback or decay of its basis took it out of the live pools
    REFUSED = "refused"  # a claim that became no item, with its reason code


_S = Status
_HOT = (_S.CANDIDATE, _S.CONFIRMED, _S.STALE)
_LIVE = (*_HOT, _S.FROZEN)  # UNLOCKED only stands between two changes of one decision: it has just three ways out
_KEPT = (*_LIVE, _S.ARCHIVED)
_SURE = (_S.CANDIDATE, _S.CONFIRMED, _S.FROZEN)  # in no doubt: a stale item is reconfirmed first, an archived one woken


def _same(event: Event, *statuses: Status) -> dict[tuple[Status | None, Event], tuple[Status, ...]]:
    return {(status, event): (status,) for status in statuses}


def _to(
    event: Event, target: Status, *statuses: Status | None
) -> dict[tuple[Status | None, Event], tuple[Status, ...]]:
    return {(status, event): (target,) for status in statuses}


# (status before, event) -> statuses allowed after. What is not here can't happen; the freeze gate shows
# as missing edges: from FROZEN nothing leads to SUPERSEDED, EVICTED, SEALED or DROPPED.
TRANSITIONS: Mapping[tuple[Status | None, Event], tuple[Status, ...]] = {
    **_to(Event.ADMITTED, _S.CANDIDATE, None),
    **_same(Event.CONFIRMED, *_SURE),
    **_same(Event.NOTED, *_KEPT),
    **_to(Event.PROMOTED, _S.CONFIRMED, _S.CANDIDATE),
    **_to(Event.FROZE, _S.FROZEN, _S.CONFIRMED),
    **_same(Event.CONTRADICTED, *_HOT),
    **_same(Event.HELD, *_LIVE),
    **_same(Event.RELEASED, *_KEPT, _S.UNLOCKED),
    **_to(Event.STALED, _S.STALE, _S.CANDIDATE, _S.CONFIRMED, _S.FROZEN),
    **_to(Event.RECONFIRMED, _S.CONFIRMED, _S.STALE),
    **_to(Event.UNLOCKED, _S.UNLOCKED, _S.FROZEN),
    **_to(Event.REFROZEN, _S.FROZEN, _S.UNLOCKED),
    **_to(Event.SUPERSEDED, _S.ARCHIVED, *_HOT, _S.UNLOCKED),
    **_to(Event.WEATHERED, _S.CONFIRMED, _S.FROZEN),
    **_to(Event.SEALED, _S.ARCHIVED, *_HOT),
    **_to(Event.EVICTED, _S.ARCHIVED, _S.CONFIRMED, _S.STALE),
    **_to(Event.WOKEN, _S.CONFIRMED, _S.ARCHIVED),
    **_to(Event.DROPPED, _S.FORGOTTEN, _S.CANDIDATE, _S.ARCHIVED),
    **_to(Event.FORGOTTEN, _S.FORGOTTEN, *_KEPT),
    **_same(Event.PINNED, *_LIVE),
    **_same(Event.UNPINNED, *_KEPT),
    **_same(Event.LIKED, *_SURE),
    **_same(Event.REJECTED, *_LIVE),
    **_same(Event.LINKED, *_KEPT),
    **_same(Event.HIT, *_KEPT),
    **_same(Event.OBSERVED, _S.CANDIDATE),
    **_same(Event.LENGTHENED, *_SURE),
    **_same(Event.REVALUED, *_SURE),
    **{(status, Event.RESTORED): _KEPT for status in (None, *_KEPT)},
    **_to(Event.WITHDRAWN, _S.ARCHIVED, *_LIVE),
}

# Fields that say what the item claims: no step may alter them, a changed claim is another item (law F).
WORDS = ("id", "user_id", "subject", "kind", "slot", "value", "qualifiers", "polarity", "text")


class Cause(Value, frozen=True, kw_only=True):
    """Who or what made a change: a turn, the user's command, time, or an import; with the moment.

    `command` is set for commands ("correct", "forget", …). `session_id`/`turn_id` are set for turns.
    """

    by: str  # "turn" | "command" | "time" | "read" | "import" | "rollback"
    at: datetime
    session_id: str | None = None
    turn_id: str | None = None
    command: str | None = None


class Change(Value, frozen=True, kw_only=True):
    """One line of the trail (law X): what happened, by which rule and cause, before and after.

    `reason` is a reason code (hermes_core.reasons). `after` is the item's image; None for refusals.
    `detail` holds small facts for people ("value 0.41 under 0.52", the refused text, the other item's id).
    `version` and `seq` (place among the user's changes) are 0 until the ledger commits it.
    """

    user_id: str
    event: Event
    reason: str
    cause: Cause
    item_id: str | None = None
    before: Status | None = None
    status: Status | None = None
    after: MemoryItem | None = None
    claim: str = ""
    detail: str = ""
    version: int = 0
    seq: int = 0


def step(
    before: MemoryItem | None,
    event: Event,
    *,
    reason: str,
    cause: Cause,
    to: Status | None = None,
    detail: str = "",
    new: MemoryItem | None = None,
    **fields: Any,
) -> Change:
    """The change that takes `before` through `event`, with `fields` replaced; `new` is the first image or a restored one.

    Raises IllegalTransition when the table has no such edge, or a field in WORDS would change.
    """
    base = new if new is not None else before
    if base is None:
        raise IllegalTransition(f"{event} needs an item")
    status = before.status if before is not None else None
    allowed = TRANSITIONS.get((status, event), ())
    target = to if to is not None else (allowed[0] if allowed else None)
    if target is None or target not in allowed:
        raise IllegalTransition(f"{status or 'nothing'} --{event}--> {target or '?'} is not in TRANSITIONS")
    if before is not None and any(getattr(base, f) != getattr(before, f) for f in WORDS):
        raise IllegalTransition(f"{event} would change the words of {before.id}; make a new item instead")
    if touched := set(fields) & set(WORDS):
        raise IllegalTransition(f"{event} would change {sorted(touched)} of {base.id}; make a new item instead")
    after = msgspec.structs.replace(base, status=target, **fields)
    return Change(
        user_id=base.user_id,
        event=event,
        reason=reason,
        cause=cause,
        item_id=base.id,
        before=status,
        status=target,
        after=after,
        detail=detail,
    )


def refusal(
    user_id: str, *, reason: str, cause: Cause, claim: str, item_id: str | None = None, detail: str = ""
) -> Change:
    """A claim that became no item: its words, and the reason code (law X)."""
    return Change(
        user_id=user_id, event=Event.REFUSED, reason=reason, cause=cause, item_id=item_id, claim=claim, detail=detail
    )


def evolve(items: Mapping[str, MemoryItem], change: Change) -> dict[str, MemoryItem]:
    """The items after one more change; checks the edge again, so that a forged trail does not replay."""
    return _take(dict(items), change)


def _take(items: dict[str, MemoryItem], change: Change) -> dict[str, MemoryItem]:
    if change.after is None or change.item_id is None:
        return items
    current = items.get(change.item_id)
    status = current.status if current is not None else None
    if change.status not in TRANSITIONS.get((status, change.event), ()):
        raise IllegalTransition(f"{status or 'nothing'} --{change.event}--> {change.status} is not in TRANSITIONS")
    if change.status is Status.FORGOTTEN:
        items.pop(change.item_id, None)
    else:
        items[change.item_id] = change.after
    return items


def replay(changes: Iterable[Change]) -> dict[str, MemoryItem]:
    """The items that a trail leads to; equal to the stored ones (law R)."""
    items: dict[str, MemoryItem] = {}
    for change in changes:
        items = _take(items, change)
    return items


encode_change = msgspec.json.Encoder().encode
decode_change = msgspec.json.Decoder(Change).decode
