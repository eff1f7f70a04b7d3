"""Opening a store for one command, and finding the user and the item that were meant. Imports of the core are lazy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from hermes_core import Hermes
    from hermes_core.items import MemoryItem


@contextmanager
def opened(
    path: Path,
    *,
    ledger: str | None = None,
    chroma: str | None = None,
    config: Path | None = None,
    create: bool = False,
    worker: bool = False,
) -> Iterator[Hermes]:
    """The store at `path` (or at the `ledger` URL, its index at the `chroma` URL), closed afterwards.

    InvalidInput when there is none and none may be made.
    """
    if ledger is None and not create and not (path / "ledger.db").exists():
        raise InvalidInput(
            f"no memory at {path}; try `hermes demo`, `hermes ingest FILE`, or name a folder with --path"
        )
    from hermes_core import Config, Hermes

    settings = Config.from_file(config) if config is not None else None
    hermes = Hermes.open(path, ledger=ledger, chroma=chroma, config=settings, worker=worker)
    try:
        yield hermes
    finally:
        hermes.close()


def user_of(hermes: Hermes, user: str | None) -> str:
    """The given user, or the only one. InvalidInput lists the users when there are several."""
    if user is not None:
        return user
    users = hermes.users()
    if len(users) == 1:
        return users[0]
    if not users:
        raise InvalidInput("the store is empty; try `hermes ingest FILE`")
    shown = ", ".join(users[:8]) + (", …" if len(users) > 8 else "")
    raise InvalidInput(f"several users here: name one with --user ({shown})")


def item_of(hermes: Hermes, user_id: str, wanted: str) -> MemoryItem:
    """The item whose id is, or begins with, `wanted`. NotFound, OwnerMismatch or InvalidInput otherwise."""
    found = [item for item in hermes.memories(user_id) if item.id.startswith(wanted)] if wanted else []
    if len(found) == 1:
        return found[0]
    if any(item.id == wanted for item in found):
        return hermes.get(user_id, wanted)
    if not found:
        try:
            return hermes.get(user_id, wanted)
        except NotFound:
            raise NotFound(f"no memory of {user_id} begins with {wanted}; `hermes memories` lists them") from None
    raise InvalidInput(f"{wanted} could be any of {', '.join(item.id[:12] for item in found[:5])}; give more of the id")
