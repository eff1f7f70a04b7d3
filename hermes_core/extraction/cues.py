"""The bilingual cue lists of `cues.toml`, compiled once. No rule may live here: rules ask a list by name."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache, cached_property
from importlib.resources import files

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_CJK = re.compile(r"[㐀-鿿]")
_GAP_LATIN = r"(?:[^\n.!?]{0,60}?)"
_GAP_CJK = r"(?:[^\n。！？]{0,12}?)"


def folded(text: str) -> str:
    """Lower case, width and quote marks made equal; the form that cue lists are matched on (not index-preserving)."""
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("‘", "'")


def is_cjk(char: str) -> bool:
    """Kana, Chinese characters and Hangul: written without spaces between words."""
    return "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af"


def _body(entries: list[str], gap: str) -> str:
    parts = [[r"\s+".join(map(re.escape, folded(piece).split())) for piece in entry.split("…")] for entry in entries]
    return "|".join(gap.join(pieces) for pieces in sorted(parts, key=lambda pieces: -len("".join(pieces))))


class CueList:
    """One list as patterns over `folded` text; the Chinese ones are skipped where there is only ASCII."""

    def __init__(self, entries: tuple[str, ...]) -> None:
        self.entries = entries
        chinese = [entry for entry in entries if _CJK.search(entry)]
        latin = [entry for entry in entries if not _CJK.search(entry)]
        self._bodies: list[tuple[bool, str]] = []
        if latin:
            self._bodies.append((True, r"(?<![a-z0-9])(?:" + _body(latin, _GAP_LATIN) + r")(?![a-z0-9])"))
        if chinese:
            self._bodies.append((False, "(?:" + _body(chinese, _GAP_CJK) + ")"))

    def _compiled(self, before: str, after: str) -> list[tuple[bool, re.Pattern[str]]]:
        return [(latin, re.compile(before + body + after)) for latin, body in self._bodies]

    @cached_property
    def _anywhere(self) -> list[tuple[bool, re.Pattern[str]]]:
        return self._compiled("", "")

    @cached_property
    def _opening(self) -> list[tuple[bool, re.Pattern[str]]]:
        return self._compiled(r"[\s\W]*", "")

    @cached_property
    def _closing(self) -> list[tuple[bool, re.Pattern[str]]]:
        return self._compiled("", r"[\s\W]*$")

    def within(self, text: str) -> bool:
        return self.search(text) is not None

    def opens(self, text: str) -> bool:
        ascii_only = text.isascii()
        return any(p.match(text) for latin, p in self._opening if latin or not ascii_only)

    def closes(self, text: str) -> bool:
        ascii_only = text.isascii()
        return any(p.search(text) for latin, p in self._closing if latin or not ascii_only)

    def search(self, text: str) -> re.Match[str] | None:
        """The first hit, Latin cues before Chinese ones."""
        ascii_only = text.isascii()
        for latin, pattern in self._anywhere:
            if (latin or not ascii_only) and (match := pattern.search(text)):
                return match
        return None

    def starts_before(self, place: int, text: str) -> bool:
        """Whether the first hit begins in the first `place` characters (it may reach beyond them)."""
        match = self.search(text)
        return match is not None and match.start() < place

    def count(self, text: str) -> int:
        ascii_only = text.isascii()
        return sum(len(p.findall(text)) for latin, p in self._anywhere if latin or not ascii_only)

    def removed_from(self, text: str) -> str:
        for _, pattern in self._anywhere:
            text = pattern.sub(" ", text)
        return text


@cache
def _table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = tomllib.loads(files(__package__).joinpath("cues.toml").read_text(encoding="utf-8"))
    return table


@cache
def cues(name: str) -> CueList:
    """The list called `name`; KeyError when cues.toml has none."""
    return CueList(tuple(_table()[name]))
