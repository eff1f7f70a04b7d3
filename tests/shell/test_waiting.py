"""`flush` that gives up says what the turns wait for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from hermes_core import Candidate, ExtractionFailed, Hermes, MemoryItem, TimedOut, Turn
from hermes_core.config import build
from hermes_core.testing import FakeClock, HashEmbedder


class Down:
    name = "down"

    def extract(self, turns: Sequence[Turn], known: Sequence[MemoryItem]) -> list[Candidate]:
        raise ExtractionFailed("the model at chat.internal has no quota left")


def test_a_flush_that_ends_too_early_names_the_cause(open_hermes: Callable[..., Hermes], clock: FakeClock) -> None:
    hermes = open_hermes(embedder=HashEmbedder(8), config=build({"ingest": {"backoff_seconds": 600.0}}))
    hermes._engine.extractor = Down()  # without the local one behind it
    hermes.session("u", "s").observe("user", "I live in Rome.", turn_id="t1")
    with pytest.raises(TimedOut, match=r"turn t1 of u failed 1 time\(s\), lastly by .*no quota left"):
        hermes.flush(timeout=0.05)
    with pytest.raises(TimedOut, match="turn t1 of u failed"):
        hermes.flush("u", timeout=0.05)


def test_a_turn_that_another_worker_holds(open_hermes: Callable[..., Hermes], clock: FakeClock) -> None:
    hermes = open_hermes(embedder=HashEmbedder(8))
    hermes.session("u", "s").observe("user", "I live in Rome.", turn_id="t1")
    assert hermes._engine.ledger.claim("another:1:x", clock.now(), 60.0) == "u"
    with pytest.raises(TimedOut, match="turn t1 of u has not failed: another worker holds it"):
        hermes.flush(timeout=0.05)
