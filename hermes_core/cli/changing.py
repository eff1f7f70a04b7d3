"""Commands by which a person overrules the rules: correct, confirm, reject, pin, approve, forget, import (C5)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hermes_core.cli.asking import Asked, on_store
from hermes_core.cli.opening import item_of, user_of
from hermes_core.cli.options import ItemId, Yes
from hermes_core.errors import InvalidInput

if TYPE_CHECKING:
    from hermes_core import Hermes


def _command(asked: Asked, name: str, item_id: str, **more: Any) -> None:
    """Call hermes.<name>(user, item, …) and print the changes that it leads to."""
    from hermes_core.cli.showing import show_history

    with asked.store() as hermes:
        user_id = user_of(hermes, asked.user)
        before = len(hermes.history(user_id))
        getattr(hermes, name)(user_id, item_of(hermes, user_id, item_id).id, **more)
        changes = hermes.history(user_id)[before:]
        asked.answer([change.model_dump() for change in changes], lambda to: show_history(to, changes, asked.language))


@on_store
def correct(asked: Asked, item_id: ItemId, text: Annotated[str, typer.Argument(help="What is true instead.")]) -> None:
    """Say what is true instead; the old memory is archived, and frozen ones freeze anew."""
    _command(asked, "correct", item_id, text=text)


@on_store
def confirm(asked: Asked, item_id: ItemId) -> None:
    """Say that a memory is right."""
    _command(asked, "confirm", item_id)


@on_store
def reject(asked: Asked, item_id: ItemId) -> None:
    """Say that a memory is doubtful."""
    _command(asked, "reject", item_id)


@on_store
def pin(asked: Asked, item_id: ItemId) -> None:
    """Keep a memory out of the reach of eviction."""
    _command(asked, "pin", item_id)


@on_store
def approve(asked: Asked, item_id: ItemId) -> None:
    """Let a correction through that waits beside a frozen memory."""
    _command(asked, "approve", item_id)


@on_store
def forget(
    asked: Asked,
    item_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="The memory.")] = None,
    query: Annotated[str | None, typer.Option(help="Forget whatever is about this.")] = None,
    slot: Annotated[str | None, typer.Option(help="Forget a whole slot, such as residence.")] = None,
    session: Annotated[str | None, typer.Option(help="Forget what was said in a session.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="Forget the whole user.")] = False,
    yes: Yes = False,
) -> None:
    """Erase a memory and what was derived from it, for good; or all of a topic, a slot, a session or a user."""
    if [item_id, query, slot, session, everything or None].count(None) != 4:
        raise typer.BadParameter("name a memory, or say what with one of --query, --slot, --session, --everything")
    with asked.store() as hermes:
        user_id = user_of(hermes, asked.user)
        wish: dict[str, Any] = {"query": query, "slot": slot, "session_id": session, "everything": everything}
        _ask(yes, _question(asked, hermes, user_id, item_id, wish))
        gone = hermes.forget(user_id, None if item_id is None else item_of(hermes, user_id, item_id).id, **wish)
        done = asked.say(f"Forgotten: {len(gone)}.", f"已遗忘 {len(gone)} 条。")
        asked.answer({"forgotten": list(gone), "user": user_id}, lambda to: to.print(done))


def _question(asked: Asked, hermes: Hermes, user_id: str, item_id: str | None, wish: dict[str, Any]) -> str:
    if item_id is not None:
        text = item_of(hermes, user_id, item_id).text
        return asked.say(f"Forget “{text}” for good?", f"永久遗忘「{text}」？")
    if (slot := wish["slot"]) is not None:
        return asked.say(f"Forget all that is in the slot {slot}?", f"遗忘槽位 {slot} 的所有内容？")
    if (session := wish["session_id"]) is not None:
        return asked.say(f"Forget all that was said in session {session}?", f"遗忘会话 {session} 里说过的一切？")
    if wish["everything"]:
        return asked.say(f"Forget everything about {user_id}, for good?", f"永久遗忘关于 {user_id} 的一切？")
    return asked.say(f"Forget whatever is about “{wish['query']}”?", f"遗忘所有关于「{wish['query']}」的内容？")


def _ask(yes: bool, question: str) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise InvalidInput("forgetting can't be undone; pass --yes to do it without asking")
    typer.confirm(question, abort=True)


@on_store
def import_(
    asked: Asked,
    file: Annotated[Path, typer.Argument(help="What `hermes export` wrote (JSON Lines).", exists=True, dir_okay=False)],
) -> None:
    """Bring exported memories into a store."""
    with asked.store(create=True) as hermes:
        with open(file, encoding="utf-8", errors="surrogateescape") as lines:  # a broken line is told by its number
            count = hermes.import_(lines, user_id=asked.user)
        done = asked.say(f"Imported {count} memories into {asked.path}.", f"已导入 {count} 条记忆到 {asked.path}。")
        asked.answer({"imported": count}, lambda to: to.print(done, markup=False, soft_wrap=True))
