"""What the index has not seen yet: the SQL behind the publisher. No rule may live here."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import bindparam as b

from hermes_core.ports import OutboxRow
from hermes_core.stores.sql import codec
from hermes_core.stores.sql.database import Tx
from hermes_core.stores.sql.memory import stored_item
from hermes_core.stores.sql.schema import items, outbox, users

_waiting = (
    sa.select(outbox.c.id, users.c.user_id, outbox.c.item_id, items.c.body, items.c.vector, items.c.terms)
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


def waiting(tx: Tx, sealer: codec.Sealer, limit: int) -> list[OutboxRow]:
    """The oldest rows with the items as they are now."""
    return [
        OutboxRow(
            row[0], codec.unkey(row[1]), codec.unkey(row[2]), None if row[3] is None else stored_item(sealer, row[3:])
        )
        for row in tx.rows(_waiting, most=max(0, limit))
    ]


def settle(tx: Tx, row_ids: Sequence[int]) -> None:
    """Delete by id: on PostgreSQL the order of commits is not the order of numbers, so no watermark can serve."""
    tx.many(_settle, [{"row": row_id} for row_id in row_ids])


def count(tx: Tx) -> int:
    return int(tx.one(_count)[0])
