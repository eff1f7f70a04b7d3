"""What a pronoun stands for when the words just before it name the thing: "Do you like hummus? I love it." (X3, W2)

Only the clause before, only what it asks after or praises; anything less plain stays unread. No meaning is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hermes_core.extraction.harm import may_harm
from hermes_core.extraction.lexicon import plain

LONGEST = 40  # characters of what is pointed at
MOST_HARMFUL = 3  # words of a thing that somebody is allergic to

_ASKED_EN = re.compile(
    r"(?:so |and |but |well,? )?(?:do|did|don't) (?:you|u) (?:ever |also |still |really |often )*(?:like|love|enjoy|eat|drink|watch|play|listen to|read|prefer|cook|hate)(?: to)? (?P<thing>[a-z][a-z' -]+?)(?: (?:too|much|a lot|at all|or not|often|as well))?$"
    r"|(?:have you|did you) (?:ever )?(?:tried|try|seen|see|heard of|read|played|eaten|watched|been to) (?P<thing2>[a-z][a-z' -]+?)(?: (?:before|yet|too))?$"
    r"|(?:what|how) about (?P<thing3>[a-z][a-z' -]+?)$",
    re.IGNORECASE,
)
_TOLD_EN = re.compile(
    r"(?P<thing>[a-z][a-z' -]{2,}?) (?:is|are) (?:so |very |really |such )*(?:great|good|fun|nice|cool|awesome|delicious|amazing|the best|yummy|tasty)(?: .*)?$"
    r"|(?:i'm|im|i am|we're|we are) (?:just |still |now |currently |also )*(?:eating|having|drinking|watching|listening to|playing|reading|cooking|making|baking|knitting) (?:some |an? |the |my )?(?P<thing2>[a-z][a-z' -]+?)"
    r"(?: (?:for (?:lunch|dinner|breakfast|a snack)|right now|now|today|tonight|at the moment|again|too))*$",
    re.IGNORECASE,
)
_ASKED_ZH = re.compile(
    r"你(?:也|平时|最|还|经常|会)*(?:喜欢|爱|讨厌|常)(?:吃|喝|看|听|玩|去)?(?P<thing>[\u4e00-\u9fffA-Za-z]{1,8}?)(?:吗|么|嘛|不)?$"
    r"|你(?:吃|喝|看|听|玩|去|试)过(?P<thing2>[\u4e00-\u9fffA-Za-z]{1,8}?)(?:吗|么|没有?)?$"
)
_IT_EN = re.compile(
    r"^(?P<head>(?:i|we) (?:(?:really|also|do|absolutely|just|still|actually|always|do not|don't|never) )*(?:love|like|enjoy|hate|adore|prefer|eat|drink|play|watch|read|dislike|can't stand|cannot stand)(?: to \w+(?: (?:in|on|with|at|for|about|to))?)?) (?:it|them|that|those)(?![a-z])"
    r"|^(?:it|that|they)(?P<tail>(?:'s|s| is| are|'re) (?:one of )?my (?:absolute |all[- ]time |all time )?(?:favou?rites?|passion|hobby|go-?to|thing|obsession)(?![a-z]))",
    re.IGNORECASE,
)
_IT_ZH = re.compile(r"^(?P<head>我(?:也|很|特别|非常|最|超|真的|一直|从小|不|不太)*(?:喜欢|爱|讨厌|爱吃|爱喝|爱看))(?:它们?|这个|那个)(?=$|[，,了的])|^(?:它|那|这)(?P<tail>是我的?(?:最爱|最喜欢|首选|爱好))")  # fmt: skip
_NO_THING = re.compile(
    r"(?:it|that|this|them|those|to|you|your .*|any.*|some.*|my .*|what.*|the same|he|she|they|there|everything)$",
    re.IGNORECASE,
)


# "My favourite tea used to be mint, now it's rooibos", 「我最喜欢的茶以前是薄荷，现在是普洱」.
_WAS = re.compile(
    r"(?P<of>(?:my|our) [\w' -]{2,40}?) used to be [^,]{1,40}$|(?P<of2>(?:我们?|咱)(?:的)?[^，。]{0,8}?的[^，。]{1,6}?)(?:以前|原来|之前|过去|曾经)(?:是|叫)[^，。]{1,12}$",
    re.IGNORECASE,
)
_IS_NOW = re.compile(
    r"(?:and |but )?(?:(?:now|these days|lately),? )?(?:it's|it is|its|they're|they are) (?:now )?(?P<what>(?!not\b|over\b|gone\b|too\b)[^,]{1,40})$"
    r"|(?:但是?|不过|而)?(?:现在|如今|目前)(?:改)?(?:是|叫|变成了?|换成了?)(?P<what2>[^，。]{1,12})$",
    re.IGNORECASE,
)


def as_now(before: str, core: str) -> str:
    """The statement that "now it's rooibos" makes behind "my favourite tea used to be mint"; "" when it makes none."""
    was, now = _WAS.match(plain(before)), _IS_NOW.match(plain(core))
    if was is None or now is None:
        return ""
    if was["of"] and now["what"]:
        return f"{was['of']} is {now['what']}"
    return f"{was['of2']}现在是{now['what2']}" if was["of2"] and now["what2"] else ""


# "Do you live in a big city? That is my dream."
_ASKED_OF_LIFE = re.compile(
    r"(?:so |and |oh |wow |well,? )*(?:do|are|did|have) (?:you|u) (?:still |really |actually |also )*(?P<life>(?:live|work|own|run|teach|travel|sail|fly|write|paint|sing|act|dance|farm|study|have) (?!you|to\b).{3,40}?)(?: too| now)?$",
    re.IGNORECASE,
)
_MY_DREAM = re.compile(
    r"(?:that|it|this)(?:'s| is| has always been| was always| would be)? (?:just |really |always |kind of )*my (?:big |biggest |lifelong |ultimate |life |childhood )*(?P<dream>dream|goal|wish)(?: too| as well| one day| someday)*$",
    re.IGNORECASE,
)


def as_dreamt(before: str, core: str) -> str:
    """What "that is my dream" says behind a question after the other one's life; "" when it says nothing."""
    life, mine = _ASKED_OF_LIFE.match(plain(before).strip(" ?!.,")), _MY_DREAM.match(plain(core).strip(" .!,"))
    return f"my {mine['dream']} is to {life['life']}" if life and mine else ""


# "I have a cat. Her name is Tori."
_INTRODUCED = re.compile(
    r"(?:(?P<has>(?:i|we)(?:'ve)? (?:also |just |still |only )*(?:have|had|got|own|adopted|rescued|bought)(?: got)? (?:an? |one |another ))(?:[\w-]+ ){0,3}?|(?:my|our) (?:[\w-]+ ){0,2}?)"
    r"(?P<who>dog|cat|puppy|kitten|parrot|rabbit|horse|hamster|turtle|snake|bird|goldfish|ferret|pony|son|daughter|baby|brother|sister|wife|husband|girlfriend|boyfriend)(?![\w'])",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:her|his|its|their) name(?:'s|s| is) (?P<name>[a-z][\w'-]*)$|(?:she|he|it)(?:'s| is) (?:called|named) (?P<name2>[a-z][\w'-]*)$|(?:we|i) (?:named|call|called) (?:her|him|it) (?P<name3>[a-z][\w'-]*)$",
    re.IGNORECASE,
)


def as_named(before: str, core: str) -> str:
    """ "My cat's name is Tori" for "her name is Tori" behind "I have a cat"; "" when nobody was introduced."""
    introduced, said = plain(before), plain(core).strip(" .!,")
    who, named = _INTRODUCED.match(introduced), _NAMED.match(said)
    name = next((part for part in named.groups() if part), "") if named else ""
    if not who or not name or not _only_one(who, introduced[who.end() :], said):
        return ""
    return f"my {who['who']}'s name is {name}"


# "I have a dog walker", "my daughter has a cat": whose name follows is somebody else's, or nobody can tell.
_GOES_ON = re.compile(
    r"$|[ ,]+(?:and|too|now|also|as well|who|that|which|from|at|with|here|for|today|yesterday|last|this|in|he|she|it|named|called|a (?:few|couple|week|month|year))(?![\w'])"
)
_OTHER_ONE = re.compile(
    r"(?<![a-z])(?:an?|his|her|their|another|two|some|my|our|new) (?!(?:few|couple|lot|bit|week|month|year|day)s?(?![a-z]))[a-z]",
    re.I,
)
_IS_ONE = re.compile(r"^(?: is|'s| was| are) (?:just |only |also )*an? ", re.I)
_FEMALE, _MALE = ("daughter", "sister", "wife", "girlfriend"), ("son", "brother", "husband", "boyfriend")


def _only_one(who: re.Match[str], rest: str, core: str) -> bool:
    """Whether the one introduced is the only one that the name can belong to."""
    if rest and not (_GOES_ON.match(rest) if who["has"] else re.match(r"[ ,']", rest)):
        return False
    word, said = who["who"].casefold(), core.casefold()
    if (word in _FEMALE and said.startswith("his ")) or (word in _MALE and said.startswith("her ")):
        return False
    return _OTHER_ONE.search(_IS_ONE.sub(" ", rest)) is None


# "I like cats, but I am allergic to them."
_LIKED = re.compile(
    r"(?:i|we)(?:'d)? (?:really |also |do |just |still |would |used to )*(?:love|like|adore|enjoy|miss|eat|ate|want|tried|had|have)(?: to (?:have|eat|try))? (?:an? |some |the |my )?(?P<thing>[a-z][a-z' -]{2,30}?)(?: too| a lot| as well| so much)?$",
    re.IGNORECASE,
)
_HARMED_BY_IT = re.compile(
    r"(?P<head>(?:i'm|i am|im|i have been|i've been) (?:also |very |really |severely |deathly |highly |super |so |mildly |a (?:bit|little) )*(?:allergic|intolerant) to) (?:it|them|those|that|these)(?: though| too| all)*$",
    re.IGNORECASE,
)


def as_harmed(before: str, core: str) -> str:
    """ "I am allergic to cats" for "I am allergic to them" behind "I like cats"; "" when no thing is named that may harm."""
    liked, harmed = _LIKED.match(plain(before)), _HARMED_BY_IT.match(plain(core).strip(" .!,"))
    if liked is None or harmed is None or _NO_THING.match(liked["thing"]):
        return ""
    words = liked["thing"].split()
    if len(words) > MOST_HARMFUL or not all(map(may_harm, words)):
        return ""  # "I have meetings all day and I'm allergic to them"
    return f"{harmed['head']} {liked['thing']}"


def supplied(before: str, core: str) -> str:
    """The whole statement that a clause makes together with the one before it, or ""."""
    return as_now(before, core) or as_dreamt(before, core) or as_named(before, core) or as_harmed(before, core)


def thing_named(core: str, language: str) -> str:
    """What the clause asks after or praises, in its own words; "" when it isn't plain."""
    text = plain(core).strip(" ?？!.,，。")
    match = _ASKED_ZH.match(text) if language == "zh" else _ASKED_EN.match(text) or _TOLD_EN.match(text)
    if match is None:
        return ""
    thing = next((part for part in match.groups() if part), "").strip()
    return "" if len(thing) > LONGEST or _NO_THING.match(thing) else thing


def as_meant(core: str, thing: str, language: str) -> str:
    """The clause with the thing in place of the pronoun that points to it; "" when no pronoun does."""
    pattern = _IT_ZH if language == "zh" else _IT_EN
    match = pattern.match(plain(core))
    if match is None or not thing:
        return ""
    if match.group("head"):
        return f"{match.group('head')}{'' if language == 'zh' else ' '}{thing}{core[match.end() :]}"
    tail = re.sub(r"^s ", " is ", match.group("tail"))
    return f"{thing}{tail}{core[match.end() :]}"


# 「我喜欢看书，画画，打球」: what follows is liked as well.
_LIKES_ZH = re.compile(
    r"(?P<like>我(?:们)?(?:平时|平常|一般|最|也|都|很|非常|特别|比较|还|就|挺|更|周末|从小)*(?:不喜欢|喜欢|爱|热爱|讨厌))(?!你|他|她)"
)
_ONE_MORE = re.compile(
    r"(?:还有|和|或者?|以及)?(?P<x>(?:看|听|玩|打|踢|跑|画|写|唱|跳|吃|喝|睡|逛|旅|爬|骑|游|下|弹|做|养|拍|读|钓|练|健|滑|上|聊|摄|烘|种|追|学|爬|露|徒|散|瑜|编|攒|收集)[\u4e00-\u9fff]{1,3})$"
)


def liked_too(before: str, after: str) -> str:
    """The statement that one more thing in a row of liked things makes, or ""."""
    liked, thing = _LIKES_ZH.match(before), _ONE_MORE.match(after)
    if liked is None or thing is None or re.search(r"[了过着的不没很]", thing["x"]):
        return ""
    return f"{liked['like']}{thing['x']}"


# 「不是对花生过敏，是对核桃」: to what it is, after what it is not.
_NOT_ALLERGIC_TO = re.compile(
    r"(?:我|咱|俺)?(?:其实|并)*(?:不是|没有?|不)对[^，。]{1,16}(?P<how>过敏|不耐受)(?:的|了)?$"
)
_BUT_TO = re.compile(r"而?是对?(?P<x>(?![我你他她它这那因])(?!.*(?:过敏|不耐受))[^，。对]{1,16}?)(?:了|啦|的)?$")


def allergic_too(before: str, after: str, said: Callable[[str], str]) -> str:
    """The statement that the thing makes which is named in place of one that is not the cause, or ""; `said`: in the
    speaker's own words."""
    denied, thing = _NOT_ALLERGIC_TO.match(before), _BUT_TO.match(after)
    return "" if denied is None or thing is None else f"我对{said(thing['x'])}{denied['how']}"
