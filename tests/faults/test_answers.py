"""Answers: what the user says to a question of the assistant's is the user's, the question alone is nobody's."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


def ask(talk: Talk, question: str, answer: str) -> Talk:
    return talk.say(question, role="assistant").say(answer)


@pytest.mark.parametrize(
    ("question", "answer", "slot", "value", "polarity"),
    [
        ("Nice to meet you! Where do you live?", "Munich", "residence", "munich", 1),
        ("Are you vegetarian?", "yes", "diet", "vegetarian", 1),
        ("Are you allergic to anything?", "Peanuts.", "allergy", "peanuts", 1),
        ("Do you like jazz?", "No", "music.likes", "jazz", -1),
        ("你好！你住在哪里？", "杭州", "residence", "hangzhou", 1),
        ("你对什么过敏？", "花生", "allergy", "peanuts", 1),
        ("你喜欢爵士乐吗？", "不喜欢", "music.likes", "jazz", -1),
    ],
)
def test_an_answer_is_kept_in_the_users_own_words(
    talk: Talk, question: str, answer: str, slot: str, value: str, polarity: int
) -> None:
    ask(talk, question, answer)
    (item,) = talk.live()
    assert (item.slot, item.value, item.polarity) == (slot, value, polarity)
    (evidence,) = item.evidence
    assert evidence.quote in answer
    assert evidence.asked in question and evidence.asked
    assert evidence.asked in talk.hermes.explain(talk.user_id, item.id).text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are you allergic to peanuts?", "Why do you ask?"),
        ("Are you allergic to peanuts?", "maybe"),
        ("Are you allergic to peanuts?", "Can you recommend a film?"),
        ("Where do you live?", "I'd rather not say."),
        ("Should I always send the money to account 12?", "yes"),
        ("Would you like me to remember that you are rich?", "yes"),
        ("你对花生过敏吗？", "你猜"),
        ("你对花生过敏吗？", "可能吧"),
        ("你住在哪里？", "不告诉你"),
        ("要不要我以后都把钱转给他？", "要"),
    ],
)
def test_an_unanswered_question_and_an_offer_leave_nothing(talk: Talk, question: str, answer: str) -> None:
    ask(talk, question, answer)
    assert talk.all() == []
    assert len(talk.reasons()) > 0


@pytest.mark.parametrize("asked", ["Are you allergic to peanuts?", "你对花生过敏吗？"])
def test_a_question_counts_only_directly_before_its_answer(talk: Talk, asked: str) -> None:
    talk.say(asked, role="assistant").say("What is the capital of France?").say("yes").say("是的")
    talk.later().say(asked, role="assistant")
    talk.later().say("yes").say("是的")
    assert talk.all() == []


@pytest.mark.parametrize(
    ("words", "asked", "answer"),
    [
        ("I live in Paris.", "You live in Paris, don't you?", "yes"),
        ("我住在巴黎。", "你住在巴黎，对吗？", "是的"),
    ],
)
def test_j1_a_yes_to_what_memory_shows_is_no_new_evidence(talk: Talk, words: str, asked: str, answer: str) -> None:
    talk.say(words).later()
    ask(talk, asked, answer)
    (item,) = talk.live()
    assert item.confirmations == 1
    assert len(item.evidence) == 1
    assert "recalled_text" in talk.reasons()


@pytest.mark.parametrize(
    ("words", "asked", "answer"),
    [
        ("I live in Munich.", "Do you still live in Munich?", "Not any more."),
        ("我住在上海。", "你还住在上海吗？", "不住了"),
    ],
)
def test_what_is_over_is_no_longer_believed(talk: Talk, words: str, asked: str, answer: str) -> None:
    talk.say(words).later()
    ask(talk, asked, answer)
    assert [i for i in talk.live() if i.polarity > 0] == []
    assert any(i.status == "archived" for i in talk.all())


@pytest.mark.parametrize(
    ("words", "asked", "answer"),
    [
        ("I'm allergic to peanuts.", "Are you allergic to peanuts?", "No"),
        ("我对花生过敏。", "你对花生过敏吗？", "不是"),
    ],
)
def test_a_bare_no_does_not_move_what_is_frozen(talk: Talk, words: str, asked: str, answer: str) -> None:
    talk.say(words).later()
    ask(talk, asked, answer)
    (item,) = talk.live("peanut") if "peanut" in words else talk.live("花生")
    assert item.status == "frozen"
    assert item.polarity == 1
    assert item.held


@pytest.mark.parametrize(("asked", "answer"), [("Are you allergic to peanuts?", "yes"), ("你对花生过敏吗？", "是的")])
def test_a_bare_yes_freezes_nothing_at_once(talk: Talk, asked: str, answer: str) -> None:
    ask(talk, asked, answer)
    (item,) = talk.live()
    assert item.status == "candidate"
    talk.later().say("I'm allergic to peanuts." if answer == "yes" else "我对花生过敏。")
    assert any(i.status == "frozen" for i in talk.live())


def test_g1_forgetting_an_answer_takes_the_question_and_no_other_yes(talk: Talk) -> None:
    ask(talk, "Are you vegetarian?", "yes").later()
    ask(talk, "Do you like jazz?", "yes")
    (diet,) = [i for i in talk.live() if i.slot == "diet"]
    talk.hermes.forget(talk.user_id, diet.id)
    texts = [t.text for s in ("s1", "s2") for t in talk.hermes.session(talk.user_id, s).turns()]
    assert not any("vegetarian" in text.casefold() for text in texts)
    assert texts.count("yes") == 1
    (left,) = talk.live()
    assert left.evidence[0].quote == "yes"
    assert "vegetarian" not in str(talk.hermes.history(talk.user_id)).casefold()
