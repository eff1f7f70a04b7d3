"""The one write of a user's memory: items, trail, outbox, outcomes in one transaction. No rule may live here."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam as b
from sqlalchemy.dialects import postgresql, sqlite

from hermes_core.changes import Change
from hermes_core.errors import VersionConflict
from hermes_core.items import MemoryItem, Pool, encode_item
from hermes_core.ports import Commit, StoredItem
from hermes_core.stores.checks import check_dimension, check_owner, other_dimension
from hermes_core.stores.sql import codec, quotable
from hermes_core.stores.sql.database import Tx
from hermes_core.stores.sql.schema import SPAN, changes, items, meta, outbox, summaries, tombstones, users
from hermes_core.stores.sql.turns import ensure_user, ingested, outcome_row


def _names(table: sa.Table) -> list[str]:
    return [column.name for column in table.columns]


DIMENSION = "vector_dimension"
_known_dimension = sa.select(meta.c.value).where(meta.c.key == b("name"))
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
        self.dimension = check_dimension(commit)
        self.quotable = quotable.encoded(sealer, commit.quotable)
        self.summaries = [
            {"session_id": codec.key(s.session_id), "body": sealer.close(msgspec.json.encode(s))}
            for s in commit.summaries
        ]


@lru_cache(maxsize=2)
def _set_dimension(on_postgres: bool) -> Any:
    insert = postgresql.insert if on_postgres else sqlite.insert
    return insert(meta).values(key=b("key"), value=b("value")).on_conflict_do_nothing()


def _same_dimension(tx: Tx, dimension: int | None) -> None:
    """I3: one store, one vector space; the first commit with items sets it."""
    if dimension is None:
        return
    row = tx.one(_known_dimension, name=DIMENSION)
    if row is None:
        tx.run(_set_dimension(tx.on_postgres), key=DIMENSION, value=str(dimension).encode())
    elif int(row[0]) != dimension:
        raise other_dimension(int(row[0]), dimension)


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
    _same_dimension(tx, encoded.dimension)
    if commit.outcomes:
        _mark_ingested(tx, sealer, commit, uid)
    reached = current + 1 if commit.changes or erasing else current  # an erase outdates every reader's copy
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
    if rows or placed != item_seq or erasing:
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
    quotable.put(tx, uid, encoded.quotable, commit.quotable_turns)
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
