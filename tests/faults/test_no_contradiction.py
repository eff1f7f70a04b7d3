"""What only looks like a contradiction leaves the known statement standing. A false contradiction archives what the user
said clearly, which is far worse than one that is missed. Both languages (W13).
"""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


NO_CONTRADICTION = [
    # somebody else's
    ("我不抽烟", "我老公抽烟"),
    ("我从来不抽烟", "我爸一天抽一包烟"),
    ("我没有车", "我爸有一辆车"),
    ("I don't smoke", "My husband smokes"),
    ("I don't have a car", "My brother drives a van"),
    ("I don't drink alcohol", "My wife drinks a lot of wine"),
    ("I'm an only child", "My brother in law visits tomorrow"),
    ("我单身", "我已婚朋友很多"),
    # one of several is not all of them
    ("I have three cats", "I have a cat who is diabetic"),
    ("I have two sisters", "I have a sister in Leeds"),
    ("我有三只猫", "我有一只猫生病了"),
    # another time
    ("我今年三十岁", "我二十岁的时候去过日本"),
    ("I get up early on weekdays", "I get up late on weekends"),
    ("I get up at six", "I get up at ten on weekends"),
    ("我六点起床", "我周末十点起床"),
    ("Mornings are busy at my shop", "Evenings are quiet at my shop"),
    # another thing of the same words
    ("I don't have children", "We have two kids' bikes to sell"),
    ("I don't smoke", "I smoke a brisket every Sunday"),
    ("I don't have a car", "I drive an hour to work"),
    ("I don't have a car", "I have a car seat to give away"),
    ("I have two cats", "I don't have pets in my Minecraft world"),
    ("I'm married", "I'm single-minded about work"),
    ("我没有孩子", "我孩子气"),
    ("我是独生子", "我妹妹头很乱"),
    ("我家没有宠物", "我有猫眼石耳环"),
    ("我租房住", "我有房子在老家"),
    ("我没有车", "我有车厘子过敏史"),
    # a part of it
    ("I'm good at chess", "I'm bad at chess openings"),
    ("I'm good at chess", "I'm bad at maths jokes"),
    ("我不吃羊肉", "我吃鸡肉"),
    ("我不吃猪肉", "我吃牛肉"),
    # beside it
    ("I'm a student at TU Berlin", "I work as a waiter on weekends"),
    ("I'm a student at TU Berlin", "I have a job at a bar"),
    ("I'm retired", "I work as a volunteer at the library"),
]  # fmt: skip


@pytest.mark.parametrize(("known", "said"), NO_CONTRADICTION)
def test_what_only_looks_like_a_contradiction_changes_nothing(talk: Talk, known: str, said: str) -> None:
    talk.say(known).later().say(said)
    first = talk.live(known)
    assert first, told(talk)
    assert not any(i.contested_by or i.held for i in first), "contested"
    assert not any("held" in r or "contradict" in r for r in talk.reasons()), talk.reasons()


NO_CONFIRMATION = [
    ("我家离公司很远", "我家离公司很近"),
    ("My sister lives in Rome", "My sister lived in Rome"),
    ("I like big dogs", "I like small dogs"),
]


@pytest.mark.parametrize(("known", "said"), NO_CONFIRMATION)
def test_the_opposite_or_the_past_confirms_nothing(talk: Talk, known: str, said: str) -> None:
    talk.say(known).later().say(said)
    first = [i for i in talk.all() if i.text == known]
    assert first and all(len(i.evidence) == 1 for i in first), told(talk)
