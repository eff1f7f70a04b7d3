"""A small world to read from: items by short names, and a table whose similarities the test sets itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone

import msgspec
import numpy as np
import pytest

from hermes_core.config import Config
from hermes_core.context import assemble
from hermes_core.items import Evidence, Kind, MemoryItem, PackedItems, Status, encode_item
from hermes_core.ports import SearchTable
from hermes_core.recall import Query, Viewer, prepare, recall, recall_explained
from hermes_core.terms import term_ids
from hermes_core.tokens import TiktokenCounter
from hermes_core.user_state import UserState

NOW = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)
COUNTER = TiktokenCounter()


@dataclass(frozen=True)
class World:
    """One user's items in order, with what each is worth to the query by similarity (0 where none is set)."""

    items: tuple[MemoryItem, ...] = ()
    similar: dict[str, float] = field(default_factory=dict)
    config: Config = field(default_factory=Config)
    now: datetime = NOW
    counter: TiktokenCounter = COUNTER

    def add(self, name: str, text: str, *, similar: float = 0.0, idle: float = 1.0, seq: int = 0, **fields) -> World:
        """The world with one more item, said and confirmed `idle` days ago (in turn t-<name>, at place `seq`)."""
        when = self.now - timedelta(days=idle)
        said = Evidence(session_id=f"s-{name}", turn_id=f"t-{name}", quote=text, said_at=when, seq=seq)
        image = {
            "id": name,
            "user_id": "ann",
            "kind": Kind.FACT,
            "slot": name,
            "value": text,
            "text": text,
            "status": Status.CONFIRMED,
            "created_at": when,
            "said_at": when,
            "confirmed_at": when,
            "evidence": (said,),
            "tokens": COUNTER.count(text),
            **fields,
        }
        item = MemoryItem(**image)
        return replace(self, items=(*self.items, item), similar={**self.similar, name: similar})

    def with_config(self, **sections) -> World:
        changed = {name: {**getattr(self.config, name).model_dump(), **values} for name, values in sections.items()}
        return replace(self, config=Config.model_validate({**self.config.model_dump(), **changed}))

    @property
    def state(self) -> UserState:
        live = {i.id: i for i in self.items if i.status is not Status.ARCHIVED}
        cold = {i.id: encode_item(i) for i in self.items if i.status is Status.ARCHIVED}
        return UserState("ann", 7, live, PackedItems(cold))

    @property
    def table(self) -> SearchTable:
        rows = [term_ids(item.text, (item.slot,)) for item in self._ordered]
        ends = np.cumsum([0, *map(len, rows)]).astype(np.int64)
        words = np.concatenate(rows) if rows else np.zeros(0, dtype=np.uint32)
        vectors = np.tile(np.eye(1, 4, dtype=np.float32), (len(rows), 1))
        return SearchTable(tuple(item.id for item in self._ordered), vectors, words, ends)

    @property
    def _ordered(self) -> list[MemoryItem]:
        return sorted(self.items, key=lambda item: item.status is Status.ARCHIVED)

    def ask(self, text: str) -> Query:
        similar = np.array([self.similar[item.id] for item in self._ordered])
        return Query(text, np.eye(1, 4, dtype=np.float32)[0], term_ids(text), similar)

    def recall(self, text: str, **how):
        return recall(self.state, self.table, self.ask(text), self.now, self.config, **how)

    def explained(self, text: str, who: Viewer | None = None, **how):
        view = prepare(self.state, self.table, self.config)
        return recall_explained(view, self.ask(text), self.now, who, **how)

    def context(self, text: str | None = None, counter=None, **how):
        query = None if text is None else self.ask(text)
        return assemble(self.state, self.table, query, self.now, self.config, counter or COUNTER, **how)

    def changed(self, name: str, **fields) -> World:
        items = tuple(msgspec.structs.replace(i, **fields) if i.id == name else i for i in self.items)
        return replace(self, items=items)


def ids(found: Sequence) -> list[str]:
    """Item ids of hits, lines or left-outs, in order."""
    return [one.item_id if hasattr(one, "item_id") else one.item.id for one in found if getattr(one, "item", one)]


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def names():
    return ids


@pytest.fixture
def why():
    """Reasons by id of what was left out."""
    return lambda left_out: {out.item_id: out.reason for out in left_out}
