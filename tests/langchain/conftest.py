"""Stores: one that knows ada already, and one whose disk went away after it was opened."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hermes_core import Hermes
from tests.langchain.stores import FACT, USER, BrokenLedger, tell


@pytest.fixture
def knowing(hermes: Hermes) -> Hermes:
    """Knows from an earlier session that ada is allergic to peanuts."""
    tell(hermes, USER, FACT)
    return hermes


@pytest.fixture
def broken(open_hermes: Callable[..., Hermes]) -> Hermes:
    ledger = BrokenLedger()
    hermes = open_hermes(ledger=ledger, chroma=False)
    ledger.broken = True
    return hermes
