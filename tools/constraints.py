"""Writes constraints.txt: the releases that the tests ran with, for the core and the dev extra. No index is named.

Run it in an environment where `pip install -e ".[dev]"` has just succeeded: python tools/constraints.py
A release that refuses an older Python gets a marker, so that Python 3.10 may take an older one.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

OLDEST, NEXT = "3.10", ("3.11", "3.12", "3.13", "3.14")
HEADER = """# The releases that Hermes was tested with; `make demo` and `make test` install these.
# Written by tools/constraints.py. pyproject.toml holds the ranges that are supported.
"""


def closure(root: str, extra: str) -> dict[str, str]:
    """Name to release of everything that `root[extra]` needs here, `root` left out."""
    found: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    todo = [(root, ""), (root, extra)]
    while todo:
        name, wanted = todo.pop()
        key = (canonicalize_name(name), wanted)
        if key in seen:
            continue
        seen.add(key)
        try:
            dist = distribution(name)
        except PackageNotFoundError:
            continue  # an optional part that this platform does not need
        found[key[0]] = dist.version
        for line in dist.requires or ():
            need = Requirement(line)
            if need.marker is None or need.marker.evaluate({"extra": wanted}):
                todo.extend((need.name, part) for part in ("", *need.extras))
    found.pop(canonicalize_name(root), None)
    return found


def marker(name: str) -> str:
    """Empty when the release runs on the oldest Python, else from which Python on it does."""
    allowed = SpecifierSet(distribution(name).metadata["Requires-Python"] or "")
    if OLDEST in allowed:
        return ""
    first = next((version for version in NEXT if version in allowed), None)
    return f' ; python_version >= "{first}"' if first else ""


def main() -> None:
    found = closure("hermes-dualgate", "dev")
    lines = [f"{name}=={version.split('+')[0]}{marker(name)}" for name, version in sorted(found.items())]
    target = Path(__file__).resolve().parent.parent / "constraints.txt"
    target.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} releases in {target.name}")


if __name__ == "__main__":
    main()
