"""The wording of contexts as data: frame, sections, lines and tasks by language (R7). No memory, no rule, no budget.

A user's own TOML has the same shape and is laid over the built-in one of its language; it may add tasks.
"""

from __future__ import annotations

import string
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from hermes_core.errors import InvalidInput
from hermes_core.items import Kind

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["TaskTemplate", "Templates", "Wording", "builtin", "load_templates", "templates_of"]

DEFAULT_TASK = "assistant"
_PLACEHOLDERS: Mapping[str, frozenset[str]] = {
    "frame": frozenset({"version"}),
    "sections": frozenset(),
    "lines": frozenset({"text", "date", "other", "old", "old_date", "role"}),
    "roles": frozenset(),
}


@dataclass(frozen=True)
class TaskTemplate:
    """What one task adds: a note for the model, and the kinds that shape its answers whatever the topic is."""

    name: str
    note: str
    any_topic: frozenset[str]


@dataclass(frozen=True)
class Wording:
    """One language's words."""

    language: str
    frame: Mapping[str, str]
    sections: Mapping[str, str]
    lines: Mapping[str, str]
    roles: Mapping[str, str]
    tasks: Mapping[str, TaskTemplate]

    def task(self, name: str) -> TaskTemplate:
        """The task's template; an unknown or empty name gets the assistant's."""
        return self.tasks.get(name) or self.tasks[DEFAULT_TASK]

    def line(self, name: str, **values: str) -> str:
        return self.lines[name].format(**values)


@dataclass(frozen=True)
class Templates:
    """Wordings by language; English stands in for a language that nobody wrote."""

    wordings: Mapping[str, Wording]

    def of(self, language: str) -> Wording:
        return self.wordings.get(language) or self.wordings["en"]


@lru_cache(maxsize=1)
def builtin() -> Templates:
    """English and Chinese, as shipped."""
    folder = files(__package__)
    tables = {}
    for name in ("en", "zh"):
        source = folder / f"{name}.toml"
        tables[name] = tomllib.loads(source.read_text(encoding="utf-8"))
    return Templates({name: _wording(table, name) for name, table in tables.items()})


def load_templates(paths: Iterable[str | Path]) -> Templates:
    """The built-in wordings with the given TOML files laid over, in order. InvalidInput names file and fault. R7."""
    wordings = dict(builtin().wordings)
    for path in paths:
        table = _read(path)
        language = str(table.get("language", "en"))
        under = _table(wordings.get(language) or wordings["en"])
        wordings[language] = _wording(_over(under, {**table, "language": language}), str(path))
    return Templates(wordings)


@lru_cache(maxsize=64)
def templates_of(paths: tuple[str, ...]) -> Templates:
    """As load_templates, read once per process."""
    return load_templates(paths) if paths else builtin()


def _read(path: str | Path) -> dict[str, Any]:
    try:
        table: dict[str, Any] = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput(f"can't read the template {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"the template {path} is not valid TOML: {error}") from error
    return table


def _table(wording: Wording) -> dict[str, Any]:
    tasks = {name: {"note": t.note, "any_topic": sorted(t.any_topic)} for name, t in wording.tasks.items()}
    parts = {name: dict(getattr(wording, name)) for name in _PLACEHOLDERS}
    return {"language": wording.language, **parts, "tasks": tasks}


def _over(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    out = dict(under)
    for key, value in over.items():
        held = out.get(key)
        out[key] = _over(held, value) if isinstance(held, dict) and isinstance(value, dict) else value
    return out


def _wording(table: dict[str, Any], source: str) -> Wording:
    unknown = set(table) - {"language", "tasks", *_PLACEHOLDERS}
    if unknown:
        raise InvalidInput(
            f"{source}: unknown table {sorted(unknown)[0]!r}; known are {sorted(_PLACEHOLDERS)} and tasks"
        )
    for section in (*_PLACEHOLDERS, "tasks"):
        if not isinstance(table[section], dict):
            raise InvalidInput(f"{source}: {section} must be a table, not {table[section]!r}")
    for section, allowed in _PLACEHOLDERS.items():
        for key, text in table[section].items():
            _check(text, allowed, f"{source}: {section}.{key}")
    tasks = {name: _task(name, task, source) for name, task in table["tasks"].items()}
    frame, sections, lines, roles = (dict(table[name]) for name in _PLACEHOLDERS)
    return Wording(str(table["language"]), frame, sections, lines, roles, tasks)


def _check(text: Any, allowed: frozenset[str], where: str) -> None:
    if not isinstance(text, str):
        raise InvalidInput(f"{where} must be a text, not {text!r}")
    if "\n" in text:
        raise InvalidInput(f"{where} must be one line")
    try:
        names = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError as error:
        raise InvalidInput(f"{where}: {error}; write {{{{ and }}}} for braces") from error
    if names - allowed:
        raise InvalidInput(f"{where}: no placeholder {sorted(names - allowed)[0]!r}; it may use {sorted(allowed)}")


def _task(name: str, table: Any, source: str) -> TaskTemplate:
    where = f"{source}: tasks.{name}"
    if not isinstance(table, dict) or set(table) - {"note", "any_topic"}:
        raise InvalidInput(f"{where} must be a table with note and any_topic")
    note, kinds = table.get("note", ""), table.get("any_topic", ["identity", "constraint", "preference"])
    _check(note, frozenset(), f"{where}.note")
    wrong = [kind for kind in kinds if kind not in set(map(str, Kind))] if isinstance(kinds, list) else [kinds]
    if wrong:
        raise InvalidInput(f"{where}.any_topic: no kind {wrong[0]!r}; kinds are {', '.join(map(str, Kind))}")
    return TaskTemplate(name, note, frozenset(kinds))
