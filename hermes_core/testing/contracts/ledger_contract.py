"""What every Ledger must do, as a pytest class: subclass it and give a fixture `ledger` with a fresh one.

Named after the laws and faults that it proves. No implementation may be known here.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec
import numpy as np
import pytest

from hermes_core.changes import Cause, refusal
from hermes_core.errors import Closed, EmbedderMismatch, InvalidInput, OwnerMismatch, VersionConflict
from hermes_core.items import Sensitivity, Status
from hermes_core.ports import Commit, Ledger, Summary, Tombstone, TurnOutcome
from hermes_core.testing.contracts.builders import (
    DIMENSION,
    ODD_TEXTS,
    ODD_USERS,
    T0,
    forgetting,
    held,
    image,
    item,
    later,
    putting,
    stored,
    turn,
)
from hermes_core.testing.contracts.ledger_erasing import ErasingContract, OutboxContract
from hermes_core.testing.contracts.reading import assert_trail_is_state, in_threads, loaded_items

NOW = later(600)


class TurnsContract:
    """Law D, S2, L2, L4: turns are durable, ordered, idempotent."""

    def test_turns_get_their_place_per_user(self, ledger: Ledger) -> None:
        assert [ledger.add_turn(turn(n)).seq for n in (1, 2, 3)] == [1, 2, 3]
        assert ledger.add_turn(turn(1, user="u2")).seq == 1
        assert ledger.turns("u1") == [msgspec.structs.replace(turn(n), seq=n) for n in (1, 2, 3)]
        assert ledger.users() == ["u1", "u2"]

    def test_a_known_turn_id_changes_nothing(self, ledger: Ledger) -> None:
        first = ledger.add_turn(turn(1))
        assert ledger.add_turn(turn(1, text="something else")) == first
        assert ledger.add_turn(turn(2)).seq == 2
        assert [t.text for t in ledger.turns("u1")] == ["I said thing 1", "I said thing 2"]

    @pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS.keys())
    def test_odd_text_round_trips(self, ledger: Ledger, text: str) -> None:
        ledger.add_turn(turn(1, text=text))
        assert ledger.turns("u1")[0].text == text

    def test_odd_user_ids_never_collide(self, ledger: Ledger) -> None:
        for n, user in enumerate(ODD_USERS.values()):
            ledger.add_turn(turn(n, user=user, session=user, text=user))
            ledger.commit(putting(0, item(n, user=user)))
        assert ledger.users() == list(ODD_USERS.values())
        for n, user in enumerate(ODD_USERS.values()):
            assert [t.text for t in ledger.turns(user)] == [user]
            assert ledger.sessions(user) == [user]
            assert list(loaded_items(ledger, user)) == [item(n, user=user).id]
            assert ledger.owner_of(item(n, user=user).id) == user

    @pytest.mark.parametrize("blank", ["", " ", "\t\n"])
    def test_blank_ids_are_refused(self, ledger: Ledger, blank: str) -> None:
        with pytest.raises(InvalidInput, match="user_id"):
            ledger.add_turn(turn(1, user=blank))
        with pytest.raises(InvalidInput, match="session_id"):
            ledger.add_turn(turn(1, session=blank))
        assert ledger.users() == []

    def test_naive_times_are_refused_and_others_kept_as_utc(self, ledger: Ledger) -> None:
        with pytest.raises(InvalidInput, match="time zone"):
            ledger.add_turn(msgspec.structs.replace(turn(1), said_at=datetime(2026, 1, 1)))
        assert ledger.turns("u1") == []
        shanghai = timezone(timedelta(hours=8))
        ledger.add_turn(msgspec.structs.replace(turn(1), said_at=T0.astimezone(shanghai)))
        said_at = ledger.turns("u1")[0].said_at
        assert said_at == T0
        assert said_at.utcoffset() == timedelta(0)

    def test_turns_by_session_limit_and_id(self, ledger: Ledger) -> None:
        for n in range(1, 7):
            ledger.add_turn(turn(n, session=f"s{n % 2}"))
        assert [t.id for t in ledger.turns("u1", "s1")] == ["t1", "t3", "t5"]
        assert [t.id for t in ledger.turns("u1", limit=2)] == ["t5", "t6"]
        assert [t.id for t in ledger.turns("u1", "s0", limit=2)] == ["t4", "t6"]
        assert [t.id for t in ledger.turns("u1", turn_ids=["t5", "t2", "nope", "t5"])] == ["t2", "t5"]
        assert ledger.turns("u1", limit=0) == []
        assert ledger.turns("nobody") == []
        assert ledger.sessions("u1") == ["s1", "s0"]
        assert ledger.sessions("nobody") == []

    def test_five_first_reads_at_once_find_nothing(self, ledger: Ledger) -> None:
        """C2."""
        assert (
            in_threads(5, lambda _: (len(ledger.load("u1").state), ledger.turns("u1"), ledger.version("u1")))
            == [(0, [], 0)] * 5
        )


class QueueContract:
    """W1: every turn is ingested once, in order, by one worker at a time."""

    def test_the_oldest_due_user_is_claimed_once(self, ledger: Ledger) -> None:
        ledger.add_turn(turn(1, user="late"))
        ledger.add_turn(turn(2, user="u2"))
        assert ledger.claim("w1", NOW, 60) == "late"
        assert ledger.claim("w2", NOW, 60) == "u2"
        assert ledger.claim("w3", NOW, 60) is None
        ledger.release("w1", "late")
        assert ledger.claim("w3", NOW, 60) == "late"

    def test_a_lease_ends_by_time_and_only_its_holder_ends_it_early(self, ledger: Ledger) -> None:
        ledger.add_turn(turn(1))
        assert ledger.claim("w1", NOW, 60) == "u1"
        ledger.release("w2", "u1")
        assert ledger.claim("w2", NOW + timedelta(seconds=59), 60) is None
        assert ledger.claim("w1", NOW + timedelta(seconds=59), 60) == "u1"
        assert ledger.claim("w2", NOW + timedelta(seconds=118), 60) is None
        assert ledger.claim("w2", NOW + timedelta(seconds=120), 60) == "u1"

    def test_a_named_user_is_claimed_only_if_due(self, ledger: Ledger) -> None:
        ledger.add_turn(turn(1, user="u1"))
        ledger.add_turn(turn(1, user="u2"))
        assert ledger.claim("w", NOW, 60, "u2") == "u2"
        assert ledger.claim("w", NOW, 60, "nobody") is None
        ledger.postpone("u1", ["t1"], "busy", NOW + timedelta(seconds=5))
        assert ledger.claim("w", NOW, 60, "u1") is None

    def test_pending_turns_wait_for_their_retry(self, ledger: Ledger) -> None:
        for n in (1, 2, 3):
            ledger.add_turn(turn(n, role="assistant" if n == 2 else "user"))
        ledger.add_turn(turn(4, role="tool"))
        ledger.postpone("u1", ["t1", "unknown"], "model down 模型", NOW)
        early = NOW - timedelta(seconds=1)
        assert [(p.turn.id, p.attempts) for p in ledger.pending("u1")] == [("t1", 1), ("t2", 0), ("t3", 0)]
        assert [p.turn.id for p in ledger.pending("u1", early)] == ["t2", "t3"]
        assert [p.turn.id for p in ledger.pending("u1", NOW, limit=2)] == ["t1", "t2"]
        assert ledger.pending("nobody") == []
        assert (ledger.pending_count(), ledger.pending_count("u1"), ledger.pending_count("x")) == (3, 3, 0)
        record = ledger.turn_record("u1", "t1")
        assert record is not None
        assert (record["state"], record["attempts"], record["reason"]) == ("pending", 1, "model down 模型")

    def test_a_death_counts_against_a_suspect_only_while_it_was_read(self, ledger: Ledger) -> None:
        for n in (1, 2, 3):
            ledger.add_turn(turn(n, session="s1" if n < 3 else "s2"))

        def die() -> list[int]:
            assert ledger.claim("one", NOW, 60) == "u1"
            assert ledger.free_leases(lambda holder: True, NOW) == ["u1"]
            return [p.attempts for p in ledger.pending("u1")]

        ledger.begin("u1", "unknown", "one")
        assert die() == [1, 1, 0], "the leading run of one session is under suspicion"
        assert die() == [1, 1, 0], "nobody was reading"
        ledger.begin("u1", "t1", "one")
        assert die() == [2, 1, 0]
        assert die() == [2, 1, 0], "it was put down by that death"
        ledger.begin("u1", "t1", "one")
        ledger.postpone("u1", ["t1"], "failed", NOW)
        assert die() == [3, 1, 0], "whoever failed by itself was not reading any more; t2 is under suspicion already"
        ledger.begin("u1", "t2", "one")
        ledger.begin("u1", "t2", "")
        assert die() == [3, 1, 0], "it was put down before"
        ledger.begin("u1", "t2", "one")
        assert die() == [3, 2, 0]
        assert die() == [3, 2, 1], "those that failed twice wait for the rest"

    def test_ingested_turns_leave_the_queue_with_the_commit(self, ledger: Ledger) -> None:
        ledger.add_turn(turn(1))
        ledger.add_turn(turn(2))
        version = ledger.commit(Commit("u1", 0, outcomes=(TurnOutcome("t1", "local", "nothing found"),)))
        assert version == 0
        assert [p.turn.id for p in ledger.pending("u1")] == ["t2"]
        record = ledger.turn_record("u1", "t1")
        assert record is not None
        assert (record["state"], record["by"], record["note"]) == ("ingested", "local", "nothing found")
        assert ledger.turn_record("u1", "t9") is None

    def test_an_effect_happens_once(self, ledger: Ledger) -> None:
        """Law D: a second worker that ingests the same turn loses, and nothing of its commit stays."""
        ledger.add_turn(turn(1))
        outcome = (TurnOutcome("t1", "local", ""),)
        ledger.commit(Commit("u1", 0, outcomes=outcome))
        with pytest.raises(VersionConflict):
            ledger.commit(putting(0, item(1), outcomes=outcome))
        assert (ledger.version("u1"), loaded_items(ledger), ledger.changes("u1")) == (0, {}, [])
        assert ledger.outbox() == []

    def test_a_poisoned_turn_is_set_aside(self, ledger: Ledger) -> None:
        ledger.add_turn(turn(1))
        ledger.add_turn(turn(2))
        ledger.set_aside("u1", "t1", "crashes the extractor")
        assert [p.turn.id for p in ledger.pending("u1")] == ["t2"]
        record = ledger.turn_record("u1", "t1")
        assert record is not None
        assert (record["state"], record["reason"]) == ("set_aside", "crashes the extractor")

    def test_two_workers_never_hold_one_user(self, ledger: Ledger) -> None:
        for n in range(1, 5):
            ledger.add_turn(turn(n, user=f"u{n}"))
        got = in_threads(8, lambda n: ledger.claim(f"w{n}", NOW, 60))
        assert sorted(g for g in got if g is not None) == ["u1", "u2", "u3", "u4"]

    def test_a_store_wide_lease_has_one_holder(self, ledger: Ledger) -> None:
        assert ledger.lease("index", "a", NOW, 10)
        assert not ledger.lease("index", "b", NOW, 10)
        assert ledger.lease("other", "b", NOW, 10)
        assert ledger.lease("index", "a", NOW + timedelta(seconds=9), 10)
        assert not ledger.lease("index", "b", NOW + timedelta(seconds=18), 10)
        assert ledger.lease("index", "b", NOW + timedelta(seconds=19), 10)

    def test_a_store_wide_lease_of_the_dead_bars_nobody(self, ledger: Ledger) -> None:
        assert ledger.lease("index", "a", NOW, 10, lambda _: True)
        assert not ledger.lease("index", "b", NOW, 10, lambda holder: holder != "a")
        assert ledger.lease("index", "b", NOW, 10, lambda holder: holder == "a")
        assert not ledger.lease("index", "a", NOW, 10, lambda holder: holder == "a")
        assert ledger.lease("index", "b", NOW, 10)


class CommitContract:
    """Laws D, O, R, X: one commit is one step of the truth."""

    def test_an_unknown_user_is_empty(self, ledger: Ledger) -> None:
        loaded = ledger.load("nobody")
        assert (len(loaded.state), loaded.state.version, loaded.table.ids) == (0, 0, ())
        assert ledger.version("nobody") == 0
        assert ledger.maintained_at("nobody") is None
        assert ledger.tombstones("nobody") == {}

    def test_a_commit_is_read_back(self, ledger: Ledger) -> None:
        live, cold = item(1), item(2, status=Status.ARCHIVED, archived_because="sealed")
        assert ledger.commit(putting(0, live, cold)) == 1
        assert ledger.version("u1") == 1
        state, table = ledger.load("u1")
        assert (state.version, dict(state.live)) == (1, {live.id: live})
        assert dict(state.archive) == {cold.id: cold}
        assert table.ids == (live.id, cold.id)
        assert_trail_is_state(ledger)
        assert [(c.version, c.seq) for c in ledger.changes("u1")] == [(1, 1), (1, 2)]

    def test_the_search_table_has_live_rows_first(self, ledger: Ledger) -> None:
        items = [item(n, status=Status.ARCHIVED if n % 2 else Status.CONFIRMED) for n in range(7)]
        ledger.commit(putting(0, *items))
        table = ledger.load("u1").table
        assert [i[-1] for i in table.ids] == ["0", "2", "4", "6", "1", "3", "5"]
        assert table.vectors.dtype == np.float32
        assert table.vectors.shape == (7, DIMENSION)
        for row, item_id in enumerate(table.ids):
            expected = stored(next(i for i in items if i.id == item_id))
            np.testing.assert_array_equal(table.vectors[row], expected.vector)
            own = table.term_ids[table.offsets[row] : table.offsets[row + 1]]
            np.testing.assert_array_equal(own, expected.terms)

    def test_a_loaded_state_equals_an_applied_one(self, ledger: Ledger) -> None:
        """Law R: a cache that applies its own commits and a fresh read agree, in content and order."""
        first = putting(0, *(item(n) for n in range(4)))
        ledger.commit(first)
        state = ledger.load("u1").state
        changed = msgspec.structs.replace(item(1), confirmations=2.0)
        second = Commit("u1", 1, (image(changed, before=item(1)),), (stored(changed),))
        ledger.commit(second)
        after = ledger.load("u1").state
        applied = state.apply(second.changes, 2)
        assert list(applied.live.items()) == list(after.live.items())
        assert applied.version == after.version == 2

    def test_a_lost_race_leaves_nothing(self, ledger: Ledger) -> None:
        ledger.commit(putting(0, item(1)))
        ledger.settle([row.row_id for row in ledger.outbox()])
        with pytest.raises(VersionConflict):
            ledger.commit(putting(0, item(2)))
        with pytest.raises(VersionConflict):
            ledger.commit(putting(5, item(2)))
        with pytest.raises(VersionConflict):
            ledger.commit(Commit("u2", 1, summaries=(Summary(user_id="u2", session_id="s", text="x"),)))
        assert list(loaded_items(ledger)) == [item(1).id]
        assert (ledger.version("u1"), len(ledger.changes("u1")), ledger.outbox()) == (1, 1, [])

    def test_another_users_rows_are_refused(self, ledger: Ledger) -> None:
        alien = putting(0, item(1, user="u2"))
        with pytest.raises(OwnerMismatch):
            ledger.commit(Commit("u1", 0, alien.changes, ()))
        with pytest.raises(OwnerMismatch):
            ledger.commit(Commit("u1", 0, (), alien.put))
        assert (ledger.version("u1"), ledger.version("u2")) == (0, 0)

    def test_vectors_of_another_dimension_are_refused(self, ledger: Ledger) -> None:
        """I3: no data is touched."""
        ledger.commit(putting(0, item(1)))
        short = stored(item(2))._replace(vector=stored(item(2)).vector[:3])
        with pytest.raises(EmbedderMismatch, match="another embedder"):
            ledger.commit(Commit("u1", 1, (image(item(2)),), (short,)))
        with pytest.raises(EmbedderMismatch):
            ledger.commit(Commit("u1", 1, (), (stored(item(3)), short)))
        assert (ledger.version("u1"), list(loaded_items(ledger))) == (1, [item(1).id])

    def test_items_are_replaced_and_dropped(self, ledger: Ledger) -> None:
        ledger.commit(putting(0, item(1), item(2)))
        newer = msgspec.structs.replace(item(1), status=Status.ARCHIVED, archived_because="superseded")
        change = image(newer, before=item(1))
        drop = forgetting(1, item(2))
        ledger.commit(Commit("u1", 1, (change, *drop.changes), (stored(newer),), drop.drop))
        assert loaded_items(ledger) == {newer.id: newer}
        assert ledger.owner_of(item(2).id) is None
        assert_trail_is_state(ledger)

    @pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS.keys())
    def test_odd_words_in_items_and_trail_round_trip(self, ledger: Ledger, text: str) -> None:
        odd = item(1, text=text, value=text, qualifiers=(text,))
        cold = item(2, text=text, status=Status.ARCHIVED)
        no = refusal("u1", reason="ungrounded", cause=Cause(by="turn", at=T0), claim=text, detail=text)
        ledger.commit(putting(0, odd, cold))
        ledger.commit(Commit("u1", 1, (no,)))
        assert loaded_items(ledger) == {odd.id: odd, cold.id: cold}
        last = ledger.changes("u1")[-1]
        assert (last.claim, last.detail) == (text, text)

    @pytest.mark.parametrize(
        "fields",
        [
            {"half_life_days": None, "hit_at": None, "superseded_by": None, "evidence": ()},
            {"visible_to": ("a", "b"), "qualifiers": ("",), "held": (held("no"),), "note": ""},
            {"value": "", "slot": "x", "sensitivity": Sensitivity.SENSITIVE, "polarity": -1, "frozen_at": T0},
        ],
    )
    def test_optional_fields_round_trip(self, ledger: Ledger, fields: dict[str, Any]) -> None:
        """S1."""
        odd = item(1, **fields)
        ledger.commit(putting(0, odd))
        assert loaded_items(ledger) == {odd.id: odd}

    def test_compare_and_set_counts_every_commit(self, ledger: Ledger) -> None:
        """I2, J6: no update is lost between threads."""

        def work(n: int) -> None:
            for k in range(5):
                while True:
                    try:
                        ledger.commit(putting(ledger.version("u1"), item(f"{n}-{k}")))
                        break
                    except VersionConflict:
                        continue

        in_threads(4, work)
        assert ledger.version("u1") == 20
        assert len(loaded_items(ledger)) == 20
        assert sorted(c.version for c in ledger.changes("u1")) == list(range(1, 21))

    def test_users_do_not_mix(self, ledger: Ledger) -> None:
        """Law O, I1."""

        def work(n: int) -> None:
            user = f"u{n % 2}"
            for k in range(5):
                ledger.add_turn(turn(n * 100 + k, user=user, text=f"canary {user}"))

        in_threads(4, work)
        for user in ("u0", "u1"):
            turns = ledger.turns(user)
            assert {t.text for t in turns} == {f"canary {user}"}
            assert [t.seq for t in turns] == list(range(1, 11))


class TrailContract:
    """C2, C4, C6, R11: trail, time, tombstones, summaries, maintenance."""

    def test_the_trail_is_filtered(self, ledger: Ledger) -> None:
        ledger.commit(putting(0, item(1), item(2)))
        ledger.commit(Commit("u1", 1, (image(item(1), turn_id="t7", before=item(1)),), (stored(item(1)),)))
        assert [c.seq for c in ledger.changes("u1", item(1).id)] == [1, 3]
        assert [c.seq for c in ledger.changes("u1", up_to_version=1)] == [1, 2]
        assert [c.seq for c in ledger.changes("u1", turn_id="t7")] == [3]
        assert [c.seq for c in ledger.changes("u1", limit=2)] == [2, 3]
        assert ledger.changes("u1", limit=0) == []
        assert ledger.changes("nobody") == []

    def test_the_version_that_held_at_a_moment(self, ledger: Ledger) -> None:
        for n in range(3):
            ledger.commit(putting(n, item(n), at=later(10 * n)))
        assert [ledger.version_at("u1", later(m)) for m in (-1, 0, 9, 10, 25)] == [0, 1, 1, 2, 3]
        assert ledger.version_at("nobody", T0) == 0

    def test_tombstones_keep_the_latest_time(self, ledger: Ledger) -> None:
        for n, minute in enumerate((5, 9, 7)):
            ledger.commit(putting(n, item(n), tombstones=(Tombstone("digest", later(minute)),)))
        assert ledger.tombstones("u1") == {"digest": later(9)}
        assert ledger.tombstones("u2") == {}

    def test_a_session_has_its_latest_summary(self, ledger: Ledger) -> None:
        for text in ("first", "second 第二"):
            made = Summary(user_id="u1", session_id="s1", text=text, facts=("a",), made_at=T0)
            ledger.commit(Commit("u1", 0, summaries=(made,)))
        overall = Summary(user_id="u1", session_id="", text="all")
        ledger.commit(Commit("u1", 0, summaries=(overall,)))
        assert ledger.summaries("u1") == [overall, made]
        assert ledger.summaries("u2") == []

    def test_users_due_for_maintenance(self, ledger: Ledger) -> None:
        for user in ("never", "old", "new", "empty"):
            if user != "empty":
                ledger.commit(putting(0, item(1, user=user)))
        ledger.add_turn(turn(1, user="empty"))
        ledger.commit(Commit("old", 1, maintained_at=later(1)))
        ledger.commit(Commit("new", 1, maintained_at=later(9)))
        assert ledger.due_for_maintenance(later(5)) == ["never", "old"]
        assert ledger.due_for_maintenance(later(5), limit=1) == ["never"]
        assert (ledger.maintained_at("old"), ledger.maintained_at("never")) == (later(1), None)

    def test_meta_values(self, ledger: Ledger) -> None:
        assert ledger.meta("embedder") is None
        ledger.put_meta("embedder", "usem:512")
        ledger.put_meta("embedder", "别的\x00")
        assert ledger.meta("embedder") == "别的\x00"

    def test_a_closed_ledger_says_so(self, ledger: Ledger) -> None:
        ledger.close()
        ledger.close()
        with pytest.raises(Closed):
            ledger.version("u1")
        with pytest.raises(Closed):
            ledger.add_turn(turn(1))


class LedgerContract(TurnsContract, QueueContract, CommitContract, TrailContract, OutboxContract, ErasingContract):
    """All that a Ledger promises."""
