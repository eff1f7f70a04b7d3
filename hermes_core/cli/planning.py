"""`hermes plan`: measures reads against pool size on this machine (C14). What follows from the numbers is answers.plan's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timezone
from itertools import islice, product
from typing import TYPE_CHECKING, Annotated

import typer

from hermes_core.cli.options import AsJson, Lang
from hermes_core.cli.output import emit, language_of, progress, say

if TYPE_CHECKING:
    from rich.console import Console

    from hermes_core.answers.plan import Measured, Plan
    from hermes_core.changes import Change
    from hermes_core.embedding.default import DefaultEmbedder
    from hermes_core.items import MemoryItem
    from hermes_core.ports import StoredItem

SIZES = (100, 200, 500, 1000, 2000, 5000)
PROBES = 40  # reads at each size; the 95th percentile counts
USER = "plan"
MOMENT = datetime(2026, 1, 1, tzinfo=timezone.utc)

_BESIDE = ("with Ana", "with Bo", "with Ines", "with Tariq", "with my father", "alone", "和小林", "和表姐")
_WHAT = (
    "black tea", "trail running", "watercolours", "old maps", "chess openings", "sourdough", "jazz records", "bonsai",
    "telescopes", "ceramics", "crosswords", "sailing", "beekeeping", "typography", "salsa dancing", "science fiction",
    "乌龙茶", "爬山", "书法", "围棋", "摄影", "古琴", "羽毛球", "科幻小说", "园艺", "木工", "滑雪", "烘焙",
)  # fmt: skip
_WHEN = (
    "on weekends", "after work", "in winter", "on long trains", "in the garden", "before breakfast", "at the lake",
    "in the city library", "on holidays", "on the balcony", "by candle light", "in the mountains", "when it rains",
    "on quiet evenings", "for my health", "at school", "at the harbour", "between meetings", "in spring",
    "周末的时候", "下班以后", "下雨的时候", "在家里", "清晨", "假期里", "早饭以前", "在海边", "冬天的晚上", "出差的路上", "在公园里",
)  # fmt: skip


def plan(
    milliseconds: Annotated[float, typer.Option(help="The latency of a read that you can afford.")] = 10.0,
    least_recall: Annotated[float, typer.Option(help="Share of what was asked for that must be found.")] = 0.9,
    json: AsJson = False,
    language: Lang = None,
) -> None:
    """Measure reads against pool size on this machine, and recommend a cap."""
    from hermes_core.answers import plan as judge
    from hermes_core.embedding.default import DefaultEmbedder

    spoken, embedder = language_of(language), DefaultEmbedder()
    with progress(say(spoken, "measuring", "测量中"), json) as bar:
        task = bar.add_task("", total=len(SIZES))

        def measured(size: int) -> Measured:
            found = measure(size, embedder)
            bar.advance(task)
            return found

        found = judge(measured, SIZES, milliseconds, least_recall=least_recall)
    emit(json, found.model_dump(), lambda to: show_plan(to, found, spoken))


def measure(size: int, embedder: DefaultEmbedder, probes: int = PROBES) -> Measured:
    """The 95th percentile of `context` in ms (embedding included), and recall@5 of what a query names, at one pool size."""
    from hermes_core import Hermes
    from hermes_core.answers.plan import Measured
    from hermes_core.config import build
    from hermes_core.stores.in_memory import InMemoryLedger
    from hermes_core.testing import FakeClock

    ledger, stored = InMemoryLedger(), made_up(size, embedder)
    _fill(ledger, stored)
    settings = build({"bounded": {"hot_cap": size, "dynamic_cap": 0}})
    clock = FakeClock(MOMENT.isoformat())
    with Hermes.open(
        ledger=ledger, chroma=False, config=settings, embedder=embedder, clock=clock, worker=False
    ) as hermes:
        hermes.session(USER, "warm-up").context("tea")
        times, found = [], 0
        step = max(1, size // probes)
        for number, (item, _, _) in enumerate(stored[::step][:probes]):
            session = hermes.session(USER, f"s{number}")
            start = time.perf_counter()
            session.context(item.value)
            times.append((time.perf_counter() - start) * 1000.0)
            found += any(hit.item.id == item.id for hit in session.recall(item.value, k=5))
    return Measured(size=size, ms=sorted(times)[int(len(times) * 0.95)], recall=found / len(times))


def made_up(size: int, embedder: DefaultEmbedder) -> list[StoredItem]:
    """`size` different preferences in two languages, embedded as a store would hold them."""
    from hermes_core.ports import StoredItem
    from hermes_core.terms import term_ids

    items = list(islice(_items(), size))
    vectors = embedder.embed([item.text for item in items])
    return [StoredItem(item, vector, term_ids(item.text)) for item, vector in zip(items, vectors, strict=True)]


def _items() -> Iterator[MemoryItem]:
    from hermes_core.items import Kind, MemoryItem, Status

    # when changes slowest, so that a small pool already holds different things
    for number, (when, beside, what) in enumerate(product(_WHEN, _BESIDE, _WHAT)):
        yield MemoryItem(
            id=f"made-up-{number}",
            user_id=USER,
            kind=Kind.PREFERENCE,
            slot=f"likes.{number}",
            value=f"{what} {when} {beside}",
            text=f"I like {what} {when} {beside}",
            status=Status.CANDIDATE,
            created_at=MOMENT,
            said_at=MOMENT,
            confirmed_at=MOMENT,
            confidence=0.9,
            tokens=12,
        )


def _fill(ledger: object, stored: list[StoredItem]) -> None:
    from hermes_core.changes import Cause, Event, step
    from hermes_core.ports import Commit, StoredItem

    cause = Cause(by="import", at=MOMENT)
    changes: list[Change] = []
    put: list[StoredItem] = []
    for item, vector, terms in stored:
        admitted = step(None, Event.ADMITTED, reason="imported", cause=cause, new=item)
        promoted = step(admitted.after, Event.PROMOTED, reason="imported", cause=cause)
        changes += [admitted, promoted]
        assert promoted.after is not None
        put.append(StoredItem(promoted.after, vector, terms))
    ledger.commit(Commit(USER, 0, tuple(changes), tuple(put)))  # type: ignore[attr-defined]


def show_plan(to: Console, found: Plan, language: str) -> None:
    for row in found.rows:
        to.print(f"{row.size:>7,}  {row.ms:7.2f} ms  {row.recall:5.0%}")
    to.print(
        say(
            language,
            f"Recommended cap: {found.cap:,} memories a user ({_limits(found.limited_by)[0]}).",
            f"建议上限：每位用户 {found.cap:,} 条（{_limits(found.limited_by)[1]}）。",
        ),
        style="bold",
    )


def _limits(by: str) -> tuple[str, str]:
    return {
        "latency": ("beyond it, reads take longer than you allow", "再多，读取就会超时"),
        "recall": ("beyond it, too much of what is asked for isn't found", "再多，就有太多内容找不到"),
        "sizes": ("the largest pool that was measured", "所测的最大容量"),
    }[by]
