"""What a claim takes back: "I'm not allergic to nuts after all" denies "I'm allergic to nuts", "I used to work at X" ends it.

A denial takes the place of what it denies, turned around, as a correction; what is over and denies nothing is an event.
Words only; what becomes of either statement is the gates' business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from hermes_core.catalogue import Catalogue
from hermes_core.extraction.reading import OTHER, Reading
from hermes_core.extraction.revisions import Earlier
from hermes_core.extraction.support import denies
from hermes_core.extraction.tense import is_over
from hermes_core.items import Candidate, Kind
from hermes_core.rivalry import clauses, content

ENOUGH = 2  # Chinese characters, or one word, that a denial shares with what it denies
SHORT_TURN = 200  # characters
# Words that a denial may add without speaking of something else.
_ADDED = frozenset(
    "celiac diseas allergic allerg allergy intolerant really true turn 过 敏 其 实 真 并 根 本 再 已 经 以 前".split()
)
# "I'm not only allergic to nuts": says more, and takes nothing back.
_ADDS = re.compile(r"\bnot (?:only|just|merely|simply)\b|n't (?:only|just)\b|不(?:只|仅|光|单|但)", re.IGNORECASE)
_CJK = re.compile(r"[\u3400-\u9fff]")


def denying(claim: Candidate, reading: Reading, earlier: Sequence[Earlier], catalogue: Catalogue) -> Candidate:
    """The claim as a correction of the earlier statement that it denies or ends; an event where it only tells what was."""
    if _ADDS.search(reading.core):
        return claim
    over = is_over(reading.core)
    if not over and claim.polarity > 0 and denies(reading.core) and _states_beside(claim, reading.core):
        return msgspec.structs.replace(claim, correction=True)
    if over or claim.polarity < 0 or denies(reading.core):
        for other in reversed(earlier):
            if _takes_back(claim, reading.core, other, over, catalogue):
                return msgspec.structs.replace(
                    claim,
                    kind=other.kind,
                    slot=other.slot,
                    value=other.value if _said(other, reading.core, catalogue) else claim.value,
                    polarity=-1,
                    exclusive=_exclusive(other.slot, catalogue),
                    correction=other.kind != Kind.PREFERENCE,
                )
    if over and reading.person != OTHER and not claim.slot.startswith("event"):
        return msgspec.structs.replace(
            claim, kind=str(Kind.EVENT), slot="event", polarity=1, exclusive=False, correction=False
        )
    return claim


def _states_beside(claim: Candidate, core: str) -> bool:
    """ "My name isn't Bob, it's Rob": the value stands in a part that denies nothing."""
    wanted = claim.value.casefold()
    parts = clauses(core)
    return bool(wanted) and len(parts) > 1 and any(wanted in p.casefold() for p in parts if not denies(p))


def _said(other: Earlier, core: str, catalogue: Catalogue) -> bool:
    """Whether the denial says the value that it denies, and not only a part of it: else its own words stand for it."""
    return bool(_wordings(other, catalogue)) or content(other.value) <= content(core)


def _exclusive(slot: str, catalogue: Catalogue) -> bool:
    found = catalogue.slot(slot)
    return found is not None and found.exclusive


def _takes_back(claim: Candidate, core: str, other: Earlier, over: bool, catalogue: Catalogue) -> bool:
    if other.subject != claim.subject or other.polarity < 0 or denies(other.text):
        return False
    if claim.slot == other.slot and claim.value == other.value:
        said = core.casefold()
        if not over and claim.polarity > 0 and any(denies(w) and w in said for w in _wordings(other, catalogue)):
            return False  # 「我不吃肉」 says once more what 「我吃素」 says
        return over or other.kind != Kind.PREFERENCE
    if other.kind == Kind.PREFERENCE:
        return False  # a taste may turn; it is nobody's mistake
    if over or claim.slot == "event":
        return False
    theirs = content(other.text).union(*map(content, _wordings(other, catalogue)))
    return any(_says_no_more(content(part), theirs) for part in clauses(core) if denies(part))


def _says_no_more(own: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether a denial speaks of what the other statement says, and of nothing else."""
    return _weight(own & theirs) >= ENOUGH and not own - theirs - _ADDED


def _wordings(other: Earlier, catalogue: Catalogue) -> tuple[str, ...]:
    slot = catalogue.slot(other.slot)
    if slot is None:
        return ()
    return next((tuple(v.words) for v in slot.values if v.name == other.value), ())


def may_take_back(text: str, known: str) -> bool:
    """Whether a short turn denies something and shares a word with what is known: worth a look however far as vectors."""
    return (
        len(text) <= SHORT_TURN and denies(text) != denies(known) and _weight(content(text) & content(known)) >= ENOUGH
    )


def _weight(words: frozenset[str]) -> int:
    return sum(1 if _CJK.match(word) else ENOUGH for word in words)
