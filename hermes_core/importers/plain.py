"""Plain transcripts, one `role: text` per turn, English or Chinese role names, as people paste them.

A turn goes on over the following lines until the next role. Before a role, a line of --- (or ===, ***), a heading
such as "# 2024-05-01" or "## Session 3", or two empty lines start a new session; one empty line does not, nor
does --- in a file that draws one between all turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from hermes_core.errors import InvalidInput
from hermes_core.importers.parts import SKIPPED, WEAK, Found, Part, Problem, key_of, role_of
from hermes_core.importers.times import TIME, Calendar

__all__ = ["EXPECTED", "Style", "looks_plain", "read_plain", "style_of"]

EXPECTED = "lines such as `user: …` and `assistant: …` (or 用户：… and 助手：…)"

_NAME = r"[*_#`\s]*(?P<name>[^\W\d][\w .'-]{0,39}?)[*_`]*"
_TURN = re.compile(
    rf"^\s*(?:[\[(（【]?(?P<before>{TIME})[\])）】]?[\s,，-]*)?{_NAME}\s*(?:[\[(（【]\s*(?P<after>{TIME})\s*[\])）】])?\s*[*_`]*[:：]"
    r"[*_`]*[ \t\u3000]*(?P<text>.*)$"
)
_RULE = re.compile(r"^\s*(?:-{3,}|={3,}|\*{3,}|_{3,}|~{3,}|(?:-\s){2,}-)\s*$")
_TRAILING_RULE = re.compile(r"\s*^\s*[-=*_~]{3,}\s*\Z", re.M)
_HEADING = re.compile(
    rf"^\s*(?P<mark>#{{1,6}}|={{2,}}|-{{2,}}|\[)?\s*"
    rf"(?P<word>session|conversation|chat|会话|对话|第)?\s*(?(word)[\d.-]*\s*(?:次|段|天)?(?:会话|对话)?)"
    rf"\s*[\[(（:：,，]*\s*(?P<time>{TIME})?\s*[\])）]*\s*[=-]*\s*$",
    re.I,
)


class Style(NamedTuple):
    """How a transcript is written, seen in a first pass."""

    weak_names: bool  # its first turn is by "Q", "Agent", …
    ruled: bool  # it draws a line between all turns, so a line is no new session


def looks_plain(line: str, names: Mapping[str, str] | None = None) -> bool:
    """Whether a line begins a turn: of a known role, or of anybody with a time before the name."""
    found = _TURN.match(line)
    return found is not None and (found["before"] is not None or role_of(found["name"], names) is not None)


def style_of(lines: Iterable[str], names: Mapping[str, str] | None = None) -> Style:
    """One pass over the lines."""
    first: str | None = None
    before, after_rule = "", False
    for line in lines:
        found = _TURN.match(line)
        role = role_of(found["name"], names) if found is not None else None
        if found is not None and role is not None:
            first = first if first is not None else key_of(found["name"])
            if after_rule and (before, role) == ("user", "assistant"):
                return Style(first in WEAK, ruled=True)
            before = role
        if line.strip():
            after_rule = _RULE.match(line) is not None
    return Style(first in WEAK if first is not None else False, ruled=False)


def read_plain(
    lines: Iterable[str], style: Style, calendar: Calendar, names: Mapping[str, str] | None = None
) -> Iterator[Part]:
    """The turns of a transcript; a Problem for words before the first role, and for times that can't be."""
    reader = _Plain(style, calendar, names)
    for number, line in enumerate(lines, 1):
        yield from reader.line(number, line)
    yield from reader.flush()


class _Plain:
    """`_cut` is where the open turn's words end if the rules and headings after them prove to begin a session."""

    def __init__(self, style: Style, calendar: Calendar, names: Mapping[str, str] | None) -> None:
        self._style = style
        self._calendar = calendar
        self._names = names
        self._open: Found | None = None
        self._words: list[str] = []
        self._cut: int | None = None
        self._empty = 0
        self._breaks = True
        self._day: datetime | None = None
        self._complained = False

    def line(self, number: int, line: str) -> Iterator[Part]:
        if not line.strip():
            self._empty += 1
            self._words.append("")
            return
        if (turn := self._turn(line)) is not None:
            yield from self._begin(number, turn)
        elif self._begins_session(line):
            self._cut = len(self._words) if self._cut is None else self._cut
            self._words.append(line.rstrip())
        else:
            yield from self._goes_on(number, line)
        self._empty = 0

    def _turn(self, line: str) -> re.Match[str] | None:
        found = _TURN.match(line)
        role = role_of(found["name"], self._names) if found is not None else None
        if found is None or role is None:
            return None
        own = self._names is not None and key_of(found["name"]) in {key_of(name) for name in self._names}
        if not own and key_of(found["name"]) in WEAK and not self._style.weak_names:
            return None
        between = self._open is None or self._empty > 0 or self._cut is not None
        return found if role != SKIPPED or own or between else None  # "System: Linux" is mostly a line of a turn

    def _begins_session(self, line: str) -> bool:
        """Whether it looks so; the next line with words decides."""
        if _RULE.match(line):
            return not self._style.ruled
        found = _HEADING.match(line)
        if found is None or not (found["time"] or found["word"]):
            return False
        if found["time"]:
            try:
                self._day = self._calendar.read(found["time"])
            except InvalidInput:
                return False
        return True

    def _goes_on(self, number: int, line: str) -> Iterator[Part]:
        self._cut, self._day = None, None
        self._words.append(line.rstrip())
        if self._open is None and not self._complained:
            self._complained = True
            yield Problem(number, _no_role(line))

    def _begin(self, number: int, turn: re.Match[str]) -> Iterator[Part]:
        breaks = self._breaks or self._cut is not None or self._empty >= 2
        yield from self.flush()
        written = turn["before"] or turn["after"]
        try:
            at = self._calendar.read(written) if written else self._day
        except InvalidInput as error:
            yield Problem(number, str(error))
            at = None
        role = role_of(turn["name"], self._names) or SKIPPED
        self._open = Found(number, role, "", at, breaks=breaks)
        self._breaks = breaks and role == SKIPPED
        self._words, self._cut, self._day, self._complained = [turn["text"].rstrip()], None, None, False

    def flush(self) -> Iterator[Part]:
        """The open turn, when it says something."""
        found, self._open = self._open, None
        text = "\n".join(self._words[: self._cut]).strip()
        if self._style.ruled:
            text = _TRAILING_RULE.sub("", text)
        if found is not None and found.role != SKIPPED and text:
            yield found._replace(text=text)


def _no_role(line: str) -> str:
    shown = line.strip()[:60]
    if (found := _TURN.match(line)) is not None:
        name = found["name"].strip()
        return f"{name!r} is no known role; tell who that is with names={{{name!r}: 'user'}} (hermes ingest --me {name!r}), or write {EXPECTED}"
    return f"{shown!r} has no role before it; expected {EXPECTED}"
