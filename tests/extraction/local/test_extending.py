"""Slots, lexicon entries and frames of one's own, other embedders, and the errors of bad files."""

from __future__ import annotations

import pytest

from hermes_core.catalogue import Catalogue
from hermes_core.embedding import DefaultEmbedder
from hermes_core.errors import InvalidInput
from hermes_core.extraction.head import CLASSES, load_head
from hermes_core.extraction.local import LocalExtractor
from hermes_core.testing import HashEmbedder

from .reading_helpers import extractor, turn

SLOT = """
[[slot]]
name = "tattoo_plan"
kind = "fact"
importance = 0.7
sentence = { en = "Tattoo: {value}.", zh = "纹身：{value}。" }
examples.en = ["I want a tattoo of a whale on my arm", "my next tattoo will be a rose", "I plan to get inked in spring"]
examples.zh = ["我想在胳膊上纹一条鲸鱼", "我下一个纹身是玫瑰", "我打算春天去纹身"]
"""


def test_a_slot_of_ones_own_is_found_by_its_examples(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(SLOT, encoding="utf-8")
    catalogue = Catalogue.load([path])
    local = LocalExtractor(catalogue, extractor().embedder)
    assert len(catalogue) == len(Catalogue.default()) + 1
    found = local.extract([turn("my next tattoo will be a small rose")], [])
    assert [c.slot for c in found] == ["tattoo_plan"]


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("[[slot]]\nname = 'x'\nkind = 'mood'", "kind"),
        ("[[slot]]\nname = ''\nkind = 'fact'", "name"),
        ("[[slot]]\nname = 'x'\nkind = 'fact'\nhalf_life_days = -1", "half_life_days"),
        ("[[slot]]\nname = 'x'\nkind = 'fact'\ncolour = 1", "colour"),
        ("[[slot]]\nname = 'x'\nkind = 'fact'\nexamples = { de = ['a'] }", "examples"),
        ("[[slot]]\nname = 'x'\nkind = 'fact'\nexclusive = 'yes'", "exclusive"),
        ("slots = 1", "slot"),
        ("[[slot", "TOML"),
    ],
)
def test_a_bad_slot_file_names_file_and_field(tmp_path, text, field):
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=field) as error:
        Catalogue.load([path])
    assert "bad.toml" in str(error.value)


def test_a_lexicon_entry_of_ones_own(tmp_path):
    path = tmp_path / "words.toml"
    path.write_text('[openers]\nen = ["oi mate"]\n', encoding="utf-8")
    local = LocalExtractor(embedder=extractor().embedder, lexicon_paths=[path])
    assert [c.text for c in local.extract([turn("Oi mate, I live in Leeds")], [])] == ["I live in Leeds"]


def test_a_frame_of_ones_own_comes_first(tmp_path):
    path = tmp_path / "frames.toml"
    path.write_text('[[frame]]\nlang = "en"\nslot = "hobbies"\nre = ["{self}geek out over {v}"]\n', encoding="utf-8")
    local = LocalExtractor(embedder=extractor().embedder, frame_paths=[path])
    found = local.extract([turn("I geek out over old radios")], [])
    assert [(c.slot, c.value) for c in found] == [("hobbies", "old radios")]


@pytest.mark.parametrize(
    ("text", "slot"),
    [("I plan to get inked with a rose", "tattoo_plan"), ("I want a tattoo of a dragon next spring", "tattoo_plan")],
)
def test_a_slot_of_ones_own_also_takes_what_is_going_to_happen(tmp_path, text, slot):
    path = tmp_path / "mine.toml"
    path.write_text(SLOT, encoding="utf-8")
    local = LocalExtractor(Catalogue.load([path]), extractor().embedder)
    assert [c.slot for c in local.extract([turn(text)], [])] == [slot]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[[frames]]\nlang = "en"\nslot = "hobbies"\nre = ["{v}"]\n', "frame"),
        ('[[frame]]\nlang = "en"\nslot = "hobbies"\nre = "{v}"\n', "list"),
        ('[[frame]]\nlang = "en"\nslot = "hobbies"\nre = []\n', "list"),
        ('[[frame]]\nlang = "en"\nslot = "hobbies"\nre = ["{me} {v}"]\n', "{me}"),
        ('[[frame]]\nlang = "en"\nslot = "hobbies"\nre = ["{self}geek"]\n', "value"),
        ('[[frame]]\nlang = "fr"\nslot = "hobbies"\nre = ["{v}"]\n', "lang"),
        ('[[frame]]\nlang = "en"\nslot = "no_such_slot"\nre = ["{v}"]\n', "no_such_slot"),
        ("[[frame", "TOML"),
    ],
)
def test_a_bad_frame_file_says_what_is_wrong(tmp_path, text, says):
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput) as error:
        LocalExtractor(embedder=extractor().embedder, frame_paths=[path])
    assert says in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        '[openers]\nen = ["("]\n',
        "[openers]\nen = 3\n",
        "openers = 1\n",
        "[open",
        '[opener]\nen = ["oi"]\n',
        '[openers]\nfr = ["oi"]\n',
        '[kin]\nuncles = ["oi"]\n',
    ],
)
def test_a_bad_lexicon_file_is_refused(tmp_path, text):
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match="bad"):
        LocalExtractor(embedder=extractor().embedder, lexicon_paths=[path])


def test_another_embedder_needs_no_head():
    embedder = HashEmbedder()
    assert load_head(embedder.name) is None
    local = LocalExtractor(embedder=embedder)
    found = local.extract([turn("I'm allergic to peanuts"), turn("我住在北京", 2), turn("thanks!", 3)], [])
    assert [(c.slot, c.value) for c in found] == [("allergy", "peanuts"), ("residence", "beijing")]


def test_the_head_fits_the_default_embedder_and_catalogue():
    head = load_head(DefaultEmbedder.name)
    assert head is not None
    assert set(head.slot_names) == set(Catalogue.default().names())
    assert head.class_weights.shape[1] == len(CLASSES)
    assert (sorted(head.owner) == head.owner).all()


def test_the_catalogue_is_broad_bilingual_and_consistent():
    catalogue = Catalogue.default()
    assert len(catalogue) >= 60
    for slot in catalogue:
        assert slot.examples.get("en"), slot.name
        assert slot.examples.get("zh"), slot.name
        assert "{value}" in slot.sentence["en"] and "{value}" in slot.sentence["zh"], slot.name
        names = {v.name for v in slot.values}
        assert all(o in names for v in slot.values for o in v.opposite), slot.name


@pytest.mark.parametrize(
    ("slot", "words", "value"),
    [
        ("reply_length", "简洁", "concise"),
        ("reply_length", "short answers", "concise"),
        ("reply_length", "Concise", "concise"),
        ("allergy", "花生", "peanuts"),
        ("residence", "巴黎", "paris"),
        ("drink.likes", "喝咖啡", "coffee"),
        ("no_such_slot", "  The Thing! ", "thing"),
    ],
)
def test_values_normalise_across_languages(slot, words, value):
    assert Catalogue.default().normalise(slot, words) == value


def test_opposites_hold_both_ways():
    catalogue = Catalogue.default()
    assert catalogue.opposites("reply_length", "简短") == ("detailed",)
    assert "concise" in catalogue.opposites("reply_length", "in depth")
    assert catalogue.opposites("allergy", "peanuts") == ()
