"""Stories for the pure rules: one line per utterance, no store, no model, no clock but the story's own."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from hermes_core.changes import Cause, Change, replay
from hermes_core.commands import caps_broken
from hermes_core.config import Config
from hermes_core.decide import decide
from hermes_core.items import Candidate, Kind, MemoryItem, Sensitivity, Status, Turn
from hermes_core.maintain import hits, maintain
from hermes_core.relate import Claim
from hermes_core.user_state import UserState

START = datetime(2026, 1, 5, 9, tzinfo=timezone.utc)

# slot -> (kind, exclusive, half-life, high impact and timeless)
SLOTS: dict[str, tuple[str, bool, float | None, bool]] = {
    "reply_length": ("preference", True, 30.0, False),
    "reading_language": ("preference", True, 30.0, False),
    "new_tools": ("preference", True, 30.0, False),
    "code_style": ("preference", False, 30.0, False),
    "drink.likes": ("preference", False, 30.0, False),
    "food.likes": ("preference", False, 30.0, False),
    "music.likes": ("preference", False, 30.0, False),
    "residence": ("identity", True, None, False),
    "employer": ("fact", True, 180.0, False),
    "pet": ("fact", False, 180.0, False),
    "allergy": ("constraint", False, None, True),
    "budget": ("constraint", True, None, False),
    "name": ("identity", True, None, False),
    "spouse": ("relation", True, None, False),
    "colleague": ("relation", False, None, False),
    "trip": ("event", False, 30.0, False),
    "focus": ("state", True, 3.0, False),
    "mood": ("state", True, 3.0, False),
    "activity": ("state", False, 3.0, False),
}


class Story:
    """A user's life: `says` in a session on a day, `day` moves the calendar, the rest looks at what became of it."""

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or Config()
        self.state = UserState("user")
        self.trail: list[Change] = []
        self.now = START
        self._turns = 0
        self._session = "s1"

    # what happens
    def day(self, number: float, *, maintain: bool = True) -> Story:
        """Move to `number` days after the start; time does its work unless told otherwise."""
        self.now = START + timedelta(days=number)
        if maintain:
            self.maintain()
        return self

    def session(self, name: str) -> Story:
        self._session = name
        return self

    def says(self, slot: str, value: str, **how: object) -> tuple[Change, ...]:
        """One claim. `how`: anything of Candidate or Claim, plus session=, turn=, at= (days after the start)."""
        return self.take(self.claim(slot, value, **how))

    def claim(self, slot: str, value: str, **how: object) -> Claim:
        kind, exclusive, half_life, vital = SLOTS.get(slot, ("fact", False, 180.0, False))
        self._turns += 1
        at = how.pop("at", None)
        turn = Turn(
            id=str(how.pop("turn", f"t{self._turns}")),
            user_id="user",
            session_id=str(how.pop("session", self._session)),
            role=str(how.pop("role", "user")),
            text="…",
            said_at=self.now if at is None else START + timedelta(days=float(at)),  # type: ignore[arg-type]
            seq=self._turns,
        )
        item_id = str(how.pop("item_id", f"i{self._turns:04d}"))
        facts: dict[str, object] = {
            "tokens": 8,
            "language": "en",
            "kind": Kind(how.get("kind", kind)),
            "exclusive": exclusive,
            "half_life_days": half_life,
            "high_impact": vital,
            "timeless": vital,
            "sensitivity": Sensitivity.NORMAL,
            "visible_to": (),
            "suspicious": False,
            "salience": 0.8,
            "similar": {},
            "forgotten": False,
            "opposite": (),
        }
        for name in tuple(how):
            if name in facts and name != "kind":
                facts[name] = how.pop(name)
        said = {
            "kind": kind,
            "slot": slot,
            "value": value,
            "text": f"{slot}: {value}",
            "quote": f"… {value} …",
            "turn_id": turn.id,
            **how,
        }
        return Claim(candidate=Candidate(**said), turn=turn, item_id=item_id, **facts)  # type: ignore[arg-type]

    def take(self, claim: Claim) -> tuple[Change, ...]:
        changes = decide(self.state, claim, self.config)
        assert changes, "law X: a decision says something"
        return self.apply(changes)

    def maintain(self) -> tuple[Change, ...]:
        return self.apply(maintain(self.state, self.now, self.config))

    def hit(self, *item_ids: str) -> tuple[Change, ...]:
        return self.apply(hits(self.state, item_ids, self.now, self.config))

    def apply(self, changes: tuple[Change, ...]) -> tuple[Change, ...]:
        """Apply, and check laws B, R and X on the way."""
        self.trail += changes
        self.state = self.state.apply(changes)
        deep = len(self.state.archive) < 50 or len(self.trail) % 50 == 0  # looking at every archived item is slow
        assert caps_broken(self.state, self.config, deep=deep) == []
        return changes

    def cause(self, command: str) -> Cause:
        return Cause(by="command", at=self.now, command=command)

    # what one sees
    def live(self, slot: str | None = None) -> list[MemoryItem]:
        return [i for i in self.state.live.values() if slot is None or i.slot == slot]

    def one(self, slot: str) -> MemoryItem:
        (item,) = self.live(slot)
        return item

    def item(self, slot: str, value: str, polarity: int = 1) -> MemoryItem:
        found = [i for i in self.state if (i.slot, i.value, i.polarity) == (slot, value, polarity)]
        assert len(found) == 1, f"{len(found)} items for {slot}={value}: {found}"
        return found[0]

    def status(self, slot: str, value: str, polarity: int = 1) -> Status:
        return self.item(slot, value, polarity).status

    def current(self, slot: str) -> list[str]:
        """What is recalled as a fact of this slot (negative values with a minus)."""
        shown = [i for i in self.live(slot) if i.status is not Status.STALE and i.observed_until is None]
        return sorted(("-" if i.polarity < 0 else "") + i.value for i in shown)

    def replayed(self) -> bool:
        """Law R: the trail alone leads to the same items."""
        return replay(self.trail) == {i.id: i for i in self.state}

    def fill(self, count: int, **how: object) -> None:
        """`count` plain facts of different slots, in one session each."""
        for n in range(count):
            self.says(f"filler.{len(self.trail)}.{n}", f"thing {n}", session=f"fill{n}", **how)


@pytest.fixture
def story() -> Story:
    return Story()


@pytest.fixture
def Stories() -> type[Story]:
    return Story
