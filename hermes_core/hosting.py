"""What a framework's adapter calls: the store's door with a promise that failing memory never breaks a chat.

Adapters translate messages and carry ids; no rule of memory may live in them or here.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from typing import TypeVar

from hermes_core.errors import HermesError, InvalidInput
from hermes_core.fencing import without_blocks
from hermes_core.items import Turn
from hermes_core.shell.hermes import Hermes
from hermes_core.shell.session import Session
from hermes_core.views import ContextBlock, RecallHit

log = logging.getLogger("hermes")

T = TypeVar("T")


def required(value: str | None, name: str, places: str) -> str:
    """The id, or InvalidInput that says where it may come from: there is never a shared default (C12)."""
    if value is None or not str(value).strip():
        raise InvalidInput(f"{name} is missing; give it by {places}")
    return str(value)


def turn_id_for(session_id: str, message_id: str | None, *content: str) -> str:
    """A stable id for a message: its own where it has one, else derived from `content` (such as place, role, text)."""
    parts = (session_id, message_id) if message_id else (session_id, *content)
    return hashlib.blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()


class Host:
    """A store as adapters use it. Safe from any thread.

    A failing call is logged and counted (`failures`, `last_error`) and answers with nothing, unless
    `raise_on_error`. InvalidInput about ids is always raised: that is the caller's bug, not the world's.
    """

    def __init__(self, hermes: Hermes, *, raise_on_error: bool = False) -> None:
        self.hermes = hermes
        self.raise_on_error = raise_on_error
        self.failures = 0
        self.last_error: HermesError | OSError | None = None

    def session(self, user_id: str, session_id: str, agent: str | None = None, consent: bool = False) -> Session:
        return self.hermes.session(user_id, session_id, agent=agent, consent=consent)

    def observe(self, session: Session, role: str, text: str, turn_id: str | None = None) -> Turn | None:
        """Store one message, without any memory block that was injected into it; None for nothing said, or on failure."""
        said = without_blocks(text).strip()
        if not said:
            return None
        return self._try("observe", lambda: session.observe(role, said, turn_id=turn_id), None)

    def context(
        self,
        session: Session,
        query: str = "",
        *,
        task: str = "",
        language: str | None = None,
        budget: int | None = None,
    ) -> ContextBlock | None:
        """The context for a query; None on failure."""
        return self._try("context", lambda: session.context(query, task=task, language=language, budget=budget), None)

    def recall(self, session: Session, query: str, k: int) -> tuple[RecallHit, ...]:
        """Hits for a query; none for a blank query or on failure."""
        if not query.strip():
            return ()
        return self._try("recall", lambda: session.recall(query, k), ())

    def _try(self, name: str, call: Callable[[], T], otherwise: T) -> T:
        try:
            return call()
        except (HermesError, OSError) as error:
            self.failures += 1
            self.last_error = error
            log.warning("memory could not %s, the chat goes on without it: %s", name, error)
            if self.raise_on_error:
                raise
            return otherwise


async def off_loop(call: Callable[[], T]) -> T:
    """Run a blocking call beside the event loop."""
    return await asyncio.to_thread(call)
