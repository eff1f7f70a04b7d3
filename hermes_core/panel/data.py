"""What the panel shows of one user, as plain JSON types, drawn from values. No I/O, no HTML, no decision may live here."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from hermes_core.answers import describe
from hermes_core.answers.stats import caps
from hermes_core.answers.words import kind_words, reason_words, status_words
from hermes_core.changes import Change, Event
from hermes_core.conclusions import is_conclusion
from hermes_core.config import Config
from hermes_core.decay import asleep, observed, strength
from hermes_core.items import Evidence, HeldOverride, Kind, MemoryItem, Sensitivity, Status, Tone, Turn
from hermes_core.user_state import UserState

HORIZON_DAYS = 90  # how far the fading curve looks ahead
CURVE_POINTS = 31  # one every three days
ARCHIVE_SHOWN = 200  # archived items in one view, the latest; a search looks through all of them
TRAIL_SHOWN = 120  # changes in the trail of recent changes
TRAIL_READ = 400  # changes read for it, since bookkeeping is left out
BOOKKEEPING = (Event.HIT, Event.REVALUED, Event.LINKED)  # of no use to people who look

_ORDER = {
    Status.FROZEN: 0,
    Status.UNLOCKED: 0,
    Status.CONFIRMED: 1,
    Status.CANDIDATE: 2,
    Status.STALE: 3,
    Status.ARCHIVED: 4,
}


def view(
    state: UserState,
    trail: Iterable[Change],
    now: datetime,
    config: Config,
    *,
    language: str = "en",
    query: str = "",
    users: Sequence[str] = (),
) -> dict[str, Any]:
    """One user's memory at one version (C1): pools with caps, items, the trail's latest lines, words for codes.

    `query` keeps the items that hold all its words, in their text, value, slot or evidence. `users` are those that
    the reader may switch to. Times are ISO 8601 with offset, shares on 0..1, `archived` counts the whole archive.
    """
    items = [item for item in state if found(item, query)]
    items.sort(key=lambda i: (_ORDER.get(i.status, 5), -strength(i, now), -i.said_at.timestamp(), i.id))
    live = [item for item in items if item.status is not Status.ARCHIVED]
    archived = sorted((i for i in items if i.status is Status.ARCHIVED), key=lambda i: (-_when(i), i.id))
    return {
        "user_id": state.user_id,
        "users": list(users),
        "language": language,
        "query": query,
        "version": state.version,
        "taken_at": now.isoformat(),
        "pools": pools(state, config),
        "items": [item_view(item, now, config, language) for item in [*live, *archived[:ARCHIVE_SHOWN]]],
        "hidden": max(0, len(archived) - ARCHIVE_SHOWN),
        "trail": trail_view(trail, language)[:TRAIL_SHOWN],
        "words": words(language),
        "horizon_days": HORIZON_DAYS,
        "asleep_under": config.decay.asleep_under,
        "item_tokens": config.bounded.item_tokens,
    }


def _when(item: MemoryItem) -> float:
    return item.said_at.timestamp()


def pools(state: UserState, config: Config) -> list[dict[str, Any]]:
    """How full each pool is, against its hard limit (law B)."""
    sizes = {
        "hot": len(state.hot),
        "frozen": len(state.frozen),
        "archive": len(state.archive),
        "short_term": len(state.short_term),
    }
    limits = caps(config)
    return [
        {"name": name, "size": size, "cap": limits[name], "warn": size >= config.bounded.warn_at * limits[name]}
        for name, size in sizes.items()
    ]


def words(language: str) -> dict[str, dict[str, str]]:
    """What statuses and kinds are called in this language."""
    return {
        "status": {status.value: status_words(status, language) for status in Status},
        "kind": {kind.value: kind_words(kind, language) for kind in Kind},
    }


def item_view(item: MemoryItem, now: datetime, config: Config, language: str) -> dict[str, Any]:
    """One item with the user's words behind it, what is held against it, and how it will fade."""
    return {
        "id": item.id,
        "text": item.text,
        "language": item.language,
        "subject": item.subject,
        "slot": item.slot,
        "value": item.value,
        "kind": item.kind.value,
        "layer": item.layer.value,
        "status": item.status.value,
        "pool": item.pool.value,
        "confidence": round(item.confidence, 4),
        "confirmations": item.confirmations,
        "sessions": len(item.sessions),
        "hits": item.hits,
        "strength": round(strength(item, now), 4),
        "curve": curve(item, now),
        "half_life_days": item.half_life_days,
        "days_to_sleep": days_to_sleep(item, now, config),
        "asleep": asleep(item, now, config),
        "observed": observed(item, now),
        "pinned": item.pinned,
        "sensitive": item.sensitivity is Sensitivity.SENSITIVE,
        "suspicious": item.suspicious,
        "inferred": is_conclusion(item),
        "said_at": item.said_at.isoformat(),
        "confirmed_at": item.confirmed_at.isoformat(),
        "archived_because": reason_words(item.archived_because, language) if item.archived_because else "",
        "evidence": [evidence_view(e) for e in item.evidence],
        "held": [held_view(h, language) for h in item.held],
    }


def curve(item: MemoryItem, now: datetime) -> list[float]:
    """The strength that the item will have if nobody speaks of it: CURVE_POINTS from now to HORIZON_DAYS."""
    step = timedelta(days=HORIZON_DAYS / (CURVE_POINTS - 1))
    return [round(strength(item, now + n * step), 4) for n in range(CURVE_POINTS)]


def days_to_sleep(item: MemoryItem, now: datetime, config: Config) -> int | None:
    """Whole days until a hot item falls asleep, within HORIZON_DAYS; None when it doesn't."""
    days = range(HORIZON_DAYS + 1)
    found = bisect_left(days, True, key=lambda day: asleep(item, now + timedelta(days=day), config))
    return found if found in days else None


def evidence_view(evidence: Evidence) -> dict[str, Any]:
    return {
        "quote": evidence.quote,
        "session_id": evidence.session_id,
        "turn_id": evidence.turn_id,
        "said_at": evidence.said_at.isoformat(),
        "emotional": evidence.tone is Tone.EMOTIONAL,
        "asked": evidence.asked,
    }


def held_view(held: HeldOverride, language: str) -> dict[str, Any]:
    return {
        "text": held.text,
        "value": held.value,
        "confidence": round(held.confidence, 4),
        "why": reason_words(held.reason, language) if held.reason else "",
        "awaiting_approval": held.awaiting_approval,
        "evidence": [evidence_view(e) for e in held.evidence],
    }


def trail_view(trail: Iterable[Change], language: str) -> list[dict[str, Any]]:
    """The changes in plain words, the latest first, without bookkeeping (law X)."""
    return [
        {
            "version": change.version,
            "at": change.cause.at.isoformat(),
            "by": change.cause.by,
            "event": change.event.value,
            "item_id": change.item_id,
            "line": describe(change, language),
        }
        for change in reversed(list(trail))
        if change.event not in BOOKKEEPING
    ]


def why(item: MemoryItem, trail: Iterable[Change], turns: Iterable[Turn], language: str) -> dict[str, Any]:
    """C2: the whole turns behind an item, and every decision that made it what it is, the latest first."""
    whole = {turn.id: turn.text for turn in turns}
    return {
        "item_id": item.id,
        "turns": {e.turn_id: whole[e.turn_id] for e in item.evidence if whole.get(e.turn_id, e.quote) != e.quote},
        "trail": trail_view((change for change in trail if change.item_id == item.id), language),
    }


def found(item: MemoryItem, query: str) -> bool:
    """Whether an item holds all the query's words; Chinese is found by any part of a sentence."""
    asked = plain(query).split()
    if not asked:
        return True
    text = plain(" ".join([item.text, item.value, item.slot, item.subject, *(e.quote for e in item.evidence)]))
    return all(word in text for word in asked)


def plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
