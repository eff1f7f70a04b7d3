"""Every code has its sentence in both languages, and a memory's explanation quotes the user's own words."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from hermes_core.answers import describe, explain
from hermes_core.answers.words import EVENT_WORDS, KIND_WORDS, REASON_WORDS, STATUS_WORDS
from hermes_core.changes import Cause, Event, refusal, step
from hermes_core.items import Evidence, HeldOverride, Kind, MemoryItem, Status, Tone, Turn
from hermes_core.reasons import Reason

T0 = datetime(2025, 3, 1, 9, 30, tzinfo=timezone.utc)
CAUSE = Cause(by="turn", at=T0, session_id="s1", turn_id="t1")


def item(**fields: object) -> MemoryItem:
    base = {
        "id": "i1",
        "user_id": "u",
        "kind": Kind.CONSTRAINT,
        "slot": "allergy",
        "value": "peanuts",
        "text": "I'm allergic to peanuts",
        "status": Status.CANDIDATE,
        "created_at": T0,
        "said_at": T0,
        "confirmed_at": T0,
        "evidence": (Evidence(session_id="s1", turn_id="t1", quote="allergic to peanuts", said_at=T0),),
    }
    return MemoryItem(**{**base, **fields})


@pytest.mark.parametrize(
    ("codes", "table"),
    [(Event, EVENT_WORDS), (Reason, REASON_WORDS), (Status, STATUS_WORDS), (Kind, KIND_WORDS)],
    ids=["events", "reasons", "statuses", "kinds"],
)
def test_every_code_has_words_in_both_languages(codes, table):
    assert [code for code in codes if code not in table] == []
    for english, chinese in table.values():
        assert english.isascii() or "“" in english
        assert any("\u4e00" <= c <= "\u9fff" for c in chinese)


def test_no_two_reasons_read_the_same():
    for language in (0, 1):
        sentences = [words[language] for words in REASON_WORDS.values()]
        assert len(set(sentences)) == len(sentences)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Took in “I'm allergic to peanuts” (candidate), because there was room."),
        ("zh", "记下了「I'm allergic to peanuts」（候选）：因为还有空位。"),
    ],
)
def test_describe_is_one_line(language, expected):
    change = step(None, Event.ADMITTED, reason=Reason.ROOM, cause=CAUSE, new=item())
    assert describe(change, language) == expected


def test_describe_names_the_move_and_the_detail():
    confirmed = item(status=Status.CONFIRMED)
    change = step(confirmed, Event.FROZE, reason=Reason.SETTLED, cause=CAUSE, detail="3 sessions")
    assert describe(change).startswith("Froze “I'm allergic to peanuts” (confirmed → frozen), because")
    assert describe(change).endswith("(3 sessions).")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("event", list(Event))
@pytest.mark.parametrize("text", ["{x} {0} %s </memory>", "a\nb", "\ud800", ""])
def test_describe_survives_any_text(event, text, language):
    change = refusal("u", reason="a_reason_of_tomorrow", cause=CAUSE, claim=text)
    line = describe(
        type(change)(**{**{f: getattr(change, f) for f in change.__struct_fields__}, "event": event}), language
    )
    assert "\n" not in line
    assert "a reason of tomorrow" in line


def test_explain_quotes_the_user_and_every_rule():
    admitted = step(None, Event.ADMITTED, reason=Reason.ROOM, cause=CAUSE, new=item())
    promoted = step(admitted.after, Event.PROMOTED, reason=Reason.CALM_AND_EXPLICIT, cause=CAUSE)
    froze = step(promoted.after, Event.FROZE, reason=Reason.VITAL, cause=CAUSE)
    other = step(None, Event.ADMITTED, reason=Reason.ROOM, cause=CAUSE, new=item(id="i2"))
    turn = Turn(
        id="t1", user_id="u", session_id="s1", role="user", text="By the way, I'm allergic to peanuts!", said_at=T0
    )

    told = explain(froze.after, [admitted, other, promoted, froze], [turn])

    assert told.trail == (admitted, promoted, froze)
    assert "“allergic to peanuts” (session s1, turn t1, 2025-03-01 09:30 UTC, in: “By the way" in told.text
    for reason in (Reason.ROOM, Reason.CALM_AND_EXPLICIT, Reason.VITAL):
        assert REASON_WORDS[reason][0] in told.text
    chinese = explain(froze.after, [admitted, promoted, froze], [turn], "zh").text
    for reason in (Reason.ROOM, Reason.CALM_AND_EXPLICIT, Reason.VITAL):
        assert REASON_WORDS[reason][1] in chinese
    assert "会话 s1" in chinese


def test_explain_shows_held_overrides_links_and_hits():
    held = HeldOverride(
        value="none",
        text="I am not allergic to anything",
        reason=Reason.FROZEN_HOLDS,
        evidence=(Evidence(session_id="s2", turn_id="t7", quote="not allergic", said_at=T0, tone=Tone.EMOTIONAL),),
    )
    frozen = item(status=Status.FROZEN, held=(held,), complements=("i9",), derived_from=("i3", "i4"))
    hits = [
        step(frozen, Event.HIT, reason=Reason.RECALLED, cause=Cause(by="read", at=T0 + timedelta(days=d)), hits=d)
        for d in (1, 2)
    ]
    text = explain(frozen, hits).text
    assert "Kept beside it: “I am not allergic to anything”" in text
    assert "session s2, turn t7" in text
    assert ", emotional)" in text
    assert "Drawn from: i3, i4" in text
    assert "Goes with: i9" in text
    assert "Shown to the model 2 times, last at 2025-03-03 09:30 UTC." in text


def test_explain_without_a_trail_says_so():
    assert "No decision about it" in explain(item(evidence=()), []).text
