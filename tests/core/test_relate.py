"""How a claim stands to an item: structure decides, similarity only breaks ties between free texts (W12, W13)."""

from __future__ import annotations

import pytest

from hermes_core.likeness import dimension, normal
from hermes_core.relate import Relation, relate, related

SAME, REFINES, COMPLEMENTS = Relation.SAME, Relation.REFINES, Relation.COMPLEMENTS
CONTRADICTS, UNRELATED = Relation.CONTRADICTS, Relation.UNRELATED


def between(story, known, claimed, similarity=0.0):
    """The relation of a claim to an item, each given as (slot, value, how)."""
    slot, value, how = known
    story.says(slot, value, session="known", **how)
    item = next(iter(story.state.live.values()))
    slot, value, how = claimed
    claim = story.claim(slot, value, similar={item.id: similarity} if similarity else {}, **how)
    return relate(claim, item, story.config)


PLURAL, ONE = {"kind": "preference", "exclusive": False}, {"kind": "preference", "exclusive": True}
CASES = [
    # values
    ("equal", ("a", "tea", PLURAL), ("a", "Tea!", PLURAL), 0, SAME),
    ("full width", ("a", "ＡＢＣ", PLURAL), ("a", "abc", PLURAL), 0, SAME),
    ("chinese", ("a", "花生", PLURAL), ("a", "花生。", PLURAL), 0, SAME),
    ("words in another order", ("a", "short answers", PLURAL), ("a", "answers, short", PLURAL), 0, SAME),
    ("other value, plural", ("a", "tea", PLURAL), ("a", "coffee", PLURAL), 0, COMPLEMENTS),
    ("other value, exclusive", ("a", "concise", ONE), ("a", "detailed", ONE), 0, CONTRADICTS),
    ("near opposites never merge", ("a", "concise", ONE), ("a", "detailed", ONE), 0.99, CONTRADICTS),
    ("near single words never merge", ("a", "peanuts", PLURAL), ("a", "almonds", PLURAL), 0.99, COMPLEMENTS),
    ("narrower", ("a", "code examples", PLURAL), ("a", "short code examples", PLURAL), 0.99, REFINES),
    ("wider", ("a", "short code examples", PLURAL), ("a", "code examples", PLURAL), 0.99, REFINES),
    ("narrower place", ("a", "上海", ONE), ("a", "上海浦东", ONE), 0, REFINES),
    ("shuffled chinese is another word", ("a", "上海", PLURAL), ("a", "海上", PLURAL), 0, COMPLEMENTS),
    ("no X", ("a", "coffee", PLURAL), ("a", "no coffee", PLURAL), 0, CONTRADICTS),
    ("不X", ("a", "吃辣", PLURAL), ("a", "不吃辣", PLURAL), 0, CONTRADICTS),
    (
        "paraphrase",
        ("a", "long walks in the park", PLURAL),
        ("a", "walks in the big park", PLURAL),
        0.9,
        SAME,
    ),
    (
        "not near enough",
        ("a", "long walks in the park", PLURAL),
        ("a", "long runs in the park", PLURAL),
        0.84,
        COMPLEMENTS,
    ),
    (
        "other numbers",
        ("a", "a budget of 500 euros", PLURAL),
        ("a", "a budget of 900 euros", PLURAL),
        0.99,
        COMPLEMENTS,
    ),
    ("two scripts", ("a", "long walks", PLURAL), ("a", "长距离散步", PLURAL), 0.9, SAME),
    ("two scripts, rivals", ("a", "english", ONE), ("a", "中文", ONE), 0.9, CONTRADICTS),
    # polarity
    ("liking and not", ("a", "tea", PLURAL), ("a", "tea", {**PLURAL, "polarity": -1}), 0, CONTRADICTS),
    ("likes, dislikes", ("x.likes", "tea", PLURAL), ("x.dislikes", "tea", PLURAL), 0, CONTRADICTS),
    ("dislikes, not likes", ("x.dislikes", "tea", PLURAL), ("x.likes", "tea", {**PLURAL, "polarity": -1}), 0, SAME),
    ("likes anything", ("food.likes", "tea", PLURAL), ("likes", "tea", {**PLURAL, "polarity": -1}), 0, CONTRADICTS),
    ("two domains", ("food.likes", "tea", PLURAL), ("art.likes", "tea", PLURAL), 0, UNRELATED),
    ("not that one, exclusive", ("a", "Paris", ONE), ("a", "Rome", {**ONE, "polarity": -1}), 0, COMPLEMENTS),
    # qualifiers
    ("qualified", ("a", "code", PLURAL), ("a", "code", {**PLURAL, "qualifiers": ("short",)}), 0.99, REFINES),
    (
        "qualified alike",
        ("a", "code", {**PLURAL, "qualifiers": ("short", "typed")}),
        ("a", "code", {**PLURAL, "qualifiers": ("Typed", "short")}),
        0,
        SAME,
    ),
    (
        "an exception",
        ("a", "tea", PLURAL),
        ("a", "tea", {**PLURAL, "polarity": -1, "qualifiers": ("evening",)}),
        0,
        COMPLEMENTS,
    ),
    (
        "all of it",
        ("a", "tea", {**PLURAL, "qualifiers": ("evening",)}),
        ("a", "tea", {**PLURAL, "polarity": -1}),
        0,
        CONTRADICTS,
    ),
    ("rival elsewhere", ("a", "concise", ONE), ("a", "detailed", {**ONE, "qualifiers": ("code",)}), 0, COMPLEMENTS),
    # slots, kinds, subjects
    ("another slot", ("a", "Acme", PLURAL), ("b", "Acme", PLURAL), 0.95, UNRELATED),
    ("slots that say nothing", ("misc", "tea", PLURAL), ("other", "tea", PLURAL), 0.9, SAME),
    ("one slot says something", ("misc", "tea", PLURAL), ("a", "tea", PLURAL), 0.8, UNRELATED),
    ("another kind", ("a", "tea", PLURAL), ("a", "tea", {**PLURAL, "kind": "fact"}), 0, COMPLEMENTS),
    ("an observed state", ("a", "tea", PLURAL), ("a", "tea", {**PLURAL, "kind": "state"}), 0, SAME),
    ("another subject", ("a", "tea", PLURAL), ("a", "tea", {**PLURAL, "subject": "Jack"}), 0.99, UNRELATED),
    (
        "catalogued opposites",
        ("diet", "vegan", PLURAL),
        ("diet", "meat eater", {**PLURAL, "opposite": ("vegan",)}),
        0,
        CONTRADICTS,
    ),
]


@pytest.mark.parametrize(
    ("known", "claimed", "similarity", "wanted"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_relation(story, known, claimed, similarity, wanted):
    assert between(story, known, claimed, similarity) is wanted


def test_a_correction_without_a_rival_corrects_the_only_item_of_its_slot(story):
    story.says("job.firm", "Alpha", kind="fact", session="a")
    assert (
        story.state.live[story.one("job.firm").id]
        in related(story.state, story.claim("job.firm", "Beta", kind="fact", correction=True), story.config).conflicts
    )


@pytest.mark.parametrize("how", [{}, {"correction": True, "kind": "preference"}])
def test_but_not_without_saying_so_or_across_kinds(story, how):
    story.says("job.firm", "Alpha", kind="fact", session="a")
    claim = story.claim("job.firm", "Beta", **{"kind": "fact", **how})
    assert related(story.state, claim, story.config).conflicts == ()


def test_a_vital_item_is_not_corrected_by_guess(story):
    story.says("allergy", "peanuts", session="a")
    assert related(story.state, story.claim("allergy", "pollen", correction=True), story.config).conflicts == ()


def test_two_items_of_a_slot_leave_the_correction_open(story):
    story.says("pet", "dog", session="a")
    story.says("pet", "cat", session="a")
    assert related(story.state, story.claim("pet", "fish", correction=True), story.config).conflicts == ()


def test_dimension_turns_dislikes_around():
    assert dimension("Music.Dislikes", 1) == ("music.likes", -1)
    assert dimension("dislikes", -1) == ("likes", 1)
    assert dimension("music", 1) == ("music", 1)


def test_normal_survives_odd_text():
    assert normal("\ud800 A_b ").endswith("a b")
    assert normal("") == ""
