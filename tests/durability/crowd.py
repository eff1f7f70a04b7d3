"""One of several processes that use one store at once through its public door; prints what was confirmed.

Run as a program by the tests: -m tests.durability.crowd FOLDER_OR_URL NUMBER THREADS SECONDS [CHROMA]. Never imported.
"""

import json
import sys
import threading
import time

from hermes_core import Hermes
from hermes_core.errors import HermesError
from hermes_core.testing import HashEmbedder
from tests.durability.kit import QUICK, Reader, sentence

USERS = 5


def main() -> None:
    place, number, threads, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    where = (
        {"ledger": place, "chroma": sys.argv[5] if len(sys.argv) > 5 else False} if "://" in place else {"path": place}
    )
    hermes = Hermes.open(**where, extractor=Reader(), embedder=HashEmbedder(16), config=QUICK, worker=True)
    said: list[tuple[str, str]] = []
    commands, reads, refused = [0], [0], [0]
    until = time.monotonic() + seconds

    def work(thread: int) -> None:
        n = 0
        while time.monotonic() < until:
            n += 1
            user = f"u{(n + thread) % USERS}"
            with hermes.session(user, f"s{number}-{thread}-{n // 7}") as session:
                turn = session.observe("user", sentence(f"w{number}x{thread}x{n}"), turn_id=f"{number}-{thread}-{n}")
                said.append((user, turn.id))
                session.context("what do I like?")
                reads[0] += 1
            items = hermes.memories(user)
            if items and n % 3 == 0:
                item = items[(n * 7) % len(items)]
                try:
                    (hermes.confirm, hermes.pin, hermes.reject)[n % 9 // 3](user, item.id)
                    commands[0] += 1
                except HermesError as error:
                    if type(error).__name__ not in ("NotFound", "InvalidInput"):
                        raise
                    refused[0] += 1

    running = [threading.Thread(target=work, args=(n,)) for n in range(threads)]
    failed: list[str] = []
    threading.excepthook = lambda args: failed.append(f"{args.exc_type.__name__}: {args.exc_value}")
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    hermes.flush(timeout=180)
    hermes.close()
    print(
        json.dumps({"said": said, "commands": commands[0], "reads": reads[0], "refused": refused[0], "failed": failed})
    )


if __name__ == "__main__":
    main()
