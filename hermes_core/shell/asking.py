"""Gives the turns of a batch the question that the other speaker asked directly before them (Turn.asked), for extractors.

Only the ledger's order counts, so that the same turns read the same however they were batched (law R).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from hermes_core.extraction.answers import LONGEST_ANSWER
from hermes_core.extraction.asking import TAIL, asks
from hermes_core.items import Turn
from hermes_core.shell.engine import Engine
from hermes_core.stores.redact import REDACTED

LATEST = 16  # turns of the session that are looked through first


def with_questions(engine: Engine, user_id: str, batch: Sequence[Turn], spoken: Sequence[Turn]) -> list[Turn]:
    """The spoken turns, the short ones with what was asked directly before; `batch` is one session's, in order."""
    return [
        msgspec.structs.replace(turn, asked=asked) if (asked := _asked(engine, user_id, batch, turn)) else turn
        for turn in spoken
    ]


def _asked(engine: Engine, user_id: str, batch: Sequence[Turn], turn: Turn) -> str:
    if len(turn.text) > LONGEST_ANSWER:
        return ""
    place = next(n for n, one in enumerate(batch) if one.id == turn.id)
    before = batch[place - 1] if place and batch[place - 1].seq == turn.seq - 1 else _before(engine, user_id, turn)
    if before is None or before.role != "assistant" or REDACTED in before.text or not asks(before.text):
        return ""
    return before.text[-TAIL:]


def _before(engine: Engine, user_id: str, turn: Turn) -> Turn | None:
    """The turn of the session that stands directly before this one."""
    found = engine.ledger.turns(user_id, turn.session_id, limit=LATEST)
    if found and found[0].seq >= turn.seq:
        found = engine.ledger.turns(user_id, turn.session_id)
    return next((one for one in reversed(found) if one.seq < turn.seq), None)
