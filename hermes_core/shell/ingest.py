"""From durable turns to committed memory: extract, ground, screen, decide, commit. Exactly once in effect (W1).

The steps are asked of others; here is only their order, and what happens when the world fails.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from hermes_core.changes import Cause, refusal
from hermes_core.conclusions import aggregate
from hermes_core.config import Config
from hermes_core.decide import decide
from hermes_core.errors import Closed, IllegalTransition, LawBroken, StoreError
from hermes_core.extraction.contrasts import contrasts, reworded
from hermes_core.extraction.denials import may_take_back
from hermes_core.extraction.endings import may_end
from hermes_core.extraction.grounding import ground_all
from hermes_core.extraction.screen import Screened, screen
from hermes_core.items import Candidate, MemoryItem, Turn
from hermes_core.maintain import maintain
from hermes_core.ports import LAST_FROM, Dismissal, Extraction, PendingTurn, TurnOutcome
from hermes_core.reasons import Reason
from hermes_core.relate import Claim
from hermes_core.rivalry import may_deny
from hermes_core.shell.asking import with_questions
from hermes_core.shell.claims import Found, claim_of, cleaned
from hermes_core.shell.engine import COMMIT_TRIES, Engine
from hermes_core.shell.quotable import quotable, with_privacy
from hermes_core.shell.traces import traces, turn_traces
from hermes_core.shell.workspace import Workspace
from hermes_core.stores.redact import REDACTED

log = logging.getLogger("hermes")

CHARACTERS_A_TOKEN = 8  # at most, roughly

# Processes that may die over a turn, beyond the tries with either extractor, before it is set aside. From the second
# on only those count that were reading it (`begin`): processes that are killed at random mostly die at something else.
CRASHES = 5


def ingest_once(engine: Engine, worker: str, user_id: str | None = None) -> bool:
    """Take one batch of one user's waiting turns through the gates; False when nobody is due or free."""
    ingest = engine.configs.of(user_id or "").ingest
    now = engine.clock.now()
    claimed = engine.claim(worker, now, ingest.lease_seconds, user_id)
    if claimed is None:
        return False
    try:
        if pending := engine.ledger.pending(claimed, now, ingest.batch_turns):
            _attempt(engine, claimed, first_session(pending), worker)
    finally:
        try:
            engine.release(worker, claimed)
        finally:
            engine.batch_done()
    return True


def first_session(pending: Sequence[PendingTurn]) -> list[PendingTurn]:
    """The leading run of one session; a turn that failed before goes alone, so that it can't hold up its neighbours.

    One that failed twice goes last: at the head of the queue it would be what every process reads first, and a process
    that is killed young would seem to have died over it.
    """
    first = next((n for n, waiting in enumerate(pending) if waiting.attempts < LAST_FROM), 0)
    head = pending[first]
    if head.attempts:
        return [head]
    batch = []
    for waiting in pending[first:]:
        if waiting.turn.session_id != head.turn.session_id or waiting.attempts:
            break
        batch.append(waiting)
    return batch


def _attempt(engine: Engine, user_id: str, batch: list[PendingTurn], worker: str) -> None:
    """One try with a batch. A turn over which this fails, or over which whole processes have died, never bars the rest."""
    turns, attempts = [p.turn for p in batch], max(p.attempts for p in batch)
    if attempts > engine.configs.of(user_id).ingest.attempts + CRASHES:
        reason = f"every reader of this turn died or failed, {attempts} times"
        log.error("turn %s of %r is set aside: %s", turns[0].id, user_id, reason)
        for turn in turns:
            engine.ledger.set_aside(user_id, turn.id, reason)
        return
    if attempts:
        engine.ledger.begin(user_id, turns[0].id, worker)
    try:
        if not _ingest(engine, user_id, batch) and attempts:
            engine.ledger.begin(user_id, turns[0].id, "")  # it waits, and nobody is at it
    except (StoreError, Closed):
        raise
    except Exception as error:
        set_aside = _put_off(engine, user_id, turns, attempts, error)
        if isinstance(error, (LawBroken, IllegalTransition)) and not set_aside:
            raise  # our own bug is said aloud; the turn waits, and others go on
        log.exception("%d turn(s) of %r could not be taken in", len(turns), user_id)


def _put_off(engine: Engine, user_id: str, turns: Sequence[Turn], attempts: int, error: BaseException) -> bool:
    """Try again later, or no more: whether the turns were set aside."""
    ingest = engine.configs.of(user_id).ingest
    reason = f"{type(error).__name__}: {error}"[:300]
    engine.meter.count("hermes.extract.failed")
    if attempts > ingest.attempts:
        for turn in turns:
            engine.ledger.set_aside(user_id, turn.id, reason)
        return True
    retry_at = engine.clock.now() + timedelta(seconds=ingest.backoff_seconds * 2**attempts)
    engine.ledger.postpone(user_id, [t.id for t in turns], reason, retry_at)
    return False


def _ingest(engine: Engine, user_id: str, batch: list[PendingTurn]) -> bool:
    """Whether the turns were taken in; if not, they go on waiting."""
    turns = [p.turn for p in batch]
    erased = engine.ledger.erased_version(user_id)
    spoken = [_readable(t, engine.configs.of(user_id)) for t in turns if t.role == "user"]
    extraction = Extraction()
    legible = with_questions(engine, user_id, turns, [t for t in spoken if t.text != REDACTED])
    if legible:
        answered = _extract(engine, user_id, legible, max(p.attempts for p in batch))
        if answered is None:
            return False
        extraction = answered
    found, dismissed = _found(engine, extraction, legible, engine.configs.of(user_id))
    dismissed += [Dismissal(t.id, REDACTED, Reason.FORGOTTEN_BY_USER) for t in spoken if t.text == REDACTED]
    said = quotable(engine, spoken, dismissed, engine.configs.of(user_id))
    forgotten = {one.turn.id for one in found if _forgotten(engine, one)}

    def fill(work: Workspace) -> None:
        _catch_up(engine, work, turns[0].said_at)
        for turn in spoken:  # one after the other, so that the trail tells them in the order of saying
            for one in found:
                if one.turn.id == turn.id:
                    _decide(engine, work, one)
            _account_for(work, turn, dismissed)
        if spoken:
            _aggregate(engine, work, turns[-1].said_at)
        work.quotable = with_privacy([s for s in said if s.turn.id not in forgotten], work.state)
        work.outcomes = [TurnOutcome(t.id, extraction.by if t.role == "user" else "", extraction.note) for t in turns]

    done = _commit(engine, user_id, erased, fill)
    if done:
        engine.touch(user_id)
        engine.meter.count("hermes.turns", len(turns))
    return done


def _readable(turn: Turn, config: Config) -> Turn:
    """The turn as far as it is looked at: the rest of a flood is pasted text (L3). The ledger keeps it whole."""
    longest = config.screen.extract_tokens * CHARACTERS_A_TOKEN
    return turn if len(turn.text) <= longest else msgspec.structs.replace(turn, text=turn.text[:longest])


def _commit(engine: Engine, user_id: str, erased: int, fill: Callable[[Workspace], None]) -> bool:
    """Decide until a commit wins its race. False when something was forgotten since the turns were read: what was found
    in them may be just that, and those that are left are read again; or when others always win: they wait their turn."""
    for lost in range(COMMIT_TRIES):
        with engine.turn_taking(user_id):
            work = engine.workspace(user_id)
            if engine.ledger.erased_version(user_id) != erased:
                return False
            fill(work)
            if engine.try_commit(work):
                return True
        engine.step_back(lost)
    return False


def _extract(engine: Engine, user_id: str, turns: list[Turn], attempts: int) -> Extraction | None:
    """The extractor's answer; None when the turns were postponed or set aside. The chat never sees a failure."""
    ingest = engine.configs.of(user_id).ingest
    known = _near(engine, user_id, turns)
    use_local = attempts >= ingest.attempts
    extractor = engine.local if use_local else engine.extractor
    try:
        with engine.meter.time("hermes.extract"):
            answer = extractor.extract(turns, known)
        return _as_extraction(answer, extractor.name, "the configured extractor kept failing" if use_local else "")
    except (Exception, SystemExit) as error:  # an extractor is foreign code: whatever it raises, the turn is kept
        log.warning(
            "extractor %s failed on %d turn(s) of %r: %s: %s",
            extractor.name, len(turns), user_id, type(error).__name__, error,
        )  # fmt: skip
        _put_off(engine, user_id, turns, attempts, error)
        return None


def _as_extraction(answer: list[Candidate], by: str, note: str) -> Extraction:
    if isinstance(answer, Extraction):
        answer.by = answer.by or by
        answer.note = answer.note or note
        return answer
    return Extraction(answer, by=by, note=note)


def _near(engine: Engine, user_id: str, turns: Sequence[Turn]) -> list[MemoryItem]:
    """The few known items that the turns may speak about."""
    config = engine.configs.of(user_id)
    work = engine.workspace(user_id)
    if not len(work.state):
        return []
    best: dict[str, float] = {}
    for vector in engine.embed([t.text[:2000] for t in turns]):
        for item_id, score in work.similar(vector, config.similarity.near, config.similarity.shortlist).items():
            best[item_id] = max(score, best.get(item_id, 0.0))
    put_right = [one for t in turns for one in contrasts(t.text)]
    for live in work.state.live.values():  # what a turn denies may lie far off as a vector
        if live.id in best:
            continue
        denied = any(
            may_deny(t.text[:2000], live.text)
            or may_take_back(t.text, live.text)
            or may_end(t.text, live.slot, live.value)
            for t in turns
        )
        if denied or any(reworded(live.text, one) is not None for one in put_right):
            best[live.id] = config.similarity.near
    ranked = sorted(best, key=lambda i: (-best[i], i))[: config.similarity.shortlist]
    return [item for i in ranked if (item := work.state.get(i)) is not None]


def _found(
    engine: Engine, extraction: Extraction, turns: Sequence[Turn], config: Config
) -> tuple[list[Found], list[Dismissal]]:
    """The candidates that are grounded in their turn and worth something, in order of saying; and why the others aren't."""
    by_id = {turn.id: turn for turn in turns}
    dismissed = list(extraction.dismissed)
    usable: list[Candidate] = []
    for raw in _backed(engine, extraction, by_id):
        candidate = cleaned(raw, by_id, engine.catalogue)
        (dismissed if isinstance(candidate, Dismissal) else usable).append(candidate)  # type: ignore[arg-type]
    grounded, refused = ground_all(
        usable, by_id, catalogue=engine.catalogue, extract_tokens=config.screen.extract_tokens
    )
    dismissed += refused
    passed: list[Screened] = []
    for one in grounded:
        screened = screen(one.candidate, by_id[one.candidate.turn_id], config)
        (dismissed if isinstance(screened, Dismissal) else passed).append(screened)  # type: ignore[arg-type]
    data = engine.search_data(
        [p.candidate.text for p in passed], [(p.candidate.slot, p.candidate.value) for p in passed]
    )
    found = [
        Found(by_id[p.candidate.turn_id], p.candidate, p.salience, p.suspicious, vector, terms)
        for p, (vector, terms) in zip(passed, data, strict=True)
    ]
    return sorted(found, key=lambda one: one.turn.seq), dismissed


def _backed(engine: Engine, extraction: Extraction, turns: Mapping[str, Turn]) -> Iterator[Candidate]:
    """Law G: a correction may borrow words only from what the user is known to have said, or says in the same batch."""
    if not any(raw.corrects for raw in extraction):
        yield from extraction
        return
    users = {turn.user_id for turn in turns.values()}  # one, or none where nothing was said
    stored = {item.text for user_id in users for item in engine.workspace(user_id).state.live.values()}
    said = stored | {
        c.text for c in extraction if c.turn_id in turns and c.text == c.quote and c.quote in turns[c.turn_id].text
    }
    for raw in extraction:
        own = raw.corrects in raw.quote and raw.corrects not in stored  # nobody corrects the words by those words
        if raw.corrects and (own or raw.corrects not in said):
            raw = msgspec.structs.replace(raw, corrects="")
        elif raw.corrects:
            said.add(raw.text)
        yield raw


def _decide(engine: Engine, work: Workspace, found: Found) -> None:
    claim = _claim(engine, work, found)
    known = work.has_search_data(claim.item_id)
    work.apply(decide(work.state, claim, work.config), {} if known else {claim.item_id: (found.vector, found.terms)})


def _claim(engine: Engine, work: Workspace, found: Found) -> Claim:
    similarity = work.config.similarity
    similar = work.similar(found.vector, similarity.near, similarity.shortlist)
    return claim_of(found, similar, engine.catalogue, engine.counter, work.state.user_id, _forgotten(engine, found))


def _forgotten(engine: Engine, found: Found) -> bool:
    """C6: words that the user had erased come back only when said after that."""
    return engine.is_forgotten(
        found.turn.user_id, found.turn.said_at, [*traces(found.candidate, found.turn.text), *turn_traces(found.turn)]
    )


def _account_for(work: Workspace, turn: Turn, dismissed: Sequence[Dismissal]) -> None:
    """Law X: a turn that led to nothing says so, with the extractor's reasons where it gave any."""
    cause = Cause(by="turn", at=turn.said_at, session_id=turn.session_id, turn_id=turn.id)
    user_id = work.state.user_id
    reasons = [d for d in dismissed if d.turn_id == turn.id]
    work.apply(refusal(user_id, reason=str(d.reason), cause=cause, claim=d.words[:300]) for d in reasons)
    if not any(c.cause.turn_id == turn.id for c in work.changes):
        work.apply([refusal(user_id, reason=Reason.NOTHING_FOUND, cause=cause, claim=turn.text[:300])])


def _catch_up(engine: Engine, work: Workspace, moment: datetime) -> None:
    """What time did until this moment happens before what was said at it (law R)."""
    last = engine.ledger.maintained_at(work.state.user_id)
    due = last is None or (moment - last).total_seconds() >= work.config.ingest.maintain_hours * 3600
    if due and len(work.state):
        work.apply(maintain(work.state, moment, work.config))
        work.maintained_at = moment


def _aggregate(engine: Engine, work: Workspace, moment: datetime) -> None:
    """U2: conclusions follow their observations; one that the user had forgotten is not drawn again (law E)."""
    stones = engine.ledger.tombstones(work.state.user_id)

    def forgotten(slot: str, value: str) -> bool:
        return bool(stones) and engine.digest("claim", "user", slot, value.casefold()) in stones

    work.apply(
        aggregate(work.state, moment, work.config, engine.catalogue, forgotten=forgotten, count=engine.counter.count)
    )
