"""Small models that keep the prompts they were given, engines around them, and a few words for looking at both."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ChatResponseGen,
    CompletionResponse,
    CompletionResponseGen,
    LLMMetadata,
    MessageRole,
    ToolCallBlock,
)
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.mock import MockFunctionCallingLLM
from pydantic import Field, PrivateAttr


class RecordingLLM(CustomLLM):
    """Answers by `replies` in their order, the last one for ever; `prompts` holds the messages it was asked."""

    replies: list[Any] = Field(default_factory=lambda: ["fine"])
    prompts: list[list[ChatMessage]] = Field(default_factory=list)
    _lock: threading.Lock = PrivateAttr(default_factory=threading.Lock)

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=8000, num_output=100, is_chat_model=True)

    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        with self._lock:
            reply = self.replies[min(len(self.prompts), len(self.replies) - 1)]
            self.prompts.append([message.model_copy(deep=True) for message in messages])
        found = reply(messages) if callable(reply) else reply
        if isinstance(found, Exception):
            raise found
        return ChatResponse(message=ChatMessage(role="assistant", content=found))

    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseGen:
        text = self.chat(messages).message.content or ""

        def stream() -> ChatResponseGen:
            for end in range(1, len(text) + 1):
                message = ChatMessage(role="assistant", content=text[:end])
                yield ChatResponse(message=message, delta=text[end - 1])

        return stream()

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self.chat([ChatMessage(content=prompt)]).message.content or "")

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        def stream() -> CompletionResponseGen:
            text = self.complete(prompt).text
            yield CompletionResponse(text=text, delta=text)

        return stream()

    @property
    def roles(self) -> list[str]:
        """Of the last prompt."""
        return roles(self.prompts[-1])

    @property
    def last(self) -> str:
        """The last prompt as one text."""
        return words(self.prompts[-1])


def words(prompt: Sequence[ChatMessage]) -> str:
    return "\n".join(f"{message.role.value}: {message.content}" for message in prompt)


def roles(prompt: Sequence[ChatMessage]) -> list[str]:
    return [message.role.value for message in prompt]


def alternate(given: Sequence[str]) -> bool:
    """[system?, (user, assistant)*, user]: what common chat templates accept (tool exchanges belong to the answer)."""
    rest = [role for role in given if role != "tool"]
    if rest[:1] == ["system"]:
        rest = rest[1:]
    merged = [role for at, role in enumerate(rest) if not (role == "assistant" and at and rest[at - 1] == "assistant")]
    return bool(merged) and all(role == ("user", "assistant")[at % 2] for at, role in enumerate(merged))


def calling(name: str, **args: Any) -> ChatMessage:
    """An answer that calls a tool."""
    return ChatMessage(
        role="assistant", blocks=[ToolCallBlock(tool_call_id="call-1", tool_name=name, tool_kwargs=args)]
    )


class AgentLLM(MockFunctionCallingLLM):
    """The framework's function calling mock, answering by `replies` (texts, messages or functions of the prompt)."""

    prompts: list[list[ChatMessage]] = Field(default_factory=list)

    def __init__(self, *replies: str | ChatMessage | Callable[[Sequence[ChatMessage]], ChatMessage]) -> None:
        super().__init__(is_chat_model=True)
        self.prompts = []

        def answer(messages: Sequence[ChatMessage], **kwargs: Any) -> ChatMessage:
            reply = replies[min(len(self.prompts), len(replies) - 1)]
            self.prompts.append([message.model_copy(deep=True) for message in messages])
            found = reply(messages) if callable(reply) else reply
            if isinstance(found, str):
                return ChatMessage(role=MessageRole.ASSISTANT, content=found)
            return found.model_copy(deep=True)

        self.response_generator = answer

    @property
    def last(self) -> str:
        return words(self.prompts[-1])


async def ask(engine: Any, how: str, message: str) -> str:
    """One question in one of a chat engine's four ways of asking; the answer's text."""
    if how == "chat":
        return str(engine.chat(message))
    if how == "achat":
        return str(await engine.achat(message))
    if how == "stream_chat":
        streamed = engine.stream_chat(message)
        return "".join(streamed.response_gen)
    streamed = await engine.astream_chat(message)
    return "".join([token async for token in streamed.async_response_gen()])


WAYS = ("chat", "achat", "stream_chat", "astream_chat")
