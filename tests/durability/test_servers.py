"""The public door on PostgreSQL and a Chroma server: lost connections, restarts underneath, several workers, forgetting."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from hermes_core import Hermes, StoreError
from hermes_core.stores.chroma import ChromaIndex
from hermes_core.stores.graph_files import clean_server_folder
from hermes_core.testing import FakeClock, HashEmbedder
from tests.durability.kit import QUICK, Reader, files_with, index_equals_ledger, laws_hold, sentence
from tests.durability.test_crowds import check, crowd
from tests.stores.conftest import free_port, missing, plain, postgres_schema, postgres_url

pytestmark = [pytest.mark.postgres, pytest.mark.chroma_server, pytest.mark.slow]
GIVEN = {"extractor": Reader(), "embedder": HashEmbedder(16), "config": QUICK}
ROOT = Path(__file__).parents[2]


@pytest.fixture
def ledger_url():
    with postgres_schema(postgres_url()) as url:
        yield url


@pytest.fixture
def where(ledger_url, chroma_server):
    index = ChromaIndex.connect(port=chroma_server.port)
    index.rebuild([], FakeClock().now())
    index.close()
    return {"ledger": ledger_url, "chroma": f"http://127.0.0.1:{chroma_server.port}"}


def dump(url):
    if shutil.which("pg_dump") is None:
        missing("pg_dump is not installed")
    schema = url.split("search_path%3D")[1]
    program = ["pg_dump", "--inserts", "--schema", schema, plain(url).split("?")[0]]
    return subprocess.run(program, capture_output=True, check=True).stdout.decode()


def test_a_forget_leaves_nothing_in_a_dump_or_on_the_chroma_server(where, chroma_server):
    """Law E on servers; Chroma's own files need its documented vacuum."""
    with Hermes.open(**where, worker=False) as hermes:
        for n in range(3):
            with hermes.session("u", f"s{n}") as session:
                session.observe("user", "I'm allergic to peanuts.")
                session.observe("user", "I live in Lisbon.")
        hermes.flush(timeout=60)
        index_equals_ledger(hermes)
        assert b"peanuts".hex() in dump(where["ledger"])
        hermes.forget("u", query="allergic to peanuts")
        text = dump(where["ledger"])
        assert "peanut" not in text and b"peanut".hex() not in text
        assert b"Lisbon".hex() in text
        assert not [r for r in hermes._engine.publisher._index.records() if "peanut" in str(r)]
        hermes.forget("u", everything=True)
        assert b"Lisbon".hex() not in dump(where["ledger"])
        assert hermes.doctor().healthy
    chroma_server.stop()
    subprocess.run(
        [chroma_server.program, "vacuum", "--path", str(chroma_server.folder), "--force"], check=True, timeout=60
    )
    clean_server_folder(Path(chroma_server.folder))
    chroma_server.start()
    assert not files_with(Path(chroma_server.folder), "peanut", "Lisbon")


def test_lost_connections_and_a_restarted_chroma_lose_nothing(where, chroma_server):
    name = f"hermes-{uuid.uuid4().hex[:8]}"
    said, stop = [], threading.Event()
    hermes = Hermes.open(
        ledger=f"{where['ledger']}&application_name={name}", chroma=where["chroma"], worker=True, **GIVEN
    )

    def talk(user):
        n = 0
        while not stop.is_set():
            n += 1
            try:
                with hermes.session(user, f"s{n // 5}") as session:
                    turn = session.observe("user", sentence(f"w{user}{n}"), turn_id=f"{user}-{n}")
                    said.append((user, turn.id))
                    session.context("what do I like?")
            except StoreError:
                continue  # said aloud, not stored
            time.sleep(0.01)

    threads = [threading.Thread(target=talk, args=(user,)) for user in ("a", "b")]
    for thread in threads:
        thread.start()
    for n in range(6):
        time.sleep(0.4)
        with psycopg.connect(plain(where["ledger"]), autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", (name,))
        if n == 2:
            chroma_server.stop()
        if n == 4:
            chroma_server.start()
    stop.set()
    for thread in threads:
        thread.join()
    for _ in range(3):
        try:
            hermes.flush(timeout=90)
            break
        except StoreError:
            time.sleep(0.5)
    assert len(said) > 20
    for user in ("a", "b"):
        laws_hold(hermes, user, [turn for who, turn in said if who == user])
    index_equals_ledger(hermes)
    hermes.close()


def test_three_processes_on_servers(where):
    answers = crowd(where["ledger"], 3, 2, 4.0, where["chroma"])
    with Hermes.open(**where, worker=False, **GIVEN) as hermes:
        check(hermes, answers, 4.0)
        index_equals_ledger(hermes)


def test_two_worker_processes_drain_what_others_observe(where, tmp_path):
    with Hermes.open(**where, worker=False) as hermes:
        for n in range(60):
            hermes.session(f"u{n % 6}", "s").observe("user", f"I like {['jazz', 'tea', 'chess', 'hiking'][n % 4]}.")
        program = [
            str(Path(sys.executable).parent / "hermes"),
            "worker",
            "--ledger",
            where["ledger"],
            "--chroma",
            where["chroma"],
        ]
        workers = [subprocess.Popen(program, cwd=tmp_path, stderr=subprocess.PIPE) for _ in range(2)]
        try:
            give_up = time.monotonic() + 90
            while hermes._engine.ledger.pending_count() and time.monotonic() < give_up:
                time.sleep(0.2)
            assert hermes._engine.ledger.pending_count() == 0
        finally:
            for one in workers:
                one.send_signal(signal.SIGTERM)
            codes = [one.communicate(timeout=60) and one.returncode for one in workers]
        assert codes == [0, 0]
        for n in range(6):
            assert hermes.memories(f"u{n}")
            laws_hold(hermes, f"u{n}", [t.id for t in hermes.session(f"u{n}", "s").turns()])
        index_equals_ledger(hermes)
    assert list(tmp_path.iterdir()) == []


def test_a_restarted_postgresql_loses_nothing(tmp_path):
    """A cluster of our own is stopped at once and started again, in the middle of a conversation."""
    cluster = Cluster.make()
    try:
        with Hermes.open(ledger=cluster.url, chroma=False, worker=True, **GIVEN) as hermes:
            said = []
            for n in range(40):
                if n in (10, 25):
                    cluster.restart()
                with suppress(StoreError):  # said aloud, not stored
                    said.append(hermes.session("u", f"s{n}").observe("user", sentence(f"w{n}"), turn_id=f"t{n}").id)
            hermes.flush(timeout=90)
            assert len(said) >= 36
            laws_hold(hermes, "u", said)
    finally:
        cluster.stop()


class Cluster:
    """A PostgreSQL of our own on the loopback; its programs don't run as root."""

    def __init__(self, programs, folder, port, prefix):
        self.programs, self.folder, self.port, self.prefix = programs, folder, port, prefix
        self.url = f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"

    @classmethod
    def make(cls):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        if not found:
            missing("PostgreSQL's programs are not installed")
        prefix = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"] if os.getuid() == 0 else []
        folder = Path(f"/tmp/hermes-cluster-{uuid.uuid4().hex[:8]}")
        folder.mkdir()
        if prefix:
            shutil.chown(folder, "postgres", "postgres")
        made = cls(found[-1].parent, folder, free_port(), prefix)
        made._run("initdb", "-D", str(folder), "-U", "postgres", "-A", "trust", "-N")
        made._run(
            "pg_ctl", "start", "-w", "-D", str(folder), "-l", str(folder / "log"), "-o", f"-p {made.port} -k {folder}"
        )
        return made

    def _run(self, program, *given):
        done = subprocess.run(
            [*self.prefix, str(self.programs / program), *given], stdout=subprocess.DEVNULL, cwd="/tmp"
        )
        assert done.returncode == 0, program

    def restart(self):
        self._run("pg_ctl", "restart", "-w", "-m", "immediate", "-D", str(self.folder), "-l", str(self.folder / "log"))

    def stop(self):
        self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self.folder))
        shutil.rmtree(self.folder, ignore_errors=True)
