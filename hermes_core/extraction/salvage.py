"""Finds the JSON in whatever a model answered: fences, preambles, prose, single quotes, truncation (M2).

Returns plain Python values and says what was lost; what they mean is parsing.py's question.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

MAX_REPLY = 200_000  # characters looked at; a longer answer is a runaway
_THINKING = re.compile(r"<(think|thinking|thought|reasoning|reflection)\b[^>]*>.*?</\1\s*>", re.S | re.I)
_THOUGHT_END = re.compile(r"^.*</(?:think|thinking|thought|reasoning)\s*>", re.S | re.I)
_CHANNEL = re.compile(r"<\|[^|>]{1,40}\|>|</?s>|\[/?INST\]")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_COMMENT = re.compile(r"(?m)(?<![:\"'\w])//[^\n\"]*$|/\*.*?\*/", re.S)
_SMART = str.maketrans({"“": '"', "”": '"', "„": '"', "，": ",", "：": ":"})
_DECODER = json.JSONDecoder(strict=False)


class Salvaged(NamedTuple):
    """The values found, in order; `truncated` when the reply broke off inside the last one."""

    values: list[Any]
    truncated: bool


def without_thinking(reply: str) -> str:
    """The reply without reasoning blocks (closed ones, or everything up to a lone closing tag)."""
    bare = _THINKING.sub(" ", reply[:MAX_REPLY])
    return _CHANNEL.sub(" ", _THOUGHT_END.sub(" ", bare)).strip()


def salvage(reply: str) -> Salvaged:
    """Every JSON object or array of the reply; whole objects of a truncated one."""
    text = without_thinking(reply)
    values: list[Any] = []
    truncated = False
    at = 0
    while (start := _next_opening(text, at)) is not None:
        value, end = _read(text, start)
        if end is None:
            whole = list(_whole_objects(text, start))
            values += whole
            truncated = True
            break
        if value is not None:
            values.append(value)
        at = end
    return Salvaged(values, truncated)


def _next_opening(text: str, at: int) -> int | None:
    match = re.compile(r"[\[{]").search(text, at)
    return match.start() if match else None


def _read(text: str, start: int) -> tuple[Any, int | None]:
    """The value at `start` and where it ends; (None, end) when the bracket is only prose; (…, None) when it breaks off."""
    try:
        value, end = _DECODER.raw_decode(text, start)
        return value, end
    except (json.JSONDecodeError, RecursionError):
        end_at = _closing(text, start)
    if end_at is None:
        return (None, None) if _looks_like_json(text, start) else (None, start + 1)
    value = loads_leniently(text[start:end_at])
    return (value, end_at) if value is not None else (None, start + 1)


def _looks_like_json(text: str, start: int) -> bool:
    return re.match(r"[\[{]\s*(?:[\[{\"'“\]}]|\w+\s*:|$)", text[start:]) is not None


def _closing(text: str, start: int) -> int | None:
    """One past the bracket that closes the one at `start`, strings respected; None when there is none."""
    depth = 0
    quoted = escaped = False
    for index in range(start, len(text)):
        char = text[index]
        if quoted:
            quoted = escaped or char != '"'
            escaped = not escaped and char == "\\"
        elif char == '"':
            quoted = True
        elif char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
            if depth == 0:
                return index + 1
    return None


def loads_leniently(text: str) -> Any:
    """JSON with the usual slips: trailing commas, comments, smart or single quotes, Python's True and None. Else None."""
    tidy = _TRAILING_COMMA.sub(r"\1", _COMMENT.sub("", text))
    for attempt in (text, tidy, tidy.translate(_SMART)):
        try:
            return json.loads(attempt, strict=False)
        except (json.JSONDecodeError, RecursionError):
            continue
    try:
        return ast.literal_eval(re.sub(r"\b(true|false|null)\b", lambda m: _PYTHON[m[1]], tidy))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


_PYTHON = {"true": "True", "false": "False", "null": "None"}


def _whole_objects(text: str, start: int) -> Iterator[Any]:
    """The innermost complete objects of a value that breaks off."""
    at = start + 1
    while (opening := text.find("{", at)) >= 0:
        end = _closing(text, opening)
        if end is None:
            at = opening + 1
            continue
        value = loads_leniently(text[opening:end])
        if isinstance(value, dict):
            yield value
        at = end
