"""Builds the notebooks: runs each percent script of notebooks/ from top to bottom and keeps its outputs beside it.

    python tools/notebooks.py            rewrite notebooks/*.ipynb
    python tools/notebooks.py --check    run them and write nothing; exit code 1 when a cell fails or an output tells too much

Outputs must read the same on a code host: no machine's paths, hosts or keys, no widget state.
"""

from __future__ import annotations

import argparse
import os
import re
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "notebooks"
SECONDS_PER_CELL = 120
WIDGET = "application/vnd.jupyter.widget-view+json"
# What no output may hold: folders of a machine, addresses, keys, addresses in memory.
TELLTALES = (
    r"(?<![\w.])/(?:home|root|tmp|work|Users|usr|var|opt|private|mnt)/[\w.-]+",
    r"[A-Za-z]:\\\\?[A-Za-z]",
    r"site-packages",
    r"\b\d{1,3}(?:\.\d{1,3}){3}\b",
    r"localhost:\d+",
    r"\bsk-[A-Za-z0-9]{6,}",
    r"\bhf_[A-Za-z0-9]{8,}",
    r"(?i)api[_-]?key\s*[=:]\s*\S{8,}",
    r"\bat 0x[0-9a-f]{6,}",
)


def sources() -> list[Path]:
    return sorted(FOLDER.glob("[0-9]*.py"))


def read(source: Path) -> NotebookNode:
    """The script as a notebook without outputs; the same script gives the same cell ids."""
    book = jupytext.read(source, fmt="py:percent")
    for number, cell in enumerate(book.cells):
        cell.id = f"{source.stem.replace('_', '-')}-{number:02}"
        cell.metadata = NotebookNode()
    book.metadata = NotebookNode(
        kernelspec={"display_name": "Python 3", "language": "python", "name": "python3"},
        language_info={"name": "python"},
    )
    return book


def run(source: Path) -> NotebookNode:
    """The notebook with its outputs, run in an empty folder. CellExecutionError when a cell fails."""
    book = read(source)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            book,
            timeout=SECONDS_PER_CELL,
            kernel_name="python3",
            record_timing=False,
            store_widget_state=False,
            coalesce_streams=True,
            resources={"metadata": {"path": folder}},
        )
        client.execute(
            env={**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
        )
    book.metadata = read(source).metadata
    for cell in book.cells:
        cell.metadata = NotebookNode()
        for output in cell.get("outputs", ()):
            if WIDGET in output.get("data", {}) and "text/html" in output["data"]:
                del output["data"][WIDGET]  # a code host runs no widget, and would show nothing in its place
            output.get("metadata", {}).pop(WIDGET, None)
    return book


def words(book: NotebookNode) -> Iterator[str]:
    """Everything that the outputs say, pictures aside."""
    for cell in book.cells:
        for output in cell.get("outputs", ()):
            yield from (str(output.get(key, "")) for key in ("text", "ename", "evalue", "traceback"))
            for kind, value in output.get("data", {}).items():
                if not kind.startswith("image/png"):
                    yield str(value)


def telltales(book: NotebookNode) -> list[str]:
    """What the outputs tell of the machine that ran them."""
    host = re.escape(socket.gethostname())
    patterns = [*TELLTALES, rf"\b{host}\b"] if len(host) > 3 and host != "localhost" else list(TELLTALES)
    return [found.group() for text in words(book) for pattern in patterns for found in re.finditer(pattern, text)]


def errors(book: NotebookNode) -> list[str]:
    """Failed cells, and what was written to standard error."""
    found = []
    for cell in book.cells:
        for output in cell.get("outputs", ()):
            if output.output_type == "error":
                found.append(f"{output.ename}: {output.evalue}")
            elif output.output_type == "stream" and output.name == "stderr":
                found.append(output.text.strip())
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", type=Path, help="scripts; all of notebooks/ unless given")
    parser.add_argument("--check", action="store_true", help="write nothing")
    given = parser.parse_args()
    failed = False
    for source in given.names or sources():
        try:
            book = run(source)
        except CellExecutionError as error:
            print(f"{source.name}: {error}", file=sys.stderr)
            failed = True
            continue
        complaints = [*errors(book), *telltales(book)]
        for line in complaints:
            print(f"{source.name}: {line}", file=sys.stderr)
        failed = failed or bool(complaints)
        if not given.check:
            nbformat.write(book, source.with_suffix(".ipynb"))
        print(f"{source.name}: {len(book.cells)} cells")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
