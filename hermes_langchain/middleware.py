"""Memory for create_agent: put into the model's request, never into the agent's state, streams or checkpoints.

What is remembered and shown is the core's decision; this only carries messages and ids.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langgraph.runtime import Runtime

from hermes_core import Hermes, Session
from hermes_core.hosting import Host, off_loop
from hermes_langchain.convert import new_part, text_of, turn_id_of, turn_of, with_memory
from hermes_langchain.identity import session_id_of, user_id_of


class HermesMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """create_agent(model, tools, middleware=[HermesMiddleware(hermes)]) remembers its users (L1).

    Memory joins the one system message, recalled once a turn; after the turn the user's words and the answer are
    stored, once per message id. Ids: here, the agent's context (user_id; session_id or thread_id), the configurable
    (user_id; session_id or thread_id); InvalidInput when nobody said them. `budget` is in tokens. Failing memory is
    logged and counted (`failures`), unless `raise_on_error`.
    """

    def __init__(
        self,
        hermes: Hermes,
        *,
        user_id: str | None = None,
        session_id: str | None = None,
        agent: str | None = None,
        consent: bool = False,
        task: str = "",
        budget: int | None = None,
        raise_on_error: bool = False,
    ) -> None:
        super().__init__()
        self._host = Host(hermes, raise_on_error=raise_on_error)
        self._user_id, self._session_id = user_id, session_id
        self._agent, self._consent = agent, consent
        self._task, self._budget = task, budget

    @property
    def failures(self) -> int:
        """Calls that failed and were passed over."""
        return self._host.failures

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        session = self._session(request.runtime)
        return handler(self._with(request, self._block(session, request.state)))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        session = self._session(request.runtime)
        return await handler(self._with(request, await off_loop(lambda: self._block(session, request.state))))

    def after_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        self._observe(self._session(runtime), state)

    async def aafter_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        session = self._session(runtime)
        await off_loop(lambda: self._observe(session, state))

    def _session(self, runtime: Runtime[Any]) -> Session:
        user = user_id_of(self._user_id, runtime.context)
        return self._host.session(user, session_id_of(self._session_id, runtime.context), self._agent, self._consent)

    def _block(self, session: Session, state: AgentState[Any]) -> str:
        """The memory for this turn's question: the same at every model call of the turn."""
        said = [message for message in new_part(state["messages"]) if message.type == "human"]
        query, once = "\n".join(map(text_of, said)), "\n".join(message.id or "" for message in said)
        block = self._host.context(session, query, task=self._task, budget=self._budget, once=once)
        return block.text if block is not None else ""

    def _with(self, request: ModelRequest[Any], block: str) -> ModelRequest[Any]:
        return request.override(system_message=with_memory(request.system_message, block)) if block else request

    def _observe(self, session: Session, state: AgentState[Any]) -> None:
        for message in new_part(state["messages"]):
            stored = turn_of(message)
            if stored is not None and stored[0] in ("user", "assistant"):
                self._host.observe(session, *stored, turn_id=turn_id_of(session.session_id, message))
