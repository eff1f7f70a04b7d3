"""The dirty marker and the clean note of an index folder: small files, synced. No index and no rule may be known here.

The marker is on disk before the first write and leaves after a clean close. Whoever finds it knows that a writer
died, and that the folder can't be trusted even if it opens (the damage may be latent).
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

DIRTY = "hermes-dirty"
CLEAN = "hermes-clean.json"


def is_dirty(folder: Path) -> bool:
    return (folder / DIRTY).exists()


def mark_dirty(folder: Path) -> None:
    """Durable when it returns."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CLEAN).unlink(missing_ok=True)
    _write(folder / DIRTY, b"A writer is at work here, or died here. Hermes rebuilds this folder from its ledger.\n")
    sync_folder(folder)


def mark_clean(folder: Path, count: int) -> None:
    """Note what the folder holds, then take the marker away."""
    _write(folder / CLEAN, json.dumps({"records": count}).encode())
    (folder / DIRTY).unlink(missing_ok=True)
    sync_folder(folder)


def clean_count(folder: Path) -> int | None:
    """The number of records at the last clean close; None when unknown."""
    try:
        return int(json.loads((folder / CLEAN).read_bytes())["records"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def clear(folder: Path) -> None:
    """Remove everything but the marker, orphan folders included."""
    if not folder.exists():
        return
    for entry in folder.iterdir():
        if entry.name == DIRTY:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    sync_folder(folder)


def _write(path: Path, body: bytes) -> None:
    with open(path, "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    if os.name == "nt":  # folders can't be synced there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
