"""BM25 against a plain reference, and the view that a read derives once."""

from __future__ import annotations

import math
from collections import Counter
from datetime import timedelta

import numpy as np
import pytest

from hermes_core.config import Config, RecallConfig
from hermes_core.decay import asleep
from hermes_core.items import Kind, Status
from hermes_core.ports import SearchTable
from hermes_core.ranking import Postings, Query, prepare, relevance, top
from hermes_core.terms import term_ids

CONFIG = RecallConfig()


def table_of(rows: list[list[int]]) -> SearchTable:
    words = np.array([word for row in rows for word in row], dtype=np.uint32)
    ends = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return SearchTable(tuple(map(str, range(len(rows)))), np.zeros((len(rows), 1), np.float32), words, ends)


def plain_bm25(rows: list[list[int]], query: list[int]) -> list[float]:
    n, mean = len(rows), max(sum(map(len, rows)) / len(rows), 1.0)
    idf = {
        word: math.log1p((n - df + 0.5) / (df + 0.5))
        for word in set(query)
        for df in [sum(word in row for row in rows)]
    }
    scores = []
    for row in rows:
        counts, length = Counter(row), len(row) / mean
        parts = [
            idf[w] * counts[w] * (CONFIG.bm25_k1 + 1) / (counts[w] + CONFIG.bm25_k1 * (1 - 0.75 + 0.75 * length))
            for w in set(query)
        ]
        known = {word for other in rows for word in other}
        full = sum(value * (1.0 if word in known else CONFIG.bm25_unknown) for word, value in idf.items())
        scores.append(min(sum(parts) / full, 1.0))
    return scores


@pytest.mark.parametrize("seed", range(20))
def test_bm25_is_bm25(seed):
    random = np.random.default_rng(seed)
    rows = [random.integers(0, 30, random.integers(0, 12)).tolist() for _ in range(random.integers(1, 40))]
    query = random.integers(0, 35, 6).tolist()
    found = Postings.of(table_of(rows), CONFIG).scores(np.array(query, dtype=np.uint32))
    assert found.tolist() == pytest.approx(plain_bm25(rows, query))


@pytest.mark.parametrize("rows", [[], [[]], [[], [], []]])
def test_nothing_to_search_scores_nothing(rows):
    found = Postings.of(table_of(rows), CONFIG).scores(term_ids("tea"))
    assert found.tolist() == [0.0] * len(rows)


def test_a_query_without_words_scores_nothing():
    assert Postings.of(table_of([[1, 2]]), CONFIG).scores(term_ids("")).tolist() == [0.0]


def test_words_lift_a_similarity_but_never_over_one():
    postings = Postings.of(table_of([[1], [2]]), CONFIG)
    query = Query("", None, np.array([1], dtype=np.uint32), np.array([0.9, 0.9]))
    relevant, lexical = relevance(postings, query, CONFIG)
    assert lexical[0] > 0.9
    assert 0.9 < relevant[0] <= 1.0
    assert relevant[1] == 0.9


def test_without_similarities_the_words_decide():
    relevant, lexical = relevance(Postings.of(table_of([[1], [2]]), CONFIG), Query("", None, term_ids("")), CONFIG)
    assert relevant.tolist() == lexical.tolist() == [0.0, 0.0]


def test_merged_queries_keep_the_better_similarity_and_all_words():
    one = Query("a", None, term_ids("tea"), np.array([0.2, 0.9]))
    other = Query("b", None, term_ids("coffee"), np.array([0.6, 0.1]))
    both = one.merge(other)
    assert both.text == "a"
    assert both.similarities.tolist() == [0.6, 0.9]
    assert both.terms.tolist() == term_ids("tea coffee").tolist()
    assert one.merge(Query("c", None, term_ids(""))).similarities.tolist() == [0.2, 0.9]
    assert Query("c", None, term_ids("")).merge(one).similarities.tolist() == [0.2, 0.9]


@pytest.mark.parametrize("seed", range(10))
def test_top_is_a_stable_sort(seed):
    scores = np.random.default_rng(seed).integers(0, 5, 20).astype(float)
    want = sorted(range(20), key=lambda i: (-scores[i], i))
    for k in (0, 1, 7, 20, 50):
        assert list(top(scores, k)) == want[:k]


def test_sleep_is_the_one_law_of_fading(world):
    for n, (idle, confidence, half_life, status) in enumerate(
        [
            (1, 0.9, 30.0, Status.CONFIRMED),
            (56, 0.9, 30.0, Status.CONFIRMED),
            (55, 0.9, 30.0, Status.CONFIRMED),
            (400, 0.9, None, Status.CONFIRMED),
            (400, 0.9, 30.0, Status.FROZEN),
            (2, 0.4, 3.0, Status.CANDIDATE),
            (3, 0.4, 3.0, Status.CANDIDATE),
        ]
    ):
        world = world.add(f"i{n}", "x", idle=idle, confidence=confidence, half_life_days=half_life, status=status)
    view = prepare(world.state, world.table, Config())
    for moment in (world.now, world.now + timedelta(days=1), world.now - timedelta(days=9)):
        assert view.asleep(moment).tolist() == [asleep(item, moment, Config()) for item in view.items]


def test_what_does_not_fade_and_what_is_frozen_stays_recent(world):
    world = world.add("name", "n", kind=Kind.IDENTITY, half_life_days=None, idle=300)
    world = world.add("core", "c", status=Status.FROZEN, half_life_days=30.0, idle=300)
    world = world.add("taste", "t", half_life_days=30.0, idle=30)
    view = prepare(world.state, world.table, Config())
    importance = view.importance**CONFIG.importance_exponent
    recency = np.array([1.0, 1.0, 0.5]) ** CONFIG.recency_exponent
    boost = [1.0, CONFIG.frozen_boost, 1.0]
    assert view.standing(world.now).tolist() == pytest.approx(list(recency * importance * boost))


def test_rows_that_the_state_does_not_know_are_passed_over(world):
    world = world.add("a", "tea").add("b", "coffee", status=Status.ARCHIVED)
    table = world.add("ghost", "tea").table
    view = prepare(world.state, table, Config())
    assert [item.id for item in view.items] == ["a"]
    assert view.archived_rows.tolist() == [2]
