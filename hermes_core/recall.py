"""Which memories speak to a query (R3, R4, F14): routes, ranking and the reasons for what stays out. Pure.

Reads never alter an item and never call a model; waking an item up is the shell's change to make.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import NamedTuple

import numpy as np

from hermes_core.config import Config
from hermes_core.deferred import Deferred
from hermes_core.items import Kind, MemoryItem, Sensitivity
from hermes_core.ports import SearchTable
from hermes_core.ranking import Bools, Floats, Query, ReadView, prepare, relevance, top
from hermes_core.user_state import UserState
from hermes_core.views import LeftOut, RecallHit

__all__ = ["Query", "ReadView", "Recalled", "Viewer", "prepare", "recall", "recall_explained"]

_ARCHIVE_LOOKED_AT = 24  # archived items decoded at most per query; a decode costs about 10 µs
_NEIGHBOURED = 5  # best hits whose neighbours in time come along


class Recalled(NamedTuple):
    hits: tuple[RecallHit, ...]
    left_out: Sequence[LeftOut]


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
    near, out = _live(view, scored)
    if include_archive:
        cold, cold_out = _archived(view, scored, now)
        near += cold
        out += cold_out
    near.sort()
    near += _neighbours(view, scored, near)
    near.sort()
    limit = view.config.recall.max_items if k is None else min(k, view.config.recall.max_items)
    left = [one for one in near if one[2] not in skip]
    return _choose(scored, left, out, limit, view.config, who or Viewer())


# A row that speaks to the query, in the order that sorts them: minus its score, minus its relevance, id, item, table row,
# standing, whether it was woken, and of a neighbour its hit's score. A plain tuple: dozens are made for every read.
_Near = tuple[float, float, str, MemoryItem, int, float, bool, float | None]


def _hit(one: _Near, scored: Scored, share: float) -> RecallHit:
    worse, farther, _, item, row, standing, woken, hit_by = one
    if hit_by is not None:
        route, parts = "neighbour", {"hit": hit_by, "share": share}
    else:
        similar, lexical = float(scored.similar[row]), float(scored.lexical[row])
        route = "words" if lexical > similar else "vectors"
        parts = {"similarity": similar, "words": lexical, "standing": standing}
    return RecallHit(item=item, score=-worse, relevance=-farther, route=route, parts=parts, woken=woken)


_Out = tuple[MemoryItem, str, float]  # item, reason, relevance


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


def _live(view: ReadView, scored: Scored) -> tuple[list[_Near], list[_Out]]:
    wake = view.config.similarity.wake
    relevant = scored.relevance[view.rows]
    close = np.flatnonzero(relevant >= view.config.similarity.relevant)
    columns = (view.rows, relevant, scored.standing, view.stale, scored.asleep)
    near: list[_Near] = []
    out: list[_Out] = []
    for i, row, rel, standing, stale, asleep in zip(
        close.tolist(), *[column[close].tolist() for column in columns], strict=True
    ):
        item = view.items[i]
        if stale or (asleep and rel < wake):
            out.append((item, "stale" if stale else "asleep", rel))
        else:
            near.append((-rel * standing, -rel, item.id, item, row, standing, asleep, None))
    return near, out


def _archived(view: ReadView, scored: Scored, now: datetime) -> tuple[list[_Near], list[_Out]]:
    wake, moment = view.config.similarity.wake, now.timestamp()
    near: list[_Near] = []
    out: list[_Out] = []
    relevant = scored.relevance[view.archived_rows]
    close = np.flatnonzero(relevant >= view.config.similarity.relevant)
    nearest = close[top(relevant[close], _ARCHIVE_LOOKED_AT)]
    for row, rel in zip(view.archived_rows[nearest].tolist(), relevant[nearest].tolist(), strict=True):
        item, item_id, superseded, evicted, active_at, ageing, timeless = view.archived(row)
        woken = rel >= wake
        if superseded or not (woken or evicted):
            out.append((item, "superseded" if superseded else "asleep", rel))
        else:
            standing = 2.0 ** (max(moment - active_at, 0.0) * ageing) * timeless
            near.append((-rel * standing, -rel, item_id, item, row, standing, woken, None))
    return near, out


def _neighbours(view: ReadView, scored: Scored, near: Sequence[_Near]) -> Iterator[_Near]:
    """Items said within `neighbour_turns` of a best one's own turns, at `neighbour_share` of its score; `near` is sorted."""
    reach, share = view.config.recall.neighbour_turns, view.config.recall.neighbour_share
    seqs, places, rows = view.spoken
    if not reach or not seqs:
        return
    known, unfit = {one[4] for one in near}, view.stale | scored.asleep
    for worse, _, _, hit, *_ in near[:_NEIGHBOURED]:
        for seq in [e.seq for e in hit.evidence if e.seq]:
            for i in places[bisect_left(seqs, seq - reach) : bisect_right(seqs, seq + reach)]:
                row = rows[i]
                if row in known or unfit[i]:
                    continue
                known.add(row)
                item, relevant = view.items[i], float(scored.relevance[row])
                yield worse * share, -relevant, item.id, item, row, 0.0, False, -worse


def _choose(
    scored: Scored, near: Sequence[_Near], out: Sequence[_Out], limit: int, config: Config, who: Viewer
) -> Recalled:
    """The best within `limit` and the limit of their topics; `near` is sorted. Why the others stay out is told when asked."""
    chosen: list[RecallHit] = []
    passed: list[tuple[_Near, str]] = []
    taken: dict[tuple[str, str], int] = {}
    rest = iter(near)
    while len(chosen) < limit and (one := next(rest, None)) is not None:
        item = one[3]
        reason = who.hidden(item) or _crowded(item, taken, config)
        if reason:
            passed.append((one, reason))
            continue
        topic = (item.subject, item.slot)
        taken[topic] = taken.get(topic, 0) + 1
        chosen.append(_hit(one, scored, config.recall.neighbour_share))
    return Recalled(tuple(chosen), Deferred(partial(_not_chosen, out, passed, list(rest), taken, config, who)))


def _crowded(item: MemoryItem, taken: Mapping[tuple[str, str], int], config: Config) -> str | None:
    """What is vital (an allergy) is never left out for being one of many."""
    full = taken.get((item.subject, item.slot), 0) >= config.recall.per_topic
    return "per_topic" if full and not item.high_impact else None


def _not_chosen(
    out: Sequence[_Out],
    passed: Sequence[tuple[_Near, str]],
    rest: Sequence[_Near],
    taken: Mapping[tuple[str, str], int],
    config: Config,
    who: Viewer,
) -> Iterator[LeftOut]:
    told = list(out)
    told += [(item, reason, -worse) for (worse, _, _, item, *_), reason in passed]
    told += [(item, _crowded(item, taken, config) or "over_items", -worse) for worse, _, _, item, *_ in rest]
    for item, reason, value in told:
        hidden = who.hidden(item)  # what may not be seen is not told by its absence
        yield LeftOut(item_id=item.id, reason=hidden or reason, text="" if hidden else item.text, score=value)
