"""Counters and timers that the shell passes around (C10), forwarded to OpenTelemetry where its API is installed.

Numbers only: no user id, no text, no network. Without the `metrics` extra, or without a configured provider,
nothing leaves the process.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

KEPT_TIMES = 1024  # latest durations kept per name, for percentiles


class Meter:
    """Counts and durations of one store in one process; safe to use from any thread.

    Names are dotted ("hermes.context"); durations are in seconds inside and milliseconds in `snapshot()`.
    """

    def __init__(self, opentelemetry: bool = True) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, float] = {}
        self._times: dict[str, deque[float]] = {}
        self._calls: dict[str, int] = {}
        self._exported = _Exported() if opentelemetry else None

    def count(self, name: str, n: float = 1, **attrs: str | int | float | bool) -> None:
        """Add `n` to a counter; `attrs` (low in number of values, never a user's words) reach OpenTelemetry only."""
        with self._lock:
            self._counts[name] = self._counts.get(name, 0) + n
        if self._exported is not None:
            self._exported.count(name, n, attrs)

    def export(self, numbers: Mapping[str, float], of_store: bool) -> None:
        """Sizes and shares as they stand now, for OpenTelemetry alone: gauges `hermes.store.<name>` of the whole store, or
        one user's among the others' in histograms `hermes.user.<name>` (whose, nobody is told)."""
        if self._exported is not None:
            for name, value in numbers.items():
                self._exported.stands(f"hermes.{'store' if of_store else 'user'}.{name}", value, of_store)

    def time(self, name: str, **attrs: str | int | float | bool) -> AbstractContextManager[None]:
        """Measure the block, whether it succeeds or raises."""
        return _Timer(self, name, attrs)

    def timed(self, name: str, seconds: float, **attrs: str | int | float | bool) -> None:
        """Note one duration that was measured elsewhere, in seconds."""
        with self._lock:
            self._times.setdefault(name, deque(maxlen=KEPT_TIMES)).append(seconds)
            self._calls[name] = self._calls.get(name, 0) + 1
        if self._exported is not None:
            self._exported.timed(name, seconds, attrs)

    def snapshot(self) -> dict[str, float]:
        """Everything so far, flat: counters by name; per timer `.calls`, `.p50_ms`, `.p95_ms` and `.max_ms` of the latest."""
        with self._lock:
            numbers = dict(self._counts)
            times = {name: sorted(kept) for name, kept in self._times.items()}
            calls = dict(self._calls)
        for name, ordered in times.items():
            numbers[f"{name}.calls"] = float(calls[name])
            numbers[f"{name}.p50_ms"] = percentile(ordered, 0.5) * 1000
            numbers[f"{name}.p95_ms"] = percentile(ordered, 0.95) * 1000
            numbers[f"{name}.max_ms"] = ordered[-1] * 1000
        return dict(sorted(numbers.items()))


class _Timer:
    """One block being measured; a class, since a generator costs a chat's read several times as much."""

    __slots__ = ("_attrs", "_meter", "_name", "_started")

    def __init__(self, meter: Meter, name: str, attrs: Mapping[str, str | int | float | bool]) -> None:
        self._meter, self._name, self._attrs = meter, name, attrs

    def __enter__(self) -> None:
        self._started = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self._meter.timed(self._name, time.perf_counter() - self._started, **self._attrs)


def percentile(ordered: list[float], share: float) -> float:
    """The value at `share` (0..1) of an ascending list, by the nearest rank; 0 for an empty one."""
    if not ordered:
        return 0.0
    return ordered[min(len(ordered), max(1, math.ceil(share * len(ordered)))) - 1]


class _Exported:
    """OpenTelemetry's instruments, made at first use; silent where its API isn't installed."""

    def __init__(self) -> None:
        self._meter: Any = _opentelemetry_meter()
        self._instruments: dict[str, Any] = {}

    def count(self, name: str, n: float, attrs: dict[str, Any]) -> None:
        if self._meter is not None and n >= 0:
            self._instrument(name, "create_counter", "1").add(n, attrs)

    def timed(self, name: str, seconds: float, attrs: dict[str, Any]) -> None:
        if self._meter is not None:
            self._instrument(f"{name}.duration", "create_histogram", "s").record(seconds, attrs)

    def stands(self, name: str, value: float, of_store: bool) -> None:
        if self._meter is None:
            return
        if of_store:
            self._instrument(name, "create_gauge", "1").set(value)
        else:
            self._instrument(name, "create_histogram", "1").record(value)

    def _instrument(self, name: str, create: str, unit: str) -> Any:
        found = self._instruments.get(name)
        if found is None:
            found = self._instruments.setdefault(name, getattr(self._meter, create)(name, unit=unit))
        return found


def _opentelemetry_meter() -> Any:
    try:
        from opentelemetry import metrics
    except ImportError:
        return None
    return metrics.get_meter("hermes_core")
