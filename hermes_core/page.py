"""A text that fits: lines are put on it in order of priority while they fit, and the final text is counted (law B).

Knows tokens, sections and the frame; what deserves a line is decided in context.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
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

    def around(self, frame: Sequence[str]) -> int | None:
        """Tokens of the frame around lines that add up to their text's; None where they might not."""
        if not self._adds_up or not all(map(stands_alone, frame)):
            return None
        *before, foot = frame
        return sum([self._piece(f"{line}\n") for line in before]) + self._piece(foot)

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
        self._most = limit - quick_count(counter, f"{head}\n{foot}")
        self.room = self._most  # tokens that the current level may still use
        self._reserved = self._taken = 0  # by all levels so far
        self._lines: dict[str, list[ContextLine]] = {}  # by section, in the order in which they came
        self._titled = 0  # of what is taken, for the titles of sections
        self._ragged = False  # whether a line ends in a space, which may join its line end
        self._days: dict[str, str] = {}  # of quoted lines, by their text: the day that they stand under

    def level(self, allowance: int) -> None:
        """The next level begins: it may use `allowance` and whatever earlier levels did not (R1)."""
        self._reserved += allowance
        self.room = min(self._most, self._reserved) - self._taken

    @property
    def left(self) -> int:
        """Tokens that no level has used yet."""
        return self._most - self._taken

    @contextmanager
    def unreserved(self) -> Iterator[None]:
        """Within it a line may use all that is left, whatever the levels are allowed; what they lack then is gone."""
        self.room = self.left
        yield
        self.level(0)

    def add(self, section: str, line: ContextLine, day: str = "") -> bool:
        """Put the line on the page if the level has room for it; False when it hasn't. Lines of one `day` stand together."""
        tokens = self.cost(section, line.text, line.item, day)
        if tokens is None:
            return False
        if day:
            self._days[line.text] = day
        return self.place(section, msgspec.structs.replace(line, tokens=tokens))

    def place(self, section: str, line: ContextLine) -> bool:
        """As `add`, for a line that knows its `tokens`."""
        lines, taken = self._lines.get(section), line.tokens
        if lines is None:
            taken += self._title(section)
        if taken > self.room:
            return False
        if line.text[-1:].isspace():
            self._ragged = True
        if lines is None:
            self._begin(section, [line], line.tokens, taken)
            return True
        lines.append(line)
        self.room -= taken
        self._taken += taken
        return True

    def place_all(self, section: str, lines: Sequence[ContextLine], tokens: int) -> None:
        """All lines of a section that has none yet, as they found their place on a page with the same room (see `placed`)."""
        if lines:
            self._begin(section, list(lines), tokens, tokens + self._title(section))

    def _begin(self, section: str, lines: list[ContextLine], tokens: int, taken: int) -> None:
        self._lines[section] = lines
        self._titled += taken - tokens
        self.room -= taken
        self._taken += taken

    def placed(self, section: str) -> Sequence[ContextLine] | None:
        """The section's lines so far; None where they can't be placed on another page by their tokens alone."""
        return None if self._ragged else tuple(self._lines.get(section, ()))

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

    def _title(self, section: str) -> int:
        return 0 if section in self._lines else quick_count(self.counter, self._titles[section] + "\n")

    def close(self) -> tuple[str, int, list[ContextLine], list[ContextLine]]:
        """(text, its exact tokens, lines in order, lines dropped again because the text was over the limit)."""
        if self.limit < 0:
            raise LawBroken(f"a context of {self.limit} tokens was asked for")
        dropped: list[ContextLine] = []
        while self._lines:
            written, lines, frame = self._render()
            around = None if self._days or self._ragged else self._tally.around(frame)
            tokens = self._tally.text(written) if around is None else around + self._taken - self._titled
            if tokens <= self.limit:
                return "\n".join(written), tokens, lines, dropped
            dropped += self._drop(tokens - self.limit)
        return "", 0, [], dropped

    def _drop(self, surplus: int) -> Iterator[ContextLine]:
        """Take the latest lines off (sections are filled one after the other) until they have cost the surplus."""
        while self._lines and surplus > 0:
            section = next(reversed(self._lines))
            line = self._lines[section].pop()
            if not self._lines[section]:
                del self._lines[section]
            self._taken -= line.tokens
            surplus -= max(line.tokens, 1)
            yield line

    def _render(self) -> tuple[list[str], list[ContextLine], list[str]]:
        """The text, line by line (the head is one), what stands on it in that order, and what stands around that."""
        out, ordered, frame = [self._head], [], [self._head]
        for section in SECTIONS:
            lines = self._lines.get(section)
            if not lines:
                continue
            out.append(self._titles[section])
            frame.append(self._titles[section])
            if self._days:
                lines = sorted(lines, key=lambda line: self._days.get(line.text, ""))  # stable: best first within a day
                out += self._by_day(lines)
            else:
                out += ["- " + line.text for line in lines]
            ordered += lines
        return [*out, self._foot], ordered, [*frame, self._foot]

    def _by_day(self, lines: Sequence[ContextLine]) -> Iterator[str]:
        """The lines as they are written; those of one day stand on one."""
        for day, together in groupby(lines, key=lambda line: self._days.get(line.text, "")):
            texts = [line.text for line in together]
            yield from [f"- {day}: {' / '.join(texts)}"] if day else [f"- {text}" for text in texts]
