"""Publisher: carries the ledger's outbox into the index. One writer per index, and never in the way of anyone else.

No rule may live here. A process that does not get the file lock goes on without publishing: whoever holds the lock
does it for all. The index is touched only while the lock (or, without a lock file, the ledger's lease) is held.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout

from hermes_core.clock import SystemClock
from hermes_core.errors import StoreError, TimedOut
from hermes_core.ports import OUTBOX_CUT, Index, Ledger, OutboxRow, StoredItem
from hermes_core.stores.holders import holder_name, is_dead
from hermes_core.stores.projection import NEW_AND_EMPTY
from hermes_core.stores.shards import ShardedIndex

T = TypeVar("T")
log = logging.getLogger(__name__)

BATCH = 256  # outbox rows per upsert
DEADLINE_SECONDS = 120.0  # a call into Chroma that takes longer hangs for ever (seen after damage)
MANY = 1_000_000  # outbox rows that a comparison looks through
LEASE_SECONDS = 20.0  # renewed all through a call; so long the others wait for a machine that went away
FIRST_PAUSE, LONGEST_PAUSE = 0.01, 0.2  # seconds between two looks at what another process publishes
_LEASE = "index"
_BUILT = "outbox_built"  # meta: the OUTBOX_CUT after which the index was built anew
_CLOCK = SystemClock()


@dataclass(frozen=True)
class Difference:
    """Item ids that the index lacks, holds for nothing, or holds in an old version; `reason` why it can't be read at all."""

    records: int
    missing: list[str] = field(default_factory=list)
    orphans: list[str] = field(default_factory=list)
    outdated: list[str] = field(default_factory=list)
    reason: str = ""


class _AllItems:
    """Every item of the ledger, as often as somebody goes through them."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def __iter__(self) -> Iterator[StoredItem]:
        return iter(self._ledger.all_items())


class Publisher:
    """Publishes one ledger to one index. Safe from any thread; its calls never raise because another process is faster.

    `lock_path` guards an index in a folder. Without one (an index on a server) a lease in the ledger does.
    """

    def __init__(
        self,
        ledger: Ledger,
        index: Index,
        lock_path: str | Path | None = None,
        *,
        now: Callable[[], datetime] = _CLOCK.now,
        deadline: float = DEADLINE_SECONDS,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._ledger, self._index, self._now = ledger, index, now
        self._deadline, self._lease_seconds = deadline, lease_seconds
        self._lock = None if lock_path is None else FileLock(str(lock_path), thread_local=False)
        self._holder = holder_name()
        self._busy = threading.Lock()
        self._pid = os.getpid()
        self._stuck: str | None = None
        self._led = self._closed = False

    @property
    def leads(self) -> bool:
        """Whether this process publishes at the moment."""
        return self._ours and (self._led if self._lock is None else self._lock.is_locked)

    @property
    def _ours(self) -> bool:
        """A forked child has neither the lock nor a working index: its parent goes on publishing."""
        return self._pid == os.getpid()

    def ensure_ready(self) -> bool:
        """Take the lead if it is free and rebuild an index that can't be trusted; whether this process publishes."""
        if not self._ours:  # the lock below may have been held at the fork, and then nobody here would ever let it go
            return False
        with self._busy:
            return self._ready()

    def publish_pending(self, limit: int | None = None) -> int:
        """Carry over what waits (at most `limit` rows); the number of rows, 0 when another process leads."""
        if not self._ours:
            return 0
        with self._busy:
            done = 0
            while (limit is None or done < limit) and self._due() and self._ready():
                rows = self._ledger.outbox(BATCH if limit is None else min(BATCH, limit - done))
                if not rows:
                    break
                self._carry(rows)
                done += len(rows)
            return done

    def rebuild(self) -> int:
        """Drop the index and publish every item anew; the number of records. StoreError when another process leads."""
        with self._busy:
            if not self._lead():
                raise StoreError("another process publishes to this index; rebuild it there, or end that process")
            return self._rebuild("it was asked for")

    def compare(self) -> Difference | None:
        """How the index differs from the ledger, changing neither; None when another process publishes it."""
        with self._busy:
            if not self._lead():
                return None
            reason = self._timed(self._index.needs_rebuild)
            if reason is not None and reason != NEW_AND_EMPTY:
                return Difference(0, reason=reason)
            published = {r.id: r.metadata.get("version") for r in self._timed(self._index.records, patience=10)}
            waiting = {row.item_id for row in self._ledger.outbox(MANY)}  # on their way are neither missing nor old
            stored = {s.item.id: float(s.item.version) for s in self._ledger.all_items() if s.item.id not in waiting}
        published = {item_id: version for item_id, version in published.items() if item_id not in waiting}
        both = published.keys() & stored.keys()
        return Difference(
            len(published),
            missing=sorted(stored.keys() - both),
            orphans=sorted(published.keys() - both),
            outdated=sorted(i for i in both if published[i] != stored[i]),
        )

    def erase(self, item_ids: Sequence[str], timeout: float = DEADLINE_SECONDS) -> None:
        """Wait until what the ledger erased is out of the index too, whoever publishes. TimedOut when it takes longer.

        The ledger's outbox says what goes; `item_ids` only name it in the message.
        """
        if not self.drain(timeout):
            raise TimedOut(
                f"{len(item_ids)} forgotten items are gone from the ledger; the process that publishes the index has not "
                f"erased them there within {timeout:g} s, and will when it goes on"
            )

    def drain(self, timeout: float) -> bool:
        """Wait until nothing waits, whoever publishes it; False when time ran out."""
        give_up, pause = time.monotonic() + timeout, FIRST_PAUSE
        while True:
            self.publish_pending()
            if not self._ledger.outbox(1):
                return True
            if (left := give_up - time.monotonic()) <= 0:
                return False
            time.sleep(min(pause, left))
            pause = min(pause * 2, LONGEST_PAUSE)

    def close(self) -> None:
        """Close the index and let another process lead; before the ledger is closed. Idempotent."""
        if not self._ours:
            self._closed = True
            return
        with self._busy:
            if self._closed:
                return
            self._closed = True
            if self._stuck is None:
                self._timed(self._index.close)
            if self._lock is not None:
                self._lock.release(force=True)
            elif self._led:
                self._ledger.lease(_LEASE, self._holder, self._now(), 0.0)  # free for the next one at once

    # -- inside, with _busy held

    def _due(self) -> bool:
        """Whether there is anything to do: an idle look costs two reads, no lease and no folder."""
        return not self._led or self._ledger.outbox_count() > 0 or self._cut() is not None

    def _ready(self) -> bool:
        if not self._lead():
            return False
        self._led = True
        cut = self._cut()
        reason = self._timed(self._index.needs_rebuild)
        if reason is not None or cut is not None:
            self._rebuild(reason or "what waited for it had grown too long and was dropped")
        if cut is not None:
            self._ledger.put_meta(_BUILT, cut)
        return True

    def _cut(self) -> str | None:
        """The ledger's mark that it dropped rows which no index has seen since; None when there are none."""
        cut = self._ledger.meta(OUTBOX_CUT)
        return None if cut is None or cut == self._ledger.meta(_BUILT) else cut

    def _lead(self) -> bool:
        if self._closed or self._stuck is not None or not self._ours:
            return False
        if self._lock is None:
            return self._renew()
        if not self._lock.is_locked:
            try:
                self._lock.acquire(timeout=0)
            except Timeout:
                return False
            except OSError as error:
                raise StoreError(f"the lock file {self._lock.lock_file} can't be used: {error}") from error
        return True

    def _renew(self) -> bool:
        """Take or keep the lease. A holder that was killed on this machine is seen to be dead, and nobody waits for it."""
        return self._ledger.lease(_LEASE, self._holder, self._now(), self._lease_seconds, is_dead)

    def _rebuild(self, reason: str) -> int:
        level = logging.INFO if reason == NEW_AND_EMPTY else logging.WARNING
        log.log(level, "rebuilding the search index from the ledger, since %s", reason)
        count = self._timed(lambda: self._index.rebuild(_AllItems(self._ledger), self._now()), patience=60)
        log.log(level, "the search index is rebuilt: %d records", count)
        return count

    def _carry(self, rows: Sequence[OutboxRow]) -> None:
        for index, own in self._by_part(rows):
            self._publish(index, own)
        self._ledger.settle([row.row_id for row in rows])

    def _by_part(self, rows: Sequence[OutboxRow]) -> Iterable[tuple[Index, list[OutboxRow]]]:
        """A user's rows go to the one part of the index that holds this user, and cost the others nothing."""
        if not isinstance(self._index, ShardedIndex):
            return [(self._index, list(rows))]
        parts: dict[int, tuple[Index, list[OutboxRow]]] = {}
        for row in rows:
            part = self._index.part_of(row.user_id)
            parts.setdefault(id(part), (part, []))[1].append(row)
        return parts.values()

    def _publish(self, index: Index, rows: Sequence[OutboxRow]) -> None:
        newest = {row.item_id: row for row in rows}
        stored = [row.stored for row in newest.values() if row.stored is not None]
        gone = [row.item_id for row in newest.values() if row.stored is None]
        erased = list({row.item_id: None for row in rows if row.erase})
        if erased:
            self._timed(lambda: index.erase(erased))
        self._timed(lambda: index.publish(stored, gone, self._now()))

    def _timed(self, call: Callable[[], T], patience: int = 1) -> T:
        """The call's result, or StoreError at the deadline: then this process never touches the index again."""
        box: list[T] = []
        failed: list[BaseException] = []

        def work() -> None:
            try:
                box.append(call())
            except BaseException as error:  # handed to the caller below, whatever it is
                failed.append(error)

        thread = threading.Thread(target=work, name="hermes-index", daemon=True)
        thread.start()
        kept = self._wait_for(thread, time.monotonic() + self._deadline * patience)
        if thread.is_alive():
            self._stuck = f"a call into the index took longer than {self._deadline * patience:g} s"
            log.error("%s; publishing stops in this process, the next one rebuilds the index", self._stuck)
            raise StoreError(self._stuck)
        if failed:
            raise failed[0]
        if not kept:
            raise StoreError("another process took the index over in the middle of a call, and publishes what waits")
        return box[0]

    def _wait_for(self, thread: threading.Thread, until: float) -> bool:
        """Keep the lease meanwhile: a rebuild takes longer than one, and nobody else may write then. Whether it was kept."""
        kept, beat = True, self._lease_seconds / 4
        while thread.is_alive() and (left := until - time.monotonic()) > 0:
            thread.join(left if self._lock is not None else min(left, beat))
            if self._lock is None and not self._closed and thread.is_alive():
                kept = self._beat() and kept
        return kept

    def _beat(self) -> bool:
        try:
            return self._renew()
        except StoreError as error:  # tried again at the next beat; the lease outlives three
            log.warning("the lease of the index could not be renewed: %s", error)
            return True
