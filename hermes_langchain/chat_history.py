"""A conversation kept in the store, for RunnableWithMessageHistory and whatever takes a chat message history.

`messages` holds what was said and nothing else: memory is never put in here, since callers count these messages.
"""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import BaseMessage

from hermes_core import Hermes, Session
from hermes_core.hosting import Host, required
from hermes_langchain.convert import message_of, turn_id_of, turn_of


class HermesChatMessageHistory(BaseChatMessageHistory):
    """One session's messages, durable and shared by every process on the store; the user's are also learned from (L1).

    Cheap to make, so a factory may make one per call. Writes are idempotent by message id. Failing memory is logged
    and counted (`failures`), unless `raise_on_error`. InvalidInput when an id is missing.
    """

    def __init__(self, hermes: Hermes, *, user_id: str, session_id: str, raise_on_error: bool = False) -> None:
        self.user_id = required(user_id, "user_id", "HermesChatMessageHistory(user_id=…)")
        self.session_id = required(session_id, "session_id", "HermesChatMessageHistory(session_id=…)")
        self._host = Host(hermes, raise_on_error=raise_on_error)

    @property
    def _session(self) -> Session:
        return self._host.session(self.user_id, self.session_id)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """What was said since the conversation was last cleared, oldest first, each with a stable id."""
        found = (message_of(turn) for turn in self._host.turns(self._session))
        return [message for message in found if message is not None]

    @property
    def failures(self) -> int:
        """Calls that failed and were passed over."""
        return self._host.failures

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Store messages in their order; a chunk counts as the message that it is part of."""
        session = self._session
        for message in messages:
            stored = turn_of(message)
            if stored is not None:
                self._host.observe(session, *stored, turn_id=turn_id_of(self.session_id, message))

    def clear(self) -> None:
        """Start the conversation anew. What was learned stays; `hermes.forget(user_id, session_id=…)` erases both."""
        self._host.clear(self._session)

    def __repr__(self) -> str:
        return f"HermesChatMessageHistory(user_id={self.user_id!r}, session_id={self.session_id!r})"
