"""Times several callables alternately in one run, so that a busy moment of the machine meets all of them alike.

`compare` returns the medians and prints a table with ratios to the first; `save` keeps numbers under results/.
"""

from __future__ import annotations

import json
import platform
import random
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Timing:
    """Milliseconds of one callable over all rounds."""

    name: str
    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    def quantile(self, share: float) -> float:
        ranked = sorted(self.samples)
        return ranked[min(len(ranked) - 1, int(share * len(ranked)))]


def measure(
    callables: Mapping[str, Callable[[], Any]],
    *,
    rounds: int = 50,
    warm_up: int = 3,
    inner: int = 1,
    seed: int = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, Timing]:
    """Each callable once per round, in a new (seeded) order every round; `inner` calls are averaged into a sample.

    `clock=time.thread_time` counts this thread's work alone, where others' work on the machine would hide a difference.
    """
    for call in callables.values():
        for _ in range(warm_up):
            call()
    order, chance = list(callables), random.Random(seed)
    samples: dict[str, list[float]] = {name: [] for name in order}
    for _ in range(rounds):
        chance.shuffle(order)
        for name in order:
            call = callables[name]
            started = clock()
            for _ in range(inner):
                call()
            samples[name].append((clock() - started) * 1e3 / inner)
    return {name: Timing(name, tuple(samples[name])) for name in callables}


def compare(title: str, callables: Mapping[str, Callable[[], Any]], **how: Any) -> dict[str, Timing]:
    """measure(), printed: median, 90th percentile, and how many times the first one's median."""
    timings = measure(callables, **how)
    print(table(title, timings))
    return timings


def table(title: str, timings: Mapping[str, Timing]) -> str:
    width = max(24, *(len(name) for name in timings))
    first = next(iter(timings.values())).median
    lines = [f"\n{title}", f"{'':{width}}  median ms   p90 ms  ratio"]
    for name, timing in timings.items():
        lines.append(
            f"{name:{width}} {timing.median:10.3f} {timing.quantile(0.9):8.3f} {timing.median / first if first else 0:6.2f}"
        )
    return "\n".join(lines)


def save(name: str, numbers: Mapping[str, Any]) -> Path:
    """results/<name>.json, with the machine beside the numbers."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    machine = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
    path.write_text(json.dumps({**numbers, "on": machine}, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def numbers_of(timings: Mapping[str, Timing]) -> dict[str, dict[str, float]]:
    """For save()."""
    return {name: {"median_ms": t.median, "p90_ms": t.quantile(0.9)} for name, t in timings.items()}
