"""A LlamaIndex model as the core asks models: messages in, text out. Prompts, parsing and repairs are the core's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llama_index.core.base.llms.base import BaseLLM

from hermes_llamaindex.convert import chat_messages, text_of

Messages = list[dict[str, str]]


def name_of(model: Any) -> str:
    """The model's own name, else its class."""
    names = (getattr(model, key, None) for key in ("model", "model_name", "model_id"))
    return next((name for name in names if isinstance(name, str) and name not in ("", "unknown")), type(model).__name__)


def complete_with(llm: BaseLLM) -> Callable[[Messages], str]:
    """The model's answer as text."""

    def complete(messages: Messages) -> str:
        return text_of(llm.chat(chat_messages(messages)).message)

    return complete
