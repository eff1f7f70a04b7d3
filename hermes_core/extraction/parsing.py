"""From any model's answer to candidates: salvaged where possible, refused with a reason where not (W3, M2).

Every piece that is dropped leaves a Dismissal. Whether the user said it is grounding's question.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from hermes_core.catalogue import Catalogue
from hermes_core.extraction.cues import cues, folded
from hermes_core.extraction.salvage import salvage, without_thinking
from hermes_core.extraction.schema import BASES, CLAIMS, FIELDS, KINDS, TONES
from hermes_core.extraction.turn_words import TurnWords
from hermes_core.items import Candidate, MemoryItem, Turn
from hermes_core.ports import Dismissal
from hermes_core.reasons import Reason

MOST_CLAIMS = 64  # of one reply; more is a runaway
WORDS = 300  # characters of a dropped piece that are kept for people

# our field -> names that models use instead, best first
ALIASES: Mapping[str, tuple[str, ...]] = {
    "turn": (
        "turn",
        "message",
        "turn_id",
        "turn_number",
        "message_number",
        "msg",
        "turn_index",
        "message_id",
        "source_turn",
    ),
    "quote": (
        "quote",
        "evidence",
        "verbatim",
        "quotation",
        "source_text",
        "source",
        "span",
        "original",
        "exact_words",
        "原文",
        "引用",
        "引文",
    ),
    "text": (
        "text",
        "fact",
        "content",
        "memory",
        "statement",
        "claim",
        "sentence",
        "summary",
        "description",
        "data",
        "note",
        "内容",
        "事实",
        "记忆",
        "陈述",
    ),
    "value": ("value", "object", "answer", "val", "detail", "details", "值", "取值"),
    "slot": (
        "slot",
        "attribute",
        "key",
        "predicate",
        "field",
        "topic",
        "property",
        "name",
        "label",
        "category",
        "类别",
        "属性",
        "槽位",
    ),
    "kind": ("kind", "type", "category", "memory_type", "class", "类型", "种类"),
    "subject": ("subject", "who", "person", "entity", "about", "主体", "主语"),
    "negative": ("negative", "negated", "negation", "is_negative", "否定"),
    "polarity": ("polarity", "sentiment", "极性"),
    "qualifiers": ("qualifiers", "conditions", "context", "qualifier", "condition", "条件"),
    "basis": ("basis", "evidence_type", "source_type", "依据"),
    "tone": ("tone", "emotion", "mood", "语气"),
    "lasting": ("lasting", "permanent", "persistent", "long_term", "长期"),
    "same": ("same", "duplicate_of", "repeats", "same_as"),
    "corrects": ("corrects", "correction", "correction_of", "replaces", "updates", "supersedes", "更正"),
    "confidence": ("confidence", "certainty", "score", "probability", "置信度"),
    "importance": ("importance", "salience", "priority", "重要性"),
}
KIND_ALIASES: Mapping[str, str] = {
    "like": "preference", "likes": "preference", "dislike": "preference", "dislikes": "preference", "interest": "preference",
    "interests": "preference", "hobby": "preference", "habit": "preference", "instruction": "preference", "taste": "preference",
    "personal": "identity", "personal_info": "identity", "personal_information": "identity", "demographic": "identity", "profile": "identity",
    "allergy": "constraint", "limitation": "constraint", "restriction": "constraint", "health": "constraint", "requirement": "constraint",
    "goal": "fact", "plan": "event", "work": "fact", "occupation": "fact", "skill": "fact", "attribute": "fact", "info": "fact",
    "relationship": "relation", "family": "relation", "appointment": "event", "mood": "state", "feeling": "state", "status": "state",
    "身份": "identity", "约束": "constraint", "偏好": "preference", "喜好": "preference", "事实": "fact", "关系": "relation", "事件": "event", "状态": "state",
}  # fmt: skip
_SLOT_OF_KIND = {"preference": "likes", "event": "event", "relation": "relation"}
_LEVELS = {"high": 0.9, "medium": 0.6, "moderate": 0.6, "low": 0.3, "高": 0.9, "中": 0.6, "低": 0.3}
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
        result = _candidate(piece, turns, known, catalogue)
        if isinstance(result, Candidate):
            found += [result] if result not in found else []
        else:
            dismissed.append(result)
    if len(pieces) > MOST_CLAIMS:
        dismissed.append(Dismissal(turns[0].id, f"{len(pieces) - MOST_CLAIMS} more claims", Reason.MALFORMED))
    return Parsed(found, dismissed, "", note)


def _candidate(
    piece: Mapping[str, Any], turns: Sequence[Turn], known: Sequence[MemoryItem], catalogue: Catalogue
) -> Candidate | Dismissal:
    quote, text, value = (_words(piece, field) for field in ("quote", "text", "value"))
    quote = quote or text or value
    if not quote:
        return Dismissal(turns[0].id, json.dumps(piece, ensure_ascii=False, default=str)[:WORDS], Reason.MALFORMED)
    turn = _turn(piece, quote, turns)
    if turn is None:
        return Dismissal(turns[0].id, quote[:WORDS], Reason.UNGROUNDED)
    note = _known(piece, "corrects", known) or _known(piece, "same", known)
    slot = note.slot if note else _slot(piece)
    kind = str(note.kind) if note else _kind(piece, slot, catalogue)
    return Candidate(
        kind=kind,
        slot=slot or _SLOT_OF_KIND.get(kind, "fact"),
        value=value or (note.value if note else "") or text or quote,
        text=text or quote,
        quote=quote,
        turn_id=turn.id,
        subject=note.subject if note else _subject(piece),
        qualifiers=_qualifiers(piece),
        polarity=_polarity(piece),
        basis=_one_of(
            piece, "basis", BASES, "explicit", {"stated": "explicit", "inferred": "implied", "behavior": "behaviour"}
        ),
        tone=_one_of(piece, "tone", TONES, "calm", {"angry": "emotional", "sad": "emotional", "upset": "emotional"}),
        correction=_known(piece, "corrects", known) is not None or _first(piece, "corrects") is True,
        lasting=_is_true(_first(piece, "lasting")),
        confidence=_share(_first(piece, "confidence"), 0.85),
        importance=_share(_first(piece, "importance"), 0.5),
    )


def _first(piece: Mapping[str, Any], field: str) -> Any:
    return next((piece[alias] for alias in ALIASES[field] if piece.get(alias) not in (None, "", [])), None)


def _words(piece: Mapping[str, Any], field: str) -> str:
    value = _first(piece, field)
    if isinstance(value, (list, tuple)):
        value = ", ".join(str(part) for part in value if isinstance(part, (str, int, float)))
    return str(value).strip() if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""


def _turn(piece: Mapping[str, Any], quote: str, turns: Sequence[Turn]) -> Turn | None:
    """The numbered turn if the quote stands there, else the turn where it stands, else the numbered or only one."""
    named = _numbered(_first(piece, "turn"), len(turns))
    by_id = next((turn for turn in turns if turn.id == str(_first(piece, "turn"))), None)
    stated = turns[named] if named is not None else by_id
    holding = [turn for turn in turns if TurnWords(turn.text).find(quote) is not None]
    if stated is not None and (stated in holding or not holding):
        return stated
    if holding:
        return holding[0]
    return turns[0] if len(turns) == 1 else None


def _numbered(value: Any, count: int) -> int | None:
    """0-based place of a 1-based number such as 2, "2", "[2]" or "Message 2"; None when it is none of them."""
    if isinstance(value, bool) or value is None:
        return None
    match = re.fullmatch(
        r"\D*(\d{1,4})\D*", str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    )
    place = int(match[1]) - 1 if match else -1
    return place if 0 <= place < count else None


def _known(piece: Mapping[str, Any], field: str, known: Sequence[MemoryItem]) -> MemoryItem | None:
    place = _numbered(_first(piece, field), len(known))
    return known[place] if place is not None else None


def _slot(piece: Mapping[str, Any]) -> str:
    for alias in ALIASES["slot"]:
        value = piece.get(alias)
        if isinstance(value, str) and value.strip() and folded(value).strip() not in KINDS:
            return re.sub(r"[\s/-]+", "_", folded(value).strip())[:80]
    return ""


def _kind(piece: Mapping[str, Any], slot: str, catalogue: Catalogue) -> str:
    for alias in ALIASES["kind"]:
        name = re.sub(r"[\s-]+", "_", folded(str(piece.get(alias, ""))).strip())
        if name in KINDS:
            return name
        if name in KIND_ALIASES:
            return KIND_ALIASES[name]
    listed = catalogue.slot(slot)
    return str(listed.kind) if listed else "fact"


def _subject(piece: Mapping[str, Any]) -> str:
    subject = _words(piece, "subject")
    lowered = folded(subject)
    own = cues("about_user").opens(lowered) or cues("first_person").opens(lowered)
    return "user" if not subject or (own and len(lowered.split()) <= 2) else subject[:80]


def _qualifiers(piece: Mapping[str, Any]) -> tuple[str, ...]:
    value = _first(piece, "qualifiers")
    if isinstance(value, Mapping):
        value = [f"{part}" for part in value.values()]
    parts: Iterable[Any] = value if isinstance(value, (list, tuple)) else [value]
    return tuple(str(part).strip()[:80] for part in parts if isinstance(part, (str, int, float)) and str(part).strip())[
        :6
    ]


def _polarity(piece: Mapping[str, Any]) -> int:
    if _is_true(_first(piece, "negative")):
        return -1
    polarity = _first(piece, "polarity")
    if isinstance(polarity, (int, float)) and not isinstance(polarity, bool):
        return -1 if polarity < 0 else 1
    return -1 if str(polarity).casefold() in ("negative", "neg", "dislike", "deny", "否定", "负面", "-1") else 1


def _one_of(
    piece: Mapping[str, Any], field: str, names: Sequence[str], otherwise: str, others: Mapping[str, str]
) -> str:
    name = str(_first(piece, field)).casefold()
    return name if name in names else others.get(name, otherwise)


def _is_true(value: Any) -> bool:
    return value is True or str(value).casefold() in ("true", "yes", "1", "是", "真")


def _share(value: Any, otherwise: float) -> float:
    """0..1 from 0.8, 80, "80%" or "high"; `otherwise` for anything else."""
    if isinstance(value, str):
        level = _LEVELS.get(value.strip().casefold())
        if level is not None:
            return level
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%?\s*", value)
        value = float(match[1]) if match else None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return otherwise
    number = value / 100 if 1 < value <= 100 else float(value)
    return number if 0.0 < number <= 1.0 else otherwise
