"""The command line `hermes`. Parsing, printing and exit codes; no rule about memory may live here.

Exit codes: 0 done, 1 an error of ours or of the world (one line on stderr), 2 wrong usage.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the `hermes` script; raises SystemExit with the exit code."""
    from hermes_core.cli.app import app, prepare_streams

    prepare_streams()
    app(args=list(arguments) if arguments is not None else None, prog_name="hermes")
