"""The chain of extractors: the configured one, then the local one; a turn is never lost, every switch is said (W3, M2).

No rule about claims may live here.
"""

from __future__ import annotations

from collections.abc import Sequence

from hermes_core.errors import ExtractionFailed, ExtractorUnreachable
from hermes_core.extraction.metrics import Counters
from hermes_core.items import Candidate, MemoryItem, Turn
from hermes_core.ports import Dismissal, Extraction, Extractor


class FallbackExtractor:
    """`primary`, and when it fails `local`; more may follow. Raises ExtractionFailed when all of them failed.

    An extractor that can't be reached is another matter: with `retry` its ExtractorUnreachable is passed on, so that the
    caller tries again later (the worker does, with back-off, and then asks the local one); without, the next one answers.
    """

    def __init__(
        self,
        primary: Extractor,
        local: Extractor,
        *more: Extractor,
        retry: bool = True,
        counters: Counters | None = None,
    ) -> None:
        self.chain: tuple[Extractor, ...] = (primary, local, *more)
        self.name = ">".join(extractor.name for extractor in self.chain)
        self.counters = counters or Counters()
        self._retry = retry

    def extract(self, turns: Sequence[Turn], known: Sequence[MemoryItem]) -> list[Candidate]:
        """The first answer of the chain as an Extraction whose `note` explains the failures before it."""
        notes: list[str] = []
        for extractor in self.chain:
            try:
                found = extractor.extract(turns, known)
            except ExtractionFailed as error:
                if self._retry and isinstance(error, ExtractorUnreachable):
                    raise
                notes.append(f"{extractor.name}: {error}")
                self.counters.add("fallbacks")
                continue
            return _signed(found, extractor.name, notes)
        raise ExtractionFailed("; ".join(notes))


def _signed(found: Sequence[Candidate], name: str, notes: list[str]) -> Extraction:
    by, note = name, ""
    dismissed: tuple[Dismissal, ...] = ()
    if isinstance(found, Extraction):
        by, note, dismissed = found.by or name, found.note, found.dismissed
    return Extraction(found, dismissed, by, "; ".join(part for part in (*notes, note) if part))
