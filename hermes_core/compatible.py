"""Pairs of statements that look as if one ruled the other out, and both hold: "I only speak English at home" beside "I
speak French", "I quit smoking" beside "I used to smoke", 「我大儿子五岁」 beside 「我小儿子三岁」 (W13).

By words alone, in English and Chinese; only ever asked of a pair that something else found contradictory.
"""

from __future__ import annotations

import re

# Where somebody lives, and with whom.
_LIVES_IN = re.compile(r"(?<![a-z])(?:live|lives|living) (?:in|at|near|on|outside)(?![a-z])", re.I)
_LIVES_WITH = re.compile(r"(?<![a-z])(?:live|lives|living) (?:with|alone|by (?:him|her|my)sel)", re.I)
# What was once, and what nobody can have been once.
_ONCE = re.compile(
    r"^(?:i|we|my [\w'-]+|he|she)(?: also| once)* (?:used to (?!it\b|the\b|that\b)|was (?!born|told|wrong|never)|once )|^(?:我|我们)?(?:以前|曾经|从前|过去|之前)",
    re.I,
)
_NEVER = re.compile(r"(?<![a-z])(?:never|not|n't)(?![a-z])|从来|从没|从未|从不|没有?过", re.I)
_CEASED = re.compile(
    r"(?<![a-z])(?:quit|stopped|gave up|given up|no longer|any ?more|retired|left)(?![a-z])|戒|不再|退休|辞职", re.I
)
# "My older son", 「我小儿子」: which of several.
_WHICH_EN = re.compile(
    r"^my (?P<which>older|elder|oldest|eldest|younger|youngest|big|little|middle|first|second|third|other) (?P<who>son|daughter|brother|sister|child|kid|boy|girl|dog|cat)(?:'s)?(?![a-z])",
    re.I,
)
_WHICH_ZH = re.compile(
    r"^我(?:的|家)?(?P<which>大|小|二|三|老大|老二|老三)(?P<who>儿子|女儿|姐|妹|哥|弟|姑|姨|舅|叔|孙子|孙女|侄子|侄女|狗|猫)"
)
# Sorts of one thing: who likes red wine may well not like the white one.
_OF_A_SORT = re.compile(
    r"(?<![a-z])(?P<sort>red|white|ros[eé]|sparkling|green|black|herbal|dark|milk|hot|cold|iced|raw|cooked|fried|boiled|scrambled|pickled|fresh|canned|brown|sweet|sour|salty|dry|spicy|instant|classical|modern|indoor|outdoor|big|small) (?P<thing>[a-z]+?)s?(?![a-z])",
    re.I,
)
_LIKING = re.compile(
    r"(?<![a-z])(?:likes?|loves?|enjoys?|hates?|dislikes?|prefers?|adores?|drinks?|eats?|fond|fan|favou?rite|stand|into|mind)(?![a-z])",
    re.I,
)
_CITIES = {
    "germany": "berlin munich hamburg cologne frankfurt stuttgart dresden leipzig bremen bonn",
    "france": "paris lyon marseille nice toulouse bordeaux lille",
    "italy": "rome milan naples turin florence venice bologna",
    "spain": "madrid barcelona valencia seville bilbao malaga",
    "portugal": "lisbon porto", "ireland": "dublin cork galway", "austria": "vienna graz salzburg",
    "england": "london manchester leeds liverpool bristol birmingham oxford cambridge",
    "uk": "london manchester leeds liverpool bristol birmingham oxford cambridge edinburgh glasgow cardiff belfast",
    "scotland": "edinburgh glasgow aberdeen", "canada": "toronto montreal vancouver ottawa calgary",
    "australia": "sydney melbourne brisbane perth adelaide", "japan": "tokyo osaka kyoto", "korea": "seoul busan",
    "china": "beijing shanghai guangzhou shenzhen chengdu hangzhou", "india": "mumbai delhi bangalore chennai",
    "netherlands": "amsterdam rotterdam utrecht", "poland": "warsaw krakow gdansk", "sweden": "stockholm gothenburg",
    "norway": "oslo bergen", "denmark": "copenhagen aarhus", "switzerland": "zurich geneva basel bern",
    "usa": "boston chicago seattle denver austin houston dallas atlanta miami", "california": "oakland sacramento fresno",
    "texas": "austin houston dallas", "中国": "北京 上海 广州 深圳 成都 杭州", "日本": "东京 大阪", "德国": "柏林 慕尼黑", "英国": "伦敦", "法国": "巴黎",
}  # fmt: skip
_LIVED = re.compile(r"(?<![a-z])(?:live|lives|lived|living|based)(?![a-z])|住|生活|定居", re.I)


def both_hold(new: str, old: str) -> bool:
    """Whether both texts can be true of one speaker although their words collide."""
    one, other = new.replace("’", "'").strip(), old.replace("’", "'").strip()
    return any(
        test(a, b) for test in (_apart_in_kind, _was_and_is, _within) for a, b in ((one, other), (other, one))
    ) or (_another_of_several(one, other) or _another_sort(one, other))


def _apart_in_kind(one: str, other: str) -> bool:
    if not (_LIVES_IN.search(one) and _LIVES_WITH.search(other)):
        return False
    return not (_LIVES_WITH.search(one) or _LIVES_IN.search(other))


def _was_and_is(was: str, now: str) -> bool:
    """What was once, beside what has ceased: the one is what the other ended."""
    if not _ONCE.search(was) or _ONCE.search(now) or _NEVER.search(was):
        return False
    return _CEASED.search(now) is not None and not re.search(r"never|从来|从没|从未", now, re.I)


def _another_of_several(one: str, other: str) -> bool:
    for pattern in (_WHICH_EN, _WHICH_ZH):
        mine, theirs = pattern.match(one), pattern.match(other)
        if mine and theirs and mine["who"].casefold() == theirs["who"].casefold():
            return mine["which"].casefold() != theirs["which"].casefold()
    return False


def _another_sort(one: str, other: str) -> bool:
    if not (_LIKING.search(one) and _LIKING.search(other)):
        return False  # nobody has green eyes and brown ones
    mine = {f["thing"].casefold(): f["sort"].casefold() for f in _OF_A_SORT.finditer(one)}
    theirs = {f["thing"].casefold(): f["sort"].casefold() for f in _OF_A_SORT.finditer(other)}
    return any(mine[thing] != theirs[thing] for thing in mine.keys() & theirs.keys())


def _within(city: str, country: str) -> bool:
    """ "I've lived in Berlin for 5 years" beside "... in Germany for 10 years"."""
    if not (_LIVED.search(city) and _LIVED.search(country)):
        return False
    return any(
        _names(name, country) and any(_names(town, city) for town in towns.split()) for name, towns in _CITIES.items()
    )


def _names(place: str, text: str) -> bool:
    if not place.isascii():
        return place in text
    return re.search(rf"(?<![a-z]){place}(?![a-z])", text, re.I) is not None
