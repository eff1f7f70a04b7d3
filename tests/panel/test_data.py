"""C1: what the panel shows is drawn from values, whole, in plain JSON types, in both languages."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from hermes_core import Hermes
from hermes_core.config import Config
from hermes_core.decay import strength
from hermes_core.panel import Desk, data
from hermes_core.testing import FakeClock
from tests.panel.conftest import HOSTILE, USER, item


@pytest.fixture
def memory(still: Hermes) -> Hermes:
    return still


def shown(view, words):
    (found,) = [i for i in view["items"] if words in i["text"]]
    return found


def test_the_view_is_json_and_the_same_twice(desk: Desk):
    view = desk.view(USER)
    assert json.loads(json.dumps(view)) == view
    assert desk.view(USER) == view


def test_every_item_is_there_with_its_pool_layer_and_status(desk: Desk, memory: Hermes):
    view = desk.view(USER)
    assert {i["id"] for i in view["items"]} == {i.id for i in memory.memories(USER)}
    for known in memory.memories(USER):
        told = next(i for i in view["items"] if i["id"] == known.id)
        assert (told["pool"], told["layer"], told["status"]) == (known.pool, known.layer, known.status)
        assert [e["quote"] for e in told["evidence"]] == [e.quote for e in known.evidence]
        assert told["confidence"] == pytest.approx(known.confidence, abs=1e-4)
    assert [i["status"] for i in view["items"]][:2] == ["frozen", "frozen"]
    assert view["items"][-1]["status"] == "archived"


def test_the_scene_holds_what_the_panel_has_to_show(desk: Desk):
    view = desk.view(USER)
    assert {i["status"] for i in view["items"]} >= {"frozen", "confirmed", "stale", "archived"}
    assert [h["text"] for h in shown(view, "keep your answers short")["held"]] == ["I'd rather have longer answers"]
    assert shown(view, "hurry")["layer"] == "short_term"
    assert shown(view, "<img")["text"] == HOSTILE


def test_pools_count_against_their_caps(desk: Desk, memory: Hermes):
    view, stats = desk.view(USER), memory.stats(USER)
    for pool in view["pools"]:
        assert (pool["size"], pool["cap"]) == (stats.pools[pool["name"]], stats.caps[pool["name"]])
        assert pool["warn"] is False


def test_the_curve_is_the_law_of_fading(memory: Hermes, clock: FakeClock):
    jazz = item(memory, "jazz")
    points = data.curve(jazz, clock.now())
    assert len(points) == data.CURVE_POINTS
    assert points == sorted(points, reverse=True)
    assert points[10] == pytest.approx(strength(jazz, clock.now() + timedelta(days=30)), abs=1e-4)
    assert len(set(data.curve(item(memory, "peanuts"), clock.now()))) == 1  # constraints don't fade


def test_days_to_sleep(memory: Hermes, clock: FakeClock):
    jazz, config = item(memory, "jazz"), Config()
    days = data.days_to_sleep(jazz, clock.now(), config)
    assert days is not None
    assert strength(jazz, clock.now() + timedelta(days=days)) < config.decay.asleep_under
    assert strength(jazz, clock.now() + timedelta(days=days - 1)) >= config.decay.asleep_under
    assert data.days_to_sleep(item(memory, "peanuts"), clock.now(), config) is None


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("jazz", "I love jazz"),
        ("JAZZ love", "I love jazz"),
        ("上海", "我住在上海"),
        ("ｊａｚｚ", "I love jazz"),
        ("allergy", "peanuts"),
    ],
)
def test_search_finds_by_words_slot_and_language(desk: Desk, query: str, words: str):
    found = desk.view(USER, query=query)["items"]
    assert found
    assert all(words in i["text"] for i in found)


def test_search_without_a_find_and_blank(desk: Desk):
    assert desk.view(USER, query="zebra")["items"] == []
    assert desk.view(USER, query="  ")["items"] == desk.view(USER)["items"]


def test_the_trail_is_in_plain_words_and_without_bookkeeping(desk: Desk, memory: Hermes):
    memory.session(USER, "later").context("jazz?")
    memory.flush(USER)
    english, chinese = desk.view(USER)["trail"], desk.view(USER, "zh")["trail"]
    assert english[0]["version"] >= english[-1]["version"]
    assert any(line["line"].startswith("Froze “Please keep your answers short”") for line in english)
    assert any(line["line"].startswith("冻结了「Please keep your answers short」") for line in chinese)
    assert not {line["event"] for line in english} & {"hit", "revalued", "linked"}


def test_words_for_codes_exist_in_both_languages():
    english, chinese = data.words("en"), data.words("zh")
    assert english["status"]["frozen"] == "frozen"
    assert chinese["status"]["frozen"] == "已冻结"
    assert english["kind"].keys() == chinese["kind"].keys()


def test_why_gives_the_whole_turn_where_the_quote_is_shorter(desk: Desk, memory: Hermes):
    jazz = item(memory, "jazz")
    why = desk.answer({"action": "explain", "user_id": USER, "item_id": jazz.id})["why"]
    assert why["turns"] == {jazz.evidence[0].turn_id: "I love jazz."}
    assert [line["event"] for line in why["trail"]][-1] == "admitted"


def test_the_archive_is_cut_and_the_rest_counted(memory: Hermes, clock: FakeClock, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(data, "ARCHIVE_SHOWN", 0)
    view = data.view(memory.state(USER), [], clock.now(), Config())
    assert view["hidden"] == 1
    assert all(i["status"] != "archived" for i in view["items"])


def test_looking_leaves_no_trace(desk: Desk, memory: Hermes):
    before = memory.history(USER)
    for language in ("en", "zh"):
        desk.answer({"action": "view", "user_id": USER, "language": language, "query": "jazz"})
        desk.answer({"action": "explain", "user_id": USER, "item_id": item(memory, "jazz").id})
    assert memory.history(USER) == before
