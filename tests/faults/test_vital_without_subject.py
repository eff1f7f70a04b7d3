"""What may save a life is heard where its subject stands in the clause before, and is not taken from somebody else."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


def vital(talk: Talk) -> set[str]:
    return {f"{item.slot}={item.value}" for item in talk.live() if item.status == "frozen" and item.high_impact}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("我叫林小雨，对花生过敏。", "allergy=peanuts"),
        ("我住在杭州，而且对青霉素过敏", "allergy=penicillin"),
        ("我是护士，有糖尿病。", "health.condition=diabetes"),
        ("对芒果过敏。", "allergy=mango"),
        ("I live in Oslo and am allergic to peanuts.", "allergy=peanuts"),
        ("I'm allergic to peanuts and shellfish", "allergy=peanuts allergy=shellfish"),
        ("我对花生、海鲜和青霉素过敏", "allergy=peanuts allergy=seafood allergy=penicillin"),
    ],
)
def test_it_freezes_at_once(talk: Talk, text: str, known: str) -> None:
    talk.say(text)
    assert vital(talk) == set(known.split())


@pytest.mark.parametrize(
    "text",
    [
        "他住在杭州，对花生过敏",
        "有些人住在南方，对花粉过敏",
        "我女儿叫小雨，对花生过敏。",
        "我养了一只猫，对鸡肉过敏",
        "He is tall, allergic to nuts",
        "My brother lives in Oslo and is allergic to nuts",
    ],
)
def test_it_is_not_taken_from_others(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [item for item in talk.live() if item.slot == "allergy" and item.subject == "user"]


@pytest.mark.parametrize(
    ("text", "words", "quote"),
    [
        ("我叫林小雨，对花生过敏。", "我对花生过敏", "对花生过敏"),
        ("我是护士，有糖尿病。", "我有糖尿病", "我是护士，有糖尿病"),
    ],
)
def test_its_quote_says_who_speaks(talk: Talk, text: str, words: str, quote: str) -> None:
    talk.say(text)
    item = next(item for item in talk.live() if item.high_impact)
    assert (item.text, item.evidence[0].quote) == (words, quote)
