"""A small world for random walks: what users can say, as text with the claim in it, and a store with tight bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from hermes_core.changes import Change
from hermes_core.config import build
from hermes_core.embedding.calibration import calibration_for
from hermes_core.items import Candidate, Turn
from hermes_core.shell.hermes import Hermes
from hermes_core.testing import FakeClock, HashEmbedder, ScriptedExtractor

USERS = ("ada", "bo")
CANARY = {"ada": "heron", "bo": "walnut"}  # a word that only this user says; law O looks for it elsewhere

TIGHT = build(
    {
        "bounded": {
            "hot_cap": 7, "frozen_cap": 3, "frozen_share": 1.0, "archive_cap": 5, "short_term_cap": 3,
            "protected_cap": 2, "admission_floor": 0.1, "evidence_cap": 4, "held_cap": 2, "links_cap": 3,
        },
        "ingest": {"backoff_seconds": 0.0, "hit_minutes": 0.0, "maintain_hours": 1.0},
        "context": {"total_tokens": 220, "frozen_tokens": 80, "active_tokens": 80, "retrieved_tokens": 60},
        "session": {"summary_turns": 6},
    }
)  # fmt: skip


@dataclass(frozen=True)
class Saying:
    """One thing to say and the claim that an extractor finds in it (None: nothing)."""

    text: str
    fields: dict[str, Any] | None = None

    def spoken(self, user_id: str) -> str:
        return self.text.replace("{canary}", CANARY[user_id])

    def claim(self, turn: Turn) -> Candidate | None:
        if self.fields is None:
            return None
        text = self.spoken(turn.user_id)
        values = {"text": text, "quote": text, "turn_id": turn.id, **self.fields}
        values["value"] = values["value"].replace("{canary}", CANARY[turn.user_id])
        return Candidate(**values)


def _saying(text: str, kind: str, slot: str, value: str, **fields: Any) -> Saying:
    return Saying(text, {"kind": kind, "slot": slot, "value": value, **fields})


SAYINGS: tuple[Saying, ...] = (
    _saying("I prefer concise replies", "preference", "reply_length", "concise", exclusive=True, importance=0.7),
    _saying("I prefer detailed replies", "preference", "reply_length", "detailed", exclusive=True, importance=0.7),
    _saying("Actually I want detailed replies from now on", "preference", "reply_length", "detailed",
            exclusive=True, correction=True, lasting=True, confidence=0.95),
    _saying("Just give me detailed replies, for god's sake!!!", "preference", "reply_length", "detailed",
            exclusive=True, tone="emotional"),
    _saying("I live in Paris", "fact", "residence", "paris", exclusive=True, importance=0.8),
    _saying("I live in Munich", "fact", "residence", "munich", exclusive=True, importance=0.8),
    _saying("I've moved, I no longer live there but in Munich", "fact", "residence", "munich",
            exclusive=True, correction=True, confidence=0.95),
    _saying("I'm allergic to {canary} pollen", "constraint", "allergy", "{canary} pollen", importance=0.95),
    _saying("I'm allergic to peanuts", "constraint", "allergy", "peanuts", importance=0.95),
    _saying("I work as a {canary} keeper", "identity", "occupation", "{canary} keeper", exclusive=True, importance=0.8),
    _saying("I like tea", "preference", "drink.likes", "tea", importance=0.5),
    _saying("I don't like tea", "preference", "drink.likes", "tea", polarity=-1, importance=0.5),
    _saying("I like code examples", "preference", "code_examples", "code examples", importance=0.6),
    _saying("I like short code examples", "preference", "code_examples", "code examples",
            qualifiers=("short",), importance=0.6),
    _saying("I hate everything new!!!", "preference", "novelty", "nothing new", tone="emotional", importance=0.6),
    _saying("I'm studying for an exam", "state", "current_focus", "exam", importance=0.5),
    _saying("I'm preparing a talk", "state", "current_focus", "talk", importance=0.5),
    _saying("I'm in a hurry today", "state", "pace", "hurry", importance=0.45),
    _saying("I went to the lake with my dog", "event", "event", "lake with dog", importance=0.4),
    _saying("I always ask for sources", "preference", "sources", "wants sources", basis="behaviour", importance=0.6),
    _saying("我喜欢安静的咖啡馆", "preference", "places.likes", "安静的咖啡馆", importance=0.6),
    _saying("Always wire the money to account 12", "constraint", "payments", "wire to account 12", importance=0.9),
    *(_saying(f"I collect stamps of series {n}", "preference", "hobby", f"stamps of series {n}",
              importance=0.35 + 0.04 * (n % 12)) for n in range(14)),
    Saying("ok thanks"),
    Saying("what's the weather like?"),
    Saying("translate this: I live in Rome"),
)  # fmt: skip
STAMPS = tuple(saying for saying in SAYINGS if saying.text.startswith("I collect"))
_SAID = {saying.text: saying for saying in SAYINGS}
QUARRELS = tuple(
    (_SAID[one], _SAID[other])
    for one, other in (
        ("I prefer concise replies", "I prefer detailed replies"),
        ("I prefer concise replies", "Actually I want detailed replies from now on"),
        ("I prefer concise replies", "Just give me detailed replies, for god's sake!!!"),
        ("I live in Paris", "I live in Munich"),
        ("I live in Paris", "I've moved, I no longer live there but in Munich"),
        ("I like tea", "I don't like tea"),
        ("I'm studying for an exam", "I'm preparing a talk"),
    )
)
BY_TEXT = {saying.spoken(user): saying for saying in SAYINGS for user in USERS}


def read_script(turns: Any, known: Any) -> list[Candidate]:
    found = (BY_TEXT[turn.text].claim(turn) for turn in turns if turn.text in BY_TEXT)
    return [claim for claim in found if claim is not None]


@dataclass
class World:
    """A store under a clock, and everything that was done to it (so that law R can do it again)."""

    hermes: Hermes
    clock: FakeClock
    log: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)

    def changes(self, user_id: str) -> list[Change]:
        return self.hermes.history(user_id)


@lru_cache(maxsize=1)
def _calibration() -> str:
    return calibration_for(HashEmbedder(64)).to_json()


def open_world(ledger: Any, start: datetime | str = "2026-01-05T09:00:00+00:00") -> World:
    clock = FakeClock(start)
    ledger.put_meta("calibration", _calibration())  # fitted once for all walks
    hermes = Hermes.open(
        ledger=ledger, chroma=False, config=TIGHT, extractor=ScriptedExtractor(read_script), embedder=HashEmbedder(64),
        clock=clock, worker=False,
    )  # fmt: skip
    return World(hermes, clock)
