"""Every command on a real store: text for people, JSON for programs, one line for errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hermes_core import Hermes
from tests.cli.conftest import invoke

# One process replays the demo, once, for both files.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("demo")]


def answer(*arguments: object) -> Any:
    done = invoke(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def text(*arguments: object, **kwargs: Any) -> str:
    done = invoke(*arguments, **kwargs)
    assert done.exit_code == 0, done.output
    return str(done.stdout)


def peanuts(store: Path) -> str:
    return next(i["id"] for i in answer("memories", "--path", store) if "peanut" in i["text"])


def test_context(store: Path) -> None:
    block = answer("context", "a late-night snack?", "--path", store)
    assert {"text", "tokens", "budget", "version", "lines", "left_out"} <= block.keys()
    assert "peanut" in block["text"]
    told = text("context", "a late-night snack?", "--path", store)
    assert "I'm allergic to peanuts" in told
    assert f"/ {block['budget']} tokens" in told


def test_memories_by_status_and_kind(store: Path) -> None:
    live = answer("memories", "--path", store)
    assert live
    assert all(item["status"] != "archived" for item in live)
    every = answer("memories", "--path", store, "--all")
    assert len(every) > len(live)
    frozen = answer("memories", "--path", store, "--status", "frozen")
    assert frozen
    assert {item["status"] for item in frozen} == {"frozen"}
    assert {i["kind"] for i in answer("memories", "--path", store, "--kind", "preference")} == {"preference"}
    table = text("memories", "--path", store)
    assert "frozen" in table
    assert "archived (--all)" in table
    assert "已冻结" in text("memories", "--path", store, "--language", "zh")


def test_explain_takes_the_beginning_of_an_id(store: Path) -> None:
    wanted = peanuts(store)
    found = answer("explain", wanted[:8], "--path", store)
    assert found["item"]["id"] == wanted
    assert found["trail"]
    told = text("explain", wanted[:8], "--path", store)
    assert "I'm allergic to peanuts" in told
    assert "s01" in told
    assert "用户的原话" in text("explain", wanted[:8], "--path", store, "-l", "zh")


def test_diagnose(store: Path) -> None:
    assert answer("diagnose", "I'm allergic to peanuts", "--path", store)["stage"] == "remembered"
    assert text("diagnose", "I can fly helicopters", "--path", store).strip()


def test_history_of_one_and_of_all_and_as_of(store: Path) -> None:
    every, one = answer("history", "--path", store), answer("history", peanuts(store)[:8], "--path", store)
    assert len(every) > len(one) > 0
    assert [c["event"] for c in one][:3] == ["admitted", "promoted", "froze"]
    assert "Froze" in text("history", peanuts(store)[:8], "--path", store)
    early = answer("history", "--as-of", "1", "--path", store)
    assert {i["text"] for i in early} < {c["after"]["text"] for c in every if c["after"]}
    assert answer("history", "--as-of", every[0]["cause"]["at"], "--path", store) is not None
    assert invoke("history", "--as-of", "yesterday-ish", "--path", store).exit_code == 1


def test_users_stats_and_audit(store: Path) -> None:
    assert answer("users", "--path", store) == ["lin"]
    assert answer("stats", "--path", store, "--user", "lin")["pools"]["frozen"] >= 3
    assert "hot" in text("stats", "--path", store)
    assert isinstance(answer("audit", "--path", store), list)


def test_doctor_finds_a_healthy_store_and_repairs(copied: Path) -> None:
    assert answer("doctor", "--path", copied)["healthy"] is True
    assert "healthy" in text("doctor", "--path", copied, "--repair")


def test_commands_by_which_the_user_overrules(copied: Path) -> None:
    wanted = peanuts(copied)
    assert [c["event"] for c in answer("confirm", wanted[:8], "--path", copied)] == ["liked"]
    assert answer("pin", wanted[:8], "--path", copied)[-1]["event"] == "pinned"
    assert "rejected" in [c["event"] for c in answer("reject", wanted[:8], "--path", copied)]
    changes = answer("correct", wanted[:8], "I'm allergic to cashews", "--path", copied)
    assert "superseded" in [c["event"] for c in changes]
    assert any("cashews" in i["text"] for i in answer("memories", "--path", copied))
    assert "Took in" in text("correct", _id(copied, "Munich")[:8], "I live in Augsburg", "--path", copied)


def _id(store: Path, word: str) -> str:
    return next(i["id"] for i in answer("memories", "--path", store) if word in i["text"])


def test_forget_asks_and_erases(copied: Path) -> None:
    wanted = peanuts(copied)
    asked = invoke("forget", wanted[:8], "--path", copied)
    assert asked.exit_code == 1
    assert "--yes" in asked.stderr
    assert answer("forget", wanted[:8], "--path", copied, "--yes")["forgotten"]
    assert not [i for i in answer("memories", "--path", copied, "--all") if "peanut" in i["text"]]
    assert "peanut" not in text("export", "--path", copied)


def test_forget_takes_a_slot_a_session_or_everything(copied: Path) -> None:
    slot = next(i["slot"] for i in answer("memories", "--path", copied) if "peanut" in i["text"])
    assert invoke("forget", "--slot", slot, "--everything", "--path", copied, "--yes").exit_code == 2
    assert answer("forget", "--slot", slot, "--path", copied, "--yes")["forgotten"]
    assert not [i for i in answer("memories", "--path", copied, "--all") if i["slot"] == slot]
    cited = next(i for i in answer("memories", "--path", copied) if i["evidence"])["evidence"][0]["session_id"]
    assert answer("forget", "--session", cited, "--path", copied, "--yes")["forgotten"]
    assert "--yes" in invoke("forget", "--everything", "--path", copied).stderr
    assert answer("forget", "--everything", "--path", copied, "--yes")["forgotten"]
    assert "the store is empty" in invoke("memories", "--path", copied, "--all").stderr


def test_an_unknown_memory_is_said_in_plain_words(store: Path) -> None:
    done = invoke("explain", "zzz", "--path", store)
    assert done.exit_code == 1
    assert done.stderr.strip() == "hermes: no memory of lin begins with zzz; `hermes memories` lists them"


def test_stats_speak_chinese(store: Path) -> None:
    shown = text("stats", "--path", store, "--user", "lin", "--language", "zh")
    assert all(word in shown for word in ("活跃", "冻结", "归档", "待重新确认", "命中率", "重复解释率"))
    own = [line for line in shown.splitlines() if not line.startswith("hermes.")]
    assert not [line for line in own if line.split()[0].isascii()], own


def test_export_and_import(store: Path, tmp_path: Path) -> None:
    lines = text("export", "--path", store).splitlines()
    assert all(json.loads(line) for line in lines)
    text("export", "--path", store, "--output", tmp_path / "lin.jsonl")
    assert (tmp_path / "lin.jsonl").read_text(encoding="utf-8").splitlines() == lines
    count = answer("import", tmp_path / "lin.jsonl", "--path", tmp_path / "other")["imported"]
    assert count > 0
    assert {i["text"] for i in answer("memories", "--path", tmp_path / "other", "--all")} == {
        i["text"] for i in answer("memories", "--path", store, "--all")
    }


def test_import_tells_the_line_that_is_no_text(store: Path, tmp_path: Path) -> None:
    lines = text("export", "--path", store).encode().splitlines(keepends=True)
    (tmp_path / "bad.jsonl").write_bytes(
        b"".join([*lines[:2], lines[2].replace(b'"text":"', b'"text":"\xff'), *lines[3:]])
    )
    done = invoke("import", tmp_path / "bad.jsonl", "--path", tmp_path / "other")
    assert done.exit_code == 1
    assert done.stderr.startswith("hermes: line 3")


CHAT = """user: I live in Lisbon and I'm allergic to shellfish.
assistant: Noted.
user: 我喜欢爬山。
"""


def test_ingest_a_chat_of_ones_own(tmp_path: Path) -> None:
    chat, store = tmp_path / "chat.txt", tmp_path / "mine"
    chat.write_text(CHAT, encoding="utf-8")
    first = answer("ingest", chat, "--path", store, "--user", "ana")
    assert first["turns"] == 3
    assert first["memories"] >= 2
    assert "Lisbon" in answer("context", "where do I live?", "--path", store)["text"]
    again = answer("ingest", chat, "--path", store, "--user", "ana")
    assert again["changes"] == {}
    assert "Nothing new" in text("ingest", chat, "--path", store, "--user", "ana")


def test_ingest_says_what_it_can_not_read(tmp_path: Path) -> None:
    (tmp_path / "cat.jpg").write_bytes(b"\xff\xd8\xff\xe0" + bytes(range(256)))
    for bad in (tmp_path / "cat.jpg", tmp_path / "absent.jsonl"):
        done = invoke("ingest", bad, "--path", tmp_path / "mine")
        assert done.exit_code == 1
        assert done.stderr.startswith("hermes: ")
        assert not (tmp_path / "mine").exists()


def test_ingest_knows_the_person_by_name_and_tells_what_it_left_out(tmp_path: Path) -> None:
    chat = tmp_path / "chat.txt"
    chat.write_text("[2024-05-01 10:00] Anna: I live in Lisbon.\n[9999-05-01 10:00] Hal: Noted.\n", encoding="utf-8")
    where = ("--path", tmp_path / "mine", "--user", "anna")
    refused = invoke("ingest", chat, *where)
    assert refused.exit_code == 1 and "--me" in refused.stderr
    named = ("--me", "Anna", "--name", "Hal=assistant", *where)
    assert "not come yet" in invoke("ingest", chat, *named).stderr
    shown = text("ingest", chat, *named, "--skip-problems")
    assert "chat.txt:2" in shown and "Lisbon" in shown


def test_the_trail_tells_in_the_order_of_saying(tmp_path: Path) -> None:
    """What was refused stands between what was taken in, as it was said."""
    chat = tmp_path / "chat.txt"
    lines = ["I live in Lisbon.", "ok", "I'm allergic to shellfish.", "hm", "我喜欢爬山。"]
    chat.write_text("".join(f"[2024-05-01 10:0{n}] user: {line}\n" for n, line in enumerate(lines)), encoding="utf-8")
    answer("ingest", chat, "--path", tmp_path / "mine", "--user", "ana")
    told = [c["cause"]["at"] for c in answer("history", "--path", tmp_path / "mine") if c["cause"]["by"] == "turn"]
    assert len(set(told)) == len(lines) and told == sorted(told)


def test_several_users_must_be_named(tmp_path: Path) -> None:
    with Hermes.open(tmp_path / "two", worker=False) as hermes:
        for user in ("ana", "bo"):
            hermes.session(user, "s").observe("user", "I live in Lisbon.")
        hermes.flush()
    done = invoke("memories", "--path", tmp_path / "two")
    assert done.exit_code == 1
    assert "ana, bo" in done.stderr
    assert len(answer("memories", "--path", tmp_path / "two", "--user", "bo")) == 1


@pytest.mark.parametrize("command", ["explain", "confirm", "pin"])
def test_an_unknown_id_is_one_line(command: str, store: Path) -> None:
    done = invoke(command, "ffffffffffff", "--path", store)
    assert done.exit_code == 1
    assert len(done.stderr.splitlines()) == 1


def test_a_damaged_store_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "ledger.db").write_bytes(b"this is not a database, it only looks like one" * 50)
    done = invoke("memories", "--path", tmp_path / "bad")
    assert done.exit_code == 1
    assert len(done.stderr.splitlines()) == 1
    assert (tmp_path / "bad" / "ledger.db").read_bytes().startswith(b"this is not")
