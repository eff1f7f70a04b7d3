"""Taking something vital back needs more than taking it in: two sessions by words, or the user's command."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize(
    ("said", "denied"),
    [("I'm allergic to peanuts.", "I'm not allergic to peanuts."), ("我对花生过敏。", "其实我对花生不过敏。")],
)
def test_one_denial_is_held_and_shown_a_second_is_followed(talk: Talk, said: str, denied: str) -> None:
    talk.say(said).later().say(denied)
    (stands,) = [i for i in talk.live() if i.polarity == 1]
    assert stands.status == "frozen" and stands.held
    shown = talk.later().context("a snack?")
    assert stands.text.rstrip(".。") in shown and stands.held[0].text.rstrip(".。") in shown, shown
    talk.later().say(denied)
    assert not [i for i in talk.live() if i.polarity == 1], [(i.status, i.text) for i in talk.all()]


def test_saying_it_twice_in_one_session_is_one_denial(talk: Talk) -> None:
    talk.say("I'm allergic to peanuts.").later().say("I'm not allergic to peanuts.", "I'm not allergic to peanuts.")
    assert [i.status for i in talk.live() if i.polarity == 1] == ["frozen"]


def test_the_users_command_is_followed_at_once(talk: Talk) -> None:
    talk.say("I'm allergic to peanuts.").later().say("I'm not allergic to peanuts.")
    (stands,) = [i for i in talk.live() if i.polarity == 1]
    new = talk.hermes.approve(talk.user_id, stands.id)
    assert new.polarity == -1 and talk.hermes.get(talk.user_id, stands.id).status == "archived"
