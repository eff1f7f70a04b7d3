"""One store, both frameworks: what a LangChain program learned a LlamaIndex program knows, and the other way round."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_classic.chains import ConversationChain
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.chat_engine import ContextChatEngine, SimpleChatEngine

from hermes_core import Hermes
from hermes_langchain import HermesChatMessageHistory, HermesMiddleware
from hermes_langchain import HermesMemory as ChainMemory
from hermes_langchain import HermesRetriever as ChainRetriever
from hermes_llamaindex import HermesMemory as EngineMemory
from hermes_llamaindex import HermesRetriever as EngineRetriever
from tests.langchain.models import RecordingModel
from tests.langchain.stores import FACT, KNOWN, USER, said
from tests.llamaindex.models import AgentLLM, RecordingLLM, calling, roles, words

pytestmark = [
    # The classic chains are what existing applications have; LangChain announces that they will go in 2.0.
    pytest.mark.filterwarnings("ignore::langchain_core._api.deprecation.LangChainDeprecationWarning"),
    # LlamaIndex looks through an agent's attributes, deprecated ones of pydantic's as well.
    pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecationWarning"),
]

ZH = "我对花生过敏。"


def engine(hermes: Hermes, llm: RecordingLLM, session_id: str) -> SimpleChatEngine:
    memory = EngineMemory.from_core(hermes, user_id=USER, session_id=session_id)
    return SimpleChatEngine.from_defaults(llm=llm, memory=memory)


def chain(hermes: Hermes, model: RecordingModel, session_id: str) -> ConversationChain:
    return ConversationChain(llm=model, memory=ChainMemory(hermes=hermes, user_id=USER, session_id=session_id))


@pytest.mark.parametrize(("fact", "known"), [(FACT, KNOWN), (ZH, "花生过敏")])
def test_what_a_chain_learned_an_engine_knows(hermes: Hermes, fact: str, known: str) -> None:
    chain(hermes, RecordingModel(), "monday").invoke({"input": fact})
    hermes.flush(USER)
    llm = RecordingLLM()
    engine(hermes, llm, "tuesday").chat("What am I allergic to? 我对什么过敏？")
    assert known in llm.last
    memory = EngineMemory.from_core(hermes, user_id=USER, session_id="wednesday", inject=False)
    retriever = EngineRetriever(hermes, user_id=USER)
    ContextChatEngine.from_defaults(retriever=retriever, memory=memory, llm=llm).chat(
        "What am I allergic to? 我对什么过敏？"
    )
    assert known in llm.last


@pytest.mark.parametrize(("fact", "known"), [(FACT, KNOWN), (ZH, "花生过敏")])
def test_what_an_engine_learned_a_chain_knows(hermes: Hermes, fact: str, known: str) -> None:
    engine(hermes, RecordingLLM(), "monday").chat(fact)
    hermes.flush(USER)
    model = RecordingModel()
    chain(hermes, model, "tuesday").invoke({"input": "What am I allergic to? 我对什么过敏？"})
    assert known in model.last
    found = ChainRetriever(hermes=hermes, user_id=USER).invoke("What am I allergic to? 我对什么过敏？")
    assert known in found[0].page_content


async def test_two_agents_share_what_they_learn(hermes: Hermes) -> None:
    theirs = RecordingModel()
    graph = create_agent(theirs, [], middleware=[HermesMiddleware(hermes, user_id=USER, session_id="lang")])
    await graph.ainvoke({"messages": FACT})
    await hermes.aflush()
    ours = AgentLLM("ok")
    memory = EngineMemory.from_core(hermes, user_id=USER, session_id="llama")
    await FunctionAgent(tools=[], llm=ours).run(user_msg="I live in Oslo.", memory=memory)
    assert KNOWN in ours.last
    await hermes.aflush()
    again = create_agent(theirs, [], middleware=[HermesMiddleware(hermes, user_id=USER, session_id="lang-2")])
    await again.ainvoke({"messages": "Where do I live?"})
    assert "Oslo" in theirs.last
    assert KNOWN in theirs.last


async def test_one_conversation_goes_on_in_the_other_framework(hermes: Hermes) -> None:
    def clock() -> str:
        """The time."""
        return "noon"

    llm = AgentLLM(calling("clock"), "it is noon")
    memory = EngineMemory.from_core(hermes, user_id=USER, session_id="shared")
    await FunctionAgent(tools=[clock], llm=llm).run(user_msg="what time is it?", memory=memory)
    history = HermesChatMessageHistory(hermes, user_id=USER, session_id="shared")
    history.add_user_message("thanks")
    history.add_ai_message("you are welcome")
    spoken = ["what time is it?", "it is noon", "thanks", "you are welcome"]
    assert [message.content for message in history.messages] == spoken  # another program's tool calls are no messages
    assert [m.content for m in memory.get_all() if m.role != "tool" and m.content] == spoken
    assert roles(memory.get_all()) == ["user", "assistant", "tool", "assistant", "user", "assistant"]
    history.clear()
    fresh = EngineMemory.from_core(hermes, user_id=USER, session_id="shared")
    assert fresh.get_all() == []


def test_one_user_is_not_another_over_frameworks(hermes: Hermes) -> None:
    chain(hermes, RecordingModel(), "monday").invoke({"input": FACT})
    hermes.flush()
    llm = RecordingLLM()
    stranger = EngineMemory.from_core(hermes, user_id="bob", session_id="monday")
    SimpleChatEngine.from_defaults(llm=llm, memory=stranger).chat("What am I allergic to?")
    assert "peanut" not in words(llm.prompts[-1])
    assert said(hermes, "bob", "monday") == ["What am I allergic to?"]


LEARN = """
import sys
from langchain_core.messages import HumanMessage
from hermes_core import Hermes
from hermes_langchain import HermesChatMessageHistory
with Hermes.open(sys.argv[1], chroma=False, worker=False) as hermes:
    HermesChatMessageHistory(hermes, user_id="ada", session_id="monday").add_messages([HumanMessage(sys.argv[2])])
    hermes.flush()
assert not [name for name in sys.modules if name.split(".")[0] == "llama_index"]
"""


def test_over_processes_and_restarts(open_hermes: Callable[..., Hermes], tmp_path: Path, clock: Any) -> None:
    folder = tmp_path / "store"
    subprocess.run([sys.executable, "-c", LEARN, str(folder), FACT], check=True)
    clock.set("2027-01-01T00:00:00+00:00")
    hermes = open_hermes(folder, chroma=False)
    llm = RecordingLLM()
    engine(hermes, llm, "tuesday").chat("What am I allergic to?")
    assert KNOWN in llm.last
