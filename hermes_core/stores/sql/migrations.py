"""Brings a database's tables to this version's shape, or refuses before anything is touched. No data rule may live here.

A migration is a function of an open connection, run inside one transaction together with the new version number.
Released migrations never change; a new shape is a new one at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sqlalchemy as sa

from hermes_core.errors import SchemaMismatch, StoreError
from hermes_core.stores.sql import schema
from hermes_core.stores.sql.database import PAGE_BYTES, Database

Migration = Callable[[sa.Connection], None]
_KEY = "schema_version"
_ADVISORY_LOCK = 0x4845524D  # "HERM": processes that open a fresh PostgreSQL database take turns


def _create(connection: sa.Connection) -> None:
    schema.metadata.create_all(connection)
    if connection.dialect.name == "postgresql":
        # An item with its vector has about 3 kB: kept in its row, where a first read finds it in one go.
        connection.exec_driver_sql("ALTER TABLE items SET (toast_tuple_target = 8160)")


MIGRATIONS: tuple[Migration, ...] = (_create,)  # MIGRATIONS[n] leads from version n to n + 1


def stored_version(connection: sa.Connection) -> int:
    """The database's version; 0 when it is empty. StoreError when it belongs to something else."""
    tables = set(sa.inspect(connection).get_table_names())
    if "meta" in tables and {"users", "turns", "items"} <= tables:
        row = connection.execute(sa.select(schema.meta.c.value).where(schema.meta.c.key == _KEY)).first()
        if row is not None:
            return int(bytes(row[0]))
    if connection.dialect.name == "sqlite" and tables:
        raise StoreError(
            f"{connection.engine.url.database} is a database, but not a Hermes ledger (tables: "
            f"{', '.join(sorted(tables)[:5])}); nothing was changed, choose another path"
        )
    if clash := tables & set(schema.metadata.tables):
        raise StoreError(
            f"the database already has tables named {', '.join(sorted(clash))} that are not of Hermes; nothing was "
            "changed, give Hermes a database or a search_path of its own"
        )
    return 0


def bring_up_to_date(database: Database, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """Create or migrate; the version. SchemaMismatch when a newer Hermes wrote it, and then nothing is changed."""
    with database.guarded(), database.engine.connect() as connection:
        current = stored_version(connection)
        _refuse_newer(database, current, len(migrations))
        if database.on_postgres:
            connection.rollback()
        else:
            _write_ahead(connection)
        if current == len(migrations):
            return current
        connection.exec_driver_sql("BEGIN" if database.on_postgres else "BEGIN IMMEDIATE")
        try:
            version = _migrate(connection, database, migrations)
        except BaseException:
            connection.exec_driver_sql("ROLLBACK")
            raise
        connection.exec_driver_sql("COMMIT")
        return version


def _migrate(connection: sa.Connection, database: Database, migrations: Sequence[Migration]) -> int:
    if database.on_postgres:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")
    current = stored_version(connection)  # another process may have been faster
    _refuse_newer(database, current, len(migrations))
    for migrate in migrations[current:]:
        migrate(connection)
    connection.execute(sa.delete(schema.meta).where(schema.meta.c.key == _KEY))
    connection.execute(sa.insert(schema.meta).values(key=_KEY, value=str(len(migrations)).encode()))
    return len(migrations)


def _refuse_newer(database: Database, current: int, known: int) -> None:
    if current > known:
        raise SchemaMismatch(
            f"{database.name} was written by a newer Hermes (schema {current}, this one knows {known}); "
            "nothing was changed, upgrade Hermes to open it"
        )


def _write_ahead(connection: sa.Connection) -> None:
    """WAL is a property of the file; the page size takes hold only while the file is still empty."""
    mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
    if mode != "wal":
        connection.exec_driver_sql(f"PRAGMA page_size={PAGE_BYTES}")
        connection.exec_driver_sql("PRAGMA journal_mode=WAL")
