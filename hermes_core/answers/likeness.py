"""How much a text resembles a statement: by shared words, and by calibrated similarity where one is given.

Comparison only; what a likeness means for a memory is hermes_core.answers.diagnose's affair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from hermes_core.entities import content_words, mostly_chinese, overlap

Similarity = Callable[[Sequence[str]], Sequence[float]]  # texts -> calibrated similarity of each to the statement

SAME_WORDS = 0.75  # share of the statement's content words that a sentence must have to be the statement
FEWEST_WORDS = 2  # ... of at least so many
SAME_SCRIPT = 0.05  # similarity asked above similarity.same of two texts in one script, whose words could be compared
OPPOSED = 0.8  # of a likeness that is left where only one of the two denies

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|without|hates?|dislikes?|cannot|stopped|quit|avoids?)\b|n['’]t\b"
    r"|不(?!错|仅|但|过|少)(?<!差不)|没|讨厌|别(?!人)|戒|反感",
    re.I,
)


class Likeness:
    """How much texts resemble the statement, by words and, where given, by calibrated similarity; each asked once."""

    def __init__(self, statement: str, similarity: Similarity | None) -> None:
        self._words = content_words(statement)
        self._denies = _denies(statement)
        self._chinese = mostly_chinese(statement)
        self._similarity = similarity
        self._known: dict[str, float] = {}

    def by_words(self, text: str) -> float:
        """Share of the statement's content words in the text; 0 when the statement has none."""
        if not self._words:
            return 0.0
        return overlap(self._words, content_words(text))

    def closeness(self, text: str) -> float:
        """Content words in common over all of both, in 0..1."""
        words = content_words(text)
        return round(len(self._words & words) / len(self._words | words), 3) if self._words or words else 1.0

    def ask(self, texts: Iterable[str]) -> None:
        """Look similarities up in one call."""
        new = [text for text in dict.fromkeys(texts) if text and text not in self._known]
        if self._similarity is not None and new:
            self._known.update(zip(new, map(float, self._similarity(new)), strict=True))

    def of(self, text: str) -> float:
        """The higher of the two, less where one denies what the other says; one word alone is never the statement."""
        words = self.by_words(text)
        literal = words if len(self._words) >= FEWEST_WORDS else min(words, SAME_WORDS)
        return max(literal, self._known.get(text, 0.0)) * (1.0 if _denies(text) == self._denies else OPPOSED)

    def says(self, text: str, same: float) -> bool:
        """Whether a sentence is the statement: by its words, or by similarity (more is asked within one script)."""
        if self.by_words(text) >= SAME_WORDS and _denies(text) == self._denies:
            return True
        return self.of(text) >= (same + SAME_SCRIPT if mostly_chinese(text) == self._chinese else same)


def _denies(text: str) -> bool:
    return _NEGATION.search(text) is not None
