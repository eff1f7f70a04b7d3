"""Which of a user's turns can be quoted later (R4): their search data, made once, when they are ingested.

No turn becomes a memory here; what may be quoted to whom is decided when it is read.
"""

from __future__ import annotations

from collections.abc import Sequence

from hermes_core.config import Config
from hermes_core.fencing import looks_like_instruction
from hermes_core.items import Sensitivity, Turn
from hermes_core.ports import Dismissal, StoredTurn
from hermes_core.reasons import Reason
from hermes_core.shell.engine import Engine
from hermes_core.user_state import UserState

SEARCHED_CHARS = 2000  # of a turn that are embedded and cut into words: the cost is linear in the length (L3)
_PASTED = frozenset({Reason.PASTED_TEXT, Reason.RECALLED_TEXT})
_NEVER = frozenset({Reason.SUSPICIOUS, Reason.FORGOTTEN_BY_USER, Reason.SECRET, Reason.FORGET_WISH})
_LONG = 600  # characters; a longer turn with anything pasted in it is taken for pasted


def quotable(
    engine: Engine, turns: Sequence[Turn], dismissed: Sequence[Dismissal], config: Config
) -> tuple[StoredTurn, ...]:
    """Search data of the turns that hold the user's own words and no orders to a model (P1)."""
    own = [turn for turn in turns if _own_words(turn, dismissed) and not looks_like_instruction(turn.text)]
    if not config.context.excerpt_turns or not own:
        return ()
    data = engine.search_data([turn.text[:SEARCHED_CHARS] for turn in own])
    return tuple(StoredTurn(turn, vector, terms) for turn, (vector, terms) in zip(own, data, strict=True))


def _own_words(turn: Turn, dismissed: Sequence[Dismissal]) -> bool:
    """Whether most of the turn is the user's own: an aside taken for a paste ("[photo]") doesn't spoil it."""
    of_turn = [d for d in dismissed if d.turn_id == turn.id]
    pasted = sum(len(d.words) for d in of_turn if d.reason in _PASTED)
    most = 0 if len(turn.text) > _LONG else len(turn.text) / 2
    return pasted <= most and not any(d.reason in _NEVER for d in of_turn)


def with_privacy(said: Sequence[StoredTurn], state: UserState) -> tuple[StoredTurn, ...]:
    """The same, with those marked private that gave an item which not everybody may see; none behind a suspicious one."""
    cited = [(e.turn_id, item) for item in state.live.values() for e in item.evidence]
    suspicious = {turn_id for turn_id, item in cited if item.suspicious}
    private = {turn_id for turn_id, item in cited if item.visible_to or item.sensitivity is Sensitivity.SENSITIVE}
    return tuple(one._replace(private=one.turn.id in private) for one in said if one.turn.id not in suspicious)
