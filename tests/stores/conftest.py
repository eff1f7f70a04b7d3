"""Servers for the store tests: PostgreSQL and Chroma. In CI their absence is a failure, not a skip."""

import os
import socket
import subprocess
import sys
import time
import uuid
from contextlib import contextmanager

import pytest

from hermes_core.stores.sql import SqlLedger

WHERE = os.environ.get("HERMES_TEST_POSTGRES")
GUESSES = ("postgresql+psycopg://root@127.0.0.1:5432/test", "postgresql+psycopg://postgres@127.0.0.1:5432/test")


def missing(what):
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


def postgres_url():
    """The URL of a PostgreSQL database that tests may write to."""
    psycopg = pytest.importorskip("psycopg")
    errors = []
    for url in (WHERE,) if WHERE else GUESSES:
        try:
            psycopg.connect(plain(url), connect_timeout=3).close()
        except psycopg.Error as error:
            errors.append(str(error).strip())
        else:
            return url
    return missing(f"no PostgreSQL server for tests (set HERMES_TEST_POSTGRES=postgresql+psycopg://…): {errors[-1]}")


def plain(url):
    return url.replace("postgresql+psycopg://", "postgresql://")


@contextmanager
def postgres_schema(url):
    """The URL of a schema of its own, dropped afterwards."""
    import psycopg

    name = f"hermes_test_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(plain(url), autocommit=True) as admin:
        admin.execute(f"CREATE SCHEMA {name}")
        try:
            joint = "&" if "?" in url else "?"
            yield f"{url}{joint}options=-csearch_path%3D{name}"
        finally:
            admin.execute(f"DROP SCHEMA {name} CASCADE")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class ChromaServer:
    """A `chroma run` of our own on the loopback."""

    def __init__(self, folder, port=None):
        self.folder, self.port = folder, port or free_port()
        self.start()

    def start(self):
        self.program = os.path.join(os.path.dirname(sys.executable), "chroma")
        program = [self.program, "run", "--path", str(self.folder)]
        program += ["--host", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        give_up = time.monotonic() + 30
        while time.monotonic() < give_up:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        missing("the Chroma server did not start")

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=20)


@pytest.fixture
def file(tmp_path):
    """Where `ledger` lies: a SQLite file."""
    return tmp_path / "ledger.db"


@pytest.fixture
def ledger(file):
    opened = SqlLedger.open(file)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def postgres_schema_url():
    with postgres_schema(postgres_url()) as url:
        yield url


@pytest.fixture(scope="session")
def postgres_store(postgres_schema_url):
    """One open ledger for many tests; `postgres` empties it."""
    opened = SqlLedger.open(postgres_schema_url)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory):
    server = ChromaServer(tmp_path_factory.mktemp("chroma-server"))
    yield server
    server.stop()
