"""The offline extractor: bilingual, no model call, no network (W3). The default, and the last link of every chain.

Clauses are cut (clauses.py), read by grammar (reading.py), matched with frames and meaning, judged (judging.py) and
worded as claims (claims.py). It decides nothing about room, freezing or conflict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from hermes_core.catalogue import Catalogue
from hermes_core.embedding import DefaultEmbedder
from hermes_core.errors import InvalidInput
from hermes_core.extraction.answers import NOTHING, Answered, Completed, completed
from hermes_core.extraction.asides import asides_of, shown
from hermes_core.extraction.claims import Claims, Draft, merged
from hermes_core.extraction.clauses import Clause, clauses_of
from hermes_core.extraction.contrasts import put_right, told_apart
from hermes_core.extraction.denials import denying
from hermes_core.extraction.endings import begun, ended
from hermes_core.extraction.frames import NO_MATCH, PREFERENCE, Match, load_frames
from hermes_core.extraction.judging import HEATED, grammar_forbids, judge, part_of_request
from hermes_core.extraction.lexicon import LANGUAGES, Lexicon, load_lexicon, plain
from hermes_core.extraction.meaning import Meaning
from hermes_core.extraction.reading import DROPPED, SELF, Reader, Reading, as_if_present
from hermes_core.extraction.reversals import meant_so
from hermes_core.extraction.revisions import earlier_of, revised
from hermes_core.extraction.several import each
from hermes_core.extraction.standing import goes_on
from hermes_core.extraction.turn_words import TurnWords
from hermes_core.extraction.unmeant import placed_in_time, unmeant
from hermes_core.extraction.updates import revises_known, tells_trait
from hermes_core.items import Candidate, Kind, MemoryItem, Status, Turn
from hermes_core.ports import Dismissal, Embedder, Extraction
from hermes_core.reasons import Reason

LONGEST_ASIDE = 200  # characters of it that the trail shows
AGREED = 0.75  # confidence of a yes or a no to the asker's words: under what freezes or overrules at once
BREATH = 6  # clauses of a turn that are said in one mood


@dataclass(frozen=True)
class _Found:
    """Drafts that grammar lets through, and what it did not."""

    drafts: list[Draft]
    dismissed: list[Dismissal]
    rest: list[Draft]


class LocalExtractor:
    """W3: claims in the user's turns by grammar and meaning. The same turns give the same answer (law R)."""

    name = "local"

    def __init__(
        self,
        catalogue: Catalogue | None = None,
        embedder: Embedder | None = None,
        *,
        lexicon_paths: Sequence[str | Path] = (),
        frame_paths: Sequence[str | Path] = (),
    ) -> None:
        self.catalogue = catalogue or Catalogue.default()
        self.embedder: Embedder = embedder or DefaultEmbedder()
        self._lexicon = load_lexicon(lexicon_paths)
        self._reader = Reader(self._lexicon)
        self._frames = load_frames(frame_paths)
        if frame_paths and (unknown := sorted(name for name in self._frames.slots if name not in self.catalogue)):
            raise InvalidInput(
                f"frames name slots that the catalogue lacks: {', '.join(unknown)}; load them with Catalogue.load"
            )
        self._meaning = Meaning(self.catalogue, self.embedder)
        self._claims = Claims(self.catalogue, self._lexicon)

    def extract(self, turns: Sequence[Turn], known: Sequence[MemoryItem]) -> Extraction:
        """The claims of the user's turns with a reason for every clause that gave none; never raises on odd text."""
        found = _Found([], [], [])
        answers: dict[str, tuple[Turn, Completed]] = {}
        for turn in turns:
            if turn.role == "user":
                answered = completed(turn)
                self._read(turn, found, known, answered, slot=answered.slot)
                for number, one in enumerate(answered.statements):
                    said = msgspec.structs.replace(turn, id=f"{turn.id}\x1f{number}", text=one.statement, asked="")
                    answers[said.id] = (turn, one)
                    self._read(said, found, known, heat=self._heat(turn), slot=answered.slot)
        senses = self._meaning.senses([draft.reading for draft in found.drafts])
        kept: list[Draft] = []
        for draft, sense in zip(found.drafts, senses, strict=True):
            verdict = judge(
                draft.reading,
                draft.match,
                sense,
                self._lexicon,
                draft.heat,
                ironic=draft.ironic,
                answered=draft.turn.id in answers,
            )
            if (reason := verdict.reason) is not None and (
                revises_known(draft.reading, reason, known) or tells_trait(draft.reading, reason, draft.heat)
            ):
                verdict = replace(verdict, reason=None)
            if verdict.reason is None:
                kept.append(self._claims.placed(draft, verdict, sense))
            else:
                found.rest.append(replace(draft, refused=str(verdict.reason)))
                found.dismissed.append(Dismissal(draft.turn.id, draft.reading.clause.text, verdict.reason))
        candidates: list[Candidate] = []
        for draft in merged(kept, found.rest):
            told = self._meant(draft)
            if not told:
                found.dismissed.append(Dismissal(draft.turn.id, draft.reading.clause.text, Reason.LOW_SALIENCE))
            for worded in told:
                candidates += [_answer(c, answers) for c in self._settled(worded, draft, known, candidates)]
            if told and (pet := self._claims.of_pet(draft)) is not None:
                candidates.append(_answer(pet, answers))
        candidates += self._in_passing(found, candidates)
        candidates, righted = self._put_right(turns, known, candidates)
        dismissed = [_of_answer(d, answers) for d in found.dismissed if not _is_told_by(d.turn_id, d.words, righted)]
        return Extraction(candidates, dismissed, by=self.name)

    def _meant(self, draft: Draft) -> tuple[Candidate, ...]:
        before = draft.turn.text[: draft.reading.clause.start]
        claim = meant_so(self._claims.worded(draft), draft.reading, self.catalogue, before)
        if claim is None:
            return ()
        return each(claim, draft.reading.clause.said(draft.match.value), self.catalogue)

    def _settled(
        self, worded: Candidate, draft: Draft, known: Sequence[MemoryItem], candidates: Sequence[Candidate]
    ) -> list[Candidate]:
        """What a claim comes to beside what is known and was said before: what it takes back, corrects, ends or begins."""
        earlier = earlier_of(known, candidates)
        claim = denying(worded, draft.reading, earlier, self.catalogue)
        current = earlier_of([i for i in known if i.status is not Status.ARCHIVED], candidates)
        claim = begun(revised(claim, earlier, self.catalogue), current)
        over = ended(claim, draft.reading, current)
        return [over] if over is not None and claim.kind == Kind.EVENT else [c for c in (claim, over) if c]

    def _in_passing(self, found: _Found, claims: Sequence[Candidate]) -> list[Candidate]:
        """What clauses that made no claim take for granted, once each; their dismissals are taken back."""
        asking = {d.turn_id for d in found.dismissed if d.reason == Reason.ONE_OFF_REQUEST}
        known = {(c.slot, c.value) for c in claims}
        told = []
        for draft in found.rest:
            claim = None if draft.turn.id in asking or draft.ironic else self._claims.in_passing(draft)
            if claim is not None and (claim.slot, claim.value) not in known:
                known.add((claim.slot, claim.value))
                told.append(claim)
                words = draft.reading.clause.text
                found.dismissed[:] = [d for d in found.dismissed if (d.turn_id, d.words) != (draft.turn.id, words)]
        return told

    def _put_right(
        self, turns: Sequence[Turn], known: Sequence[MemoryItem], claims: Sequence[Candidate]
    ) -> tuple[list[Candidate], list[Candidate]]:
        """All claims with those that put something right by its old and new word; and these alone."""
        stands = sorted((i for i in known if i.status is not Status.ARCHIVED), key=lambda i: (i.said_at, i.id))
        earlier: list[MemoryItem | Candidate] = [*stands]
        told, all_righted = [], []
        for turn in turns:
            if turn.role != "user":
                continue
            own = [c for c in claims if c.turn_id == turn.id]
            righted = put_right(turn, [*earlier, *own], self.catalogue, self._heat(turn) >= HEATED)
            own = [c for c in own if not _is_told_by(c.turn_id, c.quote, righted)]
            own = told_apart(turn, own, self.catalogue)
            told += own + righted
            earlier += own + righted
            all_righted += righted
        return told, all_righted

    def _heat(self, turn: Turn) -> float:
        """The emotion of the user's own words, for what they answer."""
        return max(self._reader.emotion(turn.text, language) for language in LANGUAGES)

    def _read(
        self,
        turn: Turn,
        found: _Found,
        known: Sequence[MemoryItem],
        answered: Answered = NOTHING,
        heat: float = 0.0,
        slot: str = "",
    ) -> None:
        words = TurnWords(turn.text)
        found.dismissed.extend(_left_aside(turn, words))
        if answered.unanswered:
            found.dismissed.append(Dismissal(turn.id, turn.text[:LONGEST_ASIDE], Reason.UNANSWERED))
        clauses = [self._better_read(c) for c in clauses_of(words) if not _within(c, answered)]
        readings = self._reader.read_all(clauses)
        ironic = False
        if len(readings) <= BREATH:
            heat = max([heat, *(r.emotion for r in readings)])
            ironic = any(r.sarcastic and not r.question for r in readings)
        for reading in readings:
            if _orders_on(reading, readings, self._lexicon):
                reading = replace(reading, standing=True, lasting=True)
            reason = self._forbidden(reading, readings)
            if reason is not None and revises_known(reading, reason, known):
                reason = None
            if reason is None and unmeant(reading, turn.text):
                reason = Reason.HYPOTHETICAL
            match = (
                None if reason else self._frames.match(as_if_present(reading.meant or reading.core), reading.language)
            )
            if match is None:
                found.rest.append(Draft(turn, reading, NO_MATCH, refused=str(reason or "")))
                found.dismissed.append(Dismissal(turn.id, reading.clause.text, reason or Reason.NOTHING_FOUND))
            else:
                asked = slot if reading is readings[0] and _tells(reading, match) else ""
                placed = placed_in_time(reading, replace(match, slot=asked or match.slot))
                found.drafts.append(Draft(turn, reading, placed, heat=heat, ironic=ironic))

    def _better_read(self, clause: Clause) -> Clause:
        """A clause that switches between languages, in the one whose frames say more of what it is about."""
        otherwise = clause.otherwise()
        return clause if otherwise is clause else max(clause, otherwise, key=self._frames_say)

    def _frames_say(self, clause: Clause) -> int:
        reading = self._reader.read(clause)
        match = self._frames.match(as_if_present(reading.core), reading.language)
        if reading.standing:
            return 2
        if match is None or not match.slot:
            return 0
        return 1 if match.slot == PREFERENCE else 2

    def _forbidden(self, reading: Reading, turn: Sequence[Reading]) -> Reason | None:
        if reason := grammar_forbids(reading, self._lexicon):
            return reason
        return Reason.ONE_OFF_REQUEST if part_of_request(reading, turn, self._lexicon) else None


def _orders_on(reading: Reading, turn: Sequence[Reading], lexicon: Lexicon) -> bool:
    """ "Reply in French, but use English for code": the second order of a sentence lasts as the first one does."""
    if not reading.request or reading.standing or not goes_on(plain(reading.core)):
        return False
    before = [r for r in turn if r.clause.sentence == reading.clause.sentence and r.clause.index < reading.clause.index]
    return any(r.request and grammar_forbids(r, lexicon) is None for r in before)


# What tells who somebody is or where: a question about that settles the slot.
_TELLS = re.compile(
    r"(?:i am|i'm|i work|i live|i study|it's|it is|my \w+ (?:is|was)|for|at|in|as)\s|我?(?:也|现在|目前|就|可|本来|以前)*(?:是|在|叫|姓|住|做|学|今年)|我?(?:的)?(?:家|老家|家乡)(?:在|是)",
    re.IGNORECASE,
)


def _tells(reading: Reading, match: Match) -> bool:
    """Whether a clause that no frame places can be what the question before it asked for."""
    return (
        not match.slot
        and not reading.negated
        and reading.person in (SELF, DROPPED)
        and _TELLS.match(plain(reading.core)) is not None
    )


def _is_told_by(turn_id: str, words: str, righted: Sequence[Candidate]) -> bool:
    """Whether these words of a turn are part of a correction, and no statement of their own."""
    return any(turn_id == one.turn_id and words.strip() in one.quote for one in righted)


def _within(clause: Clause, answered: Answered) -> bool:
    """Whether a clause is part of an answer, and is read completed by its question."""
    return any(one.start <= clause.start and clause.end <= one.end for one in answered.statements)


def _answer(claim: Candidate, answers: Mapping[str, tuple[Turn, Completed]]) -> Candidate:
    """The claim of a completed answer: the user's own words are its quote, and it says which question they answer."""
    if claim.turn_id not in answers:
        return claim
    turn, one = answers[claim.turn_id]
    return msgspec.structs.replace(
        claim,
        turn_id=turn.id,
        quote=turn.text[one.start : one.end],
        asked=one.question,
        agreed=one.agreed,
        confidence=min(claim.confidence, AGREED) if one.agreed else claim.confidence,
    )


def _of_answer(dismissal: Dismissal, answers: Mapping[str, tuple[Turn, Completed]]) -> Dismissal:
    if dismissal.turn_id not in answers:
        return dismissal
    turn, one = answers[dismissal.turn_id]
    return Dismissal(turn.id, turn.text[one.start : one.end], dismissal.reason)


def _left_aside(turn: Turn, words: TurnWords) -> Iterator[Dismissal]:
    """Why the stretches that nobody reads as the user's statements gave nothing."""
    text = words.text[: words.cut]
    for aside in asides_of(text):
        yield Dismissal(turn.id, shown(text, aside)[:LONGEST_ASIDE], aside.reason)
