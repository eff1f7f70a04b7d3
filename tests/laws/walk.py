"""The random walk over the public API as a Hypothesis state machine: after every step all laws hold."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hermes_core.conclusions import NOTE
from hermes_core.errors import NotFound, OwnerMismatch
from hermes_core.items import MemoryItem, Status, encode_item
from hermes_core.stores.sql import SqlLedger
from tests.laws import checks
from tests.laws.deeds import World
from tests.laws.scenery import (
    LANGUAGES,
    PLAIN,
    PROGRAMMING,
    QUARRELS,
    SAID,
    SAYINGS,
    STAMPS,
    THIRD,
    TIGHT,
    USERS,
    Saying,
)

SHRINK = bool(os.environ.get("HERMES_SHRINK"))  # shrinking a walk takes minutes: only to look into a failure

users = st.sampled_from(USERS)
sayings = st.sampled_from(SAYINGS)
picks = st.integers(0, 10_000)
budgets = st.none() | st.sampled_from((0, 3, 10, 40, 90, 220, 1000)) | st.integers(0, 300)
how_to_read = st.fixed_dictionaries(
    {
        "budget": budgets,
        "task": st.sampled_from(("", "recommendation", "question_answering")),
        "language": st.sampled_from((None, "en", "zh")),
    }
)
OUTBURST = SAID["Just give me detailed replies, for god's sake!!!"]
PRELUDES = {  # what makes it likely that an item of this status is there
    "candidate": [SAID["Always send the invoices to my broker"]] * 5,  # suspicious: it never gets further by itself
    "guess": [SAID["I'd take a window seat"], SAID["I'd take a window seat"]],
    "confirmed": [SAID["I like tea"]],
    "frozen": [SAID["I'm allergic to peanuts"]],
    "stale": [THIRD[0], THIRD[0], THIRD[1], OUTBURST],
    "archived": [SAID["I live in Paris"], SAID["I live in Munich"]],
}
COMMANDS = ("confirm", "reject", "pin", "unpin", "approve", "decline", "correct", "forget")


def walking(walks: int, steps: int = 60, *, random: bool = False) -> settings:
    """Settings of a walk of so many lives; the same ones each time unless `random`."""
    phases = (Phase.generate, Phase.shrink) if SHRINK else (Phase.generate,)
    return settings(
        max_examples=walks, stateful_step_count=steps, deadline=None, derandomize=not random, database=None,
        suppress_health_check=list(HealthCheck), phases=phases, report_multiple_bugs=False,
    )  # fmt: skip


class Walk(RuleBasedStateMachine):
    """One store, three users. `log` is what was done, as plain data: doing it again must give the same bytes."""

    REACHED: Counter[Any] = Counter()  # (status before, event), and statuses
    TAKEN = Counter[str]()

    def __init__(self) -> None:
        super().__init__()
        self.world = self.new_world()
        self.said = dict.fromkeys(USERS, 0)
        self.session = dict.fromkeys(USERS, 0)
        self.observed: dict[str, list[str]] = {user: [] for user in USERS}
        self.spoken: dict[str, list[str]] = {user: [] for user in USERS}
        self.seen = dict.fromkeys(USERS, 0)
        self.images: dict[str, dict[str, MemoryItem]] = {user: {} for user in USERS}
        self.shown = dict.fromkeys(USERS, "")
        self.gone: dict[str, dict[str, datetime]] = {user: {} for user in USERS}
        self.flushed = True
        self.sound = True  # no law was seen broken: there is something to repeat
        self.log: list[tuple[str, tuple[Any, ...]]] = []

    def new_world(self) -> World:
        return World.in_memory()

    @property
    def hermes(self) -> Any:
        return self.world.hermes

    def do(self, name: str, *given: Any) -> Any:
        self.sound = False
        self.log.append((name, given))
        self.TAKEN["steps"] += 1
        return self.world.do(name, *given)

    @contextmanager
    def only(self, user: str) -> Iterator[None]:
        """Law O: what is done for one user leaves all others as they were."""
        ledger = self.hermes._engine.ledger
        others = [other for other in USERS if other != user]
        before = [(ledger.version(other), len(ledger.turns(other))) for other in others]
        yield
        assert before == [(ledger.version(other), len(ledger.turns(other))) for other in others], "O: others moved"

    def next_turn(self, user: str) -> str:
        self.said[user] += 1
        turn_id = f"{user}-{self.said[user]}"
        self.observed[user].append(turn_id)
        self.flushed = False
        return turn_id

    def here(self, user: str) -> str:
        return f"s{self.session[user]}"

    def pick(self, user: str, pick: int, status: str | None) -> MemoryItem | None:
        items = sorted(self.hermes.state(user), key=lambda item: item.id)
        of_status = [item for item in items if item.status == status]
        chosen = of_status or items
        return chosen[pick % len(chosen)] if chosen else None

    @initialize(again=st.sampled_from(["", "", "", "", "", "", "memory", "memory", "memory", "sqlite"]))
    def begin(self, again: str) -> None:
        self.again = again  # where law R does it all once more
        self.TAKEN["walks"] += 1

    # what is said

    @rule(user=users, saying=sayings)
    def say(self, user: str, saying: Saying) -> None:
        turn_id = self.next_turn(user)
        with self.only(user):
            self.do("say", user, self.here(user), saying.spoken(user), turn_id)
        self.spoken[user].append(turn_id)

    def say_anew(self, user: str, saying: Saying, flush: bool = False, hours: float = 26.0) -> None:
        """In a session of its own, some time after the last."""
        self.session[user] += 1
        self.say(user, saying)
        self.advance(hours)
        if flush:
            self.flush()

    @rule(user=users, saying=st.sampled_from(PLAIN), again=st.integers(2, 5))
    def say_over_weeks(self, user: str, saying: Saying, again: int) -> None:
        """The same in several sessions: what settles."""
        for _ in range(again):
            self.say_anew(user, saying)

    @rule(user=users, saying=sayings, hours=st.sampled_from([1.0, 50.0, 24.0 * 30]))
    def say_late(self, user: str, saying: Saying, hours: float) -> None:
        """A turn that comes in long after it was said."""
        turn_id = self.next_turn(user)
        self.do("say", user, self.here(user), saying.spoken(user), turn_id, hours)
        self.spoken[user].append(turn_id)

    @rule(
        user=users, pair=st.sampled_from(QUARRELS), against=st.integers(1, 4), back=st.booleans(), flush=st.booleans()
    )
    def quarrel(self, user: str, pair: Any, against: int, back: bool, flush: bool) -> None:
        """What has settled, and what is said against it."""
        one, other = pair
        for saying, times in ((one, 3), (other, against), (one, int(back))):
            for _ in range(times):
                self.say_anew(user, saying, flush)

    @rule(user=users, order=st.permutations(THIRD), held=st.booleans())
    def three_values(self, user: str, order: list[Saying], held: bool) -> None:
        """A third value on a slot that is contested already."""
        for saying in (order[0], order[0], order[1], *([OUTBURST] if held else []), order[2]):
            self.say_anew(user, saying, True, 2.0)
        if held:
            self.judge(user, 0, "decline", False)

    @rule(
        user=users, weak=st.sampled_from(QUARRELS[-2:]), name=st.sampled_from(["decline", "pin", "reject", "wait", "-"])
    )
    def doubt_a_guess(self, user: str, weak: Any, name: str) -> None:
        """Something half sure is spoken against, and the user says what to make of it."""
        for saying in weak:
            self.say_anew(user, saying, True, 2.0)
        self.advance({"wait": 24.0 * 61}.get(name, 0.1))
        self.maintain()
        if name in COMMANDS:
            for item in [i for i in self.hermes.state(user) if i.slot == "seat" and i.status is Status.CANDIDATE]:
                self.obey(user, item, name)

    @rule(user=users, like=st.booleans(), behaviour=st.integers(0, 4), pick=picks)
    def conclude(self, user: str, like: bool, behaviour: int, pick: int) -> None:
        """Observations that support a conclusion, the user's own word for it, and one observation more."""
        self.clean_slate(user, pick)
        for saying in LANGUAGES[:2]:
            self.say_anew(user, saying, True, 2.0)
        if like and (drawn := self.pick(user, 0, "candidate")) is not None and drawn.slot == "skills":
            self.obey(user, drawn, "confirm")
        for _ in range(behaviour):
            self.say_anew(user, PROGRAMMING, True, 2.0)
        self.say_anew(user, LANGUAGES[2], True)

    @rule(user=users)
    def flood(self, user: str) -> None:
        """More than there is room for, each better than the last."""
        for saying in STAMPS:
            self.say(user, saying)

    @rule(user=users, saying=sayings)
    def answer(self, user: str, saying: Saying) -> None:
        """An assistant that says it: no evidence (law C)."""
        self.do("answer", user, self.here(user), saying.spoken(user), self.next_turn(user))

    @rule(user=users, tail=st.sampled_from(["", "\n\nwhat does that mean?"]))
    def parrot(self, user: str, tail: str) -> None:
        """The user pastes what the model was shown: recalled text is no evidence (law C)."""
        if self.shown[user]:
            turn_id = self.next_turn(user)
            self.do("say", user, self.here(user), self.shown[user] + tail, turn_id)
            self.spoken[user].append(turn_id)

    @precondition(lambda self: any(self.spoken.values()))
    @rule(user=users, pick=picks)
    def replay_turn(self, user: str, pick: int) -> None:
        if not self.spoken[user]:
            return
        turn_id = self.spoken[user][pick % len(self.spoken[user])]
        before = [c for c in self.hermes.history(user) if c.cause.turn_id == turn_id]
        self.do("replay_turn", user, turn_id)
        if self.flushed:
            self.do("flush")
            after = [c for c in self.hermes.history(user) if c.cause.turn_id == turn_id]
            assert after == before, "D: a replayed turn had an effect"

    # time and upkeep

    @rule(user=users)
    def new_session(self, user: str) -> None:
        self.session[user] += 1

    @rule(user=users)
    def end_session(self, user: str) -> None:
        self.do("end_session", user, self.here(user))

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
        versions = [self.hermes.state(user).version for user in USERS]
        assert self.do("maintain") == 0, "maintain is not idempotent"
        assert [self.hermes.state(user).version for user in USERS] == versions, "maintain is not idempotent"

    @rule()
    def reopen(self) -> None:
        self.do("reopen")
        self.flushed = self.flushed or self.world.folder is None

    # reads

    @rule(user=users, saying=sayings, how=how_to_read)
    def read(self, user: str, saying: Saying, how: dict[str, Any]) -> None:
        block = self.do("read", user, self.here(user), saying.spoken(user), how)
        budget = TIGHT.context.total_tokens if how["budget"] is None else how["budget"]
        checks.within_budget(self.hermes, block.text, block.tokens, budget)
        assert all(item.user_id == user for item in block.items), "O: another's item in the context"
        self.shown[user] = block.text

    @rule(user=users, saying=sayings, k=st.integers(1, 5))
    def recall(self, user: str, saying: Saying, k: int) -> None:
        hits = self.do("recall", user, self.here(user), saying.spoken(user), k)
        assert len(hits) <= k and all(hit.item.user_id == user for hit in hits), "B, O: recall"

    @rule(user=users, other=users, pick=picks)
    def trespass(self, user: str, other: str, pick: int) -> None:
        """Another's item can be neither read nor touched (law O)."""
        item = self.pick(user, pick, None)
        if item is None or user == other:
            return
        for name in ("get", "explain", *(c for c in COMMANDS if c != "unpin")):
            with self.only(user), pytest.raises((OwnerMismatch, NotFound)):
                getattr(self.hermes, name)(other, item.id, *(["mine now"] if name == "correct" else []))
        assert self.hermes.history(other, item.id) == [], "O: another's history"

    # the user's commands

    @rule(user=users, pick=picks, name=st.sampled_from(COMMANDS), status=st.none() | st.sampled_from(list(Status)))
    def command(self, user: str, pick: int, name: str, status: str | None) -> None:
        item = self.pick(user, pick, status)
        if item is not None:
            self.obey(user, item, name)

    @rule(user=users, pick=picks, name=st.sampled_from(["approve", "decline"]), cold=st.booleans())
    def judge(self, user: str, pick: int, name: str, cold: bool) -> None:
        """What is held against something, also against what has gone cold since."""
        items = [i for i in self.hermes.state(user) if i.held and (i.status is Status.ARCHIVED) is cold]
        if items:
            self.obey(user, sorted(items, key=lambda i: i.id)[pick % len(items)], name)

    def obey(self, user: str, item: MemoryItem, name: str) -> None:
        with self.only(user):
            if name == "forget":
                self.erase(user, {"item_id": item.id}, [item])
            else:
                self.do("command", user, item.id, name, f"I say that {item.value} it is, number {self.said[user]}")

    @rule(
        user=users,
        status=st.sampled_from(sorted(PRELUDES)),
        names=st.lists(st.sampled_from(COMMANDS[:-1]), min_size=1, max_size=4),
        pick=picks,
        undo=st.integers(0, 4),
        how=how_to_read,
    )
    def give_orders(self, user: str, status: str, names: list[str], pick: int, undo: int, how: dict[str, Any]) -> None:
        """Several commands on one item that stands in a certain way, and then perhaps as if nothing had been."""
        self.clean_slate(user, pick)
        for saying in PRELUDES[status]:
            self.say_anew(user, saying, True, 2.0)
        self.session[user] += 1
        self.read(user, PRELUDES[status][0], how)
        self.flush()
        for name in names:
            self.command(user, pick, name, status)
        if undo:
            self.rollback(user, undo - 1, True)

    @rule(user=users, status=st.sampled_from(sorted(PRELUDES)), how=how_to_read)
    def all_orders(self, user: str, status: str, how: dict[str, Any]) -> None:
        """With room for it, each command in turn on what stands in one way; then each is taken back."""
        self.clean_slate(user, 1)
        for saying in PRELUDES[status]:
            self.say_anew(user, saying, True, 2.0)
        self.session[user] += 1
        self.read(user, PRELUDES[status][0], {**how, "budget": 1000})
        self.flush()
        for name in ("pin", "unpin", "confirm", "reject"):
            self.command(user, 0, name, status)
        for back in range(1, 4):
            self.rollback(user, back, True)

    @rule(user=users, pick=picks, status=st.sampled_from(["candidate", "confirmed", "stale", "frozen"]))
    def let_lie(self, user: str, pick: int, status: str) -> None:
        """Rejected, and never spoken of again."""
        self.command(user, pick, "reject", status)
        self.advance(24.0 * 61)
        self.maintain()
        self.advance(24.0 * 200)
        self.maintain()

    def clean_slate(self, user: str, pick: int) -> None:
        """Half of the time all that is known is taken back first, so that there is room."""
        if pick % 2 and self.hermes.state(user).live:
            self.do("rollback", user, 0)

    @rule(user=users, against=st.sampled_from(["I live in Munich", "-"]), pick=picks)
    def outlive(self, user: str, against: str, pick: int) -> None:
        """What was said against something settled, and never again."""
        self.clean_slate(user, pick)
        for text in ("I live in Paris", "I live in Paris", "I live in Paris", against):
            if text in SAID:
                self.say_anew(user, SAID[text], True, 2.0)
        self.advance(24.0 * 61)
        self.maintain()

    @rule(user=users, name=st.sampled_from(["approve", "decline"]))
    def regret(self, user: str, name: str) -> None:
        """What was held against something counts for nothing once it has given way."""
        for saying in (THIRD[0], THIRD[0], THIRD[0], OUTBURST, QUARRELS[1][1]):
            self.say_anew(user, saying, True, 2.0)
        self.judge(user, 0, name, True)

    @rule(user=users, undo=st.integers(0, 2))
    def crowd_out(self, user: str, undo: int) -> None:
        """A guess goes for want of room, and comes back when that is undone."""
        self.say_anew(user, QUARRELS[-1][0], True, 2.0)
        self.flood(user)
        self.flush()
        self.rollback(user, undo, True)

    @rule(user=users, pick=picks)
    def reject_thrice(self, user: str, pick: int) -> None:
        for _ in range(3):
            self.command(user, pick, "reject", None)

    @rule(user=users, pick=picks, way=st.sampled_from(["slot", "session_id", "query", "everything"]))
    def forget(self, user: str, pick: int, way: str) -> None:
        item = self.pick(user, pick, None)
        if item is None:
            return
        given = {"slot": item.slot, "session_id": min(item.sessions), "query": item.text, "everything": True}[way]
        matching = {"slot": lambda i: i.slot == item.slot, "session_id": lambda i: given in i.sessions}
        items = [i for i in self.hermes.state(user) if matching.get(way, lambda i: way == "everything")(i)]
        with self.only(user):
            self.erase(user, {way: given}, items)

    def erase(self, user: str, what: dict[str, Any], items: list[MemoryItem]) -> None:
        gone = set(self.do("forget", user, what))
        assert gone >= {item.id for item in items}, "E: not all of it was forgotten"
        if "everything" in what:
            self.observed[user], self.spoken[user] = [], []
            assert not self.hermes._engine.ledger.turns(user) and not self.hermes.memories(user), "E: not everything"
        for item in items[:2]:
            seen = self.do("peek", user, [self.here(user), "fresh"], item.text)
            checks.erased(self.hermes, user, item.text, seen)
        said = [item for item in items if not item.note.startswith(NOTE)]
        for cited in (cited for item in said for cited in item.evidence):
            self.gone[user][cited.quote] = self.world.clock.now()
        self.shown[user] = ""

    @precondition(lambda self: self.flushed)
    @rule(user=users, pick=picks, near=st.booleans())
    def rollback(self, user: str, pick: int, near: bool) -> None:
        version = self.hermes.state(user).version
        target = max(0, version - pick % 4) if near else pick % (version + 1)
        with self.only(user):
            self.do("rollback", user, target)

    # laws

    @invariant()
    def laws(self) -> None:
        hermes = self.hermes
        for user in USERS:
            turns = {turn.id: turn for turn in hermes._engine.ledger.turns(user)}
            checks.durable(hermes, user, self.observed[user], self.flushed, turns)
            if hermes.state(user).version == self.seen[user]:
                continue
            changes = hermes.history(user)
            fresh = [c for c in changes if c.version > self.seen[user]]
            self.check(user, changes, fresh, turns)
            self.seen[user] = hermes.state(user).version
            self.images[user] = {item.id: item for item in hermes.state(user)}
            for change in fresh:
                self.REACHED[change.before, change.event] += 1
                if change.status is not None:
                    self.REACHED[change.status] += 1
        self.sound = True

    def check(self, user: str, changes: Any, fresh: Any, turns: Any) -> None:
        hermes, before = self.hermes, self.images[user]
        checks.bounded(hermes, user)
        frozen = [item for item in before.values() if item.status is Status.FROZEN]
        checks.frozen_words_stand(frozen, hermes, user, fresh, turns)
        checks.settles_by_right(changes, fresh, turns)
        checks.counted_once(fresh, before, turns)
        checks.grounded(hermes, user, turns)
        checks.owned(hermes, user, self.shown[user])
        checks.explained(hermes, user, changes, fresh)
        checks.nothing_dropped(before, hermes, user, fresh)
        checks.stays_erased(hermes, user, self.gone[user])
        if self.flushed:
            checks.accounted(changes, self.spoken[user])

    def teardown(self) -> None:
        if self.sound and self.again == "memory":
            self.same_again(World.in_memory())
        if self.sound and self.again == "sqlite":
            with TemporaryDirectory() as folder:
                self.same_again(World(ledger=SqlLedger.open(Path(folder) / "again.db")))
        self.hermes.close()

    def same_again(self, again: World) -> None:
        """Law R: the same deeds on another store, even of another sort, give the same bytes."""
        for name, given in self.log:
            again.do(name, *given)
        for user in USERS:
            first = sorted(encode_item(item) for item in self.hermes.state(user))
            second = sorted(encode_item(item) for item in again.hermes.state(user))
            assert first == second, "R: the same deeds led elsewhere"
        self.TAKEN["replayed"] += 1
        again.hermes.close()
