"""Whatever a file holds, reading it ends in turns or in InvalidInput; and a transcript read twice changes nothing (J5)."""

import json
from datetime import datetime, timedelta, timezone

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes_core import Hermes
from hermes_core.errors import InvalidInput
from hermes_core.importers import open_chat, read_turns
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.testing import FakeClock, HashEmbedder, ScriptedExtractor, candidate

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["user", "assistant", "human", "text"]),
)
KEYS = st.sampled_from(
    [
        "role",
        "content",
        "messages",
        "mapping",
        "current_node",
        "chat_messages",
        "message",
        "author",
        "parts",
        "text",
        "type",
        "id",
        "parent",
        "children",
        "from",
        "value",
        "timestamp",
        "create_time",
        "session_id",
        "content_type",
        "sender",
        "metadata",
        "recipient",
        "title",
    ]
)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=25
)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "x"]), "content": JSON}, optional={"timestamp": SCALARS}
)
RECORD = (
    JSON
    | MESSAGE
    | st.fixed_dictionaries({"messages": st.lists(MESSAGE | JSON, max_size=4)})
    | st.fixed_dictionaries(
        {
            "mapping": st.dictionaries(
                st.sampled_from("abc"),
                st.fixed_dictionaries({"parent": st.sampled_from("abcd"), "message": MESSAGE | JSON}),
            ),
            "current_node": SCALARS | st.sampled_from("abc"),
        }
    )
)
PIECES = st.sampled_from(
    [
        "user:",
        "User: hi",
        "用户：",
        "助手: 好",
        "\n",
        "\n\n\n",
        "---",
        "# 2024-05-01",
        "[2024-05-01 10:00] ",
        "2024年13月1日 ",
        "：",
        "{",
        "[",
        '"',
        "\\",
        "\x00",
        "a b",
        "会话",
        "👍",
    ]
)
SETTINGS = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True
)


def check(path, content):
    path.write_bytes(content)
    for skip in (False, True):
        try:
            chat = open_chat(path, skip_problems=skip)
        except InvalidInput:
            continue
        turns = list(chat)
        assert len(turns) == chat.turn_count > 0
        assert turns == list(chat)
        assert len({turn.id for turn in turns}) == len(turns) or any(
            b'"%s"' % key in content for key in (b"id", b"message")
        )
        for turn in turns:
            assert turn.role in ("user", "assistant")
            assert turn.text.strip()
            assert turn.said_at.utcoffset() == timedelta(0)
            turn.text.encode("utf-8")
            turn.session_id.encode("utf-8")


@SETTINGS
@given(st.binary(max_size=200))
def test_any_bytes(tmp_path, content):
    check(tmp_path / "a.txt", content)


@SETTINGS
@given(st.lists(PIECES, max_size=20).map("".join), st.sampled_from(["utf-8", "utf-16", "gb18030"]))
def test_any_transcript(tmp_path, content, encoding):
    check(tmp_path / "a.txt", content.encode(encoding))


@SETTINGS
@given(st.lists(RECORD, max_size=4))
def test_any_json_lines(tmp_path, records):
    check(tmp_path / "a.jsonl", "\n".join(map(json.dumps, records)).encode())


@SETTINGS
@given(st.lists(RECORD, max_size=4), st.integers(0, 30))
def test_any_json_whole_or_cut_off(tmp_path, records, cut):
    text = json.dumps(records, indent=1)
    check(tmp_path / "a.json", text[: len(text) - cut].encode() if cut < 10 else text.encode())


def test_a_transcript_read_again_changes_nothing(tmp_path):
    talk = "user: My dog is Rex\nassistant: ok\n---\nuser: My dog is Rex\nassistant: ok\n"
    one, other = tmp_path / "a.txt", tmp_path / "renamed.txt"
    one.write_text(talk)
    other.write_text(talk)
    script = {"My dog is Rex": [candidate("My dog is Rex", kind="fact", slot="pet", value="Rex", importance=0.8)]}
    clock = FakeClock(datetime(2026, 6, 1, tzinfo=timezone.utc))
    hermes = Hermes.open(
        None,
        ledger=InMemoryLedger(),
        chroma=False,
        embedder=HashEmbedder(),
        extractor=ScriptedExtractor(script),
        clock=clock,
        worker=False,
    )
    seen = []
    for path in (one, one, other):
        for turn in read_turns(path, start=datetime(2026, 5, 1, tzinfo=timezone.utc)):
            hermes.session("me", turn.session_id).observe(turn.role, turn.text, at=turn.said_at, turn_id=turn.id)
        hermes.flush("me")
        seen.append(([item.model_dump() for item in hermes.memories("me")], len(hermes.history("me"))))
    hermes.close()
    assert len(seen[0][0]) == 1
    assert seen[0][0][0]["confirmations"] == 2.0
    assert seen[0] == seen[1] == seen[2]
