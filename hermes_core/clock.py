"""The wall clock, the only place below the command line that asks for the time. No rule may live here."""

from __future__ import annotations

from datetime import datetime, timezone


class SystemClock:
    """The machine's clock (port Clock)."""

    __slots__ = ()

    def now(self) -> datetime:
        """The present, aware, in UTC."""
        return datetime.now(timezone.utc)

    def __repr__(self) -> str:
        return "SystemClock()"
