"""Writes to one ledger from several threads for some seconds; prints the confirmed item ids by user.

Run as a program by the tests: busy.py FILE NUMBER THREADS SECONDS. Never imported.
"""

import json
import sys
import threading
import time

from hermes_core.errors import VersionConflict
from hermes_core.stores.sql import SqlLedger
from hermes_core.testing.contracts.builders import item, putting


def main() -> None:
    path, number, threads, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    ledger = SqlLedger.open(path)
    confirmed: dict[str, list[str]] = {}
    until = time.monotonic() + seconds

    def work(thread: int) -> None:
        n = 0
        while time.monotonic() < until:
            n += 1
            user = f"u{(n + thread) % 5}"
            made = item(f"{number}-{thread}-{n}", user=user)
            try:
                ledger.commit(putting(ledger.version(user), made))
            except VersionConflict:
                continue
            confirmed.setdefault(user, []).append(made.id)

    running = [threading.Thread(target=work, args=(n,)) for n in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    ledger.close()
    print(json.dumps(confirmed))


if __name__ == "__main__":
    main()
