"""W14: a threshold means the same for every embedder, on pairs that no calibration has seen."""

import json
from pathlib import Path

import numpy as np
import pytest

from hermes_core.config import SimilarityConfig
from hermes_core.embedding import (
    Calibration,
    CallableEmbedder,
    DefaultEmbedder,
    Pair,
    calibration_for,
    fit,
    shipped_pairs,
)
from hermes_core.embedding.calibration import RELATIONS, _measure
from hermes_core.errors import InvalidInput
from hermes_core.testing import HashEmbedder

LIMITS = SimilarityConfig()
HELD_OUT = tuple(
    Pair(*json.loads(line))
    for line in Path(__file__).with_name("held_out.jsonl").read_text(encoding="utf-8").splitlines()
)


def squashed(inner, constant=3.0):
    """The same meanings with every cosine near 1: unrelated sentences come out at 0.9."""

    def embed(texts):
        return np.hstack([inner.embed(texts), np.full((len(texts), 1), constant)])

    return CallableEmbedder(embed, name=f"squashed-{inner.name}", dimension=inner.dimension + 1)


EMBEDDERS = {
    "default": DefaultEmbedder,
    "squashed": lambda: squashed(DefaultEmbedder()),
    "hash": HashEmbedder,
    "wide hash": lambda: HashEmbedder(512),
}


@pytest.fixture(params=EMBEDDERS, scope="module")
def measured(request):
    """(name, calibrated similarities of the held-out pairs by relation)."""
    embedder = EMBEDDERS[request.param]()
    calibration = calibration_for(embedder)
    samples = _measure(embedder, HELD_OUT)
    return request.param, {name: calibration.calibrate(getattr(samples, name)) for name in RELATIONS}


def test_unrelated_sentences_stay_low(measured):
    _, found = measured
    assert np.mean(found["unrelated"] < 0.30) >= 0.75
    assert np.mean(found["unrelated"] >= LIMITS.relevant) <= 0.09
    assert np.mean(found["unrelated"] >= LIMITS.wake) <= 0.02
    assert np.mean(found["unrelated"] >= LIMITS.same) <= 0.005


def test_merely_relevant_sentences_are_rarely_taken_for_more(measured):
    _, found = measured
    assert np.mean(found["relevant"] >= LIMITS.wake) <= 0.2
    assert np.mean(found["relevant"] >= LIMITS.same) <= 0.07


def test_another_value_is_seldom_taken_for_the_same(measured):
    _, found = measured
    assert np.mean(found["about"] >= LIMITS.same) <= 0.35


def test_the_relations_keep_their_order(measured):
    name, found = measured
    assert np.median(found["relevant"]) > np.median(found["unrelated"])
    assert np.median(found["about"]) > np.median(found["relevant"])
    if "hash" not in name:  # wording alone can't tell a paraphrase from another value
        assert np.median(found["same"]) > np.median(found["about"])


@pytest.mark.parametrize("measured", ["default", "squashed"], indirect=True)
def test_an_embedder_of_meaning_finds_meaning(measured):
    _, found = measured
    assert np.mean(found["same"] >= LIMITS.same) >= 0.6
    assert np.mean(found["same"] >= LIMITS.wake) >= 0.9
    assert np.mean(found["about"] >= LIMITS.wake) >= 0.5
    assert np.mean(found["about"] >= LIMITS.relevant) >= 0.85


def test_a_raw_threshold_would_not_have_held():
    """The reason for all this: what 0.85 means raw, in a squashed space."""
    samples = _measure(squashed(DefaultEmbedder()), HELD_OUT)
    assert np.mean(samples.unrelated >= LIMITS.same) > 0.9


@pytest.mark.parametrize("constant", [0.5, 1.0, 3.0])
def test_squashing_a_space_changes_nothing_that_is_calibrated(constant):
    plain = HashEmbedder(128)
    tight = squashed(plain, constant)
    texts = [pair.a for pair in HELD_OUT]
    for one, other in ((plain, tight),):
        left, right = one.embed(texts), other.embed(texts)
        a = fit(one).calibrate(left @ left.T)
        b = fit(other).calibrate(right @ right.T)
        assert np.max(np.abs(a - b)) < 0.02


def test_identical_texts_are_one():
    for make in EMBEDDERS.values():
        embedder = make()
        vectors = embedder.embed(["I like tea.", "我住在北京。"])
        scale = calibration_for(embedder).calibrate(np.einsum("ij,ij->i", vectors, vectors))
        assert np.all(scale > 0.99)


def test_the_shipped_calibration_is_a_fresh_fit():
    """If this fails after a change of the pairs: python benchmarks/embedding.py --write."""
    shipped, fresh = calibration_for(DefaultEmbedder()), fit(DefaultEmbedder())
    assert (shipped.embedder, shipped.dimension, shipped.scale) == (fresh.embedder, fresh.dimension, fresh.scale)
    assert np.allclose(shipped.raw, fresh.raw, atol=2e-3)  # another BLAS may round otherwise


def test_fitting_is_deterministic():
    assert fit(DefaultEmbedder()) == fit(DefaultEmbedder())


@pytest.mark.parametrize("dimension", [2, 3, 5, 17])
def test_tiny_embedders_can_be_calibrated(dimension):
    calibration = fit(HashEmbedder(dimension))
    assert np.all(np.diff(calibration.raw) > 0)
    assert calibration.calibrate(1.0) == 1.0


def test_an_embedder_without_differences_is_refused():
    constant = CallableEmbedder(lambda texts: np.ones((len(texts), 4)), name="constant", dimension=4)
    with pytest.raises(InvalidInput, match="constant"):
        fit(constant)


def test_pairs_of_every_relation_are_needed():
    with pytest.raises(InvalidInput, match="about, relevant"):
        fit(HashEmbedder(), [Pair("a.x", "same", "one", "two"), Pair("b.y", "same", "three", "four")])


def test_calibrating_keeps_the_shape_and_inverts():
    calibration = calibration_for(DefaultEmbedder())
    table = np.linspace(-1, 1, 12).reshape(3, 4)
    assert calibration.calibrate(table).shape == (3, 4)
    for similarity in (0.3, 0.55, 0.78, 0.85, 1.0):
        assert calibration.calibrate(calibration.raw_of(similarity)) == pytest.approx(similarity)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "not json",
        '{"embedder":"x","dimension":3,"raw":[0.5,0.1],"scale":[0.0,1.0]}',
        '{"embedder":"x","dimension":3,"raw":[0.1,0.5],"scale":[0.0,1.5]}',
        '{"embedder":"x","dimension":3,"raw":[0.1],"scale":[0.0]}',
        '{"embedder":"x","dimension":3,"raw":[0.1,0.5],"scale":[0.9,0.1]}',
    ],
)
def test_text_that_is_no_calibration_is_refused(text):
    with pytest.raises(InvalidInput):
        Calibration.from_json(text)


def test_the_shipped_pairs_are_bilingual_and_of_every_relation():
    pairs = shipped_pairs()
    chinese = [any("\u4e00" <= c <= "\u9fff" for c in pair.a + pair.b) for pair in pairs]
    assert len(pairs) >= 200
    assert 0.4 <= np.mean(chinese) <= 0.7
    assert {pair.relation for pair in pairs} == set(RELATIONS)
    assert not {(p.a, p.b) for p in pairs} & {(p.a, p.b) for p in HELD_OUT}
