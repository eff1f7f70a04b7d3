"""Whether words that a model wrote come from words that the user said (law G). Nothing is stored or refused here."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from hermes_core.extraction.cues import cues, folded, is_cjk
from hermes_core.extraction.zones import rough_tokens

_UNIT = re.compile(r"\d+(?:[.:/,]\d+)*|[a-z]+(?:'[a-z]+)?|[㐀-鿿]+|[^\W\da-z_㐀-鿿]+")
_NUMBER = re.compile(r"\d+(?:[.:/,]\d+)*")
_ZH_NUMBER = re.compile(r"[零一二两三四五六七八九十百千万]+")
_ZH_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2}
_ZH_SCALES = {"十": 10, "百": 100, "千": 1000}
_EN_NUMBERS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
_EN_NUMBERS |= {"once": 1, "twice": 2, "first": 1, "second": 2, "third": 3, "dozen": 12, "thousand": 1000}
_SUFFIXES = ("ations", "ation", "ingly", "ings", "ing", "ied", "ies", "ed", "es", "er", "ly", "s", "e", "y")


@cache
def _frame() -> frozenset[str]:
    return frozenset(folded(entry) for entry in cues("frame").entries)


def stem(word: str) -> str:
    """A Latin word without its common English ending, so that "allergies" meets "allergy"."""
    word = word.split("'")[0]
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def zh_number(digits: str) -> int:
    """「三十」 is 30; good up to 99,999,999."""
    total = part = digit = 0
    for char in digits:
        if char in _ZH_DIGITS:
            digit = _ZH_DIGITS[char]
        elif char in _ZH_SCALES:
            part += (digit or 1) * _ZH_SCALES[char]
            digit = 0
        else:
            total += (part + digit or 1) * 10_000
            part = digit = 0
    return total + part + digit


def numbers_in(text: str, spelled: bool = True) -> frozenset[str]:
    """The numbers as plain digit strings; with `spelled` also "three" and 「三」."""
    lowered = folded(text)
    found = {_plain(match) for match in _NUMBER.findall(lowered)}
    found |= {part for number in found for part in re.split(r"[.:/]", number)}
    if spelled:
        found |= {str(_EN_NUMBERS[word]) for word in re.findall(r"[a-z]+", lowered) if word in _EN_NUMBERS}
        found |= {str(zh_number(run)) for run in _ZH_NUMBER.findall(lowered)}
    return frozenset(found)


def _plain(number: str) -> str:
    plain = re.sub(r",(?=\d{3}(?!\d))", "", number)
    return plain.lstrip("0") or "0"


def content_units(text: str) -> list[str]:
    """Latin stems, numbers and Chinese bigrams that carry meaning; frames such as "the user likes" are left out."""
    frame = _frame()
    units: list[str] = []
    for unit in _UNIT.findall(folded(text)):
        if is_cjk(unit[0]):
            run = [char for char in unit if char not in frame]
            pairs = [a + b for a, b in pairwise(unit) if not (a in frame or b in frame)]
            units += pairs or run  # 「现在是会计」: no two carry meaning side by side
        elif unit[0].isdigit():
            units.append(_plain(unit))
        elif unit not in frame:
            units.append(stem(unit))
    return units


class Vocabulary:
    """The words of a stretch of a turn, ready for look-ups."""

    def __init__(self, text: str) -> None:
        self.lowered = folded(text)
        self.numbers = numbers_in(text)
        self.stems = frozenset(stem(unit) for unit in _UNIT.findall(self.lowered) if not is_cjk(unit[0]))
        self.chars = frozenset(filter(is_cjk, self.lowered))
        self.cjk = "".join(char if is_cjk(char) else " " for char in self.lowered)

    def has(self, unit: str) -> bool:
        if unit[0].isdigit():
            return unit in self.numbers
        if is_cjk(unit[0]):
            return unit in self.cjk or (len(unit) == 2 and str(_zh_or_none(unit)) in self.numbers)
        return unit in self.stems or str(_EN_NUMBERS.get(unit, "?")) in self.numbers


def _zh_or_none(unit: str) -> int | None:
    return zh_number(unit) if _ZH_NUMBER.fullmatch(unit) else None


class Support(NamedTuple):
    """How much of a text the user said: the share of its content units, and those that are missing."""

    share: float
    missing: tuple[str, ...]

    @property
    def full(self) -> bool:
        return not self.missing


def support(text: str, said: Vocabulary) -> Support:
    units = content_units(text)
    missing = tuple(unit for unit in units if not said.has(unit))
    foreign_numbers = tuple(n for n in numbers_in(text, spelled=False) - said.numbers if n not in missing)
    missing += foreign_numbers
    total = len(units) + len(foreign_numbers)
    return Support(1.0 - len(missing) / total if total else 1.0, missing)


def supported_part(text: str, said: Vocabulary) -> str:
    """`text` without the words that the user did not say, in order; "" when nothing is left."""
    kept: list[str] = []
    for match in re.finditer(r"[㐀-鿿]+|[^\s㐀-鿿]+|\s+", text):
        piece = match.group()
        if piece.isspace() or support(piece, said).full:
            kept.append(piece)
    joined = re.sub(r"\s+", " ", "".join(kept)).strip(" ,;.，。；、")
    return joined if content_units(joined) else ""


TEXT_TOKENS = 46  # as `_weight` counts them: an item holds 50 of cl100k
_JOINTS = re.compile(
    r"(?<=[,，;；:：。.!！?？、])\s*|\s+(?=(?:and|but|because|since|which|while|when|where|so|though|although|as|after|before|until)\s)"
)


def _weight(text: str) -> float:
    """Tokens, rather too many than too few: Chinese characters often take more than one."""
    return rough_tokens(text) + 0.25 * sum(map(is_cjk, text))


def shortened(text: str, value: str) -> str:
    """The stretch of a long text around its value, in the user's words; the text itself when it is short enough.

    Nothing is left out that would turn a yes into a no: then the text stays as it is, and is refused as too long.
    """
    if _weight(text) <= TEXT_TOKENS:
        return text
    starts = [0, *(match.end() for match in _JOINTS.finditer(text)), len(text)]
    spans = [(a, b) for a, b in pairwise(starts) if text[a:b].strip()]
    place = folded(text).find(folded(value)) if len(folded(text)) == len(text) else text.find(value)
    holds = next((n for n, (a, b) in enumerate(spans) if a <= max(place, 0) < b), 0)
    first, last = holds, holds
    while first > 0 and _weight(text[spans[first - 1][0] : spans[last][1]]) <= TEXT_TOKENS:
        first -= 1
    while last + 1 < len(spans) and _weight(text[spans[first][0] : spans[last + 1][1]]) <= TEXT_TOKENS:
        last += 1
    piece = text[spans[first][0] : spans[last][1]].strip(" ,，;；、")
    return piece if _weight(piece) <= TEXT_TOKENS and denies(piece) == denies(text) else text


def denies(text: str) -> bool:
    """Whether the words hold an odd number of negations: "I don't like", 「不吃」, but not "not without"."""
    return cues("negation").count(cues("no_denial").removed_from(folded(text))) % 2 == 1
