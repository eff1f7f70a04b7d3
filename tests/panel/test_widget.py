"""C1 in a notebook: the widget without a kernel, its messages, and the table for code hosts."""

from __future__ import annotations

import pytest

from hermes_core import Hermes, InvalidInput
from tests.panel.conftest import USER, item

pytest.importorskip("anywidget", reason="the extra 'panel' is not installed")


@pytest.fixture
def widget(memory: Hermes):
    shown = memory.panel(USER)
    shown.sent = []
    shown.send = shown.sent.append  # what would go to the front end
    return shown


def test_it_carries_the_page_script_and_the_view(widget, memory: Hermes):
    assert "export default { render }" in widget._esm
    assert ".hermes-panel" in widget._css
    assert {i["id"] for i in widget.view["items"]} == {i.id for i in memory.memories(USER)}
    assert widget.view["users"] == [USER]


def test_messages_are_answered(widget, memory: Hermes):
    jazz = item(memory, "jazz")
    widget._handle_custom_msg({"id": "1", "action": "pin", "item_id": jazz.id, "pinned": True}, [])
    widget._handle_custom_msg({"id": "2", "action": "view", "language": "zh"}, [])
    widget._handle_custom_msg({"id": "3", "action": "explode"}, [])
    widget._handle_custom_msg("nonsense", [])
    assert memory.get(USER, jazz.id).pinned
    assert [(reply["id"], reply["ok"]) for reply in widget.sent] == [
        ("1", True),
        ("2", True),
        ("3", False),
        (None, False),
    ]
    assert widget.sent[1]["view"]["words"]["status"]["frozen"] == "已冻结"


def test_what_is_saved_with_the_notebook_follows_what_was_done(widget, memory: Hermes):
    before = widget.view["version"]
    widget._handle_custom_msg({"id": "1", "action": "view", "query": "jazz"}, [])
    assert widget.view["version"] == before
    assert len(widget.view["items"]) > 1
    widget._handle_custom_msg({"id": "2", "action": "forget", "item_id": item(memory, "jazz").id}, [])
    assert widget.view["version"] == memory.state(USER).version > before
    assert "jazz" not in str(widget.view)
    memory.forget(USER, item(memory, "green tea").id)
    assert "green tea" not in widget._repr_mimebundle_()[0]["text/html"]


def test_it_knows_one_user_only(widget, memory: Hermes):
    eggs = item(memory, "eggs", "mo")
    widget._handle_custom_msg({"id": "1", "action": "view", "user_id": "mo"}, [])
    widget._handle_custom_msg({"id": "2", "action": "forget", "user_id": USER, "item_id": eggs.id}, [])
    assert [reply["error"]["kind"] for reply in widget.sent] == ["OwnerMismatch", "OwnerMismatch"]


def test_code_hosts_get_an_escaped_table(widget):
    data, _ = widget._repr_mimebundle_()
    table = data["text/html"]
    assert "I&#x27;m allergic to peanuts" in table
    assert "&lt;img" in table
    assert "<img" not in table
    assert "<script" not in table
    assert "application/vnd.jupyter.widget-view+json" in data


def test_the_table_speaks_chinese(memory: Hermes):
    data, _ = memory.panel(USER, language="zh")._repr_mimebundle_()
    assert "关于 lin 的记忆" in data["text/html"]
    assert "已冻结" in data["text/html"]


def test_wrong_users_are_refused(memory: Hermes):
    with pytest.raises(InvalidInput):
        memory.panel("")
