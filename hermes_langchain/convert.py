"""Between LangChain's messages and stored turns. Translation only: what is worth remembering is not decided here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    BaseMessageChunk,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    message_chunk_to_message,
    message_to_dict,
    messages_from_dict,
)

from hermes_core import Turn
from hermes_core.hosting import message_id_of, turn_id_for

ROLES = {"human": "user", "ai": "assistant", "system": "system"}
OF_ROLE: dict[str, type[BaseMessage]] = {"user": HumanMessage, "assistant": AIMessage, "system": SystemMessage}
NOTED = "OK."  # the assistant's side of the pair that carries a memory block, so that roles alternate


def whole(message: BaseMessage) -> BaseMessage:
    """A streamed chunk as the message that it is part of."""
    return message_chunk_to_message(message) if isinstance(message, BaseMessageChunk) else message


def text_of(value: Any) -> str:
    """The text of a message, of the last of several, or of a plain value; "" for anything that isn't said."""
    if isinstance(value, str):
        return value
    if isinstance(value, BaseMessage):
        return str(value.text)
    if isinstance(value, list) and value and isinstance(value[-1], BaseMessage):
        return str(value[-1].text)
    return ""


def turn_of(message: BaseMessage) -> tuple[str, str] | None:
    """Role and text under which a message is stored. Tool calls and results are kept whole, as JSON under "tool"."""
    message = whole(message)
    if isinstance(message, ToolMessage) or (isinstance(message, AIMessage) and message.tool_calls):
        return "tool", json.dumps(message_to_dict(message), ensure_ascii=False, default=str)
    role = ROLES.get(message.type) or {"assistant": "assistant", "user": "user"}.get(getattr(message, "role", ""))
    return (role, text_of(message)) if role else None


def turn_id_of(session_id: str, message: BaseMessage) -> str | None:
    """The same message in the same session is the same turn; a message without an id is a new one each time."""
    if not message.id:
        return None
    stored = turn_id_for(session_id, message.id)
    return (
        stored
        if message.id.endswith(stored)
        else turn_id_for(session_id, None, message.id, message.type, text_of(message))
    )


def message_of(turn: Turn) -> BaseMessage | None:
    """A stored turn as a message; None for what is no message (commands, other programs' tool turns)."""
    if turn.role == "tool":
        return _tool_message(turn)
    kind = OF_ROLE.get(turn.role)
    return kind(content=turn.text, id=message_id_of(turn)) if kind else None


def _tool_message(turn: Turn) -> BaseMessage | None:
    try:
        (message,) = messages_from_dict([json.loads(turn.text)])
    except (ValueError, KeyError, TypeError):
        return None
    message.id = message_id_of(turn)
    return message


def alternating(turns: Iterable[Turn]) -> list[BaseMessage]:
    """The spoken turns as user and assistant messages by turns, whole exchanges only, neighbours of one role joined."""
    spoken: list[tuple[str, str]] = []
    for turn in turns:
        if turn.role not in ("user", "assistant") or not (spoken or turn.role == "user"):
            continue
        if spoken and spoken[-1][0] == turn.role:
            spoken[-1] = (turn.role, f"{spoken[-1][1]}\n{turn.text}")
        else:
            spoken.append((turn.role, turn.text))
    if spoken and spoken[-1][0] == "user":
        spoken.pop()
    return [OF_ROLE[role](content=text) for role, text in spoken]


def transcript(turns: Iterable[Turn], human: str, ai: str) -> str:
    """The spoken turns as lines "Human: …", "AI: …"."""
    names = {"user": human, "assistant": ai}
    return "\n".join(f"{names[turn.role]}: {turn.text}" for turn in turns if turn.role in names)


def new_part(messages: Sequence[AnyMessage]) -> list[BaseMessage]:
    """What this turn added to a thread: its last user messages and what followed; middleware's own messages left out."""
    own = [message for message in messages if not message.additional_kwargs.get("lc_source")]
    start = max((at for at, message in enumerate(own) if isinstance(message, HumanMessage)), default=len(own))
    while start and isinstance(own[start - 1], HumanMessage):
        start -= 1
    return list(own[start:])


def with_memory(system: SystemMessage | None, block: str) -> SystemMessage:
    """The system message with the block behind it: one system message, and a plain text stays one."""
    if system is None:
        return SystemMessage(content=block)
    if isinstance(system.content, str):
        return system.model_copy(update={"content": f"{system.content}\n\n{block}" if system.content else block})
    return system.model_copy(update={"content": [*system.content, {"type": "text", "text": block}]})


def chat_messages(messages: Iterable[dict[str, str]]) -> list[BaseMessage]:
    """The core's role-and-content messages, for a chat model."""
    return [OF_ROLE[message["role"]](content=message["content"]) for message in messages]
