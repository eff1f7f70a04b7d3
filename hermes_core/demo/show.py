"""Prints a replay for people: rich, at most 100 columns, coloured by decision, in English or Chinese."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from hermes_core.answers.words import pick
from hermes_core.changes import Change, Event
from hermes_core.demo.fates import Fate, fates
from hermes_core.items import MemoryItem, Pool

if TYPE_CHECKING:
    from rich.console import Console

    from hermes_core.demo import Conversation, Finished, ReplayedSession

LONGEST_QUOTE = 150  # characters of a user's turn in the demo
DECISION_COLUMN = 19  # where the words of a decision begin
WIDEST = 100  # columns; longer lines are hard to read
LONGEST_CLAIM = 90  # characters of a memory or refused claim


class Printer:
    """Prints the parts of a replay in order; keeps count of what happened for the table at the end."""

    def __init__(self, to: Console, language: str, needed: float) -> None:
        self._to = to
        self._language = language
        self._needed = needed  # confirmations that freeze
        self._counts: dict[Event, int] = {}

    def say(self, english: str, chinese: str) -> str:
        return pick((english, chinese), self._language)

    def opening(self, conversation: Conversation, hot_cap: int, folder: Path) -> None:
        text = self.say(
            f"Lin talks to an assistant: {len(conversation.sessions)} sessions over {conversation.weeks} weeks, in "
            "English and Chinese. After each session the two gates decide what to remember.\n"
            f"The pool has {hot_cap} places here (200 by default), so that the bounded gate has something to do. "
            "Only Lin's own words count; the assistant's are kept, but are never evidence.",
            f"Lin 与助手的对话：{conversation.weeks} 周，{len(conversation.sessions)} 个会话，中英文混用。"
            "每个会话之后，两道闸决定记住什么。\n"
            f"这里的热池只有 {hot_cap} 个位置（默认 200 个），好让有界闸有事可做。"
            "只有 Lin 自己的话算数；助手的话会保存，但从不作为依据。",
        )
        width = min(self._to.width, WIDEST)
        self._to.print(
            Panel(text, title="[bold]Hermes Memory[/bold]", border_style="cyan", padding=(1, 2), width=width)
        )

    def session(self, session: ReplayedSession) -> None:
        script = session.script
        title = f"{script.at:%Y-%m-%d %H:%M}  {pick((script.title['en'], script.title['zh']), self._language)}"
        self._heading(title)
        if session.by_time:
            self._by_time(session.by_time)
        for turn in session.turns:
            if turn.after_line:
                said = self.say("assistant: ", "助手：") + " ".join(turn.after_line.split())
                self._line("", Text(said, style="dim italic"))
            self._line(f"{turn.spoken.at:%H:%M}", Text(_shortened(turn.spoken.text), style="bold"))
            self._fates(turn.changes, turn.spoken.text)

    def _by_time(self, changes: Sequence[Change]) -> None:
        quiet = self.say("Meanwhile:", "其间：")
        self._line("", Text(quiet, style="dim"))
        self._fates(changes)

    def _fates(self, changes: Sequence[Change], said: str = "") -> None:
        for change in changes:
            self._counts[change.event] = self._counts.get(change.event, 0) + 1
        told = fates(changes, self._language, self._needed)
        loud = [fate for fate in told if not fate.quiet]
        for fate in loud or told[:1]:
            self._decision(fate, said)

    def _heading(self, title: str) -> None:
        self._to.print()
        self._to.print(Rule(title, align="left", style="cyan"), width=min(self._to.width, WIDEST))

    def _line(self, time: str, words: Text) -> None:
        self._indented(Text(f"{time:<6}", style="dim"), words)

    def _decision(self, fate: Fate, said: str) -> None:
        label = Text(f"        {fate.label}", style=fate.style)
        label.pad_right(DECISION_COLUMN - label.cell_len)
        self._indented(label, self._sentence(fate, said))

    def _indented(self, head: Text, words: Text) -> None:
        """`words` wrapped beside `head`, at most WIDEST columns in all and without trailing spaces."""
        width = min(self._to.width, WIDEST) - head.cell_len
        for number, line in enumerate(words.wrap(self._to, max(width, 20))):
            line.rstrip()
            whole = Text.assemble(head if number == 0 else " " * head.cell_len, line)
            whole.rstrip()
            self._to.print(whole, soft_wrap=True)

    def _sentence(self, fate: Fate, said: str) -> Text:
        """The words in quotes and why; words that are the whole turn aren't repeated."""
        if fate.quiet or (fate.refused and _bare(fate.words) == _bare(said)):
            return Text(fate.why, style="dim")
        line = Text(self.say("“{}”", "「{}」").format(_shortened(fate.words, LONGEST_CLAIM)))
        own = _bare(fate.words).casefold() in _bare(said).casefold()
        if fate.read and said and not own:  # an answer, with what was asked
            line = Text.assemble((self.say("understood as ", "理解为"), "dim"), line)
        if fate.slot:
            line.append(self.say(" ({})", "（{}）").format(fate.slot), style="cyan")
        return line.append(self.say(" — ", "：") + fate.why, style="dim")

    def finish(self, end: Finished, conversation: Conversation, folder: Path) -> None:
        self._heading(self.say("What the next session would see", "下一个会话会看到什么"))
        if end.by_time:
            self._by_time(end.by_time)
        when = f"{conversation.next_at:%Y-%m-%d %H:%M}"
        self._line(when[-5:], Text(conversation.next_query, style="bold"))
        self._to.print()
        for line in end.block.text.splitlines():
            self._indented(Text("        "), Text(line))
        self._to.print()
        counted = self.say(
            f"{end.block.tokens} of at most {end.block.budget} tokens, {len(end.block.items)} memories, "
            f"profile version {end.block.version}; {len(end.block.left_out)} left out",
            f"{end.block.tokens} 个 token（上限 {end.block.budget}），{len(end.block.items)} 条记忆，"
            f"画像版本 {end.block.version}；{len(end.block.left_out)} 条未放入",
        )
        self._indented(Text("        "), Text(counted, style="dim"))
        self._pools(end)
        self._where(folder)

    def _pools(self, end: Finished) -> None:
        self._heading(self.say("After twelve weeks", "十二周之后"))
        for pool, names in _POOLS:
            own = [item for item in end.items if item.pool is pool]
            cap = end.stats.caps.get(pool.value)
            texts = [item.text for item in own] if pool is Pool.FROZEN else []
            self._row(names, f"{len(own)} / {cap}" if cap else str(len(own)), texts)
        if changed := _changed(end.items):
            self._row(("changed", "已改变"), str(len(changed)), changed)
        self._to.print()
        self._indented(Text("  "), Text(self._summary(end), style="dim"))

    def _row(self, names: tuple[str, str], count: str, texts: Sequence[str]) -> None:
        head = Text(f"  {pick(names, self._language)}", style="bold")
        head.pad_right(11 - head.cell_len)
        head.append(f"{count:>7}   ", style="not bold")
        for number, text in enumerate(texts or [""]):
            self._indented(head if number == 0 else Text(" " * head.cell_len), Text(text))

    def _summary(self, end: Finished) -> str:
        parts = [
            f"{pick((english, chinese), self._language)} {sum(self._counts.get(event, 0) for event in events)}"
            for english, chinese, events in _SUMMARY
        ]
        changes = self.say(f"{end.changes} changes in the trail: ", f"轨迹共 {end.changes} 条变化：")
        return changes + self.say(", ", "，").join(parts)

    def _where(self, folder: Path) -> None:
        option = "" if folder == Path("memory") else f" --path {folder}"
        self._to.print()
        self._to.print(
            self.say(
                f"The store lies in {folder}/ (ledger.db is the truth, chroma/ what anyone can query). Try:",
                f"存储位于 {folder}/（ledger.db 是账本，chroma/ 供任何人查询）。试试：",
            ),
            markup=False,
        )
        for command, english, chinese in _NEXT:
            line = Text(f"  {_program()} {command}{option}", style="cyan")
            line.pad_right(max(1, 62 - line.cell_len))
            self._to.print(line.append(self.say(english, chinese), style="dim"))


_POOLS = (
    (Pool.FROZEN, ("frozen", "冻结池")),
    (Pool.HOT, ("hot", "热池")),
    (Pool.COLD, ("archive", "归档")),
)
_SUMMARY = (
    ("remembered", "记住", (Event.ADMITTED,)),
    ("said again", "再次提及", (Event.CONFIRMED, Event.RECONFIRMED)),
    ("frozen", "冻结", (Event.FROZE, Event.REFROZEN)),
    ("held", "暂存", (Event.HELD,)),
    ("replaced", "被取代", (Event.SUPERSEDED,)),
    ("evicted or sealed", "淘汰或封存", (Event.EVICTED, Event.DROPPED, Event.SEALED)),
    ("not kept", "未记", (Event.REFUSED,)),
)
_NEXT = (
    ("memories", "everything that is remembered", "所有记忆"),
    ('context "dinner ideas?"', "what a model would see", "模型会看到什么"),
    ("history", "every decision, the trifles too", "每一个决定，包括琐碎的"),
    ("explain ID", "the words and rules behind one memory", "一条记忆背后的原话与规则"),
    ('diagnose "I live in Berlin"', "where a statement went", "一句话去了哪里"),
)


def _program() -> str:
    """What to type for `hermes` here: `make demo` leaves it in an environment that no shell has activated."""
    started = Path(sys.argv[0])
    if shutil.which("hermes") or started.stem != "hermes":
        return "hermes"
    return os.path.relpath(started) if Path.cwd() in started.absolute().parents else str(started)


def _changed(items: Sequence[MemoryItem]) -> list[str]:
    """What gave way to what, oldest first."""
    known = {item.id: item for item in items}
    pairs = [(item, known.get(item.superseded_by or "")) for item in sorted(items, key=lambda item: item.said_at)]
    return [f"{_shortened(old.text, 34)} → {_shortened(new.text, 40)}" for old, new in pairs if new is not None]


def _bare(text: str) -> str:
    return " ".join(text.split()).rstrip(".!?。！？")


def _shortened(text: str, longest: int = LONGEST_QUOTE) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"
