"""What time alone changes: weathering, staling, sealing, ended observation, outlived overrides, compaction (F11, F13, F15, F16, W15).

Pure and idempotent: a second pass at the same moment changes nothing. No claim is looked at here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from hermes_core import decay
from hermes_core.admission import as_override, noted, supersede
from hermes_core.changes import Cause, Change, Event
from hermes_core.config import Config
from hermes_core.draft import Draft
from hermes_core.gates import bounded, freeze
from hermes_core.items import Basis, MemoryItem, Status
from hermes_core.likeness import dimension, normal
from hermes_core.reasons import Reason
from hermes_core.settle import AWAKE, depart, settle
from hermes_core.user_state import UserState


def maintain(state: UserState, now: datetime, config: Config) -> tuple[Change, ...]:
    """Everything that the passing of time until `now` (aware UTC) has brought about; empty when nothing has."""
    draft = Draft(state, Cause(by="time", at=now), config)
    done = -1
    while done != len(draft.changes):  # one thing leads to another: what weathers may be long enough idle to be sealed
        done = len(draft.changes)
        for rule in (_weather, _stale_facts, _end_cooling, _end_observation, _outlive, _seal, _compact):
            rule(draft)
        settle(draft)
    return draft.changes


def _each(draft: Draft, holds: Callable[[MemoryItem], bool]) -> Iterable[MemoryItem]:
    return [item for item in sorted(draft.state.live.values(), key=lambda i: i.id) if holds(item)]


def _weather(draft: Draft) -> None:
    """F11: a frozen item that nobody has used or confirmed for long is an ordinary one again."""
    for item in _each(draft, lambda i: i.status is Status.FROZEN and decay.weathered(i, draft.now, draft.config)):
        idle = decay.idle_days(item, draft.now)
        draft.step(item, Event.WEATHERED, Reason.IDLE, frozen_at=None, detail=f"idle for {idle:.1f} days")


def _stale_facts(draft: Draft) -> None:
    """F16: a fact that was not confirmed for half a year waits for re-confirmation."""
    for item in _each(draft, lambda i: decay.outdated_fact(i, draft.now, draft.config)):
        draft.step(item, Event.STALED, Reason.UNCONFIRMED_LONG)


def _end_cooling(draft: Draft) -> None:
    """F8: no session decided. What more sessions stand for holds; the newer word, where the old one had no more than itself."""
    for item in _each(draft, lambda i: i.contested_by is not None and i.status is Status.STALE):
        challenger = draft.state.live.get(item.contested_by or "")
        over = item.observed_until is None or draft.now >= item.observed_until
        if challenger is None:
            draft.step(item, Event.RECONFIRMED, Reason.OBSERVATION_OVER, contested_by=None, observed_until=None)
        elif over and challenger.confirmations > item.confirmations:
            supersede(draft, item, challenger.id, Reason.COOLED_DOWN)
        elif over:
            _reinstate(draft, item, challenger)


def _reinstate(draft: Draft, item: MemoryItem, challenger: MemoryItem) -> None:
    """The established preference returns; what was said against it once stays visible beside it."""
    held = freeze.holding(item, as_override(challenger, Reason.COOLED_DOWN), draft.config)
    draft.step(item, Event.RECONFIRMED, Reason.COOLED_DOWN, contested_by=None, observed_until=None, held=held)
    supersede(draft, challenger, item.id, Reason.COOLED_DOWN)


def _end_observation(draft: Draft) -> None:
    """W5: what was implied and not seen again leaves. W16: what changed too often is taken up as it was last said."""
    over = [
        i
        for i in _each(draft, lambda i: i.status is not Status.STALE and i.observed_until is not None)
        if i.observed_until is not None and draft.now >= i.observed_until
    ]
    for item in over:
        if item.basis is not Basis.EXPLICIT:
            draft.step(
                item, Event.WITHDRAWN, Reason.OBSERVATION_OVER, observed_until=None, archived_because="withdrawn"
            )
            continue
        for rival in _rivals(draft, item):
            supersede(draft, rival, item.id, Reason.OBSERVATION_OVER)
        draft.step(item, Event.OBSERVED, Reason.OBSERVATION_OVER, observed_until=None)


def _rivals(draft: Draft, item: MemoryItem) -> list[MemoryItem]:
    """Older values of the same exclusive short-term slot."""
    return [
        other
        for other in _each(draft, lambda o: o.id != item.id and o.subject == item.subject and o.kind is item.kind)
        if dimension(other.slot, 1)[0] == dimension(item.slot, 1)[0]
        and item.exclusive
        and other.status is not Status.FROZEN
        and set(other.qualifiers) == set(item.qualifiers)
        and (other.said_at, other.id) < (item.said_at, item.id)
    ]


def _outlive(draft: Draft) -> None:
    """F6: an override that nobody has spoken for lately is dropped; one that waits for approval stays."""
    for item in _each(draft, lambda i: bool(i.held)):
        kept = tuple(h for h in item.held if h.awaiting_approval or not _outlived(draft, item, freeze.last_said(h)))
        if len(kept) < len(item.held):
            draft.step(item, Event.RELEASED, Reason.OUTLIVED, held=kept)


def _outlived(draft: Draft, item: MemoryItem, last: datetime | None) -> bool:
    return decay.days_between(last or item.created_at, draft.now) >= draft.config.decay.weather_days


def _seal(draft: Draft) -> None:
    """F13: idle for three half-lives: into the archive, with its numbers and a record of its conflicts."""
    for item in _each(draft, lambda i: decay.sealable(i, draft.now, draft.config)):
        draft.step(
            item,
            Event.SEALED,
            Reason.IDLE,
            archived_because="sealed",
            observed_until=None,
            contested_by=None,
            note=noted(item, summary_of(item)),
        )


def summary_of(item: MemoryItem) -> str:
    """F13: what is left to say about a sealed item in numbers; names no words of others (law E)."""
    first, last = item.said_at, item.confirmed_at
    parts = [
        f"said in {len(item.sessions)} session(s) from {first:%Y-%m-%d} to {last:%Y-%m-%d}",
        f"{item.confirmations:g} confirmation(s), {item.hits} use(s), confidence {item.confidence:.2f}",
    ]
    if item.held:
        parts.append(f"{len(item.held)} claim(s) against it withstood")
    if item.supersedes:
        parts.append(f"won over {len(item.supersedes)} earlier one(s)")
    return ", ".join(parts)


def _compact(draft: Draft) -> None:
    """W15: near its cap the archive gives up what says the same as something newer."""
    state, cap = draft.state, draft.config.bounded.archive_cap
    if len(state.archive) < draft.config.bounded.compact_at * cap:
        return
    newest: dict[tuple[object, ...], MemoryItem] = {_saying(i): i for i in state.live.values()}
    for item in sorted(state.archive.values(), key=lambda i: (i.confirmed_at, i.id), reverse=True):
        if _saying(item) in newest:
            depart(draft, item, Event.DROPPED, Reason.COMPACTED, f"said anew by {newest[_saying(item)].id}")
        else:
            newest[_saying(item)] = item


def _saying(item: MemoryItem) -> tuple[object, ...]:
    slot, polarity = dimension(item.slot, item.polarity)
    qualifiers = tuple(sorted(normal(q) for q in item.qualifiers))
    return normal(item.subject), item.kind, slot, polarity, normal(item.value), qualifiers


def hits(state: UserState, item_ids: Iterable[str], at: datetime, config: Config) -> tuple[Change, ...]:
    """F15: items that reached a context at `at`: idleness ends, warm ones are hot again; never evidence (law C).

    Recall shows archived items only above its waking threshold, or when they were evicted for want of room; a use
    brings them back if they are now worth more than what would have to leave (F14).
    """
    draft = Draft(state, Cause(by="read", at=at), config)
    for item_id in sorted(set(item_ids)):
        item = draft.state.get(item_id)
        if item is not None:
            item = draft.step(item, Event.HIT, Reason.RECALLED, hits=item.hits + 1, hit_at=max(at, item.hit_at or at))
            if item.status is Status.ARCHIVED:
                _wake(draft, item)
    settle(draft)
    return draft.changes


def _wake(draft: Draft, item: MemoryItem) -> None:
    if item.archived_because not in ("sealed", "evicted"):
        return  # what something took the place of stays where it is
    entry = bounded.entry(draft.state, item, draft.now, draft.config, exempt=True)
    if not entry.admitted:
        return
    for leaving in entry.leaving:
        depart(draft, leaving, bounded.farewell(leaving), Reason.REPLACED_WORST, f"for {item.id}")
    draft.step(item, Event.WOKEN, Reason.WOKEN_BY_TOPIC, **AWAKE)
