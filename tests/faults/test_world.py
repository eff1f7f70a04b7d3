"""S: storage. G: forgetting. L: language, time, budget. Bad input: a clear error, nothing half written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

import pytest

from hermes_core import Hermes, InvalidInput, StoreDamaged, StoreError, TiktokenCounter
from hermes_core.config import build
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize(
    "user_id", ["1", "0b2c3d4e-1111-4222-8333-444455556666", "张三", "a/b@c.d", "x" * 200, "🦊🦊", " a", "a"]
)
def test_s2_odd_user_ids_work(
    open_hermes: Callable[..., Hermes], clock: FakeClock, tmp_path: Path, user_id: str
) -> None:
    hermes = open_hermes(tmp_path, chroma=False)
    Talk(hermes, clock, user_id).say("I'm allergic to peanuts.")
    Talk(hermes, clock, user_id + "!").say("I'm allergic to shellfish.")
    assert [i.value for i in hermes.memories(user_id)] == ["peanuts"]
    assert set(hermes.users()) == {user_id, user_id + "!"}


@pytest.mark.parametrize("user_id", ["", " ", "\t", None, 7, "x" * 513, "a\x00b", "a\nb", "\ud800"])
def test_s2_absurd_user_ids_are_refused_with_advice(hermes: Hermes, user_id: object) -> None:
    with pytest.raises(InvalidInput, match="user_id"):
        hermes.session(user_id, "s")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="session_id"):
        hermes.session("user", user_id)  # type: ignore[arg-type]
    assert hermes.users() == []


def test_g1_what_is_forgotten_is_found_by_no_route(talk: Talk) -> None:
    talk.say("I'm allergic to peanuts.", "I live in Lyon.").later()
    hermes, user = talk.hermes, talk.user_id
    talk.context("a snack with peanuts?")
    (item,) = talk.live("peanuts")
    with hermes.session(user, "open") as session:
        assert "peanuts" in session.context("peanuts").text
        gone = hermes.forget(user, item.id)
        assert gone == [item.id]
        assert "peanuts" not in session.context("peanuts").text, "an open session goes on with what it had read"
        assert not [h for h in session.recall("peanuts") if "peanut" in h.item.text]
    assert not talk.all("peanut") and "peanut" not in str(hermes.user_model(user).model_dump())
    assert "peanut" not in "".join(hermes.export(user))
    assert "peanut" not in "".join(c.model_dump_json() for c in hermes.history(user))
    assert "peanut" not in "".join(t.text for t in hermes.session(user, "s1").turns())
    assert talk.all("lyon"), "the rest stays"


def test_g2_an_old_transcript_cannot_bring_it_back_a_new_statement_can(talk: Talk) -> None:
    said_at = talk.clock.now()
    talk.say("I'm allergic to peanuts.")
    talk.hermes.forget(talk.user_id, talk.live("peanuts")[0].id)
    talk.clock.advance(days=1)
    with talk.hermes.session(talk.user_id, "copy") as session:
        session.observe("user", "I'm allergic to peanuts.", turn_id="copied", at=said_at)
    talk.hermes.flush()
    assert not talk.all("peanuts") and "forgotten_by_user" in talk.reasons()
    talk.later().say("I'm allergic to peanuts.")
    assert talk.live("peanuts")


@pytest.mark.slow
def test_g3_without_its_index_a_store_knows_everything_and_builds_it_anew(
    open_hermes: Callable[..., Hermes], clock: FakeClock, tmp_path: Path
) -> None:
    hermes = open_hermes(tmp_path)
    Talk(hermes, clock).say("I'm allergic to peanuts.", "我住在成都。")
    before = hermes.memories("user-1"), hermes.history("user-1")
    hermes.close()
    for part in sorted((tmp_path / "chroma").rglob("*"), reverse=True):
        part.unlink() if part.is_file() else part.rmdir()
    again = open_hermes(tmp_path)
    assert (again.memories("user-1"), again.history("user-1")) == before
    assert again.rebuild() == len(before[0])
    assert len(again._engine.publisher._index.records("user-1")) == len(before[0])  # type: ignore[union-attr]


def test_l1_a_chinese_plan_is_found_in_both_languages(talk: Talk) -> None:
    talk.say("我下周去上海出差。")
    (item,) = talk.live("上海")
    assert item.language == "zh"
    with talk.hermes.session(talk.user_id, "q") as session:
        for query in ("我什么时候出差？", "上海", "my business trip to Shanghai"):
            assert item.id in [h.item.id for h in session.recall(query)], query


def test_l2_times_are_stored_aware_and_in_utc(open_hermes: Callable[..., Hermes]) -> None:
    clock = FakeClock("2026-03-02T00:00:00+00:00")
    hermes = open_hermes(config=build({"timezone": "Asia/Shanghai"}), clock=clock)
    with hermes.session("user-1", "s") as session:
        naive = session.observe("user", "I live in Lyon.", at=datetime(2026, 3, 1, 8, 0))
        aware = session.observe("user", "I'm a nurse.", at=datetime(2026, 3, 1, 8, 0, tzinfo=timezone.utc))
        with pytest.raises(InvalidInput, match="datetime"):
            session.observe("user", "x y z", at="yesterday")  # type: ignore[arg-type]
    assert naive.said_at == datetime(2026, 3, 1, 0, 0, tzinfo=timezone.utc)
    assert aware.said_at.utcoffset() is not None
    hermes.flush()
    assert all(e.said_at.tzinfo is not None for i in hermes.memories("user-1") for e in i.evidence)


@pytest.mark.parametrize("words", ["word and another one. ", "很长的一段话，没有尽头。"])
def test_l3_a_flood_is_bounded(talk: Talk, words: str) -> None:
    talk.say("I'm allergic to peanuts.", words * 3000)
    with talk.hermes.session(talk.user_id, "q") as session:
        block = session.context(words * 3000)
    assert block.tokens == TiktokenCounter().count(block.text) <= 1600
    assert talk.live("peanuts") and all(i.tokens <= 50 for i in talk.all())


ODD = [
    "I like \ud83d\ude00 tea \ud800 a lot",
    "I like\x00 tea",
    "I live in \u202eParis\u202c",
    "🦊" * 10_000,
    "\ufeffI like tea",
    "I like t\u0301ea",
]


@pytest.mark.parametrize("words", ODD)
def test_l4_odd_unicode_corrupts_nothing(
    open_hermes: Callable[..., Hermes], clock: FakeClock, tmp_path: Path, words: str
) -> None:
    hermes = open_hermes(tmp_path, chroma=False)
    talk = Talk(hermes, clock)
    talk.say(words, "I'm allergic to peanuts.")
    talk.context(words)
    again = list(hermes.export(talk.user_id))
    assert again and talk.live("peanuts")
    for line in again:
        line.encode("utf-8")


def test_a_file_that_is_no_database_is_refused_untouched(tmp_path: Path) -> None:
    file = tmp_path / "ledger.db"
    file.write_bytes(b"this is a letter, not a database" * 400)
    before = file.read_bytes()
    with pytest.raises(StoreDamaged, match=r"ledger\.db"):
        Hermes.open(tmp_path, worker=False)
    assert file.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreError):
        Hermes.open(tmp_path / "file" / "memory", worker=False)


def test_commands_on_what_is_not_there_say_so(talk: Talk) -> None:
    talk.say("I live in Lyon.")
    (item,) = talk.live("lyon")
    with pytest.raises(InvalidInput, match="exactly one"):
        talk.hermes.forget(talk.user_id)
    with pytest.raises(InvalidInput, match="at most 50"):
        talk.hermes.correct(talk.user_id, item.id, "I live " + "very " * 60 + "far away")
    with pytest.raises(InvalidInput, match="unknown"):
        talk.hermes.memories(talk.user_id, status="melted")
    assert talk.hermes.get(talk.user_id, item.id) == item
