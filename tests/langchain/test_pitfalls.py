"""What goes wrong with memories in LangChain elsewhere, by number in the list of known pitfalls; each shown not to here.

Numbers 1, 2 and 20 are about LlamaIndex; 19 is held by tests/stores.
"""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_classic.agents import AgentExecutor, create_react_agent
from langchain_classic.chains import ConversationalRetrievalChain, ConversationChain, LLMChain
from langchain_core.documents import Document
from langchain_core.messages import (
    AIMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    message_to_dict,
    messages_from_dict,
)
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder, PromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import ConfigurableFieldSpec, Runnable, RunnablePassthrough
from langchain_core.runnables.history import RunnableWithMessageHistory
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import ValidationError

from hermes_core import Closed, EmbedderMismatch, Hermes, InvalidInput, NotFound, StoreError, TimedOut
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.testing import HashEmbedder
from hermes_langchain import (
    HermesChatMessageHistory,
    HermesMemory,
    HermesMiddleware,
    HermesRetriever,
    create_context_runnable,
    create_recall_tool,
)
from tests.langchain.models import RecordingModel, alternate, calling
from tests.langchain.stores import FACT, KNOWN, USER, remembered, said, tell

# The classic chains and histories are what existing applications have; LangChain announces that they will go in 2.0.
pytestmark = pytest.mark.filterwarnings("ignore::langchain_core._api.deprecation.LangChainDeprecationWarning")

IDS = [ConfigurableFieldSpec(id=name, annotation=str) for name in ("user_id", "session_id")]
CONFIG: Any = {"configurable": {"user_id": USER, "session_id": "s1"}}
THREAD: Any = {"configurable": {"thread_id": "t1", "user_id": USER}}


def memory(hermes: Hermes, **given: Any) -> HermesMemory:
    return HermesMemory(**{"hermes": hermes, "user_id": USER, "session_id": "s1", **given})


def history(hermes: Hermes, session_id: str = "s1", **given: Any) -> HermesChatMessageHistory:
    return HermesChatMessageHistory(hermes, user_id=USER, session_id=session_id, **given)


def with_history(hermes: Hermes, runnable: Runnable[Any, Any], **keys: str) -> RunnableWithMessageHistory:
    def get_session_history(user_id: str, session_id: str) -> HermesChatMessageHistory:
        return HermesChatMessageHistory(hermes, user_id=user_id, session_id=session_id)

    return RunnableWithMessageHistory(runnable, get_session_history, history_factory_config=IDS, **keys)


def remembering(hermes: Hermes, model: RecordingModel) -> Any:
    prompt = ChatPromptTemplate.from_messages(
        [("system", "S\n{memory}"), MessagesPlaceholder("history"), ("human", "{input}")]
    )
    chain = RunnablePassthrough.assign(memory=create_context_runnable(hermes)) | prompt | model
    return with_history(hermes, chain, input_messages_key="input", history_messages_key="history")


class Library(BaseRetriever):
    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return [Document(page_content="a page")]


@tool
def clock() -> str:
    """The time."""
    return "noon"


# 3


def test_pitfall_03_never_a_second_system_message(knowing: Hermes) -> None:
    model = RecordingModel(replies=["one", calling("clock"), "two", "three"])
    agent = create_agent(
        model, [clock], system_prompt="S", middleware=[HermesMiddleware(knowing)], checkpointer=InMemorySaver()
    )
    for _ in range(3):
        agent.invoke({"messages": "a snack?"}, THREAD)
    chain = remembering(knowing, model)
    for _ in range(3):
        chain.invoke({"input": "a snack?"}, CONFIG)
    prompt = ChatPromptTemplate.from_messages([("system", "S"), MessagesPlaceholder("history"), ("human", "{input}")])
    legacy = LLMChain(llm=model, prompt=prompt, memory=memory(knowing, session_id="s2", return_messages=True))
    for _ in range(3):
        legacy.invoke({"input": "a snack?"})
    ConversationChain(llm=model, memory=memory(knowing, session_id="s3")).invoke({"input": "a snack?"})
    assert len(model.prompts) == 11
    for asked in model.prompts:
        assert alternate([message.type for message in asked]), [message.type for message in asked]


# 4


@pytest.mark.parametrize("kind", [Closed, EmbedderMismatch, InvalidInput, NotFound, StoreError, TimedOut])
async def test_pitfall_04_our_errors_come_through_as_themselves(open_hermes: Callable[..., Hermes], kind: Any) -> None:
    class Failing(InMemoryLedger):
        def add_turn(self, turn: Any) -> Any:
            raise kind("as it is")

    own = memory(open_hermes(ledger=Failing(), chroma=False), raise_on_error=True)
    chain = ConversationChain(llm=RecordingModel(), memory=own)
    assert not issubclass(kind, RuntimeError)
    with pytest.raises(kind, match="as it is"):
        chain.invoke({"input": "hello"})
    with pytest.raises(kind, match="as it is"):
        await chain.ainvoke({"input": "hello"})


# 5


class SlowLedger(InMemoryLedger):
    """0.15 s for what a chat asks of it, once `slow` is set."""

    slow = False

    def __getattribute__(self, name: str) -> object:
        asked = name in ("add_turn", "turns", "version", "erased_version")
        if asked and object.__getattribute__(self, "slow"):
            time.sleep(0.15)
        return super().__getattribute__(name)


async def longest_pause(work: Awaitable[Any]) -> float:
    """Seconds for which the loop could not tick while `work` ran."""
    pauses: list[float] = []

    async def heartbeat() -> None:
        while True:
            started = time.perf_counter()
            await asyncio.sleep(0.005)
            pauses.append(time.perf_counter() - started)

    beating = asyncio.create_task(heartbeat())
    await work
    beating.cancel()
    assert pauses
    return max(pauses)


def async_ways(hermes: Hermes) -> Iterator[tuple[str, Callable[[], Awaitable[Any]]]]:
    model = RecordingModel()
    agent = create_agent(model, [], middleware=[HermesMiddleware(hermes)], checkpointer=InMemorySaver())
    yield "agent", lambda: agent.ainvoke({"messages": "hello"}, THREAD)
    chain = ConversationChain(llm=model, memory=memory(hermes))
    yield "chain", lambda: chain.ainvoke({"input": "hello"})
    own = history(hermes, "s2")
    yield "history read", own.aget_messages
    yield "history written", lambda: own.aadd_messages([HumanMessage("hello")])
    yield "retriever", lambda: HermesRetriever(hermes=hermes, user_id=USER).ainvoke("hello")
    told = create_recall_tool(hermes, user_id=USER, session_id="s3")
    yield "tool", lambda: told.ainvoke({"query": "hello"})
    step = create_context_runnable(hermes, user_id=USER, session_id="s4")
    yield "step", lambda: step.ainvoke("hello")


async def test_pitfall_05_no_blocking_on_the_event_loop(open_hermes: Callable[..., Hermes]) -> None:
    ledger = SlowLedger()
    hermes = open_hermes(ledger=ledger, chroma=False, embedder=HashEmbedder())
    for _, call in async_ways(hermes):
        await call()  # what is built or imported at the first use is not what is measured
    ledger.slow = True
    for name, call in async_ways(hermes):
        started = time.perf_counter()
        pause = await longest_pause(call())
        assert time.perf_counter() - started > 0.14, f"{name} did not reach the slow ledger"
        assert pause < 0.13, f"{name} blocked the loop for {pause:.3f} s"


# 6


async def test_pitfall_06_streams_are_stored_as_whole_messages(hermes: Hermes) -> None:
    chain = remembering(hermes, RecordingModel(replies=["an answer in several chunks"]))
    list(chain.stream({"input": "a"}, CONFIG))
    [part async for part in chain.astream({"input": "b"}, CONFIG)]
    found = history(hermes).messages
    assert [type(message) for message in found] == [HumanMessage, AIMessage] * 2
    assert found[1].text == found[3].text == "an answer in several chunks"
    assert messages_from_dict(json.loads(json.dumps([message_to_dict(message) for message in found]))) == found


# 7


def test_pitfall_07_lost_writes_are_counted_and_logged(broken: Hermes, caplog: pytest.LogCaptureFixture) -> None:
    own = history(broken)
    chain = RunnableWithMessageHistory(RecordingModel(), lambda session_id: own)
    with caplog.at_level(logging.WARNING, logger="hermes"):
        assert chain.invoke("hello", {"configurable": {"session_id": "s1"}}).text == "fine"
    assert own.failures >= 2
    assert "the chat goes on without it: the disk went away" in caplog.text


# 8


def test_pitfall_08_no_message_is_lost_without_a_history_key(hermes: Hermes) -> None:
    tell(hermes, USER, FACT)
    chain = with_history(hermes, RecordingModel(replies=["r1", "r2", "r3"]))
    for text in ("a", "b", "c"):
        chain.invoke([HumanMessage(text)], CONFIG)
        hermes.flush()
    assert [message.text for message in history(hermes).messages] == ["a", "r1", "b", "r2", "c", "r3"]


# 9


def test_pitfall_09_several_input_and_output_keys(knowing: Hermes) -> None:
    model = RecordingModel(replies=["Thought: easy\nFinal Answer: rice"])
    crc = ConversationalRetrievalChain.from_llm(
        model,
        retriever=Library(),
        memory=memory(knowing, memory_key="chat_history", return_messages=True),
        return_source_documents=True,
        return_generated_question=True,
    )
    crc.invoke({"question": "one"})
    prompt = PromptTemplate.from_template("{tools}{tool_names}{history}{input}{style}{agent_scratchpad}")
    executor = AgentExecutor(
        agent=create_react_agent(model, [], prompt), tools=[], memory=memory(knowing, session_id="s2")
    )
    executor.invoke({"input": "two", "style": "short"})
    list(executor.stream({"input": "three", "style": "short"}))
    two = PromptTemplate.from_template("{history}{question}{plan}")
    LLMChain(llm=model, prompt=two, memory=memory(knowing, session_id="s3")).invoke({"question": "four", "plan": "p"})
    assert said(knowing, USER, "s1") == ["one"]
    assert said(knowing, USER, "s2") == ["two", "three"]
    assert said(knowing, USER, "s3") == ["four"]


# 10


@pytest.mark.parametrize("as_messages", [False, True])
def test_pitfall_10_texts_where_texts_and_messages_where_messages(knowing: Hermes, as_messages: bool) -> None:
    model, own = RecordingModel(), {"return_messages": as_messages}
    place: Any = MessagesPlaceholder("history") if as_messages else ("human", "{history}")
    prompt = ChatPromptTemplate.from_messages([place, ("human", "{input}")])
    LLMChain(llm=model, prompt=prompt, memory=memory(knowing, **own)).invoke({"input": "a snack?"})
    ConversationChain(llm=model, memory=memory(knowing, **own)).invoke({"input": "a snack?"})
    text = PromptTemplate.from_template("{history}\n{input}")
    LLMChain(llm=model, prompt=text, memory=memory(knowing, **own)).invoke({"input": "a snack?"})
    if as_messages:
        chat = memory(knowing, memory_key="chat_history", **own)
        ConversationalRetrievalChain.from_llm(model, retriever=Library(), memory=chat).invoke({"question": "a snack?"})
    assert all(KNOWN in "".join(m.text for m in asked) for asked in model.prompts[:4])


# 11: also test_faults.test_I1_*


@pytest.mark.parametrize("user_id", ["", "  ", "\n"])
def test_pitfall_11_nobody_is_not_a_user(hermes: Hermes, user_id: str) -> None:
    with pytest.raises(ValidationError):
        memory(hermes, user_id=user_id)
    with pytest.raises(InvalidInput):
        HermesChatMessageHistory(hermes, user_id=user_id, session_id="s1")
    for build in (
        lambda: HermesRetriever(hermes=hermes, user_id=user_id).invoke("x"),
        lambda: create_recall_tool(hermes, user_id=user_id, session_id="s1").invoke({"query": "x"}),
        lambda: create_context_runnable(hermes, user_id=user_id, session_id="s1").invoke("x"),
        lambda: create_agent(
            RecordingModel(), [], middleware=[HermesMiddleware(hermes, user_id=user_id, session_id="s1")]
        ).invoke({"messages": "x"}),
    ):
        with pytest.raises(InvalidInput, match="user_id"):
            build()


# 12: test_agents.test_who_it_is_* and test_nobody_is_an_error_*


async def test_pitfall_12_the_agents_context_wins_over_the_configurable(knowing: Hermes) -> None:
    model = RecordingModel()
    agent = create_agent(model, [], middleware=[HermesMiddleware(knowing)])
    config: Any = {"configurable": {"thread_id": "t1", "user_id": "somebody else"}}
    await agent.ainvoke({"messages": "a snack?"}, config, context={"user_id": USER})
    assert KNOWN in model.last
    fixed = create_agent(model, [], middleware=[HermesMiddleware(knowing, user_id="bob")])
    await fixed.ainvoke({"messages": "a snack?"}, config, context={"user_id": USER})
    assert KNOWN not in model.last


# 13


def test_pitfall_13_pydantic(knowing: Hermes) -> None:
    for own in (memory(knowing), HermesRetriever(hermes=knowing, user_id=USER)):
        assert copy.deepcopy(own).model_dump() == own.model_dump()
        assert copy.copy(own).hermes is knowing
        with pytest.raises(ValueError, match=r"no field|not permitted|object has no"):
            own.nonsense = 1
        with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
            type(own)(
                hermes=knowing, user_id=USER, **({"session_id": "s"} if type(own) is HermesMemory else {}), typo=1
            )
    middleware = copy.deepcopy(HermesMiddleware(knowing, user_id=USER, session_id="s1"))
    model = RecordingModel()
    create_agent(model, [], middleware=[middleware]).invoke({"messages": "a snack?"})
    assert KNOWN in model.last
    copied = copy.deepcopy(history(knowing))
    copied.add_user_message("hello")
    assert history(knowing).messages[-1].text == "hello"


# 14


def test_pitfall_14_each_word_is_taken_in_once(hermes: Hermes) -> None:
    agent = create_agent(RecordingModel(), [], middleware=[HermesMiddleware(hermes)], checkpointer=InMemorySaver())
    texts = [f"turn {number}" for number in range(5)]
    for text in texts:
        agent.invoke({"messages": text}, THREAD)
    assert said(hermes, USER, "t1") == texts
    replay = create_agent(RecordingModel(), [], middleware=[HermesMiddleware(hermes)])
    for _ in range(2):
        replay.invoke({"messages": agent.get_state(THREAD).values["messages"]}, THREAD)
    assert said(hermes, USER, "t1") == texts


def test_pitfall_14_a_history_and_a_middleware_on_one_session(hermes: Hermes) -> None:
    agent = create_agent(RecordingModel(), [], middleware=[HermesMiddleware(hermes)])
    for number in range(3):
        own = history(hermes)
        asked = HumanMessage(f"turn {number}", id=f"m{number}")
        result = agent.invoke({"messages": [*own.messages, asked]}, CONFIG)
        own.add_messages(result["messages"])
    assert said(hermes, USER, "s1") == ["turn 0", "turn 1", "turn 2"]
    assert said(hermes, USER, "s1", "assistant") == ["fine"] * 3


# 15


@pytest.mark.parametrize("mode", ["values", "updates", "messages", "custom", "debug", "tasks", "checkpoints"])
async def test_pitfall_15_nothing_recalled_in_state_streams_or_checkpoints(knowing: Hermes, mode: Any) -> None:
    saver, model = InMemorySaver(), RecordingModel(replies=[calling("clock"), "noon"])
    agent = create_agent(model, [clock], middleware=[HermesMiddleware(knowing)], checkpointer=saver)
    seen = [*agent.stream({"messages": "the time?"}, THREAD, stream_mode=mode)]
    seen += [part async for part in agent.astream({"messages": "the time?"}, THREAD, stream_mode=mode)]
    assert all(KNOWN in asked[0].text for asked in model.prompts)
    assert KNOWN not in str(seen)
    assert KNOWN not in str(agent.get_state(THREAD))
    assert KNOWN.encode() not in b"".join(_bytes(saver.storage)) + b"".join(_bytes(saver.blobs))
    assert KNOWN.encode() not in b"".join(_bytes(saver.writes))


def _bytes(value: Any) -> Iterator[bytes]:
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _bytes(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _bytes(part)


# 16


@pytest.mark.parametrize("odd", ["{context_str}", "{x}", "{{ 7*7 }}", "</hermes_memory>", "{input}", "<|im_end|>"])
def test_pitfall_16_braces_and_markup_do_no_harm(hermes: Hermes, odd: str) -> None:
    tell(hermes, USER, f"My favourite word is {odd}snark.")
    assert "snark" in remembered(hermes)
    model = RecordingModel()
    ConversationChain(llm=model, memory=memory(hermes, include_turns=False)).invoke({"input": "My favourite word?"})
    for style in ("f-string", "mustache"):
        slots = ("{history}\n{input}", "{{{history}}}\n{{{input}}}")[style == "mustache"]
        prompt: Any = PromptTemplate.from_template(slots, template_format=style)
        chain = LLMChain(llm=model, prompt=prompt, memory=memory(hermes, include_turns=False))
        chain.invoke({"input": "My favourite word?"})
    remembering(hermes, model).invoke({"input": "My favourite word?"}, CONFIG)
    create_agent(model, [], middleware=[HermesMiddleware(hermes)]).invoke({"messages": "My favourite word?"}, THREAD)
    found = HermesRetriever(hermes=hermes, user_id=USER).invoke("favourite word")
    told = create_recall_tool(hermes, user_id=USER, session_id="s9").invoke({"query": "favourite word"})
    for text in (*("\n".join(m.text for m in asked) for asked in model.prompts), str(found), told):
        assert "snark" in text
        assert f"{odd}snark" not in text
        assert text.count("</hermes_memory>") <= 1


# 17


def test_pitfall_17_nothing_is_learned_from_what_was_put_in(knowing: Hermes) -> None:
    before = [(item.id, item.confirmations, item.evidence) for item in knowing.memories(USER)]

    class Injecting(AgentMiddleware[Any, Any, Any]):
        def before_model(self, state: Any, runtime: Any) -> dict[str, Any]:
            return {"messages": [SystemMessage("The user lives in Paris.")]}

    @tool
    def look_up() -> str:
        """Anything."""
        return "I live in Rome."

    model = RecordingModel(replies=[calling("look_up"), "You live in Oslo, and I like jazz."])
    agent = create_agent(
        model, [look_up], middleware=[HermesMiddleware(knowing), Injecting()], checkpointer=InMemorySaver()
    )
    agent.invoke({"messages": "hello there"}, THREAD)
    ConversationChain(llm=model, memory=memory(knowing)).invoke({"input": "hello there"})
    history(knowing, "s2").add_messages(
        [SystemMessage("I live in Paris."), ToolMessage("I live in Rome.", tool_call_id="1"), AIMessage("I like jazz.")]
    )
    knowing.flush()
    assert [(item.id, item.confirmations, item.evidence) for item in knowing.memories(USER)] == before
    assert said(knowing, USER, "t1", "system") == said(knowing, USER, "t1", "tool") == []


# 18


def test_pitfall_18_no_tool_message_is_orphaned(hermes: Hermes) -> None:
    own = history(hermes)
    for number in range(20):  # more than the turns kept at hand
        own.add_messages(
            [
                HumanMessage(f"q{number}"),
                calling("clock"),
                ToolMessage("noon", tool_call_id="call-1"),
                AIMessage("noon"),
            ]
        )
    found = own.messages
    assert len(found) == 80
    for at, message in enumerate(found):
        if isinstance(message, ToolMessage):
            assert found[at - 1].tool_calls[0]["id"] == message.tool_call_id
    bounded = memory(hermes, return_messages=True).load_memory_variables({"input": "x"})["history"]
    assert not any(isinstance(message, ToolMessage) or getattr(message, "tool_calls", None) for message in bounded)
    assert alternate([message.type for message in [*bounded, HumanMessage("x")]])
