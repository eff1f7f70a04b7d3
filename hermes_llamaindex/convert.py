"""Between LlamaIndex's messages and stored turns. Translation only: what is worth remembering is not decided here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock, ToolCallBlock

from hermes_core import Turn
from hermes_core.hosting import turn_id_for

ROLES = {
    "user": "user",
    "assistant": "assistant",
    "chatbot": "assistant",
    "model": "assistant",
    "system": "system",
    "developer": "system",
}
NOTED = "OK."  # the assistant's side of the pair that carries a memory block, so that roles alternate
_IDS = ("id", "message_id")  # where programs put a message's id, among its additional_kwargs

# Context engines fill these into the chat history as well as into their own prompt
_PLACEHOLDER = re.compile(r"\{(context_str|query_str|context_msg|existing_answer)\}")


def text_of(message: ChatMessage | str | None) -> str:
    """The text of a message; "" for anything that isn't said."""
    return message if isinstance(message, str) else (message.content or "") if message is not None else ""


def turn_of(message: ChatMessage) -> tuple[str, str] | None:
    """Role and text under which a message is stored; None when it holds nothing.

    Tool calls, results and messages of attachments alone are kept whole, as JSON under "tool".
    """
    role, text = ROLES.get(message.role.value), text_of(message)
    if role is None or has_tool_calls(message) or (message.blocks and not text):
        return "tool", whole(message)
    return (role, text) if text.strip() else None


def whole(message: ChatMessage) -> str:
    """The message as JSON, which `message_of` reads back; what JSON can't hold is kept as its text."""
    blocks = [json.loads(block.model_dump_json()) for block in message.blocks]
    kept = {"role": message.role.value, "blocks": blocks, "additional_kwargs": message.additional_kwargs}
    return json.dumps(kept, ensure_ascii=False, default=str)


def has_tool_calls(message: ChatMessage) -> bool:
    return bool(message.additional_kwargs.get("tool_calls")) or any(
        isinstance(block, ToolCallBlock) for block in message.blocks
    )


def turn_id_of(session_id: str, message: ChatMessage) -> str | None:
    """The same message in the same session is the same turn; a message without an id is a new one each time."""
    found = next((str(message.additional_kwargs[key]) for key in _IDS if message.additional_kwargs.get(key)), None)
    return turn_id_for(session_id, None, found, message.role.value, text_of(message)) if found else None


def message_of(turn: Turn) -> ChatMessage | None:
    """A stored turn as a message; None for what is no message (commands, other programs' tool turns)."""
    if turn.role in ROLES:
        return ChatMessage(role=MessageRole(turn.role), content=turn.text)
    if turn.role != "tool":
        return None
    try:
        kept = json.loads(turn.text)
        return ChatMessage.model_validate(kept) if "blocks" in kept and "role" in kept else None
    except (ValueError, TypeError):
        return None


def same(one: ChatMessage, other: ChatMessage) -> bool:
    """Whether two messages say the same; LlamaIndex's messages have no ids."""
    return turn_of(one) == turn_of(other)


def unfillable(messages: Iterable[ChatMessage]) -> list[ChatMessage]:
    """The messages, with the placeholders that a context engine would fill in turned into look-alikes."""
    return [_unfillable(message) for message in messages]


def _unfillable(message: ChatMessage) -> ChatMessage:
    if not _PLACEHOLDER.search(text_of(message)):
        return message
    blocks = [
        TextBlock(text=_PLACEHOLDER.sub(r"｛\1｝", block.text)) if isinstance(block, TextBlock) else block
        for block in message.blocks
    ]
    return message.model_copy(update={"blocks": blocks})


def with_text_before(message: ChatMessage, text: str) -> ChatMessage:
    """The message with the text before its own, in one block where it can be."""
    first, rest = (message.blocks[0], message.blocks[1:]) if message.blocks else (None, [])
    if isinstance(first, TextBlock):
        blocks = [TextBlock(text=f"{text}\n\n{first.text}"), *rest]
    else:
        blocks = [TextBlock(text=text), *message.blocks]
    return message.model_copy(update={"blocks": blocks})


def is_system(message: ChatMessage) -> bool:
    return ROLES.get(message.role.value) == "system"


def last_user(messages: Sequence[ChatMessage]) -> int | None:
    """The place of the latest user message."""
    return next((at for at in range(len(messages) - 1, -1, -1) if messages[at].role == MessageRole.USER), None)


def chat_messages(messages: Iterable[dict[str, str]]) -> list[ChatMessage]:
    """The core's role-and-content messages, for a chat model."""
    return [ChatMessage(role=MessageRole(message["role"]), content=message["content"]) for message in messages]
