"""Several things in one breath are a memory each; what is one thing stays one."""

from __future__ import annotations

import pytest

from hermes_core.catalogue import Catalogue
from hermes_core.extraction.several import each
from hermes_core.items import Candidate
from tests.extraction.local.reading_helpers import extractor, turn

CATALOGUE = Catalogue.default()


def said(text: str) -> list[tuple[str, str, int]]:
    return [(claim.slot, claim.value, claim.polarity) for claim in extractor().extract([turn(text)], [])]


@pytest.mark.parametrize(
    ("text", "slot", "values"),
    [
        ("I'm allergic to peanuts and shellfish", "allergy", "peanuts shellfish"),
        ("I'm allergic to peanuts, shellfish and penicillin.", "allergy", "peanuts shellfish penicillin"),
        ("I'm allergic to cats, dogs, and pollen, so keep that in mind", "allergy", "cats dogs pollen"),
        ("I'm allergic to both cats and dogs", "allergy", "cats dogs"),
        ("I have a peanut and a shellfish allergy", "allergy", "peanuts shellfish"),
        ("I'm allergic to peanuts or maybe shellfish", "allergy", "peanuts shellfish"),
        ("I think I'm allergic to peanuts and shellfish", "allergy", "peanuts shellfish"),
        ("I'm not only allergic to peanuts but also to shellfish", "allergy", "peanuts shellfish"),
        ("I'm allergic to nuts and eggs make me sick", "allergy", "nuts eggs"),
        ("I'm allergic to peanuts and kiwi", "allergy", "peanuts kiwi"),
        ("我对花生、海鲜和青霉素过敏", "allergy", "peanuts seafood penicillin"),
        ("我吃花生和虾会过敏", "allergy", "peanuts shrimp"),
        ("我对 peanuts 和 shellfish 过敏", "allergy", "peanuts shellfish"),
        ("I can't eat nuts and eggs, I'm allergic", "allergy", "nuts eggs"),
        ("I speak French and German", "languages", "french german"),
        ("我会说法语和德语", "languages", "french german"),
        ("I like tea and coffee", "drink.likes", "tea coffee"),
    ],
)
def test_each_of_a_list_is_a_claim(text, slot, values):
    assert said(text) == [(slot, value, 1) for value in values.split()]


def test_what_is_denied_of_several_is_denied_of_each():
    assert said("I'm not allergic to peanuts and shellfish") == [
        ("allergy", "peanuts", -1),
        ("allergy", "shellfish", -1),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I'm allergic to peanuts, not shellfish", "peanuts"),
        ("I'm allergic to peanuts, I think", "peanuts"),
        ("I'm allergic to salt and vinegar crisps", "salt and vinegar crisps"),
        ("I am allergic to nuts and so is my son", "nuts"),
        ("I'm allergic to nuts, please remember", "nuts"),
        ("I'm allergic to milk and dairy", "lactose"),  # two words for one thing
    ],
)
def test_what_is_no_list_of_different_things_stays_one(text, value):
    assert [found for slot, found, _ in said(text) if slot == "allergy"] == [value]


def test_each_tells_of_one_thing_in_the_users_words_and_rests_on_all_of_them():
    text = "I'm allergic to peanuts, shellfish and penicillin."
    claims = extractor().extract([turn(text)], [])
    assert [claim.text for claim in claims] == [
        "I'm allergic to peanuts",
        "I'm allergic to shellfish",
        "I'm allergic to penicillin",
    ]
    assert all(claim.quote in text and "penicillin" in claim.quote for claim in claims)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I'm not only allergic to latex but also to pollen", ["I'm allergic to latex", "I'm allergic to pollen"]),
        ("I'm allergic to nuts and eggs make me sick", ["I'm allergic to nuts", "I'm allergic to eggs"]),
        ("我对花生、海鲜和青霉素过敏", ["我对花生过敏", "我对海鲜过敏", "我对青霉素过敏"]),
    ],
)
def test_what_stands_around_the_list_is_said_of_each(text, told):
    assert [claim.text for claim in extractor().extract([turn(text)], [])] == told


@pytest.mark.parametrize("slot", ["residence", "fact", "reply_length", "nowhere"])
def test_a_slot_that_holds_one_or_lists_nothing_is_left_alone(slot):
    claim = Candidate(kind="fact", slot=slot, value="x", text="Rome and Paris", quote="Rome and Paris", turn_id="t")
    assert each(claim, "Rome and Paris", CATALOGUE) == (claim,)
