"""A person's own chat file as turns: the form found out, sessions, times and stable ids given (C9, J5).

The whole file is looked through before the first turn is handed out, so that nothing is half imported.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from hermes_core.checks import checked_flag, checked_id, checked_moment, checked_names, checked_path, shown, zone_of
from hermes_core.clock import SystemClock
from hermes_core.embedding.adapters import clean_text
from hermes_core.errors import InvalidInput
from hermes_core.importers import plain
from hermes_core.importers.parts import SKIPPED, Found, Part, Problem
from hermes_core.importers.records import EXPECTED, JsonReader, format_of
from hermes_core.importers.source import Progress, Source, elements, open_source
from hermes_core.importers.times import Calendar
from hermes_core.items import Turn

__all__ = ["Chat", "open_chat", "read_turns"]

FORMATS = ("auto", "jsonl", "json", "plain")
SESSION_GAP = timedelta(hours=12)  # as SessionConfig.idle_hours: a longer silence begins a new session
TURN_SPACING = timedelta(minutes=1)
SESSION_SPACING = timedelta(days=1)
AHEAD = timedelta(days=1)  # as IngestConfig.ahead_hours: how far in the future a store takes turns
EARLIEST = datetime.min.replace(tzinfo=timezone.utc)
_SHOWN_PROBLEMS = 5
_LOOKAHEAD = 3  # a session without an id is known by its first turns


@dataclass(frozen=True)
class Chat:
    """A chat file that was looked through. `turns` are counted, `problems` are the places that were left out."""

    path: Path
    user_id: str
    format: str  # "chatgpt", "claude", "messages" (JSON of OpenAI's form) or "plain"
    encoding: str
    size: int  # bytes
    turn_count: int
    session_count: int
    problems: tuple[Problem, ...]
    _reader: _Reader
    _start: datetime
    _session_name: str

    def turns(self, progress: Progress | None = None) -> Iterator[Turn]:
        """The turns in order, streamed; `progress` is told bytes read and bytes in all.

        A turn's id is the same whenever the same chat is read again, under any file name (J5).
        """
        sessions = self._reader.sessions(progress)
        return _dated(sessions, self._start, self._reader.calendar.latest, self._session_name, self.user_id)

    def after(self, moment: datetime, now: datetime) -> Chat:
        """The same chat, whose turns without a time come after `moment`, as what is read later was mostly said later; as it is
        where its sessions would not have ended by `now`."""
        start = moment + TURN_SPACING
        late = start + SESSION_SPACING * (self.session_count - 1) > now
        return self if late or start <= self._start else replace(self, _start=start)

    def __iter__(self) -> Iterator[Turn]:
        return self.turns()


def open_chat(
    path: str | Path,
    *,
    user_id: str = "me",
    session_id: str | None = None,
    format: str = "auto",
    timezone: str = "UTC",
    start: datetime | None = None,
    latest: datetime | None = None,
    names: Mapping[str, str] | None = None,
    skip_problems: bool = False,
    progress: Progress | None = None,
) -> Chat:
    """Look a chat file through: JSON Lines, a ChatGPT or Claude export (also its ZIP), or plain `role: text` (C9).

    Naive times are read in `timezone` (L2). Turns without a time follow each other by a minute, sessions by a day,
    from `start`; without it, so that the last session was on the day that the file was changed. Sessions that the
    file doesn't name are called `session_id` (default: the file's name), and -2, -3 … `names` maps a transcript's
    own names to roles: {"Anna": "user", "Hal": "assistant"}. A time after `latest` can't be one of saying; it is a day
    from now unless given, since zones are easily mistaken.
    InvalidInput names file, lines and what was expected there; with `skip_problems` those places are left out.
    """
    checked_path(path, "path")
    user_id = checked_id(user_id, "user_id")
    session_id = None if session_id is None else checked_id(session_id, "session_id")
    skip_problems = checked_flag(skip_problems, "skip_problems")
    if format not in FORMATS:
        raise InvalidInput(f"no format {shown(format)}; use one of {', '.join(FORMATS)}")
    for name, moment in (("start", start), ("latest", latest)):
        if moment is not None and checked_moment(moment, name).tzinfo is None:
            raise InvalidInput(f"{name} must be an aware datetime, such as one with timezone.utc")
    if names is not None and not all(role in ("user", "assistant", SKIPPED) for role in checked_names(names).values()):
        raise InvalidInput(f'names gives each name a role, "user", "assistant" or {SKIPPED!r}, not {shown(names)}')
    sources = open_source(path)
    calendar = Calendar(zone_of(timezone), latest or SystemClock().now() + AHEAD)
    reader = _Reader(tuple(sources), format, calendar, names)
    found = _look_through(reader, progress)
    if found.problems and not skip_problems:
        raise InvalidInput(_complaint(sources[0].name, found.problems))
    if not found.turns:
        raise InvalidInput(f"{sources[0].name} holds no turn; expected JSON such as {EXPECTED}, or {plain.EXPECTED}")
    return Chat(
        path=Path(path),
        user_id=user_id,
        format=reader.format_name,
        encoding=sources[0].encoding,
        size=sum(source.size for source in sources),
        turn_count=found.turns,
        session_count=found.sessions,
        problems=tuple(found.problems),
        _reader=reader,
        _start=start or sources[0].changed_at - SESSION_SPACING * found.sessions,
        _session_name=session_id or Path(path).stem,
    )


def read_turns(path: str | Path, *, progress: Progress | None = None, **options: Any) -> Iterator[Turn]:
    """The turns of a chat file, looked through before the first: `open_chat(path, …).turns(progress)`."""
    return open_chat(path, **options).turns(progress)


@dataclass
class _Seen:
    turns: int
    sessions: int
    problems: list[Problem]


def _look_through(reader: _Reader, progress: Progress | None) -> _Seen:
    seen = _Seen(0, 0, [])
    for session in reader.sessions(progress, seen.problems):
        seen.sessions += 1
        seen.turns += sum(1 for _ in session.turns)
    return seen


def _complaint(name: str, problems: list[Problem]) -> str:
    lines = [f"{name}:{p.line}: {p.text}" if p.line else f"{name}: {p.text}" for p in problems[:_SHOWN_PROBLEMS]]
    if len(problems) > _SHOWN_PROBLEMS:
        lines.append(f"and {len(problems) - _SHOWN_PROBLEMS} more")
    places = "1 place" if len(problems) == 1 else f"{len(problems)} places"
    return f"{name} can't be read in {places}; nothing was imported\n  " + "\n  ".join(lines)


class _Session(NamedTuple):
    """A session's turns, streamed: take them before the next session is asked for."""

    id: str
    number: int
    turns: Iterator[Found]


class _Reader:
    """Reads the same sources any number of times."""

    def __init__(
        self, sources: tuple[Source, ...], format: str, calendar: Calendar, names: Mapping[str, str] | None
    ) -> None:
        self._sources = sources
        self.calendar = calendar
        self._names = names
        self._form, self.format_name = _format_of(sources[0], names) if format == "auto" else (format, format)

    def sessions(self, progress: Progress | None = None, problems: list[Problem] | None = None) -> Iterator[_Session]:
        return _sessions(_found(self._parts(progress), [] if problems is None else problems))

    def _parts(self, progress: Progress | None) -> Iterator[Part]:
        total = sum(source.size for source in self._sources)
        done = 0
        for source in self._sources:
            yield from self._of(source, _shifted(progress, done, total))
            done += source.size

    def _of(self, source: Source, progress: Progress | None) -> Iterator[Part]:
        if self._form == "plain":
            style = plain.style_of(source.lines(), self._names)
            yield from plain.read_plain(source.lines(progress), style, self.calendar, self._names)
            return
        reader = JsonReader(self.calendar, self._names)
        if self._form == "jsonl":
            for number, line in enumerate(source.lines(progress), 1):
                if line.strip():
                    yield from reader.read(line, number)
        elif _first_mark(source) == "[":
            for number, text in elements(source.chunks(progress)):
                yield from reader.read(text, number) if number else iter((Problem(0, text),))
        else:
            yield from reader.read("".join(source.chunks(progress)), 1)


def _shifted(progress: Progress | None, done: int, total: int) -> Progress | None:
    if progress is None:
        return None
    tell = progress
    return lambda read, _: tell(done + read, total)


def _first_mark(source: Source) -> str:
    line = next((line for line in source.lines() if line.strip()), "")
    return line.lstrip()[:1]


def _format_of(source: Source, names: Mapping[str, str] | None) -> tuple[str, str]:
    """("jsonl" | "json" | "plain", a name for people)."""
    lines = (line for line in source.lines() if line.strip())
    first, second = next(lines, ""), next(lines, "")
    mark = first.lstrip()[:1]
    if mark == "[" and not plain.looks_plain(first, names):
        element = next(elements(source.chunks()), (0, ""))
        return "json", _named(element[1])
    if mark == "{":
        whole = first.strip() == "{" or not (first.rstrip().endswith("}") or second.lstrip().startswith("{"))
        return ("json", _named("".join(source.chunks()))) if whole else ("jsonl", _named(first))
    return "plain", "plain"


def _named(text: str) -> str:
    try:
        return format_of(json.loads(text))
    except (ValueError, RecursionError):
        return "messages"


def _found(parts: Iterable[Part], problems: list[Problem]) -> Iterator[Found]:
    """Turns with clean, non-blank text; a break before one that was left out moves to the next."""
    breaks = False
    for part in parts:
        if isinstance(part, Problem):
            problems.append(part)
            continue
        text, breaks = clean_text(part.text), breaks or part.breaks
        if text.strip():
            yield part._replace(text=text, breaks=breaks)
            breaks = False


def _sessions(found: Iterator[Found]) -> Iterator[_Session]:
    """Groups of turns: by the file's own session ids, else at its breaks and after long silences."""
    waiting = next(found, None)
    number = 0
    while waiting is not None:
        number += 1
        run = _Run(waiting, found)
        yield _Session(waiting.session, number, iter(run))
        for _ in run:  # whoever took only a part
            pass
        waiting = run.next


class _Run:
    """The turns of one session; `next` is the first turn of the session after it."""

    def __init__(self, first: Found, rest: Iterator[Found]) -> None:
        self.next: Found | None = None
        self._turns = self._take(first, rest)

    def __iter__(self) -> Iterator[Found]:
        return self._turns

    def _take(self, first: Found, rest: Iterator[Found]) -> Iterator[Found]:
        yield first
        before = first
        for turn in rest:
            if _starts_anew(before, turn):
                self.next = turn
                return
            yield turn
            before = turn


def _starts_anew(before: Found, turn: Found) -> bool:
    if turn.session or before.session:
        return turn.session != before.session
    silent = before.at is not None and turn.at is not None and turn.at - before.at >= SESSION_GAP
    return turn.breaks or silent


def _dated(
    sessions: Iterator[_Session], start: datetime, latest: datetime, own_name: str, user_id: str
) -> Iterator[Turn]:
    """Times where there are none, session names where there are none, and ids that depend on the chat only."""
    keys: Counter[str] = Counter()
    said: Counter[str] = Counter()
    before: datetime | None = None
    for session in sessions:
        head = list(islice(session.turns, _LOOKAHEAD))
        key = _session_key(session.id, head, keys)
        name = session.id or (own_name if session.number == 1 else f"{own_name}-{session.number}")
        clock = _first_time(head, before, start + SESSION_SPACING * (session.number - 1))
        for turn in chain(head, session.turns):
            at = turn.at or min(clock, latest)
            clock = at + TURN_SPACING
            before = at if turn.at is not None else before
            words = _digest(key, turn.role, turn.text)
            said[words] += 1
            yield Turn(
                id=_digest(key, turn.id) if turn.id else _digest(words, str(said[words])),
                user_id=user_id,
                session_id=name,
                role=turn.role,
                text=turn.text,
                said_at=at.astimezone(timezone.utc),
            )


def _first_time(head: list[Found], before: datetime | None, planned: datetime) -> datetime:
    """When a session without a time at its start began: before its first known time, else a day after the last one."""
    known = next((number for number, turn in enumerate(head) if turn.at is not None), None)
    if known is not None and (at := head[known].at) is not None:
        return at - min(TURN_SPACING * known, at - EARLIEST)
    return planned if before is None else before + SESSION_SPACING


def _session_key(session_id: str, head: list[Found], keys: Counter[str]) -> str:
    """A session's identity: its own id, or its first turns and how many sessions began alike before it."""
    if session_id:
        return session_id
    key = _digest(*(part for turn in head for part in (turn.role, turn.text, turn.at.isoformat() if turn.at else "")))
    keys[key] += 1
    return f"{key}/{keys[key]}"


def _digest(*parts: str) -> str:
    joined = "\x1f".join(parts).encode("utf-8", "replace")
    return "imp-" + hashlib.blake2b(joined, digest_size=12).hexdigest()
