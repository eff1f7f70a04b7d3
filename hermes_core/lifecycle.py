"""The life cycle for people: docs/states.md, drawn from TRANSITIONS so that it can't say anything else. No rule may live here."""

from __future__ import annotations

from collections.abc import Iterable

from hermes_core.changes import TRANSITIONS, Event
from hermes_core.items import POOL_OF_STATUS, Status

_NOTHING = "(nothing)"
_MEANING = {
    Status.CANDIDATE: "said, not yet sure; worded as uncertain",
    Status.CONFIRMED: "known",
    Status.FROZEN: "settled; only the user's explicit, calm correction changes its words",
    Status.UNLOCKED: "opened for a correction, within one decision",
    Status.STALE: "waits for re-confirmation; not recalled as a fact",
    Status.ARCHIVED: "cold; can be woken, unless something took its place",
    Status.FORGOTTEN: "gone; the trail keeps a line",
}


def states_markdown() -> str:
    """docs/states.md: a mermaid diagram of the moves between states, and the whole table of (state, event)."""
    parts = [
        "# The life of a memory",
        "Generated from `TRANSITIONS` in `hermes_core/changes.py` (`hermes_core.lifecycle.states_markdown`); a test compares. "
        "What is not listed can't happen: from frozen nothing leads to superseded, evicted, sealed or dropped.",
        "## Moves",
        "```mermaid\n" + _diagram() + "\n```",
        "## States",
        _states(),
        "## Events",
        "An arrow shows where the event leads; `=` leaves the state as it is; a blank can't happen.",
        _table(),
    ]
    return "\n\n".join(parts) + "\n"


def _diagram() -> str:
    moves: dict[tuple[str, str], list[str]] = {}
    for (before, event), targets in TRANSITIONS.items():
        if event is Event.RESTORED:  # may lead from anywhere to anywhere: it would hide the rest
            continue
        for target in targets:
            if before is not target:
                moves.setdefault((_node(before), _node(target)), []).append(str(event))
    lines = [f"    {a} --> {b}: {', '.join(events)}" for (a, b), events in moves.items()]
    return "\n".join(["stateDiagram-v2", *lines])


def _node(status: Status | None) -> str:
    return "[*]" if status is None or status is Status.FORGOTTEN else str(status)


def _states() -> str:
    rows = [(str(s), str(POOL_OF_STATUS[s]), _MEANING[s]) for s in Status]
    return _grid(("state", "pool", "meaning"), rows)


def _table() -> str:
    columns: tuple[Status | None, ...] = (None, *(s for s in Status if s is not Status.FORGOTTEN))
    rows = [(str(event), *(_cell(status, event) for status in columns)) for event in Event]
    return _grid(("event", *(str(s) if s else _NOTHING for s in columns)), rows)


def _cell(status: Status | None, event: Event) -> str:
    targets = TRANSITIONS.get((status, event), ())
    if len(targets) > 1:
        return "→ any"
    return " ".join("=" if target is status else f"→ {target}" for target in targets)


def _grid(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = tuple(head)
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
