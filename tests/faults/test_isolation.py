"""I: nothing crosses between users. C: concurrency and async. Through the public door, with real threads and loops."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_core import CallableEmbedder, EmbedderMismatch, Hermes, NotFound, OwnerMismatch, TimedOut
from hermes_core.config import build
from hermes_core.testing import FailingExtractor, FakeClock, HashEmbedder, SlowExtractor
from tests.faults.talk import Talk


@pytest.mark.slow
def test_i1_two_hundred_interleaved_turns_cross_nothing(open_hermes: Callable[..., Hermes]) -> None:
    hermes = open_hermes(worker=True)
    words = {"ana": "heron", "ben": "walnut"}

    def say(user: str, n: int) -> None:
        with hermes.session(user, f"s{n % 7}") as session:
            session.observe("user", f"I collect {words[user]} figurines, series {n}.")
            assert words["ben" if user == "ana" else "ana"] not in session.context("what do I collect?").text

    async def say_all() -> None:
        await asyncio.gather(
            *(hermes.session("ana", "a").aobserve("user", f"I like {words['ana']} number {n}.") for n in range(50))
        )
        await asyncio.gather(
            *(hermes.session("ben", "a").aobserve("user", f"I like {words['ben']} number {n}.") for n in range(50))
        )

    threads = [
        threading.Thread(target=lambda u=u, r=r: [say(u, n) for n in range(r, 50, 2)]) for u in words for r in (0, 1)
    ]
    for thread in threads:
        thread.start()
    asyncio.run(say_all())
    for thread in threads:
        thread.join()
    hermes.flush(timeout=120)
    for user, own in words.items():
        other = words["ben" if user == "ana" else "ana"]
        everything = "".join(i.model_dump_json() for i in hermes.memories(user)) + "".join(
            c.model_dump_json() for c in hermes.history(user)
        )
        assert own in everything and other not in everything


def test_i1_an_item_of_somebody_else_is_an_error(
    hermes: Hermes, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    Talk(hermes, clock, "ana").say("I'm allergic to peanuts.")
    (item,) = hermes.memories("ana")
    for call in (hermes.get, hermes.explain, hermes.confirm, hermes.reject, hermes.pin, hermes.forget):
        with pytest.raises(OwnerMismatch):
            call("ben", item.id)
    assert "does not own" in caplog.text
    with pytest.raises(NotFound):
        hermes.get("ana", "no-such-item")
    assert hermes.get("ana", item.id) == item


@pytest.mark.parametrize(
    "other", [HashEmbedder(64), CallableEmbedder(lambda t: [[1.0] * 512] * len(t), name="mine", dimension=512)]
)
def test_i3_another_embedder_is_refused_and_nothing_is_touched(tmp_path: Path, clock: FakeClock, other: object) -> None:
    with Hermes.open(tmp_path, clock=clock, worker=False, chroma=False) as hermes:
        Talk(hermes, clock).say("I'm allergic to peanuts.")
        before = hermes.memories("user-1")
    with pytest.raises(EmbedderMismatch, match=r"use-multilingual-v3:512.*re-embed"):
        Hermes.open(tmp_path, clock=clock, worker=False, embedder=other)  # type: ignore[arg-type]
    with Hermes.open(tmp_path, clock=clock, worker=False, chroma=False) as hermes:
        assert hermes.memories("user-1") == before


def test_c1_sync_calls_work_inside_a_running_loop(hermes: Hermes) -> None:
    async def chat() -> str:
        with hermes.session("user-1", "s1") as session:
            session.observe("user", "I'm allergic to peanuts.")
            await session.aobserve("user", "我住在成都。")
            hermes.flush()
            await hermes.aflush()
            return session.context("snack?").text + (await session.acontext("snack?")).text

    assert asyncio.run(chat()).count("peanuts") >= 2


def test_c2_five_first_reads_of_a_fresh_store_at_once(open_hermes: Callable[..., Hermes], tmp_path: Path) -> None:
    hermes = open_hermes(tmp_path)
    gate, found, failed = threading.Barrier(5), [], []

    def read(n: int) -> None:
        gate.wait()
        try:
            found.append((hermes.memories(f"user-{n}"), hermes.session(f"user-{n}", "s").recall("anything")))
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=read, args=(n,)) for n in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and found == [([], ())] * 5


def test_c3_a_slow_extractor_never_delays_the_chat(open_hermes: Callable[..., Hermes]) -> None:
    slow = SlowExtractor(seconds=20.0)
    hermes = open_hermes(extractor=slow, worker=True)
    started = time.monotonic()
    with hermes.session("user-1", "s1") as session:
        session.observe("user", "I'm allergic to peanuts.")
        session.context("snack?")
    assert time.monotonic() - started < 5.0
    assert slow.started.wait(10.0)
    with pytest.raises(TimedOut, match="still wait"):
        hermes.flush(timeout=0.2)
    slow.go.set()
    hermes.flush(timeout=20)


@pytest.mark.parametrize("error", [None, OSError("connection refused"), ValueError("nonsense"), KeyError("x")])
def test_c3_a_dead_extractor_loses_no_turn(open_hermes: Callable[..., Hermes], error: BaseException | None) -> None:
    config = build({"ingest": {"backoff_seconds": 0.0, "attempts": 2}})
    hermes = open_hermes(extractor=FailingExtractor(error=error), config=config)
    with hermes.session("user-1", "s1") as session:
        turn = session.observe("user", "I'm allergic to peanuts.")
    hermes.flush()
    (item,) = hermes.memories("user-1")
    assert item.value == "peanuts" and item.evidence[0].turn_id == turn.id
    record = hermes._engine.ledger.turn_record("user-1", turn.id)
    assert (
        record is not None
        and record["state"] == "ingested"
        and ("fail" in record["note"] or "could not" in record["note"])
    )
