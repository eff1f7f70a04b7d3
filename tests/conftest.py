"""Shared fixtures: a clock, and stores on disk or in memory, with the real local extractor and the real embedder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_core import DefaultEmbedder, Hermes
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.testing import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(scope="session")
def embedder() -> DefaultEmbedder:
    return DefaultEmbedder()


@pytest.fixture
def open_hermes(clock: FakeClock, embedder: DefaultEmbedder) -> Iterator[Callable[..., Hermes]]:
    """Opens stores in memory (or in a folder), without a worker thread unless asked; all are closed at the end."""
    opened: list[Hermes] = []

    def open_one(path: Path | None = None, **given: Any) -> Hermes:
        given.setdefault("clock", clock)
        given.setdefault("embedder", embedder)
        given.setdefault("worker", False)
        if path is None:
            given.setdefault("ledger", InMemoryLedger())
            given.setdefault("chroma", False)
        hermes = Hermes.open(path, **given)
        opened.append(hermes)
        return hermes

    yield open_one
    for hermes in opened:
        hermes.close()


@pytest.fixture
def hermes(open_hermes: Callable[..., Hermes]) -> Hermes:
    return open_hermes()
