"""HermesMiddleware and the recall tool in create_agent: sync, async, streamed, interrupted, with and without a context."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware, SummarizationMiddleware
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from typing_extensions import TypedDict

from hermes_core import Hermes, InvalidInput
from hermes_langchain import HermesMiddleware, create_recall_tool
from tests.langchain.models import RecordingModel, alternate, calling
from tests.langchain.stores import FACT, KNOWN, USER, remembered, said, tell


@dataclass
class Who:
    user_id: str


class WhoDict(TypedDict):
    user_id: str


@tool
def clock() -> str:
    """The time."""
    return "noon"


def thread(name: str = "t1", **more: str) -> Any:
    return {"configurable": {"thread_id": name, **more}}


def agent(hermes: Hermes, model: RecordingModel, tools: Any = (), *, middleware: Any = (), **given: Any) -> Any:
    given.setdefault("checkpointer", InMemorySaver())
    given.setdefault("context_schema", Who)
    own = given.pop("own", None) or HermesMiddleware(hermes)
    return create_agent(model, list(tools), middleware=[own, *middleware], **given)


def test_an_agent_remembers_over_threads(hermes: Hermes) -> None:
    model = RecordingModel(replies=["noted", "rice crackers"])
    chat = agent(hermes, model, system_prompt="You help.")
    chat.invoke({"messages": FACT}, thread("monday"), context=Who(USER))
    hermes.flush()
    result = chat.invoke({"messages": "a snack?"}, thread("tuesday"), context=Who(USER))
    assert result["messages"][-1].text == "rice crackers"
    assert KNOWN in model.prompts[-1][0].text
    assert model.prompts[-1][0].text.startswith("You help.\n\n<hermes_memory")
    assert said(hermes, USER, "tuesday", "assistant") == ["rice crackers"]


async def test_sync_async_and_streams_are_all_real(knowing: Hermes) -> None:
    model = RecordingModel()
    chat = agent(knowing, model)
    chat.invoke({"messages": "a"}, thread(), context=Who(USER))
    await chat.ainvoke({"messages": "b"}, thread(), context=Who(USER))
    list(chat.stream({"messages": "c"}, thread(), context=Who(USER), stream_mode="messages"))
    [part async for part in chat.astream({"messages": "d"}, thread(), context=Who(USER), stream_mode="updates")]
    assert [KNOWN in prompt[0].text for prompt in model.prompts] == [True] * 4
    assert said(knowing, USER, "t1") == ["a", "b", "c", "d"]
    assert said(knowing, USER, "t1", "assistant") == ["fine"] * 4


@pytest.mark.parametrize("system", [None, "You help.", SystemMessage([{"type": "text", "text": "You help."}])])
def test_there_is_one_system_message(knowing: Hermes, system: Any) -> None:
    model = RecordingModel()
    chat = agent(knowing, model, system_prompt=system)
    for _ in range(2):
        chat.invoke({"messages": "a snack?"}, thread(), context=Who(USER))
    assert model.roles == ["system", "human", "ai", "human"]
    first = model.prompts[-1][0]
    assert KNOWN in first.text
    assert isinstance(first.content, list if isinstance(system, SystemMessage) else str)


def test_a_new_user_changes_nothing(hermes: Hermes) -> None:
    model = RecordingModel()
    agent(hermes, model).invoke({"messages": "hello"}, thread(), context=Who("new"))
    assert model.roles == ["human"]


def test_recalled_once_a_turn(knowing: Hermes) -> None:
    model = RecordingModel(replies=[calling("clock"), calling("clock"), "noon"])
    chat = agent(knowing, model, [clock])
    chat.invoke({"messages": "what time is it?"}, thread(), context=Who(USER))
    assert len(model.prompts) == 3
    assert len({prompt[0].text for prompt in model.prompts}) == 1
    assert alternate(model.roles)
    chat.invoke({"messages": "and now?"}, thread(), context=Who(USER))
    assert recalls(knowing) == 2


def recalls(hermes: Hermes) -> int:
    return int(hermes._engine.meter.snapshot()["hermes.context.calls"])


def test_nothing_shown_once_it_is_forgotten_even_within_a_turn(knowing: Hermes) -> None:
    @tool
    def erase() -> str:
        """Forget everything."""
        knowing.forget(USER, query="peanuts allergy")
        return "done"

    model = RecordingModel(replies=[calling("erase"), "gone"])
    agent(knowing, model, [erase]).invoke({"messages": "forget that"}, thread(), context=Who(USER))
    assert KNOWN in model.prompts[0][0].text
    assert KNOWN not in model.last


WAYS = {
    "dataclass": ({"context_schema": Who}, {}, Who(USER)),
    "typed dict": ({"context_schema": WhoDict}, {}, {"user_id": USER}),
    "plain dict": ({"context_schema": None}, {}, {"user_id": USER}),
    "configurable": ({"context_schema": None}, {"user_id": USER}, None),
    "older configurable": ({"context_schema": None}, {"langgraph_user_id": USER}, None),
}


@pytest.mark.parametrize("way", WAYS)
async def test_who_it_is_reaches_middleware_and_tool(knowing: Hermes, way: str) -> None:
    given, configurable, context = WAYS[way]
    model = RecordingModel(
        replies=[calling("recall_memory", query="peanuts"), "a", calling("recall_memory", query="peanuts"), "b"]
    )
    chat = agent(knowing, model, [create_recall_tool(knowing)], **given)
    first = chat.invoke({"messages": "x"}, thread("t1", **configurable), context=context)
    second = await chat.ainvoke({"messages": "y"}, thread("t1", **configurable), context=context)
    assert all(KNOWN in prompt[0].text for prompt in model.prompts)
    for result in (first, second):
        assert KNOWN in [m for m in result["messages"] if m.type == "tool"][-1].text
    assert said(knowing, USER, "t1") == ["x", "y"]


def test_who_it_is_by_the_constructor(knowing: Hermes) -> None:
    model = RecordingModel()
    own = HermesMiddleware(knowing, user_id=USER, session_id="fixed")
    agent(knowing, model, own=own, context_schema=None, checkpointer=None).invoke({"messages": "hello"})
    assert KNOWN in model.last
    assert said(knowing, USER, "fixed") == ["hello"]


async def test_nobody_is_an_error_and_never_a_default(hermes: Hermes) -> None:
    chat = agent(hermes, RecordingModel(), context_schema=None)
    with pytest.raises(InvalidInput, match="user_id is missing"):
        chat.invoke({"messages": "hello"}, thread())
    with pytest.raises(InvalidInput, match="user_id is missing"):
        await chat.ainvoke({"messages": "hello"}, thread())
    with pytest.raises(InvalidInput, match="user_id is missing"):
        create_recall_tool(hermes).invoke({"query": "x"}, thread())
    nowhere = agent(hermes, RecordingModel(), checkpointer=None)
    with pytest.raises(InvalidInput, match="session_id is missing"):
        nowhere.invoke({"messages": "hello"}, context=Who(USER))
    assert hermes.users() == []


def test_interrupt_and_resume_store_one_turn(knowing: Hermes) -> None:
    model = RecordingModel(replies=[calling("clock"), "noon"])
    asking = HumanInTheLoopMiddleware(interrupt_on={"clock": True})
    chat = agent(knowing, model, [clock], middleware=[asking])
    stopped = chat.invoke({"messages": "what time is it?"}, thread(), context=Who(USER))
    assert stopped["__interrupt__"]
    chat.invoke(Command(resume={"decisions": [{"type": "approve"}]}), thread(), context=Who(USER))
    assert said(knowing, USER, "t1") == ["what time is it?"]
    assert said(knowing, USER, "t1", "assistant") == ["noon"]
    assert KNOWN in model.last


def test_the_same_messages_again_are_the_same_turns(knowing: Hermes) -> None:
    chat = agent(knowing, RecordingModel(), checkpointer=None)
    for _ in range(3):  # an application that keeps the thread itself and retries
        chat.invoke({"messages": [HumanMessage("hello", id="m1")]}, thread(), context=Who(USER))
    assert said(knowing, USER, "t1") == ["hello"]


def test_a_transcript_handed_in_is_not_said_again(knowing: Hermes) -> None:
    chat = agent(knowing, RecordingModel(), checkpointer=None)
    talk = [HumanMessage("earlier"), AIMessage("yes"), HumanMessage("now")]
    chat.invoke({"messages": talk}, thread(), context=Who(USER))
    assert said(knowing, USER, "t1") == ["now"]


def test_several_user_messages_are_one_turn(knowing: Hermes) -> None:
    chat = agent(knowing, RecordingModel())
    chat.invoke({"messages": [HumanMessage("one"), HumanMessage("two")]}, thread(), context=Who(USER))
    assert said(knowing, USER, "t1") == ["one", "two"]


def test_a_summary_by_other_middleware_is_not_the_users_word(hermes: Hermes) -> None:
    condensing = SummarizationMiddleware(
        RecordingModel(replies=["The user lives in Berlin."]), trigger=("messages", 3), keep=("messages", 1)
    )
    model = RecordingModel()
    chat = agent(hermes, model, middleware=[condensing])
    for text in ("hello", "how are you?", "and now?"):
        chat.invoke({"messages": text}, thread(), context=Who(USER))
    hermes.flush()
    assert "Berlin" in model.last
    assert said(hermes, USER, "t1") == ["hello", "how are you?", "and now?"]
    assert "Berlin" not in remembered(hermes)


def test_failing_memory_does_not_break_the_agent(broken: Hermes) -> None:
    own = HermesMiddleware(broken)
    result = agent(broken, RecordingModel(), own=own).invoke({"messages": "hello"}, thread(), context=Who(USER))
    assert result["messages"][-1].text == "fine"
    assert own.failures == 3
    with pytest.raises(OSError):
        agent(broken, RecordingModel(), own=HermesMiddleware(broken, raise_on_error=True)).invoke(
            {"messages": "hello"}, thread(), context=Who(USER)
        )


def test_a_failing_model_stores_nothing(hermes: Hermes) -> None:
    chat = agent(hermes, RecordingModel(replies=[ConnectionError("no route")]))
    with pytest.raises(ConnectionError):
        chat.invoke({"messages": "hello"}, thread(), context=Who(USER))
    assert said(hermes, USER, "t1") == []


async def test_twenty_users_on_one_agent(hermes: Hermes) -> None:
    users = [f"user-{number:02}" for number in range(20)]
    for user in users:
        tell(hermes, user, f"My dog is called Canary{user[-2:]}.")
    model = RecordingModel(replies=[lambda prompt: prompt[0].text])
    chat = agent(hermes, model)

    async def ask(user: str) -> None:
        result = await chat.ainvoke({"messages": "What is my dog called?"}, thread(user), context=Who(user))
        seen = result["messages"][-1].text
        assert f"Canary{user[-2:]}" in seen
        assert not any(f"Canary{other[-2:]}" in seen for other in users if other != user)

    await asyncio.gather(*(ask(user) for user in users for _ in range(2)))


def test_a_consent_and_a_budget_are_passed_on(knowing: Hermes) -> None:
    model = RecordingModel()
    agent(knowing, model, own=HermesMiddleware(knowing, budget=0)).invoke(
        {"messages": "a snack?"}, thread(), context=Who(USER)
    )
    assert KNOWN not in model.last
