"""Frames of speech from data/frames.toml: where in a clause a claim's value stands, and what the wording itself settles.

A frame may name the slot; where it doesn't, meaning.py finds it. Nothing is kept or dropped here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from hermes_core.catalogue import BA, Catalogue
from hermes_core.errors import InvalidInput
from hermes_core.extraction.lexicon import plain

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PREFERENCE = "pref"  # the slot of a like or dislike that meaning still has to place
_PLACEHOLDERS = {
    "en": {
        "self": r"(?:(?:i|we|im|ive)(?:'m|'re|'ve|'d|'ll| am| are| have| do| did)?\s+)?",
        "adv": r"(?:(?:really|very|just|also|still|always|usually|generally|truly|absolutely|strongly|particularly|especially|actually|definitely|typically|often|mostly|only|now|currently|strictly|severely|deadly|mildly|highly|extremely|quite|pretty|so|rather|actively|totally|completely|personally|tend to|try to|happily|recently|much|more|consciously|deliberately|primarily|both|already|even|kinda|sort of|kind of|do|have|been|being|most|simply|specifically|intensely|deeply|heavily|badly|violently|lethally|terribly|moderately)\s+)*",
        "v": r"(?P<v>.+)",
        "n": r"(?P<n>(?:[\w'-]+ ){0,4}?[\w'-]+)",
    },
    "zh": {
        "self": r"(?:我们|我俩|咱们|我|咱|俺|本人|偶)?(?:自己|个人|一家)?",
        "adv": r"(?:真的?|很|非常|特别|比较|也|都|就|还|又|最|更|一直|从小|从来|一般|平时|平常|通常|经常|常|现在|目前|已经|其实|有点儿?|超级?|挺|蛮|十分|特|太|每天|每周|总是|最近|以前|以后|只|偶尔|自己|确实|尤其|一向|向来|始终|早上|早晨|上午|中午|晚上|下午|傍晚|夜里|半夜|睡前|饭后|下班后|周末|平日|工作日|节假日|夏天|冬天|春天|秋天|严重|个人|并|根本|完全|一点都?|再也?|可(?!能|以|惜|爱|是)|实在|不太|不怎么)*",
        "v": r"(?P<v>.+)",
        "n": r"(?P<n>.+?)",
        "city": r"(?:[\u4e00-\u9fff]{1,6}?[省市县]|国外|国内|海外|老家|CITIES)",
    },
}
_STOP = {
    "en": re.compile(
        r",|;|\s+(?:because|since|when|whenever|while|if|unless|so|although|though|but|due to|rather than|instead of|over (?=\w+$)|and (?:i|my|avoid|prefer|hate|dislike|love|like|enjoy|have|am|do|don't|would|want|need|currently|usually|often|now)\b|as (?:i|it|they|my|we|a matter)|to (?:avoid|reduce|protect|ensure|stay|keep|save|maintain)|for (?:health|personal|ethical|religious|environmental|medical|safety)|which|who|that (?:is|are|has|have|do|don't|require|involve)|with my|anymore|any more|on (?:weekends|sundays|saturdays)|every|at (?:all|the moment)|right now|these days|now|too|very much|a lot|so much|myself|these|last|this|next|in (?:general|my))\b.*",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"[，,；;。！!？?]|因为|所以|而且|但是|不过|的时候|才能|的话|了一下|来着"),
}
MAX_VALUE_WORDS = 10
MAX_VALUE_CHARS = 24  # of a Chinese value


@dataclass(frozen=True)
class Frame:
    language: str
    slot: str
    polarity: int
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class Match:
    """`slot` "" means: found by meaning; `value` verbatim, `noun` the dimension the user named ("my X is …")."""

    slot: str
    value: str
    polarity: int
    noun: str = ""
    qualifier: str = ""


NO_MATCH = Match("", "", 1)


class Frames:
    """All frames by language, in the order of the file; the first that fits wins. `slots`: all that they name."""

    def __init__(self, frames: Sequence[Frame]) -> None:
        self.slots = frozenset(frame.slot for frame in frames) - {"", PREFERENCE}
        self._by_language = {language: tuple(f for f in frames if f.language == language) for language in _PLACEHOLDERS}

    def match(self, statement: str, language: str) -> Match | None:
        """The first frame that fits the statement (a clause without its openers); None only for an empty one."""
        text = plain(statement).strip()
        match = self._match(text, language)
        if language != "zh" or (match is not None and match.slot not in ("", PREFERENCE)):
            return match
        # Frames that ask for a Chinese name take a Latin one as well: 「我是 Penang 人」.
        names = _NAME_IN_ZH.findall(text)
        veiled = self._match(_veil(text, names), language) if 0 < len(names) <= len(_VEILS) else None
        if veiled is None or veiled.slot in ("", PREFERENCE) or not any(v in veiled.value for v in _VEILS):
            return match
        if veiled.slot in _PROPER and not _unveil(veiled.value, names)[:1].isupper():
            return match
        return replace(veiled, value=_unveil(veiled.value, names), noun=_unveil(veiled.noun, names))

    def _match(self, text: str, language: str) -> Match | None:
        for frame in self._by_language[language]:
            if (found := frame.pattern.match(text)) is not None and (match := _read(frame, found, language)):
                return match
        return None


# A Latin name in a Chinese clause, and what stands for the first, second, ... of them: characters that no frame knows.
_NAME_IN_ZH = re.compile(r"[A-Za-z][A-Za-z0-9'&.-]*(?: [A-Za-z][A-Za-z0-9'&.-]*){0,3}")
_VEILS = "龘靐齉"
_PROPER = frozenset({"name", "hometown", "residence", "employer"})  # slots whose Latin values have a capital


def _veil(text: str, names: Sequence[str]) -> str:
    for veil, name in zip(_VEILS, names, strict=False):
        text = text.replace(name, veil * 2, 1)
    return text


def _unveil(words: str, names: Sequence[str]) -> str:
    for veil, name in zip(_VEILS, names, strict=False):
        words = re.sub(f"{veil}+", name, words)
    return words


def _read(frame: Frame, found: re.Match[str], language: str) -> Match | None:
    groups = found.groupdict()
    named = groups.get("v2")
    value = trimmed_value(named or groups.get("v") or "", language)
    if not value or (language == "zh" and value.startswith("了")):  # 「喝了心慌」: something that happened, no habit
        return None
    return Match(frame.slot, value, frame.polarity, (groups.get("n") or "").strip(), (groups.get("q") or "").strip())


def trimmed_value(words: str, language: str) -> str:
    """The words up to where the value ends: a comma, a reason, a condition, a time."""
    value = _STOP[language].split(words.strip(), maxsplit=1)[0].strip(" .,!?。，！？“”\"'")
    if language == "zh":
        value = re.sub(rf"(?:了|的|呢|啊|{BA}|呀|哦|啦|嘛)+$", "", value) or value
        return value[:MAX_VALUE_CHARS]
    return " ".join(value.split()[:MAX_VALUE_WORDS])


def _compile(row: dict[str, Any], where: str) -> list[Frame]:
    language, slot, polarity = row.get("lang"), row.get("slot"), row.get("polarity", 1)
    if language not in _PLACEHOLDERS or not isinstance(slot, str) or polarity not in (1, -1):
        raise InvalidInput(f"{where}: a frame needs lang (en, zh), slot and polarity (1, -1), got {row!r}")
    expressions = row.get("re")
    if not isinstance(expressions, list) or not expressions or not all(isinstance(e, str) for e in expressions):
        raise InvalidInput(f"{where}, slot {slot!r}, field re: must be a list of expressions, got {expressions!r}")
    return [Frame(language, slot, polarity, _pattern(e, language, f"{where}, slot {slot!r}")) for e in expressions]


@lru_cache(maxsize=1)
def _cities() -> str:
    """The Chinese names of the catalogue's places, the longest first."""
    slot = Catalogue.default().slot("residence")
    words = {word for value in (slot.values if slot else ()) for word in value.words if not word.isascii()}
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


_PLACEHOLDER = re.compile(r"\{([a-z]+)\}")


def _pattern(expression: str, language: str, where: str) -> re.Pattern[str]:
    filled = expression
    for name, pattern in _PLACEHOLDERS[language].items():
        filled = filled.replace("{" + name + "}", pattern.replace("CITIES", _cities()))
    if (unknown := _PLACEHOLDER.search(filled)) is not None:
        known = ", ".join("{" + name + "}" for name in _PLACEHOLDERS[language])
        raise InvalidInput(f"{where}: {expression!r} holds {unknown.group()}; known are {known}")
    try:
        compiled = re.compile(filled, re.IGNORECASE)
    except re.error as error:
        raise InvalidInput(f"{where}: {expression!r} is no pattern: {error}") from error
    if not {"v", "v2"} & set(compiled.groupindex):
        raise InvalidInput(f"{where}: {expression!r} says nowhere what the value is; put {{v}} there")
    return compiled


def _parse(text: str, where: str) -> list[Frame]:
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{where} is not valid TOML: {error}") from error
    if set(tables) - {"frame"}:
        raise InvalidInput(f"{where}: a frame file holds [[frame]] tables and nothing else, got {sorted(tables)}")
    rows = tables.get("frame", [])
    return [frame for row in rows for frame in _compile(row, where)]


@lru_cache(maxsize=1)
def _shipped() -> tuple[Frame, ...]:
    text = (resources.files("hermes_core.extraction") / "data" / "frames.toml").read_text(encoding="utf-8")
    return tuple(_parse(text, "frames.toml"))


def load_frames(extra_paths: Sequence[str | Path] = ()) -> Frames:
    """The user's frames, which are tried first, and the shipped ones. InvalidInput names the file and the frame."""
    frames: list[Frame] = []
    for path in extra_paths:
        try:
            frames.extend(_parse(Path(path).read_text(encoding="utf-8"), str(path)))
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"can't read the frames {path}: {error}") from error
    return Frames((*frames, *_shipped()))
