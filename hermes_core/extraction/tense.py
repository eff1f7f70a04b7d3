"""Whether a clause tells what was, or only that something is different now. Pure functions of its words."""

from __future__ import annotations

import re

# "I've moved", 「我换工作了」: that something changed, and not yet to what.
_CHANGE = re.compile(
    r"(?:i|we)(?:'ve| have)? (?:just |recently |finally |only )*(?:moved(?: house| home| again| out)?|changed my mind|changed jobs?|switched jobs?|got a new job)(?: recently| lately| last \w+)?$"
    r"|(?:things|plans|everything|it|that)(?:'s| has| have) (?:all )?changed$"
    r"|(?:我们?|咱)?(?:最近|刚刚?|已经|上周|上个?月|昨天|今天|又|终于)*(?:搬家|换(?:了)?(?:新)?工作|跳槽|改(?:变)?主意|变卦|换公司|情况变)(?:了|啦|咯|喽|哦)*$",
    re.IGNORECASE,
)


def announces_change(core: str) -> bool:
    """Whether a clause only says that something is different now."""
    return _CHANGE.match(core.replace("’", "'").strip(" ,.!。！，~～")) is not None


# "I used to work there", 「我以前在那里工作」, "I lived there": it was so.
_OVER = re.compile(
    r"(?:(?:i|we)(?:'ve| have)? (?:\w+ )?)?(?<!am )(?<!'m )(?<!get )(?<!got )used to (?!it\b|this|that|the )\w|(?:^|\b(?:i|we)(?:'d| had)? )(?:previously|formerly)\b|^(?:back when|in the past|years ago|when i was (?:a kid|a child|young|younger|little|small|in (?:high school|college|university)))"
    r"|^when (?:i|we) (?:was|were) (?:only |just |about |around )?(?:\d{1,2}|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twenty|thirty|forty|fifty)(?:[- ]\w+)?|five|six|seven|eight|nine|ten)(?: years old)?,? (?:i|we|my)(?![a-z])"
    r"|^(?:我|咱)[\d一二三四五六七八九十]{1,3}岁(?:的时候|时|那年)"
    r"|^(?:我们?|咱)(?:的)?[^，。]{0,8}?的[^，。]{1,6}?(?:以前|原来|之前|过去|曾经)(?:是|叫|在)"
    r"|^(?:i|we) (?:once |also |first |then )?(?:lived|worked|resided|studied|smoked) (?!out\b|hard\b|on\b|with\b).*(?<!now)$"
    r"|^(?:i|we)(?:'d)? (?:also |once )?(?:had|suffered from|was|were) .*(?:as (?:an? )?(?:kid|kids|child|children|teen|teenager|baby|toddler|student|young \w+)|when (?:i|we) (?:was|were) (?:an? )?(?:\w+ )?(?:kid|kids|child|children|young\w*|little|small|teen\w*)|in my (?:childhood|youth|teens|early twenties)|back then|growing up)(?![a-z])"
    r"|^(?:(?:我们?|咱)(?:们)?)?(?:以前|曾经?(?!经)|过去|原来(?=在|是|住)|小时候|当年|之前(?=在|是|住|当|做))(?!.*(?:现在|如今|还|一直|就))",
    re.IGNORECASE,
)


def is_over(core: str) -> bool:
    """Whether the clause tells what was, and is no more as far as it says."""
    return _OVER.search(core.replace("’", "'")) is not None
