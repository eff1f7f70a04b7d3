"""Plain transcripts, as people paste them."""

from datetime import datetime, timezone

import pytest

from hermes_core.errors import InvalidInput
from hermes_core.importers import open_chat


@pytest.fixture
def chat(tmp_path):
    def write(text, **options):
        file = tmp_path / "chat.txt"
        file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return open_chat(file, **options)

    return write


def said(chat):
    return [(turn.session_id, turn.role, turn.text) for turn in chat]


def test_roles_in_both_languages_and_words_over_several_lines(chat):
    found = chat(
        "User: Hello,\nI'm Anna.\n\nSecond paragraph: yes.\nassistant: Hi!\n用户：我对花生过敏。\n助手：好的，\n记住了。\n"
    )
    assert said(found) == [
        ("chat", "user", "Hello,\nI'm Anna.\n\nSecond paragraph: yes."),
        ("chat", "assistant", "Hi!"),
        ("chat", "user", "我对花生过敏。"),
        ("chat", "assistant", "好的，\n记住了。"),
    ]
    assert (found.format, found.turn_count, found.session_count) == ("plain", 4, 1)


@pytest.mark.parametrize(
    "line",
    [
        "**User:** hi",
        "### User: hi",
        "USER : hi",
        "  human: hi",
        "Me: hi",
        "我：hi",
        "用户: hi",
        "> 用户：hi"[2:],
        "人类： hi",
    ],
)
def test_ways_to_write_the_user(chat, line):
    assert [turn[1:] for turn in said(chat(line))] == [("user", "hi")]


@pytest.mark.parametrize(
    "line", ["AI: hi", "ChatGPT: hi", "Claude：hi", "助理：hi", "AI助手：hi", "**Assistant**: hi", "Bot: hi"]
)
def test_ways_to_write_the_assistant(chat, line):
    assert [turn[1:] for turn in said(chat("User: x\n" + line))][1] == ("assistant", "hi")


@pytest.mark.parametrize(
    "line",
    [
        "[2024-05-01 10:30] user: hi",
        "2024-05-01T10:30:00Z user: hi",
        "2024/5/1 10:30 - User: hi",
        "user (2024-05-01 10:30): hi",
        "2024年5月1日 10:30 用户：hi",
        "2024年5月1日 上午10:30 用户：hi",
        "【2024-05-01 10:30:00】用户：hi",
        "[2024-05-01 10:30 AM] user: hi",
        "[2024-05-01T12:30:00+02:00] user: hi",
    ],
)
def test_times_before_or_after_the_role(chat, line):
    (turn,) = chat(line)
    assert (turn.role, turn.text) == ("user", "hi")
    assert turn.said_at == datetime(2024, 5, 1, 10, 30, tzinfo=timezone.utc)


def test_naive_times_are_in_the_zone_given(chat):
    (turn,) = chat("[2024-05-01 10:30] user: hi", timezone="Asia/Shanghai")
    assert turn.said_at == datetime(2024, 5, 1, 2, 30, tzinfo=timezone.utc)
    (turn,) = chat("2024年5月1日 下午3:20 用户：下午好", timezone="Asia/Shanghai")
    assert turn.said_at == datetime(2024, 5, 1, 7, 20, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    "break_",
    ["---", "=====", "***", "\n\n\n", "\n---\n", "# 2024-05-01", "## Session 2", "--- Session 2 ---", "## 第2次会话"],
)
def test_what_starts_a_new_session(chat, break_):
    found = said(chat(f"user: one\nassistant: yes\n{break_}\nuser: two\n"))
    assert found == [("chat", "user", "one"), ("chat", "assistant", "yes"), ("chat-2", "user", "two")]


def test_a_heading_dates_its_session(chat):
    turns = list(chat("# 2024-05-01\nuser: one\nassistant: yes\n# 2024-05-03\nuser: two\n"))
    assert [t.said_at.date().isoformat() for t in turns] == ["2024-05-01", "2024-05-01", "2024-05-03"]


@pytest.mark.parametrize(
    "inside",
    [
        "---\nafter a rule",
        "# Plan\n- one",
        "\nSession notes:\nmore",
        "Q: what?\nA: that.",
        "System: Linux",
        "Model: X1",
        "Note: this",
    ],
)
def test_what_looks_like_a_break_inside_a_turn_is_text(chat, inside):
    found = said(chat(f"user: tell me\nassistant: well\n{inside}\nuser: thanks\n"))
    assert [role for _, role, _ in found] == ["user", "assistant", "user"]
    assert {session for session, _, _ in found} == {"chat"}
    assert inside.strip().splitlines()[-1] in found[1][2]


def test_lines_drawn_between_all_turns_are_no_sessions(chat):
    found = said(chat("user: one\n---\nassistant: two\n---\nuser: three\n---\nassistant: four\n---\n"))
    assert found == [
        ("chat", "user", "one"),
        ("chat", "assistant", "two"),
        ("chat", "user", "three"),
        ("chat", "assistant", "four"),
    ]


def test_questions_and_answers_count_where_the_file_begins_so(chat):
    assert [role for _, role, _ in said(chat("Q: hi\nA: yes\nQ: more"))] == ["user", "assistant", "user"]


def test_long_silences_start_a_session(chat):
    found = said(chat("[2024-05-01 10:00] user: a\n[2024-05-01 15:00] user: b\n[2024-05-02 10:00] user: c\n"))
    assert [session for session, _, _ in found] == ["chat", "chat", "chat-2"]


def test_a_persons_own_names(chat):
    found = chat("Anna: hi\nHal 9000: hello\nAnna: bye", names={"anna": "user", "HAL 9000": "assistant"})
    assert [role for _, role, _ in said(found)] == ["user", "assistant", "user"]


def test_unknown_names_are_told_how_to_be_known(chat):
    with pytest.raises(InvalidInput, match=r"chat\.txt:1: 'Anna' is no known role.*names=\{'Anna': 'user'\}"):
        chat("Anna: hi\nBob: hello\n" * 100)


@pytest.mark.parametrize("text", ["just some words\nand more", "# Title\n\nwords", "http://example.org/a:b"])
def test_a_text_without_roles_is_refused(chat, text):
    with pytest.raises(InvalidInput, match="`user: …` and `assistant: …`"):
        chat(text)


@pytest.mark.parametrize("text", ["", "\n\n", "user:\nassistant:   \n", "system: be nice\n", "---\n"])
def test_a_file_without_turns_is_refused(chat, text):
    with pytest.raises(InvalidInput, match="holds no turn"):
        chat(text)


def test_impossible_times_are_named_by_line(chat):
    with pytest.raises(InvalidInput, match=r"chat\.txt:2: '2024-13-41 10:00' is no possible time"):
        chat("user: a\n[2024-13-41 10:00] user: b\n")


def test_system_lines_are_no_turns(chat):
    assert said(chat("System: You are helpful.\nBe kind.\n\nUser: hi\n")) == [("chat", "user", "hi")]


@pytest.mark.parametrize(
    ("encoding", "prefix"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16", b""),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
        ("gb18030", b""),
        ("utf-32", b""),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(chat, encoding, prefix, end):
    text = end.join(["User: I like tea.", "用户：我对花生过敏。", "Assistant: ok", ""])
    found = chat(prefix + text.encode(encoding))
    assert [turn.text for turn in found] == ["I like tea.", "我对花生过敏。", "ok"]


@pytest.mark.parametrize("raw", [b"\xff\xfeu\x00s\x00e", b"\x89PNG\r\n\x1a\n\xff\xff\xff\x80\x81 user: hi"])
def test_bytes_that_are_no_text_are_refused(chat, raw):
    with pytest.raises(InvalidInput, match="is no text in"):
        chat(raw)


def test_odd_characters_arrive_harmless(chat):
    (turn,) = chat("user: a\x00b \u202eabc\u202c 👍🏽\u2028still the same turn")
    assert turn.text == "a b \u202eabc\u202c 👍🏽\u2028still the same turn"
