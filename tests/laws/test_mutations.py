"""Each law broken on purpose: some test must turn red. The package is copied, edited and tested in another process."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.laws.mutations import MUTATIONS, Mutation

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "hermes_core"
DAILY = tuple({mutation.law: mutation for mutation in reversed(MUTATIONS)}.values())  # the first of each law
SELECTED = tuple(dict.fromkeys(test for mutation in DAILY for test in mutation.tests))
ENDLESS = 240  # seconds; a broken law may also show in rules that never settle


def _name(mutation: Mutation) -> str:
    return f"{mutation.law}-{mutation.what.replace(' ', '-')}"


CASES = [pytest.param(m, id=_name(m), marks=pytest.mark.slow if m in DAILY else pytest.mark.nightly) for m in MUTATIONS]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run of the tests needs, beside the package."""
    place = tmp_path_factory.mktemp("checkout")
    shutil.copytree(PACKAGE, place / "hermes_core", ignore=shutil.ignore_patterns("__pycache__"))
    for area in ("core", "laws"):
        shutil.copytree(ROOT / "tests" / area, place / "tests" / area, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", place)
    (place / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "states.md", place / "docs")
    return place


def run(checkout: Path, tests: tuple[str, ...]) -> tuple[int, str]:
    """pytest's exit code and the end of what it said, run on the copy (its folder comes first on the path)."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COV_"))}
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *tests]
    env = clean | {"PYTHONPATH": str(checkout)}
    try:
        done = subprocess.run(command, cwd=checkout, env=env, capture_output=True, text=True, timeout=ENDLESS)
    except subprocess.TimeoutExpired:
        return 1, "1 failed: it never ended"
    return done.returncode, (done.stdout + done.stderr)[-3000:]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=_name)
def test_what_is_to_be_broken_stands_once(mutation: Mutation) -> None:
    text = (PACKAGE / mutation.file).read_text(encoding="utf-8")
    assert text.count(mutation.old) == 1, f"{mutation.file} holds this {text.count(mutation.old)} times: {mutation.old}"


def test_each_law_is_broken_every_day_and_in_several_ways_by_night() -> None:
    counts = Counter(mutation.law for mutation in MUTATIONS)
    assert {law: n for law, n in counts.items() if n < 2} == {}
    assert {mutation.law for mutation in DAILY} == set(counts) == set("BFCGODXER")


@pytest.mark.slow
def test_the_tests_are_green_on_an_unbroken_copy(checkout: Path) -> None:
    code, said = run(checkout, SELECTED)
    assert code == 0, said


@pytest.mark.parametrize("mutation", CASES)
def test_a_broken_law_turns_a_test_red(checkout: Path, mutation: Mutation) -> None:
    broken = checkout / "hermes_core" / mutation.file
    whole = broken.read_text(encoding="utf-8")
    broken.write_text(whole.replace(mutation.old, mutation.new), encoding="utf-8")
    try:
        code, said = run(checkout, mutation.tests)
    finally:
        broken.write_text(whole, encoding="utf-8")
    assert code == 1 and re.search(r"\b[1-9]\d* failed", said), (
        f"{mutation.what}: nothing noticed (exit code {code})\n{said}"
    )
