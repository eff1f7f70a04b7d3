"""A text that fits: lines are put on it in order of priority while they fit, and the final text is counted (law B).

Knows tokens, sections and the frame; what deserves a line is decided in context.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

import msgspec

from hermes_core.errors import LawBroken
from hermes_core.items import MemoryItem
from hermes_core.ports import TokenCounter
from hermes_core.views import ContextLine

SECTIONS = ("core", "corrections", "changes", "active", "retrieved", "summary", "said", "working")
_KEPT_COUNTS = 2048
_MOST_CHARACTERS = 6  # of ordinary text per token: a line that is far too long for the room isn't counted first
_counts: dict[tuple[str, str], int] = {}


def quick_count(counter: TokenCounter, text: str) -> int:
    """Tokens of a text that recurs (frame, titles), kept; only ever an estimate, the final text is counted anew."""
    key = (counter.name, text)
    found = _counts.get(key)
    if found is None:
        if len(_counts) >= _KEPT_COUNTS:
            _counts.clear()
        found = _counts[key] = counter.count(text)
    return found


def estimate(counter: TokenCounter, line: str, item: MemoryItem | None) -> int:
    """Tokens of one line with its bullet and line end: from the item's stored count where its words are unchanged."""
    if item is None or not item.tokens or item.text not in line:
        return counter.count(f"- {line}\n")
    around = len(line) - len(item.text) + 3
    return item.tokens + (around if not line.isascii() else (around * 2 + 2) // 3)


class Page:
    """Lines within `limit` tokens. A level may take its allowance and what the levels before it left."""

    def __init__(self, counter: TokenCounter, limit: int, head: str, foot: str, titles: Mapping[str, str]) -> None:
        self.counter = counter
        self.limit = limit
        self._head, self._foot, self._titles = head, foot, titles
        self._left = limit - quick_count(counter, f"{head}\n{foot}")
        self._level_left = self._left
        self._reserved = 0
        self._lines: list[tuple[str, ContextLine]] = []
        self._days: dict[str, str] = {}  # of quoted lines, by their text: the day that they stand under
        self._used: set[str] = set()

    def level(self, allowance: int) -> None:
        """The next level begins: it may use `allowance` and whatever earlier levels did not (R1)."""
        self._reserved += allowance
        self._level_left = min(self._left, self._reserved)

    @property
    def room(self) -> int:
        """Tokens that the current level may still use."""
        return self._level_left

    def add(self, section: str, line: ContextLine, day: str = "") -> bool:
        """Put the line on the page if the level has room for it; False when it hasn't. Lines of one `day` stand together."""
        if len(line.text) > self._level_left * _MOST_CHARACTERS:
            return False
        tokens = estimate(self.counter, line.text, line.item)
        if day and day not in self._days.values():
            tokens += quick_count(self.counter, f"- {day}:\n")
        title = 0 if section in self._used else quick_count(self.counter, self._titles[section] + "\n")
        if tokens + title > self._level_left:
            return False
        self._lines.append((section, msgspec.structs.replace(line, tokens=tokens)))
        self._used.add(section)
        if day:
            self._days[line.text] = day
        self._left -= tokens + title
        self._reserved -= tokens + title
        self._level_left -= tokens + title
        return True

    def close(self) -> tuple[str, int, list[ContextLine], list[ContextLine]]:
        """(text, tokens, lines in order, lines dropped again): counted once, and again only while it is over the limit."""
        if self.limit < 0:
            raise LawBroken(f"a context of {self.limit} tokens was asked for")
        kept = list(self._lines)
        dropped: list[ContextLine] = []
        while kept:
            text, lines = self._render(kept)
            tokens = self.counter.count(text)
            if tokens <= self.limit:
                return text, tokens, lines, dropped
            surplus = tokens - self.limit
            while kept and surplus > 0:
                line = kept.pop()[1]
                surplus -= max(line.tokens, 1)
                dropped.append(line)
        return "", 0, [], dropped

    def _render(self, lines: list[tuple[str, ContextLine]]) -> tuple[str, list[ContextLine]]:
        out, ordered = [self._head], []
        for section in SECTIONS:
            of_section = [line for used, line in lines if used == section]
            if not of_section:
                continue
            of_section.sort(key=lambda line: self._days.get(line.text, ""))  # stable: best first within a day
            out.append(self._titles[section])
            for day, together in groupby(of_section, key=lambda line: self._days.get(line.text, "")):
                texts = [line.text for line in together]
                out += [f"- {day}: {' / '.join(texts)}"] if day else [f"- {text}" for text in texts]
            ordered += of_section
        return "\n".join([*out, self._foot]), ordered
