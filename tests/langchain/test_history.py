"""HermesChatMessageHistory: durable, stable, chunk-safe, in RunnableWithMessageHistory by every way of calling."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    messages_from_dict,
    messages_to_dict,
)
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import ConfigurableFieldSpec, Runnable, RunnablePassthrough
from langchain_core.runnables.history import RunnableWithMessageHistory

from hermes_core import Hermes, InvalidInput
from hermes_langchain import HermesChatMessageHistory, create_context_runnable
from tests.langchain.models import RecordingModel, alternate, calling
from tests.langchain.stores import FACT, KNOWN, USER, said

# Both names are announced to go in LangChain 2.0; they are what existing applications have.
pytestmark = pytest.mark.filterwarnings("ignore::langchain_core._api.deprecation.LangChainDeprecationWarning")

IDS = [ConfigurableFieldSpec(id=name, annotation=str) for name in ("user_id", "session_id")]


def history(hermes: Hermes, session_id: str = "s1", **given: Any) -> HermesChatMessageHistory:
    return HermesChatMessageHistory(hermes, user_id=USER, session_id=session_id, **given)


def config(session_id: str = "s1", user_id: str = USER) -> Any:
    return {"configurable": {"user_id": user_id, "session_id": session_id}}


def with_history(hermes: Hermes, runnable: Runnable[Any, Any], **keys: str) -> RunnableWithMessageHistory:
    def get_session_history(user_id: str, session_id: str) -> HermesChatMessageHistory:
        return HermesChatMessageHistory(hermes, user_id=user_id, session_id=session_id)

    return RunnableWithMessageHistory(runnable, get_session_history, history_factory_config=IDS, **keys)


PROMPT = ChatPromptTemplate.from_messages(
    [("system", "Be kind.\n{memory}"), MessagesPlaceholder("history"), ("human", "{input}")]
)


def remembering(hermes: Hermes, model: RecordingModel) -> RunnableWithMessageHistory:
    """The documented way: history by RunnableWithMessageHistory, memory by a step of the chain."""
    chain = RunnablePassthrough.assign(memory=create_context_runnable(hermes)) | PROMPT | model
    return with_history(hermes, chain, input_messages_key="input", history_messages_key="history")


def test_invoke_twice_and_another_session(hermes: Hermes) -> None:
    model = RecordingModel(replies=["one", "two", "three"])
    chain = remembering(hermes, model)
    chain.invoke({"input": FACT}, config("monday"))
    chain.invoke({"input": "And tea?"}, config("monday"))
    assert model.roles == ["system", "human", "ai", "human"]
    hermes.flush()
    chain.invoke({"input": "What could I snack on?"}, config("tuesday"))
    assert KNOWN in model.prompts[-1][0].text
    assert model.roles == ["system", "human"]
    assert [m.text for m in history(hermes, "monday").messages] == [FACT, "one", "And tea?", "two"]


async def test_every_way_of_calling_saves_the_exchange_once(knowing: Hermes) -> None:
    chain = remembering(knowing, RecordingModel())
    chain.invoke({"input": "a"}, config())
    await chain.ainvoke({"input": "b"}, config())
    list(chain.stream({"input": "c"}, config()))
    assert [part async for part in chain.astream({"input": "d"}, config())]
    chain.batch([{"input": "e"}, {"input": "f"}], [config("other"), config("third")])
    await chain.abatch([{"input": "g"}], [config("fourth")])
    assert [m.text for m in history(knowing).messages] == ["a", "fine", "b", "fine", "c", "fine", "d", "fine"]
    assert [m.text for s in ("other", "third", "fourth") for m in history(knowing, s).messages[:1]] == ["e", "f", "g"]


async def test_memory_reaches_every_way_of_calling(knowing: Hermes) -> None:
    model = RecordingModel()
    chain = remembering(knowing, model)
    chain.invoke({"input": "a"}, config())
    await chain.ainvoke({"input": "b"}, config())
    list(chain.stream({"input": "c"}, config()))
    [part async for part in chain.astream({"input": "d"}, config())]
    assert len(model.prompts) == 4
    for prompt in model.prompts:
        assert KNOWN in prompt[0].text
        assert alternate([message.type for message in prompt])


def test_a_prompt_that_is_a_list_of_messages(hermes: Hermes) -> None:
    model = RecordingModel(replies=["one", "two", "three"])
    chain = with_history(hermes, model)
    for text in ("a", "b", "c"):
        chain.invoke([HumanMessage(text)], config())
    assert [m.text for m in history(hermes).messages] == ["a", "one", "b", "two", "c", "three"]
    assert model.roles == ["human", "ai", "human", "ai", "human"]


def test_a_text_output(hermes: Hermes) -> None:
    chain = with_history(hermes, RecordingModel() | StrOutputParser())
    chain.invoke("hello", config())
    assert [(m.type, m.text) for m in history(hermes).messages] == [("human", "hello"), ("ai", "fine")]


def test_the_history_outlives_the_process(open_hermes: Callable[..., Hermes], tmp_path: Path) -> None:
    first = open_hermes(tmp_path, chroma=False)
    history(first).add_messages([HumanMessage("hello"), AIMessage("hi")])
    first.close()
    again = open_hermes(tmp_path, chroma=False)
    assert [(m.type, m.text) for m in history(again).messages] == [("human", "hello"), ("ai", "hi")]


def test_messages_are_stable_and_hold_no_memory(knowing: Hermes) -> None:
    own = history(knowing)
    own.add_messages([HumanMessage("hello"), AIMessage("hi")])
    assert own.messages == own.messages == history(knowing).messages
    knowing.flush()
    assert own.messages == history(knowing).messages
    assert KNOWN not in str(own.messages)


def test_the_same_message_again_is_the_same_turn(hermes: Hermes) -> None:
    own = history(hermes)
    asked, answered = HumanMessage("hello", id="m1"), AIMessage("hi", id="m2")
    own.add_messages([asked, answered])
    own.add_messages([asked, answered])
    own.add_messages(own.messages)  # what came out of the store
    own.add_messages([AIMessage("hi, edited", id="m2")])
    assert [m.text for m in own.messages] == ["hello", "hi", "hi, edited"]


def test_ids_of_one_session_say_nothing_in_another(hermes: Hermes) -> None:
    for session in ("s1", "s2"):
        history(hermes, session).add_messages([HumanMessage("hello", id="1")])
    assert [len(history(hermes, session).messages) for session in ("s1", "s2")] == [1, 1]


def test_tool_calls_keep_their_results(hermes: Hermes) -> None:
    own = history(hermes)
    talk = [HumanMessage("weather?"), calling("weather", city="Ulm"), ToolMessage("rain", tool_call_id="call-1")]
    own.add_messages([*talk, AIMessage("It rains.")])
    found = own.messages
    assert [m.type for m in found] == ["human", "ai", "tool", "ai"]
    assert found[1].tool_calls[0]["id"] == found[2].tool_call_id == "call-1"
    hermes.flush()
    assert hermes.memories(USER) == []


def test_other_roles(hermes: Hermes) -> None:
    own = history(hermes)
    own.add_messages([SystemMessage("Be kind."), ChatMessage(role="user", content="hello"), HumanMessage("")])
    own.add_messages(
        [HumanMessage([{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "x"}}])]
    )
    assert [(m.type, m.text) for m in own.messages] == [("system", "Be kind."), ("human", "hello"), ("human", "look")]


def test_other_programs_tool_turns_are_no_messages(hermes: Hermes) -> None:
    with hermes.session(USER, "s1") as session:
        for text in ("plain result", "[]", '{"a": 1}', '{"type": "tool", "data": {}}'):
            session.observe("tool", text)
    assert history(hermes).messages == []


def test_clear_starts_anew_and_keeps_what_was_learned(hermes: Hermes) -> None:
    own = history(hermes)
    own.add_messages([HumanMessage(FACT)])
    hermes.flush()
    own.clear()
    assert own.messages == []
    own.add_messages([HumanMessage("hello")])
    assert [m.text for m in own.messages] == ["hello"]
    assert hermes.memories(USER)


async def test_async_methods_do_not_block_and_agree(hermes: Hermes) -> None:
    own = history(hermes)
    await own.aadd_messages([HumanMessage("hello")])
    assert [m.text for m in await own.aget_messages()] == ["hello"]
    await own.aclear()
    assert await own.aget_messages() == []


def test_ids_are_required(hermes: Hermes) -> None:
    with pytest.raises(InvalidInput, match="user_id"):
        HermesChatMessageHistory(hermes, user_id="", session_id="s1")
    with pytest.raises(InvalidInput, match="session_id"):
        HermesChatMessageHistory(hermes, user_id=USER, session_id="  ")
    with pytest.raises(ValueError, match="user_id"):
        remembering(hermes, RecordingModel()).invoke({"input": "x"}, {"configurable": {"session_id": "s1"}})


def test_one_message_at_a_time(hermes: Hermes) -> None:
    own = history(hermes)
    own.add_user_message("hello")
    own.add_ai_message(AIMessageChunk(content="hi"))
    assert [type(m) for m in own.messages] == [HumanMessage, AIMessage]
    assert messages_from_dict(messages_to_dict(own.messages)) == own.messages


async def test_many_histories_at_once(hermes: Hermes) -> None:
    async def talk(number: int) -> list[BaseMessage]:
        own = history(hermes, f"s{number}")
        for turn in range(4):
            await own.aadd_messages([HumanMessage(f"{number}-{turn}")])
        return await own.aget_messages()

    for number, found in enumerate(await asyncio.gather(*(talk(number) for number in range(12)))):
        assert [m.text for m in found] == [f"{number}-{turn}" for turn in range(4)]


def test_what_is_said_in_a_history_is_learned_once(hermes: Hermes) -> None:
    chain = remembering(hermes, RecordingModel())
    chain.invoke({"input": FACT}, config())
    assert said(hermes, USER, "s1") == [FACT]
    hermes.flush()
    (item,) = hermes.memories(USER)
    assert item.confirmations == 1
