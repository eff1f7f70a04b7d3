"""Does a large store read as fast as a small one? Context p50 and p95, first read, ingestion and memory, side by side.

    python benchmarks/scale.py [--users 1000] [--few 10] [--items 230] [--reads 2000] [--ledger postgresql+psycopg://…]

Two stores are filled by direct commits (synthetic sentences, the hash embedder) and read in turns in one run, so that
the ratios mean something on a busy machine. The index is left out: it is never on the read path.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import tempfile
import time
from pathlib import Path

from hermes_core import Hermes
from hermes_core.changes import Cause, Event, step
from hermes_core.clock import SystemClock
from hermes_core.items import Evidence, Kind, MemoryItem, Status
from hermes_core.ports import Commit, StoredItem
from hermes_core.terms import term_ids
from hermes_core.testing import HashEmbedder

NOW = SystemClock().now()
EMBEDDER = HashEmbedder(512)
TOPICS = "music food travel work sports books films games family health money city weather garden pets".split()


def fill(hermes: Hermes, users: int, items: int, few: int) -> float:
    """The rows of `users` users, written directly; seconds."""
    started = time.perf_counter()
    texts = [f"User likes {TOPICS[n % len(TOPICS)]} thing number {n}" for n in range(items)]
    vectors, terms = EMBEDDER.embed(texts), [term_ids(t) for t in texts]
    cause = Cause(by="import", at=NOW)
    for u in range(users):
        user = f"user-{u}"
        made = [
            MemoryItem(
                id=f"{user}-{n}", user_id=user, kind=Kind.PREFERENCE, slot=f"{TOPICS[n % len(TOPICS)]}.likes",
                value=f"thing {n}", text=text, tokens=10, status=Status.CONFIRMED if n < 200 else Status.ARCHIVED,
                created_at=NOW, said_at=NOW, confirmed_at=NOW,
                evidence=(Evidence(session_id="s", turn_id=f"t{n}", quote=text, said_at=NOW),),
            )
            for n, text in enumerate(texts)
        ]  # fmt: skip
        changes = tuple(step(None, Event.RESTORED, reason="imported", cause=cause, new=i, to=i.status) for i in made)
        stored = tuple(StoredItem(i, v, t) for i, v, t in zip(made, vectors, terms, strict=True))
        hermes._engine.ledger.commit(Commit(user, 0, changes, stored, maintained_at=NOW))
    return time.perf_counter() - started


def first_reads(hermes: Hermes, users: list[str]) -> list[float]:
    times = []
    for user in users:
        hermes._engine.reader.drop(user)
        times.append(timed(lambda user=user: hermes.session(user, "first").context("music and food")))
        hermes.session(user, "first").end()
    return times


def timed(call) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def ingest_rate(hermes: Hermes, users: list[str], turns: int) -> float:
    for n in range(turns):
        hermes.session(users[n % len(users)], f"in{n}").observe("user", f"I like quiet mornings number {n}.")
    started = time.perf_counter()
    hermes.flush(timeout=300)
    return turns / (time.perf_counter() - started)


def rss() -> float:
    """Resident MiB now (Linux), or at its highest elsewhere."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmRSS:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    for name, value in (("users", 1000), ("few", 10), ("items", 230), ("reads", 2000), ("turns", 100)):
        options.add_argument(f"--{name}", type=int, default=value)
    options.add_argument("--ledger", help="a database URL for the large store; the small one is always a file")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        opened = {
            "few": Hermes.open(Path(folder) / "few", chroma=False, embedder=EMBEDDER, worker=False),
            "many": Hermes.open(
                Path(folder) / "many", ledger=given.ledger, chroma=False, embedder=EMBEDDER, worker=False
            ),
        }
        counts = {"few": given.few, "many": given.users}
        for name, hermes in opened.items():
            seconds = fill(hermes, counts[name], given.items, given.few)
            print(f"{name}: {counts[name]} users × {given.items} items written in {seconds:.1f} s")
        measure(opened, counts, given.reads, given.turns)
        for hermes in opened.values():
            hermes.close()


def measure(opened: dict[str, Hermes], counts: dict[str, int], reads: int, turns: int) -> None:
    chance = random.Random(7)
    names = {name: [f"user-{n}" for n in range(count)] for name, count in counts.items()}
    some = {name: chance.sample(users, min(len(users), 200)) for name, users in names.items()}
    first: dict[str, list[float]] = {name: [] for name in opened}
    for _ in range(3):
        for name, hermes in opened.items():
            first[name] += first_reads(hermes, some[name][:40])
    # The same number of cached users on both sides: what is compared is the store, not the cache.
    for name, hermes in opened.items():
        for user in some[name][: counts["few"]]:
            hermes.session(user, "warm").context("music and food")
    warm: dict[str, list[float]] = {name: [] for name in opened}
    for n in range(reads):
        for name, hermes in opened.items():
            user = some[name][n % counts["few"]]
            warm[name].append(timed(lambda h=hermes, u=user: h.session(u, "warm").context("music and food")))
    rates = {name: ingest_rate(hermes, some[name][: counts["few"]], turns) for name, hermes in opened.items()}
    before = rss()
    for user in names["many"]:
        opened["many"].session(user, "wide").context("music and food")
    wide = rss()
    for user in names["many"]:
        opened["many"].session(user, "wider").context("music and food")
    report("context p50, ms", {n: statistics.median(t) for n, t in warm.items()})
    report("context p95, ms", {n: statistics.quantiles(t, n=20)[-1] for n, t in warm.items()})
    report("first read p50, ms", {n: statistics.median(t) for n, t in first.items()})
    report("turns taken in a second", rates)
    print(f"resident: {before:.0f} MiB, after one read of every user {wide:.0f}, after another {rss():.0f}")


def report(what: str, values: dict[str, float]) -> None:
    print(
        f"{what:<26} few {values['few']:8.3f}   many {values['many']:8.3f}   ratio {values['many'] / values['few']:.2f}"
    )


if __name__ == "__main__":
    main()
