"""Two near statements that can't both hold, by their words alone: a denial, or one attribute with another value (W12, W13)."""

from __future__ import annotations

import pytest

from hermes_core.items import Status
from hermes_core.relate import Relation, relate
from hermes_core.rivalry import Statement, may_deny, rivals

DENIED = [
    ("I have never written any parser rules", "I wrote the parser rules for the importer in March"),
    ("I've never ridden a horse or attended a riding lesson", "I attended a riding lesson on Sunday"),
    ("I quit coffee", "I drink two cups of coffee every morning"),
    ("I no longer play chess on the train", "I play chess on the train every day"),
    ("I don't eat meat any more", "I eat meat twice a week"),
    ("我从来没有去过海边露营", "我上个月去海边露营了"),
    ("我戒咖啡了", "我每天早上要喝两杯咖啡"),
    ("我再也不打乒乓球了", "我每周都打乒乓球"),
    ("我不喜欢吃辣椒酱", "我喜欢吃辣椒酱"),
]
REFILLED = [
    ("My API quota is 1,200 calls a day", "My API quota is 1,000 calls a day"),
    ("The test coverage of my parser is 78% now", "The test coverage of my parser is 65%"),
    ("我的接口配额是每天 1200 次", "我的接口配额是每天 1000 次"),
]
APART = [
    ("I administer Acme's code host", "I work at Acme"),
    ("For SQL I prefer short code examples", "I like code examples"),
    ("I like rock", "I like jazz"),
    ("I don't like rock", "I like jazz"),
    ("I'm also sensitive to tree nuts", "I'm allergic to peanuts"),
    ("I've never been to Lisbon", "I want to go to Lisbon in spring"),
    ("I don't drink coffee in the evening", "I drink coffee in the morning"),
    ("I'm not sure about the parser rules", "I wrote the parser rules"),
    ("I have a meeting with Bob at 4 pm", "I have a meeting with Anna at 3 pm"),
    ("I finished 7 geometry problems", "I finished 5 algebra problems"),
    ("I met Bob at the book club", "I met Anna at the book club"),
    ("我负责管理云帆公司的代码仓库", "我在云帆公司上班"),
    ("我喜欢摇滚", "我喜欢爵士"),
    ("我不喜欢吃鱼", "我喜欢吃虾"),
    ("我不知道辣椒酱怎么做", "我喜欢吃辣椒酱"),
    ("我没去过里斯本", "我想春天去里斯本"),
]


@pytest.mark.parametrize(("new", "old"), [*DENIED, *REFILLED])
def test_two_statements_that_cannot_both_hold(new: str, old: str) -> None:
    assert rivals(Statement("user", new), Statement("user", old))


@pytest.mark.parametrize(("denial", "stated"), DENIED)
def test_a_denial_is_one_whichever_was_said_first(denial: str, stated: str) -> None:
    assert rivals(Statement("user", stated), Statement("user", denial))


@pytest.mark.parametrize(("one", "other"), APART)
def test_statements_that_both_hold(one: str, other: str) -> None:
    assert not rivals(Statement("user", one), Statement("user", other))
    assert not rivals(Statement("user", other), Statement("user", one))


OTHERS = [
    ("Ann Moor", "Ann Moor mends clocks at the harbour only on weekdays", "Ann Moor", "Ann Moor mends clocks at the harbour on weekends", True),
    ("Ann Moor", "Ann Moor also repairs violins at the harbour", "Ann Moor", "Ann Moor repairs clocks at the harbour", False),
    ("Bo Lind", "Bo Lind mends clocks at the harbour, while Ann Moor never mended any", "Ann Moor", "Ann Moor mends clocks at the harbour", True),
    ("Bo Lind", "Bo Lind mends clocks at the harbour", "Ann Moor", "Ann Moor mends clocks at the harbour", False),
    ("Ann Moor", "Ann Moor was born in Oslo and sings with Bo Lind", "Ann Moor", "Ann Moor and Bo Lind went to one school", False),
]  # fmt: skip


@pytest.mark.parametrize(("subject", "new", "earlier", "old", "expected"), OTHERS)
def test_what_is_said_of_others(subject: str, new: str, earlier: str, old: str, expected: bool) -> None:
    assert rivals(Statement(subject, new), Statement(earlier, old)) is expected


def test_another_filler_says_nothing_where_many_hold() -> None:
    one, other = (Statement("user", f"I always want {n} code examples in an answer") for n in (2, 3))
    assert rivals(one, other)
    assert not rivals(one, other, many=True)


def test_a_denial_for_good_is_found_without_vectors() -> None:
    assert may_deny("I have never danced in a recital", "I danced in the July recital")
    assert not may_deny("I have never danced in a recital", "I work at Acme")
    assert not may_deny("I danced in the July recital", "I danced in the May recital")


def test_near_texts_relate_by_their_words(story) -> None:
    story.says("fact:a", "1000", text="My API quota is 1,000 calls a day")
    item = next(iter(story.state.live.values()))
    how = {"text": "My API quota is 1,200 calls a day"}
    near = story.claim("fact:b", "1200", similar={item.id: 0.9}, **how)
    assert relate(near, item, story.config) is Relation.CONTRADICTS
    assert relate(story.claim("fact:b", "1200", **how), item, story.config) is Relation.UNRELATED


def test_the_denied_one_goes_to_the_archive_with_its_history(story) -> None:
    story.says("drink.likes", "coffee", text="I drink two cups of coffee every morning", session="a")
    old = next(iter(story.state.live.values()))
    story.says("diet", "coffee", polarity=-1, text="I quit coffee", similar={old.id: 0.8}, session="b")
    assert story.state.get(old.id).status in (Status.ARCHIVED, Status.STALE)
    assert any(item.text == "I quit coffee" for item in story.state.live.values())


def test_a_matter_of_life_is_never_moved_by_words_alone(story) -> None:
    story.says("allergy", "peanuts", text="I get a rash from 3 peanuts")
    old = next(iter(story.state.live.values()))
    story.says("fact", "peanuts", text="I get a rash from 5 peanuts", similar={old.id: 0.95})
    assert old.id in story.state.live
