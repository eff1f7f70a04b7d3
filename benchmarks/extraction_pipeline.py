"""The product's write path in memory, for measuring: extract, ground, screen, and decide on one user's state."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

import numpy as np

from hermes_core.catalogue import Catalogue
from hermes_core.changes import Change
from hermes_core.config import Config
from hermes_core.decide import decide
from hermes_core.embedding.calibration import calibration_for
from hermes_core.errors import ExtractionFailed
from hermes_core.extraction.asking import asks
from hermes_core.extraction.grounding import ground_all
from hermes_core.extraction.screen import Screened, screen
from hermes_core.items import Candidate, MemoryItem, Turn
from hermes_core.ports import Dismissal, Embedder, Extraction, Extractor
from hermes_core.rivalry import may_deny
from hermes_core.shell.claims import Found, claim_of, cleaned
from hermes_core.tokens import TiktokenCounter
from hermes_core.user_state import UserState

START = datetime(2026, 1, 5, 9, tzinfo=timezone.utc)


@dataclass
class Answer:
    """What one batch of turns led to."""

    kept: list[Screened]
    dismissed: list[Dismissal]

    @property
    def texts(self) -> list[str]:
        return [one.candidate.text for one in self.kept]

    @property
    def about_user(self) -> list[Screened]:
        return [one for one in self.kept if one.candidate.subject == "user"]


class Pipeline:
    """One extractor behind the product's own steps; `turns` and `seconds` add up over all calls."""

    def __init__(self, extractor: Extractor, embedder: Embedder, config: Config | None = None) -> None:
        self.extractor, self.embedder = extractor, embedder
        self.config = config or Config()
        self.catalogue = Catalogue.default()
        self.calibrate = calibration_for(embedder).calibrate
        self.turns = 0
        self.seconds = 0.0
        self._reasons: Counter[str] = Counter()

    def reasons(self) -> dict[str, int]:
        return dict(self._reasons.most_common())

    def take(self, texts: list[str], *, together: bool = False, session: str = "s") -> list[Answer]:
        """One Answer per text; each text a turn of a fresh user, or all of one session (`together`)."""
        turns = [turn(text, f"t{n}", session=session, minutes=n) for n, text in enumerate(texts)]
        if together:
            return self.answers(turns)
        return [self.answers([one])[0] for one in turns]

    def answers(self, turns: list[Turn], known: list[MemoryItem] | None = None) -> list[Answer]:
        by_id = {one.id: one for one in turns}
        started = time.perf_counter()
        try:
            extraction = self.extractor.extract(turns, known or [])
        except ExtractionFailed as error:
            extraction = Extraction([], [Dismissal(turns[0].id, str(error), "extractor_failed")])
        dismissed = list(getattr(extraction, "dismissed", ()))
        usable: list[Candidate] = []
        for raw in extraction:
            candidate = cleaned(raw, by_id, self.catalogue)
            (dismissed if isinstance(candidate, Dismissal) else usable).append(candidate)
        grounded, refused = ground_all(usable, by_id, catalogue=self.catalogue)
        dismissed += refused
        kept = []
        for one in grounded:
            screened = screen(one.candidate, by_id[one.candidate.turn_id], self.config)
            (dismissed if isinstance(screened, Dismissal) else kept).append(screened)
        self.seconds += time.perf_counter() - started
        self.turns += len(turns)
        self._reasons.update(str(d.reason) for d in dismissed)
        self._reasons["kept"] += len(kept)
        return [
            Answer([k for k in kept if k.candidate.turn_id == one.id], [d for d in dismissed if d.turn_id == one.id])
            for one in turns
        ]

    def would_confirm(self, one: Screened) -> bool:
        """Whether the claim alone would rise above candidate: explicit, calm, sure enough, not suspicious."""
        claim = one.candidate
        sure = claim.confidence >= self.config.freeze.confirmed_at_once
        return sure and claim.basis == "explicit" and claim.tone == "calm" and not one.suspicious

    def similarity(self, left: list[str], right: list[str]) -> np.ndarray:
        """Calibrated similarities [len(left), len(right)]."""
        if not left or not right:
            return np.zeros((len(left), len(right)))
        return np.asarray(self.calibrate(self.embedder.embed(left) @ self.embedder.embed(right).T))


def turn(text: str, turn_id: str, *, session: str = "s", minutes: float = 0.0, asked: str = "") -> Turn:
    at, seq = START + timedelta(minutes=minutes), int(minutes) + 1
    return Turn(id=turn_id, user_id="u", session_id=session, role="user", text=text, said_at=at, seq=seq, asked=asked)


@dataclass
class Memory:
    """One user's memory in memory: what the gates made of the turns fed so far."""

    pipeline: Pipeline
    state: UserState = field(default_factory=lambda: UserState("u"))
    changes: list[Change] = field(default_factory=list)
    vectors: dict[str, np.ndarray] = field(default_factory=dict)
    fed: int = 0

    def feed(self, text: str, session: str, asked: str = "") -> Answer:
        """One turn, a day after the one before; `asked` is what the other speaker said directly before it."""
        self.fed += 1
        one = turn(text, f"t{self.fed}", session=session, minutes=self.fed * 1440, asked=asked if asks(asked) else "")
        answer = self.pipeline.answers([one], self._near(text))[0]
        for kept in answer.kept:
            vector = self.pipeline.embedder.embed([kept.candidate.text])[0]
            found = Found(one, kept.candidate, kept.salience, kept.suspicious, vector, np.zeros(0, np.uint32))
            claim = claim_of(
                found, self._similar(vector), self.pipeline.catalogue, TiktokenCounter(), "u", forgotten=False
            )
            changes = decide(self.state, claim, self.pipeline.config)
            for change in changes:
                if change.item_id and change.item_id not in self.vectors:
                    self.vectors[change.item_id] = vector
            self.state = self.state.apply(changes)
            self.changes.extend(changes)
        return answer

    def _similar(self, vector: np.ndarray) -> dict[str, float]:
        if not self.vectors:
            return {}
        ids = list(self.vectors)
        scores = self.pipeline.calibrate(np.stack([self.vectors[i] for i in ids]) @ vector)
        near = self.pipeline.config.similarity
        ranked = sorted(zip(ids, map(float, scores), strict=True), key=lambda pair: -pair[1])[: near.shortlist]
        return {item_id: score for item_id, score in ranked if score >= near.near}

    def _near(self, text: str) -> list[MemoryItem]:
        similar = self._similar(self.pipeline.embedder.embed([text[:2000]])[0])
        near = [item for item_id in similar if (item := self.state.get(item_id)) is not None]
        denied = (i for i in self.state.live.values() if i.id not in similar and may_deny(text[:2000], i.text))
        return [*near, *denied][: self.pipeline.config.similarity.shortlist]

    @property
    def current(self) -> list[MemoryItem]:
        """What would be told as it stands: live, not waiting for re-confirmation."""
        return [item for item in self.state.live.values() if item.status != "stale"]
