"""Wishes about answers that are meant to last, asked politely or named without a verb; and what only looks like them."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize(
    ("text", "slot", "value", "polarity"),
    [
        ("Can you always answer in British English?", "reply_language", "english", 1),
        ("Could you reply in German from now on?", "reply_language", "german", 1),
        ("Would you mind always keeping your answers short?", "reply_length", "concise", 1),
        ("Could you please always use metric units?", "standing_instruction", "metric units", 1),
        ("Is it possible for you to always show temperatures in Celsius?", "standing_instruction", "celsius", 1),
        ("Would you please give me sources every time?", "standing_instruction", "sources", 1),
        ("Can you never use emojis in your replies?", "reply_format", "emojis", -1),
        ("Can you call me Mia from now on?", "form_of_address", "mia", 1),
    ],
)
def test_a_lasting_request_is_kept_though_it_comes_as_a_question(
    talk: Talk, text: str, slot: str, value: str, polarity: int
) -> None:
    talk.say(text)
    (item,) = talk.live()
    assert (item.slot, item.polarity, str(item.status)) == (slot, polarity, "confirmed"), told(talk)
    assert value in item.value


@pytest.mark.parametrize(
    "text",
    [
        "No more than three options, please, whenever I ask for suggestions",
        "Max two paragraphs per answer, please.",
        "Only one question at a time, please.",
        "At most five sentences per reply.",
        "Metric units only, please, in all your answers.",
        "Short answers, please, whenever I write from my phone.",
    ],
)
def test_a_lasting_limit_is_kept_whole_though_it_has_no_verb(talk: Talk, text: str) -> None:
    talk.say(text)
    (item,) = talk.live()
    assert (item.subject, item.polarity, str(item.kind), str(item.status)) == ("user", 1, "preference", "confirmed")
    assert item.text == text.rstrip(".")


@pytest.mark.parametrize(
    "text",
    [
        "Can you answer in British English?",
        "Can you give me three examples?",
        "Can you always get a refund?",
        "Can you always use a credit card in Japan?",
        "Could you always be honest with your boss?",
        "Would you always answer a call from an unknown number?",
        "Can you never find your keys?",
        "Why do you always answer with bullet points?",
        "Do you always answer in English?",
        "No more than three options, please.",
        "Two examples please.",
    ],
)
def test_what_asks_or_holds_once_is_no_lasting_request(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not talk.live(), told(talk)


def test_a_limit_to_something_else_is_no_wish_about_answers(talk: Talk) -> None:
    talk.say("No more than three drinks whenever I go out.")
    assert not [i for i in talk.all() if i.slot.startswith(("reply_", "standing_"))], told(talk)
