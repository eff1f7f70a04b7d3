"""What the core asks of the outside world, as Protocols. No implementation may live here.

Every port has a contract suite in hermes_core.testing; whoever implements one subclasses the suite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hermes_core.changes import Change
from hermes_core.codes import Codes
from hermes_core.items import Candidate, MemoryItem, Turn, Value
from hermes_core.user_state import UserState

Vectors = NDArray[np.float32]  # [n, d], unit rows
Vector = NDArray[np.float32]  # [d], unit length
Terms = NDArray[np.uint32]  # [t], hashed terms of one text, repeats kept


@runtime_checkable
class Clock(Protocol):
    def now(self) -> datetime:
        """The present, aware, in UTC."""


@runtime_checkable
class TokenCounter(Protocol):
    """May also have `lines_add_up: bool`: true where a text costs what its lines cost one by one, each with its line end
    and without spaces at either end. A context is then counted without reading it again."""

    name: str

    def count(self, text: str) -> int:
        """Tokens of the text, >= 0; never raises on odd unicode."""


@runtime_checkable
class Embedder(Protocol):
    """`name` and `dimension` identify the vector space; a store remembers them (I3)."""

    name: str
    dimension: int

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 [n, d] with unit rows, in the order of `texts`; an empty text gives some unit vector."""


@runtime_checkable
class Extractor(Protocol):
    """`name` is written into the turn's record. Raises ExtractionFailed when it could not answer.

    May carry dismissals (why a clause gave nothing) by returning an Extraction, which is a list.
    """

    name: str

    def extract(self, turns: Sequence[Turn], known: Sequence[MemoryItem]) -> list[Candidate]:
        """The claims in `turns` (user turns of one session, oldest first), beside the few `known` items that are near."""


class Dismissal(NamedTuple):
    """Words of a turn that became no candidate, and the reason code."""

    turn_id: str
    words: str
    reason: str


class Extraction(list[Candidate]):
    """A list of candidates that also says what was left out and which extractor answered."""

    def __init__(
        self, candidates: Iterable[Candidate] = (), dismissed: Iterable[Dismissal] = (), by: str = "", note: str = ""
    ) -> None:
        super().__init__(candidates)
        self.dismissed: tuple[Dismissal, ...] = tuple(dismissed)
        self.by = by
        self.note = note


class Summary(Value, frozen=True, kw_only=True):
    """R11: facts, open tasks and key entities of a session, or of all of them (session_id "")."""

    user_id: str
    session_id: str
    text: str
    facts: tuple[str, ...] = ()
    open_tasks: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    tokens: int = 0
    first_seq: int = 0
    last_seq: int = 0
    made_at: datetime | None = None
    by: str = ""


@runtime_checkable
class Summarizer(Protocol):
    name: str

    def summarize(self, turns: Sequence[Turn], previous: Summary | None, max_tokens: int) -> Summary:
        """A summary of `turns` on top of `previous`; the shell checks that it names entities and redoes it otherwise."""


@dataclass(frozen=True)
class SearchTable:
    """One row per item that isn't forgotten, live first: what exact search needs, without decoding items.

    `term_ids` are all rows' hashed terms end to end; row i owns term_ids[offsets[i]:offsets[i + 1]].
    """

    ids: tuple[str, ...]
    vectors: Vectors
    term_ids: Terms
    offsets: NDArray[np.int64]

    @cached_property
    def codes(self) -> Codes:
        """The vectors as reads compare them; made with the first question that is asked of the table."""
        return Codes.of(self.vectors)


class StoredItem(NamedTuple):
    """An item with what is computed from its text once, when it is written."""

    item: MemoryItem
    vector: Vector
    terms: Terms


class LoadedUser(NamedTuple):
    state: UserState
    table: SearchTable


class StoredTurn(NamedTuple):
    """One of the user's turns with what search needs of it; `private` ones are quoted only with consent (C8)."""

    turn: Turn
    vector: Vector
    terms: Terms
    private: bool = False


class Quotable(NamedTuple):
    """The user's turns that may be quoted, oldest first; turns[i] is row i of the table. `private` are turn ids."""

    turns: tuple[Turn, ...]
    table: SearchTable
    private: frozenset[str] = frozenset()


class PendingTurn(NamedTuple):
    turn: Turn
    attempts: int


class TurnOutcome(NamedTuple):
    """What became of a turn: `ingested` with the extractor's name and a note for people."""

    turn_id: str
    by: str
    note: str


class Tombstone(NamedTuple):
    """C6: a keyed digest of something forgotten; no content can be read from it."""

    digest: str
    at: datetime


@dataclass(frozen=True)
class Commit:
    """One atomic write for one user; nothing of it is visible before all of it is.

    `changes` are stored in order and get version expected_version + 1 (unless there are none: then the version
    stays and only the rest is written). `put` holds the current image, vector and terms of every item that a
    change touched and that isn't forgotten; `drop` the ids that are gone. `quotable` are stored turns that can be
    quoted from now on; those older than the user's latest `quotable_turns` turns no longer can.
    """

    user_id: str
    expected_version: int
    changes: tuple[Change, ...] = ()
    put: tuple[StoredItem, ...] = ()
    drop: tuple[str, ...] = ()
    outcomes: tuple[TurnOutcome, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    summaries: tuple[Summary, ...] = ()
    maintained_at: datetime | None = None
    quotable: tuple[StoredTurn, ...] = ()
    quotable_turns: int = 0


@dataclass(frozen=True)
class Redaction:
    """C6: what one forget erases beside the items in `commit`: matched before-images, quotes, texts."""

    commit: Commit
    item_ids: tuple[str, ...] = ()
    turn_ids: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    whole_user: bool = False
    session_id: str | None = None


class OutboxRow(NamedTuple):
    """An item whose published record is out of date; `stored` is None when the record must go.

    `erase` says that the old record's bytes must leave the index's files too (C6).
    """

    row_id: int
    user_id: str
    item_id: str
    stored: StoredItem | None
    erase: bool = False


@runtime_checkable
class Cipher(Protocol):
    """C8: authenticated encryption of what is sensitive; keys and their rotation are its own matter.

    `decrypt` raises StoreError (StoreDamaged when the bytes were altered) when it can't.
    """

    def encrypt(self, plain: bytes) -> bytes: ...

    def decrypt(self, sealed: bytes) -> bytes: ...


LAST_FROM = 2  # failed attempts from which a turn waits for those behind it
OUTBOX_CUT = "outbox_cut"
OUTBOX_PER_ITEM = 4


@runtime_checkable
class Ledger(Protocol):
    """The truth. Every method is safe from any thread. StoreError (or a subclass) when the world fails.

    Turn ids are unique per user; the same id again is the same turn and changes nothing (idempotent).
    """

    def add_turn(self, turn: Turn) -> Turn:
        """Durable when it returns (law D), with `seq` set: its place among the user's turns, from 1. Known id: the stored turn."""

    def turns(
        self,
        user_id: str,
        session_id: str | None = None,
        *,
        limit: int | None = None,
        turn_ids: Sequence[str] | None = None,
    ) -> list[Turn]:
        """The user's turns, oldest first; with `limit` the latest ones."""

    def sessions(self, user_id: str) -> list[str]: ...

    def users(self) -> list[str]: ...

    def claim(self, worker: str, now: datetime, seconds: float, user_id: str | None = None) -> str | None:
        """Lease the user whose due pending turn is oldest (or this one, if due); None when nobody is due or free."""

    def release(self, worker: str, user_id: str) -> None: ...

    def free_leases(self, is_dead: Callable[[str], bool], now: datetime) -> list[str]:
        """End the leases of holders that have died; the users set free. What such a holder had in hand counts as a
        failed attempt, as it does when a lease that ran out is taken over: a turn that kills its reader is known by it."""

    def pending(self, user_id: str, now: datetime | None = None, limit: int = 64) -> list[PendingTurn]:
        """User and assistant turns not yet ingested, oldest first; with `now` only those whose retry is due."""

    def pending_count(self, user_id: str | None = None) -> int: ...

    def begin(self, user_id: str, turn_id: str, worker: str) -> None:
        """Note that a pending turn which failed before is being read now.

        Only then does a death of its reader count as another failed attempt, and only for this turn. With "" as the
        worker it is put down again. Nothing for a turn that is not pending.
        """

    def postpone(self, user_id: str, turn_ids: Sequence[str], reason: str, retry_at: datetime) -> None:
        """Count a failed attempt; the turns stay pending until `retry_at`."""

    def version(self, user_id: str) -> int:
        """0 for an unknown user; one indexed look-up."""

    def owner_of(self, item_id: str) -> str | None:
        """The user whose item this is, None when there is no such item (C12)."""

    def load(self, user_id: str) -> LoadedUser:
        """The user's current items (an empty state for an unknown user)."""

    def quotable(self, user_id: str) -> Quotable:
        """The user's turns that may be quoted; an erased turn never is (law E)."""

    def maintained_at(self, user_id: str) -> datetime | None: ...

    def due_for_maintenance(self, before: datetime, limit: int = 64) -> list[str]:
        """Users with items whose last maintenance is older (or never was)."""

    def commit(self, commit: Commit) -> int:
        """All or nothing; the new version. VersionConflict when the user's version is not the expected one."""

    def changes(
        self,
        user_id: str,
        item_id: str | None = None,
        *,
        up_to_version: int | None = None,
        turn_id: str | None = None,
        limit: int | None = None,
    ) -> list[Change]:
        """The trail, oldest first (with `limit` the latest)."""

    def version_at(self, user_id: str, moment: datetime) -> int:
        """The version that held at the moment (by the changes' cause.at as committed)."""

    def tombstones(self, user_id: str) -> dict[str, datetime]:
        """Digest -> when it was forgotten; what was said later than that may come back (C6)."""

    def erased_version(self, user_id: str) -> int:
        """The user's version at the last erase (0: never): snapshots older than this may no longer be shown (law E)."""

    def summaries(self, user_id: str) -> list[Summary]: ...

    def turn_record(self, user_id: str, turn_id: str) -> dict[str, Any] | None:
        """For people: state ("pending", "ingested", "set_aside"), attempts, by, note, last reason."""

    def set_aside(self, user_id: str, turn_id: str, reason: str) -> None:
        """A poisoned turn: no longer pending, visible, never blocks the rest."""

    def set_aside_turns(self, user_id: str | None = None) -> list[tuple[str, str, str]]:
        """User, turn id and reason of every turn that was set aside: for people."""

    def take_up(self, user_id: str, turn_id: str) -> None:
        """A turn that was set aside waits again, with no attempt counted."""

    def erase(self, redaction: Redaction) -> int:
        """C6: commit, and redact trail, turns and summaries in the same transaction; then scrub free pages and WAL."""

    def outbox(self, limit: int = 256) -> list[OutboxRow]: ...

    def outbox_count(self) -> int:
        """Rows that the index has not seen yet."""

    def settle(self, row_ids: Sequence[int]) -> None: ...

    def trim_outbox(self, most: int) -> int:
        """Drop what waits when it is more than `most` rows and more than OUTBOX_PER_ITEM times the items, erasures apart: to
        build the index anew costs less then. A new value under the meta key OUTBOX_CUT says so. The rows dropped.
        """

    def lease(
        self, name: str, holder: str, now: datetime, seconds: float, is_dead: Callable[[str], bool] | None = None
    ) -> bool:
        """Take or renew a named lease for the whole store; False while another holder has it who isn't seen to be dead."""

    def all_items(self) -> Iterable[StoredItem]:
        """Every item that isn't forgotten, of every user, in batches: for a rebuild of the index."""

    def meta(self, key: str) -> str | None: ...

    def put_meta(self, key: str, value: str) -> None: ...

    def close(self) -> None: ...


class IndexRecord(Value, frozen=True, kw_only=True):
    """One published item as the index holds it: flat metadata, document, vector (C-rows of docs/chroma.md)."""

    id: str
    document: str
    metadata: dict[str, str | int | float | bool] = {}
    vector: tuple[float, ...] = ()


@runtime_checkable
class Index(Protocol):
    """The published projection: disposable, one writer, never on the read path."""

    def publish(self, items: Sequence[StoredItem], gone: Sequence[str], taken_at: datetime) -> None:
        """Upsert and delete by item id; idempotent. Strength in the metadata is as of `taken_at`."""

    def rebuild(self, items: Iterable[StoredItem], taken_at: datetime) -> int:
        """Drop everything and publish anew; the number of records."""

    def records(self, user_id: str | None = None) -> list[IndexRecord]:
        """For checks and tests, sorted by id."""

    def count(self) -> int: ...

    def needs_rebuild(self) -> str | None:
        """Why the projection can't be trusted (dirty marker, unreadable, empty), or None."""

    def erase(self, ids: Sequence[str]) -> None:
        """C6: delete and rewrite, so that no byte of the documents remains."""

    def close(self) -> None: ...
