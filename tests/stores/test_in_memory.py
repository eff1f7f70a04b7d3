"""The in-memory twins pass the contracts that the real stores pass."""

import pytest

from hermes_core.stores.in_memory import InMemoryIndex, InMemoryLedger
from hermes_core.testing.contracts import IndexContract, LedgerContract


class TestInMemoryLedger(LedgerContract):
    @pytest.fixture
    def ledger(self):
        return InMemoryLedger()


class TestInMemoryIndex(IndexContract):
    @pytest.fixture
    def index(self):
        return InMemoryIndex()
