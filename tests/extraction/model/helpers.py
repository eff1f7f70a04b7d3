"""Turns and claims in one line, for the tables of this area."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

from hermes_core.items import Candidate, Turn

NOON = datetime(2026, 1, 5, 12, tzinfo=timezone.utc)


def said(text: str, turn_id: str = "t1", role: str = "user") -> Turn:
    return Turn(id=turn_id, user_id="u", session_id="s", role=role, text=text, said_at=NOON)


def claim(
    quote: str, value: str = "", text: str = "", *, kind: str = "preference", slot: str = "note", **more: Any
) -> Candidate:
    more.setdefault("turn_id", "t1")
    return Candidate(kind=kind, slot=slot, value=value or quote, text=text or quote, quote=quote, **more)
