"""The README's and the docs' code runs, their links lead somewhere, and generated pages equal what they come from."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"^```toml (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)")


def blocks(page: Path, language: str) -> list[str]:
    return [body for name, body in BLOCK.findall(page.read_text(encoding="utf-8")) if name == language]


def without_code(text: str) -> str:
    return BLOCK.sub("", text)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_the_pages_code_runs_from_top_to_bottom(page: Path, tmp_path: Path) -> None:
    for name, body in NAMED.findall(page.read_text(encoding="utf-8")):  # files that the page tells to write
        (tmp_path / name).write_text(body, encoding="utf-8")
    script = tmp_path / "page.py"
    script.write_text("\n\n".join(blocks(page, "python")), encoding="utf-8")
    done = subprocess.run([sys.executable, "-W", "error", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    missing = []
    for target in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        goal = page if not path else (page.parent / path).resolve()
        if not goal.exists() or (anchor and anchor not in anchors(goal)):
            missing.append(target)
    assert not missing


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+\s+(.*)$", without_code(page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_readmes_paths_exist() -> None:
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("## What lies where")[2].partition("\n## ")[0]
    named: list[str] = []
    for row in re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE):
        folder = ""
        for path in re.findall(r"`([^`]+)`", row):
            folder = folder if "/" not in path.rstrip("/") else path.rpartition("/")[0].split("/")[0] + "/"
            named.append(path if path.startswith(("hermes", "docs")) else folder + path)
    assert len(named) >= 10
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_readmes_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    wanted = {
        target
        for page in PAGES
        for body in blocks(page, "console")
        for target in re.findall(r"^\$ make (\S+)", body, re.M)
    }
    assert wanted
    assert [target for target in wanted if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


def test_the_readmes_hermes_commands_exist() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hermes_core.cli", "--help"],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "200"},
    )
    wanted = {
        name
        for page in PAGES
        for body in blocks(page, "console")
        for name in re.findall(r"^\$ hermes ([a-z]+)", body, re.MULTILINE)
    }
    assert {"demo", "ingest", "memories", "explain"} <= wanted
    assert [name for name in wanted if not re.search(rf"\b{name}\b", done.stdout)] == []


def tool(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_presets_page_is_what_the_configuration_says() -> None:
    assert (ROOT / "docs" / "presets.md").read_text(encoding="utf-8") == tool("presets_page").page(), "run `make docs`"


@pytest.mark.slow
def test_the_readmes_excerpt_is_what_the_demo_prints() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert tool("demo_excerpt").block() in text, "run `make docs`"
