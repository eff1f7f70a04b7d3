"""OpenAI-style JSON Lines and JSON, ChatGPT and Claude exports."""

import json
import zipfile
from datetime import datetime, timezone

import pytest

from hermes_core.errors import InvalidInput
from hermes_core.importers import open_chat
from hermes_core.importers.source import elements


def utc(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc)


@pytest.fixture
def write(tmp_path):
    def file(name, content):
        path = tmp_path / name
        path.write_text(
            content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), encoding="utf-8"
        )
        return path

    return file


def lines(*records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def said(path, **options):
    return [(turn.session_id, turn.role, turn.text) for turn in open_chat(path, **options)]


def test_one_message_a_line(write):
    path = write(
        "log.jsonl",
        lines(
            {"role": "system", "content": "Be nice."},
            {"role": "user", "content": "我对花生过敏。"},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "x"}]},
            {"role": "tool", "content": "42"},
            {"role": "assistant", "content": "ok"},
        ),
    )
    assert said(path) == [("log", "user", "我对花生过敏。"), ("log", "assistant", "ok")]
    assert open_chat(path).format == "messages"
    assert said(path, session_id="s9") == [("s9", "user", "我对花生过敏。"), ("s9", "assistant", "ok")]


@pytest.mark.parametrize(
    "content",
    [
        [
            {"type": "text", "text": "one"},
            {"type": "image_url", "image_url": {"url": "x"}},
            {"type": "text", "text": "two"},
        ],
        [{"type": "input_text", "text": "one"}, {"type": "input_text", "text": "two"}],
        ["one", "two"],
        {"content_type": "text", "parts": ["one", "two"]},
        [{"type": "text", "text": {"value": "one"}}, "two"],
        "one\ntwo",
    ],
)
def test_contents(write, content):
    assert said(write("a.jsonl", lines({"role": "user", "content": content})))[0][2] == "one\ntwo"


@pytest.mark.parametrize("key", ["messages", "conversations", "conversation", "turns"])
def test_a_conversation_a_line(write, key):
    one = {key: [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}
    other = {"id": "c-2", key: [{"from": "human", "value": "c"}, {"from": "gpt", "value": "d"}]}
    assert said(write("a.jsonl", lines(one, one, other))) == [
        ("a", "user", "a"),
        ("a", "assistant", "b"),
        ("a-2", "user", "a"),
        ("a-2", "assistant", "b"),
        ("c-2", "user", "c"),
        ("c-2", "assistant", "d"),
    ]


@pytest.mark.parametrize(
    "content",
    [
        [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}],
        {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]},
        [{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}],
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_whole_json_files(write, content, indent):
    path = write("a.json", json.dumps(content, indent=indent))
    assert said(path) == [("a", "user", "a"), ("a", "assistant", "b")]


@pytest.mark.parametrize(
    ("stamp", "wanted"),
    [
        (1714559400, utc(1714559400)),
        (1714559400.5, utc(1714559400.5)),
        (1714559400000, utc(1714559400)),
        ("1714559400", utc(1714559400)),
        ("2024-05-01T10:30:00Z", utc(1714559400)),
        ("2024-05-01T12:30:00+02:00", utc(1714559400)),
        ("2024-05-01 10:30:00.123456789 UTC", utc(1714559400.123456)),
    ],
)
@pytest.mark.parametrize("key", ["timestamp", "created_at", "create_time", "said_at"])
def test_times(write, key, stamp, wanted):
    (turn,) = open_chat(write("a.jsonl", lines({"role": "user", "content": "a", key: stamp})))
    assert turn.said_at == wanted


def test_missing_times_follow_each_other_from_the_start(write):
    start = datetime(2025, 1, 1, tzinfo=timezone.utc)
    talk = {"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]}
    turns = list(open_chat(write("a.jsonl", lines(talk, talk)), start=start))
    assert [t.said_at.isoformat()[:16] for t in turns] == [
        "2025-01-01T00:00",
        "2025-01-01T00:01",
        "2025-01-02T00:00",
        "2025-01-02T00:01",
    ]


def test_a_few_missing_times_are_filled_in_from_their_neighbours(write):
    path = write(
        "a.jsonl",
        lines(
            {"role": "user", "content": "a"},
            {"role": "user", "content": "b", "timestamp": 1714559400},
            {"role": "user", "content": "c"},
        ),
    )
    assert [t.said_at for t in open_chat(path)] == [utc(1714559340), utc(1714559400), utc(1714559460)]


def test_without_a_start_the_last_session_is_not_in_the_future(write):
    talk = {"messages": [{"role": "user", "content": "a"}]}
    path = write("a.jsonl", lines(*[talk] * 20))
    assert all(turn.said_at < datetime.now(timezone.utc) for turn in open_chat(path))


def test_every_bad_line_is_named_and_nothing_comes_of_the_file(write):
    path = write(
        "bad.jsonl",
        lines({"role": "user", "content": "fine"})
        + "{not json}\n"
        + lines([1], {"foo": 1}, {"role": "king", "content": "x"}, {"role": "user", "content": 5})
        + lines({"role": "user", "content": "x", "timestamp": "yesterday"}),
    )
    with pytest.raises(InvalidInput) as caught:
        open_chat(path)
    message = str(caught.value)
    assert "6 places; nothing was imported" in message
    for number, words in [(2, "no valid JSON"), (3, "a number"), (4, "'foo'"), (5, "'king'"), (6, "a number")]:
        assert any(f"bad.jsonl:{number}:" in line and words in line for line in message.splitlines())
    assert "and 1 more" in message


def test_bad_places_can_be_left_out(write):
    path = write(
        "bad.jsonl",
        lines({"role": "user", "content": "fine"}) + "{broken}\n" + lines({"role": "user", "content": "too"}),
    )
    chat = open_chat(path, skip_problems=True)
    assert [turn.text for turn in chat] == ["fine", "too"]
    assert [problem.line for problem in chat.problems] == [2]


@pytest.mark.parametrize(
    "content", ['{"messages": [{"role": "user", "cont', '[{"role": "user", "content": "a"}, {"role":', "[1, 2", "{}"]
)
def test_files_cut_off_are_refused(write, content):
    with pytest.raises(InvalidInput, match=r"a\.json"):
        open_chat(write("a.json", content))


@pytest.mark.parametrize("content", ["[" * 5000, '{"a":' * 5000])
def test_absurd_nesting_is_refused(write, content):
    with pytest.raises(InvalidInput):
        open_chat(write("a.json", content))


def test_lone_surrogates_in_json_are_replaced(write):
    path = write("a.jsonl", '{"role": "user", "content": "x\\ud83dy\\u0000z"}\n')
    assert said(path)[0][2] == "x\ufffdy z"


# ChatGPT


def node(key, parent, children, role="user", text="", **message):
    content = message.pop("content", {"content_type": "text", "parts": [text]})
    return {
        "id": key,
        "parent": parent,
        "children": children,
        "message": {"id": f"m-{key}", "author": {"role": role}, "content": content, **message},
    }


def chatgpt(**more):
    nodes = [
        {"id": "root", "parent": None, "children": ["sys"], "message": None},
        node("sys", "root", ["ctx"], "system", "", metadata={"is_visually_hidden_from_conversation": True}),
        node("ctx", "sys", ["u1"], "user", content={"content_type": "user_editable_context", "user_profile": "secret"}),
        node("u1", "ctx", ["old", "a1"], "user", "I moved to Lyon.", create_time=1714559400.25),
        node("old", "u1", [], "assistant", "an abandoned answer", create_time=1714559401),
        node("a1", "u1", ["call"], "assistant", "Lyon is lovely.", create_time=1714559402),
        node(
            "call",
            "a1",
            ["tool"],
            "assistant",
            "search()",
            recipient="browser",
            content={"content_type": "code", "text": "x"},
        ),
        node("tool", "call", ["think"], "tool", "results"),
        node("think", "tool", ["u2"], "assistant", content={"content_type": "thoughts", "thoughts": []}),
        node(
            "u2",
            "think",
            ["a2"],
            "user",
            content={
                "content_type": "multimodal_text",
                "parts": [
                    {"content_type": "image_asset_pointer"},
                    "看这张图",
                    {"content_type": "audio_transcription", "text": "hello"},
                ],
            },
        ),
        node("a2", "u2", [], "assistant", "A cat."),
    ]
    return {
        "title": "Moving",
        "conversation_id": "conv-1",
        "create_time": 1714559399.0,
        "current_node": "a2",
        "mapping": {n["id"]: n for n in nodes},
        **more,
    }


WANTED = [
    ("conv-1", "user", "I moved to Lyon."),
    ("conv-1", "assistant", "Lyon is lovely."),
    ("conv-1", "user", "看这张图\nhello"),
    ("conv-1", "assistant", "A cat."),
]


def test_chatgpt_shows_the_branch_last_seen(write):
    path = write("conversations.json", [chatgpt()])
    assert said(path) == WANTED
    chat = open_chat(path)
    assert (chat.format, chat.session_count) == ("chatgpt", 1)
    assert next(iter(chat)).said_at == utc(1714559400.25)


def test_chatgpt_without_a_current_node_takes_the_latest_leaf(write):
    conversation = chatgpt(current_node=None)
    conversation["mapping"]["a2"]["message"]["create_time"] = 1714559500
    assert said(write("conversations.json", [conversation])) == WANTED


def test_chatgpt_with_a_circle_ends(write):
    conversation = chatgpt()
    conversation["mapping"]["root"]["parent"] = "a2"
    assert said(write("conversations.json", [conversation])) == WANTED


def test_chatgpt_with_a_broken_mapping_is_named(write):
    with pytest.raises(InvalidInput, match="conversation 'Moving': its mapping is a list"):
        open_chat(write("conversations.json", [chatgpt(mapping=[])]))


def test_chatgpts_archive_is_read_as_it_comes(tmp_path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("chat.html", "<html>")
        archive.writestr("conversations-000.json", json.dumps([chatgpt()]))
        archive.writestr("conversations-001.json", json.dumps([chatgpt(conversation_id="conv-2")]))
    found, seen = said(path), []
    assert len(list(open_chat(path).turns(lambda done, total: seen.append((done, total))))) == 8
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]
    assert found[:4] == WANTED
    assert {session for session, _, _ in found[4:]} == {"conv-2"}


def test_an_archive_without_chats_is_refused(tmp_path):
    path = tmp_path / "photos.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("photo.jpg", b"x")
    with pytest.raises(InvalidInput, match=r"without a conversations\.json"):
        open_chat(path)


def test_claudes_export(write):
    conversation = {
        "uuid": "c-1",
        "name": "Tea",
        "created_at": "2024-05-01T10:00:00.000000Z",
        "chat_messages": [
            {
                "uuid": "m1",
                "sender": "human",
                "text": "",
                "content": [{"type": "text", "text": "I like tea."}],
                "created_at": "2024-05-01T10:00:01.5Z",
            },
            {
                "uuid": "m2",
                "sender": "assistant",
                "text": "Noted.",
                "content": [],
                "created_at": "2024-05-01T10:00:05Z",
            },
        ],
    }
    path = write("conversations.json", [conversation, {"uuid": "c-2", "name": "", "chat_messages": []}])
    assert open_chat(path).format == "claude"
    assert said(path) == [("c-1", "user", "I like tea."), ("c-1", "assistant", "Noted.")]


# big files


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10_000])
def test_an_array_is_split_the_same_in_any_pieces(size):
    records = [{"a": 'x"[]{},\\'}, [1, [2]], "te,xt\\", 5, {}, {"深": "度\n"}]
    text = "\ufeff \n" + json.dumps(records, indent=1, ensure_ascii=True) + "\n"
    text = text.lstrip("\ufeff")
    found = list(elements(text[i : i + size] for i in range(0, len(text), size)))
    assert [json.loads(part) for _, part in found] == records
    assert [line for line, _ in found][:2] == [3, 6]


def test_progress_reaches_the_end_and_never_goes_back(write):
    seen = []
    path = write("big.jsonl", lines(*({"role": "user", "content": f"message {i}"} for i in range(3000))))
    turns = open_chat(path).turns(lambda done, total: seen.append((done, total)))
    assert seen == []
    next(turns)
    assert sum(1 for _ in turns) == 2999
    assert len(seen) > 5
    assert seen == sorted(seen)
    assert seen[-1] == (path.stat().st_size,) * 2


# ids


def test_ids_are_the_same_under_another_name_and_grow_with_the_file(tmp_path):
    talk = [{"role": "user", "content": text} for text in ("hi", "ok", "ok", "tea", "ok")]
    one, other, longer = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "c.jsonl"
    one.write_text(lines(*talk))
    other.write_text(lines(*talk))
    longer.write_text(lines(*talk, {"role": "user", "content": "coffee"}, {"role": "user", "content": "ok"}))
    ids = [[turn.id for turn in open_chat(path)] for path in (one, other, longer)]
    assert ids[0] == ids[1] == ids[2][:5]
    assert len(set(ids[2])) == 7


def test_the_same_words_in_another_session_are_another_turn(write):
    talk = {"messages": [{"role": "user", "content": "hi"}]}
    ids = [turn.id for turn in open_chat(write("a.jsonl", lines(talk, talk, {"id": "x", **talk})))]
    assert len(set(ids)) == 3


def test_a_session_that_is_taken_up_again_keeps_its_turns_apart(write):
    said_twice = [{"role": "user", "content": "ok", "session_id": s} for s in ("a", "b", "a")]
    assert len({turn.id for turn in open_chat(write("a.jsonl", lines(*said_twice)))}) == 3


@pytest.mark.parametrize("name", ["a\nb", " ", "x" * 1000, {"a": 1}, True, "\ud800", 7, "会话一"])
def test_any_session_id_becomes_a_usable_one(write, name):
    (turn,) = open_chat(write("a.jsonl", json.dumps({"role": "user", "content": "hi", "session_id": name})))
    assert 0 < len(turn.session_id) <= 512
    assert turn.session_id.isprintable()


def test_blank_turns_are_left_out_and_their_break_is_kept(write):
    talk = [{"messages": [{"role": "user", "content": "\x00"}, {"role": "user", "content": "b"}]}] * 2
    assert said(write("a.jsonl", lines(*talk))) == [("a", "user", "b"), ("a-2", "user", "b")]


@pytest.mark.parametrize(
    ("options", "words"),
    [({"format": "xml"}, "xml"), ({"timezone": "Mars/Olympus"}, "Mars"), ({"start": datetime(2024, 1, 1)}, "aware")],
)
def test_bad_options_are_named(write, options, words):
    with pytest.raises(InvalidInput, match=words):
        open_chat(write("a.jsonl", lines({"role": "user", "content": "hi"})), **options)


def test_what_is_no_file_is_named(tmp_path):
    with pytest.raises(InvalidInput, match="can't read"):
        open_chat(tmp_path / "missing.jsonl")
    with pytest.raises(InvalidInput, match="is a folder"):
        open_chat(tmp_path)
