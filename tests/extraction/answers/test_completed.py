"""A short answer is read with the question before it; what is no answer, or no question about the user, completes nothing."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from hermes_core.extraction.answers import completed
from hermes_core.extraction.asking import question_of
from hermes_core.items import Turn

NOW = datetime(2026, 1, 5, tzinfo=timezone.utc)


def turn(answer: str, asked: str, role: str = "user") -> Turn:
    return Turn(id="t", user_id="u", session_id="s", role=role, text=answer, said_at=NOW, asked=asked)


def statements(asked: str, answer: str) -> list[str]:
    return [one.statement for one in completed(turn(answer, asked)).statements]


@pytest.mark.parametrize(
    ("asked", "answer", "stated"),
    [
        ("Do you like spicy food?", "No", "I don't like spicy food"),
        ("Do you like spicy food?", "Not really.", "I don't like spicy food"),
        ("Do you like spicy food?", "Yes, I do!", "I like spicy food"),
        ("Good to know. Are you vegetarian?", "yep", "I am vegetarian"),
        ("Do you still live in Munich?", "not any more", "I don't live in Munich any more"),
        ("Have you ever been to Japan?", "never", "I have never been to Japan"),
        ("You like tea, right?", "yes", "I like tea"),
        ("Did you grow up in Leeds?", "yes", "I grew up in Leeds"),
        ("Does your wife work?", "no", "my wife doesn't work"),
        ("Can you drive?", "no", "I can't drive"),
        ("你喜欢吃辣吗？", "不喜欢", "我不喜欢吃辣"),
        ("你喜欢吃辣吗？", "喜欢啊！", "我喜欢吃辣"),
        ("你喜不喜欢喝茶？", "喜欢", "我喜欢喝茶"),
        ("你有孩子吗？", "没有", "我没有孩子"),
        ("你去过海南吗？", "去过", "我去过海南"),
        ("你结婚了吗？", "还没呢", "我没结婚"),
        ("你对花生过敏吗？", "是的", "我对花生过敏"),
        ("你还住在上海吗？", "不了", "我不住在上海了"),
        ("你平时也讨厌运动吗？", "不讨厌！", "我平时不讨厌运动"),
    ],
)
def test_yes_and_no_say_what_was_asked(asked: str, answer: str, stated: str) -> None:
    (one,) = completed(turn(answer, asked)).statements
    assert one.statement == stated
    assert one.agreed
    assert answer.startswith(turn(answer, asked).text[one.start : one.end])
    assert one.question in asked


@pytest.mark.parametrize(
    ("asked", "answer", "stated"),
    [
        ("Where do you live?", "Munich", "I live in Munich"),
        ("Where do you live?", "near Munich.", "I live near Munich"),
        ("What's your name?", "Bob", "my name is Bob"),
        ("How old are you?", "34", "I am 34 years old"),
        ("What do you do for a living?", "nurse", "I work as a nurse"),
        ("How many cats do you have?", "two", "I have two cats"),
        ("Do you have any pets?", "two cats", "I have two cats"),
        ("Any allergies?", "shellfish and nuts", "I am allergic to shellfish and nuts"),
        ("Are you allergic to anything?", "peanuts", "I am allergic to peanuts"),
        ("Do you prefer tea or coffee?", "tea", "I prefer tea"),
        ("What music do you like?", "jazz, rock and blues", "I like jazz, rock and blues"),
        ("Do you live in Munich?", "No, Berlin", "I live in Berlin"),
        ("你养了几只猫？", "两只", "我养了两只猫"),
        ("你叫什么名字？", "王小明", "我叫王小明"),
        ("你今年多大了？", "26", "我今年26岁"),
        ("你是哪里人？", "湖南", "我是湖南人"),
        ("你住在哪里呀？", "杭州，你呢？", "我住在杭州"),
        ("你是做什么工作的呀？", "做销售的", "我是做销售的"),
        ("你对什么过敏？", "花生", "我对花生过敏"),
        ("你在哪里工作？", "广州", "我在广州工作"),
        ("你平时喜欢谁的歌呢？", "林一的", "我平时喜欢林一的歌"),
        ("你最喜欢什么样的季节呀？", "夏天，因为能游泳", "我最喜欢的季节是夏天"),
        ("你周末都做些什么呀？", "爬山", "我周末爬山"),
        ("你有孩子吗？", "有啊，两个", "我有两个孩子"),
        ("你练了多少年？", "我才一年半", "我练了一年半"),
    ],
)
def test_a_few_words_take_the_place_of_what_was_asked(asked: str, answer: str, stated: str) -> None:
    found = completed(turn(answer, asked)).statements
    assert stated in [one.statement for one in found]
    assert not next(one for one in found if one.statement == stated).agreed


def test_what_is_only_not_liked_keeps_its_object() -> None:
    assert statements("你讨厌打球吗？", "不讨厌，只是不喜欢而已。") == ["我不讨厌打球", "我不喜欢打球"]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Do you like tea?", "I don't know"),
        ("Do you like tea?", "Why do you ask?"),
        ("Do you like tea?", "maybe"),
        ("Do you like tea?", "I guess so"),
        ("Do you like tea?", "yeah right, as if"),
        ("Do you like tea?", "if it's free"),
        ("Where do you live?", "it's a secret"),
        ("Where do you live?", "guess"),
        ("How old are you?", "none of your business"),
        ("你喜欢喝茶吗？", "可能吧"),
        ("你喜欢喝茶吗？", "你猜"),
        ("你喜欢喝茶吗？", "不知道"),
        ("你喜欢喝茶吗？", "呵呵，可真喜欢"),
        ("你住在哪里？", "不告诉你"),
        ("你多大了？", "秘密"),
    ],
)
def test_what_evades_doubts_or_jokes_is_no_answer_and_says_so(asked: str, answer: str) -> None:
    found = completed(turn(answer, asked))
    assert found.statements == ()
    assert found.unanswered in asked and found.unanswered


@pytest.mark.parametrize(
    "asked",
    [
        "Would you like more?",
        "Shall I book it?",
        "Do you want the recipe?",
        "Do you have any questions?",
        "Should I send the money to the account?",
        "Do you like my dress?",
        "Is that correct?",
        "Are you ready?",
        "Do you like tea? Are you a nurse?",
        "I like tea.",
        "要不要我推荐几个？",
        "需要我帮你订票吗？",
        "你知道我几岁吗？",
        "这样可以吗？",
        "我喜欢喝茶。",
        "他是在工作还是在上学？",
    ],
)
def test_offers_and_questions_about_others_ask_nothing_of_the_user(asked: str) -> None:
    assert question_of(asked) is None
    assert statements(asked, "yes") == statements(asked, "是的") == []


def test_a_question_must_stand_at_the_end() -> None:
    talk = "Do you like tea? Green tea has been drunk for ages. It has many virtues. Here are some of them."
    assert statements(talk, "yes") == []


def test_only_the_users_turns_answer() -> None:
    assert completed(turn("yes", "Do you like tea?", role="assistant")).statements == ()
    assert completed(turn("yes", "")).statements == ()


def test_pasted_words_are_no_answer() -> None:
    assert statements("Where do you live?", "> Munich") == []
