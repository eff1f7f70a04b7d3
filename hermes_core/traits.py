"""What a short first-person statement says of one trait, so that two of them can be compared: "I have two kids" and
"I have three kids", 「我不抽烟」 and 「我一天抽一包烟」, "I live alone" and "I live with my parents" (W13, O-rows).

By words alone, in English and Chinese. A trait is counted, or there is one of it, or somebody has it or not; which
status either statement then gets is the gates' business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from hermes_core.likeness import normal
from hermes_core.occasions import times
from hermes_core.schooling import open_stages, stages_clash
from hermes_core.sorts import sort_denied
from hermes_core.trait_words import (
    ADVERBS_ZH,
    COUNTED,
    HAD,
    INTEREST,
    KIN_KEYS,
    NUM,
    OF_KIN,
    OF_KIN_EN,
    ONE,
    SAME_FILLER,
    SUBJECT_ZH,
)

LONGEST = 72  # characters of a statement that is read
ROUGHLY = 0.15  # two counts this near (share of the larger one) may be one, told roughly
FINELY = 0.03  # ... of what is told to the centimetre


class Trait(NamedTuple):
    """`name` and `key` say which trait it is, `value` what is said of it; "yes" and "no" for what one has or does."""

    name: str
    key: str
    value: str


# What is told of one of the user's people or animals says that there is one, and nothing else about the user.
_BEINGS = frozenset({"spouse", "sweetheart", "child", "kids", "sibling", "siblings", "pet"})

# ---- done or not: a predicate, and the same one denied
_PREDICATE_ZH = re.compile(rf"^{SUBJECT_ZH}{ADVERBS_ZH}(?P<no>(?:从来|从|并|也|都)*(?:不|没有?|未)(?:再)?)?(?:是)?(?:怎么|太|很)*(?P<p>[\u4e00-\u9fff]{{1,10}}?)(?:了|呢|啊|的|呀)*$")  # fmt: skip
_PREDICATE_EN = re.compile(
    r"^i(?: (?:usually|often|always|still|really|also|just|actually|regularly|sometimes))*(?P<no> (?:do not|don't|never|cannot|can't|can not|haven't|have never|have not|am not|no longer|don't ever))?(?P<aux> (?:can|have|do|am|'ve|'m))? (?P<p>[a-z][a-z' -]{2,40})$",
    re.IGNORECASE,
)
_MODAL_EN = {"can't": "can", "cannot": "can", "can not": "can", "haven't": "have", "have never": "have", "have not": "have", "am not": "am"}  # fmt: skip
_TAIL_EN = re.compile(r" (?:very well|well|a lot|every \w+|often|regularly|daily|once|twice|much|all the time)$")
_DENIED_TAIL_EN = re.compile(r" (?:at all|any ?more|yet)$")  # "not often" and "not well" deny less
_NO_PREDICATE = re.compile(
    r"知道|觉得|认为|想|打算|准备|希望|记得|确定|清楚|敢|好意思|告诉|同意|是|能够|行|可以|用了|怎么|什么|这|那|它|他|她|你"
)
_SKILLS = frozenset("drive swim cook bake sing dance ski skate surf knit sew draw paint whistle".split())
_MODESTLY = frozenset("sing dance draw paint whistle".split())  # who says so does it badly, and does it all the same
_QUALITIES = frozenset("忙闲胖瘦穷富高矮懒宅")
_ASPECT = re.compile(r"[过了着]")
_QUANTITY = re.compile(rf"(?:一年|一周|一天|一个月|每周)?{NUM}(?:次|遍|回|年|个月|天)(?:了)?$")


def clash(new: str, old: str, *, of_one: bool = True) -> bool:
    """Whether both texts speak of one trait, and can't both be right. `of_one` False: one is told of the user's people,
    which only says that there are such people ("my husband is a driver").
    """
    if of_one and (stages_clash(new, old) or sort_denied(new, old)):
        return True
    mine = traits(new)
    theirs = traits(old) if mine else ()
    if not theirs or times(new) != times(old):
        return False
    return any(_differ(one, other) and (of_one or one.name in _BEINGS) for one in mine for other in theirs)


# What holds for months, and is told in no other words; "my favourite" and what one does may be said of the moment.
_LASTING = frozenset(
    {"age", "family", "height", "weight", "since", "age of", "one grade", "one gender", "one schooling", "spouse"}
)


def tells_of_self(text: str) -> bool:
    """Whether the text plainly tells something lasting of its speaker: an age, since when, married or not, at which school."""
    return bool(open_stages(text)) or any(trait.name in _LASTING for trait in traits(text))


def tells_of_life(text: str) -> bool:
    """Whether the text tells its speaker's stage of life, or how old one of the family is: who is meant is never in doubt."""
    return bool(open_stages(text)) or any(trait.name in ("spouse", "age of") for trait in traits(text))


@lru_cache(maxsize=8192)
def traits(text: str) -> tuple[Trait, ...]:
    """What a statement says of the traits listed here; empty for most statements."""
    plain = text.replace("’", "'").strip(" .,!。！，~～")
    first = re.split(r"[，,。；;！!]|但是?|不过|可是|因为", plain, maxsplit=1)[0].strip()
    if re.match(r"[不没喜爱讨会能从]", first):
        first = "我" + first  # a clause that leaves its subject out
    if len(first) > LONGEST or first[:1].casefold() not in "我iwm":
        return ()
    return tuple(_read(first.casefold()))


def _read(text: str) -> Iterator[Trait]:
    for name, pattern in COUNTED:
        if not (found := pattern.match(text)):
            continue
        if name == "date":
            month, _, day = re.sub("[号日]", "", found["n"]).partition("月")
            yield Trait("one date", _key(found["k"]), f"{_amount(month):.0f}月{_amount(day):.0f}日")
        else:
            yield Trait(name, _whole_key(found.groupdict()), str(_number(found["n"], aged=name == "age of")))
    for name, pattern in ONE:
        if found := pattern.match(text):
            yield Trait("one " + name, "", _filler(name, found["x"]))
    if found := OF_KIN.match(text) or OF_KIN_EN.match(text):
        yield Trait("one job", same_kin(found["k"]), found["x"])
    for name, yes, no in HAD:
        if no.match(text):
            yield Trait(name, "", "no")
        elif yes.match(text):
            yield Trait(name, "", "yes")
    if found := INTEREST.match(text):
        yield Trait("interest", _key(found["x"] or found["y"] or found["z"]), "yes" if found["yes"] else "no")
    yield from _predicate(text)


def _filler(name: str, words: str) -> str:
    """Whom one lives with is not one thing: with my parents, with my brother. Alone or not is."""
    words = SAME_FILLER.get(words, words)
    if name == "live with":
        return "alone" if words in ("alone", "一个人住") else "in company"
    return words


def _predicate(text: str) -> Iterator[Trait]:
    """「我从来不运动」 → (运动, no); "I can't cook at all" → (can cook, no)."""
    if found := _PREDICATE_ZH.match(text):
        words = _QUANTITY.sub("", found["p"])
        core = _ASPECT.sub("", words)
        core = re.sub(r"^有(?=[\u4e00-\u9fff]?[猫狗鱼鸟兔])", "养", core)
        aspect = "过" if "过" in words else ""
        if not aspect and (re.search("[没未]", found["no"] or "") or (not found["no"] and text.endswith("了"))):
            aspect = "了"  # what was not done once, or was, against what one never does
        if (len(core) >= 2 or core in _QUALITIES) and not _NO_PREDICATE.search(core):
            yield Trait("doing", aspect + core, "no" if found["no"] else "yes")
    elif found := _PREDICATE_EN.match(text.replace("i've ", "i have ", 1)):
        no = (found["no"] or "").strip()
        modal = _MODAL_EN.get(no, (found["aux"] or "").strip().lstrip("'"))
        tail = _DENIED_TAIL_EN if no else _TAIL_EN
        words = tail.sub("", found["p"].removeprefix("been able to ").strip())
        if words and modal in ("can", "have"):
            yield Trait("doing", f"{modal} {words}", "no" if no else "yes")
        elif words and modal in ("", "do"):
            yield Trait("doing", words, "no" if no else "yes")


def _whole_key(found: dict[str, str | None]) -> str:
    """What is counted, with its object and per how long: 「学了两年日语」 and 「学日语两年了」 have one key."""
    per = re.sub("^[一每]个?|上$", "", found.get("o") or "")
    return f"{_key((found.get('k') or '') + (found.get('t') or ''))} {_PERIODS.get(per, per)}".strip()


_PERIODS = {"星期": "周", "礼拜": "周", "night": "day", "晚": "天"}
_SAME_KEY = {
    "劳作": "工作", "上班": "工作", "起": "起床", "睡": "睡觉", "小孩": "孩子", "宝宝": "孩子", "闺女": "女儿", "猫咪": "猫", "狗狗": "狗",
    "wake up": "get up", "go to sleep": "go to bed", "kid": "child", "children": "child", "mom": "mother", "mum": "mother", "dad": "father",
    "grandma": "grandmother", "grandpa": "grandfather",
}  # fmt: skip


def same_kin(who: str) -> str:
    """One name of the user's mother, father, …: 「妈」 is 「妈妈」, "mom" is "mother"."""
    plain = normal(who)
    return KIN_KEYS.get(plain) or _SAME_KEY.get(plain, plain)


def _key(words: str) -> str:
    words = re.sub(r"(?<=[a-z]{3})(?:ing|ed)\b|(?<=[a-z]{2}[^s])s$", "", words.strip())
    return _SAME_KEY.get(words) or KIN_KEYS.get(words) or normal(words)


def _differ(one: Trait, other: Trait) -> bool:
    if _unable(one, other) or _unable(other, one):
        return True
    if (one.name, one.key) != (other.name, other.key) or one.value == other.value:
        return False
    if one.name.startswith("one "):
        return one.value not in other.value and other.value not in one.value
    if "no" in (one.value, other.value):
        return "yes" in (one.value, other.value)
    if one.name == "doing" or not (one.value and other.value):
        return False
    return _apart(one.value, other.value, FINELY if one.name == "height" else ROUGHLY)


def _unable(one: Trait, other: Trait) -> bool:
    """ "I can't drive" beside "I drive to work every day": who does, can."""
    deed = one.key.removeprefix("can ")
    if one.name != "doing" or (one.value, other.value) != ("no", "yes") or deed == one.key:
        return False
    if deed in _MODESTLY:
        return False
    plain = " " in deed or deed in _SKILLS  # "I can't run" says nothing against "I run a bakery"
    return plain and other.name == "doing" and f"{other.key} ".startswith(f"{deed} ")


def _apart(one: str, other: str, roughly: float) -> bool:
    try:
        first, second = float(one), float(other)
    except ValueError:
        return False
    return abs(first - second) > roughly * max(first, second)


# ---- numbers
_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2, "半": 0.5, "几": 4}
_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_WORDS = {w: n for n, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}
_WORDS |= {w: n for n, w in enumerate("thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(), 13)}
_TENS = {w: 10 * n for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_WORDS |= {"a": 1, "an": 1, "midnight": 0} | _TENS
_OFTEN = {"once": "1", "twice": "2", "thrice": "3", "half a year": "6 months", "半年": "6个月"}
_UNIT_WORDS = re.compile(
    r"(?:个半|多个|个多|多|个|点半|点|年半?|岁半?|周岁|月|周|天|:\d\d| ?[ap]m| ?(?:years?|months?|weeks?|days?|times)| ?and a half)"
)
_UNITS = {
    "岁": 365.0,
    "年": 365.0,
    "月": 30.0,
    "周": 7.0,
    "天": 1.0,
    "year": 365.0,
    "month": 30.0,
    "week": 7.0,
    "day": 1.0,
}


_FEET = re.compile(r"(?P<f>\d(?:\.\d)?)(?:'| ?(?:feet|foot|ft) ?)(?P<i>\d{1,2})?\"?(?: inches)?")


def _number(words: str, *, aged: bool = False) -> float | str:
    """「一个半月」 and "six months" in days, 「一米八五」 in centimetres, 「八点半」 in hours, any other number as it is; an age
    without a unit in years.
    """
    if feet := _FEET.fullmatch(words):
        return float(feet["f"]) * 30.48 + float(feet["i"] or 0) * 2.54
    if metres := re.fullmatch(r"(?:一米|1[.米])([一二三四五六七八九\d]{1,2})m?", words):
        digits = "".join(str(_DIGITS.get(c, c)) for c in metres[1])
        return 100.0 + float(digits.ljust(2, "0"))
    words = _OFTEN.get(words.strip(), words.strip())
    unit = next((size for name, size in _UNITS.items() if re.search(rf"{name}s?(?: and a half)?半?$", words)), None)
    half = 0.5 if re.search(r"个半|点半|年半|岁半|个?多|and a half", words) else 0.0
    words = words.removeprefix("好").removeprefix("周")
    digits = _UNIT_WORDS.sub("", words)
    amount = _amount(digits.strip())
    if amount is None:
        return ""
    return (amount + half) * (unit or (_UNITS["年"] if aged else 1.0))


def _amount(digits: str) -> float | None:
    if re.fullmatch(r"\d+(?:\.\d+)?", digits):
        return float(digits)
    if digits in _WORDS:
        return float(_WORDS[digits])
    tens, _, ones = digits.replace("-", " ").partition(" ")
    if tens in _TENS and ones in _WORDS:
        return float(_TENS[tens] + _WORDS[ones])
    total = part = 0.0
    last: float | None = None
    for char in digits:
        if char in _DIGITS:
            last = float(_DIGITS[char])
        elif char in _SCALES:
            part += (last if last is not None else 1.0) * _SCALES[char]
            total, part, last = (total + part, 0.0, None)
        else:
            return None
    return total + (last or 0.0) if digits else None
