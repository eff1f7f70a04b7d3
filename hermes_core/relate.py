"""How a claim stands to a known item: same, refines, complements, contradicts, unrelated (W12, W13).

Structure decides: subject, kind, slot, value, qualifiers, polarity. Similarity only breaks ties between free texts
(two opposite wordings can be closer than two paraphrases). No decision about statuses may live here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from hermes_core.compatible import both_hold
from hermes_core.config import Config
from hermes_core.items import (
    Basis,
    Candidate,
    Evidence,
    HeldOverride,
    Kind,
    MemoryItem,
    Sensitivity,
    Tone,
    Turn,
    _Text,
)
from hermes_core.likeness import Likeness, dimension, likeness_of, loose, normal, qualifier_set, same_liking
from hermes_core.occasions import limits, times
from hermes_core.opposites import ends_apart, may_oppose, side_by_side, turned
from hermes_core.rivalry import Statement, another_value, denied, may_deny, rivals, set_against
from hermes_core.singular import another_of_one, none_at_all
from hermes_core.traits import clash
from hermes_core.user_state import UserState


class Relation(_Text):
    """W12, W13."""

    SAME = "same"
    REFINES = "refines"
    COMPLEMENTS = "complements"
    CONTRADICTS = "contradicts"
    UNRELATED = "unrelated"


@dataclass(frozen=True)
class Claim:
    """One grounded candidate, ready for the rules. `similar` holds calibrated similarities to the near items only."""

    candidate: Candidate
    turn: Turn
    item_id: str
    tokens: int
    language: str
    kind: Kind
    exclusive: bool
    half_life_days: float | None
    high_impact: bool
    timeless: bool
    sensitivity: Sensitivity
    visible_to: tuple[str, ...]
    suspicious: bool
    salience: float
    similar: Mapping[str, float]
    forgotten: bool
    opposite: tuple[str, ...] = ()  # values that this value excludes, where the catalogue says so

    @property
    def basis(self) -> Basis:
        return Basis(self.candidate.basis)

    @property
    def emotional(self) -> bool:
        return self.candidate.tone == Tone.EMOTIONAL

    @property
    def clear(self) -> bool:
        """Said explicitly, calmly, and not aimed at anything but memory."""
        return self.basis is Basis.EXPLICIT and not self.emotional and not self.suspicious

    @property
    def correcting(self) -> bool:
        """The user says that the earlier no longer holds, or how it shall be from now on."""
        return self.candidate.correction or self.candidate.lasting

    @property
    def nearest(self) -> float:
        return max(self.similar.values(), default=0.0)

    @property
    def evidence(self) -> Evidence:
        turn = self.turn
        return Evidence(
            session_id=turn.session_id,
            turn_id=turn.id,
            quote=self.candidate.quote,
            said_at=turn.said_at,
            seq=turn.seq,
            tone=Tone(self.candidate.tone),
            basis=self.basis,
            asked=self.candidate.asked,
        )

    def override(self, confidence: float, reason: str, *, awaiting_approval: bool = False) -> HeldOverride:
        """F5: the claim as something kept beside the item that it speaks against."""
        c = self.candidate
        return HeldOverride(
            value=c.value,
            text=c.text,
            polarity=c.polarity,
            qualifiers=c.qualifiers,
            confidence=confidence,
            reason=str(reason),
            awaiting_approval=awaiting_approval,
            tokens=self.tokens,
            language=self.language,
            item_id=self.item_id,
            evidence=(self.evidence,),
        )

    def relation(self, item: MemoryItem, config: Config) -> Relation:
        return relate(self, item, config)


# ---- the relation
def relate(claim: Claim, item: MemoryItem, config: Config) -> Relation:
    """How the claim stands to the item: by structure, and where that keeps them apart by what near texts say."""
    relation = _relation(claim, item, config)
    if relation is Relation.CONTRADICTS and both_hold(claim.candidate.text, item.text):
        return Relation.COMPLEMENTS
    return relation


def _relation(claim: Claim, item: MemoryItem, config: Config) -> Relation:
    relation = _relate_by_structure(claim, item, config)
    if relation is Relation.CONTRADICTS and _both_hold(claim, item):
        return Relation.COMPLEMENTS
    apart = relation in (Relation.COMPLEMENTS, Relation.UNRELATED)
    if apart and _rivals(claim, item, config):
        return Relation.CONTRADICTS
    if apart and _empties(claim, item):
        return Relation.CONTRADICTS
    if relation in (Relation.SAME, Relation.REFINES) and _only_looks_alike(claim, item):
        return Relation.CONTRADICTS
    if relation in (Relation.SAME, Relation.REFINES) and not claim.high_impact:
        return _said_otherwise(claim, item, relation)
    return relation


_BECAME = re.compile(
    r"\b(?:mov(?:e|ed|ing)|start(?:ed)?|began|joined|became|got|switched|changed|now|new)\b|搬|入职|换|改|开始|结了?婚|离了?婚|毕业|现在|了$",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(  # how somebody else stands, or another word: "single-minded", 「已婚朋友」
    r"\b(?:single|married|divorced|engaged)(?:-\w| (?:friends?|people|colleagues?|couples?|rooms?|beds?|malt|track)\b)"
    r"|(?:单身|已婚|未婚|离异|离婚)的?(?:朋友|同事|人士|公寓|群|同学|姐妹|证|率|协议|派对)",
    re.IGNORECASE,
)


def _both_hold(claim: Claim, item: MemoryItem) -> bool:
    """Two values of a slot that has one, each of another time or of something else: the known one is not superseded."""
    c = claim.candidate
    if claim.correcting or c.polarity != item.polarity or normal(c.value) == normal(item.value):
        return False
    if side_by_side(c.text, item.text) or (_OF_ANOTHER.search(c.text) and not clash(c.text, item.text)):
        return True
    apart = (limits(c.text) ^ limits(item.text)) - times(c.value) - times(item.value)
    return bool(apart) and not _BECAME.search(c.text)


def _said_otherwise(claim: Claim, item: MemoryItem, relation: Relation) -> Relation:
    """The opposite of a thing, or what was once, is no confirmation of it however near the words are."""
    c = claim.candidate
    if c.polarity == item.polarity and turned(c.text, item.text):
        return Relation.COMPLEMENTS if claim.kind in _MANY or item.high_impact else Relation.CONTRADICTS
    past = times(c.text) ^ times(item.text) == {"then"}
    return Relation.COMPLEMENTS if past or ends_apart(c.text, item.text) else relation


_PASTIMES = frozenset(
    f"{domain}.likes" for domain in ("books", "games", "movies", "music", "sports", "art", "travel", "shows")
)


def _pastime(slot: str) -> str:
    return "hobbies" if slot in _PASTIMES or slot == "hobbies" else ""


def _empties(claim: Claim, item: MemoryItem) -> bool:
    """ "I don't have any pets" beside "I have two cats", whichever was said first."""
    c = claim.candidate
    if normal(c.subject) != normal(item.subject) or claim.high_impact or item.high_impact or item.polarity < 0:
        return False
    mine, theirs = none_at_all(c.text), none_at_all(item.text)
    if not (mine or theirs) or mine == theirs:
        return False
    return (mine or c.slot) == (theirs or item.slot) or (mine or theirs) == "hobbies" == _pastime(
        c.slot if theirs else item.slot
    )


def _only_looks_alike(claim: Claim, item: MemoryItem) -> bool:
    """Taken for a paraphrase by nearness or by a short value: one denies the other, or, of others, has another filler."""
    c = claim.candidate
    if normal(c.text) == normal(item.text):
        return False
    if normal(c.subject) == "user":
        plain = not (claim.high_impact or item.high_impact) and c.polarity == item.polarity
        if not plain:
            return False
        if clash(c.text, item.text) or may_oppose(c.text, item.text):
            return True
        if another_of_one(c.text, item.text, _years(claim, item)):
            return True
        return denied(Statement(c.subject, c.text), Statement(item.subject, item.text))
    new, old = Statement(c.subject, c.text, c.polarity), Statement(item.subject, item.text, item.polarity)
    return set_against(new, old) or another_value(new, old)


_MANY = (Kind.PREFERENCE, Kind.CONSTRAINT)  # kinds of which many hold at once


def _rivals(claim: Claim, item: MemoryItem, config: Config) -> bool:
    """Near texts that can't both hold; never on a matter of life, and never between two likings or limits."""
    c = claim.candidate
    near = claim.similar.get(item.id, 0.0) >= config.similarity.near or may_deny(c.text, item.text)
    if not near or claim.high_impact or item.high_impact:
        return False
    if _elsewhere(c.qualifiers, c.value) != _elsewhere(item.qualifiers, item.value):
        return False
    many = claim.kind in _MANY and item.kind in _MANY
    years = _years(claim, item)
    new = Statement(c.subject, c.text, c.polarity, years[0])
    return rivals(new, Statement(item.subject, item.text, item.polarity, years[1]), many=many)


def _years(claim: Claim, item: MemoryItem) -> tuple[int, int]:
    """In which years the two were said: "last year" is told from there."""
    return claim.turn.said_at.year, item.said_at.year


def _elsewhere(qualifiers: Iterable[str], value: str) -> frozenset[str]:
    """When and where it holds, without what is only the value itself: "my favourite season is summer"."""
    return qualifier_set(q for q in qualifiers if normal(q) not in normal(value))


def _relate_by_structure(claim: Claim, item: MemoryItem, config: Config) -> Relation:
    """UNRELATED across subjects, and across slots unless neither slot says anything."""
    c = claim.candidate
    if normal(c.subject) != normal(item.subject):
        return Relation.UNRELATED
    slot, polarity = dimension(c.slot, c.polarity)
    item_slot, item_polarity = dimension(item.slot, item.polarity)
    similarity = claim.similar.get(item.id, 0.0)
    if slot != item_slot and not same_liking(slot, item_slot, c.value, item.value):
        return _relate_loosely(claim, item, similarity, config)
    exclusive = claim.exclusive or item.exclusive
    likeness = likeness_of(c.value, item.value, similarity, exclusive, config)
    agree = polarity == item_polarity
    mine, theirs = qualifier_set(c.qualifiers), qualifier_set(item.qualifiers)
    if likeness is Likeness.NEGATED:
        likeness, agree = Likeness.EQUAL, not agree
    if likeness is Likeness.EQUAL:
        return _relate_equal(claim, item, agree, mine, theirs)
    if agree and polarity > 0 and mine == theirs and normal(item.value) in {normal(v) for v in claim.opposite}:
        return Relation.CONTRADICTS
    if likeness is Likeness.NARROWER and agree and mine == theirs:
        return Relation.REFINES
    if exclusive and agree and polarity > 0 and mine == theirs:
        return Relation.CONTRADICTS
    return Relation.COMPLEMENTS


def _relate_equal(
    claim: Claim, item: MemoryItem, agree: bool, mine: frozenset[str], theirs: frozenset[str]
) -> Relation:
    if not agree:
        return Relation.CONTRADICTS if mine <= theirs else Relation.COMPLEMENTS
    if mine != theirs:
        return Relation.REFINES
    return Relation.SAME if _kinds_meet(claim.kind, item.kind) else Relation.COMPLEMENTS


def _kinds_meet(one: Kind, other: Kind) -> bool:
    """W12 asks for one kind; a short-term state may be the observation of something durable (W5, F19)."""
    return one is other or Kind.STATE in (one, other)


def _relate_loosely(claim: Claim, item: MemoryItem, similarity: float, config: Config) -> Relation:
    """Slots that say nothing don't tell claims apart; near-identical texts then do."""
    c = claim.candidate
    if not (loose(c.slot) or loose(item.slot)) or similarity < config.similarity.same:
        return Relation.UNRELATED
    if claim.kind is not item.kind or qualifier_set(c.qualifiers) != qualifier_set(item.qualifiers):
        return Relation.UNRELATED
    if likeness_of(c.value, item.value, similarity, False, config) is not Likeness.EQUAL:
        return Relation.UNRELATED
    return Relation.SAME if c.polarity == item.polarity else Relation.CONTRADICTS


# ---- all of a user's items that a claim has to do with
@dataclass(frozen=True)
class Related:
    """The related items by relation, live ones; `asleep` are archived items that say the same (nearest first)."""

    same: tuple[MemoryItem, ...] = ()
    conflicts: tuple[MemoryItem, ...] = ()
    refined: tuple[MemoryItem, ...] = ()
    complemented: tuple[MemoryItem, ...] = ()
    archived: tuple[MemoryItem, ...] = ()


def related(state: UserState, claim: Claim, config: Config) -> Related:
    """Everything in the state that the claim stands in a relation to, each group in a fixed order."""
    found: dict[Relation, list[MemoryItem]] = {relation: [] for relation in Relation}
    for item in _shortlist(state, claim):
        found[relate(claim, item, config)].append(item)
    if not found[Relation.CONTRADICTS]:
        _correct_only_one(claim, found)
    return Related(
        same=tuple(found[Relation.SAME]),
        conflicts=tuple(found[Relation.CONTRADICTS]),
        refined=tuple(found[Relation.REFINES]),
        complemented=tuple(found[Relation.COMPLEMENTS]),
        archived=tuple(_archived(state, claim, config)),
    )


def _shortlist(state: UserState, claim: Claim) -> Iterator[MemoryItem]:
    """Live items of the claim's dimension, the near ones, and what it may deny; in order of similarity, then id."""
    slot, _ = dimension(claim.candidate.slot, 1)
    value = claim.candidate.value
    near = {i: state.live[i] for i in claim.similar if i in state.live}
    for item in state.live.values():
        theirs = dimension(item.slot, 1)[0]
        if theirs == slot or same_liking(slot, theirs, value, item.value) or may_deny(claim.candidate.text, item.text):
            near[item.id] = item
    yield from sorted(near.values(), key=lambda item: (-claim.similar.get(item.id, 0.0), item.id))


def _archived(state: UserState, claim: Claim, config: Config) -> Iterator[MemoryItem]:
    """F14: what went cold by time or for lack of room, is near enough, and says the same."""
    near = sorted(claim.similar.items(), key=lambda pair: (-pair[1], pair[0]))
    for item_id, similarity in near:
        if similarity < config.similarity.wake or item_id not in state.archive:
            continue
        item = state.archive[item_id]
        if item.archived_because in ("sealed", "evicted") and relate(claim, item, config) is Relation.SAME:
            yield item


def _correct_only_one(claim: Claim, found: dict[Relation, list[MemoryItem]]) -> None:
    """An explicit correction that names no rival corrects the only item of its slot, unless a life may hang on it.

    One that denies names what it denies: "I'm not vegetarian anymore" leaves "I can't eat shellfish" alone.
    """
    if not claim.candidate.correction or claim.candidate.polarity < 0 or found[Relation.SAME]:
        return
    slot, polarity = dimension(claim.candidate.slot, claim.candidate.polarity)
    mates = [
        item
        for item in (*found[Relation.COMPLEMENTS], *found[Relation.REFINES])
        if dimension(item.slot, item.polarity) == (slot, polarity) and item.kind is claim.kind
    ]
    if len(mates) == 1 and not mates[0].high_impact and not loose(slot):
        mate = mates[0]
        for group in (found[Relation.COMPLEMENTS], found[Relation.REFINES]):
            if mate in group:
                group.remove(mate)
        found[Relation.CONTRADICTS].append(mate)
