"""Plain transcripts, one `role: text` per turn, English or Chinese role names, as people paste them.

A turn goes on over the following lines until the next role. A line of --- (or ===, ***), a heading such as
"# 2024-05-01" or "## Session 3", or two empty lines before a role start a new session; one empty line does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, tzinfo

from hermes_core.errors import InvalidInput
from hermes_core.importers.parts import SKIPPED, Found, Part, Problem, role_of
from hermes_core.importers.times import TIME, read_time

__all__ = ["EXPECTED", "looks_plain", "read_plain"]

EXPECTED = "lines such as `user: …` and `assistant: …` (or 用户：… and 助手：…)"

_NAME = r"[*_#`\s]*(?P<name>[^\W\d][\w .'-]{0,39}?)[*_`]*"
_TURN = re.compile(
    rf"^\s*(?:[\[(（【]?(?P<before>{TIME})[\])）】]?[\s,，-]*)?{_NAME}\s*(?:[\[(（【]\s*(?P<after>{TIME})\s*[\])）】])?\s*[*_`]*[:：]"
    r"[*_`]*[ \t\u3000]*(?P<text>.*)$"
)
_BREAK = re.compile(r"^\s*(?:-{3,}|={3,}|\*{3,}|_{3,}|~{3,}|(?:-\s){2,}-)\s*$")
_HEADING = re.compile(
    rf"^\s*(?P<mark>#{{1,6}}|={{2,}}|-{{2,}}|\[)?\s*(?:(?:session|conversation|chat|会话|对话|第)\s*[\w.-]*\s*(?:次|段|天)?)?"
    rf"\s*[\[(（:：,，]*\s*(?P<time>{TIME})?\s*[\])）]*\s*[=-]*\s*$",
    re.I,
)


def looks_plain(line: str, names: Mapping[str, str] | None = None) -> bool:
    """Whether a line begins a turn of a known role."""
    found = _TURN.match(line)
    return found is not None and role_of(found["name"], names) is not None


def read_plain(lines: Iterable[str], zone: tzinfo, names: Mapping[str, str] | None = None) -> Iterator[Part]:
    """The turns of a transcript; a Problem for words before the first role, and for times that can't be."""
    reader = _Plain(zone, names)
    for number, line in enumerate(lines, 1):
        yield from reader.line(number, line)
    yield from reader.flush()


class _Plain:
    def __init__(self, zone: tzinfo, names: Mapping[str, str] | None) -> None:
        self._zone = zone
        self._names = names
        self._open: Found | None = None
        self._words: list[str] = []
        self._empty = 0
        self._breaks = True
        self._day: datetime | None = None

    def line(self, number: int, line: str) -> Iterator[Part]:
        if not line.strip():
            self._empty += 1
            self._words.append("")
            return
        if (turn := self._turn(line)) is not None:
            yield from self.flush()
            yield from self._begin(number, turn)
        elif self._is_break(line):
            yield from self.flush()
            self._breaks = True
        elif self._open is None:
            yield Problem(number, f"{line.strip()[:60]!r} has no role before it; expected {EXPECTED}")
        else:
            self._words.append(line.rstrip())
        self._empty = 0

    def _turn(self, line: str) -> re.Match[str] | None:
        found = _TURN.match(line)
        return found if found is not None and role_of(found["name"], self._names) is not None else None

    def _is_break(self, line: str) -> bool:
        if _BREAK.match(line):
            return True
        found = _HEADING.match(line)
        if found is None or not (found["time"] or found["mark"] or self._empty or self._open is None):
            return False
        if found["time"]:
            try:
                self._day = read_time(found["time"], self._zone)
            except InvalidInput:
                return False
        return True

    def _begin(self, number: int, turn: re.Match[str]) -> Iterator[Part]:
        written = turn["before"] or turn["after"]
        try:
            at = read_time(written, self._zone) if written else self._take_day()
        except InvalidInput as error:
            yield Problem(number, str(error))
            at = None
        breaks = self._breaks or self._empty >= 2
        role = role_of(turn["name"], self._names) or SKIPPED
        self._open = Found(number, role, "", at, breaks=breaks)
        self._breaks = breaks and role == SKIPPED
        self._words = [turn["text"].rstrip()]

    def _take_day(self) -> datetime | None:
        """A heading's day dates the first turn after it."""
        day, self._day = self._day, None
        return day

    def flush(self) -> Iterator[Part]:
        found, self._open = self._open, None
        text = "\n".join(self._words).strip()
        self._words = []
        if found is not None and found.role != SKIPPED and text:
            yield found._replace(text=text)
