"""C3, C2, U4 through the front door: a scripted loss at each of the ten stages, with the real extractor and embedder."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from hermes_core import Config, Hermes
from hermes_core.answers import Stage
from hermes_core.config import build
from hermes_core.testing import FakeClock, ScriptedExtractor, candidate

USER = "user-1"


def say(hermes: Hermes, session: str, *texts: str, role: str = "user", flush: bool = True) -> None:
    with hermes.session(USER, session) as conversation:
        for text in texts:
            conversation.observe(role, text)
    if flush:
        hermes.flush(USER)


def stage(hermes: Hermes, statement: str) -> str:
    return hermes.diagnose(USER, statement).stage


def test_remembered_and_never_said(hermes: Hermes):
    say(hermes, "s1", "I'm allergic to peanuts.", "我住在上海")
    assert stage(hermes, "I'm allergic to peanuts") == Stage.REMEMBERED
    assert stage(hermes, "I live in Shanghai") == Stage.REMEMBERED
    assert stage(hermes, "I'm allergic to eggs") == Stage.NEVER_SAID
    assert stage(hermes, "我住在北京") == Stage.NEVER_SAID
    say(hermes, "s1", "You live in Berlin with two dogs.", role="assistant")
    assert stage(hermes, "You live in Berlin with two dogs") == Stage.NEVER_SAID


def test_not_extracted(open_hermes: Callable[..., Hermes]):
    hermes = open_hermes(extractor=ScriptedExtractor({}))
    say(hermes, "s1", "My uncle repairs clocks in a village.")
    found = hermes.diagnose(USER, "My uncle repairs clocks in a village")
    assert (found.stage, found.reason) == (Stage.NOT_EXTRACTED, "nothing_found")


def test_not_extracted_yet(hermes: Hermes):
    say(hermes, "s1", "I'm allergic to peanuts.", flush=False)
    found = hermes.diagnose(USER, "I'm allergic to peanuts")
    assert (found.stage, found.reason) == (Stage.NOT_EXTRACTED, "pending")


def test_ungrounded(open_hermes: Callable[..., Hermes]):
    text = "I keep bees on the roof"
    invented = candidate(text, quote="I keep forty hives of bees", kind="fact", slot="fact", value="bees")
    hermes = open_hermes(extractor=ScriptedExtractor({text: [invented]}))
    say(hermes, "s1", text)
    assert stage(hermes, text) == Stage.UNGROUNDED


@pytest.mark.parametrize(
    "text", ["Could you recommend a restaurant in Rome?", "If I were rich I would buy a boat", "能帮我推荐一家餐厅吗？"]
)
def test_screened(hermes: Hermes, text: str):
    say(hermes, "s1", text)
    assert stage(hermes, text) == Stage.SCREENED


def test_refused_by_the_bounded_gate(open_hermes: Callable[..., Hermes]):
    texts = [f"I really enjoy reading {topic}" for topic in ("poems", "novels", "maps", "essays")]
    script = {t: [candidate(t, slot=f"hobby.{n}", value=t, importance=0.95 - 0.2 * n)] for n, t in enumerate(texts)}
    config = build({"bounded": {"hot_cap": 2, "protected_cap": 0}})
    hermes = open_hermes(extractor=ScriptedExtractor(script), config=config)
    say(hermes, "s1", *texts)
    assert stage(hermes, texts[-1]) == Stage.REFUSED_BY_GATE


@pytest.mark.parametrize(
    ("vital", "against"),
    [
        ("I'm allergic to peanuts", "Ugh, I'm SO not allergic to peanuts, damn it!!!"),
        ("我对花生过敏", "烦死了，我才不对花生过敏呢！！！"),
    ],
)
def test_refused_by_the_freeze_gate(open_hermes: Callable[..., Hermes], vital: str, against: str):
    one = {"kind": "constraint", "slot": "allergy", "value": "peanuts"}
    script = {vital: [candidate(vital, **one)], against: [candidate(against, polarity=-1, tone="emotional", **one)]}
    hermes = open_hermes(extractor=ScriptedExtractor(script))
    say(hermes, "s1", vital)
    assert hermes.memories(USER)[0].status == "frozen"
    say(hermes, "s2", against)
    assert stage(hermes, against) == Stage.REFUSED_BY_GATE
    assert stage(hermes, vital) == Stage.REMEMBERED


def test_merged_into(open_hermes: Callable[..., Hermes]):
    first, second = "I prefer tea over anything else", "At cafés my usual order has always been some tea"
    same = {"slot": "drink.likes", "value": "tea"}
    script = {t: [candidate(t, **same)] for t in (first, second)}
    hermes = open_hermes(extractor=ScriptedExtractor(script))
    say(hermes, "s1", first)
    say(hermes, "s2", second)
    found = hermes.diagnose(USER, second)
    assert (found.stage, found.item_id) == (Stage.MERGED_INTO, hermes.memories(USER)[0].id)


@pytest.mark.parametrize(
    ("old", "new"), [("I live in Paris", "I moved, I live in Rome now"), ("我住在北京", "我现在搬到上海住了")]
)
def test_superseded(hermes: Hermes, clock: FakeClock, old: str, new: str):
    say(hermes, "s1", old)
    clock.advance(days=30)
    say(hermes, "s2", new)
    assert stage(hermes, old) == Stage.SUPERSEDED


def test_asleep(hermes: Hermes, clock: FakeClock):
    say(hermes, "s1", "I like jazz music")
    clock.advance(days=75)
    assert stage(hermes, "I like jazz music") in (Stage.ASLEEP, Stage.REMEMBERED)
    clock.advance(days=300)
    hermes.maintain(USER)
    found = hermes.diagnose(USER, "I like jazz music")
    assert hermes.get(USER, found.item_id).status == "archived"


def test_asleep_while_it_waits_for_confirmation(hermes: Hermes, clock: FakeClock):
    say(hermes, "s1", "I work at Acme")
    clock.advance(days=200)
    hermes.maintain(USER)
    found = hermes.diagnose(USER, "I work at Acme")
    assert (found.stage, found.reason) == (Stage.ASLEEP, "stale")


def test_ranked_out(open_hermes: Callable[..., Hermes]):
    texts = ["I like The Larks", *(f"I like The Larks album number {n}" for n in range(2, 9))]
    script = {
        t: [candidate(t, slot="music.likes", value=t, importance=0.95 if n else 0.4)] for n, t in enumerate(texts)
    }
    config = build({"recall": {"max_items": 1, "per_topic": 1}, "context": {"active_items": 1, "retrieved_items": 1}})
    hermes = open_hermes(extractor=ScriptedExtractor(script), config=config)
    say(hermes, "s1", *texts)
    assert stage(hermes, texts[0]) == Stage.RANKED_OUT


def test_over_budget(open_hermes: Callable[..., Hermes]):
    texts = [
        "I like The Larks",
        *(f"I like The Larks and the {n} o'clock show on every day of the week" for n in range(2, 6)),
    ]
    script = {t: [candidate(t, slot=f"music.{n}", value=t, importance=0.95 if n else 0.4)] for n, t in enumerate(texts)}
    tiny = {"total_tokens": 60, "frozen_tokens": 10, "active_tokens": 20, "retrieved_tokens": 10}
    hermes = open_hermes(extractor=ScriptedExtractor(script), config=build({"context": tiny}))
    say(hermes, "s1", *texts)
    assert stage(hermes, texts[0]) == Stage.OVER_BUDGET


@pytest.mark.parametrize("text", ["I have a cat called Tom", "我养了一只叫汤姆的猫"])
def test_forgotten(hermes: Hermes, text: str):
    say(hermes, "s1", text)
    (item,) = hermes.memories(USER)
    hermes.forget(USER, item.id)
    assert stage(hermes, text) == Stage.FORGOTTEN
    say(hermes, "s1", "hello")
    assert stage(hermes, text) == Stage.FORGOTTEN


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_line_of_a_context_is_explained(hermes: Hermes, language: str):
    say(hermes, "s1", "I'm allergic to peanuts.", "I live in Paris.", "我喜欢喝茶", "My wife is Anna.")
    say(hermes, "s2", "I don't like spicy food", "I have a weak stomach", "我喜欢喝茶")
    with hermes.session(USER, "s3", consent=True) as conversation:
        block = conversation.context("what should I cook?")
    assert block.items
    for item in block.items:
        told = hermes.explain(USER, item.id, language)
        assert told.trail
        assert all(evidence.quote[:20] in told.text for evidence in item.evidence)
        assert all(evidence.session_id in told.text for evidence in item.evidence)


SAID = """I'm allergic to peanuts. | I live in Paris. | 我喜欢喝茶 | My wife is Anna. | I don't like spicy food | I have a weak stomach |
    I work as a nurse. | 我养了一只猫，叫豆豆 | From now on, please keep your answers short. | I've moved to Lyon. |
    I'm learning the cello. | 我周末喜欢爬山 | Ugh, I hate hiking today!!! | 请以后都用中文回答 | My budget for a bike is 800 euros. |
    我下个月要去成都出差 | I can't stand horror films. | 我对花粉过敏 | My project is called Heron. | Just this once, be as detailed as you can."""
ASKED = """what should I cook? | 晚饭吃什么好？ | plan my Saturday | 推荐一部电影 | where do I live? | write to my boss | how is my cat? | 出差带什么 | """


def test_every_line_of_a_hundred_random_contexts_is_explained(hermes: Hermes):
    said = [" ".join(text.split()) for text in SAID.split("|")]
    for n in range(6):
        say(hermes, f"s{n}", *(random.Random(n).sample(said, 9)))
    turn_ids = {turn.id for n in range(6) for turn in hermes.session(USER, f"s{n}").turns()}
    chance, lines = random.Random(1), 0
    for n in range(100):
        with hermes.session(USER, f"later-{n}", consent=chance.random() < 0.5) as conversation:
            block = conversation.context(
                chance.choice(ASKED.split("|")).strip(),
                task=chance.choice(["", "question_answering", "recommendation", "writing", "support"]),
                language=chance.choice(["en", "zh", None]),
                budget=chance.choice([120, 400, 1600]),
            )
        for line in block.lines:
            lines += 1
            assert line.reason, (n, line)
            if line.item is None:
                assert set(line.turn_ids) <= turn_ids, (n, line)
                assert line.turn_ids, (n, line)
                continue
            told = hermes.explain(USER, line.item.id, chance.choice(["en", "zh"]))
            assert told.trail, (n, line)
            for evidence in line.item.evidence:
                assert evidence.quote in told.text, (n, line)
                assert evidence.session_id in told.text, (n, line)
                assert evidence.turn_id in told.text, (n, line)
    assert lines > 500


def test_the_model_is_drawn_and_conclusions_are_named(hermes: Hermes):
    say(hermes, "s1", "I don't like spicy food")
    say(hermes, "s2", "I have a weak stomach")
    model = hermes.user_model(USER)
    (conclusion,) = model.conclusions
    assert {o.item_id for o in conclusion.observations} <= {i.id for i in hermes.memories(USER)}
    assert len(conclusion.observations) == 2
    assert hermes.get(USER, conclusion.item_id).status == "candidate"
    hermes.forget(USER, conclusion.observations[0].item_id)
    assert not hermes.user_model(USER).conclusions


def test_stats_and_audit_answer_for_a_real_store(hermes: Hermes):
    say(hermes, "s1", "I'm allergic to peanuts.")
    assert hermes.audit(USER) == ()
    found = hermes.stats(USER)
    assert found.pools["frozen"] == 1
    assert found.warnings == ()
    assert Config().bounded.hot_cap == found.caps["hot"]
