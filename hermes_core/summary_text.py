"""A summary's short text, built from its lists within a number of tokens. Which lists a summary may have is decided elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest

import msgspec

from hermes_core.entities import mostly_chinese, names_in, weight
from hermes_core.ports import Summary, TokenCounter

ENTITY_SHARE = 0.3  # of a summary's tokens that its names may take
SURELY = 0.7  # of the rough count, which is never under the exact one by more
EXACT_COUNTS = 12  # exact counts in one filling at most
FIRST_NAMES = 8  # names that are placed before any line

# Part of the text -> its heading, what stands between its entries, and its end.
Frame = Mapping[str, tuple[str, str, str]]
ENGLISH: Frame = {"facts": ("Facts: ", "; ", "."), "open": ("Open: ", "; ", "."), "names": ("Names: ", ", ", ".")}
CHINESE: Frame = {"facts": ("事实：", "；", "。"), "open": ("待办：", "；", "。"), "names": ("关键词：", "、", "。")}


def composed(summary: Summary, max_tokens: int, counter: TokenCounter) -> Summary:
    """The summary with its text built from its lists within `max_tokens`: names, then tasks and facts by weight.

    Names that the chosen lines say already are not listed again; what they free is used for more lines.
    """
    page = _Page(frame_of(summary), max_tokens, counter)
    lines = _alternating(summary)
    page.fill([("names", name) for name in summary.entities[:FIRST_NAMES]])
    page.fill(lines)
    page.drop_said_names()
    page.fill(lines)
    page.drop_said_names()
    said = set(names_in(page.spoken(), summary.entities))
    page.fill([("names", name) for name in summary.entities if name not in said])
    return page.onto(summary)


def frame_of(summary: Summary) -> Frame:
    """Headings in the language of most of the summary's lines."""
    lines = summary.facts or summary.open_tasks or summary.entities
    return CHINESE if mostly_chinese("\n".join(lines)) else ENGLISH


def joined(lists: Mapping[str, Iterable[str]], frame: Frame) -> str:
    """The text of some facts, open tasks and names."""
    parts = []
    for part in ("facts", "open", "names"):
        entries = [entry.rstrip(" .。") for entry in lists.get(part, ())]
        if entries:
            head, comma, stop = frame[part]
            parts.append(head + comma.join(entries) + stop)
    return "\n".join(parts)


class _Page:
    """What was chosen so far and about how many tokens it takes; the exact count is taken at the end."""

    def __init__(self, frame: Frame, max_tokens: int, counter: TokenCounter) -> None:
        self._frame = frame
        self._max = max_tokens
        self._counter = counter
        self._heads = {part: counter.count("\n" + "".join(frame[part])) for part in frame}
        self._costs: dict[str, int] = {}
        self._chosen: dict[str, list[str]] = {part: [] for part in frame}

    def fill(self, queue: Iterable[tuple[str, str]]) -> None:
        """Take each entry that still fits; where the rough count says no but not by much, the exact one decides."""
        taken, names, asked = self._taken(), self._cost_of("names"), 0
        for part, entry in queue:
            chosen = self._chosen[part]
            if entry in chosen:
                continue
            cost = self._cost(entry) + (0 if chosen else self._heads[part])
            if part == "names" and chosen and names + cost > ENTITY_SHARE * self._max:
                continue
            if taken + cost > self._max:
                if (taken + cost) * SURELY > self._max or asked >= EXACT_COUNTS:
                    continue
                asked += 1
                if self._exact(part, entry) > self._max:
                    continue
            chosen.append(entry)
            taken += cost
            names += cost if part == "names" else 0

    def _exact(self, part: str, entry: str) -> int:
        return self._counter.count(joined({**self._chosen, part: [*self._chosen[part], entry]}, self._frame))

    def drop_said_names(self) -> None:
        """Names that a chosen line says already need no place of their own."""
        said = set(names_in(self.spoken(), self._chosen["names"]))
        self._chosen["names"] = [name for name in self._chosen["names"] if name not in said]

    def spoken(self) -> str:
        return "\n".join((*self._chosen["open"], *self._chosen["facts"]))

    def onto(self, summary: Summary) -> Summary:
        """The summary with the chosen entries as its text, in the order of its lists; the last ones go if need be."""
        lists = {"facts": summary.facts, "open": summary.open_tasks, "names": summary.entities}
        kept = {part: [entry for entry in lists[part] if entry in self._chosen[part]] for part in lists}
        text = joined(kept, self._frame)
        while self._counter.count(text) > self._max:
            next(kept[part] for part in ("facts", "open", "names") if kept[part]).pop()
            text = joined(kept, self._frame)
        return msgspec.structs.replace(summary, text=text, tokens=self._counter.count(text))

    def _taken(self) -> int:
        return sum(self._cost_of(part) for part in self._chosen)

    def _cost_of(self, part: str) -> int:
        chosen = self._chosen[part]
        return sum(map(self._cost, chosen)) + (self._heads[part] if chosen else 0)

    def _cost(self, entry: str) -> int:
        known = self._costs.get(entry)
        if known is None:
            known = self._costs[entry] = self._counter.count(entry) + 1  # and what stands before the next one
        return known


def _alternating(summary: Summary) -> list[tuple[str, str]]:
    """Facts and tasks in turn, the weightiest first, the newer one of two equals first."""
    rows = zip_longest(_ranked(summary.facts), _ranked(summary.open_tasks))
    return [row for fact, task in rows for row in (("facts", fact), ("open", task)) if row[1] is not None]


def _ranked(lines: tuple[str, ...]) -> list[str]:
    order = sorted(range(len(lines)), key=lambda n: (-weight(lines[n]), -n))
    return [lines[n] for n in order]
