"""What reads return: values with reasons. No rule may live here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from hermes_core.changes import Change
from hermes_core.items import MemoryItem, Value


class RecallHit(Value, frozen=True, kw_only=True):
    """One recalled item. `parts` names the score's factors (relevance, recency, importance, boost, …); `route` how it was found."""

    item: MemoryItem
    score: float
    relevance: float
    route: str
    parts: dict[str, float] = msgspec.field(default_factory=dict)
    woken: bool = False


class ContextLine(Value, frozen=True, kw_only=True):
    """One line of a context: the item behind it (None for frame, summary or turns), its level and why it is there.

    `turn_ids` are the user's turns that the line rests on: the item's evidence, or the turn that it quotes.
    """

    text: str
    item: MemoryItem | None = None
    level: str = ""
    reason: str = ""
    score: float = 0.0
    tokens: int = 0
    turn_ids: tuple[str, ...] = ()


class LeftOut(Value, frozen=True, kw_only=True):
    """An item that did not get in, and why: over_budget, over_items, per_topic, asleep, stale,
    superseded, not_relevant, no_consent, not_visible, suspicious.
    """

    item_id: str
    reason: str
    text: str = ""
    score: float = 0.0


class ContextBlock(Value, frozen=True, kw_only=True):
    """R1: what the model gets to see. `tokens` counts `text` and is <= `budget` (law B); `version` is the profile's (R9).

    `left_out` is worked out when it is first looked at; `model_dump()` does so too (msgspec's own encoders can't).
    """

    text: str
    tokens: int
    budget: int
    version: int
    lines: tuple[ContextLine, ...] = ()
    left_out: Sequence[LeftOut] = ()
    user_id: str = ""
    task: str = ""
    language: str = "en"

    @property
    def items(self) -> tuple[MemoryItem, ...]:
        return tuple([line.item for line in self.lines if line.item is not None])

    @property
    def turn_ids(self) -> tuple[str, ...]:
        """The turns behind the context, each once, in the order of the lines (law G)."""
        return tuple(dict.fromkeys(turn_id for line in self.lines for turn_id in line.turn_ids))

    def __str__(self) -> str:
        return self.text


class Explanation(Value, frozen=True, kw_only=True):
    """C2: an item, the user's words behind it, and the decisions that made it what it is."""

    item: MemoryItem
    trail: tuple[Change, ...]
    text: str = ""


class Diagnosis(Value, frozen=True, kw_only=True):
    """C3: the stage that lost a statement (or "remembered"), what was looked at, and what to do."""

    statement: str
    stage: str
    reason: str = ""
    item_id: str | None = None
    turn_id: str | None = None
    text: str = ""
    facts: dict[str, Any] = msgspec.field(default_factory=dict)


class Finding(Value, frozen=True, kw_only=True):
    """C7: an oddity or contradiction that the audit found."""

    rule: str
    item_ids: tuple[str, ...]
    text: str


class Stats(Value, frozen=True, kw_only=True):
    """C10: sizes and rates of one user or of the store."""

    user_id: str | None
    taken_at: datetime
    pools: dict[str, int] = msgspec.field(default_factory=dict)
    caps: dict[str, int] = msgspec.field(default_factory=dict)
    numbers: dict[str, float] = msgspec.field(default_factory=dict)
    warnings: tuple[str, ...] = ()


class Check(Value, frozen=True):
    """One thing that `doctor` looked at; `user_id` is empty for the store itself."""

    user_id: str
    name: str
    ok: bool
    text: str


class Checkup(Value, frozen=True, kw_only=True):
    """C12: what `doctor` found, and what it did."""

    healthy: bool
    users: int
    checks: tuple[Check, ...] = ()
    repaired: tuple[str, ...] = ()
