"""Statements of which only one holds at a time although their slot takes many: a favourite, where somebody studies, and
"none at all" beside "some" (W13, O-rows). By words alone; what becomes of either statement is the gates' business.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hermes_core.likeness import normal

_FRAMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:my|our) (?P<k>(?:all-time |absolute )?(?:least )?(?:favou?rite|fave) [\w' -]+?) (?:is|are|'s|would be) (?:still |now |definitely |the |a |an )*(?P<x>.+)$",
        r"^(?P<x>[\w' -]+?) (?:is|are) my (?P<k>(?:all-time |absolute )?(?:least )?(?:favou?rite|fave) [\w' -]+)$",
        r"^i (?:currently |now )?(?P<k>study|teach|go to (?:school|college|university)) (?:at|in) (?:the )?(?P<x>[\w' .-]+?)(?: now)?$",
        r"^我?(?:也|现在|目前|一直|其实|就)*最(?P<k>(?:喜欢|喜爱|爱|讨厌|厌恶|不喜欢)[\u4e00-\u9fff]{0,2}的(?!是|还是|就是)[\u4e00-\u9fff]{1,5}?)(?:还是|就是|是)(?P<x>.+)$",
        r"^我?(?:们)?(?:也|现在|目前|一直|其实|就|是|还)*在(?P<x>[\u4e00-\u9fffA-Za-z]{2,10}?)(?P<k>上(?:大)?学|读(?:大学|书|研)|教(?:书|学))(?:呢|啊|的|了)?$",
        r"^我(?:的)?(?P<k>专业|学校)是(?P<x>.+)$",
        r"^我(?:也|是|就)*(?P<x>\d+年|今年|去年|前年|明年|[一二三四五六七八九十]+年前)(?:刚|就|才)?(?P<k>(?:大学|高中|本科)?毕业)(?:的|了)?$",
    )
)
_SAME_DEED = {"上学": "上学", "上大学": "上学", "读大学": "上学", "读书": "上学", "教学": "教书", "favorite": "favourite", "fave": "favourite"}  # fmt: skip
_MORE = re.compile(
    r"\b(?:also|too|as well|another|besides|one of|among|and)\b|也|还有|另外|又|之一|和|都", re.IGNORECASE
)
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


def another_of_one(new: str, old: str) -> bool:
    """Whether both texts fill one place that has one filler ("my favourite food is …"), each with another one."""
    mine, theirs = _filled(new), _filled(old)
    if mine is None or theirs is None or mine[0] != theirs[0] or _MORE.search(new) or _MORE.search(old):
        return False
    one, other = mine[1], theirs[1]
    return one not in other and other not in one


def none_at_all(text: str) -> str:
    """The slot of which the text says that there is nothing in it ("I don't have any pets"), or ""."""
    found = _EMPTY.search(text.replace("’", "'"))
    return _SLOT_OF[next(group for group in found.groups() if group).casefold()] if found else ""


@lru_cache(maxsize=4096)
def _filled(text: str) -> tuple[str, str] | None:
    plain = text.replace("’", "'").strip(" .!。！")
    for frame in _FRAMES:
        if (found := frame.match(plain)) is not None:
            key = " ".join(_SAME_DEED.get(word, word) for word in normal(found["k"]).split())
            return key, normal(found["x"])
    return None
