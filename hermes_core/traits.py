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

LONGEST = 48  # characters of a statement that is read
ROUGHLY = 0.15  # two counts this near (share of the larger one) may be one, told roughly

_SUBJECT_ZH = r"我(?:们)?(?:自己)?"
_ADVERBS_ZH = (
    r"(?:平时|平常|现在|目前|今年|去年|前年|上个?月|上周|昨天|最近|一般|通常|经常|常常?|总是|老是|一直|从小|以前|早就|已经|每天|天天|每周|每个月|每月|每年|每次"
    r"|早上|晚上|周末|其实|真的?|就|也|都|还|才|只|又|再|是|很|挺|非常|特别|比较|最|蛮|超级?|可|当然|大概|差不多|确实|一点都?|一点也|根本|完全|一个人)*"
)
_NUM = r"(?:\d+(?:\.\d+)?|[一二两三四五六七八九十百千万半]+)"
_KIN_ZH = (
    r"(?:爸爸|爸|父亲|妈妈|妈|母亲|老公|老婆|丈夫|妻子|男朋友|女朋友|对象|儿子|女儿|哥哥|哥|姐姐|姐|弟弟|弟|妹妹|妹)"
)
_KIN_KEYS = {"爸": "爸爸", "父亲": "爸爸", "妈": "妈妈", "母亲": "妈妈", "丈夫": "老公", "妻子": "老婆", "哥": "哥哥", "姐": "姐姐", "弟": "弟弟", "妹": "妹妹"}  # fmt: skip


class Trait(NamedTuple):
    """`name` and `key` say which trait it is, `value` what is said of it; "yes" and "no" for what one has or does."""

    name: str
    key: str
    value: str


# ---- counted: the same thing, another number
_COUNTED = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("count", rf"^{_SUBJECT_ZH}(?:家)?{_ADVERBS_ZH}(?:有|养)(?:着|了)?{_ADVERBS_ZH}(?P<n>{_NUM})(?:多)?[个只条位名套辆台口头匹](?P<k>[\u4e00-\u9fff]{{1,4}}?)(?:了)?(?=$|[，,])"),
        ("family", rf"^{_SUBJECT_ZH}家(?:里)?(?:一共|总共)?(?:有)?(?P<n>{_NUM})口人?"),
        ("height", rf"^{_SUBJECT_ZH}(?:的)?{_ADVERBS_ZH}(?:身高)?{_ADVERBS_ZH}(?P<n>一米[一二三四五六七八九\d]{{1,2}}|1[.米][5-9]\d?|1[4-9]\d(?=$|cm|厘米|公分))"),
        ("weight", rf"^{_SUBJECT_ZH}(?:的)?{_ADVERBS_ZH}(?:体重)?{_ADVERBS_ZH}(?P<n>{_NUM})(?:多)?(?P<k>斤|公斤|kg)"),
        ("pay", rf"^{_SUBJECT_ZH}(?:的)?(?:工资|收入|月薪)?{_ADVERBS_ZH}(?:一个?月|每个?月|月薪|工资|月入)(?:能)?(?:是|有|赚|挣|拿|到手)?{_ADVERBS_ZH}(?P<n>{_NUM})"),
        ("age", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?:快|刚|刚满|马上)?(?P<n>\d{{1,2}}|[一二三四五六七八九]?十[一二三四五六七八九]?)(?:多)?岁?(?:多)?(?:了)?$"),
        ("clock", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?P<n>{_NUM}点(?:半)?)(?:多|左右|钟|才|就)*(?P<k>起|睡|上班|下班|吃早饭|吃午饭|吃晚饭|上学|放学|回家)"),
        ("since", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?P<k>(?:在[\u4e00-\u9fff]{{1,8}}?)?(?:工作|上班|劳作)|当[\u4e00-\u9fff]{{1,4}}|结婚|学[\u4e00-\u9fff]{{1,4}}?|弹[\u4e00-\u9fff]{{1,3}}?|写[\u4e00-\u9fff]{{1,4}}?|(?:开始)?写作|住在?[\u4e00-\u9fff]{{0,4}}?|谈恋爱)(?:学了|有|了|才|已经|快|都|也就)*(?P<n>(?:{_NUM}|好?几)(?:个半|个多|多个|多)?(?:年|个月|月|周|天))"),
        ("count", r"^(?:i|we)(?: currently| now| also| only| just)? (?:have|own|keep|'ve got|have got)(?: only| just)? (?P<n>\d+|one|two|three|four|five|six|seven|eight|nine|ten|a|an) (?:little |older |younger |big |small |beautiful |young )*(?P<k>[a-z]+?)s?(?=$|[,.;]| and| who| at)"),
        ("since", r"^i(?:'ve| have) (?:been )?(?P<k>[a-z]+(?:ing|ed)?(?: [a-z]+){0,3}?)(?: now)? for (?:about |over |almost |nearly |more than )?(?P<n>(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty) (?:years?|months?|weeks?|days?))"),
        ("clock", r"^i (?:usually |normally |always |typically |now )*(?P<k>get up|wake up|go to bed|go to sleep|start work|finish work|have breakfast|have dinner)(?: at)? (?P<n>\d{1,2}(?::\d\d)?(?: ?[ap]m)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|midnight)\b"),
    )
)  # fmt: skip

# ---- one of it: the same place, another filler
_ONE = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("major", rf"^{_SUBJECT_ZH}(?:大学|本科|研究生)?{_ADVERBS_ZH}(?:的)?(?:专业(?:是)?|(?:学|读)的(?:专业)?是)(?P<x>[\u4e00-\u9fff]{{2,16}})$"),
        ("grade", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?:上|读|念)?{_ADVERBS_ZH}(?P<x>[大高初研][一二三四五]|[一二三四五六七八九]年级)(?:了|的|学生)*$"),
        ("grown", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?:在)?(?P<x>[\u4e00-\u9fff]{{2,6}}?)长大"),
        ("studied", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?:大学)?{_ADVERBS_ZH}在(?P<x>[\u4e00-\u9fff]{{2,8}}?)(?:上(?:的)?(?:大学|学)|读(?:的)?(?:大学|书|研))(?:的|了|呢|读的?)*$"),
        ("colour", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?:喜欢|喜爱|爱)(?:的颜色是)?(?P<x>[红橙黄绿青蓝紫黑白灰粉棕金银]色?)(?:的)?$"),
        ("live with", r"^i(?:'m)?(?: currently| still| now)? liv(?:e|ing) (?P<x>alone|by myself|on my own|with .+)$"),
        ("live with", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?P<x>一个人住|自己住|独居|住校|住宿舍|住家里|住在?家里|(?:和|跟)[\u4e00-\u9fff]{{1,6}}?(?:一起)?住)"),
        ("gender", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?:一?个)?(?P<x>男|女)(?:的|生|孩子?|人|性)?$"),
        ("gender", rf"^{_SUBJECT_ZH}(?P<x>不是(?:男|女))(?:的|生|孩子?|人|性)?$"),
        ("schooling", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?:的)?(?:学历)?{_ADVERBS_ZH}(?P<x>小学|初中|高中|中专|大专|本科|硕士|博士)(?:学历|毕业(?:的|就.{{0,6}})?|生)?(?:了|的)*$"),
    )
)  # fmt: skip
_OF_KIN = re.compile(rf"^我(?:的|家)?(?P<k>{_KIN_ZH})(?:现在|以前|就|也)*(?:是|当|做)(?:一?[个名位])?(?P<x>[\u4e00-\u9fff]{{2,8}}?)(?:的|了)?$")  # fmt: skip
_SAME_FILLER = {"住家里": "和家人", "住在家里": "和家人", "自己住": "一个人住", "独居": "一个人住", "by myself": "alone", "on my own": "alone", "不是男": "女", "不是女": "男"}  # fmt: skip

# ---- had or not: the words that say that one has, and those that say that one has not
_HAD = tuple(
    (name, re.compile(yes, re.IGNORECASE), re.compile(no, re.IGNORECASE))
    for name, yes, no in (
        ("spouse", r"^我(?:的|家)?(?:老公|老婆|丈夫|妻子|先生|太太)|^我(?:们)?(?:已经|早就|都|去年|今年|刚)*(?:结婚|已婚|领证|结过婚)(?!.*离婚)", r"^我(?:们)?(?:现在|还|一直|也|是|都|目前)*(?:单身|没有?结婚|未婚|不是已婚|没有?(?:老公|老婆|丈夫|妻子)|没嫁|没娶)"),
        ("sweetheart", r"^我(?:的|家)?(?:男朋友|女朋友|男友|女友|对象)(?!都)|^我(?:现在|已经|也|是|都)*(?:有(?:个|了)?(?:男朋友|女朋友|男友|女友|对象)|(?:在)?谈恋爱|恋爱中|脱单)", r"^我(?:现在|还|一直|也|是|都|目前|从来|从)*(?:单身|没有?谈?过?(?:男朋友|女朋友|男友|女友|对象|恋爱)|没(?:人|谁)(?:爱|要))"),
        ("child", r"^我(?:的|家)?(?:儿子|女儿|孩子|宝宝|大宝|二宝|闺女)(?!.*(?:以后|将来|没))|^我(?:们)?(?:家)?(?:现在|已经|也|都|就)*有[一二两三四\d]个?(?:儿子|女儿|孩子|宝宝|娃)|^我(?:们)?(?:有|生了)(?:孩子|儿子|女儿)", r"^我(?:们)?(?:现在|还|也|都|目前)*(?:没有?(?:生)?(?:孩子|小孩|娃|宝宝)|不想?生)"),
        ("sibling", r"^我(?:的|家|亲)*(?:哥哥?|姐姐?|弟弟?|妹妹?)(?!们|妹子)|^我(?:还|也|家|就|只)*有[一二两三四\d]?个?(?:哥哥?|姐姐?|弟弟?|妹妹?|兄弟|姐妹)", r"^我(?:家|是|也|就)*(?:独生|没有?(?:亲)?(?:兄弟姐妹|哥哥姐姐|弟弟妹妹|兄弟))|^我?家(?:里)?(?:就|只有)我一个"),
        ("pet", r"^我(?:的|家)?(?:的)?(?:猫|狗|狗狗|猫咪|兔子|仓鼠|鹦鹉|乌龟)(?:叫|是|今年|很|在|特)|^我(?:们)?(?:家)?(?:现在|还|也|就|只|都)*(?:有|养)(?:了|着|过)?(?:[一二两三四\d]?[只条个])?[\u4e00-\u9fff]{0,3}(?:猫|狗|宠物|兔子|仓鼠|鹦鹉|乌龟|金鱼)", r"^我(?:们)?(?:家)?(?:现在|还|也|都|从来|从|一直)*(?:不养|没有?养?过?)(?:任何|什么)?(?:宠物|小动物)"),
        ("car", r"^我(?:现在|平时|也|都)*(?:开(?:的是)?(?:宝马|奔驰|奥迪|大众|丰田|本田|特斯拉|比亚迪|车上班)|有(?:一辆|辆|了)?车)|^我的车(?:是|在)", r"^我(?:们)?(?:家)?(?:现在|还|也|都|目前)*(?:没有?(?:买)?车)"),
        ("house", r"^我(?:现在|已经|也|都|家)*(?:有(?:一套|一?栋|自己的)?(?:房子?|公寓)|买(?:了)?房)", r"^我(?:们)?(?:家)?(?:现在|还|也|都|目前)*(?:没有?(?:买)?(?:自己的)?房子?|租房|租的房)"),
        ("smoking", r"^我.{0,6}(?:抽烟|吸烟|一包烟|烟瘾|抽一?[包根])", r"^我(?:现在|从来|从|一直|也|都|已经)*(?:不|没)(?:会|有)?(?:抽|吸)过?烟|^我(?:已经)?戒烟"),
        ("kids", r"^my (?:son|daughter|kids?|children|oldest|youngest|baby|twins) |^(?:i|we) have (?:a|an|one|two|three|four|five|\d+) (?:kids?|child(?:ren)?|sons?|daughters?|baby)", r"^(?:i|we) (?:don't|do not) have (?:any )?(?:kids|children|a child|a son|a daughter)|^(?:i|we) have no (?:kids|children)|^i(?:'m| am) childless"),
        ("spouse", r"^my (?:husband|wife|spouse) (?!to be)|^i(?:'m| am)(?: happily| now)? married\b", r"^i(?:'m| am) (?:not|un)(?: yet)? ?married|^i(?:'m| am)(?: still)? single\b|^i(?:'ve| have) never been married"),
        ("sweetheart", r"^my (?:boyfriend|girlfriend) |^i have a (?:boyfriend|girlfriend|partner)", r"^i(?:'m| am)(?: still)? single\b|^i (?:don't|do not) have a (?:boyfriend|girlfriend|partner)"),
        ("pet", r"^my (?:dog|cat|puppy|kitten|parrot|rabbit|hamster)(?:'s name)? (?:is|has|loves|sleeps|was)|^(?:i|we) have (?:a|an|one|two|three|\d+) (?:[a-z]+ )?(?:dogs?|cats?|parrots?|rabbits?|hamsters?|pupp(?:y|ies)|kittens?)\b", r"^(?:i|we) (?:don't|do not) (?:have|own|keep) (?:any )?pets|^(?:i|we) have no pets|^i(?:'ve| have) never had (?:a |any )?pets?"),
        ("siblings", r"^my (?:older |younger |big |little |twin )?(?:brother|sister)s? |^i have (?:a|one|two|three|\d+) (?:older |younger |big |little )?(?:brothers?|sisters?|siblings?)", r"^i(?:'m| am) an only child|^i (?:don't|do not) have (?:any )?(?:siblings|brothers or sisters)|^i have no siblings"),
        ("car", r"^my car |^i drive an? |^i (?:have|own) a (?:[a-z]+ )?car\b", r"^i (?:don't|do not) (?:have|own) a car|^i(?:'ve| have) never owned a car"),
        ("smoking", r"^i smoke\b(?! meat| fish)|^i(?:'m| am) a (?:heavy |chain )?smoker", r"^i (?:don't|do not|never|no longer) smoke|^i(?:'m| am) (?:a non-?smoker|not a smoker)|^i(?:'ve| have) never smoked|^i (?:quit|stopped) smoking"),
        ("drinking", r"^i (?:often |usually |regularly |always |like to )?drink (?:a lot of |a |some )?(?:beer|wine|whisk(?:e)?y|alcohol|vodka|cocktails)", r"^i (?:don't|do not|never|no longer) drink(?: any)?(?: alcohol)?$|^i(?:'m| am) (?:sober|a teetotal\w+)"),
    )
)  # fmt: skip

_NAMES = frozenset(name for name, _, _ in _HAD)

# ---- done or not: a predicate, and the same one denied
_PREDICATE_ZH = re.compile(rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?P<no>(?:从来|从|并|也|都)*(?:不|没有?|未)(?:再)?)?(?:是)?(?:怎么|太|很)*(?P<p>[\u4e00-\u9fff]{{1,10}}?)(?:了|呢|啊|的|呀)*$")  # fmt: skip
_PREDICATE_EN = re.compile(
    r"^i(?: (?:usually|often|always|still|really|also|just|actually|regularly|sometimes))*(?P<no> (?:do not|don't|never|cannot|can't|can not|haven't|have never|have not|didn't|did not|am not|no longer|don't ever))?(?P<aux> (?:can|have|do|am|'ve|'m))? (?P<p>[a-z][a-z' -]{2,40})$",
    re.IGNORECASE,
)
_MODAL_EN = {"can't": "can", "cannot": "can", "can not": "can", "haven't": "have", "have never": "have", "have not": "have", "am not": "am"}  # fmt: skip
_TAIL_EN = re.compile(
    r" (?:at all|any ?more|very well|well|a lot|every \w+|often|regularly|daily|once|twice|yet|anymore|much|all the time)$"
)
_NO_PREDICATE = re.compile(
    r"知道|觉得|认为|想|打算|准备|希望|记得|确定|清楚|敢|好意思|告诉|同意|是|能够|行|可以|用了|怎么|什么|这|那|它|他|她|你"
)
_QUALITIES = frozenset("忙闲胖瘦穷富高矮懒宅")
_ASPECT = re.compile(r"[过了着]")
_QUANTITY = re.compile(rf"(?:一年|一周|一天|一个月|每周)?{_NUM}(?:次|遍|回|年|个月|天)(?:了)?$")


def clash(new: str, old: str, *, of_one: bool = True) -> bool:
    """Whether both texts speak of one trait, and can't both be right. `of_one` False: one is told of the user's people,
    which only says that there are such people ("my husband is a driver").
    """
    mine = traits(new)
    theirs = traits(old) if mine else ()
    return any(_differ(one, other) and (of_one or one.name in _NAMES) for one in mine for other in theirs)


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
    for name, pattern in _COUNTED:
        if found := pattern.match(text):
            yield Trait(name, _key(found.groupdict().get("k") or ""), str(_number(found["n"])))
    for name, pattern in _ONE:
        if found := pattern.match(text):
            yield Trait("one " + name, "", _SAME_FILLER.get(found["x"], found["x"]))
    if found := _OF_KIN.match(text):
        yield Trait("one job", _KIN_KEYS.get(found["k"], found["k"]), found["x"])
    for name, yes, no in _HAD:
        if no.match(text):
            yield Trait(name, "", "no")
        elif yes.match(text):
            yield Trait(name, "", "yes")
    yield from _predicate(text)


def _predicate(text: str) -> Iterator[Trait]:
    """「我从来不运动」 → (运动, no); "I can't cook at all" → (can cook, no)."""
    if found := _PREDICATE_ZH.match(text):
        words = _QUANTITY.sub("", found["p"])
        core = _ASPECT.sub("", words)
        core = re.sub(r"^有(?=[\u4e00-\u9fff]?[猫狗鱼鸟兔])", "养", core)
        aspect = "过" if "过" in words else ""
        if (len(core) >= 2 or core in _QUALITIES) and not _NO_PREDICATE.search(core):
            yield Trait("doing", aspect + core, "no" if found["no"] else "yes")
    elif found := _PREDICATE_EN.match(text):
        no = (found["no"] or "").strip()
        modal = _MODAL_EN.get(no, (found["aux"] or "").strip().lstrip("'"))
        words = _TAIL_EN.sub("", found["p"].removeprefix("been able to ").strip())
        if words and modal in ("can", "have"):
            yield Trait("doing", f"{modal} {words}", "no" if no else "yes")
        elif words and modal in ("", "do"):
            yield Trait("doing", words, "no" if no else "yes")


def _key(words: str) -> str:
    words = re.sub(r"(?<=[a-z]{3})(?:ing|ed)\b", "", words)
    words = re.sub(r"^在.*(?=(?:工作|上班|劳作)$)", "", words)
    return {"劳作": "工作", "上班": "工作", "起": "起床", "wake up": "get up", "go to sleep": "go to bed"}.get(words, normal(words))  # fmt: skip


def _differ(one: Trait, other: Trait) -> bool:
    if (one.name, one.key) != (other.name, other.key) or one.value == other.value:
        return False
    if one.name.startswith("one "):
        return one.value not in other.value and other.value not in one.value
    if "no" in (one.value, other.value):
        return "yes" in (one.value, other.value)
    if one.name == "doing" or not (one.value and other.value):
        return False
    return _apart(one.value, other.value)


def _apart(one: str, other: str) -> bool:
    try:
        first, second = float(one), float(other)
    except ValueError:
        return False
    return abs(first - second) > ROUGHLY * max(first, second)


# ---- numbers
_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2, "半": 0.5, "几": 4}
_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_WORDS = {w: n for n, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}
_WORDS |= {"a": 1, "an": 1, "twenty": 20, "midnight": 0}
_UNITS = {"年": 365.0, "月": 30.0, "周": 7.0, "天": 1.0, "year": 365.0, "month": 30.0, "week": 7.0, "day": 1.0}


def _number(words: str) -> float | str:
    """「一个半月」 and "six months" in days, 「一米八五」 in centimetres, 「八点半」 in hours, any other number as it is."""
    if metres := re.fullmatch(r"(?:一米|1[.米])([一二三四五六七八九\d]{1,2})", words):
        digits = "".join(str(_DIGITS.get(c, c)) for c in metres[1])
        return 100.0 + float(digits.ljust(2, "0"))
    unit = next((size for name, size in _UNITS.items() if re.search(rf"{name}s?$", words)), 1.0)
    half = 0.5 if re.search(r"个半|点半|多", words) else 0.0
    words = words.removeprefix("好")
    digits = re.sub(
        r"(?:个半|多个|个多|多|个|点半|点|年|月|周|天|:\d\d| ?[ap]m| ?(?:years?|months?|weeks?|days?))", "", words
    )
    amount = _amount(digits.strip())
    return (amount + half) * unit if amount is not None else ""


def _amount(digits: str) -> float | None:
    if re.fullmatch(r"\d+(?:\.\d+)?", digits):
        return float(digits)
    if digits in _WORDS:
        return float(_WORDS[digits])
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
