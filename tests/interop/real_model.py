"""A real small model over real HTTP on loopback, and a server before it that keeps the requests' bodies.

The one place where tests start it: `from tests.interop.real_model import model_url, recorder` makes them fixtures.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

SERVER = Path(__file__).parents[2] / "benchmarks" / "small_model.py"


class Recorder(ThreadingHTTPServer):
    """Passes requests on to the model's server, and keeps their bodies."""

    def __init__(self, goal: str) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.goal = goal
        self.bodies: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def last(self) -> list[dict[str, Any]]:
        """The last request's messages."""
        return self.bodies[-1]["messages"]


class _Passing(BaseHTTPRequestHandler):
    server: Recorder

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append(json.loads(body))
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.server.goal + self.path, data=body, headers=headers)
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
    """The address of the model's own server, without /v1; needs the extra `small-model`."""
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
