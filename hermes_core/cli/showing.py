"""How read values look in a terminal: contexts, memories, trails, sizes. Nothing is decided or read from a store here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from hermes_core.answers import describe
from hermes_core.answers.words import kind_words, number_words, pool_words, status_words
from hermes_core.cli.output import STATUS_STYLE, say, short_id
from hermes_core.items import MemoryItem, Status

if TYPE_CHECKING:
    from rich.console import Console

    from hermes_core.changes import Change
    from hermes_core.views import ContextBlock, Stats

_SETTLED = (
    Status.FROZEN,
    Status.UNLOCKED,
    Status.CONFIRMED,
    Status.CANDIDATE,
    Status.STALE,
    Status.ARCHIVED,
    Status.FORGOTTEN,
)


def show_context(to: Console, block: ContextBlock, language: str) -> None:
    to.print(block.text, markup=False, soft_wrap=True)
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


def show_memories(to: Console, items: Sequence[MemoryItem], language: str, hidden: int = 0) -> None:
    """A table, most settled first; `hidden` counts what the archive holds beside it."""
    if items:
        to.print(_memory_table(items, language))
        _point_to_held(to, items, language)
    else:
        to.print(say(language, "Nothing is remembered here.", "这里还没有记忆。"))
    if hidden:
        to.print(say(language, f"and {hidden} archived (--all)", f"另有 {hidden} 条已归档（--all）"), style="dim")


def _point_to_held(to: Console, items: Sequence[MemoryItem], language: str) -> None:
    """What was said against a settled memory is kept beside it, where nobody sees it unless told."""
    for item in items:
        for held in item.held[-1:]:
            short = short_id(item)
            hint = say(
                language,
                f"{short} was spoken against: “{held.text}” (hermes explain {short}; hermes approve {short} lets it take over)",
                f"{short} 有相反说法：「{held.text}」（hermes explain {short} 查看；hermes approve {short} 让它取而代之）",
            )
            to.print(hint, style="yellow", markup=False, highlight=False, soft_wrap=True)


def _memory_table(items: Sequence[MemoryItem], language: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(say(language, "id", "编号"), style="dim", no_wrap=True)
    table.add_column(say(language, "status", "状态"), no_wrap=True)
    table.add_column(say(language, "kind", "类别"), no_wrap=True)
    table.add_column(say(language, "memory", "记忆"))
    table.add_column(say(language, "sure", "置信"), justify="right", no_wrap=True)
    table.add_column(say(language, "said", "次数"), justify="right", no_wrap=True)
    for item in sorted(items, key=lambda item: (_SETTLED.index(item.status), item.said_at, item.id)):
        table.add_row(
            short_id(item),
            Text(status_words(item.status, language), style=STATUS_STYLE[item.status]),
            kind_words(item.kind, language),
            Text(item.text),
            f"{item.confidence:.2f}",
            f"{item.confirmations:g}",
        )
    return table


def show_history(to: Console, changes: Sequence[Change], language: str) -> None:
    for change in changes:
        when = change.cause.at.strftime("%Y-%m-%d %H:%M")
        to.print(f"v{change.version:<4} {when}  {describe(change, language)}", markup=False, soft_wrap=True)
    if not changes:
        to.print(say(language, "Nothing has changed here yet.", "这里还没有任何变化。"))


def show_stats(to: Console, found: Stats, language: str) -> None:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for name, count in found.pools.items():
        cap = found.caps.get(name)
        table.add_row(pool_words(name, language), f"{count:,}" + (f" / {cap:,}" if cap else ""))
    for name, number in found.numbers.items():
        table.add_row(number_words(name, language), f"{number:,.6g}")
    to.print(table)
    for warning in found.warnings:
        to.print(warning, style="yellow", markup=False, soft_wrap=True)
    if not found.pools and not found.numbers:
        to.print(say(language, "Nothing to count yet.", "还没有可统计的内容。"))
