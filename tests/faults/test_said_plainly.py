"""Kinds of sentences that say one plain thing: it is known at once, in its own slot, with when and where it holds.

Through the public door, in English and Chinese alike, with several wordings for each kind.
"""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.extraction.local.reading_helpers import said as read
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize(
    "text",
    [
        "no more bullet points please",
        "Please stop using emojis in your answers.",
        "No more emojis in your replies.",
        "no more emojis",
        "别用emoji了",
        "不要再用表情了",
        "以后回答别再用列表了",
        "请不要再用表格回答",
    ],
)
def test_no_more_is_no_wish_for_more(talk: Talk, text: str) -> None:
    talk.say(text)
    assert [i.polarity for i in talk.live()] == [-1], told(talk)


@pytest.mark.parametrize(
    ("before", "change", "slot", "value"),
    [
        ("我住在深圳", "我搬家啦，新家在广州天河", "residence", "guangzhou"),
        ("我住在深圳", "我现在搬到上海住了", "residence", "shanghai"),
        ("I live in Porto.", "I've moved, my new place is in Lisbon.", "residence", "lisbon"),
        ("I live in Porto.", "No I don't live in Porto, I live in Sintra.", "residence", "sintra"),
        ("我在阿里工作", "我换工作了，现在在腾讯", "employer", "腾讯"),
        ("Please keep your answers short.", "From now on, please give me detailed answers.", "reply_length", "detailed"),
        ("I live in Rome.", "I lived in Berlin for ten years and now I live in Oslo.", "residence", "oslo"),
        ("My name is Bob.", "My name isn't Bob, it's Rob.", "name", "rob"),
        ("My birthday is May 3.", "my birthday is May 13, not May 3", "birthday", "may 13"),
        ("I want short answers.", "I've changed my mind: from now on I want detailed answers.", "reply_length", "detailed"),
        ("I like short answers.", "I no longer want short answers, I prefer detailed answers now.", "reply_length", "detailed"),
        ("回答请简短一点。", "以后，请给我详细的回答。", "reply_length", "detailed"),
    ],
)  # fmt: skip
def test_the_clause_that_names_the_new_thing_is_the_claim(
    talk: Talk, before: str, change: str, slot: str, value: str
) -> None:
    talk.say(before).later().say(change)
    assert [i.value for i in talk.live() if i.slot == slot] == [value], told(talk)
    assert not [i for i in talk.live() if i.slot != slot and i.kind != "event"], told(talk)


def test_a_correction_leaves_the_rest_of_an_introduction(talk: Talk) -> None:
    talk.say("hey, I'm Marta, 34, living in Porto with my husband and two kids").later()
    talk.say("no I don't live in Porto, I live in Sintra")
    assert {i.slot: i.value for i in talk.live()} == {"name": "marta", "age": "34", "residence": "sintra"}


@pytest.mark.parametrize(
    "text", ["我现在不在腾讯了，辞职了", "我从腾讯辞职了", "I left Tencent.", "I no longer work at Tencent."]
)
def test_a_job_that_was_left_is_over(talk: Talk, text: str) -> None:
    talk.say("I work at Tencent." if text.isascii() else "我在腾讯上班").later().say(text)
    assert not [i for i in talk.live() if i.slot == "employer" and i.polarity > 0], told(talk)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("my phone number is 555-1234", "devices"),
        ("我的手机号是13800001111", "devices"),
        ("我不是设计师", "education"),
        ("I'm not a doctor, just a nurse", "relation"),
        ("我戒烟三年了", "diet"),
        ("我没有糖尿病", "diet"),
        ("I used to smoke but quit", "drink.likes"),
    ],
)
def test_slots_are_not_mixed_up(talk: Talk, text: str, wrong: str) -> None:
    talk.say(text)
    assert not [i for i in talk.all() if i.slot.startswith(wrong)], told(talk)


def test_an_allergy_beside_a_diet_is_no_less_vital(talk: Talk) -> None:
    talk.say("I'm vegetarian and allergic to shellfish.")
    assert {(i.slot, str(i.status)) for i in talk.all()} == {("diet", "confirmed"), ("allergy", "frozen")}, told(talk)


@pytest.mark.parametrize(
    ("text", "slot", "value", "polarity"),
    [
        ("My wife and I live in Graz.", "residence", "graz", 1),
        ("My husband and I recently moved to Oslo.", "residence", "oslo", 1),
        ("Me and my brother work at Acme.", "employer", "acme", 1),
        ("我和我老婆住在成都", "residence", "chengdu", 1),
        ("我跟老公住在深圳", "residence", "shenzhen", 1),
        ("The doctor says I have diabetes.", "health.condition", "diabetes", 1),
        ("My doctor told me I'm lactose intolerant.", "allergy", "lactose", 1),
        ("医生说我有糖尿病", "health.condition", "diabetes", 1),
        ("医生告诉我，我对青霉素过敏", "allergy", "penicillin", 1),
        ("我跳槽去了字节", "employer", "字节", 1),
        ("I have celiac disease.", "allergy", "gluten", 1),
        ("我有乳糜泻", "allergy", "gluten", 1),
        ("I have type 2 diabetes.", "health.condition", "diabetes", 1),
        ("I was diagnosed with asthma.", "health.condition", "asthma", 1),
        ("我得了哮喘", "health.condition", "asthma", 1),
        ("I never eat pork.", "diet", "pork", -1),
        ("I never eat meat.", "diet", "vegetarian", 1),
        ("I never drink beer.", "drink.likes", "beer", -1),
        ("I never smoke.", "smoking", "non-smoker", 1),
        ("我从不吃猪肉", "diet", "pork", -1),
        ("我从来不吃肉", "diet", "vegetarian", 1),
        ("我从不喝啤酒", "drink.likes", "beer", -1),
        ("我从不抽烟", "smoking", "non-smoker", 1),
        ("I share a flat in Leeds", "residence", "leeds", 1),
        ("I share a flat with two friends in Leeds.", "residence", "leeds", 1),
        ("I live in a small flat in Porto.", "residence", "porto", 1),
        ("Please call me Mia", "form_of_address", "mia", 1),
        ("call me mia", "form_of_address", "mia", 1),
        ("My friends call me Bo.", "form_of_address", "bo", 1),
        ("I have a heart condition.", "health.condition", "heart disease", 1),
        ("I have a pacemaker.", "health.condition", "pacemaker", 1),
        ("I'm immunocompromised.", "health.condition", "immunocompromised", 1),
        ("my birthday is May 13, not May 3", "birthday", "may 13", 1),
    ],
)
def test_said_plainly_it_is_known_at_once(talk: Talk, text: str, slot: str, value: str, polarity: int) -> None:
    talk.say(text)
    found = [(i.slot, i.value, i.polarity, i.subject) for i in talk.live() if i.status in ("confirmed", "frozen")]
    assert (slot, value, polarity, "user") in found, told(talk)


@pytest.mark.parametrize(
    "text", ["I got fired.", "I was laid off last week.", "我被开除了", "我被公司裁员了", "上个月我被炒鱿鱼了"]
)
def test_a_lost_job_is_an_event(talk: Talk, text: str) -> None:
    talk.say(text)
    assert [str(i.kind) for i in talk.live()] == ["event"], told(talk)


@pytest.mark.parametrize("text", ["I have no allergies.", "I don't have any food allergies.", "我没有任何过敏"])
def test_having_no_allergies_is_kept_as_a_denial(talk: Talk, text: str) -> None:
    talk.say(text)
    assert [(i.slot, i.polarity) for i in talk.live()] == [("fact", -1)], told(talk)


@pytest.mark.parametrize(
    ("text", "slot", "qualifiers"),
    [
        ("I drink coffee only in the morning.", "drink.likes", ("morning",)),
        ("I prefer tea in the evenings.", "drink.likes", ("evening",)),
        ("At work I prefer short answers.", "reply_length", ("work",)),
        ("I like spicy food when I'm with friends.", "spice_level", ("with friends",)),
        ("I never drink coffee after noon.", "drink.likes", ("after noon",)),
        ("I don't eat meat on Fridays.", "diet", ("fridays",)),
        ("我晚上不喝咖啡", "drink.likes", ("晚上",)),
        ("工作的时候我喜欢听爵士", "music.likes", ("工作",)),
        ("我周末喜欢喝啤酒", "drink.likes", ("周末",)),
        ("I love tea.", "drink.likes", ()),
        ("我每天早上喝咖啡", "drink.likes", ()),
        ("I liked tea when I was young.", "drink.likes", ()),
        ("我喜欢喝茶", "drink.likes", ()),
    ],
)
def test_when_and_where_a_preference_holds_goes_with_it(
    talk: Talk, text: str, slot: str, qualifiers: tuple[str, ...]
) -> None:
    talk.say(text)
    assert [(i.slot, i.qualifiers) for i in talk.live() if i.slot == slot] == [(slot, qualifiers)], told(talk)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I drink coffee in the morning.", "I never drink coffee after noon."),
        ("我早上喝咖啡", "我晚上不喝咖啡"),
    ],
)
def test_two_times_are_no_contradiction(talk: Talk, one: str, other: str) -> None:
    talk.say(one).later().say(other)
    assert len([i for i in talk.live() if i.slot == "drink.likes" and not i.contested_by]) == 2, told(talk)


@pytest.mark.parametrize(
    "text", ["No more emojis.", "Please don't use emojis any more.", "别用emoji了", "以后别再用表情了"]
)
def test_a_wish_about_answers_is_meant_to_last(text: str) -> None:
    (claim,) = read(text)
    assert (claim.slot, claim.value, claim.polarity, claim.lasting) == ("reply_format", "emojis", -1, True)
    assert claim.confidence >= 0.8


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("Do you like hummus? I enjoy it very much.", "hummus", "I enjoy hummus very much"),
        ("do you like jazz ? i love it", "jazz", "I love jazz"),
        ("你喜欢火锅吗？我很喜欢它", "hot pot", "我很喜欢火锅"),
    ],
)
def test_a_pronoun_is_read_where_the_words_before_name_the_thing(talk: Talk, text: str, value: str, words: str) -> None:
    talk.say(text)
    assert [(i.value, i.text) for i in talk.live()] == [(value, words)], told(talk)


@pytest.mark.parametrize(
    ("said", "slot", "polarity"),
    [
        ("I quit sugar last month.", "employer", -1),
        ("I work nights at a hospital.", "shift", 1),
        ("我下个月要去东京出差，住三天", "residence", 1),
        ("我晕车", "vehicle", 1),
        ("I rent a beach house in Spain every summer.", "residence", 1),
        ("I'm renting a car in Leeds.", "residence", 1),
        ("I shared a flat in Leeds as a student.", "residence", 1),
        ("I want to rent a flat in Leeds.", "residence", 1),
        ("Call me crazy, but I love winter.", "form_of_address", 1),
        ("Call me later.", "form_of_address", 1),
        ("They call me lazy.", "form_of_address", 1),
        ("I had asthma as a child.", "health.condition", 1),
    ],
)
def test_what_only_sounds_like_a_slot_is_not_put_there(open_hermes, said, slot, polarity):
    hermes = open_hermes()
    hermes.session("u", "s").observe("user", said)
    hermes.flush("u")
    assert not [item for item in hermes.memories("u") if item.slot == slot and item.polarity == polarity]


@pytest.mark.parametrize(
    ("said", "slot", "value"),
    [
        ("I quit Siemens last month.", "employer", "siemens"),
        ("I work nights at a hospital.", "employer", "hospital"),
        ("I work part-time at Ikea.", "employer", "ikea"),
        ("我在腾讯做产品经理", "employer", "腾讯"),
        ("我在一家小公司当会计", "employer", "一家小公司"),
        ("我住在成都", "residence", "chengdu"),
        ("我晕车，别推荐大巴", "health.condition", "晕车"),
    ],
)
def test_work_and_homes_are_found_among_what_stands_beside_them(open_hermes, said, slot, value):
    hermes = open_hermes()
    hermes.session("u", "s", consent=True).observe("user", said)
    hermes.flush("u")
    assert any(item.slot == slot and value in item.value.casefold() for item in hermes.memories("u"))


@pytest.mark.parametrize(
    "text",
    [
        "My team is international now, so from now on I only read articles in English.",
        "Going forward I file my papers by colour.",
        "从现在起我只看英文文章",
    ],
)
def test_a_resolution_is_kept_whatever_it_is_about(talk: Talk, text: str) -> None:
    talk.say(text)
    assert talk.live(), talk.reasons()
