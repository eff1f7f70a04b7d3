"""Sentences that switch between Chinese and English leave what their monolingual twins leave, in the user's own words.

open.txt holds those that the rules were made with, held_out.txt those that were looked at only afterwards. A line that
starts with "~" is known to go wrong, so that it is noticed when it comes right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from hermes_core.extraction.grounding import Grounded, ground
from hermes_core.extraction.mixed import glosses
from hermes_core.items import Candidate
from hermes_core.ports import Extraction
from tests.extraction.local.reading_helpers import extractor, turn

HERE = Path(__file__).parent
_WANTED = re.compile(r"(?P<slots>\S+) (?P<sign>[+±-])(?: (?P<value>.+))?$")
_TOLD = frozenset({"fact", "schedule", "routine", "project"})  # slots whose value is a sentence
_SIGNS = {"+": (1,), "-": (-1,), "±": (1, -1)}


class Case(NamedTuple):
    wanted: str
    asked: str
    text: str


def cases(name: str, *, wrong: bool = False) -> Iterator[Case]:
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#") or line.startswith("~") != wrong:
            continue
        wanted, text = line.removeprefix("~").strip().split(" | ", 1)
        asked, _, said = text.rpartition(" => ")
        yield Case(wanted, asked, said)


FILES = ("open.txt", "held_out.txt")
EVERY = [case for name in FILES for case in cases(name)]
WRONG = [case for name in FILES for case in cases(name, wrong=True)]


def read(case: Case) -> Extraction:
    return extractor().extract([msgspec.structs.replace(turn(case.text), asked=case.asked)], [])


def told(candidate: Candidate, wanted: str) -> bool:
    """Whether the claim is what a line asks for: "slot[/slot] sign [value[/value]]", a slot with @ being of somebody else."""
    parts = _WANTED.match(wanted)
    assert parts is not None, wanted
    if candidate.polarity not in _SIGNS[parts["sign"]]:
        return False
    slot, of_user = candidate.slot.split(":")[0], candidate.subject == "user"
    words = f"{candidate.value} {candidate.text if slot in _TOLD else ''}".casefold()
    if parts["value"] and not any(value in words for value in parts["value"].casefold().split("/")):
        return False
    return any(slot == one.rstrip("@") and not (one.endswith("@") and of_user) for one in parts["slots"].split("/"))


def comes_right(case: Case) -> bool:
    claims = list(read(case))
    if case.wanted == "-":
        return not [claim for claim in claims if claim.subject == "user"]
    return any(told(claim, case.wanted) for claim in claims)


@pytest.mark.parametrize("case", EVERY, ids=lambda case: case.text)
def test_a_sentence_that_switches_leaves_what_it_says(case: Case) -> None:
    found = read(case)
    assert comes_right(case), (list(found), found.dismissed)


@pytest.mark.parametrize("case", WRONG, ids=lambda c: c.text)
def test_what_is_known_to_go_wrong_still_does(case: Case) -> None:
    assert not comes_right(case), "it comes right now: take its ~ away"


@pytest.mark.parametrize("case", EVERY, ids=lambda case: case.text)
def test_quotes_and_texts_are_the_users_own_words(case: Case) -> None:
    said = msgspec.structs.replace(turn(case.text), asked=case.asked)
    for claim in read(case):
        assert claim.quote in case.text
        grounded = ground(claim, said)
        assert isinstance(grounded, Grounded), (claim, grounded)


@pytest.mark.parametrize(
    ("text", "language", "reading"),
    [
        ("我对 peanuts allergic", "zh", "我对花生过敏"),
        ("I'm 过敏 to 花生", "en", "I'm allergic to peanuts"),
        ("我 prefer dark mode", "en", "I prefer dark mode"),
        ("我老婆是 vegetarian", "zh", "我老婆是素食者"),
        ("I live in 上海 now", "en", "I live in shanghai now"),
        ("我是个 backend engineer", "en", "I am a backend engineer"),
    ],
)
def test_a_clause_is_read_in_the_language_of_its_grammar(text: str, language: str, reading: str) -> None:
    gloss = glosses(text)[0]
    assert (gloss.language, gloss.text) == (language, reading)


def test_each_place_of_a_gloss_stands_for_the_users_words() -> None:
    text = "我 girlfriend 对 seafood 严重 allergic 的"
    for gloss in glosses(text):
        start, end = gloss.place(0, len(gloss.text))
        assert text[start:end] == text[: end - start]
        for at in range(len(gloss.text)):
            start, end = gloss.place(at, at + 1)
            own = text[start:end]
            assert own == gloss.text[at] or len(own) != 1 or not own.isascii()
    assert glosses(text)[0].said("海鲜") == "seafood"


@pytest.mark.parametrize("text", ["我对花生过敏", "I'm allergic to peanuts", "A型血", "", "你好", "42", "我今年25岁"])
def test_what_does_not_switch_has_no_gloss(text: str) -> None:
    assert glosses(text) == ()
