"""LangChain's models and embeddings behind the core's ports: extractor, summariser, embedder."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda

from hermes_core import ExtractionFailed, Hermes, Turn
from hermes_core.embedding.adapters import CallableEmbedder
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.testing import FakeClock
from hermes_core.testing.embedder_contract import EmbedderContract
from hermes_langchain import LangChainEmbedder, LangChainExtractor, LangChainSummarizer
from tests.langchain.models import RecordingModel, calling
from tests.langchain.stores import FACT, USER, tell

CLAIM = {"turn": 1, "quote": FACT, "kind": "constraint", "slot": "allergy", "value": "peanuts", "text": FACT}
CLAIMS = {"claims": [CLAIM]}


class PlainModel(RecordingModel):
    """A model without tools or schemas."""

    def bind_tools(self, tools: Any, **given: Any) -> Any:
        raise NotImplementedError("no tools here")


class RefusingModel(RecordingModel):
    """A server that answers a request with tools by an error."""

    def bind_tools(self, tools: Any, **given: Any) -> Any:
        def refuse(messages: Any) -> AIMessage:
            raise ValueError("400: tools are not supported")

        return RunnableLambda(refuse)


def learned(open_hermes: Callable[..., Hermes], model: RecordingModel, **given: Any) -> tuple[Hermes, str]:
    hermes = open_hermes(extractor=LangChainExtractor(model, name="model", **given))
    tell(hermes, USER, FACT)
    (turn,) = hermes.session(USER, "earlier").turns()
    record = hermes._engine.ledger.turn_record(USER, turn.id)
    assert record is not None
    return hermes, record["by"]


@pytest.mark.parametrize(
    "model",
    [
        PlainModel(replies=[json.dumps(CLAIMS)]),
        PlainModel(replies=["Sure! ```json\n" + json.dumps(CLAIMS) + "\n```"]),
        RefusingModel(replies=[json.dumps(CLAIMS)]),
        RecordingModel(replies=[calling("claims", **CLAIMS)]),
        RecordingModel(replies=[json.dumps(CLAIMS)]),
    ],
    ids=["text", "prose", "refuses tools", "structured", "schema asked, text given"],
)
def test_a_model_extracts(open_hermes: Callable[..., Hermes], model: RecordingModel) -> None:
    hermes, by = learned(open_hermes, model)
    (item,) = hermes.memories(USER)
    assert (by, item.slot, item.value) == ("model", "allergy", "peanuts")
    assert model.prompts[0][0].type == "system"
    assert FACT in model.prompts[0][1].text


def test_structured_can_be_left_alone(open_hermes: Callable[..., Hermes]) -> None:
    _, by = learned(open_hermes, RefusingModel(replies=[json.dumps(CLAIMS)]), structured=False)
    assert by == "model"


def test_a_model_that_refuses_schemas_is_asked_plainly_from_then_on() -> None:
    model = RefusingModel(replies=[json.dumps(CLAIMS)])
    own = LangChainExtractor(model)
    assert own.name == "RefusingModel"
    hermes = Hermes.open(ledger=InMemoryLedger(), chroma=False, worker=False, extractor=own)
    tell(hermes, USER, FACT)
    tell(hermes, USER, "I live in Berlin.", session_id="next")
    hermes.close()
    assert len(model.prompts) == 2
    assert own._can is False


def test_an_unusable_model_leaves_it_to_the_local_extractor(open_hermes: Callable[..., Hermes]) -> None:
    hermes, by = learned(open_hermes, PlainModel(replies=["I can't."]))
    assert by != "model"
    assert [item.slot for item in hermes.memories(USER)] == ["allergy"]


def test_a_model_out_of_reach_fails_by_name_and_stays_askable_in_schema() -> None:
    own = LangChainExtractor(RecordingModel(replies=[ConnectionError("no route")]))
    turn = Turn(id="t1", user_id=USER, session_id="s1", role="user", text=FACT, said_at=FakeClock().now())
    with pytest.raises(ExtractionFailed, match="RecordingModel could not be asked: ConnectionError"):
        own.extract([turn], [])
    assert own._can is True


def test_what_a_model_invents_is_not_stored(open_hermes: Callable[..., Hermes]) -> None:
    made_up = {"claims": [{**CLAIM, "quote": "I am a student", "value": "student", "slot": "occupation"}]}
    hermes, _ = learned(open_hermes, RecordingModel(replies=[calling("claims", **made_up)]))
    assert hermes.memories(USER) == []


def test_extraction_is_not_seen_by_the_chats_callbacks_and_streams(open_hermes: Callable[..., Hermes]) -> None:
    class Trace(BaseCallbackHandler):
        started = 0

        def on_chat_model_start(self, *args: Any, **given: Any) -> None:
            self.started += 1

    model, trace = PlainModel(replies=[json.dumps(CLAIMS)]), Trace()
    hermes = open_hermes(extractor=LangChainExtractor(model))
    RunnableLambda(lambda _: tell(hermes, USER, FACT)).invoke(None, {"callbacks": [trace]})
    assert model.prompts
    assert trace.started == 0


def test_a_model_summarises(open_hermes: Callable[..., Hermes]) -> None:
    told = [f"On day {n} I met Mira in Berlin about project Falcon." for n in range(1, 13)]
    reply = {
        "facts": ["The user met Mira in Berlin about project Falcon."],
        "open_tasks": [],
        "entities": ["Mira", "Berlin", "Falcon"],
        "text": "The user met Mira in Berlin about project Falcon.",
    }
    model = PlainModel(replies=[json.dumps(reply)])
    own = LangChainSummarizer(model, name="teller")
    hermes = open_hermes(summarizer=own)
    with hermes.session(USER, "s1") as session:
        for text in told:
            session.observe("user", text)
    turns = hermes.session(USER, "s1").turns()
    summary = own.summarize(turns, None, 120)
    assert (summary.by, summary.facts) == ("teller", ("The user met Mira in Berlin about project Falcon.",))
    with pytest.raises(ExtractionFailed):
        LangChainSummarizer(PlainModel(replies=["no"])).summarize(turns, None, 120)


class TestEmbedderContract(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> CallableEmbedder:
        return LangChainEmbedder(DeterministicFakeEmbedding(size=32))


def test_embeddings_remember_and_name_their_space(open_hermes: Callable[..., Hermes]) -> None:
    own = LangChainEmbedder(DeterministicFakeEmbedding(size=32))
    assert (own.name, own.dimension) == ("DeterministicFakeEmbedding", 32)
    hermes = open_hermes(embedder=own)
    tell(hermes, USER, FACT)
    assert hermes.session(USER, "s1").recall(FACT)[0].item.slot == "allergy"


def test_a_models_name_is_part_of_the_spaces_name() -> None:
    class Named(DeterministicFakeEmbedding):
        model: str = "small-3"

    assert LangChainEmbedder(Named(size=8)).name == "Named:small-3"
    assert LangChainEmbedder(Named(size=8), name="mine", dimension=8).name == "mine"
