"""The nouns of memory: turns, candidates, items. Immutable values; no rule, clock or I/O may live here.

msgspec structs, since a user's two thousand items are decoded within a chat's first read
(pydantic needs about ten times as long for the same bytes).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import Any, TypeVar

import msgspec

_Struct = TypeVar("_Struct", bound=msgspec.Struct)


class _Text(str, Enum):
    """A string enum whose members print and compare as their value (StrEnum needs Python 3.11)."""

    def __str__(self) -> str:
        return str(self.value)


class Kind(_Text):
    """What a belief is about; layer, half-life and freezing follow from it (U1)."""

    IDENTITY = "identity"
    CONSTRAINT = "constraint"
    PREFERENCE = "preference"
    FACT = "fact"
    RELATION = "relation"
    EVENT = "event"
    STATE = "state"


class Layer(_Text):
    """U1: static attributes, dynamic preferences, short-term state."""

    STATIC = "static"
    DYNAMIC = "dynamic"
    SHORT_TERM = "short_term"


class Status(_Text):
    """F1: where an item stands in its life."""

    CANDIDATE = "candidate"
    CONFIRMED = "confirmed"
    FROZEN = "frozen"
    UNLOCKED = "unlocked"
    STALE = "stale"
    ARCHIVED = "archived"
    FORGOTTEN = "forgotten"


class Pool(_Text):
    """Which limit an item counts against; follows from status."""

    HOT = "hot"
    FROZEN = "frozen"
    COLD = "cold"
    NONE = "none"


class Basis(_Text):
    """W5: how a claim was made."""

    EXPLICIT = "explicit"
    BEHAVIOUR = "behaviour"
    IMPLIED = "implied"


class Tone(_Text):
    """W7: how a claim was said."""

    CALM = "calm"
    EMOTIONAL = "emotional"


class Sensitivity(_Text):
    """C8: sensitive kinds are encrypted at rest and recalled only with consent."""

    NORMAL = "normal"
    SENSITIVE = "sensitive"


LAYER_OF_KIND: Mapping[Kind, Layer] = {
    Kind.IDENTITY: Layer.STATIC,
    Kind.CONSTRAINT: Layer.STATIC,
    Kind.FACT: Layer.STATIC,
    Kind.RELATION: Layer.STATIC,
    Kind.PREFERENCE: Layer.DYNAMIC,
    Kind.EVENT: Layer.SHORT_TERM,
    Kind.STATE: Layer.SHORT_TERM,
}
POOL_OF_STATUS: Mapping[Status, Pool] = {
    Status.CANDIDATE: Pool.HOT,
    Status.CONFIRMED: Pool.HOT,
    Status.STALE: Pool.HOT,
    Status.FROZEN: Pool.FROZEN,
    Status.UNLOCKED: Pool.FROZEN,
    Status.ARCHIVED: Pool.COLD,
    Status.FORGOTTEN: Pool.NONE,
}


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Base of every read value: plain attributes, equality by value, `model_dump()`."""

    def model_dump(self) -> dict[str, Any]:
        """The value as plain JSON types (datetimes as ISO 8601 strings with their offset)."""
        dumped: dict[str, Any] = msgspec.to_builtins(_full(self))
        return dumped

    def model_dump_json(self) -> str:
        return json.dumps(self.model_dump(), ensure_ascii=False, sort_keys=True)


def _full(value: Any) -> Any:
    """Builtins with the defaults kept (storage omits them, readers want every field)."""
    if isinstance(value, msgspec.Struct):
        return {name: _full(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [_full(part) for part in value]
    return value


class Turn(Value, frozen=True, kw_only=True):
    """One message. `said_at` is aware UTC; `seq` is its place among the user's turns, given by the ledger.

    `asked` is what the other speaker said directly before, with a question in it; it is filled in for extractors,
    never stored with the turn, and never evidence.
    """

    id: str
    user_id: str
    session_id: str
    role: str
    text: str
    said_at: datetime
    seq: int = 0
    asked: str = ""


class Candidate(msgspec.Struct, frozen=True, omit_defaults=True):
    """One claim that an extractor found in a user's turn (W2). `quote` is verbatim from that turn.

    `asked` is the question that completes the quote to what `text` says, "" where the quote says it all; `agreed`: the
    quote is only a yes or a no to it. `corrects` is the text of the known item that the quote puts one word of right.
    """

    kind: str
    slot: str
    value: str
    text: str
    quote: str
    turn_id: str
    subject: str = "user"
    qualifiers: tuple[str, ...] = ()
    polarity: int = 1
    exclusive: bool | None = None
    basis: str = "explicit"
    tone: str = "calm"
    correction: bool = False
    lasting: bool = False
    confidence: float = 0.85
    importance: float = 0.5
    asked: str = ""
    agreed: bool = False
    corrects: str = ""

    def model_dump(self) -> dict[str, Any]:
        dumped: dict[str, Any] = msgspec.to_builtins(_full(self))
        return dumped


class Evidence(Value, frozen=True, kw_only=True):
    """Words that the user said (law G): where, when, in which mood, and in answer to which question ("": to none)."""

    session_id: str
    turn_id: str
    quote: str
    said_at: datetime
    seq: int = 0
    tone: Tone = Tone.CALM
    basis: Basis = Basis.EXPLICIT
    asked: str = ""


class HeldOverride(Value, frozen=True, kw_only=True):
    """F5, F6: a claim against a settled item, kept beside it until it is approved, rejected or outlived."""

    value: str
    text: str
    polarity: int = 1
    qualifiers: tuple[str, ...] = ()
    confidence: float = 0.0
    reason: str = ""
    awaiting_approval: bool = False
    tokens: int = 0
    language: str = ""
    item_id: str = ""  # the id that it takes when it becomes an item
    evidence: tuple[Evidence, ...] = ()


class MemoryItem(Value, frozen=True, kw_only=True):
    """One belief about one subject. Its words never change: a correction makes a new item that supersedes it.

    Times are aware UTC. confidence and importance are in 0..1, half_life_days in days (None: does not fade),
    tokens counts `text` by the store's token counter, version is the user's version at the last change.
    """

    id: str
    user_id: str
    kind: Kind
    slot: str
    value: str
    text: str
    status: Status
    created_at: datetime
    said_at: datetime
    confirmed_at: datetime
    subject: str = "user"
    qualifiers: tuple[str, ...] = ()
    polarity: int = 1
    exclusive: bool = False
    confidence: float = 0.85
    importance: float = 0.5
    confirmations: float = 1.0
    evidence: tuple[Evidence, ...] = ()
    hit_at: datetime | None = None
    hits: int = 0
    half_life_days: float | None = None
    tokens: int = 0
    language: str = "en"
    basis: Basis = Basis.EXPLICIT
    lasting: bool = False
    high_impact: bool = False
    timeless: bool = False
    kept_alive: int = 0
    sensitivity: Sensitivity = Sensitivity.NORMAL
    visible_to: tuple[str, ...] = ()
    pinned: bool = False
    suspicious: bool = False
    observed_until: datetime | None = None
    frozen_at: datetime | None = None
    rejections: int = 0
    held: tuple[HeldOverride, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None
    contested_by: str | None = None
    complements: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    archived_because: str | None = None
    note: str = ""
    version: int = 0

    @property
    def pool(self) -> Pool:
        return POOL_OF_STATUS[self.status]

    @property
    def layer(self) -> Layer:
        return LAYER_OF_KIND[self.kind]

    @property
    def sessions(self) -> frozenset[str]:
        """Distinct sessions that the item's evidence comes from."""
        return frozenset(e.session_id for e in self.evidence)

    @property
    def last_active_at(self) -> datetime:
        """Idleness counts from here: the later of the last confirmation and the last hit."""
        return self.confirmed_at if self.hit_at is None else max(self.confirmed_at, self.hit_at)


_decode_item = msgspec.json.Decoder(MemoryItem).decode
_encode = msgspec.json.Encoder().encode


def encode_item(item: MemoryItem) -> bytes:
    """The item's one byte form; equal items give equal bytes (law R)."""
    try:
        return _encode(item)
    except UnicodeEncodeError:
        return loose_bytes(item)


def decode_item(body: bytes) -> MemoryItem:
    """Inverse of encode_item; msgspec.ValidationError or DecodeError on anything else."""
    try:
        return _decode_item(body)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        return loose_value(body, MemoryItem)


def loose_bytes(value: msgspec.Struct) -> bytes:
    """JSON for a value with lone surrogates, which UTF-8 refuses (L4): they become \\u escapes."""
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=True, separators=(",", ":")).encode("ascii")


def loose_value(body: bytes, type_: type[_Struct]) -> _Struct:
    """Inverse of loose_bytes; msgspec.DecodeError on anything else."""
    try:
        plain = json.loads(body)
    except ValueError as error:
        raise msgspec.DecodeError(str(error)) from error
    return msgspec.convert(plain, type_)


class PackedItems(Mapping[str, MemoryItem]):
    """Items by id that are decoded when first looked at: a read rarely needs the whole archive.

    Immutable from outside; safe to share between threads (decoding twice gives equal values).
    """

    __slots__ = ("_parts",)

    def __init__(self, parts: Mapping[str, MemoryItem | bytes]) -> None:
        self._parts: dict[str, MemoryItem | bytes] = dict(parts)

    def __getitem__(self, item_id: str) -> MemoryItem:
        part = self._parts[item_id]
        if isinstance(part, bytes):
            part = self._parts[item_id] = decode_item(part)
        return part

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __contains__(self, item_id: object) -> bool:
        return item_id in self._parts

    def with_changes(self, put: Mapping[str, MemoryItem], drop: frozenset[str] = frozenset()) -> PackedItems:
        """A new mapping; undecoded parts stay undecoded."""
        parts = {k: v for k, v in self._parts.items() if k not in drop}
        parts.update(put)
        return PackedItems(parts)
