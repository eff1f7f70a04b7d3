"""The notebooks run from top to bottom, their kept outputs belong to their scripts, and tell nothing of a machine."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "notebooks").glob("[0-9]*.py"))
SECONDS = 60  # of one notebook, on an unburdened machine
PATIENCE = 5  # times that, on a busy one

pytest.importorskip("jupytext", reason="the development tools for notebooks are not installed")
pytest.importorskip("nbclient", reason="the development tools for notebooks are not installed")


def tool() -> Any:
    spec = importlib.util.spec_from_file_location("notebooks", ROOT / "tools" / "notebooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kept(script: Path) -> Any:
    import nbformat

    return nbformat.read(script.with_suffix(".ipynb"), as_version=4)


def test_there_are_five() -> None:
    assert [script.stem[:2] for script in SCRIPTS] == ["01", "02", "03", "04", "05"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_the_kept_notebook_is_its_script_run(script: Path) -> None:
    book = kept(script)
    assert [(c.cell_type, c.source) for c in book.cells] == [(c.cell_type, c.source) for c in tool().read(script).cells]
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1)), "run `make notebooks`"
    assert any(cell.outputs for cell in code)
    assert tool().errors(book) == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_the_outputs_tell_nothing_of_the_machine(script: Path) -> None:
    assert tool().telltales(kept(script)) == []
    assert "metadata.widgets" not in str(kept(script).metadata)


@pytest.mark.parametrize(
    "text",
    [
        "/home/ada/memory",
        "see /tmp/tmpab12/x",
        r"C:\\Users\\ada",
        "sk-abcdef123456",
        "http://localhost:8888",
        "10.0.0.7",
        "at 0x7f39fc03edd0",
    ],
)
def test_what_would_be_found(text: str) -> None:
    from nbformat.v4 import new_code_cell, new_notebook, new_output

    cell = new_code_cell(outputs=[new_output("stream", text=f"saved to {text} today")])
    assert tool().telltales(new_notebook(cells=[cell]))


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_it_runs_from_top_to_bottom(script: Path) -> None:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "notebooks.py", "--check", script],
        capture_output=True,
        text=True,
        timeout=SECONDS * PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began < SECONDS * PATIENCE
