"""Stores: one that knows ada already, and one whose disk went away after it was opened."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from llama_index.core import Settings
from llama_index.core.embeddings.mock_embed_model import MockEmbedding
from llama_index.core.llms.mock import MockLLM
from llama_index.core.memory import Memory
from sqlalchemy.ext.asyncio import create_async_engine

from hermes_core import Hermes
from tests.langchain.stores import FACT, USER, BrokenLedger, tell
from tests.llamaindex.loops import own_loop  # noqa: F401  # a fixture


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


@pytest.fixture
async def stock() -> AsyncIterator[Callable[..., Memory]]:
    """The framework's own Memory; its databases are closed at the end, which it leaves to the program."""
    engines = []

    def make(session_id: str, **given: Any) -> Memory:
        engines.append(create_async_engine("sqlite+aiosqlite:///:memory:"))
        return Memory.from_defaults(session_id=session_id, async_engine=engines[-1], **given)

    yield make
    for engine in engines:
        await engine.dispose()
