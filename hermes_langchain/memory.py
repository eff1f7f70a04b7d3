"""Memory for LangChain's chains: what is known about the user, and the conversation so far, under one prompt variable.

Keys and message types are translated here; what is remembered and shown is the core's decision.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from langchain_classic.base_memory import BaseMemory
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import ConfigDict, Field, PrivateAttr

from hermes_core import Hermes
from hermes_core.hosting import Host, required
from hermes_langchain.convert import NOTED, alternating, text_of, transcript

log = logging.getLogger("hermes")

INPUTS = ("input", "question", "query", "human_input", "user_input", "message", "text")
OUTPUTS = ("output", "answer", "result", "response", "text", "output_text")


class HermesMemory(BaseMemory):
    """Drop-in memory for any classic chain (L1): ConversationChain(llm=…, memory=HermesMemory(hermes=…, …)).

    `memory_key` is the prompt's variable. `return_messages=True` gives messages by turns (a user and an assistant
    message carry the memory; never a second system message), else one text. Without `input_key` and `output_key` the
    only text counts, or the one under a customary name; where even that is unclear nothing is stored, and said so.
    `budget` is in tokens, for the memory block. Failing memory is logged and counted (`failures`), unless
    `raise_on_error`. Unknown arguments and missing ids raise ValidationError.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    hermes: Hermes = Field(exclude=True, repr=False)
    user_id: str
    session_id: str
    memory_key: str = "history"
    input_key: str | None = None
    output_key: str | None = None
    return_messages: bool = False
    include_turns: bool = True
    human_prefix: str = "Human"
    ai_prefix: str = "AI"
    task: str = ""
    budget: int | None = None
    agent: str | None = None
    consent: bool = False
    raise_on_error: bool = False
    _host: Host = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        required(self.user_id, "user_id", "HermesMemory(user_id=…)")
        required(self.session_id, "session_id", "HermesMemory(session_id=…)")
        self._host = Host(self.hermes, raise_on_error=self.raise_on_error)

    @property
    def memory_variables(self) -> list[str]:
        return [self.memory_key]

    @property
    def failures(self) -> int:
        """Calls that failed and were passed over."""
        return self._host.failures

    def load_memory_variables(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """The memory for the chain's question; the profile alone when there is none."""
        session = self._host.session(self.user_id, self.session_id, self.agent, self.consent)
        block = self._host.context(
            session, self._said(inputs, self.input_key, INPUTS), task=self.task, budget=self.budget
        )
        turns = self._host.turns(session, working=True) if self.include_turns else []
        memory = block.text if block is not None else ""
        if not self.return_messages:
            parts = (memory, transcript(turns, self.human_prefix, self.ai_prefix))
            return {self.memory_key: "\n".join(part for part in parts if part)}
        noted: list[BaseMessage] = [HumanMessage(content=memory), AIMessage(content=NOTED)] if memory else []
        return {self.memory_key: [*noted, *alternating(turns)]}

    def save_context(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> None:
        """Store what the user said and what the chain answered; nothing else of its inputs and outputs."""
        session = self._host.session(self.user_id, self.session_id)
        self._host.observe(session, "user", self._said(inputs, self.input_key, INPUTS))
        self._host.observe(session, "assistant", self._said(outputs, self.output_key, OUTPUTS))

    def clear(self) -> None:
        """Start the conversation anew. What was learned stays; `hermes.forget(user_id, session_id=…)` erases both."""
        self._host.clear(self._host.session(self.user_id, self.session_id))

    def _said(self, values: Mapping[str, Any], key: str | None, customary: tuple[str, ...]) -> str:
        """The text under the key, or under the only or customary one; "" when that is unclear."""
        if key is not None:
            return text_of(values.get(key))
        texts = {name: text for name, value in values.items() if name != self.memory_key and (text := text_of(value))}
        if len(texts) == 1:
            return next(iter(texts.values()))
        named = next((texts[name] for name in customary if name in texts), "")
        if texts and not named:
            log.warning("HermesMemory can't tell which of %s was said; pass input_key= and output_key=", sorted(texts))
        return named
