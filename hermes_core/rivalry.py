"""Whether two statements of one subject can't both hold although no slot says so: by their words alone (W12, W13, O-rows).

One denies what the other says, or both say the same thing with another filler (a number, a date, a name). Structure
(slot, value, polarity) is asked before this, and whoever asks has found the two near each other. No statuses here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from hermes_core.occasions import limits
from hermes_core.opposites import may_oppose, opposed
from hermes_core.singular import another_of_one, only_another
from hermes_core.traits import clash, same_kin

DENIED, DENIED_FOR_GOOD = 0.75, 0.5  # share of a denial's content that the other states; "never" denies more of it
FRAME = 0.6  # likeness of two word sequences, from which they are one frame
FILLED = 0.5  # share of the shorter one's content that both have, where a number differs
EVIDENT = 2.0  # content words that two statements share before words alone tell
_CHARACTER = 2 / 3  # of a word: what one Chinese character weighs

_WORD = re.compile(r"[a-z0-9$€£¥%][a-z0-9$€£¥%'.,:-]*[a-z0-9%]|[a-z0-9]|[\u3400-\u9fff]", re.IGNORECASE)
_CJK = re.compile(r"[\u3400-\u9fff]")
_USER = frozenset({"user"})
_CAPITAL = re.compile(r"(?<=\s)[A-Z][\w'-]+")
_NUMBER = re.compile(r"\d")
_NUMERALS = frozenset(
    """one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand first second
    third once twice monday tuesday wednesday thursday friday saturday sunday weekday weekend january february march april
    may june july august september october november december 一 二 两 三 四 五 六 七 八 九 十 百 千 万 半""".split()
)
_WHEN = frozenset(
    """morning noon afternoon evening night monday tuesday wednesday thursday friday saturday sunday weekend weekday summer
    winter 早 晚 午 夜 周 夏 冬""".split()
)
_NOT_A_DENIAL = re.compile(
    r"not (?:really )?(?:sure|only|just|certain)|n't (?:really )?(?:know|sure|wait|mind|understand|remember)|never ?mind|no (?:problem|doubt|idea)"
    r"|不知道|不仅|不但|不过|不错|没想到|没关系|不好意思|要不|说不定|不一定|不太清楚|不确定|是不是|有没有|要不要|会不会",
    re.IGNORECASE,
)
_FOR_GOOD = re.compile(
    r"\b(?:never|no longer|any ?more)\b|从来没|从没|从未|从来不|从不|未曾|再也不|不再|没有?过", re.IGNORECASE
)
_CEASED = re.compile(
    r"\b(?:quit|gave up|given up|stopped|stop)\b|戒(?:了|掉|咖|烟|酒|糖|茶)|(?:已经|早就)不|不.{1,6}了$", re.IGNORECASE
)
_DENIES = re.compile(
    r"\b(?:not|no|none|neither|nor|cannot|without|dislikes?|hates?|never)\b|n't\b|[不没未]|讨厌|厌恶", re.IGNORECASE
)
_STANCE = re.compile(
    r"\b(?:(?:dis)?likes?|lov(?:e|es|ing)|enjoys?|hates?|prefers?|fond)\b|喜欢|爱|讨厌|厌恶", re.IGNORECASE
)
_WISH = re.compile(
    r"\b(?:want|wanna|would like|'d like|'d love|plan(?:ning)? (?:to|on)|hop(?:e|ing)|wish|dream|thinking (?:of|about)|interested in"
    r"|going to|gonna|consider(?:ing)?)\b|想|打算|希望|准备|计划",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;.!?，；。！？、]+(?=\s|[\u3400-\u9fff]|$)|\s(?:but|while|whereas|although|though|because|so)\s|但是?|不过|可是|因为|所以"
)
_NEVER_MET = re.compile(
    r"\bnever (?:actually |even |really )?(?:met|seen|spoken (?:to|with)|talked (?:to|with)|worked with)\b"
    r"|(?:从来没有?|从没|没有?)(?:见|遇到|认识)过?",
    re.IGNORECASE,
)
_COMPANY = re.compile(
    r"\b(?:with|met|meet(?:ing|s)?|interview(?:s|ed|ing)?|visit(?:s|ed|ing)?|saw|coach(?:es|ed|ing)?)\b|[和跟同]|一起|见(?:了|到|面)",
    re.IGNORECASE,
)
_PLACE = re.compile(r"[\u3400-\u9fff]{2}[馆店厅吧屋]")
_OR = re.compile(r"\s(?:or|nor)\s|或者?|也没有?|也不")
_CHANGES = re.compile(
    r"\b(?:now|instead|rather than|no longer|only|exclusively|solely|primarily|never|not|changed|moved|switched|rescheduled|updated"
    r"|actually|dislikes?|prefers?)\b|n't\b|现在|改|换|不再|只|其实|如今",
    re.IGNORECASE,
)
_CONTRASTS = re.compile(r"\b(?:while|whereas)\b|而")
_ADDS = re.compile(r"\b(?:also|too|as well|another|in addition|besides)\b|也|还|另外|又|同时", re.IGNORECASE)
_STOP = frozenset(
    """a an the i i'm i've i'd i'll im ive me my mine we we're we've our us you your he she it's it its they them their his
    her hers him this that these those is are was were be been being am do does did done don't doesn't didn't have has had
    haven't hasn't having to of in on at for from with by about as and or but so if any ever never not no longer more
    just really very also too can could will would should may might there here what which who whom whose when where how
    than then into out up down over some all both each most now currently recently still already get got going go make made
    before since because while whereas during after actually other others instead only quit stopped stop gave up like likes
    liked love loves loving enjoy enjoys enjoyed hate hates dislike dislikes prefer prefers anyone anything isn't wasn't
    aren't weren't can't cannot won't who's around related exclusively primarily together""".split()
)
_ZH_STOP = frozenset(
    "的了是在我你他她它们有和与就也都很这那个不没未到说要去会着过吗呢啊吧呀哦嘛哈得地把被对从还再只又已经来喜欢爱讨厌恶挺太最些各种样戒掉"
)
_SUFFIXES = ("ing", "ed", "es", "s", "e")
_Y = re.compile(r"(?<=[a-z][b-df-hj-np-tv-xz])(?:y|ies|ied)$")  # country and countries, study and studied


@dataclass(frozen=True)
class Statement:
    """What somebody said of a subject: `polarity` -1 denies the whole of it; `year` of saying, 0 where nobody knows."""

    subject: str
    text: str
    polarity: int = 1
    year: int = 0


def rivals(new: Statement, old: Statement, *, many: bool = False) -> bool:
    """Whether the new statement can't hold beside the old one, of one subject, or naming the old one's subject.

    `many`: both are of a sort of which many hold at once (likings, limits), so that another filler says nothing.
    """
    names = _words(new.subject) | _words(old.subject)
    same = same_kin(new.subject) == same_kin(old.subject)
    named, naming = _named(old.subject, new.text), _named(new.subject, old.text)
    if (same or named or naming) and set_against(new, old):
        return True
    if same or (named and (naming or _words(new.subject) & _words(old.subject))):
        if same and new.polarity == old.polarity and another_of_one(new.text, old.text, (new.year, old.year)):
            return True
        if same and (opposed(new.text, old.text) or clash(new.text, old.text) or only_another(new.text, old.text)):
            return True
        return denied(new, old) or (not many and _refilled(new, old, names))
    if not same and _USER in (_words(new.subject), _words(old.subject)) and clash(new.text, old.text, of_one=False):
        return True
    if naming and not many and _refilled(new, old, _words(new.subject)):
        return True
    return named and _handed_over(new, old, names)


def denied(new: Statement, old: Statement) -> bool:
    """Whether one of the statements denies what the other one says, of the same subject or naming it."""
    names = _words(new.subject) | _words(old.subject)
    return _denied(new, old, names) or _denied(old, new, names)


def another_value(new: Statement, old: Statement) -> bool:
    """Whether two texts near enough to be taken for paraphrases put another value into one frame, word for word."""
    names = _words(new.subject) | _words(old.subject)
    mine, yours = content(new.text) - names, content(old.text) - names
    frame = _amount((mine & yours) - proper(new.text))
    return frame > EVIDENT and _ratio(new.text, old.text) >= FRAME and _refilled(new, old, names)


def may_deny(new: str, old: str) -> bool:
    """Whether one text denies something for good, and both share words: worth a look however near their vectors are.

    So are two texts that put their speaker into two places of which only one can be ("unemployed", "a teacher").
    """
    if may_oppose(new, old) or clash(new, old) or another_of_one(new, old):
        return True
    if not (_for_good(new) or _for_good(old)):
        return False
    return _amount(content(new) & content(old)) >= EVIDENT


@lru_cache(maxsize=4096)
def _for_good(text: str) -> bool:
    return _FOR_GOOD.search(text) is not None


# ---- a denial
def _denied(denial: Statement, other: Statement, names: frozenset[str]) -> bool:
    """Does one clause of `denial` deny what `other` says? What somebody only wishes for is not denied by "never yet"."""
    stated = [part for part in clauses(other.text) if not _denies(part)]
    if other.polarity < 0 or not stated or _WISH.search(other.text):
        return False
    theirs = frozenset().union(*(content(part) for part in stated)) - names - _of_a_place(other.text, denial.text)
    feels = bool(_STANCE.search(other.text))
    parts = clauses(denial.text)
    friends = frozenset() if _words(denial.subject) == _USER else proper(denial.text)
    for part in parts:
        if not (_denies(part) or (denial.polarity < 0 and len(parts) == 1)):
            continue
        every = [content(one) - names for one in _OR.split(part)]  # "never A or B" denies either
        every.append(content(part) - names)
        if _strangers(part, denial.text, other.text):
            return True
        if any(denied & theirs - friends and _takes_away(part, denied, theirs, feels) for denied in every):
            return True
    return False


_NOT_BUT = re.compile(
    r"(?:, (?:and )?|\s)not (?:the |an? )?(?P<x>(?:Dr\. |Mr\. |Mrs\. |Ms\. )?[A-Z][\w'&.-]*(?: (?:of |and |the |for )*[A-Z][\w'&.-]*)*)(?=[,.;!]|$| but )"
)


def set_against(new: Statement, old: Statement) -> bool:
    """ "The talk was at Kew, not Reading" against "her talk at Reading": the new one names the old one's filler, and denies it."""
    names = _words(new.subject) | _words(old.subject) | proper(new.text)
    for found in _NOT_BUT.finditer(new.text.replace("’", "'")):
        denied = content(found["x"])
        rest = (content(new.text) - denied - names) & content(old.text)
        if denied and denied <= content(old.text) and rest and _amount(rest) + _amount(denied) > EVIDENT:
            return True
    return False


def _of_a_place(text: str, beside: str) -> frozenset[str]:
    """Characters that only stand in the name of a place: 「戒咖啡」 says nothing about a 「咖啡馆」, unless it names one too."""
    return frozenset(c for place in _PLACE.findall(text) if place not in beside for c in place[:-1])


def _strangers(part: str, denial: str, other: str) -> bool:
    """ "I've never met Kim" against "I lunch with Kim every week": whoever keeps company has met."""
    if not _NEVER_MET.search(part) or not _COMPANY.search(other):
        return False
    if proper(denial) & proper(other):
        return True
    whom = content(_NEVER_MET.sub(" ", part)) if _CJK.search(part) else frozenset()
    return _amount(whom) >= 1.0 and whom <= content(other)


def _takes_away(part: str, denied: frozenset[str], theirs: frozenset[str], feels: bool) -> bool:
    shared, left = denied & theirs, denied - theirs
    if not shared or left & _stems(_WHEN) or any(_NUMBER.search(w) for w in left):
        return False
    share, amount = _amount(shared) / _amount(denied), _amount(shared)
    if share == 1.0 and (_CEASED.search(part) or (feels and _STANCE.search(part))):
        return True
    bar = DENIED_FOR_GOOD if _FOR_GOOD.search(part) else DENIED
    return share >= bar and amount >= EVIDENT


def _denies(part: str) -> bool:
    plain = _NOT_A_DENIAL.sub(" ", part)
    return bool(_DENIES.search(plain) or _CEASED.search(plain))


# ---- the same frame, another filler
def _refilled(new: Statement, old: Statement, names: frozenset[str]) -> bool:
    """One attribute with another value: what is equal is the attribute, what differs is the value."""
    if (
        new.polarity != old.polarity
        or _ADDS.search(new.text)
        or (_STANCE.search(new.text) and _STANCE.search(old.text))
    ):
        return False
    mine, yours = content(new.text) - names, content(old.text) - names
    shared, gained, lost = mine & yours, mine - yours, yours - mine
    own = _words(new.subject) == _USER
    if not own:  # that two statements name one friend is no attribute
        shared -= proper(new.text)
    if not gained or not lost or not shared:
        return False
    changes = bool(_CHANGES.search(new.text))
    if own and not changes and limits(new.text) != limits(old.text):
        return False  # "at six", and "at ten on weekends"
    part = _amount(shared) / min(_amount(mine), _amount(yours))
    if _value_like(gained) and _value_like(lost):
        words_left = min(len([w for w in side if not _is_value(w)]) for side in (gained, lost))
        return _amount(shared) >= EVIDENT and (part >= FILLED if not words_left else part >= DENIED)
    if own:
        alike = _denies(new.text) == _denies(old.text)
        return changes and alike and _amount(shared) >= EVIDENT and _ratio(new.text, old.text) >= FRAME
    enough = _amount(shared) >= (1.0 if changes else EVIDENT)
    return enough and (part >= FILLED or _ratio(new.text, old.text) >= FRAME)


def _handed_over(new: Statement, old: Statement, names: frozenset[str]) -> bool:
    """ "Kim won it, while Lee didn't" against "Lee won it": somebody else holds what the old one said of its subject."""
    parts = clauses(new.text)
    rest = [part for part in parts if _named(old.subject, part)]
    if not rest or rest[0] == parts[0]:
        return False
    theirs = content(old.text) - names
    shared = content(new.text) & theirs
    return (
        bool(theirs)
        and _amount(shared) >= FRAME * _amount(theirs)
        and (_CONTRASTS.search(new.text) is not None or _CHANGES.search(rest[0]) is not None)
    )


def _value_like(words: frozenset[str]) -> bool:
    return any(_is_value(w) for w in words)


def _is_value(word: str) -> bool:
    return word in _stems(_NUMERALS) or _NUMBER.search(word) is not None


# ---- words
@lru_cache(maxsize=4096)
def clauses(text: str) -> tuple[str, ...]:
    """The parts of a statement that can be denied one by one."""
    return tuple(part.strip() for part in _CLAUSE.split(text) if part and part.strip())


@lru_cache(maxsize=4096)
def content(text: str) -> frozenset[str]:
    """Content words: Latin ones cut to a stem, single Chinese characters."""
    return frozenset(_stem(w) for w in _lowered(text) if w not in _STOP and w not in _ZH_STOP)


@lru_cache(maxsize=4096)
def proper(text: str) -> frozenset[str]:
    """Latin words with a capital inside the text: names."""
    return frozenset(_stem(w.casefold()) for w in _CAPITAL.findall(text.replace("’", "'")))


def _lowered(text: str) -> list[str]:
    return [w.casefold() for w in _WORD.findall(text.replace("’", "'"))]


@lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    return frozenset(_stem(w) for w in _lowered(text)) - {"and"}


def _stem(word: str) -> str:
    word = word.removesuffix("'s").removesuffix("'")
    if _Y.search(word):
        return _Y.sub("i", word)
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not (suffix == "s" and word.endswith("ss")):
            return word[: -len(suffix)]
    return word


@lru_cache(maxsize=8)
def _stems(words: frozenset[str]) -> frozenset[str]:
    return frozenset(_stem(w) for w in words)


def _amount(words: frozenset[str]) -> float:
    return sum(_CHARACTER if _CJK.match(w) else 1.0 for w in words)


def _named(subject: str, text: str) -> bool:
    """The subject's name stands in the text, or the last part of it."""
    parts = _lowered(subject)
    return bool(parts) and bool(_words(subject) & _words(text)) and _stem(parts[-1]) in _words(text)


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, _lowered(one), _lowered(other), autojunk=False).ratio()
