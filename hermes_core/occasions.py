"""When and where a statement holds, under one name in both languages: "at work", 「工作时」 and 「上班的时候」 are one
occasion (W13). Words only; who asks is likeness.py, and what the user said stays as it was said.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ZH_DAYS = ("一", "二", "三", "四", "五", "六", "日")
_NAMES: dict[str, tuple[str, ...]] = {
    "morning": ("morning", "早上", "早晨", "上午", "清晨", "清早", "一早"),
    "noon": ("noon", "midday", "中午"),
    "afternoon": ("afternoon", "下午"),
    "evening": ("evening", "傍晚", "晚上", "晚间"),
    "night": ("night", "夜里", "夜晚", "半夜", "深夜", "midnight", "夜间"),
    "bedtime": ("bedtime", "before bed", "before bedtime", "睡前", "睡觉前", "临睡前"),
    "weekend": ("weekend", "周末", "双休日"),
    "weekday": ("weekday", "workday", "working day", "work day", "工作日", "平日", "上班日"),
    "holidays": ("holiday", "vacation", "节假日", "假期", "放假", "度假", "休假"),
    "spring": ("spring", "春天", "春季"),
    "summer": ("summer", "夏天", "夏季", "夏日"),
    "autumn": ("autumn", "fall", "秋天", "秋季"),
    "winter": ("winter", "冬天", "冬季"),
    "work": ("work", "working", "i work", "i'm working", "am working", "the office", "office", "my desk", "on the job", "工作", "上班", "公司", "办公室", "单位", "工作中", "上班期间", "工作期间"),
    "after work": ("after work", "下班后", "下班", "下班以后"),
    "home": ("home", "my house", "家", "家里", "在家"),
    "school": ("school", "class", "学校", "上课", "上学", "课上"),
    "after school": ("after school", "放学后", "放学"),
    "travel": ("travel", "travelling", "traveling", "i travel", "i'm travelling", "i'm traveling", "trips", "the road", "on the road", "旅行", "旅游", "出门", "旅途中", "路上"),
    "business trips": ("business trips", "business trip", "出差", "出差期间"),
    "code": ("code", "coding", "programming", "i code", "i program", "i'm coding", "写代码", "编程", "编码", "代码"),
    "exercise": ("exercise", "exercising", "workouts", "working out", "i work out", "training", "运动", "健身", "锻炼"),
    "driving": ("driving", "i drive", "i'm driving", "开车"),
    "reading": ("reading", "i read", "看书", "阅读", "读书"),
    "studying": ("studying", "i study", "i'm studying", "学习", "复习"),
    "cooking": ("cooking", "i cook", "做饭", "烹饪"),
    "breakfast": ("breakfast", "早餐", "早饭", "吃早饭", "吃早餐"),
    "lunch": ("lunch", "午餐", "午饭", "吃午饭"),
    "dinner": ("dinner", "supper", "晚餐", "晚饭", "吃晚饭"),
    "before meals": ("before meals", "饭前"),
    "after meals": ("after meals", "饭后"),
    "parties": ("parties", "a party", "聚会", "聚会上", "派对"),
    "restaurants": ("restaurants", "a restaurant", "餐厅", "餐馆", "饭店"),
    "planes": ("planes", "plane", "flights", "flight", "i fly", "飞机上", "坐飞机"),
    "trains": ("trains", "train", "火车上", "坐火车"),
    "abroad": ("abroad", "国外", "出国"),
    "meetings": ("meetings", "meeting", "开会", "会上"),
    "stress": ("stressed", "i'm stressed", "i am stressed", "压力大", "有压力"),
    "tired": ("tired", "i'm tired", "i am tired", "累", "很累"),
    "alone": ("alone", "i'm alone", "i am alone", "一个人", "独自"),
    "rain": ("raining", "it's raining", "it rains", "下雨", "下雨天", "雨天"),
}  # fmt: skip
_FRAME_EN = re.compile(
    r"^(?:when(?:ever)?|while|in|on|at|during|over|for)\s+(?:i am |i'm |the |my |a )*|^(?:the|my)\s+"
)
_FRAME_ZH = re.compile(r"^(?:在|当|每到|每逢)?(?:我)?(?=.)|(?:的时候|之时|期间|时)$")


@lru_cache(maxsize=1)
def _table() -> dict[str, str]:
    table = {words: name for name, all_words in _NAMES.items() for words in all_words}
    for day, sign in zip(_DAYS, _ZH_DAYS, strict=True):
        table |= {day: day, f"周{sign}": day, f"星期{sign}": day, f"礼拜{sign}": day}
    return table | {"周天": "sunday", "星期天": "sunday", "礼拜天": "sunday"}


@lru_cache(maxsize=4096)
def occasion(words: str) -> str:
    """The one name of an occasion; the words themselves, made plain, where nobody listed them."""
    plain = " ".join(unicodedata.normalize("NFKC", words).casefold().replace("’", "'").split())
    for form in (plain, _FRAME_EN.sub("", plain), _FRAME_ZH.sub("", _FRAME_ZH.sub("", plain))):
        for known in (form, form.removesuffix("s"), f"i {form}"):
            if known in _table():
                return _table()[known]
    return plain


_TIMES = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("weekend", r"\bweekends?\b|周末|双休日"),
        ("weekday", r"\b(?:week|work)days?\b|工作日|平日"),
        ("holidays", r"\b(?:holidays?|vacations?)\b|假期|放假|节假日|寒假|暑假"),
        ("spring", r"\bin (?:the )?spring\b|春天|春季"),
        ("summer", r"\bin (?:the )?summer\b|\bsummers\b|夏天|夏季"),
        ("autumn", r"\bin (?:the )?(?:autumn|fall)\b|秋天|秋季"),
        ("winter", r"\bin (?:the )?winter\b|\bwinters\b|冬天|冬季"),
        *((day, rf"\b{day}s?\b|(?:周|星期|礼拜){sign}") for day, sign in zip(_DAYS, _ZH_DAYS, strict=True)),
        ("sunday", r"周天|星期天|礼拜天"),
        ("today", r"\b(?:today|tonight|this (?:morning|afternoon|evening|week))\b|今天|今晚|今早|这周"),
        ("yesterday", r"\b(?:yesterday|last night)\b|昨天|昨晚"),
        ("earlier", r"\blast (?:week|month|year)\b|\byears ago\b|去年|前年|上个?月|上周|年前"),
        ("then", r"\bused to\b|\bwhen i was\b|\bas a (?:child|kid|teenager|student)\b|\bback then\b|\bin my (?:youth|childhood|teens|twenties)\b"
         r"|(?<!'ve )(?<!have )(?<!has )(?<!has always )\b(?:lived|worked|studied)\b|以前|曾经|小时候|的时候|那时|那年|年轻时"),
        ("later", r"\b(?:someday|one day|in the future|next (?:week|month|year))\b|以后|将来|明年|下个?月"),
    )
)  # fmt: skip


@lru_cache(maxsize=8192)
def times(text: str) -> frozenset[str]:
    """The times that a statement is limited to by its words: two of other times can both hold."""
    return frozenset(name for name, pattern in _TIMES if pattern.search(text))


_LIMITS = frozenset({"weekend", "weekday", "holidays", "spring", "summer", "autumn", "winter", "then"})


def limits(text: str) -> frozenset[str]:
    """Those of its times at which something is so again and again, or once was: "yesterday" only tells when it came to be."""
    return times(text) & _LIMITS
