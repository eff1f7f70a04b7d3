"""What must be known of Chroma's HNSW files to keep them honest: their size, and their unused tails.

A new graph is written with room for elements that do not exist yet, and that room holds whatever lay in the process's
memory: seen to include the text of a memory that had just been erased. No rule may live here.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

_HEADER = struct.Struct("<i4Q")  # version, offset, elements with room, elements, bytes per element
_VERSION = 1
_LENGTH_BYTES = 4  # length.bin holds one float32 per element


def largest(folder: Path, name: str) -> int:
    """Bytes of the largest file of this name below the folder."""
    return max((path.stat().st_size for path in folder.rglob(name)), default=0)


def blank_unused_room(folder: Path) -> None:
    """Overwrite the room behind the last element of each graph with zeros; sizes stay."""
    for header in folder.rglob("header.bin"):
        head = header.read_bytes()
        if len(head) < _HEADER.size:
            continue
        version, _offset, _room, elements, width = _HEADER.unpack_from(head)
        if version == _VERSION:
            _blank(header.with_name("data_level0.bin"), elements * width)
            _blank(header.with_name("length.bin"), elements * _LENGTH_BYTES)


def clean_server_folder(folder: Path) -> list[str]:
    """Finish what `chroma vacuum` leaves in a stopped server's folder: graphs of dropped collections, and unused room.

    The names of the folders removed. Only while no server runs on it (docs/privacy.md).
    """
    with closing(sqlite3.connect(f"{(folder / 'chroma.sqlite3').resolve().as_uri()}?mode=ro", uri=True)) as database:
        known = {row[0] for row in database.execute("SELECT id FROM segments")}
    orphans = sorted(h.parent for h in folder.glob("*/header.bin") if h.parent.name not in known)
    for orphan in orphans:
        shutil.rmtree(orphan)
    blank_unused_room(folder)
    return [orphan.name for orphan in orphans]


def _blank(path: Path, start: int) -> None:
    size = path.stat().st_size if path.exists() else 0
    if size <= start:
        return
    with open(path, "r+b") as file:
        file.seek(start)
        file.write(b"\x00" * (size - start))
        file.flush()
        os.fsync(file.fileno())
