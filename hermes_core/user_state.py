"""All of one user's items at one version, as a value, with the questions that the gates ask. No rule decides here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from hermes_core.changes import Change
from hermes_core.errors import OwnerMismatch
from hermes_core.items import Layer, MemoryItem, PackedItems, Pool, Status


@dataclass(frozen=True)
class UserState:
    """`live` holds the hot and the frozen pool, `archive` the cold one (decoded on demand)."""

    user_id: str
    version: int = 0
    live: Mapping[str, MemoryItem] = field(default_factory=dict)
    archive: PackedItems = field(default_factory=lambda: PackedItems({}))

    @cached_property
    def hot(self) -> tuple[MemoryItem, ...]:
        return tuple(item for item in self.live.values() if item.pool is Pool.HOT)

    @cached_property
    def frozen(self) -> tuple[MemoryItem, ...]:
        """Everything that takes a place in the frozen pool: frozen, and unlocked for a moment."""
        return tuple(item for item in self.live.values() if item.pool is Pool.FROZEN)

    @cached_property
    def short_term(self) -> tuple[MemoryItem, ...]:
        return tuple(item for item in self.hot if item.layer is Layer.SHORT_TERM)

    @cached_property
    def _by_slot(self) -> dict[tuple[str, str], tuple[MemoryItem, ...]]:
        table: dict[tuple[str, str], list[MemoryItem]] = {}
        for item in self.live.values():
            table.setdefault((item.subject, item.slot), []).append(item)
        return {key: tuple(items) for key, items in table.items()}

    def in_slot(self, subject: str, slot: str) -> tuple[MemoryItem, ...]:
        """Live items that speak about the same dimension of the same subject."""
        return self._by_slot.get((subject, slot), ())

    def get(self, item_id: str) -> MemoryItem | None:
        return self.live.get(item_id) or self.archive.get(item_id)

    def __iter__(self) -> Iterator[MemoryItem]:
        yield from self.live.values()
        yield from self.archive.values()

    def __len__(self) -> int:
        return len(self.live) + len(self.archive)

    def __contains__(self, item_id: object) -> bool:
        return item_id in self.live or item_id in self.archive

    def apply(self, changes: Iterable[Change], version: int | None = None) -> UserState:
        """The state after the changes' images; the version moves only when one is given. OwnerMismatch on another user's."""
        live = dict(self.live)
        put: dict[str, MemoryItem] = {}
        drop: set[str] = set()
        for change in changes:
            if change.user_id != self.user_id:
                raise OwnerMismatch(f"a change of user {change.user_id!r} was applied to {self.user_id!r}")
            if change.after is None or change.item_id is None:
                continue
            live.pop(change.item_id, None)
            put.pop(change.item_id, None)
            if change.status is Status.ARCHIVED:
                put[change.item_id] = change.after
                drop.discard(change.item_id)
            else:
                drop.add(change.item_id)
                if change.status is not Status.FORGOTTEN:
                    live[change.item_id] = change.after
        archive = self.archive
        if put or any(item_id in archive for item_id in drop):
            archive = archive.with_changes(put, frozenset(drop))
        return UserState(self.user_id, self.version if version is None else version, live, archive)
