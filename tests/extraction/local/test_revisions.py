"""Which statement a new one revises, and which it leaves alone."""

from __future__ import annotations

import pytest

from hermes_core.catalogue import Catalogue, base_slot
from hermes_core.extraction.revisions import Earlier, content_of, keyed, revised
from hermes_core.items import Candidate

from .reading_helpers import extractor, said, turn


def claim(text: str, slot: str = "fact", subject: str = "user", **fields) -> Candidate:
    return Candidate(kind="fact", slot=slot, value=text, text=text, quote=text, turn_id="t", subject=subject, **fields)


def earlier(text: str, slot: str, subject: str = "user") -> Earlier:
    return Earlier(subject, "fact", slot, text, text, 1)


REVISIONS = [
    ("I have completed eight probability problems", "I have never completed any probability problems"),
    ("The snack budget for the party is $65", "The snack budget for the party is $75"),
    ("我跑过三次马拉松", "我从来没跑过马拉松"),
]


@pytest.mark.parametrize(("before", "after"), REVISIONS)
def test_a_denial_or_another_number_takes_the_slot_of_what_it_revises(before, after):
    old = earlier(before, "fact:first")
    new = revised(claim(after), [old], Catalogue.default())
    assert (new.slot, new.exclusive) == ("fact:first", True)


KEPT_APART = [
    ("I visited Rome with my sister", "I visited a dentist"),
    ("I have a meeting about the garden on Monday", "I have a cold"),
    ("我昨天去了医院", "我明天去上海"),
]


@pytest.mark.parametrize(("before", "after"), KEPT_APART)
def test_other_statements_keep_a_dimension_of_their_own(before, after):
    new = revised(claim(after), [earlier(before, "fact:first")], Catalogue.default())
    assert new.slot.startswith("fact:")
    assert new.slot != "fact:first"
    assert new.exclusive is None


def test_other_people_are_other_subjects():
    old = earlier("Nora Fell specialises in marine biology", "fact:a", "Nora Fell")
    same = revised(claim("Nora Fell specialises in urban planning", subject="Nora Fell"), [old], Catalogue.default())
    other = revised(claim("Ida Brook specialises in urban planning", subject="Ida Brook"), [old], Catalogue.default())
    assert same.slot == "fact:a"
    assert other.slot != "fact:a"


def test_a_keyed_slot_is_still_its_slot():
    slot = keyed("event", "I ran a charity race last Saturday", "user")
    assert base_slot(slot) == "event"
    assert Catalogue.default().slot(slot) is Catalogue.default().slot("event")
    assert "saturday" not in content_of("I ran") and "ran" in slot


def test_claims_of_one_batch_revise_each_other():
    first, second = said(
        "My dentist appointment is on Tuesday at 3.", "My dentist appointment was moved to Friday at 4."
    )
    assert first.slot == second.slot
    assert second.exclusive is True


def test_likes_never_revise_each_other():
    first, second = extractor().extract([turn("I love jazz.", 1), turn("I love opera.", 2)], [])
    assert first.exclusive is False
    assert second.exclusive is False
