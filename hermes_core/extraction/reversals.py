"""A claim whose own clause denies, misses or outranks what the frame took from it: "I'm not 单身", "tea over coffee".

Words only, in either language, whatever the clause is read in; what becomes of a denial is denials.py's business.
"""

from __future__ import annotations

import re

import msgspec

from hermes_core.catalogue import Catalogue
from hermes_core.extraction.reading import OTHER, Reading
from hermes_core.items import Candidate, Kind

# What denies in the user's own words, of a language that the clause may not be read in.
_DENIAL = re.compile(
    r"(?<![a-z])(?:(?:not|never|no longer|hardly|rarely|barely|seldom|scarcely|cannot|cant|dont|(?:do|does|did|is|are|was|were|ca|wo|have|has|had|ai)n't)(?! (?:only|just|merely|wait|stop|help|live without|mind|to mention|get enough|(?:get )?tired|(?:get )?bored|say no|skip|miss|forget)(?![a-z])))(?![a-z'])"
    r"|不(?!过|仅|但|错|同|断|少|久|管|论|得不|好意思|知道|止|只|光|可思议)|没(?!问题|事|关系|意思|准|错)|从未|并非",
    re.IGNORECASE,
)
# A denial of a dislike is no like and no dislike.
_SHUNNED = re.compile(
    r"(?<![a-z])(?:hate|dislike|detest|loathe|mind|avoid|reject)s?(?![a-z])|讨厌|反感|排斥|介意|拒绝|厌恶",
    re.IGNORECASE,
)
# Slots whose values are sentences: they are told with their denial.
_SENTENCES = frozenset({"fact", "event", "plan", "routine", "schedule", "project", "current_focus", "goal", "learning_goal", "values", "personality", "finances", "standing_instruction", "form_of_address", "work_style", "working_hours", "fitness", "sleep", "budget"})  # fmt: skip
# ... and those that say who or where somebody is, which a denial in one language turns around just as well.
_OF_SELF = frozenset({"marital_status", "residence", "health.condition", "employer", "occupation", "hometown"})
# A verb without its object, at a space where a Chinese clause is cut.
_CUT_OFF = re.compile(
    r"[^,，;；。.!！?？\s][^,，;；。.!！?？\n]*(?:喜欢|讨厌|爱[吃喝看玩听]?|[吃喝]|是|会|住?在|like|love|enjoy|hate|eat|drink)\s+$",
    re.IGNORECASE,
)
# What may stand between a denial and what somebody is, has or where they live; and what only goes with an illness.
_OF_HAVING = re.compile(
    r"(?:[\s，,]|really|actually|currently|yet|even|already|an?|any|from|in|at|to|for|been|be|have|had|got|get|live[sd]?|living|work(?:ed|ing)?|mov(?:ed?|ing)|diagnosed|with|suffer(?:ing)?|born|as|任何|有|得过?|患有?|怀|是|在|住|搬|到|去|结|一?[个名位]|真的?|再|算|当|做|已经|来自)*",
    re.IGNORECASE,
)
_OF_IT = re.compile(
    r"[\w'-]+ ?(?:attacks?|symptoms?|flare|episodes?|meds|medic|inhaler|发作|犯病|under control)", re.IGNORECASE
)
# Behind these a clause says something that its denial does not reach.
_BREAKS = re.compile(
    r"[,，;；]|(?<![a-z])(?:but|because|cause|due to|since|so|with|without|except|unless|other than|than|until|if|when)(?![a-z])|但|可是|因为|由于|所以|而且|除了|以外|只",
    re.IGNORECASE,
)
# "Cats but not dogs": nothing is said of the dogs that makes them liked.
_EXCEPTED = re.compile(r"(?:but |and )?not [\w' -]+$", re.IGNORECASE)
# "Tea over coffee", "cats not dogs": what stands behind the mark is the less liked.
_OUTRANKED = re.compile(
    r"[,，]?\s*(?:(?<![a-z])(?:over|(?<!less )than|rather than|instead of|(?:and |but )?not)(?![a-z])|而?不是|胜过|多过).*$",
    re.IGNORECASE | re.DOTALL,
)
_HARDLY = re.compile(r"不(?:太|怎么|大|是很)?(?:喜欢|爱(?!人)|讨厌|反感|排斥)")  # the frames read past these adverbs
_OUTRANKED_TO = re.compile(
    r"(?<![a-z])prefers? (?!to\b)(?P<first>[\w' -]+?) to (?!be\b|do\b|have\b|go\b)", re.IGNORECASE
)
# "I almost moved to Rome", 「我差点 move to 上海」, 「我本来想学医」: what did not come about. "I nearly always", "almost 30",
# "almost died of it" and "I've almost finished" tell what is.
_MISSED = re.compile(
    r"^(?:i|we|我们?)\s*(?:(?:very|so|once|also|just|even|had|last year|back then|去年|以前|曾经?|也|就|当时|当初)\s*)*(?:almost|nearly|came close to|was about to|were about to)\s+"
    r"(?:(?:got|went|be|getting|going) )?(?:mov|relocat|marr|quit|left|leav|bought|buy|adopt|became|becom|join|sign|took|tak|accept|switch|divorc|enroll?|engag|study|studied|majored|settled|started|work|vegan|vegetarian|搬|换|买|结婚|离婚|加入|辞职|养|入职)"
    r"|^(?:我们?|咱们?|i |we )\s*(?:(?:去年|前年|以前|曾经?|也|就|当时|当初|那时)\s*)*(?:(?:差点儿?|差一点|险些)\s*(?:就|要|也|没忍住)*\s*(?:搬|换|买|嫁|娶|结|离|辞|去(?!世)|当|成为|加入|养|住(?!院)|入职|定居|改行|移民|学|报|签|move|moved|relocate|join|joined|marry|married|get married|got|quit|become|became|buy|bought|adopt|leave|left)"
    r"|(?:本来|原本|原来|本)\s*(?:就|是|也)*\s*(?:想|要(?!么)|打算|准备|计划|plan|planned|want|wanted))",
    re.IGNORECASE,
)
# "I'd rather live in Spain", 「我想当 designer」, 「我在 consider 换工作」: wished for or weighed, and not had.
_WISHED = re.compile(
    r"(?:i|we)(?:'d| would)(?: much)? (?:rather|sooner|prefer to|love to|like to) "
    r"|(?:我们?|咱|i(?:'m| am)?|we(?:'re| are)?)\s*(?:(?:一直|真的?|也|很|好|以后|将来|还|都|挺|最近|现在|目前|正?在|really|also|still|always|just|currently|now|recently)\s*)*"
    r"(?:想(?!起|到|不|念|着|通|过|说|告诉|让|补充|分享|问)|希望(?![你您])|打算|梦想|渴望|考虑|纠结|want to(?! (?:say|tell|mention|add|share|let|keep|stay))|want(?=[ ]?[\u4e00-\u9fff])|wanna|hope to|wish|plan(?:ning)? (?:to|on)|plan(?=[ ]?[\u4e00-\u9fff])|dream|consider(?:ing)?(?! myself)|think(?:ing)? (?:of|about)(?! myself))(?!.*(?:(?<![a-z])(?:i|i'm|my)(?![a-z])|[我咱]))",
    re.IGNORECASE,
)
_TO_BE = re.compile(r"^(?:当|做|成为|be(?:come)?|become) ?(?:一?[个名位]|an? )?", re.IGNORECASE)
_HELD = frozenset({"occupation", "employer", "residence"})


def fell_through(words: str) -> bool:
    """Whether something nearly happened, or was only meant to."""
    return _MISSED.match(words.replace("’", "'").strip()) is not None


def meant_so(claim: Candidate, reading: Reading, catalogue: Catalogue, before: str = "") -> Candidate | None:
    """The claim as its clause means it: of the thing that is preferred, denied where the clause denies; None for nothing.

    `before` is the turn up to the clause: a space within Chinese words may have cut off their denial.
    """
    slot = catalogue.slot(claim.slot)
    if slot is None or reading.person == OTHER or reading.standing or claim.slot.startswith("reply_"):
        return claim
    words = reading.clause.text.replace("’", "'")
    if claim.kind == Kind.PREFERENCE:
        if _EXCEPTED.match(words):
            return None
        claim = _preferred(claim, words, catalogue)
    if claim.polarity < 0:
        return claim
    if reading.lent and (cut := _CUT_OFF.search(before)) is not None:
        return _of_cut_off(claim, cut.group(), reading.clause.text, catalogue)
    if claim.slot in _SENTENCES:
        return claim
    if claim.slot in _HELD and _WISHED.match(words[reading.start - reading.clause.start :]):
        return _wished(claim, catalogue)
    if reading.clause.gloss is None and claim.slot not in _OF_SELF and not _HARDLY.search(words):
        return claim
    return _denied(claim, words, catalogue)


def _wished(claim: Candidate, catalogue: Catalogue) -> Candidate | None:
    """A calling that is wished for is a goal; where and for whom one would like to live and work is nothing yet."""
    goal, calling = catalogue.slot("goal"), _TO_BE.match(claim.value)
    if goal is None or calling is None or claim.slot != "occupation":
        return None
    value = catalogue.normalise("goal", claim.value)
    return msgspec.structs.replace(claim, kind=str(goal.kind), slot="goal", value=value, exclusive=goal.exclusive)


def _preferred(claim: Candidate, words: str, catalogue: Catalogue) -> Candidate:
    """The claim of the first of two things, where the words rank them."""
    to = _OUTRANKED_TO.search(words)
    first = words[: to.end("first")] if to is not None else _OUTRANKED.sub("", words)
    at = _place(claim, words, catalogue)
    if first == words or at < len(first):
        return claim
    value = catalogue.find(claim.slot, first)
    if value is None or (claim.polarity < 0 and _DENIAL.search(first)):
        return claim
    return msgspec.structs.replace(claim, value=value, polarity=1)


def _place(claim: Candidate, words: str, catalogue: Catalogue) -> int:
    """Where the value stands in the words, in any of its wordings; -1 where it does not."""
    low = words.casefold()
    found = [at for name in _wordings(claim, catalogue) if (at := low.find(name.casefold())) >= 0]
    return min(found, default=-1)


def _wordings(claim: Candidate, catalogue: Catalogue) -> tuple[str, ...]:
    slot = catalogue.slot(claim.slot)
    values = slot.values if slot is not None else ()
    return (claim.value, *(word for value in values if value.name == claim.value for word in value.words))


def _denied(claim: Candidate, words: str, catalogue: Catalogue) -> Candidate | None:
    """The claim turned around where the words before its value deny it; None where they leave nothing to tell."""
    slot = catalogue.slot(claim.slot)
    if slot is None or claim.slot in ("allergy", "medication"):
        return claim  # harm.py knows how an allergy is denied, and nobody denies a medicine that is never missed
    if any(_DENIAL.search(name) and name.casefold() in words.casefold() for name in _wordings(claim, catalogue)[1:]):
        return claim  # 「不吃肉」 is how a vegetarian says it
    if (lead := _DENIAL.match(claim.value)) is not None:
        value = catalogue.normalise(claim.slot, claim.value[lead.end() :].strip(" ,，是"))
        return msgspec.structs.replace(claim, value=value, polarity=-1) if value else None
    at = _place(claim, words, catalogue)
    denials = [d for d in _DENIAL.finditer(words) if at < 0 or d.start() < at]
    if not denials:
        return claim
    between = words[denials[-1].end() : at] if at >= 0 else ""
    strict = claim.slot in _OF_SELF or slot.high_impact
    if strict and (at < 0 or not _OF_HAVING.fullmatch(between) or _OF_IT.match(words, at)):
        return claim  # "I can't control my diabetes", "I don't earn enough as a nurse"
    if _BREAKS.search(between) or (at < 0 and _BREAKS.search(words, denials[-1].end())):
        return claim
    shunned = _SHUNNED.search(words, denials[-1].end())
    if len(denials) > 1 or (shunned is not None and not strict) or claim.slot == "residence":
        return None
    return msgspec.structs.replace(claim, polarity=-1)


def _of_cut_off(claim: Candidate, lead: str, words: str, catalogue: Catalogue) -> Candidate | None:
    """The claim of a clause whose verb a space cut off: 「我 don't 喜欢 跑步」 is told with it, or not at all."""
    whole = lead + words
    if _DENIAL.search(lead) is None:
        return claim
    if claim.slot in _SENTENCES:
        return None
    told = _denied(claim, whole.replace("’", "'"), catalogue)
    return None if told is None or told.polarity > 0 else msgspec.structs.replace(told, text=whole, quote=whole)
