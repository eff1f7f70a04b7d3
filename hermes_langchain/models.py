"""A LangChain chat model as the core asks models: messages in, text out. Prompts, parsing and repairs are the core's."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable, RunnableConfig

from hermes_langchain.convert import chat_messages, text_of

Messages = list[dict[str, str]]

# Own runs: no callback of the chat that happens to be going on sees them, nor do its streams.
QUIET: RunnableConfig = {"callbacks": [], "tags": ["nostream"], "run_name": "hermes"}


def name_of(model: Any) -> str:
    """The model's own name, else its class."""
    names = (getattr(model, key, None) for key in ("model_name", "model", "model_id"))
    return next((name for name in names if isinstance(name, str) and name), type(model).__name__)


def complete_with(model: BaseChatModel | Runnable[LanguageModelInput, Any]) -> Callable[[Messages], str]:
    """The model's answer as text; arguments of tool calls as JSON."""

    def complete(messages: Messages) -> str:
        return answered(model.invoke(chat_messages(messages), QUIET))

    return complete


def answered(reply: Any) -> str:
    if isinstance(reply, AIMessage) and reply.tool_calls:
        return json.dumps([call["args"] for call in reply.tool_calls], ensure_ascii=False)
    return text_of(reply)
