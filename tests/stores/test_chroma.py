"""Chroma as the index: the contract in a folder and in a client, and what a folder can suffer (CHROMA measurements)."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from hermes_core.errors import Closed, EmbedderMismatch, InvalidInput, StoreError
from hermes_core.stores import marker
from hermes_core.stores.chroma import COLLECTION, ChromaIndex
from hermes_core.stores.graph_files import clean_server_folder
from hermes_core.testing.contracts import IndexContract
from hermes_core.testing.contracts.builders import T0, item, stored


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "chroma"


@pytest.fixture
def index(folder):
    opened = ChromaIndex.open(folder)
    yield opened
    opened.close()


class TestChromaFolder(IndexContract):
    @pytest.fixture
    def index(self, folder):
        opened = ChromaIndex.open(folder)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    import chromadb

    with chromadb.PersistentClient(path=str(tmp_path_factory.mktemp("client"))) as made:
        yield made


class TestChromaClient(IndexContract):
    """In a client that the caller made; it may hold other collections."""

    @pytest.fixture
    def index(self, client):
        return ChromaIndex.open(client, collection=f"c{uuid.uuid4().hex}")


# -- plain Chroma reads it


def test_anyone_can_query_by_status_confidence_and_strength(folder):
    """docs/chroma.md: what the metadata is for."""
    import chromadb

    index = ChromaIndex.open(folder)
    items = [item(n, user=f"u{n % 2}", confidence=n / 10) for n in range(10)]
    index.rebuild([stored(i) for i in items], T0)
    index.close()
    with chromadb.PersistentClient(path=str(folder)) as client:
        collection = client.get_collection(COLLECTION, embedding_function=None)
        where = {"$and": [{"user_id": "u1"}, {"status": "confirmed"}, {"strength": {"$gte": 0.5}}]}
        assert sorted(collection.get(where=where)["ids"]) == sorted(items[n].id for n in (5, 7, 9))
        found = collection.query(
            query_embeddings=[stored(items[3]).vector.tolist()], n_results=1, where={"user_id": "u1"}
        )
        assert found["ids"] == [[items[3].id]]
        assert found["documents"] == [[items[3].text]]


# -- trust


def test_a_clean_close_is_trusted_and_left_unmarked(folder, index):
    index.rebuild([stored(item(1))], T0)
    assert marker.is_dirty(folder)
    index.close()
    assert not marker.is_dirty(folder)
    again = ChromaIndex.open(folder)
    assert again.needs_rebuild() is None
    assert [r.id for r in again.records()] == [item(1).id]
    again.close()
    assert not marker.is_dirty(folder)


def test_a_new_folder_asks_for_a_rebuild(folder, index):
    assert "new" in (index.needs_rebuild() or "")
    assert marker.is_dirty(folder)


def test_the_folder_is_not_touched_before_the_first_call(folder):
    index = ChromaIndex.open(folder)
    assert not folder.exists()
    index.close()
    assert not folder.exists()
    with pytest.raises(Closed):
        index.count()


@pytest.mark.slow
def test_a_writer_that_died_leaves_a_marker(folder):
    """kill -9: whatever state it left, the next one rebuilds."""
    script = (
        "import os, signal, sys\n"
        "from hermes_core.stores.chroma import ChromaIndex\n"
        "from hermes_core.testing.contracts.builders import T0, item, stored\n"
        "index = ChromaIndex.open(sys.argv[1])\n"
        "for n in range(20):\n"
        "    index.publish([stored(item(n))], [], T0)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(folder)], timeout=60)
    assert done.returncode == -signal.SIGKILL
    index = ChromaIndex.open(folder)
    assert "without closing" in (index.needs_rebuild() or "")
    assert index.rebuild([stored(item(n)) for n in (1, 2)], T0) == 2
    assert index.needs_rebuild() is None
    assert index.count() == 2
    index.close()
    assert not marker.is_dirty(folder)


def test_a_missing_record_is_noticed(folder, index):
    index.rebuild([stored(item(1)), stored(item(2))], T0)
    index.close()
    (folder / marker.CLEAN).write_text(json.dumps({"records": 3}))
    again = ChromaIndex.open(folder)
    assert "holds 2 records, where 3" in (again.needs_rebuild() or "")
    again.close()
    (folder / marker.CLEAN).unlink()
    again = ChromaIndex.open(folder)
    assert again.needs_rebuild() is not None
    again.close()


def test_a_broken_database_file_is_rebuilt(folder, index):
    index.rebuild([stored(item(1))], T0)
    index.close()
    (folder / "chroma.sqlite3").write_bytes(b"no database" * 1000)
    again = ChromaIndex.open(folder)
    assert "can't be read" in (again.needs_rebuild() or "")
    assert again.rebuild([stored(item(2))], T0) == 1
    assert [r.id for r in again.records()] == [item(2).id]
    again.close()


def test_a_runaway_graph_file_is_noticed(folder, index):
    index.rebuild([stored(item(1))], T0)
    index.close()
    segment = next(path for path in folder.iterdir() if path.is_dir())
    with open(segment / "link_lists.bin", "wb") as file:
        file.truncate(2 << 30)  # sparse
    again = ChromaIndex.open(folder)
    assert "grew" in (again.needs_rebuild() or "")
    again.rebuild([stored(item(1))], T0)
    assert again.needs_rebuild() is None
    again.close()


def test_a_rebuild_leaves_no_orphan_folders(folder, index):
    (folder / str(uuid.uuid4())).mkdir(parents=True)
    index.rebuild([stored(item(1))], T0)
    index.rebuild([stored(item(2))], T0)
    assert len([path for path in folder.iterdir() if path.is_dir()]) == 1


def test_no_byte_of_an_erased_document_remains(folder, index):
    """Law E: Chroma itself leaves it in four places."""
    secret = item(1, text="severely allergic to lobster", value="lobster")
    index.rebuild([stored(secret), *(stored(item(n)) for n in range(2, 30))], T0)
    index.publish([stored(item(1, text="still allergic to lobster"))], [], T0)
    index.erase([secret.id])
    for path in folder.rglob("*"):
        if path.is_file():
            assert b"lobster" not in path.read_bytes(), path
    assert index.count() == 28
    assert index.needs_rebuild() is None


def test_vectors_of_another_dimension_are_refused(index):
    """I3."""
    index.rebuild([stored(item(1))], T0)
    other = stored(item(2))._replace(vector=stored(item(2)).vector[:3])
    with pytest.raises(EmbedderMismatch, match="rebuild"):
        index.publish([other], [], T0)
    assert index.count() == 1


def test_a_folder_that_is_a_file_is_a_clear_error(tmp_path):
    (tmp_path / "chroma").write_text("x")
    index = ChromaIndex.open(tmp_path / "chroma")
    assert "can't be read" in (index.needs_rebuild() or "")
    with pytest.raises(StoreError):
        index.rebuild([], T0)
    index.close()


@pytest.mark.slow
def test_more_records_than_chroma_takes_in_one_call(index):
    """5,461 at most."""
    index.publish([stored(item(n), seed=n % 50) for n in range(5600)], [], T0)
    assert index.count() == 5600


# -- no surprises


@pytest.mark.slow
def test_a_dotenv_file_and_the_environment_change_nothing(tmp_path):
    """Chroma's settings read ./.env of the working directory."""
    (tmp_path / ".env").write_text("CHROMA_API_IMPL=chromadb.api.fastapi.FastAPI\nALLOW_RESET=TRUE\n")
    script = (
        "import warnings; warnings.simplefilter('error')\n"
        "import sys\n"
        "import hermes_core.stores.chroma as chroma, hermes_core.stores.publisher, hermes_core.stores.sql\n"
        "assert 'chromadb' not in sys.modules\n"
        "from hermes_core.testing.contracts.builders import T0, item, stored\n"
        "index = chroma.ChromaIndex.open('chroma')\n"
        "index.rebuild([stored(item(1))], T0)\n"
        "assert not index._client.get_settings().allow_reset\n"
        "assert not index._client.get_settings().anonymized_telemetry\n"
        "index.close()\n"
    )
    env = {**os.environ, "CHROMA_SERVER_HOST": "example.invalid", "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True, timeout=60, env=env)
    assert (tmp_path / "chroma" / "chroma.sqlite3").exists()


@pytest.mark.parametrize("url", ["", "chroma", "ftp://host", "http://"])
def test_a_url_that_is_none_is_refused(url):
    with pytest.raises(InvalidInput, match="http://host:port"):
        ChromaIndex.connect_url(url)


def test_a_server_that_is_not_there_is_a_clear_error():
    index = ChromaIndex.connect("127.0.0.1", 9)
    with pytest.raises(StoreError, match="Chroma failed"):
        index.count()
    with pytest.raises(StoreError, match="Chroma failed"):  # no reason to rebuild anything
        index.needs_rebuild()
    index.close()


# -- a server


@pytest.mark.chroma_server
class TestChromaServer(IndexContract):
    @pytest.fixture
    def index(self, chroma_server):
        name = f"c{uuid.uuid4().hex}"
        headers = {"Authorization": "Bearer for-a-proxy"}
        opened = ChromaIndex.connect("127.0.0.1", chroma_server.port, headers=headers, collection=name)
        yield opened
        opened.close()


@pytest.mark.chroma_server
def test_a_restarted_server_is_survived(chroma_server):
    name = f"c{uuid.uuid4().hex}"
    index = ChromaIndex.connect_url(f"http://127.0.0.1:{chroma_server.port}", collection=name)
    index.rebuild([stored(item(1))], T0)
    chroma_server.stop()
    with pytest.raises(StoreError):
        index.publish([stored(item(2))], [], T0)
    chroma_server.start()
    index.publish([stored(item(2))], [], T0)
    assert [r.id for r in index.records()] == [item(1).id, item(2).id]
    index.close()


@pytest.mark.slow
@pytest.mark.chroma_server
def test_a_vacuum_takes_the_bytes_out_of_a_servers_files(chroma_server):
    """docs/chroma.md, law E: on a server it is the operator's step."""
    name = f"c{uuid.uuid4().hex}"
    index = ChromaIndex.connect("127.0.0.1", chroma_server.port, collection=name)
    index.publish([stored(item(1, text="allergic to lobster")), stored(item(2))], [], T0)
    index.erase([item(1).id])
    chroma_server.stop()
    try:
        subprocess.run([chroma_server.program, "vacuum", "--path", str(chroma_server.folder), "--force"], check=True)
        clean_server_folder(chroma_server.folder)
        for path in chroma_server.folder.rglob("*"):
            if path.is_file():
                assert b"lobster" not in path.read_bytes(), path
    finally:
        chroma_server.start()  # the tests after this one need it
    assert [r.id for r in index.records()] == [item(2).id]
    index.close()


@pytest.mark.chroma_server
def test_a_collection_that_was_dropped_is_found_again(chroma_server):
    """Another machine rebuilt it: our handle is stale."""
    name = f"c{uuid.uuid4().hex}"
    ours, theirs = (ChromaIndex.connect("127.0.0.1", chroma_server.port, collection=name) for _ in range(2))
    ours.rebuild([stored(item(1))], T0)
    theirs.rebuild([stored(item(2))], T0)
    ours.publish([stored(item(3))], [], T0)
    assert [r.id for r in ours.records()] == [item(2).id, item(3).id]
    ours.close()
    theirs.close()


def test_the_note_of_a_clean_folder_is_plain_json(folder, index):
    index.rebuild([stored(item(1))], T0)
    index.close()
    assert json.loads((folder / marker.CLEAN).read_text()) == {"records": 1}
    with sqlite3.connect(folder / "chroma.sqlite3") as raw:
        assert raw.execute("SELECT count(*) FROM collections").fetchone() == (1,)
    raw.close()
