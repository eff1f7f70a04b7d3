"""The trail's reads: what happened, and which version held when. No rule may live here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam as b

from hermes_core.changes import Change
from hermes_core.items import decode_item
from hermes_core.stores.sql import codec
from hermes_core.stores.sql.database import Tx
from hermes_core.stores.sql.schema import SPAN, changes, users
from hermes_core.stores.sql.turns import span, uid_of

_user = sa.select(users.c.uid, users.c.version).where(users.c.user_id == b("user"))
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


def listed(
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
