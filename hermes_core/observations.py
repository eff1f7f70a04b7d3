"""Which of a user's items each conclusion rule may count as an observation (U2). Matching only; no rule is applied here.

The rules are sorted by slot once per rule set and catalogue, since this runs after every batch of turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from hermes_core.catalogue import Catalogue
from hermes_core.conclusion_rules import Rule, Support
from hermes_core.items import MemoryItem

Similarity = Callable[[str, Sequence[str]], float]  # a text, sentences -> highest calibrated similarity, 0..1

KEPT = 20_000  # items whose matches are kept per rule set

_Entry = tuple[
    str, "str | None", Support, frozenset[str]
]  # rule, its own value where the slot is its own, support, values


class Matcher:
    """Rules sorted by the slots that they look at. Immutable but for its cache; safe to share between threads."""

    def __init__(self, rules: tuple[Rule, ...], catalogue: Catalogue | None) -> None:
        self._rules = rules
        self._catalogue = catalogue
        self._by_slot: dict[str, tuple[_Entry, ...]] = {}
        self._known: dict[int, tuple[str, ...]] = {}

    def observations(
        self, items: Iterable[MemoryItem], similarity: Similarity | None = None, least: float = 1.0
    ) -> dict[str, list[MemoryItem]]:
        """Items by the name of each rule that they support; `least` is the similarity that a sentence must reach."""
        found: dict[str, list[MemoryItem]] = {}
        for item in items:
            names = self._cached(item) if similarity is None else self._supported(item, similarity, least)
            for name in names:
                found.setdefault(name, []).append(item)
        return found

    def _cached(self, item: MemoryItem) -> tuple[str, ...]:
        """Most items are as they were at the last call; the key is a digest, so that no words outlive a forget."""
        key = hash((item.id, item.slot, item.value, item.polarity, item.text, *(e.quote for e in item.evidence)))
        names = self._known.get(key)
        if names is None:
            if len(self._known) >= KEPT:
                self._known.clear()
            names = self._known[key] = self._supported(item, None, 1.0)
        return names

    def same_value(self, a: str, b: str, slot: str) -> bool:
        """Whether two wordings mean one value of the slot."""
        return self._normal(slot, a) == self._normal(slot, b)

    def _supported(self, item: MemoryItem, similarity: Similarity | None, least: float) -> tuple[str, ...]:
        value = self._normal(item.slot, item.value)
        words = "\n".join((item.text, *dict.fromkeys(e.quote for e in item.evidence))).casefold()
        names: list[str] = []
        for name, concluded, support, values in self._entries(item.slot):
            if concluded == value or (names and names[-1] == name):
                continue  # the conclusion itself said outright; or counted for this rule already
            if (not values or value in values) and _holds(support, item, words, similarity, least):
                names.append(name)
        return tuple(names)

    def _entries(self, slot: str) -> tuple[_Entry, ...]:
        known = self._by_slot.get(slot)
        if known is None:
            known = self._by_slot[slot] = tuple(self._look_up(slot))
        return known

    def _look_up(self, slot: str) -> Iterable[_Entry]:
        for rule in self._rules:
            concluded = self._normal(slot, rule.value) if slot == rule.slot else None
            for support in rule.supports:
                if support.slots is None or support.slots.fullmatch(slot):
                    values = frozenset(self._normal(slot, value) for value in support.values)
                    yield rule.name, concluded, support, values

    def _normal(self, slot: str, value: str) -> str:
        return value.casefold() if self._catalogue is None else self._catalogue.normalise(slot, value)


@lru_cache(maxsize=8)
def matcher(rules: tuple[Rule, ...], catalogue: Catalogue | None) -> Matcher:
    """The matcher of a rule set and a catalogue, made once."""
    return Matcher(rules, catalogue)


def _holds(support: Support, item: MemoryItem, words: str, similarity: Similarity | None, least: float) -> bool:
    if support.polarity and item.polarity != support.polarity:
        return False
    if support.words is None and not support.like:
        return True
    if support.words is not None and support.words.search(words):
        return True
    return bool(support.like) and similarity is not None and similarity(item.text, support.like) >= least
