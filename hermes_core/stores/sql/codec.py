"""Values to columns and back: text, times, vectors, sealed bytes. No SQL and no rule may live here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

import msgspec
import numpy as np

from hermes_core.changes import Change
from hermes_core.errors import StoreError
from hermes_core.items import MemoryItem, Sensitivity, decode_item, loose_bytes, loose_value
from hermes_core.ports import Cipher, Terms, Vector
from hermes_core.stores.checks import check_aware

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)
_VECTOR = np.dtype("<f4")
_TERMS = np.dtype("<u4")

# Keys stay readable text. What PostgreSQL or UTF-8 refuses is written as a backslash escape, one to one.
_ODD = re.compile("[\\\\\x00\ud800-\udfff]")
_ESCAPED = re.compile(r"\\(\\|u[0-9a-f]{4})")


def key(text: str) -> str:
    """An id or name as a text column; different texts give different columns."""
    if _ODD.search(text) is None:
        return text
    return _ODD.sub(lambda m: "\\\\" if m[0] == "\\" else f"\\u{ord(m[0]):04x}", text)


def unkey(column: str) -> str:
    """Inverse of key."""
    if "\\" not in column:
        return column
    return _ESCAPED.sub(lambda m: "\\" if m[1] == "\\" else chr(int(m[1][1:], 16)), column)


def moment(at: datetime) -> int:
    """Microseconds since 1970. InvalidInput on a naive time."""
    check_aware(at)
    return (at - _EPOCH) // _MICROSECOND


def at_moment(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros)


def words(text: str) -> bytes:
    """Text as bytes; NUL and lone surrogates included."""
    return text.encode("utf-8", "surrogatepass")


def unwords(body: bytes) -> str:
    return body.decode("utf-8", "surrogatepass")


def vector_bytes(vector: Vector) -> bytes:
    return np.ascontiguousarray(vector, dtype=_VECTOR).tobytes()


def terms_bytes(terms: Terms) -> bytes:
    return np.ascontiguousarray(terms, dtype=_TERMS).tobytes()


def to_vector(blob: bytes) -> Vector:
    return np.frombuffer(blob, dtype=_VECTOR)


def to_terms(blob: bytes) -> Terms:
    return np.frombuffer(blob, dtype=_TERMS)


_encode_change = msgspec.json.Encoder().encode
_decode_change = msgspec.json.Decoder(Change).decode
_decode_items = msgspec.json.Decoder(list[MemoryItem]).decode


def change_bytes(change: Change) -> bytes:
    """The change without its image, version and place, which have columns of their own."""
    bare = msgspec.structs.replace(change, after=None, version=0, seq=0)
    try:
        return _encode_change(bare)
    except UnicodeEncodeError:  # a lone surrogate: \u escapes hold it
        return loose_bytes(bare)


def to_change(body: bytes) -> Change:
    try:
        return _decode_change(body)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        return loose_value(body, Change)


def to_items(bodies: Sequence[bytes]) -> list[MemoryItem]:
    """Many items in one call of the decoder."""
    try:
        return _decode_items(b"[" + b",".join(bodies) + b"]")
    except msgspec.DecodeError:
        return [decode_item(body) for body in bodies]


SEALED = b"\xff"  # no UTF-8 text begins with it


class Sealer:
    """Applies the store's cipher where the design asks for it; without a cipher it passes bytes through.

    Sealed are: turns, summaries and refused claims (they may hold any sentence), and items of sensitive kinds with
    their images, vectors and terms.
    """

    def __init__(self, cipher: Cipher | None) -> None:
        self._cipher = cipher

    @property
    def active(self) -> bool:
        return self._cipher is not None

    def hides(self, item: MemoryItem | None) -> bool:
        """Whether this item (None: a sentence of unknown kind) is sealed in this store."""
        return self._cipher is not None and (item is None or item.sensitivity is Sensitivity.SENSITIVE)

    def close(self, body: bytes, sealed: bool = True) -> bytes:
        if not sealed or self._cipher is None:
            return body
        return SEALED + self._cipher.encrypt(body)

    def open(self, body: bytes) -> bytes:
        """The plain bytes of a text or JSON column. StoreError when it is sealed and this store has no key."""
        if body[:1] != SEALED:
            return body
        return self.unseal(body)

    def unseal(self, body: bytes) -> bytes:
        """The plain bytes of a column that is known to be sealed."""
        if self._cipher is None:
            raise StoreError("this store holds encrypted rows; open it with the cipher (key) that wrote them")
        return self._cipher.decrypt(bytes(body[1:]))
