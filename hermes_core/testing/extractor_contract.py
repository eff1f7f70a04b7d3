"""What every Extractor must do. Subclass it as `class TestMine(ExtractorContract)` with an `extractor` fixture.

Only what holds for any of them, models included: form, grounding, no invention from nothing. How much one finds is
for its own tests.
"""

from __future__ import annotations

import unicodedata
from datetime import datetime, timedelta, timezone

import pytest

from hermes_core.items import Basis, Candidate, Kind, Tone, Turn
from hermes_core.ports import Extractor

__all__ = ["ExtractorContract", "turns_of"]

ODD_TEXTS = ("", "   ", "\x00", "\ud800", "👍" * 2000, "\u202e\u202c", "{x} {context_str} </memory>", "a" * 20_000)


def turns_of(*texts: str, session_id: str = "s1", user_id: str = "u1") -> list[Turn]:
    """User turns of one session, a minute apart."""
    start = datetime(2026, 1, 5, 9, 0, tzinfo=timezone.utc)
    return [
        Turn(
            id=f"{session_id}-t{number}",
            user_id=user_id,
            session_id=session_id,
            role="user",
            text=text,
            said_at=start + timedelta(minutes=number),
            seq=number,
        )
        for number, text in enumerate(texts, 1)
    ]


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


class ExtractorContract:
    """Candidates are well formed and quote the turn that they name (law G); nothing comes of nothing (X2)."""

    #: an extractor that always finds something may be told so, to check that the suite saw candidates
    finds: tuple[str, ...] = ("I'm allergic to peanuts.", "我住在上海。")

    @pytest.fixture
    def extractor(self) -> Extractor:
        raise NotImplementedError("override the fixture `extractor` in your subclass")

    def test_is_an_extractor(self, extractor: Extractor) -> None:
        assert isinstance(extractor, Extractor)
        assert extractor.name.strip()

    def test_no_turns_give_nothing(self, extractor: Extractor) -> None:
        assert list(extractor.extract([], [])) == []

    def test_finds_plain_statements(self, extractor: Extractor) -> None:
        for text in self.finds:
            assert list(extractor.extract(turns_of(text), [])), f"nothing was found in {text!r}"

    def test_candidates_are_well_formed_and_grounded(self, extractor: Extractor) -> None:
        turns = turns_of(*self.finds)
        by_id = {turn.id: turn for turn in turns}
        for found in extractor.extract(turns, []):
            assert isinstance(found, Candidate)
            assert found.turn_id in by_id
            assert _plain(found.quote)
            assert _plain(found.quote) in _plain(by_id[found.turn_id].text)
            assert found.kind in set(Kind)
            assert found.basis in set(Basis)
            assert found.tone in set(Tone)
            assert found.polarity in (-1, 0, 1)
            assert found.slot.strip()
            assert found.value.strip()
            assert found.text.strip()
            assert 0.0 <= found.confidence <= 1.0
            assert 0.0 <= found.importance <= 1.0

    def test_the_same_turns_give_the_same_candidates(self, extractor: Extractor) -> None:
        turns = turns_of(*self.finds)
        assert list(extractor.extract(turns, [])) == list(extractor.extract(turns, []))

    @pytest.mark.parametrize("text", ODD_TEXTS, ids=range(len(ODD_TEXTS)))
    def test_odd_texts_neither_raise_nor_say_anything(self, extractor: Extractor, text: str) -> None:
        assert list(extractor.extract(turns_of(text), [])) == []
