"""What every command about one memory is told: where the store is, whose memory, how to answer. No command may live here."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from hermes_core.cli.opening import opened
from hermes_core.cli.options import DEFAULT_STORE, AsJson, Lang, Language, Ledger, Store, User
from hermes_core.cli.output import emit, language_of, say

if TYPE_CHECKING:
    from rich.console import Console

    from hermes_core import Hermes


@dataclass(frozen=True)
class Asked:
    """The shared options of one call."""

    path: Path
    user: str | None
    ledger: str | None
    json: bool
    frame: Language | None

    @property
    def language(self) -> str:
        """The wanted language, or the locale's."""
        return language_of(self.frame)

    def store(self, **how: Any) -> AbstractContextManager[Hermes]:
        """The store, closed afterwards."""
        return opened(self.path, ledger=self.ledger, **how)

    def say(self, english: str, chinese: str) -> str:
        return say(self.language, english, chinese)

    def answer(self, data: Any, show: Callable[[Console], None]) -> None:
        """JSON for programs, or what `show` prints."""
        emit(self.json, data, show)


def _shared(
    path: Store = DEFAULT_STORE, user: User = None, ledger: Ledger = None, json: AsJson = False, language: Lang = None
) -> Asked:
    return Asked(path, user, ledger, json, language)


def on_store(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes an Asked first, with the shared options behind its own."""

    @functools.wraps(command)
    def asked(**given: Any) -> None:
        common = {name: given.pop(name) for name in tuple(given) if name in shared}
        command(_shared(**common), **given)

    shared = inspect.signature(_shared).parameters
    own = list(inspect.signature(command).parameters.values())[1:]
    hints = {**get_type_hints(command, include_extras=True), **get_type_hints(_shared, include_extras=True)}
    parameters = [p.replace(annotation=hints[p.name], kind=p.KEYWORD_ONLY) for p in (*own, *shared.values())]
    asked.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    asked.__annotations__ = {p.name: p.annotation for p in parameters}
    return asked
