"""`hermes ingest`: a person's own chat through the gates, with a progress bar, and a short account of what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hermes_core.cli.opening import opened
from hermes_core.cli.options import DEFAULT_STORE, AsJson, ConfigFile, Lang, Ledger, Store
from hermes_core.cli.output import emit, language_of, progress, say
from hermes_core.items import Status

if TYPE_CHECKING:
    from rich.console import Console

    from hermes_core import Hermes
    from hermes_core.changes import Change
    from hermes_core.importers import Chat
    from hermes_core.items import MemoryItem, Turn

AT_ONCE = 64  # turns stored before the gates take them; what was taken stays when the rest is interrupted
FLUSH_SECONDS = 600.0
SHOWN_PROBLEMS = 5
SHOWN = 15  # memories listed at the end


class Format(str, Enum):
    """What a chat file may be."""

    AUTO = "auto"
    JSONL = "jsonl"
    JSON = "json"
    PLAIN = "plain"


def ingest(
    file: Annotated[Path, typer.Argument(help="JSON Lines, a ChatGPT or Claude export, or lines of 'role: text'.")],
    path: Store = DEFAULT_STORE,
    user: Annotated[str, typer.Option("--user", "-u", envvar="HERMES_USER", help="Whose chat it is.")] = "me",
    session: Annotated[str | None, typer.Option(help="Session id, where the file names none.")] = None,
    format: Annotated[Format, typer.Option(help="What the file is.")] = Format.AUTO,
    timezone: Annotated[str, typer.Option(help="Zone of times without an offset.")] = "UTC",
    me: Annotated[list[str] | None, typer.Option("--me", metavar="NAME", help="Your own name in the file.")] = None,
    name: Annotated[list[str] | None, typer.Option(metavar="NAME=ROLE", help="Who speaks, as in Anna=user.")] = None,
    skip_problems: Annotated[bool, typer.Option("--skip-problems", help="Leave out what can't be read.")] = False,
    ledger: Ledger = None,
    config: ConfigFile = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Take your own chat through the gates."""
    from hermes_core.importers import open_chat

    spoken = language_of(language)
    chat = open_chat(
        file,
        user_id=user,
        session_id=session,
        format=format.value,
        timezone=timezone,
        names=_names([*(f"{own}=user" for own in me or []), *(name or [])]),
        skip_problems=skip_problems,
    )
    with opened(path, ledger=ledger, config=config, create=True) as hermes:
        before = len(hermes.history(user))
        if said := hermes._engine.ledger.turns(user):
            chat = chat.after(max(turn.said_at for turn in said), hermes._engine.clock.now())
        _through_the_gates(hermes, chat, user, say(spoken, "through the gates", "过闸中"), json)
        trail = hermes.history(user)[before:]
        items = [item for item in hermes.memories(user) if item.status is not Status.ARCHIVED]
        emit(json, _account(chat, trail, items, path), lambda to: _show(to, chat, trail, items, path, spoken))


def _names(pairs: list[str]) -> dict[str, str] | None:
    named = dict(pair.partition("=")[::2] for pair in pairs)
    if not all(named.values()):
        raise typer.BadParameter("--name takes NAME=ROLE, as in Anna=user")
    return named or None


def _through_the_gates(hermes: Hermes, chat: Chat, user: str, label: str, quiet: bool) -> None:
    with progress(label, quiet) as bar:
        task = bar.add_task("", total=chat.turn_count)
        turns = iter(chat.turns())
        while batch := list(islice(turns, AT_ONCE)):
            for turn in batch:
                _observe(hermes, user, turn)
            hermes.flush(user, timeout=FLUSH_SECONDS)
            bar.advance(task, len(batch))


def _observe(hermes: Hermes, user: str, turn: Turn) -> None:
    hermes.session(user, turn.session_id).observe(turn.role, turn.text, at=turn.said_at, turn_id=turn.id)


def _account(chat: Chat, trail: list[Change], items: list[MemoryItem], path: Path) -> dict[str, Any]:
    return {
        "store": str(path),
        "user": chat.user_id,
        "format": chat.format,
        "turns": chat.turn_count,
        "sessions": chat.session_count,
        "problems": [{"line": p.line, "text": p.text} for p in chat.problems],
        "changes": dict(sorted(Counter(str(change.event) for change in trail).items())),
        "memories": len(items),
    }


def _show(to: Console, chat: Chat, trail: list[Change], items: list[MemoryItem], path: Path, language: str) -> None:
    from hermes_core.cli.showing import show_memories
    from hermes_core.demo.fates import tally

    to.print(
        say(
            language,
            f"{chat.turn_count} turns in {chat.session_count} sessions of {chat.user_id} went through the gates.",
            f"{chat.user_id} 的 {chat.session_count} 个会话、{chat.turn_count} 条消息已过闸。",
        ),
        style="bold",
        markup=False,
    )
    for line in _left_out(chat, language):
        to.print(line, style="yellow", markup=False, soft_wrap=True)
    for label, style, count in tally(trail, language):
        to.print(f"  {label:<12} {count}", style=style, markup=False, soft_wrap=True)
    if not trail:
        to.print(say(language, "  Nothing new: it was all known.", "  没有新内容：都已经处理过。"), style="dim")
    to.print()
    shown = sorted(items, key=lambda item: (item.status is not Status.FROZEN, -item.confirmations, -item.importance))
    show_memories(to, shown[:SHOWN], language)
    for line in _next(path, len(items) - SHOWN, language):
        to.print(line, style="dim", markup=False, soft_wrap=True)


def _left_out(chat: Chat, language: str) -> Iterator[str]:
    """The places of the file that could not be read, the first few with their lines."""
    if chat.problems:
        n = len(chat.problems)
        yield say(language, f"{n} place(s) could not be read and were left out:", f"有 {n} 处无法读取，已略过：")
        yield from (f"  {chat.path.name}:{p.line}: {p.text}" for p in chat.problems[:SHOWN_PROBLEMS])


def _next(path: Path, more: int, language: str) -> Iterator[str]:
    option = "" if path == DEFAULT_STORE else f" --path {path}"
    if more > 0:
        yield say(language, f"and {more} more: hermes memories{option}", f"另有 {more} 条：hermes memories{option}")
    yield say(language, f"Why? hermes explain ID{option}", f"为什么？hermes explain 编号{option}")
