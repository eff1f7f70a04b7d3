"""Commands that run something: demo, export, doctor, worker, panel."""

from __future__ import annotations

import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hermes_core.cli.opening import opened, user_of
from hermes_core.cli.options import DEFAULT_STORE, AsJson, Chroma, ConfigFile, Lang, Ledger, Store, User
from hermes_core.cli.output import console, emit, language_of, say
from hermes_core.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import Console

DEMO_STORE = Path("demo-memory")
PAUSE_SECONDS = 0.15  # between two sessions of the demo, in a terminal


def demo(
    path: Annotated[Path, typer.Option("--path", "--store", "-p", help="Folder of the store; made anew.")] = DEMO_STORE,
    language: Lang = None,
    json: AsJson = False,
    fast: Annotated[bool, typer.Option("--fast", help="No pauses between the sessions.")] = False,
) -> None:
    """Twelve weeks of one person's chats become memory, every decision explained."""
    from hermes_core.clock import SystemClock
    from hermes_core.demo import load, replay
    from hermes_core.demo.player import ReplayedSession, settings
    from hermes_core.demo.show import Printer

    _clear(path)
    # It ends in the past week, so that what people try on the store afterwards finds it awake.
    spoken, conversation, rules = language_of(language), load(until=SystemClock().now()), settings()
    to = console()
    printer = Printer(to, spoken, rules.freeze.min_confirmations)
    sessions: list[dict[str, Any]] = []
    if not json:
        printer.opening(conversation, rules.bounded.hot_cap, path)
    parts = replay(path, conversation, spoken)
    while (part := _next(parts, to, say(spoken, "listening", "正在听"), json)) is not None:
        if isinstance(part, ReplayedSession):
            sessions.append(_session_as_json(part))
            if not json:
                printer.session(part)
                time.sleep(0 if fast or not to.is_terminal else PAUSE_SECONDS)
        elif json:
            emit(True, _demo_as_json(path, sessions, part), lambda to: None)
        else:
            printer.finish(part, conversation, path)


def _next(parts: Iterator[Any], to: Console, label: str, quiet: bool) -> Any:
    """The next part of the replay; a terminal shows that something is going on meanwhile."""
    if quiet or not to.is_terminal:
        return next(parts, None)
    with to.status(f"[dim]{label} …[/dim]", spinner="dots"):
        return next(parts, None)


def _clear(path: Path) -> None:
    """Make room for a fresh store; never touch a folder that is not a store."""
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    if not (path / "ledger.db").exists():
        raise InvalidInput(f"{path} is not empty and holds no memory; name another folder with --path")
    shutil.rmtree(path)


def _session_as_json(part: Any) -> dict[str, Any]:
    return {
        "session": part.script.id,
        "at": part.script.at.isoformat(),
        "version": part.version,
        "by_time": [change.model_dump() for change in part.by_time],
        "turns": [
            {"text": turn.spoken.text, "changes": [change.model_dump() for change in turn.changes]}
            for turn in part.turns
        ],
    }


def _demo_as_json(path: Path, sessions: list[dict[str, Any]], end: Any) -> dict[str, Any]:
    return {
        "store": str(path),
        "sessions": sessions,
        "context": end.block.model_dump(),
        "memories": [item.model_dump() for item in end.items],
        "stats": end.stats.model_dump(),
    }


def export(
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File; standard output unless given.")] = None,
    path: Store = DEFAULT_STORE,
    user: User = None,
    ledger: Ledger = None,
) -> None:
    """All that is stored about a user, as JSON Lines."""
    with opened(path, ledger=ledger) as hermes:
        lines = hermes.export(user_of(hermes, user))
        if output is None:
            for line in lines:
                typer.echo(line)
            return
        with open(output, "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)


def doctor(
    path: Store = DEFAULT_STORE,
    repair: Annotated[bool, typer.Option("--repair", help="Rebuild what can be rebuilt.")] = False,
    ledger: Ledger = None,
    chroma: Chroma = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Check a store: does it open, does the trail replay, is the index up to date, was any turn set aside?"""
    from hermes_core.cli.checking import check, show_report

    spoken = language_of(language)
    with opened(path, ledger=ledger, chroma=chroma) as hermes:
        report = check(hermes, repair=repair)
        emit(json, report, lambda to: show_report(to, report, spoken))
    if not report["healthy"]:
        raise typer.Exit(1)


def worker(
    path: Store = DEFAULT_STORE,
    ledger: Ledger = None,
    chroma: Chroma = None,
    config: ConfigFile = None,
    language: Lang = None,
) -> None:
    """Ingest for others until interrupted: chats observe, this process decides."""
    spoken = language_of(language)
    stopping = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    with opened(path, ledger=ledger, chroma=chroma, config=config, create=True, worker=True):
        place = ledger or path
        typer.echo(say(spoken, f"working on {place}; Ctrl-C ends", f"正在处理 {place}；按 Ctrl-C 结束"), err=True)
        stopping.wait()
        typer.echo(say(spoken, "ending after the step in hand", "完成手头的一步后结束"), err=True)


def panel(
    path: Store = DEFAULT_STORE,
    user: User = None,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port on this machine; 0 takes a free one.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the link.")] = False,
    ledger: Ledger = None,
    config: ConfigFile = None,
    language: Lang = None,
) -> None:
    """Look at a memory in the browser: what is remembered, frozen, changed, and why; and have the last word."""
    from hermes_core.panel import serve

    spoken = language_of(language)
    with opened(path, ledger=ledger, config=config, worker=True) as hermes:
        typer.echo(
            say(spoken, "Open this link, on this machine; Ctrl-C ends.", "请在本机打开这个链接；按 Ctrl-C 结束。"),
            err=True,
        )
        serve(hermes, user, port=port, language=spoken, browser=not no_browser, announce=_announce)


def _announce(link: str) -> None:
    typer.echo(link)
    sys.stdout.flush()
