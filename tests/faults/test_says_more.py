"""A preference that says more than one fixed sentence can is shown in the user's own words, in whatever language."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("以后回答请用简体中文，最多三段。", "最多三段"),
        ("Please reply in French.", "Wants replies in French."),
        ("回答简短一点，但是数学题要详细。", "数学题要详细"),
        ("Please keep your answers short.", "Prefers concise answers."),
        ("Keep your answers short, please.", "Prefers concise answers."),
        ("回答尽量简短。", "Prefers concise answers."),
    ],
)
def test_nothing_of_an_order_is_cut(hermes: Hermes, clock: FakeClock, said: str, shown: str) -> None:
    talk = Talk(hermes, clock)
    talk.say(said).later()
    assert shown in hermes.session(talk.user_id, "next").context("help me with something", language="en").text
