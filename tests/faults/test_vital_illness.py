"""Illnesses on which a life may hang are kept like an allergy, in English and Chinese alike; passing ailments are not."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I have asthma.", "asthma"),
        ("I have diabetes.", "diabetes"),
        ("I'm diabetic.", "diabetes"),
        ("I have type 1 diabetes.", "diabetes"),
        ("The doctor says I have diabetes.", "diabetes"),
        ("I have epilepsy.", "epilepsy"),
        ("I have high blood pressure.", "hypertension"),
        ("我有哮喘", "asthma"),
        ("我有糖尿病", "diabetes"),
        ("我得了二型糖尿病", "diabetes"),
        ("医生说我有糖尿病", "diabetes"),
        ("我患有癫痫", "epilepsy"),
        ("我有高血压", "hypertension"),
        ("我有血友病", "haemophilia"),
    ],
)
def test_one_clear_statement_of_an_illness_that_stays_freezes_it(talk: Talk, text: str, value: str) -> None:
    talk.say(text)
    found = [(i.slot, i.value, str(i.status)) for i in talk.live()]
    assert ("health.condition", value, "frozen") in found, found


@pytest.mark.parametrize(
    "text",
    [
        "I have a bad knee.",
        "I'm pregnant.",
        "I have gestational diabetes.",
        "My cat has asthma.",
        "I don't have asthma.",
        "我膝盖不好",
        "我怀孕了",
        "我有妊娠糖尿病",
        "我妈妈有哮喘",
        "我没有哮喘",
    ],
)
def test_what_passes_or_is_somebody_elses_is_not_frozen_as_the_users(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i.text for i in talk.live() if i.status == "frozen"]


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        ("I have asthma.", "I don't have asthma."),
        ("我有哮喘", "我没有哮喘"),
    ],
)
def test_an_illness_is_not_lost_to_one_denial(talk: Talk, said: str, denied: str) -> None:
    talk.say(said).later().say(denied)
    assert [i.held != () for i in talk.live() if i.status == "frozen"] == [True]


@pytest.mark.parametrize(
    ("denied", "said", "slot"),
    [
        ("I'm not allergic to peanuts.", "I'm allergic to peanuts.", "allergy"),
        ("I don't have asthma.", "I have asthma.", "health.condition"),
        ("我对花生不过敏", "我对花生过敏", "allergy"),
        ("我没有哮喘", "我有哮喘", "health.condition"),
    ],
)
def test_a_denial_never_stands_in_the_way_of_the_danger_told_later(
    talk: Talk, denied: str, said: str, slot: str
) -> None:
    talk.say(denied).later().say(said)
    assert [(i.polarity, str(i.status)) for i in talk.live() if i.slot == slot] == [(1, "frozen")]
