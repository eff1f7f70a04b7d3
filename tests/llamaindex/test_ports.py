"""LlamaIndex's models and embeddings behind the core's ports: extractor, summariser, embedder."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import LLM

from hermes_core import ExtractionFailed, Hermes, Turn
from hermes_core.embedding.adapters import CallableEmbedder
from hermes_core.testing import FakeClock, HashEmbedder
from hermes_core.testing.embedder_contract import EmbedderContract
from hermes_llamaindex import LlamaIndexEmbedder, LlamaIndexExtractor, LlamaIndexSummarizer
from tests.langchain.stores import FACT, USER, tell
from tests.llamaindex.models import AgentLLM, RecordingLLM, calling

CLAIM = {"turn": 1, "quote": FACT, "kind": "constraint", "slot": "allergy", "value": "peanuts", "text": FACT}
CLAIMS = {"claims": [CLAIM]}


class RefusingLLM(AgentLLM):
    """A server that answers a request with tools by an error."""

    def chat_with_tools(self, *args: Any, **given: Any) -> Any:
        raise ValueError("400: tools are not supported")


def learned(open_hermes: Callable[..., Hermes], llm: LLM, **given: Any) -> tuple[Hermes, str]:
    hermes = open_hermes(extractor=LlamaIndexExtractor(llm, name="model", **given))
    tell(hermes, USER, FACT)
    (turn,) = hermes.session(USER, "earlier").turns()
    record = hermes._engine.ledger.turn_record(USER, turn.id)
    assert record is not None
    return hermes, record["by"]


def calling_twice() -> ChatMessage:
    calls = [{"claims": []}, CLAIMS]
    return ChatMessage(
        role="assistant",
        blocks=[ToolCallBlock(tool_call_id=str(n), tool_name="claims", tool_kwargs=c) for n, c in enumerate(calls)],
    )


@pytest.mark.parametrize(
    "llm",
    [
        RecordingLLM(replies=[json.dumps(CLAIMS)]),
        RecordingLLM(replies=["Sure! ```json\n" + json.dumps(CLAIMS) + "\n```"]),
        RefusingLLM(json.dumps(CLAIMS)),
        AgentLLM(calling("claims", **CLAIMS)),
        AgentLLM(calling_twice()),
        AgentLLM(json.dumps(CLAIMS)),
    ],
    ids=["text", "prose", "refuses tools", "structured", "two calls", "schema asked, text given"],
)
def test_a_model_extracts(open_hermes: Callable[..., Hermes], llm: Any) -> None:
    hermes, by = learned(open_hermes, llm)
    (item,) = hermes.memories(USER)
    assert (by, item.slot, item.value) == ("model", "allergy", "peanuts")
    assert llm.prompts[0][0].role == "system"
    assert FACT in llm.prompts[0][1].content


def test_the_model_is_told_the_schema() -> None:
    seen: list[dict[str, Any]] = []

    class Watching(AgentLLM):
        def chat_with_tools(self, tools: Any, **given: Any) -> Any:
            seen.extend(tool.metadata.to_openai_tool()["function"] for tool in tools)
            return super().chat_with_tools(tools, **given)

    turn = Turn(id="t1", user_id=USER, session_id="s1", role="user", text=FACT, said_at=FakeClock().now())
    LlamaIndexExtractor(Watching(calling("claims", **CLAIMS))).extract([turn], [])
    assert seen[0]["name"] == "claims"
    assert "claims" in seen[0]["parameters"]["properties"]


def test_structured_can_be_left_alone(open_hermes: Callable[..., Hermes]) -> None:
    _, by = learned(open_hermes, RefusingLLM(json.dumps(CLAIMS)), structured=False)
    assert by == "model"


def test_a_model_that_refuses_tools_is_asked_plainly_from_then_on(open_hermes: Callable[..., Hermes]) -> None:
    llm = RefusingLLM(json.dumps(CLAIMS))
    own = LlamaIndexExtractor(llm)
    assert own.name == "RefusingLLM"
    hermes = open_hermes(extractor=own)
    tell(hermes, USER, FACT)
    tell(hermes, USER, "I live in Berlin.", session_id="next")
    assert len(llm.prompts) == 2
    assert own._can is False


def test_an_unusable_model_leaves_it_to_the_local_extractor(open_hermes: Callable[..., Hermes]) -> None:
    hermes, by = learned(open_hermes, RecordingLLM(replies=["I can't."]))
    assert by != "model"
    assert [item.slot for item in hermes.memories(USER)] == ["allergy"]


def test_a_model_out_of_reach_fails_by_name() -> None:
    own = LlamaIndexExtractor(RecordingLLM(replies=[ConnectionError("no route")]))
    turn = Turn(id="t1", user_id=USER, session_id="s1", role="user", text=FACT, said_at=FakeClock().now())
    with pytest.raises(ExtractionFailed, match="RecordingLLM could not be asked: ConnectionError"):
        own.extract([turn], [])


def test_what_a_model_invents_is_not_stored(open_hermes: Callable[..., Hermes]) -> None:
    made_up = {"claims": [{**CLAIM, "quote": "I am a student", "value": "student", "slot": "occupation"}]}
    hermes, _ = learned(open_hermes, AgentLLM(calling("claims", **made_up)))
    assert hermes.memories(USER) == []


def test_a_model_summarises(open_hermes: Callable[..., Hermes]) -> None:
    fact = "The user met Mira in Berlin about project Falcon."
    reply = {"facts": [fact], "open_tasks": [], "entities": ["Mira", "Berlin", "Falcon"], "text": fact}
    own = LlamaIndexSummarizer(RecordingLLM(replies=[json.dumps(reply)]), name="teller")
    hermes = open_hermes(summarizer=own)
    with hermes.session(USER, "s1") as session:
        for day in range(1, 13):
            session.observe("user", f"On day {day} I met Mira in Berlin about project Falcon.")
    turns = hermes.session(USER, "s1").turns()
    summary = own.summarize(turns, None, 120)
    assert (summary.by, summary.facts) == ("teller", (fact,))
    with pytest.raises(ExtractionFailed):
        LlamaIndexSummarizer(RecordingLLM(replies=["no"])).summarize(turns, None, 120)


class HashEmbedding(BaseEmbedding):
    """The framework's embedding base over hashed words."""

    dim: int = 32

    def _get_text_embedding(self, text: str) -> list[float]:
        return [float(number) for number in HashEmbedder(self.dim).embed([text])[0]]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class TestEmbedderContract(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> CallableEmbedder:
        return LlamaIndexEmbedder(HashEmbedding())


def test_embeddings_remember_and_name_their_space(open_hermes: Callable[..., Hermes]) -> None:
    own = LlamaIndexEmbedder(HashEmbedding())
    assert (own.name, own.dimension) == ("HashEmbedding", 32)
    assert LlamaIndexEmbedder(HashEmbedding(model_name="small-3")).name == "HashEmbedding:small-3"
    assert LlamaIndexEmbedder(HashEmbedding(), name="mine", dimension=32).name == "mine"
    hermes = open_hermes(embedder=own)
    tell(hermes, USER, FACT)
    assert hermes.session(USER, "s1").recall(FACT)[0].item.slot == "allergy"
