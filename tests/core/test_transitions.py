"""Every (state, event) pair, legal and illegal, against a table written out by hand."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pytest

from hermes_core.changes import TRANSITIONS, WORDS, Cause, Event, evolve, step
from hermes_core.errors import IllegalTransition
from hermes_core.items import Evidence, Kind, MemoryItem, Status
from hermes_core.lifecycle import states_markdown

AT = datetime(2026, 1, 5, tzinfo=timezone.utc)
CAUSE = Cause(by="turn", at=AT, session_id="s", turn_id="t")
STATES = [None, *Status]
HOT = "candidate confirmed stale"
LIVE = f"{HOT} frozen"
KEPT = f"{LIVE} archived"
SURE = "candidate confirmed frozen"

# event: "where from -> where to"; "=" stays; "any" leads to any state that is kept
GOLDEN = {
    "admitted": ("nothing", "candidate"),
    "confirmed": (SURE, "="),
    "noted": (KEPT, "="),
    "promoted": ("candidate", "confirmed"),
    "froze": ("confirmed", "frozen"),
    "contradicted": (HOT, "="),
    "held": (LIVE, "="),
    "released": (f"{KEPT} unlocked", "="),
    "staled": ("candidate confirmed frozen", "stale"),
    "reconfirmed": ("stale", "confirmed"),
    "unlocked": ("frozen", "unlocked"),
    "refrozen": ("unlocked", "frozen"),
    "superseded": (f"{HOT} unlocked", "archived"),
    "weathered": ("frozen", "confirmed"),
    "sealed": (HOT, "archived"),
    "evicted": ("confirmed stale", "archived"),
    "woken": ("archived", "confirmed"),
    "dropped": ("candidate archived", "forgotten"),
    "forgotten": (KEPT, "forgotten"),
    "pinned": (LIVE, "="),
    "unpinned": (KEPT, "="),
    "liked": (SURE, "="),
    "rejected": (LIVE, "="),
    "linked": (KEPT, "="),
    "hit": (KEPT, "="),
    "observed": ("candidate", "="),
    "lengthened": (SURE, "="),
    "revalued": (SURE, "="),
    "restored": (f"nothing {KEPT}", "any"),
    "withdrawn": (LIVE, "archived"),
    "refused": ("", ""),
}


def item(status: Status) -> MemoryItem:
    said = Evidence(session_id="s", turn_id="t", quote="I like tea", said_at=AT)
    return MemoryItem(
        id="i",
        user_id="u",
        kind=Kind.PREFERENCE,
        slot="drink.likes",
        value="tea",
        text="Likes tea.",
        status=status,
        created_at=AT,
        said_at=AT,
        confirmed_at=AT,
        evidence=(said,),
    )


def targets(status: Status | None, event: Event) -> set[Status]:
    origins, target = GOLDEN[str(event)]
    if (str(status) if status else "nothing") not in origins.split():
        return set()
    if target == "=":
        return {status} if status else set()
    return {Status(s) for s in KEPT.split()} if target == "any" else {Status(target)}


def test_every_event_is_in_the_golden_table():
    assert set(GOLDEN) == {str(e) for e in Event}


@pytest.mark.parametrize("event", list(Event), ids=str)
@pytest.mark.parametrize("status", STATES, ids=str)
def test_pair(status, event):
    wanted = targets(status, event)
    assert set(TRANSITIONS.get((status, event), ())) == wanted
    before = item(status) if status else None
    new = item(Status.CANDIDATE) if status is None else None
    for target in Status:
        if target in wanted:
            change = step(before, event, reason="test", cause=CAUSE, to=target, new=new)
            assert (change.before, change.status) == (status, target)
            after = evolve({"i": before} if before else {}, change)
            assert after == ({} if target is Status.FORGOTTEN else {"i": change.after})
        else:
            with pytest.raises(IllegalTransition):
                step(before, event, reason="test", cause=CAUSE, to=target, new=new)


def test_frozen_has_no_edge_that_takes_it_away_unasked():
    """Law F: only the user's correction (unlocked first) or command, or time, moves a frozen item."""
    leaving = {e for (s, e), to in TRANSITIONS.items() if s is Status.FROZEN and to != (Status.FROZEN,)}
    assert leaving == {
        Event.UNLOCKED,
        Event.STALED,
        Event.WEATHERED,
        Event.FORGOTTEN,
        Event.RESTORED,
        Event.WITHDRAWN,
    }


def test_unlocked_leads_only_where_one_decision_goes():
    """F7: a correction archives it, or nothing is changed and it closes again; it is never stored."""
    assert {(e, to) for (s, e), to in TRANSITIONS.items() if s is Status.UNLOCKED} == {
        (Event.RELEASED, (Status.UNLOCKED,)),
        (Event.REFROZEN, (Status.FROZEN,)),
        (Event.SUPERSEDED, (Status.ARCHIVED,)),
    }


@pytest.mark.parametrize("name", WORDS)
def test_no_step_changes_words(name):
    with pytest.raises(IllegalTransition):
        step(item(Status.FROZEN), Event.NOTED, reason="test", cause=CAUSE, **{name: "other"})


def test_a_forged_trail_does_not_replay():
    change = step(item(Status.CONFIRMED), Event.EVICTED, reason="test", cause=CAUSE)
    with pytest.raises(IllegalTransition):
        evolve({"i": item(Status.FROZEN)}, change)


def test_the_document_is_the_table():
    document = Path(__file__).parents[2] / "docs" / "states.md"
    assert document.read_text(encoding="utf-8") == states_markdown()
