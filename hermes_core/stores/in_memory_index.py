"""The Index port in a dictionary: the same records as Chroma's. Nothing here may be durable, and no rule may live here."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from datetime import datetime

from hermes_core.ports import IndexRecord, StoredItem
from hermes_core.stores.projection import document, metadata, published_vector


class InMemoryIndex:
    """The Index port without Chroma: the same records, in a dictionary."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._records: dict[str, IndexRecord] = {}

    def publish(self, items: Sequence[StoredItem], gone: Sequence[str], taken_at: datetime) -> None:
        with self._lock:
            for item_id in gone:
                self._records.pop(item_id, None)
            for stored in items:
                vector = tuple(float(x) for x in published_vector(stored))
                self._records[stored.item.id] = IndexRecord(
                    id=stored.item.id,
                    document=document(stored.item),
                    metadata=metadata(stored.item, taken_at),
                    vector=vector,
                )

    def rebuild(self, items: Iterable[StoredItem], taken_at: datetime) -> int:
        with self._lock:
            self._records = {}
            self.publish(list(items), (), taken_at)
            return len(self._records)

    def records(self, user_id: str | None = None) -> list[IndexRecord]:
        with self._lock:
            chosen = [r for r in self._records.values() if user_id is None or r.metadata["user_id"] == user_id]
            return sorted(chosen, key=lambda record: record.id)

    def count(self) -> int:
        with self._lock:
            return len(self._records)

    def needs_rebuild(self) -> str | None:
        return None

    def erase(self, ids: Sequence[str]) -> None:
        with self._lock:
            for item_id in ids:
                self._records.pop(item_id, None)

    def close(self) -> None: ...
