"""What a pronoun stands for when the words just before it name the thing: "Do you like hummus? I love it." (X3, W2)

Only the clause before, only what it asks after or praises; anything less plain stays unread. No meaning is looked at.
"""

from __future__ import annotations

import re

from hermes_core.extraction.lexicon import plain

LONGEST = 40  # characters of what is pointed at

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
