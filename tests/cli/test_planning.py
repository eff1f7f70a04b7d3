"""`hermes plan` measures what it says it measures."""

from __future__ import annotations

import json

from hermes_core.cli.planning import made_up, measure
from hermes_core.embedding.default import DefaultEmbedder
from hermes_core.testing import HashEmbedder
from tests.cli.conftest import invoke


def test_made_up_items_are_all_different() -> None:
    stored = made_up(5000, HashEmbedder())  # type: ignore[arg-type]
    assert len({s.item.text for s in stored}) == len({s.item.id for s in stored}) == 5000


def test_a_small_pool_is_quick_and_finds_what_is_asked_for() -> None:
    found = measure(60, DefaultEmbedder(), probes=10)
    assert found.size == 60
    assert found.ms > 0
    assert found.recall >= 0.9


def test_the_command_recommends_a_cap(monkeypatch) -> None:
    monkeypatch.setattr("hermes_core.cli.planning.SIZES", (30, 60))
    done = invoke("plan", "--milliseconds", "100000", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["cap"] == 60
    assert found["limited_by"] == "sizes"
    assert "60" in invoke("plan", "--milliseconds", "100000", "--language", "zh").stdout
