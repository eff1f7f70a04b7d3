"""The memory block as a step of an LCEL chain. It reads; nothing is stored or changed here."""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import Runnable, RunnableLambda

from hermes_core import Hermes
from hermes_core.hosting import Host, off_loop
from hermes_langchain.convert import text_of
from hermes_langchain.identity import session_id_of, user_id_of


def create_context_runnable(
    hermes: Hermes,
    *,
    user_id: str | None = None,
    session_id: str | None = None,
    input_key: str = "input",
    task: str = "",
    budget: int | None = None,
    raise_on_error: bool = False,
) -> Runnable[Any, str]:
    """What is known about the user for a question, as text: RunnablePassthrough.assign(memory=create_context_runnable(hermes)).

    Takes the chain's inputs (their `input_key`), a text or messages. Ids come from here or the run's configurable;
    InvalidInput when nobody said them. "" when nothing is known, or when memory fails (unless `raise_on_error`).
    """
    host = Host(hermes, raise_on_error=raise_on_error)

    def read(user: str, session: str, given: Any) -> str:
        query = text_of(given.get(input_key) if isinstance(given, dict) else given)
        block = host.context(host.session(user, session), query, task=task, budget=budget)
        return block.text if block is not None else ""

    def context(given: Any) -> str:
        return read(user_id_of(user_id), session_id_of(session_id), given)

    async def acontext(given: Any) -> str:
        user, session = user_id_of(user_id), session_id_of(session_id)
        return await off_loop(lambda: read(user, session, given))

    return RunnableLambda(context, acontext, name="hermes_context")
