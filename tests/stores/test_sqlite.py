"""The ledger on SQLite: the contract, and what a file can suffer (D, E, S3, damage, a full disk, kill -9)."""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from hermes_core.errors import Closed, InvalidInput, SchemaMismatch, StoreDamaged, StoreError
from hermes_core.items import Status
from hermes_core.stores.sql import SqlLedger
from hermes_core.stores.sql.database import Database, Tx
from hermes_core.stores.sql.migrations import MIGRATIONS, bring_up_to_date
from hermes_core.testing.contracts import LedgerContract
from hermes_core.testing.contracts.builders import item, later, putting, turn


class TestSqliteLedger(LedgerContract):
    @pytest.fixture
    def ledger(self, file):
        opened = SqlLedger.open(file)
        yield opened
        opened.close()


# -- durable


def test_what_was_written_is_there_after_opening_again(file, ledger):
    ledger.add_turn(turn(1))
    ledger.commit(putting(0, item(1), item(2, status=Status.ARCHIVED)))
    ledger.put_meta("embedder", "x")
    before = ledger.load("u1").state
    ledger.close()
    again = SqlLedger.open(file)
    after = again.load("u1").state
    assert (dict(after.live), dict(after.archive), after.version) == (dict(before.live), dict(before.archive), 1)
    assert [t.id for t in again.turns("u1")] == ["t1"]
    assert again.meta("embedder") == "x"
    again.close()


def test_full_sync_and_write_ahead_log_are_in_effect(ledger):
    def settings(tx):
        return [tx.cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]

    assert ledger._db.look(settings) == ["wal", 2]


def test_a_folder_stands_for_its_ledger_file(tmp_path):
    SqlLedger.open(tmp_path).close()
    assert (tmp_path / "ledger.db").exists()
    SqlLedger.open(f"sqlite:///{tmp_path}/deep/er/x.db").close()
    assert (tmp_path / "deep/er/x.db").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("place", [None, 7, "", "  ", ":memory:", "mysql://host/x", "a\x00b"])
def test_a_place_that_is_none_is_refused(place):
    with pytest.raises(InvalidInput):
        SqlLedger.open(place)


@pytest.mark.slow
def test_acknowledged_writes_survive_kill_9(tmp_path):
    """Law D: a process is killed at random moments; every acknowledged turn and commit is there, each once."""
    report = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "killed.py"), str(tmp_path / "ledger.db"), "40"],
        capture_output=True,
        timeout=120,
        check=True,
    )
    acknowledged = [json.loads(line) for line in report.stdout.splitlines()]
    ledger = SqlLedger.open(tmp_path / "ledger.db")
    turns = [t.id for t in ledger.turns("u1")]
    assert len(turns) == len(set(turns))
    assert {a["turn"] for a in acknowledged if "turn" in a} <= set(turns)
    version = ledger.version("u1")
    assert max(a["version"] for a in acknowledged if "version" in a) <= version
    assert len(acknowledged) > 80
    changes = ledger.changes("u1")
    assert [c.version for c in changes] == sorted(c.version for c in changes)
    assert sorted({c.version for c in changes}) == list(range(1, version + 1))
    assert {c.item_id for c in changes} == {i.id for i in ledger.load("u1").state}
    assert {r.item_id for r in ledger.outbox(100_000)} == {c.item_id for c in changes}
    ledger.close()
    with sqlite3.connect(tmp_path / "ledger.db") as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    raw.close()


@pytest.mark.nightly
def test_a_thousand_kills(tmp_path):
    """Issue: 1,000 kill -9 at random moments; nothing acknowledged is lost."""
    report = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "killed.py"), str(tmp_path / "ledger.db"), "1000"],
        capture_output=True,
        timeout=1800,
        check=True,
    )
    acknowledged = [json.loads(line) for line in report.stdout.splitlines()]
    ledger = SqlLedger.open(tmp_path / "ledger.db")
    assert {a["turn"] for a in acknowledged if "turn" in a} <= {t.id for t in ledger.turns("u1")}
    assert max(a["version"] for a in acknowledged if "version" in a) <= ledger.version("u1")
    assert {c.item_id for c in ledger.changes("u1")} == {i.id for i in ledger.load("u1").state}
    assert ledger.check() == []
    ledger.close()


# -- other processes


@pytest.mark.nightly
def test_eight_processes_of_four_threads_for_five_users(file, ledger):
    """No deadlock, no lock error that reaches a caller, every confirmed write present once."""
    program = [sys.executable, str(Path(__file__).parent / "busy.py"), str(file)]
    children = [subprocess.Popen([*program, str(n), "4", "20"], stdout=subprocess.PIPE) for n in range(8)]
    written = [json.loads(child.communicate(timeout=120)[0]) for child in children]
    assert [child.returncode for child in children] == [0] * 8
    for user in (f"u{n}" for n in range(5)):
        confirmed = sorted(item_id for w in written for item_id in w.get(user, ()))
        assert sorted(i.id for i in ledger.load(user).state) == confirmed
        assert ledger.version(user) == len(confirmed)
    print(sum(len(ids) for w in written for ids in w.values()) / 20, "commits a second")


@pytest.mark.slow
def test_a_second_process_works_on_the_same_file(file, ledger):
    """S3, I2: two processes, 25 commits each, for one user; all 50 are kept."""
    script = (
        "import sys\n"
        "from hermes_core.errors import VersionConflict\n"
        "from hermes_core.stores.sql import SqlLedger\n"
        "from hermes_core.testing.contracts.builders import item, putting, turn\n"
        "ledger = SqlLedger.open(sys.argv[1])\n"
        "for n in range(25):\n"
        "    ledger.add_turn(turn(1000 * int(sys.argv[2]) + n))\n"
        "    while True:\n"
        "        try:\n"
        "            ledger.commit(putting(ledger.version('u1'), item(f'{sys.argv[2]}-{n}')))\n"
        "            break\n"
        "        except VersionConflict:\n"
        "            pass\n"
        "ledger.close()\n"
    )
    children = [subprocess.Popen([sys.executable, "-c", script, str(file), str(n)]) for n in (1, 2)]
    assert [child.wait(timeout=60) for child in children] == [0, 0]
    assert ledger.version("u1") == 50
    assert len(ledger.load("u1").state) == 50
    assert len(ledger.turns("u1")) == 50


def test_a_locked_file_gives_an_error_and_not_a_hang(file, ledger):
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    ledger._db.alone(lambda tx: tx.cursor.execute("PRAGMA busy_timeout=50"))
    started = time.monotonic()
    with pytest.raises(StoreError, match="locked"):
        ledger.add_turn(turn(1))
    assert time.monotonic() - started < 5
    assert ledger.turns("u1") == []  # readers are never blocked
    other.execute("ROLLBACK")
    other.close()
    assert ledger.add_turn(turn(1)).seq == 1


@pytest.mark.parametrize("users", [3])
def test_no_read_of_one_user_looks_at_the_others(ledger, users):
    """The cost of a read does not grow with the number of users: no statement scans a table of rows."""
    for n in range(users):
        ledger.add_turn(turn(1, user=f"u{n}"))
        ledger.commit(putting(0, item(1, user=f"u{n}")))
    plans = {}

    class Watching:
        """Stands between a transaction and its cursor, and asks SQLite how it will run each statement."""

        def __init__(self, cursor):
            self.cursor = cursor

        def execute(self, text, *params):
            if text.startswith(("SELECT", "UPDATE", "DELETE")):
                rows = self.cursor.execute("EXPLAIN QUERY PLAN " + text, *params).fetchall()
                plans[text] = [row[3] for row in rows]
            return self.cursor.execute(text, *params)

        def __getattr__(self, name):
            return getattr(self.cursor, name)

    def watched(run):
        def inner(work, *begin):
            return run(lambda tx: work(Tx(ledger._db, Watching(tx.cursor))), *begin)

        return inner

    ledger._db._transact, ledger._db.look = watched(ledger._db._transact), watched(ledger._db.look)
    now = later(900)
    ledger.version("u1"), ledger.load("u1"), ledger.turns("u1", "s1", limit=3), ledger.sessions("u1")
    ledger.claim("w", now, 1), ledger.claim("w", now, 1, "u1"), ledger.pending("u1", now), ledger.pending_count("u1")
    ledger.changes("u1", limit=1), ledger.version_at("u1", now), ledger.owner_of("u1-i1"), ledger.tombstones("u1")
    ledger.due_for_maintenance(now), ledger.users(), ledger.summaries("u1"), ledger.turn_record("u1", "t1")
    ledger.postpone("u1", ["t1"], "x", now), ledger.commit(putting(1, item(1, user="u1")))
    scans = [(t, p) for t, plan in plans.items() for p in plan if p.startswith("SCAN")]
    allowed = ("SCAN users", "SCAN turns USING COVERING INDEX turns_queue", "SCAN turns USING INDEX turns_queue")
    assert [s for s in scans if not s[1].startswith(allowed)] == []
    assert len(plans) > 20


# -- damage


def test_a_newer_schema_is_refused_untouched(file, ledger):
    ledger.put_meta("schema_version", "99")
    ledger.close()
    before = file.read_bytes()
    with pytest.raises(SchemaMismatch, match="newer Hermes"):
        SqlLedger.open(file)
    assert file.read_bytes() == before


def test_a_migration_runs_once_or_not_at_all(file, ledger):
    ledger.add_turn(turn(1))
    ledger.close()

    def add_column(connection):
        connection.exec_driver_sql("ALTER TABLE turns ADD COLUMN mood TEXT")

    def fails(connection):
        connection.exec_driver_sql("ALTER TABLE turns ADD COLUMN other TEXT")
        raise sa.exc.OperationalError("x", {}, sqlite3.OperationalError("database or disk is full"))

    database = Database.at_file(file)
    with pytest.raises(StoreError, match="full"):
        bring_up_to_date(database, (*MIGRATIONS, add_column, fails))
    columns = database.look(lambda tx: [r[1] for r in tx.cursor.execute("PRAGMA table_info(turns)").fetchall()])
    assert "mood" not in columns
    assert bring_up_to_date(database, (*MIGRATIONS, add_column)) == 2
    assert bring_up_to_date(database, (*MIGRATIONS, add_column)) == 2
    with pytest.raises(SchemaMismatch):
        bring_up_to_date(database, MIGRATIONS)
    database.close()


@pytest.mark.parametrize("body", [b"this is no database, it is a text of some length" * 40, b"\x00" * 5000])
def test_a_file_that_is_no_database_is_left_alone(file, body):
    file.write_bytes(body)
    with pytest.raises(StoreDamaged, match="nothing was changed"):
        SqlLedger.open(file)
    assert file.read_bytes() == body
    assert [p.name for p in file.parent.iterdir()] == [file.name]


def test_another_programs_database_is_left_alone(file):
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE cats (name TEXT)")
    other.close()
    before = file.read_bytes()
    with pytest.raises(StoreError, match="not a Hermes ledger"):
        SqlLedger.open(file)
    assert file.read_bytes() == before


def test_a_damaged_page_is_reported_as_damage(file, ledger):
    ledger.commit(putting(0, *(item(n) for n in range(200))))
    ledger.close()
    body = bytearray(file.read_bytes())
    body[16384 * 2 :] = b"\xa5" * (len(body) - 16384 * 2)
    file.write_bytes(bytes(body))
    with pytest.raises(StoreDamaged, match="nothing was changed"):
        SqlLedger.open(file).load("u1")


def test_a_full_disk_leaves_nothing_half_written(ledger):
    ledger.commit(putting(0, item(1)))
    ledger._db.alone(lambda tx: tx.cursor.execute("PRAGMA max_page_count=1"))  # as many pages as there are
    with pytest.raises(StoreError, match="full"):
        ledger.commit(putting(1, *(item(n, note="x" * 5000) for n in range(2, 50))))
    assert (ledger.version("u1"), len(ledger.changes("u1")), len(ledger.load("u1").state)) == (1, 1, 1)
    ledger._db.alone(lambda tx: tx.cursor.execute("PRAGMA max_page_count=1000000"))
    assert ledger.commit(putting(1, item(2))) == 2


def test_a_place_that_cant_be_written_says_what_to_do(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="choose a folder"):
        SqlLedger.open(tmp_path / "file" / "ledger.db")
    assert isinstance(StoreError(), OSError)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork, to give up root's rights in a child")
def test_a_read_only_store_says_what_to_do():
    folder = Path(tempfile.mkdtemp())
    SqlLedger.open(folder / "ledger.db").close()
    os.chmod(folder / "ledger.db", 0o444)
    os.chmod(folder, 0o555)
    script = (
        "import os, sys\n"
        "from hermes_core.errors import StoreError\n"
        "from hermes_core.stores.sql import SqlLedger\n"
        "os.getuid() == 0 and os.setuid(65534)\n"
        "try:\n"
        "    SqlLedger.open(sys.argv[1])\n"
        "except StoreError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(folder / "ledger.db")], capture_output=True, text=True)
    os.chmod(folder, 0o755)
    assert "choose a folder that this user may write" in done.stdout, done.stderr
    assert [p.name for p in folder.iterdir()] == ["ledger.db"]


@pytest.mark.slow
def test_a_forked_child_gets_connections_of_its_own(file, ledger):
    script = (
        "import os, sys\n"
        "from hermes_core.stores.sql import SqlLedger\n"
        "from hermes_core.testing.contracts.builders import turn\n"
        "ledger = SqlLedger.open(sys.argv[1])\n"
        "ledger.add_turn(turn(1))\n"
        "assert ledger.version('u1') == 0\n"
        "pid = os.fork()\n"
        "assert ledger.version('u1') == ledger.erased_version('u1') == 0\n"
        "ledger.add_turn(turn(2 if pid else 3))\n"
        "assert ledger.version('u1') == 0\n"
        "if not pid:\n"
        "    os._exit(0)\n"
        "assert os.waitpid(pid, 0)[1] == 0\n"
        "ledger.close()\n"
    )
    subprocess.run([sys.executable, "-c", script, str(file)], check=True, timeout=60)
    assert sorted(t.id for t in ledger.turns("u1")) == ["t1", "t2", "t3"]


def test_a_look_after_the_end_says_so(ledger):
    assert ledger.version("u1") == 0
    ledger.close()
    with pytest.raises(Closed, match="was closed; open it again"):
        ledger.version("u1")


def test_a_look_that_fails_leaves_nothing_open(ledger):
    database = ledger._db

    def fail(tx):
        tx.cursor.execute("SELECT 1 UNION SELECT 2").fetchone()
        raise KeyError("the caller's own")

    for _ in range(3):
        with pytest.raises(KeyError, match="the caller's own"):
            database.look(fail)
        with pytest.raises(StoreError):
            database.look(lambda tx: tx.cursor.execute("SELECT nothing FROM nowhere"))
        assert ledger.version("u1") == 0
    assert database.engine.pool.checkedout() == 1
    assert database.alone(lambda tx: tx.cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone())[0] == 0


def test_looks_see_what_others_wrote(file, ledger):
    other = SqlLedger.open(file)
    assert ledger.version("u1") == 0
    other.commit(putting(0, item(1)))
    assert ledger.version("u1") == 1
    other.close()


def test_a_quiet_time_after_a_rush_uses_one_connection(ledger):
    """Each keeps up to 16 MiB of pages; those that a rush left behind stay cold."""
    database, inside = ledger._db, threading.Barrier(6)
    used = []

    def look(tx):
        used.append(id(tx.cursor.connection))
        inside.wait(60)

    rush = [threading.Thread(target=lambda: database.look(look)) for _ in range(6)]
    for thread in rush:
        thread.start()
    for thread in rush:
        thread.join()
    assert len(set(used)) == 6
    quiet = {database.look(lambda tx: id(tx.cursor.connection)) for _ in range(20)}
    assert len(quiet) == 1
