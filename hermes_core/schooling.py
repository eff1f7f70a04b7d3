"""How far somebody is at school by what they say: "I'm in high school" beside "I'm a college student", 「我上高三」 beside
「我早就毕业了」 (W13, O-rows).

A statement leaves some stages open and rules out the others; two that leave none open together can't both be right. By
words alone, in English and Chinese; what becomes of either statement is the gates' business.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hermes_core.occasions import times

LONGEST = 48  # characters of a clause that is read

PRIMARY, JUNIOR, SENIOR, COLLEGE, MASTER, DOCTOR, DONE = range(1, 8)
_SCHOOL = frozenset({PRIMARY, JUNIOR, SENIOR})
_AFTER = frozenset({COLLEGE, MASTER, DOCTOR, DONE})

_WHO_ZH = r"^我(?:们)?(?:现在|目前|今年|已经|其实|还|才|刚|正|就|也|都|是|只)*"
_END_ZH = r"(?:了|呢|啊|的|呀|哦|吧|啦|嘛|哈)*$"
_AT_ZH = rf"{_WHO_ZH}(?:在)?(?:上|读|念)?(?:个|一个|一名|一位)?"
_OF_ZH = rf"(?:的)?(?:学生|生|党|狗)?{_END_ZH}"
_WHEN_ZH = r"(?:(?:\d{2,4}|[一二三四五六七八九零〇]{2,4})(?:年|届)|今年|去年|前年|刚|刚刚|早就|已经|都|是|好几年前|[\d一二两三四五六七八九十几]+年前)*"
_LONG_ZH = r"(?:了)?(?:好几|好多|很多|快|都|有)*[\d一二两三四五六七八九十几多]*(?:年|个月)?(?:多)?"
_WHO_EN = r"^i(?:'m| am)(?: still| currently| now| just| only| also| actually| already)*"
_NOW_EN = r"(?: now| right now| at the moment| currently| this year| again)?$"
_IN_EN = r"(?:(?: in| at| going to| attending| doing(?: an?)?| an?)(?: my| the)?(?: (?:\w+ )?year (?:of|in|at))?|(?: an?)? (?:first|second|third|fourth|final|last)[- ]year)?"
_OF_EN = r"(?: student| pupil| kid| freshman| sophomore| junior| senior)?"
_DONE_EN = r"^i(?:'ve| have)? ?(?:already |just |recently |finally )*(?:graduated|finished)"
_SINCE_EN = r"(?: (?:in (?:\d{4}|[a-z]+)|last (?:year|month|spring|summer|week)|this (?:year|spring|summer)|(?:\w+ )?(?:years?|months?) ago|already|long ago|recently))*$"

# What each leaves open. "I graduated" may be of any school but the first three; "at university", of any degree.
_OPEN: tuple[tuple[frozenset[int], re.Pattern[str]], ...] = tuple(
    (frozenset(stages), re.compile(pattern, re.IGNORECASE))
    for stages, pattern in (
        ({PRIMARY}, rf"{_AT_ZH}(?:小学|小[一二三四五六]|[一二三四五六]年级){_OF_ZH}|{_WHO_EN}{_IN_EN} (?:(?:elementary|primary|grade)(?: |-)?school|kindergarten|(?:the )?(?:first|second|third|fourth|fifth)(?: |-)grade){_OF_EN}{_NOW_EN}"),
        ({JUNIOR}, rf"{_AT_ZH}(?:初中|初[一二三]){_OF_ZH}|{_WHO_EN}{_IN_EN} (?:middle(?: |-)school|junior high(?: school)?){_OF_EN}{_NOW_EN}"),
        ({SENIOR}, rf"{_AT_ZH}(?:高中|高[一二三]|职高){_OF_ZH}|{_WHO_EN}{_IN_EN} (?:senior )?high(?: |-)school{_OF_EN}{_NOW_EN}"),
        ({COLLEGE}, rf"{_AT_ZH}(?:大学|本科|大专|大[一二三四五])(?!毕业){_OF_ZH}|{_WHO_EN}{_IN_EN} undergrad(?:uate)?{_OF_EN}{_NOW_EN}"),
        ({COLLEGE, MASTER, DOCTOR}, rf"{_WHO_EN}{_IN_EN} (?:college|university|uni){_OF_EN}{_NOW_EN}"),
        ({MASTER, DOCTOR}, rf"{_AT_ZH}(?:研究生|研[一二三]|读研){_OF_ZH}|{_WHO_EN}{_IN_EN} (?:grad(?:uate)?(?: |-)school|grad|graduate|postgrad(?:uate)?) ?{_OF_EN}{_NOW_EN}"),
        ({MASTER}, rf"{_AT_ZH}(?:硕士){_OF_ZH}|{_WHO_EN}{_IN_EN} master'?s(?: degree)?{_OF_EN}{_NOW_EN}"),
        ({DOCTOR}, rf"{_AT_ZH}(?:博士|博[一二三四]|读博){_OF_ZH}|{_WHO_EN}{_IN_EN} (?:ph\.?d\.?|doctoral|doctorate)(?: program(?:me)?)?{_OF_EN}{_NOW_EN}"),
        (_AFTER, rf"{_WHO_ZH}{_WHEN_ZH}(?:高中)?(?:就)?毕业{_LONG_ZH}{_END_ZH}|{_DONE_EN}(?: from)?(?: high school)?{_SINCE_EN}"),
        ({MASTER, DOCTOR, DONE}, rf"{_WHO_ZH}{_WHEN_ZH}(?:大学|本科|大专)(?:就)?毕业{_LONG_ZH}{_END_ZH}|{_DONE_EN} (?:from )?(?:college|university|uni){_SINCE_EN}"),
        (_SCHOOL | {DONE}, rf"{_WHO_ZH}(?:没|没有|从没|从来没|未)(?:上|读|念)(?:过)?大学{_END_ZH}|^i(?:'ve| have)? ?(?:never|not|didn't|did not|haven't) (?:been to|gone to|go to|went to|attend(?:ed)?) (?:college|university){_NOW_EN}"),
    )
)  # fmt: skip
_NOT_GRADUATED = re.compile(
    rf"{_WHO_ZH}(?:大学)?(?:还)?(?:没有?|未)毕业{_END_ZH}|^i (?:haven't|have not|didn't|did not) (?:graduated?|finish(?:ed)? (?:school|college|university))(?: yet)?$",
    re.IGNORECASE,
)
_GRADUATED = re.compile(rf"{_WHO_ZH}{_WHEN_ZH}毕业{_LONG_ZH}{_END_ZH}|{_DONE_EN}{_SINCE_EN}", re.IGNORECASE)
_LONG_DONE = re.compile(
    r"毕业(?:了)?(?:好几|好多|很多|[两二三四五六七八九十]+|\d+)年|(?:早就|好几年前|[三四五六七八九十]+年前).{0,4}毕业"
    r"|graduated.*\b(?:long ago|(?:\w+ )?years ago)$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[，,。；;！!]|但是?|不过|可是|因为|\s(?:but|because|so|and)\s")


def stages_clash(new: str, old: str) -> bool:
    """Whether no stage of school is left open by both texts."""
    one, other = _first(new), _first(old)
    mine = open_stages(one)
    theirs = open_stages(other) if mine else frozenset()
    if not theirs or "then" in times(one) | times(other):
        return False
    done_and_not = any(_NOT_GRADUATED.match(a) and _GRADUATED.match(b) for a, b in ((one, other), (other, one)))
    return done_and_not or not (mine & theirs)


@lru_cache(maxsize=4096)
def open_stages(clause: str) -> frozenset[int]:
    """The stages at which the speaker can be by what the clause says; empty where it says nothing of that."""
    if len(clause) > LONGEST or clause[:1].casefold() not in "我i":
        return frozenset()
    if _NOT_GRADUATED.match(clause):
        return _SCHOOL | {COLLEGE, MASTER, DOCTOR}
    found = next((stages for stages, pattern in _OPEN if pattern.match(clause)), frozenset())
    return found - {COLLEGE} if found == _AFTER and _LONG_DONE.search(clause) else found


@lru_cache(maxsize=4096)
def _first(text: str) -> str:
    """The first clause, where somebody says who they are."""
    return _CLAUSE.split(text.replace("’", "'").strip(" .!。！~～"), maxsplit=1)[0].strip()
