"""What a process holds of its users, within one bound: newest views, snapshots of open conversations, tombstones.

The least recently used user leaves first, with everything. Of its open conversations a mark stays, by which the shell
finds the version again that they had read (R5). No I/O and no rule may live here.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from hermes_core.config import Config
from hermes_core.ports import Ledger, SearchTable
from hermes_core.shell.reader import BoundedMap, Reader, UserView

SNAPSHOTS_A_USER = 64  # conversations of one user whose views are held at a time
MARKS_A_USER = 16  # times the users: conversations whose version is remembered, some 300 bytes each

# What a view costs, measured with the passes of benchmarks/scale.py: bytes a decoded item, an archived one, and a
# term (4 in the table, 20 in the postings that ranking derives).
LIVE_BYTES, ARCHIVED_BYTES, TERM_BYTES = 2000, 1200, 24
CODED = 1.25  # times the vectors: a number of four bytes has a code of one

Stones = tuple[int, Mapping[str, datetime]]  # erased_version, digest -> when


class Snapshot(NamedTuple):
    """What a session sees from its first read to its end (R5): one version, and what earlier sessions came to."""

    view: UserView
    summary: str
    read_at: datetime


class Mark(NamedTuple):
    """What is kept of a snapshot whose view had to leave."""

    version: int
    summary: str
    read_at: datetime


@dataclass
class _Held:
    """All of one user."""

    view: UserView | None = None
    snapshots: OrderedDict[str, Snapshot] = field(default_factory=OrderedDict)
    stones: Stones | None = None
    bytes: int = 0
    quoting: frozenset[int] = frozenset()  # the views, by id, whose turns count in `bytes`

    def weigh(self) -> int:
        """About how many bytes this user takes; what several views share counts once."""
        views = {id(view): view for view in (self.view, *(s.view for s in self.snapshots.values())) if view is not None}
        tables: dict[int, SearchTable] = {}
        total = len(self.stones[1]) * 150 if self.stones else 0
        self.quoting = frozenset(key for key, view in views.items() if _quotes(view))
        for view in views.values():
            total += len(view.state.live) * LIVE_BYTES + len(view.state.archive) * ARCHIVED_BYTES
            tables[id(view.table)] = view.table
            if (loaded := vars(view).get("episodes")) is not None:  # only once somebody asked for it
                tables[id(loaded[0].table)] = loaded[0].table
                total += len(loaded[0].turns) * LIVE_BYTES
        return total + sum(int(t.vectors.nbytes * CODED) + len(t.term_ids) * TERM_BYTES for t in tables.values())


def _quotes(view: UserView) -> bool:
    """Whether the turns that may be quoted were loaded."""
    return "episodes" in vars(view)


class UserCache:
    """Bounded by users and by bytes, whichever is reached first. Safe from any thread."""

    def __init__(self, users: int, most_bytes: int) -> None:
        self._users = users
        self._most_bytes = most_bytes
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._marks: OrderedDict[tuple[str, str], Mark] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def users(self) -> list[str]:
        """The users of whom anything is held, the least recently used first."""
        with self._lock:
            return list(self._held)

    @property
    def bytes(self) -> int:
        """About how much is held."""
        with self._lock:
            return self._bytes

    # the newest view

    def view(self, user_id: str) -> UserView | None:
        with self._lock:
            held = self._used(user_id)
            return held.view if held is not None else None

    def keep_view(self, user_id: str, view: UserView) -> None:
        with self._lock:
            self._slot(user_id).view = view
            self._fit(user_id)

    def drop_view(self, user_id: str) -> None:
        with self._lock:
            if (held := self._held.get(user_id)) is not None:
                held.view = None
                self._shrunk(user_id, held)

    # what sessions have read

    def snapshot(self, user_id: str, session_id: str) -> Snapshot | None:
        with self._lock:
            held = self._used(user_id)
            found = held.snapshots.get(session_id) if held is not None else None
            if held is not None and found is not None:
                held.snapshots.move_to_end(session_id)
                if _quotes(found.view) and id(found.view) not in held.quoting:
                    self._fit(user_id)  # what its view loaded at the last read counts from now on
            return found

    def mark(self, user_id: str, session_id: str) -> Mark | None:
        """Where the session stood, if its view is no longer held but its place is still known."""
        with self._lock:
            return self._marks.get((user_id, session_id))

    def keep_snapshot(self, user_id: str, session_id: str, snapshot: Snapshot) -> None:
        with self._lock:
            held, key = self._slot(user_id), (user_id, session_id)
            held.snapshots[session_id] = snapshot
            held.snapshots.move_to_end(session_id)
            self._marks[key] = Mark(snapshot.view.state.version, snapshot.summary, snapshot.read_at)
            self._marks.move_to_end(key)
            while len(self._marks) > self._users * MARKS_A_USER:
                self._marks.popitem(last=False)
            self._fit(user_id)

    def end(self, user_id: str, session_id: str) -> None:
        with self._lock:
            self._marks.pop((user_id, session_id), None)
            if (held := self._held.get(user_id)) is not None:
                held.snapshots.pop(session_id, None)
                self._shrunk(user_id, held)

    # digests of what was forgotten

    def stones(self, user_id: str) -> Stones | None:
        with self._lock:
            held = self._used(user_id)
            return held.stones if held is not None else None

    def keep_stones(self, user_id: str, stones: Stones) -> None:
        with self._lock:
            self._slot(user_id).stones = stones
            self._fit(user_id)

    def forget(self, user_id: str) -> None:
        """Nothing of this user remains, marks included."""
        with self._lock:
            self._drop(user_id)
            for key in [key for key in self._marks if key[0] == user_id]:
                del self._marks[key]

    # inside, with the lock held

    def _used(self, user_id: str) -> _Held | None:
        held = self._held.get(user_id)
        if held is not None:
            self._held.move_to_end(user_id)
        return held

    def _slot(self, user_id: str) -> _Held:
        self._held.setdefault(user_id, _Held())
        self._held.move_to_end(user_id)
        return self._held[user_id]

    def _drop(self, user_id: str) -> None:
        if (held := self._held.pop(user_id, None)) is not None:
            self._bytes -= held.bytes

    def _shrunk(self, user_id: str, held: _Held) -> None:
        self._weigh(held)
        if held.view is None and not held.snapshots and held.stones is None:
            self._drop(user_id)

    def _fit(self, user_id: str) -> None:
        """Weigh this user, who has just been used, and let go until both bounds hold; the newest of all always stays."""
        held = self._held[user_id]
        while len(held.snapshots) > SNAPSHOTS_A_USER:
            held.snapshots.popitem(last=False)
        self._weigh(held)
        while len(self._held) > self._users or (self._bytes > self._most_bytes and len(self._held) > 1):
            self._drop(next(iter(self._held)))
        while self._bytes > self._most_bytes and len(held.snapshots) > 1:
            held.snapshots.popitem(last=False)
            self._weigh(held)

    def _weigh(self, held: _Held) -> None:
        before, held.bytes = held.bytes, held.weigh()
        self._bytes += held.bytes - before


class _Views(BoundedMap[str, UserView]):
    """The cache's newest views in the form that a Reader asks for."""

    def __init__(self, cache: UserCache) -> None:
        self._cache = cache

    def get(self, key: str) -> UserView | None:
        return self._cache.view(key)

    def put(self, key: str, value: UserView) -> None:
        self._cache.keep_view(key, value)

    def drop(self, wanted: Callable[[str], bool]) -> None:
        for user_id in self._cache.users():
            if wanted(user_id):
                self._cache.drop_view(user_id)

    def keys(self) -> list[str]:
        return [user_id for user_id in self._cache.users() if self._cache.view(user_id) is not None]


class CachingReader(Reader):
    """A Reader whose views count towards the one bound of the process."""

    def __init__(self, ledger: Ledger, config: Callable[[str], Config], cache: UserCache) -> None:
        super().__init__(ledger, config, 0)
        self._views = _Views(cache)
