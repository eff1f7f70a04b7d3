"""`doctor` finds what is wrong with a store, mends what can be mended, and says what it did."""

import sqlite3
import subprocess
import sys

import pytest

from hermes_core.config import build
from hermes_core.testing import HashEmbedder
from tests.durability.kit import Reader, sentence

KEEN = build({"ingest": {"backoff_seconds": 0.0, "attempts": 1}})


class Refusing(Reader):
    refusing = True

    def extract(self, turns, known):
        if self.refusing and any("poison" in t.text for t in turns):
            raise ValueError("no")
        return super().extract(turns, known)


def named(report, name):
    return next(c for c in report.checks if c.name == name and not c.user_id)


@pytest.fixture
def store(tmp_path, open_hermes):
    hermes = open_hermes(tmp_path, extractor=Refusing(), embedder=HashEmbedder(16), config=KEEN)
    hermes._engine.local = hermes._engine.extractor
    for word in ("jazz", "tea", "chess"):
        hermes.session("u", "s").observe("user", sentence(word))
    hermes.flush(timeout=60)
    return hermes


def test_a_healthy_store_is_said_to_be(store):
    report = store.doctor()
    assert report.healthy and report.users == 1 and report.repaired == ()
    assert named(report, "index").text == "3 records, equal to the ledger"
    assert {c.name for c in report.checks} >= {"ledger", "index", "leases", "set aside", "queue", "bounded", "replays"}


def test_orphans_missing_and_old_records_are_told_and_mended(store, clock):
    index, items = store._engine.publisher._index, list(store._engine.ledger.all_items())
    index.publish([], [items[0].item.id], clock.now())
    index.publish(
        [items[1]._replace(item=type(items[1].item)(**{**_fields(items[1].item), "id": "orphan"}))], [], clock.now()
    )
    index.publish(
        [items[2]._replace(item=type(items[2].item)(**{**_fields(items[2].item), "version": 99}))], [], clock.now()
    )
    report = store.doctor()
    assert not report.healthy
    text = named(report, "index").text
    assert f"1 missing ({items[0].item.id})" in text and "1 orphans (orphan)" in text and "1 out of date" in text
    mended = store.doctor(repair=True)
    assert mended.healthy and "rebuilt the index: 3 records" in mended.repaired


def _fields(item):
    return {name: getattr(item, name) for name in item.__struct_fields__}


def test_a_turn_that_was_set_aside_is_seen_and_may_be_tried_again(store):
    turn = store.session("u", "s").observe("user", sentence("poison"))
    store.flush(timeout=60)
    report = store.doctor()
    assert not report.healthy and turn.id in named(report, "set aside").text
    Refusing.refusing = False
    try:
        mended = store.doctor(repair=True)
        assert mended.healthy and any(turn.id in line for line in mended.repaired)
        store.flush(timeout=60)
        assert "poison" in [i.value for i in store.memories("u")]
    finally:
        Refusing.refusing = True


DIES = """
import os, sys
from hermes_core.clock import SystemClock
from hermes_core.stores.holders import holder_name
from hermes_core.stores.sql import SqlLedger
assert SqlLedger.open(sys.argv[1]).claim(holder_name(), SystemClock().now(), 600) == "u"
os._exit(9)
"""


def test_the_lease_of_a_dead_process_is_freed(tmp_path, open_hermes):
    hermes = open_hermes(tmp_path, chroma=False, embedder=HashEmbedder(16), extractor=Reader(), config=KEEN)
    hermes.session("u", "s").observe("user", sentence("jazz"))
    assert subprocess.run([sys.executable, "-c", DIES, str(tmp_path)], timeout=60).returncode == 9
    report = hermes.doctor()
    assert not report.healthy and "died" in named(report, "leases").text
    mended = hermes.doctor(repair=True)
    assert mended.healthy and mended.repaired == ("freed the leases of dead processes",)


def test_a_trail_that_leads_elsewhere_is_told(store, tmp_path, open_hermes):
    store.close()
    with sqlite3.connect(tmp_path / "ledger.db") as raw:
        raw.execute("DELETE FROM items WHERE id = (SELECT min(id) FROM items)")
    raw.close()
    again = open_hermes(tmp_path, chroma=False, embedder=HashEmbedder(16))
    report = again.doctor()
    (odd,) = [c for c in report.checks if not c.ok]
    assert odd.name == "replays" and odd.user_id == "u" and "differs" in odd.text
