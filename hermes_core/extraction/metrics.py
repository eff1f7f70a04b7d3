"""Counts of what extraction did (C10): calls, repairs, fallbacks, seconds, reasons. Nothing is decided from them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable

from hermes_core.ports import Dismissal


class Counters:
    """Named sums, safe from any thread; `snapshot()` is a plain dict."""

    def __init__(self) -> None:
        self._sums: Counter[str] = Counter()
        self._seconds = 0.0
        self._lock = threading.Lock()

    def add(self, name: str, by: int = 1) -> None:
        with self._lock:
            self._sums[name] += by

    def took(self, seconds: float) -> None:
        """One model call's wall time."""
        with self._lock:
            self._sums["calls"] += 1
            self._seconds += seconds

    def dismissed(self, dismissals: Iterable[Dismissal]) -> None:
        with self._lock:
            self._sums.update(f"reason.{dismissal.reason}" for dismissal in dismissals)

    def snapshot(self) -> dict[str, float]:
        """Sums by name, `seconds` of all calls included."""
        with self._lock:
            return {**dict(sorted(self._sums.items())), "seconds": self._seconds}
