"""What every Embedder must do. Subclass it as `class TestMine(EmbedderContract)` with an `embedder` fixture."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from hermes_core.embedding.calibration import Calibration, fit
from hermes_core.ports import Embedder

__all__ = ["EmbedderContract"]

ODD_TEXTS = (
    "",
    "   ",
    "\n",
    "\x00",
    "a\x00b",
    "\ud800",
    "x\udfffy",
    "\u202eright to left\u202c",
    "👍🏽" * 500,
    "word " * 4000,
    "记忆" * 4000,
    "e\u0301",
)


class EmbedderContract:
    """Shape, unit rows, order, determinism, odd texts, threads, and a calibration that can be fitted."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        raise NotImplementedError("override the fixture `embedder` in your subclass")

    def test_is_an_embedder(self, embedder: Embedder) -> None:
        assert isinstance(embedder, Embedder)
        assert embedder.name.strip()
        assert embedder.dimension >= 1

    @pytest.mark.parametrize("count", [1, 2, 7])
    def test_returns_float32_unit_rows(self, embedder: Embedder, count: int) -> None:
        vectors = embedder.embed([f"text number {i} 第{i}句" for i in range(count)])
        assert vectors.shape == (count, embedder.dimension)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        assert embedder.embed([]).shape == (0, embedder.dimension)

    def test_rows_follow_the_texts(self, embedder: Embedder) -> None:
        texts = ["I like tea.", "我住在北京。", "The train is late."]
        together = embedder.embed(texts)
        for row, text in zip(together, texts, strict=True):
            assert np.allclose(row, embedder.embed([text])[0], atol=1e-4)

    def test_the_same_text_gives_the_same_vector(self, embedder: Embedder) -> None:
        first, second = embedder.embed(["I like tea."]), embedder.embed(["I like tea."])
        assert np.array_equal(first, second)

    def test_a_caller_may_write_into_what_it_got(self, embedder: Embedder) -> None:
        before = embedder.embed(["I like tea."]).copy()
        got = embedder.embed(["I like tea."])
        got[:] = 0.0
        assert np.array_equal(embedder.embed(["I like tea."]), before)

    @pytest.mark.parametrize("text", ODD_TEXTS, ids=range(len(ODD_TEXTS)))
    def test_odd_texts_have_a_vector(self, embedder: Embedder, text: str) -> None:
        for batch in ([text], ["before", text, "after"]):
            vectors = embedder.embed(batch)
            assert vectors.shape == (len(batch), embedder.dimension)
            assert np.isfinite(vectors).all()
            assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)

    def test_threads_do_not_mix_up_texts(self, embedder: Embedder) -> None:
        texts = [f"sentence {i} about 主题{i}" for i in range(8)]
        wanted = [embedder.embed([text])[0] for text in texts]
        found: list[list[bool]] = [[] for _ in texts]

        def work(i: int) -> None:
            for _ in range(5):
                found[i].append(bool(np.allclose(embedder.embed([texts[i]])[0], wanted[i], atol=1e-4)))

        threads = [threading.Thread(target=work, args=(i,)) for i in range(len(texts))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(all(checks) and len(checks) == 5 for checks in found)

    def test_can_be_calibrated(self, embedder: Embedder) -> None:
        calibration = fit(embedder)
        assert (calibration.embedder, calibration.dimension) == (embedder.name, embedder.dimension)
        scale = calibration.calibrate(np.linspace(-1.0, 1.0, 401))
        assert np.all(np.diff(scale) >= 0.0)
        assert calibration.calibrate(1.0) == 1.0
        assert Calibration.from_json(calibration.to_json()) == calibration
