"""Small chat models that keep the prompts they were given, and a few words for looking at them."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from pydantic import Field, PrivateAttr

Reply = str | AIMessage | Callable[[list[BaseMessage]], "str | AIMessage"]


class RecordingModel(GenericFakeChatModel):
    """Answers by `replies` in their order, the last one for ever; `prompts` holds what it was asked. Can bind tools."""

    replies: list[Any] = Field(default_factory=lambda: ["fine"])
    prompts: list[list[BaseMessage]] = Field(default_factory=list)
    messages: Any = None
    _lock: threading.Lock = PrivateAttr(default_factory=threading.Lock)

    def bind_tools(self, tools: Sequence[Any], **given: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **given: Any) -> ChatResult:
        with self._lock:
            reply = self.replies[min(len(self.prompts), len(self.replies) - 1)]
            self.prompts.append(list(messages))
        found = reply(messages) if callable(reply) else reply
        if isinstance(found, Exception):
            raise found
        message = AIMessage(content=found) if isinstance(found, str) else found.model_copy(update={"id": None})
        return ChatResult(generations=[{"message": message}])

    def _stream(self, messages: list[BaseMessage], *args: Any, **given: Any) -> Iterator[ChatGenerationChunk]:
        message = self._generate(messages).generations[0].message
        calls = [
            {
                "name": call["name"],
                "args": json.dumps(call["args"]),
                "id": call["id"],
                "index": at,
                "type": "tool_call_chunk",
            }
            for at, call in enumerate(getattr(message, "tool_calls", []))
        ]
        parts = re.split(r"(?<=\s)", message.text) if message.text else [""]
        for at, part in enumerate(parts):
            last = at == len(parts) - 1
            chunk = AIMessageChunk(content=part, tool_call_chunks=calls if last else [])
            chunk.chunk_position = "last" if last else None
            yield ChatGenerationChunk(message=chunk)

    @property
    def roles(self) -> list[str]:
        """Of the last prompt."""
        return [message.type for message in self.prompts[-1]]

    @property
    def last(self) -> str:
        """The last prompt as one text."""
        return words(self.prompts[-1])


def words(prompt: Sequence[BaseMessage]) -> str:
    return "\n".join(f"{message.type}: {message.text}" for message in prompt)


def calling(name: str, **args: Any) -> AIMessage:
    """An answer that calls a tool."""
    return AIMessage(content="", tool_calls=[{"name": name, "args": args, "id": "call-1", "type": "tool_call"}])


def alternate(roles: Sequence[str]) -> bool:
    """[system?, (human, ai)*, human]: what common chat templates accept (tool exchanges belong to the answer)."""
    rest = [role for role in roles if role != "tool"]
    if rest[:1] == ["system"]:
        rest = rest[1:]
    merged = [role for at, role in enumerate(rest) if not (role == "ai" and at and rest[at - 1] == "ai")]
    return bool(merged) and all(role == ("human", "ai")[at % 2] for at, role in enumerate(merged))
