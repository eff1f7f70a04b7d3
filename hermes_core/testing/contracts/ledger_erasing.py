"""What every Ledger does about its outbox and about forgetting: part of LedgerContract.

No implementation may be known here.
"""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from hermes_core.changes import Cause, refusal
from hermes_core.errors import VersionConflict
from hermes_core.items import MemoryItem, Status
from hermes_core.ports import OUTBOX_CUT, Commit, Ledger, Redaction, Summary, Tombstone, TurnOutcome
from hermes_core.testing.contracts.builders import T0, forgetting, held, image, item, later, putting, stored, turn
from hermes_core.testing.contracts.reading import assert_trail_is_state, loaded_items

NOW = later(600)


class OutboxContract:
    """DESIGN §6: what the index has not seen is in the same transaction."""

    def test_rows_hold_the_item_as_it_is_now(self, ledger: Ledger) -> None:
        ledger.commit(putting(0, item(1)))
        newer = msgspec.structs.replace(item(1), confirmations=2.0)
        ledger.commit(Commit("u1", 1, (image(newer, before=item(1)),), (stored(newer),)))
        rows = ledger.outbox()
        assert [(r.user_id, r.item_id, r.erase) for r in rows] == [("u1", item(1).id, False)] * 2
        assert {r.stored.item.confirmations for r in rows if r.stored is not None} == {2.0}
        assert ledger.outbox_count() == 2

    def test_rows_are_settled_one_by_one(self, ledger: Ledger) -> None:
        ledger.commit(putting(0, item(1), item(2), item(3)))
        rows = ledger.outbox()
        ledger.settle([rows[1].row_id])
        assert [r.row_id for r in ledger.outbox()] == [rows[0].row_id, rows[2].row_id]
        ledger.settle([r.row_id for r in rows])
        ledger.settle([])
        ledger.commit(putting(1, item(4)))
        assert ledger.outbox()[0].row_id > rows[-1].row_id
        assert ledger.outbox(limit=0) == []

    def test_a_dropped_item_leaves_a_row_without_it(self, ledger: Ledger) -> None:
        ledger.commit(putting(0, item(1)))
        ledger.settle([r.row_id for r in ledger.outbox()])
        ledger.commit(forgetting(1, item(1)))
        (row,) = ledger.outbox()
        assert (row.item_id, row.stored) == (item(1).id, None)

    def test_what_nobody_takes_away_is_dropped_and_marked_but_for_erasures(self, ledger: Ledger) -> None:
        ledger.commit(putting(0, item(1), item(2)))
        ledger.erase(Redaction(forgetting(1, item(2))))
        for version in range(2, 12):
            newer = msgspec.structs.replace(item(1), confirmations=float(version))
            ledger.commit(Commit("u1", version, (image(newer, before=item(1)),), (stored(newer),)))
        assert (ledger.trim_outbox(most=20), ledger.meta(OUTBOX_CUT)) == (0, None)
        changed = [row for row in ledger.outbox() if not row.erase]
        assert ledger.trim_outbox(most=2) == len(changed) >= 12
        mark = ledger.meta(OUTBOX_CUT)
        assert mark
        assert {(row.item_id, row.erase) for row in ledger.outbox()} == {(item(2).id, True)}
        ledger.commit(putting(12, item(3)))
        assert (ledger.trim_outbox(most=0), ledger.meta(OUTBOX_CUT)) == (0, mark), "fewer rows than the items allow"

    def test_all_items_of_all_users(self, ledger: Ledger) -> None:
        ledger.commit(putting(0, item(1), item(2, status=Status.ARCHIVED)))
        ledger.commit(putting(0, item(1, user="u2")))
        found = {s.item.id: s for s in ledger.all_items()}
        assert set(found) == {item(1).id, item(2).id, item(1, user="u2").id}
        for s in found.values():
            np.testing.assert_array_equal(s.vector, stored(s.item).vector)
            np.testing.assert_array_equal(s.terms, stored(s.item).terms)


class ErasingContract:
    """Law E, C6, G1 at store level."""

    SECRET = "allergic to peanuts"

    def told(self, ledger: Ledger) -> tuple[MemoryItem, MemoryItem]:
        """A secret in every place that can hold one."""
        ledger.add_turn(turn(1, text=f"I'm {self.SECRET}, and I like jazz"))
        ledger.add_turn(turn(2, session="s2", role="assistant", text=f"Noted: Allergic  to PEANUTS. {self.SECRET}"))
        ledger.add_turn(turn(3, session="s3", text="something else"))
        secret = item(1, text=f"User is {self.SECRET}", value=self.SECRET)
        other = item(2, held=(held(self.SECRET),))
        cause = Cause(by="turn", at=T0, session_id="s1", turn_id="t1")
        no = refusal("u1", reason="weaker", cause=cause, claim=f"is {self.SECRET}", detail=self.SECRET)
        base = putting(0, secret, other)
        made = Summary(user_id="u1", session_id="s1", text=f"is {self.SECRET}; jazz", facts=(self.SECRET, "jazz"))
        outcome = TurnOutcome("t1", "local", f"found {self.SECRET}")
        ledger.commit(Commit("u1", 0, (*base.changes, no), base.put, summaries=(made,), outcomes=(outcome,)))
        return secret, other

    def everything(self, ledger: Ledger) -> str:
        """All that the ledger's reads say about the user."""
        parts: list[object] = [
            ledger.turns("u1"),
            ledger.changes("u1"),
            list(ledger.load("u1").state),
            ledger.summaries("u1"),
            [ledger.turn_record("u1", t) for t in ("t1", "t2", "t3")],
            [row.stored.item for row in ledger.outbox() if row.stored is not None],
        ]
        return " ".join(repr(parts).lower().split())

    def test_an_item_and_its_words_are_gone_everywhere(self, ledger: Ledger) -> None:
        secret, _other = self.told(ledger)
        assert self.SECRET in self.everything(ledger)
        commit = forgetting(1, secret, tombstones=(Tombstone("d", NOW),))
        version = ledger.erase(Redaction(commit, (secret.id,), ("t1",), (self.SECRET,)))
        assert version == ledger.version("u1") == ledger.erased_version("u1") == 2
        assert self.SECRET not in self.everything(ledger)
        assert ledger.turns("u1")[0].text == "I'm [redacted], and I like jazz"
        assert ledger.turns("u1")[2].text == "something else"
        assert ledger.summaries("u1")[0].facts == ("jazz",)
        assert ledger.tombstones("u1") == {"d": NOW}
        kept = loaded_items(ledger)
        assert list(kept) == [_other.id]
        assert kept[_other.id].held == ()
        assert len(ledger.changes("u1")) == 4
        assert {c.event for c in ledger.changes("u1", secret.id)} >= {"forgotten"}
        assert_trail_is_state(ledger)
        erased = {r.item_id for r in ledger.outbox() if r.erase}
        assert erased == {secret.id, _other.id}

    def test_a_cited_turn_without_the_words_loses_its_text(self, ledger: Ledger) -> None:
        secret, _ = self.told(ledger)
        ledger.erase(Redaction(forgetting(1, secret), (secret.id,), ("t3",), ("peanuts",)))
        assert [t.text for t in ledger.turns("u1")][2] == "[redacted]"
        assert "peanuts" not in self.everything(ledger)

    def test_words_are_not_cut_out_of_others(self, ledger: Ledger) -> None:
        ledger.add_turn(turn(1, text="my tea is steaming, TEA! 我喜欢喝茶"))
        ledger.commit(putting(0, item(1)))
        ledger.erase(Redaction(forgetting(1, item(1)), (item(1).id,), (), ("tea", "喝茶")))
        assert ledger.turns("u1")[0].text == "my [redacted] is steaming, [redacted]! 我喜欢[redacted]"

    def test_a_session_is_gone(self, ledger: Ledger) -> None:
        secret, _ = self.told(ledger)
        ledger.erase(Redaction(forgetting(1, secret), (secret.id,), (), (), session_id="s1"))
        ledger.erase(Redaction(Commit("u1", 2), session_id="s2"))
        assert self.SECRET not in self.everything(ledger)
        assert [t.text for t in ledger.turns("u1")] == ["[redacted]", "[redacted]", "something else"]
        assert ledger.summaries("u1") == []
        assert ledger.add_turn(turn(1, text=self.SECRET)).text == "[redacted]"
        assert_trail_is_state(ledger)

    def test_a_whole_user_is_gone(self, ledger: Ledger) -> None:
        secret, other = self.told(ledger)
        ledger.commit(putting(0, item(1, user="u2")))
        ledger.settle([r.row_id for r in ledger.outbox()])
        commit = forgetting(1, secret, other, tombstones=(Tombstone("d", NOW),))
        version = ledger.erase(Redaction(commit, (secret.id, other.id), whole_user=True))
        assert ledger.version("u1") == version == 2
        assert self.SECRET not in self.everything(ledger)
        assert (ledger.turns("u1"), ledger.summaries("u1"), loaded_items(ledger)) == ([], [], {})
        assert all(c.after is None for c in ledger.changes("u1"))
        assert ledger.tombstones("u1") == {"d": NOW}
        assert {(r.item_id, r.stored, r.erase) for r in ledger.outbox()} >= {(secret.id, None, True)}
        assert list(loaded_items(ledger, "u2")) == [item(1, user="u2").id]
        assert ledger.users() == ["u2"]

    def test_a_lost_race_erases_nothing(self, ledger: Ledger) -> None:
        secret, _ = self.told(ledger)
        with pytest.raises(VersionConflict):
            ledger.erase(Redaction(forgetting(0, secret), (secret.id,), ("t1",), (self.SECRET,)))
        assert self.SECRET in self.everything(ledger)
