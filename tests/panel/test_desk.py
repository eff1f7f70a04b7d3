"""C5 from the panel: each request does what it says in the ledger, and a wrong one is refused with our words (law O)."""

from __future__ import annotations

import pytest

from hermes_core import Hermes, NotFound
from hermes_core.panel import Desk
from hermes_core.panel.desk import status_of
from tests.panel.conftest import USER, item


def ask(desk: Desk, action: str, **more):
    return desk.answer({"id": 7, "action": action, "user_id": USER, **more})


def test_confirm_reject_and_pin(desk: Desk, memory: Hermes):
    jazz = item(memory, "jazz")
    assert ask(desk, "confirm", item_id=jazz.id)["ok"]
    assert memory.get(USER, jazz.id).confidence > jazz.confidence
    ask(desk, "pin", item_id=jazz.id, pinned=True)
    assert memory.get(USER, jazz.id).pinned
    ask(desk, "pin", item_id=jazz.id, pinned=False)
    assert not memory.get(USER, jazz.id).pinned
    ask(desk, "reject", item_id=jazz.id)
    assert memory.get(USER, jazz.id).status == "stale"


def test_correct_replies_with_the_new_view(desk: Desk, memory: Hermes):
    jazz = item(memory, "jazz")
    reply = ask(desk, "correct", item_id=jazz.id, text="I love bebop")
    assert reply["id"] == 7
    assert any(i["text"] == "I love bebop" and i["status"] != "archived" for i in reply["view"]["items"])
    assert memory.get(USER, jazz.id).status == "archived"


def test_forget_erases(desk: Desk, memory: Hermes):
    jazz = item(memory, "jazz")
    reply = ask(desk, "forget", item_id=jazz.id)
    assert all("jazz" not in i["text"] for i in reply["view"]["items"])
    assert all("jazz" not in line["line"] for line in reply["view"]["trail"])
    with pytest.raises(NotFound):
        memory.get(USER, jazz.id)


def test_approve_and_decline(desk: Desk, memory: Hermes):
    short = item(memory, "answers short")
    ask(desk, "decline", item_id=short.id, override=0)
    assert memory.get(USER, short.id).held == ()
    assert memory.get(USER, short.id).status == "frozen"
    assert ask(desk, "decline", item_id=short.id, override=0)["error"]["kind"] == "NotFound"


def test_approve_lets_the_held_statement_take_over(desk: Desk, memory: Hermes):
    short = item(memory, "answers short")
    ask(desk, "approve", item_id=short.id, override=0)
    assert memory.get(USER, short.id).status == "archived"
    assert item(memory, "longer answers").status == "frozen"


def test_another_users_item_and_another_user_are_refused(memory: Hermes):
    eggs = item(memory, "eggs", "mo")
    open_desk, own = Desk(memory), Desk(memory, USER)
    for refused in (ask(open_desk, "forget", item_id=eggs.id), own.answer({"action": "view", "user_id": "mo"})):
        assert refused["error"]["kind"] == "OwnerMismatch"
        assert status_of(refused) == 403
        assert "view" not in refused
    assert item(memory, "eggs", "mo").status == "frozen"
    assert open_desk.users == ["lin", "mo"]
    assert own.users == ["lin"]


@pytest.mark.parametrize(
    ("request_", "kind", "status"),
    [
        ({}, "InvalidInput", 400),
        ([], "InvalidInput", 400),
        ({"action": "explode"}, "InvalidInput", 400),
        ({"action": "view", "language": "fr"}, "InvalidInput", 400),
        ({"action": "view", "user_id": 5}, "InvalidInput", 400),
        ({"action": "view", "query": 5}, "InvalidInput", 400),
        ({"action": "view", "user_id": "nobody"}, "NotFound", 404),
        ({"action": "forget", "item_id": "nothing"}, "NotFound", 404),
        ({"action": "forget"}, "InvalidInput", 400),
        ({"action": "pin", "item_id": "x", "pinned": "yes"}, "InvalidInput", 400),
        ({"action": "approve", "item_id": "x", "override": True}, "InvalidInput", 400),
        ({"action": "correct", "item_id": "x"}, "InvalidInput", 400),
    ],
)
def test_wrong_requests_are_refused_with_a_reason(desk: Desk, memory: Hermes, request_, kind: str, status: int):
    before = memory.history(USER)
    reply = desk.answer(request_)
    assert (reply["ok"], reply["error"]["kind"], status_of(reply)) == (False, kind, status)
    assert reply["error"]["message"]
    assert memory.history(USER) == before


def test_a_correction_that_is_too_long_says_so(desk: Desk, memory: Hermes):
    reply = ask(desk, "correct", item_id=item(memory, "jazz").id, text="very " * 80 + "long")
    assert "at most 50" in reply["error"]["message"]


def test_an_empty_store_and_a_closed_one(open_hermes):
    hermes = open_hermes()
    assert Desk(hermes).answer({"action": "view"})["error"]["kind"] == "NotFound"
    assert Desk(hermes, "new").answer({"action": "view"})["view"]["items"] == []
    hermes.close()
    reply = Desk(hermes, "new").answer({"action": "view"})
    assert (reply["error"]["kind"], status_of(reply)) == ("Closed", 503)
