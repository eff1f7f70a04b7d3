"""A turn that breaks whoever reads it is set aside, visible, and never bars the rest (W1, law D)."""

import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest

from hermes_core import Hermes
from hermes_core.config import build
from hermes_core.shell.ingest import first_session
from hermes_core.stores.holders import holder_name, is_dead
from hermes_core.stores.sql import SqlLedger
from hermes_core.testing import FakeClock, HashEmbedder, candidate

QUICK = build({"ingest": {"backoff_seconds": 0.0}})


class Poisoned:
    """Raises on every batch with the word in it, and knows what the others say."""

    name = "poisoned"

    def __init__(self, error):
        self.error = error

    def extract(self, turns, known):
        if any("poison" in t.text for t in turns):
            raise self.error
        return [candidate(t.text, turn_id=t.id, slot="music.likes", value=t.text.split()[-1]) for t in turns]


@pytest.mark.parametrize(
    "error", [ValueError("x"), RecursionError("deep"), MemoryError(), SystemExit(3), KeyError("k"), OSError(5, "io")]
)
def test_whatever_the_extractor_raises_the_rest_goes_on(open_hermes, clock, error):
    poisoned = Poisoned(error)
    hermes = open_hermes(extractor=poisoned, embedder=HashEmbedder(), config=QUICK)
    hermes._engine.local = poisoned  # not even the local one can read it
    with hermes.session("u", "s") as session, hermes.session("other", "s") as other:
        bad = session.observe("user", "I like poison")
        session.observe("user", "I like jazz")
        other.observe("user", "I like techno")
    hermes.flush(timeout=20)
    assert [i.value for i in hermes.memories("u")] == ["jazz"]
    assert [i.value for i in hermes.memories("other")] == ["techno"]
    record = hermes._engine.ledger.turn_record("u", bad.id)
    assert record["state"] == "set_aside"
    assert type(error).__name__ in record["reason"]


class Broken:
    """An embedder that fails on one text: not the extractor, but a step after it."""

    def __init__(self, inner):
        self.inner, self.name, self.dimension = inner, inner.name, inner.dimension

    def embed(self, texts):
        if any("cursed" in t for t in texts):
            raise RuntimeError("cursed")
        return self.inner.embed(texts)


def test_a_failure_behind_the_extractor_is_no_different(open_hermes):
    hermes = open_hermes(extractor=Poisoned(ValueError()), embedder=Broken(HashEmbedder()), config=QUICK)
    with hermes.session("u", "s") as session:
        bad = session.observe("user", "I like cursed")
        session.observe("user", "I like jazz")
    hermes.flush(timeout=20)
    assert [i.value for i in hermes.memories("u")] == ["jazz"]
    assert hermes._engine.ledger.turn_record("u", bad.id)["state"] == "set_aside"


def test_the_worker_thread_survives_everything(open_hermes):
    hermes = open_hermes(extractor=Poisoned(SystemExit(1)), embedder=HashEmbedder(), config=QUICK, worker=True)
    with hermes.session("u", "s") as session:
        session.observe("user", "I like poison")
    hermes.flush(timeout=20)
    with hermes.session("u", "s") as session:
        session.observe("user", "I like jazz")
    hermes.flush(timeout=20)
    assert hermes._worker._thread.is_alive()
    assert {i.value for i in hermes.memories("u")} == {
        "poison",
        "jazz",
    }  # the local extractor reads what the other can't


KILLER = """
import os, signal, sys
from hermes_core import Hermes
from hermes_core.config import build
from hermes_core.testing import HashEmbedder, candidate
class Killer:
    name = "killer"
    def extract(self, turns, known):
        if any("poison" in t.text for t in turns):
            os.kill(os.getpid(), signal.SIGKILL)
        return [candidate(t.text, turn_id=t.id, slot="music.likes", value=t.text.split()[-1]) for t in turns]
hermes = Hermes.open(sys.argv[1], extractor=Killer(), embedder=HashEmbedder(), chroma=False, worker=False)
hermes._engine.local = Killer()  # the local one can't read it either
hermes.flush(timeout=30)
hermes.close()
"""


@pytest.mark.slow
def test_a_turn_that_kills_the_process_is_set_aside_after_some_deaths(tmp_path):
    """Not even an exception is left: the lease of the dead tells the tale, and nobody waits until it runs out."""
    with Hermes.open(tmp_path, embedder=HashEmbedder(), chroma=False, worker=False) as hermes:
        session = hermes.session("u", "s")
        bad = session.observe("user", "I like poison")
        session.observe("user", "I like jazz")
    codes = []
    while not codes or codes[-1]:
        done = subprocess.run([sys.executable, "-c", KILLER, str(tmp_path)], capture_output=True, timeout=60)
        codes.append(done.returncode)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
        assert len(codes) < 16
    assert codes.count(-signal.SIGKILL) == 9  # three tries, one with the local extractor, five more
    ledger = SqlLedger.open(tmp_path)
    assert ledger.turn_record("u", bad.id)["state"] == "set_aside"
    assert "died" in ledger.turn_record("u", bad.id)["reason"]
    assert [i.value for i in ledger.load("u").state] == ["jazz"]
    ledger.close()


def test_a_living_holder_keeps_its_lease(tmp_path):
    ledger, clock = SqlLedger.open(tmp_path), FakeClock()
    with Hermes.open(ledger=ledger, chroma=False, embedder=HashEmbedder(), clock=clock, worker=False) as hermes:
        turn = hermes.session("u", "s").observe("user", "I like jazz")
        assert ledger.claim(holder_name(), clock.now(), 60) == "u"
        assert ledger.free_leases(is_dead, clock.now()) == []
        assert ledger.claim("another", clock.now(), 60) is None
        assert ledger.free_leases(lambda holder: True, clock.now()) == ["u"]
        assert ledger.pending("u")[0].attempts == 1
        assert ledger.claim("another", clock.now(), 60) == "u"
        ledger.begin("u", turn.id, "another")
        assert ledger.claim("third", clock.now() + timedelta(seconds=61), 60) == "u"
        assert ledger.pending("u")[0].attempts == 2  # a lease that ran out is a death as well


def test_who_is_dead():
    assert not is_dead(holder_name())
    assert not is_dead("somewhere else:1:abc") and not is_dead("12-abc") and not is_dead("")
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    assert is_dead(holder_name().replace(f":{os.getpid()}:", f":{child}:"))


def test_a_turn_that_failed_twice_lets_the_others_pass(tmp_path):
    ledger, clock = SqlLedger.open(tmp_path), FakeClock()
    with Hermes.open(ledger=ledger, chroma=False, embedder=HashEmbedder(), clock=clock, worker=False) as hermes:
        turns = [hermes.session("u", s).observe("user", f"I like {s}") for s in ("jazz", "tea", "chess")]
        waiting = ledger.pending("u")
        assert [p.turn.id for p in first_session(waiting)] == [turns[0].id]
        ledger.postpone("u", [turns[0].id], "failed", clock.now())
        assert [p.turn.id for p in first_session(ledger.pending("u"))] == [turns[0].id]
        ledger.postpone("u", [turns[0].id], "failed", clock.now())
        assert [p.turn.id for p in first_session(ledger.pending("u"))] == [turns[1].id]
        for turn in turns[1:]:
            ledger.set_aside("u", turn.id, "for the test")
        assert [p.turn.id for p in first_session(ledger.pending("u"))] == [turns[0].id]
