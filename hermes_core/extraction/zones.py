"""Which stretches of a turn are no evidence (laws G, C): remembered lines, pasted text, quotations, code.

Looks at form only: marks, headers, cue words. What a claim says is not read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hermes_core.extraction.asides import asides_of
from hermes_core.extraction.cues import cues, folded
from hermes_core.reasons import Reason

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.S)
_QUOTED_LINE = re.compile(r"^[ \t]*[>＞].*$", re.M)
_MEMORY_TAG = re.compile(r"<([\w-]*(?:memor|note|profile|context|recall)[\w-]*)\b[^>]*>.*?(?:</\1>|\Z)", re.S | re.I)
_CITED_LINE = re.compile(r"^.*\[m:[0-9a-f]{4,}\].*$", re.M)  # as our own contexts cite an item
_MARKUP = re.compile(r"<([a-zA-Z][\w-]*)\b[^>]*>.*?</\1>", re.S)
_QUOTATION = re.compile(
    r"“[^”\n]+”|\"[^\"\n]+\"|«[^»\n]+»|「[^」\n]+」|『[^』\n]+』|《[^》\n]+》|'{3}.+?'{3}|\"{3}.+?\"{3}", re.S
)
_MAIL_HEAD = re.compile(
    r"^(?:-{2,} ?original message|from:|subject:|发件人[:：]|主题[:：]|begin forwarded)", re.M | re.I
)
_PARAGRAPH = re.compile(r"(?:(?!\n[ \t]*\n).)+", re.S)
BULLET = re.compile(r"^[ \t]*(?:[-*•·]|\d{1,3}[.)、]|\[\d+\])[ \t]*")
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[㐀-鿿]|[^\W\d_]+")
_PASTE_INTRO = re.compile(r"[^\n.!?。！？:：]{0,60}?(?:[:：]|\n)")


QUOTATION_WORDS = 5  # a shorter quotation may be a name ("call me 'Bo'")
OWN_WORDS = 40  # at most, of a message that stands in quotation marks as a whole
PASTE_TOKENS = 200  # a paragraph from this size on, hardly ever in the first person, is a document
PASTE_WORDS_PER_PERSON = 40  # ... when fewer than one word in so many is "I", "my", 「我」


class Zone(NamedTuple):
    """A stretch of the turn that is no evidence."""

    start: int
    end: int
    reason: Reason


def zones_of(text: str) -> list[Zone]:
    """The zones that the text's own form gives away, in order."""
    return sorted([*_fixed_zones(text), *_pasted_paragraphs(text)])


def rough_tokens(text: str) -> float:
    """About how many tokens, without a tokenizer: 4 Latin characters, or one other, are one (cl100k, within 30 %)."""
    ascii_chars = sum(map(str.isascii, text))
    return ascii_chars / 4 + (len(text) - ascii_chars)


def spoken_of(line: str) -> bool:
    """Whether a line speaks of the user from outside, as no user does."""
    return cues("about_user").opens(folded(BULLET.sub("", line)))


def lines_of(text: str) -> int:
    return sum(1 for line in text.splitlines() if line.strip())


def says_it_alone(text: str, start: int, lines: int) -> bool:
    """The user may well repeat the very words that an item carries: not as a list entry or below a header, though."""
    line_start = text.rfind("\n", 0, start) + 1
    bulleted = BULLET.match(text[line_start : start + 1]) is not None
    return not bulleted and (lines == 1 or not cues("recalled_header").within(folded(text[:line_start])))


def _fixed_zones(text: str) -> Iterator[Zone]:
    for match in _FENCE.finditer(text):
        yield Zone(match.start(), match.end(), Reason.PASTED_TEXT)
    for match in _QUOTED_LINE.finditer(text):
        yield Zone(match.start(), match.end(), Reason.PASTED_TEXT)
    for match in _MEMORY_TAG.finditer(text):
        yield Zone(match.start(), match.end(), Reason.RECALLED_TEXT)
    for match in _CITED_LINE.finditer(text):
        yield Zone(match.start(), match.end(), Reason.RECALLED_TEXT)
    for match in _MARKUP.finditer(text):
        yield Zone(match.start(), match.end(), Reason.PASTED_TEXT)
    for match in _QUOTATION.finditer(text):
        words = len(_WORD.findall(folded(match.group())))
        if words >= QUOTATION_WORDS and not (words <= OWN_WORDS and _alone(text, match.start(), match.end())):
            yield Zone(match.start(), match.end(), Reason.PASTED_TEXT)
    for match in _MAIL_HEAD.finditer(text):
        yield Zone(match.start(), len(text), Reason.PASTED_TEXT)
        break
    for aside in asides_of(text):
        yield Zone(*aside)
    yield from _listed_notes(text)


def _alone(text: str, start: int, end: int) -> bool:
    """Whether the message is nothing but these words in quotation marks: that is how some people write, and nobody is quoted."""
    return not _WORD.search(folded(text[:start])) and not _WORD.search(folded(text[end:]))


def _listed_notes(text: str) -> Iterator[Zone]:
    """A memory header and the list below it, and list entries that speak of the user from outside."""
    below = False
    at = 0
    for line in text.splitlines(keepends=True):
        bulleted = BULLET.match(line) is not None
        if (bulleted and (below or spoken_of(line))) or (spoken_of(line) and below):
            yield Zone(at, at + len(line), Reason.RECALLED_TEXT)
        elif line.strip():
            below = cues("recalled_header").within(folded(line)) and line.rstrip().endswith((":", "：", "]", "】", "#"))
        at += len(line)


def _pasted_paragraphs(text: str) -> Iterator[Zone]:
    """Everything after "here is an article:" until a paragraph that is the user's again, and long foreign paragraphs."""
    start = _paste_start(text)
    for match in _PARAGRAPH.finditer(text):
        paragraph = folded(match.group())
        if start is not None and match.start() > start and cues("paste_exit").opens(paragraph):
            start = None if match.start() > start else start
        if start is not None and match.end() > start:
            yield Zone(max(start, match.start()), match.end(), Reason.PASTED_TEXT)
        elif len(paragraph) >= PASTE_TOKENS and rough_tokens(paragraph) > PASTE_TOKENS and _is_foreign(paragraph):
            yield Zone(match.start(), match.end(), Reason.PASTED_TEXT)


def _paste_start(text: str) -> int | None:
    lowered = text.lower()
    match = cues("paste").search(lowered) if len(lowered) == len(text) else None
    if match is None:
        return None
    intro = _PASTE_INTRO.match(text, match.end())
    return intro.end() if intro and intro.end() < len(text) else None


def _is_foreign(paragraph: str) -> bool:
    words = len(_WORD.findall(paragraph))
    persons = len(re.findall(r"(?<![a-z])(?:i|i'm|i've|my|me|we|our)(?![a-z])|我|咱", paragraph))
    return persons * PASTE_WORDS_PER_PERSON < words


def words_of(text: str) -> list[str]:
    """Latin words, single Chinese characters, numbers, in order, folded."""
    return _WORD.findall(folded(text))
