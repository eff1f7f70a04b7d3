"""Forgetting in SQL (C6, law E): redact in the same transaction, then leave no byte of it in any file."""

from __future__ import annotations

import secrets
import time
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam as b

from hermes_core.errors import StoreError
from hermes_core.items import decode_item, encode_item
from hermes_core.ports import Redaction, Summary
from hermes_core.stores.redact import Redactor
from hermes_core.stores.sql import codec, quotable
from hermes_core.stores.sql.committing import Encoded, commit, outdated
from hermes_core.stores.sql.database import BUSY_SECONDS, Database, Tx
from hermes_core.stores.sql.schema import changes, items, meta, summaries, turns, users
from hermes_core.stores.sql.trail import to_change
from hermes_core.stores.sql.turns import span, to_turn, uid_of

VACUUM_BYTES = 64 * 1024 * 1024  # a larger file is not rewritten: secure_delete has overwritten what was deleted
REWRITE_BYTES = 1024 * 1024 * 1024  # of a PostgreSQL table with its indexes
_SCRUB = "scrub_pending"
_TOUCHED = ("turns", "quotable", "items", "changes", "summaries", "outbox")

_range: tuple[Any, Any] = (b("low"), b("high"))
_turns = sa.select(
    turns.c.id,
    turns.c.turn_id,
    turns.c.session_id,
    turns.c.role,
    turns.c.said_at,
    turns.c.body,
    turns.c.note,
    turns.c.reason,
).where(turns.c.id.between(*_range))
_blot_turn = sa.update(turns).where(turns.c.id == b("place")).values(body=b("text"), note=b("about"), reason=b("why"))
_changes = sa.select(changes.c.id, changes.c.version, changes.c.body, changes.c.image).where(
    changes.c.id.between(*_range)
)
_blot_change = sa.update(changes).where(changes.c.id == b("place")).values(body=b("text"), image=b("picture"))
_items = sa.select(items.c.id, items.c.item_id, items.c.body).where(items.c.id.between(*_range))
_blot_item = sa.update(items).where(items.c.id == b("place")).values(body=b("text"))
_summaries = sa.select(summaries.c.session_id, summaries.c.body).where(summaries.c.uid == b("number"))
_this_summary = sa.and_(summaries.c.uid == b("number"), summaries.c.session_id == b("session"))
_blot_summary = sa.update(summaries).where(_this_summary).values(body=b("text"))
_drop_summary = sa.delete(summaries).where(_this_summary)
_drop_turns = sa.delete(turns).where(turns.c.id.between(*_range))
_drop_items = sa.delete(items).where(items.c.id.between(*_range))
_drop_changes = sa.delete(changes).where(changes.c.id.between(*_range), changes.c.version < b("reached"))
_drop_summaries = sa.delete(summaries).where(summaries.c.uid == b("number"))
_erased = sa.update(users).where(users.c.uid == b("number")).values(erased_version=b("reached"))
_mark = sa.insert(meta).values(key=b("key"), value=b("value"))
_unmark = sa.delete(meta).where(meta.c.key == b("name"))
_unmark_same = _unmark.where(meta.c.value == b("found"))
_marked = sa.select(meta.c.value).where(meta.c.key == b("name"))


def erase(tx: Tx, sealer: codec.Sealer, redaction: Redaction, encoded: Encoded) -> int:
    """Commit, then redact what the user's rows still say. A whole user keeps only version and tombstones."""
    reached = commit(tx, sealer, redaction.commit, encoded, erasing=True)
    uid = uid_of(tx, redaction.commit.user_id)
    if uid is None:
        return reached
    tx.run(_erased, number=uid, reached=reached)
    redactor = Redactor(redaction)
    if redaction.whole_user:
        _drop_user(tx, uid, reached)
    _blot_turns(tx, sealer, uid, redactor)
    _blot_changes(tx, sealer, uid, redactor)
    _blot_items(tx, sealer, uid, redactor)
    _blot_summaries(tx, sealer, uid, redactor)
    tx.run(_unmark, name=_SCRUB)
    tx.run(_mark, key=_SCRUB, value=secrets.token_bytes(8))
    return reached


def _drop_user(tx: Tx, uid: int, reached: int) -> None:
    gone = [{"uid": uid, "item_id": row[1], "erase": 1} for row in tx.rows(_items, **span(uid))]
    tx.many(outdated, gone)
    quotable.drop_all(tx, uid)
    for statement in (_drop_turns, _drop_items):
        tx.run(statement, **span(uid))
    tx.run(_drop_changes, **span(uid), reached=reached)
    tx.run(_drop_summaries, number=uid)


def _blot_turns(tx: Tx, sealer: codec.Sealer, uid: int, redactor: Redactor) -> None:
    for row in tx.rows(_turns, **span(uid)):
        turn = to_turn(sealer, "", row)
        after = redactor.turn(turn)
        note, reason = (None if r is None else codec.unwords(sealer.open(r)) for r in row[6:8])
        remarks = [None if r is None else redactor.remark(turn, r) for r in (note, reason)]
        if after is turn and remarks == [note, reason]:
            continue
        sealed = [None if r is None else sealer.close(codec.words(r)) for r in remarks]
        text = sealer.close(codec.words(after.text))
        tx.run(_blot_turn, place=row[0], text=text, about=sealed[0], why=sealed[1])
        if after is not turn:
            quotable.drop(tx, row[0])


def _blot_changes(tx: Tx, sealer: codec.Sealer, uid: int, redactor: Redactor) -> None:
    for row in tx.rows(_changes, **span(uid)):
        change = to_change(sealer, row)
        after = redactor.change(change)
        if after is change:
            continue
        hide = row[2][:1] == codec.SEALED
        image = None if after.after is None else sealer.close(encode_item(after.after), hide)
        tx.run(_blot_change, place=row[0], text=sealer.close(codec.change_bytes(after), hide), picture=image)


def _blot_items(tx: Tx, sealer: codec.Sealer, uid: int, redactor: Redactor) -> None:
    for place, item_id, body in tx.rows(_items, **span(uid)):
        item = decode_item(sealer.open(body))
        after = redactor.item(item)
        if after is not item:
            tx.run(_blot_item, place=place, text=sealer.close(encode_item(after), body[:1] == codec.SEALED))
            tx.run(outdated, uid=uid, item_id=item_id, erase=1)


def _blot_summaries(tx: Tx, sealer: codec.Sealer, uid: int, redactor: Redactor) -> None:
    for session, body in tx.rows(_summaries, number=uid):
        summary = msgspec.json.decode(sealer.open(body), type=Summary)
        after = redactor.summary(summary)
        if after is None:
            tx.run(_drop_summary, number=uid, session=session)
        elif after is not summary:
            tx.run(_blot_summary, number=uid, session=session, text=sealer.close(msgspec.json.encode(after)))


# -- the bytes


def scrub_if_due(database: Database) -> None:
    """Finish what a crash between an erase's commit and its scrub left behind."""
    if database.look(lambda tx: tx.one(_marked, name=_SCRUB)) is not None:
        scrub(database)


def scrub(database: Database, vacuum_bytes: int = VACUUM_BYTES) -> None:
    """No erased byte remains in free pages or the write-ahead log. StoreError when a reader blocks it for too long."""
    marked = database.look(lambda tx: tx.one(_marked, name=_SCRUB))
    if database.on_postgres:
        for table in _TOUCHED:
            database.alone(lambda tx, table=table: _vacuum(tx, table))  # type: ignore[misc]
    else:
        _checkpoint(database)
        if database.alone(_size) <= vacuum_bytes:
            database.alone(lambda tx: tx.cursor.execute("VACUUM"))
    if marked is not None:  # a mark set since then is another erase's, whose bytes may still be there
        database.write(lambda tx: tx.run(_unmark_same, name=_SCRUB, found=bytes(marked[0])))
    if not database.on_postgres:
        _checkpoint(database)


def _vacuum(tx: Tx, table: str) -> None:
    """Written anew without dead rows, which locks the table for as long; a large one is only cleaned (docs/privacy.md)."""
    size = tx.cursor.execute(f"SELECT pg_total_relation_size('{table}')").fetchone()[0]
    tx.cursor.execute(f"VACUUM {'FULL ' if size <= REWRITE_BYTES else ''}{table}")


def _size(tx: Tx) -> int:
    pages = tx.cursor.execute("PRAGMA page_count").fetchone()[0]
    return int(pages * tx.cursor.execute("PRAGMA page_size").fetchone()[0])


def _checkpoint(database: Database) -> None:
    """Bring the log into the file and cut it to nothing; readers in its way are waited for."""
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        busy: Any = database.alone(lambda tx: tx.cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
        if not busy:
            return
        if time.monotonic() > give_up:
            raise StoreError(
                f"{database.name}: what was forgotten is gone from the store, but a reader keeps its bytes in the "
                f"write-ahead log for {BUSY_SECONDS:g} s now; close other programs that read the file and open it again"
            )
        time.sleep(0.02)
