"""`stats`: sizes, rates and warnings of one user or of a store (C10, W15). Arithmetic over values; nothing is stored."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from hermes_core.answers.words import pick, pool_words
from hermes_core.changes import Change, Event
from hermes_core.config import Config
from hermes_core.items import Layer, MemoryItem, Pool, Status, Turn
from hermes_core.metrics import Meter
from hermes_core.ports import Summary, TokenCounter
from hermes_core.user_state import UserState
from hermes_core.views import Stats

GROWTH_DAYS = 7.0  # window in which growth is counted


def stats(
    user_id: str | None,
    states: Iterable[UserState],
    config: Config,
    now: datetime,
    *,
    meter: Meter | None = None,
    waiting: int = 0,
    trail: Iterable[Change] | None = None,
    turns: Sequence[Turn] = (),
    summaries: Iterable[Summary] = (),
    counter: TokenCounter | None = None,
    language: str = "en",
) -> Stats:
    """C10: pools (items), caps (per user), numbers, and warnings at `bounded.warn_at` of a cap (W15).

    `meter` adds what this process measured; `trail` and `turns` the repeated-explanation rate; `summaries` with
    `counter` the compression. Shares are on 0..1, `growth_week` in items, times in milliseconds.
    """
    known = list(states)
    live = [item for state in known for item in state.live.values()]
    numbers = {"users": float(len(known)), "waiting_turns": float(waiting), **_item_numbers(live, now)}
    if meter is not None:
        numbers.update(_measured(meter.snapshot()))
    if trail is not None:
        numbers["repeated_explanation_rate"] = repeated_explanation_rate(trail, turns)
    if counter is not None:
        numbers.update(_compression(turns, summaries, counter))
    return Stats(
        user_id=user_id,
        taken_at=now,
        pools=_pools(known),
        caps=caps(config),
        numbers=dict(sorted(numbers.items())),
        warnings=tuple(line for state in known for line in warnings(state, config, user_id is None, language)),
    )


def caps(config: Config) -> dict[str, int]:
    """The hard limits per user, by pool (W10)."""
    bounded = config.bounded
    limits = {
        "hot": bounded.hot_cap,
        "frozen": bounded.frozen_limit,
        "archive": bounded.archive_cap,
        "short_term": bounded.short_term_cap,
    }
    return {**limits, "dynamic": bounded.dynamic_cap} if bounded.dynamic_cap else limits


def warnings(state: UserState, config: Config, named: bool = False, language: str = "en") -> tuple[str, ...]:
    """W15: a line per pool that is at `warn_at` of its cap or above; `named` puts the user in front."""
    sizes = _sizes(state)
    who = pick((f"user {state.user_id}: ", f"用户 {state.user_id}："), language) if named else ""
    says = pick(
        ("{who}{pool} holds {size} of {cap} ({share:.0%})", "{who}{pool}已有 {size} / {cap}（{share:.0%}）"), language
    )
    return tuple(
        says.format(who=who, pool=pool_words(pool, language), size=sizes[pool], cap=cap, share=sizes[pool] / cap)
        for pool, cap in caps(config).items()
        if sizes[pool] >= config.bounded.warn_at * cap
    )


def repeated_explanation_rate(trail: Iterable[Change], turns: Sequence[Turn]) -> float:
    """Share of the user's turns that had to repeat something remembered which that session had not been shown.

    A repeat is a confirmation (or a same-session mention) of an item; it had been shown when the trail has a hit of it
    between the session's first turn and the repeat. 0 without user turns.
    """
    own = [turn for turn in turns if turn.role == "user"]
    if not own:
        return 0.0
    began: dict[str, datetime] = {}
    for turn in own:
        began[turn.session_id] = min(turn.said_at, began.get(turn.session_id, turn.said_at))
    hits: dict[str, list[datetime]] = {}
    repeats: list[Change] = []
    for change in trail:
        if change.event is Event.HIT and change.item_id:
            hits.setdefault(change.item_id, []).append(change.cause.at)
        elif change.event in (Event.CONFIRMED, Event.RECONFIRMED) and change.cause.by == "turn":
            repeats.append(change)
    again = {c.cause.turn_id for c in repeats if not _was_shown(c, began, hits)}
    return len(again) / len(own)


def _was_shown(repeat: Change, began: Mapping[str, datetime], hits: Mapping[str, list[datetime]]) -> bool:
    shown = sorted(hits.get(repeat.item_id or "", ()))
    since = began.get(repeat.cause.session_id or "", repeat.cause.at)
    last = bisect_right(shown, repeat.cause.at)
    return last > 0 and shown[last - 1] >= since


def _sizes(state: UserState) -> dict[str, int]:
    return {
        "hot": len(state.hot),
        "frozen": len(state.frozen),
        "archive": len(state.archive),
        "short_term": len(state.short_term),
        "dynamic": sum(item.layer is Layer.DYNAMIC for item in state.hot),
    }


def _pools(states: Iterable[UserState]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for state in states:
        sizes = _sizes(state)
        total.update({pool: sizes[pool] for pool in ("hot", "frozen", "archive", "short_term")})
        total.update(item.status.value for item in state.live.values() if item.status is not Status.FROZEN)
    names = ("hot", "frozen", "archive", "short_term", "candidate", "confirmed", "stale", "unlocked")
    return {name: total[name] for name in names}


def _item_numbers(live: Sequence[MemoryItem], now: datetime) -> dict[str, float]:
    week = now - timedelta(days=GROWTH_DAYS)
    count = len(live) or 1
    return {
        "live_items": float(len(live)),
        "live_tokens": float(sum(item.tokens for item in live)),
        "growth_week": float(sum(week < item.created_at <= now for item in live)),
        "hit_rate": sum(item.hits > 0 for item in live) / count,
        "frozen_share": sum(item.pool is Pool.FROZEN for item in live) / count,
        "mean_confidence": sum(item.confidence for item in live) / count,
        "held_overrides": float(sum(len(item.held) for item in live)),
    }


def _measured(seen: Mapping[str, float]) -> dict[str, float]:
    """The meter's numbers, and tokens a turn as the mean over the contexts that were asked for."""
    contexts = seen.get("hermes.context.calls", 0.0)
    tokens = seen.get("hermes.context.tokens", 0.0)
    return {**seen, "context_tokens_a_turn": tokens / contexts if contexts else 0.0}


def _compression(turns: Sequence[Turn], summaries: Iterable[Summary], counter: TokenCounter) -> dict[str, float]:
    """Tokens of the latest session summaries over those of the turns that they cover."""
    latest: dict[str, Summary] = {}
    for summary in summaries:
        if summary.session_id:
            latest[summary.session_id] = summary
    covered = [t for t in turns if t.session_id in latest and t.seq <= latest[t.session_id].last_seq]
    source = sum(counter.count(turn.text) for turn in covered)
    short = sum(counter.count(summary.text) for summary in latest.values())
    return {"compression": short / source if source else 0.0, "summaries": float(len(latest))}
