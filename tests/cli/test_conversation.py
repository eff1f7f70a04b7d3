"""The demo's script is one person's twelve weeks, in two languages, with the situations that the demo is about."""

from __future__ import annotations

import itertools
import re
from datetime import datetime, timedelta, timezone

from hermes_core.demo import load

CHINESE = re.compile(r"[一-鿿]")
LATIN_WORDS = re.compile(r"[A-Za-z]+ [A-Za-z]+ [A-Za-z]+")


def user_texts() -> list[str]:
    return [turn.text for script in load().sessions for turn in script.turns if turn.role == "user"]


def test_it_is_long_enough() -> None:
    conversation = load()
    span = conversation.sessions[-1].at - conversation.sessions[0].at
    assert len(conversation.sessions) >= 14
    assert span.days >= 7 * 11
    assert conversation.weeks == 12


def test_both_languages_within_and_across_sessions() -> None:
    mixed = chinese = english = 0
    for script in load().sessions:
        said = " ".join(turn.text for turn in script.turns if turn.role == "user")
        has_chinese, has_english = bool(CHINESE.search(said)), bool(LATIN_WORDS.search(said))
        mixed += has_chinese and has_english
        chinese += has_chinese and not has_english
        english += has_english and not has_chinese
    assert mixed >= 4
    assert chinese >= 2
    assert english >= 4


def test_time_only_moves_forward_and_both_sides_speak() -> None:
    turns = [turn for script in load().sessions for turn in script.turns]
    assert all(earlier.at < later.at for earlier, later in itertools.pairwise(turns))
    assert {turn.role for turn in turns} == {"user", "assistant"}


def test_ids_and_titles_are_complete() -> None:
    sessions = load().sessions
    assert len({script.id for script in sessions}) == len(sessions)
    assert all(script.title["en"] and script.title["zh"] for script in sessions)


def test_the_situations_that_it_is_about() -> None:
    said = "\n".join(user_texts())
    assert said.count("just give me more detail this once") + said.count("Just give me more detail this once") == 2
    assert "以后别给我推荐新东西了" in said
    assert "allergic to peanuts" in said
    assert "tree nuts" in said
    assert "I've moved to Munich" in said
    assert "from now on I only read articles in English" in said
    assert "戒咖啡" in said


def test_it_can_end_in_the_past_week_with_weekdays_and_spans_kept() -> None:
    until = datetime(2031, 7, 4, 12, tzinfo=timezone.utc)
    plain, moved = load(), load(until=until)
    assert timedelta(0) <= until - moved.next_at < timedelta(weeks=1)
    assert [s.at.weekday() for s in moved.sessions] == [s.at.weekday() for s in plain.sessions]
    assert {m.at - p.at for m, p in zip(moved.sessions, plain.sessions, strict=True)} == {moved.next_at - plain.next_at}
