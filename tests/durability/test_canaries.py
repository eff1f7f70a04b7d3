"""Law O under load: twenty users in one process, threads and an event loop at once; no word of one reaches another."""

import asyncio
import itertools
import os
import random
import threading
from collections import Counter

import pytest

from hermes_core.config import build
from hermes_core.testing import HashEmbedder
from tests.durability.kit import Reader, sentence

MANY = int(os.environ.get("HERMES_READS", "1000000"))  # of the nightly run
USERS = [f"user-{n:02d}" for n in range(20)]
WORD = {user: f"canary{n:02d}bird" for n, user in enumerate(USERS)}
SETTINGS = build(  # few items, so that reads are quick; summaries early, so that they are among what is read
    {"bounded": {"hot_cap": 8, "archive_cap": 6, "frozen_cap": 2}, "session": {"summary_turns": 4}}
)


def said(values) -> str:
    return "".join(value.model_dump_json() for value in values)


def snapshot(hermes, session) -> str:
    """The items that the session holds on to, and the summary beside them."""
    assert session.version > 0
    held = hermes._engine.cache.snapshot(session.user_id, session.session_id)
    return said(held.view.state.live.values()) + held.summary if held else WORD[session.user_id]


# Every way to read, with how many in a thousand: the costly ones are rare, as they are in life. Each gives text.
READS = {
    "context": (330, lambda h, s, n: s.context("what do I like?").text),
    "context without a query": (240, lambda h, s, n: s.context().text),
    "context with the user's own turns": (
        20,
        lambda h, s, n: s.context("what do I like?", task="question_answering").text,
    ),
    "preview": (60, lambda h, s, n: s.preview("canary bird").model_dump_json()),
    "recall": (120, lambda h, s, n: said(s.recall("what do I like?", k=5))),
    "snapshot": (60, lambda h, s, n: snapshot(h, s)),
    "memories": (50, lambda h, s, n: said(h.memories(s.user_id))),
    "get": (
        20,
        lambda h, s, n: (found := h.memories(s.user_id)[n % 5]) and h.get(s.user_id, found.id).model_dump_json(),
    ),
    "turns": (30, lambda h, s, n: said(h.session(s.user_id, "first").turns())),
    "working memory": (20, lambda h, s, n: said(h.session(s.user_id, "first").working())),
    "summary": (20, lambda h, s, n: str(h.session(s.user_id, "first").summary())),
    "user model": (5, lambda h, s, n: WORD[s.user_id] + h.user_model(s.user_id).model_dump_json()),
    "explain": (5, lambda h, s, n: h.explain(s.user_id, h.memories(s.user_id)[n % 5].id).model_dump_json()),
    "history": (5, lambda h, s, n: said(h.history(s.user_id, limit=20))),
    "history of one": (5, lambda h, s, n: said(h.history(s.user_id, h.memories(s.user_id)[n % 5].id))),
    "as of": (2, lambda h, s, n: said(h.as_of(s.user_id, 1))),
    "export": (1, lambda h, s, n: "".join(h.export(s.user_id))),
    "diagnose": (1, lambda h, s, n: h.diagnose(s.user_id, sentence(WORD[s.user_id] + "0")).model_dump_json()),
    "stats": (1, lambda h, s, n: WORD[s.user_id] + h.stats(s.user_id).model_dump_json()),
    "audit": (1, lambda h, s, n: WORD[s.user_id] + said(h.audit(s.user_id))),
}
BY_LOOP = {
    "acontext": (60, lambda h, s: s.acontext("what do I like?"), lambda found: found.text),
    "arecall": (40, lambda h, s: s.arecall("what do I like?"), said),
}


def wrapped():
    """Reads through the frameworks' wrappers, where they are installed: name, and a function of (hermes, user, session)."""
    reads = {}
    try:
        from hermes_langchain import HermesChatMessageHistory, HermesMemory, HermesRetriever, create_context_runnable
    except ImportError:
        return reads
    reads["LangChain retriever"] = lambda h, u, s: str(HermesRetriever(hermes=h, user_id=u).invoke("what do I like?"))
    reads["LangChain history"] = lambda h, u, s: str(
        HermesChatMessageHistory(h, user_id=u, session_id="first").messages
    )
    reads["LangChain memory"] = lambda h, u, s: str(
        HermesMemory(hermes=h, user_id=u, session_id=s).load_memory_variables({"input": "what do I like?"})
    )
    reads["LangChain runnable"] = lambda h, u, s: create_context_runnable(h, user_id=u, session_id=s).invoke("likes?")
    return reads


class Soak:
    """Reads by threads and by a loop while everybody goes on talking."""

    def __init__(self, hermes, reads: int, threads: int) -> None:
        self.hermes, self.reads, self.threads = hermes, reads, threads
        self.crossed: list[tuple[str, str, str]] = []
        self.done: list[Counter] = [Counter() for _ in range(threads + 1)]
        self.failed: list[BaseException] = []

    def look(self, slot: int, kind: str, user: str, text: str) -> None:
        self.done[slot][kind] += 1
        own = text.count(WORD[user])
        if not own or text.count("canary") != own + text.count("canary bird"):
            self.crossed.append((kind, user, text))

    def read(self, slot: int, n: int) -> None:
        chance, hermes, others = random.Random(slot), self.hermes, wrapped()
        names = list(READS)
        plan = itertools.cycle(chance.choices(names, [READS[name][0] for name in names], k=1009))
        for k in range(n):
            user, kind = chance.choice(USERS), next(plan)
            session = hermes.session(user, f"s{slot}-{k % 50}")
            self.look(slot, kind, user, READS[kind][1](hermes, session, k))
            if k % 200 == 0:
                session.observe("user", sentence(f"{WORD[user]}{slot}x{k % 997}"))
                for name, other in others.items():
                    self.look(slot, name, user, other(hermes, user, session.session_id))
            if k % 50 == 49:
                session.end()

    async def read_in_a_loop(self, n: int) -> None:
        async def one(kind: str, user: str) -> None:
            _, ask, text = BY_LOOP[kind]
            self.look(self.threads, kind, user, text(await ask(self.hermes, self.hermes.session(user, "loop"))))

        kinds = itertools.cycle(name for name, (share, *_) in BY_LOOP.items() for _ in range(share // 20))
        for _ in range(n // len(USERS)):
            kind = next(kinds)
            await asyncio.gather(*(one(kind, user) for user in USERS))

    def guarded(self, slot: int, n: int) -> None:
        try:
            self.read(slot, n)
        except BaseException as error:
            self.failed.append(error)

    def run(self) -> Counter:
        """How many reads of each kind there were."""
        for user in USERS:
            with self.hermes.session(user, "first") as session:
                for n in range(8):
                    session.observe("user", sentence(f"{WORD[user]}{n}"))
                    session.observe("assistant", f"{WORD[user]}, you say?")
        self.hermes.flush(timeout=600)
        share = self.reads * 9 // 10 // self.threads
        running = [threading.Thread(target=self.guarded, args=(slot, share)) for slot in range(self.threads)]
        for thread in running:
            thread.start()
        asyncio.run(self.read_in_a_loop(self.reads - share * self.threads))
        for thread in running:
            thread.join()
        assert not self.failed, self.failed[0]
        assert not self.crossed, self.crossed[0]
        return sum(self.done, Counter())


def soak(hermes, reads: int, threads: int = 4) -> None:
    done = Soak(hermes, reads, threads).run()
    assert sum(done.values()) >= reads
    missing = {*READS, *BY_LOOP, *wrapped()} - done.keys()
    assert not missing, f"never read: {missing}"
    print(f"{sum(done.values())} reads, no word crossed: " + ", ".join(f"{n} {kind}" for kind, n in done.most_common()))


@pytest.mark.slow
def test_a_few_thousand_reads(open_hermes):
    soak(open_hermes(config=SETTINGS, extractor=Reader(), embedder=HashEmbedder(16), worker=True), 6_000)


@pytest.mark.nightly
def test_a_million_reads(open_hermes, tmp_path):
    given = {"extractor": Reader(), "embedder": HashEmbedder(16), "config": SETTINGS, "worker": True}
    soak(open_hermes(tmp_path, chroma=False, **given), MANY)
