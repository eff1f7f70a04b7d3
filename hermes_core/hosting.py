"""What a framework's adapter calls: the store's door with a promise that failing memory never breaks a chat.

Adapters translate messages and carry ids; no rule of memory may live in them or here.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import threading
from collections.abc import Callable
from typing import TypeVar

from hermes_core.checks import checked_id
from hermes_core.errors import HermesError, InvalidInput
from hermes_core.fencing import looks_like_instruction, neutralise, without_blocks
from hermes_core.items import MemoryItem, Turn
from hermes_core.recall import Viewer
from hermes_core.shell.hermes import Hermes
from hermes_core.shell.reader import BoundedMap
from hermes_core.shell.session import Session
from hermes_core.views import ContextBlock, RecallHit
from hermes_core.wording import anchor, language_of

log = logging.getLogger("hermes")

T = TypeVar("T")

CLEARED = "(conversation cleared)"  # a turn of role "command" that starts a conversation anew under the same id
BLOCKS = 256  # turns under way whose block is kept; each is some 10 kB
MESSAGE = "hermes-"  # what a stored turn's id is called by as a framework's message id
_ANCHOR = re.compile(r"^\W*m:\s*([0-9A-Za-z]{4,})\W*$")


def required(value: object, name: str, places: str) -> str:
    """The id, or InvalidInput that says where it may come from: there is never a shared default (C12)."""
    if value is None or not str(value).strip():
        raise InvalidInput(f"{name} is missing; give it by {places}")
    return checked_id(str(value), name)


def turn_id_for(session_id: str, message_id: str | None, *content: str) -> str:
    """A stable id for a message: its own where it has one, else derived from `content` (such as place, role, text).

    A message that came out of a store (`message_id_of`) keeps the turn that it was: adding it again changes nothing.
    """
    if message_id and message_id.startswith(MESSAGE):
        return message_id[len(MESSAGE) :]
    parts = (session_id, message_id) if message_id else (session_id, *content)
    return hashlib.blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()


def message_id_of(turn: Turn) -> str:
    """The id under which a framework sees a stored turn."""
    return MESSAGE + turn.id


def shown(item: MemoryItem) -> str:
    """An item's words as a prompt may hold them: on one line, unable to fill a template, close a fence or give orders (P1)."""
    return "(not shown: it reads like an instruction)" if looks_like_instruction(item.text) else neutralise(item.text)


class Host:
    """A store as adapters use it. Safe from any thread; copies share the store.

    A failing call is logged and counted (`failures`, `last_error`) and answers with nothing, unless
    `raise_on_error`. InvalidInput about ids is always raised: that is the caller's bug, not the world's.
    """

    def __init__(self, hermes: Hermes, *, raise_on_error: bool = False) -> None:
        self.hermes = hermes
        self.raise_on_error = raise_on_error
        self.failures = 0
        self.last_error: Exception | None = None
        self._counting = threading.Lock()
        # by the version as well: after a forget no turn goes on with what it had read (law E)
        self._blocks: BoundedMap[tuple[str, str, str, int], ContextBlock] = BoundedMap(BLOCKS)

    def __deepcopy__(self, memo: object) -> Host:
        return self

    def session(self, user_id: str, session_id: str, agent: str | None = None, consent: bool = False) -> Session:
        """The conversation, whether or not the store is open: the calls below say what fails, and answer for it."""
        return Session(self.hermes._engine, user_id, session_id, agent=agent, consent=consent)

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
        once: str = "",
    ) -> ContextBlock | None:
        """The context for a query; None on failure. With `once`, a turn's own key, that turn gets the same block again."""

        def read() -> ContextBlock:
            key = (session.user_id, session.session_id, once, session.version if once else 0)
            held = self._blocks.get(key) if once else None
            if held is None:
                held = session.context(query, task=task, language=language, budget=budget)
                if once:
                    self._blocks.put(key, held)
            return held

        return self._try("context", read, None)

    def recall(self, session: Session, query: str, k: int) -> tuple[RecallHit, ...]:
        """Hits for a query; none for a blank query or on failure."""
        if not query.strip():
            return ()
        return self._try("recall", lambda: session.recall(query, k), ())

    def turns(self, session: Session, *, working: bool = False) -> list[Turn]:
        """The conversation since it was last cleared, oldest first (`working`: only its last, fresh turns, R10); [] on failure."""
        return self.conversation(session, working=working) or []

    def conversation(self, session: Session, *, working: bool = False, limit: int | None = None) -> list[Turn] | None:
        """`turns`, or None on failure; `limit` reads no more than the latest ones."""

        def read() -> list[Turn] | None:
            return list(session.working()) if working else session.turns(limit)

        turns = self._try("read the conversation", read, None)
        if turns is None:
            return None
        cleared = [at for at, turn in enumerate(turns) if turn.role == "command" and turn.text == CLEARED]
        return turns[cleared[-1] + 1 :] if cleared else turns

    def clear(self, session: Session) -> None:
        """Start the conversation anew: `turns` is empty, the snapshot ends. What was learned stays; `forget` erases."""
        self._try("clear the conversation", lambda: session.observe("command", CLEARED), None)
        session.end()

    def answer(self, session: Session, query: str, k: int) -> str:
        """What a recall tool says (R8): the memories that fit the query, fenced, or the words behind one anchor (m:…)."""
        asked = _ANCHOR.match(query)
        lines = (
            self._behind(session, asked[1]) if asked else [_line(hit.item) for hit in self.recall(session, query, k)]
        )
        if not lines:
            return "没有记住与此相关的内容。" if language_of(query) == "zh" else "Nothing is remembered about this."
        return "\n".join(("<hermes_memory>", *lines, "</hermes_memory>"))

    def _behind(self, session: Session, short: str) -> list[str]:
        memories: list[MemoryItem] = self._try("look up an anchor", lambda: self.hermes.memories(session.user_id), [])
        who = Viewer(session.agent, session.consent)
        found = [item for item in memories if item.id.startswith(short) and who.hidden(item) is None]
        said = [(evidence, item) for item in found for evidence in item.evidence]
        quotes = [
            f'  {e.said_at.date()}: "{neutralise(e.quote)}"' for e, i in said if not looks_like_instruction(e.quote)
        ]
        return [*(_line(item) for item in found), *quotes] if found else []

    def _try(self, name: str, call: Callable[[], T], otherwise: T) -> T:
        try:
            return call()
        except Exception as error:  # an embedder, a driver or a disk may raise anything, and the chat must go on
            with self._counting:
                self.failures += 1
            self.last_error = error
            trace = None if isinstance(error, (HermesError, OSError)) else error
            log.warning("memory could not %s, the chat goes on without it: %s", name, error, exc_info=trace)
            if self.raise_on_error:
                raise
            return otherwise


def _line(item: MemoryItem) -> str:
    return f"- {shown(item)} ({item.status}, {item.said_at.date()}) {anchor(item.id)}"


async def off_loop(call: Callable[[], T]) -> T:
    """Run a blocking call beside the event loop."""
    return await asyncio.to_thread(call)
