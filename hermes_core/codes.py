"""Cosines, and vectors as bytes: what a read compares, at a quarter of the memory. Numpy and simsimd only; no rule, no I/O.

After an embedding a user's vectors are out of the processor's cache, and comparing them takes as long as fetching
them: 4.6 MB at the caps, 1.1 MB of codes. Sums of bytes are exact, so that a row's cosine by its code depends on nothing
but the two vectors (law R).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import simsimd
from numpy.typing import NDArray

Vectors = NDArray[np.float32]  # [n, d], rows of unit length
Vector = NDArray[np.float32]  # [d]
Floats = NDArray[np.float64]

_LARGEST = 127
_CHUNK = 128  # rows coded at a time: what lies between stays in the cache
_TINY = 1e-30  # the peak of a row of zeros

# One dot product a row: nothing is copied, and BLAS starts no threads for so little. numpy before 2.0 lacks it.
_dots = getattr(np, "vecdot", None) or partial(np.einsum, "ij,j->i")


def cosines(rows: Vectors, vector: Vector) -> Floats:
    """Raw cosines of unit rows [n, d] with a unit vector [d]: float64 [n].

    Not `@`: BLAS would start its threads for a fifth of a millisecond's work, and wait for them on a busy machine
    (measured with two cores and load 4: 7 ms instead of 0.3); its sums also change with the number of threads (law R).
    With a table that is not in the processor's cache, as after an embedding, it also takes twice as long.
    """
    found: Floats = _dots(rows, vector).astype(np.float64)
    return found


class Codes(NamedTuple):
    """Row i is about step[i] x numbers[i]: each number is rounded to a 127th of the row's largest. It depends on the row alone."""

    numbers: NDArray[np.int8]  # [n, d]
    step: Floats  # [n]
    slack: Floats  # [n]; no cosine of the row with a vector that is not coded is farther off than this
    slackest: float

    @classmethod
    def of(cls, rows: Vectors) -> Codes:
        """float32 [n, d]; about 1.5 ms at the caps."""
        count, width = rows.shape
        numbers, step = np.empty((count, width), dtype=np.int8), np.empty(count)
        scratch = np.empty((_CHUNK, width), dtype=np.float32)
        for start in range(0, count if width else 0, _CHUNK):
            part, here = rows[start : start + _CHUNK], slice(start, start + _CHUNK)
            work = np.abs(part, out=scratch[: len(part)])
            peak = np.maximum(work.max(axis=1), _TINY)
            step[here] = peak / _LARGEST
            numbers[here] = np.rint(np.multiply(part, (_LARGEST / peak)[:, None], out=work), out=work)
        slack = step * _half(width)
        return cls(numbers, step, slack, float(slack.max(initial=0.0)))

    def cosines(self, rows: Vectors, vector: Vector, coarsest: float) -> Floats:
        """Raw cosines of the coded rows with a unit vector [d]: float64 [n].

        By the codes, but as they are where rounding either of the two could put more than `coarsest` between a cosine
        and its code's: vectors with one large number among small ones are coded badly. Typically an eighth of the bound.
        """
        peak = max(float(vector.max(initial=0.0)), -float(vector.min(initial=0.0)), _TINY)
        if peak / _LARGEST * _half(len(vector)) > coarsest or not self.numbers.size:
            return cosines(rows, vector)
        coarse = np.flatnonzero(self.slack > coarsest) if self.slackest > coarsest else ()
        if 2 * len(coarse) > len(rows):
            return cosines(rows, vector)
        asked = np.rint(vector * np.float32(_LARGEST / peak)).astype(np.int8)
        sums = np.asarray(simsimd.cdist(asked[None, :], self.numbers, "dot"))[0]
        found: Floats = sums * (self.step * (peak / _LARGEST))
        if len(coarse):
            found[coarse] = cosines(rows[coarse], vector)
        return found


def _half(width: int) -> float:
    """The length of a vector whose numbers are all half a step."""
    return 0.5 * float(np.sqrt(width))
