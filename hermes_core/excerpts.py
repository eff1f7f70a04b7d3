"""Which of the user's own past turns answer a query: the words behind the notes, bounded and dated. Pure.

An excerpt is quoted and never believed: it makes no item, confirms nothing, and only fills what a budget leaves.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from hermes_core.config import Config
from hermes_core.fencing import looks_like_instruction
from hermes_core.items import Turn, Value
from hermes_core.ports import SearchTable
from hermes_core.ranking import Floats, Ints, Postings, Query, top


class Excerpt(Value, frozen=True, kw_only=True):
    """A turn of the user's and its score; `route` is "vectors", "words" or "neighbour".

    `turn_ids` are all turns with these very words, when the user said them more than once; `turn` is the best of them.
    """

    turn: Turn
    score: float
    route: str = "vectors"
    turn_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Episodes:
    """A user's searchable turns, oldest first: turns[i] is row i of the table, whose ids are turn ids."""

    turns: tuple[Turn, ...]
    table: SearchTable
    config: Config
    memo: dict[str, bool] = field(default_factory=dict, compare=False)

    @cached_property
    def postings(self) -> Postings:
        return Postings.of(self.table, self.config.recall)

    def is_order(self, turn: Turn) -> bool:
        """Whether the turn gives orders to a model; looked at once per turn."""
        found = self.memo.get(turn.id)
        if found is None:
            found = self.memo[turn.id] = looks_like_instruction(turn.text)
        return found

    @cached_property
    def said(self) -> dict[str, tuple[str, ...]]:
        """Turn ids by exact words: a greeting said a hundred times is quoted once."""
        ids: dict[str, list[str]] = {}
        for turn in self.turns:
            ids.setdefault(turn.text.strip(), []).append(turn.id)
        return {text: tuple(same) for text, same in ids.items()}

    @cached_property
    def seqs(self) -> Ints:
        return np.array([turn.seq for turn in self.turns], dtype=np.int64)


def recall_excerpts(
    episodes: Episodes, query: Query, config: Config, *, skip: Collection[str] = (), limit: int = 96
) -> tuple[Excerpt, ...]:
    """The turns that speak to the query, best first, with what was said around them. R4.

    `query.similarities` has one calibrated value per row of the episodes' table. Turns that give orders to a
    model are left out (P1), and so are the ids in `skip`.
    """
    if not episodes.turns:
        return ()
    words = episodes.postings.scores(query.terms) * config.recall.excerpt_words
    similar = query.similarities if query.similarities is not None else np.zeros(len(words))
    own = similar + words
    around = _around(episodes, own, config)
    scores = own + around
    out: list[Excerpt] = []
    seen: set[str] = set()
    for row in top(scores, len(scores)):
        turn = episodes.turns[row]
        text = turn.text.strip()
        if scores[row] <= 0.0 or len(out) == limit:
            break
        if text in seen or turn.id in skip or episodes.is_order(turn):
            continue
        seen.add(text)
        routes = {"neighbour": around[row], "words": words[row], "vectors": similar[row]}
        route = max(routes, key=lambda r: float(routes[r]))
        out.append(Excerpt(turn=turn, score=float(scores[row]), route=route, turn_ids=episodes.said[text]))
    return tuple(out)


def _around(episodes: Episodes, own: Floats, config: Config) -> Floats:
    """What each row's nearest own turns lend it: an answer often lies one message away from the words of the question."""
    lent = np.zeros(len(own))
    for distance, share in ((1, config.recall.excerpt_share), (2, config.recall.excerpt_share / 2)):
        if len(own) > distance:
            near = (episodes.seqs[distance:] - episodes.seqs[:-distance]) <= config.recall.excerpt_reach
            lent[distance:] += np.where(near, own[:-distance] * share, 0.0)
            lent[:-distance] += np.where(near, own[distance:] * share, 0.0)
    return lent
