"""Names, places, dates, amounts and codes are found in both scripts, whatever the text."""

from __future__ import annotations

import time

import pytest

from hermes_core.entities import content_words, entities, key_phrases, mostly_chinese, names_in, overlap, sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("My dog is called Rex and I live in New York with Maria.", {"Rex", "New York", "Maria"}),
        ("Rex is my dog", {"Rex"}),
        ("Is the blue flask SKU-8823 in stock? I'd pay $24.50", {"SKU-8823", "$24.50"}),
        ("My flight UA857 leaves on June 3rd at 10:30am", {"UA857", "June 3rd", "10:30am"}),
        ("Due 2025-06-01, 15% off, 3 kg", {"2025-06-01", "15%", "3 kg"}),
        ("Mail anna@example.com about the IBM contract", {"anna@example.com", "IBM"}),
        ("My wife Anna's birthday is 12 May", {"Anna", "12 May"}),
        ("上次那个蓝色保温杯SKU-8823还有货吗？我出200块钱", {"SKU-8823", "200块钱"}),
        ("我下周去上海出差，同事王小明也去，6月3日下午三点的飞机", {"上海", "王小明", "6月3日", "下午三点"}),
        ("我养了一只狗叫旺财", {"旺财"}),
        ("我在看《三体》", {"《三体》"}),
        ("住在朝阳区，在腾讯公司上班", {"朝阳区", "腾讯公司"}),
        ("我用 Python，在 Beijing 工作", {"Python", "Beijing"}),
    ],
)
def test_finds(text, found):
    assert found <= set(entities(text))


@pytest.mark.parametrize(
    "text",
    [
        "OK thanks",
        "What do you think?",
        "Allergic to nuts",
        "I like it",
        "好的，谢谢",
        "我喜欢喝茶",
        "",
        "....",
        "Hello! Please help.",
    ],
)
def test_finds_nothing_where_nothing_is_named(text):
    assert entities(text) == ()


def test_order_is_kept_and_repeats_are_not():
    assert entities("I met Bob, then Al, then bob and Bob") == ("Bob", "Al")


@pytest.mark.parametrize(
    "text", ["a-1" * 7000, "1," * 10000, "“" * 20000, "Dr. " * 5000, "x@" * 9000, "在" * 20000, "\ud800\udfff" * 9000]
)
def test_a_flood_costs_little(text):
    started = time.perf_counter()
    entities(text)
    sentences(text)
    content_words(text)
    assert time.perf_counter() - started < 1.0


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I met Dr. Smith. He costs $1.50! Really?", ["I met Dr. Smith.", "He costs $1.50!", "Really?"]),
        ("我叫小李。我住上海！好吗？", ["我叫小李。", "我住上海！", "好吗？"]),
        ("one\ntwo\n\n...", ["one", "two"]),
        ("", []),
    ],
)
def test_sentences(text, parts):
    assert sentences(text) == parts


def test_content_words_meet_across_endings():
    assert overlap(content_words("I renewed my passports"), content_words("renewing the passport")) == 1
    assert overlap(content_words("我喜欢喝茶"), content_words("我爱喝茶")) > 0
    assert overlap(frozenset(), frozenset({"a"})) == 1


def test_script_and_names():
    assert mostly_chinese("我用 Python 写代码")
    assert not mostly_chinese("I say 你好 to my friends every day")
    assert names_in("we saw NEW  york", ["New York", "Rome"]) == ["New York"]


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("I don't like spicy food", {"spicy food"}),
        ("我不吃辣", {"吃辣"}),
        ("我最近在学游泳", {"学游泳"}),
        ("ok", set()),
        ("", set()),
    ],
)
def test_what_a_text_without_names_is_about(text, about):
    assert set(key_phrases(text)) == about
