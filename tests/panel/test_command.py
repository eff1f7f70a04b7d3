"""`hermes panel` in a process of its own: prints its link, answers, ends at an interrupt, and says what is wrong."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from hermes_core import Hermes

HERMES = [sys.executable, "-m", "hermes_core.cli"]


@pytest.mark.slow
def test_it_prints_its_link_answers_and_ends(tmp_path: Path):
    store = tmp_path / "store"
    with Hermes.open(store, worker=False) as hermes:
        hermes.session("lin", "s1").observe("user", "I'm allergic to peanuts.")
        hermes.flush("lin")
    command = [*HERMES, "panel", "--path", store, "--user", "lin", "--no-browser", "--language", "zh"]
    # a shell starts what runs in the background deaf to interrupts, and children inherit that
    hearing = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)  # noqa: E731
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hearing)
    try:
        assert running.stdout is not None
        link = running.stdout.readline().strip()
        if not link:
            pytest.fail(running.communicate()[1])
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?language=zh#[\w-]{40,}", link)
        parts = urlsplit(link)
        connection = http.client.HTTPConnection(parts.netloc, timeout=10)
        headers = {"Content-Type": "application/json", "X-Hermes-Token": parts.fragment}
        connection.request("POST", "/api", json.dumps({"action": "view"}), headers)
        reply = json.loads(connection.getresponse().read())
        assert reply["view"]["user_id"] == "lin"
        connection.close()
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 0
    finally:
        running.kill()
        running.communicate()


def test_without_a_store_it_says_so(tmp_path: Path):
    done = subprocess.run([*HERMES, "panel", "--path", tmp_path, "--no-browser"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "no memory at" in done.stderr


def test_importing_the_core_loads_no_panel():
    code = "import sys, hermes_core; print(any(n.startswith(('hermes_core.panel', 'anywidget', 'http.server')) for n in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
