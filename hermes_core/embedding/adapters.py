"""Embedders from outside: any callable as an Embedder. Nothing here may know a framework or a network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hermes_core.checks import checked_function, checked_most, checked_text
from hermes_core.errors import EmbeddingFailed, HermesError, InvalidInput
from hermes_core.ports import Embedder, Vectors

__all__ = ["CallableEmbedder", "CheckedEmbedder", "clean_text", "unit_rows"]

_UNSAFE = {0: " ", **dict.fromkeys(range(0xD800, 0xE000), "\ufffd")}
_AS_GOOD_AS_ONE = 1e-6


def clean_text(text: str) -> str:
    """The text without NUL and lone surrogates, which many tokenizers refuse (L4)."""
    if text.isascii():
        return text.replace("\x00", " ")
    return text.translate(_UNSAFE)


def unit_rows(found: Any, rows: int, dimension: int, name: str) -> Vectors:
    """float32 [rows, dimension] with unit rows; a zero row becomes the first axis. InvalidInput on shape or non-numbers."""
    if type(found) is np.ndarray and found.dtype == np.float32 and found.shape == (rows, dimension) and rows:
        lengths = np.einsum("ij,ij->i", found, found)
        if np.abs(lengths - 1.0).max() <= _AS_GOOD_AS_ONE:  # no for NaN; a read must not pay for what is right already
            units: Vectors = found.copy()
            return units
    try:
        vectors = np.array(found, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"the embedder {name!r} did not return a table of numbers: {error}") from error
    if rows == 0 and vectors.size == 0:
        return np.zeros((0, dimension), dtype=np.float32)
    if vectors.shape != (rows, dimension):
        raise InvalidInput(
            f"the embedder {name!r} returned an array of shape {vectors.shape} for {rows} texts; it must be ({rows}, {dimension})"
        )
    if not np.isfinite(vectors).all():
        bad = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise InvalidInput(f"the embedder {name!r} returned NaN or infinity in row {bad}; every number must be finite")
    return _normalised(vectors)


def _normalised(vectors: np.ndarray[Any, np.dtype[np.float64]]) -> Vectors:
    scale = np.abs(vectors).max(axis=1, keepdims=True)  # first, so that huge or tiny rows keep their direction
    scaled = vectors / np.where(scale > 0.0, scale, 1.0)
    scaled[scale[:, 0] == 0.0, 0] = 1.0
    scaled /= np.linalg.norm(scaled, axis=1, keepdims=True)
    return scaled.astype(np.float32)


class CallableEmbedder:
    """Any function from a list of texts to a table of numbers (lists, arrays), checked and normalised.

    `name` identifies the vector space: change it whenever the model behind `fn` changes, since a store refuses to
    open with another name or dimension (I3). Without `dimension`, one call with a short text finds it out.
    InvalidInput when the function returns another shape or numbers that aren't finite.
    """

    def __init__(self, fn: Callable[[list[str]], Any], *, name: str, dimension: int | None = None) -> None:
        checked_function(fn, "fn")
        self.name = checked_text(name, "name")  # of the vector space, such as the model's
        self._fn = fn
        self.dimension = _probe(fn, name) if dimension is None else checked_most(dimension, "dimension")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 [n, d] with unit rows; one call of the function for all texts, none for no texts."""
        cleaned = [clean_text(text) for text in texts]
        if not cleaned:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return unit_rows(self._fn(cleaned), len(cleaned), self.dimension, self.name)

    def __repr__(self) -> str:
        return f"CallableEmbedder({self.name!r}, dimension={self.dimension})"


class CheckedEmbedder:
    """Somebody's embedder, with its answers checked: a store never holds a vector that is none.

    InvalidInput at once for a name or dimension that can't identify a space; EmbeddingFailed for whatever it raises
    later, and for answers of another shape or with numbers that aren't finite.
    """

    def __init__(self, embedder: Embedder) -> None:
        name, dimension = embedder.name, embedder.dimension
        if not isinstance(name, str) or not name.strip():
            raise InvalidInput(f"an embedder needs a name for its vector space, not {name!r}")
        if isinstance(dimension, bool) or not isinstance(dimension, int) or dimension < 1:
            raise InvalidInput(f"the embedder {name!r} needs its dimension as a whole number from 1, not {dimension!r}")
        self.name = name
        self.dimension = dimension
        self._embedder = embedder

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 [n, d] with unit rows."""
        try:
            return unit_rows(self._embedder.embed(list(texts)), len(texts), self.dimension, self.name)
        except InvalidInput as error:
            raise EmbeddingFailed(str(error)) from error
        except HermesError:
            raise
        except Exception as error:  # an embedder is foreign code
            raise EmbeddingFailed(
                f"the embedder {self.name!r} could not answer: {type(error).__name__}: {error}"[:400]
            ) from error

    def __repr__(self) -> str:
        return f"CheckedEmbedder({self._embedder!r})"


def _probe(fn: Callable[[list[str]], Any], name: str) -> int:
    try:
        shape = np.shape(fn(["hello"]))
    except HermesError:
        raise
    except Exception as error:  # an embedder is foreign code
        raise EmbeddingFailed(
            f"the embedder {name!r} could not answer: {type(error).__name__}: {error}"[:400]
        ) from error
    if len(shape) != 2 or shape[0] != 1 or shape[1] < 1:
        raise InvalidInput(f"the embedder {name!r} returned an array of shape {shape} for 1 text; it must be (1, d)")
    return int(shape[1])
