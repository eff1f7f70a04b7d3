"""The SQL ledger (SQLite and PostgreSQL): the one truth. Only this package knows SQL; no rule may live here."""

from hermes_core.stores.sql.ledger import SqlLedger

__all__ = ["SqlLedger"]
