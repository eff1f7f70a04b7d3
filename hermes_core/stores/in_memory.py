"""Ledger and Index in plain dictionaries: for tests, notebooks and stores that must not outlive the process.

They pass the same contract suites as the real ones. Nothing here may be durable, and no rule may live here.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any, TypeVar

import msgspec

from hermes_core.changes import Change
from hermes_core.errors import Closed
from hermes_core.items import Turn
from hermes_core.ports import (
    OUTBOX_CUT,
    OUTBOX_PER_ITEM,
    Commit,
    LoadedUser,
    OutboxRow,
    PendingTurn,
    Quotable,
    Redaction,
    StoredItem,
    StoredTurn,
    Summary,
)
from hermes_core.stores.checks import check_aware, check_dimension, check_ids, check_owner, other_dimension
from hermes_core.stores.in_memory_index import InMemoryIndex
from hermes_core.stores.in_memory_rows import (
    TurnRow,
    UserRows,
    arrays,
    check_current,
    copied,
    count_crash,
    free,
    loaded,
    search_table,
    table_of,
)
from hermes_core.stores.redact import Redactor

__all__ = ["InMemoryIndex", "InMemoryLedger", "table_of"]

T = TypeVar("T")


class InMemoryLedger:
    """The Ledger port without a disk: what it keeps ends with the process."""

    name = "memory"

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._users: dict[str, UserRows] = {}
        self._outbox: dict[int, tuple[str, str, bool]] = {}
        self._leases: dict[str, tuple[str, datetime]] = {}
        self._row = 0
        self._arrived = 0
        self._meta: dict[str, str] = {}
        self._dimension: int | None = None
        self._closed = False

    def _with(self, user_id: str, work: Callable[[UserRows], T], none: T) -> T:
        """Run `work` on a known user's data; `none` for an unknown one."""
        with self._lock:
            self._check_open()
            user = self._users.get(user_id)
            return none if user is None else work(user)

    def _check_open(self) -> None:
        if self._closed:
            raise Closed("the store in memory was closed; open a new one")

    # -- turns

    def add_turn(self, turn: Turn) -> Turn:
        check_ids(user_id=turn.user_id, session_id=turn.session_id, turn_id=turn.id)
        check_aware(turn.said_at)
        with self._lock:
            self._check_open()
            user = self._users.setdefault(turn.user_id, UserRows())
            if turn.id in user.turns:
                return user.turns[turn.id].turn
            user.turn_seq += 1
            self._arrived += 1
            placed = msgspec.structs.replace(turn, seq=user.turn_seq, said_at=turn.said_at.astimezone(timezone.utc))
            state = "pending" if turn.role in ("user", "assistant") else "ingested"
            user.turns[turn.id] = TurnRow(placed, state, self._arrived)
            return placed

    def turns(
        self,
        user_id: str,
        session_id: str | None = None,
        *,
        limit: int | None = None,
        turn_ids: Sequence[str] | None = None,
    ) -> list[Turn]:
        def work(user: UserRows) -> list[Turn]:
            found = [t.turn for t in user.turns.values()]
            if session_id is not None:
                found = [t for t in found if t.session_id == session_id]
            if turn_ids is not None:
                found = [t for t in found if t.id in set(turn_ids)]
            return found if limit is None else found[max(0, len(found) - max(0, limit)) :]

        return self._with(user_id, work, [])

    def sessions(self, user_id: str) -> list[str]:
        return list(dict.fromkeys(turn.session_id for turn in self.turns(user_id)))

    def users(self) -> list[str]:
        with self._lock:
            self._check_open()
            return [user_id for user_id, user in self._users.items() if user.turns or user.items]

    # -- the queue

    def claim(self, worker: str, now: datetime, seconds: float, user_id: str | None = None) -> str | None:
        with self._lock:
            self._check_open()
            due = [
                (min(t.arrived for t in user.turns.values() if t.due(now)), name)
                for name, user in self._users.items()
                if user_id in (None, name) and free(user, worker, now) and any(t.due(now) for t in user.turns.values())
            ]
            if not due:
                return None
            name = min(due)[1]
            if self._users[name].lease_by not in (None, worker):
                count_crash(self._users[name], now)
            self._users[name].lease_by = worker
            self._users[name].lease_until = now + timedelta(seconds=seconds)
            return name

    def release(self, worker: str, user_id: str) -> None:
        def work(user: UserRows) -> None:
            if user.lease_by == worker:
                user.lease_by = user.lease_until = None

        self._with(user_id, work, None)

    def free_leases(self, is_dead: Callable[[str], bool], now: datetime) -> list[str]:
        with self._lock:
            self._check_open()
            held = [(n, u) for n, u in self._users.items() if u.lease_by is not None and is_dead(u.lease_by)]
            for _, user in held:
                user.lease_by = user.lease_until = None
                count_crash(user, now)
            return [name for name, _ in held]

    def pending(self, user_id: str, now: datetime | None = None, limit: int = 64) -> list[PendingTurn]:
        def work(user: UserRows) -> list[PendingTurn]:
            return [PendingTurn(t.turn, t.attempts) for t in user.turns.values() if t.due(now)][:limit]

        return self._with(user_id, work, [])

    def pending_count(self, user_id: str | None = None) -> int:
        with self._lock:
            self._check_open()
            chosen = self._users.values() if user_id is None else [self._users.get(user_id, UserRows())]
            return sum(t.state == "pending" for user in chosen for t in user.turns.values())

    def begin(self, user_id: str, turn_id: str, worker: str) -> None:
        def work(user: UserRows) -> None:
            if turn_id in user.turns and user.turns[turn_id].state == "pending":
                user.turns[turn_id].read_by = worker

        self._with(user_id, work, None)

    def postpone(self, user_id: str, turn_ids: Sequence[str], reason: str, retry_at: datetime) -> None:
        check_aware(retry_at)

        def work(user: UserRows) -> None:
            for stored in (user.turns[t] for t in turn_ids if t in user.turns):
                if stored.state == "pending":
                    stored.attempts += 1
                    stored.retry_at, stored.reason, stored.read_by = retry_at, reason, ""

        self._with(user_id, work, None)

    def set_aside(self, user_id: str, turn_id: str, reason: str) -> None:
        def work(user: UserRows) -> None:
            stored = user.turns.get(turn_id)
            if stored is not None and stored.state == "pending":
                stored.state, stored.reason = "set_aside", reason

        self._with(user_id, work, None)

    def set_aside_turns(self, user_id: str | None = None) -> list[tuple[str, str, str]]:
        with self._lock:
            self._check_open()
            return [
                (name, t.turn.id, t.reason)
                for name, user in self._users.items()
                if user_id in (None, name)
                for t in user.turns.values()
                if t.state == "set_aside"
            ]

    def take_up(self, user_id: str, turn_id: str) -> None:
        def work(user: UserRows) -> None:
            stored = user.turns.get(turn_id)
            if stored is not None and stored.state == "set_aside":
                stored.state, stored.attempts, stored.retry_at = "pending", 0, None

        self._with(user_id, work, None)

    def turn_record(self, user_id: str, turn_id: str) -> dict[str, Any] | None:
        def work(user: UserRows) -> dict[str, Any] | None:
            t = user.turns.get(turn_id)
            if t is None:
                return None
            return {
                "state": t.state,
                "attempts": t.attempts,
                "by": t.by,
                "note": t.note,
                "reason": t.reason,
                "retry_at": t.retry_at,
            }

        return self._with(user_id, work, None)

    # -- items

    def version(self, user_id: str) -> int:
        return self._with(user_id, lambda user: user.version, 0)

    def owner_of(self, item_id: str) -> str | None:
        with self._lock:
            self._check_open()
            return next((name for name, user in self._users.items() if item_id in user.items), None)

    def load(self, user_id: str) -> LoadedUser:
        with self._lock:
            self._check_open()
            user = self._users.get(user_id, UserRows())
            return loaded(user_id, user)

    def commit(self, commit: Commit) -> int:
        check_ids(user_id=commit.user_id)
        check_owner(commit)
        with self._lock:
            self._check_open()
            user = self._users.get(commit.user_id) or UserRows()
            check_current(user, commit)
            self._check_dimension(check_dimension(commit))
            self._users[commit.user_id] = user
            self._apply(user, commit)
            return user.version

    def _check_dimension(self, dimension: int | None) -> None:
        """I3: one store, one vector space; the first commit with items sets it."""
        if dimension is not None and self._dimension not in (None, dimension):
            raise other_dimension(self._dimension or 0, dimension)
        self._dimension = self._dimension or dimension

    def _apply(self, user: UserRows, commit: Commit) -> None:
        if commit.changes:
            user.version += 1
        seqs: dict[str | None, int] = {}
        for change in commit.changes:
            user.change_seq += 1
            user.changes.append(msgspec.structs.replace(change, version=user.version, seq=user.change_seq))
            seqs[change.item_id] = user.change_seq
        for stored in commit.put:
            user.items[stored.item.id] = (seqs.get(stored.item.id, user.change_seq), copied(stored))
        for item_id in commit.drop:
            user.items.pop(item_id, None)
        for item_id in dict.fromkeys([*(s.item.id for s in commit.put), *commit.drop]):
            self._outdate(commit.user_id, item_id)
        for outcome in commit.outcomes:
            turn = user.turns[outcome.turn_id]
            turn.state, turn.by, turn.note = "ingested", outcome.by, outcome.note
        for stone in commit.tombstones:
            user.tombstones[stone.digest] = max(stone.at, user.tombstones.get(stone.digest, stone.at))
        for one in commit.quotable:
            user.quotable[one.turn.id] = StoredTurn(one.turn, *arrays(one.vector, one.terms), one.private)
        oldest = max((one.turn.seq for one in commit.quotable), default=0) - commit.quotable_turns
        if commit.quotable and oldest > 0:
            user.quotable = {k: one for k, one in user.quotable.items() if one.turn.seq > oldest}
        user.summaries |= {summary.session_id: summary for summary in commit.summaries}
        user.maintained_at = commit.maintained_at or user.maintained_at

    def _outdate(self, user_id: str, item_id: str, erase: bool = False) -> None:
        self._row += 1
        self._outbox[self._row] = (user_id, item_id, erase)

    def quotable(self, user_id: str) -> Quotable:
        def work(user: UserRows) -> Quotable:
            found = sorted(user.quotable.values(), key=lambda one: one.turn.seq)
            private = frozenset(one.turn.id for one in found if one.private)
            table = search_table([(one.turn.id, one.vector, one.terms) for one in found])
            return Quotable(tuple(one.turn for one in found), table, private)

        return self._with(user_id, work, Quotable((), search_table([])))

    def maintained_at(self, user_id: str) -> datetime | None:
        return self._with(user_id, lambda user: user.maintained_at, None)

    def due_for_maintenance(self, before: datetime, limit: int = 64) -> list[str]:
        with self._lock:
            self._check_open()
            never = [n for n, u in self._users.items() if u.items and u.maintained_at is None]
            past = [(u.maintained_at, n) for n, u in self._users.items() if u.items and u.maintained_at is not None]
            return [*never, *(n for at, n in sorted(past, key=lambda p: p[0]) if at < before)][:limit]

    def all_items(self) -> Iterable[StoredItem]:
        with self._lock:
            self._check_open()
            return [stored for user in self._users.values() for _, stored in user.items.values()]

    # -- the trail

    def changes(
        self,
        user_id: str,
        item_id: str | None = None,
        *,
        up_to_version: int | None = None,
        turn_id: str | None = None,
        limit: int | None = None,
    ) -> list[Change]:
        def work(user: UserRows) -> list[Change]:
            found = [
                c
                for c in user.changes
                if (item_id is None or c.item_id == item_id)
                and (up_to_version is None or c.version <= up_to_version)
                and (turn_id is None or c.cause.turn_id == turn_id)
            ]
            return found if limit is None else found[max(0, len(found) - max(0, limit)) :]

        return self._with(user_id, work, [])

    def version_at(self, user_id: str, moment: datetime) -> int:
        def work(user: UserRows) -> int:
            later = [c.version for c in user.changes if c.cause.at > moment]
            return min(later) - 1 if later else user.version

        return self._with(user_id, work, 0)

    def tombstones(self, user_id: str) -> dict[str, datetime]:
        return self._with(user_id, lambda user: dict(user.tombstones), {})

    def erased_version(self, user_id: str) -> int:
        return self._with(user_id, lambda user: user.erased_version, 0)

    def summaries(self, user_id: str) -> list[Summary]:
        return self._with(user_id, lambda user: [s for _, s in sorted(user.summaries.items())], [])

    def erase(self, redaction: Redaction) -> int:
        with self._lock:
            version = self.commit(redaction.commit)
            if not redaction.commit.changes:  # an erase outdates every reader's copy
                version = self._users[redaction.commit.user_id].version = version + 1
            for item_id in [*redaction.commit.drop, *(s.item.id for s in redaction.commit.put)]:
                self._outdate(redaction.commit.user_id, item_id, erase=True)
            user_id = redaction.commit.user_id
            user, redactor = self._users[user_id], Redactor(redaction)
            user.erased_version = version
            if redaction.whole_user:
                for item_id in user.items:
                    self._outdate(user_id, item_id, erase=True)
                user.turns, user.items, user.summaries, user.quotable = {}, {}, {}, {}
                user.changes = [c for c in user.changes if c.version == version]
            for stored in user.turns.values():
                stored.note = redactor.remark(stored.turn, stored.note)
                stored.reason = redactor.remark(stored.turn, stored.reason)
                after_turn = redactor.turn(stored.turn)
                if after_turn is not stored.turn:
                    user.quotable.pop(stored.turn.id, None)
                stored.turn = after_turn
            user.changes = [redactor.change(change) for change in user.changes]
            for item_id, (seq, kept) in user.items.items():
                after = redactor.item(kept.item)
                if after is not kept.item:
                    user.items[item_id] = (seq, kept._replace(item=after))
                    self._outdate(user_id, item_id, erase=True)
            redacted = [redactor.summary(summary) for summary in user.summaries.values()]
            user.summaries = {s.session_id: s for s in redacted if s is not None}
            return version

    # -- the outbox

    def outbox(self, limit: int = 256) -> list[OutboxRow]:
        with self._lock:
            self._check_open()
            rows = list(self._outbox.items())[: max(0, limit)]
            return [
                OutboxRow(row, user_id, item_id, self._stored(user_id, item_id), erase)
                for row, (user_id, item_id, erase) in rows
            ]

    def _stored(self, user_id: str, item_id: str) -> StoredItem | None:
        found = self._users[user_id].items.get(item_id)
        return None if found is None else found[1]

    def outbox_count(self) -> int:
        with self._lock:
            self._check_open()
            return len(self._outbox)

    def settle(self, row_ids: Sequence[int]) -> None:
        with self._lock:
            self._check_open()
            for row in row_ids:
                self._outbox.pop(row, None)

    def trim_outbox(self, most: int) -> int:
        with self._lock:
            self._check_open()
            waiting = [row for row, (_, _, erase) in self._outbox.items() if not erase]
            items = sum(len(user.items) for user in self._users.values())
            if len(waiting) <= max(most, OUTBOX_PER_ITEM * items):
                return 0
            self.settle(waiting)
            self._meta[OUTBOX_CUT] = secrets.token_hex(8)
            return len(waiting)

    def lease(
        self, name: str, holder: str, now: datetime, seconds: float, is_dead: Callable[[str], bool] | None = None
    ) -> bool:
        with self._lock:
            self._check_open()
            other, until = self._leases.get(name, (holder, now))
            if other != holder and until > now and not (is_dead is not None and is_dead(other)):
                return False
            self._leases[name] = (holder, now + timedelta(seconds=seconds))
            return True

    # -- the store itself

    def meta(self, key: str) -> str | None:
        with self._lock:
            self._check_open()
            return self._meta.get(key)

    def put_meta(self, key: str, value: str) -> None:
        with self._lock:
            self._check_open()
            self._meta[key] = value

    def close(self) -> None:
        self._closed = True
