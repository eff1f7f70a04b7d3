"""Law O under load: twenty users in one process, threads and an event loop at once; no word of one reaches another."""

import asyncio
import random
import threading

import pytest

from hermes_core.testing import HashEmbedder
from tests.durability.kit import Reader, sentence

USERS = [f"user-{n:02d}" for n in range(20)]
WORD = {user: f"canary{n:02d}bird" for n, user in enumerate(USERS)}


def soak(hermes, reads: int, threads: int) -> int:
    """Reads by threads and by a loop while everybody goes on talking; the number of reads."""
    done, crossed = [0] * (threads + 1), []
    for user in USERS:
        with hermes.session(user, "first") as session:
            for n in range(8):
                session.observe("user", sentence(f"{WORD[user]}{n}"))
    hermes.flush(timeout=120)

    def look(slot: int, user: str, text: str) -> None:
        done[slot] += 1
        if WORD[user] not in text or text.count("canary") != text.count(WORD[user]):
            crossed.append((user, text))

    def read(slot: int, n: int) -> None:
        chance = random.Random(slot)
        for k in range(n):
            user = chance.choice(USERS)
            session = hermes.session(user, f"s{slot}-{k % 50}")
            look(slot, user, session.context("what do I like?" if k % 3 else "").text)
            if k % 200 == 0:
                session.observe("user", sentence(f"{WORD[user]}{slot}x{k}"))
            if k % 50 == 49:
                session.end()

    async def read_in_a_loop(n: int) -> None:
        async def one(user: str) -> None:
            block = await hermes.session(user, "loop").acontext("what do I like?")
            look(threads, user, block.text)

        for _ in range(n // len(USERS)):
            await asyncio.gather(*(one(user) for user in USERS))

    share = reads * 9 // 10 // threads
    running = [threading.Thread(target=read, args=(slot, share)) for slot in range(threads)]
    for thread in running:
        thread.start()
    asyncio.run(read_in_a_loop(reads // 10))
    for thread in running:
        thread.join()
    assert not crossed, crossed[0]
    for user in USERS:
        for shown in (hermes.memories(user), hermes.history(user)):
            text = "".join(one.model_dump_json() for one in shown)
            assert text.count("canary") == text.count(WORD[user])
    return sum(done)


@pytest.mark.slow
def test_twenty_thousand_reads(open_hermes):
    hermes = open_hermes(extractor=Reader(), embedder=HashEmbedder(16), worker=True)
    assert soak(hermes, 20_000, 4) >= 19_900


@pytest.mark.nightly
def test_a_million_reads(open_hermes, tmp_path):
    hermes = open_hermes(tmp_path, chroma=False, extractor=Reader(), embedder=HashEmbedder(16), worker=True)
    assert soak(hermes, 1_000_000, 4) >= 999_000
