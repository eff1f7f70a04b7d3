"""A recall tool for agents: details are fetched when they are needed (R8). It reads; nothing is stored or changed here."""

from __future__ import annotations

from llama_index.core.tools import FunctionTool

from hermes_core import Hermes
from hermes_core.hosting import Host, off_loop, required

NAME = "recall_memory"
DESCRIPTION = (
    "Look up what is remembered about the user from earlier conversations. query: a few words about what you need to "
    "know, or an anchor such as m:3f2a91 from the notes, to read the user's own words behind that note."
)


def create_recall_tool(
    hermes: Hermes,
    *,
    user_id: str,
    session_id: str,
    k: int = 5,
    agent: str | None = None,
    consent: bool = False,
    name: str = NAME,
    description: str = DESCRIPTION,
    raise_on_error: bool = False,
) -> FunctionTool:
    """A tool with one argument, `query`; the model never sees ids. InvalidInput when an id is missing.

    Its answer is fenced like every memory block, so that nothing is learned from it, and says so when nothing is
    remembered.
    """
    host = Host(hermes, raise_on_error=raise_on_error)
    user = required(user_id, "user_id", "create_recall_tool(user_id=…)")
    session = host.session(user, required(session_id, "session_id", "create_recall_tool(session_id=…)"), agent, consent)

    def recall(query: str) -> str:
        return host.answer(session, query, k)

    async def arecall(query: str) -> str:
        return await off_loop(lambda: recall(query))

    return FunctionTool.from_defaults(recall, async_fn=arecall, name=name, description=description)
