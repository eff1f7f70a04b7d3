"""Laws G and C: only what the user said in that turn is evidence (W4; FAULTS M3, J1, X1, X4)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_core.extraction.grounding import Grounded, ground, ground_all
from hermes_core.extraction.turn_words import TurnWords
from hermes_core.ports import Dismissal
from hermes_core.reasons import Reason
from hermes_core.tokens import TiktokenCounter

from .helpers import claim, said


def quote_of(text: str, quote: str, **more) -> str:
    """The quote as it was grounded, or the reason code."""
    value = more.pop("value", quote)
    result = ground(claim(quote, value, **more), said(text))
    return result.candidate.quote if isinstance(result, Grounded) else str(result.reason)


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("I'm allergic to peanuts.", "I'm allergic to peanuts", "I'm allergic to peanuts"),
        ("I'm allergic to peanuts.", "i’m  ALLERGIC, to peanuts!", "I'm allergic to peanuts"),
        ("我对花生过敏。", "我对花生过敏", "我对花生过敏"),
        ("我对 花生 过敏。", "我对花生过敏", "我对 花生 过敏"),
        ("我用Ｐｙｔｈｏｎ写代码", "我用Python写代码", "我用Ｐｙｔｈｏｎ写代码"),
        ("我住在杭州，喜欢 jazz 音乐", "喜欢jazz音乐", "喜欢 jazz 音乐"),
        ("I moved to Zu\u0308rich in May", "I moved to Zürich in May", "I moved to Zu\u0308rich in May"),
        ("My café is in Łódź", "my CAFÉ is in łódź", "My café is in Łódź"),
        ("Well, I work nights at the port.", "I work nights at the port", "I work nights at the port"),
        # a word or two stand for their clause
        ("By the way, I'm allergic to walnuts, sadly.", "walnuts", "I'm allergic to walnuts"),
        # nearly the user's words, with the same yes or no
        (
            "I am really allergic to peanuts and shellfish.",
            "I am allergic to peanuts and shellfish",
            "I am really allergic to peanuts and shellfish.",
        ),
    ],
)
def test_a_quote_stands_as_the_user_wrote_it(text, quote, expected):
    got = quote_of(text, quote)
    assert got == expected
    assert got in text


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("I am an engineer at a cart shop", "art"),
        ("I love tea", "I love coffee"),
        ("I can't eat nuts at all, sorry", "I can eat nuts at all"),
        ("ok thanks", "I am a student"),
        ("我喜欢喝茶", "我不喜欢喝茶"),
        ("I like it", "the of and"),
        ("我喜欢", "的"),
        ("hello", ""),
        ("hello", "   "),
        ("", "I live in Oslo"),
    ],
)
def test_what_was_not_said_is_ungrounded(text, quote):
    assert quote_of(text, quote) == Reason.UNGROUNDED


@pytest.mark.parametrize(
    ("text", "quote", "reason"),
    [
        ("Am I allergic to peanuts?", "I allergic to peanuts", Reason.NOT_A_STATEMENT),
        ("Do you know if I am allergic to nuts?", "I am allergic to nuts", Reason.NOT_A_STATEMENT),
        ("我对花生过敏吗？", "我对花生过敏", Reason.NOT_A_STATEMENT),
        ("你觉得我适合住在杭州吗", "我适合住在杭州", Reason.NOT_A_STATEMENT),
        ("Can you recommend a jazz bar?", "recommend a jazz bar", Reason.NOT_A_STATEMENT),
        ("If I were rich I'd live in Paris.", "I'd live in Paris", Reason.HYPOTHETICAL),
        ("Suppose I am vegetarian. What then?", "I am vegetarian", Reason.HYPOTHETICAL),
        ("假如我住在巴黎，我会天天喝咖啡", "我会天天喝咖啡", Reason.HYPOTHETICAL),
        ("如果我是素食者该吃什么", "我是素食者", Reason.HYPOTHETICAL),
        ("Let's role play. I am a pirate captain.", "I am a pirate captain", Reason.HYPOTHETICAL),
        ("我们来角色扮演。我是一名海盗船长。", "我是一名海盗船长", Reason.HYPOTHETICAL),
        ("Here is an article: I always drink tea at five", "I always drink tea at five", Reason.PASTED_TEXT),
        ("Summarize this:\n\nMy garden in Kent is small.\n\nI grow leeks.", "I grow leeks", Reason.PASTED_TEXT),
        ("总结以下内容：我每天五点喝茶", "我每天五点喝茶", Reason.PASTED_TEXT),
        ("原文如下：\n我住在北京的胡同里", "我住在北京的胡同里", Reason.PASTED_TEXT),
        ("Look:\n> I hate mornings\nfunny, no?", "I hate mornings", Reason.PASTED_TEXT),
        ("```\nname = 'I live in Oslo'\n```\nwhy?", "I live in Oslo", Reason.PASTED_TEXT),
        (
            "She wrote “I will never eat meat again in my life” to him.",
            "I will never eat meat again",
            Reason.PASTED_TEXT,
        ),
        ("他说「我这辈子再也不吃肉了」就走了", "我这辈子再也不吃肉了", Reason.PASTED_TEXT),
        ("<memory>\nlikes green tea\n</memory>\nok", "likes green tea", Reason.RECALLED_TEXT),
        ("Notes about the user:\n- likes green tea\n- lives in Oslo\n\nok", "lives in Oslo", Reason.RECALLED_TEXT),
        ("Settled:\n- I live in Oslo [m:725525]\n\nok", "I live in Oslo", Reason.RECALLED_TEXT),
        ("关于用户：\n- 喜欢喝绿茶\n\n好的", "喜欢喝绿茶", Reason.RECALLED_TEXT),
    ],
)
def test_what_is_no_evidence_says_why(text, quote, reason):
    assert quote_of(text, quote) == reason


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("I'm allergic to peanuts, what can I eat?", "I'm allergic to peanuts"),
        ("I am allergic to peanuts what can I eat?", "I am allergic to peanuts"),
        ("What can I cook since I am vegan?", "I am vegan"),
        ("我对花生过敏，能吃这个吗？", "我对花生过敏"),
        ("我对花生过敏能吃这个吗？", "我对花生过敏"),
        ("If I eat nuts, I get hives.", "I get hives"),
        ("What I need is short answers.", "What I need is short answers"),
        ("When I was five we moved to Kyoto.", "we moved to Kyoto"),
        ("Summarize this:\n\nSome text here.\n\nBy the way, I live in Oslo.", "I live in Oslo"),
        ('Call me "Captain" please', 'Call me "Captain"'),
    ],
)
def test_a_statement_beside_a_question_or_a_document_counts(text, quote):
    assert quote_of(text, quote) == quote


def test_a_recalled_line_is_no_evidence_but_the_users_own_words_are():
    recalled = ["User likes tea"]
    told = ground(claim("User likes tea", "tea"), said("User likes tea\nok"), recalled)
    assert isinstance(told, Dismissal)
    assert told.reason == Reason.RECALLED_TEXT
    own = ground(claim("I like tea", "tea"), said("I like tea"), ["I like tea"])
    assert isinstance(own, Grounded)
    listed = ground(claim("I like tea", "tea"), said("What I remember:\n- I like tea\n\nok"), ["I like tea"])
    assert isinstance(listed, Dismissal)


def test_the_assistants_words_are_no_evidence():
    result = ground(claim("You know Python well", "Python"), said("You know Python well", role="assistant"))
    assert isinstance(result, Dismissal)


def test_the_tail_of_a_flood_is_pasted_text():
    text = "filler words go on. " * 2000 + "I live in Oslo."
    assert quote_of(text, "I live in Oslo") in (Reason.UNGROUNDED, Reason.PASTED_TEXT)
    assert quote_of("I live in Oslo.\n\n" + text, "I live in Oslo") == "I live in Oslo"


# --- invention (M3) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "quote", "value", "written"),
    [
        ("Help me with my essay on Kant", "my essay on Kant", "student at Stanford", "I am a student at Stanford"),
        (
            "Help me with my essay on Kant",
            "my essay on Kant",
            "student at Kant University of Oxford",
            "Studies at Oxford",
        ),
        ("帮我改改论文，我写的是康德", "我写的是康德", "斯坦福大学", "我是斯坦福大学的学生"),
        ("I walk a lot", "I walk a lot", "runs marathons", "User runs marathons"),
        ("I walk a lot. My boss runs marathons.", "I walk a lot", "marathons", "User runs marathons"),
    ],
)
def test_an_invented_value_is_ungrounded_or_cut_to_what_was_said(text, quote, value, written):
    result = ground(claim(quote, value, written), said(text))
    if isinstance(result, Grounded):
        kept = f"{result.candidate.value} {result.candidate.text}"
        assert not re.search(r"Stanford|Oxford|marathon|斯坦福|student", kept)
    else:
        assert result.reason == Reason.UNGROUNDED


@pytest.mark.parametrize(
    ("text", "quote", "value", "written", "expected_text"),
    [
        ("I hate tea", "I hate tea", "tea", "User loves tea", "I hate tea"),
        ("I'm 31 and love jazz", "I'm 31 and love jazz", "jazz", "Loves jazz, aged 32", "I'm 31 and love jazz"),
        ("I love jazz", "I love jazz", "jazz", "Maria loves jazz", "I love jazz"),
        ("我喜欢喝茶", "我喜欢喝茶", "喝茶", "用户在上海喜欢喝茶", "我喜欢喝茶"),
        ("I love jazz", "I love jazz", "jazz", "The user loves jazz", "The user loves jazz"),
    ],
)
def test_a_text_that_adds_or_turns_around_is_put_back_into_the_users_words(text, quote, value, written, expected_text):
    result = ground(claim(quote, value, written), said(text))
    assert isinstance(result, Grounded)
    assert result.candidate.text == expected_text


def test_a_denial_told_as_a_liking_gets_its_sign_back():
    result = ground(claim("I don't like tea", "tea", "User likes tea"), said("I don't like tea"))
    assert isinstance(result, Grounded)
    assert result.candidate.polarity == -1
    assert "text" in result.rebuilt


@pytest.mark.parametrize(
    ("quote", "subject"),
    [
        ("My friend Jack hates football", "friend Jack"),
        ("my boss drinks three coffees before noon", "boss"),
        ("She loves jazz", "she"),
        ("Jack hates football", "Jack"),
        ("我朋友讨厌足球", "朋友"),
        ("她喜欢爵士乐", "她"),
        ("My wife and I love hiking", "user"),
        ("我和老婆都喜欢爬山", "user"),
        ("I hate football", "user"),
        ("My knee hurts on stairs", "user"),
        ("This is my favourite song", "user"),
        ("我讨厌足球", "user"),
        ("我家在杭州", "user"),
    ],
)
def test_what_others_are_like_is_not_the_users_profile(quote, subject):
    result = ground(claim(quote), said(quote + "."))
    assert isinstance(result, Grounded)
    assert result.candidate.subject == subject
    family = ground(claim(quote, kind="relation", slot="friends"), said(quote + "."))
    assert isinstance(family, Grounded)
    assert family.candidate.subject == "user"


@pytest.mark.parametrize(
    "quote", ["我非常喜欢茶", "我特别喜欢茶", "这茶不错，我喜欢茶", "I can't live without tea", "我离不开茶"]
)
def test_what_only_looks_like_a_denial_is_none(quote):
    result = ground(claim(quote, "茶" if "茶" in quote else "tea"), said(quote))
    assert isinstance(result, Grounded)
    assert result.candidate.polarity == 1
    told = ground(
        claim(quote, "茶" if "茶" in quote else "tea", "用户喜欢茶" if "茶" in quote else "User likes tea"), said(quote)
    )
    assert isinstance(told, Grounded)
    assert told.candidate.polarity == 1


@pytest.mark.parametrize(
    ("text", "value", "holds"),
    [
        (
            "I grew up in a small village near the sea, where my grandparents kept bees and sold honey at the market every "
            "Saturday morning while my parents worked in the cannery, and my sister and I walked to school over the hill.",
            "village",
            "I grew up in a small village near the sea",
        ),
        (
            "我从小在海边的一个小村子里长大，爷爷奶奶养蜜蜂，每个星期六早上到集市上卖蜂蜜，爸爸妈妈在罐头厂上班，我和姐姐翻过一座山去上学。",
            "养蜜蜂",
            "爷爷奶奶养蜜蜂",
        ),
    ],
)
def test_a_long_quote_gives_a_text_that_fits_an_item(text, value, holds):
    result = ground(claim(text, value, kind="fact", slot="hometown"), said(text))
    assert isinstance(result, Grounded)
    assert holds in result.candidate.text
    assert result.candidate.text in text
    assert TiktokenCounter().count(result.candidate.text) <= 50
    assert result.candidate.quote.rstrip(".。") == text.rstrip(".。")


def test_numbers_are_the_same_in_figures_and_words():
    for text, value in (("我三十岁", "30"), ("I have two cats", "2 cats"), ("I earn 1,200 a week", "1200")):
        result = ground(claim(text, value, kind="fact"), said(text))
        assert isinstance(result, Grounded), text
        assert result.candidate.value == value
    assert isinstance(ground(claim("I have two cats", "7 dogs", "7 dogs"), said("I have two cats")), Dismissal)


@pytest.mark.parametrize(("quote", "value"), [("回答尽量简短一点", "concise"), ("keep your answers brief", "concise")])
def test_the_catalogue_vouches_for_a_normalised_value(quote, value):
    result = ground(claim(quote, value, slot="reply_length"), said(quote))
    assert isinstance(result, Grounded)
    assert result.candidate.value == value
    other = ground(claim(quote, "detailed", slot="reply_length"), said(quote))
    assert isinstance(other, Dismissal) or other.candidate.value == value


def test_qualifiers_that_were_not_said_are_dropped():
    result = ground(
        claim("I drink tea in winter", "tea", qualifiers=("winter", "at grandma's")), said("I drink tea in winter")
    )
    assert isinstance(result, Grounded)
    assert result.candidate.qualifiers == ("winter",)


def test_a_batch_keeps_every_claim_or_its_reason():
    turns = {"t1": said("I love jazz"), "t2": said("我住在杭州", "t2")}
    claims = [
        claim("I love jazz", "jazz"),
        claim("我住在杭州", "杭州", turn_id="t2"),
        claim("I love jazz", "jazz", turn_id="t2"),
        claim("I love jazz", "jazz", turn_id="elsewhere"),
    ]
    kept, dismissed = ground_all(claims, turns)
    assert [one.candidate.turn_id for one in kept] == ["t1", "t2"]
    assert [one.reason for one in dismissed] == [Reason.UNGROUNDED] * 2


TEXTS = st.text(st.sampled_from('I like tea, 不喜欢茶。?！ \n>`"“”Ａ3é\ud800\u200d😀«'), max_size=60) | st.text(
    max_size=40
)


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_whatever_is_grounded_was_said(text, quote, value):
    result = ground(claim(quote, value, value), said(text), (quote, value))
    if isinstance(result, Grounded):
        found = result.candidate
        assert found.quote in text
        assert text[result.start : result.end].strip() == found.quote
        assert set(re.findall(r"[0-9]", found.text)) <= set(re.findall(r"\d", TurnWords(text).said.lowered))


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.integers(0, 59), st.integers(1, 60))
def test_a_found_quote_is_found_where_it_stands(text, start, length):
    piece = text[start : start + length]
    words = TurnWords(text)
    span = words.find(piece)
    if span is not None:
        assert 0 <= span.start < span.end <= len(text)
        sentence, clause = words.sentence(span), words.clause(span)
        assert sentence.start <= clause.start <= span.start < span.end <= clause.end
