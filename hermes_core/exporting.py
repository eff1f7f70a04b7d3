"""Everything of a user as JSON Lines, and back (C9). Only the Ledger's own answers: what was forgotten isn't there.

One line each: a header, then turns, items, changes, summaries. Readable by anyone; nothing here writes to a store.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

import msgspec
import numpy as np

from hermes_core.changes import Change, Event
from hermes_core.errors import InvalidInput
from hermes_core.items import MemoryItem, Turn
from hermes_core.ports import Ledger, Summary, Vector

__all__ = ["FORMAT", "Export", "Header", "export_lines", "read_export"]

FORMAT = 1  # raised when a reader of the older number could not read the lines
_PROGRAM = "hermes-dualgate"
_EMBEDDER_KEY = "embedder"
_ALL = 1_000_000_000

T = TypeVar("T")


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line. `embedder` is "name:dimension" of the store's vectors, "" when it has none."""

    format: int
    program: str
    user_id: str
    version: int
    embedder: str = ""
    counts: dict[str, int] = {}


@dataclass(frozen=True)
class Export:
    """What read_export found. `pending` names turns that were not ingested yet; `vectors` are by item id, where carried."""

    header: Header
    turns: tuple[Turn, ...] = ()
    items: tuple[MemoryItem, ...] = ()
    changes: tuple[Change, ...] = ()
    summaries: tuple[Summary, ...] = ()
    pending: frozenset[str] = frozenset()
    vectors: Mapping[str, Vector] = field(default_factory=dict)

    @property
    def user_id(self) -> str:
        return self.header.user_id

    @property
    def version(self) -> int:
        return self.header.version


def export_lines(ledger: Ledger, user_id: str, *, vectors: bool = False) -> Iterator[str]:
    """The user's lines, without line ends, UTF-8 ready; with `vectors` each item carries its float32 vector in base64.

    Items are taken with the version that the header names. StoreError when the ledger fails.
    """
    loaded = ledger.load(user_id)
    items = list(loaded.state)
    trail = [c for c in ledger.changes(user_id) if c.version <= loaded.state.version]
    gone = frozenset(c.item_id for c in trail if c.event is Event.FORGOTTEN)
    changes = [_without_content(c) if c.item_id is not None and c.item_id in gone else c for c in trail]
    waiting = frozenset(p.turn.id for p in ledger.pending(user_id, limit=_ALL))
    turns, summaries = ledger.turns(user_id), ledger.summaries(user_id)
    yield _header(ledger, user_id, loaded.state.version, turns, items, changes, summaries)
    yield from (_line("turn", turn, **({"pending": True} if turn.id in waiting else {})) for turn in turns)
    rows = {item_id: row for row, item_id in enumerate(loaded.table.ids)} if vectors else {}
    for item in items:
        row = rows.get(item.id)
        yield _line("item", item, **({} if row is None else {"vector": _packed(loaded.table.vectors[row])}))
    yield from (_line("change", change) for change in changes)
    yield from (_line("summary", summary) for summary in summaries)


def _header(ledger: Ledger, user_id: str, version: int, *parts: Sequence[object]) -> str:
    names = ("turns", "items", "changes", "summaries")
    header = Header(
        format=FORMAT,
        program=_PROGRAM,
        user_id=user_id,
        version=version,
        embedder=ledger.meta(_EMBEDDER_KEY) or "",
        counts={name: len(part) for name, part in zip(names, parts, strict=True)},
    )
    return _line("header", header)


def _without_content(change: Change) -> Change:
    """Law E, even where a ledger kept an image: the line stays, its words do not."""
    return msgspec.structs.replace(change, after=None, claim="", detail="")


def _line(name: str, value: object, **more: object) -> str:
    return msgspec.json.encode({name: value, **more}).decode("utf-8")


def _packed(vector: Vector) -> str:
    return base64.b64encode(np.ascontiguousarray(vector, dtype="<f4").tobytes()).decode("ascii")


def read_export(lines: Iterable[str | bytes]) -> Export:
    """The export that the lines are, read and checked in whole. InvalidInput names the line and what is wrong with it."""
    reader = _Reader()
    if not isinstance(lines, Iterable):
        raise InvalidInput(f"an export is lines of text, not {type(lines).__name__}")
    for number, line in enumerate(lines, 1):
        if not isinstance(line, (str, bytes)):
            raise InvalidInput(f"line {number} of an export must be text, not {type(line).__name__}")
        if line.strip():
            reader.take(number, line)
    return reader.export()


class _Reader:
    def __init__(self) -> None:
        self._header: Header | None = None
        self._turns: list[Turn] = []
        self._items: dict[str, MemoryItem] = {}
        self._changes: list[Change] = []
        self._summaries: list[Summary] = []
        self._pending: set[str] = set()
        self._vectors: dict[str, Vector] = {}

    def take(self, number: int, line: str | bytes) -> None:
        record = _parsed(number, line)
        if self._header is None:
            self._header = _read_header(number, record)
            return
        if "turn" in record:
            self._take_turn(number, record)
        elif "item" in record:
            self._take_item(number, record)
        elif "change" in record:
            self._changes.append(self._own(number, _convert(number, record["change"], Change)))
        elif "summary" in record:
            self._summaries.append(self._own(number, _convert(number, record["summary"], Summary)))
        else:
            raise InvalidInput(f"line {number}: expected a turn, item, change or summary; found {sorted(record)[:5]}")

    def _take_turn(self, number: int, record: dict[str, Any]) -> None:
        turn = self._own(number, _convert(number, record["turn"], Turn))
        self._turns.append(turn)
        if record.get("pending"):
            self._pending.add(turn.id)

    def _take_item(self, number: int, record: dict[str, Any]) -> None:
        item = self._own(number, _convert(number, record["item"], MemoryItem))
        if item.id in self._items:
            raise InvalidInput(f"line {number}: the item {item.id!r} comes twice")
        self._items[item.id] = item
        if "vector" in record:
            self._vectors[item.id] = _unpacked(number, record["vector"])

    def _own(self, number: int, value: T) -> T:
        """Law O: one export, one user."""
        owner = getattr(value, "user_id", None)
        if self._header is not None and owner != self._header.user_id:
            raise InvalidInput(
                f"line {number}: belongs to user {owner!r}, but the export is of {self._header.user_id!r}"
            )
        return value

    def export(self) -> Export:
        if self._header is None:
            raise InvalidInput("the export is empty; expected a header line, as `hermes export` writes it")
        found = {
            "turns": len(self._turns),
            "items": len(self._items),
            "changes": len(self._changes),
            "summaries": len(self._summaries),
        }
        for name, count in self._header.counts.items():
            if name in found and found[name] != count:
                raise InvalidInput(
                    f"the export is incomplete: its header promises {count} {name}, {found[name]} were found"
                )
        return Export(
            header=self._header,
            turns=tuple(self._turns),
            items=tuple(self._items.values()),
            changes=tuple(self._changes),
            summaries=tuple(self._summaries),
            pending=frozenset(self._pending),
            vectors=self._vectors,
        )


def _parsed(number: int, line: str | bytes) -> dict[str, Any]:
    try:
        record = json.loads(line.lstrip(b"\xef\xbb\xbf") if isinstance(line, bytes) else line.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"line {number}: no valid JSON ({error})") from error
    if not _is_unicode(line) or (
        "\\ud" in str(line).lower() and not _is_unicode(json.dumps(record, ensure_ascii=False))
    ):
        raise InvalidInput(
            f"line {number}: holds characters that are no Unicode; save the export as UTF-8, as it was written"
        )
    if not isinstance(record, dict):
        raise InvalidInput(f"line {number}: expected an object, found {type(record).__name__}")
    return record


def _is_unicode(text: str | bytes) -> bool:
    """Whether every store can hold it: no lone surrogate, which bytes that are no UTF-8 are read as."""
    try:
        _ = text.encode() if isinstance(text, str) else text.decode()
    except UnicodeError:
        return False
    return True


def _read_header(number: int, record: dict[str, Any]) -> Header:
    if not isinstance(record.get("header"), dict):
        raise InvalidInput(f"line {number}: expected the header of an export; found {sorted(record)[:5]}")
    told = record["header"].get("format")
    if isinstance(told, int) and told > FORMAT:
        raise InvalidInput(
            f"line {number}: written in format {told}; this version reads up to {FORMAT}. Upgrade Hermes"
        )
    return _convert(number, record["header"], Header)


def _convert(number: int, value: Any, kind: type[T]) -> T:
    try:
        found = msgspec.convert(value, kind)
        if (naive := next((at for at in _moments(found) if at.tzinfo is None), None)) is not None:
            raise InvalidInput(f"line {number}: the time {naive.isoformat()} has no zone")
        return found
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # a lone surrogate where an enumeration belongs
        raise InvalidInput(f"line {number}: no valid {kind.__name__}: {error}") from error


def _moments(value: object) -> Iterator[datetime]:
    """Every time within a value."""
    if isinstance(value, datetime):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _moments(getattr(value, name))
    elif isinstance(value, tuple):
        for part in value:
            yield from _moments(part)


def _unpacked(number: int, text: Any) -> Vector:
    try:
        vector: Vector = np.frombuffer(base64.b64decode(text, validate=True), dtype="<f4").astype(np.float32)
    except (ValueError, TypeError) as error:
        raise InvalidInput(f"line {number}: the vector is no base64 of float32 numbers: {error}") from error
    if not len(vector) or not np.isfinite(vector).all():
        raise InvalidInput(f"line {number}: the vector is empty or not finite")
    return vector
