"""Stretches of a turn that are words of the user's but no statement about them: dictated, quoted, jokes, wishes to forget.

Also what holds for one answer only, and secrets. Form and cue words only; both extractors lose these stretches before
anything is read, and each has its reason. Nothing about slots or known items may live here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hermes_core.extraction.aside_words import (
    CHECKED,
    FORGET_ALL,
    FORGET_CLAUSE,
    FORGET_END,
    JOKE,
    NO_JOKE,
    NO_ONE_OFF,
    OF_MEMORY,
    ONE_OFF,
    ONE_OFF_TOPIC,
    OTHERS_LABEL,
    OTHERS_SAID,
    SECRET_NAMED,
    SECRET_SHAPED,
    SECRET_USED,
    TASK_COLON,
    TASK_QUOTE,
    TASK_SAYING,
    TRANSCRIPT,
)
from hermes_core.extraction.lexicon import plain
from hermes_core.reasons import Reason

_END = re.compile(r"[!?。！？\n]+[”’\"'」』）)]*|\.(?=\s|$)")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_CARD = re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])")
_WORDS = re.compile(r"[A-Za-z0-9']+|[\u3400-\u9fff]")
_GAP = re.compile(r"\n\s{6,}\n")
FEW = 3  # words beside a cue, under which it speaks of the sentence before it
HIDDEN = "…"


class Aside(NamedTuple):
    """`text[start:end]` is no evidence, for `reason`."""

    start: int
    end: int
    reason: Reason


def asides_of(text: str) -> list[Aside]:
    """All of them in order; they may overlap. Many blank lines are one: the patterns look at every line's start."""
    words = _GAP.sub(lambda gap: f"\n{' ' * (len(gap[0]) - 2)}\n", plain(text))
    found = [*_secrets(words), *_dictated(words), *_of_others(words), *_jokes(words), *_forgetting(words)]
    return sorted(a for a in {*found, *_for_once(words)} if words[a.start : a.end].strip())


def shown(text: str, aside: Aside | tuple[int, int, Reason]) -> str:
    """The stretch as a trail may show it: a secret only up to its name."""
    start, end, reason = aside
    words = text[start:end].strip()
    if reason is not Reason.SECRET:
        return words
    named = SECRET_NAMED.search(plain(words)) or SECRET_USED.search(plain(words))
    return f"{words[: named.end('what')]} {HIDDEN}".strip() if named else HIDDEN


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    first = max((m.end() for m in _END.finditer(text, 0, start)), default=0)
    mark = _END.search(text, max(end - 1, start))
    return first, mark.end() if mark else len(text)


def _secrets(text: str) -> Iterator[Aside]:
    for pattern in (SECRET_NAMED, SECRET_USED, SECRET_SHAPED):
        for match in pattern.finditer(text):
            yield Aside(*_sentence(text, match.start(), match.end()), Reason.SECRET)
    for match in _CARD.finditer(text):
        if _luhn([int(char) for char in match.group() if char.isdigit()]):
            yield Aside(*_sentence(text, match.start(), match.end()), Reason.SECRET)


def _luhn(digits: list[int]) -> bool:
    doubled = [d * 2 - 9 * (d > 4) for d in digits[-2::-2]]
    return sum(doubled + digits[-1::-2]) % 10 == 0


def _dictated(text: str) -> Iterator[Aside]:
    """Words for a task: what follows "Write an email:", to the end of its line, or of the paragraph below."""
    for match in TASK_COLON.finditer(text):
        start = match.end()
        line = text.find("\n", start)
        end = len(text) if line < 0 else line
        if not text[start:end].strip():
            blank = _BLANK_LINE.search(text, end + 1)
            end = blank.start() if blank else len(text)
        if text[start:end].strip():
            yield Aside(start, end, Reason.ONE_OFF_REQUEST)
    for match in CHECKED.finditer(text):
        line = text.find("\n", match.end())
        yield Aside(match.end(), len(text) if line < 0 else line, Reason.ONE_OFF_REQUEST)
    for match in TASK_SAYING.finditer(text):
        yield Aside(match.end(), _sentence(text, match.end(), match.end() + 1)[1], Reason.ONE_OFF_REQUEST)
    for match in TASK_QUOTE.finditer(text):
        yield Aside(*match.span("words"), Reason.ONE_OFF_REQUEST)


def _of_others(text: str) -> Iterator[Aside]:
    if match := TRANSCRIPT.search(text):
        yield Aside(match.start(), len(text), Reason.PASTED_TEXT)
    for match in OF_MEMORY.finditer(text):
        yield Aside(*_sentence(text, match.start(), match.end()), Reason.RECALLED_TEXT)
    for match in OTHERS_LABEL.finditer(text):
        yield Aside(match.start(), _sentence(text, match.end(), match.end() + 1)[1], Reason.PASTED_TEXT)
    for match in OTHERS_SAID.finditer(text):
        end = _sentence(text, match.end(), match.end() + 1)[1]
        if text[match.end() : end].strip():
            yield Aside(match.end(), end, Reason.PASTED_TEXT)


def _jokes(text: str) -> Iterator[Aside]:
    for match in JOKE.finditer(text):
        start, end = _sentence(text, match.start(), match.end())
        if not NO_JOKE.search(text[start:end]):
            yield Aside(_with_one_before(text, start, end, match), end, Reason.HYPOTHETICAL)


def _with_one_before(text: str, start: int, end: int, match: re.Match[str]) -> int:
    """Where the sentence starts that a bare cue ("Just kidding!") speaks of."""
    rest = text[start : match.start()] + text[match.end() : end]
    if start == 0 or len(_WORDS.findall(rest)) >= FEW:
        return start
    return _sentence(text, start - 1, start)[0] if start > 0 else start


def _forgetting(text: str) -> Iterator[Aside]:
    for match in FORGET_ALL.finditer(text):
        start, end = _sentence(text, match.start(), match.end())
        yield Aside(_with_one_before(text, start, end, match), end, Reason.FORGET_WISH)
    for match in FORGET_CLAUSE.finditer(text):
        stop = FORGET_END.search(text, match.end())
        yield Aside(match.start("wish"), stop.start() if stop else len(text), Reason.FORGET_WISH)


def _for_once(text: str) -> Iterator[Aside]:
    for match in ONE_OFF.finditer(text):
        start, end = _sentence(text, match.start(), match.end())
        sentence = text[start:end]
        if ONE_OFF_TOPIC.search(sentence) and not NO_ONE_OFF.search(sentence):
            yield Aside(start, end, Reason.ONE_OFF_REQUEST)
