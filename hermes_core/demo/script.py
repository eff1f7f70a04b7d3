"""The demo's conversation as values, read from conversation.json. Nothing is replayed or printed here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Spoken:
    """One message of the script. `shown`: an assistant's line that is needed to understand the user's answer."""

    role: str
    text: str
    at: datetime
    shown: bool


@dataclass(frozen=True)
class Script:
    """One session of the script."""

    id: str
    title: dict[str, str]
    at: datetime
    turns: tuple[Spoken, ...]


@dataclass(frozen=True)
class Conversation:
    """The whole script, and the question with which the session after the last one begins."""

    user_id: str
    sessions: tuple[Script, ...]
    next_id: str
    next_at: datetime
    next_query: str

    @property
    def weeks(self) -> int:
        return (self.sessions[-1].at - self.sessions[0].at).days // 7 + 1


def load(until: datetime | None = None) -> Conversation:
    """The conversation that the package ships; moved by whole weeks so that it ends in the week before `until`."""
    data = json.loads(files("hermes_core.demo").joinpath("conversation.json").read_text(encoding="utf-8"))
    following = data["next"]
    end = datetime.fromisoformat(following["at"])
    moved = timedelta(weeks=(until - end) // timedelta(weeks=1)) if until is not None else timedelta()
    return Conversation(
        user_id=data["user"],
        sessions=tuple(_script(entry, moved) for entry in data["sessions"]),
        next_id=following["id"],
        next_at=end + moved,
        next_query=following["query"],
    )


def _script(entry: dict[str, Any], moved: timedelta) -> Script:
    start = datetime.fromisoformat(entry["at"]) + moved
    turns = tuple(
        Spoken(t["role"], t["text"], start + timedelta(minutes=t["minute"], seconds=n), bool(t.get("shown")))
        for n, t in enumerate(entry["turns"])
    )
    return Script(entry["id"], entry["title"], start, turns)
