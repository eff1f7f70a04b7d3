"""What everyday sentences become, in both languages: slot, value, polarity; and what leaves nothing."""

from __future__ import annotations

import pytest

from .reading_helpers import extractor, only, said, turn

CLAIMS = [
    ("I'm allergic to peanuts.", "allergy", "peanuts", 1),
    ("我对花生过敏", "allergy", "peanuts", 1),
    ("I live in Paris.", "residence", "paris", 1),
    ("My home is in Paris.", "residence", "paris", 1),
    ("我住在巴黎", "residence", "paris", 1),
    ("I work at Acme.", "employer", "acme", 1),
    ("我在腾讯工作", "employer", "腾讯", 1),
    ("I love Chinese food.", "food.likes", "chinese food", 1),
    ("I hate Chinese food.", "food.likes", "chinese food", -1),
    ("我喜欢中餐", "food.likes", "chinese food", 1),
    ("我讨厌中餐", "food.likes", "chinese food", -1),
    ("I prefer concise answers.", "reply_length", "concise", 1),
    ("回答简洁一点", "reply_length", "concise", 1),
    ("Please reply in English from now on.", "reply_language", "english", 1),
    ("以后都用中文回答我", "reply_language", "chinese", 1),
    ("My name is Laura.", "name", "laura", 1),
    ("我叫李明", "name", "李明", 1),
    ("I'm vegan.", "diet", "vegan", 1),
    ("我吃素", "diet", "vegetarian", 1),
    ("My dog is called Rex.", "pets", "rex", 1),
    ("我家狗叫豆豆", "pets", "豆豆", 1),
    ("My blood type is O negative.", "blood_type", "o negative", 1),
    ("我是O型血", "blood_type", "o", 1),
    ("I'm a nurse.", "occupation", "nurse", 1),
    ("我是护士", "occupation", "护士", 1),
    ("My native language is Spanish.", "native_language", "spanish", 1),
    ("我的母语是西班牙语", "native_language", "spanish", 1),
]


@pytest.mark.parametrize(("text", "slot", "value", "polarity"), CLAIMS)
def test_a_plain_statement_becomes_one_claim(text, slot, value, polarity):
    claim = only(text)
    assert (claim.slot, claim.value, claim.polarity) == (slot, value, polarity)
    assert claim.quote in text
    assert claim.basis == "explicit"
    assert claim.tone == "calm"


NOTHING = [
    "ok thanks",
    "好的，谢谢",
    "   ",
    "Can you help me write a poem?",
    "帮我写一首诗",
    "What's the capital of France?",
    "法国的首都是哪里？",
    "今天天气真好",
    "If I were rich, I would buy a boat.",
    "如果我有钱就买艘船",
    "hi there, how are you?",
    "你喜欢音乐吗？",
    "Translate this into German please.",
    "I need to book a hotel for tomorrow.",
    "我想找一家人均一百的餐馆，推荐一个",
]


@pytest.mark.parametrize("text", NOTHING)
def test_requests_questions_and_small_talk_leave_nothing_but_a_reason(text):
    found = said(text)
    assert list(found) == []
    assert text.strip() == "" or all(d.reason for d in found.dismissed)
    assert text.strip() == "" or found.dismissed


def test_a_statement_before_a_question_is_kept():
    assert [c.value for c in said("I'm vegan, so what can I cook?")] == ["vegan"]
    assert [c.value for c in said("我对花生过敏，有什么推荐吗？")] == ["peanuts"]


def test_two_claims_in_one_sentence():
    english = said("I love tea but hate coffee.")
    assert [(c.value, c.polarity) for c in english] == [("tea", 1), ("coffee", -1)]
    chinese = said("我住在北京，在腾讯工作")
    assert [(c.slot, c.value) for c in chinese] == [("residence", "beijing"), ("employer", "腾讯")]


def test_a_reason_stays_with_what_it_explains():
    claim = only("I avoid roller coasters because they make me sick.")
    assert "sick" in claim.text


def test_assistant_turns_are_no_evidence():
    assert list(extractor().extract([turn("You live in Paris.", role="assistant")], [])) == []


def test_pasted_text_is_no_evidence():
    assert list(said("```\nmy name is Bob and I live in Rome\n```")) == []
    assert list(said("> I am allergic to nuts\nwhat does this mail say?")) == []


def test_anger_is_marked():
    for text in ("Ugh, I'm so fucking done, I hate spinach!!!", "气死我了，我再也不吃香菜了！！！"):
        for claim in said(text):
            assert claim.tone == "emotional"
            assert claim.confidence < 0.8


def test_irony_is_not_taken_at_its_word():
    assert all(
        c.tone == "emotional" or c.polarity < 0 for c in said("I just love paying rent for a room with no heating.")
    )


@pytest.mark.parametrize("text", ["\ud800 broken", "\x00\x00", "😀" * 500, "a" * 5000, "，，，。。。", "\u202eabc"])
def test_odd_text_never_raises(text):
    said(text)


def test_the_same_turns_give_the_same_answer():
    texts = ("I'm a nurse and I live in Leeds.", "我不吃辣")
    assert list(said(*texts)) == list(said(*texts))
