"""What a process holds of its users: decoded states and search tables, valid while the ledger's version stands.

Bounded (law B holds for our own memory too): the least recently used user leaves first.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from hermes_core.config import Config
from hermes_core.excerpts import Episodes
from hermes_core.ports import Ledger, Quotable, SearchTable
from hermes_core.recall import ReadView, prepare
from hermes_core.user_state import UserState

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedMap(Generic[K, V]):
    """A thread-safe map that forgets its least recently used entry."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            value = self._entries.get(key)
            if value is not None:
                self._entries.move_to_end(key)
            return value

    def put(self, key: K, value: V) -> None:
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)

    def drop(self, wanted: Callable[[K], bool]) -> None:
        with self._lock:
            for key in [key for key in self._entries if wanted(key)]:
                del self._entries[key]

    def keys(self) -> list[K]:
        with self._lock:
            return list(self._entries)


@dataclass(frozen=True)
class UserView:
    """One user at one version: the state, its search table, and what ranking derives from both once."""

    state: UserState
    table: SearchTable
    config: Config
    load_quotable: Callable[[], Quotable] | None = None

    @cached_property
    def episodes(self) -> tuple[Episodes, frozenset[str]]:
        """The user's turns that may be quoted, and which of them are private; loaded when first asked for."""
        if self.load_quotable is None:
            return Episodes((), self.table, self.config), frozenset()
        found = self.load_quotable()
        return Episodes(found.turns, found.table, self.config), found.private

    @cached_property
    def prepared(self) -> ReadView:
        return prepare(self.state, self.table, self.config)


class Reader:
    """Views by user, loaded when the ledger's version moved (one cheap query)."""

    def __init__(self, ledger: Ledger, config: Callable[[str], Config], cached_users: int) -> None:
        self._ledger = ledger
        self._config = config
        self._views: BoundedMap[str, UserView] = BoundedMap(cached_users)

    def view(self, user_id: str) -> UserView:
        """The user's present view. StoreError when the ledger can't be read."""
        held = self._views.get(user_id)
        config = self._config(user_id)
        if held is not None and held.config is config and held.state.version == self._ledger.version(user_id):
            return held
        loaded = self._ledger.load(user_id)
        view = UserView(loaded.state, loaded.table, config, lambda: self._ledger.quotable(user_id))
        self._views.put(user_id, view)
        return view

    def cached(self, user_id: str) -> UserView | None:
        """The newest view that this process happens to hold; no I/O."""
        return self._views.get(user_id)

    def keep(self, view: UserView) -> None:
        """Put back what a commit of our own led to, so that the next read needs no load."""
        self._views.put(view.state.user_id, view)

    def drop(self, user_id: str) -> None:
        self._views.drop(lambda key: key == user_id)
