"""The publisher: outbox to index, one writer, rebuilt when in doubt, never in anyone's way."""

import logging
import socket
import subprocess
import sys
import threading
import time
from datetime import timedelta

import msgspec
import pytest

from hermes_core.errors import StoreError, TimedOut
from hermes_core.items import Status
from hermes_core.ports import Commit, Redaction
from hermes_core.stores.chroma import ChromaIndex
from hermes_core.stores.in_memory import InMemoryIndex, InMemoryLedger
from hermes_core.stores.publisher import LEASE_SECONDS, Publisher
from hermes_core.stores.sql import SqlLedger
from hermes_core.testing.contracts.builders import T0, forgetting, image, item, putting, stored


@pytest.fixture
def ledger():
    return InMemoryLedger()


@pytest.fixture
def index():
    return InMemoryIndex()


@pytest.fixture
def publisher(ledger, index, tmp_path):
    made = Publisher(ledger, index, tmp_path / "index.lock")
    yield made
    made.close()


def published(index):
    return {r.id: r.metadata["status"] for r in index.records()}


def test_what_waits_is_published_and_settled(ledger, index, publisher):
    ledger.commit(putting(0, item(1), item(2)))
    newer = msgspec.structs.replace(item(1), status=Status.ARCHIVED)
    ledger.commit(Commit("u1", 1, (image(newer, before=item(1)),), (stored(newer),)))
    ledger.commit(forgetting(2, item(2)))
    assert publisher.publish_pending() == 4
    assert published(index) == {newer.id: "archived"}
    assert (publisher.publish_pending(), ledger.outbox_count()) == (0, 0)


def test_an_index_is_built_anew_once_after_rows_were_dropped(ledger, index, publisher):
    ledger.commit(putting(0, item(1), item(2)))
    publisher.publish_pending()
    ledger.commit(forgetting(1, item(2)))
    for version in range(2, 9):
        newer = msgspec.structs.replace(item(1), status=Status.ARCHIVED if version == 8 else Status.CONFIRMED)
        ledger.commit(Commit("u1", version, (image(newer, before=item(1)),), (stored(newer),)))
    assert ledger.trim_outbox(most=2) == 8
    publisher.publish_pending()
    assert published(index) == {item(1).id: "archived"}
    built = index.rebuild
    index.rebuild = None  # a second time would fail
    ledger.commit(putting(9, item(3)))
    assert publisher.publish_pending() == 1
    index.rebuild = built


def test_a_limit_leaves_the_rest_for_later(ledger, index, publisher):
    ledger.commit(putting(0, *(item(n) for n in range(10))))
    assert publisher.publish_pending(limit=4) == 4
    assert (index.count(), ledger.outbox_count()) == (4, 6)


def test_publishing_twice_is_the_same(ledger, index, publisher):
    """A crash between publishing and settling publishes again."""
    ledger.commit(putting(0, item(1)))
    rows = ledger.outbox()
    index.publish([r.stored for r in rows], [], T0)
    assert publisher.publish_pending() == 1
    assert published(index) == {item(1).id: "confirmed"}


class DoubtfulIndex(InMemoryIndex):
    """Asks for one rebuild."""

    reason = "a test says so"

    def needs_rebuild(self):
        return self.reason

    def rebuild(self, items, taken_at):
        self.reason = None
        return super().rebuild(items, taken_at)


def test_a_rebuild_is_said_aloud_and_takes_all_from_the_ledger(ledger, tmp_path, caplog):
    """G3."""
    ledger.commit(putting(0, item(1), item(2)))
    ledger.settle([r.row_id for r in ledger.outbox()])
    index = DoubtfulIndex()
    publisher = Publisher(ledger, index, tmp_path / "lock")
    with caplog.at_level(logging.WARNING):
        assert publisher.ensure_ready()
    assert "rebuilding the search index from the ledger, since a test says so" in caplog.text
    assert index.count() == 2
    assert ledger.version("u1") == 1
    assert publisher.rebuild() == 2
    publisher.close()


def test_one_writer_and_the_others_go_on(ledger, index, tmp_path):
    first = Publisher(ledger, index, tmp_path / "lock")
    second = Publisher(ledger, DoubtfulIndex(), tmp_path / "lock")
    ledger.commit(putting(0, item(1)))
    assert first.ensure_ready()
    assert not second.ensure_ready()
    assert second.publish_pending() == 0
    with pytest.raises(StoreError, match="another process"):
        second.rebuild()
    assert second._index.reason is not None  # never touched
    assert first.publish_pending() == 1
    first.close()
    assert second.ensure_ready()
    second.close()
    first.close()
    assert first.publish_pending() == 0


def test_without_a_lock_file_the_ledgers_lease_decides(ledger, index):
    moment = [T0]
    first = Publisher(ledger, index, now=lambda: moment[0])
    second = Publisher(ledger, index, now=lambda: moment[0])
    ledger.commit(putting(0, item(1)))
    assert first.publish_pending() == 1
    ledger.commit(putting(1, item(2)))
    assert second.publish_pending() == 0
    moment[0] += timedelta(seconds=LEASE_SECONDS)
    assert second.publish_pending() == 1
    assert index.count() == 2
    first.close()
    second.close()


def test_nobody_waits_for_the_lease_of_a_process_that_was_killed(ledger, index):
    """It is seen to be gone on this machine; elsewhere the lease runs out."""
    killed = subprocess.Popen([sys.executable, "-c", "pass"])
    killed.wait()
    gone = f"{socket.gethostname()}:{killed.pid}:ffffff"
    assert ledger.lease("index", gone, T0, LEASE_SECONDS)
    publisher = Publisher(ledger, index, now=lambda: T0)
    ledger.commit(putting(0, item(1)))
    assert publisher.publish_pending() == 1
    publisher.close()


def test_the_lease_of_another_machine_runs_out(ledger, index):
    moment = [T0]
    assert ledger.lease("index", "elsewhere:1:ffffff", T0, LEASE_SECONDS)
    publisher = Publisher(ledger, index, now=lambda: moment[0])
    ledger.commit(putting(0, item(1)))
    assert publisher.publish_pending() == 0
    moment[0] += timedelta(seconds=LEASE_SECONDS)
    assert publisher.publish_pending() == 1
    publisher.close()


class SlowIndex(DoubtfulIndex):
    """A rebuild that lasts until it is told to end."""

    def __init__(self):
        super().__init__()
        self.started, self.free = threading.Event(), threading.Event()

    def rebuild(self, items, taken_at):
        self.started.set()
        self.free.wait(60)
        return super().rebuild(items, taken_at)


class Beats(InMemoryLedger):
    """Tells when a lease was renewed so often."""

    def __init__(self, beats):
        super().__init__()
        self.left, self.enough, self.refused = beats, threading.Event(), 0

    def lease(self, *args):
        taken = super().lease(*args)
        self.left -= taken
        self.refused += not taken
        if self.left <= 0:
            self.enough.set()
        return taken


def test_a_long_rebuild_keeps_the_lease():
    ledger, index = Beats(8), SlowIndex()
    moment = [T0]

    def now():
        moment[0] += timedelta(seconds=0.01)  # eight renewals are longer than a lease
        return moment[0]

    publisher = Publisher(ledger, index, now=now, lease_seconds=0.04)
    ledger.commit(putting(0, item(1)))
    working = threading.Thread(target=publisher.publish_pending)
    working.start()
    assert index.started.wait(60)
    assert ledger.enough.wait(60)
    other = Publisher(ledger, InMemoryIndex(), now=lambda: moment[0])
    assert not other.ensure_ready()
    index.free.set()
    working.join()
    assert ledger.outbox_count() == 0
    publisher.close()
    other.close()


def test_who_lost_the_lease_in_a_call_settles_nothing():
    """A process that stood still for longer than a lease: another one publishes the rows."""
    ledger, index, moment = Beats(1 << 30), SlowIndex(), [T0]
    publisher = Publisher(ledger, index, now=lambda: moment[0], lease_seconds=0.04)
    ledger.commit(putting(0, item(1)))
    failed = []

    def work():
        try:
            publisher.publish_pending()
        except StoreError as error:
            failed.append(str(error))

    working = threading.Thread(target=work)
    working.start()
    assert index.started.wait(60)
    moment[0] += timedelta(seconds=LEASE_SECONDS)
    with ledger._lock:  # at once after it ran out
        ledger._leases["index"] = ("elsewhere:1:ffffff", moment[0] + timedelta(seconds=LEASE_SECONDS))
    while not ledger.refused:
        time.sleep(0.01)
    index.free.set()
    working.join()
    assert "another process took the index over" in failed[0]
    assert ledger.outbox_count() == 1
    publisher.close()


def test_closing_frees_the_lease_at_once(ledger, index):
    first, second = (Publisher(ledger, index, now=lambda: T0) for _ in range(2))
    assert first.ensure_ready()
    assert not second.ensure_ready()
    second.close()  # a follower frees nothing
    third = Publisher(ledger, index, now=lambda: T0)
    assert not third.ensure_ready()
    first.close()
    assert third.ensure_ready()
    third.close()


@pytest.mark.slow
def test_a_forked_child_never_publishes(tmp_path):
    script = (
        "import os, sys\n"
        "from hermes_core.stores.in_memory import InMemoryIndex, InMemoryLedger\n"
        "from hermes_core.stores.publisher import Publisher\n"
        "made = Publisher(InMemoryLedger(), InMemoryIndex(), sys.argv[1])\n"
        "assert made.ensure_ready() and made.leads\n"
        "if not os.fork():\n"
        "    assert not made.leads and not made.ensure_ready()\n"
        "    made.close()\n"
        "    sys.exit(0)\n"
        "assert os.wait()[1] == 0\n"
        "assert made.leads\n"
        "other = Publisher(InMemoryLedger(), InMemoryIndex(), sys.argv[1])\n"
        "assert not other.ensure_ready()\n"
        "made.close()\n"
        "assert other.ensure_ready()\n"
        "other.close()\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "lock")], check=True, timeout=60)


class HangingIndex(InMemoryIndex):
    """A call into it never comes back, as count() of a damaged Chroma folder does not."""

    def __init__(self):
        super().__init__()
        self.free = threading.Event()

    def publish(self, items, gone, taken_at):
        self.free.wait(30)


def test_a_call_that_hangs_ends_at_its_deadline(ledger, tmp_path):
    ledger.commit(putting(0, item(1)))
    index = HangingIndex()
    publisher = Publisher(ledger, index, tmp_path / "lock", deadline=0.05)
    started = time.monotonic()
    with pytest.raises(StoreError, match="longer than"):
        publisher.publish_pending()
    assert time.monotonic() - started < 5
    assert publisher.publish_pending() == 0  # it stays away from the index
    assert ledger.outbox_count() == 1  # nothing is lost
    assert ledger.version("u1") == 1
    publisher.close()
    index.free.set()


class FailingIndex(InMemoryIndex):
    failing = True

    def publish(self, items, gone, taken_at):
        if self.failing:
            raise StoreError("Chroma failed: no space left on device")
        super().publish(items, gone, taken_at)


def test_a_failure_keeps_the_rows(ledger, tmp_path):
    ledger.commit(putting(0, item(1)))
    index = FailingIndex()
    publisher = Publisher(ledger, index, tmp_path / "lock")
    with pytest.raises(StoreError, match="no space"):
        publisher.publish_pending()
    assert ledger.outbox_count() == 1
    index.failing = False
    assert publisher.publish_pending() == 1
    publisher.close()


def test_an_erase_waits_for_the_index(ledger, index, publisher):
    ledger.commit(putting(0, item(1), item(2)))
    publisher.publish_pending()
    ledger.erase(Redaction(forgetting(1, item(1)), (item(1).id,)))
    publisher.erase([item(1).id])
    assert published(index) == {item(2).id: "confirmed"}
    assert ledger.outbox_count() == 0


def test_an_erase_that_another_process_does_not_do_is_said(ledger, index, tmp_path):
    leader = Publisher(ledger, index, tmp_path / "lock")
    leader.ensure_ready()
    other = Publisher(ledger, InMemoryIndex(), tmp_path / "lock")
    ledger.commit(putting(0, item(1)))
    ledger.erase(Redaction(forgetting(1, item(1)), (item(1).id,)))
    with pytest.raises(TimedOut, match="gone from the ledger"):
        other.erase([item(1).id], timeout=0.05)
    leader.publish_pending()
    other.erase([item(1).id], timeout=1)
    leader.close()
    other.close()


# -- with the real stores


@pytest.mark.slow
def test_ledger_and_chroma_agree_after_a_killed_publisher(tmp_path):
    """kill -9 of the process that publishes: the next one rebuilds, and the index equals the ledger."""
    script = (
        "import os, signal, sys, threading\n"
        "from hermes_core.stores.chroma import ChromaIndex\n"
        "from hermes_core.stores.publisher import Publisher\n"
        "from hermes_core.stores.sql import SqlLedger\n"
        "from hermes_core.testing.contracts.builders import item, putting\n"
        "folder = sys.argv[1]\n"
        "ledger = SqlLedger.open(folder)\n"
        "publisher = Publisher(ledger, ChromaIndex.open(folder + '/chroma'), folder + '/chroma.lock')\n"
        "publisher.ensure_ready()\n"
        "print('ready', flush=True)\n"
        "n = ledger.version('u1')\n"
        "while True:\n"
        "    n = ledger.commit(putting(n, *(item(f'{n}-{k}') for k in range(20))))\n"
        "    publisher.publish_pending()\n"
        "    print('published', flush=True)\n"
    )
    for pause in (0.05, 0.3):
        child = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE)
        assert [child.stdout.readline() for _ in range(3)] == [b"ready\n", b"published\n", b"published\n"]
        time.sleep(pause)
        child.kill()
        child.wait()
        child.stdout.close()
    ledger = SqlLedger.open(tmp_path)
    index = ChromaIndex.open(tmp_path / "chroma")
    publisher = Publisher(ledger, index, tmp_path / "chroma.lock")
    assert publisher.ensure_ready()
    publisher.publish_pending()
    assert {r.id: r.document for r in index.records()} == {s.item.id: s.item.text for s in ledger.all_items()}
    assert index.count() > 20
    publisher.close()
    ledger.close()


@pytest.mark.slow
def test_a_second_process_never_opens_the_chroma_folder(tmp_path):
    """S3: it goes on with reads and writes, and the first one publishes for both."""
    ledger = SqlLedger.open(tmp_path)
    index = ChromaIndex.open(tmp_path / "chroma")
    publisher = Publisher(ledger, index, tmp_path / "chroma.lock")
    publisher.ensure_ready()
    script = (
        "import sys\n"
        "from hermes_core.stores.chroma import ChromaIndex\n"
        "from hermes_core.stores.publisher import Publisher\n"
        "from hermes_core.stores.sql import SqlLedger\n"
        "from hermes_core.testing.contracts.builders import item, putting\n"
        "ledger = SqlLedger.open(sys.argv[1])\n"
        "publisher = Publisher(ledger, ChromaIndex.open(sys.argv[1] + '/chroma'), sys.argv[1] + '/chroma.lock')\n"
        "ledger.commit(putting(0, item(1)))\n"
        "assert publisher.publish_pending() == 0 and not publisher.leads\n"
        "assert 'chromadb' not in sys.modules\n"
        "publisher.close(); ledger.close()\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True, timeout=60)
    assert publisher.publish_pending() == 1
    assert [r.id for r in index.records()] == [item(1).id]
    publisher.close()
    ledger.close()


def test_nothing_of_the_forgotten_remains_in_the_folder(tmp_path):
    """Law E over the whole store: ledger, log, index."""
    ledger = SqlLedger.open(tmp_path)
    publisher = Publisher(ledger, ChromaIndex.open(tmp_path / "chroma"), tmp_path / "chroma.lock")
    secret = item(1, text="severely allergic to lobster", value="lobster")
    ledger.commit(putting(0, secret, item(2)))
    publisher.publish_pending()
    ledger.erase(Redaction(forgetting(1, secret), (secret.id,), (), ("lobster", secret.text)))
    publisher.erase([secret.id])
    for _ in ("open", "closed"):
        for path in tmp_path.rglob("*"):
            if path.is_file():
                assert b"lobster" not in path.read_bytes(), path
        publisher.close()
        ledger.close()
