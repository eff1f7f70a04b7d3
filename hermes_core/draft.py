"""A decision in the making: the state so far and the changes that led there. Rules write into a draft, and only through
`changes.step`; what leaves the rules is its tuple of changes. No rule may live here.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from hermes_core.changes import Cause, Change, Event, refusal, step
from hermes_core.config import Config
from hermes_core.items import MemoryItem, Status
from hermes_core.user_state import UserState


class Draft:
    """One decision about one user, made at `now` (the cause's moment)."""

    def __init__(self, state: UserState, cause: Cause, config: Config) -> None:
        self.state = state
        self.cause = cause
        self.config = config
        self._changes: list[Change] = []

    @property
    def now(self) -> datetime:
        return self.cause.at

    @property
    def changes(self) -> tuple[Change, ...]:
        return tuple(self._changes)

    def item(self, item_id: str) -> MemoryItem:
        found = self.state.get(item_id)
        if found is None:
            raise KeyError(item_id)
        return found

    def step(
        self,
        item: MemoryItem | str,
        event: Event,
        reason: str,
        *,
        to: Status | None = None,
        detail: str = "",
        **fields: Any,
    ) -> MemoryItem:
        """Take the current image of `item` through `event`; the new image."""
        before = self.item(item if isinstance(item, str) else item.id)
        change = step(before, event, reason=reason, cause=self.cause, to=to, detail=detail, **fields)
        return self._add(change)

    def admit(self, new: MemoryItem, reason: str, detail: str = "") -> MemoryItem:
        """The first image of an item, as a candidate."""
        return self._add(step(None, Event.ADMITTED, reason=reason, cause=self.cause, new=new, detail=detail))

    def restore(self, image: MemoryItem, reason: str) -> MemoryItem:
        """C4: bring back an image, whatever the item is now."""
        before = self.state.get(image.id)
        return self._add(step(before, Event.RESTORED, reason=reason, cause=self.cause, new=image, to=image.status))

    def refuse(self, reason: str, claim: str, *, item_id: str | None = None, detail: str = "") -> None:
        """A claim that became no item (law X)."""
        self._changes.append(
            refusal(self.state.user_id, reason=reason, cause=self.cause, claim=claim, item_id=item_id, detail=detail)
        )

    def _add(self, change: Change) -> MemoryItem:
        assert change.after is not None
        self._changes.append(change)
        self.state = self.state.apply((change,))
        return change.after
