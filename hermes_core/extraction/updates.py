"""Clauses that are worth keeping because they revise something known (F9, O-rows): what speaks against a remembered thing
is worth noting even where the same words would be small talk on empty ground.

Words only; the known items are the few near ones that the caller found. What becomes of either is the gates' business.
"""

from __future__ import annotations

from collections.abc import Sequence

from hermes_core.extraction.endings import NONE, may_end
from hermes_core.extraction.judging import HEATED
from hermes_core.extraction.reading import DROPPED, OTHER, SELF, Reading
from hermes_core.items import MemoryItem
from hermes_core.reasons import Reason
from hermes_core.rivalry import Statement, rivals
from hermes_core.traits import tells_of_self

# Reasons that weigh a clause by itself; a question, a supposition or pasted text stays no statement whatever is known.
_BY_WEIGHT = frozenset({Reason.LOW_SALIENCE, Reason.SMALL_TALK, Reason.ONE_OFF_REQUEST, Reason.EMOTIONAL})


def revises_known(reading: Reading, reason: Reason, known: Sequence[MemoryItem]) -> bool:
    """Whether a clause dismissed for `reason` can't hold beside something known of the same subject."""
    dropped = reading.person == DROPPED and reading.language == "zh"
    if reason not in _BY_WEIGHT or not (dropped or reading.person in (SELF, OTHER)):
        return False
    if reading.request or reading.sarcastic:
        return False
    if reading.person == SELF and any(
        i.subject == "user" and i.value != NONE and may_end(reading.core, i.slot, i.value) for i in known
    ):
        return True
    subject = reading.subject if reading.person == OTHER else "user"
    new = Statement(subject, f"我{reading.core}" if dropped else reading.core)
    return bool(subject) and any(rivals(new, Statement(i.subject, i.text, i.polarity), many=True) for i in known)


def tells_trait(reading: Reading, reason: Reason, heat: float) -> bool:
    """Whether a clause dismissed for `reason` plainly says an age, a number or a stage of the speaker's life, in calm words."""
    if reason not in _BY_WEIGHT or reading.person != SELF or reading.request or reading.sarcastic or heat >= HEATED:
        return False
    return tells_of_self(reading.core)
