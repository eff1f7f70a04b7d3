"""A context is counted line by line, exactly: what a tokenizer says about the whole text (law B)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_core.page import Tally
from hermes_core.tokens import ApproximateCounter, TiktokenCounter

COUNTER = TiktokenCounter()
LINES = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.text(alphabet=" \t/-#[]().,'’\"\u3000的了辣a1B\u200b😀\\", max_size=12),
        st.sampled_from(
            ["- likes tea [m:0a1b2c]", "- 不吃辣 [m:ffffff]", "## Settled", "/etc", " indented", "ends in space ", ""]
        ),
    ),
    min_size=1,
    max_size=12,
)


@settings(deadline=None)
@given(LINES)
def test_lines_add_up_to_the_whole_text(lines):
    assert Tally(COUNTER).text(lines) == COUNTER.count("\n".join(lines))


@settings(deadline=None)
@given(LINES, LINES)
def test_what_was_counted_before_changes_nothing(first, second):
    kept: dict[str, int] = {}
    Tally(COUNTER, kept).text(first)
    assert Tally(COUNTER, kept).text(second) == COUNTER.count("\n".join(second))


@pytest.mark.parametrize("counter", [ApproximateCounter()], ids=["approximate"])
def test_a_counter_that_promises_nothing_reads_the_whole_text(counter):
    lines = ["seven words " * 3, "x" * 7, "的" * 3, "y"]
    assert Tally(counter).text(lines) == counter.count("\n".join(lines))
