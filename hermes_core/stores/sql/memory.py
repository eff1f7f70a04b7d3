"""Items, trail, versions: the SQL behind load and commit. No rule may live here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
import sqlalchemy as sa
from sqlalchemy import bindparam as b

from hermes_core.changes import Change
from hermes_core.errors import OwnerMismatch, StoreDamaged, VersionConflict
from hermes_core.items import MemoryItem, PackedItems, Pool, decode_item, encode_item
from hermes_core.ports import Commit, LoadedUser, SearchTable, StoredItem, Summary
from hermes_core.stores.sql import codec
from hermes_core.stores.sql.database import Tx
from hermes_core.stores.sql.schema import SPAN, changes, items, outbox, summaries, tombstones, users
from hermes_core.stores.sql.turns import ensure_user, ingested, outcome_row, span, uid_of
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
    rows.sort(key=lambda r: (r[2], r[1]))  # live before cold, each in the order of its last change
    if sealer.active or any(r[3][:1] == codec.SEALED for r in rows):
        rows = [_unsealed(sealer, r) for r in rows]
    split = next((n for n, r in enumerate(rows) if r[2]), len(rows))
    live = codec.to_items([r[3] for r in rows[:split]])
    archive = PackedItems({codec.unkey(r[0]): r[3] for r in rows[split:]})
    table = search_table([codec.unkey(r[0]) for r in rows], [r[4] for r in rows], [r[5] for r in rows])
    return LoadedUser(UserState(user_id, row[1], {item.id: item for item in live}, archive), table)


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


# -- commit


def _names(table: sa.Table) -> list[str]:
    return [column.name for column in table.columns]


_lock_user = sa.select(users.c.uid, users.c.version, users.c.change_seq, users.c.item_seq).where(
    users.c.user_id == b("user")
)
_lock_user_row = _lock_user.with_for_update()
_advance = (
    sa.update(users)
    .where(users.c.uid == b("number"))
    .values(version=b("now"), change_seq=b("last_change"), item_seq=b("last_item"))
)
_maintained = sa.update(users).where(users.c.uid == b("number")).values(maintained_at=b("moment"))
_insert_change = sa.insert(changes).values({name: b(name) for name in _names(changes)})
_find_item = sa.select(items.c.id).where(items.c.uid == b("uid"), items.c.item_id == b("item"))
_insert_item = sa.insert(items).values({name: b(name) for name in _names(items)})
_update_item = (
    sa.update(items)
    .where(items.c.id == b("place"))
    .values({name: b("new_" + name) for name in _names(items) if name not in ("id", "uid", "item_id")})
)
_drop_item = sa.delete(items).where(items.c.uid == b("number"), items.c.item_id == b("item"))
outdated = sa.insert(outbox).values(uid=b("uid"), item_id=b("item_id"), erase=b("erase"))
_has_tombstone = sa.select(tombstones.c.at).where(tombstones.c.uid == b("uid"), tombstones.c.digest == b("digest"))
_add_tombstone = sa.insert(tombstones).values(uid=b("uid"), digest=b("digest"), at=b("at"))
_later_tombstone = (
    sa.update(tombstones)
    .where(tombstones.c.uid == b("number"), tombstones.c.digest == b("name"), tombstones.c.at < b("moment"))
    .values(at=b("moment"))
)
_drop_summary = sa.delete(summaries).where(summaries.c.uid == b("number"), summaries.c.session_id == b("session"))
_add_summary = sa.insert(summaries).values(uid=b("uid"), session_id=b("session_id"), body=b("body"))


class Encoded:
    """What a commit will write, encoded before the transaction begins, so that the lock is held briefly."""

    def __init__(self, sealer: codec.Sealer, commit: Commit) -> None:
        check_owner(commit)
        images: dict[int, bytes] = {}
        self.changes = [_change_row(sealer, change, images) for change in commit.changes]
        self.items = [_item_row(sealer, stored, images) for stored in commit.put]
        self.summaries = [
            {"session_id": codec.key(s.session_id), "body": sealer.close(msgspec.json.encode(s))}
            for s in commit.summaries
        ]


def check_owner(commit: Commit) -> None:
    """Law O: nothing in a commit may belong to another user."""
    owners = {change.user_id for change in commit.changes} | {stored.item.user_id for stored in commit.put}
    owners |= {summary.user_id for summary in commit.summaries}
    if owners - {commit.user_id}:
        raise OwnerMismatch(f"a commit for user {commit.user_id!r} holds rows of {sorted(owners - {commit.user_id})}")


def _image(item: MemoryItem, images: dict[int, bytes]) -> bytes:
    found = images.get(id(item))
    if found is None:
        found = images[id(item)] = encode_item(item)
    return found


def _change_row(sealer: codec.Sealer, change: Change, images: dict[int, bytes]) -> dict[str, Any]:
    hide = sealer.hides(change.after)
    image = None if change.after is None else sealer.close(_image(change.after, images), hide)
    return {
        "at": codec.moment(change.cause.at),
        "item_id": None if change.item_id is None else codec.key(change.item_id),
        "turn_id": None if change.cause.turn_id is None else codec.key(change.cause.turn_id),
        "body": sealer.close(codec.change_bytes(change), hide),
        "image": image,
    }


def _item_row(sealer: codec.Sealer, stored: StoredItem, images: dict[int, bytes]) -> dict[str, Any]:
    item, hide = stored.item, sealer.hides(stored.item)
    return {
        "item_id": codec.key(item.id),
        "cold": int(item.pool is Pool.COLD),
        "status": str(item.status),
        "kind": str(item.kind),
        "slot": "" if hide else codec.key(item.slot),
        "body": sealer.close(_image(item, images), hide),
        "vector": sealer.close(codec.vector_bytes(stored.vector), hide),
        "terms": sealer.close(codec.terms_bytes(stored.terms), hide),
    }


def commit(tx: Tx, sealer: codec.Sealer, commit: Commit, encoded: Encoded, *, erasing: bool = False) -> int:
    uid, current, change_seq, item_seq = _locked(tx, commit)
    if commit.outcomes:
        _mark_ingested(tx, sealer, commit, uid)
    reached = current + 1 if commit.changes else current
    rows = [
        row | {"id": uid * SPAN + change_seq + n, "version": reached} for n, row in enumerate(encoded.changes, start=1)
    ]
    tx.many(_insert_change, rows)
    last = change_seq + len(rows)
    placed = _put_items(tx, uid, item_seq, encoded, {row["item_id"]: row["id"] % SPAN for row in rows}, last)
    dropped = [codec.key(item_id) for item_id in commit.drop]
    tx.many(_drop_item, [{"number": uid, "item": item} for item in dropped])
    touched = dict.fromkeys([row["item_id"] for row in encoded.items] + dropped)
    tx.many(outdated, [{"uid": uid, "item_id": item, "erase": int(erasing)} for item in touched])
    if rows or placed != item_seq:
        tx.run(_advance, number=uid, now=reached, last_change=last, last_item=placed)
    _put_rest(tx, uid, commit, encoded)
    return reached


def _locked(tx: Tx, commit: Commit) -> tuple[int, int, int, int]:
    """The user's row, held until the transaction ends; VersionConflict when the version moved."""
    statement = _lock_user_row if tx.on_postgres else _lock_user
    row = tx.one(statement, user=codec.key(commit.user_id))
    if row is None:
        ensure_user(tx, commit.user_id)
        row = tx.one(statement, user=codec.key(commit.user_id))
    if row[1] != commit.expected_version:
        raise VersionConflict(f"user {commit.user_id!r} is at version {row[1]}, not {commit.expected_version}")
    uid, version, change_seq, item_seq = row
    return uid, version, change_seq, item_seq


def _mark_ingested(tx: Tx, sealer: codec.Sealer, commit: Commit, uid: int) -> None:
    rows = [outcome_row(sealer, uid, o.turn_id, o.by, o.note) for o in commit.outcomes]
    if tx.many(ingested, rows) != len(rows):
        raise VersionConflict(f"a turn of user {commit.user_id!r} in this commit is not pending any more")


def _put_items(tx: Tx, uid: int, item_seq: int, encoded: Encoded, seqs: dict[Any, int], last: int) -> int:
    """Insert or update each item; the last place used."""
    fresh: list[dict[str, Any]] = []
    for row in encoded.items:
        touched = seqs.get(row["item_id"], last)
        place = tx.one(_find_item, uid=uid, item=row["item_id"])
        if place is None:
            item_seq += 1
            fresh.append(row | {"id": uid * SPAN + item_seq, "uid": uid, "touched": touched})
        else:
            new = {"new_" + name: value for name, value in row.items() if name != "item_id"}
            tx.run(_update_item, place=place[0], new_touched=touched, **new)
    tx.many(_insert_item, fresh)
    return item_seq


def _put_rest(tx: Tx, uid: int, commit: Commit, encoded: Encoded) -> None:
    for stone in commit.tombstones:
        if tx.one(_has_tombstone, uid=uid, digest=codec.key(stone.digest)) is None:
            tx.run(_add_tombstone, uid=uid, digest=codec.key(stone.digest), at=codec.moment(stone.at))
        else:
            tx.run(_later_tombstone, number=uid, name=codec.key(stone.digest), moment=codec.moment(stone.at))
    for row in encoded.summaries:
        tx.run(_drop_summary, number=uid, session=row["session_id"])
        tx.run(_add_summary, uid=uid, **row)
    if commit.maintained_at is not None:
        tx.run(_maintained, number=uid, moment=codec.moment(commit.maintained_at))


# -- the trail

_first_after = sa.select(sa.func.min(changes.c.version)).where(
    changes.c.id.between(b("low"), b("high")), changes.c.at > b("moment")
)


@lru_cache(maxsize=16)
def _trail(by_item: bool, by_version: bool, by_turn: bool, limited: bool) -> Any:
    query = sa.select(changes.c.id, changes.c.version, changes.c.body, changes.c.image).where(
        changes.c.id.between(b("low"), b("high"))
    )
    if by_item:
        query = query.where(changes.c.item_id == b("item"))
    if by_version:
        query = query.where(changes.c.version <= b("version"))
    if by_turn:
        query = query.where(changes.c.turn_id == b("turn"))
    query = query.order_by(changes.c.id.desc())
    return query.limit(b("most", type_=sa.Integer)) if limited else query


def trail(
    tx: Tx,
    sealer: codec.Sealer,
    user_id: str,
    item_id: str | None,
    up_to_version: int | None,
    turn_id: str | None,
    limit: int | None,
) -> list[Change]:
    uid = uid_of(tx, user_id)
    if uid is None:
        return []
    params: dict[str, Any] = dict(span(uid))
    if item_id is not None:
        params["item"] = codec.key(item_id)
    if up_to_version is not None:
        params["version"] = up_to_version
    if turn_id is not None:
        params["turn"] = codec.key(turn_id)
    if limit is not None:
        params["most"] = max(0, limit)
    rows = tx.rows(
        _trail(item_id is not None, up_to_version is not None, turn_id is not None, limit is not None), **params
    )
    return [to_change(sealer, row) for row in reversed(rows)]


def to_change(sealer: codec.Sealer, row: Sequence[Any]) -> Change:
    number, at_version, body, image = row
    after = None if image is None else decode_item(sealer.open(image))
    change = codec.to_change(sealer.open(body))
    return msgspec.structs.replace(change, after=after, version=at_version, seq=number % SPAN)


def version_at(tx: Tx, user_id: str, moment: datetime) -> int:
    row = tx.one(_user, user=codec.key(user_id))
    if row is None:
        return 0
    first = tx.one(_first_after, **span(row[0]), moment=codec.moment(moment))[0]
    return int(row[1] if first is None else first - 1)


# -- the rest

_digests = sa.select(tombstones.c.digest, tombstones.c.at).where(tombstones.c.uid == b("uid"))
_summaries = sa.select(summaries.c.body).where(summaries.c.uid == b("uid")).order_by(summaries.c.session_id)
_maintained_at = sa.select(users.c.maintained_at).where(users.c.user_id == b("user"))
_any_item = sa.exists(sa.select(items.c.id).where(items.c.uid == users.c.uid).correlate(users))
_due = (
    sa.select(users.c.user_id)
    .where(_any_item, sa.or_(users.c.maintained_at.is_(None), users.c.maintained_at < b("before")))
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
