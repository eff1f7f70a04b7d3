"""Does a large store read as fast as a small one? Context p50 and p95, first read, ingestion and memory, side by side.

    python benchmarks/scale.py --in FOLDER [--users 10000] [--few 10] [--items 230]       SQLite
    python benchmarks/scale.py --in FOLDER --postgres postgresql+psycopg://user@host/db    PostgreSQL, in two schemas

Both stores are filled once and kept (`--steps fill,compare,passes` chooses; a fill that was stopped goes on): turns,
items, trail and search data of each user by the ledger's own statements, in the transactions that `commit` runs, many
users in one of them. Then they are read in turns in one run, so that the ratios mean something on a busy machine. The
passes read every user of the large store once, and once more, in a process of their own, and print what stays
resident. The index is left out: it is never on the read path. 10,000 users take about 10 GB of disk.
"""

from __future__ import annotations

import argparse
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from hermes_core import Config, Hermes
from hermes_core.changes import Cause, Event, step
from hermes_core.clock import SystemClock
from hermes_core.embedding.default import DefaultEmbedder
from hermes_core.items import Evidence, Kind, MemoryItem, Status, Turn
from hermes_core.ports import Commit, StoredItem, StoredTurn, TurnOutcome
from hermes_core.stores.sql import committing, turns
from hermes_core.stores.sql.schema import metadata, outbox
from hermes_core.terms import term_ids

NOW = SystemClock().now()
EMBEDDER = DefaultEmbedder()
TOPICS = "music food travel work sports books films games family health money city weather garden pets".split()
MANNERS = "really quite always often sometimes mostly".split()
ITEMS_A_TURN = 5
USERS_A_TRANSACTION = 20
QUERIES = [f"{a} and {b}" for a, b in pairwise(TOPICS)]


class Pattern:
    """One user's turns and items without an owner: texts and vectors are the same for all, as their costs are."""

    def __init__(self, items: int) -> None:
        self.texts = [f"User {MANNERS[n % 6]} likes {TOPICS[n % len(TOPICS)]} of the {n}th sort" for n in range(items)]
        self.said = [
            ". ".join(f"I {text[5:].replace('likes', 'like')}" for text in self.texts[n : n + ITEMS_A_TURN])
            for n in range(0, items, ITEMS_A_TURN)
        ]
        self.vectors, self.terms = EMBEDDER.embed(self.texts), [term_ids(t) for t in self.texts]
        self.said_vectors, self.said_terms = EMBEDDER.embed(self.said), [term_ids(t) for t in self.said]

    def turns(self, user: str) -> list[Turn]:
        return [
            Turn(id=f"{user}-t{n}", user_id=user, session_id=f"s{n // 4}", role="user", text=text, said_at=NOW)
            for n, text in enumerate(self.said)
        ]

    def items(self, user: str, said: list[Turn]) -> Iterator[MemoryItem]:
        """The first 200 live, the others archived."""
        for n, text in enumerate(self.texts):
            turn = said[n // ITEMS_A_TURN]
            cited = Evidence(session_id=turn.session_id, turn_id=turn.id, quote=text[5:], said_at=NOW, seq=turn.seq)
            yield MemoryItem(
                id=f"{user}-{n}", user_id=user, kind=Kind.PREFERENCE, slot=f"{TOPICS[n % len(TOPICS)]}.likes",
                value=f"{n}th sort", text=text, tokens=12, status=Status.CONFIRMED if n < 200 else Status.ARCHIVED,
                created_at=NOW, said_at=NOW, confirmed_at=NOW, importance=0.3 + 0.6 * (n % 11) / 10, evidence=(cited,),
            )  # fmt: skip

    def commit(self, user: str, said: list[Turn]) -> Commit:
        made = list(self.items(user, said))
        cause = Cause(by="import", at=NOW)
        return Commit(
            user,
            0,
            tuple(step(None, Event.RESTORED, reason="imported", cause=cause, new=i, to=i.status) for i in made),
            tuple(StoredItem(i, v, t) for i, v, t in zip(made, self.vectors, self.terms, strict=True)),
            outcomes=tuple(TurnOutcome(t.id, "local", "") for t in said),
            maintained_at=NOW,
            quotable=tuple(map(StoredTurn, said, self.said_vectors, self.said_terms)),
            quotable_turns=2000,
        )


def fill(hermes: Hermes, users: int, items: int) -> None:
    """The rows of users that aren't there yet; what would be published counts as published."""
    ledger, started = hermes._engine.ledger, time.perf_counter()
    present = set(ledger.users())
    missing = [f"user-{n}" for n in range(users) if f"user-{n}" not in present]
    pattern = Pattern(items)

    def write(tx, names: list[str]) -> None:
        for user in names:
            said = [turns.add(tx, ledger._sealer, turn) for turn in pattern.turns(user)]
            commit = pattern.commit(user, said)
            committing.commit(tx, ledger._sealer, commit, committing.Encoded(ledger._sealer, commit))
        tx.run(sa.delete(outbox))

    for start in range(0, len(missing), USERS_A_TRANSACTION):
        ledger._db.write(lambda tx, start=start: write(tx, missing[start : start + USERS_A_TRANSACTION]))
    if missing:
        print(f"{len(missing)} users x {items} items written in {time.perf_counter() - started:.0f} s", flush=True)


def transfer(file: Path, hermes: Hermes) -> None:
    """Into an empty PostgreSQL ledger, the rows of a SQLite one: both hold the same columns and the same bytes."""
    database, started = hermes._engine.ledger._db, time.perf_counter()
    types = {sa.Integer: "int4", sa.BigInteger: "int8", sa.SmallInteger: "int2", sa.Text: "text"}
    with closing(sqlite3.connect(file)) as source:

        def write(tx) -> None:
            for table in metadata.sorted_tables:
                if table.name in ("outbox", "leases"):
                    continue
                columns = ", ".join(column.name for column in table.columns)
                tx.run(sa.delete(table))
                with tx.cursor.copy(f"COPY {table.name} ({columns}) FROM STDIN (FORMAT BINARY)") as copy:
                    copy.set_types([types.get(type(column.type), "bytea") for column in table.columns])
                    for row in source.execute(f"SELECT {columns} FROM {table.name}"):
                        copy.write_row(row)
            tx.run(sa.text("SELECT setval(pg_get_serial_sequence('users', 'uid'), (SELECT max(uid) FROM users))"))

        database.write(write)
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(sa.text("VACUUM ANALYZE"))
    print(f"{file} copied in {time.perf_counter() - started:.0f} s", flush=True)


# -- reading


class Cost(NamedTuple):
    """Milliseconds of one call: on the clock, and of this thread's processor (which other work on the machine hardly moves)."""

    wall: float
    cpu: float


def timed(call) -> Cost:
    started, worked = time.perf_counter(), time.thread_time()
    call()
    return Cost((time.perf_counter() - started) * 1000, (time.thread_time() - worked) * 1000)


def first_read(hermes: Hermes, user: str) -> Cost:
    """A user whom this process doesn't hold."""
    hermes._engine.forget_snapshots(user)
    with hermes.session(user, "first") as session:
        return timed(lambda: session.context(QUERIES[0]))


def ingest_rate(hermes: Hermes, users: list[str], count: int) -> float:
    run = time.time_ns()
    for n in range(count):
        hermes.session(users[n % len(users)], f"in{run}").observe("user", f"I like quiet mornings number {n}.")
    started = time.perf_counter()
    hermes.flush(timeout=600)
    return count / (time.perf_counter() - started)


def compare(opened: dict[str, Hermes], counts: dict[str, int], given: argparse.Namespace) -> None:
    chance = random.Random(7)
    names = {name: [f"user-{n}" for n in range(count)] for name, count in counts.items()}
    speaking = {name: chance.sample(users, given.few) for name, users in names.items()}
    first: dict[str, list[Cost]] = {name: [] for name in opened}
    for _ in range(given.firsts):
        for name, hermes in opened.items():
            first[name].append(first_read(hermes, chance.choice(names[name])))
    # The same number of users in memory on both sides: what is compared is the store, not the cache.
    for name, hermes in opened.items():
        for user in speaking[name]:
            hermes.session(user, "warm").context(QUERIES[0])
    warm: dict[str, list[Cost]] = {name: [] for name in opened}
    for n in range(given.reads):
        for name, hermes in opened.items():
            session = hermes.session(speaking[name][n % given.few], "warm")
            warm[name].append(timed(lambda s=session, n=n: s.context(QUERIES[n % len(QUERIES)])))
    rates: dict[str, list[float]] = {name: [] for name in opened}
    for _ in range(given.rounds):
        for name, hermes in opened.items():
            rates[name].append(ingest_rate(hermes, speaking[name], given.turns))
    for what, costs in (("context", warm), ("first read", first)):
        report(f"{what} p50, ms", {n: statistics.median(c.wall for c in t) for n, t in costs.items()})
        report(f"{what} p95, ms", {n: statistics.quantiles([c.wall for c in t], n=20)[-1] for n, t in costs.items()})
        report(f"{what} p50, CPU ms", {n: statistics.median(c.cpu for c in t) for n, t in costs.items()})
    report("turns taken in a second", {n: statistics.median(t) for n, t in rates.items()})


def report(what: str, values: dict[str, float]) -> None:
    ratio = values["many"] / values["few"]
    print(f"{what:<26} few {values['few']:8.3f}   many {values['many']:8.3f}   ratio {ratio:.2f}", flush=True)


# -- memory


def rss() -> float:
    """Resident MiB now (Linux), or at its highest elsewhere."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmRSS:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def passes(hermes: Hermes, users: int) -> None:
    """Every user opens a conversation and leaves it open, twice; what the process holds on the way."""
    print(f"resident before the first read: {rss():.0f} MiB", flush=True)
    marks = sorted({n for n in (10, 100, 256, 500, 1000, 2000, 5000, 10_000) if n <= users} | {users})
    for turn in ("first", "second"):
        for n in range(users):
            hermes.session(f"user-{n}", turn).context(QUERIES[n % len(QUERIES)])
            if n + 1 in marks:
                print(f"{turn} pass, {n + 1:>6} users read: {rss():.0f} MiB", flush=True)


# -- the stores


def place(given: argparse.Namespace, name: str) -> dict[str, object]:
    """What `Hermes.open` gets for one of the two stores."""
    if given.postgres is None:
        return {"path": given.folder / f"{name}-{given.users if name == 'many' else given.few}"}
    joint = "&" if "?" in given.postgres else "?"
    return {"ledger": f"{given.postgres}{joint}options=-csearch_path%3D{schema(given, name)}"}


def schema(given: argparse.Namespace, name: str) -> str:
    return f"scale_{name}_{given.users if name == 'many' else given.few}"


def open_store(given: argparse.Namespace, name: str) -> Hermes:
    if given.postgres is not None:
        with sa.create_engine(given.postgres).begin() as connection:
            connection.execute(sa.text(f"CREATE SCHEMA IF NOT EXISTS {schema(given, name)}"))
    config = settings(given.cached)
    return Hermes.open(**place(given, name), chroma=False, embedder=EMBEDDER, worker=False, config=config)


def settings(cached: int | None) -> Config:
    return Config() if cached is None else Config.model_validate({"ingest": {"cached_users": cached}})


def options() -> argparse.Namespace:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument(
        "--in", dest="folder", type=Path, default=Path("scale-stores"), help="folder of the SQLite stores"
    )
    made.add_argument("--postgres", help="a database URL instead; two schemas are made there")
    made.add_argument("--steps", default="fill,compare,passes")
    made.add_argument("--cached", type=int, help="ingest.cached_users, if not the default")
    for name, value in (("users", 10_000), ("few", 10), ("items", 230), ("reads", 2000)):
        made.add_argument(f"--{name}", type=int, default=value)
    for name, value in (("firsts", 300), ("turns", 50), ("rounds", 4)):
        made.add_argument(f"--{name}", type=int, default=value)
    return made.parse_args()


def main() -> None:
    given = options()
    steps, counts = given.steps.split(","), {"few": given.few, "many": given.users}
    if "fill" in steps or "compare" in steps:
        opened = {name: open_store(given, name) for name in counts}
        if "fill" in steps:
            for name, hermes in opened.items():
                file = given.folder / f"{name}-{counts[name]}" / "ledger.db"
                if given.postgres is not None and file.exists() and not hermes.users():
                    transfer(file, hermes)
                fill(hermes, counts[name], given.items)
        if "compare" in steps:
            compare(opened, counts, given)
        for hermes in opened.values():
            hermes.close()
    if steps == ["passes"]:
        with open_store(given, "many") as hermes:
            passes(hermes, given.users)
    elif "passes" in steps:
        again = [a for n, a in enumerate(sys.argv) if a != "--steps" and sys.argv[n - 1] != "--steps"]
        subprocess.run([sys.executable, *again, "--steps", "passes"], check=True)


if __name__ == "__main__":
    main()
