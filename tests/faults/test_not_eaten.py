"""What somebody does not eat: a regime, a limit or an allergy, by the reason that they give; never the opposite of it."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


def kept(talk: Talk) -> set[tuple[str, str, int, str]]:
    return {(i.slot, i.value, i.polarity, str(i.status)) for i in talk.live()}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("我不能吃海鲜，会过敏", "seafood"),
        ("I can't drink milk, I'm allergic to it.", "lactose"),
        ("I don't eat shrimp because I'm allergic.", "shrimp"),
        ("我一吃虾就过敏", "shrimp"),
    ],
)
def test_the_reason_makes_it_an_allergy(talk: Talk, text: str, value: str) -> None:
    talk.say(text)
    assert kept(talk) == {("allergy", value, 1, "frozen")}, told(talk)


@pytest.mark.parametrize("text", ["I can't eat gluten.", "I'm vegetarian and I can't eat gluten."])
def test_what_somebody_cannot_eat_is_never_kept_as_no_allergy(talk: Talk, text: str) -> None:
    talk.say(text)
    assert ("allergy", "gluten", 1) in {one[:3] for one in kept(talk)}, told(talk)


@pytest.mark.parametrize(
    ("text", "slot", "polarity"),
    [
        ("I avoid nuts.", "diet", -1),
        ("我不吃坚果", "diet", -1),
        ("I can't stand peanuts", "diet", -1),
        ("I don't eat shrimp, but I'm not allergic", "diet", -1),
        ("我不吃肉。", "diet", 1),
        ("我吃素", "diet", 1),
        ("I don't eat meat.", "diet", 1),
    ],
)
def test_what_is_merely_not_eaten_is_no_allergy(talk: Talk, text: str, slot: str, polarity: int) -> None:
    talk.say(text)
    assert [(i.slot, i.polarity) for i in talk.live()] == [(slot, polarity)], told(talk)


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("I'm vegan and I avoid sugar.", {"I'm vegan", "I avoid sugar"}),
        ("I'm vegetarian and I can't eat pork.", {"I'm vegetarian", "I can't eat pork"}),
        ("我不喜欢香菜，回答尽量简短。", {"我不喜欢香菜", "回答尽量简短"}),
    ],
)
def test_two_thoughts_of_a_sentence_live_side_by_side_in_their_own_words(
    talk: Talk, text: str, texts: set[str]
) -> None:
    talk.say(text)
    assert {i.text for i in talk.live() if not i.derived_from} == texts, told(talk)
