"""The two gates asked one question at a time."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from hermes_core import decay
from hermes_core.config import Config, build
from hermes_core.gates import bounded, freeze
from hermes_core.gates.freeze import Answer, Challenge
from hermes_core.items import Basis, Kind, Status
from hermes_core.user_state import UserState


def changed(item, **fields):
    return msgspec.structs.replace(item, **fields)


@pytest.fixture
def tea(story):
    story.says("drink.likes", "tea", session="a")
    return story.one("drink.likes")


# ---- decay (F10-F16)
def test_half_is_left_after_a_half_life(tea):
    assert decay.fade(tea, tea.confirmed_at + timedelta(days=30)) == pytest.approx(0.5)
    assert decay.strength(tea, tea.confirmed_at + timedelta(days=60)) == pytest.approx(0.85 * 0.25)
    assert decay.fade(changed(tea, half_life_days=None), tea.confirmed_at + timedelta(days=9999)) == 1.0


def test_late_news_finds_nothing_idle(tea):
    assert decay.fade(tea, tea.confirmed_at - timedelta(days=5)) == 1.0


def test_asleep_under_a_quarter(tea, story):
    at = tea.confirmed_at
    assert not decay.asleep(tea, at + timedelta(days=52), story.config)
    assert decay.asleep(tea, at + timedelta(days=53), story.config)
    assert decay.tier(tea, at + timedelta(days=53), story.config) == "warm"
    hit = changed(tea, hit_at=at + timedelta(days=53))
    assert decay.tier(hit, at + timedelta(days=54), story.config) == "hot"


def test_a_confirmation_beyond_the_third_lengthens_life_three_times(story):
    for n in range(9):
        story.day(n).says("drink.likes", "tea", session=f"s{n}")
    tea = story.one("drink.likes")
    assert tea.half_life_days == pytest.approx(30 * 1.25**3)
    assert tea.kept_alive == 3


# ---- the bounded gate (W8-W11)
def test_value_weighs_its_five_parts(tea, story):
    w = story.config.bounded.weights
    at = tea.confirmed_at
    full = changed(tea, importance=1.0, confidence=1.0, hits=20)
    assert bounded.value(full, at, story.config) == pytest.approx(1.0)
    assert bounded.value(full, at, story.config, crowd=4) == pytest.approx(1.0 - w.distinctness * 0.75)
    assert bounded.value(full, at, story.config, nearest=0.9) == pytest.approx(1.0 - w.distinctness * 0.9)
    assert bounded.value(full, at + timedelta(days=30), story.config) == pytest.approx(1.0 - w.recency * 0.5)


def test_the_threshold_rises_with_the_pool(Stories):
    story = Stories(build({"bounded": {"hot_cap": 10}}))
    assert bounded.threshold(story.state, story.now, story.config) == story.config.bounded.admission_floor
    seen = []
    for n in range(10):
        story.says(f"t{n}", f"thing {n}", session="a")
        seen.append(bounded.threshold(story.state, story.now, story.config))
    assert seen == sorted(seen)
    middle = bounded.worth(story.state, story.one("t5"), story.now, story.config)
    assert seen[-1] == pytest.approx(middle)


def test_the_bare_median_is_kept_as_a_preset():
    config = Config.preset("assistant")
    assert bounded.threshold(UserState("u"), None, config) == 0.0  # nothing to compare with


def test_ties_do_not_push_each_other_out(Stories):
    story = Stories(build({"bounded": {"hot_cap": 5}}))
    for n in range(5):
        story.says(f"t{n}", f"thing {n}", session="a")
    changes = story.says("t9", "thing 9", session="a")
    assert [str(c.reason) for c in changes] == ["worst_of_all"]
    assert len(story.state.hot) == 5


def test_a_flood_of_junk_leaves_the_gems(Stories):
    story = Stories(build({"bounded": {"hot_cap": 10}}))
    for n in range(10):
        story.says(f"gem{n}", f"gem {n}", session="a", importance=0.9)
    story.day(20)
    for n in range(50):
        story.says(f"junk{n}", f"junk {n}", session="b", importance=0.2)
    assert all(i.slot.startswith("gem") for i in story.state.hot)
    assert all(c.reason in ("below_threshold", "worst_of_all") for c in story.trail[-50:])


def test_a_flood_of_gems_stays_bounded_and_archives_what_was_known(Stories):
    story = Stories(build({"bounded": {"hot_cap": 10, "archive_cap": 20}}))
    for n in range(60):
        story.day(n / 10).says(f"gem{n}", f"gem {n}", session=f"s{n}", importance=0.5 + n / 200)
    assert len(story.state.hot) == 10
    assert {i.slot for i in story.state.hot} == {f"gem{n}" for n in range(50, 60)}
    assert len(story.state.archive) == 20
    assert all(i.archived_because == "evicted" for i in story.state.archive.values())


def test_from_now_on_needs_no_score_only_a_place(Stories):
    story = Stories(build({"bounded": {"hot_cap": 4}}))
    for n, importance in enumerate((0.1, 0.9, 0.9, 0.9)):
        story.says(f"t{n}", f"thing {n}", session="a", importance=importance)
    assert story.says("style", "plain", kind="preference", session="a")[0].reason == "below_threshold"
    story.says("style", "plain", kind="preference", session="a", lasting=True)
    assert story.current("style") == ["plain"]
    assert story.live("t0") == []


def test_an_evicted_candidate_leaves_only_a_line(Stories):
    story = Stories(build({"bounded": {"hot_cap": 2}}))
    story.says("a", "maybe", session="a", confidence=0.5, importance=0.1)
    story.says("b", "sure", session="a")
    story.says("c", "sure too", session="a", importance=0.9)
    assert len(story.state.archive) == 0
    assert [str(c.event) for c in story.trail if c.item_id == "i0001"] == ["admitted", "dropped"]


def test_confirmed_identity_and_constraints_are_protected_up_to_a_number(Stories):
    story = Stories(build({"bounded": {"hot_cap": 6, "protected_cap": 2}}))
    for n in range(3):
        story.says(f"limit{n}", f"limit {n}", kind="constraint", session="a", importance=0.3 + n / 10)
    assert bounded.protected(story.state, story.now, story.config) == {"i0002", "i0003"}
    for n in range(12):
        story.says(f"gem{n}", f"gem {n}", session="a", importance=0.9)
    assert {i.slot for i in story.state.hot if i.kind is Kind.CONSTRAINT} == {"limit1", "limit2"}


def test_pinned_and_frozen_items_never_leave_for_a_newcomer(Stories):
    from hermes_core.commands import pin

    story = Stories(build({"bounded": {"hot_cap": 2}}))
    for slot in ("a", "b"):
        story.says(slot, "thing", session="a", importance=0.1)
        story.apply(pin(story.state, story.one(slot).id, story.cause("pin"), story.config))
    changes = story.says("c", "gem", session="a", importance=1.0)
    assert [str(c.reason) for c in changes] == ["worst_of_all"]


def test_a_frozen_preference_never_leaves_for_a_newcomer_though_it_counts(Stories):
    """The dynamic cap counts what is frozen as well, and yet takes only from what is not."""
    story = Stories(build({"bounded": {"dynamic_cap": 2}}))
    for slot in ("a", "b"):
        for n in range(4):
            story.day(n).says(slot, "thing", kind="preference", session=f"s{n}", importance=0.1)
    assert {i.status for i in bounded.dynamic(story.state)} == {Status.FROZEN}
    changes = story.day(5).says("c", "gem", kind="preference", session="s9", importance=1.0)
    assert [str(c.reason) for c in changes] == ["dynamic_full"]
    assert len(story.state.frozen) == 2


def test_short_term_and_dynamic_have_caps_of_their_own(Stories):
    story = Stories(Config.preset("recommender"))
    for n in range(40):
        story.day(n / 24).says("activity", f"doing {n}", session=f"s{n}", importance=0.2 + n / 100)
        story.says(f"taste{n}", f"taste {n}", kind="preference", session=f"s{n}", importance=0.2 + n / 100)
    assert len(story.state.short_term) == 10
    assert len(bounded.dynamic(story.state)) == 30
    assert {c.reason for c in story.trail} >= {"replaced_worst"}


def test_the_archive_is_compacted_before_anything_is_lost(Stories):
    story = Stories(build({"bounded": {"archive_cap": 10}}))
    for n in range(12):  # moving to and fro: the same two homes again and again
        story.day(n).says("employer", "Alpha" if n % 2 else "Beta", session=f"s{n}", correction=True)
    story.maintain()
    assert len(story.state.archive) <= 9
    assert {c.reason for c in story.trail if c.event == "dropped"} == {"compacted"}


def test_a_large_archive_frees_some_places_at_once(Stories):
    story = Stories(build({"bounded": {"hot_cap": 1, "archive_cap": 100}}))
    for n in range(103):
        story.says(f"t{n}", f"thing {n}", session="a", importance=n / 200)
    assert 98 <= len(story.state.archive) <= 100
    assert story.item("t101", "thing 101").status is Status.ARCHIVED


def test_caps_broken_names_every_broken_limit(Stories):
    story = Stories()
    story.fill(3)
    tight = build({"bounded": {"hot_cap": 2, "item_tokens": 5}})
    broken = bounded.caps_broken(story.state, tight)
    assert broken[0] == "hot: 3 over 2"
    assert sum("tokens 8 over 5" in line for line in broken) == 3


def test_lowered_caps_hold_from_the_next_decision_on(Stories):
    story = Stories()
    story.fill(20)
    for n in range(4):
        story.says("allergy", f"nut {n}", session="a")
    story.config = build({"bounded": {"hot_cap": 3, "frozen_cap": 1, "archive_cap": 2}})
    story.maintain()
    assert (len(story.state.hot), len(story.state.frozen), len(story.state.archive)) == (3, 1, 2)


# ---- the freeze gate (F2-F6)
BASE = {
    "confidence": 0.85,
    "basis": Basis.EXPLICIT,
    "emotional": False,
    "correcting": True,
    "suspicious": False,
    "older": False,
}


@pytest.mark.parametrize(
    ("how", "wanted"),
    [
        ({}, (Answer.APPLIED, "corrected_by_user")),
        ({"correcting": False}, (Answer.HELD, "frozen_holds")),
        ({"emotional": True}, (Answer.HELD, "emotional")),
        ({"basis": Basis.BEHAVIOUR, "confidence": 0.6}, (Answer.HELD, "frozen_holds")),
        ({"basis": Basis.IMPLIED, "confidence": 0.4}, (Answer.IGNORED, "frozen_ignores")),
        ({"confidence": 0.59}, (Answer.IGNORED, "frozen_ignores")),
        ({"confidence": 0.6}, (Answer.HELD, "frozen_holds")),
        ({"confidence": 0.79}, (Answer.HELD, "frozen_holds")),
        ({"confidence": 0.8}, (Answer.APPLIED, "corrected_by_user")),
        ({"suspicious": True}, (Answer.IGNORED, "suspicious")),
        ({"older": True}, (Answer.IGNORED, "outdated")),
    ],
)
def test_answer(how, wanted):
    answer, reason = freeze.answer(Challenge(**{**BASE, **how}), Config())
    assert (answer, str(reason)) == wanted


def test_manual_review_awaits():
    assert freeze.answer(Challenge(**BASE), Config.preset("support"))[0] is Answer.AWAITS


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({}, "settled"),
        ({"confirmations": 2.5}, None),
        ({"confidence": 0.79}, None),
        ({"kind": Kind.EVENT}, None),
        ({"kind": Kind.STATE}, None),
        ({"suspicious": True}, None),
        ({"status": Status.STALE}, None),
        ({"status": Status.CANDIDATE}, None),
        ({"confirmations": 1.0, "high_impact": True, "timeless": True}, "vital"),
        ({"confirmations": 1.0, "high_impact": True}, None),
        ({"confirmations": 1.0, "high_impact": True, "timeless": True, "basis": Basis.BEHAVIOUR}, None),
        ({"confirmations": 1.0, "lasting": True}, None),
        ({"evidence": ()}, None),
    ],
)
def test_settled(tea, story, fields, wanted):
    item = changed(tea, **{"confirmations": 3.0, **fields})
    assert freeze.settled(item, story.now, story.config) == wanted


def test_from_now_on_freezes_at_once_in_preset_support(Stories):
    story = Stories(Config.preset("support"))
    story.says("reply_length", "concise", lasting=True, session="a")
    assert story.one("reply_length").status is Status.FROZEN
    assert story.trail[-1].reason == "from_now_on"


def test_the_whitelist_differs_by_preset(Stories):
    for preset, wanted in (("assistant", Status.CONFIRMED), ("companion", Status.FROZEN)):
        story = Stories(Config.preset(preset))
        for n in range(3):
            story.day(n).says("employer", "Alpha", session=f"s{n}")
        assert story.one("employer").status is wanted


def test_a_full_frozen_pool_lets_the_worthiest_in_when_a_place_is_free(Stories):
    from hermes_core.commands import forget

    story = Stories(build({"bounded": {"frozen_cap": 2, "frozen_share": 1.0}}))
    for n, importance in enumerate((0.9, 0.8, 0.3, 0.7)):
        for session in ("a", "b", "c"):
            story.says(f"pref{n}", "yes", kind="preference", session=session, importance=importance)
    assert {i.slot for i in story.state.frozen} == {"pref0", "pref1"}
    story.apply(forget(story.state, story.one("pref0").id, story.cause("forget"), story.config))
    assert {i.slot for i in story.state.frozen} == {"pref1", "pref3"}


def test_a_preference_freezes_by_its_slot_and_a_relation_by_its_edge(story):
    for n in range(3):
        story.day(n)
        for colleague in ("Bo", "Li"):
            story.says("colleague", colleague, kind="relation", session=f"s{n}")
    assert {i.value for i in story.state.frozen} == {"Bo", "Li"}
    one = story.state.frozen[0]
    assert freeze.unit(one) != freeze.unit(story.state.frozen[1])
    concise = changed(one, kind=Kind.PREFERENCE, exclusive=True, slot="reply_length", value="concise")
    assert freeze.unit(concise) == freeze.unit(changed(concise, value="detailed"))
    assert freeze.unit(concise) != freeze.unit(changed(concise, qualifiers=("code",)))


def test_held_overrides_stay_within_their_number(story):
    for n in range(3):
        story.day(n).says("residence", "home", session=f"s{n}")
    for n in range(12):
        story.says("residence", f"elsewhere {n}", session=f"t{n}")
    assert len(story.one("residence").held) == story.config.bounded.held_cap
    assert story.one("residence").held[-1].value == "elsewhere 11"
