"""Turns and a shared extractor for the local extractor's tests."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from functools import lru_cache

from hermes_core.extraction.local import LocalExtractor
from hermes_core.items import Candidate, Turn
from hermes_core.ports import Extraction

START = datetime(2026, 3, 2, 9, tzinfo=timezone.utc)


def turn(text: str, number: int = 1, role: str = "user") -> Turn:
    at = START + timedelta(minutes=number)
    return Turn(id=f"t{number}", user_id="u", session_id="s", role=role, text=text, said_at=at, seq=number)


@lru_cache(maxsize=1)
def extractor() -> LocalExtractor:
    return LocalExtractor()


def said(*texts: str) -> Extraction:
    return extractor().extract([turn(text, n) for n, text in enumerate(texts, 1)], [])


def only(text: str) -> Candidate:
    found = said(text)
    assert len(found) == 1, (list(found), found.dismissed)
    return found[0]
