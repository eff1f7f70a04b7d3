"""An index in several parts: the same contract, a user in one part, and a change of their number that leaves nothing behind."""

import uuid
from pathlib import Path

import pytest

from hermes_core import Hermes
from hermes_core.config import build
from hermes_core.errors import InvalidInput, StoreError
from hermes_core.stores.chroma import COLLECTION, ChromaIndex
from hermes_core.stores.in_memory import InMemoryIndex, InMemoryLedger
from hermes_core.stores.projection import NEW_AND_EMPTY
from hermes_core.stores.publisher import Publisher
from hermes_core.stores.shards import FolderLayout, ServerLayout, ShardedIndex, shard_of
from hermes_core.testing import HashEmbedder
from hermes_core.testing.contracts import IndexContract
from hermes_core.testing.contracts.builders import T0, forgetting, item, putting, stored
from tests.durability.kit import Reader, files_with, index_equals_ledger, sentence

USERS = [f"user-{n}" for n in range(12)]


class TestInMemoryShards(IndexContract):
    @pytest.fixture
    def index(self):
        return ShardedIndex([InMemoryIndex() for _ in range(3)])


class TestShardFolders(IndexContract):
    @pytest.fixture
    def index(self, tmp_path):
        layout = FolderLayout(tmp_path / "chroma", 3)
        opened = ShardedIndex([ChromaIndex.open(part) for part in layout.parts], layout)
        yield opened
        opened.close()


@pytest.mark.chroma_server
class TestShardsOnAServer(IndexContract):
    @pytest.fixture
    def index(self, chroma_server):
        opened = on_server(chroma_server, f"c{uuid.uuid4().hex}", 3)
        yield opened
        opened.close()


def on_server(server, name, shards):
    layout = ServerLayout(name, shards)
    parts = [ChromaIndex.connect("127.0.0.1", server.port, collection=part) for part in layout.parts]
    layout.server = parts[0]
    return ShardedIndex(parts, layout)


# -- who lies where


def test_a_user_has_one_place_for_ever():
    """A change of this function would orphan every record of every store."""
    assert [shard_of(user, 4) for user in ("u1", "u2", "阿明", "\ud800", "")] == [1, 2, 3, 0, 0]
    assert {shard_of(f"user-{n}", 16) for n in range(500)} == set(range(16))
    assert {shard_of(user, 1) for user in USERS} == {0}


def test_records_lie_in_their_users_part_only():
    parts = [InMemoryIndex() for _ in range(4)]
    index = ShardedIndex(parts)
    index.rebuild([stored(item(n, user=user)) for user in USERS for n in range(3)], T0)
    index.publish([stored(item(9, user=user)) for user in USERS], [item(0, user=USERS[0]).id], T0)
    for n, part in enumerate(parts):
        assert {r.metadata["user_id"] for r in part.records()} == {u for u in USERS if shard_of(u, 4) == n}
    assert index.count() == 4 * len(USERS) - 1
    assert [r.id for r in index.records(USERS[1])] == sorted(item(n, user=USERS[1]).id for n in (0, 1, 2, 9))


def test_no_part_is_a_clear_error():
    with pytest.raises(InvalidInput, match="at least one"):
        ShardedIndex([])


class Noted(InMemoryIndex):
    """Notes what it was told; may be in doubt, and may fail to close."""

    def __init__(self, reason=None, broken=False):
        super().__init__()
        self.told, self.reason, self.broken, self.closed = [], reason, broken, False

    def publish(self, items, gone, taken_at):
        self.told.append(("publish", len(items), list(gone)))
        super().publish(items, gone, taken_at)

    def erase(self, ids):
        self.told.append(("erase", list(ids)))
        super().erase(ids)

    def rebuild(self, items, taken_at):
        self.reason = None
        return super().rebuild(items, taken_at)

    def needs_rebuild(self):
        return self.reason

    def close(self):
        self.closed = True
        if self.broken:
            raise StoreError("this part could not be closed")


def test_a_publisher_tells_the_part_of_the_user_and_no_other(tmp_path):
    ledger, parts = InMemoryLedger(), [Noted() for _ in range(4)]
    publisher = Publisher(ledger, ShardedIndex(parts), tmp_path / "lock")
    for user in USERS:
        ledger.commit(putting(0, item(1, user=user), item(2, user=user)))
    publisher.publish_pending()
    for part in parts:
        part.told.clear()
    ledger.commit(forgetting(1, item(1, user="user-3")))
    publisher.publish_pending()
    told = [part.told for part in parts]
    assert told[shard_of("user-3", 4)] == [("publish", 0, [item(1, user="user-3").id])]
    assert sum(map(bool, told)) == 1
    assert sum(part.count() for part in parts) == 2 * len(USERS) - 1
    publisher.close()


def test_a_part_in_doubt_is_named_and_everything_is_built_anew(tmp_path, caplog):
    ledger, parts = InMemoryLedger(), [Noted(), Noted(), Noted("its last writer ended without closing it")]
    for user in USERS:
        ledger.commit(putting(0, item(1, user=user)))
    publisher = Publisher(ledger, ShardedIndex(parts), tmp_path / "lock")
    assert publisher.ensure_ready()
    assert "since of its shard 2 of 3: its last writer" in caplog.text
    assert sum(part.count() for part in parts) == len(USERS)
    publisher.close()


def test_new_parts_are_no_news():
    assert ShardedIndex([Noted(NEW_AND_EMPTY), Noted(NEW_AND_EMPTY)]).needs_rebuild() == NEW_AND_EMPTY
    assert "shard 1 of 2" in (ShardedIndex([Noted(), Noted(NEW_AND_EMPTY)]).needs_rebuild() or "")
    assert ShardedIndex([Noted(), Noted()]).needs_rebuild() is None


def test_closing_closes_every_part():
    parts = [Noted(broken=True), Noted(), Noted()]
    with pytest.raises(StoreError, match="could not be closed"):
        ShardedIndex(parts).close()
    assert all(part.closed for part in parts)


# -- through the door


def opened(folder: Path, shards: int, **more) -> Hermes:
    config = build({"index": {"shards": shards}})
    given = {"extractor": Reader(), "embedder": HashEmbedder(16), "config": config, "worker": False} | more
    return Hermes.open(folder, **given)


def talk(hermes: Hermes, *words: str) -> None:
    for user in USERS:
        with hermes.session(user, "s") as session:
            for word in words:
                session.observe("user", sentence(word + user.replace("-", "")))
    hermes.flush(timeout=120)


def test_a_forget_leaves_no_byte_in_any_part(tmp_path):
    """Law E."""
    with opened(tmp_path, 3) as hermes:
        talk(hermes, "lobster", "tea")
        index_equals_ledger(hermes)
        assert files_with(tmp_path, "lobsteruser3")
        hermes.forget("user-3", next(i.id for i in hermes.memories("user-3") if "lobster" in i.value))
        index_equals_ledger(hermes)
        assert not files_with(tmp_path, "lobsteruser3")
        hermes.forget("user-4", everything=True)
        assert not files_with(tmp_path, "lobsteruser4", "teauser4")
        assert hermes.rebuild() == 2 * len(USERS) - 3
        assert hermes.doctor().healthy
    assert not files_with(tmp_path, "lobsteruser3", "lobsteruser4", "teauser4")


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 1), (3, 2)])
def test_another_number_of_parts_is_told_by_the_doctor_and_rebuilt(tmp_path, before, after):
    with opened(tmp_path, before) as hermes:
        talk(hermes, "lobster", "tea")
    with opened(tmp_path, after, chroma=False) as hermes:  # meanwhile something is forgotten, with no index at hand
        hermes.forget("user-3", slot="thing.likes")
    assert files_with(tmp_path / "chroma", "lobsteruser3")
    with opened(tmp_path, after) as hermes:
        found = {check.name: check for check in hermes.doctor().checks if not check.user_id}
        assert not found["index"].ok
        assert "another number of shards" in found["index"].text
        mended = hermes.doctor(repair=True)
        assert mended.healthy
        assert f"rebuilt the index: {2 * len(USERS) - 2} records" in mended.repaired
        index_equals_ledger(hermes)
        assert not files_with(tmp_path / "chroma", "lobsteruser3")
        folders = {path.parent.relative_to(tmp_path / "chroma").as_posix() for path in tmp_path.rglob("chroma.sqlite3")}
        assert folders == ({"."} if after == 1 else {f"{n}-of-{after}" for n in range(after)})
    with opened(tmp_path, after) as hermes:
        assert hermes.doctor().healthy


@pytest.mark.slow
def test_another_number_of_parts_is_rebuilt_by_whoever_publishes_next(tmp_path, caplog):
    with opened(tmp_path, 1) as hermes:
        talk(hermes, "tea")
    with opened(tmp_path, 4) as hermes:
        talk(hermes, "coffee")
        assert "since it was laid out in another number of shards than 4" in caplog.text
        index_equals_ledger(hermes)


@pytest.mark.chroma_server
@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 2)])
def test_on_a_server_other_layouts_are_dropped_and_other_collections_are_not(chroma_server, before, after):
    name = f"c{uuid.uuid4().hex}"
    others = ChromaIndex.connect("127.0.0.1", chroma_server.port, collection=f"{name}_of_somebody")
    others.rebuild([stored(item(1))], T0)
    first, second = on_server(chroma_server, name, before), on_server(chroma_server, name, after)
    first.rebuild([stored(item(n, user=user)) for user in USERS for n in range(2)], T0)
    assert "another number of shards" in (second.needs_rebuild() or "")
    assert second.rebuild(iter([stored(item(1, user=user)) for user in USERS]), T0) == len(USERS)
    assert second.needs_rebuild() is None
    ours = [found for found in others.collections() if found.startswith(name)]
    assert sorted(ours) == sorted([f"{name}_of_somebody", *(f"{name}_{n}_of_{after}" for n in range(after))])
    for index in (first, second, others):
        index.close()


def test_the_layouts_name_what_is_documented(tmp_path):
    """docs/chroma.md."""
    assert FolderLayout(tmp_path, 1).parts == [tmp_path]
    assert FolderLayout(tmp_path, 2).parts == [tmp_path / "0-of-2", tmp_path / "1-of-2"]
    assert ServerLayout(COLLECTION, 1).parts == ["hermes_memory"]
    assert ServerLayout(COLLECTION, 2).parts == ["hermes_memory_0_of_2", "hermes_memory_1_of_2"]
