"""A recall tool for agents: details are fetched when they are needed (R8). It reads; nothing is stored or changed here."""

from __future__ import annotations

from typing import Any

from langchain.tools import ToolRuntime
from langchain_core.tools import BaseTool, StructuredTool

from hermes_core import Hermes
from hermes_core.hosting import Host, off_loop
from hermes_langchain.identity import session_id_of, user_id_of

NAME = "recall_memory"
DESCRIPTION = (
    "Look up what is remembered about the user from earlier conversations. query: a few words about what you need to "
    "know, or an anchor such as m:3f2a91 from the notes, to read the user's own words behind that note."
)


def create_recall_tool(
    hermes: Hermes,
    *,
    user_id: str | None = None,
    session_id: str | None = None,
    k: int = 5,
    agent: str | None = None,
    consent: bool = False,
    name: str = NAME,
    description: str = DESCRIPTION,
    raise_on_error: bool = False,
) -> BaseTool:
    """A tool with one argument, `query`; the model never sees ids.

    They come from here, the agent's context or the run's configurable; InvalidInput when nobody said them. Its answer
    is fenced like every memory block, so that nothing is learned from it, and says so when nothing is remembered.
    """
    host = Host(hermes, raise_on_error=raise_on_error)

    def answer(user: str, session: str, query: str) -> str:
        return host.answer(host.session(user, session, agent, consent), query, k)

    def recall(query: str, runtime: ToolRuntime[Any, Any] = None) -> str:  # type: ignore[assignment]
        context = getattr(runtime, "context", None)
        return answer(user_id_of(user_id, context), session_id_of(session_id, context), query)

    async def arecall(query: str, runtime: ToolRuntime[Any, Any] = None) -> str:  # type: ignore[assignment]
        context = getattr(runtime, "context", None)
        user, session = user_id_of(user_id, context), session_id_of(session_id, context)
        return await off_loop(lambda: answer(user, session, query))

    return StructuredTool.from_function(recall, arecall, name=name, description=description)
