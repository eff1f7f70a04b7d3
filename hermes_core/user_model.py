"""The user model: a read-only profile drawn from a user's items, in layers and slots, with relations and conclusions (U1-U5).

A value: nothing in it can be changed, and nothing here writes. `aggregate`, the rule behind conclusions, lives in
hermes_core.conclusions and is offered here under the model's name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

import msgspec

from hermes_core.catalogue import Catalogue
from hermes_core.conclusions import aggregate, is_conclusion
from hermes_core.config import Config
from hermes_core.decay import asleep, strength
from hermes_core.fencing import looks_like_instruction, neutralise
from hermes_core.items import Kind, Layer, MemoryItem, Sensitivity, Status, Value
from hermes_core.likeness import qualifier_set
from hermes_core.user_state import UserState

__all__ = ["Belief", "Conclusion", "Edge", "Trait", "UserModel", "aggregate", "draw", "render"]

USER = "user"


class Belief(Value, frozen=True, kw_only=True):
    """One item as the profile shows it; `awake` is False when it has faded under the threshold of strength (F10)."""

    item_id: str
    value: str
    text: str
    polarity: int = 1
    qualifiers: tuple[str, ...] = ()
    confidence: float = 0.0
    strength: float = 0.0
    status: Status = Status.CANDIDATE
    updated_at: datetime
    language: str = "en"
    awake: bool = True
    inferred: bool = False
    suspicious: bool = False
    sensitive: bool = False
    visible_to: tuple[str, ...] = ()
    sentences: tuple[str, str] = ("", "")  # the catalogue's sentence in English and Chinese, where it has one


class Trait(Value, frozen=True, kw_only=True):
    """One slot of one subject: its beliefs, the surest first, and whether two of them exclude each other."""

    subject: str
    slot: str
    kind: Kind
    layer: Layer
    beliefs: tuple[Belief, ...]
    conflicted: bool = False

    @property
    def value(self) -> str:
        """The surest value."""
        return self.beliefs[0].value

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(belief.value for belief in self.beliefs)

    @property
    def confidence(self) -> float:
        return self.beliefs[0].confidence

    @property
    def status(self) -> Status:
        return self.beliefs[0].status

    @property
    def updated_at(self) -> datetime:
        return max(belief.updated_at for belief in self.beliefs)

    @property
    def item_ids(self) -> tuple[str, ...]:
        return tuple(belief.item_id for belief in self.beliefs)


class Edge(Value, frozen=True, kw_only=True):
    """U3: a relation between the user (or someone) and someone or something."""

    subject: str
    relation: str
    object: str
    item_id: str
    confidence: float = 0.0
    status: Status = Status.CANDIDATE


class Observation(Value, frozen=True, kw_only=True):
    """An item that a conclusion rests on, in the user's words."""

    item_id: str
    text: str


class Conclusion(Value, frozen=True, kw_only=True):
    """U2: what several observations say together; it names them."""

    item_id: str
    subject: str
    slot: str
    value: str
    text: str
    confidence: float
    status: Status
    observations: tuple[Observation, ...]


class UserModel(Value, frozen=True, kw_only=True):
    """One user's profile at one version; mappings by slot are read-only, everything else is a tuple or a value (U4)."""

    user_id: str
    version: int
    taken_at: datetime
    static: Mapping[str, Trait]
    dynamic: Mapping[str, Trait]
    current: Mapping[str, Trait]
    others: Mapping[str, tuple[Trait, ...]]
    relations: tuple[Edge, ...] = ()
    conclusions: tuple[Conclusion, ...] = ()

    def __iter__(self) -> Any:
        """The user's own traits: static, dynamic, current."""
        yield from self.static.values()
        yield from self.dynamic.values()
        yield from self.current.values()

    def slot(self, name: str) -> Trait | None:
        """The user's trait of this slot, in whichever layer it lies."""
        return self.static.get(name) or self.dynamic.get(name) or self.current.get(name)

    def model_dump(self) -> dict[str, Any]:
        """The profile as plain JSON types."""
        layers = {name: {k: t.model_dump() for k, t in getattr(self, name).items()} for name in _LAYERS}
        return {
            "user_id": self.user_id,
            "version": self.version,
            "taken_at": msgspec.to_builtins(self.taken_at),
            **layers,
            "others": {who: [t.model_dump() for t in traits] for who, traits in self.others.items()},
            "relations": [edge.model_dump() for edge in self.relations],
            "conclusions": [conclusion.model_dump() for conclusion in self.conclusions],
        }

    def render(
        self, task: str = "", language: str = "en", agent: str | None = None, consent: bool = False
    ) -> tuple[str, ...]:
        """Short lines for a task, as `render`."""
        return render(self, task, language, agent, consent=consent)


_LAYERS = ("static", "dynamic", "current")


def draw(state: UserState, now: datetime, config: Config, catalogue: Catalogue | None = None) -> UserModel:
    """U1-U4: the profile of a state as of `now`. Archived items are no part of it; others' facts are kept apart (X3)."""
    items = sorted(state.live.values(), key=_order)
    traits = _traits(items, now, config, catalogue)
    own = [trait for trait in traits if trait.subject == USER]
    others: dict[str, list[Trait]] = {}
    for trait in traits:
        if trait.subject != USER:
            others.setdefault(trait.subject, []).append(trait)
    return UserModel(
        user_id=state.user_id,
        version=state.version,
        taken_at=now,
        static=_layer(own, Layer.STATIC),
        dynamic=_layer(own, Layer.DYNAMIC),
        current=_layer([t for t in own if any(b.awake for b in t.beliefs)], Layer.SHORT_TERM),
        others=MappingProxyType({who: tuple(found) for who, found in sorted(others.items())}),
        relations=tuple(_edge(item) for item in items if item.kind is Kind.RELATION),
        conclusions=tuple(_conclusion(item, state) for item in items if is_conclusion(item)),
    )


# What a task asks of the profile: kinds in the order of their lines (R7). "" is any other task.
TASK_KINDS: Mapping[str, tuple[Kind, ...]] = {
    "": (Kind.IDENTITY, Kind.CONSTRAINT, Kind.PREFERENCE, Kind.FACT, Kind.RELATION, Kind.STATE, Kind.EVENT),
    "recommendation": (Kind.CONSTRAINT, Kind.PREFERENCE, Kind.STATE),
    "question_answering": (Kind.CONSTRAINT, Kind.IDENTITY, Kind.FACT, Kind.PREFERENCE),
    "writing": (Kind.PREFERENCE, Kind.IDENTITY, Kind.FACT),
    "support": (Kind.CONSTRAINT, Kind.FACT, Kind.STATE, Kind.EVENT),
}


def render(
    model: UserModel,
    task: str = "",
    language: str = "en",
    agent: str | None = None,
    *,
    consent: bool = False,
    kinds: Iterable[Kind | str] | None = None,
    most: int | None = None,
) -> tuple[str, ...]:
    """Short lines of the profile for one task and language, the surest first within each kind (U1, R7).

    Left out: what this agent may not see (U5: `visible_to` names others, or `kinds` excludes it), sensitive beliefs
    without `consent` (C8), faded, stale and suspicious ones. Candidates are worded as uncertain. `most` caps the lines.
    """
    wanted = TASK_KINDS.get(task, TASK_KINDS[""])
    if kinds is not None:
        allowed = {str(kind) for kind in kinds}
        wanted = tuple(kind for kind in wanted if kind.value in allowed)
    traits = sorted((t for t in model if t.kind in wanted), key=lambda t: (wanted.index(t.kind), -t.confidence, t.slot))
    lines = [_line(belief, language) for trait in traits for belief in trait.beliefs if _shown(belief, agent, consent)]
    return tuple(lines[:most])


def _shown(belief: Belief, agent: str | None, consent: bool) -> bool:
    if belief.visible_to and agent not in belief.visible_to:
        return False
    if belief.suspicious or (belief.sensitive and not consent) or looks_like_instruction(belief.text):
        return False
    return belief.awake and belief.status is not Status.STALE


def _line(belief: Belief, language: str) -> str:
    chinese = language.lower().startswith("zh")
    own = belief.language.startswith("zh") == chinese
    text = neutralise(belief.text if own else belief.sentences[chinese] or belief.text)
    if belief.inferred:
        return (
            f"{text}（由几次提到的情况归纳，尚未确认）"
            if chinese
            else f"{text} (drawn from several remarks, not confirmed)"
        )
    if belief.status is Status.CANDIDATE:
        return f"{text}（尚未确认）" if chinese else f"{text} (not confirmed)"
    return text


def _order(item: MemoryItem) -> tuple[Any, ...]:
    """Frozen, then confirmed, then the rest; the surest, the latest, then the id, so that equal states draw equal models."""
    rank = {Status.FROZEN: 0, Status.UNLOCKED: 0, Status.CONFIRMED: 1, Status.CANDIDATE: 2, Status.STALE: 3}
    return rank.get(item.status, 4), -item.confidence, -item.said_at.timestamp(), item.id


def _traits(items: list[MemoryItem], now: datetime, config: Config, catalogue: Catalogue | None) -> list[Trait]:
    groups: dict[tuple[str, str, Layer], list[MemoryItem]] = {}
    for item in items:
        groups.setdefault((item.subject, item.slot, item.layer), []).append(item)
    return [
        Trait(
            subject=subject,
            slot=slot,
            kind=group[0].kind,
            layer=layer,
            beliefs=tuple(_belief(item, now, config, catalogue) for item in group),
            conflicted=_conflicted(group, catalogue),
        )
        for (subject, slot, layer), group in sorted(groups.items())
    ]


def _belief(item: MemoryItem, now: datetime, config: Config, catalogue: Catalogue | None) -> Belief:
    slot = catalogue.slot(item.slot) if catalogue is not None else None
    plain = slot is not None and item.polarity > 0 and not item.qualifiers
    return Belief(
        item_id=item.id,
        value=item.value,
        text=item.text,
        polarity=item.polarity,
        qualifiers=item.qualifiers,
        confidence=item.confidence,
        strength=strength(item, now),
        status=item.status,
        updated_at=item.confirmed_at,
        language=item.language,
        awake=not asleep(item, now, config),
        inferred=is_conclusion(item),
        suspicious=item.suspicious,
        sensitive=item.sensitivity is Sensitivity.SENSITIVE,
        visible_to=item.visible_to,
        sentences=(slot.render(item.value, "en"), slot.render(item.value, "zh")) if plain and slot else ("", ""),
    )


def _conflicted(group: list[MemoryItem], catalogue: Catalogue | None) -> bool:
    live = [item for item in group if item.status is not Status.STALE]
    return any(_exclude(a, b, catalogue) for i, a in enumerate(live) for b in live[i + 1 :])


def _exclude(a: MemoryItem, b: MemoryItem, catalogue: Catalogue | None) -> bool:
    if a.contested_by == b.id or b.contested_by == a.id:
        return True
    if qualifier_set(a.qualifiers) != qualifier_set(b.qualifiers):
        return False
    if a.value == b.value:
        return a.polarity != b.polarity
    if a.polarity > 0 and b.polarity > 0:
        opposite = catalogue is not None and b.value in catalogue.opposites(a.slot, a.value)
        return opposite or (a.exclusive and b.exclusive)
    return False


def _layer(traits: list[Trait], layer: Layer) -> Mapping[str, Trait]:
    return MappingProxyType({trait.slot: trait for trait in traits if trait.layer is layer})


def _edge(item: MemoryItem) -> Edge:
    relation = item.qualifiers[0] if item.slot == "relation" and item.qualifiers else item.slot
    return Edge(
        subject=item.subject,
        relation=relation,
        object=item.value,
        item_id=item.id,
        confidence=item.confidence,
        status=item.status,
    )


def _conclusion(item: MemoryItem, state: UserState) -> Conclusion:
    found = ((item_id, state.get(item_id)) for item_id in item.derived_from)
    return Conclusion(
        item_id=item.id,
        subject=item.subject,
        slot=item.slot,
        value=item.value,
        text=item.text,
        confidence=item.confidence,
        status=item.status,
        observations=tuple(Observation(item_id=i, text=known.text) for i, known in found if known is not None),
    )
