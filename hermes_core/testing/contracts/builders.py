"""Small values for the contract suites: turns, items, commits. No store may be known here."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import numpy as np

from hermes_core.changes import Cause, Change, Event, step
from hermes_core.items import Evidence, HeldOverride, Kind, MemoryItem, Status, Turn
from hermes_core.ports import Commit, StoredItem

T0 = datetime(2026, 3, 1, 9, 30, 0, 123456, tzinfo=timezone.utc)
DIMENSION = 8
ODD_TEXTS = {
    "empty": "",
    "lone surrogate": "half \ud83d of a pair \udc00",
    "nul": "zero \x00 inside",
    "right to left": "\u202eevil\u202c שלום",
    "emoji": "😀" * 10_000,
    "backslashes": "\\u0041 \\ \\\\",
    "mixed": "我喜欢 dark mode，很喜欢！",
}
ODD_USERS = {
    "digit": "1",
    "float": "1.0",
    "uuid": "3f2b8c1e-97c5-4a44-9f2e-0d4f4f0a7a11",
    "chinese": "张三",
    "address": "a/b@c.d",
    "long": "u" * 200,
    "emoji": "🦊",
    "quote": "x' OR '1'='1",
    "wildcard": "%",
    "backslash": "\\ud800",
    "surrogate": "\ud800",
    "nul": "a\x00b",
}


def later(minutes: float) -> datetime:
    return T0 + timedelta(minutes=minutes)


def turn(number: int, *, user: str = "u1", session: str = "s1", role: str = "user", text: str | None = None) -> Turn:
    said = f"I said thing {number}" if text is None else text
    return Turn(id=f"t{number}", user_id=user, session_id=session, role=role, text=said, said_at=later(number))


def item(number: int | str, *, user: str = "u1", status: Status = Status.CONFIRMED, **fields: Any) -> MemoryItem:
    quote = Evidence(session_id="s1", turn_id="t1", quote=f"quote {number}", said_at=T0)
    base: dict[str, Any] = {
        "id": f"{user}-i{number}",
        "user_id": user,
        "kind": Kind.PREFERENCE,
        "slot": "music.likes",
        "value": f"value {number}",
        "text": f"User likes thing {number}",
        "status": status,
        "created_at": T0,
        "said_at": T0,
        "confirmed_at": T0,
        "half_life_days": 30.0,
        "evidence": (quote,),
    }
    return MemoryItem(**(base | fields))


def held(words: str, *, session: str = "s2", turn_id: str = "t2") -> HeldOverride:
    quote = Evidence(session_id=session, turn_id=turn_id, quote=words, said_at=T0)
    return HeldOverride(value=words, text=f"User: {words}", evidence=(quote,))


def vector(seed: int) -> Any:
    made = np.random.default_rng(seed).normal(size=DIMENSION).astype(np.float32)
    return made / np.linalg.norm(made)


def stored(of: MemoryItem, seed: int | None = None) -> StoredItem:
    number = sum(of.id.encode("utf-8", "surrogatepass")) if seed is None else seed
    return StoredItem(of, vector(number), np.arange(number % 5, dtype=np.uint32))


def image(of: MemoryItem, *, at: datetime = T0, turn_id: str | None = None, before: MemoryItem | None = None) -> Change:
    """A change that puts this image in place."""
    cause = Cause(by="turn", at=at, turn_id=turn_id, session_id="s1")
    return step(before, Event.RESTORED, reason="test", cause=cause, new=of, to=of.status)


def forgotten(of: MemoryItem, at: datetime = T0) -> Change:
    return step(of, Event.FORGOTTEN, reason="test", cause=Cause(by="command", at=at, command="forget"))


def putting(version: int, *items: MemoryItem, at: datetime = T0, **rest: Any) -> Commit:
    """A commit that puts these items, with one change for each."""
    return Commit(
        items[0].user_id,
        version,
        tuple(image(i, at=at) for i in items),
        tuple(stored(i) for i in items),
        **rest,
    )


def forgetting(version: int, *items: MemoryItem, at: datetime = T0, **rest: Any) -> Commit:
    """A commit that forgets these items."""
    changes = tuple(forgotten(i, at) for i in items)
    return Commit(items[0].user_id, version, changes, (), tuple(i.id for i in items), **rest)
