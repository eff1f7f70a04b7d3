"""What the index has not seen yet: the SQL behind the publisher. No rule may live here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam as b
from sqlalchemy.dialects import postgresql, sqlite

from hermes_core.ports import OUTBOX_PER_ITEM, OutboxRow
from hermes_core.stores.sql import codec
from hermes_core.stores.sql.database import Tx
from hermes_core.stores.sql.memory import stored_item
from hermes_core.stores.sql.schema import items, leases, outbox, users

_waiting = (
    sa.select(
        outbox.c.id, users.c.user_id, outbox.c.item_id, items.c.body, items.c.vector, items.c.terms, outbox.c.erase
    )
    .select_from(
        outbox.join(users, users.c.uid == outbox.c.uid).outerjoin(
            items, sa.and_(items.c.uid == outbox.c.uid, items.c.item_id == outbox.c.item_id)
        )
    )
    .order_by(outbox.c.id)
    .limit(b("most", type_=sa.Integer))
)
_settle = sa.delete(outbox).where(outbox.c.id == b("row"))
_count = sa.select(sa.func.count()).select_from(outbox)
_changed = _count.where(outbox.c.erase == 0)
_items = sa.select(sa.func.count()).select_from(items)
_trim = sa.delete(outbox).where(outbox.c.erase == 0)


def waiting(tx: Tx, sealer: codec.Sealer, limit: int) -> list[OutboxRow]:
    """The oldest rows with the items as they are now."""
    return [_row(sealer, row) for row in tx.rows(_waiting, most=max(0, limit))]


def _row(sealer: codec.Sealer, row: Sequence[Any]) -> OutboxRow:
    stored = None if row[3] is None else stored_item(sealer, row[3:6])
    return OutboxRow(row[0], codec.unkey(row[1]), codec.unkey(row[2]), stored, bool(row[6]))


def settle(tx: Tx, row_ids: Sequence[int]) -> None:
    """Delete by id: on PostgreSQL the order of commits is not the order of numbers, so no watermark can serve."""
    tx.many(_settle, [{"row": row_id} for row_id in row_ids])


def count(tx: Tx) -> int:
    return int(tx.one(_count)[0])


def trim(tx: Tx, most: int) -> int:
    """As Ledger.trim_outbox, but for its mark. Items are counted only where there is much: that looks through them all."""
    waiting = int(tx.one(_changed)[0])
    if waiting <= most or waiting <= OUTBOX_PER_ITEM * int(tx.one(_items)[0]):
        return 0
    return int(tx.run(_trim).rowcount)


@lru_cache(maxsize=2)
def _take(on_postgres: bool) -> Any:
    insert = postgresql.insert if on_postgres else sqlite.insert
    take = insert(leases).values(name=b("name"), holder=b("holder"), until=b("until"))
    free = sa.or_(leases.c.until <= b("now"), leases.c.holder == take.excluded.holder)
    return take.on_conflict_do_update(
        index_elements=["name"], set_={"holder": take.excluded.holder, "until": take.excluded.until}, where=free
    )


def lease(tx: Tx, name: str, holder: str, now: datetime, seconds: float) -> bool:
    until = codec.moment(now + timedelta(seconds=seconds))
    done = tx.run(
        _take(tx.on_postgres), name=codec.key(name), holder=codec.key(holder), until=until, now=codec.moment(now)
    )
    return bool(done.rowcount == 1)


_holder = sa.select(leases.c.holder).where(leases.c.name == b("lease"))
_end = sa.delete(leases).where(leases.c.name == b("lease"), leases.c.holder == b("other"))


def lease_holder(tx: Tx, name: str) -> str | None:
    row = tx.one(_holder, lease=codec.key(name))
    return None if row is None else codec.unkey(row[0])


def end_lease(tx: Tx, name: str, holder: str) -> None:
    """Only this holder's: whoever took it over meanwhile keeps it."""
    tx.run(_end, lease=codec.key(name), other=codec.key(holder))
