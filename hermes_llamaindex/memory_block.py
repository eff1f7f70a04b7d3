"""Memory as a block of the framework's own Memory. It carries messages and text; what is remembered is the core's decision."""

from __future__ import annotations

from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.utils import get_tokenizer
from pydantic import ConfigDict, PrivateAttr

from hermes_core import Hermes, InvalidInput
from hermes_core.hosting import Host, off_loop, required
from hermes_llamaindex.convert import last_user, text_of, turn_id_of, turn_of
from hermes_llamaindex.placing import shortened

LEARNED = ("user", "assistant")


class HermesMemoryBlock(BaseMemoryBlock[str]):
    """Memory(memory_blocks=[HermesMemoryBlock(hermes, user_id=…)]): what is known about the user, for the last message.

    Caveat of the framework: a block is given only messages that Memory flushes, after some 21,000 tokens by default, so
    in short chats it reads and learns nothing; HermesMemory learns at once. The session is Memory's, unless given here.
    `budget` is in tokens. Failing memory gives an empty block and is counted (`failures`), unless `raise_on_error`.
    InvalidInput when an id is missing.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    name: str = "hermes"
    description: str | None = "What is known about the user from earlier conversations."
    user_id: str
    session_id: str | None = None
    task: str = ""
    budget: int | None = None
    agent: str | None = None
    consent: bool = False
    raise_on_error: bool = False
    _host: Host = PrivateAttr()

    def __init__(self, hermes: Hermes | None = None, *, user_id: str = "", **given: Any) -> None:
        if not isinstance(hermes, Hermes):
            raise InvalidInput("HermesMemoryBlock needs its store: pass hermes=Hermes.open(…)")
        super().__init__(user_id=required(user_id, "user_id", "HermesMemoryBlock(user_id=…)"), **given)
        self._host = Host(hermes, raise_on_error=self.raise_on_error)

    @property
    def failures(self) -> int:
        """Calls that failed and were passed over."""
        return self._host.failures

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        at = last_user(messages or [])
        query = text_of(messages[at]) if messages and at is not None else ""
        session_id = self._session_id(block_kwargs.get("session_id"))

        def read() -> str:
            session = self._host.session(self.user_id, session_id, self.agent, self.consent)
            block = self._host.context(session, query, task=self.task, budget=self.budget)
            return block.text if block is not None else ""

        return await off_loop(read)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        await off_loop(lambda: self._observe(messages))

    def _observe(self, messages: list[ChatMessage]) -> None:
        for message in messages:
            stored = turn_of(message)
            if stored is None or stored[0] not in LEARNED:
                continue
            session_id = self._session_id(message.additional_kwargs.get("session_id"))
            session = self._host.session(self.user_id, session_id, self.agent, self.consent)
            self._host.observe(session, *stored, turn_id=turn_id_of(session_id, message))

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The block without its last lines, at least so many tokens shorter; None when nothing would be left."""
        return shortened(content, tokens_to_truncate, lambda text: len(get_tokenizer()(text))) or None

    def _session_id(self, found: object) -> str:
        return required(
            self.session_id or found, "session_id", "HermesMemoryBlock(session_id=…) or Memory(session_id=…)"
        )
