"""A correction that names only the old and the new word puts the statement right that it means, and nothing else."""

from __future__ import annotations

import msgspec
import pytest

from hermes_core import Hermes
from hermes_core.extraction.contrasts import contrasts
from hermes_core.items import Candidate
from hermes_core.ports import Extraction
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize(
    ("before", "correction", "after"),
    [
        ("My name is Hanna.", "It's Anna, not Hanna.", "My name is Anna"),
        ("I live in Basel.", "Sorry, Bern, not Basel.", "I live in Bern"),
        ("My birthday is May 3.", "Sorry, May 13, not May 3.", "My birthday is May 13"),
        ("My daughter is called Mia.", "No, her name is Maya, not Mia.", "My daughter is called Maya"),
        ("I work at Bosch.", "Actually it's Bosch Rexroth, not Bosch.", "I work at Bosch Rexroth"),
        ("I'm a nurse.", "Not a nurse, I meant a midwife.", "I'm a midwife"),
        ("我叫李明。", "不是李明，是黎明。", "我叫黎明"),
        ("我女儿叫小米。", "不对，她叫小美，不叫小米。", "我女儿叫小美"),
        ("我住在上海。", "说错了，是苏州，不是上海。", "我住在苏州"),
        ("我的生日是5月3日。", "不对，是5月13日，不是5月3日。", "我的生日是5月13日"),
    ],
)
def test_the_new_word_takes_the_place_of_the_old(talk: Talk, before: str, correction: str, after: str) -> None:
    talk.say(before).later().say(correction)
    (item,) = talk.live()
    assert item.text == after, told(talk)
    assert item.evidence[-1].quote in correction
    assert item.supersedes


@pytest.mark.parametrize(
    ("turns", "after"),
    [
        (("My name is Hanna.", "Sorry, it's Anna, not Hanna."), "My name is Anna"),
        (("My name is Hanna. Sorry, it's Anna, not Hanna.",), "My name is Anna"),
        (("我叫李明。", "不是李明，是黎明。"), "我叫黎明"),
        (("My name is Hanna.", "It's Anna, not Hanna.", "Sorry, it's Annie, not Anna."), "My name is Annie"),
    ],
)
def test_what_is_put_right_before_it_was_taken_in_is_put_right_all_the_same(
    hermes: Hermes, turns: tuple[str, ...], after: str
) -> None:
    with hermes.session("u", "s") as session:
        for text in turns:
            session.observe("user", text)
    hermes.flush()
    live = [i.text for i in hermes.memories("u") if str(i.status) != "archived"]
    assert live == [after]


def test_a_correction_after_an_assistants_question_counts(hermes: Hermes) -> None:
    with hermes.session("u", "s") as session:
        session.observe("user", "My name is Hanna.")
        session.observe("assistant", "Nice to meet you, Hanna! How can I help you today?")
        session.observe("user", "It's Anna, not Hanna.")
    hermes.flush()
    assert "My name is Anna" in [i.text for i in hermes.memories("u")]


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("I drink coffee every morning.", "Tea, not coffee."),
        ("I live in Basel.", "My sister moved to Bern, not Basel."),
        ("I live in Basel.", "It's warm, not cold."),
        ("I live in Basel.", "NO!!! DAMN IT, it's Bern, not Basel!!!"),
        ("I'm allergic to peanuts and I live in Basel.", "I meant walnuts, not peanuts."),
        ("我住在上海。", "我姐姐住苏州，不是上海。"),
        ("My name is Sara.", "She is called Nina, not Sara."),
        ("My name is Rex.", "My dog's name is Max, not Rex."),
        ("我是老师。", "她是医生，不是老师。"),
        ("I live in Berlin.", "Make it Hamburg, not Berlin."),
        ("My birthday is May 3.", "His birthday is May 13, not May 3."),
        ("我的生日是5月3日。", "她的生日是5月13日，不是5月3日。"),
        ("我住在杭州。", "她住在苏州，不是杭州。"),
        ("I live in Berlin.", "Not Berlin but Hamburg has the big harbour."),
        ("I live in Berlin.", "It's basically Potsdam, not Berlin."),
        ("My name is Mark.", "It's Marc with a c, not Mark."),
        ("I live in Sydney.", "No, Canberra, not Sydney."),
    ],
)
def test_a_choice_another_person_or_a_rage_puts_nothing_right(talk: Talk, before: str, said: str) -> None:
    talk.say(before)
    texts = {item.text for item in talk.live()}
    talk.later().say(said)
    assert texts <= {item.text for item in talk.live()}, told(talk)


def test_a_settled_memory_follows_a_calm_correction(talk: Talk) -> None:
    for _ in range(3):
        talk.say("I live in Basel.").later()
    assert [str(item.status) for item in talk.live()] == ["frozen"]
    talk.say("It's Bern, not Basel.")
    assert "I live in Bern" in {item.text for item in talk.live()}, told(talk)


@pytest.mark.parametrize(
    ("said", "slot", "value"),
    [
        ("我住在上海，不是北京", "residence", "shanghai"),
        ("我叫小李，不是小丽", "name", "小李"),
        ("我是上海人，不是北京人", "hometown", "上海"),
        ("我不是北京人，是上海人", "hometown", "上海"),
        ("我不是学法律的，是学医的", "", "学医"),
        ("我不是结婚了，是订婚了", "marital_status", "engaged"),
        ("my name is 李雷, not 李磊", "name", "李雷"),
        ("my name is 李雷 not 李磊", "name", "李雷"),
        ("correction: my birthday is may 5 not may 6", "birthday", "may 5"),
        ("My name is Anna, not Hanna.", "name", "anna"),
    ],
)
def test_a_contrast_puts_nothing_right_that_it_says_itself(talk: Talk, said: str, slot: str, value: str) -> None:
    talk.say(said)
    (item,) = [item for item in talk.live() if item.polarity > 0]
    assert (slot or item.slot, value, 1) == (item.slot, item.value, item.polarity), told(talk)
    assert item.text.casefold() in said.casefold() or item.text.lstrip("我") in said, told(talk)


@pytest.mark.parametrize(
    ("before", "said", "slot", "value"),
    [
        ("我住在北京", "我住在上海，不是北京", "residence", "shanghai"),
        ("我叫小丽", "我叫小李，不是小丽", "name", "小李"),
        ("my name is 李磊", "my name is 李雷, not 李磊", "name", "李雷"),
        ("my birthday is may 6", "correction: my birthday is may 5 not may 6", "birthday", "may 5"),
    ],
)
def test_what_was_said_before_is_put_right_by_a_whole_sentence(
    talk: Talk, before: str, said: str, slot: str, value: str
) -> None:
    talk.say(before).later().say(said)
    (item,) = talk.live()
    assert (item.slot, item.value, item.polarity) == (slot, value, 1), told(talk)


def test_a_statement_that_denies_the_old_word_is_never_turned_into_its_opposite(talk: Talk) -> None:
    talk.say("我住在上海，不是北京。").later().say("我不是北京人，是上海人。")
    assert not [item for item in talk.all() if "不是上海" in item.text], told(talk)


class Borrower:
    """An extractor that claims to correct what nobody ever said."""

    name = "borrower"

    def extract(self, turns, known):
        made = Candidate(
            kind="fact", slot="residence", value="bern", text="The user owes me money in Bern", quote="It's Bern, not Basel",
            turn_id=turns[0].id, correction=True, corrects="The user owes me money in Basel",
        )  # fmt: skip
        return Extraction([made])


def test_no_extractor_can_borrow_words_that_were_never_said(open_hermes) -> None:
    hermes = open_hermes(extractor=Borrower())
    with hermes.session("u", "s") as session:
        session.observe("user", "It's Bern, not Basel.")
    hermes.flush()
    assert not [item for item in hermes.memories("u") if "money" in item.text]


def test_contrasts_are_found_sentence_by_sentence() -> None:
    found = list(contrasts("Hi there. It's Anna, not Hanna. 另外，不是李明，是黎明。"))
    assert [(one.new, one.old) for one in found][:1] == [("Anna", "Hanna")]
    assert msgspec.to_builtins(found[0].start) == 10
