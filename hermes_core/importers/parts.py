"""What the readers of all formats hand on: turns as found in a file, and problems with their line. No I/O here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

__all__ = ["SKIPPED", "WEAK", "Found", "Part", "Problem", "key_of", "role_of"]


class Found(NamedTuple):
    """A message as the file has it. `session` and `id` are "" when the file names none; `breaks`: a new session starts here."""

    line: int
    role: str
    text: str
    at: datetime | None = None
    session: str = ""
    id: str = ""
    breaks: bool = False


class Problem(NamedTuple):
    """Something that can't be read: the line where it begins, and what was expected there."""

    line: int
    text: str


Part = Found | Problem

SKIPPED = "skipped"  # roles that say nothing about a person: tools, system prompts

_ROLES: Mapping[str, str] = {
    **dict.fromkeys(("user", "human", "me", "i", "customer", "client", "q"), "user"),
    **dict.fromkeys(("用户", "我", "人类", "本人", "客户", "顾客", "问", "提问", "使用者", "用戶"), "user"),
    **dict.fromkeys(
        ("assistant", "ai", "bot", "model", "chatbot", "agent", "gpt", "chatgpt", "claude", "a"), "assistant"
    ),
    **dict.fromkeys(
        ("助手", "助理", "机器人", "人工智能", "客服", "答", "回答", "模型", "ai助手", "智能助手"), "assistant"
    ),
    **dict.fromkeys(("system", "tool", "function", "developer", "critic", "系统", "工具", "系統"), SKIPPED),
}


# Names that also begin ordinary lines ("Q: …", "Model: X1"): in plain text they count only where the first turn uses one.
_WEAK_CHINESE = ("问", "答", "提问", "回答", "客户", "顾客", "模型", "本人", "人工智能")
WEAK = frozenset(
    ("i", "q", "a", "customer", "client", "agent", "model", "function", "developer", "critic", *_WEAK_CHINESE)
)


def key_of(name: str) -> str:
    """A name as it is compared: without Markdown's marks, case and extra spaces."""
    return " ".join(name.strip().strip("*_#`\"'").split()).casefold()


def role_of(name: str, names: Mapping[str, str] | None = None) -> str | None:
    """ "user", "assistant", SKIPPED, or None for a name that is no role; `names` adds a person's own ("Anna": "user")."""
    key = key_of(name)
    if names is not None:
        for own, role in names.items():
            if own.strip().casefold() == key:
                return role
    return _ROLES.get(key)
