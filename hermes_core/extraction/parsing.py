"""From any model's answer to candidates: salvaged where possible, refused with a reason where not (W3, M2).

Every piece that is dropped leaves a Dismissal. Whether the user said it is grounding's question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hermes_core.catalogue import Catalogue
from hermes_core.extraction.cues import folded
from hermes_core.extraction.pieces import ALIASES, read_piece
from hermes_core.extraction.salvage import salvage, without_thinking
from hermes_core.extraction.schema import CLAIMS, FIELDS
from hermes_core.items import Candidate, MemoryItem, Turn
from hermes_core.ports import Dismissal
from hermes_core.reasons import Reason

MOST_CLAIMS = 64  # of one reply; more is a runaway
_WRAPPERS = ("args", "arguments", "input", "parameters", "function", "tool_calls", "tool_input")
_REFUSAL = re.compile(
    r"(?i)\b(?:i'?m sorry|i am sorry|i apologi[sz]e|i can(?:'|no)t (?:help|assist|do|comply|provide)|i(?:'m| am) (?:unable|not able)|as an ai"
    r"|i won'?t)\b|抱歉|对不起|我无法|我不能|作为(?:一个)?(?:ai|人工智能)|无法(?:提供|协助|完成|满足)"
)


class Parsed(NamedTuple):
    """What an answer held. `fault` is "" when it could be read, else why not; `note` tells what was lost on the way."""

    candidates: list[Candidate]
    dismissed: list[Dismissal]
    fault: str = ""
    note: str = ""


def parse(
    reply: Any, turns: Sequence[Turn], known: Sequence[MemoryItem] = (), catalogue: Catalogue | None = None
) -> Parsed:
    """Candidates from a text, a structured dict or list, or a pydantic value; `turns` and `known` as they were numbered."""
    if isinstance(reply, str):
        values, truncated, fault = _values_of_text(reply)
    else:
        values, truncated, fault = [_plain(reply)], False, "empty reply" if reply is None else ""
    if fault:
        return Parsed([], [], fault)
    if any(_is_schema(value) for value in values):
        return Parsed([], [], "the schema was echoed back")
    pieces = [piece for value in values for piece in claims_in(value)]
    if not pieces and not truncated and not any(_says_nothing(value) for value in values):
        return Parsed([], [], "no claims in the reply")
    if not pieces and truncated:
        return Parsed([], [], "the reply broke off before the first claim was whole")
    note = f"the reply broke off; {len(pieces)} whole claim(s) kept" if truncated else ""
    return _candidates(pieces, turns, known, catalogue or Catalogue.default(), note)


def _values_of_text(reply: str) -> tuple[list[Any], bool, str]:
    text = without_thinking(reply)
    if not text:
        return [], False, "empty reply"
    values, truncated = salvage(reply)
    if not values and not truncated:
        fault = "the model refused" if _REFUSAL.search(text[:400]) else "no JSON in the reply"
        return [], False, fault
    return values, truncated, ""


def _plain(value: Any) -> Any:
    """Structured answers as plain JSON types: pydantic values, dataclass-like dicts, tool calls."""
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return dump()
    return value


def _is_schema(value: Any) -> bool:
    """Our own schema, or a claim filled with our own explanations, handed back."""
    if not isinstance(value, Mapping):
        return False
    if "properties" in value or "$schema" in value or "$defs" in value:
        return True
    meanings = {folded(meaning) for meaning in FIELDS.values()}
    pieces = [value, *claims_in(value)]
    return any(
        folded(str(part)) in meanings
        for piece in pieces
        for part in piece.values()
        if isinstance(part, str) and len(part) > 6
    )


def _says_nothing(value: Any) -> bool:
    """An empty list, or an object whose only content is empty lists: the model read the turns and found nothing."""
    if isinstance(value, list):
        return all(_says_nothing(part) for part in value)
    return isinstance(value, Mapping) and all(isinstance(part, list) and not part for part in value.values())


def claims_in(value: Any, depth: int = 0) -> list[dict[str, Any]]:
    """Every claim-like object inside a value: the listed ones, a bare list, tool-call arguments, statements as strings."""
    if depth > 6:
        return []
    if isinstance(value, str):
        return _claims_in_text(value, depth)
    if isinstance(value, (list, tuple)):
        return [claim for part in value for claim in claims_in(_plain(part), depth + 1)]
    if not isinstance(value, Mapping):
        return []
    named = {_key(key): part for key, part in value.items()}
    for wrapper in (CLAIMS, *_WRAPPERS):
        if (
            wrapper in named
            and isinstance(named[wrapper], (list, tuple, Mapping, str))
            and (wrapper == CLAIMS or not _is_claim(named))
        ):
            return claims_in(named[wrapper], depth + 1)
    if _is_claim(named):
        return [named]
    nested = [part for part in named.values() if isinstance(part, (list, tuple, Mapping))]
    return [claim for part in nested for claim in claims_in(part, depth + 1)]


def _claims_in_text(text: str, depth: int) -> list[dict[str, Any]]:
    stripped = text.strip()
    if stripped[:1] in "{[" and len(stripped) > 1:
        return [claim for value in salvage(stripped).values for claim in claims_in(value, depth + 1)]
    return [{"text": stripped}] if depth and stripped else []


def _key(key: Any) -> str:
    return re.sub(r"[\s-]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(key).strip())).casefold()


def _is_claim(named: Mapping[str, Any]) -> bool:
    """Something to say, and nothing listed inside that is itself a claim."""
    words = [named.get(alias) for field in ("quote", "text", "value") for alias in ALIASES[field]]
    return any(isinstance(part, (str, int, float)) and str(part).strip() for part in words)


def _candidates(
    pieces: Sequence[Mapping[str, Any]],
    turns: Sequence[Turn],
    known: Sequence[MemoryItem],
    catalogue: Catalogue,
    note: str,
) -> Parsed:
    found: list[Candidate] = []
    dismissed: list[Dismissal] = []
    for piece in pieces[:MOST_CLAIMS]:
        result = read_piece(piece, turns, known, catalogue)
        if isinstance(result, Candidate):
            found += [result] if result not in found else []
        else:
            dismissed.append(result)
    if len(pieces) > MOST_CLAIMS:
        dismissed.append(Dismissal(turns[0].id, f"{len(pieces) - MOST_CLAIMS} more claims", Reason.MALFORMED))
    return Parsed(found, dismissed, "", note)
