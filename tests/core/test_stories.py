"""The stories that the two gates exist for, one line per utterance; a failing one names the promise that was broken."""

from __future__ import annotations

from hermes_core.items import Status

FROZEN, CONFIRMED, CANDIDATE = Status.FROZEN, Status.CONFIRMED, Status.CANDIDATE
STALE, ARCHIVED = Status.STALE, Status.ARCHIVED


def said_in(story, sessions, slot, value, **how):
    for n, name in enumerate(sessions):
        story.day(n).says(slot, value, session=name, **how)


def test_three_sessions_settle_a_preference(story):
    story.says("reply_length", "concise", session="mon")
    assert story.status("reply_length", "concise") is CONFIRMED
    story.says("reply_length", "concise", session="tue")
    assert story.status("reply_length", "concise") is CONFIRMED
    story.says("reply_length", "concise", session="wed")
    assert story.status("reply_length", "concise") is FROZEN


def test_the_late_night_rant_never_freezes(story):
    for night in range(4):
        story.day(night).says("new_tools", "none", session=f"night{night}", tone="emotional", lasting=True)
    rant = story.one("new_tools")
    assert rant.status is CANDIDATE
    assert rant.confirmations == 2.0
    assert rant.confidence <= 0.5


def test_one_calm_word_is_needed_before_a_rant_counts_for_freezing(story):
    for night in range(6):
        story.day(night).says("new_tools", "none", session=f"night{night}", tone="emotional")
    assert story.one("new_tools").confirmations == 3.0
    assert story.one("new_tools").status is CANDIDATE
    story.day(7).says("new_tools", "none", session="noon")
    assert story.one("new_tools").status is FROZEN


def test_a_rant_does_not_move_a_settled_preference(story):
    said_in(story, ["a", "b", "c"], "new_tools", "welcome")
    for night in (4, 5, 6, 7):
        story.day(night).says("new_tools", "none", session=f"n{night}", tone="emotional", lasting=True, correction=True)
    assert story.current("new_tools") == ["welcome"]
    assert story.status("new_tools", "welcome") is FROZEN
    (held,) = story.one("new_tools").held
    assert (held.value, len(held.evidence), held.reason) == ("none", 4, "emotional")


def test_hurried_more_detail_twice_does_not_flip_concise(story):
    said_in(story, ["a", "b", "c"], "reply_length", "concise")
    story.day(5).says("reply_length", "detailed", session="hurry1")
    story.day(6).says("reply_length", "detailed", session="hurry2")
    concise = story.one("reply_length")
    assert (concise.status, concise.value) == (FROZEN, "concise")
    assert [(h.value, len(h.evidence)) for h in concise.held] == [("detailed", 2)]


def test_a_third_session_against_it_opens_the_question_and_an_explicit_word_closes_it(story):
    said_in(story, ["a", "b", "c"], "reply_length", "concise")
    for n in (5, 6, 7):
        story.day(n).says("reply_length", "detailed", session=f"d{n}")
    assert story.status("reply_length", "concise") is STALE
    assert story.current("reply_length") == []  # nothing flipped, nothing stays asserted
    story.day(8).says("reply_length", "detailed", session="d8")
    assert story.current("reply_length") == ["detailed"]
    assert story.status("reply_length", "concise") is ARCHIVED
    assert len(story.item("reply_length", "detailed").evidence) == 4  # what was held is cited


def test_a_third_session_against_it_can_also_end_with_the_old_one(story):
    said_in(story, ["a", "b", "c"], "reply_length", "concise")
    for n in (5, 6, 7):
        story.day(n).says("reply_length", "detailed", session=f"d{n}")
    story.day(8).says("reply_length", "concise", session="back")
    assert story.status("reply_length", "concise") is FROZEN
    assert story.one("reply_length").held == ()


def test_this_weeks_topic_does_not_push_out_three_months_of_habit(Stories):
    from hermes_core.config import Config

    story = Stories(Config.preset("assistant"))
    for week in range(12):
        story.day(7 * week).says("reading_language", "chinese", session=f"w{week}", importance=0.8)
    story.day(90)
    for n in range(130):
        story.says("trip", f"english project {n}", session=f"busy{n % 9}", importance=0.5)
        story.says(f"topic.{n}", f"english note {n}", session=f"busy{n % 9}", importance=0.5)
    assert story.status("reading_language", "chinese") is FROZEN


def test_an_unfrozen_habit_survives_the_busy_week_by_its_worth(story):
    for day in (0, 45):
        story.day(day).says("reading_language", "chinese", session=f"d{day}", importance=0.8)
    story.day(60)
    for n in range(260):
        story.says(f"topic.{n}", f"english note {n}", session="busy", importance=0.4)
    assert story.status("reading_language", "chinese") is CONFIRMED


def test_code_examples_and_short_code_examples_stay_two(story):
    one = story.says("code_style", "code examples", session="a")
    story.says("code_style", "code examples", qualifiers=("short",), session="b", similar={one[0].item_id: 0.97})
    assert len(story.live("code_style")) == 2
    assert {i.confirmations for i in story.live("code_style")} == {1.0}
    story.says("code_style", "code examples", qualifiers=("short",), session="c")
    assert sorted(i.confirmations for i in story.live("code_style")) == [1.0, 2.0]


def test_short_in_the_value_is_no_paraphrase_either(story):
    one = story.says("code_style", "code examples in answers", session="a")
    story.says("code_style", "short code examples in answers", session="b", similar={one[0].item_id: 0.97})
    assert len(story.live("code_style")) == 2
    assert story.item("code_style", "short code examples in answers").complements == (one[0].item_id,)


def test_coffee_quit(story):
    said_in(story, ["a", "b", "c"], "drink.likes", "coffee")
    assert story.status("drink.likes", "coffee") is FROZEN
    story.day(30).says("drink.likes", "coffee", polarity=-1, correction=True, session="d")
    assert story.current("drink.likes") == ["-coffee"]
    assert story.status("drink.likes", "coffee") is ARCHIVED
    assert story.status("drink.likes", "coffee", -1) is FROZEN
    assert story.item("drink.likes", "coffee", -1).supersedes == (story.item("drink.likes", "coffee").id,)


def test_a_later_remark_about_coffee_does_not_undo_the_quitting(story):
    said_in(story, ["a", "b", "c"], "drink.likes", "coffee")
    story.day(30).says("drink.likes", "coffee", polarity=-1, correction=True, session="d")
    story.day(31).says("drink.likes", "coffee", session="e", basis="implied", confidence=0.4)
    assert story.current("drink.likes") == ["-coffee"]


def test_the_changed_job(story):
    said_in(story, ["a", "b", "c"], "employer", "Alpha")
    assert story.status("employer", "Alpha") is FROZEN
    story.day(40).says("employer", "Beta", correction=True, session="d")
    assert story.current("employer") == ["Beta"]
    beta = story.item("employer", "Beta")
    assert beta.status is FROZEN
    assert story.item("employer", "Alpha").superseded_by == beta.id
    assert story.item("employer", "Alpha").archived_because == "superseded"


def test_the_changed_job_said_as_two_claims(story):
    said_in(story, ["a", "b", "c"], "employer", "Alpha")
    story.day(40).says("employer", "Alpha", polarity=-1, correction=True, session="d", turn="leave")
    story.says("employer", "Beta", session="d", turn="leave")
    assert "Beta" in story.current("employer")
    assert "Alpha" not in story.current("employer")


def test_the_new_job_named_before_the_old_one_is_left(story):
    said_in(story, ["a", "b", "c"], "employer", "Alpha")
    story.day(40).says("employer", "Beta", session="d", turn="leave")
    story.says("employer", "Alpha", polarity=-1, correction=True, session="d", turn="leave")
    assert story.current("employer") == ["Beta"]
    assert story.status("employer", "Beta") is FROZEN
    assert [e.turn_id for e in story.item("employer", "Beta").evidence] == ["leave", "leave"]


def test_both_halves_of_a_correction_count_as_one(story):
    said_in(story, ["a", "b", "c"], "employer", "Alpha")
    story.day(40).says("employer", "left Alpha", correction=True, session="d", turn="leave")
    story.says("employer", "Beta", session="d", turn="leave")
    assert story.current("employer") == ["Beta"]
    story.day(41).says("employer", "Gamma", session="e", turn="later")
    assert story.current("employer") == ["Beta"]


def test_leaving_a_job_opens_the_slot_and_the_next_job_fills_it(story):
    said_in(story, ["a", "b", "c"], "employer", "Alpha")
    story.day(40).says("employer", "Alpha", polarity=-1, correction=True, session="d")
    assert story.current("employer") == ["-Alpha"]
    story.day(70).says("employer", "Beta", session="e")
    assert story.current("employer") == ["Beta"]
    story.day(71).says("employer", "Alpha", polarity=-1, session="f")
    assert story.current("employer") == ["Beta"]
    assert story.trail[-1].reason == "already_known"


def test_the_changed_job_in_a_slot_that_nobody_catalogued(story):
    said_in(story, ["a", "b", "c"], "job.firm", "Alpha", kind="fact")
    story.day(40).says("job.firm", "Beta", correction=True, session="d")
    assert story.current("job.firm") == ["Beta"]


def test_from_now_on_i_read_english(story):
    said_in(story, ["a", "b", "c"], "reading_language", "chinese")
    story.day(20).says("reading_language", "english", lasting=True, correction=True, session="d")
    assert story.current("reading_language") == ["english"]
    assert story.status("reading_language", "english") is FROZEN


def test_manual_review_waits_for_approval(Stories):
    from hermes_core.commands import approve
    from hermes_core.config import Config

    story = Stories(Config.preset("support"))
    said_in(story, ["a", "b", "c"], "reading_language", "chinese")
    story.day(20).says("reading_language", "english", correction=True, session="d")
    chinese = story.one("reading_language")
    assert (chinese.status, chinese.held[0].awaiting_approval) == (FROZEN, True)
    story.apply(approve(story.state, chinese.id, 0, "new", 8, story.cause("approve"), story.config))
    assert story.current("reading_language") == ["english"]
    assert story.status("reading_language", "english") is FROZEN


def test_the_thousandth_item_never_exceeds_two_hundred_and_thirty(story):
    for n in range(1000):
        slot = ("allergy", "name", "music.likes", "trip", "activity", "colleague")[n % 6]
        story.says(slot, f"thing {n}", session=f"s{n % 40}", importance=(n % 10) / 10, correction=n % 17 == 0)
    assert len(story.state.hot) == 200
    assert len(story.state.frozen) == 30


def test_the_sixty_first_day(story):
    said_in(story, ["a", "b", "c"], "reply_length", "concise")
    story.day(61)
    assert story.status("reply_length", "concise") is FROZEN  # last said on day 2
    story.day(63)
    assert story.status("reply_length", "concise") is CONFIRMED
    story.says("reply_length", "concise", session="d")
    assert story.status("reply_length", "concise") is FROZEN


def test_the_sixty_first_day_counts_for_every_kind_in_preset_assistant(Stories):
    from hermes_core.config import Config

    story = Stories(Config.preset("assistant"))
    story.says("allergy", "peanuts", session="a")
    assert story.status("allergy", "peanuts") is FROZEN
    story.day(59)
    assert story.status("allergy", "peanuts") is FROZEN
    story.day(61)
    assert story.status("allergy", "peanuts") is CONFIRMED


def test_an_allergy_freezes_at_once_and_stays(story):
    story.says("allergy", "peanuts", session="a")
    assert story.status("allergy", "peanuts") is FROZEN
    story.day(2000)
    assert story.status("allergy", "peanuts") is FROZEN


def test_a_used_memory_does_not_weather(story):
    said_in(story, ["a", "b", "c"], "reply_length", "concise")
    story.day(40).hit(story.one("reply_length").id)
    story.day(90)
    assert story.status("reply_length", "concise") is FROZEN
    assert story.one("reply_length").confirmations == 3.0  # a use is no evidence


def test_waking_from_the_archive(story):
    story.says("travel", "overseas beaches", kind="preference", half_life_days=30.0, session="march")
    item_id = story.one("travel").id
    story.day(95)
    assert story.status("travel", "overseas beaches") is ARCHIVED
    sealed = story.item("travel", "overseas beaches")
    assert sealed.archived_because == "sealed"
    assert "1 session" in sealed.note
    story.day(150).says("travel", "overseas beaches", kind="preference", session="august", similar={item_id: 0.79})
    woken = story.one("travel")
    assert (woken.id, woken.status, woken.confirmations) == (item_id, CONFIRMED, 2.0)


def test_a_faint_echo_wakes_nothing(story):
    story.says("travel", "overseas beaches", kind="preference", half_life_days=30.0, session="march")
    item_id = story.one("travel").id
    story.day(95)
    story.day(150).says("travel", "overseas beaches", kind="preference", session="august", similar={item_id: 0.77})
    assert story.state.get(item_id).status is ARCHIVED
    assert story.one("travel").id != item_id


def test_cooling_down_and_the_next_session_confirms(story):
    story.says("music.likes", "jazz", session="a")
    story.day(30).says("music.likes", "jazz", polarity=-1, session="b")
    assert story.current("music.likes") == ["-jazz"]
    assert story.item("music.likes", "jazz", -1).confidence == 0.7
    assert story.item("music.likes", "jazz", -1).status is CANDIDATE
    assert story.status("music.likes", "jazz") is STALE
    story.says("music.likes", "jazz", polarity=-1, session="b")  # the same session decides nothing
    assert story.status("music.likes", "jazz") is STALE
    story.day(31).says("music.likes", "jazz", polarity=-1, session="c")
    assert story.status("music.likes", "jazz", -1) is CONFIRMED
    assert story.item("music.likes", "jazz", -1).confidence >= 0.85
    assert story.status("music.likes", "jazz") is ARCHIVED


def test_cooling_down_and_the_old_one_returns(story):
    story.says("music.likes", "jazz", session="a")
    story.day(30).says("music.likes", "jazz", polarity=-1, session="b")
    story.day(31).says("music.likes", "jazz", session="c")
    assert story.current("music.likes") == ["jazz"]
    assert story.status("music.likes", "jazz") is CONFIRMED
    assert story.status("music.likes", "jazz", -1) is ARCHIVED


def test_cooling_down_ends_by_itself_with_the_last_calm_word(story):
    story.says("music.likes", "jazz", session="a")
    story.day(30).says("music.likes", "jazz", polarity=-1, session="b")
    story.day(36)
    assert story.status("music.likes", "jazz") is STALE
    story.day(38)
    assert story.status("music.likes", "jazz") is ARCHIVED
    assert story.current("music.likes") == ["-jazz"]


def test_one_slip_does_not_outlast_a_preference_of_several_sessions(story):
    said_in(story, ["a", "b"], "reply_length", "concise")
    story.day(9).says("reply_length", "detailed", session="hurry")
    assert story.status("reply_length", "concise") is STALE
    story.day(20)
    assert story.current("reply_length") == ["concise"]
    assert story.status("reply_length", "detailed") is ARCHIVED
    assert [h.value for h in story.one("reply_length").held] == ["detailed"]  # not silently ignored


def test_a_third_value_during_cooling_down_is_no_short_cut(story):
    said_in(story, ["a", "b"], "reply_length", "concise")
    story.day(9).says("reply_length", "detailed", session="c")
    story.day(10).says("reply_length", "balanced", session="d")
    balanced = story.item("reply_length", "balanced")
    assert (balanced.status, balanced.confidence) == (CANDIDATE, 0.7)
    assert story.status("reply_length", "detailed") is ARCHIVED
    assert story.item("reply_length", "concise").contested_by == balanced.id


def test_loving_and_hating_meet_even_in_two_slots(story):
    story.says("food.likes", "chinese food", session="a")
    story.day(3).says("food.dislikes", "chinese food", kind="preference", session="b")
    shown = [i for i in story.live() if i.status is not STALE]
    assert [(i.slot, i.polarity) for i in shown] == [("food.dislikes", 1)]


def test_working_at_acme_and_administering_its_host_are_two_facts(story):
    one = story.says("employer", "Acme", session="a")
    story.says("duties", "administers Acme's code host", session="b", similar={one[0].item_id: 0.9})
    assert {i.status for i in story.live()} == {CONFIRMED}
    assert len(story.live()) == 2


def test_the_time_of_saying_decides(story):
    story.says("drink.now", "coffee", kind="preference", exclusive=True, session="late", at=2)
    changes = story.says("drink.now", "tea", kind="preference", exclusive=True, session="early", at=1)
    assert [str(c.reason) for c in changes] == ["outdated"]
    assert story.current("drink.now") == ["coffee"]


def test_disliking_then_liking_a_singer_is_never_nothing(story):
    story.says("music.likes", "这个歌手的歌", polarity=-1, session="a", language="zh")
    story.day(2).says("music.likes", "这个歌手的歌", session="b", language="zh")
    assert story.current("music.likes") == ["这个歌手的歌"]
    assert story.status("music.likes", "这个歌手的歌", -1) is STALE


def test_five_paraphrases_then_not_so(story):
    for n in range(5):
        story.day(n).says("pet", "dog", session=f"s{n}", text=f"wording {n}")
    story.day(6).says("pet", "dog", polarity=-1, session="s6")
    dog = story.one("pet")
    assert (dog.value, dog.polarity, dog.confirmations) == ("dog", 1, 5.0)
    assert [(h.value, h.polarity) for h in dog.held] == [("dog", -1)]


def test_peanuts_and_tree_nuts_live_together_and_are_linked(story):
    peanuts = story.says("allergy", "peanuts", session="a")[0].item_id
    nuts = story.says("allergy", "tree nuts", session="b", similar={peanuts: 0.9})[0].item_id
    assert {i.status for i in story.live("allergy")} == {FROZEN}
    assert story.state.get(nuts).complements == (peanuts,)
    assert story.state.get(peanuts).complements == (nuts,)


def test_a_misheard_remark_does_not_touch_the_allergy(story):
    story.says("allergy", "peanuts", session="a")
    story.day(3).says("allergy", "peanuts", polarity=-1, basis="implied", confidence=0.4, session="b")
    assert story.status("allergy", "peanuts") is FROZEN
    assert story.one("allergy").held == ()
    assert story.trail[-1].reason == "frozen_ignores"


def test_moving_from_a_to_b_city(story):
    story.says("residence", "A city", session="a")
    story.day(30).says("residence", "B city", session="b")
    assert story.current("residence") == ["B city"]
    assert story.status("residence", "A city") is ARCHIVED


def test_a_frozen_home_needs_an_explicit_move(story):
    said_in(story, ["a", "b", "c"], "residence", "A city")
    story.day(30).says("residence", "B city", session="d")
    assert story.current("residence") == ["A city"]
    assert story.one("residence").held[0].value == "B city"
    story.day(31).says("residence", "B city", session="e", correction=True)
    assert story.current("residence") == ["B city"]


def test_a_paid_instruction_repeated_in_three_sessions_never_settles(story):
    for n in range(5):
        story.day(n).says("payment", "always to X", kind="constraint", session=f"s{n}", suspicious=True, lasting=True)
    assert story.one("payment").status is CANDIDATE


def test_a_friend_is_another_subject(story):
    story.says("sports.likes", "football", kind="preference", subject="Jack", polarity=-1, session="a")
    story.says("sports.likes", "football", kind="preference", session="b")
    assert {(i.subject, i.polarity) for i in story.live()} == {("Jack", -1), ("user", 1)}
    assert {i.status for i in story.live()} == {CONFIRMED}


def test_what_is_implied_is_watched_for_three_days(story):
    story.says("reply_length", "detailed", basis="implied", session="a")
    watched = story.one("reply_length")
    assert (watched.kind, watched.status) == ("state", CANDIDATE)
    assert watched.observed_until is not None
    assert story.current("reply_length") == []
    story.day(4)
    assert story.live("reply_length") == []


def test_what_is_implied_and_seen_again_becomes_a_preference(story):
    first = story.says("reply_length", "detailed", basis="implied", session="a")[0].item_id
    story.day(2).says("reply_length", "detailed", basis="implied", session="b")
    kept = story.one("reply_length")
    assert (kept.kind, kept.derived_from, kept.confidence) == ("preference", (first,), 0.6)
    assert [e.session_id for e in kept.evidence] == ["a", "b"]
    assert kept.half_life_days == 30.0


def test_a_state_seen_again_within_three_days_becomes_durable(story):
    story.says("focus", "exam preparation", session="a")
    story.day(2).says("focus", "exam preparation", session="b")
    assert story.one("focus").kind == "preference"


def test_behaviour_counts_from_the_second_session(story):
    story.says("answers", "with sources", kind="preference", basis="behaviour", session="a")
    assert story.current("answers") == []
    story.day(9).says("answers", "with sources", kind="preference", basis="behaviour", session="b")
    assert story.current("answers") == ["with sources"]
    assert story.one("answers").status is CONFIRMED


def test_a_mood_that_changes_all_day_is_only_watched(story):
    story.says("mood", "fine", session="a")
    story.day(0.1).says("mood", "tired", session="a")
    assert story.current("mood") == ["tired"]
    story.day(0.2).says("mood", "cheerful", session="a")
    story.day(0.3).says("mood", "furious", session="a")
    assert story.current("mood") == ["tired"]
    assert len(story.live("mood")) == 2
    story.day(1.5)
    assert story.current("mood") == ["furious"]


def test_every_story_replays(story):
    said_in(story, ["a", "b", "c"], "reply_length", "concise")
    story.day(20).says("reply_length", "detailed", lasting=True, session="d")
    story.says("allergy", "peanuts", session="d")
    story.day(400)
    assert story.replayed()
