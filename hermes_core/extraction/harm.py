"""Whether words tell that something harms the speaker as an allergy does: whose harm, of what, and whether it is denied.

Words only, and strict: the reason must be the speaker's own ("my daughter is allergic" is not), and what harms must be a
substance ("I'm allergic to Mondays" is a joke). Slots and claims are claims.py's business.
"""

from __future__ import annotations

import re

ALLERGIC = re.compile(r"(?<![a-z])(?:allerg|anaphyla|intoleran)|过敏|休克|不耐受", re.IGNORECASE)
# What an allergic body does, and where it ends up.
SYMPTOM = re.compile(
    r"(?<![a-z])(?:(?:throat|lips?|tongue|face|mouth|eyes?|airways?)(?: \w+){0,2}? (?:swell\w*|swoll?en|swole|clos(?:es?|ed|ing)(?: up)?|itch\w*|tighten\w*)"
    r"|swell up|hives|(?:a|an|itchy|skin) rash|rashes|epi-?pen|can't breathe|cannot breathe|stop breathing)(?![a-z])"
    r"|(?:嘴|嘴唇|嘴巴|喉咙|嗓子|舌头|脸|眼睛|全身|浑身|身上)[\u4e00-\u9fff]{0,3}?(?:肿|痒|起疹|红疹)|起(?:红)?疹子?|荨麻疹|(?:喘|透)不(?:上|过)气",
    re.IGNORECASE,
)
_WARD = re.compile(
    r"(?<![a-z])(?:send|sends|sent|put|puts|land|lands|landed|end|ends|ended|rushed|wind|wound|took|take)(?: \w+){0,3}? (?:in|into|to) (?:the |an? )?(?:hospital|er|emergency(?: room)?|icu|a&e)(?![a-z])"
    r"|(?:就|会|差点|上次|结果|害我|让我|害得我)[^，。]{0,6}?(?:进|送|住)(?:了|过|到|进|去)?(?:医院|急诊|急救|ICU|抢救|院)",
    re.IGNORECASE,
)
# 「一吃芒果嘴就肿」: of the speaker, who need not be named.
AT_A_BITE = re.compile(
    r"(?:我|咱|俺)?(?:只要)?一?(?:吃|碰|喝)(?:到|了|点)?[\u4e00-\u9fff]{1,10}?(?:肿|痒|疹|休克|过敏|喘不)"
)
# ... for another reason than an allergy.
_OTHER_CAUSE = re.compile(
    r"(?<![a-z])(?:poison\w*|diabet\w*|surgery|alcohol|booze|beers?|wine|vodka|whiske?y|tequila|liquor|drugs?|drunk|hungover|overdos\w*|accident|blood (?:sugar|pressure))(?![a-z])"
    r"|中毒|糖尿|血糖|血压|手术|酒(?!酿)|车祸|吃坏",
    re.IGNORECASE,
)
_GREW_OUT = (
    r"(?<!not )(?<!never )(?<!n't )(?<!not yet )(?<!yet to )(?<![a-z])(?:outgr[eo]w\w*|grew out of|growing out of|used to be allergic|(?:got|gotten) over (?:my|the|this|that|an?) (?:[\w-]+ ){0,2}?(?:allerg\w*|intoleran\w*)"
    r"|(?:allerg(?:y|ies)|intolerances?)(?:'s| is| are| has| have| was)? (?:now |all |finally |completely |totally |been |already |since )*(?:gone|over|cured|healed|disappeared|vanished|went away|cleared up|history|a thing of the past))(?![a-z])"
    r"|(?:过敏|不耐受)症?(?:早就|已经|现在|后来|终于|完全|全都?|都|也)*(?:被?治?好了|没了|消失了|不见了|痊愈)|(?:摆脱|治好|告别)了?[^，。]{0,8}过敏"
)
DENIED = re.compile(
    r"(?<![a-z])(?:not|isn't|wasn't|aren't|never been|no|(?:do not|don't|doesn't|didn't|never)(?: \w+ly)? (?:have|had|suffer from))"
    r"(?: (?:an?|the|any|really|actually|even|technically|real|true|food|known|such|because of|due to|for|about|some|kind of))* (?:allerg\w*|intoleran\w*)"
    rf"|(?<![a-z])(?:don't|doesn't|am not|no longer) (?:\w+ ){{0,2}}?(?:allergic|intolerant)|{_GREW_OUT}"
    r"|不(?:会|是|算|再)?(?:因为)?(?:对.{1,8})?过敏|没有?(?:对.{1,8})?过敏|(?:已经|早就|现在|后来)(?:不会?过敏|好了)|脱敏",
    re.IGNORECASE,
)
BUT_NOT = re.compile(
    r",? (?:and |but )?not (?:to )?(?=\w)|[，,]?(?:而|并)?不是", re.IGNORECASE
)  # "almonds not peanuts"
# What was so in childhood, and is not said to be so still.
AS_A_CHILD = re.compile(
    r"(?<!从)小时候(?!.*(?:现在|至今|到今天|一直|还是|still))|(?<![a-z])(?:as (?:a|an) (?:kid|child|baby|toddler|infant|teen\w*)|when i was (?:an? )?(?:\w+ )?(?:kid|child|little|small|young\w*|baby)|in my childhood)(?![a-z])(?!.*(?<![a-z])(?:still|now|since)(?![a-z])|.*(?:现在|还))",
    re.IGNORECASE,
)
OUTGROWN = re.compile(
    rf"{_GREW_OUT}|(?:后来|长大后?|现在|已经)[^，。]{{0,4}}(?:好了|不过敏|脱敏)",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"[,;:.!?，；：。！？]\s*|\s+(?:because(?! of)|since|as|so|but|though|although|and)\s+|因为|由于|所以|但是?|不过(?!敏)|\s[-–—]+\s",
    re.IGNORECASE,
)
_TO_ME = re.compile(
    r"(?<![a-z])(?:i|i'm|im|i've|i'd|i'll|me|we're|we both)(?![a-z'])|(?<![a-z])my (?:[a-z-]+ ){0,2}?(?:allerg|intoleran)|我(?!们?家|的?(?:女|儿|孩|娃|宝|老|爸|妈|爷|奶|姥|外|姐|妹|哥|弟|同|室|舍|朋|对象|男|家|侄|表|堂))",
    re.IGNORECASE,
)
# A part with nobody in it, or with the thing itself: "it's an allergy", "due to a severe allergy", 「会过敏」.
_NOBODY = re.compile(
    r"(?:(?:well|yes|sadly|unfortunately|maybe|also|just|sorry|and|because of|due to|thanks to|from|on account of|it|it's|it is|that|that's|this|this is|they|those|these|which|is|was|are|an?|the|severe|severely|bad|serious|deadly|strong"
    r"|food|nut|milk|a case of|give|gives|cause|causes|trigger|triggers|make|makes|set|sets|off|have|having|got|a known|highly|very|so|really|last|time|every|each|once) ?)*(?:allerg\w*|anaphyla\w*|intoleran\w*)(?! (?:people|kids?|children|guests?|classmates?|persons?|students?|runs?))(?!.*\b(?:run|runs) in)",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"(?<![a-z])(?:he|she|his|her|him|they're|they are|them all|their|someone|somebody|everyone|people|family|kids?|children|guests?|runs? in|\w+'s (?:\w+ )?allerg\w*)(?![a-z])"
    r"|[他她]|女儿|儿子|孩子|娃|宝宝|老公|老婆|丈夫|妻子|爸|妈|爷爷|奶奶|姥|外[公婆]|姐|妹|哥|弟|同学|同事|室友|舍友|同桌|朋友|对象|男友|女友|家[里族]|家人|有人|别人|客人|老师|邻居|遗传",
    re.IGNORECASE,
)


def harms_speaker(words: str) -> bool:
    """Whether the words tell that something harms the speaker as an allergy does, now and without taking it back."""
    if DENIED.search(words):
        return False
    return any(_own(part) for part in _PARTS.split(words)) or _to_the_ward(words)


def _own(part: str) -> bool:
    if ALLERGIC.search(part):
        named = _SOMEBODY.search(part)
        if named and not re.search(r"我(?:自己|会|就|也|都|对|有|一[吃喝碰])|(?<![a-z])i(?:'m| am| have)", part, re.I):
            return False
        if _TO_ME.search(part):
            return re.search(r"(?<![a-z])(?:is|are|has) (?:\w+ )?allergic", part, re.IGNORECASE) is None
        return bool(re.search(r"[\u4e00-\u9fff]", part)) or _NOBODY.match(part.strip()) is not None
    return SYMPTOM.search(part) is not None and not _SOMEBODY.search(part)


def _to_the_ward(words: str) -> bool:
    return _WARD.search(words) is not None and not (_OTHER_CAUSE.search(words) or _SOMEBODY.search(words))


def tells_harm(words: str) -> bool:
    """Whether a clause tells of a symptom or of hospital and not of a substance: the reason for the clause before it."""
    return SYMPTOM.search(words) is not None or _WARD.search(words) is not None


# What nobody's body reacts to: days, duties, people and what they do.
_NO_SUBSTANCE = re.compile(
    r"(?:(?:the|my|your|his|her|their|our|all|any|these|those|this|that|such|early|bad|other|stupid|most|long|monday|office|team|zoom) )*"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|mornings?|work|jobs?|meetings?|(?:phone )?calls?|emails?|deadlines?|homework|housework|chores|school|exams?|math|maths|mathematics|people|men|women|boys|girls"
    r"|ex|exes|ex-\w+|boss(?:es)?|boyfriend|girlfriend|husband|wife|mother-in-law|in-laws|family|colleagues|co-?workers|neighbou?rs|jokes?|small talk|drama|lies|liars|bullshit|bs|nonsense|fun|love|romance|feelings|emotions|commitments?|responsibilit\w+"
    r"|money|poverty|taxes|bills|politics|politicians|sports?|gyms?|cardio|crowds?|traffic|adulting|failure|success|losing|losers|idiots|fools|humans|humanity|myself|you|him|her|them|us|me|life|reality|everything|nothing|stupidity"
    r"|(?:working|cleaning|cooking|running|ironing|dating|shopping|studying|exercising|commuting|socializing|networking)|(?:waking|getting|growing|being|doing|going|talking|paying|losing) .*)"
    r"(?:[ ,]+(?:lol|lmao|haha\w*|too|so much|before \w+|at \d.*|who .*|that .*|and .*|in general|today|right now))*$"
    r"|[a-z]{3,}(?:ness|ism|ships?|ocracy)$"
    r"|.*(?:开会|会议|上班|加班|工作|班味|学习|考试|作业|数学|英语|上学|早起|起床|运动|健身|跑步|家务|周[一二三四五六日末]|星期[一二三四五六日天]|前任|前男友|前女友|老板|领导|同事|客户|甲方|相亲|催婚|恋爱|爱情|婚姻|结婚|渣男|直男|社交|应酬|聚会|废话|谎言?|撒谎|虚伪|傻子|没钱|现实|生活|人类|男人|女人|男生|女生|婆婆|亲戚|邻居|堵车|排队|政治|鸡汤|套路|尬聊|尴尬|的人)(?:这件?事|这种事|这个词)?$"
    r"|[我你您他她](?:们|自己)?$"
    r"|我?(?:们)?(?:有|没有?|不是|不|是|从|从小|从来|会|不会|可能|应该|好像|确实|真的?|很|也|都|就|还|又|经常|容易|因为|并非|并不是|得了?|患有?|一直|现在|以前)+$"
    r"|(?:get|gets|getting|got|have|has|had|carry|carries|carrying|need|needs|break|breaks|broke|am|is|was|are) .*|(?:gone|over|back|better|worse|bad|severe|serious|terrible|not|no|none|real|acting up|hives|an? epi-?pen|an? rash)$",
    re.IGNORECASE,
)


def may_harm(value: str) -> bool:
    """Whether a body may react to it: no day, duty, person, doing or mere function word, and not who reacts (「同学过敏」)."""
    return _NO_SUBSTANCE.match(value.strip()) is None and _SOMEBODY.fullmatch(value.strip()) is None
