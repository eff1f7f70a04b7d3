"""Forks children that write to a ledger and kills them (SIGKILL) at random moments; prints what was acknowledged.

Run as a program by the tests: killed.py FILE KILLS. Never imported.
"""

import json
import os
import random
import select
import signal
import sys
import time

from hermes_core.stores.sql import SqlLedger
from hermes_core.testing.contracts.builders import item, putting, turn


def write_until_killed(path: str, generation: int, pipe: int) -> None:
    ledger = SqlLedger.open(path)
    n = 0
    while True:
        n += 1
        kept = ledger.add_turn(turn(generation * 10_000 + n))
        os.write(pipe, json.dumps({"turn": kept.id}).encode() + b"\n")
        version = ledger.commit(putting(ledger.version("u1"), item(f"{generation}-{n}"), item(f"{generation}-{n}b")))
        os.write(pipe, json.dumps({"version": version}).encode() + b"\n")


def main() -> None:
    path, kills = sys.argv[1], int(sys.argv[2])
    chance = random.Random(20260301)
    for generation in range(kills):
        reader, writer = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(reader)
            try:
                write_until_killed(path, generation, writer)
            finally:
                os._exit(1)
        os.close(writer)
        select.select([reader], [], [], 30)  # it has begun
        time.sleep(chance.random() * 0.2)  # a child needs some 30 ms to its first commit
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL, "the child ended by itself"
        with os.fdopen(reader, "rb") as acknowledged:
            for line in acknowledged:
                if line.endswith(b"\n"):
                    sys.stdout.buffer.write(line)


if __name__ == "__main__":
    main()
