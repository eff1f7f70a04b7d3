"""The user's quotable turns in both ledgers: what is put comes back, bounded, sealed where sealed, gone when erased."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import numpy as np
import pytest

from hermes_core.items import Turn
from hermes_core.ports import Commit, Redaction, StoredTurn, TurnOutcome
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.stores.sql import SqlLedger
from hermes_core.terms import term_ids

START = datetime(2026, 3, 1, tzinfo=timezone.utc)


@pytest.fixture(params=["sqlite", "memory"])
def ledger(request, tmp_path):
    made = SqlLedger.open(tmp_path / "ledger.db") if request.param == "sqlite" else InMemoryLedger()
    yield made
    made.close()


def say(ledger, text: str, n: int, session: str = "s1", user: str = "ann") -> Turn:
    turn = Turn(id=f"t{n}", user_id=user, session_id=session, role="user", text=text, said_at=START + timedelta(n))
    return ledger.add_turn(turn)


def search(turn: Turn, private: bool = False) -> StoredTurn:
    vector = np.zeros(4, dtype=np.float32)
    vector[turn.seq % 4] = 1.0
    return StoredTurn(turn, vector, term_ids(turn.text), private)


def ingest(ledger, *said: StoredTurn, most: int = 1000) -> None:
    done = tuple(TurnOutcome(one.turn.id, "local", "") for one in said)
    ledger.commit(Commit("ann", ledger.version("ann"), outcomes=done, quotable=said, quotable_turns=most))


def test_what_was_ingested_can_be_quoted_oldest_first(ledger):
    turns = [say(ledger, text, n) for n, text in enumerate(["went to Oslo", "对花生过敏", "it rained \ud800"])]
    ingest(ledger, search(turns[2]), search(turns[0]), search(turns[1], private=True))
    found = ledger.quotable("ann")
    assert [turn.id for turn in found.turns] == ["t0", "t1", "t2"] == list(found.table.ids)
    assert [turn.text for turn in found.turns][:2] == ["went to Oslo", "对花生过敏"]
    assert found.private == {"t1"}
    for row, turn in enumerate(turns):
        start, end = found.table.offsets[row : row + 2]
        assert found.table.term_ids[start:end].tolist() == term_ids(turn.text).tolist()
        assert found.table.vectors[row].tolist() == search(turn).vector.tolist()


def test_an_unknown_user_said_nothing(ledger):
    found = ledger.quotable("nobody")
    assert (found.turns, len(found.table.ids), found.table.offsets.tolist()) == ((), 0, [0])


def test_only_the_latest_turns_stay_quotable(ledger):
    for n in range(9):
        ingest(ledger, search(say(ledger, f"word {n}", n)), most=3)
    assert [turn.id for turn in ledger.quotable("ann").turns] == ["t6", "t7", "t8"]


def test_one_users_turns_are_not_anothers(ledger):
    ingest(ledger, search(say(ledger, "mine", 1)))
    other = say(ledger, "theirs", 2, user="bob")
    ledger.commit(Commit("bob", 0, quotable=(search(other),), quotable_turns=9))
    assert [turn.text for turn in ledger.quotable("ann").turns] == ["mine"]
    assert [turn.text for turn in ledger.quotable("bob").turns] == ["theirs"]


@pytest.mark.parametrize(
    ("erase", "left"),
    [
        ({"turn_ids": ("t0",)}, ["t1", "t2"]),
        ({"words": ("Oslo",)}, ["t1", "t2"]),
        ({"session_id": "s2"}, ["t0", "t1"]),
        ({"whole_user": True}, []),
    ],
)
def test_an_erased_turn_is_never_quoted(ledger, erase, left):
    turns = [say(ledger, "went to Oslo", 0), say(ledger, "it rained", 1), say(ledger, "likes tea", 2, session="s2")]
    ingest(ledger, *map(search, turns))
    ledger.erase(Redaction(Commit("ann", ledger.version("ann")), **erase))
    assert [turn.id for turn in ledger.quotable("ann").turns] == left


def test_a_lost_race_writes_nothing(ledger):
    from hermes_core.errors import VersionConflict

    turn = say(ledger, "went to Oslo", 0)
    with pytest.raises(VersionConflict):
        ledger.commit(Commit("ann", 5, quotable=(search(turn),), quotable_turns=9))
    assert ledger.quotable("ann").turns == ()


def test_search_data_is_sealed_and_sealed_anew_with_a_cipher(tmp_path):
    from hermes_core.stores.sql.schema import quotable

    class Reversed:
        """A cipher good enough to see that one was used."""

        def encrypt(self, body: bytes) -> bytes:
            return bytes(body)[::-1]

        decrypt = encrypt

    path = tmp_path / "ledger.db"
    plain = SqlLedger.open(path)
    ingest(plain, search(say(plain, "went to Oslo", 0)))
    before = plain.quotable("ann")
    plain.close()
    sealed = SqlLedger.open(path, cipher=Reversed())
    sealed.reseal()
    ingest(sealed, search(say(sealed, "it rained", 1)))
    with sealed._db.engine.connect() as connection:
        blobs = [bytes(blob) for row in connection.execute(quotable.select()) for blob in (row.vector, row.terms)]
    assert all(blob.startswith(b"\xff") for blob in blobs)
    after = sealed.quotable("ann")
    assert after.table.vectors[0].tolist() == before.table.vectors[0].tolist()
    assert [turn.text for turn in after.turns] == ["went to Oslo", "it rained"]
    sealed.close()
