"""Turns an extractor's candidate into a claim that the rules can judge: validated, measured, looked up in the catalogue."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from hermes_core.catalogue import Catalogue
from hermes_core.checks import clean_text
from hermes_core.items import Basis, Candidate, Kind, Sensitivity, Tone, Turn
from hermes_core.ports import Dismissal, Terms, TokenCounter, Vector
from hermes_core.reasons import Reason
from hermes_core.relate import Claim

_CJK = re.compile(r"[\u3400-\u9fff]")
_MAX_WORDS = 4000  # characters of a candidate's text or value; more is a broken extractor
_MAX_SLOT = 80


class Found(NamedTuple):
    """A grounded, screened candidate with its search data."""

    turn: Turn
    candidate: Candidate
    salience: float
    suspicious: bool
    vector: Vector
    terms: Terms


def language_of(text: str) -> str:
    """zh as soon as a fifth of the letters are Chinese characters, else en."""
    letters = sum(c.isalpha() for c in text) or 1
    return "zh" if len(_CJK.findall(text)) * 5 >= letters else "en"


def cleaned(raw: Candidate, turns: Mapping[str, Turn], catalogue: Catalogue) -> Candidate | Dismissal:
    """The candidate in canonical form, or why it can't be used (MALFORMED): foreign code may return anything."""
    turn_id = str(raw.turn_id)
    if turn_id not in turns:
        return Dismissal(next(iter(turns), ""), str(raw.text)[:300], Reason.MALFORMED)
    text, value, slot = (clean_text(str(part)).strip() for part in (raw.text, raw.value, raw.slot))
    kinds = {k.value for k in Kind}
    numbers = (raw.confidence, raw.importance)
    usable = (
        text
        and slot
        and len(slot) <= _MAX_SLOT
        and max(len(text), len(value)) <= _MAX_WORDS
        and str(raw.kind) in kinds
        and raw.polarity in (1, -1)
        and all(isinstance(n, (int, float)) and n == n for n in numbers)
    )
    if not usable:
        return Dismissal(turn_id, text[:300], Reason.MALFORMED)
    return msgspec.structs.replace(
        raw,
        kind=str(raw.kind),
        text=text,
        slot=slot,
        turn_id=turn_id,
        value=catalogue.normalise(slot, value or text),
        subject=clean_text(str(raw.subject)).strip()[:_MAX_SLOT] or "user",
        qualifiers=tuple(sorted({clean_text(str(q)).strip().casefold() for q in raw.qualifiers if str(q).strip()})),
        basis=str(raw.basis) if str(raw.basis) in set(map(str, Basis)) else str(Basis.IMPLIED),
        tone=str(raw.tone) if str(raw.tone) in set(map(str, Tone)) else str(Tone.CALM),
        confidence=min(1.0, max(0.0, float(raw.confidence))),
        importance=min(1.0, max(0.0, float(raw.importance))),
    )


def item_id_for(user_id: str, turn_id: str, *words: str) -> str:
    """A derived id: the same statement in the same turn always makes the same item (law R)."""
    return hashlib.blake2b("\x1f".join((user_id, turn_id, *words)).encode(), digest_size=10).hexdigest()


def claim_of(
    found: Found,
    similar: Mapping[str, float],
    catalogue: Catalogue,
    counter: TokenCounter,
    user_id: str,
    forgotten: bool,
) -> Claim:
    """The claim with what the catalogue knows about its slot."""
    candidate = found.candidate
    slot = catalogue.slot(candidate.slot)
    kind = Kind(candidate.kind)
    exclusive = candidate.exclusive if candidate.exclusive is not None else bool(slot and slot.exclusive)
    vital = candidate.polarity > 0 and catalogue.vital(candidate.slot, candidate.value)
    return Claim(
        candidate=candidate,
        turn=found.turn,
        item_id=item_id_for(
            user_id, found.turn.id, candidate.subject, candidate.slot, candidate.value, candidate.quote
        ),
        tokens=counter.count(candidate.text),
        language=language_of(candidate.text),
        kind=kind,
        exclusive=exclusive,
        half_life_days=slot.half_life_days if slot else None,
        high_impact=vital or bool(slot and slot.high_impact),
        timeless=vital or bool(slot and slot.timeless),
        sensitivity=Sensitivity(slot.sensitivity) if slot else Sensitivity.NORMAL,
        visible_to=(),
        suspicious=found.suspicious,
        salience=found.salience,
        similar=similar,
        forgotten=forgotten,
        opposite=tuple(catalogue.opposites(candidate.slot, candidate.value)),
    )
