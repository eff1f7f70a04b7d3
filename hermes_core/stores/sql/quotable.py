"""Search data of the user's own turns that may be quoted (R4): written with their ingestion, erased with their text.

The words stay in the turns table; here are only vector and terms, by the turn's own key. No rule may live here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sqlalchemy as sa
from sqlalchemy import bindparam as b

from hermes_core.items import Turn
from hermes_core.ports import Quotable, SearchTable, StoredTurn
from hermes_core.stores.sql import codec
from hermes_core.stores.sql.database import Tx
from hermes_core.stores.sql.schema import SPAN, quotable, turns
from hermes_core.stores.sql.turns import span, to_turn, uid_of

_PLAIN = b"\x00"
_put = sa.insert(quotable).values({name: b(name) for name in ("id", "private", "vector", "terms")})
_drop_one = sa.delete(quotable).where(quotable.c.id == b("place"))
_drop_range = sa.delete(quotable).where(quotable.c.id.between(b("low"), b("high")))
_load = (
    sa.select(
        turns.c.id,
        turns.c.turn_id,
        turns.c.session_id,
        turns.c.role,
        turns.c.said_at,
        turns.c.body,
        quotable.c.private,
        quotable.c.vector,
        quotable.c.terms,
    )
    .select_from(quotable.join(turns, turns.c.id == quotable.c.id))
    .where(quotable.c.id.between(b("low"), b("high")))
    .order_by(quotable.c.id)
)


def encoded(sealer: codec.Sealer, stored: Sequence[StoredTurn]) -> list[dict[str, Any]]:
    """Rows without their user, made before the transaction begins. Half floats: a ranking needs no more."""
    return [
        {
            "seq": one.turn.seq,
            "private": int(one.private),
            "vector": close(sealer, np.asarray(one.vector, dtype="<f2").tobytes()),
            "terms": close(sealer, codec.terms_bytes(one.terms)),
        }
        for one in stored
        if one.turn.seq
    ]


def close(sealer: codec.Sealer, blob: bytes) -> bytes:
    """Sealed, or marked as plain: numbers may begin with any byte."""
    return sealer.close(blob) if sealer.active else _PLAIN + blob


def opened(sealer: codec.Sealer, column: bytes) -> bytes:
    return bytes(column[1:]) if column[:1] == _PLAIN else sealer.unseal(column)


def put(tx: Tx, uid: int, rows: Sequence[dict[str, Any]], most: int) -> None:
    """Write the rows (again is the same) and let go of what is not among the user's latest `most` turns."""
    if not rows:
        return
    for row in rows:
        place = uid * SPAN + row["seq"]
        tx.run(_drop_one, place=place)
        tx.run(_put, id=place, private=row["private"], vector=row["vector"], terms=row["terms"])
    oldest = max(row["seq"] for row in rows) - most
    if oldest > 0:
        tx.run(_drop_range, low=uid * SPAN, high=uid * SPAN + oldest)


def load(tx: Tx, sealer: codec.Sealer, user_id: str) -> Quotable:
    """The user's quotable turns, oldest first."""
    uid = uid_of(tx, user_id)
    rows = [] if uid is None else tx.rows(_load, **span(uid))
    found: list[Turn] = []
    private: set[str] = set()
    vectors: list[bytes] = []
    terms: list[bytes] = []
    for row in rows:
        turn = to_turn(sealer, user_id, row)
        found.append(turn)
        if row[6]:
            private.add(turn.id)
        vectors.append(opened(sealer, row[7]))
        terms.append(opened(sealer, row[8]))
    return Quotable(tuple(found), _table(tuple(turn.id for turn in found), vectors, terms), frozenset(private))


def _table(ids: tuple[str, ...], vectors: Sequence[bytes], terms: Sequence[bytes]) -> SearchTable:
    width = len(vectors[0]) // 2 if vectors else 0
    matrix = np.frombuffer(b"".join(vectors), dtype="<f2").astype(np.float32).reshape(len(ids), width)
    offsets = np.zeros(len(ids) + 1, dtype=np.int64)
    np.cumsum([len(blob) // 4 for blob in terms], out=offsets[1:])
    return SearchTable(ids, matrix, np.frombuffer(b"".join(terms), dtype="<u4"), offsets)


def drop(tx: Tx, place: int) -> None:
    """A turn whose words were erased can't be found any more (law E)."""
    tx.run(_drop_one, place=place)


def drop_all(tx: Tx, uid: int) -> None:
    tx.run(_drop_range, **span(uid))
