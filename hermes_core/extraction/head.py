"""A small linear head over sentence vectors and grammar cues: what sort of saying a clause is, and its slot (W3).

Trained by tools/train_head.py on this project's own sentences, shipped as data/head.npz; only multiplication here.
It fits one embedder; another one makes `load_head` return None, and rules and nearest examples do the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hermes_core.extraction.reading import DROPPED, ORDER, OTHER, SELF, THING, YOU, Reading
from hermes_core.ports import Vectors

CLASSES = ("self", "event", "instruction", "others", "question", "request", "chat", "emotional", "world")
CUES = (
    "self", "other", "you", "thing", "dropped", "order", "question", "request", "hypothetical", "hedged", "negated",
    "past", "habit_over", "future", "lasting", "correction", "sarcastic", "emotion", "speaks_of_self", "named",
    "zh", "short", "long",
)  # fmt: skip
SHORT, LONG = 3, 14  # words (Chinese: a word is about 1.6 characters)


def cue_vector(reading: Reading) -> list[float]:
    """The reading as numbers, in the order of CUES."""
    words = len(reading.core) / 1.6 if reading.language == "zh" else len(reading.core.split())
    persons = [float(reading.person == p) for p in (SELF, OTHER, YOU, THING, DROPPED, ORDER)]
    flags = (
        reading.question, reading.request, reading.hypothetical, reading.hedged, reading.negated, reading.past,
        reading.habit_over, reading.future, reading.lasting, reading.correction, reading.sarcastic,
    )  # fmt: skip
    return [
        *persons,
        *map(float, flags),
        min(2.0, reading.emotion),
        float(reading.speaks_of_self),
        float(bool(reading.subject)),
        float(reading.language == "zh"),
        float(words <= SHORT),
        float(words >= LONG),
    ]


class Judgement(NamedTuple):
    """Rows of probabilities: classes [n, len(CLASSES)], slots [n, len(slot_names)]; typical [n, slots]: cosine to the nearest prototype."""

    classes: Vectors
    slots: Vectors
    typical: Vectors


@dataclass(frozen=True)
class Head:
    """Two softmax layers; `embedder` names the vector space that they were trained in."""

    embedder: str
    slot_names: tuple[str, ...]
    class_weights: Vectors
    class_bias: Vectors
    slot_weights: Vectors
    slot_bias: Vectors
    centres: Vectors
    owner: NDArray[np.int16]

    def judge(self, vectors: Vectors, readings: Sequence[Reading]) -> Judgement:
        """Probabilities of every class and slot for each clause; float32."""
        cues = np.asarray([cue_vector(r) for r in readings], dtype=np.float32).reshape(len(readings), len(CUES))
        inputs = np.concatenate([vectors, cues], axis=1)
        starts = np.searchsorted(self.owner, np.arange(len(self.slot_names)))
        return Judgement(
            softmax(inputs @ self.class_weights + self.class_bias),
            softmax(vectors @ self.slot_weights + self.slot_bias),
            np.maximum.reduceat(vectors @ self.centres.T, starts, axis=1),
        )


def softmax(logits: Vectors) -> Vectors:
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    out: Vectors = shifted / shifted.sum(axis=1, keepdims=True)
    return out


@lru_cache(maxsize=1)
def _shipped() -> Head | None:
    entry = resources.files("hermes_core.extraction") / "data" / "head.npz"
    if not entry.is_file():
        return None
    with entry.open("rb") as file, np.load(file, allow_pickle=False) as data:
        if tuple(data["classes"]) != CLASSES or tuple(data["cues"]) != CUES:
            return None
        matrices = {key: data[key].astype(np.float32) for key in _MATRICES}
        names = tuple(str(name) for name in data["slot_names"])
        return Head(str(data["embedder"]), names, owner=data["owner"], **matrices)


_MATRICES = ("class_weights", "class_bias", "slot_weights", "slot_bias", "centres")


def load_head(embedder: str) -> Head | None:
    """The shipped head if it was trained for this embedder, else None."""
    head = _shipped()
    return head if head is not None and head.embedder == embedder else None
