"""Working memory and the rules of summaries: when one is due, whether it may be kept, how it reads (R10, R11, O6).

Pure functions over turns and summaries; who writes the summary is a port (hermes_core.summarizers has the shipped
ones), and nothing here knows a store or a clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec

from hermes_core.config import Config
from hermes_core.entities import content_words, entities, names_in, overlap
from hermes_core.fencing import looks_like_instruction
from hermes_core.items import Turn
from hermes_core.ports import Summary, TokenCounter
from hermes_core.summary_text import composed, frame_of, joined

__all__ = ["Due", "composed", "compression", "due", "faults", "grounded", "kept_share", "newest", "redacted", "working"]

KEPT_FACTS = 60  # facts, tasks and names kept in one summary's lists; `text` holds those that fit its tokens
KEPT_TASKS = 20
KEPT_ENTITIES = 60
FACT_COVERED = 0.6  # share of a fact's content words that must come back for it to count as kept
KEPT_SHARE = 0.9  # of the earlier summary's facts and names; a summary that keeps fewer is refused (O6)
NEAR_BUDGET = 0.9  # share of the memory's tokens at which a summary is due early
FEWEST_TURNS = 2  # an early summary needs this many new turns


class Due(NamedTuple):
    """A summary that should be made now: of one session, or over all of them (session_id "")."""

    session_id: str
    turns: tuple[Turn, ...]
    previous: Summary | None


def working(turns: Iterable[Turn], now: datetime, config: Config) -> tuple[Turn, ...]:
    """R10: the last turns of the session, oldest first, none older than `session.working_hours`."""
    since = now - timedelta(hours=config.session.working_hours)
    fresh = [turn for turn in turns if turn.said_at >= since]
    return tuple(sorted(fresh, key=_when)[-config.session.working_turns :])


def due(
    turns: Iterable[Turn],
    summaries: Iterable[Summary],
    config: Config,
    now: datetime | None = None,
    used_tokens: int = 0,
    budget: int | None = None,
) -> tuple[Due, ...]:
    """R11: the summaries to make: every `session.summary_turns` turns, when a session has ended, or near the budget.

    `turns` are one user's. With `now`, sessions idle for `session.idle_hours` count as ended. A session's summary
    makes the overall one due too (it comes last).
    """
    ordered = sorted(turns, key=_when)
    latest = newest(summaries)
    pressed = budget is not None and used_tokens >= NEAR_BUDGET * budget
    found = [
        Due(session, fresh, latest.get(session))
        for session, fresh in _fresh(ordered, latest).items()
        if _ripe(fresh, config, now, pressed)
    ]
    if not found:
        return ()
    overall = latest.get("")
    seen = overall.last_seq if overall is not None else 0
    ripe = {one.session_id for one in found}
    rest = tuple(turn for turn in ordered if turn.session_id in ripe and turn.seq > seen)
    return (*found, Due("", rest, overall)) if rest else tuple(found)


def newest(summaries: Iterable[Summary]) -> dict[str, Summary]:
    """The latest summary of each session, by session ("" for the overall one)."""
    latest: dict[str, Summary] = {}
    for summary in summaries:
        known = latest.get(summary.session_id)
        if known is None or summary.last_seq >= known.last_seq:
            latest[summary.session_id] = summary
    return latest


def faults(
    summary: Summary, turns: Sequence[Turn], previous: Summary | None, max_tokens: int, counter: TokenCounter
) -> tuple[str, ...]:
    """Why a summary may not be kept: empty, no_entities, too_long, shrunk (O6). Empty when it may."""
    found = []
    if not summary.text.strip():
        found.append("empty")
    if not summary.entities and source_entities(turns, previous):
        found.append("no_entities")
    if counter.count(summary.text) > max_tokens:
        found.append("too_long")
    if previous is not None and kept_share(previous, summary) < KEPT_SHARE:
        found.append("shrunk")
    return tuple(found)


def kept_share(previous: Summary, summary: Summary) -> float:
    """Share of the earlier summary's facts and names that the new one still says, in 0..1."""
    whole = "\n".join((summary.text, *summary.facts, *summary.open_tasks, *summary.entities))
    words = content_words(whole)
    facts = [fact for fact in previous.facts if overlap(content_words(fact), words) >= FACT_COVERED]
    names = names_in(whole, previous.entities)
    total = len(previous.facts) + len(previous.entities)
    return (len(facts) + len(names)) / total if total else 1.0


def grounded(summary: Summary, turns: Sequence[Turn], previous: Summary | None) -> Summary:
    """The summary without names, and without facts, tasks or text with names, that nobody said (law G).

    Lines that order a model or its tools about go as well, whoever said them: a summary is shown in every context (P1).
    """
    source = [turn.text for turn in turns]
    if previous is not None:
        source += [previous.text, *previous.facts, *previous.open_tasks, *previous.entities]
    said = "\n".join(source)
    words = content_words(said)

    def holds(line: str) -> bool:
        names = entities(line)
        if looks_like_instruction(line):
            return False
        return len(names_in(said, names)) == len(names) and (overlap(content_words(line), words) > 0)

    return msgspec.structs.replace(
        summary,
        text=summary.text if holds(summary.text) else "",
        facts=tuple(fact for fact in summary.facts if holds(fact)),
        open_tasks=tuple(task for task in summary.open_tasks if holds(task)),
        entities=tuple(names_in(said, summary.entities)),
    )


def source_entities(turns: Sequence[Turn], previous: Summary | None = None) -> tuple[str, ...]:
    """The names that a summary of these turns can name: the earlier summary's, then those of the user's turns."""
    found = list(previous.entities) if previous is not None else []
    for turn in turns:
        if turn.role == "user":
            found += entities(turn.text)
    return unique(found)


def redacted(summary: Summary, words: Iterable[str]) -> Summary | None:
    """C6: the summary without what says one of the words; None when nothing remains.

    Lines go that hold one of them or are cut from one; names go that stand in one, unless a line that stays says them.
    """
    banned = [word for word in words if word.strip()]
    facts = tuple(line for line in summary.facts if not _gives_away(line, banned))
    tasks = tuple(line for line in summary.open_tasks if not _gives_away(line, banned))
    said = set(names_in("\n".join((*facts, *tasks)), summary.entities))
    forgotten = set(names_in("\n".join(banned), summary.entities))
    names = tuple(
        name for name in summary.entities if not names_in(name, banned) and (name in said or name not in forgotten)
    )
    if not (facts or tasks or names):
        return None
    lines = {"facts": list(facts), "open": list(tasks), "names": list(names)}
    kept = msgspec.structs.replace(summary, facts=facts, open_tasks=tasks, entities=names)
    return msgspec.structs.replace(kept, text=joined(lines, frame_of(kept)))


def compression(turns: Iterable[Turn], summary: Summary, counter: TokenCounter) -> float:
    """C10: tokens of the summary's text over the tokens of what it sums up; 0 for no turns."""
    source = sum(counter.count(turn.text) for turn in turns)
    return counter.count(summary.text) / source if source else 0.0


def unique(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines without repeats (case and spaces aside), in their order."""
    return tuple({"".join(line.casefold().split()): line for line in reversed(tuple(lines))}.values())[::-1]


def _when(turn: Turn) -> tuple[int, datetime]:
    return turn.seq, turn.said_at


def _fresh(ordered: Iterable[Turn], latest: dict[str, Summary]) -> dict[str, tuple[Turn, ...]]:
    found: dict[str, list[Turn]] = {}
    for turn in ordered:
        known = latest.get(turn.session_id)
        if known is None or turn.seq > known.last_seq:
            found.setdefault(turn.session_id, []).append(turn)
    return {session: tuple(turns) for session, turns in found.items()}


def _ripe(fresh: Sequence[Turn], config: Config, now: datetime | None, pressed: bool) -> bool:
    if len(fresh) >= config.session.summary_turns or (pressed and len(fresh) >= FEWEST_TURNS):
        return True
    if now is None or len(fresh) < FEWEST_TURNS:
        return False
    return now - fresh[-1].said_at >= timedelta(hours=config.session.idle_hours)


def _gives_away(line: str, banned: Iterable[str]) -> bool:
    """The line holds a banned text, or is itself a part of a longer one."""
    words = content_words(line)
    return bool(names_in(line, banned)) or any(len(words) > 1 and words <= content_words(text) for text in banned)
