"""What the in-memory ledger holds per user, and the plain steps on it. No locking and no rule may live here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import takewhile

import numpy as np

from hermes_core.changes import Change
from hermes_core.errors import VersionConflict
from hermes_core.items import MemoryItem, PackedItems, Pool, Turn, encode_item
from hermes_core.ports import (
    LAST_FROM,
    Commit,
    LoadedUser,
    SearchTable,
    StoredItem,
    StoredTurn,
    Summary,
    Terms,
    Vector,
)
from hermes_core.user_state import UserState


@dataclass
class TurnRow:
    turn: Turn
    state: str
    arrived: int
    attempts: int = 0
    retry_at: datetime | None = None
    by: str = ""
    read_by: str = ""  # who reads it now, of a pending turn under suspicion
    note: str = ""
    reason: str = ""

    def due(self, now: datetime | None) -> bool:
        return self.state == "pending" and (now is None or self.retry_at is None or self.retry_at <= now)


@dataclass
class UserRows:
    version: int = 0
    turn_seq: int = 0
    change_seq: int = 0
    lease_by: str | None = None
    lease_until: datetime | None = None
    maintained_at: datetime | None = None
    turns: dict[str, TurnRow] = field(default_factory=dict)
    items: dict[str, tuple[int, StoredItem]] = field(default_factory=dict)  # with the seq of the last change
    changes: list[Change] = field(default_factory=list)
    summaries: dict[str, Summary] = field(default_factory=dict)
    quotable: dict[str, StoredTurn] = field(default_factory=dict)
    tombstones: dict[str, datetime] = field(default_factory=dict)
    erased_version: int = 0


def check_current(user: UserRows, commit: Commit) -> None:
    if user.version != commit.expected_version:
        raise VersionConflict(f"user {commit.user_id!r} is at version {user.version}, not {commit.expected_version}")
    turns = [user.turns.get(outcome.turn_id) for outcome in commit.outcomes]
    if any(turn is None or turn.state != "pending" for turn in turns):
        raise VersionConflict(f"a turn of user {commit.user_id!r} in this commit is not pending any more")


def count_crash(user: UserRows, now: datetime) -> None:
    due = [t for t in user.turns.values() if t.due(now)]
    run = [stored for stored in due if stored.read_by][:1]
    if not run:
        head = next((n for n, stored in enumerate(due) if stored.attempts < LAST_FROM), len(due))
        run = list(takewhile(lambda t: t.turn.session_id == due[head].turn.session_id and not t.attempts, due[head:]))
    for stored in run:
        stored.attempts += 1
        stored.read_by = ""


def free(user: UserRows, worker: str, now: datetime) -> bool:
    return user.lease_by in (None, worker) or user.lease_until is None or user.lease_until <= now


def copied(stored: StoredItem) -> StoredItem:
    """Arrays of its own: the caller may go on writing into the ones that it passed."""
    return StoredItem(stored.item, *arrays(stored.vector, stored.terms))


def arrays(vector: Vector, terms: Terms) -> tuple[Vector, Terms]:
    return np.array(vector, dtype=np.float32), np.array(terms, dtype=np.uint32)


def loaded(user_id: str, user: UserRows) -> LoadedUser:
    rows = sorted(user.items.values(), key=lambda row: (row[1].item.pool is Pool.COLD, row[0]))
    live = {s.item.id: s.item for _, s in rows if s.item.pool is not Pool.COLD}
    parts: dict[str, MemoryItem | bytes] = {s.item.id: encode_item(s.item) for _, s in rows if s.item.pool is Pool.COLD}
    return LoadedUser(UserState(user_id, user.version, live, PackedItems(parts)), table_of([s for _, s in rows]))


def table_of(stored: Sequence[StoredItem]) -> SearchTable:
    """The search table of these items, in their order."""
    return search_table([(s.item.id, s.vector, s.terms) for s in stored])


def search_table(rows: Sequence[tuple[str, Vector, Terms]]) -> SearchTable:
    """The search table of these rows, in their order."""
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    if not rows:
        return SearchTable((), np.zeros((0, 0), np.float32), np.zeros(0, np.uint32), offsets)
    np.cumsum([len(terms) for _, _, terms in rows], out=offsets[1:])
    ids, vectors, terms = zip(*rows, strict=True)
    return SearchTable(ids, np.stack(vectors), np.concatenate(terms), offsets)
