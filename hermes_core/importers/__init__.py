"""Reads the chats that people have: OpenAI-style JSON and JSON Lines, ChatGPT and Claude exports, plain `role: text`."""

from __future__ import annotations

from hermes_core.importers.chat import Chat, ChatTurn, open_chat, read_chat
from hermes_core.importers.parts import Problem

__all__ = ["Chat", "ChatTurn", "Problem", "open_chat", "read_chat"]
