"""Retriever, memory block, recall tool, and HermesMemory as an object: ids, copies, limits, and what may not be passed."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.memory import InsertMethod, Memory
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import MetadataMode
from llama_index.core.storage.chat_store.base_db import MessageStatus
from pydantic import ValidationError

import hermes_llamaindex
from hermes_core import Hermes, InvalidInput
from hermes_llamaindex import HermesMemory, HermesMemoryBlock, HermesRetriever, create_recall_tool
from hermes_llamaindex.chat_history import fit
from hermes_llamaindex.placing import shortened
from tests.langchain.stores import FACT, KNOWN, USER, remembered, said, tell
from tests.llamaindex.models import RecordingLLM, roles, words

Stock = Callable[..., Memory]


def memory(hermes: Hermes, session_id: str = "s1", **given: Any) -> HermesMemory:
    return HermesMemory.from_core(hermes, user_id=USER, session_id=session_id, **given)


# retriever


async def test_nodes_are_the_memories_best_first(hermes: Hermes) -> None:
    tell(hermes, USER, FACT, "I like jazz.", "I live in Oslo.", "My cat is called Tom.")
    retriever = HermesRetriever(hermes, user_id=USER, similarity_top_k=2)
    nodes = retriever.retrieve("which music do I like?")
    assert 1 <= len(nodes) <= 2
    assert "jazz" in nodes[0].text
    assert [node.score for node in nodes] == sorted((node.score for node in nodes), reverse=True)
    assert [node.node_id for node in nodes] == [
        node.node_id for node in await retriever.aretrieve("which music do I like?")
    ]
    assert hermes.get(USER, nodes[0].node_id).text in nodes[0].text
    assert nodes[0].metadata["kind"] == "preference"
    for mode in (MetadataMode.LLM, MetadataMode.EMBED):
        assert nodes[0].node.get_content(metadata_mode=mode) == nodes[0].text


def test_one_node_says_that_nothing_is_remembered(hermes: Hermes) -> None:
    (node,) = HermesRetriever(hermes, user_id=USER).retrieve("anything?")
    assert "Nothing is remembered" in node.text
    (own,) = HermesRetriever(hermes, user_id=USER, placeholder="(nothing yet)").retrieve("anything?")
    assert own.text == "(nothing yet)"
    assert own.node_id == node.node_id
    assert HermesRetriever(hermes, user_id=USER, placeholder=None).retrieve("anything?") == []


def test_a_retriever_sees_the_newest_version_or_its_sessions(hermes: Hermes) -> None:
    newest = HermesRetriever(hermes, user_id=USER, placeholder=None)
    held = HermesRetriever(hermes, user_id=USER, session_id="s1", placeholder=None)
    assert newest.retrieve("peanut allergy") == held.retrieve("peanut allergy") == []
    tell(hermes, USER, FACT)
    assert KNOWN in newest.retrieve("peanut allergy")[0].text
    assert held.retrieve("peanut allergy") == []


def test_a_retriever_fuses_with_others(knowing: Hermes) -> None:
    tell(knowing, "bob", "I'm allergic to kiwis.")
    pair = [HermesRetriever(knowing, user_id=user, placeholder=None) for user in (USER, "bob", "nobody")]
    fused = QueryFusionRetriever(pair, llm=RecordingLLM(), num_queries=1, use_async=False)
    assert {node.text for node in fused.retrieve("what am I allergic to?")} == {
        "I'm allergic to peanuts",
        "I'm allergic to kiwis",
    }


# ids


@pytest.mark.parametrize("missing", [None, "", "  "])
def test_pitfall_12_a_missing_id_is_an_error_and_never_a_default(hermes: Hermes, missing: Any) -> None:
    for make in (
        lambda: HermesMemory.from_core(hermes, user_id=missing, session_id="s"),
        lambda: HermesMemory.from_core(hermes, user_id="u", session_id=missing),
        lambda: HermesMemory(hermes, user_id=missing, session_id="s"),
        lambda: HermesRetriever(hermes, user_id=missing),
        lambda: HermesMemoryBlock(hermes, user_id=missing),
        lambda: create_recall_tool(hermes, user_id=missing, session_id="s"),
        lambda: create_recall_tool(hermes, user_id="u", session_id=missing),
    ):
        with pytest.raises(InvalidInput, match="_id is missing; give it by"):
            make()


async def test_pitfall_12_a_block_needs_a_session_from_somewhere(hermes: Hermes) -> None:
    with pytest.raises(InvalidInput, match="session_id is missing"):
        await HermesMemoryBlock(hermes, user_id=USER).aget([ChatMessage(content="hi")])


def test_an_engine_that_makes_its_own_memory_is_told_what_is_missing() -> None:
    with pytest.raises(InvalidInput, match=r"hermes=Hermes\.open"):
        SimpleChatEngine.from_defaults(llm=RecordingLLM(), memory_cls=HermesMemory)


# HermesMemory as an object


def test_pitfall_13_copies_share_the_store_and_typos_are_errors(knowing: Hermes) -> None:
    mine = memory(knowing)
    mine.put(ChatMessage(content="hello"))
    for twin in (copy.deepcopy(mine), copy.copy(mine), mine.model_copy()):
        assert words(twin.get()) == words(mine.get())
    assert "Hermes(" not in repr(mine)
    dumped = mine.model_dump()
    assert dumped["user_id"] == USER
    assert not {"hermes", "tokenizer_fn", "sql_store"} & set(dumped)
    assert KNOWN not in str(dumped)
    with pytest.raises(TypeError, match="can't be pickled"):
        pickle.dumps(mine)
    for typo in ({"injekt": False}, {"budget": "many"}):
        with pytest.raises(ValidationError):
            memory(knowing, **typo)
        with pytest.raises(ValidationError):
            HermesMemoryBlock(knowing, user_id=USER, **typo)


def test_an_empty_memory_is_not_falsy(hermes: Hermes) -> None:
    mine = memory(hermes)
    assert "__len__" not in dir(mine)
    assert "__bool__" not in dir(mine)
    engine = SimpleChatEngine.from_defaults(llm=RecordingLLM(), memory=mine)
    assert engine._memory is mine
    assert isinstance(mine, Memory)


def test_memory_blocks_belong_into_the_frameworks_memory(hermes: Hermes) -> None:
    with pytest.raises(InvalidInput, match="memory_blocks"):
        memory(hermes, memory_blocks=[HermesMemoryBlock(hermes, user_id=USER)])


def test_from_defaults_keeps_a_history_without_learning_from_it(hermes: Hermes) -> None:
    history = [ChatMessage(content="I live in Lima."), ChatMessage(role="assistant", content="Nice.")]
    for _ in range(2):
        mine = HermesMemory.from_defaults(hermes, user_id=USER, session_id="s1", chat_history=history)
        assert [(m.role, m.content) for m in mine.get_all()] == [(m.role, m.content) for m in history]
    hermes.flush(USER)
    assert hermes.memories(USER) == []


def test_set_replaces_and_keeps_what_is_the_same(hermes: Hermes) -> None:
    mine = memory(hermes)
    mine.put(ChatMessage(content=FACT))
    mine.put(ChatMessage(role="assistant", content="noted"))
    mine.set([*mine.get_all(), ChatMessage(content="I live in Lima.")])
    assert roles(mine.get_all()) == ["user", "assistant", "user"]
    mine.set([ChatMessage(content="I live in Rome.")])
    assert words(mine.get_all()) == "user: I live in Rome."
    mine.set([])
    assert mine.get_all() == []
    hermes.flush(USER)
    assert KNOWN in remembered(hermes)
    assert "Lima" not in remembered(hermes)


def test_the_window_holds_whole_exchanges_and_the_rest_stays_readable(hermes: Hermes) -> None:
    mine = memory(hermes, token_limit=100, chat_history_token_ratio=1.0, inject=False)
    for number in range(30):
        mine.put(ChatMessage(content=f"question {number} " + "word " * 10))
        mine.put(ChatMessage(role="assistant", content=f"answer {number} " + "word " * 10))
    shown = mine.get()
    assert shown[0].role == "user"
    assert 0 < sum(mine._estimate_token_count(message) for message in shown) <= 100
    assert (shown[-1].content or "").startswith("answer 29")
    assert len(mine.get_all()) == 60
    assert mine.get_all(MessageStatus.ACTIVE) == shown
    assert mine.get_all(MessageStatus.ARCHIVED) + shown == mine.get_all()
    assert len(mine.get(initial_token_count=60)) < len(shown)
    assert roles(mine.get(initial_token_count=1000)) == ["user", "assistant"]


def test_a_long_conversation_is_read_as_far_as_it_fits(hermes: Hermes) -> None:
    mine = memory(hermes, inject=False)
    for number in range(130):
        if number == 120:
            hermes.session(USER, "s1").observe("tool", "another program's")
        mine.put_messages([ChatMessage(content=f"q{number}"), ChatMessage(role="assistant", content=f"a{number}")])
    assert len(mine.get()) == 260
    assert len(memory(hermes, inject=False).get()) == 260


@pytest.mark.parametrize(("limit", "start"), [(0, 3), (4, 3), (5, 2), (9, 1), (12, 0), (100, 0)])
def test_fit(limit: int, start: int) -> None:
    assert fit([3, 4, 5], limit) == start


# block


async def test_a_block_shows_memory_in_the_frameworks_memory(knowing: Hermes, stock: Stock) -> None:
    block = HermesMemoryBlock(knowing, user_id=USER)
    own = stock("s1", memory_blocks=[block], insert_method=InsertMethod.USER)
    llm = RecordingLLM()
    engine = SimpleChatEngine.from_defaults(llm=llm, memory=own, system_prompt="Be brief.")
    await engine.achat("what am I allergic to?")
    assert KNOWN in llm.last
    assert llm.roles == ["system", "user"]


async def test_pitfall_02_a_block_learns_only_what_is_flushed(hermes: Hermes, stock: Stock) -> None:
    block = HermesMemoryBlock(hermes, user_id=USER)
    own = stock("s1", token_limit=60, token_flush_size=20, memory_blocks=[block])
    await own.aput(ChatMessage(content=FACT))
    await own.aput(ChatMessage(role="assistant", content="noted"))
    assert said(hermes, USER, "s1") == []
    for number in range(3):
        await own.aput(ChatMessage(content=f"question {number} " + "word " * 15))
        await own.aput(ChatMessage(role="assistant", content=f"answer {number} " + "word " * 15))
    assert said(hermes, USER, "s1")[0] == FACT
    hermes.flush(USER)
    assert KNOWN in remembered(hermes)


async def test_a_block_keeps_tools_and_recalled_text_out(knowing: Hermes) -> None:
    block = HermesMemoryBlock(knowing, user_id=USER, session_id="s1")
    told = await block.aget([ChatMessage(content="what am I allergic to?")])
    assert KNOWN in told
    await block.aput(
        [
            ChatMessage(content=told),
            ChatMessage(role="tool", content="I live in Rome."),
            ChatMessage(role="system", content="I live in Lima."),
            ChatMessage(role="assistant", content=None),
        ]
    )
    assert knowing.session(USER, "s1").turns() == []


async def test_a_block_is_shortened_by_whole_lines_and_stays_closed(hermes: Hermes, stock: Stock) -> None:
    tell(hermes, USER, FACT, "I like jazz.", "I live in Oslo.", "My cat is called Tom.", "I work as a baker.")
    block = HermesMemoryBlock(hermes, user_id=USER, session_id="s1", priority=1)
    whole = await block.aget([ChatMessage(content="jazz, Oslo, cat, baker, allergy")])
    less = await block.atruncate(whole, 15)
    assert less is not None
    assert less.startswith("<hermes_memory")
    assert less.endswith("</hermes_memory>")
    assert set(less.splitlines()) < set(whole.splitlines())
    assert await block.atruncate(whole, 10_000) is None
    crowded = stock("s2", token_limit=40, memory_blocks=[block])
    assert "hermes_memory" not in words(await crowded.aget(input="jazz?"))


def test_shortened_counts_what_it_saves() -> None:
    text = "<m>\nframe\n- one two\n- three four\n</m>"
    assert shortened(text, 2, lambda t: len(t.split())) == "<m>\nframe\n- one two\n</m>"
    assert shortened(text, 4, lambda t: len(t.split())) == ""


# package


def test_importing_loads_no_framework_and_names_the_extra() -> None:
    code = """
import sys, hermes_llamaindex
assert not [m for m in sys.modules if m.split('.')[0] in ('llama_index', 'hermes_core', 'chromadb')]
sys.modules['llama_index'] = None
try:
    hermes_llamaindex.HermesMemory
except ImportError as error:
    assert "pip install 'hermes-dualgate[llamaindex]'" in str(error), error
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_public_name_is_there() -> None:
    assert set(dir(hermes_llamaindex)) == set(hermes_llamaindex.__all__)
    for name in hermes_llamaindex.__all__:
        assert getattr(hermes_llamaindex, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = hermes_llamaindex.Nothing  # type: ignore[attr-defined]
