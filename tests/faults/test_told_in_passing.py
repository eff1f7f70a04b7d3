"""Plain facts in the shapes that people really type: no subject, a time in front, a word that looks like a question.

In English and Chinese, with several wordings for each kind, and the ones that only look alike.
"""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from hermes_core import Hermes
from hermes_core.cli.showing import show_memories
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


def slots(talk: Talk) -> dict[str, tuple[str, int]]:
    return {i.slot.partition(":")[0]: (i.value, i.polarity) for i in talk.live()}


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("预算大概八千块", "budget", "八千块"),
        ("预算不超过五百", "budget", "五百"),
        ("预算八千左右，推荐一款笔记本", "budget", "八千左右"),
        ("我的预算大概八千块", "budget", "八千块"),
        ("每周三晚上我打羽毛球", "sports.likes", "badminton"),
        ("Every Wednesday evening I play badminton.", "sports.likes", "badminton"),
        ("我在上海工作，是一名医生", "occupation", "医生"),
        ("我住在杭州，是个老师", "occupation", "老师"),
        ("I live in Oslo and work as a nurse.", "occupation", "nurse"),
        ("我在酒吧工作", "employer", "酒吧"),
        ("我是酒吧老板", "occupation", "酒吧老板"),
    ],
)
def test_a_fact_without_a_subject_or_behind_a_time_is_read(talk: Talk, text: str, slot: str, value: str) -> None:
    talk.say(text)
    assert slots(talk).get(slot) == (value, 1), slots(talk)


@pytest.mark.parametrize("text", ["我在上海工作，是一名医生", "我住在杭州，是个老师"])
def test_a_clause_that_leaves_its_subject_out_is_worded_whole(talk: Talk, text: str) -> None:
    talk.say(text)
    assert [i.text for i in talk.live() if i.slot == "occupation"] == ["我" + text.partition("，")[2]]


@pytest.mark.parametrize("text", ["我不去酒吧", "我常去网吧", "我周末喜欢去酒吧", "我在茶吧打工"])
def test_a_bar_at_the_end_of_a_clause_asks_nothing(talk: Talk, text: str) -> None:
    talk.say(text)
    assert talk.live("吧")
    assert not talk.live("alcohol")


@pytest.mark.parametrize("text", ["今晚去喝酒吧", "我们去酒吧吧", "你喜欢喝茶吧", "我们上网吧"])
def test_the_particle_behind_a_drink_still_proposes(talk: Talk, text: str) -> None:
    assert not talk.say(text).live()


def test_a_place_named_after_a_drink_is_not_the_drink(talk: Talk) -> None:
    talk.say("我喜欢咖啡馆")
    assert [i.value for i in talk.live()] == ["咖啡馆"]


@pytest.mark.parametrize("text", ["我现在不在北京", "我人现在不在北京", "我现在不在国内"])
def test_being_elsewhere_is_no_residence(talk: Talk, text: str) -> None:
    talk.say("我住在北京").later().say(text)
    assert [(i.value, i.polarity) for i in talk.live() if i.slot == "residence"] == [("beijing", 1)]


@pytest.mark.parametrize("text", ["我现在不在北京了", "我已经不在北京了", "我不在北京住了", "我不住在北京了"])
def test_being_there_no_more_ends_the_residence(talk: Talk, text: str) -> None:
    talk.say("我住在北京").later().say(text)
    assert [(i.value, i.polarity) for i in talk.live() if i.slot == "residence"] == [("beijing", -1)]


@pytest.mark.parametrize(
    ("old", "new", "value"),
    [
        ("我是翻译", "我不再做翻译了，我现在是会计", "会计"),
        ("我是老师", "我不当老师了，现在是会计", "会计"),
        ("我是销售", "我已经不做销售了，现在是导游", "导游"),
        ("I'm a translator.", "I'm no longer a translator, I'm an accountant now.", "accountant"),
    ],
)
def test_one_occupation_given_up_for_another_changes_at_once(talk: Talk, old: str, new: str, value: str) -> None:
    talk.say(old).later().say(new)
    assert [(i.value, i.polarity, str(i.status)) for i in talk.live() if i.slot == "occupation"] == [
        (value, 1, "confirmed")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "我女儿今年五岁",
        "我儿子叫小明",
        "我姐姐住在罗马",
        "我妈妈对花生过敏",
        "My daughter is five.",
        "My son is called Tom.",
        "My sister lives in Rome.",
        "My mother is allergic to peanuts.",
    ],
)
def test_a_plain_fact_about_the_family_is_confirmed_when_said(talk: Talk, text: str) -> None:
    talk.say(text)
    assert [str(i.status) for i in talk.live()] == ["confirmed"]


@pytest.mark.parametrize(
    "text", ["我姐姐挺好的", "我弟弟可能住在罗马", "My brother is nice.", "I think my sister lives in Rome."]
)
def test_a_vague_one_waits(talk: Talk, text: str) -> None:
    talk.say(text)
    assert "confirmed" not in [str(i.status) for i in talk.live()]


@pytest.mark.parametrize(
    ("said", "taken_back", "language", "hint"),
    [
        ("我对花生过敏", "其实我不对花生过敏，我记错了", "zh", "有相反说法：「我不对花生过敏」"),
        (
            "I'm allergic to peanuts.",
            "Actually I'm not allergic to peanuts, I was mistaken.",
            "en",
            "was spoken against: “I'm not allergic to peanuts”",
        ),
    ],
)
def test_what_is_held_against_something_vital_says_how_to_let_it_take_over(
    talk: Talk, said: str, taken_back: str, language: str, hint: str
) -> None:
    talk.say(said, taken_back)
    (item,) = talk.live()
    assert item.status == "frozen" and item.held
    explained = talk.hermes.explain(talk.user_id, item.id, language=language).text
    assert "`approve`" in explained
    console = Console(file=StringIO(), width=100)
    show_memories(console, [item], language)
    listed = console.file.getvalue()
    assert hint in listed
    assert "hermes approve" in listed
