"""Where a memory block goes among a host's messages, so that roles keep their order and one system message stays one.

Pure functions: messages in, new messages out.
"""

from __future__ import annotations

from collections.abc import Callable

from llama_index.core.base.llms.types import ChatMessage, MessageRole

from hermes_llamaindex.convert import NOTED, is_system, last_user, text_of, with_text_before


def in_user(messages: list[ChatMessage], block: str, *, ahead: bool) -> list[ChatMessage]:
    """The block before the user's latest message; when that one is still `ahead`, as an exchange at the beginning."""
    at = None if ahead else last_user(messages)
    if not block:
        return messages
    if at is not None:
        return [*messages[:at], with_text_before(messages[at], block), *messages[at + 1 :]]
    start = next((i for i, message in enumerate(messages) if not is_system(message)), len(messages))
    noted = [ChatMessage(role=MessageRole.USER, content=block)]
    if start == len(messages) or messages[start].role != MessageRole.ASSISTANT:
        noted.append(ChatMessage(role=MessageRole.ASSISTANT, content=NOTED))
    return [*messages[:start], *noted, *messages[start:]]


def in_system(messages: list[ChatMessage], prompt: str, block: str) -> list[ChatMessage]:
    """One system message at the beginning: the prompt, what system messages there are, the block."""
    parts = [prompt, *(text_of(message) for message in messages if is_system(message)), block]
    text = "\n\n".join(part for part in parts if part)
    rest = [message for message in messages if not is_system(message)]
    return [ChatMessage(role=MessageRole.SYSTEM, content=text), *rest] if text else rest


def shortened(block: str, tokens: int, count: Callable[[str], int]) -> str:
    """The block without its last lines, at least so many tokens shorter, its fence closed; "" when only the frame is left."""
    lines = block.splitlines()
    opening, body, closing = lines[:2], lines[2:-1], lines[-1:]
    wanted = count(block) - tokens
    while body:
        body.pop()
        text = "\n".join([*opening, *body, *closing])
        if body and count(text) <= wanted:
            return text
    return ""
