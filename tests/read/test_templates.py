"""R7: wording is data; a user's own TOML is laid over it, and a wrong one is refused with its place."""

from __future__ import annotations

import pytest

from hermes_core.errors import InvalidInput
from hermes_core.items import Kind
from hermes_core.page import SECTIONS
from hermes_core.templates import builtin, load_templates

TASKS = {"assistant", "recommendation", "question_answering", "writing", "support"}


def test_both_languages_have_every_word():
    english, chinese = builtin().of("en"), builtin().of("zh")
    assert set(english.tasks) == set(chinese.tasks) == TASKS
    for table in ("frame", "sections", "lines", "roles"):
        assert set(getattr(english, table)) == set(getattr(chinese, table))
    assert set(SECTIONS) == set(english.sections)
    for name in TASKS:
        assert english.task(name).any_topic == chinese.task(name).any_topic


def test_an_unknown_task_or_language_falls_back():
    assert builtin().of("fr").language == "en"
    assert builtin().of("en").task("nonsense").name == "assistant"


def test_a_users_own_file_changes_words_and_adds_tasks(tmp_path, world):
    own = tmp_path / "mine.toml"
    own.write_text(
        '[sections]\nactive = "Likes and dislikes:"\n[tasks.cooking]\nnote = "Mind allergies."\n'
        'any_topic = ["constraint"]\n',
        encoding="utf-8",
    )
    templates = load_templates([own])
    world = world.add("p", "likes tea", kind=Kind.PREFERENCE).add("c", "no nuts", kind=Kind.CONSTRAINT)
    plain = world.context("?", templates=templates).text
    assert "Likes and dislikes:\n- likes tea" in plain
    cooking = world.context("?", task="cooking", templates=templates)
    assert "Mind allergies." in cooking.text
    assert [item.id for item in cooking.items] == ["c"]
    assert builtin().of("en").sections["active"] == "Current:"


def test_a_new_language_starts_from_english(tmp_path, world):
    own = tmp_path / "fr.toml"
    own.write_text('language = "fr"\n[sections]\nactive = "À présent :"\n', encoding="utf-8")
    block = world.add("p", "aime le thé", kind=Kind.PREFERENCE).context(
        "?", language="fr", templates=load_templates([own])
    )
    assert "À présent :\n- aime le thé" in block.text
    assert block.language == "fr"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[sections\n", "not valid TOML"),
        ("[colours]\nx = 1\n", "unknown table 'colours'"),
        ('[lines]\nplain = "{texts}"\n', "no placeholder 'texts'"),
        ('[lines]\nplain = "{text"\n', "lines.plain"),
        ("[lines]\nplain = 3\n", "must be a text"),
        ('[frame]\nnote = "a\\nb"\n', "one line"),
        ('[tasks.x]\nany_topic = ["mood"]\n', "no kind 'mood'"),
        ("[tasks]\nx = 3\n", "must be a table"),
        ('[tasks.x]\nnotes = "a"\n', "must be a table with note and any_topic"),
        ('sections = "x"\n', "sections"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path, text, says):
    own = tmp_path / "bad.toml"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"bad\.toml") as refused:
        load_templates([own])
    assert says in str(refused.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="can't read"):
        load_templates([tmp_path / "none.toml"])
