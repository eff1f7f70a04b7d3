"""C3: a scripted loss at each stage, in both languages, is named; what is remembered or was never said is told apart."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from hermes_core.answers import diagnose
from hermes_core.answers.stages import ADVICE, STAGE_OF_REASON, Stage
from hermes_core.changes import Cause, Change, Event, refusal, step
from hermes_core.config import Config
from hermes_core.items import Evidence, Kind, MemoryItem, PackedItems, Status, Turn
from hermes_core.reasons import Reason
from hermes_core.user_state import UserState
from hermes_core.views import ContextBlock, ContextLine, Diagnosis, LeftOut

T0 = datetime(2025, 3, 1, tzinfo=timezone.utc)
SAID = {"en": "I play badminton every Sunday", "zh": "我每周日打羽毛球"}
OTHER = {"en": "I love sports with rackets", "zh": "我喜欢球拍类运动"}


def turn(text: str, turn_id: str = "t1", role: str = "user", session: str = "s1", seq: int = 1) -> Turn:
    return Turn(id=turn_id, user_id="u", session_id=session, role=role, text=text, said_at=T0, seq=seq)


def cause(turn_id: str = "t1") -> Cause:
    return Cause(by="turn", at=T0, session_id="s1", turn_id=turn_id)


def item(text: str, item_id: str = "i1", turn_id: str = "t1", quote: str | None = None, **fields: object) -> MemoryItem:
    base = {
        "id": item_id,
        "user_id": "u",
        "kind": Kind.PREFERENCE,
        "slot": "sports.likes",
        "value": text,
        "text": text,
        "status": Status.CONFIRMED,
        "created_at": T0,
        "said_at": T0,
        "confirmed_at": T0,
        "half_life_days": 30.0,
        "evidence": (Evidence(session_id="s1", turn_id=turn_id, quote=quote or text, said_at=T0),),
    }
    return MemoryItem(**{**base, **fields})


def block(*shown: MemoryItem, left_out: tuple[LeftOut, ...] = ()) -> ContextBlock:
    lines = tuple(ContextLine(text=i.text, item=i) for i in shown)
    return ContextBlock(text="", tokens=0, budget=1600, version=1, lines=lines, left_out=left_out)


def ask(
    statement: str,
    *items: MemoryItem,
    turns: tuple[Turn, ...] = (),
    trail: tuple[Change, ...] = (),
    seen: ContextBlock | None = None,
    record: dict | None = None,
    forgotten: bool = False,
    similar: dict[str, float] | None = None,
    days: float = 0.0,
    language: str = "en",
) -> Diagnosis:
    live = {i.id: i for i in items if i.status is not Status.ARCHIVED}
    cold = PackedItems({i.id: i for i in items if i.status is Status.ARCHIVED})
    return diagnose(
        statement,
        turns=turns,
        record=lambda turn_id: (record or {}).get(turn_id),
        trail=trail,
        state=UserState("u", 3, live, cold),
        block=seen or block(),
        similarity=lambda texts: [(similar or {}).get(text, 0.0) for text in texts],
        forgotten=forgotten,
        now=T0 + timedelta(days=days),
        config=Config(),
        language=language,
    )


@pytest.fixture(params=["en", "zh"])
def language(request):
    return request.param


@pytest.fixture
def said(language):
    return SAID[language]


def test_remembered(said, language):
    kept = item(said)
    found = ask(said, kept, turns=(turn(said),), seen=block(kept), language=language)
    assert (found.stage, found.item_id, found.turn_id) == (Stage.REMEMBERED, "i1", "t1")


def test_never_said(said):
    assert ask(said, turns=(turn("hello there"),)).stage == Stage.NEVER_SAID
    found = ask(said, turns=(turn(said, role="assistant"),))
    assert (found.stage, found.reason) == (Stage.NEVER_SAID, "only_assistant")


def test_not_extracted(said):
    nothing = refusal("u", reason=Reason.NOTHING_FOUND, cause=cause(), claim=said)
    found = ask(said, turns=(turn(said),), trail=(nothing,), record={"t1": {"state": "ingested"}})
    assert (found.stage, found.reason, found.turn_id) == (Stage.NOT_EXTRACTED, "nothing_found", "t1")


@pytest.mark.parametrize("state", ["pending", "set_aside"])
def test_not_extracted_yet(said, state):
    found = ask(said, turns=(turn(said),), record={"t1": {"state": state}})
    assert (found.stage, found.reason) == (Stage.NOT_EXTRACTED, state)


def test_ungrounded(said):
    lost = refusal("u", reason=Reason.UNGROUNDED, cause=cause(), claim=said)
    assert ask(said, turns=(turn(said),), trail=(lost,)).stage == Stage.UNGROUNDED


@pytest.mark.parametrize(
    "reason", [Reason.LOW_SALIENCE, Reason.PASTED_TEXT, Reason.NOT_A_STATEMENT, Reason.SUSPICIOUS, Reason.HYPOTHETICAL]
)
def test_screened(said, reason):
    lost = refusal("u", reason=reason, cause=cause(), claim=said)
    found = ask(said, turns=(turn(said),), trail=(lost,))
    assert (found.stage, found.reason) == (Stage.SCREENED, reason)


@pytest.mark.parametrize(
    "reason", [Reason.BELOW_THRESHOLD, Reason.WORST_OF_ALL, Reason.FROZEN_IGNORES, Reason.RATE_LIMITED]
)
def test_refused_by_gate(said, reason):
    lost = refusal("u", reason=reason, cause=cause(), claim=said)
    assert ask(said, turns=(turn(said),), trail=(lost,)).stage == Stage.REFUSED_BY_GATE


def test_held_against_a_frozen_memory_is_no_memory_of_the_statement(said, language):
    frozen = item(OTHER[language], "i9", "t0", status=Status.FROZEN)
    held = step(frozen, Event.HELD, reason=Reason.FROZEN_HOLDS, cause=cause(), detail=said)
    found = ask(said, frozen, turns=(turn(said),), trail=(held,), seen=block(frozen), similar={frozen.text: 0.9})
    assert (found.stage, found.reason, found.item_id) == (Stage.REFUSED_BY_GATE, Reason.FROZEN_HOLDS, "i9")


def test_dropped_by_the_bounded_gate(said):
    admitted = step(None, Event.ADMITTED, reason=Reason.ROOM, cause=cause(), new=item(said, status=Status.CANDIDATE))
    dropped = step(admitted.after, Event.DROPPED, reason=Reason.REPLACED_WORST, cause=cause("t9"))
    found = ask(said, turns=(turn(said),), trail=(admitted, dropped))
    assert (found.stage, found.reason) == (Stage.REFUSED_BY_GATE, Reason.REPLACED_WORST)


def test_merged_into(said, language):
    other = item(OTHER[language], "i2", "t0")
    both = (*other.evidence, Evidence(session_id="s1", turn_id="t1", quote=said, said_at=T0))
    merged = step(other, Event.CONFIRMED, reason=Reason.SAID_AGAIN, cause=cause(), evidence=both)
    found = ask(said, merged.after, turns=(turn(said),), trail=(merged,), seen=block(merged.after))
    assert (found.stage, found.item_id) == (Stage.MERGED_INTO, "i2")


def test_superseded(said, language):
    new = item(OTHER[language], "i2", "t2", supersedes=("i1",))
    old = step(item(said), Event.SUPERSEDED, reason=Reason.NEWER_WINS, cause=cause("t2"), superseded_by="i2")
    found = ask(said, old.after, new, turns=(turn(said),), trail=(old,), seen=block(new), similar={new.text: 0.9})
    assert (found.stage, found.item_id, found.reason) == (Stage.SUPERSEDED, "i1", Reason.NEWER_WINS)


def test_asleep_by_fading(said):
    assert ask(said, item(said), turns=(turn(said),), days=90).stage == Stage.ASLEEP


def test_asleep_in_the_archive(said):
    sealed = step(item(said), Event.SEALED, reason=Reason.IDLE, cause=cause("t2"), archived_because="idle")
    found = ask(said, sealed.after, turns=(turn(said),), trail=(sealed,))
    assert (found.stage, found.reason) == (Stage.ASLEEP, Reason.IDLE)


def test_asleep_waiting_for_confirmation(said):
    found = ask(said, item(said, status=Status.STALE), turns=(turn(said),))
    assert (found.stage, found.reason) == (Stage.ASLEEP, "stale")


@pytest.mark.parametrize("why", ["per_topic", "not_relevant", "over_items", "no_consent", "not_visible", ""])
def test_ranked_out(said, why):
    left = (LeftOut(item_id="i1", reason=why),) if why else ()
    found = ask(said, item(said), turns=(turn(said),), seen=block(left_out=left))
    assert (found.stage, found.reason) == (Stage.RANKED_OUT, why or "not_ranked")


def test_over_budget(said):
    left = (LeftOut(item_id="i1", reason="over_budget"),)
    assert ask(said, item(said), turns=(turn(said),), seen=block(left_out=left)).stage == Stage.OVER_BUDGET


def test_forgotten(said):
    assert ask(said, forgotten=True).stage == Stage.FORGOTTEN
    lost = refusal("u", reason=Reason.FORGOTTEN_BY_USER, cause=cause(), claim=said)
    assert ask(said, turns=(turn(said),), trail=(lost,)).stage == Stage.FORGOTTEN
    back = item(said)
    assert ask(said, back, seen=block(back), forgotten=True).stage == Stage.REMEMBERED


def test_a_paraphrase_is_found_by_similarity(said, language):
    kept = item(OTHER[language])
    similar = {kept.text: 0.95}
    assert ask(said, kept, seen=block(kept), similar=similar).stage == Stage.REMEMBERED
    assert ask(said, kept, seen=block(kept)).stage == Stage.NEVER_SAID


def test_the_loss_of_another_sentence_of_the_turn_is_not_this_ones(said, language):
    kept = item(said, quote=said)
    lost = refusal("u", reason=Reason.LOW_SALIENCE, cause=cause(), claim=OTHER[language])
    spoken = turn(f"{said}. {OTHER[language]}.")
    assert ask(said, kept, turns=(spoken,), trail=(lost,), seen=block(kept)).stage == Stage.REMEMBERED
    assert ask(OTHER[language], kept, turns=(spoken,), trail=(lost,), seen=block(kept)).stage == Stage.SCREENED


def test_every_stage_has_advice_and_every_refusal_a_stage():
    for stage in Stage:
        english, chinese = ADVICE[stage]
        assert english
        assert any("\u4e00" <= c <= "\u9fff" for c in chinese)
    assert {str(s) for s in STAGE_OF_REASON.values()} <= {s.value for s in Stage}


@pytest.mark.parametrize("statement", ["x", "???", "\ud800", "我", "the"])
def test_odd_statements_are_answered(statement):
    assert ask(statement, item("I like tea"), turns=(turn("I like tea"),)).stage == Stage.NEVER_SAID


def test_the_answer_reads_well(said, language):
    left = (LeftOut(item_id="i1", reason="over_budget"),)
    found = ask(said, item(said), turns=(turn(said),), seen=block(left_out=left), language=language)
    assert said in found.text
    assert found.facts["turns"] == ["t1"]
    assert ("预算" if language == "zh" else "budget") in found.text


@pytest.mark.parametrize(
    ("statement", "text", "value", "slot"),
    [
        ("I'm allergic to eggs", "I'm allergic to peanuts", "peanuts", "allergy"),
        ("我对鸡蛋过敏", "我对花生过敏", "花生", "allergy"),
        ("I like Chinese food", "I don't like Chinese food", "chinese food", "food.likes"),
        ("我喜欢中餐", "我不喜欢中餐", "chinese food", "food.likes"),
    ],
)
def test_near_is_not_the_same(statement, text, value, slot):
    """Sentences that an embedder finds alike (0.9) and that say something else."""
    kept = item(text, value=value, slot=slot)
    found = ask(statement, kept, turns=(turn(text),), seen=block(kept), similar={text: 0.89})
    assert found.stage == Stage.NEVER_SAID


def test_another_language_is_the_same():
    kept = item("我住在上海", value="shanghai", slot="residence")
    found = ask("I live in Shanghai", kept, turns=(turn("我住在上海"),), seen=block(kept), similar={"我住在上海": 0.93})
    assert (found.stage, found.turn_id) == (Stage.REMEMBERED, "t1")
