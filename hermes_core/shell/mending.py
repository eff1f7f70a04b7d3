"""Time travel, rebuild, import and closing: the rare work on a whole user or a whole store."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from hermes_core import commands
from hermes_core.changes import Cause, replay
from hermes_core.errors import InvalidInput, StoreError
from hermes_core.exporting import read_export
from hermes_core.items import MemoryItem, PackedItems, Status, Turn
from hermes_core.ports import TurnOutcome
from hermes_core.shell.checks import checked_id
from hermes_core.shell.engine import Engine
from hermes_core.shell.worker import write_hits
from hermes_core.shell.workspace import Workspace
from hermes_core.user_state import UserState


def as_of(engine: Engine, user_id: str, version: int) -> UserState:
    """The state that the trail led to at `version`; erased images are not in it."""
    items = replay(engine.ledger.changes(user_id, up_to_version=version))
    live = {i: item for i, item in items.items() if item.status is not Status.ARCHIVED}
    archive = PackedItems({i: item for i, item in items.items() if item.status is Status.ARCHIVED})
    return UserState(user_id, version, live, archive)


def rollback(engine: Engine, user_id: str, version: int) -> int:
    """Restore the items of `version`; the new version."""
    images = {item.id: item for item in as_of(engine, user_id, version)}
    cause = Cause(by="rollback", at=engine.clock.now(), command=f"rollback to {version}")
    engine.write(user_id, lambda work: _restore(work, images, cause))
    engine.forget_snapshots(user_id)
    return engine.ledger.version(user_id)


def _restore(work: Workspace, images: dict[str, MemoryItem], cause: Cause) -> None:
    work.apply(commands.rollback(work.state, images, cause, work.config))


def rebuild(engine: Engine) -> int:
    """Publish everything anew; 0 without an index."""
    return engine.publisher.rebuild() if engine.publisher is not None else 0


def import_lines(engine: Engine, lines: Iterable[str], user_id: str | None) -> int:
    """An export's turns and items into this store, renamed to `user_id` where one is given; the number of items."""
    export = read_export(lines)
    owner = checked_id(user_id or export.user_id, "user_id")
    if engine.ledger.version(owner):
        raise InvalidInput(
            f"user {owner!r} already has memories here; import under another user_id, or forget them first"
        )
    for turn in export.turns:
        engine.ledger.add_turn(_owned(turn, owner))
    images = {item.id: msgspec.structs.replace(item, user_id=owner) for item in export.items}
    cause = Cause(by="import", at=engine.clock.now(), command="import")

    def fill(work: Workspace) -> None:
        _restore(work, images, cause)
        work.outcomes = [TurnOutcome(turn.id, "import", "") for turn in export.turns]
        work.summaries = [msgspec.structs.replace(s, user_id=owner) for s in export.summaries]

    engine.write(owner, fill)
    return len(images)


def _owned(turn: Turn, owner: str) -> Turn:
    return msgspec.structs.replace(turn, user_id=owner, seq=0)


def close(engine: Engine) -> None:
    """Write what is still in memory, publish, and close; a failing disk is reported, the rest is still closed."""
    try:
        write_hits(engine)
        if engine.publisher is not None:
            engine.publisher.publish_pending()
    finally:
        failures: list[StoreError] = []
        for port in (engine.publisher, engine.ledger):
            try:
                if port is not None:
                    port.close()
            except StoreError as error:
                failures.append(error)
        if failures:
            raise failures[0]
