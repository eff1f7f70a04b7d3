"""R5: a session sees one version from its first read to its end; a forget or a long pause ends the view."""

from __future__ import annotations

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk


def test_a_session_sees_one_version_and_another_the_next(hermes: Hermes, clock: FakeClock) -> None:
    talk = Talk(hermes, clock)
    talk.say("I'm allergic to peanuts.")
    reading = hermes.session(talk.user_id, "reading")
    before = reading.context("a snack?")
    talk.later().say("I'm allergic to shellfish.")
    clock.advance(days=-1)
    again = reading.context("a snack?")
    assert (again.version, again.text) == (before.version, before.text)
    assert "shellfish" in hermes.session(talk.user_id, "another").context("a snack?").text


def test_the_same_ids_mean_the_same_view_whoever_holds_the_object(hermes: Hermes, clock: FakeClock) -> None:
    talk = Talk(hermes, clock)
    talk.say("I'm allergic to peanuts.")
    version = hermes.session(talk.user_id, "reading").version
    talk.say("I'm allergic to shellfish.")
    assert hermes.session(talk.user_id, "reading").version == version
    hermes.session(talk.user_id, "reading").refresh()
    assert hermes.session(talk.user_id, "reading").version > version


def test_a_correction_of_its_own_is_seen_at_once(hermes: Hermes, clock: FakeClock) -> None:
    talk = Talk(hermes, clock)
    talk.say("I live in Paris.")
    with hermes.session(talk.user_id, "now") as session:
        assert "Paris" in session.context("weekend plans in my city?").text
        session.observe("user", "I've moved to Munich, I no longer live in Paris.")
        hermes.flush()
        assert "Munich" in session.context("weekend plans in my city?").text


def test_what_a_session_puts_right_twice_shows_only_the_last(hermes: Hermes, clock: FakeClock) -> None:
    talk = Talk(hermes, clock)
    talk.say("My name is Hanna.")
    with hermes.session(talk.user_id, "now") as session:
        assert "Hanna" in session.context("who am I?").text
        for text in ("It's Anna, not Hanna.", "Sorry, it's Annie, not Anna."):
            session.observe("user", text)
            hermes.flush()
            shown = session.context("who am I?").text
        assert "My name is Annie" in shown
        assert "My name is Hanna" not in shown
        assert "My name is Anna " not in shown


def test_a_conversation_that_slept_overnight_reads_anew(hermes: Hermes, clock: FakeClock) -> None:
    talk = Talk(hermes, clock)
    talk.say("I'm allergic to peanuts.")
    reading = hermes.session(talk.user_id, "thread")
    first = reading.version
    for _ in range(5):  # a long evening: each read keeps it open
        clock.advance(hours=5)
        assert reading.version == first
        talk.say("I'm allergic to shellfish." if _ == 0 else "ok thanks")
    clock.advance(hours=13)
    assert reading.version > first
