"""Names of those who hold a lease, and whether such a holder has died on this machine. No rule may live here.

A lease of a process that was killed would bar its user until it ran out; where the process can be seen to be gone,
nobody needs to wait.
"""

from __future__ import annotations

import os
import secrets
import socket


def holder_name() -> str:
    """A name that no other holder has: host, process, chance."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(6)}"


def is_dead(holder: str) -> bool:
    """Whether the holder's process was on this machine and is gone; False when that can't be told."""
    host, _, rest = holder.rpartition(":")[0].rpartition(":")
    if host != socket.gethostname() or not rest.isdigit():
        return False
    return not _runs(int(rest))


def _runs(pid: int) -> bool:
    if os.name == "nt":  # a signal of 0 would end the process there
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
