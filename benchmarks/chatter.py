"""What is vital stays findable under ten thousand turns of chatter, and reads stay as quick as at the start (B, R1).

    python benchmarks/chatter.py [--turns 10000]

One user says an allergy, a blood type and a deadline, then talks for three weeks: small talk, questions, one-off
requests, moods and passing facts, in English and Chinese. Printed: pool sizes, whether each vital fact is in the
context for a question about it, and the 95th percentile of context() at turn 100 and at the end, as a ratio.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import tempfile
import time
from datetime import timedelta
from pathlib import Path

from _side_by_side import save

from hermes_core import Hermes
from hermes_core.testing import FakeClock

VITAL = {
    "I'm allergic to peanuts.": ("Any idea for a late-night snack?", "peanut"),
    "My blood type is AB negative.": ("What should a doctor know about me?", "AB negative"),
    "The deadline of my thesis is 30 January.": ("When is my thesis due?", "30 January"),
}
NOUNS = (
    "train",
    "river",
    "film",
    "guitar",
    "garden",
    "recipe",
    "bridge",
    "novel",
    "kettle",
    "bicycle",
    "museum",
    "window",
)
PLACES = ("Lyon", "Porto", "Gent", "Turin", "Oslo", "杭州", "昆明", "厦门")
FRAMES = (
    "haha, that {noun} again",
    "what's the best {noun} in {place}?",
    "can you write me two lines about a {noun}?",
    "I saw a {noun} near {place} on day {n}.",
    "ugh, the {noun} is broken again!!!",
    "I went to {place} with a friend, visit number {n}.",
    "ok thanks",
    "今天的{noun}真不错",
    "帮我写一句关于{noun}的话",
    "我去{place}看了第{n}次{noun}。",
    "好的，明白了",
    "I like the {noun} in {place}.",
    "我喜欢{place}的{noun}。",
    "how do I repair a {noun}?",
)
READS = 120


def chatter(turns: int) -> list[str]:
    chance = random.Random(7)
    return [
        chance.choice(FRAMES).format(noun=chance.choice(NOUNS), place=chance.choice(PLACES), n=n) for n in range(turns)
    ]


def p95(stores: dict[str, Hermes], user: str, *, new: bool) -> dict[str, float]:
    """Milliseconds of context() in each store, asked in turn: each question `new`, as in a chat, or one of three, whose
    embeddings are remembered after their first use."""
    samples: dict[str, list[float]] = {name: [] for name in stores}
    sessions = {name: hermes.session(user, "reading", consent=True) for name, hermes in stores.items()}
    for n, (query, _) in enumerate(itertools.islice(itertools.cycle(VITAL.values()), READS + len(VITAL))):
        asked = f"{query} ({n})" if new else query
        for name, session in list(sessions.items())[:: 1 if n % 2 else -1]:
            started = time.perf_counter()
            session.context(asked)
            if n >= len(VITAL):
                samples[name].append((time.perf_counter() - started) * 1e3)
    return {name: statistics.quantiles(found, n=20)[-1] for name, found in samples.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=10_000)
    wanted = parser.parse_args().turns
    with tempfile.TemporaryDirectory() as folder:
        clock = FakeClock()
        hermes = Hermes.open(Path(folder) / "memory", chroma=False, clock=clock, worker=False)
        user = "user"
        step = timedelta(days=21) / wanted
        for n, text in enumerate([*VITAL, *chatter(wanted)]):
            with hermes.session(user, f"day-{n * step // timedelta(days=1)}") as session:
                session.observe("user", text)
            clock.advance(seconds=step.total_seconds())
            if n % 16 == 15:
                hermes.flush(timeout=600)
            if n == 100:
                hermes.flush(timeout=600)
                young = Hermes.open(Path(folder) / "young", chroma=False, clock=clock, worker=False)
                young.import_(hermes.export(user))
        hermes.flush(timeout=600)
        stores = {"young": young, "old": hermes}
        times = {"new question": p95(stores, user, new=True), "asked before": p95(stores, user, new=False)}
        with hermes.session(user, "probe", consent=True) as session:
            found = {
                words: words.casefold() in session.context(query).text.casefold() for query, words in VITAL.values()
            }
        stats = hermes.stats(user)
        hermes.close()
        young.close()
    ratios = {name: p95_ms["old"] / p95_ms["young"] for name, p95_ms in times.items()}
    print(f"after {wanted} turns: pools {stats.pools}")
    print("vital facts in the context for their question:", found)
    for name, p95_ms in times.items():
        print(
            f"context() p95, {name}: {p95_ms['young']:.2f} ms at turn 100, {p95_ms['old']:.2f} ms now, "
            f"ratio {ratios[name]:.2f}"
        )
    save("chatter", {"turns": wanted, "p95_ms": times, "ratios": ratios, "pools": stats.pools, "found": found})


if __name__ == "__main__":
    main()
