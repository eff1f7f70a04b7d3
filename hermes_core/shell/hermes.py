"""The door: one object per store, safe from any thread and from inside a running event loop (C1).

Its arguments are checked by shell/guard; it asks the engine, and returns values. No rule of memory lives here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from hermes_core import answers
from hermes_core.changes import Change
from hermes_core.checks import aware
from hermes_core.config import Config
from hermes_core.errors import InvalidInput, NotFound, OwnerMismatch
from hermes_core.exporting import export_lines
from hermes_core.items import Kind, MemoryItem, Status
from hermes_core.ports import Clock, Embedder, Extractor, Index, Ledger, Summarizer, TokenCounter
from hermes_core.shell import mending, orders, past
from hermes_core.shell.doctor import examine
from hermes_core.shell.engine import Engine
from hermes_core.shell.forgetting import Wish, forget
from hermes_core.shell.guard import guarded
from hermes_core.shell.importing import import_lines
from hermes_core.shell.opening import config_source, open_engine
from hermes_core.shell.session import Session
from hermes_core.shell.worker import Keeper, Worker, drain, maintain_user, worker_name
from hermes_core.user_model import UserModel, draw
from hermes_core.user_state import UserState
from hermes_core.views import Checkup, Diagnosis, Explanation, Finding, Stats

if TYPE_CHECKING:
    from hermes_core.catalogue import Catalogue

log = logging.getLogger("hermes")


@guarded
class Hermes:
    """A store of memories, open. Make one with `Hermes.open`, share it, close it at the end (or use `with`)."""

    def __init__(self, engine: Engine, *, worker: bool = True) -> None:
        self._engine = engine
        self._worker: Worker | Keeper = Worker(engine) if worker else Keeper(engine)
        self._worker.start()

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        ledger: str | Path | Ledger | None = None,
        chroma: str | Path | Index | bool | None = None,
        config: Config | str | Path | Callable[[str], Config] | None = None,
        extractor: Extractor | None = None,
        embedder: Embedder | Callable[[list[str]], Any] | None = None,
        summarizer: Summarizer | None = None,
        token_counter: TokenCounter | Callable[[str], int] | None = None,
        clock: Clock | None = None,
        worker: bool = True,
        catalogue: Catalogue | None = None,
        rewrite: Callable[[str], Sequence[str]] | None = None,
        cipher: Any = None,
    ) -> Hermes:
        """Open (or create) the store in the folder `path`: `ledger.db` and `chroma/` (S1). No network, no download.

        `ledger` is a database URL or a Ledger; `chroma` a folder, "http(s)://host:port", an Index, or False for none;
        `config` a Config, a TOML file, or a function of the user id (C11); `worker=False` leaves ingestion to `flush`.
        `cipher` seals what is sensitive (C8): a key, a list of keys (the first seals), a function that gives them, or a
        Cipher; the variable HERMES_KEY unless given.
        Raises InvalidInput, StoreError, StoreDamaged, SchemaMismatch or EmbedderMismatch; nothing is changed then.
        """
        engine = open_engine(
            path,
            ledger=ledger,
            chroma=chroma,
            config=config,
            extractor=extractor,
            embedder=embedder,
            summarizer=summarizer,
            token_counter=token_counter,
            clock=clock,
            catalogue=catalogue,
            rewrite=rewrite,
            cipher=cipher,
        )
        return cls(engine, worker=worker)

    def __enter__(self) -> Hermes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Hermes({self._engine.place!r}{', closed' if self._engine.closed else ''})"

    def __copy__(self) -> Hermes:
        return self

    def __deepcopy__(self, memo: object) -> Hermes:
        """A store is shared, never copied: whatever holds it may be copied."""
        return self

    def __reduce__(self) -> str:
        raise TypeError("an open store can't be pickled; open it in the other process by the same path or URL")

    # conversation

    def session(self, user_id: str, session_id: str, *, agent: str | None = None, consent: bool = False) -> Session:
        """A conversation of this user; cheap to make, the same ids mean the same conversation."""
        self._engine.require_open()
        return Session(self._engine, user_id, session_id, agent=agent, consent=consent)

    def flush(self, user_id: str | None = None, timeout: float = 30.0) -> None:
        """Wait until every observed turn is remembered or refused and the index is up to date; TimedOut otherwise."""
        self._engine.require_open()
        drain(self._engine, user_id, timeout, worker_name())

    async def aflush(self, user_id: str | None = None, timeout: float = 30.0) -> None:
        """`flush`, off the event loop."""
        await asyncio.to_thread(self.flush, user_id, timeout)

    # what is remembered

    def users(self) -> list[str]:
        """Every user that has said something."""
        self._engine.require_open()
        return self._engine.ledger.users()

    def memories(
        self, user_id: str, status: str | Status | None = None, kind: str | Kind | None = None
    ) -> list[MemoryItem]:
        """The user's items, live ones first, archived ones included; `status` and `kind` filter. InvalidInput on others."""
        return [item for item in self.state(user_id) if status in (None, item.status) and kind in (None, item.kind)]

    def state(self, user_id: str) -> UserState:
        """The user's items as one immutable value, at the present version."""
        self._engine.require_open()
        return self._engine.reader.view(user_id).state

    def get(self, user_id: str, item_id: str) -> MemoryItem:
        """One item. NotFound when this user has none of that id; OwnerMismatch when it is another user's (C12)."""
        item = self.state(user_id).get(item_id)
        if item is None:
            raise self._missing(user_id, item_id)
        return item

    def _missing(self, user_id: str, item_id: str) -> Exception:
        owner = self._engine.ledger.owner_of(item_id)
        if owner is not None and owner != user_id:
            log.warning("owner mismatch: item %s was asked for by %r, who does not own it", item_id, user_id)
            self._engine.meter.count("hermes.owner_mismatch")
            return OwnerMismatch(f"item {item_id!r} does not belong to user {user_id!r}")
        return NotFound(f"user {user_id!r} has no memory {item_id!r}; memories({user_id!r}) lists them")

    def user_model(self, user_id: str) -> UserModel:
        """The read-only profile drawn from the user's items (U1-U4)."""
        state = self.state(user_id)
        return draw(state, self._engine.clock.now(), self._engine.configs.of(user_id), self._engine.catalogue)

    # why

    def explain(self, user_id: str, item_id: str, language: str = "en") -> Explanation:
        """The user's own words, sessions and decisions behind an item (C2)."""
        item = self.get(user_id, item_id)
        turns = self._engine.ledger.turns(user_id, turn_ids=[e.turn_id for e in item.evidence])
        return answers.explain(item, self.history(user_id, item_id), turns, language)

    def diagnose(self, user_id: str, statement: str, language: str = "en") -> Diagnosis:
        """The stage that lost a statement which should have been remembered (C3)."""
        self._engine.require_open()
        return orders.diagnose(
            self._engine,
            user_id,
            statement,
            language,
        )

    def history(self, user_id: str, item_id: str | None = None, *, limit: int | None = None) -> list[Change]:
        """The trail, oldest first: every change and refusal with cause, rule, before and after (law X)."""
        self._engine.require_open()
        return self._engine.ledger.changes(user_id, item_id, limit=limit)

    def audit(
        self, user_id: str, complete: Callable[[list[dict[str, str]]], str] | None = None, language: str = "en"
    ) -> tuple[Finding, ...]:
        """Contradictions and oddities in the frozen pool, by rule and by any chat model (C7)."""
        self._engine.require_open()
        return orders.audit(self._engine, user_id, complete, language)

    def stats(self, user_id: str | None = None, language: str = "en") -> Stats:
        """Sizes, caps, warnings and rates (C10)."""
        self._engine.require_open()
        return orders.stats(self._engine, user_id, language)

    def panel(self, user_id: str, language: str = "en") -> Any:
        """The panel as a notebook widget: look, correct, approve, forget (C1). InvalidInput without the extra `panel`."""
        self._engine.require_open()
        return import_module("hermes_core.panel").widget(self, user_id, language=language)

    # the user's commands win over every rule (C5)

    def correct(self, user_id: str, item_id: str, text: str) -> MemoryItem:
        """Replace an item by what the user now says; the old one stays in the history. The new item."""
        return orders.correct(self._engine, self.get(user_id, item_id), text)

    def confirm(self, user_id: str, item_id: str) -> MemoryItem:
        """The user says that it is right (a like)."""
        return orders.command(self._engine, self.get(user_id, item_id), "confirm")

    def reject(self, user_id: str, item_id: str) -> MemoryItem:
        """The user says that it is not, or no longer, right; three rejections in a row make it stale (F16)."""
        return orders.command(self._engine, self.get(user_id, item_id), "reject")

    def pin(self, user_id: str, item_id: str, pinned: bool = True) -> MemoryItem:
        """Keep an item from eviction, sealing and weathering, or release it."""
        return orders.command(self._engine, self.get(user_id, item_id), "pin" if pinned else "unpin")

    def approve(self, user_id: str, item_id: str, override: int = 0) -> MemoryItem:
        """Let a held override replace the item that holds it; the new item."""
        return orders.approve(self._engine, self.get(user_id, item_id), override)

    def decline(self, user_id: str, item_id: str, override: int = 0) -> MemoryItem:
        """Drop a held override: the item stands, and what was said against it is let go."""
        return orders.decline(self._engine, self.get(user_id, item_id), override)

    def forget(
        self,
        user_id: str,
        item_id: str | None = None,
        *,
        query: str | None = None,
        slot: str | None = None,
        session_id: str | None = None,
        everything: bool = False,
    ) -> list[str]:
        """Erase (C6): an item, what is strongly about a query, a slot, a session, or the whole user. The ids of what is gone.

        Gone from recall, derived items, trail contents, turns, summaries, snapshots, index and bytes on disk; old
        turns can't bring it back, a new statement can. InvalidInput unless exactly one of the five is given.
        """
        self._engine.require_open()
        chosen = [
            name
            for name, given in (
                ("item_id", item_id),
                ("query", query),
                ("slot", slot),
                ("session_id", session_id),
                ("everything", everything or None),
            )
            if given is not None
        ]
        if len(chosen) != 1:
            raise InvalidInput(
                "say what to forget by exactly one of item_id, query=, slot=, session_id=, everything=True"
            )
        if item_id is not None:
            self.get(user_id, item_id)
        wish = Wish(item_id=item_id, query=query, slot=slot, session_id=session_id, everything=everything)
        return forget(self._engine, user_id, wish)

    # time travel

    def as_of(self, user_id: str, version_or_time: int | datetime) -> UserState:
        """The user's items as they were at a version or moment (C4); what was forgotten since stays forgotten."""
        self._engine.require_open()
        return past.as_of(self._engine, user_id, self._version(user_id, version_or_time))

    def rollback(self, user_id: str, version: int | datetime) -> int:
        """Restore the items of that version as a new version (C4); what was forgotten stays forgotten. The new version."""
        self._engine.require_open()
        return mending.rollback(self._engine, user_id, self._version(user_id, version))

    def _version(self, user_id: str, wanted: int | datetime) -> int:
        if isinstance(wanted, datetime):
            moment = aware(wanted, self._engine.configs.of(user_id).timezone)
            return self._engine.ledger.version_at(user_id, moment)
        latest = self._engine.ledger.version(user_id)
        if not 0 <= wanted <= latest:
            raise NotFound(f"user {user_id!r} has versions 0 to {latest}, not {wanted!r}")
        return wanted

    # upkeep

    def maintain(self, user_id: str | None = None) -> int:
        """What time alone changes: weathering, sealing, staling, promotion. Idempotent; the number of changes."""
        self._engine.require_open()
        users = self.users() if user_id is None else [user_id]
        now = self._engine.clock.now()
        return sum(maintain_user(self._engine, user, now) for user in users)

    def rebuild(self) -> int:
        """Publish the index anew from the ledger (G3, C13); the number of records."""
        self._engine.require_open()
        return mending.rebuild(self._engine)

    def doctor(self, repair: bool = False) -> Checkup:
        """Whether the store keeps its laws: ledger, index, leases, turns set aside, and each user's bounds, trail and
        citations (C12). `repair` mends what the ledger can rebuild, and the report says what was done."""
        self._engine.require_open()
        return examine(self._engine, repair)

    def reseal(self) -> int:
        """C8: seal every row anew with the first key, after a rotation or when a store gets its first key; the number of rows.

        Afterwards the old key can go. InvalidInput when the store has no key, or no ledger that seals.
        """
        self._engine.require_open()
        return mending.reseal(self._engine)

    def configure(self, config: Config | str | Path | Callable[[str], Config]) -> None:
        """C11: use another configuration from now on, without closing the store; the forms are those of `open`."""
        self._engine.require_open()
        self._engine.configs.replace(config_source(config))

    def export(self, user_id: str) -> Iterator[str]:
        """Everything about a user as JSON Lines (C9); what was forgotten isn't in it."""
        self._engine.require_open()
        return iter(export_lines(self._engine.ledger, user_id))

    def import_(self, lines: Iterable[str], *, user_id: str | None = None) -> int:
        """Take an export back, into this store or under another user id; the number of items. Bounds hold (law B)."""
        self._engine.require_open()
        return import_lines(self._engine, lines, user_id)

    def close(self) -> None:
        """Stop the worker, publish what waits, close files and connections. Waiting turns stay and go on next time."""
        engine = self._engine
        if engine.closed:
            return
        self._worker.stop()
        engine.closed = True
        mending.close(engine)
