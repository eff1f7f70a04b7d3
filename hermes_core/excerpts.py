"""Which of the user's own past turns answer a query: the words behind the notes, bounded and dated. Pure.

An excerpt is quoted and never believed: it makes no item, confirms nothing, and only fills what a budget leaves.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from hermes_core.config import Config
from hermes_core.fencing import looks_like_instruction
from hermes_core.items import Turn, Value
from hermes_core.ports import SearchTable
from hermes_core.ranking import Floats, Ints, Postings, Query, relevance, top


class Excerpt(Value, frozen=True, kw_only=True):
    """A turn of the user's and its score; `route` is "vectors", "words" or "neighbour"."""

    turn: Turn
    score: float
    route: str = "vectors"


@dataclass(frozen=True)
class Episodes:
    """A user's searchable turns, oldest first: turns[i] is row i of the table, whose ids are turn ids."""

    turns: tuple[Turn, ...]
    table: SearchTable
    memo: dict[Any, Any] = field(default_factory=dict, compare=False)

    @cached_property
    def postings(self) -> Postings:
        return Postings.of(self.table)

    @cached_property
    def seqs(self) -> Ints:
        return np.array([turn.seq for turn in self.turns], dtype=np.int64)


def recall_excerpts(
    episodes: Episodes, query: Query, config: Config, *, skip: Collection[str] = (), limit: int = 64
) -> tuple[Excerpt, ...]:
    """The turns that speak to the query, best first, each best hit followed by its neighbours in time. R4.

    `query.similarities` has one calibrated value per row of the episodes' table. Turns that give orders to a
    model are left out (P1), and so are the ids in `skip`.
    """
    if not episodes.turns:
        return ()
    relevant, lexical = relevance(episodes.postings, query, config.recall)
    scores = _with_neighbours(episodes.seqs, relevant, config)
    out: list[Excerpt] = []
    for row in top(scores, limit + len(skip)):
        turn = episodes.turns[row]
        if turn.id in skip or looks_like_instruction(turn.text):
            continue
        route = "neighbour" if scores[row] > relevant[row] else "words" if lexical[row] > 0.5 else "vectors"
        out.append(Excerpt(turn=turn, score=float(scores[row]), route=route))
        if len(out) == limit:
            break
    return tuple(out)


def _with_neighbours(seqs: Ints, relevant: Floats, config: Config) -> Floats:
    """Each row's relevance, or a share of its best neighbour's in time if that is more."""
    reach, share = config.recall.neighbour_turns, config.recall.neighbour_share
    best = relevant.copy()
    for step in range(1, min(reach, len(relevant) - 1) + 1 if reach else 1):
        near = (seqs[step:] - seqs[:-step]) <= reach
        best[step:] = np.maximum(best[step:], np.where(near, relevant[:-step] * share, 0.0))
        best[:-step] = np.maximum(best[:-step], np.where(near, relevant[step:] * share, 0.0))
    return np.asarray(best)


def rows(excerpts: Sequence[Excerpt]) -> tuple[str, ...]:
    """The turn ids, best first."""
    return tuple(excerpt.turn.id for excerpt in excerpts)
