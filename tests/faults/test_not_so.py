"""What somebody does not have, know or do is never kept as if they did; what they deny having said is not kept as said."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("I don't speak German.", "languages", "german"),
        ("I can't understand a word of Polish", "languages", "polish"),
        ("我不会说德语。", "languages", "german"),
        ("我完全听不懂粤语", "languages", "cantonese"),
        ("I don't have a car, I cycle everywhere.", "vehicle", "car"),
        ("我没有车，骑车上班。", "vehicle", "car"),
        ("I don't have kids.", "children", "kids"),
        ("我没有孩子。", "children", "kids"),
        ("I have no pets.", "pets", "pets"),
        ("我没有宠物。", "pets", "pets"),
        ("I don't have any siblings.", "siblings", "siblings"),
        ("我们全家都不喝咖啡。", "drink.likes", "coffee"),
    ],
)
def test_what_is_denied_is_kept_as_denied(talk: Talk, text: str, slot: str, value: str) -> None:
    talk.say(text)
    kept = {(item.slot.partition(":")[0], item.polarity) for item in talk.live()}
    assert (slot, -1) in kept, told(talk)
    assert (slot, 1) not in kept, told(talk)
    assert any(item.value == value or item.value in text for item in talk.live()), told(talk)


@pytest.mark.parametrize(
    ("no", "yes"), [("我不懂日语", "我会说日语了"), ("I don't speak Japanese.", "I speak Japanese now.")]
)
def test_what_was_learnt_takes_the_place_of_not_knowing_it(talk: Talk, no: str, yes: str) -> None:
    talk.say(no).later().say(yes)
    assert [(i.value, i.polarity) for i in talk.live() if i.slot == "languages"] == [("japanese", 1)], told(talk)


@pytest.mark.parametrize("text", ["I have no idea.", "I don't have time today.", "我没有时间。", "我没有意见"])
def test_a_turn_of_phrase_is_no_lack(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not talk.live(), told(talk)


@pytest.mark.parametrize("text", ["I never said I liked sushi.", "我从来没说过我喜欢寿司。"])
def test_what_was_never_said_is_no_taste(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i for i in talk.live() if i.slot.endswith(".likes") and i.polarity > 0], told(talk)


@pytest.mark.parametrize(
    ("text", "name"),
    [("Everyone calls me Liz.", "liz"), ("My friends call me to chat.", None), ("大家都叫我小李。", "小李")],
)
def test_how_others_call_somebody_is_a_form_of_address(talk: Talk, text: str, name: str | None) -> None:
    talk.say(text)
    assert [i.value for i in talk.live() if i.slot == "form_of_address"] == ([name] if name else []), told(talk)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("My birthday is next week.", "event"),
        ("我的生日是明天。", "event"),
        ("My birthday is May 3.", "birthday"),
        ("我的生日是5月3日", "birthday"),
    ],
)
def test_a_birthday_that_is_near_is_no_date(talk: Talk, text: str, slot: str) -> None:
    talk.say(text)
    assert [i.slot.partition(":")[0] for i in talk.live()] == [slot], told(talk)


@pytest.mark.parametrize("text", ["我爱人是护士。", "我可能明年搬去加拿大。"])
def test_words_are_not_cut_in_two(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i for i in talk.live() if i.value == "人是护士" or i.value.startswith("能")], told(talk)
