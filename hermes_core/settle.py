"""What a state has earned or must give up right now: promotion, freezing, staling, and room under every cap (law B).

Ends every decision, maintenance pass and command. No claim is looked at here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hermes_core.changes import Event
from hermes_core.draft import Draft
from hermes_core.gates import bounded, freeze
from hermes_core.items import MemoryItem, Status
from hermes_core.reasons import Reason

# F14: what an item that wakes leaves behind; the contest or observation that it was under has ended without it
AWAKE: Mapping[str, Any] = {"archived_because": None, "contested_by": None, "observed_until": None}
_ARCHIVED_BY = {Event.EVICTED: "evicted", Event.SEALED: "sealed", Event.SUPERSEDED: "superseded"}


def settle(draft: Draft, keep: frozenset[str] = frozenset()) -> None:
    """Promote, freeze and stale what has earned it, then see that every cap holds; `keep` leaves last."""
    _promote(draft)
    _stale(draft)
    _freeze(draft)
    make_fit(draft, keep)


def make_fit(draft: Draft, keep: frozenset[str] = frozenset()) -> None:
    """Let leave whoever must, until all caps hold."""
    while leaving := bounded.overflow(draft.state, draft.now, draft.config, keep):
        for one in leaving:
            depart(draft, one.item, one.event, one.reason)


def depart(draft: Draft, item: MemoryItem, event: Event, reason: Reason, detail: str = "") -> None:
    """An item leaves its pool by `event`, marked with what sent it to the archive."""
    if event is Event.WEATHERED:
        draft.step(item, event, reason, detail=detail, frozen_at=None)
    elif event is Event.DROPPED:
        draft.step(item, event, reason, detail=detail)
    else:
        draft.step(item, event, reason, detail=detail, archived_because=_ARCHIVED_BY[event])


def _promote(draft: Draft) -> None:
    contested = {item.contested_by for item in draft.state.live.values()}
    candidates = [item for item in draft.state.hot if item.status is Status.CANDIDATE]
    for item in sorted(candidates, key=lambda i: i.id):
        if item.id in contested:
            continue  # F8: the next session decides
        reason = freeze.promotable(item, draft.config)
        if reason is not None:
            draft.step(item, Event.PROMOTED, reason)


def _stale(draft: Draft) -> None:
    doubted = [item for item in draft.state.live.values() if item.held or item.rejections]
    for item in sorted(doubted, key=lambda i: i.id):
        if item.status in (Status.STALE, Status.UNLOCKED):
            continue
        if freeze.held_often(item, draft.config):
            draft.step(item, Event.STALED, Reason.HELD_OFTEN, frozen_at=None)
        elif freeze.rejected_often(item, draft.config):
            draft.step(item, Event.STALED, Reason.REJECTED_OFTEN, frozen_at=None)


def _freeze(draft: Draft) -> None:
    """F2: whoever has earned it freezes, in order of value, while places are free."""
    state, now, config = draft.state, draft.now, draft.config
    earned = [(item, reason) for item in state.hot if (reason := freeze.settled(item, now, config)) is not None]
    earned.sort(key=lambda pair: (-bounded.worth(state, pair[0], now, config), pair[0].id))
    for item, reason in earned:
        if not freeze.places(draft.state, config):
            return
        if not freeze.taken(draft.state, item):
            draft.step(item, Event.FROZE, reason, frozen_at=now)
