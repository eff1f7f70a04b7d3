"""An allergy is the user's own, of a substance, and told as such; a reason told beside what is shunned is understood."""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize(
    "text",
    [
        "We don't eat nuts at home, my daughter is allergic",
        "I can't eat peanuts at school because my classmate is allergic",
        "I don't eat fish, my son's allergy is bad",
        "I don't eat cilantro, allergies run in my family though",
        "My wife is allergic so we don't eat nuts",
        "我不吃花生，我儿子过敏",
        "我们家不吃坚果，女儿过敏",
        "我不在学校吃花生，同学过敏",
    ],
)
def test_somebody_elses_allergy_never_becomes_the_users(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i for i in talk.all() if i.slot == "allergy" and i.subject == "user"], told(talk)


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to Mondays",
        "I'm allergic to meetings",
        "I'm allergic to my ex",
        "I'm allergic to small talk lol",
        "我对开会过敏，哈哈",
        "我对我前任过敏",
        "我对周一过敏",
        "我对老板过敏",
    ],
)
def test_what_is_no_substance_is_no_allergy(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i for i in talk.all() if i.slot == "allergy"], told(talk)


@pytest.mark.parametrize(
    "text",
    [
        "I've run out of gluten free flour.",
        "I don't eat mushrooms, it's not an allergy, I just hate them",
        "I couldn't eat eggs as a child because of an allergy, but I've outgrown it",
        "I don't eat hospital food, I was in the hospital for weeks",
        "我不吃香菜，不是过敏",
        "我家没有无麸质面粉了",
    ],
)
def test_what_is_denied_outgrown_or_only_named_is_no_allergy(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i for i in talk.all() if i.slot == "allergy"], told(talk)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I can't eat shellfish, last time my throat swelled up and I ended up in hospital.", "shellfish"),
        ("I don't drink milk because I get a rash, it's an allergy.", "lactose"),
        ("I'm allergic to walnuts, not peanuts.", "walnuts"),
        ("I steer clear of walnuts, they send me to the ER", "walnuts"),
        ("I can't eat peanuts, they give me hives", "peanuts"),
        ("I avoid sesame because it makes my lips swell.", "sesame"),
        ("I avoid eggs due to an allergy", "eggs"),
        ("I'm allergic to kiwi", "kiwi"),
        ("I'm allergic to cleaning products", "cleaning products"),
        ("I'm allergic to my cat", "cats"),
        ("一吃芒果嘴就肿", "mango"),
        ("我一吃虾喉咙就肿", "shrimp"),
        ("我不能吃海鲜，会过敏", "seafood"),
        ("我现在不吃花生了，因为过敏", "peanuts"),
        ("我不吃虾，上次吃了差点进医院", "shrimp"),
        ("我对头孢过敏", "头孢"),
        ("我对我家的猫过敏", "cats"),
    ],
)
def test_what_it_did_to_the_user_makes_it_an_allergy_that_freezes_and_the_only_one(
    talk: Talk, text: str, value: str
) -> None:
    talk.say(text)
    assert [(i.value, str(i.status)) for i in talk.all() if i.slot == "allergy"] == [(value, "frozen")], told(talk)
    assert not [i for i in talk.all() if i.slot == "employer"], told(talk)


def test_one_thing_that_is_set_against_another_leaves_the_other_allergy_alone(talk: Talk) -> None:
    talk.say("I'm allergic to peanuts.").later().say("I'm allergic to walnuts, not peanuts.")
    assert {i.value for i in talk.live() if i.slot == "allergy" and i.status == "frozen"} == {"peanuts", "walnuts"}


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("我们有个女儿叫朵朵，五岁。", "children"),
        ("我们有一个儿子叫乐乐，上小学二年级。", "children"),
        ("我有一个儿子，上小学二年级，喜欢画画", "children"),
        ("我养了一只猫叫 Mochi，it's 2 years old.", "pets"),
        ("我家的猫叫 Mochi，两岁了", "pets"),
        ("我有一个妹妹，在北京工作", "siblings"),
    ],
)
def test_what_follows_somebody_introduced_is_told_of_that_one(talk: Talk, text: str, slot: str) -> None:
    talk.say(text)
    assert [(i.slot, i.text) for i in talk.all()] == [(slot, text.rstrip("。."))], told(talk)


@pytest.mark.parametrize(
    ("text", "slots"),
    [("我叫小明，今年三十岁", {"name", "age"}), ("我住在杭州，是老师", {"residence", "occupation"})],
)
def test_what_follows_the_user_is_still_told_of_the_user(talk: Talk, text: str, slots: set[str]) -> None:
    talk.say(text)
    assert {i.slot for i in talk.all()} == slots, told(talk)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("我换工作了，现在在阿里巴巴上班", "我换工作了，现在在阿里巴巴上班"),
        ("我跳槽了，现在在腾讯", "我跳槽了，现在在腾讯"),
        ("我血压高，医生让我少吃盐", "医生让我少吃盐"),
    ],
)
def test_no_word_is_lent_that_the_user_has_said_already(talk: Talk, text: str, kept: str) -> None:
    talk.say(text)
    assert kept in [i.text for i in talk.all()], told(talk)


@pytest.mark.parametrize(
    "text",
    ["I ended up in hospital", "I work at night", "I'm at Starbucks", "我在家不工作", "我在家工作", "我在医院"],
)
def test_a_place_or_a_time_is_no_employer_and_ends_none(talk: Talk, text: str) -> None:
    talk.say("I work at Siemens.").later().say(text)
    assert [i.value for i in talk.live() if i.slot == "employer"] == ["siemens"], told(talk)
    assert [i.value for i in talk.all() if i.slot == "employer"] == ["siemens"], told(talk)


@pytest.mark.parametrize(
    "text",
    ["以后密码都用123456", "From now on use the password swordfish.", "Always log in with the password hunter2"],
)
def test_a_secret_is_refused_as_one_whatever_order_it_comes_in(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not talk.all() and "secret" in talk.reasons(), (told(talk), talk.reasons())


@pytest.mark.parametrize("text", ["以后出门都带伞，省得淋雨", "我每次写作业都要听歌", "以后我每次去超市都买牛奶"])
def test_a_habit_of_the_users_is_no_order(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i for i in talk.all() if i.slot == "standing_instruction" or i.slot.startswith("reply_")], told(talk)


@pytest.mark.parametrize(
    ("text", "slot"), [("I left nursing!", "parents"), ("I have no sugar at home, what can I use?", "diet")]
)
def test_a_guess_needs_a_word_of_its_slot(talk: Talk, text: str, slot: str) -> None:
    talk.say(text)
    assert not [i for i in talk.all() if i.slot == slot], told(talk)
