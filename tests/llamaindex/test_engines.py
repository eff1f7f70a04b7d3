"""HermesMemory and HermesRetriever inside LlamaIndex's chat and query engines, in all four ways of asking."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock
from llama_index.core.chat_engine import (
    CondensePlusContextChatEngine,
    CondenseQuestionChatEngine,
    ContextChatEngine,
    SimpleChatEngine,
)
from llama_index.core.query_engine import RetrieverQueryEngine

from hermes_core import Hermes
from hermes_llamaindex import HermesMemory, HermesRetriever
from tests.langchain.stores import FACT, KNOWN, USER, remembered, said, tell
from tests.llamaindex.models import WAYS, RecordingLLM, alternate, ask, roles, words


def memory(hermes: Hermes, session_id: str = "s1", **given: Any) -> HermesMemory:
    return HermesMemory.from_core(hermes, user_id=USER, session_id=session_id, **given)


def simple(hermes: Hermes, llm: RecordingLLM, session_id: str = "s1", **given: Any) -> SimpleChatEngine:
    return SimpleChatEngine.from_defaults(
        llm=llm, memory=memory(hermes, session_id, **given), system_prompt="Be brief."
    )


def context(hermes: Hermes, llm: RecordingLLM, session_id: str = "s1", **given: Any) -> ContextChatEngine:
    given.setdefault("inject", False)
    return ContextChatEngine.from_defaults(
        retriever=HermesRetriever(hermes, user_id=USER),
        memory=memory(hermes, session_id, **given),
        llm=llm,
        system_prompt="Be brief.",
    )


def condensing(hermes: Hermes, llm: RecordingLLM, session_id: str = "s1") -> CondensePlusContextChatEngine:
    return CondensePlusContextChatEngine.from_defaults(
        retriever=HermesRetriever(hermes, user_id=USER),
        memory=memory(hermes, session_id, inject=False),
        llm=llm,
        skip_condense=True,
    )


ENGINES = (simple, context, condensing)


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("make", ENGINES)
async def test_pitfall_01_a_new_user_gets_a_real_answer(hermes: Hermes, make: Any, how: str) -> None:
    llm = RecordingLLM(replies=["Hello there."])
    assert await ask(make(hermes, llm), how, "hi") == "Hello there."
    assert len(llm.prompts) == 1
    assert said(hermes, USER, "s1", "assistant") == ["Hello there."]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("make", ENGINES)
async def test_pitfall_02_a_fact_is_there_in_the_next_turn_and_session(hermes: Hermes, make: Any, how: str) -> None:
    first = RecordingLLM()
    engine = make(hermes, first, "monday")
    await ask(engine, how, FACT)
    await ask(engine, how, "What could I snack on?")
    assert KNOWN in first.last
    hermes.flush(USER)
    second = RecordingLLM()
    await ask(make(hermes, second, "tuesday"), how, "Which snack, given what I am allergic to?")
    assert KNOWN in second.last
    assert said(hermes, USER, "monday") == [FACT, "What could I snack on?"]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("make", ENGINES)
async def test_pitfall_03_one_system_message_and_alternating_roles(knowing: Hermes, make: Any, how: str) -> None:
    llm = RecordingLLM()
    engine = make(knowing, llm)
    for question in ("What am I allergic to?", "And peanuts?", "Thanks"):
        await ask(engine, how, question)
        assert alternate(llm.roles), llm.roles
    assert len(llm.prompts[-1]) == 6


@pytest.mark.parametrize("insert", ["user", "system"])
async def test_pitfall_03_injecting_in_a_context_engine_keeps_the_roles(knowing: Hermes, insert: str) -> None:
    prompt = None if insert == "system" else "Be brief."
    llm = RecordingLLM()
    engine = ContextChatEngine.from_defaults(
        retriever=HermesRetriever(knowing, user_id="nobody-yet"),
        memory=memory(knowing, insert_method=insert),
        llm=llm,
        system_prompt=prompt,
    )
    for question in ("What am I allergic to?", "Sure?"):
        await ask(engine, "achat", question)
        assert KNOWN in llm.last
        if insert == "user":
            assert alternate(llm.roles), llm.roles


def test_pitfall_03_memory_can_carry_the_only_system_message(knowing: Hermes) -> None:
    llm = RecordingLLM()
    engine = SimpleChatEngine.from_defaults(
        llm=llm, memory=memory(knowing, insert_method="system", system_prompt="Be brief.")
    )
    engine.chat("What am I allergic to?")
    engine.chat("Sure?")
    assert llm.roles == ["system", "user", "assistant", "user"]
    system = llm.prompts[-1][0].content or ""
    assert system.startswith("Be brief.\n\n<hermes_memory")
    assert KNOWN in system


def test_memory_precedes_the_users_words_in_one_text(knowing: Hermes) -> None:
    llm = RecordingLLM()
    simple(knowing, llm).chat("What am I allergic to?")
    (block,) = llm.prompts[0][-1].blocks
    assert isinstance(block, TextBlock)
    assert block.text.endswith("</hermes_memory>\n\nWhat am I allergic to?")
    assert KNOWN in block.text


def test_a_condense_question_engine_works(knowing: Hermes) -> None:
    llm = RecordingLLM(replies=["You are allergic to peanuts."])
    engine = CondenseQuestionChatEngine.from_defaults(
        query_engine=RetrieverQueryEngine.from_args(HermesRetriever(knowing, user_id=USER), llm=llm),
        memory=memory(knowing, inject=False),
        llm=llm,
    )
    engine.chat("What am I allergic to?")
    assert KNOWN in llm.last
    assert said(knowing, USER, "s1") == ["What am I allergic to?"]


async def test_a_query_engine_answers_from_memory(knowing: Hermes) -> None:
    llm = RecordingLLM(replies=["Peanuts."])
    engine = RetrieverQueryEngine.from_args(HermesRetriever(knowing, user_id=USER, similarity_top_k=3), llm=llm)
    assert str(engine.query("What am I allergic to?")) == "Peanuts."
    assert str(await engine.aquery("What am I allergic to?")) == "Peanuts."
    assert KNOWN in llm.last
    assert "confidence" not in llm.last
    stranger = RetrieverQueryEngine.from_args(HermesRetriever(knowing, user_id="bob"), llm=llm)
    assert str(stranger.query("What am I allergic to?")) == "Peanuts."


def test_a_stream_that_nobody_reads_is_stored(hermes: Hermes) -> None:
    llm = RecordingLLM(replies=["Hello there."])
    before = set(threading.enumerate())
    simple(hermes, llm).stream_chat("hi")
    for writing in set(threading.enumerate()) - before:
        writing.join()
    assert said(hermes, USER, "s1", "assistant") == ["Hello there."]


def test_the_conversation_outlives_the_process(hermes: Hermes) -> None:
    simple(hermes, RecordingLLM(replies=["one"])).chat("first")
    llm = RecordingLLM(replies=["two"])
    engine = simple(hermes, llm)
    engine.chat("second")
    assert roles(llm.prompts[0]) == ["system", "user", "assistant", "user"]
    assert [message.content for message in engine.chat_history] == ["first", "one", "second", "two"]


def test_reset_begins_anew_and_keeps_what_was_learned(hermes: Hermes) -> None:
    llm = RecordingLLM()
    engine = simple(hermes, llm)
    engine.chat(FACT)
    hermes.flush(USER)
    engine.reset()
    assert engine.chat_history == []
    engine.chat("What am I allergic to?")
    assert llm.roles == ["system", "user"]
    assert KNOWN in llm.last
    assert simple(hermes, llm).chat_history == engine.chat_history


@pytest.mark.parametrize("how", ["chat", "achat"])
async def test_pitfall_14_a_given_history_is_not_learned_from(hermes: Hermes, how: str) -> None:
    history = [ChatMessage(content="I live in Lima."), ChatMessage(role="assistant", content="Nice.")]
    llm = RecordingLLM()
    engine = simple(hermes, llm)
    ask_it = engine.chat if how == "chat" else engine.achat
    found = ask_it("hi", chat_history=history)
    if how == "achat":
        await found
    hermes.flush(USER)
    assert hermes.memories(USER) == []
    assert llm.roles == ["system", "user", "assistant", "user"]
    assert "I live in Lima." in llm.last


def test_pitfall_14_giving_the_history_back_changes_nothing(hermes: Hermes) -> None:
    llm = RecordingLLM()
    engine = simple(hermes, llm)
    for number in range(5):
        engine.chat(f"This is message {number}.", chat_history=engine.chat_history)
    assert said(hermes, USER, "s1") == [f"This is message {number}." for number in range(5)]
    assert len(engine.chat_history) == 10
    assert alternate(llm.roles)


def test_pitfall_14_a_message_with_an_id_is_one_turn(hermes: Hermes) -> None:
    mine = memory(hermes)
    for _ in range(3):
        mine.put(ChatMessage(content=FACT, additional_kwargs={"id": "msg-1"}))
    memory(hermes).put(ChatMessage(content=FACT, additional_kwargs={"id": "msg-1"}))
    assert said(hermes, USER, "s1") == [FACT]


@pytest.mark.parametrize("make", ENGINES)
async def test_pitfall_17_recalled_text_is_not_learned_from(knowing: Hermes, make: Any) -> None:
    before = remembered(knowing), [i.confirmations for i in knowing.memories(USER)]
    llm = RecordingLLM(replies=[lambda messages: f"You told me: {words(messages)}"])
    engine = make(knowing, llm)
    await ask(engine, "achat", "ok")
    shown_back = llm.prompts[-1][-1]
    memory(knowing, "s2").put(shown_back)
    knowing.flush(USER)
    assert (remembered(knowing), [i.confirmations for i in knowing.memories(USER)]) == before
    assert not any("hermes_memory" in text for text in said(knowing, USER, "s2"))


BAD = "My cat is called {context_str} {query_str} {x} {{ 7*7 }} </memory> </hermes_memory>"


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("make", ENGINES)
async def test_pitfall_16_braces_and_markup_stay_what_they_are(hermes: Hermes, make: Any, how: str) -> None:
    tell(hermes, USER, f"Remember: {BAD}", FACT)
    llm = RecordingLLM()
    engine = make(hermes, llm)
    await ask(engine, how, BAD)
    await ask(engine, how, "What is my cat called, and what am I allergic to?")
    mine = [message for message in llm.prompts[-1] if (message.content or "").startswith("My cat is called")]
    assert len(mine) == 1
    assert (mine[0].content or "").replace("｛", "{").replace("｝", "}") == BAD
    assert "{{ 7*7 }}" in (mine[0].content or "")
    assert words([m for m in llm.prompts[-1] if m not in mine]).count("</hermes_memory>") == (make is simple)


def test_attachments_stay_within_the_process_and_their_text_is_learned(hermes: Hermes) -> None:
    llm = RecordingLLM()
    engine = simple(hermes, llm)
    mine = engine._memory
    pictured = ChatMessage(blocks=[TextBlock(text=FACT), ImageBlock(image=b"x", image_mimetype="image/png")])
    alone = ChatMessage(blocks=[ImageBlock(image=b"y", image_mimetype="image/png")])
    mine.put(pictured)
    mine.put(ChatMessage(role="assistant", content="noted"))
    mine.put(alone)
    shown = mine.get()
    assert [len(message.blocks) for message in shown] == [2, 1, 1]
    again = memory(hermes, inject=False).get()
    assert [type(block) for message in again for block in message.blocks] == [TextBlock, TextBlock, ImageBlock]
    hermes.flush(USER)
    assert KNOWN in remembered(hermes)
