"""The laws as questions to ask of a store after every step. Each raises AssertionError with the law's letter.

They look at what was said and at what came out, and trust no flag that the product could set for itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from hermes_core.changes import Change, Event, replay
from hermes_core.commands import caps_broken
from hermes_core.conclusions import is_conclusion
from hermes_core.items import Evidence, MemoryItem, Status, Turn, encode_item
from hermes_core.reasons import Reason
from hermes_core.shell.hermes import Hermes
from hermes_core.stores.redact import REDACTED
from tests.laws.scenery import BY_TEXT, CANARY, TIGHT, Saying

SETTLED = (Status.FROZEN, Status.UNLOCKED)
WORDS = ("text", "value", "slot", "polarity", "qualifiers", "subject", "kind")
NOTHING_SAID = Saying("")


def bounded(hermes: Hermes, user_id: str) -> None:
    """Law B."""
    state = hermes.state(user_id)
    broken = caps_broken(state, TIGHT, deep=True)
    assert not broken, f"B: {broken}"
    limits = TIGHT.bounded
    pools = {status: [i for i in state if i.status is status] for status in Status}
    hot = [*pools[Status.CANDIDATE], *pools[Status.CONFIRMED], *pools[Status.STALE]]
    assert len(hot) <= limits.hot_cap, "B: hot"
    assert len(pools[Status.FROZEN]) <= limits.frozen_limit, "B: frozen"
    assert not pools[Status.UNLOCKED] and not pools[Status.FORGOTTEN], "B: a pool that nothing counts"
    assert len(pools[Status.ARCHIVED]) <= limits.archive_cap, "B: archive"
    assert sum(i.kind in ("event", "state") for i in hot) <= limits.short_term_cap, "B: short term"
    for item in state:
        assert hermes._engine.counter.count(item.text) == item.tokens, "B: tokens are not the text's"
        assert item.tokens <= limits.item_tokens, f"B: {item.text}"
        assert len(item.evidence) <= limits.evidence_cap, "B: evidence"
        assert len(item.held) <= limits.held_cap, "B: held"


def within_budget(hermes: Hermes, text: str, tokens: int, budget: int) -> None:
    """Law B: what is said to the model, counted on the final text."""
    assert hermes._engine.counter.count(text) == tokens <= budget, f"B: context of {tokens} in {budget}"


def frozen_words_stand(
    before: Sequence[MemoryItem], hermes: Hermes, user_id: str, fresh: Sequence[Change], turns: Mapping[str, Turn]
) -> None:
    """Law F: what was frozen has the same words, or left by a calm explicit correction, a command, or time."""
    state = hermes.state(user_id)
    for old in before:
        new = state.get(old.id)
        if new is not None:
            assert all(getattr(new, w) == getattr(old, w) for w in WORDS), f"F: the words of {old.id} changed"
        elif not any(c.item_id == old.id for c in fresh):
            raise AssertionError(f"F: {old.text} is gone without a word")
    for change in fresh:
        if change.before not in SETTLED:
            continue
        if change.event is Event.UNLOCKED:
            assert _by_the_user(change, turns), f"F: unlocked by {change.cause} {change.reason}"
        elif change.status not in SETTLED and change.before is Status.FROZEN:
            assert _may_leave(change), f"F: {change.event} by {change.cause.by} ({change.reason}) took a frozen item"


def _by_the_user(change: Change, turns: Mapping[str, Turn]) -> bool:
    if change.cause.by == "command":
        return True
    turn = turns.get(change.cause.turn_id or "")
    return change.cause.by == "turn" and turn is not None and _said(turn.text).may_correct


def _may_leave(change: Change) -> bool:
    if change.event is Event.WEATHERED:
        return change.cause.by in ("time", "rollback") or change.reason == Reason.IDLE
    if change.event is Event.STALED:  # doubt that has gathered: it is asked again, its words stand
        return change.cause.by == "command" or change.reason in (Reason.HELD_OFTEN, Reason.REJECTED_OFTEN)
    commanded = {Event.FORGOTTEN: "command", Event.RESTORED: "rollback", Event.WITHDRAWN: "rollback"}
    return change.cause.by == commanded.get(change.event)


def _said(text: str) -> Saying:
    return BY_TEXT.get(text, NOTHING_SAID)


def _stood_in(cited: Evidence, turns: Mapping[str, Turn]) -> Saying:
    """What was really said in the turn that is cited."""
    turn = turns.get(cited.turn_id)
    return _said(turn.text) if turn is not None else NOTHING_SAID


def settles_by_right(changes: Sequence[Change], fresh: Sequence[Change], turns: Mapping[str, Turn]) -> None:
    """Laws F and C: what freezes was said calmly, and often enough or of vital weight."""
    liked = {c.item_id for c in changes if c.event is Event.LIKED}  # the user's command ends a suspicion
    for change in fresh:
        item = change.after
        if change.event is not Event.FROZE or item is None:
            continue
        own = [_stood_in(e, turns) for e in item.evidence]
        assert any(s.calm and s.get("basis") != "implied" for s in own) or change.cause.by == "command", f"F: {item}"
        assert item.id in liked or not any(s.suspicious for s in own), f"F: {item.text} is nobody's to settle"
        enough = item.confirmations >= TIGHT.freeze.min_confirmations or item.slot == "allergy"
        assert enough or change.reason in (Reason.CORRECTED_BY_USER, Reason.APPROVED), f"F: {item.text} too early"


def counted_once(fresh: Sequence[Change], images: Mapping[str, MemoryItem], turns: Mapping[str, Turn]) -> None:
    """Law C, counted anew from what was said: what each change may add to, or take from, an item's confirmations."""
    known = dict(images)
    for change in fresh:
        item, was = change.after, known.get(change.item_id or "")
        if item is None or change.status is Status.FORGOTTEN:
            known.pop(change.item_id if change.event is not Event.REFUSED else "", None)  # type: ignore[arg-type]
            continue
        known[item.id] = item
        expected = _confirmations(change, item, was, turns)
        assert abs(item.confirmations - expected) < 1e-9, (
            f"C: {change.event} made {item.confirmations:g} confirmations of {item.text!r}, not {expected:g}: {change}"
        )


def _confirmations(change: Change, item: MemoryItem, was: MemoryItem | None, turns: Mapping[str, Turn]) -> float:
    if change.event is Event.RESTORED:
        return item.confirmations
    if was is None:
        return 1.0 if is_conclusion(item) else _worth(item.evidence, turns)
    if change.event in (Event.CONFIRMED, Event.RECONFIRMED) and change.cause.by == "turn":
        turn = turns[change.cause.turn_id or ""]
        assert turn.role == "user" and turn.session_id == change.cause.session_id, f"C: confirmed by {turn}"
        new_session = turn.session_id not in {e.session_id for e in was.evidence}
        assert new_session or change.event is Event.RECONFIRMED, f"C: {turn.session_id} counted twice"
        full = len({e.session_id for e in was.evidence}) >= TIGHT.bounded.evidence_cap
        return was.confirmations + (_said(turn.text).worth if new_session and not full else 0.0)
    assert change.event is not Event.CONFIRMED, f"C: confirmed by {change.cause}"
    gain = {Event.LIKED: 1.0, Event.REJECTED: -1.0, Event.CONTRADICTED: -1.0}.get(change.event, 0.0)
    return max(0.0, was.confirmations + gain)


def _worth(evidence: Iterable[Evidence], turns: Mapping[str, Turn]) -> float:
    """Each session once, by its best statement; a command's own words count like a calm statement."""
    best: dict[str, float] = {}
    for e in evidence:
        worth = 0.5 if e.basis == "implied" else _stood_in(e, turns).worth
        best[e.session_id] = max(best.get(e.session_id, 0.0), worth)
    return sum(best.values())


def grounded(hermes: Hermes, user_id: str, turns: Mapping[str, Turn]) -> None:
    """Law G: every item cites words that stand in the user's own turn, and those are their words, not a bait."""
    for item in hermes.state(user_id):
        assert item.evidence, f"G: {item.text} cites nothing"
        for cited in (*item.evidence, *(e for h in item.held for e in h.evidence)):
            turn = turns.get(cited.turn_id)
            assert turn is not None, f"G: {item.text} cites an unknown turn"
            assert turn.role in ("user", "command") and turn.session_id == cited.session_id, f"G: {turn}"
            assert cited.quote in turn.text, f"G: {cited.quote!r} is not in {turn.text!r}"
            known = turn.role == "command" or turn.text in BY_TEXT or REDACTED in turn.text  # law E goes before
            assert known, f"C, G: {cited} cites repeated text: {item}"
            assert not _said(turn.text).bait, f"G: {item.text} cites {turn.text!r}"


def owned(hermes: Hermes, user_id: str, shown: str) -> None:
    """Law O: nothing of anybody else."""
    others = [word for user, word in CANARY.items() if user != user_id]
    for item in hermes.state(user_id):
        assert item.user_id == user_id, f"O: {item}"
        assert not any(word in item.model_dump_json() for word in others), f"O: {item.text}"
    assert not any(word in shown for word in others), f"O: {shown}"


def explained(hermes: Hermes, user_id: str, changes: Sequence[Change], fresh: Sequence[Change]) -> None:
    """Law X: every change has cause and a known reason, in order; the trail replays to the stored state."""
    known = set(map(str, Reason))
    stored = {item.id: encode_item(item) for item in hermes.state(user_id)}
    assert [c.seq for c in changes] == sorted({c.seq for c in changes}), "X: the trail's order"
    for change in fresh:
        assert change.user_id == user_id, f"O: {change}"
        assert change.reason in known, f"X: {change.reason!r}"
        assert change.cause.by and change.cause.at, f"X: {change}"
        assert change.cause.by != "turn" or (change.cause.turn_id and change.cause.session_id), f"X: {change}"
        refused = change.event is Event.REFUSED
        assert (change.claim or change.item_id) if refused else change.item_id, f"X: {change}"
        imaged = change.after is not None or change.item_id not in stored  # erased images are gone with their item
        assert refused or imaged, f"X: no image of {change}"
    replayed = {i: encode_item(item) for i, item in replay(changes).items()}
    assert stored == replayed, "X, R: the trail does not lead to the state"


def nothing_dropped(before: Iterable[str], hermes: Hermes, user_id: str, fresh: Sequence[Change]) -> None:
    """Law X: an item that is no longer there left by a change."""
    state = hermes.state(user_id)
    left = {c.item_id for c in fresh if c.status is Status.FORGOTTEN}
    silent = [item_id for item_id in before if item_id not in state and item_id not in left]
    assert not silent, f"X: {silent} left without a change"


def durable(hermes: Hermes, user_id: str, observed: Sequence[str], flushed: bool, turns: Mapping[str, Turn]) -> None:
    """Law D: every acknowledged turn is there, once, and after a flush each has been dealt with."""
    stored = [t.id for t in hermes._engine.ledger.turns(user_id)]
    assert len(stored) == len(turns), "D: a turn is there twice"
    assert set(observed) <= turns.keys(), "D: an acknowledged turn is lost"
    if flushed:
        assert hermes._engine.ledger.pending_count(user_id) == 0, "D: turns wait after a flush"


def accounted(changes: Sequence[Change], user_turns: Sequence[str]) -> None:
    """Law X: every user turn that was dealt with has a decision or a reason."""
    spoken_for = {c.cause.turn_id for c in changes}
    assert set(user_turns) <= spoken_for, f"X: turns without a decision: {sorted(set(user_turns) - spoken_for)[:3]}"


def erased(hermes: Hermes, user_id: str, words: str, seen: list[str]) -> None:
    """Law E: the words are nowhere in what can be read of this user; `seen` is what open and new sessions show."""
    ledger = hermes._engine.ledger
    places: dict[str, list[str]] = {
        "sessions": seen,
        "items": [item.model_dump_json() for item in hermes.memories(user_id)],
        "trail": [change.model_dump_json() for change in hermes.history(user_id)],
        "export": list(hermes.export(user_id)),
        "turns": [turn.text for turn in ledger.turns(user_id)],
        "summaries": [s.model_dump_json() for s in ledger.summaries(user_id)],
        "user model": [json.dumps(hermes.user_model(user_id).model_dump(), ensure_ascii=False, default=str)],
        "explanations": [hermes.explain(user_id, item.id).model_dump_json() for item in hermes.memories(user_id)],
        "the past": [
            item.model_dump_json()
            for version in range(0, hermes.state(user_id).version + 1, 7)
            for item in hermes.as_of(user_id, version)
        ],
    }
    for place, texts in places.items():
        # "series 1" is not in "series 11"
        left = [text for text in texts if re.search(re.escape(words) + r"(?![0-9])", text)]
        assert not left, f"E: {words!r} is still in {place}: {left[0]}"


def stays_erased(hermes: Hermes, user_id: str, forgotten: Mapping[str, datetime]) -> None:
    """Law E: what was said before its words were forgotten can't bring them back."""
    for item in hermes.state(user_id):
        for cited in item.evidence:
            gone_at = forgotten.get(cited.quote)
            assert gone_at is None or cited.said_at > gone_at, f"E: {item.text} came back from {cited}"
