"""What a process holds of its users is bounded in all, by users and by bytes, and a session's view outlives its place (R5)."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import pytest

from hermes_core import Config, Hermes
from hermes_core.config import build
from hermes_core.errors import StoreError
from hermes_core.ports import Commit, SearchTable
from hermes_core.ranking import ReadView
from hermes_core.shell.cache import MARKS_A_USER, SNAPSHOTS_A_USER, Snapshot, UserCache
from hermes_core.shell.reader import UserView
from hermes_core.shell.worker import write_hits
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.stores.sql import SqlLedger
from hermes_core.testing import FakeClock, HashEmbedder
from hermes_core.testing.contracts.builders import T0, forgetting, item, putting
from hermes_core.user_state import UserState
from tests.durability.kit import QUICK, Reader, sentence

USERS = 10
HELD = 4
FEW: Config = build({**QUICK.model_dump(exclude_defaults=True), "ingest": {"cached_users": HELD}})


def filled(hermes: Hermes, user: str, *words: str) -> None:
    """Memories of the user, by plain conversation."""
    with hermes.session(user, "told") as session:
        for word in words:
            session.observe("user", sentence(word))
    hermes.flush(timeout=120)


@pytest.fixture
def crowd(open_hermes: Callable[..., Hermes], tmp_path) -> Hermes:
    """Ten users in a store on disk, in a process that holds four."""
    hermes = open_hermes(tmp_path, chroma=False, extractor=Reader(), embedder=HashEmbedder(16), config=FEW)
    for n in range(USERS):
        filled(hermes, f"u{n}", f"thing{n}x0 and I like thing{n}x1 and I like thing{n}x2 and I like thing{n}x3")
    return hermes


def alive(kind: type) -> int:
    """Objects of this type that anything still holds; a user's parts don't outlive the user's place."""
    gc.collect()
    return sum(isinstance(one, kind) for one in gc.get_objects())


@pytest.mark.slow
def test_reading_everyone_twice_with_open_conversations_holds_only_a_few(crowd: Hermes) -> None:
    before = {kind: alive(kind) for kind in (UserView, ReadView, SearchTable)}
    seen: list[weakref.ref[UserView]] = []
    for turn in ("first", "second"):
        for n in range(USERS):
            session = crowd.session(f"u{n}", turn)
            assert f"thing{n}x1" in session.context("what do I like?", task="question_answering").text
            seen.append(weakref.ref(session._snapshot().view))
    held = sum(ref() is not None for ref in seen)
    assert 1 <= held <= HELD
    assert len(crowd._engine.cache.users()) == HELD
    # a user is held in at most two views here: the one that was read, and the one after its uses were noted
    assert alive(UserView) - before[UserView] <= 2 * HELD
    assert alive(ReadView) - before[ReadView] <= 2 * HELD
    assert alive(SearchTable) - before[SearchTable] <= 4 * HELD  # and the turns that can be quoted
    assert len(crowd._engine._hits) <= USERS


def test_whatever_loads_a_user_counts_towards_the_same_bound(crowd: Hermes) -> None:
    before = alive(UserView)
    for n in range(USERS):
        crowd.session(f"u{n}", "open").context("what do I like?")
        crowd.memories(f"u{(n * 7) % USERS}")
        crowd.user_model(f"u{(n * 11) % USERS}")
        filled(crowd, f"u{(n * 13) % USERS}", f"more{n}")
        assert len(crowd._engine.cache.users()) <= HELD
    assert alive(UserView) - before <= 4 * HELD


def test_a_conversation_sees_its_version_although_its_user_had_to_leave(crowd: Hermes, clock: FakeClock) -> None:
    reading = crowd.session("u0", "reading")
    before = reading.context("what do I like?")
    filled(crowd, "u0", *(f"later{k}" for k in range(22)))  # beyond the cap: some of what it saw leaves the live pool
    clock.advance(hours=1)
    for n in range(1, USERS):
        crowd.session(f"u{n}", "open").context("what do I like?")
    assert "u0" not in crowd._engine.cache.users()
    again = reading.context("what do I like?")
    assert (again.version, again.text) == (before.version, before.text)
    assert "later" in crowd.session("u0", "new").context("what do I like?").text
    assert "later" not in again.text


def test_a_restored_view_is_what_it_was_byte_for_byte(crowd: Hermes) -> None:
    reading = crowd.session("u0", "reading")
    seen = reading._snapshot().view
    kept = (
        list(seen.state),
        seen.state.version,
        seen.table.ids,
        seen.table.vectors.tobytes(),
        seen.table.term_ids.tobytes(),
    )
    filled(crowd, "u0", "later")
    lost, ledger = next(iter(seen.state)), crowd._engine.ledger
    ledger.commit(forgetting(ledger.version("u0"), lost))  # dropped for good, as from a full archive
    crowd._engine.reader.drop("u0")
    for n in range(1, HELD + 1):
        crowd.session(f"u{n}", "open").context()
    view = reading._snapshot().view
    assert view is not seen
    assert lost.id not in crowd.state("u0")
    assert (
        list(view.state),
        view.state.version,
        view.table.ids,
        view.table.vectors.tobytes(),
        view.table.term_ids.tobytes(),
    ) == kept


def test_after_a_forget_no_mark_brings_a_view_back(crowd: Hermes) -> None:
    reading = crowd.session("u0", "reading")
    assert "thing0x3" in reading.context("what do I like?").text
    for n in range(1, HELD + 1):
        crowd.session(f"u{n}", "open").context()
    assert crowd._engine.cache.mark("u0", "reading") is not None
    (gone,) = [i for i in crowd.memories("u0") if i.value == "thing0x3"]
    crowd.forget("u0", gone.id)
    assert crowd._engine.cache.mark("u0", "reading") is None
    assert "thing0x3" not in reading.context("what do I like?").text


def test_a_forget_of_another_process_ends_a_marked_view(crowd: Hermes, tmp_path) -> None:
    """Law E: here only the mark is left, there the words are."""
    reading = crowd.session("u0", "reading")
    reading.context("what do I like?")
    for n in range(1, HELD + 1):
        crowd.session(f"u{n}", "open").context()
    with Hermes.open(tmp_path, chroma=False, extractor=Reader(), embedder=HashEmbedder(16), worker=False) as other:
        other.forget("u0", slot="thing.likes")
    assert "thing0" not in reading.context("what do I like?").text


def test_an_ended_conversation_leaves_no_mark(crowd: Hermes) -> None:
    with crowd.session("u0", "short") as session:
        session.context("what do I like?")
        assert crowd._engine.cache.mark("u0", "short") is not None
    assert crowd._engine.cache.mark("u0", "short") is None


# -- the cache itself


def view_of(user: str, version: int = 1, items: int = 5) -> UserView:
    ledger = InMemoryLedger()
    ledger.commit(putting(0, *(item(n, user=user) for n in range(items))))
    loaded = ledger.load(user)
    state = UserState(user, version, loaded.state.live, loaded.state.archive)
    return UserView(state, loaded.table, Config())


def test_the_bytes_bound_too() -> None:
    each = UserCache(1, 1 << 40)
    each.keep_view("u", view_of("u"))
    cache = UserCache(1000, each.bytes * 10)
    for n in range(100):
        cache.keep_view(f"u{n}", view_of(f"u{n}"))
        assert cache.bytes <= each.bytes * 10
    assert 5 <= len(cache.users()) <= 10
    assert cache.users()[-1] == "u99"


def test_one_user_beyond_the_bound_is_held_alone_and_counted_back() -> None:
    cache = UserCache(10, 1)
    for n in range(5):
        cache.keep_view(f"u{n}", view_of(f"u{n}"))
        assert cache.users() == [f"u{n}"]
    for n in range(5):
        cache.keep_snapshot("u4", f"s{n}", Snapshot(view_of("u4", version=n + 1), "", T0))
    assert cache.snapshot("u4", "s4") is not None
    assert cache.snapshot("u4", "s3") is None
    cache.end("u4", "s4")
    cache.drop_view("u4")
    assert (cache.users(), cache.bytes) == ([], 0)


def test_many_conversations_of_one_user_are_bounded_and_the_marks_are() -> None:
    cache, view = UserCache(2, 1 << 40), view_of("u")
    for n in range(SNAPSHOTS_A_USER + 10):
        cache.keep_snapshot("u", f"s{n}", Snapshot(view, "", T0))
    held = [n for n in range(SNAPSHOTS_A_USER + 10) if cache.snapshot("u", f"s{n}") is not None]
    assert held == list(range(10, SNAPSHOTS_A_USER + 10))
    marked = [n for n in range(SNAPSHOTS_A_USER + 10) if cache.mark("u", f"s{n}") is not None]
    assert marked == list(range(SNAPSHOTS_A_USER + 10 - 2 * MARKS_A_USER, SNAPSHOTS_A_USER + 10))


def test_views_that_share_a_table_count_it_once() -> None:
    view = view_of("u", items=50)
    once, twice = UserCache(5, 1 << 40), UserCache(5, 1 << 40)
    once.keep_view("u", view)
    twice.keep_view("u", view)
    twice.keep_snapshot("u", "s", Snapshot(view, "", T0))
    assert once.bytes == twice.bytes > view.table.vectors.nbytes


# -- uses that wait to be written


def test_uses_are_written_before_they_pile_up_without_a_worker(crowd: Hermes) -> None:
    engine = crowd._engine
    for n in range(HELD):
        crowd.session(f"u{n}", "open").context("what do I like?")
    assert not engine.hits_pile_up
    for n in range(HELD, USERS):
        crowd.session(f"u{n}", "open").context("what do I like?")
        assert len(engine._hits) <= HELD * 4
    write_hits(engine)
    assert not engine._hits
    assert any(i.hits for i in crowd.memories(f"u{USERS - 1}"))


class Broken(SqlLedger):
    """A disk that is full for a while."""

    full = False

    def commit(self, commit: Commit) -> int:
        if self.full:
            raise StoreError("the disk is full")
        return super().commit(commit)


def test_uses_that_could_not_be_written_wait(tmp_path, clock: FakeClock) -> None:
    ledger = Broken.open(tmp_path)
    given = {"extractor": Reader(), "embedder": HashEmbedder(16), "config": FEW, "clock": clock, "worker": False}
    with Hermes.open(ledger=ledger, chroma=False, **given) as hermes:
        for user in ("a", "b", "c"):
            filled(hermes, user, "tea")
        for user in ("a", "b", "c"):
            hermes.session(user, "open").context("what do I like?")
        ledger.full = True
        with pytest.raises(StoreError):
            write_hits(hermes._engine)
        ledger.full = False
        assert write_hits(hermes._engine) == 3
        assert all(i.hits == 1 for user in ("a", "b", "c") for i in hermes.memories(user))
