"""Words as numbers: the same on every machine, in two languages, on any text."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_core.terms import stem, term_ids, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("peanuts", "peanut"),
        ("hiking", "hikes"),
        ("hiked", "hike"),
        ("allergies", "allergy"),
        ("running", "run"),
        ("stories", "story"),
        ("boxes", "box"),
        ("dances", "dancing"),
        ("quickly", "quick"),
    ],
)
def test_forms_of_a_word_share_a_term(one, other):
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["bus", "glass", "his", "is", "sing", "red", "naïve", "go"])
def test_short_and_odd_words_keep_their_shape(word):
    assert stem(word) == word


def test_stop_words_and_case_do_not_count():
    assert list(words("The user IS allergic to PEANUTS")) == ["user", "allergic", "peanut"]


def test_chinese_is_cut_into_words_and_their_parts():
    found = list(words("我下周去上海交通大学出差，对花生过敏"))
    assert {"上海", "大学", "上海交通大学", "出差", "花生", "过敏"} <= set(found)
    assert "我" not in found


def test_both_languages_in_one_sentence():
    found = list(words("我用 Python 写脚本, prefers 简洁的回答"))
    assert {"python", "简洁", "回答"} <= set(found)


def test_a_chinese_query_word_meets_the_same_word_in_a_sentence():
    assert set(term_ids("上海").tolist()) <= set(term_ids("我下周去上海出差").tolist())


def test_numbers_are_words():
    assert list(words("1,600.5 tokens in 2026")) == ["1600.5", "token", "2026"]


def test_extra_words_are_added():
    assert term_ids("tea", ("reply_length",)).tolist() == term_ids("tea reply length").tolist()


def test_ids_are_these_on_every_machine():
    assert term_ids("peanut allergy 花生").tolist() == [801184389, 3590738641, 3430792814]


def test_another_process_gives_the_same_ids():
    text = "我下周去上海出差, then hiking near Berlin 2026"
    code = f"from hermes_core.terms import term_ids; print(term_ids({text!r}).tolist())"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == str(term_ids(text).tolist())


@given(st.text(alphabet=st.characters(), max_size=80))
def test_never_raises_and_repeats_itself(text):
    first = term_ids(text)
    assert first.dtype == np.uint32
    assert first.tolist() == term_ids(text).tolist()


@pytest.mark.parametrize("text", ["", "   ", "\ud800", "\x00", "😀" * 1000, "the of 的 了"])
def test_a_text_without_words_has_no_terms(text):
    assert len(term_ids(text)) == 0
