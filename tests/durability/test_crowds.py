"""Several processes and many threads on one store, through the public door: nothing lost, bounds at every version."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_core import Hermes
from hermes_core.changes import evolve
from hermes_core.gates.bounded import caps_broken
from hermes_core.items import PackedItems, Status
from hermes_core.testing import HashEmbedder
from hermes_core.user_state import UserState
from tests.durability.kit import QUICK, Reader, index_equals_ledger, laws_hold

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def crowd(place: str, processes: int, threads: int, seconds: float, *more: str) -> list[dict]:
    program = [sys.executable, "-m", "tests.durability.crowd", place]
    children = [
        subprocess.Popen(
            [*program, str(n), str(threads), str(seconds), *more], stdout=subprocess.PIPE, cwd=ROOT, env=ENVIRONMENT
        )
        for n in range(processes)
    ]
    answers = [child.communicate(timeout=seconds + 400)[0] for child in children]
    assert [child.returncode for child in children] == [0] * processes
    return [json.loads(answer) for answer in answers]


def bounded_at_every_version(hermes: Hermes, user: str) -> int:
    """Law B replayed version by version; the number of versions."""
    items: dict = {}
    config = hermes._engine.configs.of(user)
    trail = hermes.history(user)
    for n, change in enumerate(trail):
        items = evolve(items, change)
        if n + 1 < len(trail) and trail[n + 1].version == change.version:
            continue
        live = {i: item for i, item in items.items() if item.status is not Status.ARCHIVED}
        cold = PackedItems({i: item for i, item in items.items() if item.status is Status.ARCHIVED})
        broken = caps_broken(UserState(user, change.version, live, cold), config)
        assert not broken, f"{user} at version {change.version}: {broken}"
    return len({c.version for c in trail})


def check(hermes: Hermes, answers: list[dict], seconds: float) -> None:
    assert [a["failed"] for a in answers] == [[] for _ in answers]
    hermes.flush(timeout=120)
    said = [tuple(pair) for a in answers for pair in a["said"]]
    versions = 0
    for user in sorted({user for user, _ in said}):
        laws_hold(hermes, user, [turn for who, turn in said if who == user])
        versions += bounded_at_every_version(hermes, user)
    print(
        f"{len(answers)} processes: {len(said) / seconds:.0f} turns, {sum(a['reads'] for a in answers) / seconds:.0f} "
        f"contexts and {sum(a['commands'] for a in answers) / seconds:.0f} commands a second; {versions} versions"
    )


def opened(folder: Path) -> Hermes:
    return Hermes.open(folder, extractor=Reader(), embedder=HashEmbedder(16), config=QUICK, worker=False)


@pytest.mark.slow
def test_three_processes_for_some_seconds(tmp_path):
    answers = crowd(str(tmp_path), 3, 2, 4.0)
    with opened(tmp_path) as hermes:
        check(hermes, answers, 4.0)
        index_equals_ledger(hermes)


@pytest.mark.nightly
def test_eight_processes_of_four_threads_for_a_minute(tmp_path):
    answers = crowd(str(tmp_path), 8, 4, 60.0)
    with opened(tmp_path) as hermes:
        check(hermes, answers, 60.0)
        index_equals_ledger(hermes)


FIFTY = """
import sys
from hermes_core import Hermes
from hermes_core.testing import HashEmbedder
from tests.durability.kit import Reader, sentence
with Hermes.open(sys.argv[1], extractor=Reader(), embedder=HashEmbedder(64), chroma=False, worker=True) as hermes:
    with hermes.session("u", f"s{sys.argv[2]}") as session:
        for n in range(50):
            session.observe("user", sentence(f"{sys.argv[2]}thing{n}"), turn_id=f"{sys.argv[2]}-{n}")
    hermes.flush(timeout=120)
"""


@pytest.mark.slow
def test_i2_two_processes_of_fifty_facts_each_for_one_user(tmp_path):
    """A hundred are kept, or refused with a reason: nothing vanishes between two writers."""
    children = [
        subprocess.Popen([sys.executable, "-c", FIFTY, str(tmp_path), name], cwd=ROOT, env=ENVIRONMENT)
        for name in ("a", "b")
    ]
    assert [child.wait(timeout=200) for child in children] == [0, 0]
    with Hermes.open(tmp_path, extractor=Reader(), embedder=HashEmbedder(64), chroma=False, worker=False) as hermes:
        kept = {e.turn_id for item in hermes.memories("u") for e in item.evidence}
        reasoned = {c.cause.turn_id for c in hermes.history("u") if c.reason}
        wanted = {f"{name}-{n}" for name in ("a", "b") for n in range(50)}
        assert wanted <= kept | reasoned
        assert len(hermes._engine.ledger.turns("u")) == 100
        laws_hold(hermes, "u", wanted)
