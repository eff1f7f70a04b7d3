"""The laws as questions to ask of a store after every step. Each raises AssertionError with the law's letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hermes_core.changes import Change, Event, replay
from hermes_core.commands import caps_broken
from hermes_core.items import MemoryItem, Status, Turn, encode_item
from hermes_core.reasons import Reason
from hermes_core.shell.hermes import Hermes
from tests.laws.scenery import CANARY, TIGHT

SETTLED = (Status.FROZEN, Status.UNLOCKED)


def bounded(hermes: Hermes, user_id: str) -> None:
    """Law B."""
    state = hermes.state(user_id)
    broken = caps_broken(state, TIGHT)
    assert not broken, f"B: {broken}"
    limits = TIGHT.bounded
    assert len(state.hot) <= limits.hot_cap, "B: hot"
    assert len(state.frozen) <= limits.frozen_limit, "B: frozen"
    assert len(state.archive) <= limits.archive_cap, "B: archive"
    assert len(state.short_term) <= limits.short_term_cap, "B: short term"
    for item in state:
        assert item.tokens <= limits.item_tokens, f"B: {item.text}"
        assert hermes._engine.counter.count(item.text) == item.tokens, "B: tokens are not the text's"
        assert len(item.evidence) <= limits.evidence_cap, "B: evidence"
        assert len(item.held) <= limits.held_cap, "B: held"


def frozen_words_stand(before: Sequence[MemoryItem], hermes: Hermes, user_id: str, fresh: Sequence[Change]) -> None:
    """Law F: what was frozen has the same words, or left by a calm explicit correction, a command, or time."""
    state = hermes.state(user_id)
    for old in before:
        new = state.get(old.id)
        if new is not None:
            words = ("text", "value", "slot", "polarity", "qualifiers", "subject", "kind")
            assert all(getattr(new, w) == getattr(old, w) for w in words), f"F: the words of {old.id} changed"
        mine = [c for c in fresh if c.item_id == old.id]
        for change in mine:
            assert change.event not in (Event.EVICTED, Event.SEALED, Event.DROPPED) or _left_before(mine, change), (
                f"F: {change}"
            )
            if change.event is Event.UNLOCKED:
                assert _calm_correction(change, hermes, user_id), f"F: unlocked by {change.cause} {change.reason}"
        if new is None or new.status is Status.ARCHIVED:
            events = {c.event for c in mine}
            ways = {Event.UNLOCKED, Event.FORGOTTEN, Event.WITHDRAWN, Event.RESTORED, Event.WEATHERED, Event.STALED}
            assert events & ways, f"F: a frozen item left by {events}"


def _left_before(mine: Sequence[Change], change: Change) -> bool:
    """It had stopped being frozen (weathered, staled) earlier in the same step."""
    return any(c.before in SETTLED and c.status not in SETTLED for c in mine[: mine.index(change)])


def _calm_correction(change: Change, hermes: Hermes, user_id: str) -> bool:
    if change.cause.by != "turn":
        return change.cause.by == "command"
    from tests.laws.scenery import BY_TEXT

    turn = next(t for t in hermes._engine.ledger.turns(user_id) if t.id == change.cause.turn_id)
    fields = BY_TEXT[turn.text].fields or {}
    return bool(fields.get("correction")) and fields.get("tone", "calm") == "calm"


def counted_once(changes: Sequence[Change]) -> None:
    """Law C: one confirmation per item and session, only from a user's turn."""
    seen: Counter[tuple[str | None, str | None]] = Counter()
    for change in changes:
        if change.event is Event.CONFIRMED:
            assert change.cause.by == "turn" and change.cause.turn_id, f"C: confirmed by {change.cause}"
            seen[change.item_id, change.cause.session_id] += 1
        if change.event is Event.RESTORED and change.after is not None:  # a rollback takes later confirmations back
            for key in [k for k in seen if k[0] == change.item_id and k[1] not in change.after.sessions]:
                del seen[key]
    twice = [key for key, n in seen.items() if n > 1]
    assert not twice, f"C: counted twice {twice}"


def grounded(hermes: Hermes, user_id: str) -> None:
    """Law G: every item cites words that stand in the user's own turn."""
    turns: dict[str, Turn] = {t.id: t for t in hermes._engine.ledger.turns(user_id)}
    for item in hermes.state(user_id):
        assert item.evidence, f"G: {item.text} cites nothing"
        for cited in item.evidence:
            turn = turns.get(cited.turn_id)
            assert turn is not None, f"G: {item.text} cites an unknown turn"
            assert turn.role in ("user", "command") and turn.session_id == cited.session_id, f"G: {turn}"
            assert cited.quote in turn.text, f"G: {cited.quote!r} is not in {turn.text!r}"


def owned(hermes: Hermes, user_id: str, shown: str) -> None:
    """Law O: nothing of anybody else."""
    others = [word for user, word in CANARY.items() if user != user_id]
    for item in hermes.state(user_id):
        assert item.user_id == user_id, f"O: {item}"
        assert not any(word in item.model_dump_json() for word in others), f"O: {item.text}"
    assert not any(word in shown for word in others), f"O: {shown}"


def explained(hermes: Hermes, user_id: str, changes: Sequence[Change]) -> None:
    """Law X: every change has cause and a known reason, in order; the trail replays to the stored state."""
    known = set(map(str, Reason))
    assert [c.seq for c in changes] == sorted({c.seq for c in changes}), "X: the trail's order"
    for change in changes:
        assert change.reason in known, f"X: {change.reason!r}"
        assert change.cause.by and change.cause.at, f"X: {change}"
        assert change.event is not Event.REFUSED or change.claim or change.item_id, f"X: {change}"
    stored = {item.id: encode_item(item) for item in hermes.state(user_id)}
    replayed = {i: encode_item(item) for i, item in replay(changes).items()}
    assert stored == replayed, "X, R: the trail does not lead to the state"


def durable(hermes: Hermes, user_id: str, observed: Sequence[str], flushed: bool) -> None:
    """Law D: every acknowledged turn is there, once, and after a flush each has been dealt with and accounted for."""
    stored = [t.id for t in hermes._engine.ledger.turns(user_id)]
    assert len(stored) == len(set(stored)), "D: a turn is there twice"
    assert set(observed) <= set(stored), "D: an acknowledged turn is lost"
    if flushed:
        assert hermes._engine.ledger.pending_count(user_id) == 0, "D: turns wait after a flush"


def accounted(changes: Sequence[Change], user_turns: Sequence[str]) -> None:
    """Law X: every user turn that was dealt with has a decision or a reason."""
    spoken_for = {c.cause.turn_id for c in changes}
    assert set(user_turns) <= spoken_for, f"X: turns without a decision: {sorted(set(user_turns) - spoken_for)[:3]}"


def erased(hermes: Hermes, user_id: str, words: str) -> None:
    """Law E: the words are nowhere in what can be read."""
    places = {
        "items": [item.model_dump_json() for item in hermes.state(user_id)],
        "trail": [change.model_dump_json() for change in hermes.history(user_id)],
        "export": list(hermes.export(user_id)),
        "turns": [turn.text for turn in hermes._engine.ledger.turns(user_id)],
        "summaries": [s.model_dump_json() for s in hermes._engine.ledger.summaries(user_id)],
    }
    for place, texts in places.items():
        left = [text for text in texts if words in text]
        assert not left, f"E: {words!r} is still in {place}: {left[0]}"
