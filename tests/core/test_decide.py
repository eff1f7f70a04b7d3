"""The write rule step by step: screening, counting once, arbitration, and that every claim leaves a line (law X)."""

from __future__ import annotations

import pytest

from hermes_core.config import build
from hermes_core.decide import decide
from hermes_core.errors import OwnerMismatch
from hermes_core.items import Status
from hermes_core.user_state import UserState


def lines(changes):
    return [(str(c.event), str(c.reason)) for c in changes]


# ---- screening
@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ({"forgotten": True}, "forgotten_by_user"),
        ({"salience": 0.34}, "low_salience"),
        ({"tokens": 51}, "too_long"),
        ({"quote": " "}, "ungrounded"),
        ({"role": "assistant"}, "ungrounded"),
        ({"text": ""}, "malformed"),
        ({"slot": "name", "tone": "emotional"}, "emotional"),
    ],
)
def test_screened(story, how, reason):
    how = dict(how)
    changes = story.says(how.pop("slot", "pet"), "dog", **how)
    assert lines(changes) == [("refused", reason)]
    assert len(story.state) == 0
    assert changes[0].claim


def test_the_floor_itself_passes(story):
    story.says("pet", "dog", salience=0.35, tokens=50)
    assert story.current("pet") == ["dog"]


def test_another_users_claim_is_an_error(story):
    claim = story.claim("pet", "dog")
    with pytest.raises(OwnerMismatch):
        decide(UserState("somebody else"), claim, story.config)


# ---- where confidence starts (W5)
@pytest.mark.parametrize(
    ("how", "confidence", "status"),
    [
        ({}, 0.85, Status.CONFIRMED),
        ({"confidence": 1.0}, 0.85, Status.CONFIRMED),
        ({"confidence": 0.7}, 0.7, Status.CANDIDATE),
        ({"basis": "behaviour"}, 0.6, Status.CANDIDATE),
        ({"basis": "implied"}, 0.4, Status.CANDIDATE),
        ({"tone": "emotional"}, 0.5, Status.CANDIDATE),
        ({"suspicious": True}, 0.85, Status.CANDIDATE),
    ],
)
def test_start(story, how, confidence, status):
    story.says("taste", "plain", kind="preference", session="a", **how)
    assert (story.one("taste").confidence, story.one("taste").status) == (confidence, status)


def test_everything_about_the_first_saying_is_in_the_item(story):
    claim = story.claim(
        "allergy", "peanuts", session="a", sensitivity="sensitive", visible_to=("doctor",), importance=2.0
    )
    story.take(claim)
    item = story.one("allergy")
    assert (item.id, item.said_at, item.created_at, item.confirmed_at) == (claim.item_id, *[claim.turn.said_at] * 3)
    assert item.evidence == (claim.evidence,)
    assert (item.evidence[0].session_id, item.evidence[0].turn_id) == ("a", claim.turn.id)
    assert (item.importance, item.half_life_days, item.sensitivity) == (1.0, None, "sensitive")
    assert item.visible_to == ("doctor",)
    assert {c.cause.turn_id for c in story.trail} == {claim.turn.id}


def test_the_kinds_half_life_holds_where_the_slot_has_none(story):
    story.says("taste", "plain", kind="preference", half_life_days=None)
    assert story.one("taste").half_life_days == 30.0


# ---- counting (law C)
def test_twice_in_a_session_is_once(story):
    story.says("pet", "Rex", session="a")
    assert lines(story.says("pet", "Rex", session="a")) == [("noted", "same_session")]
    assert (story.one("pet").confirmations, len(story.one("pet").evidence)) == (1.0, 2)
    story.says("pet", "Rex", session="b")
    assert story.one("pet").confirmations == 2.0


def test_a_repeat_in_the_session_does_not_keep_it_young(story):
    story.says("pet", "Rex", session="a")
    story.day(20).says("pet", "Rex", session="a")
    assert story.one("pet").confirmed_at == story.one("pet").said_at


def test_the_same_turn_again_changes_nothing(story):
    claim = story.claim("pet", "Rex", session="a")
    story.take(claim)
    before = story.state.live
    assert lines(story.take(claim)) == [("refused", "already_counted")]
    twin = story.claim("pet", "Rex", session="a", turn=claim.turn.id)
    assert lines(story.take(twin)) == [("refused", "already_counted")]
    assert story.state.live == before


def test_emotional_and_implied_words_count_half(story):
    story.says("taste", "plain", kind="preference", session="a")
    story.says("taste", "plain", kind="preference", session="b", tone="emotional")
    assert story.one("taste").confirmations == 1.5
    story.says("taste", "plain", kind="preference", session="c", basis="implied")
    assert story.one("taste").confirmations == 2.0


def test_more_sessions_than_are_kept_never_count_twice(Stories):
    story = Stories(build({"bounded": {"evidence_cap": 4}, "freeze": {"whitelist": []}}))
    for n in (*range(9), *range(9)):
        story.says("pet", "Rex", session=f"s{n}")
    pet = story.one("pet")
    assert pet.confirmations == 4.0
    assert len(pet.evidence) == 4
    assert pet.evidence[0].session_id == "s0"
    assert pet.evidence[-1].session_id == "s8"


def test_what_was_said_earlier_but_heard_later_still_counts(story):
    story.says("pet", "Rex", session="late", at=5)
    story.says("pet", "Rex", session="early", at=1)
    pet = story.one("pet")
    assert (pet.confirmations, pet.said_at < pet.confirmed_at) == (2.0, True)
    assert [e.session_id for e in pet.evidence] == ["early", "late"]


def test_an_implied_belief_said_outright_is_explicit_from_then_on(story):
    story.says("taste", "plain", kind="preference", basis="implied", session="a")
    story.says("taste", "plain", kind="preference", session="a")
    taste = story.one("taste")
    assert (taste.kind, taste.basis, taste.confidence) == ("preference", "explicit", 0.85)
    assert taste.status is Status.CONFIRMED


def test_a_suspicious_repeat_confirms_nothing(story):
    story.says("pet", "Rex", session="a")
    assert lines(story.says("pet", "Rex", session="b", suspicious=True)) == [("refused", "suspicious")]
    assert story.one("pet").confirmations == 1.0


# ---- arbitration among the unfrozen (F4, F9)
def test_explicit_beats_implied_whichever_comes_later(story):
    story.says("reply_length", "concise", session="a")
    changes = story.says("reply_length", "detailed", basis="implied", session="b")
    assert lines(changes) == [("held", "explicit_wins")]
    story.says("focus", "thesis", basis="implied", session="a")
    story.says("focus", "exam", session="b")
    assert story.current("focus") == ["exam"]


def test_a_losing_contradiction_takes_one_confirmation_back_once_per_session(story):
    for n in range(2):
        story.says("residence", "Paris", session=f"s{n}")
    story.says("residence", "Rome", session="x", confidence=0.5)
    story.says("residence", "Rome", session="x", confidence=0.5)
    paris = story.one("residence")
    assert (paris.confirmations, paris.rejections, len(paris.held)) == (1.0, 1, 1)
    story.says("residence", "Paris", session="s2")
    assert (story.one("residence").confirmations, story.one("residence").rejections) == (2.0, 0)


def test_three_contradictions_in_a_row_open_the_question(story):
    for n in range(2):
        story.says("residence", "Paris", session=f"s{n}")
    for n, city in enumerate(("Rome", "Oslo", "Bonn")):
        story.says("residence", city, session=f"x{n}", confidence=0.5)
    assert story.one("residence").status is Status.STALE
    assert story.trail[-1].reason == "rejected_often"


def test_the_loser_is_archived_with_its_history(story):
    story.says("residence", "Paris", session="a")
    story.day(3).says("residence", "Rome", session="b")
    paris, rome = story.item("residence", "Paris"), story.item("residence", "Rome")
    assert (paris.superseded_by, rome.supersedes) == (rome.id, (paris.id,))
    assert rome.id in paris.note
    assert "Rome" not in paris.note  # a note must not outlive what it names


def test_a_correction_ends_a_preference_without_cooling_down(story):
    story.says("music.likes", "jazz", session="a")
    story.day(3).says("music.likes", "jazz", polarity=-1, correction=True, session="b")
    assert story.current("music.likes") == ["-jazz"]
    assert story.status("music.likes", "jazz") is Status.ARCHIVED


def test_a_correction_of_nothing_is_just_new(story):
    story.says("residence", "Rome", correction=True, session="a")
    assert story.current("residence") == ["Rome"]


def test_a_suspicious_or_emotional_contradiction_moves_nothing(story):
    story.says("employer", "Alpha", session="a")
    assert lines(story.says("employer", "X", suspicious=True, session="b")) == [("refused", "suspicious")]
    assert lines(story.says("employer", "Y", tone="emotional", session="b")) == [("held", "emotional")]
    assert story.one("employer").confirmations == 1.0


def test_links_stay_within_their_number(story):
    for n in range(20):
        story.says("budget.notes", f"note {n}", kind="constraint", session="a")
    assert max(len(i.complements) for i in story.state.live.values()) <= story.config.bounded.links_cap


def test_a_state_seen_again_after_its_days_stays_a_state(story):
    story.says("focus", "exam", session="a")
    story.day(3.5).says("focus", "exam", session="b")
    assert story.one("focus").kind == "state"
    assert story.one("focus").confirmations == 2.0


def test_the_archive_is_not_woken_by_a_mood_or_past_a_full_pool(Stories):
    story = Stories(build({"bounded": {"hot_cap": 1}}))
    plain = {"kind": "preference", "half_life_days": 30.0, "importance": 0.1}
    story.says("taste", "plain", session="a", **plain)
    item_id = story.one("taste").id
    story.day(95)
    assert story.state.get(item_id).status is Status.ARCHIVED
    story.says("gem", "gem", session="b", importance=1.0)
    story.says("taste", "plain", session="c", similar={item_id: 0.9}, **plain)
    assert story.state.get(item_id).status is Status.ARCHIVED
    assert story.trail[-1].event == "refused"
