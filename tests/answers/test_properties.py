"""For any text: summaries fit and name only what was said, answers never raise, and nothing is mutated."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_core.answers import audit, describe, diagnose, explain
from hermes_core.answers.stages import Stage
from hermes_core.changes import Cause, refusal
from hermes_core.conclusions import aggregate, is_conclusion
from hermes_core.config import Config
from hermes_core.entities import entities, names_in
from hermes_core.items import Evidence, Kind, MemoryItem, Status, Tone, Turn
from hermes_core.reasons import Reason
from hermes_core.summarizers import ExtractiveSummarizer, checked
from hermes_core.summary import KEPT_ENTITIES, KEPT_FACTS, KEPT_TASKS, redacted
from hermes_core.tokens import ApproximateCounter
from hermes_core.user_model import draw, render
from hermes_core.user_state import UserState
from hermes_core.views import ContextBlock

T0 = datetime(2025, 3, 1, tzinfo=timezone.utc)
COUNTER = ApproximateCounter()
PHRASES = st.sampled_from(
    [
        "I live in Paris.",
        "My dog is called Rex!",
        "我住在上海。",
        "I don't like spicy food",
        "I have a weak stomach",
        "我在加班赶项目",
        "need to call Bob by Friday",
        "记得6月3日交报告；",
        "done, called Bob",
        "ok",
        "{x} </memory> [m:abc]",
        "SKU-8823 costs $24",
        "\ud800",
        "🙂🙂",
        "？",
    ]
)
TEXTS = st.lists(PHRASES | st.text(max_size=30), min_size=1, max_size=4).map(" ".join)


@st.composite
def talks(draw_one: st.DrawFn) -> tuple[Turn, ...]:
    texts = draw_one(st.lists(TEXTS, min_size=1, max_size=12))
    roles = draw_one(st.lists(st.sampled_from(["user", "user", "assistant"]), min_size=len(texts), max_size=len(texts)))
    return tuple(
        Turn(
            id=f"t{n}",
            user_id="u",
            session_id=f"s{n // 4}",
            role=role,
            text=text,
            said_at=T0 + timedelta(hours=n),
            seq=n,
        )
        for n, (text, role) in enumerate(zip(texts, roles, strict=True), 1)
    )


@st.composite
def states(draw_one: st.DrawFn) -> UserState:
    items = []
    for n, text in enumerate(draw_one(st.lists(TEXTS, max_size=8))):
        at = T0 + timedelta(days=n)
        tone = draw_one(st.sampled_from(list(Tone)))
        items.append(
            MemoryItem(
                id=f"i{n}",
                user_id="u",
                kind=draw_one(st.sampled_from(list(Kind))),
                slot=draw_one(
                    st.sampled_from(["diet", "food.likes", "health.condition", "residence", "made.up", "spice_level"])
                ),
                value=draw_one(TEXTS),
                text=text,
                status=draw_one(st.sampled_from([Status.CANDIDATE, Status.CONFIRMED, Status.FROZEN, Status.STALE])),
                polarity=draw_one(st.sampled_from([1, -1])),
                created_at=at,
                said_at=at,
                confirmed_at=at,
                half_life_days=draw_one(st.sampled_from([None, 3.0, 30.0])),
                evidence=(Evidence(session_id=f"s{n % 3}", turn_id=f"t{n}", quote=text, said_at=at, tone=tone),),
            )
        )
    return UserState("u", live={i.id: i for i in items})


@settings(max_examples=120, deadline=None)
@given(talks(), st.integers(min_value=1, max_value=120))
def test_summaries_fit_and_name_only_what_was_said(turns, tokens):
    made = checked(ExtractiveSummarizer(), turns, None, tokens, COUNTER)
    if made is None:
        return
    said = "\n".join(turn.text for turn in turns)
    assert COUNTER.count(made.text) <= tokens
    assert made.entities
    assert len(names_in(said, made.entities)) == len(made.entities)
    assert len(made.facts) <= KEPT_FACTS
    assert len(made.open_tasks) <= KEPT_TASKS
    assert len(made.entities) <= KEPT_ENTITIES
    again = checked(ExtractiveSummarizer(), turns[:1], made, tokens, COUNTER)
    assert again is None or set(made.facts) <= set(again.facts)
    clean = redacted(made, [made.entities[0]])
    assert clean is None or not names_in(
        "\n".join((*clean.facts, *clean.open_tasks, *clean.entities)), made.entities[:1]
    )


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_entities_are_parts_of_their_text(text):
    assert len(names_in(text, entities(text))) == len(entities(text))


@settings(max_examples=100, deadline=None)
@given(states(), st.integers(min_value=0, max_value=400))
def test_conclusions_are_modest_and_settle(state, days):
    now, config = T0 + timedelta(days=days), Config()
    before = dict(state.live)
    first = aggregate(state, now, config)
    assert state.live == before
    for change in first:
        made = change.after
        assert made.status is Status.CANDIDATE
        assert made.confidence < config.freeze.min_confidence
        assert len(made.derived_from) >= 2
        assert made.evidence
        assert not any(is_conclusion(state.live[i]) for i in made.derived_from)
    after = state.apply(first)
    assert aggregate(after, now, config) == ()
    model = draw(after, now, config)
    assert sum(len(t.beliefs) for t in (*model.static.values(), *model.dynamic.values())) <= len(after.live)
    for line in render(model):
        assert "\n" not in line
        assert "{" not in line
        assert "<" not in line
    audit(after, now, config)


@settings(max_examples=100, deadline=None)
@given(states(), talks(), TEXTS, st.booleans(), st.sampled_from(["en", "zh"]))
def test_answers_never_raise(state, turns, statement, forgotten, language):
    cause = Cause(by="turn", at=T0, session_id="s0", turn_id=turns[0].id)
    trail = [refusal("u", reason=Reason.LOW_SALIENCE, cause=cause, claim=turns[0].text)]
    found = diagnose(
        statement,
        turns=turns,
        record=lambda turn_id: None,
        trail=trail,
        state=state,
        block=ContextBlock(text="", tokens=0, budget=0, version=0),
        similarity=lambda texts: [0.5] * len(texts),
        forgotten=forgotten,
        now=T0,
        config=Config(),
        language=language,
    )
    assert found.stage in {s.value for s in Stage}
    assert found.text
    for item in state.live.values():
        assert explain(item, trail, turns, language).text
    assert describe(trail[0], language)
