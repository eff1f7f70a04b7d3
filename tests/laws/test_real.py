"""The walk on a real SQLite ledger and Chroma index with real closing and opening, and one beside a working worker."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import seed
from hypothesis.stateful import run_state_machine_as_test

from tests.laws import checks
from tests.laws.deeds import World
from tests.laws.scenery import SAYINGS, USERS
from tests.laws.walk import Walk, walking


class WalkOnDisk(Walk):
    """The same walk in a folder; `reopen` closes the store and opens it again."""

    REACHED = Counter()
    TAKEN = Counter()

    def new_world(self) -> World:
        self.place = TemporaryDirectory()
        return World(folder=Path(self.place.name) / "memory")

    def teardown(self) -> None:
        self.again = ""  # uses that a closing store writes come at another time than in memory
        super().teardown()
        self.place.cleanup()


@pytest.mark.slow
def test_the_laws_hold_on_disk() -> None:
    run_state_machine_as_test(seed(1)(WalkOnDisk), settings=walking(2, 12))
    assert WalkOnDisk.TAKEN["steps"] > 20, WalkOnDisk.TAKEN


@pytest.mark.nightly
def test_the_laws_hold_on_disk_for_long() -> None:
    run_state_machine_as_test(WalkOnDisk, settings=walking(40, 40, random=True))


@pytest.mark.slow
def test_the_laws_that_know_no_order_hold_beside_a_worker() -> None:
    world, chance = World.in_memory(worker=True), Random(7)
    for n in range(150):
        user, saying = chance.choice(USERS), chance.choice(SAYINGS)
        world.do("say", user, f"s{n // 10}", saying.spoken(user), f"{user}-{n}")
        if n % 5 == 0:
            world.do("read", user, f"s{n // 10}", saying.spoken(user), {})
        if n % 10 == 0:
            world.do("advance", 26.0)
    world.do("flush")
    for user in USERS:
        turns = {t.id: t for t in world.hermes._engine.ledger.turns(user)}
        changes = world.hermes.history(user)
        checks.bounded(world.hermes, user)
        checks.grounded(world.hermes, user, turns)
        checks.owned(world.hermes, user, "")
        checks.explained(world.hermes, user, changes, changes)
        checks.durable(world.hermes, user, list(turns), True, turns)
        checks.accounted(changes, list(turns))
    world.hermes.close()
