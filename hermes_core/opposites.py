"""Statements that can't both hold because of two words that exclude each other: "I'm unemployed" beside "I work as a
nurse", "the job is boring" beside "the job is exciting", 「我不是编辑」 beside 「我是网站编辑」 (W13, O-rows).

By words alone, in English and Chinese; what becomes of either statement is the gates' business.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hermes_core.occasions import times

LONGEST = 40  # characters of a statement that is compared word for word

# ---- where somebody stands: at work, at school, without a job, retired
_ADV = r"(?:现在|目前|已经|早就|一直|也|都|还|今年|其实|就|只|正|才|刚|暂时|是)*"
_JOBS = r"(?:医生|老师|教师|护士|律师|会计|工程师|程序员|设计师|厨师|司机|警察|销售|编辑|翻译|经理|公务员|教练|演员|歌手|主播|记者|客服|导游|裁缝|保安|店员|收银员|快递员|服务员|老板|农民|工人|上班族|白领)"
_END_ZH = r"(?:了|呢|啊|的|呀|哦|吧|啦|嘛)*$"
_END_EN = r"(?: now| right now| at the moment| currently| again| any ?more| yet| these days)?$"
_YEARS_ZH = r"(?:好几年|[\d一二三四五六七八九十两几半]+(?:多)?个?(?:年|月)(?:多)?)?"
# Each closed at its end: "retired from boxing" is no pensioner, and "I work as a volunteer" is no job.
_STANDINGS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "jobless",
            rf"^我?(?:们)?{_ADV}(?:没有?(?:找到|参加|开始)?(?:工作|上班|班上)|失业|待业|无业(?:游民)?|不上班|不工作|辞职在家)(?:在家|中)?{_YEARS_ZH}{_END_ZH}"
            rf"|^i(?:'m| am)(?: currently| still| now)? (?:unemployed|out of work|between jobs|jobless){_END_EN}|^i (?:currently |still )?(?:don't|do not) (?:have a job|work){_END_EN}",
        ),
        ("lost", rf"^我{_ADV}(?:被)?(?:裁员|裁|辞退|开除)(?=了){_END_ZH}|^i (?:just )?(?:lost|quit|left) my job{_END_EN}"),
        ("retired", rf"^我?{_ADV}退休(?:在家)?{_YEARS_ZH}{_END_ZH}|^i(?:'m| am| have| 've)(?: \w+)? (?:retired|a retiree){_END_EN}"),
        (
            "student",
            rf"^我?(?:们)?{_ADV}(?:(?:去|还)?上学|在[\u4e00-\u9fff]{{0,6}}?(?:上学|读书|念书|上大学|读大学|上高中|读高中|上初中|读研|读博|念大学)|在校|没毕业|没有毕业){_END_ZH}"
            rf"|^我?{_ADV}(?:个|一个|一名|名|位|一位)?(?:在校|普通|大[一二三四]的?|高[一二三]的?)?(?:大|高中|初中|中|小|研究|博士|硕士)?(?:学生|研究生|高中生|初中生|博士生)(?:党)?$|^我?{_ADV}(?:上|读|念)?(?:大[一二三四]|高[一二三]|初[一二三]|研[一二三])(?:了)?$"
            rf"|^i(?:'m| am)(?: still| currently)? (?:an? (?:\w+ )?student(?: (?:at|in) [\w ]+)?|in (?:college|high school|university|school)|(?:studying|enrolled) (?:full[- ]time|(?:at|in) [\w ]+)){_END_EN}",
        ),
        (
            "working",
            rf"^我?(?:们)?{_ADV}(?:在工作|工作|上班|参加工作|入职)(?:了|中|呢)?{_YEARS_ZH}{_END_ZH}"
            rf"|^i(?:'m| am) (?:working (?:full[- ]time|now|again)|employed|back at work)(?: full[- ]time)?{_END_EN}|^i (?:now )?work full[- ]time{_END_EN}",
        ),
        (
            "job",
            rf"^我?(?:们)?{_ADV}(?:当|做)?(?:个|一个|一名|名|位|一位)?{_JOBS}{_END_ZH}|^我?{_ADV}有(?:一份|个|一个)?(?:稳定的)?工作{_END_ZH}|^我{_ADV}在(?!家)[\u4e00-\u9fff]{{2,8}}(?:工作|上班){_END_ZH}"
            rf"|^我?{_ADV}(?:在[\u4e00-\u9fff]{{1,8}})?开(?:了|着)?(?:一?个|一?家|间)[\u4e00-\u9fff]{{0,4}}(?:店|公司|餐馆|工厂){_END_ZH}"
            rf"|^i (?:have|got) a (?:\w+ )?(?:full[- ]time |steady )?job{_END_EN}|^i (?:now )?work (?:as an? (?!volunteer)|at (?!home)|for )[\w ]+$|^i(?:'m| am) an? (?:\w+ )?(?:nurse|teacher|doctor|lawyer|engineer|chef|driver|accountant|manager|programmer|designer)$",
        ),
    )
)  # fmt: skip
# A student may have a job, and a pensioner, too; who lost a job may have a new one since (so "lost" only speaks of before).
_EXCLUDE = frozenset(
    map(
        frozenset,
        (
            ("working", "jobless"),
            ("job", "jobless"),
            ("working", "retired"),
            ("working", "student"),
            ("student", "retired"),
        ),
    )
)
_BESIDE = re.compile(
    r"志愿|义工|兼职|打工|实习|课余|业余|勤工|也(?!是)|还在|以前|曾经|之前|原来|\b(?:volunteer\w*|part[- ]time|intern\w*|also|too|besides|while|used to|former\w*|on the side)\b",
    re.IGNORECASE,
)

_FREE = ("student", "retired")
_WORKS = re.compile(
    r"^i(?: also| now| still)* (?:work|volunteer) (?:as|at|in|for|part)\b(?!.*\bfull[- ]time)|^i(?: also| now)? (?:have|got|'ve got) a (?!full)(?:\w+ )?job\b"
    r"|^我.{0,12}(?:打工|兼职|实习|志愿者|义工|做家教)|^我(?:还|也)?有(?:一份|一个|份|个)?(?:\w{0,2})工作",
    re.IGNORECASE,
)

# ---- opposite words
_PAIRS = (
    ("无聊", "有趣"), ("无聊", "有意思"), ("枯燥", "有趣"), ("忙", "闲"), ("忙", "轻松"), ("累", "轻松"), ("轻松", "辛苦"), ("多", "少"), ("大", "小"),
    ("高", "矮"), ("胖", "瘦"), ("早", "晚"), ("远", "近"), ("容易", "难"), ("简单", "复杂"), ("贵", "便宜"), ("好", "差"), ("好", "糟"), ("好", "砸"),
    ("支持", "反对"), ("同意", "反对"), ("有空", "没空"), ("内向", "外向"), ("开朗", "内向"), ("乐观", "悲观"), ("单身", "结婚"), ("单身", "已婚"), ("男", "女"),
    ("boring", "exciting"), ("boring", "interesting"), ("boring", "fun"), ("busy", "quiet"), ("busy", "relaxed"), ("easy", "hard"), ("easy", "difficult"),
    ("good", "bad"), ("well", "badly"), ("great", "terrible"), ("early", "late"), ("near", "far"), ("close", "far"), ("cheap", "expensive"), ("many", "few"), ("often", "rarely"),
    ("often", "seldom"), ("always", "never"), ("big", "small"), ("short", "tall"), ("introvert", "extrovert"), ("introverted", "extroverted"), ("shy", "outgoing"),
    ("optimist", "pessimist"), ("single", "married"), ("supports", "opposes"), ("support", "oppose"), ("morning person", "night owl"), ("alone", "with my family"),
)  # fmt: skip
# Of these what follows says of what: "good at chess", "opposes the plan". The others end their statement: one can have a
# big dog and a small one, but not a dog that is both.
_OBJECT = frozenset(
    "多 少 早 晚 好 差 容易 难 支持 反对 同意 good bad many few often rarely seldom always never near far close "
    "support oppose supports opposes easy hard difficult early late".split()
)
_DENIAL = re.compile(r"[不没]|\bnot\b|n't\b|\bnever\b|\bno\b", re.IGNORECASE)
_TRAILING = re.compile(r"(?:\s*(?:了|的|呢|啊|呀|now|lately|these days|too|indeed))*", re.IGNORECASE)
_DEGREE = re.compile(
    r"现在|目前|其实|最近|一直|平时|always(?= \w+ing)|很|非常|特别|挺|蛮|比较|太|最|真的?|有点儿?|超级?|都|也|还|就|是|的|了|呢|啊|我们?|,|，|\s|\b(?:i|i'm|am|is|are|was|it|very|really|quite|so|pretty|a bit|the|my|a|an)\b",
    re.IGNORECASE,
)

# ---- being something, and not being it
_IS_ZH = re.compile(
    r"^我(?:们)?(?:也|都|就|还|其实|现在|只|当然|真|可|的确|确实)*(?P<no>不|并不)?是(?:一?[个名位]|什么|那种)?(?P<x>[\u4e00-\u9fffA-Za-z]{2,10}?)(?:了|啊|呀|呢)?$"
)
_IS_EN = re.compile(
    r"^i(?:'m| am)(?P<no> not| no longer| not really)?(?: also| just| really| actually| still| now)* an? (?P<x>[a-z][\w -]{2,30}?)(?: any ?more)?$",
    re.IGNORECASE,
)


def opposed(new: str, old: str) -> bool:
    """Whether both texts speak of one thing with words that exclude each other."""
    return may_oppose(new, old) or turned(new, old)


def turned(new: str, old: str) -> bool:
    """Whether both texts are one statement, word for word, at the two ends of a scale."""
    one, other = _plain(new), _plain(old)
    return times(one) == times(other) and _other_end(one, other)


def ends_apart(new: str, old: str) -> bool:
    """Whether the texts differ by two opposite words and by nothing else: "big dogs", "small dogs". Both may hold."""
    return _other_end(_plain(new), _plain(old), anywhere=True)


def side_by_side(new: str, old: str) -> bool:
    """Whether one text names a job and the other one that its speaker studies or is retired: both may hold."""
    one, other = _plain(new), _plain(old)
    return any(
        _WORKS.search(job) and any(pattern.search(state) for name, pattern in _STANDINGS if name in _FREE)
        for job, state in ((one, other), (other, one))
    )


def may_oppose(new: str, old: str) -> bool:
    """Whether the texts are worth comparing however far apart they are as vectors."""
    one, other = _plain(new), _plain(old)
    return times(one) == times(other) and (_stands_elsewhere(one, other) or _is_and_is_not(one, other))


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    return text.replace("’", "'").strip(" .,!。！，~～")


@lru_cache(maxsize=4096)
def standing(text: str) -> str:
    """Where the speaker says that they stand: "working", "student", "jobless", "retired", or ""."""
    if len(text) > LONGEST or _BESIDE.search(text):
        return ""
    return next((name for name, pattern in _STANDINGS if pattern.search(text)), "")


def _stands_elsewhere(one: str, other: str) -> bool:
    mine = standing(one)
    theirs = standing(other) if mine else ""
    if mine == "lost":
        return theirs in ("working", "job")
    return bool(theirs) and frozenset((mine, theirs)) in _EXCLUDE


def _is_and_is_not(one: str, other: str) -> bool:
    for pattern in (_IS_ZH, _IS_EN):
        mine, theirs = pattern.match(one), pattern.match(other)
        if mine and theirs and bool(mine["no"]) != bool(theirs["no"]):
            denied, stated = (mine["x"], theirs["x"]) if mine["no"] else (theirs["x"], mine["x"])
            parted = " " if denied.isascii() else ""  # no man, but a woman
            return (parted + stated.casefold()).endswith(parted + denied.casefold())
    return False


def _other_end(one: str, other: str, *, anywhere: bool = False) -> bool:
    """One statement at both ends of a scale: what is left without the two words is nearly the same."""
    if max(len(one), len(other)) > LONGEST or bool(_DENIAL.search(one)) != bool(_DENIAL.search(other)):
        return False
    for left, right in _PAIRS:
        for a, b in ((left, right), (right, left)):
            if _has(one, a) and _has(other, b) and not _has(one, b) and not _has(other, a):
                return _one_frame(one, a, other, b, anywhere)
    return False


def _has(text: str, word: str) -> bool:
    return re.search(_as_word(word), text, re.IGNORECASE) is not None


@lru_cache(maxsize=256)
def _as_word(word: str) -> str:
    return rf"\b{word}\b" if word.isascii() else word


def _one_frame(one: str, a: str, other: str, b: str, anywhere: bool) -> bool:
    """Both speak of something by name, and of the same: word for word, apart from how much and since when."""
    mine, theirs = _parts(one, a), _parts(other, b)
    return mine == theirs and len("".join(mine)) >= 2 and (anywhere or not mine[1] or {a, b} <= _OBJECT)


def _parts(text: str, word: str) -> tuple[str, str]:
    """What stands before the word and what after it, without what only says how much."""
    before, _, after = re.sub(_as_word(word), "\x00", text, count=1, flags=re.IGNORECASE).partition("\x00")
    if _TRAILING.fullmatch(after):
        after = ""
    return _DEGREE.sub("", before).strip(), _DEGREE.sub("", after).strip()
