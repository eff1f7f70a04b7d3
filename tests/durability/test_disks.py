"""A disk that is full, fails, or may not be written: a clear StoreError, nothing half written, and on we go afterwards."""

import errno
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from hermes_core import Hermes, StoreError
from hermes_core.testing import HashEmbedder
from tests.durability.kit import QUICK, Reader, index_equals_ledger, laws_hold, sentence

ROOT = Path(__file__).parents[2]
GIVEN = {"extractor": Reader(), "embedder": HashEmbedder(16), "config": QUICK, "worker": False}


@pytest.fixture
def small_disk(tmp_path):
    """A file system of a few megabytes; needs root."""
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(place)], capture_output=True)
    if made.returncode:
        pytest.skip("mounting a small file system needs root")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill_up(place: Path, keep: int = 0) -> Path:
    ballast = place / "ballast"
    with open(ballast, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass
    if keep:
        os.truncate(ballast, max(0, ballast.stat().st_size - keep))
    return ballast


@pytest.mark.slow
@pytest.mark.parametrize("keep", [0, 40_000, 200_000])
def test_a_full_disk(small_disk, keep):
    """ENOSPC at every depth: what was acknowledged is there, what failed is not, and with room all goes on."""
    acknowledged, failures = [], []
    hermes = Hermes.open(small_disk / "store", **GIVEN)
    for n in range(3):
        hermes.session("u", "s").observe("user", sentence(f"before{n}"), turn_id=f"before{n}")
        acknowledged.append(f"before{n}")
    hermes.flush(timeout=60)
    ballast = fill_up(small_disk, keep)
    for n in range(60):
        try:
            hermes.session("u", f"s{n}").observe("user", sentence(f"during{n}") + " x" * 2000, turn_id=f"during{n}")
            acknowledged.append(f"during{n}")
            hermes.flush(timeout=5)
        except StoreError as error:
            failures.append(str(error))
    assert failures, "the disk was never full"
    assert any("full" in f or "No space" in f for f in failures), failures[:3]
    assert hermes.session("u", "reading").context("what do I like?").text  # reads go on
    ballast.unlink()
    hermes.session("u", "s").observe("user", sentence("after"), turn_id="after")
    acknowledged.append("after")
    hermes.flush(timeout=20)  # less than a lease lasts: one that could not be given back bars nobody
    laws_hold(hermes, "u", acknowledged)
    with suppress(StoreError):  # Chroma may have been hurt by the full disk: it is rebuilt at the next opening
        hermes.close()
    with Hermes.open(small_disk / "store", **GIVEN) as again:
        again.flush(timeout=60)
        laws_hold(again, "u", acknowledged)
        index_equals_ledger(again)
        assert again._engine.ledger.check() == []


FAILING = """
import os, sys
from contextlib import suppress
from pathlib import Path
from hermes_core import Hermes, StoreError
from tests.durability.test_disks import GIVEN
from tests.durability.kit import sentence
folder, rule, chroma = sys.argv[1], sys.argv[2], sys.argv[3] == "chroma"
by = Path(os.environ["HERMES_FAIL_BY"])
hermes = Hermes.open(folder, chroma=None if chroma else False, **GIVEN)
hermes.session("u", "s").observe("user", sentence("before"), turn_id="before")
hermes.flush()
print("before")
by.write_text(rule)
failed = 0
for n in range(80):
    try:
        hermes.session("u", f"s{n}").observe("user", sentence(f"during{n}") + " x" * 500, turn_id=f"during{n}")
        print(f"during{n}")
        hermes.flush(timeout=30)
        hermes.session("u", f"s{n}").context("what do I like?")
        if n % 20 == 0:  # a second look, which has nothing in memory
            with Hermes.open(folder, chroma=False, **GIVEN) as again:
                again.session("u", "look").context("what do I like?")
    except StoreError as error:
        failed += 1
        print(error, file=sys.stderr)
by.unlink()
assert failed, "nothing failed"
hermes.session("u", "s").observe("user", sentence("after"), turn_id="after")
print("after")
hermes.flush(timeout=60)
with suppress(StoreError):  # Chroma may have been hurt: it is rebuilt at the next opening
    hermes.close()
"""


@pytest.fixture(scope="session")
def failing_disk(tmp_path_factory):
    """The shim that makes system calls fail, as a library to be loaded before the C library."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("a failing disk is made by a C library put before Linux's own: it needs gcc")
    made = tmp_path_factory.mktemp("shim") / "failing_disk.so"
    source = Path(__file__).with_name("failing_disk.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", made, source, "-ldl"], check=True)
    return made


RULES = {
    "full": ("w", errno.ENOSPC, 3),
    "full at once": ("w", errno.ENOSPC, 1),
    "broken": ("w", errno.EIO, 3),
    "broken at once": ("w", errno.EIO, 1),
    "syncs fail": ("s", errno.EIO, 2),
    "reads fail": ("r", errno.EIO, 3),
    "all fail now and then": ("wsr", errno.EIO, 7),
}


@pytest.mark.slow
@pytest.mark.parametrize("chroma", ["chroma", "ledger alone"])
@pytest.mark.parametrize("how", RULES)
def test_a_disk_that_fails(failing_disk, tmp_path, how, chroma):
    """ENOSPC and EIO from the system calls themselves: only StoreErrors come out, and what was acknowledged is there."""
    store, by = tmp_path / "store", tmp_path / "rule"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "LD_PRELOAD": str(failing_disk)}
    env |= {"HERMES_FAIL_UNDER": str(store), "HERMES_FAIL_BY": str(by)}
    rule = "{} {} {}".format(*RULES[how])
    done = subprocess.run(
        [sys.executable, "-c", FAILING, str(store), rule, chroma],
        capture_output=True, text=True, timeout=600, env=env, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert "the disk under" in done.stderr or "is full" in done.stderr or "disk" in done.stderr, done.stderr[:500]
    with Hermes.open(store, chroma=None if chroma == "chroma" else False, **GIVEN) as hermes:
        hermes.flush(timeout=60)
        laws_hold(hermes, "u", done.stdout.split())
        assert hermes._engine.ledger.check() == []
        if chroma == "chroma":
            index_equals_ledger(hermes)


READ_ONLY = """
import os, sys
from hermes_core import Hermes, StoreError
from tests.durability.test_disks import GIVEN
if os.getuid() == 0:
    os.setuid(65534)
try:
    Hermes.open(sys.argv[1], **GIVEN)
except StoreError as error:
    print(error)
"""


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="gives up root's rights in a child")
def test_a_folder_that_may_not_be_written(tmp_path):
    with Hermes.open(tmp_path / "store", chroma=False, **GIVEN) as hermes:
        hermes.session("u", "s").observe("user", sentence("tea"))
    before = {p.name: p.read_bytes() for p in (tmp_path / "store").iterdir() if p.is_file()}
    for folder in (tmp_path, *tmp_path.parents):
        if str(folder).startswith("/tmp/"):
            os.chmod(folder, 0o755)
    os.chmod(tmp_path / "store" / "ledger.db", 0o444)
    os.chmod(tmp_path / "store", 0o555)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, str(tmp_path / "store")],
        capture_output=True, text=True, timeout=60, env=env, cwd=ROOT,
    )  # fmt: skip
    os.chmod(tmp_path / "store", 0o755)
    assert "this user may write" in done.stdout, done.stderr[-2000:]
    assert {p.name: p.read_bytes() for p in (tmp_path / "store").iterdir() if p.is_file()} == before
