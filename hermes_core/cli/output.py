"""Printing: JSON for programs, rich text for people, plain when piped. No store is opened here."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from hermes_core.cli.options import Language
from hermes_core.items import MemoryItem, Status

if TYPE_CHECKING:
    from rich.console import Console

PIPED_COLUMNS = 100  # width when no terminal says otherwise; COLUMNS overrides it

STATUS_STYLE: Mapping[Status, str] = {
    Status.CANDIDATE: "yellow",
    Status.CONFIRMED: "green",
    Status.FROZEN: "bold cyan",
    Status.UNLOCKED: "magenta",
    Status.STALE: "yellow",
    Status.ARCHIVED: "dim",
    Status.FORGOTTEN: "dim",
}


def console(*, stderr: bool = False) -> Console:
    """Rich's console: colour in a terminal only, a fixed width when piped, no guessing at numbers and paths."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS") else PIPED_COLUMNS
    return Console(stderr=stderr, highlight=False, emoji=False, width=width)


def emit(as_json: bool, data: Any, show: Callable[[Console], None]) -> None:
    """`data` as JSON with sorted keys, or whatever `show` prints."""
    if as_json:
        print(json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True))
    else:
        show(console())


def language_of(language: Language | None) -> str:
    """The wanted language, or the locale's: "zh" or "en"."""
    if language is not None:
        return language.value
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") else "en"


def say(language: str, english: str, chinese: str) -> str:
    return chinese if language == "zh" else english


def short_id(item: MemoryItem) -> str:
    """Enough of an id to type; commands take any unambiguous beginning."""
    return item.id[:8]


def progress(label: str, quiet: bool) -> Any:
    """A progress bar on stderr: stdout stays clean for pipes; silent when `quiet` or without a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    to = console(stderr=True)
    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=to, transient=True, disable=quiet or not to.is_terminal)
