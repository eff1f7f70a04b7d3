"""Every argument of every public method refuses what it can't use, by InvalidInput, before anything is done."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hermes_core import Config, Hermes, HermesError, InvalidInput, Session
from hermes_core.shell.guard import ARGUMENTS
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.testing import FakeClock, HashEmbedder

FOREIGN = [
    5,
    -1,
    1.5,
    float("nan"),
    True,
    None,
    b"x",
    "",
    " ",
    "\ud800",
    "\x00",
    "nonsense",
    [],
    {},
    object(),
    int,
    len,
]
GOOD: dict[str, Any] = {
    "user_id": "u",
    "session_id": "s",
    "item_id": "i",
    "text": "I live in Rome.",
    "statement": "I live in Rome.",
    "role": "user",
    "query": "food",
    "k": 3,
    "version": 0,
    "version_or_time": 0,
    "config": Config(),
    "lines": [],
}


def methods(kind: type) -> Iterator[tuple[str, list[inspect.Parameter]]]:
    for name, found in vars(kind).items():
        if not name.startswith("_") and callable(getattr(found, "__func__", found)):
            yield name, list(inspect.signature(getattr(kind, name)).parameters.values())


CASES = [
    pytest.param(kind, name, id=f"{kind.__name__}.{name}")
    for kind in (Hermes, Session)
    for name, given in methods(kind)
    if name != "open" and len(given) > 1
]


@pytest.fixture
def store() -> Iterator[Hermes]:
    with Hermes.open(
        ledger=InMemoryLedger(), chroma=False, embedder=HashEmbedder(8), clock=FakeClock(), worker=False
    ) as hermes:
        hermes.session("u", "s").observe("user", "I'm allergic to peanuts.", turn_id="t")
        hermes.flush()
        yield hermes


def everything(hermes: Hermes) -> dict[str, list[str]]:
    return {user: list(hermes.export(user)) for user in hermes.users()}


@pytest.mark.parametrize(("kind", "name"), CASES)
async def test_whatever_comes_in_only_our_own_errors_come_out(store: Hermes, kind: type, name: str) -> None:
    target: Any = store if kind is Hermes else store.session("u", "s")
    needed = inspect.signature(getattr(target, name)).parameters.values()
    for argument, bad in product([p.name for p in needed], FOREIGN):
        before = everything(store)
        named = {p.name: GOOD[p.name] for p in needed if p.default is p.empty}
        refused: HermesError | None = None
        try:
            found = getattr(target, name)(**{**named, argument: bad})
            if inspect.isawaitable(found):
                await found
        except HermesError as error:
            refused = error
        store.configure(Config())
        if refused is not None:
            assert everything(store) == before, f"{name}({argument}={bad!r}) was refused and yet did something"
            told = (argument, "exactly one", "export", "no memory", "versions")
            assert any(word in str(refused) for word in told), (bad, str(refused))


@pytest.mark.parametrize(
    ("argument", "bad"),
    [
        (a, b)
        for a in ARGUMENTS
        for b in (5, "", "\x00", b"x", object(), int)
        if a in inspect.signature(Hermes.open).parameters
    ],
)
def test_a_store_is_not_opened_on_what_cant_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argument: str, bad: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match="cipher|key" if argument == "cipher" else argument):
        Hermes.open(**{"path": "store", "chroma": False, "embedder": HashEmbedder(8), argument: bad})
    assert not list(tmp_path.iterdir()), "a folder was made for nothing"


def test_every_argument_has_its_place_in_the_table() -> None:
    """A new argument can't be added without saying what it may be: the class would not even be made."""
    for kind in (Hermes, Session):
        for name, found in vars(kind).items():
            function = getattr(found, "__func__", found)
            given = list(inspect.signature(function).parameters)[1:] if inspect.isfunction(function) else []
            if given and not name.startswith("_") and not inspect.iscoroutinefunction(function):
                assert hasattr(function, "__wrapped__"), f"{kind.__name__}.{name} is not guarded"


@pytest.mark.parametrize(
    "table",
    [
        {"nope": 1},
        {"timezone": "Mars/X"},
        {"timezone": 5},
        {"bounded": {"hot_cap": 0}},
        {"bounded": 5},
        {"language": "\ud800"},
    ],
)
def test_a_configuration_is_refused_with_its_fields_named(table: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(table))):
        Config(**table)
    with pytest.raises(InvalidInput, match=next(iter(table))):
        Config.model_validate(table)


@pytest.mark.parametrize(
    "call", [lambda h: h.users(), lambda h: h.stats(), lambda h: h.session("u", "s"), lambda h: h.configure(Config())]
)
def test_a_closed_store_says_so(store: Hermes, call: Callable[[Hermes], object]) -> None:
    session = store.session("u", "s")
    store.close()
    for again in (call, lambda h: session.turns(), lambda h: session.summary(), lambda h: session.version):
        with pytest.raises(HermesError, match="closed"):
            again(store)
