"""Several things that one clause says in one breath, a claim each: "allergic to peanuts, shellfish and penicillin".

Only where a slot can hold several and lists what stands in the list, so that "rock and roll" stays one thing; of an
allergy one listed thing is enough, since what is left out there may cost a life.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from hermes_core.catalogue import Catalogue, Slot
from hermes_core.extraction.harm import may_harm
from hermes_core.items import Candidate

WORDS, LETTERS = 3, 8  # of one part at most, in English words and in Chinese characters
_ALLERGY = "allergy"
_Named = tuple[str, dict[str, str]]  # words, and the value of each thing in their list by its name there
_JOINT = re.compile(
    r"\s*[,、，/]\s*(?:(?:and|or|plus|以及|还有|和|跟)\s*)?|\s+(?:and|or|nor|plus|as well as|but also)\s+|\s*&\s*"
    r"|\s*(?:以及|还有|和|跟|与|及|或者?)\s*",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"(?<![a-z])(?:not?|never|neither|except|but|only|without|than)(?![a-z])|[()（）不没非除别]", re.IGNORECASE
)
_ALLERGIC_TO = re.compile(r".*\b(?:allergic|intolerant|sensitive|allerg(?:y|ies)|intolerances?) to ", re.IGNORECASE)
_NOT_ONLY = re.compile(r"\bnot (?:only|just) ", re.IGNORECASE)
_GOES_ON = re.compile(r"\s+(?!allerg|intoleran)[a-z]", re.IGNORECASE)
_OPENING = re.compile(
    r"(?:(?:both|to|also|even|an?|the|my|some|maybe|perhaps|possibly)\s+|也许|可能|对|连|都|我的|一[只条个])+",
    re.IGNORECASE,
)


def each(claim: Candidate, words: str, catalogue: Catalogue) -> tuple[Candidate, ...]:
    """The claim, or one for each of the things that its text lists in the `words` from which its value was read."""
    slot = catalogue.slot(claim.slot)
    if claim.slot == _ALLERGY:
        words = _ALLERGIC_TO.sub("", words)  # where no frame knew the words, they are the whole clause
    at = claim.text.find(words) if words else -1
    if slot is None or slot.exclusive or slot.closed or not slot.values or at < 0 or claim.subject != "user":
        return (claim,)
    lists = (_listed(catalogue, slot, words), _run(catalogue, slot, claim.text[at:]))
    said, values = max(filter(None, lists), key=lambda found: len(found[1]), default=("", {}))
    if not values:
        return (claim,)
    head, tail = claim.text[: (start := claim.text.find(said, at))], claim.text[start + len(said) :]
    head = _NOT_ONLY.sub("", head)
    tail = "" if _GOES_ON.match(tail) else tail  # "... to nuts and eggs make me sick"
    return tuple(
        msgspec.structs.replace(claim, value=value, text=f"{head}{part}{tail}") for part, value in values.items()
    )


def _run(catalogue: Catalogue, slot: Slot, text: str) -> _Named | None:
    """The list that the text begins with, as far as it names the slot's values: a frame may have ended at its first comma."""
    known, end = {v.name for v in slot.values}, 0
    values: dict[str, str] = {}
    for part, stop in _pieces(text):
        value = catalogue.normalise(slot.name, part)
        if value not in known or value in values.values():
            break
        values[part], end = value, stop
    return (text[:end], values) if len(values) > 1 else None


def _listed(catalogue: Catalogue, slot: Slot, said: str) -> _Named | None:
    """The list that the words are as a whole, of things that each hold one of the slot's values."""
    parts = [part for part, _ in _pieces(said)]
    found = [catalogue.find(slot.name, part) for part in parts]
    enough = any(found) if slot.name == _ALLERGY else all(found)
    if len(parts) < 2 or not enough or not all(map(_is_name, parts)) or not all(map(may_harm, parts)):
        return None
    values = {part: value or catalogue.normalise(slot.name, part) for part, value in zip(parts, found, strict=True)}
    return (said, values) if len(set(values.values())) == len(parts) else None


def _pieces(words: str) -> Iterator[tuple[str, int]]:
    """What stands between the joints, without what opens it, and where it ends."""
    at = 0
    for joint in (*_JOINT.finditer(words), None):
        end = joint.start() if joint else len(words.rstrip(" .!。！~"))
        opening = _OPENING.match(words, at, end)
        start = opening.end() if opening else at
        yield words[start:end], end
        at = joint.end() if joint else end


def _is_name(part: str) -> bool:
    """Short, and nothing denied: "peanuts, not almonds" is no list."""
    short = len(part.split()) <= WORDS and (part.isascii() or len(part) <= LETTERS)
    return bool(part) and short and _DENIES.search(part) is None
