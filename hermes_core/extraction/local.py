"""The offline extractor: bilingual, no model call, no network (W3). The default, and the last link of every chain.

Clauses are read by grammar (reading.py), placed in a slot by frames and meaning, and judged here. It never sees a
user's other items beyond the few `known` ones, and it decides nothing about room, freezing or conflict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes_core.catalogue import Catalogue, Slot
from hermes_core.embedding import DefaultEmbedder
from hermes_core.extraction.clauses import clauses_of
from hermes_core.extraction.frames import PREFERENCE, Match, load_frames
from hermes_core.extraction.lexicon import load_lexicon
from hermes_core.extraction.meaning import Meaning
from hermes_core.extraction.reading import DROPPED, ORDER, OTHER, SELF, THING, YOU, Reader, Reading
from hermes_core.extraction.turn_words import TurnWords
from hermes_core.items import Basis, Candidate, Kind, MemoryItem, Tone, Turn
from hermes_core.ports import Dismissal, Embedder, Extraction, Vector
from hermes_core.reasons import Reason

NEAR = 0.45  # mean cosine to a slot's examples from which a clause counts as speaking about it
SURE = 0.6
EMOTIONAL_FROM = 1.0


@dataclass(frozen=True)
class _Draft:
    reading: Reading
    match: Match
    turn: Turn


class LocalExtractor:
    """W3: claims in the user's turns by rule and meaning, about 5 ms a turn. Same turns, same answer (law R)."""

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
        self._reader = Reader(load_lexicon(lexicon_paths))
        self._frames = load_frames(frame_paths)
        self._meaning = Meaning(self.catalogue, self.embedder)
        self._tastes = tuple(s.name for s in self.catalogue if s.kind is Kind.PREFERENCE and "reply" not in s.name)

    def extract(self, turns: Sequence[Turn], known: Sequence[MemoryItem]) -> Extraction:
        """The claims of the user's turns with a reason for every clause that gave none; never raises on odd text."""
        drafts: list[_Draft] = []
        dismissed: list[Dismissal] = []
        for turn in turns:
            if turn.role != "user":
                continue
            for clause in clauses_of(TurnWords(turn.text)):
                reading = self._reader.read(clause)
                match = self._frames.match(reading.core, reading.language)
                reason = _no_statement(reading) if match else Reason.NOTHING_FOUND
                if reason is not None or match is None:
                    dismissed.append(Dismissal(turn.id, clause.text, reason or Reason.NOTHING_FOUND))
                else:
                    drafts.append(_Draft(reading, match, turn))
        found: list[Candidate] = []
        if drafts:
            vectors = self.embedder.embed([draft.reading.core for draft in drafts])
            for draft, scores in zip(drafts, self._meaning.scores(vectors), strict=True):
                judged = self._judge(draft, scores)
                if isinstance(judged, Candidate):
                    found.append(judged)
                else:
                    dismissed.append(judged)
        return Extraction(found, dismissed, by=self.name)

    def _judge(self, draft: _Draft, scores: Vector) -> Candidate | Dismissal:
        reading, match = draft.reading, draft.match
        slot, score = self._place(match, scores)
        if slot is None or (not match.slot and score < NEAR):
            return Dismissal(draft.turn.id, reading.clause.text, Reason.LOW_SALIENCE)
        emotional = reading.emotion >= EMOTIONAL_FROM or reading.sarcastic
        value = self.catalogue.find(slot.name, reading.core) if slot.values else None
        value = value or self.catalogue.normalise(slot.name, match.value)
        return Candidate(
            kind=str(slot.kind),
            slot=slot.name,
            value=value,
            text=reading.core[:1].upper() + reading.core[1:],
            quote=reading.clause.text,
            turn_id=draft.turn.id,
            subject="user" if reading.person != OTHER else (reading.subject or "someone"),
            polarity=match.polarity,
            exclusive=slot.exclusive,
            basis=str(Basis.EXPLICIT),
            tone=str(Tone.EMOTIONAL if emotional else Tone.CALM),
            correction=reading.correction,
            lasting=reading.lasting,
            confidence=0.9 if score >= SURE else 0.8,
            importance=slot.importance,
        )

    def _place(self, match: Match, scores: Vector) -> tuple[Slot | None, float]:
        if match.slot and match.slot != PREFERENCE:
            return self.catalogue.slot(match.slot), 1.0
        name, score = self._meaning.best(scores, self._tastes if match.slot == PREFERENCE else None)
        return self.catalogue.slot(name), score


def _no_statement(reading: Reading) -> Reason | None:
    if reading.question:
        return Reason.NOT_A_STATEMENT
    if reading.hypothetical:
        return Reason.HYPOTHETICAL
    if reading.request and not reading.lasting:
        return Reason.ONE_OFF_REQUEST
    if reading.person in (YOU, THING) or (reading.person == OTHER and not reading.subject):
        return Reason.NOT_A_STATEMENT
    if reading.person == DROPPED and not reading.speaks_of_self and len(reading.core) < 4:
        return Reason.SMALL_TALK
    return None


__all__ = ["DROPPED", "ORDER", "SELF", "LocalExtractor"]
