"""What of a statement would give it away if it came again (C6); digested with the store's key before it is kept."""

from __future__ import annotations

from hermes_core.items import Candidate, MemoryItem


def traces(said: Candidate | MemoryItem, turn_text: str) -> list[tuple[str, ...]]:
    """Its claim, its wording, and the turn that it stood in, without case and spacing."""
    return [
        ("claim", said.subject, said.slot, said.value.casefold()),
        ("text", _plain(said.text)),
        ("turn", _plain(turn_text)),
    ]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
