"""One claim-like object of a model's answer, under whatever names, read into a candidate (M2).

A piece that can't be one becomes a Dismissal. Nothing here looks for objects (parsing.py) or judges them (grounding.py).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hermes_core.catalogue import Catalogue
from hermes_core.extraction.cues import cues, folded
from hermes_core.extraction.schema import BASES, KINDS, TONES
from hermes_core.extraction.turn_words import TurnWords
from hermes_core.items import Candidate, MemoryItem, Turn
from hermes_core.ports import Dismissal
from hermes_core.reasons import Reason

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


def read_piece(
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
