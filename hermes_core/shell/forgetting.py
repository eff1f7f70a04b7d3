"""Forgetting (C6, law E): what goes, what is blotted out beside it, and what keeps old turns from bringing it back.

Here it is decided and handed to the ledger and the index, which leave no byte of it. No rule of memory lives here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hermes_core import commands
from hermes_core.changes import Cause
from hermes_core.conclusions import NOTE
from hermes_core.errors import InvalidInput, VersionConflict
from hermes_core.items import Basis, Evidence, MemoryItem, Status, Turn
from hermes_core.ports import Redaction, Tombstone
from hermes_core.recall import recall
from hermes_core.shell.engine import COMMIT_TRIES, Engine
from hermes_core.shell.session import query_of
from hermes_core.shell.traces import EVERYTHING, id_trace, traces, turn_traces
from hermes_core.shell.workspace import Workspace
from hermes_core.stores.redact import Redactor
from hermes_core.user_state import UserState


@dataclass(frozen=True)
class Wish:
    """What a user wants forgotten; exactly one field is set."""

    item_id: str | None = None
    query: str | None = None
    slot: str | None = None
    session_id: str | None = None
    everything: bool = False


def forget(engine: Engine, user_id: str, wish: Wish) -> list[str]:
    """Erase what is wished and what was drawn from it, everywhere; the ids of the items that are gone.

    A lost race decides again on the new state. Raises NotFound, InvalidInput, StoreError, or TimedOut when another
    process that publishes the index does not erase it there.
    """
    for lost in range(COMMIT_TRIES):
        try:
            with engine.turn_taking(user_id):
                gone = _erase(engine, user_id, wish)
        except VersionConflict:
            engine.reader.drop(user_id)
            engine.step_back(lost)
            continue
        engine.forget_snapshots(user_id)
        if engine.publisher is not None and gone:
            engine.publisher.erase(gone)
        return gone
    raise VersionConflict(f"user {user_id!r} changed {COMMIT_TRIES} times while one forget was decided; try again")


def _erase(engine: Engine, user_id: str, wish: Wish) -> list[str]:
    at = engine.clock.now()
    work = engine.workspace(user_id)
    before = work.state
    chosen = _chosen(engine, work, wish)
    if not chosen and not wish.everything and wish.session_id is None:
        return []
    work.apply(commands.forget(work.state, chosen, Cause(by="command", at=at, command="forget"), work.config))
    gone = [item for i in _forgotten_ids(work) if (item := before.get(i)) is not None]
    cited = engine.ledger.turns(user_id, turn_ids=[e.turn_id for item in gone for e in _own_words(item)])
    words = _words(gone, work.state)
    redaction = Redaction(
        commit=work.commit(),
        item_ids=tuple(dict.fromkeys([*(item.id for item in gone), *_earlier(engine, before, words)])),
        turn_ids=tuple(t.id for t in cited),
        words=words,
        whole_user=wish.everything,
        session_id=wish.session_id,
    )
    work.tombstones = _tombstones(engine, gone, cited, _blotted(engine, redaction), wish, at)
    engine.ledger.erase(replace(redaction, commit=work.commit()))
    return [item.id for item in gone]


def _chosen(engine: Engine, work: Workspace, wish: Wish) -> list[str]:
    state = work.state
    if wish.item_id is not None:
        return [wish.item_id]
    if wish.everything:
        return [item.id for item in state]
    if wish.slot is not None:
        return [item.id for item in state if item.slot == wish.slot]
    if wish.session_id is not None:
        return [item.id for item in state if wish.session_id in item.sessions]
    view = engine.reader.view(state.user_id)
    asked = query_of(engine, wish.query or "", view.table)
    if asked is None:
        raise InvalidInput("query is empty; say what to forget")
    hits = recall(view.state, view.table, asked, engine.clock.now(), work.config, consent=True, view=view.prepared)
    return [hit.item.id for hit in hits if hit.relevance >= work.config.similarity.wake and hit.item.id in state]


def _blotted(engine: Engine, redaction: Redaction) -> list[Turn]:
    """The turns that lose words or go as a whole, whether an item came of them or not."""
    turns = engine.ledger.turns(redaction.commit.user_id)
    redactor = Redactor(redaction)
    return [t for t in turns if redaction.whole_user or redactor.turn(t) is not t]


def _earlier(engine: Engine, state: UserState, words: Sequence[str]) -> list[str]:
    """Items of the trail that are gone from the state already and said what is now forgotten: their images go too."""
    wanted = [word.casefold() for word in words]

    def says(item: MemoryItem) -> bool:
        own = "\n".join([item.text, item.value, *(e.quote for e in item.evidence)]).casefold()
        return any(word in own for word in wanted)

    trail = engine.ledger.changes(state.user_id)
    return [c.item_id for c in trail if c.item_id and c.after is not None and c.item_id not in state and says(c.after)]


def _forgotten_ids(work: Workspace) -> list[str]:
    return [c.item_id for c in work.changes if c.status is Status.FORGOTTEN and c.item_id]


def _tombstones(
    engine: Engine, gone: Sequence[MemoryItem], cited: Sequence[Turn], blotted: Sequence[Turn], wish: Wish, at: datetime
) -> list[Tombstone]:
    """Digests by which an old turn is known again: of claims, wordings and turns; of ids of turns."""
    said = {t.id: t.text for t in cited}
    known: set[tuple[str, ...]] = {
        parts
        for item in gone
        for text in [said[e.turn_id] for e in _own_words(item) if e.turn_id in said] or [""]
        for parts in traces(item, text)
    }
    for turn in blotted:
        known |= {turn_traces(turn)[0], id_trace(turn.id)}
    if wish.everything:
        known.add(EVERYTHING)
    elif wish.session_id is not None:
        known.add(("session", wish.session_id))
    return [Tombstone(digest, at) for digest in sorted(engine.digest(*parts) for parts in known)]


def _own_words(item: MemoryItem) -> tuple[Evidence, ...]:
    """What was said for the item itself; a conclusion borrows the words of its observations."""
    borrowed = item.note.startswith(NOTE)  # also after the user took it over in words
    return tuple(e for e in item.evidence if not (borrowed and e.basis is Basis.IMPLIED))


def _telling(evidence: Evidence) -> tuple[str, ...]:
    """The words that would give it away elsewhere: of an answer the question, since a "yes" stands everywhere."""
    return (evidence.asked,) if evidence.asked else (evidence.quote,)


def _words(gone: Sequence[MemoryItem], kept: Iterable[MemoryItem]) -> tuple[str, ...]:
    """Everything by which the forgotten could be read somewhere else; not what another item says for itself (law G)."""
    words = {w for item in gone for e in item.evidence for w in _telling(e)}
    words |= {
        part for item in gone for h in item.held for part in (h.text, *(w for e in h.evidence for w in _telling(e)))
    }
    words -= {w for item in kept for w in (item.text, *(w for e in _own_words(item) for w in _telling(e)))}
    words |= {
        w for item in gone for w in (item.text, item.note, *(w for e in _own_words(item) for w in _telling(e))) if w
    }
    words |= {item.value for item in gone if len(item.value) > 2}
    return tuple(sorted(words, key=lambda w: (-len(w), w)))
