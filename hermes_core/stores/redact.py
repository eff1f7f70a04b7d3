"""What a forget takes out of trail, turns and summaries (C6), as pure functions that every ledger shares.

No I/O may live here. The event of a change stays, with its time, rule and cause; its content goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from hermes_core.changes import Change
from hermes_core.items import Evidence, HeldOverride, MemoryItem, Turn
from hermes_core.ports import Redaction, Summary
from hermes_core.summary import redacted

REDACTED = "[redacted]"


class Redactor:
    """Applies one Redaction to values; a value that holds nothing to erase is returned as the same object."""

    def __init__(self, redaction: Redaction) -> None:
        self._items = frozenset(redaction.item_ids)
        self._turns = frozenset(redaction.turn_ids)
        self._session = redaction.session_id
        self._said = redaction.words
        self._words = _pattern(redaction.words)

    def text(self, text: str) -> str:
        """The text with each of the words blotted out."""
        return text if self._words is None else self._words.sub(REDACTED, text)

    def _hit(self, *texts: str) -> bool:
        return self._words is not None and any(self._words.search(text) for text in texts)

    def turn(self, turn: Turn) -> Turn:
        """A cited turn loses the words, or its whole text when none is found in it; any other loses the words."""
        text = self.text(turn.text)
        if (
            text == turn.text and (turn.id in self._turns or turn.session_id == self._session)
        ) or turn.session_id == self._session:
            text = REDACTED
        return turn if text == turn.text else msgspec.structs.replace(turn, text=text)

    def remark(self, turn: Turn, text: str) -> str:
        """What the store notes about a turn, without the words; nothing for a turn of an erased session."""
        return "" if turn.session_id == self._session else self.text(text)

    def _evidence(self, evidence: Evidence) -> Evidence:
        quote, asked = self.text(evidence.quote), self.text(evidence.asked)
        if evidence.session_id == self._session:
            quote, asked = REDACTED, ""
        same = (quote, asked) == (evidence.quote, evidence.asked)
        return evidence if same else msgspec.structs.replace(evidence, quote=quote, asked=asked)

    def _drops(self, held: HeldOverride) -> bool:
        """A held override goes when it says, or quotes, what is forgotten."""
        quotes = [words for e in held.evidence for words in (e.quote, e.asked) if words]
        forgotten = bool(held.evidence) and all(e.session_id == self._session for e in held.evidence)
        return forgotten or self._hit(held.value, held.text, held.reason, *held.qualifiers, *quotes)

    def _override(self, held: HeldOverride) -> HeldOverride:
        """What other sessions said for it stays; the erased one no longer counts for it."""
        evidence = tuple(e for e in held.evidence if e.session_id != self._session)
        return held if len(evidence) == len(held.evidence) else msgspec.structs.replace(held, evidence=evidence)

    def item(self, item: MemoryItem) -> MemoryItem:
        """Another item's image without quotes and held overrides of what is forgotten; its own words stay (law F)."""
        evidence = tuple(self._evidence(e) for e in item.evidence)
        held = tuple(self._override(h) for h in item.held if not self._drops(h))
        note = self.text(item.note)
        if evidence == item.evidence and held == item.held and note == item.note:
            return item
        return msgspec.structs.replace(item, evidence=evidence, held=held, note=note)

    def change(self, change: Change) -> Change:
        if change.item_id in self._items:
            return msgspec.structs.replace(change, after=None, claim="", detail="")
        after = None if change.after is None else self.item(change.after)
        claim, detail = self.text(change.claim), self.text(change.detail)
        if self._session is not None and change.cause.session_id == self._session:
            claim, detail = (REDACTED if claim else ""), (REDACTED if detail else "")
        if after is change.after and claim == change.claim and detail == change.detail:
            return change
        return msgspec.structs.replace(change, after=after, claim=claim, detail=detail)

    def summary(self, summary: Summary) -> Summary | None:
        """None when the whole summary must go: it is drawn from an erased session."""
        if self._session is not None and summary.session_id in (self._session, ""):
            return None
        return redacted(summary, self._said)


def _pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    """Case and runs of spaces don't matter; a word of letters is not cut out of the middle of another."""
    parts = sorted({" ".join(w.split()) for w in words if w.strip()}, key=len, reverse=True)
    if not parts:
        return None
    return re.compile("|".join(_whole(part) for part in parts), re.IGNORECASE)


def _whole(part: str) -> str:
    body = r"\s+".join(re.escape(piece) for piece in part.split(" "))
    left = r"(?<![A-Za-z0-9])" if re.match(r"[A-Za-z0-9]", part) else ""
    right = r"(?![A-Za-z0-9])" if re.search(r"[A-Za-z0-9]$", part) else ""
    return left + body + right
