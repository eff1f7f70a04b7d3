"""Takes the pictures of the panel in docs/images/: the demo's memory in light, dark on a narrow screen, and Chinese.

python tools/panel_screenshots.py [CHROMIUM]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from hermes_core import Hermes
from hermes_core.demo import load, replay
from hermes_core.demo.player import settings
from hermes_core.panel import PanelServer
from hermes_core.testing import FakeClock

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


def told(folder: Path) -> tuple[Hermes, str]:
    """The demo's memory at its end, and one remark that waits for an answer."""
    conversation = load()
    for _ in replay(folder, conversation):
        pass
    clock = FakeClock(conversation.next_at)
    hermes = Hermes.open(folder, config=settings(), clock=clock, worker=False)
    user = conversation.user_id
    hermes.session(user, conversation.next_id).observe("user", "I prefer detailed answers.")
    hermes.flush(user)
    return hermes, user


def take(context: Any, server: PanelServer, name: str, width: int, height: int, scheme: str, language: str) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(server.url.replace("language=en", f"language={language}"))
    page.wait_for_selector("[data-ready]")
    if name == "panel-dark":
        page.locator("article.frozen .lead").first.click()
        page.wait_for_selector(".why")
        page.locator("article.frozen").first.scroll_into_view_if_needed()
        page.evaluate("document.querySelector('article.frozen').scrollIntoView(); window.scrollBy(0, -60)")
    page.screenshot(path=IMAGES / f"{name}.png")
    page.close()


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    browser = sys.argv[1] if len(sys.argv) > 1 else shutil.which("chromium") or "chromium"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        hermes, user = told(Path(folder) / "memory")
        with hermes, PanelServer(hermes, user, language="en") as server:
            context = playwright.chromium.launch_persistent_context(
                f"{folder}/profile", executable_path=browser, args=list(FLAGS), locale="en-GB", timezone_id="UTC"
            )
            take(context, server, "panel-light", 1120, 900, "light", "en")
            take(context, server, "panel-dark", 400, 860, "dark", "en")
            take(context, server, "panel-chinese", 1120, 900, "light", "zh")
            context.close()


if __name__ == "__main__":
    main()
