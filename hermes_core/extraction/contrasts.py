"""Corrections that name only the old and the new: "It's Anna, not Hanna", 「不是李明，是黎明」 (F9, W12).

What they correct was said by the user before; its words with the new one in place of the old are what is now so. Words
only: which known statement is meant is found by its value, and what becomes of it is the gates' business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes_core.catalogue import Catalogue
from hermes_core.items import Candidate, MemoryItem, Status, Tone, Turn

LONGEST = 120  # characters of a sentence that is looked at
CONFIDENCE = 0.9
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:(?<=\d)[.](?=\d)[^.!?。！？\n]+)*")

# What says that something is put right: a bare "tea, not coffee" may be a choice.
_RIGHTS = (
    r"(?:(?:no+|nope|sorry|oops|wait|actually|correction|typo|my (?:mistake|bad)|well)[,:;!]* )*"
    r"(?:(?:i (?:mean|meant)(?: to (?:say|write|type))?|(?:that|it) should (?:be|have been)|should be|make (?:that|it)|it's|it is|that's|that is|it was"
    r"|(?:my|her|his|its|their|our) (?:[\w'-]+ ){0,2}?(?:name|birthday|address|number|job|title|age)? ?(?:is|was)|(?:she|he|it)(?:'s| is) (?:called|named))[,:;]* )"
)
_OPENS = r"(?:(?:no+|nope|sorry|oops|wait|actually|correction|typo)[,:;!]* )+"
_THING = (
    r"(?!(?:i|i'm|we|you|he|she|they|it|it's|this|that|there|not|just|only|because|if|to|going|so)(?![\w]))[^,;]{1,40}?"
)
_ENGLISH = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:{_RIGHTS}|{_OPENS})(?P<new>{_THING}),? (?:and )?not (?P<old>{_THING})$",
        rf"(?:{_RIGHTS}|{_OPENS})?not (?P<old>{_THING})[,;]? (?:but|it's|it is|i meant|i mean|it should be) (?P<new>{_THING})$",
    )
)
_RIGHTS_ZH = r"(?:不对|不是的?(?=[，,])|不是这样|抱歉|对不起|不好意思|(?:我)?(?:说|写|打|记)错了|更正(?:一下)?|纠正(?:一下)?|其实|应该|准确(?:地)?说)*[，,：: ]*"
_IS_ZH = r"(?:是|叫|姓|住在?|在)"
_THING_ZH = r"(?![我你他她它这那什怎])[^，,。；]{1,20}?"
_CHINESE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_RIGHTS_ZH}(?:她|他|它|我)?(?:的(?:名字|生日))?(?:应该)?{_IS_ZH}(?P<new>{_THING_ZH})[，,]\s*(?:而)?不{_IS_ZH}(?P<old>{_THING_ZH})(?:了|啊|哦|的)?$",
        rf"{_RIGHTS_ZH}(?:她|他|它|我)?(?:的(?:名字|生日))?不{_IS_ZH}(?P<old>{_THING_ZH})(?:[，,]\s*(?:而)?|而)(?:应该)?{_IS_ZH}(?P<new>{_THING_ZH})(?:了|啊|哦|的)?$",
    )
)


@dataclass(frozen=True)
class Contrast:
    """The new word, the old one, and where in the turn they are set against each other."""

    new: str
    old: str
    start: int
    end: int


def contrasts(text: str) -> Iterator[Contrast]:
    """The contrasts of a turn, sentence by sentence; none in long sentences."""
    for match in _SENTENCE.finditer(text.replace("’", "'")):
        words = match.group().strip()
        if not 3 <= len(words) <= LONGEST:
            continue
        start = match.start() + match.group().index(words)
        for pattern in (*_ENGLISH, *_CHINESE):
            if (found := pattern.match(words)) is not None:
                yield Contrast(found["new"].strip(), found["old"].strip(), start, start + len(words))
                break


def reworded(statement: str, contrast: Contrast) -> str | None:
    """The statement with the new word in the old one's place; None when it does not hold the old one."""
    edge = "" if re.search(r"[\u3400-\u9fff]", contrast.old) else r"(?<![\w]){}(?![\w])"
    pattern = edge.format(re.escape(contrast.old)) if edge else re.escape(contrast.old)
    found = re.search(pattern, statement, re.IGNORECASE)
    if found is None or contrast.new.casefold() == contrast.old.casefold():
        return None
    return statement[: found.start()] + contrast.new + statement[found.end() :]


def may_contrast(text: str, known: str) -> bool:
    """Whether a turn puts a word of a known statement right, however far the two are as vectors."""
    return any(reworded(known, one) is not None for one in contrasts(text))


def put_right(turn: Turn, known: Sequence[MemoryItem], catalogue: Catalogue, heated: bool) -> list[Candidate]:
    """A correction of the newest known statement that each contrast can mean; only where one value stands at a time."""
    if turn.asked:
        return []  # "Tea or coffee?" - "No, tea, not coffee": a choice
    made = []
    for contrast in contrasts(turn.text):
        meant = [item for item in known if _means(item, contrast, catalogue)]
        if meant:
            item = max(meant, key=lambda one: (one.said_at, one.id))
            made.append(_corrected(turn, contrast, item, catalogue, heated))
    return made


def _means(item: MemoryItem, contrast: Contrast, catalogue: Catalogue) -> bool:
    if item.status is Status.ARCHIVED or item.polarity < 0 or reworded(item.text, contrast) is None:
        return False
    slot = catalogue.slot(item.slot)
    alone = (slot is not None and slot.exclusive) or ":" in item.slot or item.subject != "user"
    old = catalogue.normalise(item.slot, contrast.old)
    return alone and (old == item.value or reworded(item.value, contrast) is not None)


def _corrected(turn: Turn, contrast: Contrast, item: MemoryItem, catalogue: Catalogue, heated: bool) -> Candidate:
    value = catalogue.find(item.slot, contrast.new) or reworded(item.value, contrast) or contrast.new
    return Candidate(
        kind=str(item.kind),
        slot=item.slot,
        value=catalogue.normalise(item.slot, value),
        text=reworded(item.text, contrast) or item.text,
        quote=turn.text[contrast.start : contrast.end],
        turn_id=turn.id,
        subject=item.subject,
        exclusive=True,
        tone=str(Tone.EMOTIONAL if heated else Tone.CALM),
        correction=True,
        confidence=CONFIDENCE,
        importance=item.importance,
        corrects=item.text,
    )
