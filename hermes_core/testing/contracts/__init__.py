"""Contract suites: one pytest class per port. Whoever implements a port subclasses its suite and gives a fixture.

    class TestMyLedger(LedgerContract):
        @pytest.fixture
        def ledger(self): ...

Nothing here may know an implementation.
"""

from hermes_core.testing.contracts.index_contract import IndexContract
from hermes_core.testing.contracts.ledger_contract import LedgerContract

__all__ = ["IndexContract", "LedgerContract"]
