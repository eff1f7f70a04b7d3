"""One remembered thing as one line of text: neutral, dated, honest about how sure it is (R6). No choice of what to show."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from hermes_core.catalogue import Catalogue
from hermes_core.decay import observed
from hermes_core.fencing import looks_like_instruction, neutralise
from hermes_core.items import HeldOverride, Kind, MemoryItem, Status
from hermes_core.templates import Wording

Sentence = Callable[[MemoryItem, str], "str | None"]

ANCHOR_LENGTH = 6  # characters of an item's id; enough to tell some 2,000 items apart, and resolved per user
_CJK = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_LATIN = re.compile(r"[A-Za-z]+")
_DATED = frozenset({Kind.EVENT, Kind.STATE})
_HELD_CHARACTERS = 120


def language_of(text: str) -> str | None:
    """ "zh" or "en" by the script of most words; None for a text of neither. L1."""
    chinese, english = len(_CJK.findall(text)), len(_LATIN.findall(text))
    if not chinese and not english:
        return None
    return "zh" if chinese >= english else "en"


def anchor(item_id: str) -> str:
    """R8: the short name by which a recall tool fetches the item."""
    short = item_id[:ANCHOR_LENGTH]
    return f"[m:{short if short.isalnum() else neutralise(short)}]"


def sentences(catalogue: Catalogue) -> Sentence:
    """The catalogue's fixed sentence for a preference of a closed slot, in the context's language (R7); None for any other:
    what is vital, or says more than the value, is told in the user's own words."""

    def sentence(item: MemoryItem, language: str) -> str | None:
        slot = catalogue.slot(item.slot)
        taste = slot is not None and slot.closed and slot.kind is Kind.PREFERENCE
        plain = taste and item.polarity == 1 and not item.qualifiers and _SAYS_MORE.search(item.text) is None
        if slot is None or not plain or item.subject != "user" or language not in slot.sentence:
            return None
        value = next((value for value in slot.values if value.name == item.value), None)
        word = None if value is None else _word_in(language, (value.name, *value.words))
        if word is None:
            return None
        return slot.render(word.title() if slot.name == _LANGUAGE and word.isascii() else word, language)

    return sentence


_LANGUAGE = "reply_language"  # whose values are proper names
# "… in French, but English for code", 「…用中文，最多三段」: more than one thing, which no fixed sentence tells.
_SAYS_MORE = re.compile(
    r"(?<![a-z])(?:but|except|unless|apart from|only (?:when|if|for)|and (?!concise|brief|short|simple|clear|to the point))(?![a-z])|[,，;；](?!\s*(?:please|pls|thanks|thank you|谢谢|好吗)\W*$)|但|除了|除非|不过|而且|并且|只有",
    re.IGNORECASE,
)


def _word_in(language: str, words: Sequence[str]) -> str | None:
    """The first wording in the script of the language."""
    return next((word for word in words if language_of(word) == language), None)


def shorten(text: str, characters: int) -> str:
    """The text cut at a word within `characters`, with an ellipsis when something was cut."""
    if len(text) <= characters:
        return text
    cut = text[:characters]
    space = cut.rfind(" ", characters // 2)
    return (cut[:space] if space > 0 else cut) + "…"


class Writer:
    """Words for one context: a language, a time zone, and the catalogue's sentences where there are some."""

    def __init__(
        self,
        wording: Wording,
        timezone: str = "UTC",
        sentence: Sentence | None = None,
    ) -> None:
        self.wording = wording
        self._zone = None if timezone == "UTC" else ZoneInfo(timezone)
        self._sentence = sentence

    def date(self, moment: datetime) -> str:
        return (moment if self._zone is None else moment.astimezone(self._zone)).date().isoformat()

    def words(self, item: MemoryItem) -> str:
        """The item's sentence, or its own text."""
        said = self._sentence(item, self.wording.language) if self._sentence is not None else None
        return neutralise(said or item.text)

    def unsure(self, item: MemoryItem, now: datetime) -> bool:
        """Whether the item is to be told as something that may not hold."""
        return item.status is Status.CANDIDATE or observed(item, now)

    def line(self, item: MemoryItem, now: datetime, *, woken: bool = False, show_held: bool = False) -> str:
        """An item's words and its anchor."""
        return f"{self.item(item, now, woken=woken, show_held=show_held)} {anchor(item.id)}"

    def item(self, item: MemoryItem, now: datetime, *, woken: bool = False, show_held: bool = False) -> str:
        """An item's words by how sure it is; a held override is shown where the caller says that it matters."""
        text = self.words(item)
        if self.unsure(item, now):
            text = self.wording.line("uncertain", text=text)
        if show_held and (held := latest_held(item)) is not None:
            return self.held(item, text, held)
        if item.status is Status.STALE:
            return self.wording.line("stale", text=_unstopped(text), date=self.date(item.said_at))
        if woken:
            return self.wording.line("woken", text=text, date=self.date(item.confirmed_at))
        if item.kind in _DATED:
            return self.wording.line("dated", text=text, date=self.date(item.said_at))
        return text

    def held(self, item: MemoryItem, text: str, held: HeldOverride) -> str:
        said_at = held.evidence[-1].said_at if held.evidence else item.said_at
        other = _unstopped(neutralise(shorten(held.text or held.value, _HELD_CHARACTERS)))
        return self.wording.line("held", text=text, other=other, date=self.date(said_at))

    def change(self, old: MemoryItem, new: MemoryItem) -> str:
        """Two memories that both survive, as a change over time with a hint to ask."""
        return self.wording.line(
            "change",
            old=_unstopped(self.words(old)),
            old_date=self.date(old.said_at),
            text=_unstopped(self.words(new)),
            date=self.date(new.said_at),
        )


def latest_held(item: MemoryItem) -> HeldOverride | None:
    """The newest held override that may be quoted."""
    for held in reversed(item.held):
        if not looks_like_instruction(held.text):
            return held
    return None


def _unstopped(text: str) -> str:
    return text.rstrip(".。 ")
