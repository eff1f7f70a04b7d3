"""Which remembered things both survive although they don't agree (R6). Finds them; how they are shown is wording's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from hermes_core.items import MemoryItem, Pool, Status
from hermes_core.likeness import dimension, normal, qualifier_set
from hermes_core.ranking import ReadView


class Pair(NamedTuple):
    old: MemoryItem
    new: MemoryItem


def survivors(view: ReadView) -> tuple[Pair, ...]:
    """Pairs of live items that speak against each other, older first; the latest changes first. Kept per view."""
    found: tuple[Pair, ...] | None = view.memo.get("survivors")
    if found is None:
        pairs = [pair for group in view.by_slot.values() if len(group) > 1 for pair in _in_group(group)]
        pairs += _across(view.items, frozenset(item.id for pair in pairs for item in pair))
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
    near = _near(open_ended)
    crowded = {item.id for together in near.values() if len(together) > 1 for _, item in together}
    rivalled = [item for item in open_ended if item.contested_by or item.id in crowded]
    seen: set[str] = set()
    for old in sorted(rivalled, key=lambda item: (item.said_at, item.id)):
        rival = by_id.get(old.contested_by or "") or _first_rival(old, near)
        if rival is not None and rival.pool is Pool.HOT and rival.id not in seen:
            seen.add(rival.id)
            yield Pair(old, rival)


_Near = Mapping[tuple[frozenset[str], str | None], Sequence[tuple[int, MemoryItem]]]


def _near(items: Sequence[MemoryItem]) -> _Near:
    """Items with their places, by what can make two disagree: one value, or (None) being one of several where one is possible."""
    table: dict[tuple[frozenset[str], str | None], list[tuple[int, MemoryItem]]] = {}
    for place, item in enumerate(items):
        where = qualifier_set(item.qualifiers)
        table.setdefault((where, item.value), []).append((place, item))
        if item.exclusive:
            table.setdefault((where, None), []).append((place, item))
    return table


def _first_rival(old: MemoryItem, near: _Near) -> MemoryItem | None:
    where = qualifier_set(old.qualifiers)
    candidates = [*near.get((where, old.value), ())]
    if old.exclusive:
        candidates += near.get((where, None), ())
    fitting = [(place, new) for place, new in candidates if _later(old, new) and _disagree(old, new)]
    return min(fitting, key=lambda found: found[0])[1] if fitting else None


def _across(items: Sequence[MemoryItem], paired: frozenset[str]) -> Iterator[Pair]:
    """Pairs of different slots: what one contests, and one liking turned around.

    What else is near by words was compared when it was said (relate.py): a read compares no texts.
    """
    open_ended = [i for i in items if i.pool is Pool.HOT and not i.suspicious and i.id not in paired]
    by_id = {item.id: item for item in open_ended}
    seen: set[str] = set()
    for one, other in (*_contested(open_ended, by_id), *_turned(open_ended)):
        old, new = sorted((one, other), key=lambda item: (item.status is not Status.STALE, item.said_at, item.id))
        if not seen & {old.id, new.id} and new.status is not Status.STALE:
            seen |= {old.id, new.id}
            yield Pair(old, new)


def _contested(items: Iterable[MemoryItem], by_id: Mapping[str, MemoryItem]) -> Iterator[Pair]:
    for old in items:
        if old.contested_by in by_id:
            yield Pair(old, by_id[old.contested_by or ""])


def _turned(items: Iterable[MemoryItem]) -> Iterator[Pair]:
    """Liked in one slot and not in another: "likes" and "music.likes", "food.dislikes" and "food.likes"."""
    likings: dict[tuple[str, str, frozenset[str]], list[tuple[str, int, MemoryItem]]] = {}
    for item in items:
        slot, sign = dimension(item.slot, item.polarity)
        if slot == "likes" or slot.endswith(".likes"):
            key = (normal(item.subject), normal(item.value), qualifier_set(item.qualifiers))
            likings.setdefault(key, []).append((slot, sign, item))
    for group in likings.values():
        for (slot, sign, one), (other_slot, other_sign, other) in combinations(group, 2):
            meet = slot == other_slot or "likes" in (slot, other_slot)
            if sign != other_sign and meet and one.slot != other.slot:
                yield Pair(one, other)


def _later(old: MemoryItem, new: MemoryItem) -> bool:
    return new.status is not Status.STALE and (new.said_at, new.id) > (old.said_at, old.id)


def _disagree(old: MemoryItem, new: MemoryItem) -> bool:
    """Same qualifiers, and either the opposite about one value or two values where one is possible."""
    if qualifier_set(old.qualifiers) != qualifier_set(new.qualifiers):
        return False
    if old.value == new.value:
        return old.polarity != new.polarity
    return old.exclusive and new.exclusive and old.polarity == new.polarity
