"""Random walks over the whole public API: after every step all laws hold, and every walk goes everywhere."""

from __future__ import annotations

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
STEPS = 7_000
WALKS = int(os.environ.get("HERMES_WALKS", "40"))


def walk(part: int, walks: int, *, random: bool = False) -> type[Walk]:
    """Walk so many lives, different ones in every part; the machine with what it reached."""
    machine = type(f"Walk{part}", (Walk,), {"REACHED": Counter(), "TAKEN": Counter()})
    run_state_machine_as_test(machine if random else seed(part)(machine), settings=walking(walks, random=random))
    return machine


def went_everywhere(machine: type[Walk], steps: int) -> None:
    assert machine.TAKEN["steps"] >= steps, machine.TAKEN
    assert machine.TAKEN["replayed"], "law R was not looked at"
    unreached = [str(status) for status in Status if status not in machine.REACHED]
    assert not unreached, f"statuses that no walk reached: {unreached}"
    edges = [(str(before), str(event)) for before, event in TRANSITIONS if (before, event) not in machine.REACHED]
    assert not edges, f"transitions that no walk took: {edges}"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_the_laws_hold_on_every_walk_and_the_walks_go_everywhere(part: int) -> None:
    went_everywhere(walk(part, WALKS), STEPS)


def test_the_laws_hold_on_a_short_walk() -> None:
    machine = walk(100, 8)
    assert machine.TAKEN["steps"] > 300, machine.TAKEN


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(4))
def test_the_laws_hold_on_random_walks(part: int) -> None:
    went_everywhere(walk(part, 20 * WALKS, random=True), 20 * STEPS)


def test_the_tight_bounds_are_tighter_than_what_can_be_said() -> None:
    assert len(SAYINGS) > TIGHT.bounded.hot_cap + TIGHT.bounded.frozen_limit
    assert Event.REFUSED not in {event for _, event in TRANSITIONS}
