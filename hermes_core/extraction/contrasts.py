"""Corrections that name only the old and the new: "It's Anna, not Hanna", 「不是李明，是黎明」 (F9, W12).

What they correct was said by the user before; its words with the new one in place of the old are what is now so. Words
only: which known statement is meant is found by its value, and what becomes of it is the gates' business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from hermes_core.catalogue import Catalogue
from hermes_core.extraction.questions import is_chinese
from hermes_core.items import Candidate, MemoryItem, Tone, Turn

LONGEST = 120  # characters of a sentence that is looked at
CONFIDENCE = 0.9
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:(?<=\d)[.](?=\d)[^.!?。！？\n]+)*")

# What says that something is put right: a bare "tea, not coffee" may be a choice, "no, Canberra, not Sydney" a lesson.
_SORRY = r"(?:(?:no+|nope|wait|actually|well)[,:;!]* )*(?:(?:sorry|oops|correction|typo|my (?:mistake|bad))[,:;!]* )+"
_LEAD = r"(?:(?:no+|nope|sorry|oops|wait|actually|correction|typo|my (?:mistake|bad)|well)[,:;!]* )*"
_RIGHTS = (
    rf"{_LEAD}(?:i (?:mean|meant)(?: to (?:say|write|type))?|it's|it is|that's|that is|it was"
    r"|(?P<own>my) (?:first |last |family |full |middle )?(?:name|surname|birthday|address|number|job|title|age) (?:is|was)"
    r"|(?P<third>(?:her|his|their) (?:first |last |family |full )?(?:name|surname|birthday|address|job|age) (?:is|was)|(?:she|he)(?:'s| is)(?: called| named)?"
    r"|(?:she|he|they) (?:works?|lives?|stud(?:y|ies)) (?:in|at|for)))[,:;]* "
)
_THING = r"(?!(?:i|i'm|we|you|he|she|they|it|it's|this|that|there|not|just|only|because|if|to|going|so|basically|really|more|about|like|almost|kind|sort)(?![\w]))[^,;]{1,40}?"
_ENGLISH = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:{_RIGHTS}|{_SORRY})(?P<new>{_THING}),? (?:and )?not (?P<old>{_THING})$",
        rf"(?:{_RIGHTS}|{_SORRY})?not (?P<old>{_THING})[,;]? (?:but|it's|it is|i meant|i mean) (?P<new>{_THING})$",
    )
)
_RIGHTS_ZH = r"(?:(?:(?:(?i:sorry|actually|oops|wait|no|correction|typo)(?![A-Za-z]))|不对|不是的?(?=[，,])|不是这样|抱歉|对不起|不好意思|(?:我)?(?:说|写|打|记)错了|更正(?:一下)?|纠正(?:一下)?|其实|准确(?:地)?说)[，,：: ]*)*"
_WHO_ZH = r"(?:(?P<third>她|他|它)|(?P<own>我))?(?:的(?:名字|生日|姓))?(?:应该)?"
_IS_ZH = r"(?:是|叫|姓|住在?|在)"
_THING_ZH = r"(?![我你他她它这那什怎])[^，,。；]{1,20}?"
_CHINESE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_RIGHTS_ZH}{_WHO_ZH}{_IS_ZH}(?P<new>{_THING_ZH})[，,]\s*(?:而)?不{_IS_ZH}(?P<old>{_THING_ZH})(?:了|啊|哦|的)?$",
        rf"{_RIGHTS_ZH}{_WHO_ZH}不{_IS_ZH}(?P<old>{_THING_ZH})(?:[，,]\s*(?:而)?|而)(?:应该)?{_IS_ZH}(?P<new>{_THING_ZH})(?:了|啊|哦|的)?$",
    )
)
_MORE_WORDS, _MORE_CHARACTERS = 1, 3  # a new value may have so many more than the old one: "Bosch Rexroth, not Bosch"
_CHOICE = re.compile(r"(?<![a-z])or(?![a-z])|还是", re.IGNORECASE)


@dataclass(frozen=True)
class Contrast:
    """The new word, the old one, and where in the turn they are set against each other; of whom: the speaker (True),
    somebody else (False), or not said (None)."""

    new: str
    old: str
    start: int
    end: int
    own: bool | None = None


def contrasts(text: str) -> Iterator[Contrast]:
    """The contrasts of a turn, sentence by sentence; none in long sentences."""
    for match in _SENTENCE.finditer(text.replace("’", "'")):
        words = match.group().strip()
        if not 3 <= len(words) <= LONGEST:
            continue
        start = match.start() + match.group().index(words)
        for pattern in (*_ENGLISH, *_CHINESE):
            if (found := pattern.match(words)) is not None:
                own = False if found["third"] else True if found["own"] else None
                contrast = Contrast(found["new"].strip(), found["old"].strip(), start, start + len(words), own)
                if _alike(contrast):
                    yield contrast
                break


def _alike(contrast: Contrast) -> bool:
    """Whether the new word can stand where the old one did: "Marc with a c" can't, nor "Hamburg has the big harbour"."""
    new, old = contrast.new, contrast.old
    if is_chinese(old):
        return len(new) <= len(old) + _MORE_CHARACTERS
    capital = old[:1].isupper() and not new[:1].isupper() and not new[:1].isdigit()
    return len(new.split()) <= len(old.split()) + _MORE_WORDS and not capital


def reworded(statement: str, contrast: Contrast) -> str | None:
    """The statement with the new word in the old one's place; None when it does not hold the old one."""
    word = re.escape(contrast.old)
    found = re.search(word if is_chinese(contrast.old) else rf"(?<!\w){word}(?!\w)", statement, re.IGNORECASE)
    if found is None or contrast.new.casefold() == contrast.old.casefold():
        return None
    return statement[: found.start()] + contrast.new + statement[found.end() :]


Stated = MemoryItem | Candidate


def put_right(turn: Turn, known: Sequence[Stated], catalogue: Catalogue, heated: bool) -> list[Candidate]:
    """A correction of the newest known statement that each contrast can mean; only where one value stands at a time.

    `known` are items and the batch's own earlier claims, oldest first.
    """
    made = []
    for contrast in contrasts(turn.text):
        if _CHOICE.search(turn.asked) and contrast.new.casefold() in turn.asked.casefold():
            continue  # "Is it tea or coffee?" - "It's tea, not coffee"
        outside = [one for one in known if not _is_of(one, turn, contrast)]
        meant = [one for one in outside if _means(one, contrast, catalogue)]
        if meant:
            made.append(_corrected(turn, contrast, meant[-1], catalogue, heated))
    return made


def told_apart(turn: Turn, claims: Sequence[Candidate], catalogue: Catalogue) -> list[Candidate]:
    """The claims of a turn without what each contrast only denies: 「我住在上海，不是北京」 tells where somebody lives, once."""
    out = list(claims)
    for contrast in contrasts(turn.text):
        kept = []
        for one in out:
            if not (_is_of(one, turn, contrast) and one.polarity > 0):
                kept.append(one)
            elif not (_holds(one.text, contrast.old) and not _holds(one.text, contrast.new) and denied(one.text)):
                kept.append(_of_the_new(one, contrast, catalogue))
        out = kept
    return out


def _of_the_new(one: Candidate, contrast: Contrast, catalogue: Catalogue) -> Candidate:
    """ "My name is Ann not Anne" names Ann."""
    value = one.value.casefold()
    if not value.startswith(contrast.new.casefold()) or not _holds(value[len(contrast.new) :], contrast.old):
        return one
    return msgspec.structs.replace(one, value=catalogue.normalise(one.slot, contrast.new))


def _is_of(one: Stated, turn: Turn, contrast: Contrast) -> bool:
    """Whether a claim was made of the contrast's own words, so that nothing before it can be meant by them."""
    if not isinstance(one, Candidate) or one.turn_id != turn.id:
        return False
    sentence = turn.text[contrast.start : contrast.end]
    return one.quote.strip(" .!?。！？") in sentence or sentence in one.quote


def _holds(words: str, part: str) -> bool:
    return part.casefold() in words.casefold()


_DENIED = re.compile(
    r"(?:(?<![a-z])(?:not|never|no longer|isn't|aren't|wasn't|don't|doesn't|didn't|ain't)(?![a-z])|[不没](?!仅|但|只|光|过))[^,，;；。.]*$",
    re.IGNORECASE,
)


def denied(text: str, before: int | None = None) -> bool:
    """Whether the part of a statement that ends at a place, or its last one, denies something."""
    return _DENIED.search(text[:before].replace("’", "'")) is not None


def _means(one: Stated, contrast: Contrast, catalogue: Catalogue) -> bool:
    if one.polarity < 0 or reworded(one.text, contrast) is None:
        return False
    if denied(one.text, one.text.casefold().find(contrast.old.casefold())):
        return False
    if contrast.own is not None and contrast.own != (one.subject == "user"):
        return False
    slot = catalogue.slot(one.slot)
    alone = (slot is not None and slot.exclusive) or ":" in one.slot or one.subject != "user"
    old = catalogue.normalise(one.slot, contrast.old)
    return alone and (old == one.value or reworded(one.value, contrast) is not None)


def _corrected(turn: Turn, contrast: Contrast, one: Stated, catalogue: Catalogue, heated: bool) -> Candidate:
    value = catalogue.find(one.slot, contrast.new) or reworded(one.value, contrast) or contrast.new
    return Candidate(
        kind=str(one.kind),
        slot=one.slot,
        value=catalogue.normalise(one.slot, value),
        text=reworded(one.text, contrast) or one.text,
        quote=turn.text[contrast.start : contrast.end],
        turn_id=turn.id,
        subject=one.subject,
        exclusive=True,
        tone=str(Tone.EMOTIONAL if heated else Tone.CALM),
        correction=True,
        confidence=CONFIDENCE,
        importance=one.importance,
        corrects=one.text,
    )
