"""What the user's statements are worth: weights, counting once per session (law C), and keeping within bounds (law B).

No decision about statuses may live here.
"""

from __future__ import annotations

from collections.abc import Iterable

from hermes_core.config import Config
from hermes_core.items import Basis, Evidence, HeldOverride, MemoryItem, Tone

_RANK = {Basis.IMPLIED: 0, Basis.BEHAVIOUR: 1, Basis.EXPLICIT: 2}


def weight(tone: Tone, basis: Basis, config: Config) -> float:
    """W7: what one statement adds to the confirmations; emotional and implied ones count less."""
    screen = config.screen
    worth = screen.emotional_discount if tone is Tone.EMOTIONAL else 1.0
    return min(worth, screen.implied_weight) if basis is Basis.IMPLIED else worth


def counted(evidence: Iterable[Evidence], config: Config) -> float:
    """Confirmations that the statements are worth: per session its best one (law C)."""
    best: dict[str, float] = {}
    for e in evidence:
        best[e.session_id] = max(best.get(e.session_id, 0.0), weight(e.tone, e.basis, config))
    return sum(best.values())


def counts_anew(item: MemoryItem, session_id: str, config: Config) -> bool:
    """Law C: a session counts once; when the kept evidence names as many sessions as fit, nothing counts any more."""
    sessions = item.sessions
    return session_id not in sessions and len(sessions) < config.bounded.evidence_cap


def calm(evidence: Iterable[Evidence]) -> bool:
    """W7: at least one statement was said calmly, and said or done rather than implied."""
    return any(e.tone is Tone.CALM and e.basis is not Basis.IMPLIED for e in evidence)


def merged(first: Iterable[Evidence], second: Iterable[Evidence], cap: int) -> tuple[Evidence, ...]:
    """Both, in the order of saying, each turn's quote once, at most `cap`: the first and the latest, a session's repeats go first."""
    seen = {(e.turn_id, e.quote): e for e in (*first, *second)}
    kept = sorted(seen.values(), key=lambda e: (e.said_at, e.seq, e.turn_id, e.quote))
    while len(kept) > cap:
        del kept[_least(kept)]
    return tuple(kept)


def _least(kept: list[Evidence]) -> int:
    """A session's repeats go first: as long as one statement of each session stays, none can count twice (law C)."""
    sessions = [e.session_id for e in kept]
    last = len(kept) - 1
    return min(
        range(1, len(kept)),
        key=lambda i: (sessions.count(sessions[i]) == 1, i == last, kept[i].tone is Tone.CALM, i),
    )


def stronger(one: Basis, other: Basis) -> Basis:
    """Explicit before behaviour before implied."""
    return one if _RANK[one] >= _RANK[other] else other


def linked(links: tuple[str, ...], ids: Iterable[str], config: Config) -> tuple[str, ...]:
    """The links with `ids` added, each once, the latest that fit."""
    out = [*links, *(i for i in dict.fromkeys(ids) if i not in links)]
    return tuple(out[-config.bounded.links_cap :])


def calm_sessions(override: HeldOverride) -> int:
    """F6: distinct sessions that spoke calmly for the override."""
    return len({e.session_id for e in override.evidence if calm((e,))})
