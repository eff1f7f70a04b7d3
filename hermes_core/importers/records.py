"""JSON messages as APIs and exports write them: one message, a list of them, ChatGPT's tree, Claude's conversation.

Everything arrives as parsed JSON of unknown shape; what doesn't fit becomes a Problem, never an exception.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from hermes_core.embedding.adapters import clean_text
from hermes_core.errors import InvalidInput
from hermes_core.importers.parts import SKIPPED, Found, Part, Problem, role_of
from hermes_core.importers.times import Calendar

__all__ = ["JsonReader", "format_of"]

EXPECTED = '{"role": "user", "content": "…"} or {"messages": [{"role": …, "content": …}, …]}'

_LISTS = ("messages", "conversations", "conversation", "items", "turns")
_ROLE = ("role", "from", "sender", "author", "speaker")
_TEXT = ("content", "text", "value", "message")
_TIME = ("said_at", "timestamp", "created_at", "create_time", "createdAt", "time", "datetime", "date", "ts")
_SESSION = ("session_id", "session", "conversation_id", "thread_id", "chat_id")
_ID = ("turn_id", "message_id", "id", "uuid")
_TEXT_PARTS = frozenset({"text", "input_text", "output_text", "audio_transcription"})
_LONGEST_NAME = 200
_SHOWN = frozenset({"text", "multimodal_text"})


def format_of(record: Any) -> str:
    """A name for people: which program's form a JSON record has."""
    if isinstance(record, dict):
        if "mapping" in record:
            return "chatgpt"
        if "chat_messages" in record:
            return "claude"
    return "messages"


class _Place(NamedTuple):
    """What a message inherits from around it."""

    line: int
    session: str = ""
    at: datetime | None = None
    number: int = 0  # place in a list of messages, from 1; 0 outside a list


class JsonReader:
    """Turns JSON records into parts; `names` maps own role names, times are read by the calendar."""

    def __init__(self, calendar: Calendar, names: Mapping[str, str] | None = None) -> None:
        self._calendar = calendar
        self._names = names

    def read(self, text: str, line: int) -> Iterator[Part]:
        """The parts of one JSON text: a message or a conversation."""
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            yield Problem(line, f"no valid JSON ({_short(error)}); expected {EXPECTED}")
            return
        yield from self.record(record, line)

    def record(self, record: Any, line: int) -> Iterator[Part]:
        if isinstance(record, list):
            yield from self._messages(record, _Place(line))
        elif not isinstance(record, dict):
            yield Problem(line, f"found {_kind(record)}; expected {EXPECTED}")
        elif "mapping" in record:
            yield from self._chatgpt(record, line)
        elif "chat_messages" in record:
            yield from self._messages(record["chat_messages"], self._around(record, line))
        elif (inner := next((record[k] for k in _LISTS if isinstance(record.get(k), list)), None)) is not None:
            yield from self._messages(inner, self._around(record, line))
        else:
            yield from self._message(record, _Place(line))

    def _around(self, record: dict[str, Any], line: int) -> _Place:
        session = _name(_first(record, (*_SESSION, *_ID)))
        return _Place(line, session, self._time_or_none(_first(record, _TIME)))

    def _time_or_none(self, value: Any) -> datetime | None:
        """A conversation's own time is a fallback for its messages; a strange one is no problem."""
        try:
            return self._calendar.read(value)
        except InvalidInput:
            return None

    def _messages(self, messages: Any, place: _Place) -> Iterator[Part]:
        if not isinstance(messages, list):
            yield Problem(place.line, f"the messages are {_kind(messages)}; expected a list of messages")
            return
        first = True
        for number, message in enumerate(messages, 1):
            for part in self._message(message, place._replace(number=number)):
                yield part._replace(breaks=first) if isinstance(part, Found) else part
                first = first and isinstance(part, Problem)

    def _message(self, message: Any, place: _Place) -> Iterator[Part]:
        where = f"message {place.number}: " if place.number else ""
        if not isinstance(message, dict):
            yield Problem(place.line, f"{where}found {_kind(message)}; expected {EXPECTED}")
            return
        name = _first(message, _ROLE)
        name = name.get("role", name.get("name")) if isinstance(name, dict) else name
        if not isinstance(name, str):
            keys = ", ".join(map(repr, list(message)[:6])) or "no keys"
            yield Problem(place.line, f"{where}no role (found {keys}); expected {EXPECTED}")
            return
        role = role_of(name, self._names)
        if role is None:
            yield Problem(place.line, f'{where}unknown role {name!r}; expected "user", "assistant", "system" or "tool"')
        elif role != SKIPPED:
            yield from self._said(message, role, place, where)

    def _said(self, message: dict[str, Any], role: str, place: _Place, where: str) -> Iterator[Part]:
        content = next((message[key] for key in _TEXT if message.get(key)), None)
        text = _text(content)
        if text is None:
            yield Problem(place.line, f"{where}the content is {_kind(content)}; expected text or a list of text parts")
            return
        if not text.strip():
            return
        try:
            at = self._calendar.read(_first(message, _TIME))
        except InvalidInput as error:
            yield Problem(place.line, f"{where}{error}")
            return
        session = _name(_first(message, _SESSION)) or place.session
        yield Found(place.line, role, text, at or place.at, session, _name(_first(message, _ID)))

    def _chatgpt(self, record: dict[str, Any], line: int) -> Iterator[Part]:
        """The branch that the person saw last, from its root; hidden, system and tool nodes are no turns."""
        title = record.get("title") or "untitled"
        mapping = record["mapping"]
        if not isinstance(mapping, dict) or not all(isinstance(node, dict) for node in mapping.values()):
            yield Problem(line, f"conversation {title!r}: its mapping is {_kind(mapping)}; expected nodes by id")
            return
        session = _name(record.get("conversation_id")) or _name(record.get("id"))
        place = _Place(line, session, self._time_or_none(record.get("create_time")))
        first = True
        for node in _branch(mapping, record.get("current_node")):
            message = node.get("message")
            if not isinstance(message, dict) or not _shown(message):
                continue
            for part in self._message(message, place):
                yield part._replace(breaks=first) if isinstance(part, Found) else part
                first = first and isinstance(part, Problem)


def _branch(mapping: dict[str, dict[str, Any]], current: Any) -> list[dict[str, Any]]:
    node_id = current if current in mapping else _latest_leaf(mapping)
    path: list[dict[str, Any]] = []
    seen: set[str] = set()
    while isinstance(node_id, str) and node_id in mapping and node_id not in seen:
        seen.add(node_id)
        path.append(mapping[node_id])
        node_id = mapping[node_id].get("parent")
    return path[::-1]


def _latest_leaf(mapping: dict[str, dict[str, Any]]) -> str | None:
    leaves = [(key, node) for key, node in mapping.items() if not node.get("children")]
    return max(leaves, key=lambda leaf: _made(leaf[1]))[0] if leaves else None


def _made(node: dict[str, Any]) -> float:
    message = node.get("message")
    made = message.get("create_time") if isinstance(message, dict) else None
    return float(made) if isinstance(made, (int, float)) else 0.0


def _shown(message: dict[str, Any]) -> bool:
    metadata, content = message.get("metadata"), message.get("content")
    hidden = isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation")
    spoken = isinstance(content, dict) and str(content.get("content_type", "text")) in _SHOWN
    return spoken and not hidden and message.get("recipient", "all") in ("all", None, "")


def _text(content: Any) -> str | None:
    """The words of a message's content; "" when it has none (an image, a tool call), None when it is no content at all."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        inner = content.get("parts", content.get("text", content.get("value")))
        known = {"parts", "text", "value", "type", "content_type"} & set(content)
        return _text(inner) if known else None
    if isinstance(content, list):
        return "\n".join(text for part in content if (text := _part_text(part)))
    return None


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and str(part.get("type", part.get("content_type", "text"))) in _TEXT_PARTS:
        return _text(part.get("text", part.get("value"))) or ""
    return ""


def _first(record: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((record[key] for key in keys if record.get(key) not in (None, "")), None)


def _name(value: Any) -> str:
    """An id as text; "" for anything that is none, which is then as good as no id."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    printable = "".join(c if c.isprintable() else " " for c in clean_text(str(value)))
    return printable.strip()[:_LONGEST_NAME]


def _kind(value: Any) -> str:
    names = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return "nothing" if value is None else names.get(type(value), type(value).__name__)


def _short(error: BaseException) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg}, character {error.pos + 1}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)[:120]
