"""Forks children that use a store through its public door, kills them (SIGKILL), and prints what they were promised.

Run as a program by the tests: -m tests.durability.talker FOLDER KILLS LONGEST, the last in seconds. Never imported.
"""

import json
import os
import random
import select
import signal
import sys
import threading
import time
from pathlib import Path

import chromadb  # noqa: F401  # so that no child has to import it

from hermes_core import Hermes
from hermes_core.errors import HermesError
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.testing import HashEmbedder
from tests.durability.kit import QUICK, Reader, sentence

USERS = ("ana", "ben", "chi")


def promise(**said: object) -> None:
    """One write to the pipe: whole or not at all."""
    os.write(1, json.dumps(said).encode() + b"\n")


def talk(hermes: Hermes, user: str, seed: int) -> None:
    chance = random.Random(f"{seed} {user}")
    n = 0
    act(hermes, user, chance)
    while True:
        n += 1
        word = f"w{seed}x{n}{user}"
        with hermes.session(user, f"s{seed}-{n // 5}") as session:
            turn = session.observe("user", sentence(word), turn_id=f"{seed}-{user}-{n}")
            promise(turn=turn.id, user=user)
            session.context("what do I like?")
        if n % 3 == 0:
            act(hermes, user, chance)


def act(hermes: Hermes, user: str, chance: random.Random) -> None:
    items = hermes.memories(user)
    if not items:
        return
    item = chance.choice(items)
    deed = chance.choice(["confirm", "pin", "reject", "correct", "forget", "forget", "maintain"])
    try:
        if deed == "forget":
            hermes.forget(user, item.id)
            promise(forgotten=item.value, user=user)
        elif deed == "correct":
            hermes.correct(user, item.id, sentence(f"c{chance.randrange(10**9)}{user}"))
        elif deed == "maintain":
            hermes.maintain(user)
        else:
            getattr(hermes, deed)(user, item.id)
        promise(done=deed)
    except HermesError as error:  # it may have gone, or changed its standing, meanwhile
        promise(refused=type(error).__name__)


def talk_until_killed(folder: str, seed: int) -> None:
    hermes = Hermes.open(folder, extractor=Reader(), embedder=HashEmbedder(16), config=QUICK, worker=True)
    promise(open=True)
    threads = [threading.Thread(target=talk, args=(hermes, user, seed)) for user in USERS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def warm_up() -> None:
    """Load before the first fork what every child would load: tokens, catalogue, modules. Starts no thread."""
    given = {"extractor": Reader(), "embedder": HashEmbedder(16), "config": QUICK, "worker": False}
    with Hermes.open(ledger=InMemoryLedger(), chroma=False, **given) as hermes, hermes.session("u", "s") as session:
        session.observe("user", sentence("warmth"))
        hermes.flush()
        session.context("what do I like?")


def child(folder: str, seed: int) -> tuple[int, int]:
    """Process id and the pipe from which its promises can be read."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    os.dup2(writer, 1)
    try:
        talk_until_killed(folder, seed)
    finally:
        os._exit(1)


def main() -> None:
    folder, kills, longest = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    Path(folder).mkdir(parents=True, exist_ok=True)
    chance = random.Random(kills)
    warm_up()
    for seed in range(kills):
        pid, reader = child(folder, seed)
        select.select([reader], [], [], 60)  # it is open
        time.sleep(chance.random() ** 2 * longest)  # most die young, some have time to forget
        os.kill(pid, signal.SIGKILL)
        assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGKILL, "the child ended by itself"
        with os.fdopen(reader, "rb") as promises:
            for line in promises:
                if line.endswith(b"\n"):
                    sys.stdout.buffer.write(line)


if __name__ == "__main__":
    main()
