"""Token counters beyond their contract."""

import subprocess
import sys

import pytest

from hermes_core.errors import InvalidInput
from hermes_core.tokens import ApproximateCounter, CallableCounter, TiktokenCounter

EVERYDAY = (
    "I'm allergic to peanuts and I prefer short answers with code examples.",
    "Could you remind me on Friday that the quarterly report is due at 10:30?",
    "She said: \"we'll meet at the café near the old station\", didn't she?",
    "我对花生过敏，回答请简短一点，最好带上代码示例。",
    "下周三我要去上海出差，帮我查一下从杭州过去的高铁。",
    "我用 Python 写后端，数据库是 PostgreSQL，部署在 Kubernetes 上。",
    "- residence: Berlin (since 2021-03-04)\n- diet: vegetarian\n- 语言：中文",
    "def add(a, b):\n    return a + b\n",
)


def test_tiktoken_counts_what_cl100k_gives():
    counter = TiktokenCounter()
    assert [counter.count(t) for t in ("hello world", "我对花生过敏。", "<|endoftext|>")] == [2, 9, 7]


def test_nothing_is_loaded_before_the_first_count():
    code = "import sys, hermes_core.tokens as t; t.TiktokenCounter(); t.ApproximateCounter().count('x'); print('tiktoken' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_an_unknown_encoding_is_named():
    with pytest.raises(InvalidInput, match="no_such_encoding"):
        TiktokenCounter("no_such_encoding").count("x")


@pytest.mark.parametrize("text", EVERYDAY)
def test_the_approximation_is_near_and_rarely_under(text):
    real, near = TiktokenCounter().count(text), ApproximateCounter().count(text)
    assert 0.85 * real <= near <= 1.6 * real


@pytest.mark.parametrize("answer", [-1, 1.5, None, "many", float("nan"), True])
def test_a_counter_that_gives_no_count_is_told_so(answer):
    counter = CallableCounter(lambda text: answer, "mine")
    if answer is True:
        assert counter.count("x") == 1
        return
    with pytest.raises(InvalidInput, match="mine"):
        counter.count("x")


def test_a_counter_never_sees_a_lone_surrogate():
    seen = []
    CallableCounter(lambda text: seen.append(text) or 0).count("a\ud800b")
    assert seen == ["a?b"]


def test_only_functions_count():
    with pytest.raises(InvalidInput, match="str"):
        CallableCounter("cl100k")
