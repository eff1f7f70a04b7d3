"""Which memories speak to a query (R3, R4, F14): routes, ranking and the reasons for what stays out. Pure.

Reads never alter an item and never call a model; waking an item up is the shell's change to make.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np

from hermes_core.config import Config
from hermes_core.items import Kind, MemoryItem, Sensitivity
from hermes_core.ports import SearchTable
from hermes_core.ranking import DAY, Bools, Floats, Query, ReadView, cosines, prepare, relevance, top
from hermes_core.reasons import Reason
from hermes_core.user_state import UserState
from hermes_core.views import LeftOut, RecallHit

__all__ = ["Query", "ReadView", "Recalled", "Viewer", "cosines", "prepare", "recall", "recall_explained"]

# Archived for want of room: still true, so an ordinary topic reaches it (F15). What idled away needs the wake-up.
_EVICTED = frozenset(
    str(r) for r in (Reason.REPLACED_WORST, Reason.WORST_OF_ALL, Reason.SHORT_TERM_FULL, Reason.DYNAMIC_FULL, "evicted")
)
_ARCHIVE_LOOKED_AT = 24  # archived items decoded at most per query; a decode costs about 10 µs
_NEIGHBOURED = 5  # best hits whose neighbours in time come along


class Recalled(NamedTuple):
    hits: tuple[RecallHit, ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True)
class Viewer:
    """Who looks: sensitive items need `consent` (C8), restricted ones their agent (U7), and `kinds` narrows."""

    agent: str | None = None
    consent: bool = False
    kinds: frozenset[str] | None = None

    def hidden(self, item: MemoryItem) -> str | None:
        """Why this viewer may not see the item, or None."""
        if item.suspicious:
            return "suspicious"
        if item.sensitivity is Sensitivity.SENSITIVE and not self.consent:
            return "no_consent"
        if item.visible_to and self.agent not in item.visible_to:
            return "not_visible"
        if self.kinds is not None and item.kind not in self.kinds:
            return "other_kind"
        return None


def viewer(agent: str | None, consent: bool, kinds: Iterable[Kind | str] | None) -> Viewer:
    return Viewer(agent, consent, None if kinds is None else frozenset(str(kind) for kind in kinds))


def recall(
    state: UserState,
    table: SearchTable,
    query: Query,
    now: datetime,
    config: Config,
    *,
    k: int | None = None,
    kinds: Iterable[Kind | str] | None = None,
    agent: str | None = None,
    consent: bool = False,
    include_archive: bool = True,
    view: ReadView | None = None,
) -> tuple[RecallHit, ...]:
    """The memories that speak to the query, best first: at most min(k, recall.max_items), per_topic of one slot. R3, R4.

    `view` is prepare(state, table, config) where the caller keeps it; similarities are calibrated, now is aware.
    """
    who = viewer(agent, consent, kinds)
    ready = view or prepare(state, table, config)
    return recall_explained(ready, query, now, who, k=k, include_archive=include_archive).hits


def recall_explained(
    view: ReadView,
    query: Query,
    now: datetime,
    who: Viewer | None = None,
    *,
    k: int | None = None,
    include_archive: bool = True,
    skip: Collection[str] = (),
    scored: Scored | None = None,
) -> Recalled:
    """As `recall`, with the reason for everything near that stayed out; ids in `skip` are neither hits nor left out.

    `scored` is score(view, query, now) where the caller has it.
    """
    scored = scored or score(view, query, now)
    hits, left_out = _live_hits(view, scored)
    if include_archive:
        cold_hits, cold_out = _archived_hits(view, scored, now)
        hits += cold_hits
        left_out += cold_out
    hits.sort(key=_by_score)
    hits += _neighbours(view, scored, hits)
    limit = view.config.recall.max_items if k is None else min(k, view.config.recall.max_items)
    return _choose([hit for hit in hits if hit.item.id not in skip], left_out, limit, view.config, who or Viewer())


class Scored(NamedTuple):
    """All rows' relevance and lexical share; the live items' standing and sleep. One query, one moment."""

    relevance: Floats
    lexical: Floats
    similar: Floats
    standing: Floats
    asleep: Bools


def score(view: ReadView, query: Query, now: datetime) -> Scored:
    relevant, lexical = relevance(view.postings, query, view.config.recall)
    similar = query.similarities if query.similarities is not None else np.zeros(len(relevant))
    return Scored(relevant, lexical, similar, view.standing(now), view.asleep(now))


def _hit(
    item: MemoryItem, relevant: float, lexical: float, similar: float, standing: float, woken: bool = False
) -> RecallHit:
    route = "words" if lexical > similar else "vectors"
    parts = {"similarity": similar, "words": lexical, "standing": standing}
    return RecallHit(item=item, score=relevant * standing, relevance=relevant, route=route, parts=parts, woken=woken)


def _live_hits(view: ReadView, scored: Scored) -> tuple[list[RecallHit], list[LeftOut]]:
    near = view.config.similarity
    relevant = scored.relevance[view.rows]
    close = np.flatnonzero(relevant >= near.relevant)
    rows = view.rows[close]
    columns = (relevant[close], scored.lexical[rows], scored.similar[rows], scored.standing[close])
    flags = (view.stale[close], scored.asleep[close])
    hits: list[RecallHit] = []
    left_out: list[LeftOut] = []
    for i, rel, lexical, similar, standing, stale, asleep in zip(
        close.tolist(), *(column.tolist() for column in (*columns, *flags)), strict=True
    ):
        item = view.items[i]
        if stale or (asleep and rel < near.wake):
            reason = "stale" if stale else "asleep"
            left_out.append(LeftOut(item_id=item.id, reason=reason, text=item.text, score=rel))
        else:
            hits.append(_hit(item, rel, lexical, similar, standing, asleep))
    return hits, left_out


def _archived_hits(view: ReadView, scored: Scored, now: datetime) -> tuple[list[RecallHit], list[LeftOut]]:
    near = view.config.similarity
    relevant = scored.relevance[view.archived_rows]
    hits: list[RecallHit] = []
    left_out: list[LeftOut] = []
    close = np.flatnonzero(relevant >= near.relevant)
    nearest = close[top(relevant[close], _ARCHIVE_LOOKED_AT)]
    rows = view.archived_rows[nearest]
    columns = (relevant[nearest], scored.lexical[rows], scored.similar[rows])
    for row, rel, lexical, similar in zip(rows.tolist(), *(column.tolist() for column in columns), strict=True):
        item = view.archived(view.table.ids[row])
        reason = _why_cold(item, rel, near.wake)
        if reason:
            left_out.append(LeftOut(item_id=item.id, reason=reason, text=item.text, score=rel))
        else:
            hits.append(_hit(item, rel, lexical, similar, _standing(item, now, view.config), rel >= near.wake))
    return hits, left_out


def _why_cold(item: MemoryItem, relevant: float, wake: float) -> str | None:
    if item.superseded_by is not None:
        return "superseded"
    if relevant < wake and item.archived_because not in _EVICTED:
        return "asleep"
    return None


def _standing(item: MemoryItem, now: datetime, config: Config) -> float:
    """As ReadView.standing, for one item that is not live."""
    recall = config.recall
    idle = max((now - item.last_active_at).total_seconds(), 0.0) / DAY
    recency = 1.0 if item.half_life_days is None else 0.5 ** (idle / recall.half_life_days)
    return float(recency**recall.recency_exponent * item.importance**recall.importance_exponent)


def _neighbours(view: ReadView, scored: Scored, hits: Sequence[RecallHit]) -> Iterator[RecallHit]:
    """Items said within `neighbour_turns` of a best hit's own turns, at `neighbour_share` of its score; hits are sorted."""
    reach, share = view.config.recall.neighbour_turns, view.config.recall.neighbour_share
    seqs, places = view.spoken
    if not reach or not len(seqs):
        return
    known = {hit.item.id for hit in hits}
    for hit in hits[:_NEIGHBOURED]:
        for seq in (e.seq for e in hit.item.evidence if e.seq):
            start, end = np.searchsorted(seqs, (seq - reach, seq + reach + 1))
            for i in places[start:end].tolist():
                item = view.items[i]
                if item.id in known or view.stale[i] or scored.asleep[i]:
                    continue
                known.add(item.id)
                rel = float(scored.relevance[view.rows[i]])
                parts = {"hit": hit.score, "share": share}
                yield RecallHit(item=item, score=hit.score * share, relevance=rel, route="neighbour", parts=parts)


def _by_score(hit: RecallHit) -> tuple[float, float, str]:
    return (-hit.score, -hit.relevance, hit.item.id)


def _choose(hits: Sequence[RecallHit], left_out: list[LeftOut], limit: int, config: Config, who: Viewer) -> Recalled:
    chosen: list[RecallHit] = []
    taken: dict[tuple[str, str], int] = {}
    for hit in sorted(hits, key=_by_score):
        item = hit.item
        topic = (item.subject, item.slot)
        hidden = reason = who.hidden(item)
        # What is vital (an allergy) is never left out for being one of many.
        if reason is None and taken.get(topic, 0) >= config.recall.per_topic and not item.high_impact:
            reason = "per_topic"
        if reason is None and len(chosen) >= limit:
            reason = "over_items"
        if reason is None:
            taken[topic] = taken.get(topic, 0) + 1
            chosen.append(hit)
        else:
            text = "" if hidden else item.text  # what may not be seen is not told by its absence
            left_out.append(LeftOut(item_id=item.id, reason=reason, text=text, score=hit.score))
    return Recalled(tuple(chosen), tuple(left_out))
