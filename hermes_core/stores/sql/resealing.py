"""Seals every row anew with the store's present cipher (C8): after a rotation, or when a key came later.

No rule may live here; what is sealed is the Sealer's business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam as b

from hermes_core.items import decode_item
from hermes_core.stores.sql import codec
from hermes_core.stores.sql.database import Database, Tx
from hermes_core.stores.sql.quotable import close, opened
from hermes_core.stores.sql.schema import changes, items, quotable, summaries, turns

BATCH = 500
Rows = Sequence[Any]


def _page(table: sa.Table, *columns: str) -> Any:
    chosen = [table.c[name] for name in ("id", *columns)]
    return sa.select(*chosen).where(table.c.id > b("after")).order_by(table.c.id).limit(b("most", type_=sa.Integer))


def _put(table: sa.Table, *columns: str) -> Any:
    return sa.update(table).where(table.c.id == b("place")).values({name: b("new_" + name) for name in columns})


_TURN, _CHANGE, _ITEM = ("body", "note", "reason"), ("body", "image"), ("body", "vector", "terms")
_turns, _put_turn = _page(turns, *_TURN), _put(turns, *_TURN)
_changes, _put_change = _page(changes, *_CHANGE), _put(changes, *_CHANGE)
_items, _put_item = _page(items, *_ITEM), _put(items, *_ITEM, "slot")
_quotable, _put_quotable = _page(quotable, "vector", "terms"), _put(quotable, "vector", "terms")
_summaries = sa.select(summaries.c.uid, summaries.c.session_id, summaries.c.body)
_put_summary = (
    sa.update(summaries)
    .where(summaries.c.uid == b("number"), summaries.c.session_id == b("session"))
    .values(body=b("new_body"))
)


def reseal(database: Database, sealer: codec.Sealer) -> int:
    """The number of rows written; short transactions, so it may be stopped and run again."""
    done = _each(database, _turns, _put_turn, lambda row: _turn(sealer, row))
    done += _each(database, _changes, _put_change, lambda row: _change(sealer, row))
    done += _each(database, _items, _put_item, lambda row: _item(sealer, row))
    done += _each(database, _quotable, _put_quotable, lambda row: _search_data(sealer, row))
    return done + database.write(lambda tx: _all_summaries(tx, sealer))


def _each(database: Database, page: Any, put: Any, work: Callable[[Rows], dict[str, Any]]) -> int:
    def batch(tx: Tx, after: int) -> tuple[int, int]:
        rows = tx.rows(page, after=after, most=BATCH)
        tx.many(put, [{"place": row[0]} | work(row) for row in rows])
        return len(rows), rows[-1][0] if rows else after

    done, after = 0, -1
    while True:
        count, after = database.write(lambda tx, after=after: batch(tx, after))  # type: ignore[misc]
        done += count
        if count < BATCH:
            return done


def _turn(sealer: codec.Sealer, row: Rows) -> dict[str, Any]:
    fresh = [None if column is None else sealer.close(sealer.open(column)) for column in row[1:]]
    return dict(zip(("new_body", "new_note", "new_reason"), fresh, strict=True))


def _search_data(sealer: codec.Sealer, row: Rows) -> dict[str, Any]:
    vector, terms = (close(sealer, opened(sealer, column)) for column in row[1:])
    return {"new_vector": vector, "new_terms": terms}


def _change(sealer: codec.Sealer, row: Rows) -> dict[str, Any]:
    body, image = sealer.open(row[1]), None if row[2] is None else sealer.open(row[2])
    hide = sealer.hides(None if image is None else decode_item(image))
    return {"new_body": sealer.close(body, hide), "new_image": None if image is None else sealer.close(image, hide)}


def _item(sealer: codec.Sealer, row: Rows) -> dict[str, Any]:
    plain = [sealer.unseal(column) if row[1][:1] == codec.SEALED else column for column in row[1:]]
    item = decode_item(plain[0])
    hide = sealer.hides(item)
    fresh = dict(zip(("new_body", "new_vector", "new_terms"), (sealer.close(p, hide) for p in plain), strict=True))
    return fresh | {"new_slot": "" if hide else codec.key(item.slot)}


def _all_summaries(tx: Tx, sealer: codec.Sealer) -> int:
    rows = tx.rows(_summaries)
    fresh = [{"number": r[0], "session": r[1], "new_body": sealer.close(sealer.open(r[2]))} for r in rows]
    tx.many(_put_summary, fresh)
    return len(rows)
