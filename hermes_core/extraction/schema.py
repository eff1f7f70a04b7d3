"""The one shape in which a model answers (W2): field names, meanings and their JSON Schema.

Nothing here reads an answer (parsing.py does) or writes a prompt (prompt.py does). No example holds a fact that
could pass for a user's (X1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hermes_core.items import Basis, Kind, Tone

CLAIMS = "claims"
KINDS = tuple(str(kind) for kind in Kind)
BASES = tuple(str(basis) for basis in Basis)
TONES = tuple(str(tone) for tone in Tone)

# field -> what it means, in the words of the prompt; the order is the order in which a model is to think.
FIELDS: Mapping[str, str] = {
    "turn": "number of the message",
    "quote": "words copied exactly from that message, in its language, enough to stand alone",
    "subject": '"user", or who else it is about',
    "kind": " | ".join(KINDS),
    "slot": "what it is about: a name from the list below, else a new short one",
    "value": "the answer for that slot, in the user's own words",
    "negative": "true if denied or disliked",
    "qualifiers": "list of conditions (when, where, for whom)",
    "basis": "explicit (says it) | behaviour (does it) | implied (shows it)",
    "tone": " | ".join(TONES),
    "lasting": "true if meant from now on",
    "same": "number of the known note that it repeats, or null",
    "corrects": "number of the known note that it says is wrong or over, or null",
    "confidence": "0 to 1",
    "importance": "0 to 1",
}
REQUIRED = ("turn", "quote", "kind", "slot", "value")


def response_schema() -> dict[str, Any]:
    """The JSON Schema of an answer, for models with structured output or tool calls (a fresh dict each time)."""
    return {
        "type": "object",
        "properties": {CLAIMS: {"type": "array", "items": _claim_schema()}},
        "required": [CLAIMS],
        "additionalProperties": False,
    }


def _claim_schema() -> dict[str, Any]:
    text: dict[str, Any] = {"type": "string"}
    share: dict[str, Any] = {"type": "number", "minimum": 0, "maximum": 1}
    number: dict[str, Any] = {"type": ["integer", "null"], "minimum": 1}
    return {
        "type": "object",
        "properties": {
            "turn": {"type": "integer", "minimum": 1},
            "quote": text,
            "subject": text,
            "kind": {"type": "string", "enum": list(KINDS)},
            "slot": text,
            "value": text,
            "negative": {"type": "boolean"},
            "qualifiers": {"type": "array", "items": text},
            "basis": {"type": "string", "enum": list(BASES)},
            "tone": {"type": "string", "enum": list(TONES)},
            "lasting": {"type": "boolean"},
            "same": number,
            "corrects": number,
            "confidence": share,
            "importance": share,
        },
        "required": list(REQUIRED),
        "additionalProperties": False,
    }
