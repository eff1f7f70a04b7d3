"""Summaries behind the chat (R11): which sessions are due, and storing what the summariser made of them."""

from __future__ import annotations

import logging

import msgspec

from hermes_core.shell.engine import Engine
from hermes_core.summarizers import checked
from hermes_core.summary import Due, due

log = logging.getLogger("hermes")

LOOKED_AT = 8  # times summary_turns: how many of the latest turns are looked at


def summarize_due(engine: Engine, user_id: str | None = None) -> int:
    """Summarise what is due among the users that said something since the last call; the number of summaries."""
    return sum(_summarize(engine, user) for user in engine.take_touched(user_id))


def _summarize(engine: Engine, user_id: str) -> int:
    config = engine.configs.of(user_id)
    turns = engine.ledger.turns(user_id, limit=config.session.summary_turns * LOOKED_AT)
    talk = [turn for turn in turns if turn.role in ("user", "assistant")]
    stored = 0
    for one in due(talk, engine.ledger.summaries(user_id), config, engine.clock.now()):
        stored += _store(engine, user_id, one, config.session.summary_tokens)
    return stored


def _store(engine: Engine, user_id: str, one: Due, max_tokens: int) -> int:
    with engine.meter.time("hermes.summarize"):
        made = checked(engine.summarizer, one.turns, one.previous, max_tokens, engine.counter)
    if made is None:
        log.info("no summary of session %r of %r was worth keeping; the earlier one stays", one.session_id, user_id)
        return 0
    made = msgspec.structs.replace(
        made,
        user_id=user_id,
        session_id=one.session_id,
        made_at=engine.clock.now(),
        first_seq=one.turns[0].seq,
        last_seq=one.turns[-1].seq,
    )
    work = engine.workspace(user_id)
    work.summaries = [made]
    return int(engine.try_commit(work))
