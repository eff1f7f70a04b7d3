"""Connections, transactions and error mapping for SQLite and PostgreSQL. No table and no rule may be named here.

Statements are SQLAlchemy Core; they are compiled once per database and run on the driver's own cursor, because a
version look-up must cost microseconds. A transaction is a function: it is run again when the connection was
lost before its commit was sent (it then had no effect).
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL, Dialect, make_url
from sqlalchemy.pool import QueuePool

from hermes_core.errors import Closed, InvalidInput, StoreDamaged, StoreError

T = TypeVar("T")
BUSY_SECONDS = 30.0  # how long a write waits for another process before it gives up aloud
POOL_SIZE, POOL_OVERFLOW = 16, 112
PAGE_BYTES = 16_384  # five items with a 512-number vector lie on one page
_POSTGRES_OPTIONS = f"-c lock_timeout={BUSY_SECONDS:.0f}s -c idle_in_transaction_session_timeout=120s"


class _Compiled(NamedTuple):
    text: str
    order: tuple[str, ...] | None  # positional parameters, or None for named ones
    fixed: Mapping[str, Any]


class Tx:
    """One open transaction: runs Core statements on the driver's cursor."""

    def __init__(self, database: Database, cursor: Any) -> None:
        self._database = database
        self.cursor = cursor

    def run(self, statement: Any, **params: Any) -> Any:
        """Execute; the cursor (rowcount, fetchone, fetchall)."""
        compiled = self._database.compiled(statement)
        return self.cursor.execute(compiled.text, _arrange(compiled, params))

    def many(self, statement: Any, rows: Sequence[Mapping[str, Any]]) -> int:
        """Execute for each row; the number of rows affected in all."""
        if not rows:
            return 0
        compiled = self._database.compiled(statement)
        self.cursor.executemany(compiled.text, [_arrange(compiled, row) for row in rows])
        return int(self.cursor.rowcount)

    def one(self, statement: Any, **params: Any) -> Any:
        """The first row as a tuple, or None."""
        return self.run(statement, **params).fetchone()

    def rows(self, statement: Any, **params: Any) -> list[Any]:
        found: list[Any] = self.run(statement, **params).fetchall()
        return found

    @property
    def on_postgres(self) -> bool:
        return self._database.on_postgres


def _arrange(compiled: _Compiled, params: Mapping[str, Any]) -> Any:
    if compiled.order is None:
        return {**compiled.fixed, **params} if compiled.fixed else params
    if compiled.fixed:
        params = {**compiled.fixed, **params}
    return tuple([params[name] for name in compiled.order])


class Database:
    """A pool of connections to one database. Safe from any thread and after a fork."""

    def __init__(self, engine: sa.Engine, name: str) -> None:
        self.engine = engine
        self.name = name
        self.on_postgres = engine.dialect.name == "postgresql"
        self._dialect: Dialect = engine.dialect
        self._cache: dict[Any, _Compiled] = {}
        self._writing = threading.Lock()  # writers of one process queue here, fairly, not in SQLite's sleeps
        self._looking = threading.Lock()
        self._looker: Any = None  # the connection that looks, while it is kept out of the pool
        self._inherited: list[Any] = []  # those of the processes that this was forked from, which only they may close
        self._pid = os.getpid()
        self._closed = False

    @classmethod
    def at_file(cls, path: Path) -> Database:
        if sqlite3.sqlite_version_info < (3, 35):
            raise StoreError(
                f"SQLite {sqlite3.sqlite_version} is too old; Hermes needs 3.35 (a newer Python brings it)"
            )
        engine = sa.create_engine(
            URL.create("sqlite", database=str(path)),
            connect_args={"timeout": BUSY_SECONDS, "isolation_level": None, "check_same_thread": False},
            poolclass=QueuePool,
            pool_size=POOL_SIZE,
            max_overflow=POOL_OVERFLOW,
            pool_timeout=BUSY_SECONDS,
            pool_use_lifo=True,  # few warm connections instead of many: on SQLite each keeps 16 MiB of pages
            pool_reset_on_return=None,
        )
        sa.event.listen(engine, "connect", _prepare_sqlite)
        return cls(engine, str(path))

    @classmethod
    def at_url(cls, url: str) -> Database:
        try:
            parsed = make_url(url)
            asked = parsed.query.get("options", "")
            options = f"{_POSTGRES_OPTIONS} {asked if isinstance(asked, str) else ' '.join(asked)}"
            engine = sa.create_engine(
                parsed,
                connect_args={"autocommit": True, "connect_timeout": 10, "options": options},
                pool_size=POOL_SIZE,
                max_overflow=POOL_OVERFLOW,
                pool_timeout=BUSY_SECONDS,
                pool_use_lifo=True,
                pool_reset_on_return=None,
            )
        except (sa.exc.ArgumentError, ValueError) as error:
            raise InvalidInput(f"{url!r} is not a database URL; write postgresql+psycopg://user@host/name") from error
        except ModuleNotFoundError as error:
            raise InvalidInput(f"the driver for {url!r} is missing: pip install 'hermes-dualgate[postgres]'") from error
        return cls(engine, parsed.render_as_string(hide_password=True))

    def compiled(self, statement: Any) -> _Compiled:
        found = self._cache.get(statement)
        if found is None:
            found = self._cache[statement] = self.compile(statement)
        return found

    def compile(self, statement: Any) -> _Compiled:
        result = statement.compile(dialect=self._dialect)
        order = tuple(result.positiontup) if result.positional else None
        fixed = {key: value for key, value in result.params.items() if value is not None}
        return _Compiled(str(result), order, fixed)

    # -- transactions

    def read(self, work: Callable[[Tx], T]) -> T:
        """Run `work` on one consistent view of the database."""
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if self.on_postgres else "BEGIN"
        return self._transact(work, begin)

    def look(self, work: Callable[[Tx], T]) -> T:
        """Run `work`, a single statement, without a transaction around it.

        Every read of a conversation looks whether something was forgotten, so on SQLite a connection is kept for that:
        taking one from the pool costs several times the statement. Whoever comes while it is in use takes one all the same.
        """
        self._notice_fork()
        if self.on_postgres or not self._looking.acquire(blocking=False):
            return self._transact(work, None)
        try:
            if self._looker is None or self._closed:
                with self.guarded():
                    self._looker = self._checkout()
            cursor = self._looker.driver_connection.cursor()
            try:
                return work(Tx(self, cursor))
            finally:
                cursor.close()  # an unfinished statement would keep the write-ahead log from being emptied
        except BaseException:
            with self.guarded():
                self._let_go()
                raise
        finally:
            self._looking.release()

    def _let_go(self) -> None:
        looker, self._looker = self._looker, None
        if looker is not None:
            looker.close()

    def write(self, work: Callable[[Tx], T]) -> T:
        """Run `work` in one durable transaction: all or nothing."""
        return self._alone(work, "BEGIN" if self.on_postgres else "BEGIN IMMEDIATE")

    def alone(self, work: Callable[[Tx], T]) -> T:
        """Run `work`, a statement that no transaction may hold (VACUUM, a checkpoint), while no writer of ours runs."""
        return self._alone(work, None)

    def _alone(self, work: Callable[[Tx], T], begin: str | None) -> T:
        self._notice_fork()
        if self.on_postgres:
            return self._transact(work, begin)
        if not self._writing.acquire(timeout=BUSY_SECONDS):
            raise StoreError(f"{self.name} was busy for {BUSY_SECONDS:g} s; another thread holds a long write")
        try:
            return self._transact(work, begin)
        finally:
            self._writing.release()

    def _transact(self, work: Callable[[Tx], T], begin: str | None) -> T:
        with self.guarded():
            for _ in range(POOL_SIZE):  # a server that went away took all of the pool's idle connections with it
                try:
                    return self._attempt(work, begin)
                except _LostBeforeCommit:
                    continue
            return self._attempt(work, begin)

    def _attempt(self, work: Callable[[Tx], T], begin: str | None) -> T:
        connection = self._checkout()
        committing = False
        try:
            cursor = connection.cursor(binary=True) if self.on_postgres else connection.cursor()
            try:
                if begin is not None:
                    cursor.execute(begin)
                result = work(Tx(self, cursor))
                committing = True
                if begin is not None:
                    cursor.execute("COMMIT")
                return result
            finally:
                cursor.close()
        except BaseException as error:
            self._abandon(connection, error)
            if not committing and self._lost(connection, error):
                raise _LostBeforeCommit from error
            raise
        finally:
            connection.close()

    def _abandon(self, connection: Any, cause: BaseException) -> None:
        """Roll back; a connection that can't even do that is thrown away."""
        try:
            if not self.on_postgres and not connection.driver_connection.in_transaction:
                return
            cursor = connection.cursor()
            cursor.execute("ROLLBACK")
            cursor.close()
        except self._driver_errors:
            connection.invalidate(cause if isinstance(cause, Exception) else None)

    def _lost(self, connection: Any, error: BaseException) -> bool:
        return self.on_postgres and isinstance(error, self._driver_errors) and not connection.is_valid

    def _checkout(self) -> Any:
        if self._closed:
            raise Closed(f"{self.name} was closed; open it again")
        self._notice_fork()
        return self.engine.raw_connection()

    def _notice_fork(self) -> None:
        """A forked child must not use its parent's connections, nor wait for its parent's threads."""
        if self._pid != os.getpid():
            self.engine.dispose(close=False)
            self._writing, self._looking = threading.Lock(), threading.Lock()
            self._inherited.append(self._looker)
            self._looker = None
            self._pid = os.getpid()

    @property
    def _driver_errors(self) -> tuple[type[BaseException], ...]:
        module: Any = self._dialect.loaded_dbapi
        return (module.Error,)

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Turns what drivers raise into StoreError with what to do about it."""
        try:
            yield
        except _LostBeforeCommit as error:
            raise StoreError(f"the connection to {self.name} was lost: {error.__cause__}") from error.__cause__
        except sa.exc.TimeoutError as error:
            raise StoreError(f"no free connection to {self.name} within {BUSY_SECONDS:g} s") from error
        except sa.exc.DBAPIError as error:
            raise _mapped(self.name, error.orig or error) from error
        except self._driver_errors as error:
            raise _mapped(self.name, error) from error

    def close(self) -> None:
        self._closed = True
        with self.guarded(), self._looking:
            self._let_go()
            self.engine.dispose()


class _LostBeforeCommit(Exception):
    """The connection went away while nothing had been committed: the work may be run again."""


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous=FULL")  # law D: a commit survives power loss
    cursor.execute("PRAGMA secure_delete=ON")  # law E: what is deleted is overwritten
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA cache_size=-16384")  # KiB
    cursor.close()


_DAMAGE = ("not a database", "malformed", "corrupt", "unsupported file format", "file is encrypted")


def _mapped(name: str, error: BaseException) -> StoreError:
    """The error of ours that says what happened and what to do."""
    said = str(error).strip() or type(error).__name__
    low = said.lower()
    if any(word in low for word in _DAMAGE):
        return StoreDamaged(
            f"{name} is not a sound Hermes ledger ({said}); nothing was changed. Restore a backup, or move the file away."
        )
    if "disk is full" in low or "no space left" in low:
        return StoreError(f"the disk that holds {name} is full ({said}); free some space, nothing was half written")
    if "readonly" in low or "read-only" in low:
        return StoreError(f"{name} can't be written ({said}); make the file and its folder writable for this user")
    if "unable to open" in low:
        return StoreError(f"{name} can't be opened ({said}); its folder must exist, and be readable and writable")
    if "locked" in low or "busy" in low or "lock timeout" in low:
        return StoreError(f"another process kept {name} locked for {BUSY_SECONDS:g} s ({said}); end it, or try again")
    if "disk i/o" in low:
        return StoreError(
            f"the disk under {name} failed ({said}); nothing was half written, check the disk and its space"
        )
    return StoreError(f"{name} can't be reached or used: {said}")
