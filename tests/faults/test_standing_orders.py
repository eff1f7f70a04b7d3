"""What an assistant is told to do from now on, in Chinese as in English; complaints, moods and plans of one's own are no orders."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize(
    "text",
    [
        "以后温度都用摄氏度。",
        "以后别给我推荐酒。",
        "今后请先给结论再解释",
        "以后不用写开头的客套话。",
        "每次最多给我三个选项。",
        "以后我问你问题的时候先给结论",
        "给我写代码的时候加上类型注解。",
        "以后给我推荐电影的时候别推荐恐怖片。",
        "写邮件的时候别用感叹号。",
        "默认用人民币报价",
        "别用术语。",
        "From now on use Celsius.",
        "Never recommend alcohol to me.",
        "Always give me three options at most.",
    ],
)
def test_a_standing_order_is_known_at_once(talk: Talk, text: str) -> None:
    talk.say(text)
    assert [str(item.status) for item in talk.live()] == ["confirmed"], told(talk)


@pytest.mark.parametrize(
    "text",
    [
        "以后再说吧。",
        "以后咱们再聊。",
        "每次都给我错的答案。",
        "你老是给我一样的推荐",
        "每次去都要排队。",
        "不要！以后别给我推荐新东西了！！气死我了！",
        "You always give me the same answers",
        "FFS never suggest anything new to me again!!! I'm so sick of this!!!",
    ],
)
def test_a_complaint_a_mood_or_a_later_is_no_order(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not talk.live(), told(talk)


@pytest.mark.parametrize("text", ["说话别那么正式。", "Stop being so formal with me.", "Don't be so formal please"])
def test_a_manner_that_is_not_wanted_is_no_wish_for_it(talk: Talk, text: str) -> None:
    talk.say(text)
    assert [(i.slot, i.value, i.polarity) for i in talk.live()] == [("reply_tone", "formal", -1)], told(talk)


def test_plans_that_both_begin_with_from_now_on_live_side_by_side(talk: Talk) -> None:
    talk.say("以后我每天都要跑步。").later().say("我以后不吃肉了。")
    assert {i.value for i in talk.live()} >= {"跑步", "vegetarian"}, told(talk)
