"""The bounded gate: who may enter, who must leave, what fits (W8-W11, law B). It answers; it never alters a state.

Nothing about freezing, contradiction or similarity may live here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from hermes_core import decay
from hermes_core.changes import Event
from hermes_core.config import Config
from hermes_core.items import Kind, Layer, MemoryItem, Status
from hermes_core.reasons import Reason
from hermes_core.user_state import UserState

ARCHIVE_SPARE = 50  # an overflowing archive frees this part of its places at once
TIE = 1e-9  # values closer than this are equal: a tie passes the threshold, but pushes nobody out
PROTECTED_KINDS = (Kind.IDENTITY, Kind.CONSTRAINT)


def value(item: MemoryItem, now: datetime, config: Config, *, crowd: int = 1, nearest: float = 0.0) -> float:
    """W8: the item's worth on 0..1. `crowd` counts its slot's live items with it, `nearest` is its likest neighbour's similarity."""
    weights, bounded = config.bounded.weights, config.bounded
    return (
        weights.recency * decay.recency(item, now, config)
        + weights.importance * item.importance
        + weights.confidence * item.confidence
        + (weights.usage * min(1.0, item.hits / bounded.usage_full_hits) if item.hits else 0.0)
        + weights.distinctness * min(1.0 / max(1, crowd), 1.0 - nearest)
    )


def worth(state: UserState, item: MemoryItem, now: datetime, config: Config, nearest: float = 0.0) -> float:
    """The value of an item (in the state or on its way in) among its neighbours."""
    mates = state.in_slot(item.subject, item.slot)
    crowd = len(mates) + (item.id not in state.live)
    return value(item, now, config, crowd=crowd, nearest=nearest)


def threshold(state: UserState, now: datetime, config: Config) -> float:
    """W9: the value that a newcomer needs: from the floor (empty pool) to the pool's median (full pool)."""
    bounded = config.bounded
    if not state.hot:
        return 0.0 if bounded.admission == "strict_median" else bounded.admission_floor
    middle = median(worth(state, item, now, config) for item in state.hot)
    if bounded.admission == "strict_median":
        return middle
    fill = min(1.0, len(state.hot) / bounded.hot_cap)
    return bounded.admission_floor + (middle - bounded.admission_floor) * fill


def protected(state: UserState, now: datetime, config: Config) -> frozenset[str]:
    """W11: the confirmed identity and constraint items, at most `protected_cap` of them, that no newcomer pushes out."""
    safe = [item for item in state.hot if item.status is Status.CONFIRMED and item.kind in PROTECTED_KINDS]
    cap = config.bounded.protected_cap
    if len(safe) > cap:
        safe.sort(key=lambda item: (-worth(state, item, now, config), item.id))
    return frozenset(item.id for item in safe[:cap])


@dataclass(frozen=True)
class Entry:
    """The gate's answer to a newcomer: let in (after `leaving` has left), or refused with a reason."""

    admitted: bool
    reason: Reason
    detail: str = ""
    leaving: tuple[MemoryItem, ...] = ()


def entry(
    state: UserState,
    new: MemoryItem,
    now: datetime,
    config: Config,
    *,
    nearest: float = 0.0,
    exempt: bool = False,
    freed: frozenset[str] = frozenset(),
) -> Entry:
    """May `new` enter? `exempt`: it needs no score (vital, "from now on", or taking another's place). `freed`: ids that leave anyway."""
    mine = worth(state, new, now, config, nearest)
    if not exempt:
        needed = threshold(state, now, config)
        if mine < needed - TIE:
            return Entry(False, Reason.BELOW_THRESHOLD, f"value {mine:.3f} under {needed:.3f}")
    leaving: list[MemoryItem] = []
    safe = protected(state, now, config)
    for cap, members, full in _caps_on(state, new, config):
        inside = [i for i in members if i.id not in freed and i not in leaving]
        if len(inside) < cap:
            continue
        worst = _worst(state, [i for i in inside if _evictable(i, safe)], now, config)
        if worst is None or worth(state, worst, now, config) >= mine - TIE:
            return Entry(False, full, f"value {mine:.3f} is not above the worst of {cap}")
        leaving.append(worst)
    return Entry(True, Reason.REPLACED_WORST if leaving else _welcome(exempt), f"value {mine:.3f}", tuple(leaving))


def _welcome(exempt: bool) -> Reason:
    return Reason.ROOM if exempt else Reason.ABOVE_THRESHOLD


def _caps_on(state: UserState, new: MemoryItem, config: Config) -> Iterable[tuple[int, Sequence[MemoryItem], Reason]]:
    """The caps that `new` would count against, narrow ones first."""
    bounded = config.bounded
    if new.layer is Layer.SHORT_TERM:
        yield bounded.short_term_cap, state.short_term, Reason.SHORT_TERM_FULL
    if new.layer is Layer.DYNAMIC and bounded.dynamic_cap:
        yield bounded.dynamic_cap, dynamic(state), Reason.DYNAMIC_FULL
    yield bounded.hot_cap, state.hot, Reason.WORST_OF_ALL


def dynamic(state: UserState) -> tuple[MemoryItem, ...]:
    """Live preferences, frozen ones included: what the dynamic cap counts."""
    return tuple(item for item in state.live.values() if item.layer is Layer.DYNAMIC)


def _evictable(item: MemoryItem, safe: frozenset[str]) -> bool:
    return item.status in (Status.CANDIDATE, Status.CONFIRMED, Status.STALE) and not item.pinned and item.id not in safe


def _worst(state: UserState, items: Iterable[MemoryItem], now: datetime, config: Config) -> MemoryItem | None:
    return min(items, key=lambda item: (worth(state, item, now, config), item.id), default=None)


@dataclass(frozen=True)
class Leaving:
    """Someone who must go now, how, and why."""

    item: MemoryItem
    event: Event
    reason: Reason


def farewell(item: MemoryItem) -> Event:
    """W11: evicted candidates leave only a line in the trail, whatever was confirmed once goes to the archive."""
    return Event.DROPPED if item.status in (Status.CANDIDATE, Status.ARCHIVED) else Event.EVICTED


def overflow(
    state: UserState, now: datetime, config: Config, keep: frozenset[str] = frozenset()
) -> tuple[Leaving, ...]:
    """Who must leave for the first cap that does not hold (law B); empty when all hold. Ask again after applying.

    `keep` names items that leave only if nobody else can (they have just come in by the user's own word).
    """
    bounded = config.bounded

    def excess(items: Sequence[MemoryItem], cap: int) -> list[MemoryItem]:
        return _last_in_rank(state, items, len(items) - cap, now, config, keep)

    if weathering := excess(state.frozen, bounded.frozen_limit):
        return tuple(Leaving(i, Event.WEATHERED, Reason.FROZEN_POOL_FULL) for i in weathering)
    if leaving := excess(state.short_term, bounded.short_term_cap):
        return tuple(Leaving(i, farewell(i), Reason.SHORT_TERM_FULL) for i in leaving)
    if bounded.dynamic_cap and len(dynamic(state)) > bounded.dynamic_cap:
        return (_too_dynamic(state, excess),)
    if leaving := excess(state.hot, bounded.hot_cap):
        return tuple(Leaving(i, farewell(i), Reason.POOL_FULL) for i in leaving)
    if len(state.archive) > bounded.archive_cap:
        spare = bounded.archive_cap // ARCHIVE_SPARE  # ranking two thousand items for every newcomer would be slow
        dropped = excess(tuple(state.archive.values()), bounded.archive_cap - spare)
        return tuple(Leaving(i, Event.DROPPED, Reason.ARCHIVE_FULL) for i in dropped)
    return ()


def _too_dynamic(state: UserState, excess: Callable[[Sequence[MemoryItem], int], list[MemoryItem]]) -> Leaving:
    hot = [i for i in dynamic(state) if i.status not in (Status.FROZEN, Status.UNLOCKED)]
    if hot:
        (item,) = excess(hot, len(hot) - 1)
        return Leaving(item, farewell(item), Reason.DYNAMIC_FULL)
    frozen = dynamic(state)
    (item,) = excess(frozen, len(frozen) - 1)
    return Leaving(item, Event.WEATHERED, Reason.DYNAMIC_FULL)


def _last_in_rank(
    state: UserState, items: Sequence[MemoryItem], count: int, now: datetime, config: Config, keep: frozenset[str]
) -> list[MemoryItem]:
    """The `count` items that go first: unprotected before protected before pinned, worst first."""
    if count <= 0:
        return []
    safe = protected(state, now, config)

    def rank(item: MemoryItem) -> tuple[int, float, str]:
        standing = 2 if item.pinned else int(item.id in safe)
        return 3 if item.id in keep else standing, worth(state, item, now, config), item.id

    return sorted(items, key=rank)[:count]


def caps_broken(state: UserState, config: Config, *, deep: bool = False) -> list[str]:
    """Law B: one line per limit that the state breaks; empty when all hold. `deep` decodes and checks archived items too."""
    bounded = config.bounded
    counts = [
        ("hot", len(state.hot), bounded.hot_cap),
        ("frozen", len(state.frozen), bounded.frozen_limit),
        ("archive", len(state.archive), bounded.archive_cap),
        ("short_term", len(state.short_term), bounded.short_term_cap),
        ("dynamic", len(dynamic(state)) if bounded.dynamic_cap else 0, bounded.dynamic_cap),
    ]
    broken = [f"{name}: {n} over {cap}" for name, n, cap in counts if n > cap]
    for item in state if deep else state.live.values():
        broken.extend(f"{item.id}: {line}" for line in _item_broken(item, config))
    return broken


def _item_broken(item: MemoryItem, config: Config) -> list[str]:
    bounded = config.bounded
    counts = [
        ("tokens", item.tokens, bounded.item_tokens),
        ("evidence", len(item.evidence), bounded.evidence_cap),
        ("held", len(item.held), bounded.held_cap),
        ("supersedes", len(item.supersedes), bounded.links_cap),
        ("complements", len(item.complements), bounded.links_cap),
        ("derived_from", len(item.derived_from), bounded.links_cap),
        *(("held evidence", len(h.evidence), bounded.evidence_cap) for h in item.held),
    ]
    return [f"{name} {n} over {cap}" for name, n, cap in counts if n > cap]
