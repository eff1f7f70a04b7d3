"""The rules of conclusions as data: reading and checking TOML files like the package's conclusions.toml.

Parsing only: what a rule does with a user's items is hermes_core.conclusions' affair.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from hermes_core.errors import InvalidInput
from hermes_core.items import Kind

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LANGUAGES = ("en", "zh")
_RULE_KEYS = frozenset(("name", "slot", "value", "kind", "needs", "importance", "opposite", "text", "supports"))
_SUPPORT_KEYS = frozenset(("slots", "values", "polarity", "en", "zh", "like"))


@dataclass(frozen=True, eq=False)  # compared by identity, so that matchers can be cached
class Support:
    """What counts as an observation; every given condition must hold. `polarity` 0 takes both."""

    slots: re.Pattern[str] | None = None
    values: tuple[str, ...] = ()
    polarity: int = 1
    words: re.Pattern[str] | None = None
    like: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)  # compared by identity, so that matchers can be cached
class Rule:
    """One conclusion: what is concluded, from how many distinct memories, and from which."""

    name: str
    slot: str
    value: str
    text: Mapping[str, str]
    supports: tuple[Support, ...]
    needs: int = 2
    kind: str = ""
    importance: float = 0.5
    opposite: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def default_rules() -> tuple[Rule, ...]:
    """The rules that ship with the package (read once per process)."""
    entry = resources.files("hermes_core") / "conclusions.toml"
    return _parse(entry.read_text(encoding="utf-8"), "conclusions.toml")


def load_rules(paths: Iterable[str | Path] = ()) -> tuple[Rule, ...]:
    """The shipped rules and those of the files; a rule of the same name replaces. InvalidInput names file and field."""
    rules = {rule.name: rule for rule in default_rules()}
    for path in paths:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"can't read the conclusions {path}: {error}") from error
        rules.update({rule.name: rule for rule in _parse(text, str(path))})
    return tuple(rules.values())


def _parse(text: str, where: str) -> tuple[Rule, ...]:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{where} is not valid TOML: {error}") from error
    rows = table.get("conclusion")
    if not isinstance(rows, list) or set(table) != {"conclusion"}:
        raise InvalidInput(f"{where}: a file of conclusions holds [[conclusion]] tables and nothing else")
    return tuple(_rule(row, f"{where}: conclusion {row.get('name', n)!r}") for n, row in enumerate(rows, 1))


def _rule(row: Mapping[str, Any], where: str) -> Rule:
    _known(row, _RULE_KEYS, where)
    needs = row.get("needs", 2)
    if not isinstance(needs, int) or needs < 2:
        raise InvalidInput(f"{where}, field needs: a conclusion needs at least 2 observations, got {needs!r}")
    importance = row.get("importance", 0.5)
    if not isinstance(importance, (int, float)) or not 0 <= importance <= 1:
        raise InvalidInput(f"{where}, field importance: must be in 0..1, got {importance!r}")
    kind = row.get("kind", "")
    if kind and kind not in {k.value for k in Kind}:
        raise InvalidInput(f"{where}, field kind: {kind!r} is not one of {', '.join(k.value for k in Kind)}")
    supports = row.get("supports")
    if not isinstance(supports, list) or not supports:
        raise InvalidInput(f"{where}, field supports: must be a list with at least one entry")
    return Rule(
        name=_word(row, "name", where),
        slot=_word(row, "slot", where),
        value=_word(row, "value", where),
        text=_both_languages(row.get("text"), where),
        supports=tuple(_support(entry, f"{where}, support {n}") for n, entry in enumerate(supports, 1)),
        needs=needs,
        kind=kind,
        importance=float(importance),
        opposite=tuple(_words(row, "opposite", where)),
    )


def _support(row: object, where: str) -> Support:
    if not isinstance(row, dict):
        raise InvalidInput(f"{where}: must be a table, got {row!r}")
    _known(row, _SUPPORT_KEYS, where)
    polarity = row.get("polarity", 1)
    if polarity not in (-1, 0, 1):
        raise InvalidInput(f"{where}, field polarity: must be 1, -1, or 0 for both, got {polarity!r}")
    slots, values = _words(row, "slots", where), _words(row, "values", where)
    said = [*_words(row, "en", where), *_words(row, "zh", where)]
    like = _words(row, "like", where)
    if not (slots or said or like):
        raise InvalidInput(f"{where}: name slots, words or sentences; an empty support would match every memory")
    pattern = "|".join(re.escape(slot).replace(r"\*", ".*") for slot in slots)
    own = r"(?::.*)?"  # "event:concert-friday" is an event
    return Support(
        re.compile(f"(?:{pattern}){own}") if slots else None, tuple(values), polarity, _pattern(said), tuple(like)
    )


def _pattern(said: Sequence[str]) -> re.Pattern[str] | None:
    if not said:
        return None
    return re.compile("|".join(_bounded(word.casefold()) for word in said))


def _bounded(word: str) -> str:
    return rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])" if word.isascii() else re.escape(word)


def _known(row: Mapping[str, Any], keys: frozenset[str], where: str) -> None:
    if unknown := set(row) - keys:
        raise InvalidInput(f"{where}: unknown field {sorted(unknown)}; known are {sorted(keys)}")


def _word(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{where}, field {key}: must be a text that isn't empty, got {value!r}")
    return value.strip()


def _words(row: Mapping[str, Any], key: str, where: str) -> list[str]:
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(v, str) and v.strip() for v in value):
        raise InvalidInput(f"{where}, field {key}: must be a list of texts, got {value!r}")
    return value


def _both_languages(table: object, where: str) -> Mapping[str, str]:
    if not isinstance(table, dict) or set(table) != set(LANGUAGES):
        raise InvalidInput(f"{where}, field text: must have the languages {', '.join(LANGUAGES)}, got {table!r}")
    return {language: _word(table, language, f"{where}, text") for language in LANGUAGES}
