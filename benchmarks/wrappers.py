"""What a turn costs through each wrapper beside the same calls on the core (target: at most 0.5 ms more), and cold imports.

    python benchmarks/wrappers.py [--rounds 60]

A pair is (the framework's own work and the core's calls, the wrapper's turn), on one store in memory, so that a disk's
moods don't hide the difference, in CPU time of the turn's own thread, so that a busy machine's don't either.
A framework that isn't installed is left out. Every turn is in a new session.
"""

from __future__ import annotations

import argparse
import itertools
import logging
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from _side_by_side import compare, numbers_of, save

from hermes_core import Hermes
from hermes_core.stores.in_memory import InMemoryLedger

TARGET = 0.5  # ms a turn
USER, ASKED, ANSWERED = "ada", "What could I snack on this evening?", "Rice crackers."
SAID = (
    "I'm allergic to peanuts.",
    "I live in Berlin.",
    "I like jazz.",
    "我喜欢喝绿茶。",
    "Please keep your answers short.",
)
Pair = tuple[Callable[[], Any], Callable[[], Any]]  # the core alone, and through the wrapper
Pairs = dict[str, Pair]


def open_store() -> Hermes:
    hermes = Hermes.open(ledger=InMemoryLedger(), chroma=False, worker=False)
    with hermes.session(USER, "earlier") as session:
        for text in SAID:
            session.observe("user", text)
    hermes.flush()
    return hermes


def sessions() -> Callable[[], str]:
    number = itertools.count()
    return lambda: f"s{next(number)}"


def core_turn(hermes: Hermes, new: Callable[[], str], *, read: bool = True, turns: bool = False) -> Callable[[], None]:
    """What a wrapper's turn asks of the core: the context, the conversation so far, two messages."""

    def turn() -> None:
        session = hermes.session(USER, new())
        if read:
            session.context(ASKED)
        if turns:
            session.working()
        session.observe("user", ASKED)
        session.observe("assistant", ANSWERED)

    return turn


def langchain(hermes: Hermes) -> Pairs:
    from langchain_core.messages import AIMessage, HumanMessage

    from hermes_langchain import HermesChatMessageHistory, HermesMemory

    new = sessions()

    def chain_turn() -> None:
        memory = HermesMemory(hermes=hermes, user_id=USER, session_id=new())
        memory.load_memory_variables({"input": ASKED})
        memory.save_context({"input": ASKED}, {"response": ANSWERED})

    def history_turn() -> None:
        history = HermesChatMessageHistory(hermes, user_id=USER, session_id=new())
        history.add_messages([HumanMessage(ASKED), AIMessage(ANSWERED)])
        assert len(history.messages) == 2

    def history_core() -> None:
        session = hermes.session(USER, new())
        session.observe("user", ASKED)
        session.observe("assistant", ANSWERED)
        assert len(session.turns()) == 2

    return {
        "agent": langchain_agent(hermes, new),
        "chain": (core_turn(hermes, new, turns=True), chain_turn),
        "history": (history_core, history_turn),
        "retriever": langchain_retriever(hermes),
    }


def langchain_agent(hermes: Hermes, new: Callable[[], str]) -> Pair:
    from langchain.agents.middleware.types import ModelRequest, ModelResponse
    from langchain_core.language_models import FakeListChatModel
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
    from langgraph.runtime import Runtime

    from hermes_langchain import HermesMiddleware

    middleware, system = HermesMiddleware(hermes), SystemMessage("You help.")
    model, answer = FakeListChatModel(responses=[ANSWERED]), AIMessage(ANSWERED, id="a1")
    core = core_turn(hermes, new)

    def request() -> Any:
        """What the framework makes for a model call, whether or not there is a memory."""
        state: Any = {"messages": [HumanMessage(ASKED, id="h1")]}
        runtime: Any = Runtime(context={"user_id": USER, "session_id": new()})
        return ModelRequest(
            model=model, messages=state["messages"], system_message=system, state=state, runtime=runtime
        )

    def bare() -> None:
        request()
        core()

    def turn() -> None:
        made = request()
        middleware.wrap_model_call(made, lambda made: ModelResponse(result=[answer]))
        middleware.after_agent({"messages": [*made.messages, answer]}, made.runtime)

    return bare, turn


def langchain_retriever(hermes: Hermes) -> Pair:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever

    from hermes_langchain import HermesRetriever

    class Nothing(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
            return []

    retriever, nothing = HermesRetriever(hermes=hermes, user_id=USER, session_id="reading"), Nothing()
    reading = hermes.session(USER, "reading")

    def core() -> None:
        nothing.invoke(ASKED)
        reading.recall(ASKED, 5)

    return core, lambda: retriever.invoke(ASKED)


def llamaindex(hermes: Hermes) -> Pairs:
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import QueryBundle

    from hermes_llamaindex import HermesMemory, HermesRetriever

    new = sessions()

    def engine_turn() -> None:
        memory = HermesMemory.from_core(hermes, user_id=USER, session_id=new())
        memory.put(ChatMessage(role="user", content=ASKED))
        assert len(memory.get()) == 1
        memory.put(ChatMessage(role="assistant", content=ANSWERED))

    def engine_core() -> None:
        ChatMessage(role="user", content=ASKED)
        session = hermes.session(USER, new())
        session.observe("user", ASKED)
        session.turns()
        session.context(ASKED)
        ChatMessage(role="assistant", content=ANSWERED)
        session.observe("assistant", ANSWERED)

    class Nothing(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[Any]:
            return []

    retriever, nothing = HermesRetriever(hermes, user_id=USER, session_id="reading"), Nothing()
    reading = hermes.session(USER, "reading")

    def retriever_core() -> None:
        nothing.retrieve(ASKED)
        reading.recall(ASKED, 5)

    return {"engine": (engine_core, engine_turn), "retriever": (retriever_core, lambda: retriever.retrieve(ASKED))}


FRAMEWORKS: dict[str, Callable[[Hermes], Pairs]] = {"langchain": langchain, "llamaindex": llamaindex}


def measure(name: str, pairs: Callable[[Hermes], Pairs], rounds: int) -> dict[str, Any]:
    """The numbers of one framework's pairs, printed, with how much the wrapper adds."""
    found: dict[str, Any] = {}
    with open_store() as hermes:
        for turn, (core, wrapper) in pairs(hermes).items():
            timings = compare(
                f"{name}: {turn}", {"core": core, "wrapper": wrapper}, rounds=rounds, inner=4, clock=time.thread_time
            )
            added = timings["wrapper"].median - timings["core"].median
            verdict = "ok" if added <= TARGET else f"over {TARGET} ms"
            print(f"{'added a turn':24} {added:10.3f} ms  {verdict}")
            found[turn] = {**numbers_of(timings), "added_ms": added}
    return found


def cold_import(module: str) -> float:
    """Seconds of a first import in a fresh process, the interpreter's own start left out."""
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5)]
    return min(float(run.stdout) for run in runs)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=60)
    rounds = options.parse_args().rounds
    logging.disable(logging.WARNING)
    found: dict[str, Any] = {}
    for name, pairs in FRAMEWORKS.items():
        try:
            found[name] = measure(name, pairs, rounds)
        except ModuleNotFoundError as error:
            print(f"\n{name}: left out, {error.name} is not installed")
    imports = {module: cold_import(module) for module in ("hermes_core", "hermes_langchain", "hermes_llamaindex")}
    print("\ncold imports, s: " + ", ".join(f"{module} {seconds:.3f}" for module, seconds in imports.items()))
    print(f"kept in {save('wrappers', {**found, 'cold_import_s': imports})}")


if __name__ == "__main__":
    main()
