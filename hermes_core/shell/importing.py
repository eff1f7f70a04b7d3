"""An export comes back: turns, trail, items and summaries, in this store or under another user id (C9).

The trail is written version by version, so that history, as-of reads and rollback work as they did where it came from.
A mark in the ledger stands from the first write to the last: an import that fails is taken back, and one whose process
died is by the next import of the user, or by the doctor.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from itertools import groupby

import msgspec

from hermes_core import commands
from hermes_core.changes import Cause, Change, evolve, replay
from hermes_core.checks import checked_id
from hermes_core.errors import IllegalTransition, InvalidInput, StoreError, TimedOut
from hermes_core.exporting import Export, read_export
from hermes_core.items import MemoryItem, Turn
from hermes_core.ports import Commit, Redaction, StoredItem, Terms, TurnOutcome, Vector
from hermes_core.shell.engine import Engine
from hermes_core.shell.quotable import quotable, with_privacy
from hermes_core.shell.worker import worker_name
from hermes_core.shell.workspace import Workspace
from hermes_core.stores.holders import holder_name, is_dead

LEASE_SECONDS = 3600.0
_IMPORTING = "importing:"  # and the user id; meta: who imports since when, _TAKEN_BACK, or nothing
_TAKEN_BACK = "taken back"
SHOWN = 3  # ids named in a message
PATIENCE = 60.0  # seconds to wait for a worker that holds the user


def import_lines(engine: Engine, lines: Iterable[str], user_id: str | None) -> int:
    """The number of items; all or nothing. InvalidInput on a broken export, or when the user already has memories here or
    was forgotten; a store with tighter bounds keeps what fits (law B)."""
    export = read_export(lines)
    owner = user_id or checked_id(export.user_id, "the export's user_id")
    _is_free(engine, owner)
    _holds_together(export)
    _has_come(export, engine.clock.now(), engine.configs.of(owner).ingest.ahead_hours)
    changes = [_owned(change, owner) for change in export.changes]
    data = _search_data(engine, [c.after for c in changes if c.after is not None])  # before anything is written
    turns = [_owned_turn(turn, owner) for turn in export.turns]
    with _whole(engine, owner, turns), _held(engine, owner, turns):
        _write_trail(engine, owner, changes, data)
        _finish(engine, owner, export)
    engine.forget_snapshots(owner)
    return len(engine.reader.view(owner).state)


def _is_free(engine: Engine, owner: str) -> None:
    """Nothing may be mixed with what is imported; what an earlier import left unfinished is taken back. InvalidInput."""
    ledger = engine.ledger
    mark = _mark(engine, owner)
    if mark and mark != _TAKEN_BACK:
        if not unfinished(engine, owner):
            raise InvalidInput(f"another process imports user {owner!r} at the moment; wait for it")
        take_back(engine, owner)
        mark = _TAKEN_BACK
    empty = not ledger.sessions(owner) and not len(engine.reader.view(owner).state)
    if not empty or (ledger.version(owner) and mark != _TAKEN_BACK):
        if empty and ledger.tombstones(owner):
            raise InvalidInput(
                f"user {owner!r} was forgotten here, and an old export brings nothing back; if the user asks for it, import it "
                "under another user_id"
            )
        raise InvalidInput(
            f"user {owner!r} already has memories here; import under another user_id, into another store, or roll back instead"
        )


def _mark(engine: Engine, owner: str) -> str:
    return engine.ledger.meta(_IMPORTING + owner) or ""


def unfinished(engine: Engine, owner: str) -> bool:
    """Whether an import of this user began in a process that ended before it did."""
    holder, since, _ = _told(_mark(engine, owner))
    if since is None:
        return False
    return is_dead(holder) or engine.clock.now() - since > timedelta(seconds=LEASE_SECONDS)


def _told(mark: str) -> tuple[str, datetime | None, frozenset[str]]:
    """Who imports, since when, and the ids of the turns that the export brings."""
    holder, _, rest = mark.partition(" ")
    since, _, ids = rest.partition(" ")
    if not ids:
        return "", None, frozenset()
    return holder, datetime.fromisoformat(since), frozenset(json.loads(ids))


def take_back(engine: Engine, owner: str) -> None:
    """Leave nothing of an import that was not finished. What is taken back is not forgotten: it may be imported again. What
    the user said meanwhile stays (law D), to be taken in anew."""
    _, _, brought = _told(_mark(engine, owner))
    said = [turn for turn in engine.ledger.turns(owner) if turn.id not in brought]
    expected = engine.ledger.version(owner)
    engine.ledger.erase(Redaction(Commit(user_id=owner, expected_version=expected), whole_user=True))
    for turn in said:
        engine.ledger.add_turn(turn)
    engine.ledger.put_meta(_IMPORTING + owner, _TAKEN_BACK)
    engine.forget_snapshots(owner)
    engine.reader.drop(owner)


@contextmanager
def _whole(engine: Engine, owner: str, turns: Sequence[Turn]) -> Iterator[None]:
    brought = json.dumps([turn.id for turn in turns])
    engine.ledger.put_meta(_IMPORTING + owner, f"{holder_name()} {engine.clock.now().isoformat()} {brought}")
    try:
        yield
    except BaseException:
        with suppress(StoreError):  # the mark stays, and the next import tries again
            take_back(engine, owner)
        raise
    engine.ledger.put_meta(_IMPORTING + owner, "")


def _holds_together(export: Export) -> None:
    """Law R: the trail replays, and leads to the items. InvalidInput for an export that was altered."""
    try:
        told = replay(export.changes)
    except IllegalTransition as error:
        raise InvalidInput(f"the export's trail does not hold together ({error}); nothing was written") from error
    stored = {item.id: item for item in export.items}
    odd = sorted(i for i in told.keys() | stored.keys() if told.get(i) != stored.get(i))
    if odd:
        raise InvalidInput(
            f"the export's memories are not what its trail leads to ({', '.join(odd[:SHOWN])}), so one of them was altered; "
            "nothing was written. Export them again, and import the lines as they are"
        )


def _has_come(export: Export, now: datetime, hours: float) -> None:
    """As `observe`: what is dated in the future would outdate everything that is said until then."""
    late = now + timedelta(hours=hours)
    times = [(f"turn {t.id!r}", t.said_at) for t in export.turns]
    times += [(f"memory {i.id!r}", max(i.said_at, i.confirmed_at)) for i in export.items]
    for what, at in times:
        if at > late:
            raise InvalidInput(
                f"the export's {what} is dated {at.isoformat()}, ahead of this store's clock ({now.isoformat()}); nothing was "
                "written. Open the store with the clock that these times come from"
            )


@contextmanager
def _held(engine: Engine, owner: str, turns: list[Turn]) -> Iterator[None]:
    """Store the turns while the user's lease is ours: no worker may learn from them what the items already hold."""
    if not turns:
        yield
        return
    name = worker_name()
    engine.ledger.add_turn(turns[0])
    deadline = time.monotonic() + PATIENCE
    while engine.claim(name, engine.clock.now(), LEASE_SECONDS, owner) is None:
        if not engine.ledger.pending_count(owner):
            break  # a worker was faster with the one turn that is there; nothing else waits yet
        if time.monotonic() > deadline:
            raise TimedOut(f"another worker holds user {owner!r}; import again later")
        time.sleep(0.01)
    try:
        for turn in turns[1:]:
            engine.ledger.add_turn(turn)
        yield
    finally:
        engine.release(name, owner)


def _owned_turn(turn: Turn, owner: str) -> Turn:
    return msgspec.structs.replace(turn, user_id=owner, seq=0)


def _owned(change: Change, owner: str) -> Change:
    after = None if change.after is None else msgspec.structs.replace(change.after, user_id=owner)
    return msgspec.structs.replace(change, user_id=owner, after=after)


def _write_trail(
    engine: Engine, owner: str, changes: Sequence[Change], data: Mapping[str, tuple[Vector, Terms]]
) -> None:
    items: dict[str, MemoryItem] = {}
    for _, group in groupby(changes, key=lambda change: change.version):
        batch = tuple(group)
        for change in batch:
            items = evolve(items, change)
        touched = dict.fromkeys(c.item_id for c in batch if c.item_id and c.after is not None)
        engine.ledger.commit(
            Commit(
                user_id=owner,
                expected_version=engine.ledger.version(owner),
                changes=batch,
                put=tuple(StoredItem(items[i], *data[i]) for i in touched if i in items),
                drop=tuple(i for i in touched if i not in items),
            )
        )
    engine.reader.drop(owner)


def _search_data(engine: Engine, images: Iterable[MemoryItem]) -> dict[str, tuple[Vector, Terms]]:
    """Vector and terms by item id: an item's words never change, so one of its images is enough."""
    by_id = {item.id: item for item in images}
    texts = [item.text for item in by_id.values()]
    data = engine.search_data(texts, [(item.slot, item.value) for item in by_id.values()])
    return dict(zip(by_id, data, strict=True))


def _finish(engine: Engine, owner: str, export: Export) -> None:
    """What tighter bounds here do not hold, and what became of the turns."""
    images = {item.id: msgspec.structs.replace(item, user_id=owner) for item in export.items}
    cause = Cause(by="import", at=engine.clock.now(), command="import")
    learnt = {turn.id for turn in export.turns if turn.id not in export.pending}
    spoken = [turn for turn in engine.ledger.turns(owner) if turn.role == "user" and turn.id in learnt]
    config = engine.configs.of(owner)
    said = quotable(engine, spoken[-config.context.excerpt_turns :], (), config)

    def fill(work: Workspace) -> None:
        work.apply(commands.rollback(work.state, images, cause, work.config))
        waiting = {p.turn.id for p in engine.ledger.pending(owner, limit=len(export.turns) or 1)}
        work.outcomes = [
            TurnOutcome(turn.id, "import", "")
            for turn in export.turns
            if turn.id in waiting and turn.id not in export.pending
        ]
        work.quotable = with_privacy(said, work.state)
        work.summaries = [msgspec.structs.replace(s, user_id=owner) for s in export.summaries]

    engine.write(owner, fill)
