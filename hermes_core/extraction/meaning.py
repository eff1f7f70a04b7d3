"""Which slot a clause speaks about, by the catalogue's example sentences in embedding space (DESIGN §4.1, part 4 of W3).

Works with any embedder: the examples are embedded once, at the first clause. No word list and no I/O may live here.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from hermes_core.catalogue import Catalogue
from hermes_core.ports import Embedder, Vector, Vectors

NEIGHBOURS = 3  # examples that vote for a slot


class Meaning:
    """Slots by nearest example sentences. `scores` is pure once the examples are embedded; safe from any thread."""

    def __init__(self, catalogue: Catalogue, embedder: Embedder) -> None:
        self.names = catalogue.names()
        self._catalogue = catalogue
        self._embedder = embedder
        self._lock = threading.Lock()
        self._examples: Vectors | None = None
        self._owner: np.ndarray = np.zeros(0, dtype=np.int64)

    def _ready(self) -> Vectors:
        with self._lock:
            if self._examples is None:
                sentences: list[str] = []
                owner: list[int] = []
                for number, slot in enumerate(self._catalogue):
                    for group in slot.examples.values():
                        sentences.extend(group)
                        owner.extend([number] * len(group))
                self._owner = np.asarray(owner, dtype=np.int64)
                self._examples = self._embedder.embed(sentences)
            return self._examples

    def scores(self, vectors: Vectors) -> Vectors:
        """float32 [n, slots]: mean cosine of the nearest NEIGHBOURS examples of each slot."""
        examples = self._ready()
        near = vectors @ examples.T
        out = np.full((len(vectors), len(self.names)), -1.0, dtype=np.float32)
        for number in range(len(self.names)):
            mine = near[:, self._owner == number]
            if mine.shape[1]:
                k = min(NEIGHBOURS, mine.shape[1])
                out[:, number] = np.partition(mine, -k, axis=1)[:, -k:].mean(axis=1)
        return out

    def best(self, scores: Vector, among: Sequence[str] | None = None) -> tuple[str, float]:
        """The name and score of the best slot, of all or of those given."""
        if among is None:
            place = int(np.argmax(scores))
            return self.names[place], float(scores[place])
        wanted = set(among)
        places = [i for i, name in enumerate(self.names) if name in wanted]
        if not places:
            return "", -1.0
        place = max(places, key=lambda i: float(scores[i]))
        return self.names[place], float(scores[place])
