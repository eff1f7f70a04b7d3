"""What every Index must do, as a pytest class: subclass it and give a fixture `index` with a fresh one.

No implementation may be known here.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from hermes_core.items import Sensitivity, Status, decode_item
from hermes_core.ports import Index, IndexRecord
from hermes_core.testing.contracts.builders import ODD_TEXTS, ODD_USERS, T0, item, later, stored

FILTERED_BY = {
    "user_id": str,
    "subject": str,
    "kind": str,
    "slot": str,
    "layer": str,
    "status": str,
    "pool": str,
    "polarity": float,
    "confidence": float,
    "importance": float,
    "confirmations": float,
    "strength": float,
    "strength_at": float,
    "half_life_days": float,
    "last_seen": float,
    "version": float,
    "sensitivity": str,
    "item": str,
}


def only(index: Index) -> IndexRecord:
    (record,) = index.records()
    return record


class IndexContract:
    """The projection says what the ledger says: documents, vectors, flat metadata, nothing else."""

    def test_a_new_index_is_empty(self, index: Index) -> None:
        assert index.count() == 0
        assert index.records() == []
        index.publish([], [], T0)

    def test_records_hold_document_vector_and_metadata(self, index: Index) -> None:
        of = item(1, confidence=0.9, status=Status.FROZEN, version=4)
        index.publish([stored(of)], [], later(60 * 24 * 30))
        record = only(index)
        assert (record.id, record.document) == (of.id, of.text)
        assert record.vector == pytest.approx(stored(of).vector.tolist(), abs=1e-6)
        assert {name: type(value) for name, value in record.metadata.items()} == FILTERED_BY
        expected = {"user_id": "u1", "status": "frozen", "pool": "frozen", "layer": "dynamic", "half_life_days": 30.0}
        assert {name: record.metadata[name] for name in expected} == expected
        assert record.metadata["confidence"] == pytest.approx(0.9)
        assert record.metadata["version"] == 4.0
        assert record.metadata["last_seen"] == pytest.approx(T0.timestamp())

    def test_strength_is_as_of_the_moment_of_publishing(self, index: Index) -> None:
        of = item(1, confidence=0.8)
        index.publish([stored(of)], [], later(60 * 24 * 30))
        assert only(index).metadata["strength"] == pytest.approx(0.4)
        assert only(index).metadata["strength_at"] == pytest.approx(later(60 * 24 * 30).timestamp())

    def test_the_item_comes_back_from_its_record(self, index: Index) -> None:
        of = item(1, qualifiers=("a", "b"), hit_at=T0, note="备注", visible_to=("agent",))
        index.publish([stored(of)], [], T0)
        assert decode_item(str(only(index).metadata["item"]).encode()) == of

    @pytest.mark.parametrize(
        "fields",
        [
            {"half_life_days": None, "hit_at": None, "evidence": ()},
            {"visible_to": ("a", "b"), "qualifiers": (), "subject": ""},
            {"value": "", "slot": "", "text": ""},
        ],
    )
    def test_optional_fields_round_trip(self, index: Index, fields: dict[str, Any]) -> None:
        """S1."""
        of = item(1, **fields)
        index.publish([stored(of)], [], T0)
        record = only(index)
        assert decode_item(str(record.metadata["item"]).encode()) == of
        assert {name: type(value) for name, value in record.metadata.items()} == FILTERED_BY

    @pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS.keys())
    def test_odd_text_is_published(self, index: Index, text: str) -> None:
        """L4: what UTF-8 can hold comes back as it was, the rest readable."""
        of = item(1, text=text, value=text)
        index.publish([stored(of)], [], T0)
        assert only(index).document == text.encode("utf-8", "backslashreplace").decode()
        assert decode_item(str(only(index).metadata["item"]).encode()) == of

    def test_odd_users_keep_apart(self, index: Index) -> None:
        """S2. (A user id with a lone surrogate is published as its escape, which is left out here.)"""
        users = [user for name, user in ODD_USERS.items() if name != "surrogate"]
        for n, user in enumerate(users):
            index.publish([stored(item(n, user=user, id=f"id{n}"))], [], T0)
        for n, user in enumerate(users):
            assert [r.id for r in index.records(user)] == [f"id{n}"]

    def test_publishing_again_replaces_everything(self, index: Index) -> None:
        of = item(1)
        index.publish([stored(of)], [], T0)
        newer = msgspec.structs.replace(of, half_life_days=None, status=Status.ARCHIVED, confidence=0.1, text="")
        for _ in range(2):
            index.publish([stored(newer, seed=9)], [], T0)
        record = only(index)
        assert (record.metadata["half_life_days"], record.metadata["status"], record.document) == (0.0, "archived", "")
        assert record.vector == pytest.approx(stored(newer, seed=9).vector.tolist(), abs=1e-6)

    def test_gone_records_go(self, index: Index) -> None:
        index.publish([stored(item(n)) for n in range(3)], [], T0)
        index.publish([stored(item(3))], [item(0).id, "never-seen"], T0)
        assert [r.id for r in index.records()] == [item(n).id for n in (1, 2, 3)]
        assert index.count() == 3

    def test_one_id_twice_in_a_call_is_its_last(self, index: Index) -> None:
        index.publish([stored(item(1)), stored(item(1, text="second"))], [], T0)
        assert only(index).document == "second"

    def test_a_rebuild_holds_what_it_was_given(self, index: Index) -> None:
        """G3."""
        index.publish([stored(item(n)) for n in range(3)], [], T0)
        assert index.rebuild((stored(item(n)) for n in (2, 7)), T0) == 2
        assert [r.id for r in index.records()] == [item(2).id, item(7).id]
        assert index.needs_rebuild() is None
        assert index.rebuild([], T0) == 0
        assert index.count() == 0

    def test_erase_takes_only_what_it_names(self, index: Index) -> None:
        index.rebuild([stored(item(n)) for n in range(4)], T0)
        before = {r.id: r for r in index.records()}
        index.erase([item(1).id, "never-seen"])
        after = {r.id: r for r in index.records()}
        assert set(after) == set(before) - {item(1).id}
        for record in after.values():
            assert record.document == before[record.id].document
            assert record.metadata == before[record.id].metadata
            assert record.vector == pytest.approx(before[record.id].vector, abs=1e-6)
        assert index.needs_rebuild() is None

    def test_a_sensitive_item_says_nothing(self, index: Index) -> None:
        """C8."""
        secrets = [
            item(n, sensitivity=Sensitivity.SENSITIVE, text="HIV 阳性", value="HIV", slot="health.hiv", subject="user")
            for n in (1, 2)
        ]
        index.publish([stored(s) for s in secrets], [], T0)
        first, second = index.records("u1")
        assert first.vector == second.vector
        assert first.document == ""
        assert "hiv" not in repr(first).lower()
        assert first.metadata["sensitivity"] == "sensitive"
        assert first.metadata["status"] == "confirmed"
