"""Law E down to the bytes, through the public door: nothing of the forgotten is left, and nothing brings it back."""

import json
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from hermes_core.config import build
from hermes_core.testing import FakeClock
from tests.durability.kit import files_with

ROOT = Path(__file__).parents[2]
EXCERPTS = build({"context": {"excerpt_tasks": ["", "any"]}})
STORY = [
    ("s1", "I'm allergic to peanuts."),
    ("s1", "I live in Lisbon with my sister Marta."),
    ("s2", "I'm allergic to peanuts, as I said."),
    ("s2", "我喜欢喝普洱茶。"),
    ("s3", "My boss is called Ingrid and I work at a bakery."),
    ("s3", "Actually peanuts are fine now!! I was just furious, whatever"),
    ("s4", "I love hiking in the mountains."),
]
FORGETS = {
    "item": ({}, ["peanut"]),
    "query": ({"query": "peanut allergy"}, ["peanut"]),
    "slot": ({"slot": "allergy"}, ["peanut"]),
    "session": ({"session_id": "s3"}, ["Ingrid", "bakery"]),
    "everything": ({"everything": True}, ["peanut", "Lisbon", "Marta", "普洱", "Ingrid", "bakery", "hiking"]),
}


def tell(hermes, clock, again=False):
    """The story; `again`: as an old transcript would be replayed, with the times of the first telling."""
    for n, (session_id, text) in enumerate(STORY):
        with hermes.session("u", session_id) as session:
            session.observe("user", text, turn_id=f"t{n}", at=BEGIN + timedelta(days=int(session_id[1:]), minutes=n))
            session.observe("assistant", f"I see: {n}", turn_id=f"a{n}")
            session.context("what do you know?", task="any")
        clock.advance(hours=1)
    hermes.flush(timeout=60)


CLOCK = FakeClock()
BEGIN = CLOCK.now() - timedelta(days=7)


@pytest.fixture
def told(tmp_path, open_hermes, clock):
    hermes = open_hermes(tmp_path / "store", config=EXCERPTS)
    tell(hermes, clock)
    clock.advance(days=9)
    hermes.maintain()
    hermes.flush(timeout=60)
    return hermes


def wish(hermes, how):
    given, words = FORGETS[how]
    if how == "item":
        given = {"item_id": next(i.id for i in hermes.memories("u") if "peanut" in i.value)}
    return given, words


def seen(hermes, session=None):
    """All that can be read of the user, as one text."""
    session = session or hermes.session("u", "looking")
    model = hermes.user_model("u").model_dump()
    parts = [
        session.context("peanuts, Ingrid, bakery, Lisbon, 普洱茶, hiking", task="any").text,
        *(i.model_dump_json() for i in hermes.memories("u")),
        *(c.model_dump_json() for c in hermes.history("u")),
        *hermes.export("u"),
        json.dumps(model, default=str, ensure_ascii=False),
        *(t.text for s in ("s1", "s2", "s3", "s4", "copy") for t in hermes.session("u", s).turns()),
        *(str(s) for s in hermes._engine.ledger.summaries("u")),
        *(str(t) for t in hermes._engine.ledger.quotable("u").turns),
        *(i.text for v in range(hermes.state("u").version + 1) for i in hermes.as_of("u", v)),
    ]
    return "\n".join(parts)


@pytest.mark.slow
@pytest.mark.parametrize("how", FORGETS)
def test_no_byte_and_no_way_back(told, clock, how, tmp_path):
    hermes, store = told, tmp_path / "store"
    given, words = wish(hermes, how)
    before = seen(hermes)
    assert all(word in before for word in words)
    assert files_with(store, *words)
    with hermes.session("u", "open") as held:
        held.context("everything about peanuts", task="any")
        hermes.forget("u", **given)
        assert not files_with(store, *words), "bytes are left while the store is open"
        assert not [w for w in words if w in seen(hermes, held)]
    clock.advance(days=1)
    tell(hermes, clock, again=True)
    for n, (_, text) in enumerate(STORY):  # the same words under other ids, with their old times
        hermes.session("u", "copy").observe("user", text, turn_id=f"copied{n}", at=BEGIN + timedelta(days=5, minutes=n))
    hermes.flush(timeout=60)
    back = [w for w in words if w in "".join(i.model_dump_json() for i in hermes.memories("u"))]
    assert not back, "an old transcript brought it back"
    assert not [w for w in words if w in hermes.session("u", "new").context("peanuts, Ingrid", task="any").text]
    clock.advance(days=1)
    hermes.session("u", "s9").observe("user", "I'm allergic to peanuts.")
    hermes.flush(timeout=60)
    assert any("peanut" in i.value for i in hermes.memories("u")), "a new statement may"
    hermes.forget("u", everything=True)
    hermes.close()
    assert not files_with(store, "peanut", "Lisbon", "hiking", "普洱")


def test_a_whole_user_leaves_an_id_a_version_and_tombstones(told, tmp_path):
    """What stays is what keeps old turns out: digests under the store's own key, which nobody can read back."""
    told.forget("u", everything=True)
    assert told.users() == []
    assert told.memories("u") == [] and told.session("u", "s1").turns() == []
    ledger = told._engine.ledger
    assert ledger.sessions("u") == [] and ledger.summaries("u") == [] and ledger.quotable("u").turns == ()
    assert all(c.claim == "" and c.after is None for c in told.history("u"))
    assert ledger.tombstones("u") and all(len(d) == 32 for d in ledger.tombstones("u"))
    told.flush(timeout=60)
    assert told._engine.publisher._index.records("u") == []


CRASH = """
import os, signal, sys
from datetime import timedelta
from hermes_core import Hermes
hermes = Hermes.open(sys.argv[1], worker=True)
for n in range(4):
    with hermes.session("u", f"s{n}") as session:
        session.observe("user", "I'm allergic to peanuts.")
        session.observe("user", f"I live in Lisbon, street {n}.")
    hermes.flush(timeout=60)
hermes.forget("u", query="allergic to peanuts")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_nothing_is_left_when_the_process_dies_right_after(tmp_path):
    done = subprocess.run([sys.executable, "-c", CRASH, str(tmp_path)], capture_output=True, timeout=120)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert not files_with(tmp_path, "peanut")
    assert files_with(tmp_path, "Lisbon")


OTHER = """
import sys
from hermes_core import Hermes
from hermes_core.config import build
hermes = Hermes.open(sys.argv[1], worker=False, config=build({"context": {"excerpt_tasks": ["", "any"]}}))
session = hermes.session("u", "elsewhere")
for line in sys.stdin:
    print(repr(session.context("peanuts, bakery", task="any").text), flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["item", "session"])
def test_another_process_does_not_go_on_showing_it(told, how, tmp_path):
    given, words = wish(told, how)
    told._engine.publisher.publish_pending()
    other = subprocess.Popen(
        [sys.executable, "-c", OTHER, str(tmp_path / "store")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:

        def shown():
            other.stdin.write("x\n")
            other.stdin.flush()
            return other.stdout.readline()

        assert any(w in shown() for w in words)
        told.forget("u", **given)
        assert not [w for w in words if w in shown()]
    finally:
        other.communicate("")


HOLDER = """
import sys
from hermes_core import Hermes
hermes = Hermes.open(sys.argv[1], worker=False)
hermes.flush(timeout=60)
print(hermes._engine.publisher.leads, flush=True)
sys.stdin.readline()
hermes.close()
"""


@pytest.mark.slow
def test_an_idle_process_that_holds_the_index_erases_for_others(tmp_path, open_hermes, clock):
    """It holds the folder's lock and has no worker; whoever forgets elsewhere does not wait for its next flush."""
    hermes = open_hermes(tmp_path)
    hermes.session("u", "s").observe("user", "I'm allergic to peanuts.")
    hermes.flush(timeout=60)
    hermes.close()
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout.readline() == "True\n"
        again = open_hermes(tmp_path)
        assert again.forget("u", slot="allergy")
        assert not files_with(tmp_path, "peanut")
    finally:
        holder.communicate("\n")
