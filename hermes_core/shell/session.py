"""One conversation of one user: durable turns in, bounded context out. Reads see one version from first to last (R5)."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import reduce
from types import TracebackType

import msgspec

from hermes_core.checks import aware, clean_text
from hermes_core.config import Config
from hermes_core.context import assemble
from hermes_core.errors import EmbeddingFailed, InvalidInput
from hermes_core.excerpts import Excerpt, recall_excerpts
from hermes_core.items import MemoryItem, Turn
from hermes_core.ports import SearchTable, Summary, Vector
from hermes_core.recall import Query, recall
from hermes_core.shell.cache import Mark, Snapshot
from hermes_core.shell.engine import Engine
from hermes_core.shell.guard import guarded
from hermes_core.shell.past import view_at
from hermes_core.shell.reader import UserView
from hermes_core.stores.redact import REDACTED
from hermes_core.summary import newest, redacted, working
from hermes_core.templates import templates_of
from hermes_core.terms import term_ids
from hermes_core.user_state import UserState
from hermes_core.views import ContextBlock, RecallHit

log = logging.getLogger("hermes")

NOTED_SECONDS = 60.0  # a read is noted on the snapshot at most this often
QUERY_CHARS = 2000  # of a query that are embedded: the cost is linear in the length (L3)


def query_of(engine: Engine, text: str, table: SearchTable) -> Query | None:
    """The query as numbers against one table, merged with the wordings of the host's rewriting hook (R4)."""
    return against(engine, wordings_of(engine, text), table)


def wordings_of(engine: Engine, text: str) -> list[tuple[str, Vector | None]]:
    """The query and the wordings of the host's rewriting hook, each with its vector; none for an empty query.

    A failing embedder never breaks a read: then the words alone decide.
    """
    text = clean_text(text)[:QUERY_CHARS].strip()
    if not text:
        return []
    wordings = [text, *(engine.rewrite(text) if engine.rewrite else ())]
    try:
        return list(zip(wordings, engine.embed(wordings), strict=True))
    except EmbeddingFailed as error:
        log.warning("the query is matched by its words alone: %s", error)
        engine.meter.count("hermes.embed.failed")
        return [(wording, None) for wording in wordings]


def against(engine: Engine, wordings: Sequence[tuple[str, Vector | None]], table: SearchTable) -> Query | None:
    """The wordings as one query against a table; None without any."""
    queries = [
        Query(
            wording,
            vector,
            term_ids(wording),
            None if vector is None else engine.nearness(table, vector),
        )
        for wording, vector in wordings
    ]
    return reduce(Query.merge, queries) if queries else None


@guarded
class Session:
    """Use it as a context manager, or keep it: leaving it only ends its snapshot; turns are durable at once.

    `agent` names the assistant that reads (U5), `consent` allows sensitive items to be recalled (C8).
    """

    def __init__(
        self, engine: Engine, user_id: str, session_id: str, *, agent: str | None = None, consent: bool = False
    ) -> None:
        self._engine = engine
        self.user_id = user_id
        self.session_id = session_id
        self.agent = agent
        self.consent = consent

    def __repr__(self) -> str:
        return f"Session(user_id={self.user_id!r}, session_id={self.session_id!r})"

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def observe(self, role: str, text: str, *, at: datetime | None = None, turn_id: str | None = None) -> Turn:
        """Store one message durably and return at once; what it means is worked out behind the chat (W1, law D).

        `at` (aware, or naive in the configured zone) defaults to now; the same `turn_id` again is the same turn. A clock
        that is a little fast is put right: what is dated ahead of the store's clock was said now, and InvalidInput comes
        beyond `ingest.ahead_hours`, since such a turn would outdate everything that is said until then.
        Raises InvalidInput for a blank or foreign-typed text, an unknown role, a bad time; StoreError when the
        disk or server fails (then nothing was stored).
        """
        engine = self._engine
        engine.require_open()
        config = engine.configs.of(self.user_id)
        turn = Turn(
            id=turn_id if turn_id is not None else uuid.uuid4().hex,
            user_id=self.user_id,
            session_id=self.session_id,
            role=role,
            text=text,
            said_at=_said_at(at, engine.clock.now(), config),
        )
        if (at is not None or turn_id is not None) and engine.is_forgotten_turn(turn):
            turn = msgspec.structs.replace(turn, text=REDACTED)  # law E: an old transcript brings nothing back
        with engine.meter.time("hermes.observe"):
            stored = engine.ledger.add_turn(turn)
        engine.wake.set()
        return stored

    def context(
        self,
        query: str = "",
        *,
        task: str = "",
        language: str | None = None,
        budget: int | None = None,
        consent: bool | None = None,
    ) -> ContextBlock:
        """What the model should know about this user for `query`, within `budget` tokens (R1; default from the config).

        Never calls a model, Chroma or the network (R12); the items shown are noted as used later, off this path.
        """
        engine = self._engine
        with engine.meter.time("hermes.context"):
            block = self._block(query, task, language, budget, consent)
        engine.note_hits(self.user_id, [item.id for item in block.items], engine.clock.now())
        engine.meter.count("hermes.context.tokens", block.tokens)
        return block

    def preview(
        self,
        query: str = "",
        *,
        task: str = "",
        language: str | None = None,
        budget: int | None = None,
        consent: bool | None = None,
    ) -> ContextBlock:
        """What `context` would give, without counting as a use: for people who look, not for a chat."""
        return self._block(query, task, language, budget, consent)

    def _block(
        self, query: str, task: str, language: str | None, budget: int | None, consent: bool | None
    ) -> ContextBlock:
        engine = self._engine
        engine.require_open()
        config = engine.configs.of(self.user_id)
        view, summary, _ = self._snapshot()
        may_see = self._may_see(consent)
        asked = wordings_of(engine, query)
        return assemble(
            view.state,
            view.table,
            against(engine, asked, view.table),
            engine.clock.now(),
            config,
            engine.counter,
            task=task,
            language=language or config.language,
            agent=self.agent,
            consent=may_see,
            budget=budget,
            summary=summary,
            corrections=self._corrections(view),
            excerpts=self._excerpts(view, asked, may_see) if task in config.context.excerpt_tasks else (),
            templates=templates_of(config.context.templates),
            sentence=engine.sentence,
            view=view.prepared,
        )

    def recall(self, query: str, k: int = 5, *, consent: bool | None = None) -> tuple[RecallHit, ...]:
        """The k items that fit the query best, each with its score's parts (R3, R4)."""
        engine = self._engine
        engine.require_open()
        now = engine.clock.now()
        view = self._snapshot().view
        asked = query_of(engine, query, view.table)
        if asked is None:
            return ()
        hits = recall(
            view.state,
            view.table,
            asked,
            now,
            engine.configs.of(self.user_id),
            k=k,
            agent=self.agent,
            consent=self._may_see(consent),
            view=view.prepared,
        )
        engine.note_hits(self.user_id, [hit.item.id for hit in hits], now)
        return hits

    def turns(self, limit: int | None = None) -> list[Turn]:
        """This session's messages, oldest first; with `limit` the latest."""
        self._engine.require_open()
        return self._engine.ledger.turns(self.user_id, self.session_id, limit=limit)

    def working(self) -> tuple[Turn, ...]:
        """R10: the last few turns, as long as they are fresh."""
        config = self._engine.configs.of(self.user_id)
        turns = self.turns(config.session.working_turns)
        return working(turns, self._engine.clock.now(), config)

    def summary(self) -> Summary | None:
        """R11: the latest summary of this session, or of all sessions where this one has none yet."""
        self._engine.require_open()
        summaries = self._engine.ledger.summaries(self.user_id)
        own = [s for s in summaries if s.session_id == self.session_id]
        found = own or [s for s in summaries if not s.session_id]
        return found[-1] if found else None

    @property
    def version(self) -> int:
        """The profile version that this session sees."""
        self._engine.require_open()
        return self._snapshot().view.state.version

    def refresh(self) -> None:
        """Read anew from here on (R9): the snapshot moves to the present version."""
        self.end()

    def end(self) -> None:
        """Close the snapshot; a later read of the same session takes a new one."""
        self._engine.cache.end(self.user_id, self.session_id)

    async def aobserve(self, role: str, text: str, *, at: datetime | None = None, turn_id: str | None = None) -> Turn:
        """`observe`, off the event loop."""
        return await asyncio.to_thread(self.observe, role, text, at=at, turn_id=turn_id)

    async def acontext(
        self,
        query: str = "",
        *,
        task: str = "",
        language: str | None = None,
        budget: int | None = None,
        consent: bool | None = None,
    ) -> ContextBlock:
        """`context`, off the event loop."""
        return await asyncio.to_thread(
            self.context, query, task=task, language=language, budget=budget, consent=consent
        )

    async def arecall(self, query: str, k: int = 5, *, consent: bool | None = None) -> tuple[RecallHit, ...]:
        """`recall`, off the event loop."""
        return await asyncio.to_thread(self.recall, query, k, consent=consent)

    def _may_see(self, consent: bool | None) -> bool:
        return self.consent if consent is None else consent

    def _snapshot(self) -> Snapshot:
        """This conversation's view: taken at its first read, anew after a forget, or when it had been idle for long."""
        engine, cache = self._engine, self._engine.cache
        key, now = (self.user_id, self.session_id), engine.clock.now()
        held = cache.snapshot(*key)
        mark = cache.mark(*key) if held is None else None
        if held is not None and self._stands(held.view.state.version, held.read_at, now):
            taken = held if (now - held.read_at).total_seconds() <= NOTED_SECONDS else held._replace(read_at=now)
        elif mark is not None and self._stands(mark.version, mark.read_at, now):
            taken = self._restored(mark, now)
        else:
            taken = self._new_snapshot(now)
        if taken is not held:
            cache.keep_snapshot(*key, taken)
        return taken

    def _new_snapshot(self, now: datetime) -> Snapshot:
        view = self._engine.reader.view(self.user_id)
        return Snapshot(view, self._overall(view), now)

    def _restored(self, mark: Mark, now: datetime) -> Snapshot:
        """The view that had to leave the cache; a new one where the embedder can't help, which never breaks a read."""
        try:
            return Snapshot(view_at(self._engine, self.user_id, mark.version), mark.summary, now)
        except EmbeddingFailed as error:
            log.warning("a conversation of %r reads anew: %s", self.user_id, error)
            return self._new_snapshot(now)

    def _stands(self, version: int, read_at: datetime, now: datetime) -> bool:
        """Whether what was read at `version` may still be shown: not after a forget (law E), nor after a long pause."""
        idle_hours = self._engine.configs.of(self.user_id).session.idle_hours
        if (now - read_at).total_seconds() >= idle_hours * 3600:
            return False
        return version >= self._engine.ledger.erased_version(self.user_id)

    def _excerpts(
        self, view: UserView, wordings: list[tuple[str, Vector | None]], consent: bool
    ) -> tuple[Excerpt, ...]:
        """The user's own turns on the topic, those of this conversation left out: the host shows them anyway."""
        episodes, private = view.episodes
        asked = against(self._engine, wordings, episodes.table)
        if asked is None or not episodes.turns:
            return ()
        skip = {turn.id for turn in episodes.turns if turn.session_id == self.session_id}
        return recall_excerpts(episodes, asked, view.config, skip=skip if consent else skip | private)

    def _overall(self, view: UserView) -> str:
        if not view.config.context.summary:
            return ""
        return _still_true(newest(self._engine.ledger.summaries(self.user_id)).get(""), view.state)

    def _corrections(self, seen: UserView) -> Sequence[MemoryItem]:
        """Items by which this very session replaced what its snapshot still shows."""
        latest = self._engine.reader.cached(self.user_id)
        if latest is None or latest.state.version == seen.state.version:
            return ()
        return [
            msgspec.structs.replace(item, supersedes=_all_replaced(item, latest.state))
            for item in latest.state.live.values()
            if item.version > seen.state.version
            and item.supersedes
            and any(e.session_id == self.session_id for e in item.evidence)
        ]


def _all_replaced(item: MemoryItem, state: UserState) -> tuple[str, ...]:
    """What the item replaced, and what that had replaced before: a session may put one thing right twice."""
    found: dict[str, None] = {}
    waiting = list(item.supersedes)
    while waiting:
        if (one := waiting.pop()) not in found:
            found[one] = None
            waiting += older.supersedes if (older := state.get(one)) is not None else ()
    return tuple(found)


def _said_at(at: datetime | None, now: datetime, config: Config) -> datetime:
    if at is None:
        return now
    moment, hours = aware(at, config.timezone), config.ingest.ahead_hours
    if moment - now > timedelta(hours=hours):
        raise InvalidInput(
            f"at is {moment.isoformat()}, more than {hours:g} hours ahead of the store's clock ({now.isoformat()}); pass when "
            "it was said, or open the store with the clock that these times come from"
        )
    return min(moment, now)


def _still_true(summary: Summary | None, state: UserState) -> str:
    """The summary without lines that quote what has been superseded since: old news must not stand beside the new."""
    if summary is None:
        return ""
    replaced = {old for item in state.live.values() for old in item.supersedes}
    gone = [state.archive[item_id] for item_id in sorted(replaced) if item_id in state.archive]
    kept = redacted(summary, [words for item in gone for words in (item.text, *(e.quote for e in item.evidence))])
    return kept.text if kept is not None else ""
