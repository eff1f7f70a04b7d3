"""What a read costs beside a filtered Chroma query on the same items (R1, R12; printed as ratios of one run).

    python benchmarks/read_path.py [--rounds 200] [--others 20]

One user with 230 live and 2,000 archived items, English and Chinese, 512 dimensions, in a real ledger and a real
Chroma collection beside the items of some other users. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import itertools
import random
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np
from _side_by_side import compare, numbers_of, save

from hermes_core import Hermes
from hermes_core.config import Config
from hermes_core.context import assemble
from hermes_core.embedding.default import DefaultEmbedder
from hermes_core.items import Evidence, Kind, MemoryItem, Status
from hermes_core.ports import Commit, StoredItem
from hermes_core.recall import Query, prepare, recall
from hermes_core.stores.sql import SqlLedger
from hermes_core.terms import term_ids
from hermes_core.testing import FakeClock
from hermes_core.tokens import TiktokenCounter

NOW = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)
LIVE, FROZEN, ARCHIVED = 230, 30, 2000
ENGLISH = (
    ("likes", "dislikes", "often talks about", "is learning about", "wants to try", "once worked with"),
    ("hiking", "green tea", "old films", "Rust", "sourdough", "the piano", "sailing", "chess", "ceramics", "jazz"),
    ("in the mountains", "before work", "with the family", "on Sundays", "near the lake", "since the spring"),
)
CHINESE = (
    ("喜欢", "不喜欢", "常常聊到", "正在学", "想试试", "以前做过"),
    ("爬山", "绿茶", "老电影", "编程", "做面包", "钢琴", "帆船", "象棋", "陶艺", "爵士乐"),
    ("周末去", "上班前", "和家人一起", "每天晚上", "在湖边", "从春天开始"),
)
QUERIES = (
    "what should I do on Sunday with the family?",
    "周末有什么推荐？",
    "help me plan a hike near the lake",
    "推荐一首爵士乐",
    "is Rust a good choice for my backend?",
)


def texts(count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    whole = [" ".join(p) for p in itertools.product(*ENGLISH)] + ["".join(p) for p in itertools.product(*CHINESE)]
    return [f"{chance.choice(whole)} {n}" for n in range(count)]


def items(user: str, count: int, counter: TiktokenCounter) -> list[MemoryItem]:
    kinds = [kind for kind in Kind if kind is not Kind.STATE]
    made = []
    for n, text in enumerate(texts(count, len(user))):
        when = NOW - timedelta(days=1 + n % 25)
        status = Status.FROZEN if n < FROZEN else Status.CONFIRMED if n < LIVE - 30 else Status.CANDIDATE
        made.append(
            MemoryItem(
                id=f"{n:05x}{user}",
                user_id=user,
                kind=kinds[n % len(kinds)],
                slot=f"slot{n % 90}",
                value=text,
                text=text,
                status=status if n < LIVE else Status.ARCHIVED,
                created_at=when,
                said_at=when,
                confirmed_at=when,
                importance=0.3 + n % 7 / 10,
                half_life_days=30.0,
                tokens=counter.count(text),
                language="zh" if not text.isascii() else "en",
                archived_because=None if n < LIVE else "replaced_worst",
                evidence=(Evidence(session_id=f"s{n % 40}", turn_id=f"t{n}", quote=text, said_at=when, seq=n + 1),),
            )
        )
    return made


def collection(folder: Path, stored: list[StoredItem]):
    import chromadb
    from chromadb.config import Settings

    client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
    made = client.create_collection("items", embedding_function=None, configuration={"hnsw": {"space": "cosine"}})
    for start in range(0, len(stored), 2000):
        part = stored[start : start + 2000]
        made.add(
            ids=[s.item.id for s in part],
            embeddings=np.stack([s.vector for s in part]),
            documents=[s.item.text for s in part],
            metadatas=[
                {"user_id": s.item.user_id, "kind": str(s.item.kind), "status": str(s.item.status)} for s in part
            ],
        )
    return client, made


def stored_items(user: str, embedder: DefaultEmbedder, counter: TiktokenCounter) -> list[StoredItem]:
    made = items(user, LIVE + ARCHIVED, counter)
    vectors = embedder.embed([item.text for item in made])
    return [StoredItem(i, v, term_ids(i.text, (i.slot,))) for i, v in zip(made, vectors, strict=True)]


def strangers(users: int, dimension: int, counter: TiktokenCounter) -> list[StoredItem]:
    """200 items each of other users, with random vectors: embedding them would only take time."""
    found = []
    for n in range(users):
        noise = np.random.default_rng(n).standard_normal((200, dimension)).astype(np.float32)
        noise /= np.linalg.norm(noise, axis=1, keepdims=True)
        foreign = items(f"other{n}", 200, counter)
        found += [StoredItem(i, v, term_ids(i.text)) for i, v in zip(foreign, noise, strict=True)]
    return found


def run(rounds: int, others: int) -> None:
    embedder, counter, config = DefaultEmbedder(), TiktokenCounter(), Config()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        ledger = SqlLedger.open(Path(scratch) / "ledger.db")
        mine = stored_items("me", embedder, counter)
        ledger.commit(Commit("me", 0, put=tuple(mine)))
        everyone = mine + strangers(others, embedder.dimension, counter)
        client, chroma = collection(Path(scratch) / "chroma", everyone)
        hermes = Hermes.open(
            ledger=ledger, chroma=False, worker=False, clock=FakeClock(NOW), embedder=DefaultEmbedder(remember=0)
        )
        session = hermes.session("me", "s")
        loaded = ledger.load("me")
        state, table = loaded.state, loaded.table
        view = prepare(state, table, config)
        turn = itertools.cycle(QUERIES)
        plain = DefaultEmbedder(remember=0)
        vectors = {text: plain.embed([text])[0] for text in QUERIES}

        shown = session.context(QUERIES[0]).text

        def asked() -> Query:
            text = next(turn)
            vector = vectors[text]
            return Query(text, vector, term_ids(text), hermes._engine.nearness(table, vector))

        def chroma_top(vector: np.ndarray):
            live = [str(s) for s in (Status.CANDIDATE, Status.CONFIRMED, Status.FROZEN, Status.ARCHIVED)]
            where = {"$and": [{"user_id": "me"}, {"status": {"$in": live}}]}
            return chroma.query(query_embeddings=vector[None, :], n_results=20, where=where)

        timings = compare(
            f"a read of {LIVE} live + {ARCHIVED} archived items ({len(everyone)} records in Chroma)",
            {
                "Chroma top 20, filtered, with embedding": lambda: chroma_top(plain.embed([next(turn)])[0]),
                "session.context(query), with embedding": lambda: session.context(next(turn)),
                "Chroma top 20, filtered, query embedded": lambda: chroma_top(vectors[next(turn)]),
                # right after a Chroma query, as the context above: both find the processor's caches as it left them
                "embedding the query": lambda: plain.embed([next(turn)]),
                "recall + assemble, query embedded": lambda: assemble(
                    state, table, asked(), NOW, config, counter, view=view
                ),
                "recall, query embedded": lambda: recall(state, table, asked(), NOW, config, view=view),
                "prepare (once per version)": lambda: prepare(state, table, config).standing(NOW),
                "counting the final text": lambda: counter.count(shown),
            },
            rounds=rounds,
        )
        median = {name: timing.median for name, timing in timings.items()}
        total = median["Chroma top 20, filtered, with embedding"] / median["session.context(query), with embedding"]
        beyond = median["session.context(query), with embedding"] - median["embedding the query"]
        print(f"\ncontext() is {total:.1f} times as fast as the Chroma query, both with the embedding (at least 3)")
        share = beyond / median["embedding the query"]
        print(f"context() costs {beyond:.2f} ms beyond embedding the query (at most 1.5), {share:.2f} of the embedding")
        numbers = {"faster_than_chroma": total, "beyond_embedding_ms": beyond, "beyond_embedding_share": share}
        path = save("read_path", {**numbers_of(timings), **numbers})
        print(f"kept in {path}")
        hermes.close()
        del client


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--others", type=int, default=20, help="other users with 200 items each in the same collection")
    chosen = parser.parse_args()
    run(chosen.rounds, chosen.others)
