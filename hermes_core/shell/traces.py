"""What of a statement would give it away if it came again (C6); digested with the store's key before it is kept."""

from __future__ import annotations

from hermes_core.items import Candidate, MemoryItem, Turn


def traces(said: Candidate | MemoryItem, turn_text: str) -> list[tuple[str, ...]]:
    """Its claim, its wording, and the turn that it stood in, without case and spacing."""
    return [
        ("claim", said.subject, said.slot, said.value.casefold()),
        ("text", _plain(said.text)),
        ("turn", _plain(turn_text)),
    ]


def turn_traces(turn: Turn) -> list[tuple[str, ...]]:
    """What would give a whole turn away if it were sent again: its words, its session, and that all was forgotten."""
    return [("turn", _plain(turn.text)), ("session", turn.session_id), EVERYTHING]


def id_trace(turn_id: str) -> tuple[str, ...]:
    """The same id is the same turn, whenever it comes."""
    return ("turn id", turn_id)


EVERYTHING = ("everything",)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
