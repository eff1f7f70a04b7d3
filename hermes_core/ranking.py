"""What reads derive once from one version of a user, and the scores of every row for one query. Numpy only.

No item is altered here and no archived item is decoded; what a score means is decided in recall.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hermes_core.config import Config, RecallConfig
from hermes_core.items import Layer, MemoryItem, Status
from hermes_core.ports import SearchTable, Terms, Vector
from hermes_core.reasons import Reason
from hermes_core.user_state import UserState

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
DAY = 86_400.0
# Archived for want of room: still true, so an ordinary topic reaches it (F15). What idled away needs the wake-up.
_EVICTED = frozenset(
    str(r) for r in (Reason.REPLACED_WORST, Reason.WORST_OF_ALL, Reason.SHORT_TERM_FULL, Reason.DYNAMIC_FULL, "evicted")
)
_SORTED_WHOLE = 512  # so few scores cost less to sort than to part
_ARCHIVED_KEPT = 256  # decoded at a time, about 1 KB each


@dataclass(frozen=True)
class Query:
    """What is asked. `similarities` is calibrated to 0..1 (W14), one per row of the table; None: words alone decide.

    The shell computes it (Engine.nearness); a rewritten query merges several by `merge`.
    """

    text: str
    vector: Vector | None
    terms: Terms
    similarities: Floats | None = None

    def merge(self, other: Query) -> Query:
        """Both queries at once: the words of both, and the better similarity of each row (R4's rewriting hook)."""
        mine, theirs = self.similarities, other.similarities
        best = theirs if mine is None else mine if theirs is None else np.maximum(mine, theirs)
        return Query(self.text, self.vector, np.concatenate([self.terms, other.terms]), best)


@dataclass(frozen=True)
class Postings:
    """The rows that hold each term, as sorted arrays: BM25 without a Python dictionary per word."""

    terms: Terms  # sorted; one entry a term and row
    rows: Ints
    weights: Floats  # what the entry adds to its row's score for each unit of the term's rarity
    documents: int
    unknown: float  # share of a term's rarity that counts against every row where none holds it

    @classmethod
    def of(cls, table: SearchTable, config: RecallConfig) -> Postings:
        lengths = np.diff(table.offsets)
        entries = np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths)
        keys = np.sort(table.term_ids.astype(np.uint64) << np.uint64(32) | entries)
        firsts = np.flatnonzero(np.diff(keys, prepend=keys[:1] + np.uint64(1)))
        counts = np.diff(firsts, append=len(keys)).astype(np.float64)
        keys = keys[firsts]
        rows = (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)
        k1, b = config.bm25_k1, config.bm25_b
        norm = k1 * (1.0 - b + b * lengths / max(float(lengths.mean()), 1.0)) if len(lengths) else lengths
        return cls(
            (keys >> np.uint64(32)).astype(np.uint32),
            rows,
            (k1 + 1.0) * counts / (counts + norm[rows]),
            len(lengths),
            config.bm25_unknown,
        )

    def scores(self, query: Terms) -> Floats:
        """BM25 as the share of what a row holding every query term once would score: 0..1 [rows].

        Words that no row holds say nothing about rows; they only lower the share a little (`bm25_unknown`).
        """
        n = self.documents
        wanted = np.array(sorted(set(query.tolist())), dtype=np.uint32)
        if not n or not len(wanted):
            return np.zeros(n)
        starts = np.searchsorted(self.terms, wanted, "left").tolist()
        ends = np.searchsorted(self.terms, wanted, "right").tolist()
        full = 0.0
        rows, weights = [], []
        for start, end in zip(starts, ends, strict=True):
            idf = math.log1p((n - (end - start) + 0.5) / (end - start + 0.5))
            full += idf if end > start else idf * self.unknown
            if end > start:
                rows.append(self.rows[start:end])
                weights.append(self.weights[start:end] * idf)
        if not rows or not full:
            return np.zeros(n)
        found = np.bincount(np.concatenate(rows), np.concatenate(weights), n)  # a row's words in their order (law R)
        return np.minimum(found / full, 1.0)


class Cold(NamedTuple):
    """An archived item with what its standing and its reasons need."""

    item: MemoryItem
    item_id: str
    superseded: bool
    evicted: bool  # for want of room
    active_at: float  # seconds since the epoch
    ageing: float  # what recency takes off a second, as a power of 2; 0 for what does not fade
    timeless: float

    @classmethod
    def of(cls, item: MemoryItem, recall: RecallConfig) -> Cold:
        return cls(
            item,
            item.id,
            item.superseded_by is not None,
            item.archived_because in _EVICTED,
            item.last_active_at.timestamp(),
            0.0 if item.half_life_days is None else _ageing(recall),
            item.importance**recall.importance_exponent,
        )


def _ageing(recall: RecallConfig) -> float:
    """What recency takes off a second, as a power of 2: it halves with recall.half_life_days."""
    return -recall.recency_exponent / recall.half_life_days / DAY


@dataclass(frozen=True)
class ReadView:
    """One version of a user made ready to be read; the shell keeps it beside its cached state.

    Live item i stands in the table's row rows[i], the archived ones in archived_rows. `memo` keeps rendered lines (safe to share:
    the same key always gets an equal value).
    """

    state: UserState
    table: SearchTable
    config: Config
    items: tuple[MemoryItem, ...]
    rows: Ints  # table row of each live item
    archived_rows: Ints
    memo: dict[Any, Any] = field(default_factory=dict, compare=False)

    @cached_property
    def postings(self) -> Postings:
        """Made with the first question: a conversation's first context asks nothing."""
        return Postings.of(self.table, self.config.recall)

    @cached_property
    def confidence(self) -> Floats:
        return np.array([item.confidence for item in self.items])

    @cached_property
    def importance(self) -> Floats:
        return np.array([item.importance for item in self.items])

    @cached_property
    def active_at(self) -> Floats:
        """Seconds since the epoch."""
        return np.array([item.last_active_at.timestamp() for item in self.items])

    @cached_property
    def half_life(self) -> Floats:
        """Days; infinite for what does not fade."""
        return np.array([item.half_life_days or np.inf for item in self.items])

    @cached_property
    def frozen(self) -> Bools:
        return np.array([item.status in (Status.FROZEN, Status.UNLOCKED) for item in self.items], dtype=bool)

    @cached_property
    def stale(self) -> Bools:
        return np.array([item.status is Status.STALE for item in self.items], dtype=bool)

    @cached_property
    def spoken(self) -> tuple[list[int], list[int], list[int]]:
        """Places among the user's turns at which live items were said, sorted, the items said there, and all items' rows."""
        pairs = sorted((e.seq, i) for i, item in enumerate(self.items) for e in item.evidence if e.seq)
        return [seq for seq, _ in pairs], [i for _, i in pairs], self.rows.tolist()

    @cached_property
    def by_slot(self) -> dict[tuple[str, str], tuple[MemoryItem, ...]]:
        groups: dict[tuple[str, str], list[MemoryItem]] = {}
        for item in self.items:
            groups.setdefault((item.subject, item.slot), []).append(item)
        return {key: tuple(group) for key, group in groups.items()}

    @cached_property
    def place(self) -> dict[str, int]:
        """Live items' index by id."""
        return {item.id: i for i, item in enumerate(self.items)}

    @cached_property
    def profile(self) -> Bools:
        """What one answer holds for in a person's life (residence, occupation): static and exclusive."""
        return np.array([i.exclusive and i.layer is Layer.STATIC for i in self.items], dtype=bool)

    @cached_property
    def _cold(self) -> dict[int, Cold]:
        return {}

    def archived(self, row: int) -> Cold:
        """The archived item of a table row, decoded once: the same ones come near again and again."""
        found = self._cold.get(row)
        if found is None:
            if len(self._cold) >= _ARCHIVED_KEPT:
                self._cold.clear()
            found = self._cold[row] = Cold.of(self.state.archive[self.table.ids[row]], self.config.recall)
        return found

    def of_kinds(self, kinds: frozenset[str]) -> Bools:
        """Which live items are of one of the kinds; kept, since tasks repeat."""
        kept: Bools | None = self.memo.get(kinds)
        if kept is None:
            kept = self.memo[kinds] = np.array([item.kind in kinds for item in self.items], dtype=bool)
        return kept

    @cached_property
    def awake_pool(self) -> Bools:
        """The hot pool but for what waits for its re-confirmation."""
        return ~self.frozen & ~self.stale

    @cached_property
    def _fading(self) -> Floats:
        """As Cold.ageing, one a live item."""
        stays = self.frozen | np.isinf(self.half_life)
        return np.where(stays, 0.0, _ageing(self.config.recall))

    @cached_property
    def _timeless(self) -> Floats:
        """An item's standing when it was heard of just now."""
        recall = self.config.recall
        boost = np.where(self.frozen, recall.frozen_boost, 1.0)
        return np.asarray(self.importance**recall.importance_exponent * boost)

    @cached_property
    def _sleeps_at(self) -> Floats:
        """Seconds since the epoch after which an item's strength is under the threshold, as long as nothing touches it."""
        with np.errstate(divide="ignore", invalid="ignore"):  # infinity times nothing: only where the last lines decide
            share = self.confidence / self.config.decay.asleep_under
            falls = self.active_at + self.half_life * DAY * np.log2(np.maximum(share, 1.0))
        falls = np.where(np.isinf(self.half_life), np.inf, falls)
        return np.where(self.frozen, np.inf, np.where(share < 1.0, -np.inf, falls))

    def asleep(self, now: datetime) -> Bools:
        """Unfrozen and of strength (confidence x fade) under the threshold: not recalled unless woken.

        fade = 0.5 ** (idle / half-life), DESIGN's one law of fading.
        """
        return np.asarray(now.timestamp() > self._sleeps_at)

    def standing(self, now: datetime) -> Floats:
        """R3 without a topic: recency^a x importance^b x frozen boost, one a live item; what does not fade stays recent."""
        idle = np.maximum(now.timestamp() - self.active_at, 0.0)
        return np.asarray(np.exp2(idle * self._fading) * self._timeless)


def prepare(state: UserState, table: SearchTable, config: Config) -> ReadView:
    """A ReadView of the state: a few milliseconds at the caps, once per version."""
    items: list[MemoryItem] = []
    rows: list[int] = []
    archived: list[int] = []
    live, cold = state.live, frozenset(state.archive)
    for row, item_id in enumerate(table.ids):
        if item_id in cold:
            archived.append(row)
        elif (item := live.get(item_id)) is not None:
            items.append(item)
            rows.append(row)
    return ReadView(
        state,
        table,
        config,
        tuple(items),
        np.array(rows, dtype=np.int64),
        np.array(archived, dtype=np.int64),
    )


def relevance(postings: Postings, query: Query, config: RecallConfig) -> tuple[Floats, Floats]:
    """(relevance, lexical share), 0..1 a row: words lift a similarity towards 1 by `lexical_weight`, or decide alone (R4)."""
    lexical = postings.scores(query.terms)
    if query.similarities is None:
        return lexical, lexical
    similar = query.similarities
    return similar + config.lexical_weight * lexical * (1.0 - similar), lexical


def top(scores: Floats, wanted: int) -> Sequence[int]:
    """Indices of the best scores, best first, ties by index (law R)."""
    wanted = min(wanted, len(scores))
    if wanted <= 0:
        return []
    if len(scores) <= _SORTED_WHOLE:
        order = np.argsort(-scores, kind="stable")
    else:
        pool = np.flatnonzero(scores >= np.partition(scores, len(scores) - wanted)[len(scores) - wanted])
        order = pool[np.argsort(-scores[pool], kind="stable")]
    picked: list[int] = order[:wanted].tolist()
    return picked
