"""What the question before a turn asks of the user, as the statements that a yes, a no or a few words make of it (W2, law G).

Only questions about the user are read: an offer, an order in disguise, or a question about the asker is none. Nothing
here looks at the answer (answers.py), and no words of the asker become anybody's statement by themselves.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from hermes_core.extraction.lexicon import word_pattern

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_CJK = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class Form:
    """A question of one form and what an answer {x} to it states; `none` what "none" does."""

    ask: re.Pattern[str]
    say: str
    none: str = ""
    number: bool = False  # the answer holds a number
    most: int = 0  # words at most, 0: as usual
    slot: str = ""  # what it is about, where that is certain


@dataclass(frozen=True)
class Question:
    """`words` verbatim. `affirm` and `deny` are what yes and no state; `say` holds {x} for what a few words state.

    A denial "any more" is `ended`; `choices` are the two statements that the question offers. Empty: no such answer is read.
    """

    words: str
    language: str
    affirm: str = ""
    deny: str = ""
    ended: str = ""
    say: str = ""
    none: str = ""
    number: bool = False
    most: int = 0
    slot: str = ""
    choices: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    text = (resources.files("hermes_core.extraction") / "data" / "answers.toml").read_text(encoding="utf-8")
    data: dict[str, Any] = tomllib.loads(text)
    return data


@lru_cache(maxsize=64)
def words_like(name: str, language: str) -> re.Pattern[str]:
    """One list of data/answers.toml as a pattern."""
    return word_pattern(_data()[name][language])


def echoes(question: str) -> tuple[str, ...]:
    """What a Chinese answer may say back of an English question's verbs."""
    return tuple(
        word for verb, said in _data()["echo"].items() if word_pattern([verb]).search(question) for word in said
    )


@lru_cache(maxsize=2)
def forms(language: str) -> tuple[Form, ...]:
    rows = [row for row in _data()["form"] if row["lang"] == language]
    return tuple(
        Form(
            re.compile(f"(?:{row['ask']})$", re.IGNORECASE),
            row["say"],
            row.get("none", ""),
            bool(row.get("number")),
            int(row.get("most", 0)),
            row.get("slot", ""),
        )
        for row in rows
    )


def is_chinese(text: str) -> bool:
    return _CJK.search(text) is not None
