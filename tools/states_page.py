"""Writes docs/states.md from TRANSITIONS, so that the page can't show an edge that the code doesn't have.

Run it after a change of hermes_core/changes.py: python tools/states_page.py (tests/docs compares).
"""

from __future__ import annotations

import re
from pathlib import Path

from hermes_core.answers.words import EVENT_WORDS, STATUS_WORDS
from hermes_core.changes import TRANSITIONS, Event
from hermes_core.items import POOL_OF_STATUS, Status

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "states.md"

HEADER = """# States

Where a memory can stand, and what can happen to it there. There is one table, `TRANSITIONS` in `hermes_core/changes.py`;
a step that is not in it can't happen. This page is written from it by `tools/states_page.py`.

The freeze gate shows as missing edges: from **frozen**, nothing leads to superseded, evicted, sealed or dropped. Only the
user's explicit correction (unlocked), time (weathered), doubt that gathered (staled), the user's command (forgotten) and a
rollback lead out.
"""

ARROWS = """## Moves

```mermaid
stateDiagram-v2
{arrows}
```
"""


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}")


def page() -> str:
    return "\n".join((HEADER, _statuses(), ARROWS.format(arrows=_arrows()), _moves(), _stays())).rstrip() + "\n"


def _statuses() -> str:
    lines = ["| status | 中文 | pool |", "|---|---|---|"]
    lines += [f"| {s} | {STATUS_WORDS[s][1]} | {POOL_OF_STATUS[s]} |" for s in Status]
    return "\n".join(lines) + "\n"


def _edges() -> dict[tuple[str, str], list[Event]]:
    """(before, after) to events, where the status moves; a restore may lead anywhere and is told apart."""
    out: dict[tuple[str, str], list[Event]] = {}
    for (before, event), targets in TRANSITIONS.items():
        for after in targets:
            if event is not Event.RESTORED and before is not after:
                out.setdefault((str(before or "[*]"), str(after)), []).append(event)
    return out


def _arrows() -> str:
    return "\n".join(
        f"    {before} --> {after} : {', '.join(map(str, events))}"
        for (before, after), events in sorted(_edges().items())
    )


def _moves() -> str:
    lines = ["| event | from | to | what it means |", "|---|---|---|---|"]
    for event in Event:
        pairs = [(b, a) for (b, a), events in sorted(_edges().items()) if event in events]
        if pairs:
            sources = ", ".join("nothing" if before == "[*]" else before for before, _ in pairs)
            targets = ", ".join(dict.fromkeys(after for _, after in pairs))
            lines.append(f"| {event} | {sources} | {targets} | {_meaning(event)} |")
    lines.append(f"| {Event.RESTORED} | nothing, any but forgotten | any but forgotten | {_meaning(Event.RESTORED)} |")
    return "\n".join(lines) + "\n"


def _stays() -> str:
    lines = ["## What leaves the status as it is\n", "| event | where | what it means |", "|---|---|---|"]
    for event in Event:
        where = [str(before) for (before, e), targets in TRANSITIONS.items() if e is event and targets == (before,)]
        if where and event is not Event.RESTORED:
            lines.append(f"| {event} | {', '.join(where)} | {_meaning(event)} |")
    lines.append(f"| {Event.REFUSED} | no item | {_meaning(Event.REFUSED)} |")
    return "\n".join(lines) + "\n"


def _meaning(event: Event) -> str:
    """The comment beside the event in the code; where there is none, the words that people read."""
    source = (ROOT / "hermes_core" / "changes.py").read_text(encoding="utf-8")
    found = re.search(rf'^    {event.name} = "[^"]*"  # (.*)$', source, re.MULTILINE)
    if found is None:
        return EVENT_WORDS[event][0].replace(" “{text}”", "").lower()
    return re.sub(r"^([A-Z]\d+(, )?)+: ", "", found[1]).replace("|", "\\|")


if __name__ == "__main__":
    main()
