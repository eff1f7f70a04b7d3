"""Writes the README's excerpt of the demo from the demo itself, so that it shows what the demo prints.

Run it when the demo's output has changed: python tools/demo_excerpt.py (tests/docs compares).
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from rich.console import Console

from hermes_core.demo import ReplayedSession, load, replay
from hermes_core.demo.player import settings
from hermes_core.demo.show import Printer

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- demo excerpt, written by tools/demo_excerpt.py -->", "<!-- end of the excerpt -->"
SESSIONS = ("s01", "s03", "s04", "s12", "s13")  # freezing at once and by repetition, haste, a correction, anger


def main() -> None:
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    README.write_text(before + BEGIN + block() + END + rest.split(END)[1], encoding="utf-8")
    print(f"wrote the excerpt in {README.name}")


def block() -> str:
    return f"\n\n```text\n{excerpt()}\n```\n\n"


def excerpt() -> str:
    """The chosen sessions as a pipe would get them."""
    conversation = load()
    out = io.StringIO()
    to = Console(file=out, width=100, highlight=False, emoji=False)
    printer = Printer(to, "en", settings().freeze.min_confirmations)
    with tempfile.TemporaryDirectory() as folder:
        for part in replay(Path(folder) / "store", conversation):
            if isinstance(part, ReplayedSession) and part.script.id in SESSIONS:
                printer.session(part)
    return out.getvalue().strip("\n")


if __name__ == "__main__":
    main()
