"""Reads the chats that people have: OpenAI-style JSON and JSON Lines, ChatGPT and Claude exports, plain `role: text`."""

from __future__ import annotations

from hermes_core.importers.chat import Chat, open_chat, read_turns
from hermes_core.importers.parts import Problem

__all__ = ["Chat", "Problem", "open_chat", "read_turns"]
