"""What `hermes doctor` looks at: the laws that a store must keep, told one by one, and what of it can be mended.

It repairs only what loses nothing: the index, leases of the dead, turns that were set aside, and half of an import, whose
export is still there. Nothing else is ever changed here.
"""

from __future__ import annotations

from collections.abc import Callable

from hermes_core.changes import replay
from hermes_core.errors import HermesError, StoreError
from hermes_core.gates.bounded import caps_broken
from hermes_core.items import MemoryItem, Status
from hermes_core.shell.engine import Engine
from hermes_core.shell.importing import take_back, unfinished
from hermes_core.shell.worker import free_dead
from hermes_core.stores.holders import is_dead
from hermes_core.stores.publisher import Publisher
from hermes_core.stores.sql import SqlLedger
from hermes_core.views import Check, Checkup

SHOWN = 5  # ids named in a line


def examine(engine: Engine, repair: bool) -> Checkup:
    """Every check, in a fixed order; with `repair` what could be mended is, and is looked at again."""
    done = _mended(engine) if repair else ()
    users = engine.ledger.users()
    checks = [*_store_checks(engine), *(one for user_id in users for one in _user_checks(engine, user_id))]
    return Checkup(healthy=all(c.ok for c in checks), users=len(users), checks=tuple(checks), repaired=done)


def _store_checks(engine: Engine) -> list[Check]:
    found = [_ledger(engine), _index(engine), _leases(engine), _set_aside(engine)]
    waiting = engine.ledger.pending_count()
    return [*found, Check("", "queue", True, f"{waiting} turn(s) wait to be taken in" if waiting else "nothing waits")]


def _ledger(engine: Engine) -> Check:
    """Pages, rows and indexes of the database itself."""
    if not isinstance(engine.ledger, SqlLedger):
        return Check("", "ledger", True, "in memory")
    wrong = engine.ledger.check()
    return Check("", "ledger", not wrong, "; ".join(wrong[:SHOWN]) if wrong else "the database is sound")


def _index(engine: Engine) -> Check:
    """The projection against the truth: what is missing, what is left over, what is old."""
    if engine.publisher is None:
        return Check("", "index", True, "this store has none")
    try:
        found = engine.publisher.compare()
    except StoreError as error:
        return Check("", "index", False, str(error))
    if found is None:
        return Check("", "index", True, "another process publishes it; look there, or end that process first")
    if found.reason:
        return Check("", "index", False, f"it can't be trusted, since {found.reason}")
    parts = {"missing": found.missing, "orphans": found.orphans, "out of date": found.outdated}
    text = "; ".join(f"{len(ids)} {what} ({_some(ids)})" for what, ids in parts.items() if ids)
    return Check("", "index", not text, text or f"{found.records} records, equal to the ledger")


def _leases(engine: Engine) -> Check:
    dead: list[str] = []

    def look(holder: str) -> bool:
        if is_dead(holder):
            dead.append(holder)
        return False

    engine.ledger.free_leases(look, engine.clock.now())
    text = f"held by processes that have died: {_some(dead)}" if dead else "no user is held by a dead process"
    return Check("", "leases", not dead, text)


def _set_aside(engine: Engine) -> Check:
    aside = engine.ledger.set_aside_turns()
    named = [f"{turn_id} of {user_id}: {reason}" for user_id, turn_id, reason in aside[:SHOWN]]
    text = f"{len(aside)} turn(s) could not be read ({'; '.join(named)})" if aside else "every turn could be read"
    return Check("", "set aside", not aside, text)


def _mended(engine: Engine) -> tuple[str, ...]:
    """What was done, one line each."""
    done = []
    if not _leases(engine).ok:
        free_dead(engine)
        done.append("freed the leases of dead processes")
    for user_id, turn_id, _ in engine.ledger.set_aside_turns():
        engine.ledger.take_up(user_id, turn_id)
        done.append(f"turn {turn_id} of {user_id} will be tried again")
    for user_id in engine.ledger.users():
        if unfinished(engine, user_id):
            take_back(engine, user_id)
            done.append(f"took back what a broken import of {user_id} had left; import it again")
    if engine.publisher is not None:
        done.append(_rebuilt(engine.publisher))
    return tuple(done)


def _rebuilt(publisher: Publisher) -> str:
    try:
        return f"rebuilt the index: {publisher.rebuild()} records"
    except StoreError as error:
        return f"the index was not rebuilt: {error}"


def _user_checks(engine: Engine, user_id: str) -> list[Check]:
    try:
        view = engine.reader.view(user_id)
    except HermesError as error:
        return [Check(user_id, "readable", False, str(error))]
    broken = caps_broken(view.state, view.config)
    stored = {item.id: item for item in view.state}
    bare = [i.id for i in stored.values() if not i.evidence and not i.derived_from and i.status is not Status.FORGOTTEN]
    cut = unfinished(engine, user_id)
    said = (
        "an import of this user was cut short; import the export again, or repair" if cut else "no import was cut short"
    )
    return [
        Check(user_id, "imported", not cut, said),
        Check(user_id, "bounded", not broken, "; ".join(broken) if broken else "every pool within its limit"),
        _told(user_id, lambda: _replays(engine, user_id, stored)),
        Check(
            user_id, "grounded", not bare, f"cite nothing: {_some(bare)}" if bare else "every memory cites its words"
        ),
    ]


def _told(user_id: str, check: Callable[[], Check]) -> Check:
    try:
        return check()
    except HermesError as error:
        return Check(user_id, "replays", False, str(error))


def _replays(engine: Engine, user_id: str, stored: dict[str, MemoryItem]) -> Check:
    """Law R: the trail leads to what is stored."""
    told = replay(engine.ledger.changes(user_id))
    odd = sorted(k for k in told.keys() | stored.keys() if told.get(k) != stored.get(k))
    text = f"differs from the trail: {_some(odd)}" if odd else f"{len(stored)} memories, equal to their trail"
    return Check(user_id, "replays", not odd, text)


def _some(ids: list[str]) -> str:
    return ", ".join(ids[:SHOWN]) + (", …" if len(ids) > SHOWN else "")
