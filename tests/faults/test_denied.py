"""What stands behind a denial, is over, or is dictated for a task, is never kept as if the speaker said it of themselves."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.extraction.harm import may_harm
from hermes_core.extraction.negation import stands_denied
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize(
    "text",
    [
        "I'm not lactose intolerant",
        "im not gluten intolerant",
        "I am really not lactose intolerant",
        "I don't have celiac",
        "我不会花生过敏",
        "我不会牛奶过敏的",
        "我花粉过敏好了",
        "我的花生过敏已经治好了",
        "I got over my nut allergy",
        "I've finally gotten over my egg allergy",
        "my lactose intolerance is gone",
        "my peanut allergy went away",
        "I outgrew my 牛奶过敏",
        "我小时候 allergic to 牛奶",
        "我小时候对鸡蛋过敏",
    ],
)
def test_an_allergy_denied_or_over_protects_nobody(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i for i in talk.all() if i.slot == "allergy" and i.polarity > 0], told(talk)
    assert not [i for i in talk.all() if i.status == "frozen"], told(talk)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I'm lactose intolerant", "lactose"),
        ("I have celiac disease", "gluten"),
        ("我花生过敏", "peanuts"),
        ("我从小对牛奶过敏", "lactose"),
        ("I've had a nut allergy since I was a kid", "nuts"),
        ("I haven't outgrown my peanut allergy", "peanuts"),
        ("I never got over my egg allergy", "eggs"),
        ("I'm allergic to almonds not peanuts", "almonds"),
        ("i get hives whenever i eat strawberries", "strawberries"),
    ],
)
def test_an_allergy_that_lasts_freezes(talk: Talk, text: str, value: str) -> None:
    talk.say(text)
    kept = [(i.value, i.polarity, str(i.status)) for i in talk.all() if i.slot == "allergy"]
    assert kept == [(value, 1, "frozen")], told(talk)


@pytest.mark.parametrize(
    "text",
    [
        "不是我过敏，是我女儿过敏",
        "我不是过敏，是不喜欢",
        "我有过敏性鼻炎",
        "I carry an epipen",
        "I have meetings all day and im allergic to them",
        "I had mondays off for years but im allergic to them",
        "I have homework every evening but I'm allergic to it",
        "write an email saying I'm allergic to peanuts",
        "帮我 write an email saying I'm allergic to 花生",
        "翻译一下 I'm allergic to peanuts",
        "翻译 我对花生过敏 into English",
        "How do you say I'm allergic to nuts in Italian?",
    ],
)
def test_no_allergy_of_the_users_is_told(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i for i in talk.all() if i.slot == "allergy" and i.subject == "user"], told(talk)


@pytest.mark.parametrize("word", ["有", "不是", "从", "我不是", "gone", "get hives", "carry an epipen", "现在还"])
def test_a_verb_or_a_function_word_is_no_allergen(word: str) -> None:
    assert not may_harm(word)


@pytest.mark.parametrize("word", ["peanuts", "egg whites", "花生", "有机牛奶", "会厌", "backed beans", "bad milk"])
def test_a_thing_is_an_allergen_whatever_it_begins_with(word: str) -> None:
    assert may_harm(word)


def test_an_animal_just_named_is_what_harms(talk: Talk) -> None:
    talk.say("I love shrimp but im allergic to them")
    assert [i.value for i in talk.live() if i.slot == "allergy"] == ["shrimp"], told(talk)


@pytest.mark.parametrize(
    "text",
    [
        "write a poem saying im vegan",
        "Draft a note to my landlord that says I live in Rome",
        "translate i live in rome",
        "帮我翻译 我住在罗马",
        "翻译一下我住在罗马",
    ],
)
def test_words_for_a_task_tell_nothing(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not talk.all(), told(talk)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("Please translate my essay, I'm a nurse", "occupation"),
        ("帮我翻译一下，我是护士", "occupation"),
        ("I translate novels and I live in Rome", "residence"),
        ("Write an email saying I'm late. I live in Rome.", "residence"),
    ],
)
def test_what_is_said_beside_a_task_is_heard(talk: Talk, text: str, slot: str) -> None:
    talk.say(text)
    assert slot in {i.slot for i in talk.live()}, told(talk)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("im not muslim", "religion"),
        ("im not jewish", "religion"),
        ("I'm not a practicing Catholic", "religion"),
        ("我不是穆斯林", "religion"),
        ("我不信佛", "religion"),
        ("I'm not a smoker", "smoking"),
        ("im not divorced", "marital_status"),
        ("I'm not pregnant", "health.condition"),
        ("我没怀孕", "health.condition"),
        ("im not a cat person", "animals.likes"),
        ("im neither vegan nor vegetarian", "diet"),
        ("我不是北方人", "hometown"),
        ("我不是回族", "ethnicity"),
        ("我不是独生子", "siblings"),
        ("i stopped taking metformin", "medication"),
        ("I'm no longer taking metformin", "medication"),
    ],
)
def test_what_somebody_is_not_is_kept_as_denied(talk: Talk, text: str, slot: str) -> None:
    talk.say(text)
    assert [(i.slot, i.polarity) for i in talk.all()] == [(slot, -1)], told(talk)


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("I'm muslim", "religion", "muslim"),
        ("我是穆斯林", "religion", "muslim"),
        ("I'm not religious", "religion", "atheist"),
        ("no beef please im hindu", "religion", "hindu"),
        ("no pork please im muslim", "religion", "muslim"),
        ("I'm a smoker", "smoking", "smoker"),
        ("I don't smoke", "smoking", "non-smoker"),
        ("I never got married", "marital_status", "single"),
        ("never been married", "marital_status", "single"),
        ("我是回族", "ethnicity", "回族"),
        ("我是独生子", "siblings", "独生子"),
        ("我不吃肉", "diet", "vegetarian"),
        ("I take metformin", "medication", "metformin"),
    ],
)
def test_what_somebody_is_stays_so(talk: Talk, text: str, slot: str, value: str) -> None:
    talk.say(text)
    assert (slot, value, 1) in {(i.slot, i.value, i.polarity) for i in talk.live()}, told(talk)


@pytest.mark.parametrize("text", ["I'm not french", "I'm not Chinese"])
def test_whence_one_is_not_says_nothing_of_what_is_spoken(talk: Talk, text: str) -> None:
    talk.say(text)
    assert {i.slot.partition(":")[0] for i in talk.all()} <= {"fact"}, told(talk)


@pytest.mark.parametrize(
    ("before", "denial"),
    [
        ("I'm a christian", "im not muslim"),
        ("I'm married", "im not divorced"),
        ("I'm from Shanghai", "我不是北方人"),
        ("I'm a non-smoker", "I'm not a smoker"),
    ],
)
def test_a_denial_of_another_value_puts_nothing_away(talk: Talk, before: str, denial: str) -> None:
    talk.say(before)
    (known,) = talk.live()
    talk.later().say(denial)
    assert known.id in {i.id for i in talk.live()}, told(talk)


def test_a_denial_of_the_very_value_takes_it_back(talk: Talk) -> None:
    talk.say("I'm muslim").later().say("im not muslim")
    assert [(i.value, i.polarity) for i in talk.live()] == [("muslim", -1)], told(talk)


@pytest.mark.parametrize(
    ("wordings", "core", "denied"),
    [
        (("muslim",), "i'm not muslim", True),
        (("muslim",), "no pork, i'm muslim", False),
        (("atheist", "not religious"), "i'm not religious", False),
        (("vegan",), "i'm not only vegan", False),
        (("cat", "cats"), "not a cat person, i have a cat", False),
        (("vegan",), "i don't think i'm vegan", False),
        (("回族",), "我不是回族", True),
        (("回族",), "我是回族", False),
    ],
)
def test_only_a_denial_right_before_the_words_denies_them(wordings: tuple[str, ...], core: str, denied: bool) -> None:
    assert stands_denied(wordings, core) is denied
