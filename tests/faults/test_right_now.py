"""What somebody is doing, where they are for a while, and what they are not: none of it is a job, a home or a name."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


def kept(talk: Talk) -> set[tuple[str, int, str]]:
    return {(item.slot.partition(":")[0], item.polarity, item.value) for item in talk.live()}


@pytest.mark.parametrize(
    "text",
    [
        "我在等公交车。",
        "我现在在开会，晚点说。",
        "我正在路上。",
        "我还在加班呢",
        "我在排队",
        "人在外面",
        "I'm waiting for the bus.",
        "I'm in a meeting, talk later.",
    ],
)
def test_what_somebody_does_this_minute_leaves_nothing(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not talk.live(), told(talk)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("我现在在找工作", "current_focus"),
        ("我在准备德语B2考试", "current_focus"),
        ("我最近在减肥", "current_focus"),
        ("我在北京出差，下周回上海。", "travel_plans"),
        ("我在三亚度假", "travel_plans"),
        ("I'm in Paris for a conference this week.", "plan"),
    ],
)
def test_what_somebody_is_busy_with_is_no_job_and_a_stay_is_no_home(talk: Talk, text: str, slot: str) -> None:
    talk.say("我住在上海，我在腾讯工作。").later().say(text)
    assert {"residence", "employer", slot} <= {name for name, _, _ in kept(talk)}, told(talk)
    assert {value for name, _, value in kept(talk) if name in ("residence", "employer")} == {"shanghai", "腾讯"}


@pytest.mark.parametrize(
    ("text", "wanted", "not_wanted"),
    [
        ("别叫我王先生，叫我老王就行。", "老王", "王先生"),
        ("不要再叫我陈总了", None, "陈总"),
        ("Don't call me Mr. Smith, just Tom.", "tom", "mr. smith"),
        ("Please stop calling me Robert", None, "robert"),
    ],
)
def test_a_name_that_somebody_does_not_want(talk: Talk, text: str, wanted: str | None, not_wanted: str) -> None:
    talk.say(text)
    called = {value for slot, polarity, value in kept(talk) if slot in ("form_of_address", "name") and polarity > 0}
    assert called == ({wanted} if wanted else set()), told(talk)
    assert not any(polarity > 0 and value == not_wanted for _, polarity, value in kept(talk))


def test_a_pet_that_somebody_does_not_have(talk: Talk) -> None:
    talk.say("我没有养狗，养的是猫。")
    assert {(polarity, value) for slot, polarity, value in kept(talk) if slot == "pets"} == {(-1, "狗"), (1, "猫")}


@pytest.mark.parametrize("text", ["I moved here from Spain two years ago.", "We came over from Peru in 2019."])
def test_where_somebody_came_from_is_not_where_they_live(talk: Talk, text: str) -> None:
    talk.say("I live in Oslo.").later().say(text)
    assert [value for slot, _, value in kept(talk) if slot == "residence"] == ["oslo"], told(talk)


@pytest.mark.parametrize("text", ["We live on the outskirts of Lyon.", "I'm based in the suburbs of Lyon"])
def test_a_home_at_the_edge_of_a_city(talk: Talk, text: str) -> None:
    talk.say(text)
    assert ("residence", 1, "lyon") in kept(talk), told(talk)


@pytest.mark.parametrize("text", ["我不喝咖啡，喝了心慌。", "我昨天喝了三杯咖啡"])
def test_what_was_drunk_once_is_no_taste(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [item for item in kept(talk) if item[2].startswith("了")], told(talk)
    assert not any(slot == "drink.likes" and polarity > 0 for slot, polarity, _ in kept(talk)), told(talk)
