"""A lease that could not be given back bars nobody: it is given back before anything else is claimed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone

import pytest

from hermes_core import Hermes, StoreError
from hermes_core.items import Turn
from hermes_core.shell.importing import _held
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.testing import FakeClock, HashEmbedder, ScriptedExtractor

NOW = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)


class Stuck(InMemoryLedger):
    """Can't give back the leases of these users."""

    def __init__(self) -> None:
        super().__init__()
        self.users_stuck: set[str] = set()

    def release(self, worker: str, user_id: str) -> None:
        if user_id in self.users_stuck:
            raise StoreError("the disk is full")
        super().release(worker, user_id)


@pytest.fixture
def ledger() -> Stuck:
    return Stuck()


@pytest.fixture
def hermes(ledger: Stuck) -> Iterator[Hermes]:
    given = {"extractor": ScriptedExtractor({}), "embedder": HashEmbedder(16), "clock": FakeClock(NOW)}
    with Hermes.open(ledger=ledger, chroma=False, worker=False, **given) as opened:
        yield opened


def say(hermes: Hermes, user: str, words: str) -> None:
    hermes.session(user, "s").observe("user", words)
    hermes.flush(user, timeout=3)


def test_with_room_again_the_user_goes_on_at_once(hermes, ledger):
    ledger.users_stuck = {"ann"}
    with pytest.raises(StoreError, match="full"):
        say(hermes, "ann", "hello")
    ledger.users_stuck = set()
    say(hermes, "ann", "hello again")  # the clock stands still: no lease has run out


def test_a_lease_that_sticks_bars_no_other_user(hermes, ledger):
    ledger.users_stuck = {"ann"}
    with pytest.raises(StoreError, match="full"):
        say(hermes, "ann", "hello")
    for n in range(3):
        say(hermes, "bob", f"hello {n}")
    assert len(hermes._engine._unreleased) == 1


def test_an_import_gives_its_long_lease_back_late(hermes, ledger):
    turn = Turn(id="t", user_id="ann", session_id="s", role="user", text="hello", said_at=NOW)
    ledger.users_stuck = {"ann"}
    with pytest.raises(StoreError), _held(hermes._engine, "ann", [turn]):
        pass
    ledger.users_stuck = set()
    hermes.flush("ann", timeout=3)
