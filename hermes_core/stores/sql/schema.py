"""The ledger's tables, as SQLAlchemy Core data. No query and no rule may live here.

Every per-user table has the primary key `user number << 32 | n`: a user's rows lie next to each other, so a first
read costs the same with ten users and with ten thousand. Text that people wrote is stored as UTF-8 bytes (or sealed
bytes), since PostgreSQL's text refuses NUL and both refuse lone surrogates.
Sealed bytes open with 0xFF, which no UTF-8 does; an item's vector and terms are sealed when its body is. Times are microseconds since 1970, UTC.
"""

from __future__ import annotations

import sqlalchemy as sa

SCHEMA_VERSION = 1
SPAN = 1 << 32  # rows that one user may have per table

metadata = sa.MetaData()

BigKey = sa.BigInteger().with_variant(sa.Integer(), "sqlite")  # SQLite clusters only by INTEGER PRIMARY KEY

meta = sa.Table(
    "meta",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)

users = sa.Table(
    "users",
    metadata,
    sa.Column("uid", BigKey, primary_key=True, autoincrement=True),
    sa.Column("user_id", sa.Text, nullable=False, unique=True),
    sa.Column("version", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("turn_seq", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("change_seq", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("item_seq", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("lease_by", sa.Text),
    sa.Column("lease_until", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("maintained_at", sa.BigInteger),
    sa.Column("erased_version", sa.BigInteger, nullable=False, server_default="0"),
    sqlite_autoincrement=True,
)
sa.Index("users_maintained", users.c.maintained_at)

turns = sa.Table(
    "turns",
    metadata,
    sa.Column("id", BigKey, primary_key=True, autoincrement=False),  # uid << 32 | seq
    sa.Column("uid", sa.BigInteger, nullable=False),
    sa.Column("turn_id", sa.Text, nullable=False),
    sa.Column("session_id", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("said_at", sa.BigInteger, nullable=False),
    sa.Column("arrived", sa.BigInteger, nullable=False),
    sa.Column("state", sa.SmallInteger, nullable=False),  # PENDING, INGESTED, SET_ASIDE
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    sa.Column("retry_at", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("ingested_by", sa.Text),
    sa.Column("note", sa.LargeBinary),
    sa.Column("reason", sa.LargeBinary),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("uid", "turn_id", name="turns_once"),
)
PENDING, INGESTED, SET_ASIDE = 0, 1, 2
_waiting = turns.c.state == sa.literal_column("0")
sa.Index("turns_waiting", turns.c.id, sqlite_where=_waiting, postgresql_where=_waiting)
sa.Index("turns_queue", turns.c.arrived, sqlite_where=_waiting, postgresql_where=_waiting)

quotable = sa.Table(
    "quotable",
    metadata,
    sa.Column("id", BigKey, primary_key=True, autoincrement=False),  # the turn's: uid << 32 | seq
    sa.Column("private", sa.SmallInteger, nullable=False),
    sa.Column("vector", sa.LargeBinary, nullable=False),  # 0x00 and float16, little-endian, or sealed
    sa.Column("terms", sa.LargeBinary, nullable=False),  # 0x00 and uint32, little-endian, or sealed
)

items = sa.Table(
    "items",
    metadata,
    sa.Column("id", BigKey, primary_key=True, autoincrement=False),  # uid << 32 | n
    sa.Column("uid", sa.BigInteger, nullable=False),
    sa.Column("item_id", sa.Text, nullable=False),
    sa.Column("touched", sa.BigInteger, nullable=False),  # seq of the last change: the order of a loaded state
    sa.Column("cold", sa.SmallInteger, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("slot", sa.Text, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("vector", sa.LargeBinary, nullable=False),  # float32, little-endian
    sa.Column("terms", sa.LargeBinary, nullable=False),  # uint32, little-endian
    sa.UniqueConstraint("item_id", "uid", name="items_once"),
)

changes = sa.Table(
    "changes",
    metadata,
    sa.Column("id", BigKey, primary_key=True, autoincrement=False),  # uid << 32 | seq
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("item_id", sa.Text),
    sa.Column("turn_id", sa.Text),
    sa.Column("body", sa.LargeBinary, nullable=False),  # the change without its image
    sa.Column("image", sa.LargeBinary),  # the item after it
)

summaries = sa.Table(
    "summaries",
    metadata,
    sa.Column("uid", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("session_id", sa.Text, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)

tombstones = sa.Table(
    "tombstones",
    metadata,
    sa.Column("uid", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
)

outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("id", BigKey, primary_key=True, autoincrement=True),
    sa.Column("uid", sa.BigInteger, nullable=False),
    sa.Column("item_id", sa.Text, nullable=False),
    sa.Column("erase", sa.SmallInteger, nullable=False, server_default="0"),  # its bytes must leave the index's files
    sqlite_autoincrement=True,  # a settled row's number never comes back
)

leases = sa.Table(
    "leases",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("holder", sa.Text, nullable=False),
    sa.Column("until", sa.BigInteger, nullable=False),
)
