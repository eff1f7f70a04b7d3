"""A small memory with everything that the panel shows: frozen, held, stale, archived, faded, hostile; and a page on it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hermes_core import Hermes
from hermes_core.items import Candidate, MemoryItem
from hermes_core.panel import Desk, PanelServer
from hermes_core.testing import FakeClock, HashEmbedder, ScriptedExtractor, candidate

USER = "lin"
HOSTILE = "I like <img src=x onerror=\"document.title='owned'\"> tags"
CHROMIUM_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

SCRIPT: dict[str, list[Candidate]] = {
    "I'm allergic to peanuts.": [
        candidate("I'm allergic to peanuts", kind="constraint", slot="allergy", value="peanuts")
    ],
    "Please keep your answers short.": [
        candidate("Please keep your answers short", kind="preference", slot="reply_length", value="concise")
    ],
    "I'd rather have longer answers.": [
        candidate(
            "I'd rather have longer answers",
            kind="preference",
            slot="reply_length",
            value="detailed",
            confidence=0.75,
        )
    ],
    "我住在上海。": [candidate("我住在上海", kind="fact", slot="residence", value="上海")],
    "I moved to Hangzhou.": [
        candidate("I moved to Hangzhou", kind="fact", slot="residence", value="Hangzhou", correction=True)
    ],
    "I love jazz.": [candidate("I love jazz", kind="preference", slot="music.likes", value="jazz")],
    "I'm in a hurry today.": [candidate("I'm in a hurry today", kind="state", slot="mood", value="in a hurry")],
    HOSTILE + ".": [candidate(HOSTILE, kind="preference", slot="preference.tags", value="tags")],
    "I like green tea.": [candidate("I like green tea", kind="preference", slot="drink.likes", value="green tea")],
    "I'm allergic to eggs.": [candidate("I'm allergic to eggs", kind="constraint", slot="allergy", value="eggs")],
}
DAYS: list[tuple[float, list[str]]] = [
    (0, ["I'm allergic to peanuts.", "Please keep your answers short.", "我住在上海。"]),
    (2, ["Please keep your answers short.", "I love jazz.", HOSTILE + "."]),
    (3, ["Please keep your answers short.", "I like green tea.", "I moved to Hangzhou."]),
    (2, ["I'd rather have longer answers.", "I'm in a hurry today."]),
]


START = "2026-01-05T09:00:00+00:00"
END = "2026-01-12T12:00:00+00:00"


def opened(folder: Path, moment: str) -> Hermes:
    extractor = ScriptedExtractor(SCRIPT)
    clock = FakeClock(moment)
    return Hermes.open(folder, chroma=False, extractor=extractor, embedder=HashEmbedder(), clock=clock, worker=False)


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store, not to be changed: user "lin" as told by DAYS, green tea rejected, and another user "mo"."""
    folder = tmp_path_factory.mktemp("told") / "store"
    with opened(folder, START) as hermes:
        moment = datetime.fromisoformat(START)
        for number, (days, texts) in enumerate(DAYS, start=1):
            moment += timedelta(days=days)
            with hermes.session(USER, f"s{number}") as session:
                for minute, text in enumerate(texts):
                    hermes._engine.clock.set(moment + timedelta(minutes=minute))
                    session.observe("user", text)
            hermes.flush(USER)
        hermes.session("mo", "m1").observe("user", "I'm allergic to eggs.")
        hermes.flush("mo")
        hermes.reject(USER, item(hermes, "green tea").id)
    return folder


@pytest.fixture
def memory(told: Path, tmp_path: Path) -> Iterator[Hermes]:
    """A copy of the store, to be changed."""
    with opened(Path(shutil.copytree(told, tmp_path / "store")), END) as hermes:
        yield hermes


@pytest.fixture(scope="module")
def still(told: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    """A copy of the store that a file's tests share, only to be read."""
    with opened(Path(shutil.copytree(told, tmp_path_factory.mktemp("still") / "store")), END) as hermes:
        yield hermes


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(END)


def item(hermes: Hermes, words: str, user_id: str = USER) -> MemoryItem:
    """The one item that holds these words."""
    (found,) = [i for i in hermes.memories(user_id) if words in i.text]
    return found


@pytest.fixture
def desk(memory: Hermes) -> Desk:
    return Desk(memory)


@pytest.fixture
def page_server(memory: Hermes) -> Iterator[PanelServer]:
    with PanelServer(memory, language="en") as server:
        yield server


def chromium() -> str:
    """Where Chromium is. Skips where there is none, but fails in CI, which is meant to have one."""
    named = os.environ.get("HERMES_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        reason = "no Chromium here: install it (Debian: apt-get install chromium) or set HERMES_CHROMIUM"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One headless Chromium with an empty profile."""
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path_factory.mktemp("profile")),
            executable_path=path,
            args=list(CHROMIUM_FLAGS),
            viewport={"width": 1180, "height": 900},
            locale="en-GB",
            timezone_id="UTC",
        )
        context.set_default_timeout(10_000)
        yield context
        context.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[[str], Any]]:
    """Opens a page and waits for it; what the page complains about on its console fails the test."""
    complaints: list[str] = []
    opened: list[Any] = []

    def open_page(url: str) -> Any:
        page = browser.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(url)
        page.wait_for_selector("[data-ready]")
        opened.append(page)
        return page

    yield open_page
    for page in opened:
        page.close()
    assert [line for line in complaints if "403" not in line and "400" not in line] == []
