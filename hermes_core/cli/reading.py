"""Commands that only read: context, memories, explain, diagnose, history, users, stats, audit.

What prints imports much of the core, so it is imported inside the commands: `--help` stays quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hermes_core.cli.asking import Asked, on_store
from hermes_core.cli.opening import item_of, opened, user_of
from hermes_core.cli.options import DEFAULT_STORE, AsJson, ConfigFile, ItemId, Ledger, Store, moment
from hermes_core.cli.output import emit
from hermes_core.errors import InvalidInput
from hermes_core.items import Kind, Status

if TYPE_CHECKING:
    from datetime import datetime

    from rich.console import Console


@on_store
def context(
    asked: Asked,
    query: Annotated[str, typer.Argument(help="What the next conversation begins with.")] = "",
    task: Annotated[str, typer.Option(help="recommendation, question_answering, writing, …")] = "",
    budget: Annotated[int | None, typer.Option(min=1, help="Tokens at most; the configured ones unless given.")] = None,
    session: Annotated[str, typer.Option(help="The session that asks.")] = "command-line",
    config: ConfigFile = None,
) -> None:
    """What a model would get to see of this user, for a query; looking doesn't count as a use."""
    from hermes_core.cli import showing

    with asked.store(config=config) as hermes:
        asking = hermes.session(user_of(hermes, asked.user), session)
        frame = asked.frame.value if asked.frame is not None else None
        block = asking.preview(query, task=task, language=frame, budget=budget)
        asked.answer(block.model_dump(), lambda to: showing.show_context(to, block, asked.language))


@on_store
def memories(
    asked: Asked,
    status: Annotated[Status | None, typer.Option(help="Only this status.")] = None,
    kind: Annotated[Kind | None, typer.Option(help="Only this kind.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="The archive as well.")] = False,
) -> None:
    """What is remembered, and how sure it is."""
    from hermes_core.cli import showing

    with asked.store() as hermes:
        user_id = user_of(hermes, asked.user)
        found = hermes.memories(user_id, status=status, kind=kind)
        items = found if everything or status else [item for item in found if item.status is not Status.ARCHIVED]
        asked.answer(
            [item.model_dump() for item in items],
            lambda to: showing.show_memories(to, items, asked.language, hidden=len(found) - len(items)),
        )


@on_store
def explain(
    asked: Asked,
    item_id: ItemId,
) -> None:
    """Why a memory is there: the user's own words, sessions, and every decision."""
    with asked.store() as hermes:
        user_id = user_of(hermes, asked.user)
        spoken = asked.language
        found = hermes.explain(user_id, item_of(hermes, user_id, item_id).id, language=spoken)
        asked.answer(found.model_dump(), lambda to: to.print(found.text, markup=False, soft_wrap=True))


@on_store
def diagnose(
    asked: Asked,
    statement: Annotated[str, typer.Argument(help="What should have been remembered.")],
) -> None:
    """Where a statement was lost: not heard, gated, merged, asleep, or out of budget."""
    with asked.store() as hermes:
        found = hermes.diagnose(user_of(hermes, asked.user), statement, language=asked.language)
        asked.answer(
            found.model_dump(),
            lambda to: to.print(found.text or f"{found.stage}: {found.reason}", markup=False, soft_wrap=True),
        )


@on_store
def history(
    asked: Asked,
    item_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="Only this memory.")] = None,
    as_of: Annotated[
        str | None, typer.Option(metavar="TIME|VERSION", help="What was remembered then, instead of the changes.")
    ] = None,
) -> None:
    """Every change, oldest first; or the memory as it was."""
    from hermes_core.cli import showing

    with asked.store() as hermes:
        user_id, spoken = user_of(hermes, asked.user), asked.language
        if as_of is not None:
            state = hermes.as_of(user_id, _version_or_time(as_of))
            items = list(state.live.values())
            asked.answer([item.model_dump() for item in items], lambda to: showing.show_memories(to, items, spoken))
            return
        found = hermes.history(user_id, item_of(hermes, user_id, item_id).id if item_id else None)
        asked.answer([change.model_dump() for change in found], lambda to: showing.show_history(to, found, spoken))


def _version_or_time(text: str) -> int | datetime:
    if text.isdigit():
        return int(text)
    try:
        return moment(text)
    except ValueError:
        raise InvalidInput(
            f"--as-of takes a version or a time such as 2026-03-01 or 2026-03-01T12:00Z, not {text!r}"
        ) from None


def users(path: Store = DEFAULT_STORE, ledger: Ledger = None, json: AsJson = False) -> None:
    """Who has memories or turns here."""
    with opened(path, ledger=ledger) as hermes:
        names = list(hermes.users())
        emit(json, names, lambda to: to.print("\n".join(names), markup=False, soft_wrap=True))


@on_store
def stats(
    asked: Asked,
) -> None:
    """Sizes, limits and rates, of one user or of the whole store."""
    from hermes_core.cli import showing

    with asked.store() as hermes:
        found = hermes.stats(asked.user, asked.language)
        asked.answer(found.model_dump(), lambda to: showing.show_stats(to, found, asked.language))


@on_store
def audit(
    asked: Asked,
) -> None:
    """Contradictions and oddities among what is frozen."""
    with asked.store() as hermes:
        findings = hermes.audit(user_of(hermes, asked.user), language=asked.language)

        def show(to: Console) -> None:
            for finding in findings:
                to.print(
                    f"{finding.rule}: {finding.text} [{', '.join(i[:8] for i in finding.item_ids)}]",
                    markup=False,
                    soft_wrap=True,
                )
            if not findings:
                to.print(asked.say("Nothing odd was found.", "没有发现异常。"), style="green")

        asked.answer([finding.model_dump() for finding in findings], show)
