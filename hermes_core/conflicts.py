"""Which remembered things both survive although they don't agree (R6). Finds them; how they are shown is wording's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hermes_core.items import MemoryItem, Pool, Status
from hermes_core.ranking import ReadView


class Pair(NamedTuple):
    old: MemoryItem
    new: MemoryItem


def survivors(view: ReadView) -> tuple[Pair, ...]:
    """Pairs of live items that speak against each other, older first; the latest changes first. Kept per view."""
    found: tuple[Pair, ...] | None = view.memo.get("survivors")
    if found is None:
        pairs = [pair for group in view.by_slot.values() if len(group) > 1 for pair in _in_group(group)]
        pairs.sort(key=lambda pair: (-pair.new.said_at.timestamp(), pair.new.id, pair.old.id))
        found = view.memo["survivors"] = tuple(pairs)
    return found


def stale_alone(view: ReadView) -> tuple[MemoryItem, ...]:
    """Items that wait for re-confirmation without a living rival, the most important first. Kept per view."""
    found: tuple[MemoryItem, ...] | None = view.memo.get("stale_alone")
    if found is None:
        paired = {pair.old.id for pair in survivors(view)}
        alone = [item for item in view.items if item.status is Status.STALE and item.id not in paired]
        alone.sort(key=lambda item: (-item.importance, item.id))
        found = view.memo["stale_alone"] = tuple(alone)
    return found


def _in_group(group: Sequence[MemoryItem]) -> Iterator[Pair]:
    """A frozen item is not one half of a change: what speaks against it is held on it."""
    by_id = {item.id: item for item in group}
    open_ended = [item for item in group if item.pool is Pool.HOT and not item.suspicious]
    seen: set[str] = set()
    for old in sorted(open_ended, key=lambda item: (item.said_at, item.id)):
        rival = by_id.get(old.contested_by or "") or next(
            (new for new in open_ended if _later(old, new) and _disagree(old, new)), None
        )
        if rival is not None and rival.pool is Pool.HOT and rival.id not in seen:
            seen.add(rival.id)
            yield Pair(old, rival)


def _later(old: MemoryItem, new: MemoryItem) -> bool:
    return new.status is not Status.STALE and (new.said_at, new.id) > (old.said_at, old.id)


def _disagree(old: MemoryItem, new: MemoryItem) -> bool:
    """Same qualifiers, and either the opposite about one value or two values where one is possible."""
    if old.qualifiers != new.qualifiers:
        return False
    if old.value == new.value:
        return old.polarity != new.polarity
    return old.exclusive and new.exclusive and old.polarity == new.polarity
