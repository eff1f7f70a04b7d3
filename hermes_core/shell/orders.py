"""The user's commands and questions, carried out: fetch, ask the pure rule, store."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from hermes_core import answers, commands
from hermes_core.changes import Cause, Change
from hermes_core.errors import InvalidInput, NotFound
from hermes_core.items import Candidate, Evidence, MemoryItem, Status, Turn
from hermes_core.shell.claims import item_id_for, language_of
from hermes_core.shell.engine import Engine
from hermes_core.shell.session import Session
from hermes_core.shell.traces import traces
from hermes_core.shell.workspace import Workspace
from hermes_core.views import Diagnosis, Finding, Stats

COMMANDS_SESSION = "commands"  # the session under which a user's own commands are cited as evidence
_RULES: dict[str, Callable[..., tuple[Change, ...]]] = {
    "confirm": commands.confirm,
    "reject": commands.reject,
    "pin": lambda *given: commands.pin(*given, pinned=True),
    "unpin": lambda *given: commands.pin(*given, pinned=False),
}


def cause_of(engine: Engine, command: str, turn: Turn | None = None) -> Cause:
    at = turn.said_at if turn is not None else engine.clock.now()
    session_id, turn_id = (turn.session_id, turn.id) if turn is not None else (None, None)
    return Cause(by="command", at=at, command=command, session_id=session_id, turn_id=turn_id)


def command(engine: Engine, item: MemoryItem, name: str) -> MemoryItem:
    """Carry out confirm, reject, pin or unpin; the item as it is now."""
    cause = cause_of(engine, name)
    work = engine.write(item.user_id, lambda w: w.apply(_RULES[name](w.state, item.id, cause, w.config)))
    return work.state.get(item.id) or item


def correct(engine: Engine, item: MemoryItem, text: str) -> MemoryItem:
    """The user's own words take the item's place; the command is kept as a turn, so that the new item can cite it (law G)."""
    tokens = engine.counter.count(text)
    limit = engine.configs.of(item.user_id).bounded.item_tokens
    if tokens > limit:
        raise InvalidInput(f"the correction has {tokens} tokens, a memory holds at most {limit}; say it shorter")
    turn = _command_turn(engine, item.user_id, "correct", item.id, text)
    new = _corrected(engine, item, text, tokens, turn)
    vector, terms = engine.search_data([text], [(new.slot, new.value)])[0]

    def fill(work: Workspace) -> None:
        changes = commands.correct(work.state, item.id, new, cause_of(engine, "correct", turn), work.config)
        work.apply(changes, {new.id: (vector, terms)})

    return engine.write(item.user_id, fill).state.get(new.id) or new


def _command_turn(engine: Engine, user_id: str, name: str, item_id: str, text: str) -> Turn:
    now = engine.clock.now()
    turn_id = item_id_for(user_id, name, item_id, text, now.isoformat())
    turn = Turn(id=turn_id, user_id=user_id, session_id=COMMANDS_SESSION, role="command", text=text, said_at=now)
    return engine.ledger.add_turn(turn)


def _corrected(engine: Engine, item: MemoryItem, text: str, tokens: int, turn: Turn) -> MemoryItem:
    found = _reading(engine, item, turn)
    value = found.value if found is not None else text
    polarity = found.polarity if found is not None else item.polarity
    return MemoryItem(
        id=item_id_for(item.user_id, turn.id, item.subject, item.slot, text),
        user_id=item.user_id,
        subject=item.subject,
        kind=item.kind,
        slot=item.slot,
        value=engine.catalogue.normalise(item.slot, value),
        polarity=polarity,
        qualifiers=tuple(sorted(found.qualifiers)) if found is not None else (),
        text=text,
        tokens=tokens,
        language=language_of(text),
        status=Status.CANDIDATE,
        exclusive=item.exclusive,
        confidence=1.0,
        importance=item.importance,
        half_life_days=item.half_life_days,
        high_impact=item.high_impact,
        sensitivity=item.sensitivity,
        visible_to=item.visible_to,
        created_at=turn.said_at,
        said_at=turn.said_at,
        confirmed_at=turn.said_at,
        evidence=(
            Evidence(session_id=turn.session_id, turn_id=turn.id, quote=text, said_at=turn.said_at, seq=turn.seq),
        ),
    )


def _reading(engine: Engine, item: MemoryItem, turn: Turn) -> Candidate | None:
    """What the local extractor makes of a correction, where it speaks about the same slot."""
    spoken = Turn(
        id=turn.id, user_id=turn.user_id, session_id=turn.session_id, role="user", text=turn.text, said_at=turn.said_at
    )
    read: Sequence[Candidate] = engine.local.extract([spoken], [item])
    return next((c for c in read if c.slot == item.slot), None)


def approve(engine: Engine, item: MemoryItem, override: int) -> MemoryItem:
    """A held override becomes the item that takes its holder's place; its evidence comes along."""
    if not 0 <= override < len(item.held):
        raise NotFound(f"memory {item.id!r} holds {len(item.held)} override(s), none at {override}")
    held = item.held[override]
    cause = cause_of(engine, "approve")
    new_id = item_id_for(item.user_id, item.id, "approved", held.value, held.text)
    data = engine.search_data([held.text], [(item.slot, held.value)])[0]
    tokens = engine.counter.count(held.text)

    def fill(work: Workspace) -> None:
        work.apply(commands.approve(work.state, item.id, override, new_id, tokens, cause, work.config), {new_id: data})

    return engine.write(item.user_id, fill).state.get(new_id) or item


def decline(engine: Engine, item: MemoryItem, override: int) -> MemoryItem:
    """A held override is dropped by the user's word; the item stays as it is."""
    cause = cause_of(engine, "decline")
    work = engine.write(item.user_id, lambda w: w.apply(commands.decline(w.state, item.id, override, cause, w.config)))
    return work.state.get(item.id) or item


# questions


def diagnose(engine: Engine, user_id: str, statement: str, language: str) -> Diagnosis:
    """Gather what the stages left behind, and ask which of them lost the statement (C3)."""
    now = engine.clock.now()
    vector = engine.embed([statement])[0]
    session = Session(engine, user_id, "diagnose", consent=True)
    block = session.preview(statement)
    session.end()
    view = engine.reader.view(user_id)

    def similarity(texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        return [float(s) for s in engine.similarities(engine.embed(list(texts)), vector)]

    turns = engine.ledger.turns(user_id)
    return answers.diagnose(
        statement,
        turns=turns,
        record=lambda turn_id: engine.ledger.turn_record(user_id, turn_id),
        trail=engine.ledger.changes(user_id),
        state=view.state,
        block=block,
        similarity=similarity,
        forgotten=_is_forgotten(engine, user_id, statement),
        now=now,
        config=engine.configs.of(user_id),
        language=language,
        catalogue=engine.catalogue,
    )


def _is_forgotten(engine: Engine, user_id: str, statement: str) -> bool:
    """Whether these words were forgotten at any time."""
    probe = Turn(
        id="probe", user_id=user_id, session_id="probe", role="user", text=statement, said_at=engine.clock.now()
    )
    stones = engine.ledger.tombstones(user_id)
    asked = [parts for c in engine.local.extract([probe], []) for parts in traces(c, statement)]
    plain = " ".join(statement.casefold().split())
    return any(engine.digest(*parts) in stones for parts in [*asked, ("text", plain), ("turn", plain)])


def audit(
    engine: Engine, user_id: str, complete: Callable[[list[dict[str, str]]], str] | None, language: str
) -> tuple[Finding, ...]:
    """The frozen pool looked over by rule, by similarity, and by a chat model where one is given (C7)."""
    state = engine.reader.view(user_id).state

    def similarity(texts: Sequence[str]) -> list[list[float]]:
        vectors = engine.embed(texts)
        scores: list[list[float]] = engine.calibrate((vectors @ vectors.T).astype(np.float64)).tolist()
        return scores

    return answers.audit(
        state, engine.clock.now(), engine.configs.of(user_id), similarity, complete,
        opposites=engine.catalogue.opposites, language=language,
    )  # fmt: skip


def stats(engine: Engine, user_id: str | None, language: str = "en") -> Stats:
    """Pools, caps, warnings and rates of one user, or the pools and warnings of the whole store (C10); exported too."""
    users = engine.ledger.users() if user_id is None else [user_id]
    own = user_id or ""
    found = answers.stats(
        user_id,
        (engine.reader.view(user).state for user in users),
        engine.configs.of(own),
        engine.clock.now(),
        meter=engine.meter,
        waiting=engine.ledger.pending_count(user_id),
        trail=engine.ledger.changes(own) if user_id else None,
        turns=engine.ledger.turns(own) if user_id else (),
        summaries=engine.ledger.summaries(own) if user_id else (),
        counter=engine.counter,
        language=language,
    )
    standing = {name: value for name, value in found.numbers.items() if not name.startswith("hermes.")}
    engine.meter.export({**standing, **{f"pool.{name}": float(n) for name, n in found.pools.items()}}, user_id is None)
    return found
