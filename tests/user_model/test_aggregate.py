"""U2: observations make a conclusion, more sessions make it surer, and it goes when they go."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from hermes_core.catalogue import Catalogue
from hermes_core.changes import Cause, Event, step
from hermes_core.conclusion_rules import default_rules, load_rules
from hermes_core.conclusions import aggregate, conclusion_id, confidence_from, is_conclusion
from hermes_core.config import Config
from hermes_core.errors import InvalidInput
from hermes_core.items import Basis, Evidence, Kind, MemoryItem, Sensitivity, Status, Tone
from hermes_core.reasons import Reason
from hermes_core.user_state import UserState

T0 = datetime(2025, 3, 1, tzinfo=timezone.utc)
CONFIG = Config()
CATALOGUE = Catalogue.default()


def item(n: int, slot: str, value: str, text: str, session: str = "s1", **fields: object) -> MemoryItem:
    said = T0 + timedelta(days=n)
    tone = fields.pop("tone", Tone.CALM)
    base = {
        "id": f"i{n}",
        "user_id": "u",
        "kind": CATALOGUE.slot(slot).kind if slot in CATALOGUE else Kind.FACT,
        "slot": slot,
        "value": value,
        "text": text,
        "status": Status.CONFIRMED,
        "created_at": said,
        "said_at": said,
        "confirmed_at": said,
        "evidence": (Evidence(session_id=session, turn_id=f"t{n}", quote=text, said_at=said, seq=n, tone=tone),),
    }
    return MemoryItem(**{**base, **fields})


def state(*items: MemoryItem) -> UserState:
    return UserState("u", live={i.id: i for i in items})


NOT_SPICY = item(1, "food.likes", "spicy", "I don't like spicy food", "s1", polarity=-1)
ORDERED = item(2, "fact", "ordered mild", "I ordered mild last time", "s2")
STOMACH = item(3, "health.condition", "weak stomach", "I have a weak stomach", "s3")
ZH = (
    item(1, "food.likes", "辣", "我不吃辣", "s1", polarity=-1, language="zh"),
    item(2, "fact", "微辣", "上次点的是微辣", "s2", language="zh"),
    item(3, "health.condition", "胃不好", "我胃不好", "s3", language="zh"),
)


def run(s: UserState, **kw: object) -> tuple:
    return aggregate(s, T0 + timedelta(days=10), CONFIG, CATALOGUE, **kw)


@pytest.mark.parametrize("observed", [(NOT_SPICY, ORDERED, STOMACH), ZH], ids=["en", "zh"])
def test_three_remarks_make_a_mild_diet(observed):
    (change,) = run(state(*observed))
    made = change.after
    assert (change.event, change.reason, made.status) == (Event.ADMITTED, Reason.AGGREGATED, Status.CANDIDATE)
    assert (made.slot, made.value, made.basis) == ("diet", "mild", Basis.IMPLIED)
    assert made.derived_from == ("i1", "i2", "i3")
    assert {e.turn_id for e in made.evidence} == {"t1", "t2", "t3"}
    assert all(e.basis is Basis.IMPLIED for e in made.evidence)
    assert made.language == observed[0].language
    assert 0 < made.tokens <= 50
    assert made.confirmations == 1.0


def test_one_remark_concludes_nothing():
    assert run(state(NOT_SPICY)) == ()


def test_more_sessions_make_it_surer_but_never_sure_enough_to_freeze():
    confidences = [confidence_from(n, CONFIG) for n in range(1, 40)]
    assert confidences == sorted(confidences)
    assert confidences[0] == pytest.approx(CONFIG.screen.implied_start)
    assert max(confidences) < CONFIG.freeze.min_confidence


def test_it_is_idempotent_and_refreshed_when_something_new_supports_it():
    s = state(NOT_SPICY, ORDERED)
    s = s.apply(run(s))
    assert run(s) == ()
    s = UserState("u", live={**s.live, STOMACH.id: STOMACH})
    (change,) = run(s)
    assert change.event is Event.REVALUED
    assert change.after.derived_from == ("i1", "i2", "i3")
    assert change.after.confidence > s.live[change.item_id].confidence
    assert run(s.apply([change])) == ()


def gone(s: UserState, item_id: str) -> UserState:
    cause = Cause(by="time", at=T0)
    return s.apply([step(s.live[item_id], Event.SEALED, reason=Reason.IDLE, cause=cause)])


def test_it_is_withdrawn_when_its_basis_goes_and_comes_back_with_it():
    s = state(NOT_SPICY, ORDERED)
    s = gone(s.apply(run(s)), "i2")
    (change,) = run(s)
    assert (change.event, change.reason, change.status) == (Event.WITHDRAWN, Reason.BASIS_GONE, Status.ARCHIVED)
    s = s.apply([change])
    assert run(s) == ()
    s = UserState("u", live={**s.live, STOMACH.id: STOMACH}, archive=s.archive)
    (change,) = run(s)
    assert (change.event, change.status) == (Event.RESTORED, Status.CANDIDATE)
    assert change.after.archived_because is None


def test_what_the_user_said_about_it_outright_wins():
    outright = item(9, "diet", "mild", "I eat a mild diet")
    assert run(state(NOT_SPICY, ORDERED, outright)) == ()
    s = state(NOT_SPICY, ORDERED)
    s = s.apply(run(s))
    s = UserState("u", live={**s.live, outright.id: outright})
    (change,) = run(s)
    assert (change.event, change.reason, change.detail) == (Event.WITHDRAWN, Reason.EXPLICIT_WINS, "i9")


def test_a_conclusion_that_the_user_confirmed_in_words_stays():
    s = state(NOT_SPICY, ORDERED)
    (made,) = run(s)
    s = s.apply([made])
    own = Evidence(session_id="s7", turn_id="t7", quote="yes, I eat mild", said_at=T0)
    cause = Cause(by="turn", at=T0, session_id="s7", turn_id="t7")
    said = step(
        made.after,
        Event.CONFIRMED,
        reason=Reason.SAID_AGAIN,
        cause=cause,
        evidence=(*made.after.evidence, own),
        confirmations=2.0,
        confidence=0.9,
    )
    s = gone(s.apply([said]), "i2")
    assert run(s) == ()


@pytest.mark.parametrize(
    "spoilt",
    [
        item(2, "fact", "ordered mild", "I ordered mild", "s2", subject="Jack"),
        item(2, "fact", "ordered mild", "I ordered mild", "s2", suspicious=True),
        item(2, "fact", "ordered mild", "I ordered mild", "s2", status=Status.STALE),
        item(2, "fact", "ordered mild", "I ordered mild", "s2", tone=Tone.EMOTIONAL),
    ],
    ids=["someone else", "suspicious", "stale", "emotional"],
)
def test_what_may_not_support(spoilt):
    assert run(state(NOT_SPICY, spoilt)) == ()


def test_privacy_is_inherited():
    secret = item(
        3,
        "health.condition",
        "weak stomach",
        "I have a weak stomach",
        sensitivity=Sensitivity.SENSITIVE,
        visible_to=("doctor",),
    )
    (change,) = run(state(NOT_SPICY, secret))
    assert change.after.sensitivity is Sensitivity.SENSITIVE
    assert change.after.visible_to == ("doctor",)
    other = item(2, "fact", "mild", "I ordered mild", "s2", visible_to=("cook",))
    assert run(state(secret, other)) == ()


def test_forgotten_conclusions_are_not_drawn_again():
    s = state(NOT_SPICY, ORDERED)
    assert run(s, forgotten=lambda slot, value: (slot, value) == ("diet", "mild")) == ()


def test_no_room_no_conclusion():
    config = Config.model_validate({"bounded": {"hot_cap": 2}})
    assert aggregate(state(NOT_SPICY, ORDERED), T0, config, CATALOGUE) == ()


def test_rejected_conclusions_are_left_to_the_user():
    s = state(NOT_SPICY, ORDERED)
    (made,) = run(s)
    stale = step(made.after, Event.STALED, reason=Reason.REJECTED_OFTEN, cause=Cause(by="command", at=T0))
    s = UserState("u", live={**s.apply([made, stale]).live, STOMACH.id: STOMACH})
    assert run(s) == ()


def test_conclusions_that_exclude_each_other_never_stand_together():
    early = [item(n, "routine", f"e{n}", "I go for a morning run", f"s{n}") for n in (1, 2, 3)]
    late = [item(n, "routine", f"l{n}", "I stay up late", f"s{n}") for n in (4, 5)]
    made = [c.after.note for c in run(state(*early, *late))]
    assert "conclusion:early_riser" in made
    assert "conclusion:night_owl" not in made


def test_similarity_reaches_wordings_that_nobody_listed(tmp_path):
    path = tmp_path / "more.toml"
    path.write_text(
        '[[conclusion]]\nname="x"\nslot="likes"\nvalue="x"\ntext={en="X.", zh="叉。"}\nsupports=[{like=["It is too hot for me."]}]\n',
        encoding="utf-8",
    )
    rules = [rule for rule in load_rules([path]) if rule.name == "x"]
    s = state(item(1, "fact", "a", "I melt in summer"), item(2, "fact", "b", "heat kills me"))
    assert run(s, rules=rules) == ()
    assert len(run(s, rules=rules, similarity=lambda text, like: 0.9)) == 1
    assert run(s, rules=rules, similarity=lambda text, like: 0.7) == ()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("needs=1", "needs"),
        ("kind='mood'", "kind"),
        ("colour='red'", "colour"),
        ("supports=[{}]", "empty support"),
        ("importance=3", "importance"),
    ],
)
def test_a_bad_rule_names_file_and_field(tmp_path, line, named):
    path = tmp_path / "bad.toml"
    rest = "" if line.startswith("supports") else "supports=[{en=['x']}]\n"
    path.write_text(
        f'[[conclusion]]\nname="x"\nslot="likes"\nvalue="x"\ntext={{en="X.", zh="叉。"}}\n{line}\n{rest}',
        encoding="utf-8",
    )
    with pytest.raises(InvalidInput, match=f"(?s)bad.toml.*{named}"):
        load_rules([path])


def test_the_shipped_rules_are_bilingual_bounded_and_on_slots_of_the_catalogue():
    rules = default_rules()
    assert len(rules) >= 10
    assert len({rule.name for rule in rules}) == len(rules)
    for rule in rules:
        assert rule.slot in CATALOGUE, rule.name
        assert any("\u4e00" <= c <= "\u9fff" for c in rule.text["zh"])
        assert all(other in {r.name for r in rules} for other in rule.opposite)
        assert conclusion_id("u", rule.name) != conclusion_id("v", rule.name)
        words = [s.words.pattern for s in rule.supports if s.words is not None]
        assert words == [] or any("\u4e00" <= c <= "\u9fff" for p in words for c in p), rule.name


def test_conclusions_never_rest_on_conclusions():
    s = state(NOT_SPICY, ORDERED, STOMACH)
    s = s.apply(run(s))
    for made in (i for i in s.live.values() if is_conclusion(i)):
        assert not any(is_conclusion(s.live[o]) for o in made.derived_from)


def test_a_conclusion_that_the_user_confirmed_by_command_is_theirs():
    s = state(NOT_SPICY, ORDERED)
    (made,) = run(s)
    cause = Cause(by="command", at=T0, command="confirm")
    kept = step(made.after, Event.PROMOTED, reason=Reason.COMMANDED, cause=cause, confidence=0.9)
    s = s.apply([made, kept])
    assert run(s) == ()
    assert run(gone(s, "i2")) == ()
    s = UserState("u", live={**s.live, STOMACH.id: STOMACH})
    (change,) = run(s)
    assert (change.event, change.after.confidence, change.status) == (Event.REVALUED, 0.9, Status.CONFIRMED)


def test_state_rules_respect_the_short_term_cap():
    busy = [item(n, "current_focus", f"b{n}", "working overtime", f"s{n}", kind=Kind.STATE) for n in (1, 2)]
    assert [c.after.kind for c in run(state(*busy))] == [Kind.STATE]
    config = Config.model_validate({"bounded": {"short_term_cap": 2}})
    assert aggregate(state(*busy), T0, config, CATALOGUE) == ()
