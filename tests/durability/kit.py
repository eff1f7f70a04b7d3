"""What the tests under fire share: an extractor that reads one form of sentence, tight bounds, and what must hold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from hermes_core import Hermes
from hermes_core.changes import Event, replay
from hermes_core.commands import caps_broken
from hermes_core.config import build
from hermes_core.testing import candidate

QUICK = build(
    {
        "bounded": {"hot_cap": 20, "archive_cap": 20, "frozen_cap": 4},
        "ingest": {"backoff_seconds": 0.05, "poll_seconds": 0.02},
    }
)
_LIKES = re.compile(r"I like (\w+)")


def sentence(word: str) -> str:
    return f"I like {word}"


class Reader:
    """Finds the words that are liked; quick, so that a test measures the store."""

    name = "reader"

    def extract(self, turns, known):
        return [
            candidate(sentence(w), slot="thing.likes", value=w, turn_id=t.id)
            for t in turns
            for w in _LIKES.findall(t.text)
        ]


def laws_hold(hermes: Hermes, user: str, promised: Iterable[str]) -> None:
    """Laws B, D, X on what is stored: nothing promised is lost, nothing has its effect twice, the trail leads to the state."""
    ledger = hermes._engine.ledger
    stored = [t.id for t in ledger.turns(user)]
    assert len(stored) == len(set(stored)), "a turn is there twice"
    assert not set(promised) - set(stored), "an acknowledged turn is lost"
    assert ledger.pending_count(user) == 0
    states = {ledger.turn_record(user, t.id)["state"] for t in ledger.turns(user) if t.role == "user"}
    assert states <= {"ingested"}, states
    trail = hermes.history(user)
    state = hermes.state(user)
    assert {i.id: i for i in state} == replay(trail), "the trail leads elsewhere"
    assert not caps_broken(state, hermes._engine.configs.of(user), deep=True)
    versions = [c.version for c in trail]
    assert versions == sorted(versions) and state.version >= max(versions, default=0)
    admitted = [(c.item_id, c.cause.turn_id) for c in trail if c.event is Event.ADMITTED and c.cause.by == "turn"]
    assert len(admitted) == len(set(admitted)), "one turn had its effect twice"
    spoken_for = {c.cause.turn_id for c in trail}
    missing = [t for t in promised if t not in spoken_for]
    assert not missing, f"turns without a decision: {missing[:3]}"


def index_equals_ledger(hermes: Hermes) -> None:
    engine = hermes._engine
    assert engine.publisher is not None and engine.publisher.drain(60)
    published = {
        r.id: (r.document, r.metadata["status"], r.metadata["version"]) for r in engine.publisher._index.records()
    }
    stored = {s.item.id: (s.item.text, str(s.item.status), float(s.item.version)) for s in engine.ledger.all_items()}
    assert published == stored


def files_with(folder: Path, *words: str) -> list[str]:
    """The files below the folder that hold one of the words, in UTF-8 or UTF-16 of either order."""
    forms = [w.encode(code) for w in words for code in ("utf-8", "utf-16-le", "utf-16-be")]
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and any(form in path.read_bytes() for form in forms):
            found.append(str(path.relative_to(folder)))
    return found
