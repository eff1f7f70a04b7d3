"""What the stores cost beside the bare database (issue of storage; printed as ratios of one run, medians).

    python benchmarks/stores.py [--rounds 100] [--users 1000] [--postgres postgresql+psycopg://…] [--chroma]

Synthetic 512-number vectors; one user with 230 live and 2,000 archived items, and many users with 230 each.
"""

from __future__ import annotations

import argparse
import itertools
import sqlite3
import tempfile
from datetime import datetime, timezone
from pathlib import Path

import numpy as np
from _side_by_side import compare, numbers_of, save

from hermes_core import Hermes
from hermes_core.changes import Cause, Event, step
from hermes_core.config import Config
from hermes_core.items import Evidence, Kind, MemoryItem, Status, Turn
from hermes_core.ports import Commit, StoredItem
from hermes_core.stores.chroma import ChromaIndex
from hermes_core.stores.in_memory import InMemoryIndex
from hermes_core.stores.sql import SqlLedger
from hermes_core.testing import FakeClock

NOW = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)
LIVE, ARCHIVED, DIMENSION = 230, 2000, 512
FEW = 10  # users with whom a store of many is compared
CHANCE = np.random.default_rng(1)


def item(user: str, n: int, status: Status) -> MemoryItem:
    quotes = tuple(
        Evidence(session_id=f"s{k}", turn_id=f"t{n}-{k}", quote=f"I like thing number {n}", said_at=NOW)
        for k in range(3)
    )
    return MemoryItem(
        id=f"{user}-{n:06d}",
        user_id=user,
        kind=Kind.PREFERENCE,
        slot="music.likes",
        value=f"thing {n}",
        text=f"User likes thing number {n}, 用户喜欢第 {n} 件东西",
        status=status,
        created_at=NOW,
        said_at=NOW,
        confirmed_at=NOW,
        evidence=quotes,
    )


def stored(of: MemoryItem) -> StoredItem:
    vector = CHANCE.normal(size=DIMENSION).astype(np.float32)
    return StoredItem(of, vector / np.linalg.norm(vector), np.arange(12, dtype=np.uint32))


def putting(user: str, version: int, items: list[MemoryItem]) -> Commit:
    cause = Cause(by="import", at=NOW)
    changes = tuple(step(None, Event.RESTORED, reason="bench", cause=cause, new=i, to=i.status) for i in items)
    return Commit(user, version, changes, tuple(stored(i) for i in items))


def fill(ledger: SqlLedger, user: str, archived: int) -> None:
    if ledger.version(user):
        return
    live = [item(user, n, Status.CONFIRMED) for n in range(LIVE)]
    cold = [item(user, LIVE + n, Status.ARCHIVED) for n in range(archived)]
    ledger.commit(putting(user, 0, live + cold))


def settle_all(ledger: SqlLedger) -> None:
    while rows := ledger.outbox(2000):
        ledger.settle([row.row_id for row in rows])


def bare_commit(folder: Path, name: str = "bare.db"):
    """One small row, written with the same settings and nothing of ours."""
    raw = sqlite3.connect(folder / name, isolation_level=None)
    raw.execute("PRAGMA journal_mode=WAL")
    raw.execute("PRAGMA synchronous=FULL")
    raw.execute("CREATE TABLE turns (id INTEGER PRIMARY KEY, body BLOB)")

    def write() -> None:
        raw.execute("BEGIN IMMEDIATE")
        raw.execute("INSERT INTO turns (body) VALUES (?)", (b"x" * 60,))
        raw.execute("COMMIT")

    return write


def bare_read(file: Path, uid: int = 1):
    """The same rows through sqlite3 alone, undecoded."""
    raw = sqlite3.connect(file, isolation_level=None)
    query = "SELECT item_id, cold, body, vector, terms FROM items WHERE id BETWEEN ? AND ?"
    return lambda: raw.execute(query, (uid << 32, (uid + 1 << 32) - 1)).fetchall()


def growth(folder: Path, rounds: int, users: int) -> dict:
    """First reads of 230 live items in a store of few users and in one of many, side by side.

    As many users take turns in both, or it would be the page cache that is measured.
    """
    calls = {}
    for name, count in (("few", FEW), ("many", users)):
        ledger = SqlLedger.open(folder / f"{name}.db")
        for n in range(count):
            fill(ledger, f"user-{n}", 0)
        settle_all(ledger)
        turn = itertools.cycle(f"user-{n}" for n in range(0, count, count // FEW))
        calls[f"load of {name}"] = lambda ledger=ledger, turn=turn: ledger.load(next(turn))
    timings = compare(f"SQLite, first read of 230 live in a store of {FEW} users and of {users}", calls, rounds=rounds)
    ratio = timings["load of many"].median / timings["load of few"].median
    print(f"\ngrowth of a first read with the number of users: {ratio:.2f} (at most 1.2)")
    return timings


def writes(ledger: SqlLedger, first, user: str) -> dict:
    numbers = itertools.count()

    def observe() -> None:
        n = next(numbers)
        ledger.add_turn(Turn(id=f"b{n}", user_id=user, session_id="s", role="user", text=f"hello {n}", said_at=NOW))

    def decide() -> None:
        n = next(numbers)
        ledger.commit(putting(user, ledger.version(user), [item(user, 9000 + n % 50, Status.CONFIRMED)]))

    return {**first, "add_turn": observe, "commit of one item": decide, "version": lambda: ledger.version(user)}


def first_context(hermes: Hermes, users: tuple[str, ...]):
    """A context of a user who is not in the process's memory: it has room for one, and they take turns."""
    turn = itertools.cycle(users)

    def read() -> None:
        session = hermes.session(next(turn), "first")
        session.context()
        session.end()

    return read


def shell_numbers(ledger: SqlLedger, folder: Path, rounds: int) -> dict:
    """What a chat waits for: `observe` beside a bare commit, and a first `context()` beside the bare rows."""
    fill(ledger, "big too", ARCHIVED)
    settle_all(ledger)
    config = Config().model_copy(update={"ingest": Config().ingest.model_copy(update={"cached_users": 1})})
    hermes = Hermes.open(ledger=ledger, chroma=False, worker=False, clock=FakeClock(NOW), config=config)
    chat, numbers = hermes.session("chatter", "s"), itertools.count()
    written = compare(
        "a turn, with full sync",
        {
            "bare commit": bare_commit(folder, "bare-turns.db"),
            "session.observe()": lambda: chat.observe("user", f"hello for the {next(numbers)}th time", at=NOW),
        },
        rounds=rounds,
    )
    read = compare(
        f"the first context of a user with {LIVE} live + {ARCHIVED} archived",
        {"bare rows": bare_read(folder / "ledger.db"), "session.context()": first_context(hermes, ("big", "big too"))},
        rounds=rounds // 2,
    )
    return {"observe": numbers_of(written), "first_context": numbers_of(read)}


def sqlite_numbers(folder: Path, rounds: int, users: int) -> dict:
    ledger = SqlLedger.open(folder / "ledger.db")
    fill(ledger, "big", ARCHIVED)
    settle_all(ledger)
    written = compare("SQLite, writes", writes(ledger, {"bare commit": bare_commit(folder)}, "writer"), rounds=rounds)
    read = compare(
        f"SQLite, first read of {LIVE} live + {ARCHIVED} archived",
        {"bare rows": bare_read(folder / "ledger.db"), "load": lambda: ledger.load("big")},
        rounds=rounds // 2,
    )
    grown = growth(folder, rounds, users)
    shell = shell_numbers(ledger, folder, rounds)
    ledger.close()
    return {
        **shell,
        "sqlite_writes": numbers_of(written),
        "sqlite_load": numbers_of(read),
        "sqlite_load_by_users": numbers_of(grown),
        "users": users,
        "growth": grown["load of many"].median / grown["load of few"].median,
    }


def postgres_numbers(url: str, rounds: int) -> dict:
    ledger = SqlLedger.open(url)
    fill(ledger, "big", ARCHIVED)
    settle_all(ledger)
    calls = writes(ledger, {}, "writer") | {"load 230 + 2,000": lambda: ledger.load("big")}
    timings = compare("PostgreSQL", calls, rounds=rounds // 2)
    ledger.close()
    return {"postgres": numbers_of(timings)}


def chroma_numbers(folder: Path, rounds: int) -> dict:
    """One change set of one item, published; and a rebuild."""
    ledger = SqlLedger.open(folder / "published.db")
    fill(ledger, "big", ARCHIVED)
    twin = InMemoryIndex()
    numbers = itertools.count()

    def publish_to(publish):
        def call() -> None:
            publish([stored(item("big", next(numbers) % LIVE, Status.CONFIRMED))], [], NOW)

        return call

    chroma = ChromaIndex.open(folder / "chroma")
    chroma.rebuild(list(ledger.all_items()), NOW)
    calls = {"in memory": publish_to(twin.publish), "Chroma": publish_to(chroma.publish)}
    timings = compare("publishing one item", calls, rounds=rounds // 4)
    for port in (chroma, ledger):
        port.close()
    return {"publish_one": numbers_of(timings)}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rounds", type=int, default=100)
    asked.add_argument("--users", type=int, default=1000, help=f"at least {FEW}")
    asked.add_argument("--postgres", default="")
    asked.add_argument("--chroma", action="store_true")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as name:
        numbers = sqlite_numbers(Path(name), options.rounds, options.users)
        if options.chroma:
            numbers |= chroma_numbers(Path(name), options.rounds)
    if options.postgres:
        numbers |= postgres_numbers(options.postgres, options.rounds)
    print(save("stores", numbers))


if __name__ == "__main__":
    main()
