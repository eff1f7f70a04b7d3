"""Rollback, rebuild, import and closing: the rare work on a whole user or a whole store."""

from __future__ import annotations

from hermes_core import commands
from hermes_core.changes import Cause
from hermes_core.errors import InvalidInput, StoreError
from hermes_core.shell.engine import Engine
from hermes_core.shell.past import as_of
from hermes_core.shell.worker import write_hits


def rollback(engine: Engine, user_id: str, version: int) -> int:
    """Restore the items of `version`; the new version."""
    images = {item.id: item for item in as_of(engine, user_id, version)}
    cause = Cause(by="rollback", at=engine.clock.now(), command=f"rollback to {version}")
    engine.write(user_id, lambda work: work.apply(commands.rollback(work.state, images, cause, work.config)))
    engine.forget_snapshots(user_id)
    return engine.ledger.version(user_id)


def rebuild(engine: Engine) -> int:
    """Publish everything anew; 0 without an index."""
    return engine.publisher.rebuild() if engine.publisher is not None else 0


def reseal(engine: Engine) -> int:
    """Every row sealed with the present key; the number of rows."""
    from hermes_core.stores.sql import SqlLedger

    if not isinstance(engine.ledger, SqlLedger):
        raise InvalidInput("only a store on disk or on a server is encrypted")
    return engine.ledger.reseal()


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
