"""SqlLedger: the Ledger port on SQLite or PostgreSQL, one method per question. No rule may live here."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam as b
from sqlalchemy.dialects import postgresql, sqlite

from hermes_core.changes import Change
from hermes_core.errors import InvalidInput, StoreError
from hermes_core.items import Turn
from hermes_core.ports import (
    OUTBOX_CUT,
    Cipher,
    Commit,
    LoadedUser,
    OutboxRow,
    PendingTurn,
    Quotable,
    Redaction,
    StoredItem,
    Summary,
)
from hermes_core.stores.checks import check_aware, check_ids
from hermes_core.stores.sealing import KEY_CHECK, key_check
from hermes_core.stores.sql import codec, committing, erasing, memory, outbox, quotable, resealing, trail, turns
from hermes_core.stores.sql.database import Database, Tx
from hermes_core.stores.sql.migrations import bring_up_to_date
from hermes_core.stores.sql.schema import items as items_table
from hermes_core.stores.sql.schema import meta as meta_table
from hermes_core.stores.sql.schema import turns as turns_table
from hermes_core.stores.sql.schema import users as users_table

_read_meta = sa.select(meta_table.c.value).where(meta_table.c.key == b("name"))
_users = (
    sa.select(users_table.c.user_id)
    .where(sa.or_(memory.has_rows(turns_table), memory.has_rows(items_table)))
    .order_by(users_table.c.uid)
)


class SqlLedger:
    """The truth, in one SQLite file or one PostgreSQL database. Safe from any thread and any process.

    Every method raises StoreError (or a subclass) when the database can't be used, Closed after close().
    """

    def __init__(self, database: Database, cipher: Cipher | None = None) -> None:
        self._db = database
        self._cipher = cipher
        self._sealer = codec.Sealer(cipher)

    @classmethod
    def open(cls, url_or_path: str | Path, *, cipher: Cipher | None = None) -> SqlLedger:
        """Open or create. A path is a SQLite file (a folder: its ledger.db), `postgresql+psycopg://…` a server.

        SchemaMismatch when a newer Hermes wrote it, StoreDamaged when it is no sound database, StoreError when the
        place can't be used; nothing is changed in these cases.
        """
        database = _database(url_or_path)
        try:
            bring_up_to_date(database)
            erasing.scrub_if_due(database)
        except BaseException:
            database.close()
            raise
        return cls(database, cipher)

    @property
    def name(self) -> str:
        """The file or the URL (without password), for messages."""
        return self._db.name

    # -- turns

    def add_turn(self, turn: Turn) -> Turn:
        check_ids(user_id=turn.user_id, session_id=turn.session_id, turn_id=turn.id)
        check_aware(turn.said_at)
        try:
            return self._db.write(lambda tx: turns.add(tx, self._sealer, turn))
        except turns.KnownTurn as known:
            return known.turn

    def turns(
        self,
        user_id: str,
        session_id: str | None = None,
        *,
        limit: int | None = None,
        turn_ids: Sequence[str] | None = None,
    ) -> list[Turn]:
        return self._db.read(lambda tx: turns.listed(tx, self._sealer, user_id, session_id, limit, turn_ids))

    def sessions(self, user_id: str) -> list[str]:
        return self._db.read(lambda tx: turns.sessions(tx, user_id))

    def users(self) -> list[str]:
        return self._db.look(lambda tx: [codec.unkey(row[0]) for row in tx.rows(_users)])

    # -- the queue

    def claim(self, worker: str, now: datetime, seconds: float, user_id: str | None = None) -> str | None:
        # An idle worker only reads, so that it never holds up a writer.
        if self._db.read(lambda tx: turns.look_for_due(tx, worker, now, user_id, lock=False)) is None:
            return None
        return self._db.write(lambda tx: turns.lease(tx, worker, now, seconds, user_id))

    def release(self, worker: str, user_id: str) -> None:
        self._db.write(lambda tx: turns.release(tx, worker, user_id))

    def free_leases(self, is_dead: Callable[[str], bool], now: datetime) -> list[str]:
        freed = []
        for uid, user, holder in self._db.look(turns.held_leases):
            lease = (uid, user, holder, now)
            if is_dead(holder) and self._db.write(lambda tx, lease=lease: turns.free(tx, *lease)):  # type: ignore[misc]
                freed.append(user)
        return freed

    def pending(self, user_id: str, now: datetime | None = None, limit: int = 64) -> list[PendingTurn]:
        return self._db.read(lambda tx: turns.pending(tx, self._sealer, user_id, now, limit))

    def pending_count(self, user_id: str | None = None) -> int:
        return self._db.read(lambda tx: turns.pending_count(tx, user_id))

    def begin(self, user_id: str, turn_id: str, worker: str) -> None:
        self._db.write(lambda tx: turns.begin(tx, user_id, turn_id, worker))

    def postpone(self, user_id: str, turn_ids: Sequence[str], reason: str, retry_at: datetime) -> None:
        self._db.write(lambda tx: turns.postpone(tx, self._sealer, user_id, turn_ids, reason, retry_at))

    def set_aside(self, user_id: str, turn_id: str, reason: str) -> None:
        self._db.write(lambda tx: turns.set_aside(tx, self._sealer, user_id, turn_id, reason))

    def set_aside_turns(self, user_id: str | None = None) -> list[tuple[str, str, str]]:
        return self._db.read(lambda tx: turns.set_aside_turns(tx, self._sealer, user_id))

    def take_up(self, user_id: str, turn_id: str) -> None:
        self._db.write(lambda tx: turns.take_up(tx, user_id, turn_id))

    def turn_record(self, user_id: str, turn_id: str) -> dict[str, Any] | None:
        return self._db.read(lambda tx: turns.record(tx, self._sealer, user_id, turn_id))

    # -- items

    def version(self, user_id: str) -> int:
        return self._db.look(lambda tx: memory.version(tx, user_id))

    def owner_of(self, item_id: str) -> str | None:
        return self._db.look(lambda tx: memory.owner_of(tx, item_id))

    def load(self, user_id: str) -> LoadedUser:
        return self._db.read(lambda tx: memory.load(tx, self._sealer, user_id))

    def commit(self, commit: Commit) -> int:
        check_ids(user_id=commit.user_id)
        encoded = committing.Encoded(self._sealer, commit)
        return self._db.write(lambda tx: committing.commit(tx, self._sealer, commit, encoded))

    def quotable(self, user_id: str) -> Quotable:
        return self._db.read(lambda tx: quotable.load(tx, self._sealer, user_id))

    def maintained_at(self, user_id: str) -> datetime | None:
        return self._db.look(lambda tx: memory.maintained_at(tx, user_id))

    def due_for_maintenance(self, before: datetime, limit: int = 64) -> list[str]:
        return self._db.look(lambda tx: memory.due_for_maintenance(tx, before, limit))

    def all_items(self) -> Iterable[StoredItem]:
        return memory.batches(self._db.look, self._sealer)

    # -- the trail

    def changes(
        self,
        user_id: str,
        item_id: str | None = None,
        *,
        up_to_version: int | None = None,
        turn_id: str | None = None,
        limit: int | None = None,
    ) -> list[Change]:
        return self._db.read(lambda tx: trail.listed(tx, self._sealer, user_id, item_id, up_to_version, turn_id, limit))

    def version_at(self, user_id: str, moment: datetime) -> int:
        return self._db.read(lambda tx: trail.version_at(tx, user_id, moment))

    def erased_version(self, user_id: str) -> int:
        return self._db.look(lambda tx: memory.erased_version(tx, user_id))

    def tombstones(self, user_id: str) -> dict[str, datetime]:
        return self._db.read(lambda tx: memory.digests(tx, user_id))

    def summaries(self, user_id: str) -> list[Summary]:
        return self._db.read(lambda tx: memory.stored_summaries(tx, self._sealer, user_id))

    def erase(self, redaction: Redaction) -> int:
        check_ids(user_id=redaction.commit.user_id)
        encoded = committing.Encoded(self._sealer, redaction.commit)
        version = self._db.write(lambda tx: erasing.erase(tx, self._sealer, redaction, encoded))
        erasing.scrub(self._db)
        return version

    def reseal(self) -> int:
        """C8: seal every row anew with this store's cipher, and leave no older bytes; the number of rows written.

        For a rotation (the cipher decrypts with old and new keys, and encrypts with the new one) and for a store that
        gets its first key. StoreError when rows were sealed with a key that the cipher lacks.
        """
        if self._cipher is None:
            raise InvalidInput("there is no key to seal with; open the store with cipher=… or the variable HERMES_KEY")
        done = resealing.reseal(self._db, self._sealer)
        self.put_meta(KEY_CHECK, key_check(self._cipher))
        erasing.scrub(self._db)
        return done

    def check(self) -> list[str]:
        """What is wrong with the database file, one line each; empty when it is sound (C12)."""
        if self._db.on_postgres:
            self._db.look(lambda tx: tx.cursor.execute("SELECT 1"))
            return []
        found = self._db.look(lambda tx: tx.cursor.execute("PRAGMA integrity_check").fetchall())
        return [row[0] for row in found if row[0] != "ok"]

    # -- the outbox

    def outbox(self, limit: int = 256) -> list[OutboxRow]:
        return self._db.look(lambda tx: outbox.waiting(tx, self._sealer, limit))

    def outbox_count(self) -> int:
        """Rows that the index has not seen yet."""
        return self._db.look(outbox.count)

    def settle(self, row_ids: Sequence[int]) -> None:
        if row_ids:
            self._db.write(lambda tx: outbox.settle(tx, row_ids))

    def trim_outbox(self, most: int) -> int:
        if self.outbox_count() <= most:
            return 0

        def work(tx: Tx) -> int:
            if trimmed := outbox.trim(tx, most):
                mark = codec.words(secrets.token_hex(8))
                tx.run(_put_meta(tx.on_postgres), key=codec.key(OUTBOX_CUT), value=mark)
            return trimmed

        return self._db.write(work)

    def lease(
        self, name: str, holder: str, now: datetime, seconds: float, is_dead: Callable[[str], bool] | None = None
    ) -> bool:
        def take(tx: Tx) -> bool:
            return outbox.lease(tx, name, holder, now, seconds)

        if self._db.write(take):
            return True
        other = self._db.look(lambda tx: outbox.lease_holder(tx, name))
        if other is None or is_dead is None or not is_dead(other):
            return False
        self._db.write(lambda tx: outbox.end_lease(tx, name, other))
        return self._db.write(take)

    # -- the store itself

    def meta(self, key: str) -> str | None:
        row = self._db.look(lambda tx: tx.one(_read_meta, name=codec.key(key)))
        return None if row is None else codec.unwords(row[0])

    def put_meta(self, key: str, value: str) -> None:
        self._db.write(lambda tx: tx.run(_put_meta(tx.on_postgres), key=codec.key(key), value=codec.words(value)))

    def close(self) -> None:
        self._db.close()


@lru_cache(maxsize=2)
def _put_meta(on_postgres: bool) -> Any:
    insert = postgresql.insert if on_postgres else sqlite.insert
    put = insert(meta_table).values(key=b("key"), value=b("value"))
    return put.on_conflict_do_update(index_elements=["key"], set_={"value": put.excluded.value})


def _database(url_or_path: str | Path) -> Database:
    if not isinstance(url_or_path, (str, Path)):
        raise InvalidInput(f"the store needs a path or a database URL, not {url_or_path!r}")
    text = str(url_or_path)
    if not text.strip():
        raise InvalidInput("the store needs a path or a database URL, not an empty text")
    if isinstance(url_or_path, str) and text.startswith(("postgresql:", "postgresql+psycopg:", "postgres:")):
        return Database.at_url("postgresql+psycopg" + text[text.index(":") :])
    if isinstance(url_or_path, str) and "://" in text and not text.startswith("sqlite:///"):
        raise InvalidInput(f"{text!r} is no database that Hermes knows; give a path or postgresql+psycopg://…")
    path = Path(text.removeprefix("sqlite:///")).expanduser()
    if "\x00" in text or text.endswith(":memory:"):
        raise InvalidInput(f"{text!r} is not a path of a file; for a store in memory use InMemoryLedger")
    return Database.at_file(_ready(path))


def _ready(path: Path) -> Path:
    """The file, made empty and private if there is none; StoreError when that can't be."""
    try:
        path = path / "ledger.db" if path.is_dir() else path
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StoreError(
            f"the ledger {path} can't be opened for writing ({error.strerror}); choose a folder that this user may write"
        ) from error
    return path
