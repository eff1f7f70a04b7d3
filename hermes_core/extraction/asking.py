"""Finds the question at the end of what somebody said, for the turn that answers it (law G). See questions.py, answers.py."""

from __future__ import annotations

import re
from functools import lru_cache

from hermes_core.extraction import questions_en, questions_zh
from hermes_core.extraction.lexicon import plain
from hermes_core.extraction.questions import Question, is_chinese

TAIL = 1200  # characters of what was said before that are looked at: a question stands at its end
LONGEST = 160  # characters of a question
_SENTENCE = re.compile(r"[^?？。.!！\n]*[?？]+|[^?？。.!！\n]+[。.!！\n]*|[。.!！\n]+")
_ASKS_ZH = re.compile(r"(?:吗|么|嘛|呢)[\s。!！~～]*$")


def asks(text: str) -> bool:
    """Whether anything in the text asks: only then is it worth handing on."""
    return any(_asks(sentence) for sentence in _SENTENCE.findall(plain(text)[-TAIL:]))


@lru_cache(maxsize=512)
def question_of(asked: str) -> Question | None:
    """The one question about the user with which the other's turn ends, or None.

    After it nothing but a short remark may follow; two different questions at once can't be answered with one word.
    """
    sentences = [s.strip() for s in _SENTENCE.findall(plain(asked)[-TAIL:]) if any(c.isalnum() for c in s)]
    marked = [place for place, sentence in enumerate(sentences) if _asks(sentence)]
    if not marked or marked[-1] < len(sentences) - 2 or len(sentences[marked[-1]]) > LONGEST:
        return None
    found: list[Question | None] = []
    for place in marked[-2:]:
        reader = questions_zh if is_chinese(sentences[place]) else questions_en
        found.append(reader.read(sentences[place]))
    if len(found) == 2 and marked[-2] == marked[-1] - 1 and found[0] is not None and found[1] is not None:
        return None
    return found[-1]


def _asks(sentence: str) -> bool:
    return sentence.rstrip().endswith(("?", "？")) or _ASKS_ZH.search(sentence) is not None
