"""Whose memory a call is about: constructor, then the agent's context, then the run's configurable, then an error (C12).

Nothing here may invent an id: two users under one default would read each other's memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.runnables.config import ensure_config

from hermes_core.hosting import required

USER_KEYS = ("user_id", "langgraph_user_id")
SESSION_KEYS = ("session_id", "thread_id")


def user_id_of(given: str | None, context: Any = None) -> str:
    """The user's id for this call. InvalidInput when nobody said it."""
    found = given or _in(context, USER_KEYS) or _in(_configurable(), USER_KEYS)
    return required(
        found, "user_id", "the constructor, the agent's context, or config={'configurable': {'user_id': …}}"
    )


def session_id_of(given: str | None, context: Any = None) -> str:
    """The conversation's id for this call. InvalidInput when nobody said it."""
    found = given or _in(context, SESSION_KEYS) or _in(_configurable(), SESSION_KEYS)
    places = "the constructor, the agent's context, or config={'configurable': {'thread_id': …}} (or session_id)"
    return required(found, "session_id", places)


def _in(source: Any, keys: tuple[str, ...]) -> Any:
    """The first of the keys that a mapping or an object holds."""
    if source is None:
        return None
    values = (source.get(key) if isinstance(source, Mapping) else getattr(source, key, None) for key in keys)
    return next((value for value in values if value not in (None, "")), None)


def _configurable() -> Mapping[str, Any]:
    return ensure_config().get("configurable") or {}
