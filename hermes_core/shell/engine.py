"""What the shell is made of: the ports of one open store, shared by Hermes, its sessions and its worker."""

from __future__ import annotations

import hashlib
import hmac
import logging
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone

import numpy as np
from numpy.typing import NDArray

from hermes_core.catalogue import Catalogue
from hermes_core.codes import cosines
from hermes_core.config import Config
from hermes_core.embedding.calibration import Calibration
from hermes_core.errors import Closed, InvalidInput, LawBroken, StoreError, VersionConflict
from hermes_core.gates.bounded import caps_broken
from hermes_core.items import Turn
from hermes_core.metrics import Meter
from hermes_core.ports import (
    Clock,
    Embedder,
    Extractor,
    Ledger,
    SearchTable,
    Summarizer,
    Terms,
    TokenCounter,
    Vector,
    Vectors,
)
from hermes_core.shell.cache import CachingReader, UserCache
from hermes_core.shell.traces import id_trace, turn_traces
from hermes_core.shell.workspace import Workspace
from hermes_core.stores.publisher import Publisher
from hermes_core.terms import term_ids
from hermes_core.wording import Sentence, sentences

log = logging.getLogger("hermes")

COMMIT_TRIES = 50  # lost races in a row before giving up; each loser re-decides on the newer state

PATIENT_TRIES = 3  # lost races before a loser steps back
QUEUES = 64
LATE_HITS = 4  # times the cached users: users whose unwritten uses are kept while the disk fails
COARSEST = 0.08  # of similarity: what rounding could make of it at the worst, about eight times what it does
LATE_LEASES = 256  # that are tried again; the others run out
_LONG_AGO = datetime(1, 1, 1, tzinfo=timezone.utc)


class Configs:
    """C11: one Config for all, or one per user (A/B variants); replaceable while the store is open."""

    def __init__(self, source: Config | Callable[[str], Config]) -> None:
        self._source = source

    def replace(self, source: Config | Callable[[str], Config]) -> None:
        self._source = source

    def of(self, user_id: str) -> Config:
        if isinstance(self._source, Config):
            return self._source
        found = self._source(user_id)
        if not isinstance(found, Config):
            raise InvalidInput(f"the function given as config must return a Config for user {user_id!r}, not {found!r}")
        return found


@dataclass
class Engine:
    """Open ports and process-wide memory of one store. Everything here may be used from any thread."""

    ledger: Ledger
    publisher: Publisher | None
    embedder: Embedder
    calibration: Calibration
    counter: TokenCounter
    clock: Clock
    configs: Configs
    catalogue: Catalogue
    extractor: Extractor
    local: Extractor
    summarizer: Summarizer
    meter: Meter
    secret: bytes
    place: str = ""
    rewrite: Callable[[str], Sequence[str]] | None = None
    wake: threading.Event = field(default_factory=threading.Event)
    closed: bool = False
    cache: UserCache = field(init=False)
    coarsest: float = field(init=False)  # rounding, in cosines, that a similarity may rest on
    sentence: Sentence = field(init=False)  # one for all reads: lines written with it are kept beside the view
    reader: CachingReader = field(init=False)
    _most_hits: int = field(init=False)
    _hits: dict[str, dict[str, datetime]] = field(default_factory=dict)
    _touched: set[str] = field(default_factory=set)
    _unreleased: set[tuple[str, str]] = field(default_factory=set)  # worker, user
    _releasing: threading.Lock = field(default_factory=threading.Lock)
    _noting: threading.Lock = field(default_factory=threading.Lock)
    summarizing: threading.Lock = field(default_factory=threading.Lock)
    batches_done: int = 0
    _done: threading.Condition = field(default_factory=threading.Condition)
    _queues: tuple[threading.Lock, ...] = field(default_factory=lambda: tuple(threading.Lock() for _ in range(QUEUES)))

    def __post_init__(self) -> None:
        bounds = self.configs.of("").ingest
        self._most_hits = bounds.cached_users
        self.cache = UserCache(bounds.cached_users, bounds.cached_mib << 20)
        self.reader = CachingReader(self.ledger, self.configs.of, self.cache)
        self.coarsest = COARSEST / self.calibration.steepest
        self.sentence = sentences(self.catalogue)

    def require_open(self) -> None:
        if self.closed:
            raise Closed("this store was closed; open it again with Hermes.open(…)")

    # text -> numbers

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.embedder.embed(list(texts))

    def search_data(self, texts: Sequence[str], extra: Sequence[Sequence[str]] = ()) -> list[tuple[Vector, Terms]]:
        """Vector and hashed terms of each text, computed once when it is written."""
        if not texts:
            return []
        words = extra or [()] * len(texts)
        vectors = self.embed(texts)
        return [(v, term_ids(t, w)) for v, t, w in zip(vectors, texts, words, strict=True)]

    def calibrate(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.calibration.calibrate(raw)

    def similarities(self, rows: Vectors, vector: Vector) -> NDArray[np.float64]:
        """Calibrated similarity of each row [n, d] to the vector [d]: [n]. For decisions; reads have `nearness`."""
        if not len(rows):
            return np.zeros(0)
        return self.calibrate(cosines(rows, vector))

    def nearness(self, table: SearchTable, vector: Vector) -> NDArray[np.float64]:
        """As `similarities` for a table's rows, by their codes as far as these are fine enough for the embedder (R12)."""
        if not len(table.vectors):
            return np.zeros(0)
        return self.calibrate(table.codes.cosines(table.vectors, vector, self.coarsest))

    def digest(self, *parts: str) -> str:
        """A keyed digest of words (C6): says that two are equal, not what they are."""
        return hmac.new(self.secret, "\x1f".join(parts).encode(), hashlib.sha256).hexdigest()[:32]

    def is_forgotten(self, user_id: str, said_at: datetime, traces: Sequence[tuple[str, ...]]) -> bool:
        """C6: whether one of the traces was forgotten, and not before these words were said."""
        stones = self._tombstones(user_id)
        return bool(stones) and any(
            (gone_at := stones.get(self.digest(*parts))) is not None and said_at <= gone_at for parts in traces
        )

    def is_forgotten_turn(self, turn: Turn) -> bool:
        """Whether the whole turn was forgotten: by its id for good, by its words or session if it was said before."""
        user_id = turn.user_id
        return self.is_forgotten(user_id, turn.said_at, turn_traces(turn)) or self.is_forgotten(
            user_id, _LONG_AGO, [id_trace(turn.id)]
        )

    def _tombstones(self, user_id: str) -> Mapping[str, datetime]:
        """Only an erase adds some, and it moves `erased_version`."""
        erased = self.ledger.erased_version(user_id)
        if not erased:
            return {}
        held = self.cache.stones(user_id)
        if held is None or held[0] != erased:
            held = (erased, self.ledger.tombstones(user_id))
            self.cache.keep_stones(user_id, held)
        return held[1]

    # state

    def workspace(self, user_id: str) -> Workspace:
        return Workspace(self.reader.view(user_id), self.similarities)

    def write(self, user_id: str, fill: Callable[[Workspace], None]) -> Workspace:
        """Let `fill` decide on the present state and commit it; a lost race decides again (compare-and-set).

        Raises what `fill` raises, StoreError, or LawBroken when a bound would not hold (nothing is stored then).
        """
        for lost in range(COMMIT_TRIES):
            with self.turn_taking(user_id):
                work = self.workspace(user_id)
                fill(work)
                if self.try_commit(work):
                    return work
            self.step_back(lost)
        raise VersionConflict(f"user {user_id!r} changed {COMMIT_TRIES} times while one write was decided; try again")

    def turn_taking(self, user_id: str) -> threading.Lock:
        """Writers of one process for one user queue here, so that only other processes can win a race against them."""
        return self._queues[hash(user_id) % len(self._queues)]

    def step_back(self, lost: int) -> None:
        """Wait a moment of chance before the next try, longer with each lost race; the first few cost nothing."""
        if lost >= PATIENT_TRIES:
            time.sleep(random.random() * min(0.1, 0.001 * 2 ** (lost - PATIENT_TRIES)))

    def try_commit(self, work: Workspace) -> bool:
        """Commit what a workspace holds; False when another writer was faster."""
        if not work:
            return True
        self.check_bounds(work)
        self._complete(work)
        try:
            version = self.ledger.commit(work.commit())
        except VersionConflict:
            self.reader.drop(work.state.user_id)
            self.meter.count("hermes.commit.conflict")
            return False
        self.reader.keep(work.view_after(version))
        self.meter.count("hermes.commit")
        return True

    def _complete(self, work: Workspace) -> None:
        fresh = work.without_search_data()
        data = self.search_data([item.text for item in fresh], [(item.slot, item.value) for item in fresh])
        work.add_search_data({item.id: found for item, found in zip(fresh, data, strict=True)})

    def check_bounds(self, work: Workspace) -> None:
        """Law B, asserted on what is about to be stored."""
        if broken := caps_broken(work.state, work.config):
            raise LawBroken(f"law B would not hold for user {work.state.user_id!r}: {'; '.join(broken)}")

    # hits are noted off the read path

    def note_hits(self, user_id: str, item_ids: Sequence[str], at: datetime) -> None:
        if not item_ids:
            return
        with self._noting:
            noted = self._hits.setdefault(user_id, {})
            for item_id in item_ids:
                if (known := noted.get(item_id)) is None or known < at:
                    noted[item_id] = at
            while len(self._hits) > self._most_hits * LATE_HITS:  # nobody can write them, and memory has an end
                self._hits.pop(next(iter(self._hits)))
                self.meter.count("hermes.hits.dropped")

    @property
    def hits_pile_up(self) -> bool:
        """Whether the uses of more users wait to be written than are held."""
        return len(self._hits) > self._most_hits

    def take_hits(self, user_id: str | None = None) -> dict[str, dict[str, datetime]]:
        with self._noting:
            if user_id is None:
                taken, self._hits = self._hits, {}
                return taken
            return {user_id: self._hits.pop(user_id)} if user_id in self._hits else {}

    def give_back_hits(self, taken: Mapping[str, Mapping[str, datetime]]) -> None:
        """What could not be written waits for the next time."""
        for user_id, noted in taken.items():
            for item_id, at in noted.items():
                self.note_hits(user_id, (item_id,), at)

    # leases

    def claim(self, worker: str, now: datetime, seconds: float, user_id: str | None) -> str | None:
        """`ledger.claim`, after what a failing disk kept from being given back was given back late."""
        if not self._unreleased:
            return self.ledger.claim(worker, now, seconds, user_id)
        with self._releasing:  # or one thread could give back what another has claimed anew
            for late in tuple(self._unreleased):
                try:
                    self.ledger.release(*late)
                except StoreError as error:  # of no concern to other users; it runs out some day
                    log.warning("the lease of user %r can't be given back yet: %s", late[1], error)
                else:
                    self._unreleased.discard(late)
            claimed = self.ledger.claim(worker, now, seconds, user_id)
            self._unreleased.discard((worker, claimed or ""))
        return claimed

    def release(self, worker: str, user_id: str) -> None:
        """Give a user's lease back. One that a failing disk keeps would bar its user until it ran out: `claim` tries again."""
        try:
            self.ledger.release(worker, user_id)
        except StoreError:
            with self._releasing:
                if len(self._unreleased) < LATE_LEASES:
                    self._unreleased.add((worker, user_id))
            raise

    # users whose sessions may be due for a summary

    def touch(self, user_id: str) -> None:
        with self._noting:
            self._touched.add(user_id)

    def take_touched(self, user_id: str | None = None) -> list[str]:
        with self._noting:
            taken = sorted(self._touched if user_id is None else self._touched & {user_id})
            self._touched.difference_update(taken)
            return taken

    # who waits for turns that another thread has in hand

    def batch_done(self) -> None:
        with self._done:
            self.batches_done += 1
            self._done.notify_all()

    def wait_for_batch(self, seen: int, seconds: float) -> None:
        """Until more than `seen` batches of this process have ended, or time is up."""
        with self._done:
            self._done.wait_for(lambda: self.batches_done > seen, seconds)

    def forget_snapshots(self, user_id: str) -> None:
        """Law E: after a forget no session may go on with what it had read."""
        self.cache.forget(user_id)
