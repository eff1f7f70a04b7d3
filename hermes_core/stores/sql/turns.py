"""Turns, leases and the queue: the SQL behind observe and the worker. No rule may live here."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from itertools import takewhile
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam as b
from sqlalchemy.dialects import postgresql, sqlite

from hermes_core.items import Turn
from hermes_core.ports import LAST_FROM, PendingTurn
from hermes_core.stores.sql import codec
from hermes_core.stores.sql.database import Tx
from hermes_core.stores.sql.schema import INGESTED, PENDING, SET_ASIDE, SPAN, turns, users

STATES = {PENDING: "pending", INGESTED: "ingested", SET_ASIDE: "set_aside"}
_READ_ROLES = frozenset({"user", "assistant"})  # other roles are kept, and never wait for an extractor

_uid = sa.select(users.c.uid).where(users.c.user_id == b("user"))
_new_user = sa.insert(users).values(user_id=b("user"))
_next_turn = (
    sa.update(users)
    .where(users.c.user_id == b("user"))
    .values(turn_seq=users.c.turn_seq + sa.literal_column("1"))
    .returning(users.c.uid, users.c.turn_seq)
)
_add = sa.insert(turns).values(
    {name: b(name) for name in ("id", "uid", "turn_id", "session_id", "role", "said_at", "arrived", "state", "body")}
    | {"attempts": sa.literal_column("0"), "retry_at": sa.literal_column("0")}
)
_columns = (
    turns.c.id,
    turns.c.turn_id,
    turns.c.session_id,
    turns.c.role,
    turns.c.said_at,
    turns.c.body,
)
_known = sa.select(*_columns).where(turns.c.uid == b("uid"), turns.c.turn_id == b("turn"))
_range = turns.c.id.between(b("low"), b("high"))


def uid_of(tx: Tx, user_id: str) -> int | None:
    row = tx.one(_uid, user=codec.key(user_id))
    return None if row is None else int(row[0])


def span(uid: int) -> dict[str, int]:
    """The first and the last primary key of a user's rows."""
    return {"low": uid * SPAN, "high": uid * SPAN + SPAN - 1}


def ensure_user(tx: Tx, user_id: str) -> None:
    """The user's row exists afterwards (two first writers at once included)."""
    if tx.one(_uid, user=codec.key(user_id)) is None:
        tx.run(_new_user_once(tx.on_postgres), user=codec.key(user_id))


@lru_cache(maxsize=2)
def _new_user_once(on_postgres: bool) -> Any:
    insert = postgresql.insert if on_postgres else sqlite.insert
    return insert(users).values(user_id=b("user")).on_conflict_do_nothing()


def add(tx: Tx, sealer: codec.Sealer, turn: Turn) -> Turn:
    user = codec.key(turn.user_id)
    row = tx.one(_next_turn, user=user)
    if row is None:
        ensure_user(tx, turn.user_id)
        row = tx.one(_next_turn, user=user)
    uid, seq = row
    known = tx.one(_known, uid=uid, turn=codec.key(turn.id))
    if known is not None:
        raise KnownTurn(to_turn(sealer, turn.user_id, known))
    tx.run(
        _add,
        id=uid * SPAN + seq,
        uid=uid,
        turn_id=codec.key(turn.id),
        session_id=codec.key(turn.session_id),
        role=codec.key(turn.role),
        said_at=codec.moment(turn.said_at),
        arrived=time.time_ns() // 1000,
        state=PENDING if turn.role in _READ_ROLES else INGESTED,
        body=sealer.close(codec.words(turn.text)),
    )
    return _placed(turn, seq)


class KnownTurn(Exception):
    """Rolls the transaction back: this turn id is stored already."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn


def _placed(turn: Turn, seq: int) -> Turn:
    return Turn(
        id=turn.id,
        user_id=turn.user_id,
        session_id=turn.session_id,
        role=turn.role,
        text=turn.text,
        said_at=turn.said_at.astimezone(timezone.utc),
        seq=seq,
    )


def to_turn(sealer: codec.Sealer, user_id: str, row: Any) -> Turn:
    number, turn_id, session_id, role, said_at, body = row[:6]
    return Turn(
        id=codec.unkey(turn_id),
        user_id=user_id,
        session_id=codec.unkey(session_id),
        role=codec.unkey(role),
        text=codec.unwords(sealer.open(body)),
        said_at=codec.at_moment(said_at),
        seq=number % SPAN,
    )


@lru_cache(maxsize=4)
def _list(by_session: bool, limited: bool) -> Any:
    query = sa.select(*_columns).where(_range)
    if by_session:
        query = query.where(turns.c.session_id == b("session"))
    query = query.order_by(turns.c.id.desc())
    return query.limit(b("most", type_=sa.Integer)) if limited else query


def listed(
    tx: Tx, sealer: codec.Sealer, user_id: str, session_id: str | None, limit: int | None, ids: Sequence[str] | None
) -> list[Turn]:
    uid = uid_of(tx, user_id)
    if uid is None or (limit is not None and limit <= 0):
        return []
    if ids is not None:
        found = [tx.one(_known, uid=uid, turn=codec.key(turn_id)) for turn_id in dict.fromkeys(ids)]
        chosen = sorted((to_turn(sealer, user_id, row) for row in found if row is not None), key=lambda t: t.seq)
        chosen = [t for t in chosen if session_id is None or t.session_id == session_id]
        return chosen if limit is None else chosen[-limit:]
    params: dict[str, Any] = dict(span(uid))
    if session_id is not None:
        params["session"] = codec.key(session_id)
    if limit is not None:
        params["most"] = limit
    rows = tx.rows(_list(session_id is not None, limit is not None), **params)
    return [to_turn(sealer, user_id, row) for row in reversed(rows)]


_sessions = sa.select(turns.c.session_id).where(_range).group_by(turns.c.session_id).order_by(sa.func.min(turns.c.id))


def sessions(tx: Tx, user_id: str) -> list[str]:
    """In the order of their first turns."""
    uid = uid_of(tx, user_id)
    return [] if uid is None else [codec.unkey(row[0]) for row in tx.rows(_sessions, **span(uid))]


# -- the queue

_pending = (
    sa.select(*_columns, turns.c.attempts)
    .where(_range, turns.c.state == sa.literal_column("0"), turns.c.retry_at <= b("due"))
    .order_by(turns.c.id)
    .limit(b("most", type_=sa.Integer))
)
_count_all = sa.select(sa.func.count()).select_from(turns).where(turns.c.state == sa.literal_column("0"))
_count_one = _count_all.where(_range)
_ALWAYS = (1 << 63) - 1

_due_turn = sa.and_(turns.c.state == sa.literal_column("0"), turns.c.retry_at <= b("now"))
_free_user = sa.or_(users.c.lease_by.is_(None), users.c.lease_until <= b("now"), users.c.lease_by == b("worker"))
_next_due = (
    sa.select(users.c.uid, users.c.user_id, users.c.lease_by)
    .select_from(turns.join(users, users.c.uid == turns.c.uid))
    .where(_due_turn, _free_user)
    .order_by(turns.c.arrived)
    .limit(sa.literal_column("1"))
)
_next_due_locked = _next_due.with_for_update(of=users, skip_locked=True)
_this_due = (
    sa.select(users.c.uid, users.c.user_id, users.c.lease_by)
    .where(
        users.c.user_id == b("user"),
        _free_user,
        sa.exists(sa.select(turns.c.id).where(turns.c.id.between(b("low"), b("high")), _due_turn)),
    )
    .limit(sa.literal_column("1"))
)
_this_due_locked = _this_due.with_for_update(of=users, skip_locked=True)
_lease = sa.update(users).where(users.c.uid == b("number")).values(lease_by=b("worker"), lease_until=b("until"))
_release = (
    sa.update(users)
    .where(users.c.user_id == b("user"), users.c.lease_by == b("worker"))
    .values(lease_by=sa.null(), lease_until=sa.literal_column("0"))
)


def pending(tx: Tx, sealer: codec.Sealer, user_id: str, now: datetime | None, limit: int) -> list[PendingTurn]:
    uid = uid_of(tx, user_id)
    if uid is None:
        return []
    due = _ALWAYS if now is None else codec.moment(now)
    rows = tx.rows(_pending, **span(uid), due=due, most=limit)
    return [PendingTurn(to_turn(sealer, user_id, row), row[6]) for row in rows]


def pending_count(tx: Tx, user_id: str | None) -> int:
    if user_id is None:
        return int(tx.one(_count_all)[0])
    uid = uid_of(tx, user_id)
    return 0 if uid is None else int(tx.one(_count_one, **span(uid))[0])


def look_for_due(
    tx: Tx, worker: str, now: datetime, user_id: str | None, *, lock: bool
) -> tuple[int, str, str | None] | None:
    """The user to lease next, and who held it before; `lock` keeps other workers off its row until the transaction ends."""
    params: dict[str, Any] = {"now": codec.moment(now), "worker": codec.key(worker)}
    if user_id is None:
        row = tx.one(_next_due_locked if lock else _next_due, **params)
    else:
        uid = uid_of(tx, user_id)
        if uid is None:
            return None
        statement = _this_due_locked if lock else _this_due
        row = tx.one(statement, user=codec.key(user_id), **params, **span(uid))
    return None if row is None else (int(row[0]), codec.unkey(row[1]), row[2])


def lease(tx: Tx, worker: str, now: datetime, seconds: float, user_id: str | None) -> str | None:
    found = look_for_due(tx, worker, now, user_id, lock=True)
    if found is None:
        return None
    if found[2] not in (None, codec.key(worker)):
        _count_crash(tx, found[0], now)
    until = codec.moment(now + timedelta(seconds=seconds))
    tx.run(_lease, number=found[0], worker=codec.key(worker), until=until)
    return found[1]


_held = sa.select(users.c.uid, users.c.user_id, users.c.lease_by).where(
    users.c.lease_by.is_not(None),
    users.c.uid.in_(sa.select(turns.c.uid).where(turns.c.state == sa.literal_column("0"))),
)
_in_hand = (
    sa.select(turns.c.id, turns.c.session_id, turns.c.attempts, turns.c.ingested_by)
    .where(_range, _due_turn)
    .order_by(turns.c.id)
    .limit(sa.literal_column("64"))
)
_crashed = (
    sa.update(turns)
    .where(turns.c.id == b("place"))
    .values(attempts=turns.c.attempts + sa.literal_column("1"), ingested_by=sa.null())
)


def held_leases(tx: Tx) -> list[tuple[int, str, str]]:
    """User number, user and holder, of users with waiting turns."""
    return [(row[0], codec.unkey(row[1]), codec.unkey(row[2])) for row in tx.rows(_held)]


def free(tx: Tx, uid: int, user_id: str, holder: str, now: datetime) -> bool:
    """End the lease of a holder that died; False when somebody else has taken it over."""
    done = tx.run(_release, user=codec.key(user_id), worker=codec.key(holder)).rowcount == 1
    if done:
        _count_crash(tx, uid, now)
    return bool(done)


def _count_crash(tx: Tx, uid: int, now: datetime) -> None:
    """Whoever held this user died: a failed attempt for the turn that was being read (`begin`); without one for the leading
    run of one session, unless its first turn is under suspicion already."""
    rows = tx.rows(_in_hand, **span(uid), now=codec.moment(now))
    run = [row for row in rows if row[3] is not None][:1]
    if not run:
        head = next((n for n, row in enumerate(rows) if row[2] < LAST_FROM), len(rows))
        run = list(takewhile(lambda row: row[1] == rows[head][1] and not row[2], rows[head:]))
    tx.many(_crashed, [{"place": row[0]} for row in run])


def release(tx: Tx, worker: str, user_id: str) -> None:
    tx.run(_release, user=codec.key(user_id), worker=codec.key(worker))


_this_turn = sa.and_(turns.c.uid == b("number"), turns.c.turn_id == b("turn"))
_postpone = (
    sa.update(turns)
    .where(_this_turn, turns.c.state == sa.literal_column("0"))
    .values(
        attempts=turns.c.attempts + sa.literal_column("1"), retry_at=b("due"), reason=b("why"), ingested_by=sa.null()
    )
)
_begin = sa.update(turns).where(_this_turn, turns.c.state == sa.literal_column("0")).values(ingested_by=b("worker"))
_set_aside = (
    sa.update(turns)
    .where(_this_turn, turns.c.state == sa.literal_column("0"))
    .values(state=sa.literal_column(str(SET_ASIDE)), reason=b("why"))
)
ingested = (
    sa.update(turns)
    .where(_this_turn, turns.c.state == sa.literal_column("0"))
    .values(state=sa.literal_column(str(INGESTED)), ingested_by=b("who"), note=b("about"))
)
_record = sa.select(
    turns.c.state, turns.c.attempts, turns.c.ingested_by, turns.c.note, turns.c.reason, turns.c.retry_at
).where(turns.c.uid == b("uid"), turns.c.turn_id == b("turn"))


def begin(tx: Tx, user_id: str, turn_id: str, worker: str) -> None:
    uid = uid_of(tx, user_id)
    if uid is not None:
        tx.run(_begin, number=uid, turn=codec.key(turn_id), worker=codec.key(worker) if worker else None)


def postpone(tx: Tx, sealer: codec.Sealer, user_id: str, ids: Sequence[str], reason: str, retry_at: datetime) -> None:
    uid = uid_of(tx, user_id)
    if uid is not None:
        why, due = _remark(sealer, reason), codec.moment(retry_at)
        tx.many(_postpone, [{"number": uid, "turn": codec.key(t), "why": why, "due": due} for t in ids])


def set_aside(tx: Tx, sealer: codec.Sealer, user_id: str, turn_id: str, reason: str) -> None:
    uid = uid_of(tx, user_id)
    if uid is not None:
        tx.run(_set_aside, number=uid, turn=codec.key(turn_id), why=_remark(sealer, reason))


_aside = (
    sa.select(users.c.user_id, turns.c.turn_id, turns.c.reason)
    .select_from(turns.join(users, users.c.uid == turns.c.uid))
    .where(turns.c.state == sa.literal_column(str(SET_ASIDE)))
    .order_by(turns.c.id)
)
_take_up = (
    sa.update(turns)
    .where(_this_turn, turns.c.state == sa.literal_column(str(SET_ASIDE)))
    .values(state=sa.literal_column(str(PENDING)), attempts=sa.literal_column("0"), retry_at=sa.literal_column("0"))
)


def set_aside_turns(tx: Tx, sealer: codec.Sealer, user_id: str | None) -> list[tuple[str, str, str]]:
    uid = None if user_id is None else uid_of(tx, user_id)
    if user_id is not None and uid is None:
        return []
    rows = tx.rows(_aside) if uid is None else tx.rows(_aside_of_one, **span(uid))
    return [(codec.unkey(u), codec.unkey(t), codec.unwords(sealer.open(r)) if r else "") for u, t, r in rows]


_aside_of_one = _aside.where(_range)


def take_up(tx: Tx, user_id: str, turn_id: str) -> None:
    uid = uid_of(tx, user_id)
    if uid is not None:
        tx.run(_take_up, number=uid, turn=codec.key(turn_id))


def _remark(sealer: codec.Sealer, text: str) -> bytes:
    """A note about a turn may quote it, so it is sealed like the turn."""
    return sealer.close(codec.words(text))


def outcome_row(sealer: codec.Sealer, uid: int, turn_id: str, by: str, note: str) -> dict[str, Any]:
    return {"number": uid, "turn": codec.key(turn_id), "who": codec.key(by), "about": _remark(sealer, note)}


def record(tx: Tx, sealer: codec.Sealer, user_id: str, turn_id: str) -> dict[str, Any] | None:
    uid = uid_of(tx, user_id)
    row = None if uid is None else tx.one(_record, uid=uid, turn=codec.key(turn_id))
    if row is None:
        return None
    state, attempts, by, note, reason, retry_at = row
    return {
        "state": STATES[state],
        "attempts": attempts,
        "by": codec.unkey(by or ""),
        "note": codec.unwords(sealer.open(note)) if note else "",
        "reason": codec.unwords(sealer.open(reason)) if reason else "",
        "retry_at": codec.at_moment(retry_at) if retry_at else None,
    }
