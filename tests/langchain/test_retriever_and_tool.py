"""HermesRetriever and the recall tool: k, ids, scores, per-call users, chains around them, and LangChain's own suites."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import ConfigurableField, RunnableLambda, RunnablePassthrough
from langchain_core.tools import BaseTool
from langchain_tests.integration_tests import RetrieversIntegrationTests, ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests
from pydantic import ValidationError

from hermes_core import Hermes, InvalidInput
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_langchain import HermesRetriever, create_recall_tool
from tests.langchain.models import RecordingModel
from tests.langchain.stores import FACT, KNOWN, USER, tell

FOODS = [
    "I'm allergic to peanuts.",
    "I'm allergic to shrimp.",
    "I'm allergic to sesame.",
    "I'm allergic to walnuts.",
    "I live in Berlin.",
]
QUERY = "allergic to peanuts, shrimp, sesame or walnuts"


@pytest.fixture
def rich(hermes: Hermes) -> Hermes:
    tell(hermes, USER, *FOODS)
    return hermes


def retriever(hermes: Hermes, **given: Any) -> HermesRetriever:
    return HermesRetriever(**{"hermes": hermes, "user_id": USER, **given})


def test_documents_have_ids_scores_and_what_they_are(rich: Hermes) -> None:
    found = retriever(rich, k=3).invoke(QUERY)
    assert len(found) == 3
    ids = {item.id for item in rich.memories(USER)}
    assert all(document.id in ids for document in found)
    scores = [document.metadata["score"] for document in found]
    assert scores == sorted(scores, reverse=True)
    assert found[0].metadata["slot"] == "allergy"
    assert retriever(rich, k=3).invoke(QUERY) == found


async def test_k_by_call_sync_and_async(rich: Hermes) -> None:
    own = retriever(rich)
    assert len(own.invoke(QUERY, None, k=1)) == 1
    assert len(await own.ainvoke(QUERY, None, k=2)) == 2
    assert [len(found) for found in own.batch([QUERY, QUERY])] == [5, 5]


def test_nothing_fits_or_nothing_is_asked(rich: Hermes) -> None:
    assert retriever(rich).invoke("") == []
    assert retriever(rich, user_id="someone else").invoke(QUERY) == []


def test_it_reads_the_newest_version_or_a_sessions_snapshot(hermes: Hermes) -> None:
    newest, fixed = retriever(hermes), retriever(hermes, session_id="s1")
    assert newest.invoke("peanuts allergy") == fixed.invoke("peanuts allergy") == []
    tell(hermes, USER, FACT)
    assert KNOWN in newest.invoke("peanuts allergy")[0].page_content
    assert fixed.invoke("peanuts allergy") == []


async def test_the_user_by_call(rich: Hermes) -> None:
    tell(rich, "bob", "I'm allergic to peanuts.")
    config: Any = {"configurable": {"user_id": USER}}
    field = ConfigurableField(id="user_id")
    configurable = HermesRetriever(hermes=rich, user_id="bob").configurable_fields(user_id=field)
    assert len(configurable.invoke(QUERY)) == 1
    assert len(configurable.invoke(QUERY, config)) == len(FOODS)
    assert len(await configurable.ainvoke(QUERY, config)) == len(FOODS)
    inside = RunnablePassthrough() | HermesRetriever(hermes=rich)
    assert len(inside.invoke(QUERY, config)) == len(FOODS)
    assert len(await inside.ainvoke(QUERY, config)) == len(FOODS)
    with pytest.raises(InvalidInput, match="user_id is missing"):
        HermesRetriever(hermes=rich).invoke(QUERY)


def test_in_a_retrieval_chain(rich: Hermes) -> None:
    model = RecordingModel()
    prompt = ChatPromptTemplate.from_template("{known}\n{input}")
    lines = RunnableLambda(lambda found: "\n".join(document.page_content for document in found))
    chain = {"known": retriever(rich) | lines, "input": RunnablePassthrough()} | prompt | model
    chain.invoke("allergic to peanuts?")
    assert KNOWN in model.last


def test_it_is_traced_as_a_retriever(rich: Hermes) -> None:
    class Trace(BaseCallbackHandler):
        def __init__(self) -> None:
            self.found: list[int] = []

        def on_retriever_end(self, documents: Any, **given: Any) -> None:
            self.found.append(len(documents))

    trace = Trace()
    retriever(rich).invoke(QUERY, {"callbacks": [trace]})
    assert trace.found == [len(FOODS)]


@pytest.mark.parametrize("wrong", [{"top_k": 3}, {"k": 0}, {"hermes": None}])
def test_wrong_arguments_are_refused(rich: Hermes, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        HermesRetriever(**{"hermes": rich, "user_id": USER, **wrong})


def test_copies_and_dumps(rich: Hermes) -> None:
    own = retriever(rich)
    assert copy.deepcopy(own).hermes is rich
    assert "hermes" not in own.model_dump()


def test_failing_memory_gives_no_documents(broken: Hermes) -> None:
    own = retriever(broken)
    assert own.invoke("peanuts") == []
    assert own.failures == 1
    with pytest.raises(OSError):
        retriever(broken, raise_on_error=True).invoke("peanuts")


# the tool


def test_the_tool_shows_the_model_one_argument(hermes: Hermes) -> None:
    schema = create_recall_tool(hermes).tool_call_schema.model_json_schema()
    assert list(schema["properties"]) == ["query"]


async def test_the_tool_answers_and_follows_anchors(rich: Hermes) -> None:
    own = create_recall_tool(rich, user_id=USER, session_id="s1")
    found = own.invoke({"query": "peanuts allergy"})
    assert KNOWN in found
    assert found.startswith("<hermes_memory>")
    assert await own.ainvoke({"query": "peanuts allergy"}) == found
    anchor = found[found.index("[m:") + 1 : found.index("]")]
    for asked in (anchor, f"[{anchor}]"):
        assert f'"{FACT[:-1]}"' in own.invoke({"query": asked})


def test_the_tool_says_so_when_nothing_is_known(hermes: Hermes) -> None:
    own = create_recall_tool(hermes, user_id=USER, session_id="s1")
    assert own.invoke({"query": "a dog"}) == "Nothing is remembered about this."
    assert own.invoke({"query": "有没有养狗"}) == "没有记住与此相关的内容。"
    assert own.invoke({"query": "m:abcdef"}) == "Nothing is remembered about this."


def test_the_tool_does_not_show_what_the_reader_may_not_see(hermes: Hermes) -> None:
    tell(hermes, USER, "I was diagnosed with depression.")
    items = hermes.memories(USER)
    hidden = [item for item in items if item.sensitivity == "sensitive"]
    assert hidden
    own = create_recall_tool(hermes, user_id=USER, session_id="s1")
    for asked in ("depression diagnosis", f"m:{hidden[0].id[:6]}"):
        assert "depression" not in own.invoke({"query": asked})
    allowed = create_recall_tool(hermes, user_id=USER, session_id="s1", consent=True)
    assert "depression" in allowed.invoke({"query": f"m:{hidden[0].id[:6]}"})


# LangChain's suites


def suite_store() -> Hermes:
    hermes = Hermes.open(ledger=InMemoryLedger(), chroma=False, worker=False)
    tell(hermes, USER, *FOODS)
    return hermes


@pytest.fixture(scope="class")
def suite(request: pytest.FixtureRequest) -> Iterator[None]:
    request.cls.store = suite_store()
    yield
    request.cls.store.close()


@pytest.mark.usefixtures("suite")
class TestRetrieverSuite(RetrieversIntegrationTests):
    store: Hermes

    @property
    def retriever_constructor(self) -> type[HermesRetriever]:
        return HermesRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"hermes": self.store, "user_id": USER}

    @property
    def retriever_query_example(self) -> str:
        return QUERY


class _RecallTool:
    store: Hermes

    @property
    def tool_constructor(self) -> BaseTool:
        return create_recall_tool(self.store, user_id=USER, session_id="s1")

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return {"query": QUERY}


@pytest.mark.usefixtures("suite")
class TestToolUnitSuite(_RecallTool, ToolsUnitTests):
    pass


@pytest.mark.usefixtures("suite")
class TestToolSuite(_RecallTool, ToolsIntegrationTests):
    pass
