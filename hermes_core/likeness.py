"""When two slots speak of one dimension, and two values say the same: words only (W12).

Similarity breaks ties between free texts here and nowhere else; it is an argument, on the calibrated 0..1 scale.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from hermes_core.config import Config
from hermes_core.items import _Text
from hermes_core.occasions import occasion

_PUNCTUATION = re.compile(r"[^\w\s]+", re.UNICODE)
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W\u3400-\u9fff\uf900-\ufaff]+")
_NEGATIONS = frozenset({"no", "not", "non", "never", "without", "un", "anti", "不", "没", "无", "非", "别", "勿"})
LOOSE_SLOTS = frozenset({"", "misc", "other", "unknown", "general", "fact", "preference", "event", "state"})
_FREE_WORDS = 3  # words (or Chinese characters: twice that) from which a value is free text rather than a term
_CROSS_SCRIPT_OVERLAP = 0.5


@lru_cache(maxsize=16_384)
def normal(text: str) -> str:
    """NFKC, case folded, punctuation and repeated spaces gone: what two values must share to be equal."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("_", " ")
    return " ".join(_PUNCTUATION.sub(" ", folded).split())


def words(text: str) -> tuple[str, ...]:
    """Words of a normalised value; each Chinese character is one."""
    return tuple(_WORD.findall(normal(text)))


def dimension(slot: str, polarity: int) -> tuple[str, int]:
    """`x.dislikes` is `x.likes` turned around, so that loving and hating one thing meet in one place."""
    name, sign = _dimension(slot)
    return name, sign * polarity


@lru_cache(maxsize=4096)
def _dimension(slot: str) -> tuple[str, int]:
    name = normal_slot(slot)
    for against, for_ in (("dislikes", "likes"), ("dislike", "like"), ("avoids", "likes")):
        if name == against or name.endswith("." + against):
            return name[: len(name) - len(against)] + for_, -1
    return name, 1


def normal_slot(slot: str) -> str:
    return unicodedata.normalize("NFKC", slot).strip().casefold()


def qualifier_set(qualifiers: Iterable[str]) -> frozenset[str]:
    """When and where a statement holds, whatever language and words it was said in."""
    return frozenset(occasion(q) for q in qualifiers if normal(q))


class Likeness(_Text):
    """How two values stand to each other."""

    EQUAL = "equal"
    NARROWER = "narrower"  # one says what the other says, and more
    NEGATED = "negated"
    OTHER = "other"


def likeness_of(one: str, other: str, similarity: float, exclusive: bool, config: Config) -> Likeness:
    if normal(one) == normal(other):
        return Likeness.EQUAL
    mine, theirs = words(one), words(other)
    first, second = set(mine), set(theirs)
    if sorted(mine) == sorted(theirs):
        return Likeness.EQUAL if _CJK.search(one) is None else Likeness.OTHER
    if (first ^ second) & _NEGATIONS:
        return Likeness.NEGATED if (first ^ second) <= _NEGATIONS else Likeness.OTHER
    if first and second and (first < second or second < first) and _contains(mine, theirs):
        return Likeness.NARROWER
    if similarity >= _bar(exclusive, config) and _may_be_paraphrase(mine, theirs):
        return Likeness.EQUAL
    return Likeness.OTHER


def _bar(exclusive: bool, config: Config) -> float:
    """Where a slot has one value, two texts are more likely rivals than paraphrases: half way from `same` to 1."""
    same = config.similarity.same
    return (1.0 + same) / 2.0 if exclusive else same


def _contains(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Chinese characters out of order are no part of each other; words may stand apart."""
    short, long = sorted((one, other), key=len)
    if any(_CJK.match(w) for w in short):
        return "".join(short) in "".join(long)
    return True


def _may_be_paraphrase(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Free texts only: the same numbers, and half of the words shared unless they are in different scripts."""
    numbers = {w for w in one if w.isdigit()}, {w for w in other if w.isdigit()}
    if numbers[0] != numbers[1]:
        return False
    scripts = {bool(_CJK.match(w)) for w in one}, {bool(_CJK.match(w)) for w in other}
    if scripts[0].isdisjoint(scripts[1]):
        return True
    if not (_free(one) and _free(other)):
        return False
    first, second = set(one), set(other)
    return len(first & second) >= _CROSS_SCRIPT_OVERLAP * len(first | second)


def _free(value: tuple[str, ...]) -> bool:
    chinese = sum(bool(_CJK.match(w)) for w in value)
    return (len(value) - chinese) + chinese / 2 >= _FREE_WORDS


def same_liking(slot: str, item_slot: str, value: str, item_value: str) -> bool:
    """The slot of all other likes and dislikes overlaps with those of one domain: one thing liked there is liked here."""
    one, other = slot.rpartition(".")[::2], item_slot.rpartition(".")[::2]
    return one[1] == other[1] == "likes" and "" in (one[0], other[0]) and normal(value) == normal(item_value)


def loose(slot: str) -> bool:
    return normal_slot(slot).partition(":")[0].rsplit(".", 1)[-1] in LOOSE_SLOTS
