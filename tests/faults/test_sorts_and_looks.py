"""A sort denied beside one of that sort, two looks, two abilities, two days: only one of each pair holds (O1, O4, W13).

Both languages, as answers and by themselves; beside each kind stands what only looks alike.
"""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, noticed, told

CONTRADICT = [
    # a whole sort and one of it
    (("", "我不喜欢运动"), ("", "我最喜欢打羽毛球")),
    (("", "我讨厌看书"), ("", "我很喜欢读历史小说")),
    (("", "我对动物没什么兴趣"), ("", "我特别喜欢小狗")),
    (("", "我从来没出过国"), ("", "我去过泰国")),
    (("", "我一直吃素"), ("", "我最爱吃红烧肉")),
    (("", "I don't like sports."), ("", "I love playing badminton.")),
    (("", "I hate reading."), ("", "I enjoy reading detective stories.")),
    (("", "I can't stand music."), ("", "I really love jazz.")),
    (("", "I'm a vegetarian."), ("", "I eat steak every Friday.")),
    (("", "I've never been abroad."), ("", "I lived abroad for two years.")),
    # looks, hands, the place among siblings
    (("", "我留着长发"), ("", "我是短发")),
    (("", "我是左撇子"), ("", "我是右撇子")),
    (("", "我在家里排行老大"), ("", "我是家里最小的")),
    (("", "我身高一米六"), ("", "我一米七九")),
    (("", "I have green eyes."), ("", "I have brown eyes.")),
    (("", "I have long black hair."), ("", "I have short hair.")),
    (("", "I'm left-handed."), ("", "I'm right-handed.")),
    (("", "I'm the oldest child."), ("", "I'm the youngest in my family.")),
    (("", "I'm 5'3 tall."), ("", "I'm 6 feet tall.")),
    (("", "My car is white."), ("", "My car is green.")),
    # what the family does
    (("", "我妈是会计"), ("", "我妈妈是护士")),
    (("", "My dad is a carpenter."), ("", "My father works as a pilot.")),
    # able and not
    (("", "I can't drive."), ("", "I drive to the office every day.")),
    (("", "I've been to Norway."), ("", "I have never been to Norway.")),
    (("你有兴趣学书法吗？", "有啊"), ("", "我对书法没什么兴趣")),
    # a day, and how long a day is
    (("你什么时候放假？", "一月二十号左右吧"), ("你几号放假？", "1月8号就放假了")),
    (("", "我十月三号搬家"), ("", "我10月23号搬家")),
    (("", "I get up at five every morning."), ("", "I usually wake up at nine.")),
    (("", "我每天凌晨三点才睡"), ("", "我一般十点睡")),
    # a denial that says less than what it denies
    (("", "我上班都戴口罩的"), ("", "我又不戴口罩")),
    # a denial asked for, and given
    (("你一个人不会害怕吗？", "不会啊"), ("你一个人不会害怕吗？", "会啊")),
    # one language only
    (("", "我会说德语和英语"), ("", "我只会说中文")),
    (("", "I'm fluent in Greek and Polish."), ("", "I only speak English.")),
]  # fmt: skip

CONSISTENT = [
    (("", "我喜欢运动"), ("", "我不喜欢跑步")),
    (("", "我不喜欢运动"), ("", "我喜欢看球赛")),
    (("", "我不喜欢看书"), ("", "我喜欢看电影")),
    (("", "我没出过国"), ("", "我想去泰国")),
    (("", "我没出过国"), ("", "我去过云南")),
    (("", "我吃素"), ("", "我老公爱吃红烧肉")),
    (("", "I like sports."), ("", "I don't like golf.")),
    (("", "I don't like sports."), ("", "I love tennis shoes.")),
    (("", "I'm a vegetarian."), ("", "I love eating tofu.")),
    (("", "I hate reading."), ("", "I love watching films.")),
    (("", "I have green eyes."), ("", "I have long hair.")),
    (("", "I have long hair."), ("", "I have black hair.")),
    (("", "I'm left-handed."), ("", "I'm the youngest child.")),
    (("", "My car is white."), ("", "My bike is green.")),
    (("", "我妈是会计"), ("", "我爸是护士")),
    (("", "My dad is a carpenter."), ("", "My mom is a pilot.")),
    (("", "I can't swim."), ("", "I drive to the office every day.")),
    (("", "I can't run."), ("", "I run a small bakery.")),
    (("", "I've been to Norway."), ("", "I have never been to Sweden.")),
    (("", "我十月三号搬家"), ("", "我10月23号考试")),
    (("", "我会说德语和英语"), ("", "我不会说法语")),
    (("", "I only speak English."), ("", "I don't speak Greek.")),
    (("你不吃辣吗？", "不吃"), ("你吃辣吗？", "不吃")),
    (("你一个人不会害怕吗？", "不会啊"), ("你怕黑吗？", "不怕")),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), CONTRADICT)
def test_only_one_of_the_two_can_be(
    hermes: Hermes, clock: FakeClock, first: tuple[str, str], second: tuple[str, str]
) -> None:
    found, items = noticed(hermes, clock, first, second)
    assert found, items


@pytest.mark.parametrize(("first", "second"), CONSISTENT)
def test_what_only_looks_alike_raises_no_alarm(
    hermes: Hermes, clock: FakeClock, first: tuple[str, str], second: tuple[str, str]
) -> None:
    found, items = noticed(hermes, clock, first, second)
    assert not found, items


OF_OTHERS = [
    ("Mira Olsen has travelled to nine countries.", "Mira Olsen has never travelled outside her home country."),
    ("Mira Olsen is fluent in Greek and Polish.", "Mira Olsen only speaks Danish."),
    (
        "Mira Olsen and Tom Reid founded a choir for the Harbour Foundation.",
        "Mira Olsen and Tom Reid founded a choir for the Forest Trust, not the Harbour Foundation.",
    ),
]


@pytest.mark.parametrize(("known", "said"), OF_OTHERS)
def test_what_is_told_of_others_is_compared_as_well(hermes: Hermes, clock: FakeClock, known: str, said: str) -> None:
    talk = Talk(hermes, clock).say(known).later().say(said)
    assert not talk.live(known.rstrip(".")), told(talk)


STATES = [
    "我对钓鱼没什么兴趣",
    "我不怎么吃甜食",
    "我还没有去过海边呢",
]


@pytest.mark.parametrize("said", STATES)
def test_a_question_word_that_denies_asks_nothing(hermes: Hermes, clock: FakeClock, said: str) -> None:
    talk = Talk(hermes, clock).say(said)
    assert talk.live(), talk.reasons()


@pytest.mark.parametrize(
    "asked", ["我该怎么去机场", "有什么好吃的", "你还没睡呢", "我的护照在哪儿呢", "没什么推荐的吗"]
)
def test_a_question_stays_one(hermes: Hermes, clock: FakeClock, asked: str) -> None:
    talk = Talk(hermes, clock).say(asked)
    assert not talk.live(), told(talk)
