"""A disk that is full, fails, or may not be written: a clear StoreError, nothing half written, and on we go afterwards."""

import os
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
            hermes.flush(timeout=30)
        except StoreError as error:
            failures.append(str(error))
    assert failures, "the disk was never full"
    assert any("full" in f or "No space" in f for f in failures), failures[:3]
    assert hermes.session("u", "reading").context("what do I like?").text  # reads go on
    ballast.unlink()
    hermes.session("u", "s").observe("user", sentence("after"), turn_id="after")
    acknowledged.append("after")
    hermes.flush(timeout=60)
    laws_hold(hermes, "u", acknowledged)
    with suppress(StoreError):  # Chroma may have been hurt by the full disk: it is rebuilt at the next opening
        hermes.close()
    with Hermes.open(small_disk / "store", **GIVEN) as again:
        again.flush(timeout=60)
        laws_hold(again, "u", acknowledged)
        index_equals_ledger(again)
        assert again._engine.ledger.check() == []


FAILING = """
import resource, sys
from hermes_core import Hermes, StoreError
from tests.durability.test_disks import GIVEN
from tests.durability.kit import sentence
hermes = Hermes.open(sys.argv[1], chroma=False, **GIVEN)
hermes.session("u", "s").observe("user", sentence("before"), turn_id="before")
hermes.flush()
print("before")
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
failed = 0
for n in range(300):
    try:
        hermes.session("u", "s").observe("user", sentence(f"during{n}") + " x" * 3000, turn_id=f"during{n}")
        print(f"during{n}")
        hermes.flush(timeout=30)
    except StoreError as error:
        failed += 1
        print(error, file=sys.stderr)
assert failed, "nothing failed"
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
hermes.session("u", "s").observe("user", sentence("after"), turn_id="after")
print("after")
hermes.flush(timeout=60)
hermes.close()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")
def test_a_disk_whose_writes_fail(tmp_path):
    """EIO, as SQLite sees a write that the system refuses."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", FAILING, str(tmp_path)], capture_output=True, text=True, timeout=120, env=env, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "the disk under" in done.stderr or "is full" in done.stderr
    with Hermes.open(tmp_path, chroma=False, **GIVEN) as hermes:
        laws_hold(hermes, "u", done.stdout.split())
        assert hermes._engine.ledger.check() == []


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
