"""A conversation kept in the store, as chat messages, and the part of it that fits into a prompt.

Nothing but what was put in comes out: memory is never added here.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from llama_index.core.base.llms.types import ChatMessage, MessageRole

from hermes_core import Session
from hermes_core.hosting import Host
from hermes_llamaindex.convert import message_of, same, turn_id_of, turn_of, whole

RECENT = 200  # messages that are read at first, and kept in this process in case the store fails


class Entry(NamedTuple):
    """A message and the id of its turn; "" when it could not be stored."""

    turn_id: str
    message: ChatMessage


class Conversation:
    """One session's messages: durable, and still there within this process when the store fails. Safe from any thread."""

    def __init__(self, host: Host, session: Session) -> None:
        self._host, self.session = host, session
        self._own: deque[Entry] = deque(maxlen=RECENT)
        self._lock = threading.Lock()

    def __deepcopy__(self, memo: object) -> Conversation:
        return self

    def put(self, message: ChatMessage, *, learn: bool = True) -> None:
        """Store a message; the core learns from a user's. With `learn=False` it is only kept, whole."""
        stored = turn_of(message) if learn else ("tool", whole(message))
        if stored is None:
            return
        turn = self._host.observe(
            self.session, *stored, turn_id=turn_id_of(self.session.session_id, message) if learn else None
        )
        with self._lock:
            self._own.append(Entry(turn.id if turn is not None else "", message.model_copy(deep=True)))

    def entries(self) -> list[Entry]:
        """What was said since the conversation was last cleared, oldest first."""
        return self._read(None)[0]

    def window(self, tokens: int, size: Callable[[ChatMessage], int]) -> list[Entry]:
        """The latest whole exchanges that fit into so many tokens; the last one always."""
        entries, more = self._read(RECENT)
        fitting = fit([size(entry.message) for entry in entries], tokens)
        if fitting == 0 and more:
            entries = self.entries()
            fitting = fit([size(entry.message) for entry in entries], tokens)
        return from_user(entries, fitting)

    def _read(self, limit: int | None) -> tuple[list[Entry], bool]:
        """The latest messages, and whether there may be more before them."""
        turns = self._host.conversation(self.session, limit=limit)
        with self._lock:
            own = list(self._own)
        if turns is None:
            return own, False
        originals = {entry.turn_id: entry.message for entry in own}
        stored = [Entry(t.id, found) for t in turns if (found := originals.get(t.id) or message_of(t)) is not None]
        if "" in originals:
            stored = [entry for entry in stored if entry.turn_id not in originals] + own
        return stored, len(turns) == limit

    def replace(self, messages: Sequence[ChatMessage]) -> None:
        """Make these the conversation. What it holds already stays as it is; nothing is learned from the rest."""
        held = [entry.message for entry in self.entries()]
        if len(messages) < len(held) or not all(map(same, held, messages)):
            self.clear()
            held = []
        for message in messages[len(held) :]:
            self.put(message, learn=False)

    def clear(self) -> None:
        """Start anew. What was learned stays."""
        with self._lock:
            self._own.clear()
        self._host.clear(self.session)


def fit(sizes: Sequence[int], limit: int) -> int:
    """The place from which on everything fits into the limit."""
    room = limit
    for at in range(len(sizes) - 1, -1, -1):
        room -= sizes[at]
        if room < 0:
            return at + 1
    return 0


def from_user(entries: list[Entry], start: int) -> list[Entry]:
    """The entries from `start` on, moved to where a user speaks, so that no tool's answer stands without its call."""
    if start == 0:
        return entries
    users = [at for at, entry in enumerate(entries) if entry.message.role == MessageRole.USER]
    later = [at for at in users if at >= start]
    return entries[(later or users[-1:] or [start])[0] :]
