"""Stores: one that knows ada already, and one whose disk went away after it was opened."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from llama_index.core import Settings
from llama_index.core.embeddings.mock_embed_model import MockEmbedding
from llama_index.core.llms.mock import MockLLM

from hermes_core import Hermes
from tests.langchain.stores import FACT, USER, BrokenLedger, tell


@pytest.fixture(autouse=True)
def no_model_by_default() -> None:
    """Nothing may fall back to a model that would be downloaded or called."""
    Settings.llm = MockLLM()
    Settings.embed_model = MockEmbedding(8)


@pytest.fixture
def knowing(hermes: Hermes) -> Hermes:
    """Knows from an earlier session that ada is allergic to peanuts."""
    tell(hermes, USER, FACT)
    return hermes


@pytest.fixture
def broken(open_hermes: Callable[..., Hermes]) -> Hermes:
    ledger = BrokenLedger()
    hermes = open_hermes(ledger=ledger, chroma=False)
    ledger.broken = True
    return hermes
