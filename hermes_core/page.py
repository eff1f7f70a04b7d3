"""A text that fits: lines are put on it in order of priority while they fit, and the final text is counted (law B).

Knows tokens, sections and the frame; what deserves a line is decided in context.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec

from hermes_core.errors import LawBroken
from hermes_core.items import MemoryItem
from hermes_core.ports import TokenCounter
from hermes_core.views import ContextLine

SECTIONS = ("core", "corrections", "changes", "active", "retrieved", "summary", "said", "working")
_KEPT_COUNTS = 2048
_MOST_CHARACTERS = 6  # of ordinary text per token: a line that is far too long for the room isn't counted first
_GOES_ON = frozenset(" /\t\r\n\v\f\u3000\xa0")  # after a line end, some encodings take these into the same piece
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


def stands_alone(line: str) -> bool:
    """Whether the line's tokens are its own wherever it stands between two line ends."""
    return bool(line) and line[0] not in _GOES_ON and not line[-1].isspace()


class Tally:
    """What lines cost by one counter, kept in `counted` for as long as the caller keeps that (it holds the user's words).

    Where the counter's lines add up, a text's tokens are the sum of its lines': no line is counted twice. Otherwise
    a line is estimated and the final text counted as a whole.
    """

    def __init__(self, counter: TokenCounter, counted: dict[str, int] | None = None) -> None:
        self._counter = counter
        self._counted = {} if counted is None else counted
        self._adds_up = bool(getattr(counter, "lines_add_up", False))

    def line(self, text: str, item: MemoryItem | None) -> int:
        """Tokens of one line with its bullet and line end."""
        if self._adds_up or item is None or not item.tokens or item.text not in text:
            return self._piece(f"- {text}\n")
        around = len(text) - len(item.text) + 3  # from the item's stored count where its words are unchanged
        return item.tokens + (around if not text.isascii() else (around * 2 + 2) // 3)

    def text(self, lines: Sequence[str]) -> int:
        """Tokens of the lines as one text, exactly. A line may hold line ends of its own."""
        if not self._adds_up or not all(map(stands_alone, lines)):
            return self._counter.count("\n".join(lines))
        return sum([self._piece(f"{line}\n") for line in lines[:-1]]) + self._piece(lines[-1])

    def page(self, frame: Sequence[str], lines: Sequence[ContextLine]) -> int | None:
        """Tokens of lines that know theirs by `line` and of the frame around them; None where they don't add up to the text's."""
        if not self._adds_up or not all(map(stands_alone, frame)):
            return None
        if any(line.text[-1:].isspace() for line in lines):
            return None
        *before, foot = frame
        return (
            sum([self._piece(f"{line}\n") for line in before])
            + sum([line.tokens for line in lines])
            + self._piece(foot)
        )

    def _piece(self, piece: str) -> int:
        found = self._counted.get(piece)
        if found is None:
            if len(self._counted) >= _KEPT_COUNTS:
                self._counted.clear()
            found = self._counted[piece] = self._counter.count(piece)
        return found


class Page:
    """Lines within `limit` tokens. A level may take its allowance and what the levels before it left."""

    def __init__(
        self,
        counter: TokenCounter,
        limit: int,
        head: str,
        foot: str,
        titles: Mapping[str, str],
        counted: dict[str, int] | None = None,
    ) -> None:
        self.counter = counter
        self.limit = limit
        self._tally = Tally(counter, counted)
        self._head, self._foot, self._titles = head, foot, titles
        self._left = limit - quick_count(counter, f"{head}\n{foot}")
        self.room = self._left  # tokens that the current level may still use
        self._reserved = 0
        self._lines: list[tuple[str, ContextLine]] = []
        self._days: dict[str, str] = {}  # of quoted lines, by their text: the day that they stand under
        self._used: set[str] = set()

    def level(self, allowance: int) -> None:
        """The next level begins: it may use `allowance` and whatever earlier levels did not (R1)."""
        self._reserved += allowance
        self.room = min(self._left, self._reserved)

    def add(self, section: str, line: ContextLine, day: str = "") -> bool:
        """Put the line on the page if the level has room for it; False when it hasn't. Lines of one `day` stand together."""
        tokens = self.cost(section, line.text, line.item, day)
        if tokens is None:
            return False
        if day:
            self._days[line.text] = day
        self._lines.append((section, msgspec.structs.replace(line, tokens=tokens)))
        self._take(section, tokens + self._title(section))
        return True

    def place(self, section: str, line: ContextLine) -> bool:
        """As `add`, for a line that knows its `tokens`."""
        taken = line.tokens + self._title(section)
        if taken > self.room:
            return False
        self._lines.append((section, line))
        self._take(section, taken)
        return True

    def place_all(self, section: str, lines: Sequence[ContextLine], tokens: int) -> None:
        """Lines that found their place on a page with the same room before, with the `tokens` that they take together."""
        if lines:
            self._lines += [(section, line) for line in lines]
            self._take(section, tokens + self._title(section))

    def placed(self, section: str) -> list[ContextLine]:
        """The section's lines so far."""
        return [line for name, line in self._lines if name == section]

    def tokens(self, text: str, item: MemoryItem | None = None) -> int:
        """What a line takes."""
        return self._tally.line(text, item)

    def cost(self, section: str, text: str, item: MemoryItem | None = None, day: str = "") -> int | None:
        """Tokens that the line takes of the level's room; None when that is not enough (its section's title counts too)."""
        if len(text) > self.room * _MOST_CHARACTERS:
            return None
        tokens = self.tokens(text, item)
        if day and day not in self._days.values():
            tokens += quick_count(self.counter, f"- {day}:\n")
        return tokens if tokens + self._title(section) <= self.room else None

    def _take(self, section: str, taken: int) -> None:
        self._used.add(section)
        self._left -= taken
        self._reserved -= taken
        self.room -= taken

    def _title(self, section: str) -> int:
        return 0 if section in self._used else quick_count(self.counter, self._titles[section] + "\n")

    def close(self) -> tuple[str, int, list[ContextLine], list[ContextLine]]:
        """(text, its exact tokens, lines in order, lines dropped again because the text was over the limit)."""
        if self.limit < 0:
            raise LawBroken(f"a context of {self.limit} tokens was asked for")
        kept = list(self._lines)
        dropped: list[ContextLine] = []
        while kept:
            written, lines, frame = self._render(kept)
            tokens = None if self._days else self._tally.page(frame, lines)
            if tokens is None:
                tokens = self._tally.text(written)
            if tokens <= self.limit:
                return "\n".join(written), tokens, lines, dropped
            surplus = tokens - self.limit
            while kept and surplus > 0:
                line = kept.pop()[1]
                surplus -= max(line.tokens, 1)
                dropped.append(line)
        return "", 0, [], dropped

    def _render(self, lines: list[tuple[str, ContextLine]]) -> tuple[list[str], list[ContextLine], list[str]]:
        """The text, line by line (the head is one), what stands on it in that order, and what stands around that."""
        sections: dict[str, list[ContextLine]] = {}
        for section, line in lines:
            sections.setdefault(section, []).append(line)
        out, ordered, frame = [self._head], [], [self._head]
        for section in SECTIONS:
            of_section = sections.get(section)
            if not of_section:
                continue
            out.append(self._titles[section])
            frame.append(self._titles[section])
            if not self._days:
                out += [f"- {line.text}" for line in of_section]
                ordered += of_section
                continue
            of_section.sort(key=lambda line: self._days.get(line.text, ""))  # stable: best first within a day
            for day, together in groupby(of_section, key=lambda line: self._days.get(line.text, "")):
                texts = [line.text for line in together]
                out += [f"- {day}: {' / '.join(texts)}"] if day else [f"- {text}" for text in texts]
            ordered += of_section
        return [*out, self._foot], ordered, [*frame, self._foot]
