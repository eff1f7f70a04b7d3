"""One user's state while a batch of decisions is made: what was loaded, what changed, and the commit that says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import msgspec
import numpy as np
from numpy.typing import NDArray

from hermes_core.changes import Change
from hermes_core.config import Config
from hermes_core.items import MemoryItem
from hermes_core.ports import (
    Commit,
    SearchTable,
    StoredItem,
    StoredTurn,
    Summary,
    Terms,
    Tombstone,
    TurnOutcome,
    Vector,
    Vectors,
)
from hermes_core.shell.reader import UserView
from hermes_core.user_state import UserState

Similarities = Callable[[Vectors, Vector], NDArray[np.float64]]  # rows, vector -> calibrated, one a row


class Workspace:
    """Collects changes on top of a view. Not shared between threads; thrown away when a commit loses its race."""

    def __init__(self, view: UserView, similarities: Similarities) -> None:
        self._view = view
        self._similarities = similarities
        self._rows = {item_id: row for row, item_id in enumerate(view.table.ids)}
        self._added: dict[str, tuple[Vector, Terms]] = {}
        self.state: UserState = view.state
        self.changes: list[Change] = []
        self.outcomes: list[TurnOutcome] = []
        self.tombstones: list[Tombstone] = []
        self.summaries: list[Summary] = []
        self.maintained_at: datetime | None = None
        self.quotable: tuple[StoredTurn, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to commit."""
        return bool(self.changes or self.outcomes or self.tombstones or self.summaries or self.maintained_at)

    @property
    def config(self) -> Config:
        return self._view.config

    def apply(self, changes: Iterable[Change], vectors: Mapping[str, tuple[Vector, Terms]] | None = None) -> None:
        """Take the changes over, stamped with the version that their commit will get."""
        stamped = [self._stamp(change) for change in changes]
        self._added.update(vectors or {})
        self.state = self.state.apply(stamped)
        self.changes.extend(stamped)

    def _stamp(self, change: Change) -> Change:
        version = self._view.state.version + 1
        after = change.after
        if after is not None:
            after = msgspec.structs.replace(after, version=version)
        return msgspec.structs.replace(change, version=version, after=after)

    def similar(self, vector: Vector, at_least: float, most: int) -> dict[str, float]:
        """Calibrated similarity of the nearest known items, live and archived, best first."""
        found: list[tuple[float, str]] = []
        table = self._view.table
        if len(table.ids):
            scores = self._similarities(table.vectors, vector)
            for row in np.flatnonzero(scores >= at_least):
                found.append((float(scores[row]), table.ids[row]))
        fresh = [item_id for item_id in self._added if item_id not in self._rows]
        if fresh:
            matrix = np.stack([self._added[item_id][0] for item_id in fresh])
            scores = self._similarities(matrix, vector)
            found += [(float(s), i) for s, i in zip(scores, fresh, strict=True) if s >= at_least]
        found.sort(key=lambda pair: (-pair[0], pair[1]))
        alive = [(item_id, score) for score, item_id in found if item_id in self.state]
        return dict(alive[:most])

    def search_data(self, item_id: str) -> tuple[Vector, Terms]:
        """Vector and terms of an item that is known or was added here."""
        if item_id in self._added:
            return self._added[item_id]
        return row_of(self._view.table, self._rows[item_id])

    def without_search_data(self) -> list[MemoryItem]:
        """Items that came without vector and terms (promoted, aggregated, restored); the engine adds them."""
        touched = dict.fromkeys(c.item_id for c in self.changes if c.after is not None and c.item_id)
        items = (self.state.get(item_id) for item_id in touched if not self.has_search_data(item_id))
        return [item for item in items if item is not None]

    def add_search_data(self, data: Mapping[str, tuple[Vector, Terms]]) -> None:
        self._added.update(data)

    def has_search_data(self, item_id: str) -> bool:
        return item_id in self._added or item_id in self._rows

    def commit(self) -> Commit:
        """Everything collected so far as one atomic write."""
        touched = list(dict.fromkeys(c.item_id for c in self.changes if c.after is not None and c.item_id))
        put, drop = [], []
        for item_id in touched:
            item = self.state.get(item_id)
            if item is None:
                drop.append(item_id)
            else:
                put.append(StoredItem(item, *self.search_data(item_id)))
        return Commit(
            user_id=self.state.user_id,
            expected_version=self._view.state.version,
            changes=tuple(self.changes),
            put=tuple(put),
            drop=tuple(drop),
            outcomes=tuple(self.outcomes),
            tombstones=tuple(self.tombstones),
            summaries=tuple(self.summaries),
            maintained_at=self.maintained_at,
            quotable=self.quotable,
            quotable_turns=self.config.context.excerpt_turns,
        )

    def view_after(self, version: int) -> UserView:
        """The view that the commit led to, without reading it back."""
        state = replace(self.state, version=version)
        if not self.changes:
            return replace(self._view, state=state)
        ids = [*(i for i in state.live), *(i for i in state.archive)]
        return UserView(state, self._table(ids), self._view.config, self._view.load_quotable)

    def _table(self, ids: list[str]) -> SearchTable:
        old = self._view.table
        if tuple(ids) == old.ids:
            return old
        return table_of(ids, [self.search_data(item_id) for item_id in ids], old)


def row_of(table: SearchTable, row: int) -> tuple[Vector, Terms]:
    """Vector and terms of one row; `table_of` puts them together again."""
    return table.vectors[row], table.term_ids[table.offsets[row] : table.offsets[row + 1]]


def table_of(ids: Sequence[str], data: Sequence[tuple[Vector, Terms]], like: SearchTable) -> SearchTable:
    """One table of the items' vectors and terms; an empty one has the shapes of `like`."""
    if not data:
        return SearchTable((), like.vectors[:0], like.term_ids[:0], np.zeros(1, dtype=np.int64))
    lengths = np.fromiter((len(terms) for _, terms in data), dtype=np.int64, count=len(data))
    return SearchTable(
        tuple(ids),
        np.stack([vector for vector, _ in data]),
        np.concatenate([terms for _, terms in data]).astype(np.uint32),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
    )
