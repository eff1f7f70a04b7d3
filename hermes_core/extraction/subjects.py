"""Whom a clause is about (X3): "my friend Jack hates football" is Jack's dislike, not the user's.

Looks at the clause's head only, in English and Chinese; it errs towards the user, since grounding already asked
for the user's words.
"""

from __future__ import annotations

import re
from functools import cache

from hermes_core.extraction.cues import cues, folded, is_cjk
from hermes_core.extraction.mixed import glosses

# Slots that are about the user's people: there "my daughter is seven" is the user's own fact.
PEOPLE_SLOTS = frozenset(
    ["partner", "marital_status", "children", "parents", "siblings", "friends", "pets", "colleagues", "relation"]
)
_PRONOUN = re.compile(r"^(?:and |but |so |well,? |also,? )?(he|she|they)(?:'s|'re)? [a-z]")
_ZH_PRONOUN = re.compile(r"^(他们|她们|他|她)(?!们)")
_NAMED = re.compile(
    r"^([A-Z][a-z]+(?: [A-Z][a-z]+)?) (?:is|was|has|had|loves|likes|hates|prefers|lives|works|wants|needs|plays|speaks|drinks|eats|owns|says|said)\b"
)
_JOINT = re.compile(r"\band (?:i|me)\b|\b(?:i|we) and\b|和我|跟我|与我|我和|我跟|我与|我们")
# Who speaks of these goes on about them: 「他住在杭州，对花生过敏」, 「有些人住在南方，对花粉过敏」.
OF_THEM_ZH = re.compile(
    r"[他她]|有(?:一?些|的|个|位)?(?:人|孩子|朋友|同学|同事)|(?:很多|不少|许多|大多数|一些)(?:的)?人|人们|别人|人家"
)
# "They let me go", "my friends call me Bo": done by others, and told of the speaker.
BEFELL = re.compile(
    r"(?:they|he|she|(?:my|the|our) (?:boss|company|employer|manager|firm|bosses|management)) (?:just |recently |finally |have |has |had to |also )*"
    r"(?:(?:fired|sacked|dismissed|promoted|demoted|transferred|hired|let go of|laid off) me|let me go|laid me off)(?![a-z])"
    r"|(?:every(?:one|body)|people|most people|they all|(?:my )?(?:friends|family|colleagues|co-?workers|parents|kids|students|mates|team)) (?:just |usually |all |always |still |mostly )*calls? me(?![a-z])"
    r"|(?:they|folks|all (?:my )?(?:friends|family|colleagues|mates)) (?:just |all |usually |always |mostly )*calls? me [\w'-]+(?: [\w'-]+)?$",
    re.I,
)
_NO_NAMES = frozenset(["This", "That", "There", "Here", "It", "What", "Everything", "Nothing", "Today", "Life", "Work"])


@cache
def _people() -> tuple[re.Pattern[str], re.Pattern[str]]:
    entries = [folded(entry) for entry in cues("people").entries]
    latin = "|".join(sorted((re.escape(e) for e in entries if e.isascii()), key=len, reverse=True))
    chinese = "|".join(sorted((e for e in entries if is_cjk(e[0])), key=len, reverse=True))
    english = re.compile(
        rf"^(?:and |but |so |well,? |also,? )?(?:my|our) ((?:[a-z-]+ )?(?:{latin})(?: [A-Z][a-z]+)?)(?= )", re.I
    )
    return english, re.compile(rf"^(?:但|可|而且|不过)?我(?:的|们的|们)?((?:大|小|前|好|女|男)?(?:{chinese}))(?!的)")


# 「我房客对花生过敏」, "我 crush 是 vegan": somebody whom the speaker calls theirs, by what only people are or do. A word that
# may as well be an adverb ("我 personally 不吃") names nobody.
_BODY = r"对[^，。]{1,12}(?:过敏|不耐受)|有(?:糖尿病|高血压|哮喘|癫痫|心脏病|[^，。]{0,6}过敏)|怀孕"
_IS = r"是(?:一?个)?(?:纯?素|全素|清真|吃素)"
_MY_PERSON = re.compile(
    r"(?:我们?|咱们?|俺)(?:的|家)?(?P<who>[\u4e00-\u9fff]{0,3}?(?:[学实习]生|房客|男神|女神|[老导]师|[店球职队]员|[舍室网战队男女]友|助理|秘书|上司|下属|主管|总监|组长|班长|学[长姐弟妹]|师[兄姐弟妹傅]"
    r"|搭档|偶像|阿姨|保姆|教练|徒弟|同桌|侄[子女]|外甥女?|[嫂婶]子?|姐夫|妹夫|弟媳|舅妈|合伙人|[男女]人|邻居|房东|客人)"
    r"|(?!(?:also|even|then|too|tbh|ngl|lol|omg|kinda|sorta|sort of|kind of|mostly|still|not|no|so|skin|body)(?![a-z]))[a-z][a-z' -]{1,24}?(?<!ly))"
    rf"(?:也|都|很|就|最近|现在|超|真的|还|从小|一直)*(?:{_BODY}|{_IS}|喜欢|讨厌|说|觉得|住在)",
    re.IGNORECASE,
)


def somebody_of_mine(core: str) -> str:
    """The person of whom a Chinese clause tells, where the speaker calls them theirs; "" when it names none."""
    found = _MY_PERSON.match(core)
    return "" if found is None else found["who"].strip()


def told_subject(quote: str) -> str | None:
    """Who is spoken of when it is not the user: "friend Jack", "she", 「朋友」; None when it is the user, or unclear."""
    if (found := _told_subject(quote)) is not None:
        return found
    for gloss in glosses(quote):
        if gloss.whole and (found := _told_subject(gloss.text)) is not None:
            return gloss.said(found)
    return None


def _told_subject(quote: str) -> str | None:
    stripped = quote.strip()
    lowered = folded(stripped)
    if _JOINT.search(lowered) or BEFELL.match(lowered):
        return None
    english, chinese = _people()
    if match := english.match(stripped) or chinese.match(lowered):
        return _proper(match[1])
    if match := _PRONOUN.match(lowered) or _ZH_PRONOUN.match(lowered):
        return match[1]
    if who := somebody_of_mine(stripped):
        return who
    match = _NAMED.match(stripped)
    return match[1] if match and match[1] not in _NO_NAMES and not cues("first_person").within(lowered) else None


def _proper(phrase: str) -> str:
    """The phrase with only a capitalised last word taken as a name: "friend Jack", but "friend" before "hates"."""
    words = phrase.split(" ")
    while len(words) > 1 and not words[-1][0].isupper() and not cues("people").within(folded(words[-1])):
        words.pop()
    return " ".join(words)
