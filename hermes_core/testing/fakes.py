"""Small real stand-ins for the ports: a clock one can turn, an extractor with a script, an embedder without a model.

They are deterministic and offline, and never import a test framework.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from itertools import pairwise

import msgspec
import numpy as np

from hermes_core.embedding.adapters import clean_text, unit_rows
from hermes_core.errors import ExtractionFailed, InvalidInput
from hermes_core.items import Candidate, MemoryItem, Turn
from hermes_core.ports import Extractor, Vectors

__all__ = [
    "FailingExtractor",
    "FakeClock",
    "HashEmbedder",
    "ScriptedExtractor",
    "SlowExtractor",
    "candidate",
]

Script = Mapping[str, Sequence[Candidate]] | Callable[[Sequence[Turn], Sequence[MemoryItem]], Sequence[Candidate]]


class FakeClock:
    """A clock that stands still until it is moved; aware UTC. InvalidInput on a naive time."""

    def __init__(self, start: datetime | str = "2026-01-05T09:00:00+00:00") -> None:
        self._lock = threading.Lock()
        self._now = _aware(start)

    def now(self) -> datetime:
        return self._now

    def advance(
        self, *, weeks: float = 0, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> datetime:
        """Move by a span and return the new time; a negative span moves back, as real clocks sometimes do."""
        span = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
        with self._lock:
            self._now += span
            return self._now

    def set(self, moment: datetime | str) -> datetime:
        """Move to a moment: an aware datetime or its ISO 8601 text."""
        with self._lock:
            self._now = _aware(moment)
            return self._now

    def __repr__(self) -> str:
        return f"FakeClock({self._now.isoformat()!r})"


def _aware(moment: datetime | str) -> datetime:
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment.replace("Z", "+00:00"))
        except ValueError as error:
            raise InvalidInput(f"{moment!r} is no ISO 8601 time") from error
    if moment.tzinfo is None:
        raise InvalidInput(
            f"{moment.isoformat()} has no time zone; pass an aware datetime, such as one with timezone.utc"
        )
    return moment.astimezone(timezone.utc)


def candidate(text: str, *, kind: str = "preference", slot: str = "", value: str = "", **fields: object) -> Candidate:
    """A Candidate with few words: value, quote and slot follow from the text, turn_id is filled in by ScriptedExtractor."""
    table = {"quote": text, "turn_id": "", **fields}
    return msgspec.convert(
        {"kind": kind, "slot": slot or f"{kind}.other", "value": value or text, "text": text, **table}, Candidate
    )


class ScriptedExtractor:
    """Answers by a script: candidates by turn id or by the turn's exact text, or a function of (turns, known).

    Candidates without a turn_id get the id of the turn that they were found by. A turn that the script doesn't
    name gives nothing. `calls` holds what it was asked: a list of (turns, known).
    """

    def __init__(self, script: Script | None = None, name: str = "scripted") -> None:
        self.name = name
        self.script: Script = script if script is not None else {}
        self.calls: list[tuple[tuple[Turn, ...], tuple[MemoryItem, ...]]] = []

    def extract(self, turns: Sequence[Turn], known: Sequence[MemoryItem]) -> list[Candidate]:
        self.calls.append((tuple(turns), tuple(known)))
        script = self.script
        if not isinstance(script, Mapping):
            return list(script(turns, known))
        return [_cited(c, turn) for turn in turns for c in script.get(turn.id, script.get(turn.text, ()))]


def _cited(found: Candidate, turn: Turn) -> Candidate:
    return found if found.turn_id else msgspec.structs.replace(found, turn_id=turn.id)


class FailingExtractor:
    """Fails the first `times` calls (None: always) with ExtractionFailed, or with the exception given; then answers by `then`."""

    def __init__(
        self,
        times: int | None = None,
        then: Extractor | None = None,
        error: BaseException | None = None,
        name: str = "failing",
    ) -> None:
        self.name = name
        self.times = times
        self.then = then
        self.error = error
        self.calls = 0

    def extract(self, turns: Sequence[Turn], known: Sequence[MemoryItem]) -> list[Candidate]:
        self.calls += 1
        if self.times is None or self.calls <= self.times:
            raise self.error if self.error is not None else ExtractionFailed(f"{self.name} was asked to fail")
        return self.then.extract(turns, known) if self.then is not None else []


class SlowExtractor:
    """Answers by `then` after `seconds`, or as soon as `go` is set: for tests of what must not wait for it."""

    def __init__(self, seconds: float = 0.2, then: Extractor | None = None, name: str = "slow") -> None:
        self.name = name
        self.seconds = seconds
        self.then = then
        self.started = threading.Event()
        self.go = threading.Event()

    def extract(self, turns: Sequence[Turn], known: Sequence[MemoryItem]) -> list[Candidate]:
        self.started.set()
        self.go.wait(self.seconds)
        return self.then.extract(turns, known) if self.then is not None else []


_WORDS = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]|[^\s\x00-\x7f]")


class HashEmbedder:
    """Words and character n-grams hashed into a few dimensions: similar wording is near, the rest is about orthogonal.

    Deterministic over processes and machines, needs no model; it knows nothing of meaning or translation.
    """

    def __init__(self, dimension: int = 64, name: str | None = None) -> None:
        if dimension < 2:
            raise InvalidInput(f"HashEmbedder needs at least 2 dimensions, not {dimension}")
        self.dimension = dimension
        self.name = name or f"hash-{dimension}"
        self._axes: dict[str, tuple[int, float]] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        sums = np.zeros((len(texts), self.dimension), dtype=np.float64)
        for row, text in enumerate(texts):
            for feature, weight in _features(clean_text(text)):
                axis, sign = self._axis(feature)
                sums[row, axis] += sign * weight
        return unit_rows(sums, len(texts), self.dimension, self.name)

    def _axis(self, feature: str) -> tuple[int, float]:
        known = self._axes.get(feature)
        if known is None:
            digest = int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8).digest(), "big")
            known = ((digest >> 1) % self.dimension, 1.0 if digest & 1 else -1.0)
            if len(self._axes) < 100_000:
                self._axes[feature] = known
        return known

    def __repr__(self) -> str:
        return f"HashEmbedder({self.dimension})"


def _features(text: str) -> list[tuple[str, float]]:
    """Weighted features: whole words, their character trigrams, and pairs of neighbouring ideographs."""
    words = _WORDS.findall(text.lower())
    found: list[tuple[str, float]] = [(f"w:{word}", 1.0) for word in words]
    for word in words:
        padded = f"<{word}>"
        found += [(f"c:{padded[i : i + 3]}", 0.5) for i in range(len(padded) - 2) if len(word) > 1]
    found += [(f"b:{a}{b}", 1.0) for a, b in pairwise(words) if len(a) == len(b) == 1]
    return found
