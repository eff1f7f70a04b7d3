"""An embedder is foreign code: it never poisons a store, never breaks a read, never gets a non-vector stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hermes_core import EmbeddingFailed, Hermes, HermesError, InvalidInput
from hermes_core.testing import FakeClock, HashEmbedder
from tests.faults.talk import Talk


class Moody:
    """A good embedder until it is told otherwise."""

    name, dimension = "moody", 64

    def __init__(self) -> None:
        self.good = HashEmbedder(64)
        self.mood: Callable[[Sequence[str]], Any] | None = None

    def embed(self, texts: Sequence[str]) -> Any:
        return self.good.embed(texts) if self.mood is None else self.mood(texts)


def _raise(texts: Sequence[str]) -> Any:
    raise ZeroDivisionError("no")


MOODS = [
    _raise,
    lambda t: None,
    lambda t: np.ones((len(t), 8)),
    lambda t: np.full((len(t), 64), np.nan),
    lambda t: np.ones((1, 64))[:0],
]


@pytest.mark.parametrize("mood", MOODS)
def test_a_broken_embedder_leaves_no_trace_in_a_new_store(tmp_path: Path, mood: Any) -> None:
    moody = Moody()
    moody.mood = mood
    with pytest.raises(HermesError):
        Hermes.open(tmp_path, embedder=moody, worker=False, chroma=False)
    Hermes.open(tmp_path, worker=False, chroma=False).close()


@pytest.mark.parametrize(("name", "dimension"), [("", 64), (None, 64), ("x", "8"), ("x", 0), ("x", True)])
def test_an_embedder_says_which_space_it_is(tmp_path: Path, name: Any, dimension: Any) -> None:
    moody = Moody()
    moody.name, moody.dimension = name, dimension  # type: ignore[misc]
    with pytest.raises(InvalidInput, match=r"name|dimension"):
        Hermes.open(tmp_path, embedder=moody, worker=False, chroma=False)


@pytest.mark.parametrize("mood", MOODS)
def test_an_embedder_that_breaks_later_costs_no_read_and_no_turn(
    open_hermes: Callable[..., Hermes], clock: FakeClock, mood: Any
) -> None:
    moody = Moody()
    hermes = open_hermes(embedder=moody)
    talk = Talk(hermes, clock)
    talk.say("I'm allergic to peanuts.")
    moody.mood = mood
    with hermes.session(talk.user_id, "q") as session:
        assert "peanuts" in session.context("are peanuts fine?").text
        assert [hit.item.value for hit in session.recall("allergic to peanuts")] == ["peanuts"]
    item = hermes.memories(talk.user_id)[0]
    with pytest.raises(EmbeddingFailed):
        hermes.correct(talk.user_id, item.id, "I'm allergic to cashews")
    assert hermes.get(talk.user_id, item.id) == item


def test_a_very_long_turn_is_taken_in_within_a_moment(hermes: Hermes, clock: FakeClock) -> None:
    talk = Talk(hermes, clock)
    talk.say("I live in Rome. " * 60_000)
    assert [i.value for i in talk.live() if i.slot == "residence"] == ["rome"]
