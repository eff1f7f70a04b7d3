"""Replays a conversation into a store, session by session, and hands over what each user turn led to. Prints nothing.

The store is real (SQLite and Chroma in a folder, the default embedder and extractor); only the clock is set by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_core.changes import Change, Event
from hermes_core.config import Config, build
from hermes_core.demo.script import Conversation, Script, Spoken
from hermes_core.items import MemoryItem
from hermes_core.views import ContextBlock, Stats

# Twelve weeks of one person would never fill 200 places, so the demo's pools are small: the bounded gate has work to do.
SMALL_POOLS = {"bounded": {"hot_cap": 22, "short_term_cap": 3}}


@dataclass(frozen=True)
class ReplayedTurn:
    """A user's turn and what it changed, in order; the assistant's line before it where it matters."""

    spoken: Spoken
    changes: tuple[Change, ...]
    after_line: str = ""


@dataclass(frozen=True)
class ReplayedSession:
    """A session as it went; `by_time` is what time alone had changed since the one before."""

    script: Script
    by_time: tuple[Change, ...]
    turns: tuple[ReplayedTurn, ...]
    version: int


@dataclass(frozen=True)
class Finished:
    """The end: what the next session would see, and what the store holds."""

    by_time: tuple[Change, ...]
    block: ContextBlock
    items: tuple[MemoryItem, ...]
    stats: Stats
    changes: int


def settings() -> Config:
    """The demo's configuration: the defaults, with small pools."""
    return build(SMALL_POOLS)


def replay(folder: Path, conversation: Conversation, language: str = "en") -> Iterator[ReplayedSession | Finished]:
    """Each session after it went through the gates, then the end. The store in `folder` must not exist yet."""
    from hermes_core import Hermes
    from hermes_core.testing import FakeClock

    clock = FakeClock(conversation.sessions[0].at.isoformat())
    with Hermes.open(folder, config=settings(), clock=clock, worker=False) as hermes:
        seen = 0
        for script in conversation.sessions:
            clock.set(script.at.isoformat())
            hermes.maintain(conversation.user_id)
            _play(hermes, clock, conversation.user_id, script)
            trail = hermes.history(conversation.user_id)
            yield _replayed(script, trail[seen:])
            seen = len(trail)
        clock.set(conversation.next_at.isoformat())
        hermes.maintain(conversation.user_id)
        with hermes.session(conversation.user_id, conversation.next_id) as session:
            block = session.context(conversation.next_query, language=language)
        trail = hermes.history(conversation.user_id)
        yield Finished(
            by_time=_shown(trail[seen:]),
            block=block,
            items=tuple(hermes.memories(conversation.user_id)),
            stats=hermes.stats(conversation.user_id),
            changes=len(trail),
        )


def _play(hermes: Any, clock: Any, user_id: str, script: Script) -> None:
    """As a chat does it: memory is read for each question, every message is observed, the gates work behind."""
    with hermes.session(user_id, script.id) as session:
        for number, spoken in enumerate(script.turns):
            clock.set(spoken.at.isoformat())
            if spoken.role == "user":
                session.context(spoken.text)
            session.observe(spoken.role, spoken.text, turn_id=turn_id(script, number))
    hermes.flush(user_id)


def turn_id(script: Script, number: int) -> str:
    return f"{script.id}-{number + 1:02}"


def _replayed(script: Script, changes: list[Change]) -> ReplayedSession:
    turns = []
    for number, spoken in enumerate(script.turns):
        if spoken.role != "user":
            continue
        own = [change for change in changes if change.cause.turn_id == turn_id(script, number)]
        before = script.turns[number - 1] if number else None
        turns.append(ReplayedTurn(spoken, _shown(own), before.text if before is not None and before.shown else ""))
    by_time = _shown([change for change in changes if change.cause.turn_id is None])
    return ReplayedSession(script, by_time, tuple(turns), max((c.version for c in changes), default=0))


def _shown(changes: list[Change]) -> tuple[Change, ...]:
    """Without bookkeeping: that an item reached a context, or that a derived number was computed anew."""
    return tuple(change for change in changes if change.event not in (Event.HIT, Event.REVALUED))
