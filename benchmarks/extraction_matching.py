"""How a measure is stated and how words are matched, for the extraction benchmark."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from extraction_pipeline import Answer

from hermes_core.extraction.support import denies

WORDS = "words, 0.6 of the gold's"
COUNT = "count"
_STOP = frozenset(
    """a an the this that these those i i'm i've me my mine we our us you your he she it its they them their is are was were
    be been being am do does did have has had to of in on at for from with by as about into and or but if so not no don't
    just very really also would will can could there""".split()
)


@dataclass
class Measure:
    """One line of the table; `ok` None means that it is shown and has no target."""

    name: str
    n: int
    value: float
    target: str = ""
    ok: bool | None = None
    how: str = COUNT
    misses: list[str] = field(default_factory=list)


def at_least(name: str, hits: float, n: int, target: float, how: str, misses: list[str] | None = None) -> Measure:
    value = hits / n if n else 0.0
    return Measure(name, n, value, f">= {target:g}", value >= target, how, misses or [])


def at_most(name: str, hits: float, n: int, target: float, how: str, misses: list[str] | None = None) -> Measure:
    value = hits / n if n else 0.0
    return Measure(name, n, value, f"<= {target:g}", value <= target, how, misses or [])


def content_words(text: str) -> set[str]:
    words = {w for w in re.findall(r"[a-z0-9']+", text.lower()) if w not in _STOP}
    for run in re.findall(r"[\u4e00-\u9fff]+", text):
        words |= {run[i : i + 2] for i in range(len(run) - 1)} or {run}
    return words


def carried(gold: str, text: str) -> float:
    """Share of gold's content words that are in the text."""
    wanted = content_words(gold)
    return len(wanted & content_words(text)) / len(wanted) if wanted else 0.0


def kept(gold: str, texts: list[str], share: float = 0.6) -> bool:
    return max((carried(gold, text) for text in texts), default=0.0) >= share


def texts_of(answer: Answer) -> list[str]:
    return [f"{one.candidate.text} {one.candidate.value}" for one in answer.kept]


_GLAD = re.compile(
    r"\b(?:lov|like|enjoy|ador|glad|happy|great|amaz|awesome|fantastic|wonderful|perfect|best|favou?rite|fave|nice|good|excit|thrill"
    r"|thank|appreciat|brilliant|beautiful|fun\b|cool|proud|bless|luck|grateful|impress|honou?r|delight|brave|smart|genius|easy|hero|pleas)"
)
_SORE = re.compile(
    r"\b(?:hate|worst|bad|awful|stupid|annoy|sick of|tired of|unlucky|sham|odd|stink|pain|depress|anxious|unaccept|can'?t stand|dislike"
    r"|sad|angry|terribl|wrong|rude|stress|disappoint|upset|ridicul|horribl|problem|difficult|hard|disgust|mad\b|unfair|boring|lame|fail)"
)


def _mood(text: str) -> int:
    """+1 for a glad stance, -1 for a sore one (a denial turns gladness), 0 for none."""
    lowered = text.lower()
    if _SORE.search(lowered):
        return -1
    if _GLAD.search(lowered):
        return -1 if denies(lowered) else 1
    return 0


def literal_opposite(item: str, meant: str) -> bool:
    """Whether an item keeps what sarcasm only said: a stance that the plain rewording doesn't share, or its denial."""
    mood = _mood(item)
    if mood:
        return _mood(meant) != mood
    return denies(item) != denies(meant) and carried(item, meant) >= 0.5
