"""Items, trail, versions: the SQL behind load and commit. No rule may live here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any

import msgspec
import numpy as np
import sqlalchemy as sa
from sqlalchemy import bindparam as b

from hermes_core.errors import StoreDamaged
from hermes_core.items import PackedItems, decode_item
from hermes_core.ports import LoadedUser, SearchTable, StoredItem, Summary
from hermes_core.stores.sql import codec
from hermes_core.stores.sql.database import Tx
from hermes_core.stores.sql.schema import SPAN, items, summaries, tombstones, users
from hermes_core.stores.sql.turns import span, uid_of
from hermes_core.user_state import UserState

_lookup = sa.select(users.c.version).where(users.c.user_id == b("user"))
_user = sa.select(users.c.uid, users.c.version).where(users.c.user_id == b("user"))
_load = (
    sa.select(items.c.item_id, items.c.touched, items.c.cold, items.c.body, items.c.vector, items.c.terms)
    .where(items.c.id.between(b("low"), b("high")))
    .order_by(items.c.id)
)


_owner = (
    sa.select(users.c.user_id)
    .select_from(items.join(users, users.c.uid == items.c.uid))
    .where(items.c.item_id == b("item"))
)
_erased = sa.select(users.c.erased_version).where(users.c.user_id == b("user"))


def owner_of(tx: Tx, item_id: str) -> str | None:
    row = tx.one(_owner, item=codec.key(item_id))
    return None if row is None else codec.unkey(row[0])


def erased_version(tx: Tx, user_id: str) -> int:
    row = tx.one(_erased, user=codec.key(user_id))
    return 0 if row is None else int(row[0])


def version(tx: Tx, user_id: str) -> int:
    row = tx.one(_lookup, user=codec.key(user_id))
    return 0 if row is None else int(row[0])


def load(tx: Tx, sealer: codec.Sealer, user_id: str) -> LoadedUser:
    row = tx.one(_user, user=codec.key(user_id))
    if row is None:
        return LoadedUser(UserState(user_id), search_table((), (), ()))
    rows = tx.rows(_load, **span(row[0]))
    rows.sort(key=itemgetter(2, 1))  # live before cold, each in the order of its last change
    if sealer.active or codec.SEALED in {r[3][:1] for r in rows}:
        rows = [_unsealed(sealer, r) for r in rows]
    ids, _, _, bodies, vectors, terms = zip(*rows, strict=True) if rows else ((),) * 6
    names = [codec.unkey(name) for name in ids]
    split = sum(not r[2] for r in rows)
    live = codec.to_items(bodies[:split])
    archive = PackedItems(dict(zip(names[split:], bodies[split:], strict=True)))
    state = UserState(user_id, row[1], {item.id: item for item in live}, archive)
    return LoadedUser(state, search_table(names, vectors, terms))


def _unsealed(sealer: codec.Sealer, row: Sequence[Any]) -> tuple[Any, ...]:
    if row[3][:1] != codec.SEALED:
        return tuple(row)
    return (*row[:3], *(sealer.unseal(column) for column in row[3:6]))


def search_table(ids: Sequence[str], vectors: Sequence[bytes], terms: Sequence[bytes]) -> SearchTable:
    """One matrix from the rows' bytes. StoreDamaged when their lengths differ."""
    lengths = set(map(len, vectors))
    if len(lengths) > 1:
        raise StoreDamaged(f"vectors of different dimensions lie in one user's items ({sorted(lengths)} bytes)")
    width = lengths.pop() // 4 if lengths else 0
    matrix = np.frombuffer(b"".join(vectors), dtype="<f4").reshape(len(ids), width)
    offsets = np.zeros(len(ids) + 1, dtype=np.int64)
    if terms:
        np.cumsum([len(blob) // 4 for blob in terms], out=offsets[1:])
    return SearchTable(tuple(ids), matrix, np.frombuffer(b"".join(terms), dtype="<u4"), offsets)


# -- the rest

_digests = sa.select(tombstones.c.digest, tombstones.c.at).where(tombstones.c.uid == b("uid"))
_summaries = sa.select(summaries.c.body).where(summaries.c.uid == b("uid")).order_by(summaries.c.session_id)
_maintained_at = sa.select(users.c.maintained_at).where(users.c.user_id == b("user"))


def has_rows(table: sa.Table) -> Any:
    """Whether the user of the outer query has rows there, by the primary key."""
    first = users.c.uid * sa.literal_column(str(SPAN))
    own = table.c.id.between(first, first + sa.literal_column(str(SPAN - 1)))
    return sa.exists(sa.select(table.c.id).where(own).correlate(users))


_due = (
    sa.select(users.c.user_id)
    .where(has_rows(items), sa.or_(users.c.maintained_at.is_(None), users.c.maintained_at < b("before")))
    .order_by(users.c.maintained_at.nulls_first(), users.c.uid)
    .limit(b("most", type_=sa.Integer))
)
_batch = (
    sa.select(items.c.id, items.c.body, items.c.vector, items.c.terms)
    .where(items.c.id > b("after"))
    .order_by(items.c.id)
    .limit(b("most", type_=sa.Integer))
)


def digests(tx: Tx, user_id: str) -> dict[str, datetime]:
    uid = uid_of(tx, user_id)
    rows = [] if uid is None else tx.rows(_digests, uid=uid)
    return {codec.unkey(digest): codec.at_moment(at) for digest, at in rows}


def stored_summaries(tx: Tx, sealer: codec.Sealer, user_id: str) -> list[Summary]:
    uid = uid_of(tx, user_id)
    if uid is None:
        return []
    return [msgspec.json.decode(sealer.open(row[0]), type=Summary) for row in tx.rows(_summaries, uid=uid)]


def maintained_at(tx: Tx, user_id: str) -> datetime | None:
    row = tx.one(_maintained_at, user=codec.key(user_id))
    return None if row is None or row[0] is None else codec.at_moment(row[0])


def due_for_maintenance(tx: Tx, before: datetime, limit: int) -> list[str]:
    return [codec.unkey(row[0]) for row in tx.rows(_due, before=codec.moment(before), most=max(0, limit))]


def batch(tx: Tx, sealer: codec.Sealer, after: int, most: int) -> list[tuple[int, StoredItem]]:
    """The next items of all users behind a place, with their places."""
    return [(row[0], stored_item(sealer, row[1:])) for row in tx.rows(_batch, after=after, most=most)]


def stored_item(sealer: codec.Sealer, row: Sequence[bytes]) -> StoredItem:
    body, vector, terms = row
    if body[:1] == codec.SEALED:
        body, vector, terms = (sealer.unseal(column) for column in row)
    return StoredItem(decode_item(body), codec.to_vector(vector), codec.to_terms(terms))


def batches(read: Any, sealer: codec.Sealer, most: int = 500) -> Iterator[StoredItem]:
    """All items, a short transaction per batch."""
    page = read(lambda tx: batch(tx, sealer, -1, most))
    while page:
        yield from (stored for _, stored in page)
        page = read(lambda tx, after=page[-1][0]: batch(tx, sealer, after, most))
