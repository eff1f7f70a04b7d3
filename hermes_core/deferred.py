"""A sequence that is made when somebody first looks at it. No rule may live here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar, overload

T = TypeVar("T")


class Deferred(Sequence[T]):
    """What `make()` gives, as a tuple, worked out at the first look and kept; equal to any sequence of equal parts.

    A read tells of every item why it stayed out, and a chat never asks: 200 reasons that are written down each time cost
    as much as the search. `make` must be pure, and must not hold on to more than it needs.
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Iterable[T]]) -> None:
        self._make: Callable[[], Iterable[T]] | None = make
        self._made: tuple[T, ...] = ()

    def _parts(self) -> tuple[T, ...]:
        make = self._make
        if make is not None:
            self._made = tuple(make())
            self._make = None  # after `_made`: who comes in between makes the same again
        return self._made

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...
    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        return self._parts()[at]

    def __len__(self) -> int:
        return len(self._parts())

    def __iter__(self) -> Iterator[T]:
        return iter(self._parts())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Deferred):
            return self._parts() == other._parts()
        return isinstance(other, (tuple, list)) and self._parts() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return repr(self._parts())

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self._parts(),)  # pickled and copied as what it holds
