"""Statements of which only one holds at a time although their slot takes many: a favourite, where somebody studies, and
"none at all" beside "some" (W13, O-rows). By words alone; what becomes of either statement is the gates' business.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hermes_core.likeness import normal

# What happens once, and in which year it did; a relative year is told from the year of saying.
_YEAR_ZH = r"(?:19|20)?\d\d[年届]|今年|去年|前年"
_ONCE_ZH = r"(?:大学|高中|初中|本科|研究生)?毕业|结婚|出生|生|退休|入职|参加工作|高考|入伍|当兵|离婚|(?:开始(?:学|练|做|写|养|玩)|来|搬来|搬到|考上|进)(?!了|的)[\u4e00-\u9fff]{1,5}?"
_ONCE_EN = (
    r"was born|graduated(?: from [a-z' ]+?)?|finished (?:school|college|university|high school)|(?:got|was) (?:married|divorced)|retired|came here|moved (?:here|to [a-z' ]+?|in)"
    r"|(?:joined|started|left) [a-z' ]+?|(?:have|'ve) been [a-z' ]+? since|(?:have|'ve) (?:lived|worked|studied) [a-z' ]+? since"
)
_SORTS = {
    "季节": ("春天", "夏天", "秋天", "冬天", "春季", "夏季", "秋季", "冬季"),
    "颜色": ("红色", "橙色", "黄色", "绿色", "青色", "蓝色", "紫色", "黑色", "白色", "灰色", "粉色", "棕色", "金色", "银色"),
    "season": ("spring", "summer", "autumn", "fall", "winter"),
    "colour": ("red", "orange", "yellow", "green", "blue", "purple", "black", "white", "grey", "gray", "pink", "brown"),
}  # fmt: skip
_SORT_OF = {word: sort for sort, words in _SORTS.items() for word in words}
_OF_A_SORT_ZH = f"(?:{'|'.join((*_SORTS['季节'], *_SORTS['颜色']))})"
_OF_A_SORT_EN = f"(?:{'|'.join((*_SORTS['season'], *_SORTS['colour']))})"

_FRAMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:my|our) (?P<k>(?:all-time |absolute )?(?:least )?(?:favou?rite|fave) [\w' -]+?) (?:is|are|'s|would be) (?:still |now |definitely |the |a |an )*(?P<x>.+)$",
        r"^(?P<x>[\w' -]+?) (?:is|are) my (?P<k>(?:all-time |absolute )?(?:least )?(?:favou?rite|fave) [\w' -]+)$",
        r"^i (?:currently |now )?(?P<k>study|teach|go to (?:school|college|university)) (?:at|in) (?:the )?(?P<x>[\w' .-]+?)(?: now)?$",
        r"^我?(?:也|现在|目前|一直|其实|就)*最(?P<k>(?:喜欢|喜爱|爱|讨厌|厌恶|不喜欢)[\u4e00-\u9fff]{0,2}的(?!是|还是|就是)[\u4e00-\u9fff]{1,5}?)(?:还是|就是|是)(?P<x>.+)$",
        r"^我?(?:们)?(?:也|现在|目前|一直|其实|就|是|还)*在(?P<x>[\u4e00-\u9fffA-Za-z]{2,10}?)(?P<k>上(?:大)?学|读(?:大学|书|研)|教(?:书|学))(?:呢|啊|的|了)?$",
        r"^我(?:的)?(?P<k>专业|学校)是(?P<x>.+)$",
        rf"^我(?:也|是|就|都|其实|应该)*(?P<x>{_YEAR_ZH})(?:就|才|刚刚?|已经|的时候)*(?P<k>{_ONCE_ZH})(?:的|了)*$",
        rf"^i ?(?P<k>{_ONCE_EN})(?: back)?(?: in)? (?P<x>(?:19|20)\d\d|this year|last year)$",
        rf"^我?(?:也|现在|目前|一直|其实|就|还是)*最(?P<k>喜欢|喜爱|爱|讨厌|厌恶|不喜欢)(?:的(?:还是|就是|是))?(?P<x>{_OF_A_SORT_ZH}(?:[和跟与、]{_OF_A_SORT_ZH})*)(?:了|的)?$",
        rf"^i (?:still |now |really )*(?P<k>like|love|enjoy|prefer) (?P<x>{_OF_A_SORT_EN}) (?:the )?(?:most|best)$",
    )
)
_SAME_DEED = {"上学": "上学", "上大学": "上学", "读大学": "上学", "读书": "上学", "教学": "教书", "favorite": "favourite", "fave": "favourite"}  # fmt: skip
_SAME_SORT = {"时节": "季节", "时令": "季节", "color": "colour", "colors": "colour", "colours": "colour", "seasons": "season", "love": "like", "enjoy": "like", "prefer": "like", "爱": "喜欢", "喜爱": "喜欢", "厌恶": "讨厌"}  # fmt: skip
_MORE = re.compile(r"\b(?:also|too|as well|another|besides|one of|among|and)\b|也|还有|另外|又|之一|都", re.IGNORECASE)
_SEVERAL = re.compile(r"[和跟与、]")
_REST = re.compile(r"[，,；;。]|因为|但是?|不过|\s(?:because|since it|but)\s")
_EMPTY = re.compile(
    r"\b(?:don't|do not|doesn't|never) (?:have|own|keep) any (?P<a>pets|animals|kids|children|siblings|brothers (?:or|and) sisters|hobbies)\b"
    r"|\bhave no (?P<b>pets|animals|kids|children|siblings|hobbies)\b|\b(?:i am|i'm) (?:an )?(?P<c>only child)\b"
    r"|没(?:有|养)?(?:任何|什么|其他|别的|特别的?)*(?P<d>宠物|孩子|小孩|兄弟姐妹|爱好|兴趣爱好)|(?P<e>独生)",
    re.IGNORECASE,
)
_SLOT_OF = {
    "pets": "pets", "animals": "pets", "宠物": "pets",
    "kids": "children", "children": "children", "孩子": "children", "小孩": "children",
    "siblings": "siblings", "brothers or sisters": "siblings", "brothers and sisters": "siblings", "only child": "siblings",
    "兄弟姐妹": "siblings", "独生": "siblings",
    "hobbies": "hobbies", "爱好": "hobbies", "兴趣爱好": "hobbies",
}  # fmt: skip


def another_of_one(new: str, old: str, years: tuple[int, int] = (0, 0)) -> bool:
    """Whether both texts fill one place that has one filler ("my favourite food is …"), each with another one.

    `years` are those in which the texts were said, 0 where nobody knows: "last year" is told from them.
    """
    mine, theirs = _filled(new), _filled(old)
    if mine is None or theirs is None or mine[0] != theirs[0] or _MORE.search(new) or _MORE.search(old):
        return False
    if _RELATIVE.keys() & {mine[1], theirs[1]} or _YEAR.match(mine[1]):
        one, other = _dated(mine[1], years[0]), _dated(theirs[1], years[1])
        return one != other if one and other else not (one or other) and mine[1] != theirs[1]
    return not any(a in b or b in a for a in _SEVERAL.split(mine[1]) for b in _SEVERAL.split(theirs[1]))


_RELATIVE = {"今年": 0, "去年": -1, "前年": -2, "this year": 0, "last year": -1}
_YEAR = re.compile(r"(?P<n>(?:19|20)?\d\d)(?:[年届]|$)")
_PIVOT = 40  # 「91年」 is 1991, 「11年」 is 2011


def _dated(filler: str, said: int) -> int:
    """The year that a filler names; 0 where nobody can tell."""
    if filler in _RELATIVE:
        return said + _RELATIVE[filler] if said else 0
    found = _YEAR.match(filler)
    number = int(found["n"]) if found else 0
    return number + (1900 if number >= _PIVOT else 2000) if 0 < number < 100 else number


_LANGUAGES = frozenset(
    "english spanish french german italian portuguese dutch russian polish turkish arabic hindi urdu bengali mandarin chinese cantonese japanese"
    " korean vietnamese thai greek swedish norwegian danish finnish hebrew persian swahili 英语 英文 法语 德语 日语 日文 韩语 俄语 西班牙语 意大利语"
    " 葡萄牙语 阿拉伯语 中文 汉语 普通话 粤语 广东话".split()
)
_LANGUAGE = re.compile("|".join(rf"\b{w}\b" if w.isascii() else w for w in sorted(_LANGUAGES)), re.IGNORECASE)
_SPEAKS = re.compile(
    r"\b(?:speaks?|spoken|fluent(?:ly)?|bilingual|native language|mother tongue)\b|会(?:说|讲)|能说|懂|说得|流利|母语",
    re.IGNORECASE,
)
_SPEAKS_ONLY = re.compile(
    r"\bonly (?:ever )?(?:speaks?|knows?|fluent)\b|\bspeaks? (?:only|nothing but|no language but)\b|只(?:会)?(?:说|讲|懂)|只会",
    re.IGNORECASE,
)
# "I only speak English at home", 「我在家只说中文」: there and then, or with these; of elsewhere it says nothing.
_SOMEWHERE = re.compile(
    r"\b(?:at (?:home|work|school|church|the \w+|my \w+|uni\w*|dinner|night)|(?:with|to|around) (?:my|our|the|him|her|them|friends|clients|customers|colleagues|family|kids|people)|in (?:class|public|meetings|court|the \w+|my \w+|bed|private)|on (?:\w+days?|weekends?|the \w+|calls|zoom)|during|when|while|online|here|now|today)\b"
    r"|在(?:家|公司|学校|单位|这|外面|店|班)|[跟和对同](?:我|家|爸|妈|父|母|孩|朋友|同事|客户|老板|他|她|人)|上班|上课|平时|工作(?:时|的时候|中)|今天|现在|的时候",
    re.IGNORECASE,
)
_SAME_LANGUAGE = {
    "英文": "英语",
    "日文": "日语",
    "汉语": "中文",
    "普通话": "中文",
    "广东话": "粤语",
    "mandarin": "chinese",
}


def only_another(new: str, old: str) -> bool:
    """ "I only speak Dutch" beside "I'm fluent in Greek": one text rules out every language but those it names."""
    for only, other in ((new, old), (old, new)):
        if (
            _SPEAKS_ONLY.search(only)
            and not _SOMEWHERE.search(only)
            and _SPEAKS.search(other)
            and not re.search(r"[不没]|n't\b|\bnot\b", other)
        ):
            left, named = _languages(only), _languages(other)
            if left and named - left:
                return True
    return False


def _languages(text: str) -> frozenset[str]:
    found = (word.casefold() for word in _LANGUAGE.findall(text))
    return frozenset(_SAME_LANGUAGE.get(word, word) for word in found)


def none_at_all(text: str) -> str:
    """The slot of which the text says that there is nothing in it ("I don't have any pets"), or ""."""
    found = _EMPTY.search(text.replace("’", "'"))
    return _SLOT_OF[next(group for group in found.groups() if group).casefold()] if found else ""


@lru_cache(maxsize=4096)
def _filled(text: str) -> tuple[str, str] | None:
    plain = text.replace("’", "'").strip(" .!。！~～")
    for frame in _FRAMES:
        if (found := frame.match(plain) or frame.match(_REST.split(plain, maxsplit=1)[0].strip())) is not None:
            return _key(normal(found["k"]), normal(found["x"])), normal(found["x"])
    return None


def _key(place: str, filler: str) -> str:
    """One name of the place that is filled: "my favourite color" is "what colour I like best"."""
    words = [_SAME_DEED.get(word, word) for word in place.split()]
    words = [_SAME_SORT.get(word, word) for word in words]
    sort = _SORT_OF.get(_SEVERAL.split(filler)[0], "")
    if len(words) == 1 and sort and words[0] in ("like", "喜欢", "讨厌", "不喜欢"):
        return f"favourite {sort}" if sort.isascii() else f"{words[0]}的{sort}"
    stance, of, noun = "".join(words).partition("的")
    if of and noun:
        return f"{_SAME_SORT.get(stance, stance)}的{_SAME_SORT.get(noun, noun)}"
    return " ".join(words)
