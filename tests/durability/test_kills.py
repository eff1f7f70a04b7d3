"""Law D through the public door: a busy store is killed again and again, at random moments, and nothing is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_core import Hermes
from hermes_core.testing import HashEmbedder
from tests.durability.kit import QUICK, Reader, files_with, index_equals_ledger, laws_hold

ROOT = Path(__file__).parents[2]


def kill_often(folder: Path, kills: int, longest: float) -> list[dict]:
    """What the children were promised before they died."""
    program = [sys.executable, "-m", "tests.durability.talker", str(folder), str(kills), str(longest)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(program, capture_output=True, timeout=120 + 10 * kills, env=env, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(folder: Path, promises: list[dict]) -> None:
    with Hermes.open(folder, extractor=Reader(), embedder=HashEmbedder(16), config=QUICK, worker=False) as hermes:
        hermes.flush(timeout=900)
        users = {p["user"] for p in promises if "turn" in p}
        assert users
        for user in users:
            laws_hold(hermes, user, [p["turn"] for p in promises if p.get("user") == user and "turn" in p])
        index_equals_ledger(hermes)
        gone = [p["forgotten"] for p in promises if "forgotten" in p]
        assert hermes._engine.ledger.check() == []
    print(f"{sum('turn' in p for p in promises)} turns promised, {len(gone)} forgotten, {len(users)} users")
    assert not files_with(folder, *gone)


@pytest.mark.slow
def test_a_hundred_kills(tmp_path):
    check(tmp_path, kill_often(tmp_path, 100, 1.5))


@pytest.mark.nightly
def test_a_thousand_kills(tmp_path):
    check(tmp_path, kill_often(tmp_path, 1000, 2.5))
