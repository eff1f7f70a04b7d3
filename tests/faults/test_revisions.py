"""What revises a known thing although no slot says so: another value, a denial, a fact about somebody else. Both languages."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


REVISED = [
    ("My API quota is 1,000 calls a day.", "My API quota is now 1,200 calls a day.", "1,000", "1,200"),
    ("My parser has a test coverage of 61%.", "I'm trying to raise the coverage of my parser, which has improved to a test coverage of 74%.", "61%", "74%"),
    ("I've never given a talk at a meetup.", "I gave a talk at the Berlin meetup on May 3.", "never given", "May 3"),
    ("I gave a talk at the Berlin meetup on May 3.", "I've never given a talk at a meetup.", "May 3", "never given"),
    ("I've never met Petra.", "I had lunch with Petra at the harbour on June 7.", "never met", "June 7"),
    ("I drink two cups of coffee every morning.", "I quit coffee.", "two cups", "quit"),
    ("Nora Velt teaches chemistry at the evening school in Graz.", "Nora Velt teaches physics at the evening school in Graz now.", "teaches chemistry", "physics"),
    ("我每天早上要喝两杯咖啡。", "我戒咖啡了。", "两杯", "戒"),
    ("我从来没去过日本。", "我去年去日本玩了一周。", "从来没", "去年"),
    ("我是做销售的。", "我是做平面设计的。", "销售", "平面设计"),
    ("我家狗不吃胡萝卜。", "我家狗很喜欢吃胡萝卜。", "不吃", "很喜欢"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "old", "new"), REVISED)
def test_the_new_statement_is_current_and_the_old_one_is_history(
    talk: Talk, before: str, after: str, old: str, new: str
) -> None:
    talk.say(before).later().say(after)
    assert talk.live(new), f"nothing kept of {after!r}"
    assert not talk.live(old), [(str(i.status), i.slot, i.text) for i in talk.live(old)]
    assert talk.all(old), "the old statement is gone from the history"


BOTH_HOLD = [
    ("I like jazz.", "I like rock.", "jazz", "rock"),
    ("I'm allergic to peanuts.", "I'm also sensitive to tree nuts.", "peanuts", "tree nuts"),
    ("I work at Acme.", "I administer Acme's code host.", "work at", "administer"),
    ("I like code examples.", "For SQL I prefer short code examples.", "like code", "short code"),
    ("Nora Velt teaches chemistry at the evening school.", "Nora Velt also plays the cello.", "chemistry", "cello"),
    ("I've never been to Lisbon.", "I work for a bank in Porto.", "Lisbon", "Porto"),
    ("我喜欢爵士乐。", "我喜欢摇滚乐。", "爵士", "摇滚"),
    ("我对花生过敏。", "我对牛奶也过敏。", "花生", "牛奶"),
    ("我从来没去过日本。", "我在云帆公司上班。", "日本", "云帆"),
]


@pytest.mark.parametrize(("one", "other", "word", "another"), BOTH_HOLD)
def test_statements_that_both_hold_stay(talk: Talk, one: str, other: str, word: str, another: str) -> None:
    talk.say(one).later().say(other)
    assert talk.live(word) and talk.live(another), [(str(i.status), i.slot, i.text) for i in talk.all()]


@pytest.mark.parametrize("said", ["我对虾过敏。", "我对鱼也过敏。", "我对猫过敏。"])
def test_an_allergy_of_one_character_is_never_lost(talk: Talk, said: str) -> None:
    talk.say(said)
    assert talk.live(said.rstrip("。")), talk.reasons()


@pytest.mark.parametrize(
    ("before", "after", "slot", "value"),
    [
        ("I live in Rome.", "We're living in Milan these days.", "residence", "milan"),
        ("I work at Siemens.", "I started a new job at Bosch.", "employer", "bosch"),
        ("I work at Siemens.", "I just joined Bosch.", "employer", "bosch"),
        ("我单身。", "我上个月结婚了。", "marital_status", "married"),
        ("我今年34岁。", "我今天三十五岁生日。", "age", "三十五"),
    ],
)
def test_news_told_in_passing_takes_the_place_of_what_was(
    talk: Talk, before: str, after: str, slot: str, value: str
) -> None:
    talk.say(before).later().say(after)
    assert [i.value for i in talk.live() if i.slot == slot] == [value], told(talk)


@pytest.mark.parametrize(
    ("before", "after"),
    [("I drink coffee every morning.", "I gave up coffee."), ("我每天喝咖啡。", "我戒咖啡了。")],
)
def test_what_is_given_up_is_no_taste_any_more(talk: Talk, before: str, after: str) -> None:
    talk.say(before).later().say(after)
    liked = [i for i in talk.live() if i.slot == "drink.likes" and i.polarity > 0 and str(i.status) != "stale"]
    assert not liked, told(talk)
    assert any(i.polarity < 0 and "coffee" in i.value for i in talk.live()), told(talk)


@pytest.mark.parametrize(("before", "left", "slot"), [("I live in Rome.", "I left Rome.", "residence"), ("I work at Siemens.", "I left Siemens.", "employer")])  # fmt: skip
def test_who_leaves_a_city_does_not_leave_an_employer(talk: Talk, before: str, left: str, slot: str) -> None:
    talk.say(before).later().say(left)
    assert [(i.slot, i.polarity) for i in talk.live()] == [(slot, -1)], told(talk)
