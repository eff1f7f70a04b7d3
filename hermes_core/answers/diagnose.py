"""`diagnose`: which stage lost a statement that should have been remembered, and what to do about it (C3).

A pure function over what the stages left behind: turns, their records, the trail, the state, a context block.
It changes nothing and reads no store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hermes_core.answers.explain import describe, shorten
from hermes_core.answers.likeness import SAME_WORDS, Likeness, Similarity
from hermes_core.answers.stages import ADVICE, LEFT_OUT_WORDS, STAGE_OF_LEFT_OUT, STAGE_OF_REASON, Stage
from hermes_core.answers.words import is_chinese, pick, reason_words
from hermes_core.catalogue import Catalogue
from hermes_core.changes import Change, Event
from hermes_core.config import Config
from hermes_core.decay import asleep, strength
from hermes_core.entities import sentences
from hermes_core.items import MemoryItem, Status, Turn
from hermes_core.reasons import Reason
from hermes_core.user_state import UserState
from hermes_core.views import ContextBlock, Diagnosis

Record = Callable[[str], "Mapping[str, Any] | None"]

LEXICAL_TURNS = 48  # turns looked at for their words, and the latest ones besides
LATEST_TURNS = 96
ARCHIVED_ITEMS = 48  # archived items looked at for their words
CLEARLY = 0.02  # similarity by which a refused claim must fit better than an item
CHANGES_TOLD = 8  # lines of the trail in the facts


def diagnose(
    statement: str,
    *,
    turns: Sequence[Turn],
    record: Record,
    trail: Iterable[Change],
    state: UserState,
    block: ContextBlock,
    similarity: Similarity | None = None,
    forgotten: bool = False,
    now: datetime,
    config: Config,
    language: str = "en",
    catalogue: Catalogue | None = None,
) -> Diagnosis:
    """C3: where the statement ended (a Stage), the reason code, and advice in the language.

    `turns` and `trail` are the user's, `record` looks a turn's record up, `block` is a context that was asked for the
    statement, `similarity` compares texts with the statement, `forgotten` says whether a tombstone covers it.
    The catalogue (the shipped one by default) tells the values of one slot apart.
    """
    case = _Case(
        statement,
        tuple(trail),
        state,
        block,
        Likeness(statement, similarity),
        now,
        config,
        catalogue or Catalogue.default(),
    )
    said = case.turns_that_say_it(turns)
    verdict = case.verdict(said, turns, record, forgotten)
    return _told(case, verdict, said, language)


@dataclass(frozen=True)
class _Verdict:
    stage: Stage
    reason: str
    item: MemoryItem | None = None
    turn: Turn | None = None
    change: Change | None = None


class _Case:
    """One statement and everything known about its way through the stages."""

    def __init__(
        self,
        statement: str,
        trail: tuple[Change, ...],
        state: UserState,
        block: ContextBlock,
        like: Likeness,
        now: datetime,
        config: Config,
        catalogue: Catalogue,
    ) -> None:
        self.catalogue = catalogue
        self.statement = statement
        self.trail = trail
        self.state = state
        self.block = block
        self.like = like
        self.now = now
        self.config = config

    def turns_that_say_it(self, turns: Sequence[Turn]) -> tuple[Turn, ...]:
        """The user's turns with a sentence that is the statement, the likest (then the latest) first."""
        own = [turn for turn in turns if turn.role == "user"]
        by_words = sorted(own, key=lambda turn: (-self.like.by_words(turn.text), -turn.seq))[:LEXICAL_TURNS]
        looked_at = list({turn.id: turn for turn in (*by_words, *own[-LATEST_TURNS:])}.values())
        parts = {turn.id: (*sentences(turn.text), turn.text[:400]) for turn in looked_at}
        self.like.ask(part for spoken in parts.values() for part in spoken)
        same = self.config.similarity.same
        saying = [turn for turn in looked_at if any(self.like.says(part, same) for part in parts[turn.id])]
        found = [(max(map(self.like.of, parts[turn.id])), turn) for turn in saying]
        return tuple(turn for _, turn in sorted(found, key=lambda row: (-row[0], -row[1].seq)))

    def verdict(self, said: Sequence[Turn], turns: Sequence[Turn], record: Record, forgotten: bool) -> _Verdict:
        """What fits the statement best decides: an item, or a claim that became none; then tombstones and records."""
        score, item = self._item(said)
        refused = self._refused(said)
        if item is not None and (refused is None or score + CLEARLY >= self.like.of(_claim(refused))):
            if item.status is Status.ARCHIVED:
                return self._archived(item, said)
            return self._merged(item, said) or self._live(item, said)
        if forgotten:
            return _Verdict(Stage.FORGOTTEN, Reason.FORGOTTEN_BY_USER.value, turn=_first(said))
        if not said:
            echoed = any(t.role != "user" and self.like.by_words(t.text) >= SAME_WORDS for t in turns)
            return _Verdict(Stage.NEVER_SAID, "only_assistant" if echoed else "no_words")
        return self._lost(said, refused, record)

    def _item(self, said: Sequence[Turn]) -> tuple[float, MemoryItem | None]:
        """The item that holds the statement and how well: the likest, a live one before an archived one."""
        cited = {turn.id for turn in said}
        live = list(self.state.live.values())
        archived = list(self._archived_near(cited))
        self.like.ask(text for item in (*live, *archived) for text in _texts(item, cited))
        scored = [(self._score(item, cited), item) for item in (*live, *archived)]
        best = max(scored, key=self._preferred, default=None)
        return best if best is not None and best[0] > 0 else (0.0, None)

    def _preferred(self, row: tuple[float, MemoryItem]) -> tuple[float, float, bool, datetime, str]:
        """The likest; among equals the one that says little else, then the live one, then the latest."""
        score, item = row
        return (
            round(score, 3),
            self.like.closeness(item.text),
            item.status is not Status.ARCHIVED,
            item.said_at,
            item.id,
        )

    def _archived_near(self, cited: set[str]) -> Iterable[MemoryItem]:
        """Archived items that the trail ties to the statement's turns, and those that share its words."""
        tied = {c.item_id for c in self.trail if c.cause.turn_id in cited and c.item_id in self.state.archive}
        wordy = sorted(
            (item for item in self.state.archive.values() if self.like.by_words(item.text) > 0),
            key=lambda item: (-self.like.by_words(item.text), item.id),
        )[:ARCHIVED_ITEMS]
        return {item.id: item for item in (*(self.state.archive[i] for i in tied if i), *wordy)}.values()

    def _score(self, item: MemoryItem, cited: set[str]) -> float:
        """0 when the item does not hold the statement; a cited turn lowers what its words must reach."""
        quoted = any(e.turn_id in cited and self.like.by_words(e.quote) >= SAME_WORDS for e in item.evidence)
        if not quoted and self._other_value(item):
            return 0.0
        best = max(map(self.like.of, _texts(item, cited)), default=0.0)
        near = self.config.similarity
        from_it = any(e.turn_id in cited for e in item.evidence)
        return best if best >= (near.relevant if from_it else near.same) else 0.0

    def _other_value(self, item: MemoryItem) -> bool:
        """The statement names another of the slot's listed values ("allergic to eggs" is not "allergic to peanuts")."""
        named = self.catalogue.find(item.slot, self.statement)
        own = {self.catalogue.find(item.slot, words) for words in (item.value, item.text)} - {None}
        return named is not None and bool(own) and named not in own

    def _merged(self, item: MemoryItem, said: Sequence[Turn]) -> _Verdict | None:
        """Counted as another wording of an item that does not say the statement itself."""
        cited = {turn.id: turn for turn in said}
        if self.like.of(item.text) >= self.config.similarity.same:
            return None
        for change in self.trail:
            turn = cited.get(change.cause.turn_id or "")
            if turn is not None and change.item_id == item.id and change.event in (Event.CONFIRMED, Event.NOTED):
                return _Verdict(Stage.MERGED_INTO, change.reason, item, turn, change)
        return None

    def _live(self, item: MemoryItem, said: Sequence[Turn]) -> _Verdict:
        turn = _first(said)
        if item.status is Status.STALE:  # even if shown: as something to ask about, not as a fact
            return _Verdict(Stage.ASLEEP, "stale", item, turn)
        if any(shown.id == item.id for shown in self.block.items):
            return _Verdict(Stage.REMEMBERED, "shown", item, turn)
        why = next((out.reason for out in self.block.left_out if out.item_id == item.id), "")
        if why:
            return _Verdict(STAGE_OF_LEFT_OUT.get(why, Stage.RANKED_OUT), why, item, turn)
        if asleep(item, self.now, self.config):
            return _Verdict(Stage.ASLEEP, "asleep", item, turn)
        return _Verdict(Stage.RANKED_OUT, "not_ranked", item, turn)

    def _archived(self, item: MemoryItem, said: Sequence[Turn]) -> _Verdict:
        turn = _first(said)
        last = next((c for c in reversed(self.trail) if c.item_id == item.id and c.status is Status.ARCHIVED), None)
        if any(shown.id == item.id for shown in self.block.items):
            return _Verdict(Stage.REMEMBERED, "shown", item, turn, last)
        reason = last.reason if last is not None else (item.archived_because or "asleep")
        gone = last is not None and last.event in (Event.SUPERSEDED, Event.WITHDRAWN)
        if gone or item.superseded_by is not None:
            return _Verdict(Stage.SUPERSEDED, reason, item, turn, last)
        return _Verdict(Stage.ASLEEP, reason, item, turn, last)

    def _refused(self, said: Sequence[Turn]) -> Change | None:
        """The claim of the statement's turns that fits it best and was refused or held by a rule."""
        cited = {turn.id for turn in said}
        losses = [c for c in self.trail if c.cause.turn_id in cited and c.event in (Event.REFUSED, Event.HELD)]
        telling = [c for c in losses if c.reason != Reason.NOTHING_FOUND.value]
        self.like.ask(map(_claim, telling))
        return max(telling, key=lambda c: (self.like.of(_claim(c)), c.version, c.seq), default=None)

    def _lost(self, said: Sequence[Turn], refused: Change | None, record: Record) -> _Verdict:
        """No item holds it: what was dropped, the refusal that fits it best, else the turn's record."""
        cited = {turn.id: turn for turn in said}
        dropped = self._dropped(cited)
        if dropped is not None:
            return dropped
        if refused is not None:
            stage = STAGE_OF_REASON.get(refused.reason, Stage.REFUSED_BY_GATE)
            known = self.state.get(refused.item_id) if refused.item_id else None
            return _Verdict(stage, refused.reason, known, cited[refused.cause.turn_id or ""], refused)
        turn = said[0]
        waits = str((record(turn.id) or {}).get("state") or "")
        return _Verdict(Stage.NOT_EXTRACTED, waits if waits in ("pending", "set_aside") else "nothing_found", turn=turn)

    def _dropped(self, cited: Mapping[str, Turn]) -> _Verdict | None:
        """An item was made of it and is gone: evicted or compacted away by the bounded gate, or forgotten."""
        made = {c.item_id: c for c in self.trail if c.event is Event.ADMITTED and c.cause.turn_id in cited}
        gone = [c for c in self.trail if c.item_id in made and c.status is Status.FORGOTTEN]
        fitting = [c for c in gone if c.after is None or self.like.of(c.after.text) >= self.config.similarity.relevant]
        if not fitting:
            return None
        last = fitting[-1]
        turn = cited[made[last.item_id].cause.turn_id or ""]
        stage = Stage.FORGOTTEN if last.event is Event.FORGOTTEN else Stage.REFUSED_BY_GATE
        return _Verdict(stage, last.reason, turn=turn, change=last)


def _first(said: Sequence[Turn]) -> Turn | None:
    return said[0] if said else None


def _texts(item: MemoryItem, cited: set[str]) -> tuple[str, ...]:
    """The item's own words, and the user's where they come from the statement's turns."""
    return (item.text, *(e.quote for e in item.evidence if e.turn_id in cited))


def _claim(change: Change) -> str:
    return change.claim or change.detail


def _told(case: _Case, verdict: _Verdict, said: Sequence[Turn], language: str) -> Diagnosis:
    item, turn, change = verdict.item, verdict.turn, verdict.change
    facts: dict[str, Any] = {"turns": [t.id for t in said[:CHANGES_TOLD]], "version": case.state.version}
    if item is not None:
        facts["item"] = item.text
        facts["status"] = item.status.value
        facts["strength"] = round(strength(item, case.now), 4)
    if turn is not None:
        facts["said"] = shorten(turn.text)
        facts["session"] = turn.session_id
    ids = {item.id} if item is not None else set()
    lines = [c for c in case.trail if c.item_id in ids or (turn is not None and c.cause.turn_id == turn.id)]
    facts["changes"] = [describe(c, language) for c in lines[-CHANGES_TOLD:]]
    return Diagnosis(
        statement=case.statement,
        stage=verdict.stage.value,
        reason=verdict.reason,
        item_id=item.id if item is not None else (change.item_id if change is not None else None),
        turn_id=turn.id if turn is not None else None,
        text=_sentence(verdict, language),
        facts=facts,
    )


def _sentence(verdict: _Verdict, language: str) -> str:
    words = LEFT_OUT_WORDS.get(verdict.reason)
    why = pick(words, language) if words is not None else reason_words(verdict.reason, language)
    advice = pick(ADVICE[verdict.stage], language)
    about = f"「{shorten(verdict.item.text)}」" if verdict.item is not None else ""
    if is_chinese(language):
        return f"{about}{why}。{advice}"
    quoted = f"“{shorten(verdict.item.text)}”: " if verdict.item is not None else ""
    return f"{quoted}{why[:1].upper()}{why[1:]}. {advice}"
