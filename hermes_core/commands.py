"""The user's commands as pure rules: they win over every rule but the caps (C4, C5, C6, F7).

Erasing bytes, tombstones and trails is the shell's work; this only says which items change and how.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from hermes_core.admission import from_override, supersede, take_over, with_evidence
from hermes_core.changes import WORDS, Cause, Change, Event
from hermes_core.config import Config
from hermes_core.draft import Draft
from hermes_core.errors import InvalidInput, NotFound, OwnerMismatch
from hermes_core.gates.bounded import caps_broken
from hermes_core.items import HeldOverride, MemoryItem, Status
from hermes_core.likeness import dimension, normal, qualifier_set
from hermes_core.maintain import hits
from hermes_core.reasons import Reason
from hermes_core.settle import AWAKE, make_fit, settle
from hermes_core.user_state import UserState

__all__ = [
    "approve",
    "caps_broken",
    "confirm",
    "correct",
    "decline",
    "forget",
    "hits",
    "pin",
    "reject",
    "rollback",
]


def _find(state: UserState, item_id: str) -> MemoryItem:
    item = state.get(item_id)
    if item is None:
        raise NotFound(f"user {state.user_id!r} has no memory {item_id!r}")
    return item


def _awake(draft: Draft, item: MemoryItem) -> MemoryItem:
    """Archived items come back before a command is carried out on them."""
    if item.status is not Status.ARCHIVED:
        return item
    return draft.step(item, Event.WOKEN, Reason.COMMANDED, superseded_by=None, **AWAKE)


def confirm(state: UserState, item_id: str, cause: Cause, config: Config) -> tuple[Change, ...]:
    """C5: the user says that it is right: one confirmation, and whatever doubt there was is over. NotFound."""
    draft = Draft(state, cause, config)
    item = _awake(draft, _find(state, item_id))
    rivals = [i for i in state.live.values() if i.contested_by == item_id or i.id == item.contested_by]
    for rival in sorted(rivals, key=lambda i: i.id):  # F8: the user has decided
        supersede(draft, rival, item_id, Reason.COMMANDED)
    if item.status is Status.STALE:
        item = draft.step(
            item, Event.RECONFIRMED, Reason.COMMANDED, contested_by=None, observed_until=None, held=(), rejections=0
        )
    item = draft.step(
        item,
        Event.LIKED,
        Reason.COMMANDED,
        confidence=max(
            item.confidence + config.freeze.confirmation_gain * (1.0 - item.confidence), config.screen.explicit_start
        ),
        confirmations=item.confirmations + 1.0,
        confirmed_at=max(item.confirmed_at, cause.at),
        rejections=0,
        observed_until=None,
        suspicious=False,
    )
    if item.status is Status.CANDIDATE:
        draft.step(item, Event.PROMOTED, Reason.COMMANDED)
    settle(draft, keep=frozenset({item_id}))
    return draft.changes


def reject(state: UserState, item_id: str, cause: Cause, config: Config) -> tuple[Change, ...]:
    """C5: the user says that it is wrong: it is no longer recalled as a fact, and waits for re-confirmation. NotFound."""
    draft = Draft(state, cause, config)
    item = _find(state, item_id)
    if item.status is Status.ARCHIVED:
        draft.step(item, Event.NOTED, Reason.COMMANDED, archived_because="rejected")
        return draft.changes
    item = draft.step(
        item,
        Event.REJECTED,
        Reason.COMMANDED,
        rejections=item.rejections + 1,
        confirmations=max(0.0, item.confirmations - 1.0),
    )
    if item.status not in (Status.STALE, Status.UNLOCKED):
        draft.step(item, Event.STALED, Reason.COMMANDED, frozen_at=None)
    settle(draft)
    return draft.changes


def pin(state: UserState, item_id: str, cause: Cause, config: Config, *, pinned: bool = True) -> tuple[Change, ...]:
    """C5: a pinned item neither fades, weathers nor leaves. NotFound."""
    draft = Draft(state, cause, config)
    item = _find(state, item_id)
    if pinned:
        item = _awake(draft, item)
    draft.step(item, Event.PINNED if pinned else Event.UNPINNED, Reason.COMMANDED, pinned=pinned)
    settle(draft, keep=frozenset({item_id}) if pinned else frozenset())
    return draft.changes


def correct(state: UserState, item_id: str, new_item: MemoryItem, cause: Cause, config: Config) -> tuple[Change, ...]:
    """C5, F7: the user's own words take the item's place, frozen again if it was. NotFound, InvalidInput, OwnerMismatch."""
    old = _find(state, item_id)
    _check_new(state, new_item, config)
    draft = Draft(state, cause, config)
    if _says_nothing_else(old, new_item):
        return confirm(state, item_id, cause, config)
    _replace(draft, old, new_item, Reason.CORRECTED_BY_USER)
    return draft.changes


def _says_nothing_else(old: MemoryItem, new: MemoryItem) -> bool:
    return all(getattr(old, name) == getattr(new, name) for name in WORDS if name != "id")


def approve(
    state: UserState, item_id: str, override_index: int, new_id: str, tokens: int, cause: Cause, config: Config
) -> tuple[Change, ...]:
    """F5, F7: a held override takes its holder's place; `tokens` counts its text. NotFound, InvalidInput."""
    old = _find(state, item_id)
    override = _override(old, override_index)
    new = from_override(old, override, new_id, tokens, cause, config)
    _check_new(state, new, config)
    draft = Draft(state, cause, config)
    _replace(draft, old, new, Reason.APPROVED)
    return draft.changes


def decline(state: UserState, item_id: str, override_index: int, cause: Cause, config: Config) -> tuple[Change, ...]:
    """F5: the user says that a held override is wrong; it is dropped. NotFound."""
    item = _find(state, item_id)
    override = _override(item, override_index)
    draft = Draft(state, cause, config)
    kept = tuple(h for h in item.held if h is not override)
    if item.status is Status.FROZEN:  # opened for review, nothing to change, closed again (F7)
        draft.step(item, Event.UNLOCKED, Reason.COMMANDED)
        draft.step(item, Event.RELEASED, Reason.COMMANDED, held=kept)
        draft.step(item, Event.REFROZEN, Reason.COMMANDED)
    else:
        draft.step(item, Event.RELEASED, Reason.COMMANDED, held=kept)
    return draft.changes


def _override(item: MemoryItem, index: int) -> HeldOverride:
    if not 0 <= index < len(item.held):
        raise NotFound(f"memory {item.id!r} holds {len(item.held)} override(s), none at {index}")
    return item.held[index]


def _check_new(state: UserState, new: MemoryItem, config: Config) -> None:
    if new.user_id != state.user_id:
        raise OwnerMismatch(f"an item of user {new.user_id!r} was given for {state.user_id!r}")
    if new.id in state:
        raise InvalidInput(f"there is already a memory {new.id!r}; give the correction an id of its own")
    if not new.text.strip():
        raise InvalidInput("a correction needs words; to remove a memory, forget it")
    if new.tokens > config.bounded.item_tokens:
        raise InvalidInput(f"the text has {new.tokens} tokens, a memory at most {config.bounded.item_tokens}")


def _replace(draft: Draft, old: MemoryItem, new: MemoryItem, reason: Reason) -> None:
    new = msgspec.structs.replace(new, status=Status.CANDIDATE)
    twins = [i for i in draft.state.live.values() if i.id != old.id and _saying(i) == _saying(new)]
    replaced = [*([] if old.status is Status.ARCHIVED else [old]), *sorted(twins, key=lambda i: i.id)]
    new = with_evidence(new, [e for twin in twins for e in twin.evidence], draft.config)
    admitted = take_over(draft, new, replaced, reason) if replaced else draft.admit(new, reason)
    if admitted.status is Status.CANDIDATE:
        draft.step(admitted, Event.PROMOTED, reason)
    settle(draft, keep=frozenset({new.id}))


def _saying(item: MemoryItem) -> tuple[object, ...]:
    slot, polarity = dimension(item.slot, item.polarity)
    return normal(item.subject), item.kind, slot, polarity, normal(item.value), qualifier_set(item.qualifiers)


# ---- forgetting
def forget(state: UserState, item_ids: str | Iterable[str], cause: Cause, config: Config) -> tuple[Change, ...]:
    """C6, law E: the items, what says the same of the same, what was derived from them, and every link to them. NotFound."""
    chosen = {item_ids} if isinstance(item_ids, str) else set(item_ids)
    for item_id in chosen:
        _find(state, item_id)
    draft = Draft(state, cause, config)
    gone = _with_derived(state, chosen)
    for item_id in sorted(gone):
        draft.step(item_id, Event.FORGOTTEN, Reason.COMMANDED if item_id in chosen else Reason.BASIS_GONE)
    for item in sorted(draft.state, key=lambda i: i.id):
        _cut_links(draft, item, gone, state)
    settle(draft)
    return draft.changes


def _with_derived(state: UserState, chosen: set[str]) -> frozenset[str]:
    items = list(state)
    sayings = {_topic(item) for item in items if item.id in chosen}
    gone = {item.id for item in items if item.id in chosen or _topic(item) in sayings}
    while more := {i.id for i in items if i.id not in gone and gone & set(i.derived_from)}:
        gone |= more
    return frozenset(gone)


def _topic(item: MemoryItem) -> tuple[str, str, str]:
    return normal(item.subject), dimension(item.slot, 1)[0], normal(item.value)


def _cut_links(draft: Draft, item: MemoryItem, gone: frozenset[str], before: UserState) -> None:
    topics = {_topic(before_item) for i in gone if (before_item := before.get(i)) is not None}
    held = tuple(
        h for h in item.held if (normal(item.subject), dimension(item.slot, 1)[0], normal(h.value)) not in topics
    )
    if len(held) < len(item.held):
        item = draft.step(item, Event.RELEASED, Reason.BASIS_GONE, held=held)
    fields: dict[str, Any] = {
        name: tuple(i for i in getattr(item, name) if i not in gone)
        for name in ("supersedes", "complements", "derived_from")
        if gone & set(getattr(item, name))
    }
    fields |= {name: None for name in ("superseded_by", "contested_by") if getattr(item, name) in gone}
    if item.status is Status.STALE and "contested_by" in fields:  # what was said against it is as never said
        draft.step(item, Event.RECONFIRMED, Reason.BASIS_GONE, observed_until=None, **fields)
    elif fields:
        draft.step(item, Event.LINKED, Reason.BASIS_GONE, **fields)


# ---- back to an earlier version
def rollback(
    state: UserState, images: Mapping[str, MemoryItem], cause: Cause, config: Config | None = None
) -> tuple[Change, ...]:
    """C4: the items of `images` as they were; live ones that are not among them are withdrawn. Also fills an empty state.

    What was forgotten stays forgotten: its images are gone from the trail, so they can't be among `images`.
    """
    draft = Draft(state, cause, config or Config())
    reason = Reason.IMPORTED if cause.by == "import" else Reason.ROLLED_BACK
    for item in sorted(state.live.values(), key=lambda i: i.id):
        if item.id not in images:
            draft.step(item, Event.WITHDRAWN, reason, archived_because="withdrawn", frozen_at=None)
    for image in sorted(images.values(), key=lambda i: i.id):
        if image.user_id != state.user_id:
            raise OwnerMismatch(f"an item of user {image.user_id!r} was given for {state.user_id!r}")
        current = state.get(image.id)
        if image.status is not Status.FORGOTTEN and (current is None or not _equal(current, image)):
            draft.restore(image, reason)
    make_fit(draft)
    return draft.changes


def _equal(one: MemoryItem, other: MemoryItem) -> bool:
    return one == msgspec.structs.replace(other, version=one.version)
