"""What nobody means of the present speaker leaves no fact, and never archives one: what is over, to come, dreamt, played,
sung, quoted or made up, and the names of others. Each with a twin that is meant. English and Chinese.
"""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


def _holds(talk: Talk, slot: str) -> bool:
    return any(i.slot.partition(":")[0] == slot and i.polarity > 0 for i in talk.live())


@pytest.mark.parametrize(
    ("said", "slot"),
    [
        ("gave my two cats away", "pets"),
        ("we gave our three rabbits away in May", "pets"),
        ("dont have my two cats anymore", "pets"),
        ("I lost my two dogs in the divorce", "pets"),
        ("my boyfriend dumped me", "partner"),
        ("me and my girlfriend broke up", "partner"),
        ("my husband left me for his boss", "partner"),
        ("the lyrics go i miss my husband", "partner"),
        ("dont tell my wife but i hate her cooking", "partner"),
        ("he asked me to take care of my two kids like a man", "children"),
        ("my Honda Civic got stolen", "vehicle"),
        ("I traded in my Tesla", "vehicle"),
        ("I am Korean but i grew up in the US", "name"),
        ("I'm Muslim", "name"),
        ("I'm Brazilian", "name"),
        ("I'm Sagittarius", "name"),
        ("in minecraft i have two dogs", "pets"),
        ("in the sims i'm married", "marital_status"),
        ("last night i dreamt i was a doctor", "occupation"),
        ("last night i dreamt i was a doctor", "health.condition"),
        ("I dreamt that I had two dogs", "pets"),
        ("he goes i'm a doctor and i'm like ok", "occupation"),
        ("for example, I'm a nurse and i need a lesson plan", "occupation"),
        ("im staying in rome til friday", "residence"),
        ("I'm staying in Lyon for a week", "residence"),
        ("I start at Meta next month", "employer"),
        ("i was vegan for 2 years but now i eat everything", "diet"),
        ("I was vegetarian for a year", "diet"),
        ("when I lived in Ohio i had a truck", "residence"),
    ],
)
def test_what_is_not_so_now_is_no_fact_of_now(talk: Talk, said: str, slot: str) -> None:
    talk.say(said)
    assert not _holds(talk, slot), told(talk)


@pytest.mark.parametrize(
    ("said", "slot", "value"),
    [
        ("that won't fit in my Honda Civic", "vehicle", "honda civic"),
        ("I have two dogs", "pets", "dogs"),
        ("I'm Lin", "name", "lin"),
        ("I'm a nurse and I need a lesson plan", "occupation", "nurse"),
        ("I live in Rome", "residence", "rome"),
        ("I joined Meta last month", "employer", "meta"),
        ("I've been vegan for 2 years", "diet", "vegan"),
        ("I'm Muslim", "religion", "muslim"),
    ],
)
def test_what_is_meant_is_kept(talk: Talk, said: str, slot: str, value: str) -> None:
    talk.say(said)
    assert any(i.slot.partition(":")[0] == slot and i.value == value for i in talk.live()), told(talk)


def test_somebody_of_whom_something_is_told_is_kept(talk: Talk) -> None:
    talk.say("my wife is a nurse")
    assert talk.live("wife"), told(talk)


@pytest.mark.parametrize(
    ("asked", "answer", "slot"),
    [
        ("Are you married?", "to my job haha", "occupation"),
        ("你住在哪?", "以前住北京", "residence"),
        ("你是做什么的?", "以前是老师", "occupation"),
        ("What do you do?", "I was a teacher", "occupation"),
    ],
)
def test_an_answer_about_the_past_or_in_jest_is_no_fact_of_now(talk: Talk, asked: str, answer: str, slot: str) -> None:
    talk.say(asked, role="assistant").say(answer)
    assert not _holds(talk, slot), told(talk)


@pytest.mark.parametrize(
    ("asked", "answer", "slot", "value"),
    [("你住在哪?", "北京", "residence", "beijing"), ("你是做什么的?", "老师", "occupation", "老师")],
)
def test_an_answer_about_now_is_kept(talk: Talk, asked: str, answer: str, slot: str, value: str) -> None:
    talk.say(asked, role="assistant").say(answer)
    assert any(i.slot == slot and i.value == value for i in talk.live()), told(talk)


@pytest.mark.parametrize(
    ("said", "not_named"),
    [
        ("my daughter has a cat. her name is Luna", "My daughter's name"),
        ("I have a dog walker. his name is Tom", "My dog's name"),
        ("my sister has a dog. his name is Max", "My sister's name"),
        ("I have a cat sitter. Her name is Pam", "My cat's name"),
        ("My son married a nurse. Her name is Eve", "My son's name"),
        ("我家的狗,叫旺财,今年三岁了", "我叫"),
        ("我的女儿，叫朵朵，今年五岁", "我叫"),
    ],
)
def test_a_name_is_nobody_elses(talk: Talk, said: str, not_named: str) -> None:
    talk.say(said)
    assert not any(not_named in i.text for i in talk.live()), told(talk)
    assert not _holds(talk, "name") and not _holds(talk, "age"), told(talk)


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("I have a cat. Her name is Tori", "My cat's name is Tori"),
        ("my dog is a husky. his name is Bo", "My dog's name is Bo"),
        ("I have a cat at home. Her name is Tori", "My cat's name is Tori"),
    ],
)
def test_the_name_of_the_one_introduced_is_kept(talk: Talk, said: str, named: str) -> None:
    talk.say(said)
    assert any(i.text == named for i in talk.live()), told(talk)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("My name is Lin", "我家的狗,叫旺财,今年三岁了"),
        ("My name is Lin", "I am Korean"),
        ("I work at Meta", "I start at Google next month"),
        ("I live in Leeds", "im staying in rome til friday"),
        ("I live in Leeds", "when I lived in Ohio i had a truck"),
        ("I'm a nurse", "I was a teacher"),
        ("I only speak English at home", "I speak French"),
        ("I speak only English at work", "I speak Polish with my mom"),
        ("I speak French", "I only speak English with my kids"),
        ("I can't sing", "I sing in the shower"),
        ("I can't dance", "I dance every Friday"),
        ("my brother lives in Rome", "my brother lives with his girlfriend"),
        ("my sister lives with her boyfriend", "my sister lives in Kyoto"),
        ("I quit smoking", "I used to smoke"),
        ("I used to smoke", "I quit smoking"),
        ("I like red wine", "I don't like white wine"),
        ("I love green tea", "I hate black tea"),
        ("I'm retired", "I was a nurse"),
        ("我大儿子五岁", "我小儿子三岁"),
        ("My older son is 9", "My younger son is 4"),
        ("I've lived in Berlin for 5 years", "I've lived in Germany for 10 years"),
    ],
)
def test_what_can_hold_beside_it_archives_nothing(talk: Talk, known: str, said: str) -> None:
    talk.say(known).later().say(said)
    first = talk.live(known)
    assert first and not any(i.contested_by or i.held for i in first), told(talk)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I only speak English", "I speak French"),
        ("我只会说中文", "我会说英语"),
        ("I can't swim", "I swim every morning"),
        ("I live in Berlin", "I live in Rome now"),
        ("my brother lives in Rome", "my brother lives in Paris"),
        ("I smoke", "I quit smoking"),
        ("我儿子五岁", "我儿子三岁"),
        ("I've lived in Berlin for 5 years", "I've lived in Paris for 10 years"),
        ("I like red wine", "I don't like red wine"),
    ],
)
def test_what_rules_it_out_still_does(talk: Talk, known: str, said: str) -> None:
    talk.say(known).later().say(said)
    first = [i for i in talk.all() if i.text.casefold() == known.casefold()]
    assert all(i.status in ("archived", "stale") or i.contested_by or i.held for i in first), told(talk)
