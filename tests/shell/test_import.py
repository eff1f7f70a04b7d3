"""C9: an export comes back whole: the same items, trail, versions and turns, under the same user or another."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_core import Hermes, InvalidInput, StoreError
from hermes_core.config import build
from hermes_core.shell import importing
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    talk = Talk(hermes, clock)
    talk.say("I'm allergic to peanuts.", "I live in Paris.").later().say("I've moved to Munich.").later()
    return talk.say("我喜欢安静的咖啡馆。", "ok thanks")


@pytest.mark.parametrize("worker", [False, True])
def test_a_user_comes_back_whole(talk: Talk, open_hermes: Callable[..., Hermes], tmp_path: Path, worker: bool) -> None:
    lines = list(talk.hermes.export(talk.user_id))
    other = open_hermes(tmp_path, chroma=False, worker=worker)
    assert other.import_(lines) == len(talk.hermes.memories(talk.user_id))
    by_id = {i.id: i for i in other.memories(talk.user_id)}
    assert by_id == {i.id: i for i in talk.hermes.memories(talk.user_id)}
    assert other.history(talk.user_id)[: len(talk.hermes.history(talk.user_id))] == talk.hermes.history(talk.user_id)
    for version in range(talk.hermes.state(talk.user_id).version + 1):
        then = {i.id: i for i in other.as_of(talk.user_id, version)}
        assert then == {i.id: i for i in talk.hermes.as_of(talk.user_id, version)}
    other.flush()
    assert {i.id for i in other.memories(talk.user_id)} == set(by_id), "the imported turns were learned from again"
    assert "peanuts" in other.session(talk.user_id, "new").context("a snack?").text


def test_a_user_comes_back_under_another_name(talk: Talk, open_hermes: Callable[..., Hermes]) -> None:
    other = open_hermes()
    other.import_(talk.hermes.export(talk.user_id), user_id="somebody else")
    assert {i.text for i in other.memories("somebody else")} == {i.text for i in talk.hermes.memories(talk.user_id)}
    assert all(i.user_id == "somebody else" for i in other.memories("somebody else"))
    assert other.memories(talk.user_id) == []


def test_tighter_bounds_keep_what_fits(talk: Talk, open_hermes: Callable[..., Hermes]) -> None:
    other = open_hermes(config=build({"bounded": {"hot_cap": 1, "archive_cap": 1}}))
    other.import_(talk.hermes.export(talk.user_id))
    state = other.state(talk.user_id)
    assert len(state.hot) <= 1 and len(state.archive) <= 1


def test_an_import_over_memories_is_refused_and_changes_nothing(talk: Talk) -> None:
    before = talk.hermes.memories(talk.user_id)
    with pytest.raises(InvalidInput, match="already has memories"):
        talk.hermes.import_(talk.hermes.export(talk.user_id))
    with pytest.raises(InvalidInput, match="line 1"):
        talk.hermes.import_(["{not json"], user_id="new")
    assert talk.hermes.memories(talk.user_id) == before and talk.hermes.users() == [talk.user_id]


class BreaksAt:
    """A ledger's commit that fails at the n-th call."""

    def __init__(self, hermes: Hermes, calls: int, error: BaseException) -> None:
        self.commit, self.left, self.error = hermes._engine.ledger.commit, calls, error

    def __call__(self, commit: Any) -> int:
        self.left -= 1
        if self.left == 0:
            raise self.error
        return self.commit(commit)


@pytest.mark.parametrize("calls", [1, 2, 4])
@pytest.mark.parametrize("error", [StoreError("the disk is full"), KeyboardInterrupt()], ids=["disk", "ctrl-c"])
def test_an_import_that_fails_leaves_nothing_and_can_be_repeated(
    talk: Talk,
    open_hermes: Callable[..., Hermes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    calls: int,
    error: BaseException,
) -> None:
    lines = list(talk.hermes.export(talk.user_id))
    other = open_hermes(tmp_path, chroma=False)
    with monkeypatch.context() as patch:
        patch.setattr(other._engine.ledger, "commit", BreaksAt(other, calls, error))
        with pytest.raises(type(error)):
            other.import_(lines)
    assert other.memories(talk.user_id) == []
    assert other.session(talk.user_id, "s1").turns() == []
    assert other._engine.ledger.pending_count() == 0
    assert other.import_(lines) == len(talk.hermes.memories(talk.user_id))
    with pytest.raises(InvalidInput, match="already has memories"):
        other.import_(lines)


def test_what_a_killed_import_left_is_seen_by_the_doctor_and_taken_back(
    talk: Talk, open_hermes: Callable[..., Hermes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = list(talk.hermes.export(talk.user_id))
    other = open_hermes(tmp_path, chroma=False)
    with monkeypatch.context() as patch:
        patch.setattr(importing, "take_back", lambda engine, owner: None)  # as if the process had been killed there
        patch.setattr(other._engine.ledger, "commit", BreaksAt(other, 3, KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            other.import_(lines)
    with pytest.raises(InvalidInput, match="another process imports"):
        other.import_(lines)
    key = f"importing:{talk.user_id}"
    mark = other._engine.ledger.meta(key)
    assert mark
    other._engine.ledger.put_meta(key, f"{socket.gethostname()}:{2**22 + 1}:0 {mark.partition(' ')[2]}")
    other.session(talk.user_id, "later").observe("user", "I live in Oslo.")
    assert "cut short" in str([check for check in other.doctor().checks if not check.ok])
    other.doctor(repair=True)
    assert other.memories(talk.user_id) == []
    assert other.doctor().healthy
    assert [t.text for t in other.session(talk.user_id, "later").turns()] == ["I live in Oslo."], "law D"
    with pytest.raises(InvalidInput, match="already has memories"):
        other.import_(lines)
    other.flush()
    assert [i.text for i in other.memories(talk.user_id)] == ["I live in Oslo"]


def test_a_forgotten_user_does_not_come_back_by_an_old_export(talk: Talk) -> None:
    lines = list(talk.hermes.export(talk.user_id))
    talk.hermes.forget(talk.user_id, everything=True)
    with pytest.raises(InvalidInput, match="was forgotten here"):
        talk.hermes.import_(lines)
    assert talk.hermes.memories(talk.user_id) == []


def test_turns_that_waited_go_on_waiting(talk: Talk, open_hermes: Callable[..., Hermes]) -> None:
    with talk.hermes.session(talk.user_id, "late") as session:
        session.observe("user", "I work as a nurse.")
    other = open_hermes()
    other.import_(talk.hermes.export(talk.user_id))
    assert not [i for i in other.memories(talk.user_id) if "nurse" in i.text]
    other.flush()
    assert [i for i in other.memories(talk.user_id) if "nurse" in i.text]


def _altered(lines: list[str], kind: str, change: Callable[[dict[str, Any]], None]) -> list[str]:
    """The export with one line of that kind changed: the last of a peanut."""
    n = max(n for n, line in enumerate(lines) if kind in json.loads(line) and "peanut" in line)
    record = json.loads(lines[n])
    change(record[kind])
    return [*lines[:n], json.dumps(record), *lines[n + 1 :]]


def _without_trail(lines: list[str]) -> list[str]:
    header = json.loads(lines[0])
    header["header"]["counts"]["changes"] = 0
    return [json.dumps(header), *(line for line in lines[1:] if "change" not in json.loads(line))]


def _without_an_item(lines: list[str]) -> list[str]:
    header = json.loads(lines[0])
    header["header"]["counts"]["items"] -= 1
    n = next(n for n, line in enumerate(lines) if "item" in json.loads(line))
    return [json.dumps(header), *lines[1:n], *lines[n + 1 :]]


ALTERED: dict[str, Callable[[list[str]], list[str]]] = {
    "another value": lambda lines: _altered(lines, "item", lambda i: i.update(value="almonds", text="I like almonds")),
    "surer": lambda lines: _altered(lines, "item", lambda i: i.update(confidence=1.0, confirmations=9.0)),
    "frozen": lambda lines: _altered(lines, "item", lambda i: i.update(status="confirmed")),
    "another trail": lambda lines: _altered(lines, "change", lambda c: c["after"].update(value="almonds")),
    "no trail": _without_trail,
    "an item less": _without_an_item,
}


@pytest.mark.parametrize("how", ALTERED)
def test_an_altered_export_is_refused_and_nothing_is_written(
    talk: Talk, open_hermes: Callable[..., Hermes], how: str
) -> None:
    """Law R: a memory that its trail doesn't lead to has no history, and no reason to be believed."""
    lines = list(talk.hermes.export(talk.user_id))
    other = open_hermes()
    with pytest.raises(InvalidInput, match=r"trail leads to|does not hold together"):
        other.import_(ALTERED[how](lines))
    assert other.users() == [] and other._engine.ledger.pending_count() == 0
    assert other.import_(lines) == len(talk.hermes.memories(talk.user_id)), "the unaltered one is taken afterwards"
