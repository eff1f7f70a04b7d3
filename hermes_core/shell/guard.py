"""What every argument of the public API may be: one table by the argument's name, since a name means one thing everywhere.

`guarded` puts it before every public method of a class: whatever can't be used ends there with InvalidInput, before a
method begins, so that nothing is half done. Async twins call the guarded ones. No rule may live here.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from hermes_core import checks
from hermes_core.catalogue import Catalogue
from hermes_core.config import Config
from hermes_core.errors import InvalidInput
from hermes_core.items import Kind, Status
from hermes_core.ports import Clock, Embedder, Extractor, Index, Ledger, Summarizer, TokenCounter

Check = Callable[[Any, str], Any]
C = TypeVar("C")


def trusted(value: Any, name: str) -> Any:
    """Made by the shell itself, or checked where it is opened."""
    return value


def port(expected: str, *kinds: type) -> Check:
    """One of these types or protocols; `expected` says what to pass."""

    def check(value: Any, name: str) -> Any:
        if isinstance(value, kinds) and not inspect.isclass(value):
            return value
        raise InvalidInput(f"{name} must be {expected}, not {checks.kind_of(value)}")

    return check


def function_or(expected: str, *kinds: type) -> Check:
    """As `port`, or any function."""
    known = port(expected, *kinds)

    def check(value: Any, name: str) -> Any:
        return value if callable(value) and not inspect.isclass(value) else known(value, name)

    return check


def place_or(expected: str, *kinds: type) -> Check:
    """A path or URL, or one of these types or protocols."""
    known = port(expected, *kinds)
    return lambda value, name: (checks.checked_path if isinstance(value, (str, Path)) else known)(value, name)


def index(value: Any, name: str) -> Any:
    """The index of a store: True asks for the folder's own."""
    if isinstance(value, bool):
        return None if value else value
    return place_or("a folder, an http(s):// URL, an Index, or False for none", Index)(value, name)


def member(kind: type[Status] | type[Kind]) -> Check:
    return lambda value, name: checks.checked_member(kind, value, name)


# An argument whose default is None may be None; a method's own entry ("recall.query") goes before the common one.
ARGUMENTS: Mapping[str, Check] = {
    "user_id": checks.checked_id,
    "session_id": checks.checked_id,
    "turn_id": checks.checked_id,
    "item_id": checks.checked_words,
    "role": checks.checked_role,
    "text": checks.checked_text,
    "statement": checks.checked_text,
    "at": checks.checked_moment,
    "query": checks.checked_words,
    "recall.query": checks.checked_question,
    "arecall.query": checks.checked_question,
    "forget.query": checks.checked_question,
    "slot": checks.checked_words,
    "task": checks.checked_words,
    "language": checks.checked_words,
    "agent": checks.checked_words,
    "consent": checks.checked_flag,
    "budget": checks.checked_count,
    "k": checks.checked_most,
    "limit": checks.checked_count,
    "override": checks.checked_count,
    "timeout": checks.checked_seconds,
    "status": member(Status),
    "kind": member(Kind),
    "pinned": checks.checked_flag,
    "everything": checks.checked_flag,
    "repair": checks.checked_flag,
    "worker": checks.checked_flag,
    "complete": checks.checked_function,
    "version": checks.checked_point,
    "version_or_time": checks.checked_point,
    "lines": checks.checked_lines,
    "path": checks.checked_path,
    "ledger": place_or("a database URL, a file's path or a Ledger", Ledger),
    "chroma": index,
    "config": function_or("a Config, a TOML file's path or a function of the user id", Config, str, Path),
    "extractor": port("an Extractor (name, and extract(turns, known))", Extractor),
    "embedder": function_or("an Embedder (name, dimension, and embed(texts)) or a function of texts", Embedder),
    "summarizer": port("a Summarizer (name, and summarize(turns, previous, max_tokens))", Summarizer),
    "token_counter": function_or("a TokenCounter (name, and count(text)) or a function of a text", TokenCounter),
    "clock": port("a Clock (now() gives an aware datetime)", Clock),
    "catalogue": port("a Catalogue", Catalogue),
    "rewrite": checks.checked_function,
    "cipher": trusted,
    "engine": trusted,
}


def guarded(kind: type[C]) -> type[C]:
    """The class with every public method's arguments checked; an argument without a place in the table can't be added."""
    for name, found in list(vars(kind).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(found, classmethod):
            setattr(kind, name, classmethod(_guard(found.__func__)))
        elif inspect.isfunction(found) and not inspect.iscoroutinefunction(found):
            setattr(kind, name, _guard(found))
    return kind


def _guard(method: Callable[..., Any]) -> Callable[..., Any]:
    parameters = list(inspect.signature(method).parameters.values())[1:]
    if not parameters:
        return method
    checked = {p.name: _check_of(method, p) for p in parameters}
    pairs = tuple(checked.items())

    @functools.wraps(method)
    def guarded_method(self: Any, *given: Any, **named: Any) -> Any:
        if given and len(given) <= len(pairs):  # one too many is told by Python itself
            given = tuple(check(value, name) for (name, check), value in zip(pairs, given, strict=False))
        for name in named.keys() & checked.keys():
            named[name] = checked[name](named[name], name)
        return method(self, *given, **named)

    return guarded_method


def _check_of(method: Callable[..., Any], parameter: inspect.Parameter) -> Check:
    check = ARGUMENTS.get(f"{method.__name__}.{parameter.name}") or ARGUMENTS[parameter.name]
    if parameter.default is not None:
        return check
    return lambda value, name: None if value is None else check(value, name)
