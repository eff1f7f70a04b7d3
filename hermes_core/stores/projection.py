"""How an item looks in the index: document, flat metadata, vector (docs/chroma.md). Pure; no Chroma may be named here.

Numbers are always floats (Chroma truncates float bounds against integers) and no value is ever None (an upsert
would keep the old value of a missing key).
"""

from __future__ import annotations

from datetime import datetime

import numpy as np

from hermes_core.decay import strength
from hermes_core.items import MemoryItem, Sensitivity, decode_item, encode_item
from hermes_core.ports import StoredItem, Vector

Metadata = dict[str, str | int | float | bool]
WITHHELD = ""  # document, slot and body of an item of a sensitive kind


NEW_AND_EMPTY = "it is new and empty"  # the one reason for a rebuild that is no news


def withheld(item: MemoryItem) -> bool:
    """C8: nothing that an item of a sensitive kind says is published."""
    return item.sensitivity is Sensitivity.SENSITIVE


def document(item: MemoryItem) -> str:
    return WITHHELD if withheld(item) else _sound(item.text)


def published_vector(stored: StoredItem) -> Vector:
    """The item's vector as float32; for a sensitive kind a constant one that holds no information."""
    vector: Vector = np.ascontiguousarray(stored.vector, dtype=np.float32)
    if withheld(stored.item):
        vector = np.full(len(vector), 1.0 / max(1.0, float(len(vector)) ** 0.5), dtype=np.float32)
    return vector


def metadata(item: MemoryItem, taken_at: datetime) -> Metadata:
    """What people filter by. Times are seconds since 1970, half_life_days is 0.0 for what does not fade."""
    hide = withheld(item)
    return {
        "user_id": _sound(item.user_id),
        "subject": WITHHELD if hide else _sound(item.subject),
        "kind": str(item.kind),
        "slot": WITHHELD if hide else _sound(item.slot),
        "layer": str(item.layer),
        "status": str(item.status),
        "pool": str(item.pool),
        "polarity": float(item.polarity),
        "confidence": float(item.confidence),
        "importance": float(item.importance),
        "confirmations": float(item.confirmations),
        "strength": float(strength(item, taken_at)),
        "strength_at": taken_at.timestamp(),
        "half_life_days": float(item.half_life_days or 0.0),
        "last_seen": item.last_active_at.timestamp(),
        "version": float(item.version),
        "sensitivity": str(item.sensitivity),
        "item": WITHHELD if hide else encode_item(item).decode("utf-8"),
    }


def to_item(meta: Metadata) -> MemoryItem | None:
    """The whole item from a record's metadata; None when it was withheld."""
    body = str(meta.get("item", ""))
    return decode_item(body.encode("utf-8")) if body else None


def _sound(text: str) -> str:
    """Chroma refuses lone surrogates; they become readable escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
