"""What reads compare: bytes that are near enough to their vectors, and the same for a row wherever it stands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_core.codes import Codes, cosines
from hermes_core.embedding.calibration import calibration_for, shipped_pairs
from hermes_core.embedding.default import DefaultEmbedder
from hermes_core.shell.engine import COARSEST


def units(count: int, width: int, seed: int, sparse: bool = False) -> np.ndarray:
    chance = np.random.default_rng(seed)
    rows = chance.standard_normal((count, width))
    if sparse:  # as embedders that hash words: a few large numbers among zeros
        rows *= chance.random((count, width)) < 3 / width
        rows[:, 0] += 0.01
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def by_codes(rows: np.ndarray, vector: np.ndarray, coarsest: float = np.inf) -> np.ndarray:
    return Codes.of(rows).cosines(rows, vector, coarsest)


def bound(rows: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Cauchy-Schwarz: what rounding to half a step can make of each cosine."""
    half = np.sqrt(rows.shape[1]) / 2 / 127
    row, asked = np.abs(rows).max(axis=1) * half, np.abs(vector).max() * half
    return row + asked + row * asked + 1e-6


@given(st.integers(1, 300), st.sampled_from([1, 3, 8, 64, 512, 1536]), st.integers(0, 2**32 - 1), st.booleans())
def test_a_cosine_is_as_near_as_the_steps_allow(count, width, seed, sparse):
    rows = units(count + 1, width, seed, sparse)
    found = by_codes(rows[1:], rows[0])
    assert found.shape == (count,) and found.dtype == np.float64
    assert (np.abs(found - cosines(rows[1:], rows[0])) <= bound(rows[1:], rows[0])).all()


@given(st.integers(0, 2**32 - 1), st.floats(0.0, 0.1), st.booleans())
def test_what_rounds_too_coarsely_is_compared_as_it_is(seed, coarsest, sparse):
    rows = np.concatenate([units(90, 64, seed, sparse), units(10, 64, seed, sparse=True)])
    exact, found = cosines(rows, rows[0]), by_codes(rows, rows[0], coarsest)
    fine = np.abs(rows).max(axis=1) * np.sqrt(64) / 2 / 127 <= coarsest
    assert (np.abs(found - exact)[~fine] <= 1e-6).all()
    assert (np.abs(found - exact) <= 2.1 * coarsest + 1e-6).all()


def test_the_default_embedder_is_compared_by_codes_and_a_narrow_one_is_not():
    embedder = DefaultEmbedder()
    rows = embedder.embed([pair.a for pair in shipped_pairs()])
    coarsest = COARSEST / calibration_for(embedder).steepest
    assert not np.array_equal(by_codes(rows, rows[0], coarsest), cosines(rows, rows[0]))
    assert np.abs(by_codes(rows, rows[0], coarsest) - cosines(rows, rows[0])).max() < 0.002
    narrow = np.concatenate([rows, np.full((len(rows), 1), 1.0, np.float32)], axis=1) / np.float32(np.sqrt(2))
    assert np.array_equal(by_codes(narrow, narrow[0], coarsest), cosines(narrow, narrow[0]))


@given(st.integers(1, 400), st.data())
def test_a_rows_cosine_does_not_depend_on_the_others(count, data):
    rows = units(count + 1, 32, count)
    whole = by_codes(rows[1:], rows[0])
    row = data.draw(st.integers(0, count - 1))
    assert by_codes(rows[1 + row : 2 + row], rows[0])[0] == whole[row]


def test_sums_are_the_integers_own():
    """Law R: no order of summing, no width of a register can change them."""
    rows = units(50, 512, 3)
    codes, asked = Codes.of(rows[1:]), Codes.of(rows[:1])
    sums = codes.numbers.astype(np.int64) @ asked.numbers[0].astype(np.int64)
    assert codes.cosines(rows[1:], rows[0], np.inf) == pytest.approx(sums * codes.step * asked.step[0], rel=1e-6)


@pytest.mark.parametrize("shape", [(0, 0), (0, 8), (3, 0)])
def test_nothing_to_compare(shape):
    assert by_codes(np.zeros(shape, np.float32), np.ones(shape[1], np.float32)).tolist() == [0.0] * shape[0]


def test_a_row_of_zeros_is_near_nothing():
    rows = np.zeros((2, 4), np.float32)
    rows[1, 2] = 1.0
    assert by_codes(rows, rows[1]).tolist() == pytest.approx([0.0, 1.0])
    assert by_codes(rows, rows[0]).tolist() == [0.0, 0.0]
