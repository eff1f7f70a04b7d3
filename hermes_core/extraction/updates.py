"""Clauses that are worth keeping because they revise something known (F9, O-rows): what speaks against a remembered thing
is worth noting even where the same words would be small talk on empty ground.

Words only; the known items are the few near ones that the caller found. What becomes of either is the gates' business.
"""

from __future__ import annotations

from collections.abc import Sequence

from hermes_core.extraction.endings import NONE, may_end
from hermes_core.extraction.reading import OTHER, SELF, Reading
from hermes_core.items import MemoryItem
from hermes_core.reasons import Reason
from hermes_core.rivalry import Statement, rivals

# Reasons that weigh a clause by itself; a question, a supposition or pasted text stays no statement whatever is known.
_BY_WEIGHT = frozenset({Reason.LOW_SALIENCE, Reason.SMALL_TALK, Reason.ONE_OFF_REQUEST, Reason.EMOTIONAL})


def revises_known(reading: Reading, reason: Reason, known: Sequence[MemoryItem]) -> bool:
    """Whether a clause dismissed for `reason` can't hold beside something known of the same subject."""
    if reason not in _BY_WEIGHT or reading.person not in (SELF, OTHER) or reading.request or reading.sarcastic:
        return False
    if reading.person == SELF and any(
        i.subject == "user" and i.value != NONE and may_end(reading.core, i.slot, i.value) for i in known
    ):
        return True
    subject = "user" if reading.person == SELF else reading.subject
    new = Statement(subject, reading.core)
    return bool(subject) and any(rivals(new, Statement(i.subject, i.text, i.polarity), many=True) for i in known)
