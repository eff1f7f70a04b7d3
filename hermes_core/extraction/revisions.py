"""Which earlier statement a new one revises: a denial of it, or the same frame with another filler (O-rows, F9).

Words only: the few known items and the batch's own claims are compared by shared words. What then happens to either is
the gates' business; here a revising claim only takes the earlier one's slot and says that both can't hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import msgspec

from hermes_core.catalogue import Catalogue, base_slot
from hermes_core.items import Candidate, MemoryItem

# Slots whose claims each have a dimension of their own: "schedule:dentist" and "schedule:exam" don't exclude each other.
OPEN = frozenset(
    "fact event plan current_focus schedule deadline project goal travel_plans finances budget relation skills"
    " learning_goal move possessions routine fitness education friends colleagues volunteering".split()
)
KEY_WORDS = 3
DENIED = 0.5  # share of a denial's content words that the denied statement has
FRAME, FRAME_OF_OTHERS = 0.6, 0.4  # likeness of two word sequences from which they are one frame with two fillers
SHARED = 2  # content words

_WORD = re.compile(r"[a-z0-9$€£%][a-z0-9$€£%'.,:-]*[a-z0-9%]|[a-z0-9]|[\u3400-\u9fff]", re.IGNORECASE)
_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<=\s)[A-Z][\w'-]+")
_NEGATIVE = re.compile(
    r"(?<![a-z])(?:never|not|no longer|n't|haven't|hasn't|didn't|don't|doesn't|isn't|wasn't|without|no)(?![a-z])|n't\b|不|没|从未|从来没|未曾|无",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?<![a-z])(?:not|instead of|rather than|no longer|instead|now|changed|moved|switched|rescheduled|increased|decreased|updated|improved|reduced|extended)(?![a-z])|而不是|不是|改|换|现在|不再",
    re.IGNORECASE,
)
_STOP = frozenset(
    """a an the i i'm i've i'd i'll me my mine we our us you your he she it its they them their this that these those is are
    was were be been being am do does did have has had having to of in on at for with from by about as and or but so if any
    ever never not no just really very also too can could will would should may might there here what which who when where
    how than then into out up down over some all both more most now currently recently still already get got going go make
    made like one two using used use been't 's related actually before since because while during after""".split()
)
_ZH_STOP = frozenset("的了是在我你他她它们有和与就也都很这那个不没到说要去会着过吗呢啊吧得地把被对从还以后每")


@dataclass(frozen=True)
class Earlier:
    """What a known item or an earlier claim of the batch says."""

    subject: str
    kind: str
    slot: str
    value: str
    text: str
    polarity: int


def earlier_of(known: Sequence[MemoryItem], claims: Iterable[Candidate] = ()) -> list[Earlier]:
    items = [Earlier(i.subject, str(i.kind), i.slot, i.value, i.text, i.polarity) for i in known]
    return [*items, *(Earlier(c.subject, c.kind, c.slot, c.value, c.text, c.polarity) for c in claims)]


def words_of(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def content_of(text: str) -> list[str]:
    """Content words in order: Latin ones cut to a stem, single Chinese characters."""
    return [_stem(w) for w in words_of(text) if w not in _STOP and w not in _ZH_STOP]


def _stem(word: str) -> str:
    for suffix in ("ing", "ies", "ied", "ed", "es", "s"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


def keyed(slot: str, text: str, subject: str) -> str:
    """The slot of an open statement: its first content words before the name of its sort; deterministic."""
    names = set(content_of(subject))
    if subject != "user":
        names |= _named_in(text)
    words = [w for w in content_of(text) if w not in names and not _NUMBER.search(w)]
    return f"{slot}:{'-'.join(words[:KEY_WORDS])}" if words else slot


def _named_in(text: str) -> set[str]:
    return {_stem(name.lower()) for name in _NAME.findall(text)}


def revised(claim: Candidate, earlier: Sequence[Earlier], catalogue: Catalogue) -> Candidate:
    """The claim with the dimension of the statement that it revises, or with one of its own where its slot is open."""
    slot = catalogue.slot(claim.slot)
    if claim.polarity < 0 or (slot is not None and slot.exclusive) or claim.slot.endswith(".likes"):
        return claim
    own = content_of(claim.text)
    best, place = 0.0, None
    for other in earlier:
        score = _revises(claim, own, other)
        if score > best:
            best, place = score, other
    if place is not None:
        return msgspec.structs.replace(claim, kind=place.kind, slot=place.slot, exclusive=True)
    if claim.slot in OPEN or claim.subject != "user":
        return msgspec.structs.replace(claim, slot=keyed(claim.slot, claim.text, claim.subject))
    return claim


def _revises(claim: Candidate, own: list[str], other: Earlier) -> float:
    """How surely the claim can't hold beside the other statement; 0 when it can."""
    if other.subject != claim.subject or other.polarity < 0 or other.text == claim.text:
        return 0.0
    if base_slot(other.slot) not in OPEN and claim.subject == "user":
        return 0.0
    theirs = content_of(other.text)
    names = set(content_of(claim.subject)) if claim.subject != "user" else set()
    if claim.subject != "user":  # that two statements name one friend makes no frame
        names |= _named_in(claim.text)
    shared = (set(own) & set(theirs)) - names
    if len(shared) < (SHARED if claim.subject == "user" else 1):
        return 0.0
    denies = bool(_NEGATIVE.search(claim.text)), bool(_NEGATIVE.search(other.text))
    if denies[0] != denies[1]:
        denial = set(own if denies[0] else theirs) - names
        return len(shared) / len(denial) if len(shared) >= DENIED * len(denial) else 0.0
    return _other_filler(claim, own, other, theirs, shared)


def _other_filler(claim: Candidate, own: list[str], other: Earlier, theirs: list[str], shared: set[str]) -> float:
    mine, yours = words_of(claim.text), words_of(other.text)
    ratio = SequenceMatcher(None, mine, yours, autojunk=False).ratio()
    rest = set(own) - shared, set(theirs) - shared
    if not rest[0] or not rest[1]:
        return 0.0
    if claim.subject != "user":
        return ratio if ratio >= FRAME_OF_OTHERS else 0.0
    numbers = all(any(_NUMBER.search(w) for w in part) for part in rest)
    corrects = claim.correction or _INSTEAD.search(claim.text) is not None
    part = len(shared) / min(len(set(own)), len(set(theirs)))
    if numbers and (ratio >= FRAME or part >= DENIED):
        return max(ratio, part)
    return ratio if corrects and ratio >= FRAME else 0.0
