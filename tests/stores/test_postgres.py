"""The same ledger on PostgreSQL: the contract, lost connections, what a dump still holds."""

import os
import shutil
import subprocess
import uuid

import psycopg
import pytest

from hermes_core.errors import SchemaMismatch, StoreError, VersionConflict
from hermes_core.ports import Redaction
from hermes_core.stores.sql import SqlLedger
from hermes_core.stores.sql.schema import metadata
from hermes_core.testing.contracts import LedgerContract
from hermes_core.testing.contracts.builders import forgetting, item, putting, turn
from hermes_core.testing.contracts.reading import in_threads

pytestmark = pytest.mark.postgres


def plain(url):
    return url.replace("postgresql+psycopg://", "postgresql://")


def empty(url):
    with psycopg.connect(plain(url), autocommit=True) as connection:
        kept = {"meta": "WHERE key <> 'schema_version'"}
        connection.execute(";".join(f"DELETE FROM {table} {kept.get(table, '')}" for table in metadata.tables))


@pytest.fixture
def ledger(postgres_store, postgres_schema_url):
    empty(postgres_schema_url)
    return postgres_store


class TestPostgresLedger(LedgerContract):
    @pytest.fixture
    def ledger(self, postgres_store, postgres_schema_url, request):
        empty(postgres_schema_url)
        if "closed" not in request.node.name:
            yield postgres_store
            return
        yield SqlLedger.open(postgres_schema_url)


def end_all_connections(url):
    """What a restart of the server does to its clients."""
    with psycopg.connect(plain(url), autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND datname = current_database() AND application_name = %s",
            (NAME,),
        )


NAME = f"hermes-test-{uuid.uuid4().hex[:8]}"


def test_lost_connections_are_survived(postgres_schema_url, ledger):
    named = SqlLedger.open(f"{postgres_schema_url}&application_name={NAME}")
    named.add_turn(turn(1))
    in_threads(4, lambda _: named.version("u1"))
    for n in range(2, 5):
        end_all_connections(postgres_schema_url)
        assert named.add_turn(turn(n)).seq == n
        end_all_connections(postgres_schema_url)
        assert [t.seq for t in named.turns("u1")] == list(range(1, n + 1))
        end_all_connections(postgres_schema_url)
        assert named.commit(putting(n - 2, item(n))) == n - 1
    named.close()


def test_a_server_that_is_not_there_is_a_clear_error():
    with pytest.raises(StoreError) as caught:
        SqlLedger.open("postgresql+psycopg://nobody:secret@127.0.0.1:9/none")
    assert "127.0.0.1:9" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_newer_schema_is_refused(postgres_schema_url, ledger):
    ledger.put_meta("schema_version", "99")
    try:
        with pytest.raises(SchemaMismatch, match="newer Hermes"):
            SqlLedger.open(postgres_schema_url)
    finally:
        ledger.put_meta("schema_version", "1")


def test_tables_of_another_program_are_left_alone(postgres_schema_url):
    name = f"hermes_other_{uuid.uuid4().hex[:8]}"
    url = postgres_schema_url.split("options=")[0] + f"options=-csearch_path%3D{name}"
    with psycopg.connect(plain(postgres_schema_url), autocommit=True) as admin:
        admin.execute(f"CREATE SCHEMA {name}")
        admin.execute(f"CREATE TABLE {name}.users (id int)")
        try:
            with pytest.raises(StoreError, match="not of Hermes"):
                SqlLedger.open(url)
        finally:
            admin.execute(f"DROP SCHEMA {name} CASCADE")


def test_many_processes_may_open_a_fresh_database_at_once(postgres_schema_url):
    """C2 on a server: one creates the tables, the others wait for it."""
    name = f"hermes_fresh_{uuid.uuid4().hex[:8]}"
    url = postgres_schema_url.split("options=")[0] + f"options=-csearch_path%3D{name}"
    with psycopg.connect(plain(postgres_schema_url), autocommit=True) as admin:
        admin.execute(f"CREATE SCHEMA {name}")
        try:
            opened = in_threads(4, lambda _: SqlLedger.open(url))
            assert in_threads(4, lambda n: opened[n].version("u1")) == [0] * 4
            for one in opened:
                one.close()
        finally:
            admin.execute(f"DROP SCHEMA {name} CASCADE")


def test_compare_and_set_between_machines(postgres_schema_url, ledger):
    """I2: two ledgers with pools of their own, one truth."""
    other = SqlLedger.open(postgres_schema_url)

    def work(n):
        mine = ledger if n % 2 else other
        for k in range(5):
            while True:
                try:
                    mine.commit(putting(mine.version("u1"), item(f"{n}-{k}")))
                    break
                except VersionConflict:
                    continue

    in_threads(4, work)
    assert ledger.version("u1") == 20
    assert len(other.load("u1").state) == 20
    other.close()


SECRET = "severely allergic to lobster"


@pytest.mark.slow
def test_no_dump_holds_the_forgotten(postgres_schema_url, ledger):
    """Law E on a server."""
    if shutil.which("pg_dump") is None:
        pytest.skip("pg_dump is not installed")
    secret = item(1, text=SECRET, value=SECRET)
    ledger.add_turn(turn(1, text=f"I am {SECRET}"))
    ledger.commit(putting(0, secret, item(2)))
    schema = postgres_schema_url.split("search_path%3D")[1]
    base = plain(postgres_schema_url).split("?")[0]

    def dump():
        program = ["pg_dump", "--inserts", "--schema", schema, base]
        text = subprocess.run(program, capture_output=True, check=True, env={**os.environ, "PGOPTIONS": ""}).stdout
        return text.decode()

    assert SECRET.encode().hex() in dump()
    ledger.erase(Redaction(forgetting(1, secret), (secret.id,), ("t1",), (SECRET,)))
    assert "lobster" not in dump()
    assert b"lobster".hex() not in dump()
    with psycopg.connect(plain(postgres_schema_url), autocommit=True) as admin:
        data, files = admin.execute("SELECT current_setting('data_directory')").fetchone()[0], []
        for table in ("turns", "items", "changes"):
            files.append(admin.execute("SELECT pg_relation_filepath(%s)", (f"{schema}.{table}",)).fetchone()[0])
        admin.execute("CHECKPOINT")
    for file in files:
        path = os.path.join(data, file)
        if os.access(path, os.R_OK):
            with open(path, "rb") as body:
                assert b"lobster" not in body.read()
