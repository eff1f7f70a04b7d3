"""W14: raw cosines made comparable. A Calibration maps one embedder's cosines to 0..1 so that a threshold means the same for all.

What a threshold means is a rate of false alarms on the shipped bilingual pairs: of unrelated sentences 5 % reach
0.55 (relevant), of merely relevant ones 5 % reach 0.78 (strongly about it), of sentences about the same thing with
another value 20 % reach 0.85 (same). A weak embedder therefore finds less; it does not raise more false alarms.
No threshold is applied here, and nothing here may know a store.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from hermes_core.errors import InvalidInput
from hermes_core.items import Value
from hermes_core.ports import Embedder

__all__ = ["Calibration", "Pair", "calibration_for", "fit", "shipped_pairs"]

Cosines = NDArray[np.float64]

RELATIONS = ("same", "about", "relevant", "unrelated")
_GAP = 1e-3  # least distance of two knots on the raw scale; a thousand times float32's error in a dot product, far finer than a code's
_PAIRS = "pairs.jsonl"
_SHIPPED = {"use-multilingual-v3": "use_multilingual_v3.json"}


class Pair(NamedTuple):
    """Two sentences and how they relate: one of RELATIONS. `topic` is "area.topic"; other areas are unrelated."""

    topic: str
    relation: str
    a: str
    b: str


class Calibration(Value, frozen=True, kw_only=True):
    """A monotone, piecewise linear map from raw cosine (`raw`, rising) to 0..1 (`scale`, rising), for one vector space."""

    embedder: str
    dimension: int
    raw: tuple[float, ...]
    scale: tuple[float, ...]

    def __post_init__(self) -> None:
        rising = all(a < b for a, b in pairwise(self.raw)) and list(self.scale) == sorted(self.scale)
        if len(self.raw) != len(self.scale) or len(self.raw) < 2 or not rising:
            raise InvalidInput("a calibration needs at least two knots, rising on both scales")
        if self.scale[0] < 0.0 or self.scale[-1] > 1.0:
            raise InvalidInput("a calibration's scale must stay within 0..1")

    def calibrate(self, cosines: ArrayLike) -> Cosines:
        """Calibrated similarities, of the shape of `cosines`; vectorised."""
        found: Cosines = np.interp(np.asarray(cosines, dtype=np.float64), self.raw, self.scale)
        return found

    @property
    def steepest(self) -> float:
        """The most that a similarity changes with a cosine, per unit: high where an embedder's cosines lie close together."""
        knots = zip(pairwise(self.raw), pairwise(self.scale), strict=True)
        return max((high - low) / (b - a) for (a, b), (low, high) in knots)

    def raw_of(self, similarity: float) -> float:
        """The raw cosine that a calibrated similarity stands for; for filtering before calibrating."""
        return float(np.interp(similarity, self.scale, self.raw))

    def to_json(self) -> str:
        """One line of JSON; `from_json` reads it."""
        return self.model_dump_json()

    @classmethod
    def from_json(cls, text: str | bytes) -> Calibration:
        """Inverse of `to_json`. InvalidInput when the text is no calibration."""
        try:
            return msgspec.json.decode(text, type=cls)
        except (msgspec.DecodeError, InvalidInput) as error:
            raise InvalidInput(f"this is no calibration: {error}") from error


def shipped_pairs() -> tuple[Pair, ...]:
    """The package's own bilingual pairs: English, Chinese, and one of each."""
    return _shipped_pairs()


@lru_cache(maxsize=1)
def _shipped_pairs() -> tuple[Pair, ...]:
    text = resources.files(__package__).joinpath(_PAIRS).read_text(encoding="utf-8")
    return tuple(Pair(*json.loads(line)) for line in text.splitlines())


class _Samples(NamedTuple):
    same: Cosines
    about: Cosines
    relevant: Cosines
    unrelated: Cosines


def fit(embedder: Embedder, pairs: Sequence[Pair] | None = None) -> Calibration:
    """The calibration of an embedder from labelled pairs (default: the shipped ones); deterministic.

    Beside pairs labelled unrelated, each sentence is compared with those of other areas. InvalidInput when
    a relation has no pairs, or the embedder gives every text the same vector.
    """
    samples = _measure(embedder, shipped_pairs() if pairs is None else pairs)
    spread = float(np.ptp(np.concatenate(samples)))
    if spread < 1e-6:
        raise InvalidInput(f"the embedder {embedder.name!r} gives every text the same vector; it can't be calibrated")
    raw, scale = _knots(samples)
    return Calibration(embedder=embedder.name, dimension=embedder.dimension, raw=raw, scale=scale)


def _measure(embedder: Embedder, pairs: Sequence[Pair]) -> _Samples:
    texts = list(dict.fromkeys([pair.a for pair in pairs] + [pair.b for pair in pairs]))
    row = {text: number for number, text in enumerate(texts)}
    vectors = np.asarray(embedder.embed(texts), dtype=np.float64)
    left = vectors[[row[pair.a] for pair in pairs]]
    right = vectors[[row[pair.b] for pair in pairs]]
    cosines = np.einsum("ij,ij->i", left, right)
    relation = np.array([pair.relation for pair in pairs])
    area = np.array([pair.topic.split(".")[0] for pair in pairs])
    apart = (area[:, None] != area[None, :]) & (area[:, None] != "") & (area[None, :] != "")
    found = {name: cosines[relation == name] for name in RELATIONS}
    found["unrelated"] = np.concatenate([found["unrelated"], (left @ right.T)[apart]])
    if empty := [name for name in RELATIONS if not len(found[name])]:
        raise InvalidInput(f"calibration needs pairs of every relation; there are none for {', '.join(empty)}")
    return _Samples(**found)


def _knots(samples: _Samples) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Knots from the false-alarm rates in the module's docstring; each also bounds the relations below its own."""
    of, unrelated = np.quantile, samples.unrelated
    wanted = [
        (float(of(unrelated, 0.02)), 0.0),
        (float(of(unrelated, 0.50)), 0.12),
        (float(of(unrelated, 0.85)), 0.30),
        (float(of(unrelated, 0.95)), 0.55),
        (float(max(of(samples.relevant, 0.95), of(unrelated, 0.995))), 0.78),
        (float(max(of(samples.about, 0.80), of(samples.relevant, 0.99), of(unrelated, 0.999))), 0.85),
        (1.0, 1.0),
    ]
    raw = [x for x, _ in wanted]
    for i in range(1, len(raw)):
        raw[i] = max(raw[i], raw[i - 1] + _GAP)
    raw[-1] = 1.0
    for i in range(len(raw) - 2, -1, -1):
        raw[i] = min(raw[i], raw[i + 1] - _GAP)
    return tuple(round(x, 6) for x in raw), tuple(y for _, y in wanted)


def calibration_for(embedder: Embedder) -> Calibration:
    """The shipped calibration when there is one for this vector space, else a fresh fit (`fit`)."""
    return _shipped(embedder.name, embedder.dimension) or fit(embedder)


def _shipped(name: str, dimension: int) -> Calibration | None:
    if name not in _SHIPPED:
        return None
    text = resources.files(__package__).joinpath(_SHIPPED[name]).read_text(encoding="utf-8")
    known = Calibration.from_json(text)
    return known if known.dimension == dimension else None
