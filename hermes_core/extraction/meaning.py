"""What a clause is and which slot it speaks about: the trained head where it fits the embedder, the catalogue's example
sentences everywhere else (also for slots that users add). No word list and no I/O may live here.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hermes_core.catalogue import Catalogue
from hermes_core.extraction.head import CLASSES, Head, load_head
from hermes_core.extraction.reading import Reading
from hermes_core.extraction.spelling import spelt
from hermes_core.ports import Embedder, Vector, Vectors

NEIGHBOURS = 3  # examples that vote for a slot
EVENTFUL = 0.5  # probability of an event
UNRELATED, SAME = 0.4, 0.8  # mean cosine of the nearest examples that counts as 0 and as 1


class Sense(NamedTuple):
    """One clause: probability of each class (None without a head), how well each slot fits, 0..1, and
    how close it is to the slot's usual sentences (cosine)."""

    classes: dict[str, float] | None
    slots: dict[str, float]
    typical: dict[str, float]

    @property
    def happens(self) -> bool:
        """Whether the clause tells of something that happens rather than of how things are."""
        return self.classes is not None and self.classes["event"] > max(self.classes["self"], EVENTFUL)

    @property
    def typicality(self) -> float:
        """Closeness to the usual sentences of the best slot."""
        return self.typical.get(self.best()[0], 0.0)

    def best(self, among: Sequence[str] | None = None) -> tuple[str, float]:
        """The best slot and its fit, of all or of those given; ("", 0) when there is none."""
        names = self.slots if among is None else [n for n in among if n in self.slots]
        return max(((n, self.slots[n]) for n in names), key=lambda pair: pair[1], default=("", 0.0))


class Meaning:
    """Senses of clauses. Pure once the examples it needs are embedded (at the first call); safe from any thread."""

    def __init__(self, catalogue: Catalogue, embedder: Embedder) -> None:
        self._embedder = embedder
        self.head: Head | None = load_head(embedder.name)
        trained = frozenset(self.head.slot_names) if self.head else frozenset()
        self._nearest = tuple(slot for slot in catalogue if slot.name not in trained and slot.examples)
        self._lock = threading.Lock()
        self._examples: Vectors | None = None
        self._owner = np.zeros(0, dtype=np.int64)

    def senses(self, readings: Sequence[Reading]) -> list[Sense]:
        """One Sense per reading; one batch for the embedder."""
        if not readings:
            return []
        vectors = self._embedder.embed([spelt(reading.spoken) for reading in readings])
        near = self._near(vectors)
        if self.head is None:
            return [Sense(None, row, row) for row in near]
        judged = self.head.judge(vectors, readings)
        return [
            Sense(
                dict(zip(CLASSES, map(float, classes), strict=True)),
                {**dict(zip(self.head.slot_names, map(float, slots), strict=True)), **_outdone(extra, typical)},
                {**dict(zip(self.head.slot_names, map(float, typical), strict=True)), **extra},
            )
            for classes, slots, typical, extra in zip(*judged, near, strict=True)
        ]

    def _near(self, vectors: Vectors) -> list[dict[str, float]]:
        if not self._nearest:
            return [{} for _ in vectors]
        cosines = vectors @ self._ready().T
        columns = {}
        for number, slot in enumerate(self._nearest):
            mine = cosines[:, self._owner == number]
            count = min(NEIGHBOURS, mine.shape[1])
            mean = np.partition(mine, -count, axis=1)[:, -count:].mean(axis=1)
            columns[slot.name] = np.clip((mean - UNRELATED) / (SAME - UNRELATED), 0.0, 1.0)
        return [{name: float(column[row]) for name, column in columns.items()} for row in range(len(vectors))]

    def _ready(self) -> Vectors:
        with self._lock:
            if self._examples is None:
                pairs = [(n, text) for n, s in enumerate(self._nearest) for g in s.examples.values() for text in g]
                self._owner = np.asarray([number for number, _ in pairs], dtype=np.int64)
                self._examples = self._embedder.embed([text for _, text in pairs])
            return self._examples


def _outdone(extra: dict[str, float], typical: Vector) -> dict[str, float]:
    """The fits of slots without training: above all others where their own examples are nearer than any prototype."""
    nearest = float(typical.max()) if len(typical) else 0.0
    return {name: fit + (UNRELATED + fit * (SAME - UNRELATED) >= nearest and fit > 0.0) for name, fit in extra.items()}
