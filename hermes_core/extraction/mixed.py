"""A clause that switches between Chinese and English, read in one of them: "我对 peanuts allergic" as 「我对花生过敏」.

A gloss is for reading only. It knows where each of its characters stands in the user's words, and it is those that are
quoted, worded and kept (law G). The words are data: data/mixed.toml, and the names that the catalogue knows in both
languages. What a clause means is nothing to this file.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from hermes_core.catalogue import Catalogue
from hermes_core.extraction.lexicon import load_lexicon, plain

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# Costs of reading a clause in a language: of a word of grammar that is turned into the other language's, of another
# word, of a pronoun at its head; and of a word that is left over.
GLUE, WORD, HEAD, WORD_LEFT = 1.0, 0.25, 0.5, 0.5
LONGEST = 200  # characters of a clause that is glossed; nobody switches in a longer one that a reading could be made of
_CJK = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z][A-Za-z'-]+|\b[Ii]\b(?=[ '])")
_TOKEN = re.compile(r"[A-Za-z](?:[A-Za-z0-9'&.-]*[A-Za-z0-9])?|[\u3400-\u9fff]+")
# Slots whose values are things that have a name in either language.
_NAMED = ("allergy", "diet", "food.likes", "drink.likes", "health.condition", "native_language", "languages", "hobbies", "sports.likes", "animals.likes", "residence")  # fmt: skip
OTHER_LANGUAGE = {"en": "zh", "zh": "en"}


def is_mixed(text: str) -> bool:
    """Whether a stretch holds words of both languages."""
    return _CJK.search(text) is not None and _LATIN.search(text) is not None


def starts_in(language: str, text: str) -> bool:
    """Whether the first word is one of this language."""
    found = _TOKEN.search(text)
    return found is not None and bool(_CJK.match(found.group())) == (language == "zh")


@dataclass(frozen=True)
class Gloss:
    """`text` is the clause as it is read in `language`; piece n of it starts at `places[n]` and stands for `spans[n]` of
    `source`. A piece of one character is the user's own."""

    source: str
    text: str
    language: str
    places: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    cost: float
    left: int

    @property
    def whole(self) -> bool:
        """Whether no word of grammar is left over in the other language."""
        return self.left == 0

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where text[start:end] stands in the source; whole words of what was read differently."""
        if start >= end:
            at = self.spans[bisect_right(self.places, start) - 1][0] if self.places else 0
            return at, at
        first = self.spans[bisect_right(self.places, start) - 1]
        last = self.spans[bisect_right(self.places, end - 1) - 1]
        return first[0], max(first[1], last[1])

    def said(self, words: str) -> str:
        """The user's own words for these words of the gloss."""
        at = self.text.find(words)
        if at < 0 or not words:
            return words
        start, end = self.place(at, at + len(words))
        return self.source[start:end].strip()


def glosses(text: str) -> tuple[Gloss, ...]:
    """How a mixed clause reads in either language, the likelier first; none where it is not mixed."""
    if len(text) > LONGEST or not is_mixed(text):
        return ()
    return _glosses(plain(text))


@lru_cache(maxsize=512)
def _glosses(text: str) -> tuple[Gloss, ...]:
    return tuple(sorted((_read(text, language) for language in ("zh", "en")), key=lambda one: (one.left, one.cost)))


_Entry = tuple[str, bool]  # what words are read as, and whether they are grammar
_LITERAL = re.compile(r"[\w' -]+(?:\|[\w' -]+)*")  # a key that is nothing but words
_STARTS = re.compile(r"[A-Za-z]+|[\u3400-\u9fff]")
_WORD_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'")


@dataclass(frozen=True)
class _Words:
    """The words of one language as they are read in the other: plain ones, and patterns by the letters that they start with."""

    whole: bool  # only whole words count
    plain: Mapping[str, _Entry]
    longest: int
    patterns: Mapping[str, Sequence[tuple[re.Pattern[str], _Entry]]]

    def at(self, text: str, place: int) -> tuple[int, str, bool] | None:
        """The end of the longest known words from here, what they are read as, and whether they are grammar."""
        best: tuple[int, str, bool] | None = None
        for pattern, entry in self.patterns.get(text[place].lower(), ()):
            match = pattern.match(text, place)
            if match is not None and match.end() > (place if best is None else best[0]):
                best = (match.end(), *entry)
        least = place if best is None else best[0]  # of two as long, the pattern knows more
        for end in range(min(len(text), place + self.longest), least, -1):
            if (words := self.plain.get(text[place:end].lower())) is not None and self._ends_word(text, end):
                return (end, *words)
        return best

    def _ends_word(self, text: str, end: int) -> bool:
        return not self.whole or end == len(text) or text[end] not in _WORD_CHARACTERS


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    text = (resources.files("hermes_core.extraction") / "data" / "mixed.toml").read_text(encoding="utf-8")
    data: dict[str, Any] = tomllib.loads(text)
    return data


@lru_cache(maxsize=2)
def _words_for(language: str) -> _Words:
    kin = load_lexicon().kin_words
    rows: list[tuple[str, str, bool]] = []
    for name in ("glue", "words"):
        rows += [
            (key.replace("KIN", f"(?:{kin})"), read, name == "glue") for key, read in _data()[language][name].items()
        ]
    rows += [(key, read, False) for key, read in _names(language)]
    whole = language == "zh"
    plain: dict[str, _Entry] = {}
    patterns: dict[str, list[tuple[re.Pattern[str], _Entry]]] = {}
    for key, read, glue in rows:
        if _LITERAL.fullmatch(key):
            for words in key.split("|"):
                plain.setdefault(words.lower(), (read, glue))
            continue
        pattern = re.compile(r"(?<![A-Za-z0-9'])(?:" + key + r")(?![A-Za-z0-9'])" if whole else key, re.IGNORECASE)
        for start in {words[0].lower() for words in _STARTS.findall(key)}:
            patterns.setdefault(start, []).append((pattern, (read, glue)))
    return _Words(whole, plain, max(map(len, plain)), patterns)


def _names(language: str) -> list[tuple[str, str]]:
    """The catalogue's values that have a name in both languages, by the other one's words."""
    out: dict[str, str] = {}
    for slot in map(Catalogue.default().slot, _NAMED):
        for value in slot.values if slot else ():
            words = [value.name, *value.words]
            own = [w for w in words if bool(_CJK.search(w)) == (language == "zh")]
            for word in words:
                if bool(_CJK.search(word)) == (language == "en") and own and len(word) > (1 if language == "en" else 2):
                    out.setdefault(word, own[0])
    return list(out.items())


def _read(text: str, language: str) -> Gloss:
    """The text in one language, word by word from the left."""
    words = _words_for(language)
    pieces: list[tuple[str, int, int]] = []
    cost, at = 0.0, 0
    while at < len(text):
        found = words.at(text, at) if _starts_word(text, at, language) else None
        if found is None:
            pieces.append((text[at], at, at + 1))
            at += 1
            continue
        end, reading, glue = found
        cost += (HEAD if at == 0 or len(pieces) < 2 else GLUE) if glue else WORD
        pieces += _joined(pieces, reading, text, at, end, language)
        at = end
    grammar, others = _left(pieces, language)
    return _gloss(text, _tidy(pieces, language), language, cost + WORD_LEFT * others, grammar)


def _starts_word(text: str, at: int, language: str) -> bool:
    if language == "zh":
        return (
            text[at].isalpha()
            and text[at].isascii()
            and (at == 0 or not (text[at - 1].isascii() and text[at - 1].isalnum()))
        )
    return _CJK.match(text[at]) is not None


def _joined(
    before: list[tuple[str, int, int]], reading: str, text: str, start: int, end: int, language: str
) -> list[tuple[str, int, int]]:
    """What is read as one piece, with the spaces that English needs around it."""
    if language == "zh" or not reading:
        return [(reading, start, end)] if reading else []
    out = []
    if before and before[-1][0][-1:].strip():
        out.append((" ", start, start))
    out.append((reading, start, end))
    if end < len(text) and text[end].strip() and text[end] not in ",.，。!?！？":
        out.append((" ", end, end))
    return out


def _tidy(pieces: list[tuple[str, int, int]], language: str) -> list[tuple[str, int, int]]:
    """Without the spaces between Chinese and English, and with single ones in English."""
    out: list[tuple[str, int, int]] = []
    for place, piece in enumerate(pieces):
        if not piece[0].strip():
            after = next((p[0] for p in pieces[place + 1 :] if p[0].strip()), "")
            before = out[-1][0] if out else ""
            if not before.strip() or not after:
                continue
            if language == "zh" and (_CJK.search(before[-1]) or _CJK.search(after[0])):
                continue
        out.append(piece)
    return out


def _gloss(source: str, pieces: list[tuple[str, int, int]], language: str, cost: float, left: int) -> Gloss:
    places, at = [], 0
    for words, _, _ in pieces:
        places.append(at)
        at += len(words)
    text = "".join(words for words, _, _ in pieces)
    return Gloss(source, text, language, tuple(places), tuple((start, end) for _, start, end in pieces), cost, left)


def _left(pieces: list[tuple[str, int, int]], language: str) -> tuple[int, int]:
    """How many words of the other language are left over: those of grammar, and others."""
    rest = "".join(words if len(words) == 1 and end - start == 1 else "\n" for words, start, end in pieces)
    other = OTHER_LANGUAGE[language]
    words = [w.lower() for w in _TOKEN.findall(rest) if bool(_CJK.match(w)) == (other == "zh")]
    glue = _data()["left"][other]
    grammar = sum(any(char in glue for char in w) if other == "zh" else w in glue for w in words)
    return grammar, len(words) - grammar
