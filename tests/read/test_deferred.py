"""What a context leaves out is worked out at the first look, once, and is a plain sequence to whoever looks."""

from __future__ import annotations

import copy
import pickle
import threading

import pytest

from hermes_core.deferred import Deferred
from hermes_core.items import Status


@pytest.fixture
def made():
    return []


@pytest.fixture
def numbers(made):
    def make():
        made.append(True)
        yield from (1, 2, 3)

    return Deferred(make)


def test_nothing_is_made_before_somebody_looks(numbers, made):
    assert made == []
    assert list(numbers) == [1, 2, 3]
    assert list(numbers) == [1, 2, 3]
    assert made == [True]


def test_it_is_a_sequence(numbers):
    assert (len(numbers), numbers[0], numbers[-1], numbers[1:]) == (3, 1, 3, (2, 3))
    assert 2 in numbers
    assert bool(numbers)
    assert not Deferred(tuple)
    assert repr(numbers) == "(1, 2, 3)"
    with pytest.raises(IndexError):
        numbers[3]


def test_it_equals_what_holds_the_same(numbers):
    assert numbers == (1, 2, 3) == numbers
    assert numbers == [1, 2, 3]
    assert numbers == Deferred(lambda: (1, 2, 3))
    assert numbers != (1, 2)
    assert numbers != "123"
    assert hash(numbers) == hash((1, 2, 3))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_a_copy_is_what_it_holds(numbers, again):
    assert again(numbers) == (1, 2, 3)


def test_threads_that_look_at_once_see_the_same():
    for _ in range(50):
        wide = Deferred(lambda: iter(range(200)))
        seen: list[tuple[int, ...]] = []
        threads = [threading.Thread(target=lambda one=wide, into=seen: into.append(tuple(one))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(seen) == {tuple(range(200))}


def test_the_reasons_of_a_context_hold_none_of_its_numbers(world):
    """A host may keep a thousand contexts; each may hold the user's items, and no search table."""
    import gc

    import numpy as np

    for n in range(30):
        world = world.add(f"i{n:02}", f"thing {n}", status=Status.CONFIRMED if n % 2 else Status.ARCHIVED)
    block = world.context("what?")
    reached, waiting = set(), [block.left_out]
    while waiting:
        one = waiting.pop()
        if id(one) in reached or isinstance(one, type) or (callable(one) and hasattr(one, "__globals__")):
            continue
        reached.add(id(one))
        assert not (isinstance(one, np.ndarray) and one.ndim > 1), "a context holds on to a table of vectors"
        waiting += gc.get_referents(one)
    assert len(block.left_out) > 0
