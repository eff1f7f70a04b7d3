"""A flag is True or False: the word "no" must not grant, pin or erase."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_core import Hermes, InvalidInput
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk


@pytest.mark.parametrize("flag", ["no", 0, None, 1])
def test_a_word_is_no_flag(hermes: Hermes, clock: FakeClock, flag: Any) -> None:
    talk = Talk(hermes, clock)
    talk.say("I'm allergic to peanuts.")
    (item,) = hermes.memories(talk.user_id)
    with pytest.raises(InvalidInput, match="True or False"):
        hermes.pin(talk.user_id, item.id, flag)
    with pytest.raises(InvalidInput, match="True or False"):
        hermes.forget(talk.user_id, everything=flag)
    with pytest.raises(InvalidInput, match="True or False"):
        hermes.session(talk.user_id, "s", consent=flag)
    if flag is not None:
        with pytest.raises(InvalidInput, match="True or False"):
            hermes.session(talk.user_id, "s").context("snack?", consent=flag)
    assert hermes.get(talk.user_id, item.id) == item


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork on Windows")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # that a threaded process forks is the very case
def test_a_forked_child_never_waits_for_its_parents_locks(open_hermes: Callable[..., Hermes], tmp_path: Path) -> None:
    hermes = open_hermes(tmp_path, worker=True)
    hermes.session("u", "s").observe("user", "I live in Lyon.")
    hermes.flush()
    publisher = hermes._engine.publisher
    assert publisher is not None
    with publisher._busy:  # as if the worker were publishing at this very moment
        child = os.fork()
        if child == 0:
            os._exit(0 if publisher.publish_pending() == 0 and not publisher.ensure_ready() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
