"""A chat file as text: its encoding, its lines, the elements of a big JSON array, without reading it whole.

Also opens the ZIP archives that ChatGPT and Claude send. Nothing here knows what a message is.
"""

from __future__ import annotations

import codecs
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import IO

from hermes_core.errors import InvalidInput

__all__ = ["Progress", "Source", "elements", "open_source"]

Progress = Callable[[int, int], None]  # bytes read, bytes in all

_CHUNK = 1 << 18
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ZIP_MEMBER = re.compile(r"(?:^|/)conversations[^/]*\.json$")


@dataclass(frozen=True)
class Source:
    """One readable text: a file, or a member of a ZIP archive."""

    path: Path
    member: str
    encoding: str
    size: int
    changed_at: datetime

    @property
    def name(self) -> str:
        """For messages: the file's name, with the member of an archive."""
        return f"{self.path.name}/{self.member}" if self.member else self.path.name

    def lines(self, progress: Progress | None = None) -> Iterator[str]:
        """The text's lines without their ends; \\n, \\r\\n and \\r end a line."""
        with _open(self.path, self.member) as raw:
            text = io.TextIOWrapper(raw, encoding=self.encoding, newline=None)
            for number, line in enumerate(text):
                if progress is not None and number % 256 == 0:
                    progress(min(raw.tell(), self.size), self.size)
                yield line.rstrip("\n")
        if progress is not None:
            progress(self.size, self.size)

    def chunks(self, progress: Progress | None = None) -> Iterator[str]:
        """The text in pieces of up to 256 K characters."""
        with _open(self.path, self.member) as raw:
            text = io.TextIOWrapper(raw, encoding=self.encoding, newline=None)
            while chunk := text.read(_CHUNK):
                if progress is not None:
                    progress(min(raw.tell(), self.size), self.size)
                yield chunk
        if progress is not None:
            progress(self.size, self.size)


def open_source(path: str | Path) -> list[Source]:
    """The text, or the texts of an archive, with encodings found out. InvalidInput when it can't be opened or is no text."""
    file = Path(path)
    try:
        changed_at = datetime.fromtimestamp(file.stat().st_mtime, timezone.utc)
        if file.is_dir():
            raise InvalidInput(f"{file} is a folder; name one chat file")
        if not zipfile.is_zipfile(file):
            return [Source(file, "", _encoding(file, ""), file.stat().st_size, changed_at)]
        with zipfile.ZipFile(file) as archive:
            found = sorted((i.filename, i.file_size) for i in archive.infolist() if _ZIP_MEMBER.search(i.filename))
        if not found:
            raise InvalidInput(
                f"{file.name} is an archive without a conversations.json; unpack it and name the chat file"
            )
        return [Source(file, name, _encoding(file, name), size, changed_at) for name, size in found]
    except zipfile.BadZipFile as error:
        raise InvalidInput(f"{file.name} is a damaged archive: {error}") from error
    except OSError as error:
        raise InvalidInput(f"can't read {file}: {error.strerror or error}") from error


@contextmanager
def _open(path: Path, member: str) -> Iterator[IO[bytes]]:
    if not member:
        with open(path, "rb") as file:
            yield file
        return
    with zipfile.ZipFile(path) as archive, closing(archive.open(member)) as file:
        yield file


def _encoding(path: Path, member: str) -> str:
    """The first likely encoding in which the whole text decodes."""
    with _open(path, member) as raw:
        likely = _likely(raw.read(4096))
    for name in likely:
        with _open(path, member) as raw:
            if _decodes(raw, name):
                return name
    raise InvalidInput(f"{path.name} is no text in {' or '.join(likely)}; save it as UTF-8")


def _likely(start: bytes) -> tuple[str, ...]:
    """By byte order mark, then by the zeros of UTF-16, then UTF-8, then GB 18030 (older Chinese exports)."""
    for mark, name in _BOMS:
        if start.startswith(mark):
            return (name,)
    even, odd = start[0::2].count(0), start[1::2].count(0)
    if max(even, odd) > len(start) // 8:
        return ("utf-16-le",) if odd > even else ("utf-16-be",)
    return ("utf-8", "gb18030")


def _decodes(raw: IO[bytes], encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        while chunk := raw.read(_CHUNK):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


_OUTSIDE = re.compile(r'["\[\]{},]')
_INSIDE = re.compile(r'["\\]')


def elements(chunks: Iterable[str]) -> Iterator[tuple[int, str]]:
    """(line, JSON text) of each element of the one array that the text is; a last one of line 0 tells what is wrong."""
    scan = _ArrayScan()
    for chunk in chunks:
        yield from scan.feed(chunk)
    if not scan.closed:
        yield 0, f"the file ends within its list, after line {scan.line}; it was cut off"


class _ArrayScan:
    """Splits a JSON array at the commas of its own level; one pass, any chunks."""

    def __init__(self) -> None:
        self.depth = 0
        self.line = 1
        self.closed = False
        self._in_string = False
        self._skip = 0  # characters still covered by a backslash
        self._parts: list[str] = []
        self._started_on = 1

    def feed(self, chunk: str) -> Iterator[tuple[int, str]]:
        position, begin = self._skip, 0
        self._skip = 0
        while found := (_INSIDE if self._in_string else _OUTSIDE).search(chunk, position):
            mark, position = found[0], found.end()
            if mark == "\\":
                position += 1
            elif mark == '"':
                self._in_string = not self._in_string
            elif (mark == "," and self.depth == 1) or (mark == "]" and self.depth == 1):
                self._keep(chunk[begin : found.start()])
                yield from self._element()
                begin = position
                self._close(mark)
            elif mark in "[{":
                self.depth += 1
                if self.depth == 1:
                    self.line += chunk.count("\n", begin, position)
                    self._parts, self._started_on, begin = [], self.line, position
            elif mark in "]}":
                self.depth -= 1
        self._skip = max(0, position - len(chunk))
        self._keep(chunk[begin:])

    def _close(self, mark: str) -> None:
        if mark == "]":
            self.depth, self.closed = 0, True

    def _keep(self, piece: str) -> None:
        if not self._parts and not piece.strip():
            self.line += piece.count("\n")
            return
        if not self._parts:
            self._started_on = self.line + piece[: len(piece) - len(piece.lstrip())].count("\n")
        self._parts.append(piece)
        self.line += piece.count("\n")

    def _element(self) -> Iterator[tuple[int, str]]:
        text = "".join(self._parts)
        self._parts = []
        if text.strip():
            yield self._started_on, text
