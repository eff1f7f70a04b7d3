"""Summaries behind the chat (R11): which sessions are due, and storing what the summariser made of them."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import msgspec

from hermes_core.changes import Event
from hermes_core.errors import VersionConflict
from hermes_core.items import Turn
from hermes_core.ports import Summary
from hermes_core.shell.engine import Engine
from hermes_core.shell.workspace import Workspace
from hermes_core.summarizers import checked
from hermes_core.summary import Due, due

log = logging.getLogger("hermes")

CHANGES_A_TURN = 20  # lines of the trail that a turn leaves at most, roughly
_BELIEVED = (Event.ADMITTED, Event.CONFIRMED, Event.NOTED, Event.RECONFIRMED, Event.WOKEN)
LOOKED_AT = 8  # times summary_turns: how many of the latest turns are looked at


def summarize_due(engine: Engine, user_id: str | None = None) -> int:
    """Summarise what is due among the users that said something since the last call; the number of summaries. One caller
    at a time: who flushes waits for what the worker has in hand."""
    with engine.summarizing:
        return sum(_summarize(engine, user) for user in engine.take_touched(user_id))


def _made(engine: Engine, user_id: str, one: Due, max_tokens: int) -> Summary | None:
    """The summariser is foreign code: whatever it raises, memory goes on without this summary, and says so."""
    try:
        with engine.meter.time("hermes.summarize"):
            return checked(engine.summarizer, one.turns, one.previous, max_tokens, engine.counter)
    except Exception:
        log.exception("summarizer %s failed on session %r of %r", engine.summarizer.name, one.session_id, user_id)
        engine.meter.count("hermes.summarize.failed")
        return None


def _summarize(engine: Engine, user_id: str) -> int:
    config = engine.configs.of(user_id)
    erased = engine.ledger.erased_version(user_id)
    turns = engine.ledger.turns(user_id, limit=config.session.summary_turns * LOOKED_AT)
    talk = [turn for turn in turns if turn.role in ("user", "assistant")]
    stored = 0
    for one in due(talk, engine.ledger.summaries(user_id), config, engine.clock.now()):
        told = one if one.session_id else one._replace(turns=_believed(engine, user_id, one.turns))
        if told.turns:
            stored += _store(engine, user_id, told, config.session.summary_tokens, erased)
    return stored


def _believed(engine: Engine, user_id: str, turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The words of the turns that became memory: the overall summary may be shown in every context, so what was refused
    or held (a mood, a pasted letter, a request of the moment) may not come back by it."""
    quotes: dict[str, list[str]] = {}
    for change in engine.ledger.changes(user_id, limit=CHANGES_A_TURN * len(turns)):
        if change.event in _BELIEVED and change.after is not None:
            for cited in change.after.evidence:
                if cited.turn_id == change.cause.turn_id and cited.quote not in quotes.get(cited.turn_id, ()):
                    quotes.setdefault(cited.turn_id, []).append(cited.quote)
    return tuple(
        msgspec.structs.replace(turn, text=". ".join(quotes[turn.id]) + ".") for turn in turns if turn.id in quotes
    )


def _store(engine: Engine, user_id: str, one: Due, max_tokens: int, erased: int) -> int:
    made = _made(engine, user_id, one, max_tokens)
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

    def fill(work: Workspace) -> None:
        if engine.ledger.erased_version(user_id) == erased:  # else what was summed up may just have been forgotten
            work.summaries = [made]

    try:
        return len(engine.write(user_id, fill).summaries)
    except VersionConflict:
        engine.touch(user_id)
        return 0
