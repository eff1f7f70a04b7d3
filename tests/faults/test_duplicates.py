"""J: duplicates and junk."""

from __future__ import annotations

import threading

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize("answer", ["ok", "yes, right", "好的", "嗯嗯"])
def test_j1_recalled_text_and_an_answer_to_it_are_no_evidence(talk: Talk, answer: str) -> None:
    talk.say("I really like green tea.").later()
    before = talk.hermes.memories(talk.user_id)
    shown = talk.context("what to drink?")
    talk.say(f"{shown}\n\n{answer}").say(answer).say("User likes green tea", role="assistant").say(answer)
    after = talk.hermes.memories(talk.user_id)
    assert [(i.id, i.confirmations, i.evidence) for i in after] == [(i.id, i.confirmations, i.evidence) for i in before]


@pytest.mark.parametrize("words", ["My dog is called Rex.", "我的狗叫Rex。"])
def test_j2_once_a_session(talk: Talk, words: str) -> None:
    talk.say(words, words)
    (item,) = talk.live("rex")
    assert item.confirmations == 1
    talk.later().say(words)
    (item,) = talk.live("rex")
    assert item.confirmations == 2


@pytest.mark.parametrize(
    ("one", "other"), [("I live in Paris.", "My home is in Paris."), ("我住在巴黎。", "我家在巴黎。")]
)
def test_j3_two_wordings_are_one_item(talk: Talk, one: str, other: str) -> None:
    talk.say(one).later().say(other)
    items = [i for i in talk.all() if i.slot == "residence"]
    assert len(items) == 1 and items[0].confirmations == 2
    with talk.hermes.session(talk.user_id, "later") as session:
        shown = [hit.item.id for hit in session.recall("where do I live?")]
    assert shown.count(items[0].id) == 1 and len([i for i in shown if i == items[0].id]) == 1


def test_j4_paraphrases_are_one_line_and_the_conflict_is_visible(talk: Talk) -> None:
    for words in (
        "I love jazz.",
        "I really like jazz.",
        "Jazz is my favourite music.",
        "I enjoy jazz a lot.",
        "I'm a fan of jazz.",
    ):
        talk.say(words).later()
    liked = [i for i in talk.live("jazz") if i.polarity == 1]
    assert len(liked) == 1, [(i.slot, i.value, i.text) for i in liked]
    talk.say("I don't like jazz.")
    kept = talk.all("jazz")
    denied = [i for i in kept if i.polarity == -1]
    held = [h for i in kept for h in i.held]
    assert denied or held
    assert "jazz" in talk.later().context("what music should I play?").casefold()


def test_j5_replaying_a_transcript_changes_nothing(talk: Talk) -> None:
    lines = ["I'm allergic to peanuts.", "我喜欢安静的咖啡馆。", "I work at Alpha."]

    def replay() -> None:
        for n, line in enumerate(lines):
            with talk.hermes.session(talk.user_id, f"old-{n}") as session:
                session.observe("user", line, turn_id=f"t{n}", at=talk.clock.now())
        talk.hermes.flush()

    replay()
    before = talk.hermes.memories(talk.user_id), talk.hermes.history(talk.user_id)
    talk.clock.advance(days=3)
    replay()
    assert (talk.hermes.memories(talk.user_id), talk.hermes.history(talk.user_id)) == before


def test_j6_two_threads_say_the_same_at_once(talk: Talk) -> None:
    gate = threading.Barrier(2)

    def say() -> None:
        gate.wait()
        with talk.hermes.session(talk.user_id, "s1") as session:
            session.observe("user", "I'm allergic to shellfish.")
        talk.hermes.flush(talk.user_id)

    threads = [threading.Thread(target=say) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (item,) = talk.live("shellfish")
    assert item.confirmations == 1
