"""An index in several parts, all records of a user in one of them: for stores whose index is large (S2).

A filtered query and a forget then cost what one part holds. Which part is decided by the user's id alone. The number of
parts is a setting (index.shards); what was laid out in another number is rebuilt, and dropped, since it may hold words
that were forgotten since. Knows no Chroma, and no rule may live here.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from hermes_core.errors import InvalidInput, StoreError
from hermes_core.ports import Index, IndexRecord, StoredItem
from hermes_core.stores.projection import NEW_AND_EMPTY

_PART = re.compile(r"\d+-of-\d+")


def shard_of(user_id: str, shards: int) -> int:
    """The part that holds this user's records: 0 to shards - 1, the same for ever and everywhere."""
    digest = hashlib.blake2b(user_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % shards


class Layout(Protocol):
    """Where the parts lie, and what lies there beside them."""

    def strangers(self) -> list[str]:
        """What was left there by a layout in another number of parts."""

    def clear(self) -> None:
        """Remove the strangers."""


class FolderLayout:
    """One part is the folder itself; several are folders in it."""

    def __init__(self, folder: Path, shards: int) -> None:
        self._folder = folder
        self.parts = [folder] if shards == 1 else [folder / f"{n}-of-{shards}" for n in range(shards)]

    def strangers(self) -> list[str]:
        if not self._folder.is_dir():
            return []
        names = sorted(entry.name for entry in self._folder.iterdir())
        if len(self.parts) == 1:
            return [name for name in names if _PART.fullmatch(name)]
        own = {part.name for part in self.parts}
        return [name for name in names if name not in own]

    def clear(self) -> None:
        try:
            for name in self.strangers():
                entry = self._folder / name
                shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        except OSError as error:
            raise StoreError(f"what an older index left in {self._folder} can't be removed: {error}") from error


class Collections(Protocol):
    """What a server tells of itself."""

    def collections(self) -> list[str]: ...

    def drop_collections(self, names: Sequence[str]) -> None: ...


class ServerLayout:
    """Collections beside each other on one server: `name`, or `name_2_of_4`."""

    def __init__(self, name: str, shards: int) -> None:
        self._name = name
        self.parts = [name] if shards == 1 else [f"{name}_{n}_of_{shards}" for n in range(shards)]
        self.server: Collections | None = None

    def strangers(self) -> list[str]:
        ours = re.compile(rf"{re.escape(self._name)}(_\d+_of_\d+)?")
        present = self.server.collections() if self.server is not None else []
        return sorted(name for name in present if ours.fullmatch(name) and name not in self.parts)

    def clear(self) -> None:
        if self.server is not None:
            self.server.drop_collections(self.strangers())


class ShardedIndex:
    """The Index port over several others. Safe from any thread if they are.

    What comes without its user (a bare id that is gone) is told to every part; `part_of` spares that.
    """

    def __init__(self, parts: Sequence[Index], layout: Layout | None = None) -> None:
        if not parts:
            raise InvalidInput("an index needs at least one part")
        self.parts = tuple(parts)
        self._layout = layout
        self._looked = layout is None

    def part_of(self, user_id: str) -> Index:
        return self.parts[shard_of(user_id, len(self.parts))]

    def publish(self, items: Sequence[StoredItem], gone: Sequence[str], taken_at: datetime) -> None:
        for n, part in enumerate(self.parts):
            part.publish(list(self._of(items, n)), gone, taken_at)

    def rebuild(self, items: Iterable[StoredItem], taken_at: datetime) -> int:
        """Each part in turn, from a pass over `items` of its own: pass what can be gone through again, or it is kept."""
        if self._layout is not None:
            self._layout.clear()
        self._looked = True
        source = list(items) if iter(items) is items and len(self.parts) > 1 else items
        return sum(part.rebuild(self._of(source, n), taken_at) for n, part in enumerate(self.parts))

    def records(self, user_id: str | None = None) -> list[IndexRecord]:
        if user_id is not None:
            return self.part_of(user_id).records(user_id)
        return sorted((r for part in self.parts for r in part.records()), key=lambda record: record.id)

    def count(self) -> int:
        return sum(part.count() for part in self.parts)

    def needs_rebuild(self) -> str | None:
        if not self._looked and self._layout is not None:
            if found := self._layout.strangers():
                return f"it was laid out in another number of shards than {len(self.parts)} (there is {found[0]})"
            self._looked = True
        reasons = {n: reason for n, part in enumerate(self.parts) if (reason := part.needs_rebuild()) is not None}
        if not reasons:
            return None
        n, reason = next(((n, r) for n, r in reasons.items() if r != NEW_AND_EMPTY), next(iter(reasons.items())))
        alone = len(self.parts) == 1 or (reason == NEW_AND_EMPTY and len(reasons) == len(self.parts))
        return reason if alone else f"of its shard {n} of {len(self.parts)}: {reason}"

    def erase(self, ids: Sequence[str]) -> None:
        for part in self.parts:
            part.erase(ids)

    def close(self) -> None:
        """All of them; the first failure is raised afterwards."""
        failures: list[StoreError] = []
        for part in self.parts:
            try:
                part.close()
            except StoreError as error:
                failures.append(error)
        if failures:
            raise failures[0]

    def _of(self, items: Iterable[StoredItem], n: int) -> Iterator[StoredItem]:
        return (stored for stored in items if shard_of(stored.item.user_id, len(self.parts)) == n)
