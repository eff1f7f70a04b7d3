"""What time alone does, what uses do, and what the user's commands do."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from hermes_core import commands
from hermes_core.config import build
from hermes_core.errors import InvalidInput, NotFound, OwnerMismatch
from hermes_core.items import Status
from hermes_core.maintain import maintain


def settled(story, slot="reply_length", value="concise", **how):
    for n in range(3):
        story.day(n).says(slot, value, session=f"s{n}", **how)
    assert story.one(slot).status is Status.FROZEN
    return story.one(slot)


def obey(story, command, item, *more, **named):
    why = story.cause(command.__name__)
    return story.apply(command(story.state, item.id, *more, why, story.config, **named))


def events(changes):
    return [str(c.event) for c in changes]


# ---- time
def test_a_year_at_once_is_a_year_day_by_day(Stories):
    ends = []
    for days in ((400,), tuple(range(3, 401))):
        story = Stories()
        settled(story)
        for slot in ("employer", "music.likes", "mood", "residence", "allergy"):
            story.says(slot, "x", session="a")
        for day in days:
            story.day(day)
        ends.append({i.slot: (i.status, i.archived_because) for i in story.state})
    assert ends[0] == ends[1]


def test_sealing_keeps_numbers_and_a_record_of_conflicts(story):
    story.says("drink.likes", "coffee", session="a")
    story.says("drink.likes", "coffee", session="b", at=3)
    story.says("drink.likes", "coffee", polarity=-1, tone="emotional", session="c", at=4)
    story.day(120)
    (sealed,) = story.state
    assert (sealed.status, sealed.archived_because) == (Status.ARCHIVED, "sealed")
    assert "2 session(s) from 2026-01-05 to 2026-01-08" in sealed.note


def test_facts_wait_for_reconfirmation_after_half_a_year(story):
    story.says("employer", "Alpha", session="a")
    story.day(179)
    assert story.one("employer").status is Status.CONFIRMED
    story.day(181)
    assert story.one("employer").status is Status.STALE
    story.says("employer", "Alpha", session="b")
    assert (story.one("employer").status, story.one("employer").confirmations) == (Status.CONFIRMED, 2.0)


def test_a_stale_fact_gives_way_to_a_new_one(story):
    story.says("employer", "Alpha", session="a")
    story.day(181).says("employer", "Beta", session="b")
    assert story.current("employer") == ["Beta"]


def test_identity_neither_fades_nor_goes_stale(story):
    story.says("name", "Ana", session="a")
    story.day(5000)
    assert story.one("name").status is Status.CONFIRMED


def test_outlived_overrides_are_dropped(story):
    item = settled(story, "residence", "Paris")
    story.says("residence", "Rome", session="x")
    story.day(50)
    assert story.state.get(item.id).held
    story.day(63)
    assert story.state.get(item.id).held == ()
    assert story.trail[-1].reason == "outlived"


def test_a_pinned_item_stays(story):
    story.says("mood", "fine", session="a")
    obey(story, commands.pin, story.one("mood"))
    story.day(400)
    assert story.one("mood").status is Status.CONFIRMED
    obey(story, commands.pin, story.one("mood"), pinned=False)
    story.day(401)
    assert story.live("mood") == []


def test_a_second_pass_does_nothing(story):
    settled(story)
    story.says("mood", "fine", session="a")
    story.day(100)
    assert maintain(story.state, story.now, story.config) == ()


# ---- uses
def test_a_use_ends_idleness_and_is_no_evidence(story):
    story.says("music.likes", "jazz", session="a")
    item = story.day(20).one("music.likes")
    changes = story.hit(item.id, item.id, "nobody")
    assert events(changes) == ["hit"]
    used = story.one("music.likes")
    assert (used.hits, used.hit_at, used.confirmations) == (1, story.now, 1.0)
    assert used.evidence == item.evidence


def test_a_use_brings_back_what_went_cold(story):
    story.says("music.likes", "jazz", session="a")
    item_id = story.one("music.likes").id
    story.day(100)
    assert story.state.get(item_id).status is Status.ARCHIVED
    assert events(story.hit(item_id)) == ["hit", "woken"]
    assert story.state.get(item_id).status is Status.CONFIRMED


def test_a_use_brings_back_nothing_that_is_worth_less_than_what_is_there(Stories):
    story = Stories(build({"bounded": {"hot_cap": 1}}))
    story.says("taste", "plain", kind="preference", session="a", importance=0.1)
    item_id = story.one("taste").id
    story.says("gem", "gem", session="b", importance=1.0)
    assert story.state.get(item_id).archived_because == "evicted"
    assert events(story.hit(item_id)) == ["hit"]


def test_what_something_took_the_place_of_is_never_woken(story):
    story.says("residence", "Paris", session="a")
    old = story.one("residence").id
    story.day(3).says("residence", "Rome", session="b")
    story.hit(old)
    assert story.current("residence") == ["Rome"]


# ---- commands
def test_confirm_counts_and_settles_doubt(story):
    story.says("music.likes", "jazz", session="a", tone="emotional")
    obey(story, commands.confirm, story.one("music.likes"))
    item = story.one("music.likes")
    assert (item.status, item.confirmations, item.confidence) == (Status.CONFIRMED, 1.5, 0.85)


def test_confirm_wakes_and_reconfirms(story):
    story.says("employer", "Alpha", session="a")
    story.day(181)
    obey(story, commands.confirm, story.one("employer"))
    assert story.one("employer").status is Status.CONFIRMED
    story.day(1500)
    (item,) = story.state
    assert item.status is Status.ARCHIVED
    obey(story, commands.confirm, item)
    assert story.one("employer").status is Status.FROZEN  # the third time that the user says so


def test_reject_takes_even_a_frozen_item_out_of_the_facts(story):
    obey(story, commands.reject, settled(story))
    assert story.current("reply_length") == []
    assert story.one("reply_length").status is Status.STALE
    story.says("reply_length", "concise", session="later")
    assert story.one("reply_length").status is Status.FROZEN


def test_correct_takes_over_and_stays_frozen(story):
    old = settled(story)
    new = msgspec.structs.replace(old, id="new", value="detailed", text="reply_length: detailed", confirmations=1.0)
    changes = obey(story, commands.correct, old, new)
    assert events(changes) == ["unlocked", "superseded", "admitted", "promoted", "froze"]
    assert story.current("reply_length") == ["detailed"]
    assert story.one("reply_length").status is Status.FROZEN


def test_correct_with_the_same_words_confirms(story):
    old = settled(story)
    changes = obey(story, commands.correct, old, msgspec.structs.replace(old, id="new"))
    assert events(changes) == ["liked"]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"id": "same"}, InvalidInput),
        ({"text": " "}, InvalidInput),
        ({"tokens": 51}, InvalidInput),
        ({"user_id": "other"}, OwnerMismatch),
    ],
)
def test_a_correction_that_cannot_be(story, fields, error):
    old = settled(story)
    new = msgspec.structs.replace(old, **{"id": "new", "text": "x", **fields})
    if fields.get("id") == "same":
        new = msgspec.structs.replace(new, id=old.id)
    before = story.state
    with pytest.raises(error):
        commands.correct(story.state, old.id, new, story.cause("correct"), story.config)
    assert story.state is before


@pytest.mark.parametrize("name", ["confirm", "reject", "pin", "forget"])
def test_nobody_is_not_found(story, name):
    with pytest.raises(NotFound):
        getattr(commands, name)(story.state, "nobody", story.cause(name), story.config)


def test_approve_and_decline(story):
    item = settled(story, "residence", "Paris")
    story.says("residence", "Rome", session="x")
    with pytest.raises(NotFound):
        commands.approve(story.state, item.id, 1, "new", 5, story.cause("approve"), story.config)
    changes = story.apply(commands.decline(story.state, item.id, 0, story.cause("decline"), story.config))
    assert events(changes) == ["unlocked", "released", "refrozen"]
    story.says("residence", "Rome", session="y")
    story.apply(commands.approve(story.state, item.id, 0, "new", 5, story.cause("approve"), story.config))
    rome = story.one("residence")
    assert (rome.id, rome.value, rome.status, rome.supersedes) == ("new", "Rome", Status.FROZEN, (item.id,))
    assert [e.session_id for e in rome.evidence] == ["y"]


def contest(story):
    story.says("music.likes", "jazz", session="a")
    story.day(5).says("music.likes", "jazz", polarity=-1, session="b")
    return story.item("music.likes", "jazz"), story.item("music.likes", "jazz", -1)


@pytest.mark.parametrize(("pick", "current"), [(0, ["jazz"]), (1, ["-jazz"])])
def test_confirming_one_side_of_a_contest_ends_it(story, pick, current):
    obey(story, commands.confirm, contest(story)[pick])
    assert story.current("music.likes") == current
    assert len(story.live("music.likes")) == 1


@pytest.mark.parametrize("pick", [0, 1])
def test_correcting_one_side_of_a_contest_ends_it(story, pick):
    side = contest(story)[pick]
    new = msgspec.structs.replace(
        side, id="new", value="swing", text="swing", polarity=1, contested_by=None, observed_until=None
    )
    obey(story, commands.correct, side, new)
    assert [i.id for i in story.live("music.likes")] == ["new"]


def test_forgetting_the_challenge_restores_what_it_challenged(story):
    story.says("reply_length", "concise", session="a")
    story.day(5).says("reply_length", "detailed", session="b")
    obey(story, commands.forget, story.item("reply_length", "detailed"))
    assert story.current("reply_length") == ["concise"]


def test_correcting_into_what_is_known_leaves_one(story):
    story.says("pet", "dog", session="a")
    story.says("pet", "cat", session="b")
    dog = story.item("pet", "dog")
    new = msgspec.structs.replace(dog, id="new", value="Cat", text="pet: Cat")
    obey(story, commands.correct, dog, new)
    assert (story.one("pet").id, len(story.one("pet").evidence)) == ("new", 2)


def test_a_rejected_identity_does_not_wait_for_ever(story):
    story.says("name", "Ana", session="a")
    obey(story, commands.reject, story.one("name"))
    story.day(179)
    assert story.one("name").status is Status.STALE
    story.day(181)
    assert story.live("name") == []


# ---- forgetting
def test_forget_takes_versions_derivations_links_and_overrides_along(story):
    story.says("drink.likes", "coffee", session="a")
    story.day(1).says("drink.likes", "coffee", polarity=-1, correction=True, session="b")
    tea = story.says("drink.likes", "tea", session="b")[0].item_id
    quit_ = story.item("drink.likes", "coffee", -1)
    tea_item = msgspec.structs.replace(story.state.get(tea), complements=(quit_.id,))
    derived = msgspec.structs.replace(
        tea_item, id="derived", slot="beverages", derived_from=(quit_.id,), complements=()
    )
    story.state = type(story.state)(
        "user", 0, {**story.state.live, tea: tea_item, "derived": derived}, story.state.archive
    )
    obey(story, commands.forget, quit_)
    assert [i.id for i in story.state] == [tea]
    assert story.state.get(tea).complements == ()


def test_forget_several_at_once_and_what_is_held_of_it(story):
    item = settled(story, "residence", "Paris")
    story.says("residence", "Rome", session="x")
    rome = msgspec.structs.replace(item, id="rome", value="Rome", status=Status.ARCHIVED, held=())
    story.state = type(story.state)("user", 0, story.state.live, story.state.archive.with_changes({"rome": rome}))
    story.apply(commands.forget(story.state, ["rome"], story.cause("forget"), story.config))
    assert story.one("residence").held == ()


# ---- rollback
def test_rollback_restores_and_withdraws(story):
    settled(story)
    story.says("residence", "Paris", session="a")
    images = {i.id: i for i in story.state}
    story.day(10).says("residence", "Rome", session="b")
    story.says("pet", "Rex", session="b")
    story.apply(commands.rollback(story.state, images, story.cause("rollback"), story.config))
    assert story.current("residence") == ["Paris"]
    assert {i.slot: i.archived_because for i in story.state.archive.values()} == {
        "residence": "withdrawn",
        "pet": "withdrawn",
    }
    assert commands.rollback(story.state, {i.id: i for i in story.state}, story.cause("rollback"), story.config) == ()


def test_rollback_respects_todays_caps(story):
    story.fill(8)
    images = {i.id: i for i in story.state}
    story.config = build({"bounded": {"hot_cap": 3, "archive_cap": 2}})
    story.now += timedelta(days=1)
    story.state = type(story.state)("user")
    story.trail.clear()
    story.apply(commands.rollback(story.state, images, story.cause("rollback"), story.config))
    assert (len(story.state.hot), len(story.state.archive)) == (3, 2)
