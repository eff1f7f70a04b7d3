"""A few words for telling a story to a store: one call a sentence, each in its session, the clock moving on."""

from __future__ import annotations

from hermes_core import Hermes, MemoryItem
from hermes_core.testing import FakeClock

USER = "user-1"


class Talk:
    """`say` observes and flushes; `session(...)` starts another conversation a day later."""

    def __init__(self, hermes: Hermes, clock: FakeClock, user_id: str = USER) -> None:
        self.hermes, self.clock, self.user_id = hermes, clock, user_id
        self.number = 1

    def say(self, *texts: str, role: str = "user", session: str | None = None) -> Talk:
        for text in texts:
            with self.hermes.session(self.user_id, session or f"s{self.number}") as conversation:
                conversation.observe(role, text)
            self.clock.advance(minutes=1)
        self.hermes.flush(self.user_id)
        return self

    def later(self, days: float = 1.0) -> Talk:
        """Another session."""
        self.number += 1
        self.clock.advance(days=days)
        return self

    def live(self, word: str = "") -> list[MemoryItem]:
        """Items that are believed at present (not archived, not stale) whose text, slot or value holds the word."""
        return [i for i in self.all(word) if i.status not in ("archived", "stale")]

    def all(self, word: str = "") -> list[MemoryItem]:
        wanted = word.casefold()
        return [
            i
            for i in self.hermes.memories(self.user_id)
            if wanted in f"{i.text} {i.slot} {i.value} {' '.join(e.quote for e in i.evidence)}".casefold()
        ]

    def reasons(self) -> set[str]:
        return {str(c.reason) for c in self.hermes.history(self.user_id)}

    def context(self, query: str = "") -> str:
        with self.hermes.session(self.user_id, "reading") as conversation:
            return conversation.context(query).text


def told(talk: Talk) -> list[tuple[str, str, int, str]]:
    """Every item as (status, slot, polarity, text), to show beside a failure."""
    return [(str(i.status), i.slot, i.polarity, i.text) for i in talk.all()]


_FLAGGED = {"contradicted", "held", "staled", "superseded"}


def noticed(hermes: Hermes, clock: FakeClock, *talk: tuple[str, str]) -> tuple[bool, list[tuple[str, str]]]:
    """Whether something said spoke against something known, and all items, to show beside a failure.

    Each of `talk` is a session a day after the one before: what the assistant asks, or "", and what the user says.
    """
    for number, (asked, answer) in enumerate(talk):
        with hermes.session("u", f"s{number}") as session:
            if asked:
                session.observe("assistant", asked)
            session.observe("user", answer)
        hermes.flush("u")
        clock.advance(days=1)
    items = hermes.memories("u")
    flagged = any(str(change.event) in _FLAGGED for change in hermes.history("u"))
    return flagged or any(i.contested_by for i in items), [(str(i.status), i.text) for i in items]
