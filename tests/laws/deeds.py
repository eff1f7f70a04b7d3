"""What a step of a walk does to a store, as plain functions of plain data: doing them again is how law R is checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from hermes_core.errors import InvalidInput, NotFound
from hermes_core.ports import Ledger
from hermes_core.shell.hermes import Hermes
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.testing import FakeClock
from tests.laws.scenery import USERS, open_world


@dataclass
class World:
    """A store under a clock: on a ledger, or in a folder (then `reopen` really closes and opens it)."""

    ledger: Ledger | None = None
    folder: Path | None = None
    worker: bool = False
    clock: FakeClock = field(default_factory=FakeClock)
    hermes: Hermes = field(init=False)

    def __post_init__(self) -> None:
        self.open()

    @classmethod
    def in_memory(cls, **given: Any) -> World:
        return cls(ledger=InMemoryLedger(), **given)

    def open(self) -> None:
        self.hermes = open_world(self.ledger, folder=self.folder, clock=self.clock, worker=self.worker)

    def do(self, name: str, *given: Any) -> Any:
        return getattr(Deeds, name)(self, *given)


class Deeds:
    """Each takes the world and plain arguments."""

    @staticmethod
    def say(world: World, user: str, session: str, text: str, turn_id: str, hours_ago: float = 0.0) -> None:
        at = world.clock.now() - timedelta(hours=hours_ago)
        world.hermes.session(user, session).observe("user", text, turn_id=turn_id, at=at)

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
    def maintain(world: World, user: str | None = None) -> int:
        return world.hermes.maintain(user)

    @staticmethod
    def read(world: World, user: str, session: str, query: str, how: dict[str, Any]) -> Any:
        return world.hermes.session(user, session, consent=True).context(query, **how)

    @staticmethod
    def recall(world: World, user: str, session: str, query: str, k: int) -> Any:
        return world.hermes.session(user, session).recall(query, k)

    @staticmethod
    def peek(world: World, user: str, sessions: list[str], query: str) -> list[str]:
        """All that the sessions can show; a deed, since a look fixes what the session sees from then on."""
        shown: list[str] = []
        for name in sessions:
            session = world.hermes.session(user, name, consent=True)
            shown += [session.preview(query, budget=2000).text, *(hit.item.text for hit in session.recall(query, 5))]
            shown += [turn.text for turn in (*session.working(), *session.turns())]
            shown += [summary.text] if (summary := session.summary()) is not None else []
        return shown

    @staticmethod
    def command(world: World, user: str, item_id: str, name: str, text: str = "") -> bool:
        """Whether it was carried out: a refusal in words is an answer, and the laws are checked all the same."""
        hermes = world.hermes
        try:
            if name == "correct":
                hermes.correct(user, item_id, text)
            elif name == "unpin":
                hermes.pin(user, item_id, pinned=False)
            else:
                getattr(hermes, name)(user, item_id)
        except (InvalidInput, NotFound):
            return False
        return True

    @staticmethod
    def forget(world: World, user: str, what: dict[str, Any]) -> list[str]:
        return world.hermes.forget(user, **what)

    @staticmethod
    def rollback(world: World, user: str, version: int) -> None:
        world.hermes.rollback(user, version)

    @staticmethod
    def end_session(world: World, user: str, session: str) -> None:
        world.hermes.session(user, session).end()

    @staticmethod
    def reopen(world: World) -> None:
        """For a store in memory: all that the process holds beside the ledger is dropped."""
        engine = world.hermes._engine
        if world.folder is not None:
            world.hermes.close()
            world.open()
            return
        world.hermes.flush()  # uses not yet written are a process's to lose, but not law R's to compare
        for user in USERS:
            engine.cache.forget(user)
