"""`plan`: how large a pool may be, judged by what a measurement says about each size (C14). It measures nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hermes_core.errors import InvalidInput
from hermes_core.items import Value

FAILURES = 2  # sizes over the target after which larger ones are not measured


class Measured(Value, frozen=True, kw_only=True):
    """One size: 95th percentile of the latency in ms, and recall of what should be found, in 0..1."""

    size: int
    ms: float
    recall: float = 1.0


class Plan(Value, frozen=True, kw_only=True):
    """The recommended cap (0 when even the smallest size is too slow), what limits it, and every measurement."""

    cap: int
    limited_by: str  # "latency" | "recall" | "sizes": nothing measured was too large
    target_ms: float
    rows: tuple[Measured, ...] = ()


def plan(
    measure: Callable[[int], Measured | float],
    sizes: Iterable[int],
    target_ms: float,
    least_recall: float = 0.0,
    headroom: float = 1.0,
) -> Plan:
    """C14: the largest pool that stays within `target_ms` / `headroom` and above `least_recall`.

    `measure(size)` gives a Measured, or just the latency in ms. Between the last size that holds and the first that
    is too slow the cap is interpolated. InvalidInput on sizes, targets or headroom that make no sense.
    """
    wanted = sorted(set(sizes))
    if not wanted or wanted[0] < 1:
        raise InvalidInput(f"sizes must be whole numbers of at least 1, got {wanted}")
    if target_ms <= 0 or headroom < 1:
        raise InvalidInput(f"target_ms must be above 0 and headroom at least 1, got {target_ms} and {headroom}")
    limit = target_ms / headroom
    rows = tuple(_measure(measure, wanted, limit))
    good: Measured | None = None
    for row in rows:
        if row.recall < least_recall:
            return Plan(cap=good.size if good else 0, limited_by="recall", target_ms=target_ms, rows=rows)
        if row.ms > limit:
            return Plan(cap=_between(good, row, limit), limited_by="latency", target_ms=target_ms, rows=rows)
        good = row
    return Plan(cap=wanted[-1], limited_by="sizes", target_ms=target_ms, rows=rows)


def _measure(measure: Callable[[int], Measured | float], sizes: list[int], limit: float) -> list[Measured]:
    rows: list[Measured] = []
    for size in sizes:
        got = measure(size)
        rows.append(got if isinstance(got, Measured) else Measured(size=size, ms=float(got)))
        if sum(row.ms > limit for row in rows) >= FAILURES:
            break
    return rows


def _between(good: Measured | None, slow: Measured, limit: float) -> int:
    if good is None:
        return 0
    share = (limit - good.ms) / (slow.ms - good.ms)
    return good.size + int(share * (slow.size - good.size))
