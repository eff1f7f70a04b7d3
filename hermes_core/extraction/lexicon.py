"""The cue lists of data/lexicon.toml as compiled patterns, with the user's own files appended. No rule may live here."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from hermes_core.errors import InvalidInput

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LANGUAGES = ("en", "zh")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "＇": "'", "`": "'"})


def plain(text: str) -> str:
    """The text with one kind of apostrophe; same length, so that places in it are places in the original."""
    return text.translate(_APOSTROPHES)


def word_pattern(fragments: Sequence[str]) -> re.Pattern[str]:
    """Any of the fragments, Latin ones as whole words, the longest first."""
    latin = sorted((f for f in fragments if not _has_cjk(f)), key=len, reverse=True)
    other = sorted((f for f in fragments if _has_cjk(f)), key=len, reverse=True)
    parts = []
    if latin:
        parts.append(r"(?<![a-z0-9'])(?:" + "|".join(latin) + r")(?![a-z0-9])")
    if other:
        parts.append("(?:" + "|".join(other) + ")")
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)


def _has_cjk(text: str) -> bool:
    return any("\u3400" <= char <= "\u9fff" for char in text)


class Lexicon:
    """Cue lists by name and language; `pattern(name, language)` is compiled once. Safe to share between threads."""

    def __init__(self, tables: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        self._tables = tables
        self._patterns: dict[tuple[str, str], re.Pattern[str]] = {}

    def pattern(self, name: str, language: str) -> re.Pattern[str]:
        """The list as one pattern; a name or language that has no list matches nothing."""
        key = (name, language)
        if (known := self._patterns.get(key)) is None:
            known = self._patterns[key] = word_pattern(self._tables.get(name, {}).get(language, ()))
        return known

    def within(self, name: str, language: str, text: str) -> bool:
        return self.pattern(name, language).search(text) is not None

    def opens(self, name: str, language: str, text: str) -> bool:
        return self.pattern(name, language).match(text) is not None

    def count(self, name: str, language: str, text: str) -> int:
        return sum(1 for _ in self.pattern(name, language).finditer(text))

    @cached_property
    def kin(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """(slot, pattern) for the people and animals around the user."""
        return tuple((slot, word_pattern(words)) for slot, words in self._tables.get("kin", {}).items())

    @cached_property
    def kin_words(self) -> str:
        """All of them as one fragment for building larger patterns."""
        words = [w for group in self._tables.get("kin", {}).values() for w in group]
        return "|".join(sorted(words, key=len, reverse=True))


def _merged(base: dict[str, dict[str, list[str]]], more: Mapping[str, Any], where: str) -> None:
    for name, table in more.items():
        if not isinstance(table, dict):
            raise InvalidInput(f"{where}, field {name}: a lexicon holds tables of lists, got {table!r}")
        for language, words in table.items():
            if not isinstance(words, list) or not all(isinstance(w, str) and w for w in words):
                raise InvalidInput(f"{where}, field {name}.{language}: must be a list of texts, got {words!r}")
            for word in words:
                try:
                    re.compile(word)
                except re.error as error:
                    raise InvalidInput(f"{where}, field {name}.{language}: {word!r} is no pattern: {error}") from error
            base.setdefault(name, {}).setdefault(language, []).extend(words)


def _check_names(tables: Mapping[str, Mapping[str, Any]], more: Mapping[str, Any], where: str) -> None:
    """A list that nothing reads is a misspelt one. The table `kin` has slots where the others have languages."""
    for name, table in more.items():
        if name not in tables:
            raise InvalidInput(f"{where}, field {name}: no such list; known are {', '.join(sorted(tables))}")
        known = tables["kin"] if name == "kin" else LANGUAGES
        for language in table if isinstance(table, dict) else ():
            if language not in known:
                raise InvalidInput(f"{where}, field {name}.{language}: unknown; known are {', '.join(known)}")


@lru_cache(maxsize=1)
def _shipped() -> str:
    return (resources.files("hermes_core.extraction") / "data" / "lexicon.toml").read_text(encoding="utf-8")


def load_lexicon(extra_paths: Sequence[str | Path] = ()) -> Lexicon:
    """The shipped lists plus those of the user's TOML files. InvalidInput names the file and the field."""
    tables: dict[str, dict[str, list[str]]] = {}
    _merged(tables, tomllib.loads(_shipped()), "lexicon.toml")
    for path in extra_paths:
        try:
            more = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise InvalidInput(f"can't read the lexicon {path}: {error}") from error
        _check_names(tables, more, str(path))
        _merged(tables, more, str(path))
    return Lexicon(tables)
