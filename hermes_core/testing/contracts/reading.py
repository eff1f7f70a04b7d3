"""How the contract suites look at a ledger, and run things at once. No implementation may be known here."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from hermes_core.changes import replay
from hermes_core.items import MemoryItem
from hermes_core.ports import Ledger

T = TypeVar("T")


def loaded_items(ledger: Ledger, user: str = "u1") -> dict[str, MemoryItem]:
    return {i.id: i for i in ledger.load(user).state}


def assert_trail_is_state(ledger: Ledger, user: str = "u1") -> None:
    """Law R: the trail replays to what is stored."""
    assert replay(ledger.changes(user)) == loaded_items(ledger, user)


def in_threads(count: int, work: Callable[[int], T]) -> list[T]:
    """Run work(0..count-1) at once; the results in order. The first error is raised."""
    results: dict[int, T] = {}
    errors: list[BaseException] = []
    gate = threading.Barrier(count)

    def run(n: int) -> None:
        gate.wait()
        try:
            results[n] = work(n)
        except BaseException as error:  # raised again below, in the test's own thread
            errors.append(error)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return [results[n] for n in range(count)]
