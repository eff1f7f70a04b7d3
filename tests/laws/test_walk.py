"""Random walks over the whole public API: after every step all laws hold, and together they go everywhere."""

from __future__ import annotations

import json
import os
from collections import Counter

import pytest
from hypothesis import seed
from hypothesis.stateful import run_state_machine_as_test

from hermes_core.changes import TRANSITIONS, Event
from hermes_core.items import Status
from tests.laws.scenery import SAYINGS, TIGHT
from tests.laws.walk import Walk, walking

PARTS = 3  # run side by side; together more than 20,000 steps
STEPS = 20_000  # of all parts together, at least
WALKS = int(os.environ.get("HERMES_WALKS", "60"))


def walk(part: int, walks: int, *, random: bool = False) -> type[Walk]:
    """Walk so many lives, different ones in every part; the machine with what it reached."""
    machine = type(f"Walk{part}", (Walk,), {"REACHED": Counter(), "TAKEN": Counter()})
    run_state_machine_as_test(machine if random else seed(part)(machine), settings=walking(walks, random=random))
    return machine


def went_everywhere(reached: set[str]) -> None:
    """Every status, and every transition that the table allows, was seen in some walk."""
    unreached = [str(status) for status in Status if str(status) not in reached]
    assert not unreached, f"statuses that no walk reached: {unreached}"
    edges = [edge for before, event in TRANSITIONS if (edge := f"{before} {event}") not in reached]
    assert not edges, f"transitions that no walk took: {edges}"


def reached_by(machine: type[Walk]) -> set[str]:
    return {f"{key[0]} {key[1]}" if isinstance(key, tuple) else str(key) for key in machine.REACHED}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_the_laws_hold_on_every_walk_and_the_walks_go_everywhere(
    part: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The part that ends last, in whichever process, looks at what all of them reached together."""
    machine = walk(part, WALKS)
    assert machine.TAKEN["replayed"], "law R was not looked at"
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    mine = shared / f"walk-{part}.json"
    mine.with_suffix(".tmp").write_text(json.dumps([machine.TAKEN["steps"], sorted(reached_by(machine))]))
    mine.with_suffix(".tmp").replace(mine)
    ended = [place for n in range(PARTS) if (place := shared / f"walk-{n}.json").exists()]
    if len(ended) == PARTS:
        found = [json.loads(place.read_text()) for place in ended]
        assert sum(steps for steps, _ in found) >= STEPS, [steps for steps, _ in found]
        went_everywhere({edge for _, reached in found for edge in reached})


def test_the_laws_hold_on_a_short_walk() -> None:
    machine = walk(100, 5)
    assert machine.TAKEN["steps"] > 300, machine.TAKEN


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(4))
def test_the_laws_hold_on_random_walks(part: int) -> None:
    machine = walk(part, 10 * WALKS, random=True)
    assert machine.TAKEN["steps"] >= 2 * STEPS, machine.TAKEN
    went_everywhere(reached_by(machine))


def test_the_tight_bounds_are_tighter_than_what_can_be_said() -> None:
    assert len(SAYINGS) > TIGHT.bounded.hot_cap + TIGHT.bounded.frozen_limit
    assert Event.REFUSED not in {event for _, event in TRANSITIONS}
