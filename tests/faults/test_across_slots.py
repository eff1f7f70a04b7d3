"""O4, J4: what contradicts from another slot is told in the context as well, with the hint to ask."""

from __future__ import annotations

import pytest

from hermes_core import Candidate, Hermes
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.testing import FakeClock, ScriptedExtractor


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("I like jazz", "I don't like jazz", "ask which holds"),
        ("我喜欢爵士乐", "我不喜欢爵士乐", "以哪个为准"),
    ],
)
def test_a_liking_denied_in_another_slot_is_a_change_to_ask_about(old: str, new: str, hint: str) -> None:
    def said(text: str, slot: str, polarity: int) -> list[Candidate]:
        return [Candidate("preference", slot, "jazz", text, text, "", polarity=polarity)]

    script = {old: said(old, "music.likes", 1), new: said(new, "likes", -1)}
    clock = FakeClock()
    hermes = Hermes.open(
        ledger=InMemoryLedger(), chroma=False, extractor=ScriptedExtractor(script), clock=clock, worker=False
    )
    with hermes:
        for number, text in enumerate((old, new)):
            hermes.session("u", f"s{number}").observe("user", text)
            hermes.flush("u")
            clock.advance(days=2)
        assert {item.slot for item in hermes.memories("u") if item.status != "archived"} == {"music.likes", "likes"}
        shown = hermes.session("u", "later").context("jazz?" if "I" in old else "爵士乐？").text
    (line,) = [line for line in shown.splitlines() if old in line]
    assert new in line
    assert hint in line
