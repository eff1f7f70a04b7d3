"""What the words of a clause deny, nearly did, wish for or like less is never told as if it were so, in either language."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.extraction.reversals import fell_through
from hermes_core.testing import FakeClock
from tests.extraction.local.reading_helpers import said
from tests.faults.talk import Talk, told


def claims(text: str) -> set[tuple[str, str, int]]:
    return {(c.slot.split(":")[0], c.value, c.polarity) for c in said(text)}


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("I'm not 单身", "marital_status", "single"),
        ("我不是 single", "marital_status", "single"),
        ("我不是单身", "marital_status", "single"),
        ("I can't 吃辣", "spice_level", "hot"),
        ("我 rarely eat 辣", "spice_level", "hot"),
        ("我 can't eat 辣的", "spice_level", "hot"),
        ("I hardly 喝酒", "drink.likes", "alcohol"),
        ("我 not pregnant", "health.condition", "pregnancy"),
        ("我没怀孕", "health.condition", "pregnancy"),
        ("I don't have 糖尿病", "health.condition", "diabetes"),
        ("I am not 老师", "occupation", "老师"),
        ("我 isn't 老师", "occupation", "老师"),
        ("I'm not 结婚", "marital_status", "married"),
        ("我还没 married", "marital_status", "married"),
        ("I 不太 like jazz", "art.likes", "jazz"),
        ("我不太喜欢爵士", "music.likes", "jazz"),
        ("我 don't 喜欢 跑步", "hobbies", "running"),
    ],
)
def test_a_denial_in_either_language_turns_the_claim_around(text: str, slot: str, value: str) -> None:
    assert claims(text) == {(slot, value, -1)}


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("I'm 单身", "marital_status", "single"),
        ("我已经 married", "marital_status", "married"),
        ("我 not only love 猫", "animals.likes", "cats"),
        ("我不但 love 猫", "animals.likes", "cats"),
        ("I can't live without 咖啡", "drink.likes", "coffee"),
        ("I can't go a day without 咖啡", "drink.likes", "coffee"),
        ("I can't run because I have asthma", "health.condition", "asthma"),
        ("我不能吃糖因为有糖尿病", "health.condition", "diabetes"),
        ("I moved to 上海", "residence", "shanghai"),
        ("我喜欢 跑步", "hobbies", "running"),
        ("我不能吃辣", "spice_level", "mild"),
        ("我是 vegetarian 不吃肉", "diet", "vegetarian"),
    ],
)
def test_what_is_not_denied_stays_as_it_was_said(text: str, slot: str, value: str) -> None:
    assert (slot, value, 1) in claims(text)
    assert (slot, value, -1) not in claims(text)


@pytest.mark.parametrize(
    "text",
    [
        "我没 move to 上海",
        "我没搬到上海",
        "我 don't 讨厌 跑步",
        "我不讨厌跑步",
        "我的 hometown 不是 北京",
        "我 almost moved to 上海",
        "我差点 move to 上海",
        "我差点搬到上海",
        "我本来想搬到上海",
        "I nearly moved to Rome",
        "I almost got married last year",
        "I'd rather live in Spain than Florida",
        "我在 consider 换工作",
        "我考虑换工作",
    ],
)
def test_what_did_not_come_about_or_is_only_wished_for_is_nothing(text: str) -> None:
    assert claims(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "I nearly always drink tea",
        "I'm almost 30",
        "I almost died from eating peanuts",
        "我差点死于花生过敏",
        "我差点住院",
        "I've almost finished my PhD",
        "我本来就喜欢猫",
        "I moved to Rome",
        "我几乎每天喝茶",
    ],
)
def test_what_is_nearly_so_is_told(text: str) -> None:
    assert not fell_through(text)


@pytest.mark.parametrize("text", ["我想当 designer", "我想做 engineer", "我想当医生", "I want to be a nurse"])
def test_a_calling_that_is_wished_for_is_a_goal(text: str) -> None:
    assert {slot for slot, _, _ in claims(text)} == {"goal"}


@pytest.mark.parametrize(
    ("text", "slot"),
    [("我想说我住在上海", "residence"), ("我想我是老师", "occupation"), ("I consider myself a teacher", "occupation")],
)
def test_a_wish_to_be_heard_leaves_what_is_told(text: str, slot: str) -> None:
    assert {claimed for claimed, _, _ in claims(text)} == {slot}


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("i prefer tea over coffee", "drink.likes", "tea"),
        ("I prefer tea to coffee", "drink.likes", "tea"),
        ("I'd rather drink tea than coffee", "drink.likes", "tea"),
        ("我 prefer 猫 over 狗", "animals.likes", "cats"),
        ("我 prefer 茶 over coffee", "drink.likes", "tea"),
        ("我 like 猫 not 狗", "animals.likes", "cats"),
        ("I like cats more than dogs", "animals.likes", "cats"),
        ("I'm allergic to cats but not dogs", "allergy", "cats"),
        ("I prefer to drink tea", "drink.likes", "tea"),
    ],
)
def test_of_two_things_the_first_is_liked(text: str, slot: str, value: str) -> None:
    assert claims(text) == {(slot, value, 1)}


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize("near", ["我 almost moved to 上海", "I nearly moved to Rome", "我差点搬到上海"])
def test_a_move_that_fell_through_leaves_the_home_alone(talk: Talk, near: str) -> None:
    talk.say("I live in Berlin.").later().say(near)
    assert [(i.slot, i.value) for i in talk.live()] == [("residence", "berlin")], told(talk)


def test_a_denial_before_but_does_not_reach_behind_it(talk: Talk) -> None:
    talk.say("我 hate 香菜 but love 葱")
    assert {(i.value, i.polarity) for i in talk.all()} == {("coriander", -1), ("葱", 1)}, told(talk)


def test_a_denial_in_another_language_takes_back_what_was_said(talk: Talk) -> None:
    talk.say("I am single.").later().say("I'm not 单身")
    assert [(i.value, i.polarity) for i in talk.live()] == [("single", -1)], told(talk)
