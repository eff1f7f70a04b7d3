"""The one law of fading: fade = 0.5 ** (idle / half-life), strength = confidence x fade (F10-F16).

Everything that depends on the passing of time asks here. No state, no clock: the moment is an argument.
"""

from __future__ import annotations

from datetime import datetime

from hermes_core.config import Config
from hermes_core.items import Kind, MemoryItem, Pool, Status, _Text

SECONDS_PER_DAY = 86_400.0


class Tier(_Text):
    """F15: hot is recalled, warm sleeps until it is used again, cold lies in the archive."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"


def days_between(earlier: datetime, later: datetime) -> float:
    """Days, never negative: an event told late finds nothing idle."""
    return max(0.0, (later - earlier).total_seconds() / SECONDS_PER_DAY)


def idle_days(item: MemoryItem, now: datetime) -> float:
    """Days since the last confirmation or hit."""
    return days_between(item.last_active_at, now)


def faded(idle: float, half_life: float | None) -> float:
    """0.5 ** (idle / half-life), both in days; 1 when there is no half-life (F10)."""
    return 1.0 if half_life is None else float(0.5 ** (idle / half_life))


def fade(item: MemoryItem, now: datetime) -> float:
    """What is left of the item, on 0..1, without its confidence."""
    return faded(idle_days(item, now), item.half_life_days)


def strength(item: MemoryItem, now: datetime) -> float:
    """confidence x fade, on 0..1 (F10)."""
    return item.confidence * fade(item, now)


def recency(item: MemoryItem, now: datetime, config: Config) -> float:
    """W8: fade, with the usual half-life for kinds that have none, so that age still ranks them."""
    return faded(idle_days(item, now), item.half_life_days or config.bounded.value_half_life_days)


def asleep(item: MemoryItem, now: datetime, config: Config) -> bool:
    """An unfrozen item under the threshold of strength: not recalled, but wakeable (F10)."""
    return item.pool is Pool.HOT and strength(item, now) < config.decay.asleep_under


def observed(item: MemoryItem, now: datetime) -> bool:
    """W5, W16: under observation, not to be shown as something known."""
    return item.observed_until is not None and now < item.observed_until


def tier(item: MemoryItem, now: datetime, config: Config) -> Tier:
    """F15: where the item stands for recall."""
    if item.pool is Pool.COLD:
        return Tier.COLD
    return Tier.WARM if asleep(item, now, config) or item.status is Status.STALE else Tier.HOT


def weathered(item: MemoryItem, now: datetime, config: Config) -> bool:
    """F11: idle for two half-lives (or, in preset assistant, for sixty days whatever the kind); pinned items don't."""
    if item.pinned:
        return False
    if config.freeze.weather_all_kinds and idle_days(item, now) >= config.decay.weather_days:
        return True
    return fade(item, now) <= config.decay.weather_at


def sealable(item: MemoryItem, now: datetime, config: Config) -> bool:
    """F13: unfrozen and idle for three half-lives; pinned items don't."""
    if item.pinned or item.pool is not Pool.HOT:
        return False
    if item.half_life_days is None:  # what does not fade may still wait in vain for its re-confirmation
        return item.status is Status.STALE and idle_days(item, now) >= config.decay.stale_after_days
    return idle_days(item, now) >= config.decay.seal_after_half_lives * item.half_life_days


def outdated_fact(item: MemoryItem, now: datetime, config: Config) -> bool:
    """F16: a fact that the user has not confirmed for half a year; hits don't help it, pins do."""
    if item.kind is not Kind.FACT or item.pinned or item.status not in (Status.CANDIDATE, Status.CONFIRMED):
        return False
    return days_between(item.confirmed_at, now) >= config.decay.stale_after_days


def lengthened(item: MemoryItem, confirmations: float, config: Config) -> tuple[float, int] | None:
    """F12: the half-life (days) and count after a confirmation that brings the total to `confirmations`, or None."""
    decay = config.decay
    if (
        item.half_life_days is None
        or confirmations <= decay.keep_alive_from
        or item.kept_alive >= decay.keep_alive_times
    ):
        return None
    return item.half_life_days * (1.0 + decay.keep_alive_gain), item.kept_alive + 1
