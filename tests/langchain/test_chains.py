"""HermesMemory inside LangChain's own chains: any keys, texts or messages, every way of calling."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from langchain_classic.agents import AgentExecutor, create_react_agent
from langchain_classic.chains import (
    ConversationalRetrievalChain,
    ConversationChain,
    LLMChain,
    SequentialChain,
)
from langchain_classic.memory import CombinedMemory, SimpleMemory
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder, PromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from pydantic import ValidationError

from hermes_core import Hermes
from hermes_langchain import HermesMemory
from tests.langchain.models import RecordingModel, alternate
from tests.langchain.stores import FACT, KNOWN, USER, remembered, said, tell

# The chains are what existing applications have; LangChain announces that they will go in 2.0.
pytestmark = pytest.mark.filterwarnings("ignore::langchain_core._api.deprecation.LangChainDeprecationWarning")


def memory(hermes: Hermes, **given: Any) -> HermesMemory:
    return HermesMemory(**{"hermes": hermes, "user_id": USER, "session_id": "s1", **given})


class Library(BaseRetriever):
    """Always the same page."""

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return [Document(page_content="Pad thai holds peanuts.")]


def test_a_conversation_chain_remembers_over_sessions(hermes: Hermes) -> None:
    first = ConversationChain(llm=RecordingModel(), memory=memory(hermes, session_id="monday"))
    first.invoke({"input": FACT})
    hermes.flush()
    model = RecordingModel(replies=["Try rice crackers."])
    second = ConversationChain(llm=model, memory=memory(hermes, session_id="tuesday"))
    answer = second.invoke({"input": "What could I snack on?"})
    assert answer["response"] == "Try rice crackers."
    assert KNOWN in model.last
    assert "Human: What could I snack on?" in model.last
    assert said(hermes, USER, "tuesday", "assistant") == ["Try rice crackers."]


def test_the_conversation_so_far_follows_the_memory(knowing: Hermes) -> None:
    model = RecordingModel(replies=["one", "two"])
    chain = ConversationChain(llm=model, memory=memory(knowing))
    chain.invoke({"input": "first question"})
    chain.invoke({"input": "second question"})
    before, after = model.last.index(KNOWN), model.last.index("Human: first question\nAI: one")
    assert before < after < model.last.index("Human: second question")


async def test_async_and_batch_and_stream(knowing: Hermes) -> None:
    model = RecordingModel()
    chain = ConversationChain(llm=model, memory=memory(knowing))
    await chain.ainvoke({"input": "by ainvoke"})
    chain.batch([{"input": "by batch 1"}, {"input": "by batch 2"}])
    assert [part["response"] for part in chain.stream({"input": "by stream"})] == ["fine"]
    assert all(KNOWN in "".join(m.text for m in prompt) for prompt in model.prompts)
    assert sorted(said(knowing, USER, "s1")) == ["by ainvoke", "by batch 1", "by batch 2", "by stream"]


def test_an_llm_chain_with_several_inputs(knowing: Hermes) -> None:
    model = RecordingModel()
    prompt = PromptTemplate.from_template("{history}\nPlan: {plan}\nQ: {question}")
    chain = LLMChain(llm=model, prompt=prompt, memory=memory(knowing, input_key="question"))
    chain.invoke({"question": "Is satay fine?", "plan": "cook something Thai"})
    assert KNOWN in model.last
    assert said(knowing, USER, "s1") == ["Is satay fine?"]


@pytest.mark.parametrize("sources", [False, True])
def test_a_conversational_retrieval_chain(knowing: Hermes, sources: bool) -> None:
    model = RecordingModel(replies=["Better not.", "standalone question", "Still not."])
    history = memory(knowing, memory_key="chat_history", return_messages=True)
    chain = ConversationalRetrievalChain.from_llm(
        model, retriever=Library(), memory=history, return_source_documents=sources
    )
    chain.invoke({"question": "May I eat pad thai?"})
    assert KNOWN in model.prompts[0][0].text  # the condensing prompt sees the memory
    answer = chain.invoke({"question": "And now?"})
    assert ("source_documents" in answer) is sources
    assert said(knowing, USER, "s1") == ["May I eat pad thai?", "And now?"]
    assert len(said(knowing, USER, "s1", "assistant")) == 2
    assert not any("Pad thai holds" in text for text in said(knowing, USER, "s1", "assistant"))


def test_a_retrieval_chain_needs_messages_and_says_so_itself(knowing: Hermes) -> None:
    chain = ConversationalRetrievalChain.from_llm(
        RecordingModel(), retriever=Library(), memory=memory(knowing, memory_key="chat_history")
    )
    with pytest.raises(ValueError, match="Unsupported chat history format"):
        chain.invoke({"question": "x"})


REACT = """{tools} {tool_names}
{history}
Question: {input}
{agent_scratchpad}"""


def test_an_agent_executor_invoked_and_streamed(knowing: Hermes) -> None:
    model = RecordingModel(replies=["Thought: easy\nFinal Answer: rice"])
    agent = create_react_agent(model, [], PromptTemplate.from_template(REACT))
    executor = AgentExecutor(agent=agent, tools=[], memory=memory(knowing))
    assert executor.invoke({"input": "a snack?"})["output"] == "rice"
    list(executor.stream({"input": "another?"}))  # its outputs hold "messages" beside "output"
    assert KNOWN in model.last
    assert said(knowing, USER, "s1") == ["a snack?", "another?"]
    assert said(knowing, USER, "s1", "assistant") == ["rice", "rice"]


def test_a_sequential_chain(knowing: Hermes) -> None:
    model = RecordingModel(replies=["peanut soup", "It is spicy."])
    dish = LLMChain(llm=model, prompt=PromptTemplate.from_template("{history} Dish for {question}"), output_key="dish")
    review = LLMChain(llm=model, prompt=PromptTemplate.from_template("Review {dish}"), output_key="review")
    chain = SequentialChain(
        chains=[dish, review],
        input_variables=["question"],
        output_variables=["dish", "review"],
        memory=memory(knowing, output_key="review"),
    )
    chain.invoke({"question": "an evening"})
    assert KNOWN in model.prompts[0][0].text
    assert said(knowing, USER, "s1", "assistant") == ["It is spicy."]


def test_beside_another_memory(knowing: Hermes) -> None:
    both = CombinedMemory(memories=[memory(knowing), SimpleMemory(memories={"house": "Answer in rhyme."})])
    model = RecordingModel()
    prompt = PromptTemplate.from_template("{house}\n{history}\n{input}")
    LLMChain(llm=model, prompt=prompt, memory=both).invoke({"input": "a snack?"})
    assert KNOWN in model.last
    assert "Answer in rhyme." in model.last
    assert said(knowing, USER, "s1") == ["a snack?"]


def test_lcel_by_hand_sync_and_async(knowing: Hermes) -> None:
    model, own = RecordingModel(), memory(knowing, return_messages=True)
    prompt = ChatPromptTemplate.from_messages([("system", "S"), MessagesPlaceholder("history"), ("human", "{input}")])
    load = RunnableLambda(own.load_memory_variables, own.aload_memory_variables)
    chain = RunnablePassthrough.assign(history=load | (lambda found: found["history"])) | prompt | model
    chain.invoke({"input": "a snack?"})
    assert KNOWN in model.last
    assert alternate(model.roles)


def test_clear_starts_anew_and_keeps_what_was_learned(hermes: Hermes) -> None:
    own = memory(hermes)
    own.save_context({"input": FACT}, {"output": "noted"})
    hermes.flush()
    own.clear()
    found = own.load_memory_variables({"input": "peanuts?"})["history"]
    assert "Human:" not in found
    assert KNOWN in found


def test_an_empty_memory_is_an_empty_variable(hermes: Hermes) -> None:
    assert memory(hermes).load_memory_variables({}) == {"history": ""}
    assert memory(hermes, return_messages=True).load_memory_variables({"input": "x"}) == {"history": []}


def test_loading_without_inputs_gives_the_profile(knowing: Hermes) -> None:
    assert KNOWN in memory(knowing).load_memory_variables({})["history"]


def test_messages_carry_memory_as_an_exchange_and_alternate(knowing: Hermes) -> None:
    own = memory(knowing, return_messages=True)
    own.save_context({"input": "hello"}, {"output": "hi"})
    with knowing.session(USER, "s1") as session:
        session.observe("user", "nobody answered this")
    found = own.load_memory_variables({"input": "x"})["history"]
    assert [type(message) for message in found] == [HumanMessage, AIMessage, HumanMessage, AIMessage]


def test_unclear_keys_store_nothing_and_say_so(knowing: Hermes, caplog: pytest.LogCaptureFixture) -> None:
    own = memory(knowing)
    own.save_context({"alpha": "one", "beta": "two"}, {"output": "three"})
    assert said(knowing, USER, "s1") == []
    assert "pass input_key=" in caplog.text


def test_messages_as_values(hermes: Hermes) -> None:
    memory(hermes).save_context({"input": HumanMessage(FACT)}, {"output": AIMessage("noted")})
    assert said(hermes, USER, "s1") == [FACT]
    assert said(hermes, USER, "s1", "assistant") == ["noted"]


@pytest.mark.parametrize("wrong", [{"memory_keys": "history"}, {"user_id": " "}, {"session_id": ""}, {"hermes": "no"}])
def test_wrong_arguments_are_refused(hermes: Hermes, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        HermesMemory(**{"hermes": hermes, "user_id": USER, "session_id": "s1", **wrong})


@pytest.mark.parametrize("missing", ["user_id", "session_id", "hermes"])
def test_nothing_has_a_default_owner(hermes: Hermes, missing: str) -> None:
    given = {"hermes": hermes, "user_id": USER, "session_id": "s1"}
    del given[missing]
    with pytest.raises(ValidationError, match=missing):
        HermesMemory(**given)


def test_copies_share_the_store_and_dumps_leave_it_out(knowing: Hermes) -> None:
    own = memory(knowing, return_messages=True)
    twin = copy.deepcopy(own)
    assert twin.hermes is own.hermes
    assert own.model_copy().load_memory_variables({}) == twin.load_memory_variables({})
    assert "hermes" not in own.model_dump()
    assert "Hermes(" not in repr(own)
    with pytest.raises(TypeError, match="can't be pickled"):
        pickle.dumps(own)


def test_a_failing_store_does_not_break_the_chain(broken: Hermes) -> None:
    own = memory(broken)
    chain = ConversationChain(llm=RecordingModel(), memory=own)
    assert chain.invoke({"input": "hello"})["response"] == "fine"
    assert own.failures == 4  # context, turns, and both sides of the exchange
    with pytest.raises(OSError):
        ConversationChain(llm=RecordingModel(), memory=memory(broken, raise_on_error=True)).invoke({"input": "hello"})


def test_a_closed_store_does_not_break_the_chain(hermes: Hermes) -> None:
    hermes.close()
    chain = ConversationChain(llm=RecordingModel(), memory=memory(hermes))
    assert chain.invoke({"input": "hello"})["response"] == "fine"


def test_chinese(hermes: Hermes) -> None:
    tell(hermes, USER, "我对花生过敏。")
    model = RecordingModel()
    ConversationChain(llm=model, memory=memory(hermes)).invoke({"input": "晚上吃什么好？"})
    assert "花生过敏" in model.last
    assert "花生过敏" in remembered(hermes)
