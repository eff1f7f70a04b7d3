"""The contract suites, over the embedders and counters that the package ships."""

import numpy as np
import pytest

from hermes_core.embedding import CallableEmbedder, DefaultEmbedder
from hermes_core.testing import HashEmbedder, ScriptedExtractor, candidate
from hermes_core.testing.embedder_contract import EmbedderContract
from hermes_core.testing.extractor_contract import ExtractorContract
from hermes_core.testing.token_contract import TokenCounterContract
from hermes_core.tokens import ApproximateCounter, CallableCounter, TiktokenCounter


class TestDefaultEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self):
        return DefaultEmbedder()


class TestHashEmbedder(EmbedderContract):
    @pytest.fixture(params=[2, 64, 512])
    def embedder(self, request):
        return HashEmbedder(request.param)


class TestCallableEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self):
        inner = HashEmbedder(32)
        return CallableEmbedder(lambda texts: (3.0 * inner.embed(texts)).tolist(), name="lists")


class TestSquashedEmbedder(EmbedderContract):
    """Everything is near everything: a big constant part, as some sentence models have."""

    @pytest.fixture
    def embedder(self):
        inner = HashEmbedder(64)

        def squashed(texts):
            return np.hstack([inner.embed(texts), np.full((len(texts), 1), 3.0)])

        return CallableEmbedder(squashed, name="squashed", dimension=65)


class TestTiktokenCounter(TokenCounterContract):
    @pytest.fixture
    def counter(self):
        return TiktokenCounter()


class TestCallableCounter(TokenCounterContract):
    @pytest.fixture
    def counter(self):
        return CallableCounter(lambda text: len(text.encode()), "bytes")


class TestApproximateCounter(TokenCounterContract):
    @pytest.fixture
    def counter(self):
        return ApproximateCounter()


class TestScriptedExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self):
        return ScriptedExtractor({text: [candidate(text, kind="fact")] for text in self.finds})
