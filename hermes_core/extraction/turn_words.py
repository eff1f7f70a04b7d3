"""One turn's own words, prepared once so that each claim is grounded in microseconds (law G).

Says where a quote stands in the turn, and which stretches of the turn are no evidence: recalled notes, pasted
text, the tail of a flood. No claim is judged here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from hermes_core.extraction.cues import is_cjk
from hermes_core.extraction.support import Vocabulary
from hermes_core.extraction.zones import BULLET, Zone, lines_of, rough_tokens, says_it_alone, spoken_of, zones_of

__all__ = ["Span", "TurnWords", "Zone", "letters_of", "rough_tokens"]
from hermes_core.reasons import Reason

_SENTENCE_END = re.compile(r"[!?。！？；;\n]+|\.+(?=\s|$|[㐀-鿿])|…+")
_CLAUSE_END = re.compile(r"[，：—–()（）]|,(?!\d)|:(?=\s|$)| - ")
# Of several reasons for one stretch, the one that is told.
_FIRST = (Reason.RECALLED_TEXT, Reason.SECRET, Reason.FORGET_WISH, Reason.PASTED_TEXT, Reason.HYPOTHETICAL)
_PAIRS = {'"': '"', "”": "“", "」": "「", "』": "『", ")": "(", "）": "（", "》": "《"}


class Span(NamedTuple):
    start: int
    end: int


def _clusters(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or not unicodedata.combining(text[index]):
            yield start, text[start:index]
            start = index


def letters_of(text: str) -> tuple[str, list[int]]:
    """Letters and digits only, NFKC and case folded, and for each the index in `text` that it came from."""
    if text.isascii():
        at = [index for index, char in enumerate(text) if char.isalnum()]
        return "".join(text[index] for index in at).lower(), at
    letters: list[str] = []
    at = []
    for start, cluster in _clusters(text):
        for char in unicodedata.normalize("NFKC", cluster).casefold():
            if char.isalnum():
                letters.append(char)
                at.append(start)
    return "".join(letters), at


@dataclass(frozen=True)
class TurnWords:
    """`text` as the user sent it; `recalled` are memory lines that were in the prompt; `limit` tokens are looked at."""

    text: str
    recalled: tuple[str, ...] = ()
    limit: int = 2000

    @cached_property
    def _letters(self) -> tuple[str, list[int]]:
        return letters_of(self.text[: self.cut])

    @cached_property
    def cut(self) -> int:
        """Characters that are looked at: the first `limit` tokens, about."""
        if len(self.text) <= self.limit:
            return len(self.text)
        spent = 0.0
        for index, char in enumerate(self.text):
            spent += 0.25 if char.isascii() else 1.0
            if spent > self.limit:
                return index
        return len(self.text)

    @cached_property
    def zones(self) -> tuple[Zone, ...]:
        text = self.text[: self.cut]
        found = [*zones_of(text), *self._recalled_zones(text)]
        if self.cut < len(self.text):
            found.append(Zone(self.cut, len(self.text), Reason.PASTED_TEXT))
        return tuple(sorted(found))

    @cached_property
    def own(self) -> str:
        """What is left as the user's own words."""
        parts: list[str] = []
        at = 0
        for zone in self.zones:
            if zone.start > at:
                parts.append(self.text[at : zone.start])
            at = max(at, zone.end)
        parts.append(self.text[at : self.cut])
        return "\n".join(part for part in parts if part.strip())

    @cached_property
    def said(self) -> Vocabulary:
        """The words of `own`, ready for look-ups."""
        return Vocabulary(self.own)

    def find(self, quote: str) -> Span | None:
        """Where the quote stands: the first place outside the zones, else the first place; None when it isn't there."""
        wanted, _ = letters_of(quote)
        letters, at = self._letters
        first: Span | None = None
        place = letters.find(wanted) if wanted else -1
        while place >= 0:
            if self._whole_words(place, place + len(wanted)):
                span = self._closed(Span(at[place], self._end_of(place + len(wanted) - 1)))
                if self.zone_of(span) is None:
                    return span
                first = first or span
            place = letters.find(wanted, place + 1)
        return first

    def zone_of(self, span: Span) -> Reason | None:
        """The reason for which this stretch is no evidence: most of it lies in a zone."""
        reasons = {
            zone.reason
            for zone in self.zones
            if (min(span.end, zone.end) - max(span.start, zone.start)) * 2 > span.end - span.start
        }
        return next((reason for reason in _FIRST if reason in reasons), next(iter(reasons), None))

    def sentence(self, span: Span) -> Span:
        """The sentence(s) that the span touches, closing mark included."""
        return self._grown(span, _SENTENCE_END, keep_mark=True)

    def clause(self, span: Span) -> Span:
        """The span grown to the nearest comma, colon or dash within its sentence."""
        sentence = self.sentence(span)
        grown = self._grown(span, _CLAUSE_END, keep_mark=False)
        return Span(max(grown.start, sentence.start), min(grown.end, sentence.end))

    def _grown(self, span: Span, boundary: re.Pattern[str], keep_mark: bool) -> Span:
        start, end = 0, self.cut
        for match in boundary.finditer(self.text, 0, self.cut):
            if match.end() <= span.start:
                start = match.end()
            elif match.start() >= span.end - 1:
                end = match.end() if keep_mark else match.start()
                break
        return _stripped(self.text, Span(start, max(end, span.end)))

    def _whole_words(self, first: int, last: int) -> bool:
        letters, at = self._letters
        return not (self._joined(first - 1, first, letters, at) or self._joined(last - 1, last, letters, at))

    @staticmethod
    def _joined(left: int, right: int, letters: str, at: list[int]) -> bool:
        """Whether two neighbouring letters belong to one word (Chinese characters never do)."""
        if left < 0 or right >= len(letters):
            return False
        if is_cjk(letters[left]) or is_cjk(letters[right]):
            return False
        return at[right] - at[left] <= 1

    def _end_of(self, letter: int) -> int:
        """One past the last original character behind a letter (its combining marks included)."""
        _, at = self._letters
        end = at[letter] + 1
        while end < self.cut and unicodedata.combining(self.text[end]):
            end += 1
        return end

    def _closed(self, span: Span) -> Span:
        """With the closing mark that follows, when its opening one is inside."""
        opening = _PAIRS.get(self.text[span.end : span.end + 1])
        inside = self.text[span.start : span.end]
        odd = opening is not None and inside.count(opening) % 2 == 1
        return Span(span.start, span.end + 1) if odd and span.end < self.cut else span

    def _recalled_zones(self, text: str) -> Iterator[Zone]:
        letters, at = self._letters
        lone = lines_of(text)
        for line in self.recalled:
            wanted, _ = letters_of(BULLET.sub("", line))
            place = letters.find(wanted) if len(wanted) >= 4 else -1
            while place >= 0:
                span = Span(at[place], self._end_of(place + len(wanted) - 1))
                if spoken_of(line) or not says_it_alone(text, span.start, lone):
                    yield Zone(span.start, span.end, Reason.RECALLED_TEXT)
                place = letters.find(wanted, place + len(wanted))


def _stripped(text: str, span: Span) -> Span:
    start, end = span
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)
