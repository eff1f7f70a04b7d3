"""C10, C14, W15: sizes against caps, rates from the trail, a meter that stays at home, a cap from measurements."""

from __future__ import annotations

import subprocess
import sys
import threading
from datetime import datetime, timedelta, timezone

import pytest

from hermes_core.answers import Measured, plan, repeated_explanation_rate, stats
from hermes_core.changes import Cause, Event, step
from hermes_core.config import Config
from hermes_core.errors import InvalidInput
from hermes_core.items import Kind, MemoryItem, PackedItems, Status, Turn
from hermes_core.metrics import Meter, percentile
from hermes_core.ports import Summary
from hermes_core.reasons import Reason
from hermes_core.tokens import ApproximateCounter
from hermes_core.user_state import UserState

T0 = datetime(2025, 3, 1, tzinfo=timezone.utc)


def item(
    n: int, status: Status = Status.CONFIRMED, kind: Kind = Kind.FACT, days: float = 0, **fields: object
) -> MemoryItem:
    at = T0 - timedelta(days=days)
    base = {
        "id": f"i{n}",
        "user_id": "u",
        "kind": kind,
        "slot": "fact",
        "value": str(n),
        "text": f"fact {n}",
        "status": status,
        "created_at": at,
        "said_at": at,
        "confirmed_at": at,
        "tokens": 3,
    }
    return MemoryItem(**{**base, **fields})


def test_pools_caps_and_numbers():
    live = [item(1), item(2, Status.CANDIDATE, hits=1), item(3, Status.FROZEN, days=30), item(4, kind=Kind.STATE)]
    state = UserState("u", live={i.id: i for i in live}, archive=PackedItems({"x": item(9, Status.ARCHIVED)}))
    found = stats("u", [state], Config(), T0, waiting=2)
    assert found.pools["hot"] == 3
    assert found.pools["frozen"] == 1
    assert found.pools["archive"] == 1
    assert found.pools["short_term"] == 1
    assert found.pools["candidate"] == 1
    assert found.caps == {"hot": 200, "frozen": 30, "archive": 2000, "short_term": 10}
    assert found.numbers["hit_rate"] == 0.25
    assert found.numbers["growth_week"] == 3
    assert found.numbers["waiting_turns"] == 2
    assert found.numbers["live_tokens"] == 12
    assert found.warnings == ()


def test_an_empty_store_has_numbers_too():
    found = stats(None, [], Config(), T0)
    assert found.numbers["users"] == 0
    assert found.numbers["hit_rate"] == 0


@pytest.mark.parametrize(("count", "warned"), [(6, False), (7, True), (10, True)])
def test_warning_at_seventy_percent(count, warned):
    config = Config.model_validate({"bounded": {"hot_cap": 10, "short_term_cap": 10}})
    state = UserState("u", live={f"i{n}": item(n) for n in range(count)})
    lines = stats("u", [state], config, T0).warnings
    assert bool(lines) is warned
    if warned:
        assert lines[0] == f"hot holds {count} of 10 ({count * 10}%)"
        assert stats(None, [state], config, T0).warnings[0].startswith("user u: hot")


def turn(turn_id: str, session: str, minutes: int, role: str = "user") -> Turn:
    return Turn(
        id=turn_id, user_id="u", session_id=session, role=role, text="x", said_at=T0 + timedelta(minutes=minutes)
    )


def again(turn_id: str, session: str, minutes: int, known: MemoryItem):
    cause = Cause(by="turn", at=T0 + timedelta(minutes=minutes), session_id=session, turn_id=turn_id)
    return step(known, Event.CONFIRMED, reason=Reason.SAID_AGAIN, cause=cause)


def hit(minutes: int, known: MemoryItem):
    return step(known, Event.HIT, reason=Reason.RECALLED, cause=Cause(by="read", at=T0 + timedelta(minutes=minutes)))


def test_repeats_count_only_when_the_session_had_not_been_shown_the_memory():
    known = item(1)
    turns = [turn("t1", "s1", 0), turn("t2", "s2", 100), turn("t3", "s2", 110), turn("a", "s2", 111, "assistant")]
    repeat = again("t3", "s2", 110, known)
    assert repeated_explanation_rate([repeat], turns) == pytest.approx(1 / 3)
    assert repeated_explanation_rate([hit(105, known), repeat], turns) == 0
    assert repeated_explanation_rate([hit(50, known), repeat], turns) == pytest.approx(1 / 3)
    assert repeated_explanation_rate([repeat, hit(120, known)], turns) == pytest.approx(1 / 3)
    assert repeated_explanation_rate([], []) == 0


def test_compression_and_tokens_a_turn():
    meter = Meter()
    for tokens in (100, 300):
        with meter.time("hermes.context"):
            meter.count("hermes.context.tokens", tokens)
    turns = [
        Turn(id="t", user_id="u", session_id="s", role="user", text="one two three four", said_at=T0, seq=1),
        Turn(id="v", user_id="u", session_id="s", role="user", text="later words", said_at=T0, seq=2),
    ]
    made = Summary(user_id="u", session_id="s", text="one two", last_seq=1)
    found = stats("u", [], Config(), T0, meter=meter, turns=turns, summaries=[made], counter=ApproximateCounter())
    assert found.numbers["context_tokens_a_turn"] == 200
    assert found.numbers["compression"] == 0.5
    assert found.numbers["hermes.context.calls"] == 2


def test_meter_counts_across_threads():
    meter = Meter(opentelemetry=False)

    def work() -> None:
        for _ in range(200):
            meter.count("n")
            with meter.time("t"):
                pass

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seen = meter.snapshot()
    assert seen["n"] == 1600
    assert seen["t.calls"] == 1600
    assert 0 <= seen["t.p50_ms"] <= seen["t.p95_ms"] <= seen["t.max_ms"]


def test_meter_times_what_raises():
    meter = Meter()
    with pytest.raises(KeyError), meter.time("t"):
        raise KeyError("x")
    assert meter.snapshot()["t.calls"] == 1


def test_percentiles_by_nearest_rank():
    numbers = [float(n) for n in range(1, 101)]
    assert percentile(numbers, 0.95) == 95
    assert percentile(numbers, 0.5) == 50
    assert percentile([], 0.5) == 0
    assert percentile([7.0], 0.95) == 7


def test_without_opentelemetry_nothing_breaks(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    meter = Meter()
    meter.count("n", 2, kind="x")
    with meter.time("t"):
        pass
    assert meter.snapshot()["n"] == 2


class Instrument:
    """Keeps what it is given, like an OpenTelemetry instrument."""

    def __init__(self) -> None:
        self.given: list[tuple[float, dict]] = []

    def add(self, n: float, attrs: dict) -> None:
        self.given.append((n, attrs))

    record = add


class Provider:
    """A stand-in for opentelemetry's meter: one instrument per name."""

    def __init__(self) -> None:
        self.made: dict[str, Instrument] = {}

    def create_counter(self, name: str, unit: str) -> Instrument:
        return self.made.setdefault(name, Instrument())

    create_histogram = create_counter


def test_what_opentelemetry_gets():
    meter = Meter()
    provider = Provider()
    meter._exported._meter = provider
    meter.count("hermes.turns", 3, by="local")
    meter.timed("hermes.context", 0.002)
    assert provider.made["hermes.turns"].given == [(3, {"by": "local"})]
    assert provider.made["hermes.context.duration"].given == [(0.002, {})]


def test_plan_interpolates_between_the_last_good_and_the_first_slow_size():
    found = plan(lambda size: size / 100, [100, 1000, 400, 2000, 4000, 8000], target_ms=15)
    assert (found.cap, found.limited_by) == (1500, "latency")
    assert [row.size for row in found.rows] == [100, 400, 1000, 2000, 4000]


def test_plan_minds_recall_headroom_and_the_ends():
    assert plan(lambda size: 1.0, [10, 20], 5).limited_by == "sizes"
    assert plan(lambda size: 1.0, [10, 20], 5).cap == 20
    assert plan(lambda size: 9.0, [10, 20], 5).cap == 0
    assert plan(lambda size: size / 100, [100, 1000], 10, headroom=2).cap == 500
    falling = plan(lambda n: Measured(size=n, ms=1, recall=1 - n / 1000), [100, 300, 500], 5, least_recall=0.6)
    assert (falling.cap, falling.limited_by) == (300, "recall")


@pytest.mark.parametrize(("sizes", "target", "headroom"), [([], 5, 1), ([0], 5, 1), ([1], 0, 1), ([1], 5, 0.5)])
def test_plan_refuses_nonsense(sizes, target, headroom):
    with pytest.raises(InvalidInput):
        plan(lambda size: 1.0, sizes, target, headroom=headroom)


WATCHED = """
from opentelemetry import metrics
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

reader = InMemoryMetricReader()
metrics.set_meter_provider(MeterProvider([reader]))

from hermes_core import Hermes

hermes = Hermes.open(PATH, chroma=False)
for day in ("monday", "tuesday"):
    with hermes.session("user-1", day) as session:
        session.observe("user", "I'm allergic to peanuts.")
        session.context("a snack?")
    hermes.flush()
hermes.stats()
hermes.stats("user-1")
hermes.close()
for resource in reader.get_metrics_data().resource_metrics:
    for scope in resource.scope_metrics:
        for metric in scope.metrics:
            for point in metric.data.data_points:
                value = getattr(point, "value", None)
                print(metric.name, point.sum if value is None else value, dict(point.attributes), sep="\t")
"""


def test_what_a_real_provider_hears(tmp_path):
    pytest.importorskip("opentelemetry.sdk")
    code = WATCHED.replace("PATH", repr(str(tmp_path / "memory")))
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120).stdout
    heard = {name: (float(value), attrs) for name, value, attrs in (line.split("\t") for line in told.splitlines())}
    assert heard["hermes.store.live_items"][0] == 1
    assert heard["hermes.store.pool.frozen"][0] == 1
    assert heard["hermes.context.tokens"][0] > 0
    assert heard["hermes.context.duration"][0] > 0
    assert heard["hermes.observe.duration"][0] > 0
    assert "hermes.user.repeated_explanation_rate" in heard
    assert heard["hermes.user.hit_rate"][0] == 1
    assert "user-1" not in told
    assert "peanuts" not in told
