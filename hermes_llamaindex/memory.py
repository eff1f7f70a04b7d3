"""Memory for LlamaIndex's chat engines and agents: the conversation, and what is known about the user, in their messages.

Messages are translated and placed here; what is remembered and shown is the core's decision.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole, ToolCallBlock
from llama_index.core.memory import InsertMethod, Memory
from llama_index.core.memory.memory import DEFAULT_TOKEN_LIMIT
from llama_index.core.storage.chat_store.base_db import MessageStatus
from llama_index.core.utils import get_tokenizer
from pydantic import ConfigDict, PrivateAttr

from hermes_core import Hermes, InvalidInput
from hermes_core.hosting import Host, off_loop, required
from hermes_llamaindex.chat_history import Conversation, Entry
from hermes_llamaindex.convert import text_of, unfillable
from hermes_llamaindex.placing import in_system, in_user

CACHED = 2048  # texts whose tokens are known


class HermesMemory(Memory):
    """Drop-in memory for chat engines and agents (L1): HermesMemory.from_core(hermes, user_id=…, session_id=…).

    Messages are stored and learned from as they are put, so nothing waits for a flush; the conversation is durable,
    and `get` gives the latest whole exchanges within `token_limit * chat_history_token_ratio`. What is known about the
    user joins the user's message (`insert_method` "user"), or one system message ("system": `system_prompt` goes
    first; leave the engine's own empty). `inject=False` only observes, beside a HermesRetriever.
    `budget` is in tokens, for the memory block. `set` and `chat_history=` are kept and not learned from. `reset` starts
    the conversation anew and keeps what was learned. Failing memory is logged and counted (`failures`), and this
    process's messages are still there, unless `raise_on_error`. InvalidInput when an id is missing.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    user_id: str
    inject: bool = True
    insert_method: InsertMethod = InsertMethod.USER
    system_prompt: str = ""
    task: str = ""
    budget: int | None = None
    agent: str | None = None
    consent: bool = False
    raise_on_error: bool = False
    _host: Host = PrivateAttr()
    _conversation: Conversation = PrivateAttr()

    def __init__(self, hermes: Hermes | None = None, *, user_id: str = "", session_id: str = "", **given: Any) -> None:
        if not isinstance(hermes, Hermes):
            raise InvalidInput("HermesMemory needs its store, which is never saved with it: pass hermes=Hermes.open(…)")
        if given.get("memory_blocks"):
            raise InvalidInput("HermesMemory holds no memory_blocks; put them and a HermesMemoryBlock into a Memory")
        given["user_id"] = required(user_id, "user_id", "HermesMemory.from_core(hermes, user_id=…)")
        given["session_id"] = required(session_id, "session_id", "HermesMemory.from_core(hermes, session_id=…)")
        given.setdefault("token_limit", DEFAULT_TOKEN_LIMIT)
        given["tokenizer_fn"] = lru_cache(CACHED)(given.get("tokenizer_fn") or get_tokenizer())
        super().__init__(**given)
        self._host = Host(hermes, raise_on_error=self.raise_on_error)
        session = self._host.session(self.user_id, self.session_id, self.agent, self.consent)
        self._conversation = Conversation(self._host, session)

    @classmethod
    def class_name(cls) -> str:
        return "HermesMemory"

    @classmethod
    def from_core(cls, hermes: Hermes, *, user_id: str, session_id: str, **settings: Any) -> HermesMemory:
        """Memory of one user's conversation. `settings` are the fields of this class and of Memory."""
        return cls(hermes, user_id=user_id, session_id=session_id, **settings)

    @classmethod
    def from_defaults(  # type: ignore[override]
        cls,
        hermes: Hermes | None = None,
        *,
        user_id: str = "",
        session_id: str = "",
        chat_history: list[ChatMessage] | None = None,
        **settings: Any,
    ) -> HermesMemory:
        """`from_core`, and a conversation to start from, which is kept and not learned from."""
        memory = cls(hermes, user_id=user_id, session_id=session_id, **settings)
        if chat_history:
            memory.set(chat_history)
        return memory

    @property
    def failures(self) -> int:
        """Calls that failed and were passed over."""
        return self._host.failures

    def get(
        self, input: str | ChatMessage | None = None, initial_token_count: int = 0, **block_kwargs: Any
    ) -> list[ChatMessage]:
        """The latest messages, with what is known about the user. `input` is a message that isn't put yet, or the last."""
        entries = self._active(initial_token_count)
        messages = [entry.message.model_copy(deep=True) for entry in entries]
        ahead = input is not None and not (messages and messages[-1].role == MessageRole.USER)
        if ahead:
            messages = unfillable(messages)
        return self._with_memory(entries, messages, input if ahead else None) if self.inject else messages

    def _with_memory(
        self, entries: list[Entry], messages: list[ChatMessage], ahead: str | ChatMessage | None
    ) -> list[ChatMessage]:
        said = next((entry for entry in reversed(entries) if entry.message.role == MessageRole.USER), None)
        asked, turn_id = (ahead, "") if ahead is not None or said is None else (said.message, said.turn_id)
        block = self._host.context(
            self._conversation.session, text_of(asked), task=self.task, budget=self.budget, once=turn_id
        )
        text = block.text if block is not None else ""
        if self.insert_method is InsertMethod.SYSTEM:
            return in_system(messages, self.system_prompt, text)
        return in_user(messages, text, ahead=ahead is not None)

    def get_all(self, status: MessageStatus | None = None) -> list[ChatMessage]:
        """The whole conversation; with a status what `get` shows of it, or what it doesn't show any more."""
        entries = self._conversation.entries() if status is not MessageStatus.ACTIVE else self._active()
        if status is MessageStatus.ARCHIVED:
            entries = entries[: len(entries) - len(self._active())]
        return [entry.message.model_copy(deep=True) for entry in entries]

    def put(self, message: ChatMessage) -> None:
        self._conversation.put(message)

    def put_messages(self, messages: list[ChatMessage]) -> None:
        for message in messages:
            self._conversation.put(message)

    def set(self, messages: list[ChatMessage]) -> None:
        """Make these the conversation; nothing is learned from them."""
        self._conversation.replace(messages)

    def reset(self, status: MessageStatus | None = None) -> None:
        """Start the conversation anew. What was learned stays; `hermes.forget(user_id, session_id=…)` erases both."""
        if status is not MessageStatus.ARCHIVED:
            self._conversation.clear()

    async def aget(self, input: str | ChatMessage | None = None, **how: Any) -> list[ChatMessage]:
        return await off_loop(lambda: self.get(input, **how))

    async def aget_all(self, status: MessageStatus | None = None) -> list[ChatMessage]:
        return await off_loop(lambda: self.get_all(status))

    async def aput(self, message: ChatMessage) -> None:
        await off_loop(lambda: self.put(message))

    async def aput_messages(self, messages: list[ChatMessage]) -> None:
        await off_loop(lambda: self.put_messages(messages))

    async def aset(self, messages: list[ChatMessage]) -> None:
        await off_loop(lambda: self.set(messages))

    async def areset(self, status: MessageStatus | None = None) -> None:
        await off_loop(lambda: self.reset(status))

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("HermesMemory can't be pickled: its store is open here; make one anew with from_core")

    def _active(self, taken: int = 0) -> list[Entry]:
        """What fits beside the tokens that are taken."""
        return self._conversation.window(int(self.token_limit * self.chat_history_token_ratio) - taken, self._size)

    def _size(self, message: ChatMessage) -> int:
        """Tokens of a message, its tool calls included, which the framework counts as none."""
        calls = [str(block.tool_kwargs) for block in message.blocks if isinstance(block, ToolCallBlock)]
        return self._estimate_token_count(message) + sum(len(self.tokenizer_fn(call)) for call in calls)
