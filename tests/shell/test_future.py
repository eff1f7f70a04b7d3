"""Nothing can be said in the future: a turn dated there would outdate everything that is said until then."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from hermes_core import Hermes, InvalidInput
from hermes_core.config import build
from hermes_core.importers import open_chat
from hermes_core.testing import FakeClock

FAR = datetime(9999, 12, 31, 23, 59, tzinfo=timezone.utc)


def residences(hermes: Hermes) -> list[str]:
    hermes.flush()
    return [item.value for item in hermes.memories("u") if item.slot == "residence" and item.status != "archived"]


@pytest.mark.parametrize("at", [FAR, datetime.max, datetime.max.replace(tzinfo=timezone.utc)])
def test_a_turn_from_the_future_is_refused_and_leaves_nothing(hermes: Hermes, at: datetime) -> None:
    session = hermes.session("u", "s")
    with pytest.raises(InvalidInput, match=r"ahead of the store's clock|outside the calendar"):
        session.observe("user", "I live in Rome.", at=at)
    assert hermes.users() == [] and session.turns() == []
    session.observe("user", "I live in Oslo.")
    assert residences(hermes) == ["oslo"]


def test_a_fast_clock_is_put_right(hermes: Hermes, clock: FakeClock) -> None:
    turn = hermes.session("u", "s1").observe("user", "I live in Rome.", at=clock.now() + timedelta(hours=20))
    assert turn.said_at == clock.now()
    hermes.flush()
    clock.advance(hours=1)
    hermes.session("u", "s2").observe("user", "I moved to Oslo.")
    assert residences(hermes) == ["oslo"], "what was dated ahead outdated what was said after it"


def test_how_far_ahead_is_configured(open_hermes: Callable[..., Hermes], clock: FakeClock) -> None:
    hermes = open_hermes(config=build({"ingest": {"ahead_hours": 0.5}}))
    hermes.session("u", "s").observe("user", "hello", at=clock.now() + timedelta(minutes=29))
    with pytest.raises(InvalidInput, match=r"more than 0\.5 hours"):
        hermes.session("u", "s").observe("user", "hello", at=clock.now() + timedelta(minutes=31))


CHATS = {
    "chat.jsonl": '{"role": "user", "content": "I live in Oslo.", "time": "2024-05-01T10:00:00Z"}\n'
    '{"role": "user", "content": "I live in Rome.", "time": "9999-12-31T10:00:00Z"}\n'
    '{"role": "user", "content": "I like tea.", "time": "2024-05-01T10:02:00Z"}\n',
    "chat.json": '[{"role": "user", "content": "I live in Oslo.", "time": 1714557600},\n'
    '{"role": "user", "content": "I live in Rome.", "time": 99000000000},\n'
    '{"role": "user", "content": "I like tea.", "time": 1714557720}]',
    "chat.txt": "[2024-05-01 10:00] user: I live in Oslo.\n"
    "[9999-12-31 10:00] user: I live in Rome.\n[2024-05-01 10:02] user: I like tea.\n",
}


@pytest.mark.parametrize("name", CHATS)
def test_an_importer_tells_the_line_and_goes_on(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(CHATS[name])
    with pytest.raises(InvalidInput, match=rf"{name}:2: .*has not come yet"):
        open_chat(tmp_path / name)
    chat = open_chat(tmp_path / name, skip_problems=True)
    assert [(p.line, "not come yet" in p.text) for p in chat.problems] == [(2, True)]
    turns = list(chat)
    assert [turns[0].text, turns[-1].text] == ["I live in Oslo.", "I like tea."]
    assert all(turn.said_at.year == 2024 for turn in turns)


def test_made_up_times_never_run_ahead(tmp_path: Path) -> None:
    """Sessions without times follow by a day each; they end where the chat can have been said at the latest."""
    latest = datetime(2024, 5, 1, 12, tzinfo=timezone.utc)
    (tmp_path / "chat.txt").write_text("# 2024-05-01\nuser: hello\n\n\n" + "user: again\nassistant: hi\n\n\n" * 9)
    turns = list(open_chat(tmp_path / "chat.txt", latest=latest))
    assert len({turn.session_id for turn in turns}) == 10
    assert max(turn.said_at for turn in turns) == latest
    (tmp_path / "old.txt").write_text("user: hi\n[0001-01-01 00:00] user: hello\n")
    assert len(list(open_chat(tmp_path / "old.txt"))) == 2


def test_an_export_from_the_future_is_refused(hermes: Hermes, open_hermes: Callable[..., Hermes]) -> None:
    hermes.session("u", "s").observe("user", "I'm allergic to peanuts.")
    hermes.flush()
    lines = list(hermes.export("u"))
    earlier = open_hermes(clock=FakeClock("2025-01-01T00:00:00+00:00"))
    with pytest.raises(InvalidInput, match="ahead of this store's clock"):
        earlier.import_(lines)
    assert earlier.users() == []
