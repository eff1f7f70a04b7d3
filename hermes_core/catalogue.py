"""The slot catalogue: which dimensions a belief can speak about, as data in TOML that people extend (U1, DESIGN §2).

Nothing here reads a user's items or decides what is kept; it only names slots and makes values comparable.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from hermes_core.errors import InvalidInput
from hermes_core.items import LAYER_OF_KIND, Kind, Layer, Sensitivity

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LANGUAGES = ("en", "zh")
_SLOT_KEYS = frozenset(
    [
        "name",
        "kind",
        "exclusive",
        "closed",
        "high_impact",
        "timeless",
        "sensitivity",
        "half_life_days",
        "importance",
        "description",
        "title",
        "sentence",
        "examples",
        "values",
    ]
)
_VALUE_KEYS = frozenset(["name", "en", "zh", "opposite", "vital"])
_ARTICLES = re.compile(r"^(?:(?:an?|the|some|any|all|my|our|of|to|on|in|at|very|really|quite|just|so)\s+)+")
_TAIL = re.compile(r"(?:\s+(?:too|as well|though|now|please|these days|at the moment|right now|lately|very much))+$")
_ZH_HEAD = re.compile(r"^(?:(?:一些|一点|那种|这种|各种|所有|任何|一个|一名|一位|一款|吃|喝|看|听|玩|打)(?=.))")
# 「吧」 as a particle: not the end of 「酒吧」 or 「网吧」, but that of 「喝酒吧」 and 「上网吧」.
BA = r"(?:(?<![酒网茶水书氧陶清迪])|(?<=[喝看买读点倒饮写][酒茶水书])|(?<=上网))吧"
_ZH_TAIL = re.compile(rf"(?:(?:了|的|呢|啊|{BA}|呀|哦|啦|嘛|哈))+$")
_NO_PLACE = r"(?![吧馆店厅屋])"  # 「酒吧」 is no 「酒」, 「咖啡馆」 no 「咖啡」
_EDGES = " \t\r\n.,;:!?\"'`~()[]{}<>，。；：！？、“”‘’「」『』（）《》…—-"


@dataclass(frozen=True)
class SlotValue:
    """One canonical value with its wordings in every language, and the names of the values that exclude it.

    vital: a life may hang on it and it stays: it is held like a slot of high impact that is timeless.
    """

    name: str
    words: tuple[str, ...] = ()
    opposite: tuple[str, ...] = ()
    vital: bool = False


@dataclass(frozen=True)
class Slot:
    """One dimension that a claim speaks about (DESIGN §2). `half_life_days` None: the kind's; importance in 0..1.

    closed: only the listed values are meant, so a wording is searched for them; exclusive: one value at a time.
    """

    name: str
    kind: Kind
    exclusive: bool = False
    closed: bool = False
    high_impact: bool = False
    timeless: bool = False
    sensitivity: Sensitivity = Sensitivity.NORMAL
    half_life_days: float | None = None
    importance: float = 0.5
    description: str = ""
    values: tuple[SlotValue, ...] = ()
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sentence: Mapping[str, str] = field(default_factory=dict)
    title: Mapping[str, str] = field(default_factory=dict)

    @property
    def layer(self) -> Layer:
        return LAYER_OF_KIND[self.kind]

    def called(self, language: str = "en") -> str:
        """What people call the slot: its title in the language, else its name in words."""
        return self.title.get(language) or self.title.get("en") or self.name.replace("_", " ").replace(".", " ")

    def render(self, value: str, language: str = "en") -> str:
        """The slot's sentence about a value, in the language's frame."""
        frame = self.sentence.get(language) or self.sentence.get("en") or "{value}"
        return frame.replace("{value}", value)


def base_slot(name: str) -> str:
    """The listed slot behind a dimension of its own: "event" of "event:concert-friday"."""
    return name.partition(":")[0]


def clean_value(value: str) -> str:
    """A value made comparable: NFKC, lower case, no articles, fillers or edge punctuation; never raises."""
    text = unicodedata.normalize("NFKC", value).casefold()
    text = " ".join(text.split()).strip(_EDGES)
    for _ in range(3):
        before = text
        text = _TAIL.sub("", _ARTICLES.sub("", text)).strip(_EDGES)
        text = _ZH_TAIL.sub("", _ZH_HEAD.sub("", text)).strip(_EDGES) or text
        if text == before:
            break
    return text


def _is_latin(words: str) -> bool:
    return words.isascii()


class Catalogue:
    """All slots by name, and the tables that normalise their values. Immutable; safe to share between threads."""

    def __init__(self, slots: Iterable[Slot]) -> None:
        self._slots: dict[str, Slot] = {}
        for slot in slots:
            self._slots[slot.name] = slot
        self._words = {name: _word_table(slot) for name, slot in self._slots.items()}
        self._search = {name: _search_list(self._words[name]) for name in self._slots}

    @classmethod
    def default(cls) -> Catalogue:
        """The catalogue that ships with the package (read once per process)."""
        return _default()

    @classmethod
    def load(cls, extra_paths: Sequence[str | Path] = ()) -> Catalogue:
        """The shipped slots plus the user's TOML files; a slot of the same name replaces. InvalidInput names file and field."""
        slots = list(_default())
        for path in extra_paths:
            slots.extend(read_slots(Path(path)))
        return cls(slots)

    def __iter__(self) -> Iterator[Slot]:
        return iter(self._slots.values())

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, name: object) -> bool:
        return name in self._slots

    def names(self) -> tuple[str, ...]:
        return tuple(self._slots)

    def slot(self, name: str) -> Slot | None:
        """The slot of this name ("event:concert-friday" is an event); None for one that nobody listed."""
        return self._slots.get(name) or self._slots.get(base_slot(name))

    def normalise(self, slot: str, value: str) -> str:
        """The canonical value (both languages lead to the same one), or the cleaned text when nobody listed it (U1, W12)."""
        text = clean_value(value)
        table = self._words.get(slot)
        if not table:
            return text
        if text in table:
            return table[text]
        if text.endswith("s") and text[:-1] in table:
            return table[text[:-1]]
        if self._slots[slot].closed:
            return self._find(slot, text) or text
        return text

    def find(self, slot: str, words: str) -> str | None:
        """The canonical value whose wording occurs in the words, the longest first; None when none does."""
        return self._find(slot, clean_value(words))

    def _find(self, slot: str, text: str) -> str | None:
        for wording, pattern, name in self._search.get(slot, ()):
            if wording in text and pattern.search(text):
                return name
        return None

    def vital(self, slot: str, value: str) -> bool:
        """Whether a life may hang on this value of a slot that holds harmless ones, too (asthma beside a bad knee)."""
        known = self.slot(slot)
        if known is None:
            return False
        name = self.normalise(known.name, value)
        return any(v.vital for v in known.values if v.name == name)

    def opposites(self, slot: str, value: str) -> tuple[str, ...]:
        """Canonical values that can't hold beside this one; empty when the slot lists none."""
        known = self._slots.get(slot)
        if known is None:
            return ()
        name = self.normalise(slot, value)
        own = next((v.opposite for v in known.values if v.name == name), ())
        others = tuple(v.name for v in known.values if name in v.opposite and v.name not in own)
        return (*own, *others)


def _word_table(slot: Slot) -> dict[str, str]:
    table: dict[str, str] = {}
    for value in slot.values:
        for words in (value.name, *value.words):
            table.setdefault(clean_value(words), value.name)
    return table


def _search_list(table: Mapping[str, str]) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    rows = sorted(table.items(), key=lambda row: (-len(row[0]), row[0]))
    return tuple(
        (
            words,
            re.compile(
                rf"(?<![a-z0-9]){re.escape(words)}(?![a-z0-9])" if _is_latin(words) else re.escape(words) + _NO_PLACE
            ),
            name,
        )
        for words, name in rows
    )


@lru_cache(maxsize=1)
def _default() -> Catalogue:
    slots: list[Slot] = []
    folder = resources.files("hermes_core") / "slots"
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".toml"):
            slots.extend(_parse(entry.read_text(encoding="utf-8"), entry.name))
    return Catalogue(slots)


def read_slots(path: Path) -> list[Slot]:
    """The slots of one TOML file. InvalidInput names the file and the field at fault."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"can't read the slot file {path}: {error}") from error
    return _parse(text, str(path))


def _parse(text: str, where: str) -> list[Slot]:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{where} is not valid TOML: {error}") from error
    rows = table.get("slot")
    if not isinstance(rows, list) or set(table) != {"slot"}:
        raise InvalidInput(f"{where}: a slot file holds [[slot]] tables and nothing else, got {sorted(table)}")
    if not all(isinstance(row, dict) for row in rows):
        raise InvalidInput(f"{where}: each slot is a table of its own, headed [[slot]]")
    return [_slot(row, f"{where}: slot {row.get('name', f'number {n}')!r}") for n, row in enumerate(rows, 1)]


def _slot(row: Mapping[str, Any], where: str) -> Slot:
    if unknown := set(row) - _SLOT_KEYS:
        raise InvalidInput(f"{where}: unknown field {sorted(unknown)}; known are {sorted(_SLOT_KEYS)}")
    half_life = row.get("half_life_days")
    if half_life is not None and (not isinstance(half_life, (int, float)) or half_life <= 0):
        raise InvalidInput(f"{where}, field half_life_days: must be days above 0, got {half_life!r}")
    importance = row.get("importance", 0.5)
    if not isinstance(importance, (int, float)) or not 0 <= importance <= 1:
        raise InvalidInput(f"{where}, field importance: must be in 0..1, got {importance!r}")
    return Slot(
        name=_text(row, "name", where),
        kind=_member(Kind, row.get("kind"), where, "kind"),
        sensitivity=_member(Sensitivity, row.get("sensitivity", "normal"), where, "sensitivity"),
        half_life_days=None if half_life is None else float(half_life),
        importance=float(importance),
        description=str(row.get("description", "")),
        values=tuple(_value(v, where) for v in row.get("values", ())),
        examples=_by_language(row.get("examples", {}), where, "examples"),
        sentence={k: v[0] for k, v in _by_language(row.get("sentence", {}), where, "sentence").items()},
        title={k: v[0] for k, v in _by_language(row.get("title", {}), where, "title").items()},
        **{flag: _flag(row, flag, where) for flag in ("exclusive", "closed", "high_impact", "timeless")},
    )


def _text(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{where}, field {key}: must be a text that isn't empty, got {value!r}")
    return value.strip()


def _flag(row: Mapping[str, Any], key: str, where: str) -> bool:
    value = row.get(key, False)
    if not isinstance(value, bool):
        raise InvalidInput(f"{where}, field {key}: must be true or false, got {value!r}")
    return value


def _member(enum: Any, value: object, where: str, key: str) -> Any:
    try:
        return enum(value)
    except ValueError as error:
        choices = ", ".join(member.value for member in enum)
        raise InvalidInput(f"{where}, field {key}: {value!r} is not one of {choices}") from error


def _value(row: object, where: str) -> SlotValue:
    if not isinstance(row, dict) or set(row) - _VALUE_KEYS:
        raise InvalidInput(f"{where}, field values: each value has the fields {sorted(_VALUE_KEYS)}, got {row!r}")
    words = [w for language in LANGUAGES for w in _texts(row.get(language, []), where, f"values.{language}")]
    return SlotValue(
        _text(row, "name", f"{where}, values"),
        tuple(words),
        _texts(row.get("opposite", []), where, "values.opposite"),
        _flag(row, "vital", f"{where}, values"),
    )


def _texts(value: object, where: str, key: str) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(v, str) and v.strip() for v in value):
        raise InvalidInput(f"{where}, field {key}: must be a list of texts, got {value!r}")
    return tuple(value)


def _by_language(table: object, where: str, key: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(table, dict) or set(table) - set(LANGUAGES):
        raise InvalidInput(f"{where}, field {key}: must have the languages {', '.join(LANGUAGES)}, got {table!r}")
    return {language: _texts(value, where, f"{key}.{language}") for language, value in table.items()}
