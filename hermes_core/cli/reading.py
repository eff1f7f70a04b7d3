"""Commands that only read: context, memories, explain, diagnose, history, users, stats, audit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hermes_core.cli.opening import item_of, opened, user_of
from hermes_core.cli.options import DEFAULT_STORE, AsJson, ConfigFile, ItemId, Lang, Ledger, Store, User, moment
from hermes_core.cli.output import STATUS_STYLE, emit, language_of, say, short_id
from hermes_core.errors import InvalidInput
from hermes_core.items import Kind, MemoryItem, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from hermes_core.changes import Change
    from hermes_core.views import ContextBlock, Stats


def context(
    query: Annotated[str, typer.Argument(help="What the next conversation begins with.")] = "",
    path: Store = DEFAULT_STORE,
    user: User = None,
    task: Annotated[str, typer.Option(help="recommendation, question_answering, writing, …")] = "",
    session: Annotated[str, typer.Option(help="The session that asks.")] = "command-line",
    ledger: Ledger = None,
    config: ConfigFile = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """What a model would get to see of this user, for a query."""
    with opened(path, ledger=ledger, config=config) as hermes:
        asking = hermes.session(user_of(hermes, user), session)
        block = asking.context(query, task=task) if task else asking.context(query)
        emit(json, block.model_dump(), lambda to: show_context(to, block, language_of(language)))


def show_context(to: Console, block: ContextBlock, language: str) -> None:
    to.print(block.text, markup=False)
    counted = f"{block.tokens} / {block.budget}"
    left = len(block.left_out)
    to.print(
        say(
            language,
            f"{counted} tokens, {len(block.items)} memories, version {block.version}, {left} left out",
            f"{counted} 个 token，{len(block.items)} 条记忆，版本 {block.version}，{left} 条未放入",
        ),
        style="dim",
    )


def memories(
    path: Store = DEFAULT_STORE,
    user: User = None,
    status: Annotated[Status | None, typer.Option(help="Only this status.")] = None,
    kind: Annotated[Kind | None, typer.Option(help="Only this kind.")] = None,
    ledger: Ledger = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """What is remembered, and how sure it is."""
    with opened(path, ledger=ledger) as hermes:
        user_id = user_of(hermes, user)
        items = hermes.memories(user_id, status=status, kind=kind)
        emit(json, [item.model_dump() for item in items], lambda to: show_memories(to, items, language_of(language)))


def show_memories(to: Console, items: Sequence[MemoryItem], language: str) -> None:
    from rich.table import Table
    from rich.text import Text

    from hermes_core.answers.words import kind_words, status_words

    if not items:
        to.print(say(language, "Nothing is remembered here.", "这里还没有记忆。"))
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in (("id", "编号"), ("status", "状态"), ("kind", "类别"), ("memory", "记忆")):
        table.add_column(
            say(language, *heading), style="dim" if heading[0] == "id" else "", no_wrap=heading[0] != "memory"
        )
    table.add_column(say(language, "sure", "置信"), justify="right")
    table.add_column(say(language, "said", "次数"), justify="right")
    for item in items:
        table.add_row(
            short_id(item),
            Text(status_words(item.status, language), style=STATUS_STYLE[item.status]),
            kind_words(item.kind, language),
            Text(item.text),
            f"{item.confidence:.2f}",
            f"{item.confirmations:g}",
        )
    to.print(table)


def explain(
    item_id: ItemId,
    path: Store = DEFAULT_STORE,
    user: User = None,
    ledger: Ledger = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Why a memory is there: the user's own words, sessions, and every decision."""
    with opened(path, ledger=ledger) as hermes:
        user_id = user_of(hermes, user)
        spoken = language_of(language)
        found = hermes.explain(user_id, item_of(hermes, user_id, item_id).id, language=spoken)
        emit(json, found.model_dump(), lambda to: to.print(found.text, markup=False))


def diagnose(
    statement: Annotated[str, typer.Argument(help="What should have been remembered.")],
    path: Store = DEFAULT_STORE,
    user: User = None,
    ledger: Ledger = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Where a statement was lost: not heard, gated, merged, asleep, or out of budget."""
    with opened(path, ledger=ledger) as hermes:
        found = hermes.diagnose(user_of(hermes, user), statement, language=language_of(language))
        emit(
            json, found.model_dump(), lambda to: to.print(found.text or f"{found.stage}: {found.reason}", markup=False)
        )


def history(
    item_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="Only this memory.")] = None,
    path: Store = DEFAULT_STORE,
    user: User = None,
    as_of: Annotated[
        str | None, typer.Option(metavar="TIME|VERSION", help="What was remembered then, instead of the changes.")
    ] = None,
    ledger: Ledger = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Every change, oldest first; or the memory as it was."""
    with opened(path, ledger=ledger) as hermes:
        user_id, spoken = user_of(hermes, user), language_of(language)
        if as_of is not None:
            state = hermes.as_of(user_id, _version_or_time(as_of))
            items = list(state.live.values())
            emit(json, [item.model_dump() for item in items], lambda to: show_memories(to, items, spoken))
            return
        found = hermes.history(user_id, item_of(hermes, user_id, item_id).id if item_id else None)
        emit(json, [change.model_dump() for change in found], lambda to: show_history(to, found, spoken))


def _version_or_time(text: str) -> int | object:
    if text.isdigit():
        return int(text)
    try:
        return moment(text)
    except ValueError:
        raise InvalidInput(
            f"--as-of takes a version or a time such as 2026-03-01 or 2026-03-01T12:00Z, not {text!r}"
        ) from None


def show_history(to: Console, changes: Sequence[Change], language: str) -> None:
    from hermes_core.answers import describe

    for change in changes:
        when = change.cause.at.strftime("%Y-%m-%d %H:%M")
        to.print(f"v{change.version:<4} {when}  {describe(change, language)}", markup=False)
    if not changes:
        to.print(say(language, "Nothing has changed here yet.", "这里还没有任何变化。"))


def users(path: Store = DEFAULT_STORE, ledger: Ledger = None, json: AsJson = False) -> None:
    """Who has memories or turns here."""
    with opened(path, ledger=ledger) as hermes:
        names = list(hermes.users())
        emit(json, names, lambda to: [to.print(name, markup=False) for name in names])


def stats(
    path: Store = DEFAULT_STORE,
    user: User = None,
    ledger: Ledger = None,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Sizes, limits and rates, of one user or of the whole store."""
    with opened(path, ledger=ledger) as hermes:
        found = hermes.stats(user)
        emit(json, found.model_dump(), lambda to: show_stats(to, found, language_of(language)))


def show_stats(to: Console, found: Stats, language: str) -> None:
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for name, count in found.pools.items():
        cap = found.caps.get(name)
        table.add_row(name, f"{count:,}" + (f" / {cap:,}" if cap else ""))
    for name, number in found.numbers.items():
        table.add_row(name.replace("_", " "), f"{number:,.6g}")
    to.print(table)
    for warning in found.warnings:
        to.print(warning, style="yellow", markup=False)
    if not found.pools and not found.numbers:
        to.print(say(language, "Nothing to count yet.", "还没有可统计的内容。"))


def audit(
    path: Store = DEFAULT_STORE, user: User = None, ledger: Ledger = None, json: AsJson = False, language: Lang = None
) -> None:
    """Contradictions and oddities among what is frozen."""
    with opened(path, ledger=ledger) as hermes:
        spoken = language_of(language)
        findings = hermes.audit(user_of(hermes, user))

        def show(to: Console) -> None:
            for finding in findings:
                to.print(f"{finding.rule}: {finding.text} [{', '.join(i[:8] for i in finding.item_ids)}]", markup=False)
            if not findings:
                to.print(say(spoken, "Nothing odd was found.", "没有发现异常。"), style="green")

        emit(json, [finding.model_dump() for finding in findings], show)
