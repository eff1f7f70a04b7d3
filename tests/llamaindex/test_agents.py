"""HermesMemory and the recall tool in FunctionAgent, ReActAgent and AgentWorkflow, with the framework's own mock model."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent, ReActAgent
from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import Context, JsonPickleSerializer, JsonSerializer

from hermes_core import Hermes
from hermes_llamaindex import HermesMemory, create_recall_tool
from tests.langchain.stores import FACT, KNOWN, USER, remembered, said, tell
from tests.llamaindex.models import AgentLLM, RecordingLLM, alternate, calling, roles, words

# The framework looks through an agent's attributes, deprecated ones of pydantic's as well.
pytestmark = pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecationWarning")


def memory(hermes: Hermes, session_id: str = "s1", user_id: str = USER, **given: Any) -> HermesMemory:
    return HermesMemory.from_core(hermes, user_id=user_id, session_id=session_id, **given)


def clock() -> str:
    """The time."""
    return "noon, and I live in Rome"


def agent(llm: AgentLLM, *tools: Any, **given: Any) -> FunctionAgent:
    given.setdefault("system_prompt", "You help.")
    return FunctionAgent(tools=list(tools) or [clock], llm=llm, **given)


@pytest.mark.parametrize("streaming", [True, False])
async def test_an_agent_remembers_over_sessions(hermes: Hermes, streaming: bool) -> None:
    llm = AgentLLM("noted", "rice crackers")
    await agent(llm, streaming=streaming).run(user_msg=FACT, memory=memory(hermes, "monday"))
    await hermes.aflush()
    answer = await agent(llm, streaming=streaming).run(user_msg="a snack?", memory=memory(hermes, "tuesday"))
    assert str(answer) == "rice crackers"
    assert KNOWN in llm.last
    assert roles(llm.prompts[-1]) == ["system", "user"]
    assert said(hermes, USER, "tuesday", "assistant") == ["rice crackers"]


async def test_pitfall_17_tools_and_scratchpad_are_kept_and_not_learned_from(knowing: Hermes) -> None:
    llm = AgentLLM(calling("clock"), "it is noon", "you are welcome")
    mine = memory(knowing)
    before = remembered(knowing)
    await agent(llm).run(user_msg="what time is it?", memory=mine)
    await agent(llm).run(user_msg="thanks", memory=mine)
    knowing.flush(USER)
    assert remembered(knowing) == before
    assert roles(mine.get_all()) == ["user", "assistant", "tool", "assistant", "user", "assistant"]
    assert all(alternate(roles(prompt)) for prompt in llm.prompts)
    again = memory(knowing).get_all()
    assert roles(again) == roles(mine.get_all())
    (called,) = again[1].blocks
    assert isinstance(called, ToolCallBlock)
    assert (called.tool_name, called.tool_call_id) == ("clock", "call-1")
    assert again[2].additional_kwargs["tool_call_id"] == "call-1"


async def test_recalled_once_a_turn(knowing: Hermes) -> None:
    llm = AgentLLM(calling("clock"), calling("clock"), "noon")
    mine = memory(knowing)
    await agent(llm).run(user_msg="what may I not eat?", memory=mine)
    assert len(llm.prompts) == 3
    assert len({prompt[1].content for prompt in llm.prompts}) == 1
    assert KNOWN in (llm.prompts[0][1].content or "")
    assert recalls(knowing) == 1
    await agent(llm).run(user_msg="and now?", memory=mine)
    assert recalls(knowing) == 2


def recalls(hermes: Hermes) -> int:
    return int(hermes._engine.meter.snapshot()["hermes.context.calls"])


async def test_nothing_shown_once_it_is_forgotten_even_within_a_turn(knowing: Hermes) -> None:
    def erase() -> str:
        """Forget everything."""
        knowing.forget(USER, query="peanuts allergy")
        return "done"

    llm = AgentLLM(calling("erase"), "gone")
    await agent(llm, erase).run(user_msg="forget that", memory=memory(knowing))
    assert KNOWN in words(llm.prompts[0])
    assert KNOWN not in llm.last


async def test_the_recall_tool_answers_from_memory(knowing: Hermes) -> None:
    tool = create_recall_tool(knowing, user_id=USER, session_id="s1")
    llm = AgentLLM(calling("recall_memory", query="peanut allergy"), "peanuts")
    mine = memory(knowing, inject=False)
    await agent(llm, tool).run(user_msg="what may I not eat?", memory=mine)
    answered = next(message for message in llm.prompts[-1] if message.role == "tool")
    assert KNOWN in (answered.content or "")
    assert (answered.content or "").startswith("<hermes_memory>")
    assert KNOWN in str(tool(query="peanut allergy"))
    assert KNOWN in str(await tool.acall("peanut allergy"))
    assert set(tool.metadata.get_parameters_dict()["properties"]) == {"query"}


async def test_agents_hand_over_within_one_memory(knowing: Hermes) -> None:
    llm = AgentLLM(calling("handoff", to_agent="second", reason="better"), "rice crackers")
    first = agent(llm, name="first", description="begins", can_handoff_to=["second"])
    second = agent(llm, name="second", description="ends")
    workflow = AgentWorkflow(agents=[first, second], root_agent="first")
    mine = memory(knowing)
    answer = await workflow.run(user_msg="a snack?", memory=mine)
    assert str(answer) == "rice crackers"
    assert [KNOWN in words(prompt) for prompt in llm.prompts] == [True, True]
    assert all(alternate(roles(prompt)) for prompt in llm.prompts), [roles(p) for p in llm.prompts]
    assert said(knowing, USER, "s1") == ["a snack?"]


@pytest.mark.filterwarnings("ignore:is_running called from within a step:DeprecationWarning")  # ReActAgent's own
async def test_a_react_agent_works(knowing: Hermes) -> None:
    llm = RecordingLLM(replies=["Thought: I can answer without using any more tools.\nAnswer: rice crackers"])
    answer = await ReActAgent(tools=[FunctionTool.from_defaults(clock)], llm=llm).run(
        user_msg="a snack?", memory=memory(knowing)
    )
    assert str(answer) == "rice crackers"
    assert KNOWN in llm.last
    assert roles(llm.prompts[-1]).count("system") == 1


async def test_pitfall_14_five_turns_are_five_turns(hermes: Hermes) -> None:
    llm = AgentLLM("ok")
    mine = memory(hermes)
    for number in range(5):
        await agent(llm).run(user_msg=f"This is message {number}.", memory=mine)
    assert said(hermes, USER, "s1") == [f"This is message {number}." for number in range(5)]


async def test_pitfall_14_a_history_given_to_an_agent_is_not_learned_from(hermes: Hermes) -> None:
    history = [ChatMessage(content="I live in Lima."), ChatMessage(role="assistant", content="Nice.")]
    await agent(AgentLLM("ok")).run(user_msg="hi", chat_history=history, memory=memory(hermes))
    hermes.flush(USER)
    assert hermes.memories(USER) == []
    assert roles(memory(hermes).get_all()) == ["user", "assistant", "user", "assistant"]


async def test_pitfall_18_a_bounded_history_orphans_no_tool_message(knowing: Hermes) -> None:
    for limit in range(40, 260, 20):
        mine = memory(knowing, f"s{limit}", token_limit=limit)
        for question in ("what time is it?", "and now?", "and now again, please?"):
            await agent(AgentLLM(*[calling("clock"), "noon " * 30])).run(user_msg=question, memory=mine)
        shown = mine.get()
        assert roles(shown)[0] == "user", roles(shown)
        assert all(at and shown[at - 1].blocks[0].block_type == "tool_call" for at in tool_places(shown))
        assert len(mine.get_all()) == 12


def tool_places(messages: list[ChatMessage]) -> list[int]:
    return [at for at, message in enumerate(messages) if message.role == "tool"]


async def test_pitfall_15_recalled_text_stays_out_of_what_an_agent_keeps(knowing: Hermes) -> None:
    llm = AgentLLM(calling("clock"), "noon")
    chat = agent(llm)
    ctx = Context(chat)
    result = await chat.run(user_msg="what may I not eat?", memory=memory(knowing), ctx=ctx)
    assert KNOWN in words(llm.prompts[0])
    assert KNOWN not in str(result)
    assert KNOWN not in "\n".join(turn.text for turn in knowing.session(USER, "s1").turns())
    assert KNOWN not in words(await kept(ctx))


async def kept(ctx: Context) -> list[ChatMessage]:
    return await (await ctx.store.get("memory")).aget_all()


LEFT_OUT = pytest.mark.filterwarnings("ignore:Skipping serialization of known unserializable key. memory")


@LEFT_OUT
@pytest.mark.parametrize("serializer", [JsonSerializer(), JsonPickleSerializer()])
async def test_pitfall_20_a_restored_context_takes_its_memory_again(knowing: Hermes, serializer: Any) -> None:
    llm = AgentLLM("first", "second")
    chat = agent(llm)
    ctx = Context(chat)
    await chat.run(user_msg="hello", memory=memory(knowing), ctx=ctx)
    saved = json.loads(json.dumps(ctx.to_dict(serializer=serializer)))
    assert KNOWN not in json.dumps(saved)
    restored = Context.from_dict(chat, saved, serializer=serializer)
    await chat.run(user_msg="what may I not eat?", memory=memory(knowing), ctx=restored)
    assert KNOWN in llm.last
    assert said(knowing, USER, "s1") == ["hello", "what may I not eat?"]


@LEFT_OUT
async def test_pitfall_20_two_users_on_one_context_are_kept_apart(knowing: Hermes) -> None:
    tell(knowing, "bob", "I'm allergic to kiwis.")
    llm = AgentLLM("ok")
    chat = agent(llm)
    ctx = Context(chat)
    await chat.run(user_msg="hello", memory=memory(knowing), ctx=ctx)
    await chat.run(user_msg="what may I not eat?", memory=memory(knowing, "s2", "bob"), ctx=ctx)
    assert "kiwis" in llm.last
    assert KNOWN not in llm.last
    assert "hello" not in llm.last
    assert said(knowing, USER, "s1") == ["hello"]
    assert said(knowing, "bob", "s2") == ["what may I not eat?"]


@LEFT_OUT
async def test_pitfall_20_a_run_without_memory_on_a_used_context_sees_nobodys(knowing: Hermes) -> None:
    llm = AgentLLM("ok")
    chat = agent(llm)
    ctx = Context(chat)
    await chat.run(user_msg="hello", memory=memory(knowing), ctx=ctx)
    await chat.run(user_msg="what may I not eat?", ctx=ctx)
    assert KNOWN not in llm.last
    assert said(knowing, USER, "s1") == ["hello"]


async def test_many_agents_at_once_keep_their_users_apart(open_hermes: Any) -> None:
    hermes = open_hermes()
    users = [f"user-{number}" for number in range(8)]
    for user in users:
        tell(hermes, user, f"My cat is called Canary{user[-1]}.")

    async def chat(user: str) -> list[str]:
        llm = AgentLLM(calling("clock"), "ok")
        await agent(llm).run(user_msg="What is my cat called?", memory=memory(hermes, "s1", user))
        return [words(prompt) for prompt in llm.prompts]

    for user, prompts in zip(users, await asyncio.gather(*map(chat, users)), strict=True):
        for prompt in prompts:
            assert f"Canary{user[-1]}" in prompt
            assert not any(f"Canary{other[-1]}" in prompt for other in users if other != user)
