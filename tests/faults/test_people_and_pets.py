"""What is told of the user's people and animals: whose it is stays with it, and a plain statement is known at once."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My dog Rex is 9", "rex"),
        ("My dog Bella is allergic to chicken.", "bella"),
        ("My parrot Polly talks all day.", "polly"),
        ("我的狗豆豆今年9岁", "豆豆"),
    ],
)
def test_what_is_told_of_a_named_pet_says_whose_pet_it_is(talk: Talk, text: str, name: str) -> None:
    talk.say(text)
    found = {(i.subject, i.slot.partition(":")[0]) for i in talk.live()}
    assert ("user", "pets") in found, told(talk)
    assert [i.value for i in talk.live() if i.slot == "pets"] == [name]
    assert [i.subject.casefold() for i in talk.live() if i.slot != "pets"] == [name]


@pytest.mark.parametrize("text", ["My cat is diabetic.", "My dog is a labrador.", "My dog is very old."])
def test_what_a_pet_is_like_is_no_name_of_it(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i for i in talk.all() if i.slot == "pets"], told(talk)
    assert not [i for i in talk.all() if i.subject == "user"], told(talk)


def test_a_pet_that_died_is_no_pet_of_now(talk: Talk) -> None:
    talk.say("My dog Rex died in spring.")
    assert not [i for i in talk.all() if i.slot == "pets"], told(talk)


def test_a_pet_grows_older_and_stays_the_same_pet(talk: Talk) -> None:
    talk.say("My dog Rex is 9").later().say("My dog Rex is 10 now")
    assert sorted(i.value for i in talk.live()) == ["10", "rex"], told(talk)


@pytest.mark.parametrize(
    "text",
    [
        "My wife is a nurse",
        "My husband is allergic to shellfish.",
        "My son is 9.",
        "My daughter has asthma.",
        "My brother works at Acme.",
        "我老婆是护士",
        "我女儿对花生过敏",
        "我妈在医院工作",
    ],
)
def test_a_plain_statement_about_ones_people_is_known_at_once_and_theirs(talk: Talk, text: str) -> None:
    talk.say(text)
    (item,) = talk.live()
    assert (str(item.status), str(item.kind)) == ("confirmed", "fact"), told(talk)
    assert item.subject != "user"


@pytest.mark.parametrize(
    "text",
    ["My boss is a jerk.", "My wife is asleep.", "My sister is a bit late.", "My wife was a nurse.", "我弟弟是个笨蛋"],
)
def test_what_passes_or_only_judges_them_waits(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i for i in talk.live() if i.status != "candidate"], told(talk)
