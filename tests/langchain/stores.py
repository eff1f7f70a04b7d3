"""Words for what a store was told and holds, and one whose disk goes away."""

from __future__ import annotations

from hermes_core import Hermes
from hermes_core.stores.in_memory import InMemoryLedger

FACT = "I'm allergic to peanuts."
KNOWN = "allergic to peanuts"
USER = "ada"


class BrokenLedger(InMemoryLedger):
    """Works until `broken` is set, then fails at what a chat asks of it, like a disk that went away."""

    broken = False

    def __getattribute__(self, name: str) -> object:
        asked = name in ("add_turn", "turns", "version", "load", "summaries", "erased_version")
        if asked and object.__getattribute__(self, "broken"):
            raise OSError("the disk went away")
        return super().__getattribute__(name)


def tell(hermes: Hermes, user_id: str, *texts: str, session_id: str = "earlier") -> None:
    """Say something in a session of its own, and have it remembered."""
    with hermes.session(user_id, session_id) as session:
        for text in texts:
            session.observe("user", text)
    hermes.flush(user_id)


def said(hermes: Hermes, user_id: str, session_id: str, role: str = "user") -> list[str]:
    return [turn.text for turn in hermes.session(user_id, session_id).turns() if turn.role == role]


def remembered(hermes: Hermes, user_id: str = USER) -> str:
    return "\n".join(item.text for item in hermes.memories(user_id))
