"""`flush` waits: it asks the ledger now and then, and not all the time, for turns that can't be taken in yet."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import datetime

import pytest

from hermes_core import Hermes
from hermes_core.config import build
from hermes_core.errors import ExtractorUnreachable, TimedOut
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.testing import FailingExtractor, FakeClock, HashEmbedder, SlowExtractor
from tests.durability.kit import Reader, sentence

AWAY = ExtractorUnreachable("the model is away")


class Asked(InMemoryLedger):
    """Counts how often it was asked for work."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: Counter[str] = Counter()

    def claim(self, worker: str, now: datetime, seconds: float, user_id: str | None = None) -> str | None:
        self.calls["claim"] += 1
        return super().claim(worker, now, seconds, user_id)


def opened(ledger: InMemoryLedger, clock: FakeClock, extractor, **ingest: float) -> Hermes:
    config = build({"ingest": ingest})
    return Hermes.open(
        ledger=ledger,
        chroma=False,
        embedder=HashEmbedder(16),
        extractor=extractor,
        clock=clock,
        config=config,
        worker=False,
    )


def test_a_flush_over_turns_that_were_put_off_looks_now_and_then(clock: FakeClock) -> None:
    ledger = Asked()
    with opened(ledger, clock, FailingExtractor(error=AWAY), backoff_seconds=3600, attempts=3) as hermes:
        hermes.session("u", "s").observe("user", sentence("tea"))
        with pytest.raises(TimedOut, match="1 turn"):
            hermes.flush(timeout=1.0)
    # 5, 10, … 160, then every 200 ms: at most a dozen a second; every 5 ms were two hundred
    assert 3 <= ledger.calls["claim"] <= 20


def test_a_flush_goes_on_when_what_was_put_off_is_due(clock: FakeClock) -> None:
    """The clock moves while it waits."""
    ledger = Asked()
    with opened(ledger, clock, FailingExtractor(times=1, then=Reader(), error=AWAY), backoff_seconds=3600) as hermes:
        hermes.session("u", "s").observe("user", sentence("tea"))
        later = threading.Timer(0.3, lambda: clock.advance(hours=2))
        later.start()
        hermes.flush(timeout=60)
        later.join()
        assert [i.value for i in hermes.memories("u")] == ["tea"]


def test_a_flush_hears_of_a_batch_that_another_thread_has_in_hand(clock: FakeClock) -> None:
    """With looks an hour apart it must be told."""
    slow = SlowExtractor(seconds=60, then=Reader())
    with opened(InMemoryLedger(), clock, slow, poll_seconds=3600) as hermes:
        hermes.session("u", "s").observe("user", sentence("tea"))
        working = threading.Thread(target=lambda: hermes.flush(timeout=60))
        working.start()
        assert slow.started.wait(60)
        waiting = threading.Thread(target=lambda: hermes.flush(timeout=60))
        waiting.start()
        waiting.join(1.5)  # by now its next look is seconds away
        assert waiting.is_alive()
        slow.go.set()
        working.join()
        waiting.join(60)
        assert not waiting.is_alive()
        assert [i.value for i in hermes.memories("u")] == ["tea"]
