"""The default embedder and the calibration: milliseconds, texts a second, memory, trimming, meaning of thresholds.

python benchmarks/embedding.py            all of it, about a minute
python benchmarks/embedding.py --write    only rewrite the shipped calibration from the shipped pairs
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
from _side_by_side import compare, numbers_of, save

import hermes_core.embedding
from hermes_core.blas import one_thread
from hermes_core.embedding import DefaultEmbedder, Pair, calibration_for, default, fit, shipped_pairs
from hermes_core.embedding.calibration import RELATIONS, _measure
from hermes_core.testing import HashEmbedder
from hermes_core.tokens import ApproximateCounter, TiktokenCounter

SHIPPED = Path(hermes_core.embedding.__file__).with_name("use_multilingual_v3.json")
HELD_OUT = Path(__file__).parents[1] / "tests" / "embedding" / "held_out.jsonl"
QUERY = "Which restaurant would you recommend for tonight, {}?"


def write() -> None:
    SHIPPED.write_text(fit(DefaultEmbedder()).to_json() + "\n", encoding="utf-8")
    print(f"wrote {SHIPPED}")


def counted(template: str):
    """A callable that embeds a new text each time, past the memory of single texts."""
    embedder, number = DefaultEmbedder(), iter(range(10**9))
    return lambda: embedder.embed([template.format(next(number))])


def speed() -> dict[str, object]:
    embedder, repeated = DefaultEmbedder(), DefaultEmbedder()
    batch = [f"The user number {i} prefers short answers." for i in range(64)]
    timings = compare(
        "one query",
        {
            "a sentence": counted(QUERY),
            "a sentence in Chinese": counted("今晚去哪家餐厅好，{}？"),
            "100 words, trimmed": counted("{} " + "word " * 100),
            "10,000 words, trimmed": counted("{} " + "word " * 10_000),
            "1,000 ideographs, trimmed": counted("{} " + "我对花生过敏，" * 150),
            "the same sentence again": lambda: repeated.embed([QUERY]),
        },
        rounds=40,
    )
    batched = compare("64 texts", {"one batch": lambda: embedder.embed(batch)}, rounds=15)
    each = batched["one batch"].median / len(batch)
    print(f"{each:.3f} ms a text, {1000 / each:.0f} texts a second on one core")
    return {"query": numbers_of(timings), "batch_ms_a_text": each}


def threads() -> dict[str, object]:
    """Why one BLAS thread: the same work with and without BLAS's own threads, in one run."""
    rows = np.random.default_rng(1).standard_normal((2230, 512)).astype(np.float32)

    def one():
        with one_thread():
            return rows @ rows[0]

    timings = compare(
        "search over 2,230 rows",
        {"one thread": one, "BLAS's own threads": lambda: rows @ rows[0]},
        rounds=100,
    )
    return numbers_of(timings)


def memory() -> float | None:
    """MiB that the model adds to a process (read from /proc, so on Linux only)."""
    if not Path("/proc/self/status").exists():
        return None
    code = (
        "import re, numpy; from hermes_core.embedding import DefaultEmbedder as D\n"
        "rss = lambda: int(re.search(r'VmRSS:\\s+(\\d+)', open('/proc/self/status').read())[1]) / 1024\n"
        "before = rss(); D().embed(['x']); print(rss() - before)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    print(f"\nmemory: {float(out):.0f} MiB once per process")
    return float(out)


def trimming() -> dict[str, object]:
    """What a limit costs and keeps: time of a long message, and how near its vector stays to its question."""
    paste = "The build failed again after the deployment, and the log shows a timeout in the payment service. " * 40
    query = paste + " Anyway: what could I cook tonight without meat?"
    wanted, other = DefaultEmbedder().embed(["I don't eat meat.", "My brother lives in Paris."])
    found: dict[str, object] = {}
    calls = {}
    for width in (128, 256, 512, 1024, 2048, 10**9):
        short = default.trimmed(query, width)
        vector = default._load()([short])[0]
        name = f"width {width}" if width < 10**9 else "whole text"
        calls[name] = lambda short=short: default._load()([short])
        found[name] = {"about_its_question": float(vector @ wanted), "about_something_else": float(vector @ other)}
    timings = compare("a message of 4,000 characters, trimmed to", calls, rounds=10)
    for name, values in found.items():
        print(f"{name:14} question {values['about_its_question']:.2f}  other {values['about_something_else']:.2f}")
    return {"ms": numbers_of(timings), "cosines": found}


def thresholds() -> dict[str, object]:
    """Shares of held-out pairs that reach each threshold, for each embedder."""
    pairs = [Pair(*json.loads(line)) for line in HELD_OUT.read_text(encoding="utf-8").splitlines()]
    found: dict[str, object] = {}
    print(f"\n{len(shipped_pairs())} shipped pairs, {len(pairs)} held out; share reaching 0.55 / 0.78 / 0.85")
    for embedder in (DefaultEmbedder(), HashEmbedder(64), HashEmbedder(512)):
        calibration, samples = calibration_for(embedder), _measure(embedder, pairs)
        shares = {
            name: [float(np.mean(calibration.calibrate(getattr(samples, name)) >= at)) for at in (0.55, 0.78, 0.85)]
            for name in RELATIONS
        }
        found[embedder.name] = shares
        print(f"{embedder.name:22}", "  ".join(f"{n} {a:.2f}/{b:.2f}/{c:.2f}" for n, (a, b, c) in shares.items()))
    return found


def fitting() -> dict[str, object]:
    return numbers_of(
        compare("fitting a calibration", {"default": lambda: fit(DefaultEmbedder())}, rounds=3, warm_up=1)
    )


def counters() -> dict[str, object]:
    text = "The user is allergic to peanuts; 用户喜欢简短的回答。"
    exact, near = TiktokenCounter(), ApproximateCounter()
    calls = {"tiktoken": lambda: exact.count(text), "approximate": lambda: near.count(text)}
    return numbers_of(compare("counting one memory's tokens", calls, rounds=50, inner=200))


def main() -> None:
    if "--write" in sys.argv:
        write()
        return
    numbers = {
        "speed": speed(),
        "search": threads(),
        "memory_mib": memory(),
        "trimming": trimming(),
        "thresholds": thresholds(),
        "fitting": fitting(),
        "counters": counters(),
        "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(f"\nsaved to {save('embedding', numbers)}")


if __name__ == "__main__":
    main()
