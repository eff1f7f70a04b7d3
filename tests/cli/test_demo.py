"""What the demo shows is what it claims: told from the JSON that `hermes demo --json` prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hermes_core.demo import load

Demo = dict[str, Any]

# One process replays the demo, once, for both files.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("demo")]


def texts(demo: Demo, *statuses: str) -> list[str]:
    return [item["text"] for item in demo["memories"] if item["status"] in statuses]


def changes_of(demo: Demo, session: str) -> list[dict[str, Any]]:
    found = next(part for part in demo["sessions"] if part["session"] == session)
    return [change for turn in found["turns"] for change in turn["changes"]]


def item(demo: Demo, slot: str, *statuses: str) -> list[dict[str, Any]]:
    return [i for i in demo["memories"] if i["slot"] == slot and (not statuses or i["status"] in statuses)]


def has(texts: list[str], *words: str) -> bool:
    return any(all(word.lower() in text.lower() for word in words) for text in texts)


def test_every_user_turn_has_a_decision_or_a_reason(demo_json: Demo) -> None:
    for part in demo_json["sessions"]:
        for turn in part["turns"]:
            assert turn["changes"], f"{part['session']}: {turn['text']}"
            assert all(change["reason"] for change in turn["changes"])
    told = sum(len(part["turns"]) for part in demo_json["sessions"])
    assert told == sum(turn.role == "user" for script in load().sessions for turn in script.turns)


def test_an_allergy_is_frozen_at_its_first_saying_and_its_complement_stands_beside_it(demo_json: Demo) -> None:
    assert any(c["event"] == "froze" and "peanut" in c["after"]["text"].lower() for c in changes_of(demo_json, "s01"))
    assert has(texts(demo_json, "frozen"), "peanut")
    assert has(texts(demo_json, "frozen", "confirmed"), "tree nuts")


def test_three_calm_sessions_froze_concise_and_haste_and_anger_did_not_move_it(demo_json: Demo) -> None:
    assert any(c["event"] == "froze" and c["after"]["slot"] == "reply_length" for c in changes_of(demo_json, "s03"))
    kept = item(demo_json, "reply_length", "frozen")
    assert [i["value"] for i in kept] == ["concise"]
    for session in ("s04", "s07", "s13"):
        moved = [c["event"] for c in changes_of(demo_json, session) if about(c, "reply_length")]
        assert set(moved) <= {"refused", "noted", "held"}, session


def about(change: dict[str, Any], slot: str) -> bool:
    return change["after"] is not None and change["after"]["slot"] == slot


def test_the_rant_settled_nothing(demo_json: Demo) -> None:
    assert not has(texts(demo_json, "frozen", "confirmed"), "推荐")


def test_moves_are_moves(demo_json: Demo) -> None:
    assert has(texts(demo_json, "confirmed", "frozen"), "Munich")
    assert has(texts(demo_json, "archived"), "Berlin")
    assert not has(texts(demo_json, "confirmed", "frozen", "candidate"), "live", "Berlin")
    assert has(texts(demo_json, "confirmed", "frozen"), "Isarwerk")
    assert not has(texts(demo_json, "confirmed", "frozen", "candidate"), "Nordwind")


def test_others_words_and_echoes_are_no_evidence(demo_json: Demo) -> None:
    every = texts(demo_json, "candidate", "confirmed", "frozen", "stale", "archived")
    assert not has(every, "cash")
    assert not has(every, "money")
    assert not has(every, "Paris")
    mine = [i["text"] for i in demo_json["memories"] if i["subject"] == "user"]
    assert not has(mine, "hates football")
    echoed = [c for c in changes_of(demo_json, "s08") if c["event"] == "confirmed"]
    assert not [c for c in echoed if c["after"]["slot"] == "reply_length"]


def test_coffee_is_over(demo_json: Demo) -> None:
    now = texts(demo_json, "confirmed", "frozen")
    assert not has(now, "两杯咖啡")


def test_the_gates_hold_their_limits(demo_json: Demo) -> None:
    stats = demo_json["stats"]
    for pool, count in stats["pools"].items():
        assert count <= stats["caps"].get(pool, count)
    block = demo_json["context"]
    assert 0 < block["tokens"] <= block["budget"] <= 1600
    assert "peanut" in block["text"].lower()


def test_the_context_holds_nothing_that_the_gates_refused(demo_json: Demo) -> None:
    """Not through a summary either: pasted text, a rant, haste, and what was superseded stay out."""
    shown = demo_json["context"]["text"]
    for words in ("money", "cash", "推荐新东西", "this once", "live in Berlin", "work at Nordwind", "haiku", "Paris"):
        assert words not in shown, words


def test_both_stores_are_there(store: Path) -> None:
    assert (store / "ledger.db").is_file()
    assert (store / "chroma").is_dir()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_reads_well_when_piped(language: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hermes_core.cli", "demo", "--path", "store", "--language", language],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    from rich.cells import cell_len

    assert "\x1b" not in done.stdout
    assert max(map(cell_len, done.stdout.splitlines())) <= 100
    assert len(re.findall(r"^\d{4}-\d\d-\d\d \d\d:\d\d  .* ──", done.stdout, re.MULTILINE)) == len(load().sessions)
    assert ("frozen" in done.stdout) if language == "en" else ("冻结" in done.stdout)
