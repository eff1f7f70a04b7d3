"""Commands by which a person overrules the rules: correct, confirm, reject, pin, approve, forget, import (C5)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from hermes_core.cli.opening import item_of, opened, user_of
from hermes_core.cli.options import DEFAULT_STORE, AsJson, ItemId, Lang, Ledger, Store, User, Yes
from hermes_core.cli.output import emit, language_of, say
from hermes_core.errors import InvalidInput


def _command(
    name: str, item_id: str, path: Path, user: str | None, ledger: str | None, json: bool, language: Any, **more: Any
) -> None:
    """Call hermes.<name>(user, item, …) and print the item that it leads to."""
    with opened(path, ledger=ledger) as hermes:
        user_id, spoken = user_of(hermes, user), language_of(language)
        before = len(hermes.history(user_id))
        getattr(hermes, name)(user_id, item_of(hermes, user_id, item_id).id, **more)
        changes = hermes.history(user_id)[before:]
        from hermes_core.cli.showing import show_history

        emit(json, [change.model_dump() for change in changes], lambda to: show_history(to, changes, spoken))


def correct(
    item_id: ItemId,
    text: Annotated[str, typer.Argument(help="What is true instead.")],
    path: Store = DEFAULT_STORE,
    user: User = None,
    ledger: Ledger = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Say what is true instead; the old memory is archived, and frozen ones freeze anew."""
    _command("correct", item_id, path, user, ledger, json, language, text=text)


def confirm(
    item_id: ItemId,
    path: Store = DEFAULT_STORE,
    user: User = None,
    ledger: Ledger = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Say that a memory is right."""
    _command("confirm", item_id, path, user, ledger, json, language)


def reject(
    item_id: ItemId,
    path: Store = DEFAULT_STORE,
    user: User = None,
    ledger: Ledger = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Say that a memory is doubtful."""
    _command("reject", item_id, path, user, ledger, json, language)


def pin(
    item_id: ItemId,
    path: Store = DEFAULT_STORE,
    user: User = None,
    ledger: Ledger = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Keep a memory out of the reach of eviction."""
    _command("pin", item_id, path, user, ledger, json, language)


def approve(
    item_id: ItemId,
    path: Store = DEFAULT_STORE,
    user: User = None,
    ledger: Ledger = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Let a correction through that waits beside a frozen memory."""
    _command("approve", item_id, path, user, ledger, json, language)


def forget(
    item_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="The memory.")] = None,
    query: Annotated[str | None, typer.Option(help="Forget whatever is about this.")] = None,
    path: Store = DEFAULT_STORE,
    user: User = None,
    yes: Yes = False,
    ledger: Ledger = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Erase a memory and what was derived from it, for good."""
    if (item_id is None) == (query is None):
        raise typer.BadParameter("name a memory, or say what it is about with --query")
    with opened(path, ledger=ledger) as hermes:
        user_id, spoken = user_of(hermes, user), language_of(language)
        if item_id is not None:
            item = item_of(hermes, user_id, item_id)
            _ask(yes, say(spoken, f"Forget “{item.text}” for good?", f"永久遗忘「{item.text}」？"))
            gone = hermes.forget(user_id, item.id)
        else:
            _ask(yes, say(spoken, f"Forget whatever is about “{query}”?", f"遗忘所有关于「{query}」的内容？"))
            gone = hermes.forget(user_id, query=query)
        done = say(spoken, f"Forgotten: {len(gone)}.", f"已遗忘 {len(gone)} 条。")
        emit(json, {"forgotten": list(gone), "user": user_id}, lambda to: to.print(done))


def _ask(yes: bool, question: str) -> None:
    import sys

    if yes:
        return
    if not sys.stdin.isatty():
        raise InvalidInput("forgetting can't be undone; pass --yes to do it without asking")
    typer.confirm(question, abort=True)


def import_(
    file: Annotated[Path, typer.Argument(help="What `hermes export` wrote (JSON Lines).", exists=True, dir_okay=False)],
    path: Store = DEFAULT_STORE,
    user: User = None,
    ledger: Ledger = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Bring exported memories into a store."""
    with opened(path, ledger=ledger, create=True) as hermes:
        with open(file, encoding="utf-8") as lines:
            count = hermes.import_(lines, user_id=user)
        done = say(
            language_of(language), f"Imported {count} memories into {path}.", f"已导入 {count} 条记忆到 {path}。"
        )
        emit(json, {"imported": count}, lambda to: to.print(done, markup=False, soft_wrap=True))
