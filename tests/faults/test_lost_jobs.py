"""A job that was lost or left is over, though nobody names the place again; what only sounds like that ends nothing."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


def at_work(talk: Talk, text: str) -> Talk:
    return talk.say("I work at Acme." if text.isascii() else "我在阿里工作").later()


def places(talk: Talk) -> list[str]:
    return [i.value for i in talk.live() if i.slot == "employer" and i.polarity > 0 and not i.held]


@pytest.mark.parametrize(
    "text",
    [
        "I got fired",
        "I was laid off last month.",
        "I quit my job.",
        "I lost my job last week.",
        "I resigned.",
        "They let me go.",
        "My boss fired me yesterday.",
        "I'm unemployed now.",
        "I retired.",
        "我被开除了",
        "我辞职了",
        "上个月我被裁员了",
        "我失业了",
        "我退休了",
    ],
)
def test_who_lost_a_job_no_longer_works_there(talk: Talk, text: str) -> None:
    at_work(talk, text).say(text)
    assert places(talk) == ["none"], told(talk)
    assert [i.status for i in talk.all("employer") if i.value in ("acme", "阿里")] == ["archived"]


@pytest.mark.parametrize(
    "text",
    [
        "I almost got fired.",
        "I got fired from my first job.",
        "If I get fired I will move.",
        "I'm afraid I'll get fired.",
        "My brother got fired.",
        "I quit my side job.",
        "I got fired up for the match.",
        "I quit smoking.",
        "我差点被开除了",
        "我弟弟被开除了",
        "如果我被开除了怎么办",
    ],
)
def test_what_only_sounds_like_a_lost_job_ends_none(talk: Talk, text: str) -> None:
    at_work(talk, text).say(text)
    assert places(talk) == ["acme" if text.isascii() else "阿里"], told(talk)


@pytest.mark.parametrize(
    ("lost", "found", "place"),
    [
        ("I got fired and now I work at Globex.", "", "globex"),
        ("I got fired.", "I work at Globex.", "globex"),
        ("我辞职了", "我在腾讯上班", "腾讯"),
    ],
)
@pytest.mark.parametrize("times", [1, 3])
def test_the_next_job_is_known_however_settled_the_last_one_was(
    talk: Talk, lost: str, found: str, place: str, times: int
) -> None:
    for _ in range(times):
        at_work(talk, lost)
    talk.say(lost).later()
    if found:
        talk.say(found)
    assert places(talk) == [place], told(talk)


@pytest.mark.parametrize("text", ["I got fired.", "I was laid off.", "我被开除了"])
def test_where_no_job_was_known_the_loss_is_what_happened(talk: Talk, text: str) -> None:
    talk.say(text)
    assert [str(i.kind) for i in talk.live()] == ["event"], told(talk)
