"""When and where something holds is one thing in both languages: "at work" and 「工作时」 (W13)."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.likeness import qualifier_set
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        (("work",), ("工作",)),
        (("at work",), ("工作时",)),
        (("when I'm working",), ("上班的时候",)),
        (("weekdays",), ("工作日",)),
        (("weekends",), ("周末",)),
        (("evenings",), ("晚上",)),
        (("in the morning",), ("早上",)),
        (("wednesdays",), ("周三",)),
        (("sunday",), ("星期天",)),
        (("I travel",), ("旅行",)),
        (("coding",), ("写代码",)),
        (("home",), ("家里",)),
        (("summer", "weekend"), ("周末", "夏天")),
    ],
)
def test_an_occasion_has_one_name_in_both_languages(english: tuple[str, ...], chinese: tuple[str, ...]) -> None:
    assert qualifier_set(english) == qualifier_set(chinese)


@pytest.mark.parametrize(
    ("one", "other"),
    [("work", "after work"), ("morning", "evening"), ("weekend", "weekday"), ("周三", "周四"), ("工作时", "下班后")],
)
def test_different_occasions_stay_apart(one: str, other: str) -> None:
    assert qualifier_set([one]) != qualifier_set([other])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("At work I prefer short answers.", "我工作时喜欢详细的回答"),
        ("我周末喜欢喝咖啡", "I don't like coffee on weekends."),
    ],
)
def test_the_opposite_for_the_same_occasion_is_noticed_across_languages(
    hermes: Hermes, clock: FakeClock, first: str, second: str
) -> None:
    talk = Talk(hermes, clock)
    talk.say(first).later().say(second)
    assert {"contradicted", "superseded", "held", "staled"} & {str(c.event) for c in hermes.history(talk.user_id)} or [
        i for i in talk.all() if i.contested_by
    ], [(i.slot, i.value, i.polarity, i.qualifiers) for i in talk.all()]


def test_another_occasion_lets_both_stand(hermes: Hermes, clock: FakeClock) -> None:
    talk = Talk(hermes, clock)
    talk.say("I like coffee on weekdays.").later().say("我周末不喜欢喝咖啡")
    assert len(talk.live("coffee")) == 2
