"""Everything that happens behind the chat: ingestion, hits, time's work, summaries, publishing. One thread per process.

Any number of processes may run one; leases keep each user's order, compare-and-set keeps the truth.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from datetime import datetime, timedelta

from hermes_core.errors import StoreError, TimedOut
from hermes_core.items import MemoryItem
from hermes_core.maintain import hits, maintain
from hermes_core.shell.engine import Engine
from hermes_core.shell.ingest import ingest_once
from hermes_core.shell.summaries import summarize_due
from hermes_core.shell.workspace import Workspace
from hermes_core.stores.holders import holder_name, is_dead

log = logging.getLogger("hermes")

KEEPER_SECONDS = 0.5  # between two looks of a store without a worker
LOOK_SECONDS = 2.0  # between two looks for workers that died
TRIM_SECONDS = 60.0  # between two looks at how much waits for an index that this process doesn't have
OUTBOX_MOST = 100_000  # rows, some 6 MB
FIRST_PAUSE = 0.005  # seconds until a flush looks again, doubled up to ingest.poll_seconds
MAX_PAUSE = 30.0  # seconds between tries while the world fails


def worker_name() -> str:
    return holder_name()


def write_hits(engine: Engine, user_id: str | None = None) -> int:
    """Note which items reached a context since the last time (never evidence); what can't be written now waits."""
    taken = engine.take_hits(user_id)
    count = sum(len(noted) for noted in taken.values())
    try:
        while taken:
            user, noted = taken.popitem()
            try:
                _write_hits(engine, user, noted)
            except StoreError:
                taken[user] = noted
                raise
    finally:
        engine.give_back_hits(taken)
    return count


def _write_hits(engine: Engine, user_id: str, noted: dict[str, datetime]) -> None:
    def fill(work: Workspace) -> None:
        pause = timedelta(minutes=work.config.ingest.hit_minutes)
        for at in sorted(set(noted.values())):
            ids = sorted(i for i, seen in noted.items() if seen == at and _is_news(work.state.get(i), at, pause))
            work.apply(hits(work.state, ids, at, work.config))

    engine.write(user_id, fill)


def _is_news(item: MemoryItem | None, at: datetime, pause: timedelta) -> bool:
    """Shown in every context of a busy hour is still one use: the trail would grow by a line per read otherwise."""
    return item is not None and (item.hit_at is None or at - item.hit_at >= pause)


def maintain_user(engine: Engine, user_id: str, now: datetime) -> int:
    """What time alone changed for one user; the number of changes."""

    def fill(work: Workspace) -> None:
        work.apply(maintain(work.state, now, work.config))
        work.maintained_at = now

    return len(engine.write(user_id, fill).changes)


def maintain_due(engine: Engine, limit: int = 64) -> int:
    now = engine.clock.now()
    hours = engine.configs.of("").ingest.maintain_hours
    users = engine.ledger.due_for_maintenance(now - timedelta(hours=hours), limit)
    return sum(maintain_user(engine, user, now) for user in users)


def free_dead(engine: Engine) -> None:
    """Nobody waits for a worker that was killed: its leases end here, where that can be seen."""
    for user in engine.ledger.free_leases(is_dead, engine.clock.now()):
        log.warning("the worker that held user %r has died; its turns go on", user)


def publish(engine: Engine) -> int:
    return engine.publisher.publish_pending() if engine.publisher is not None else 0


class OutboxBound:
    """Law B for what waits for an index: a process without one of its own would let it grow for ever."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._looked = -math.inf

    def hold(self) -> None:
        """Look now and then; in between it costs nothing."""
        if self._engine.publisher is None and time.monotonic() - self._looked >= TRIM_SECONDS:
            self._looked = time.monotonic()
            if dropped := self._engine.ledger.trim_outbox(OUTBOX_MOST):
                log.warning(
                    "%d changes waited for a search index that nobody keeps; it is built anew when somebody does",
                    dropped,
                )


def drain(engine: Engine, user_id: str | None, timeout: float, worker: str) -> None:
    """Work until nothing waits (for this user, or at all) and the index is up to date; TimedOut after `timeout` seconds."""
    deadline = time.monotonic() + timeout
    longest = engine.configs.of(user_id or "").ingest.poll_seconds
    write_hits(engine, user_id)
    free_dead(engine)
    pause = FIRST_PAUSE
    while waiting := engine.ledger.pending_count(user_id):
        left = deadline - time.monotonic()
        if left < 0:
            cause = _why_waiting(engine, user_id)
            raise TimedOut(
                f"{waiting} turn(s) still wait after {timeout:g} s{cause}; they are kept and go on being retried"
            )
        done = engine.batches_done
        if ingest_once(engine, worker, user_id):
            pause = FIRST_PAUSE
        else:  # put off, or in the hands of others: of this process's threads it is heard, of the rest it is looked up
            engine.wait_for_batch(done, min(pause, left))
            pause = min(pause * 2, longest)
    summarize_due(engine, user_id)
    publish(engine)


def _why_waiting(engine: Engine, user_id: str | None) -> str:
    """What was last said of the turn that waits at the head of its queue, for a message."""
    for user in engine.ledger.users() if user_id is None else [user_id]:
        for waiting in engine.ledger.pending(user, limit=1):
            record = engine.ledger.turn_record(user, waiting.turn.id) or {}
            if reason := record.get("reason"):
                return f" (turn {waiting.turn.id} of {user} failed {waiting.attempts} time(s), lastly by {reason})"
            return (
                f" (turn {waiting.turn.id} of {user} has not failed: another worker holds it, or more time is needed)"
            )
    return ""


class Worker:
    """The background thread. `stop` waits for the step in hand, never for the whole queue: the queue is durable."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._name = worker_name()
        self._stopping = threading.Event()
        self._looked = -math.inf
        self._bound = OutboxBound(engine)
        self._thread = threading.Thread(target=self._run, name=f"hermes-worker-{self._name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout: float = 10.0) -> None:
        self._stopping.set()
        self._engine.wake.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout)

    def run_forever(self) -> None:
        """In the caller's thread, until `stop` (the worker command)."""
        self._run()

    def _run(self) -> None:
        pause = 0.0
        while not self._stopping.is_set():
            if pause:
                self._stopping.wait(pause)
            try:
                busy = self._step()
                self._bound.hold()
                if not busy:
                    self._look_around()
                pause = 0.0
            except Exception as error:  # whatever a port raises, the thread lives on; nothing waits for ever unseen
                pause = min(MAX_PAUSE, max(0.1, pause * 2))
                world = isinstance(error, (StoreError, OSError))
                log.log(
                    logging.WARNING if world else logging.ERROR,
                    "the worker failed and tries again in %.1f s: %s: %s",
                    pause,
                    type(error).__name__,
                    error,
                    exc_info=not world,
                )
                self._engine.meter.count("hermes.worker.failed")
                continue
            if not busy:
                poll = self._engine.configs.of("").ingest.poll_seconds
                self._engine.wake.wait(poll)
                self._engine.wake.clear()

    def _look_around(self) -> None:
        """Now and then: a look-up over waiting turns only."""
        if time.monotonic() - self._looked >= LOOK_SECONDS:
            self._looked = time.monotonic()
            free_dead(self._engine)

    def _step(self) -> bool:
        """One round; whether there was anything to do."""
        engine = self._engine
        busy = False
        while not self._stopping.is_set() and ingest_once(engine, self._name):
            busy = True
        if self._stopping.is_set():
            return False
        busy = bool(write_hits(engine)) or busy
        busy = bool(summarize_due(engine)) or busy
        busy = bool(publish(engine)) or busy
        return bool(maintain_due(engine)) or busy


class Keeper:
    """What a store without a worker still does behind the chat: publish for the others while it leads the index (their
    forgets would wait for it), write uses down before more pile up than users are held, and hold what waits in bounds."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hermes-keeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout: float = 10.0) -> None:
        self._stopping.set()
        self._thread.join(timeout)

    def _run(self) -> None:
        engine, bound = self._engine, OutboxBound(self._engine)
        while not self._stopping.wait(KEEPER_SECONDS):
            try:
                bound.hold()
                if engine.hits_pile_up:
                    write_hits(engine)
                publisher = engine.publisher
                if publisher is not None and publisher.leads and engine.ledger.outbox_count():
                    publisher.publish_pending()
            except Exception as error:  # the next call that writes or publishes says it to its caller
                log.warning("the store could not be brought up to date: %s: %s", type(error).__name__, error)
