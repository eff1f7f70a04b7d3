"""Random walks over the whole public API: after every step all laws hold, and together the walks go everywhere."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from hermes_core.changes import TRANSITIONS, Event
from hermes_core.errors import InvalidInput, NotFound
from hermes_core.items import MemoryItem, Status, encode_item
from hermes_core.stores.in_memory import InMemoryLedger
from tests.laws import checks
from tests.laws.scenery import QUARRELS, SAYINGS, STAMPS, TIGHT, USERS, World, open_world

NIGHTLY = bool(os.environ.get("HERMES_NIGHTLY"))
WALKS = int(os.environ.get("HERMES_WALKS", "4000" if NIGHTLY else "400"))
STEPS = 60

users = st.sampled_from(USERS)
sayings = st.sampled_from(SAYINGS)
picks = st.integers(0, 10_000)

REACHED: Counter[Any] = Counter()
TAKEN = Counter[str]()


class Walk(RuleBasedStateMachine):
    """One store, two users. `self.log` is what was done, as plain data: doing it again must give the same bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.world: World = open_world(InMemoryLedger())
        self.number = dict.fromkeys(USERS, 0)
        self.session = dict.fromkeys(USERS, 0)
        self.observed: dict[str, list[str]] = {user: [] for user in USERS}
        self.spoken: dict[str, list[str]] = {user: [] for user in USERS}
        self.seen = dict.fromkeys(USERS, 0)
        self.settled: dict[str, list[MemoryItem]] = {user: [] for user in USERS}
        self.shown = dict.fromkeys(USERS, "")
        self.flushed = True
        self.log: list[tuple[str, tuple[Any, ...]]] = []

    def do(self, name: str, *given: Any) -> Any:
        self.log.append((name, given))
        TAKEN["steps"] += 1
        return getattr(Deeds, name)(self.world, *given)

    # steps

    @initialize()
    def begin(self) -> None:
        TAKEN["walks"] += 1

    @rule(user=users, saying=sayings)
    def say(self, user: str, saying: Any) -> None:
        self.number[user] += 1
        turn_id = f"{user}-{self.number[user]}"
        self.do("say", user, f"s{self.session[user]}", saying.spoken(user), turn_id)
        self.observed[user].append(turn_id)
        self.spoken[user].append(turn_id)
        self.flushed = False

    @rule(user=users, saying=sayings, again=st.integers(2, 4))
    def say_over_weeks(self, user: str, saying: Any, again: int) -> None:
        """The same in several sessions: what settles."""
        for _ in range(again):
            self.session[user] += 1
            self.say(user, saying)
            self.advance(26.0)

    @rule(
        user=users, pair=st.sampled_from(QUARRELS), against=st.integers(1, 4), back=st.booleans(), flush=st.booleans()
    )
    def quarrel(self, user: str, pair: Any, against: int, back: bool, flush: bool) -> None:
        """What has settled, and what is said against it."""
        one, other = pair
        for saying, times in ((one, 3), (other, against), (one, int(back))):
            for _ in range(times):
                self.session[user] += 1
                self.say(user, saying)
                self.advance(26.0)
                if flush:
                    self.flush()

    @rule(user=users)
    def flood(self, user: str) -> None:
        """More than there is room for, each better than the last."""
        for saying in STAMPS:
            self.say(user, saying)

    @rule(user=users, saying=sayings)
    def answer(self, user: str, saying: Any) -> None:
        """An assistant that says it: no evidence (law C)."""
        self.number[user] += 1
        turn_id = f"{user}-{self.number[user]}"
        self.do("answer", user, f"s{self.session[user]}", saying.spoken(user), turn_id)
        self.observed[user].append(turn_id)
        self.flushed = False

    @precondition(lambda self: any(self.spoken.values()))
    @rule(user=users, pick=picks)
    def replay_turn(self, user: str, pick: int) -> None:
        if not self.spoken[user]:
            return
        turn_id = self.spoken[user][pick % len(self.spoken[user])]
        before = [c for c in self.world.hermes.history(user) if c.cause.turn_id == turn_id]
        self.do("replay_turn", user, turn_id)
        if self.flushed:
            self.do("flush")
            after = [c for c in self.world.hermes.history(user) if c.cause.turn_id == turn_id]
            assert after == before, "D: a replayed turn had an effect"

    @rule(user=users)
    def new_session(self, user: str) -> None:
        self.session[user] += 1

    @rule(hours=st.sampled_from([0.1, 2.0, 26.0, 24.0 * 4, 24.0 * 20, 24.0 * 61, 24.0 * 200]))
    def advance(self, hours: float) -> None:
        self.do("advance", hours)

    @rule()
    def flush(self) -> None:
        self.do("flush")
        self.flushed = True

    @rule()
    def maintain(self) -> None:
        self.do("maintain")
        for user in USERS:
            version = self.world.hermes.state(user).version
            self.do("maintain")
            assert self.world.hermes.state(user).version == version, "maintain is not idempotent"

    @rule(user=users, saying=sayings, budget=st.sampled_from([0, 10, 40, 90, 220]))
    def read(self, user: str, saying: Any, budget: int) -> None:
        block = self.do("read", user, f"s{self.session[user]}", saying.spoken(user), budget)
        assert block.tokens <= budget and self.world.hermes._engine.counter.count(block.text) == block.tokens, (
            "B: context"
        )
        self.shown[user] = block.text

    @rule(
        user=users,
        pick=picks,
        name=st.sampled_from(["confirm", "reject", "pin", "unpin", "approve", "decline", "correct", "forget"]),
    )
    def command(self, user: str, pick: int, name: str) -> None:
        items = sorted(self.world.hermes.state(user), key=lambda item: item.id)
        if not items:
            return
        if name in ("approve", "decline"):
            items = [item for item in items if item.held] or items
        item = items[pick % len(items)]
        self.do("command", user, item.id, name, f"I say that {item.value} it is, number {self.number[user]}")
        if name == "forget":
            checks.erased(self.world.hermes, user, item.text)

    @rule(user=users, pick=picks)
    def reject_thrice(self, user: str, pick: int) -> None:
        for _ in range(3):
            self.command(user, pick, "reject")

    @precondition(lambda self: self.flushed)
    @rule(user=users, pick=picks)
    def rollback(self, user: str, pick: int) -> None:
        version = self.world.hermes.state(user).version
        self.do("rollback", user, pick % (version + 1))

    @rule()
    def reopen(self) -> None:
        self.do("reopen")

    # laws

    @invariant()
    def laws(self) -> None:
        hermes = self.world.hermes
        for user in USERS:
            changes = hermes.history(user)
            fresh = [c for c in changes if c.seq > self.seen[user]]
            checks.durable(hermes, user, self.observed[user], self.flushed)
            if not fresh:
                continue
            checks.bounded(hermes, user)
            checks.frozen_words_stand(self.settled[user], hermes, user, fresh)
            checks.counted_once(changes)
            checks.grounded(hermes, user)
            checks.owned(hermes, user, self.shown[user])
            checks.explained(hermes, user, changes)
            if self.flushed:
                checks.accounted(changes, self.spoken[user])
            self.seen[user] = changes[-1].seq
            self.settled[user] = list(hermes.state(user).frozen)
            for change in fresh:
                REACHED[change.before, change.event] += 1
                if change.status is not None:
                    REACHED[change.status] += 1

    def teardown(self) -> None:
        again = open_world(InMemoryLedger())
        for name, given in self.log:
            getattr(Deeds, name)(again, *given)
        for user in USERS:
            first = sorted(encode_item(item) for item in self.world.hermes.state(user))
            second = sorted(encode_item(item) for item in again.hermes.state(user))
            assert first == second, "R: the same deeds led elsewhere"
        again.hermes.close()
        self.world.hermes.close()


class Deeds:
    """What a step does to a world: also how law R does it again."""

    @staticmethod
    def say(world: World, user: str, session: str, text: str, turn_id: str) -> None:
        world.hermes.session(user, session).observe("user", text, turn_id=turn_id)

    @staticmethod
    def answer(world: World, user: str, session: str, text: str, turn_id: str) -> None:
        world.hermes.session(user, session).observe("assistant", text, turn_id=turn_id)

    @staticmethod
    def replay_turn(world: World, user: str, turn_id: str) -> None:
        turn = next(t for t in world.hermes._engine.ledger.turns(user) if t.id == turn_id)
        world.hermes.session(user, turn.session_id).observe(
            turn.role, turn.text or "gone", at=turn.said_at, turn_id=turn.id
        )

    @staticmethod
    def advance(world: World, hours: float) -> None:
        world.clock.advance(hours=hours)

    @staticmethod
    def flush(world: World) -> None:
        world.hermes.flush()

    @staticmethod
    def maintain(world: World) -> None:
        world.hermes.maintain()

    @staticmethod
    def read(world: World, user: str, session: str, query: str, budget: int) -> Any:
        return world.hermes.session(user, session).context(query, budget=budget)

    @staticmethod
    def command(world: World, user: str, item_id: str, name: str, text: str) -> None:
        hermes = world.hermes
        try:
            if name == "correct":
                hermes.correct(user, item_id, text)
            elif name == "unpin":
                hermes.pin(user, item_id, pinned=False)
            else:
                getattr(hermes, name)(user, item_id)
        except (InvalidInput, NotFound):
            pass  # a refusal in words is an answer; the laws are checked all the same

    @staticmethod
    def rollback(world: World, user: str, version: int) -> None:
        world.hermes.rollback(user, version)

    @staticmethod
    def reopen(world: World) -> None:
        world.hermes.session(USERS[0], "s0").end()
        world.hermes._engine.reader.drop(USERS[0])
        world.hermes._engine.reader.drop(USERS[1])


walking = settings(
    max_examples=WALKS, stateful_step_count=STEPS, deadline=None, derandomize=not NIGHTLY, database=None,
    suppress_health_check=list(HealthCheck), phases=(Phase.generate,),
)  # fmt: skip


@pytest.mark.slow
def test_the_laws_hold_on_every_walk_and_the_walks_go_everywhere() -> None:
    REACHED.clear()
    TAKEN.clear()
    run_state_machine_as_test(Walk, settings=walking)
    assert TAKEN["steps"] >= 20_000, TAKEN
    unreached = [status for status in Status if status not in REACHED]
    assert not unreached, f"statuses that no walk reached: {unreached}"
    edges = [edge for edge in TRANSITIONS if edge not in REACHED]
    assert not edges, f"transitions that no walk took: {[(str(a), str(b)) for a, b in edges]}"


def test_the_tight_bounds_are_tighter_than_what_can_be_said() -> None:
    assert len(SAYINGS) > TIGHT.bounded.hot_cap + TIGHT.bounded.frozen_limit
    assert Event.REFUSED not in {event for _, event in TRANSITIONS}
