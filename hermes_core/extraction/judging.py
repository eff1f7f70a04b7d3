"""Whether a read clause is a disclosure worth remembering, how sure that is, and in which mood it was said (W5-W7).

Pure functions of the reading, the frame and the sense. Slots and values are claims.py's business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hermes_core.extraction.frames import PREFERENCE, Match
from hermes_core.extraction.harm import AT_A_BITE, may_harm
from hermes_core.extraction.lexicon import Lexicon, plain
from hermes_core.extraction.meaning import Sense
from hermes_core.extraction.passing import names_own_thing, says_there_is
from hermes_core.extraction.reading import DROPPED, ORDER, OTHER, SELF, THING, YOU, Reading
from hermes_core.extraction.reversals import fell_through
from hermes_core.extraction.small_talk import of_the_moment
from hermes_core.extraction.standing import complains
from hermes_core.extraction.support import content_units
from hermes_core.extraction.tense import announces_change
from hermes_core.reasons import Reason

KEEP = 0.5  # probability of a disclosure from which a clause becomes a claim
KEEP_TYPED = 0.2  # ... where a frame says what it is about ("I hate ...", "I live in ...")
# Cosine to a slot's usual sentences under which a clause without a frame is about something else.
USUAL, USUAL_EVENT = 0.33, 0.27
USUAL_SURE_EVENT = 0.15  # what somebody surely did may be about anything
USUAL_SURE_SELF = 0.26  # ... and what they surely say of themselves about nearly anything: "we own a lighthouse"
TYPICAL, TYPICAL_TASTE = 0.6, 0.5  # ... from which an explicit statement, or a like or dislike, is said plainly
KEEP_NAMED = 0.03  # ... where the frame names the very slot
KEEP_DROPPED = 0.5  # ... where it has no subject, or plays to an audience
KEEP_LOVED = 0.3  # ... where it is a taste in two or three words: "love lighthouses"
NAMED = 0.2  # probability of speaking of somebody, from which a full name is a person and no heading
LETTERS = 2  # or digits, of a clause that says anything
LEAST = 12  # characters of a clause that may be weighty
AUDIENCE = 0.15  # taken off for each mark of a post that plays to an audience
SURE = 0.9  # ... from which an explicit statement starts at its full confidence (W5)
NEAR = 0.35  # fit of the best slot, where no head judges
FITS = 0.6  # fit of a slot from which the clause speaks about it and not merely of something like it
HEATED = 1.0  # cues of emotion that make a clause emotional by themselves
FELT = 0.4  # probability of "emotional" that does
WEIGHTLESS = 0.6  # probability of a mood or of small talk from which not even a number weighs
FULL, WEAK = 0.9, 0.7  # confidences of a plain and of a vague statement
_OF_ANSWERS = ("reply_", "form_of_address")
MISC = frozenset({"likes", "fact", "event", "plan", "current_focus", "relation"})


@dataclass(frozen=True)
class Verdict:
    """`reason` None: keep. `weight` is the probability of a disclosure, `emotional` its mood."""

    weight: float
    reason: Reason | None = None
    emotional: bool = False


def grammar_forbids(reading: Reading, lexicon: Lexicon) -> Reason | None:
    """Why a clause can't be a claim whatever it is about: it asks, supposes, orders, or speaks of nobody here."""
    text, language = plain(reading.core), reading.language
    if lexicon.within("code", "en", text) and reading.person != SELF:
        return Reason.PASTED_TEXT
    if reading.question:
        return Reason.NOT_A_STATEMENT
    if sum(map(str.isalnum, text)) < LETTERS:
        return Reason.LOW_SALIENCE
    if reading.hypothetical or _OTHERWISE.match(text) or _MUSED.match(text) or _IN_PART.match(reading.clause.plain):
        return Reason.HYPOTHETICAL
    if fell_through(text) or (reading.clause.gloss is not None and fell_through(reading.clause.text)):
        return Reason.HYPOTHETICAL
    if reading.standing:
        return None
    if _NO_NAME.match(text):
        return Reason.SMALL_TALK
    if announces_change(text):
        return Reason.LOW_SALIENCE  # of what, the next clause says
    if complains(text):
        return Reason.LOW_SALIENCE
    if reading.request or reading.person == ORDER:
        lasts = reading.lasting or lexicon.within("about_answers", language, text)
        return None if lasts else Reason.ONE_OFF_REQUEST
    if reading.person in (YOU, THING):
        return None if lexicon.within("about_answers", language, text) else Reason.LOW_SALIENCE
    if reading.person == OTHER and (not reading.subject or says_there_is(text)):
        return Reason.LOW_SALIENCE
    if reading.person == DROPPED and not _speaks_without_subject(reading, lexicon):
        return Reason.LOW_SALIENCE
    if (
        reading.person == DROPPED
        and language == "en"
        and not lexicon.opens("dropped", language, text)
        and names_own_thing(text)
    ):
        return Reason.LOW_SALIENCE  # "the hail dented my Volvo": there is a Volvo
    if _OPINION.match(text) or _PERFORMED.match(text):
        return Reason.LOW_SALIENCE  # what the speaker holds of something else, or does by saying it
    return Reason.SMALL_TALK if of_the_moment(text) else None


def _speaks_without_subject(reading: Reading, lexicon: Lexicon) -> bool:
    text = plain(reading.core)
    if AT_A_BITE.match(text):
        return True
    if lexicon.opens("dropped", reading.language, text) or lexicon.within("about_answers", reading.language, text):
        return True
    if reading.language != "en":
        return False
    return bool(_MINE.search(text) or _names_self(reading, text)) or (
        bool(_ME.search(text)) and not _YOURS.search(text)
    )


# "I think brown eyes are pretty", 「我觉得他演得不错」: an opinion about a third thing, or what was heard of it.
_OPINION = re.compile(
    r"i (?:just |really |also |still |do |only |honestly |personally |would |'d )*(?:think|guess|suspect|bet|reckon|assume|suppose|imagine|heard|hear|doubt|wonder|question|figure|noticed)"
    r"(?: that)? (?!.*(?<![a-z])(?:me|my|i|i'm|i've|us|our|myself)(?![a-z]))(?!(?:i|i'm|i've|i'd|my|we|we're|we've|our|me|being|to|myself|in|so|of|about)(?![a-z']))\w+"
    r"|我(?:真的|真|也|还是|就|个人|一直|总)*(?:觉得|认为|猜|估计|感觉|听说|怀疑|发现|知道|以为|看)(?!.*[我咱俺])(?!自己|咱|俺|吃|喝|学|运动|在家|用).{0,20}?(?<!我)(?:很|挺|太|真|不|好|是|会|该|都|像|更|最|比|有点)",
    re.I,
)
# "I'd like to thank my agent", "I'm always like: yeah", 「我宣布」: said for show.
_PERFORMED = re.compile(
    r"i(?:'d| would)? (?:just )?(?:like|want|wish) to (?:thank|dedicate|congratulate|apologi[sz]e|announce|report|declare|formally|officially|point out|clarify|nominate|propose)(?![a-z])"
    r"|i(?:'m| am| was)(?: \w+)? like,? (?:yeah|yes|no|nah|ok|okay|wow|oh|why|what|wait|dude|bro|hey|please|well|um|uh|i|you|it|that|thanks)(?![a-z])"
    r"|i (?:hereby|officially) |我(?:在此|正式)?(?:宣布|声明|提名)",
    re.I,
)
# "Call me crazy, but ...", "call me later": no name.
_NO_NAME = re.compile(
    r"(?:please |just |you can |they |people |some )*call(?:s|ed)? me (?:an?|the|at|on|in|by|for|after|before|if|when(?:ever)?|back|later|tomorrow|tonight|today|now|soon|again|any ?time|asap|maybe|out|up|names"
    r"|what|whatever|old|mad|weird|stupid|dumb|crazy|lazy|picky|naive|cynical|biased|paranoid|dramatic|selfish|basic|silly|boring|sentimental|strange|cheap|spoiled|ignorant|pessimistic|sk?ceptical|skeptical|pedantic"
    r"|petty|lucky|nuts|insane|jealous|vain|greedy|bitter|superstitious|impatient|optimistic|sensitive|\w+-fashioned)(?![\w-])",
    re.I,
)
_OTHERWISE = re.compile(r"(?:otherwise|or else)\b|(?:要)?不然|否则|要不", re.I)
# "Maybe I should move", "perhaps we could get a cat", 「也许我该搬家」: a thought, and nothing done or decided.
_MUSED = re.compile(
    r"(?:maybe|perhaps|possibly|one day maybe|someday maybe),? (?:i|we)(?:'ll|'d)? ?(?:should|could|might|will|would|can|ought|may|need|shall|go|try|get|take|buy|start|learn|move|be able)(?![a-z])"
    r"|(?:i|we) (?:guess |think )?(?:maybe |perhaps |probably )?(?:should|ought to|might|may) (?:just |also |really )*(?:probably|maybe|perhaps|as well|want to|need to|consider|think about)(?![a-z])"
    r"|(?:也许|或许|可能|说不定|要不)我们?(?:也|还)?(?:该|应该|可以|得|会|能)",
    re.I,
)
# What holds today or by degrees takes nothing back that a life may hang on, and nobody has a home now and then.
_IN_PART = re.compile(
    r"(?=.*(?:allerg|intoleran|diabet|asthma))(?:(?=.*\b(?:not|n't|no longer)\b).*\b(?:today|tonight|sometimes|right now|at the moment)\b|.*\b(?:not|n't) (?:quite |nearly |really )?as\b)"
    r"|(?:sometimes|occasionally|now and then),? i (?:live|work) "
    r"|(?=.*(?:过敏|糖尿病|哮喘))(?=.*[不没]).*(?:今天|有时|暂时|没那么|没有以前)"
    r"|(?:我)?有时候?(?:我)?(?:住|在).",
    re.I,
)
_ME = re.compile(r"(?<![a-z])(?:my|me|i|i'm)(?![a-z'])", re.I)
_YOURS = re.compile(r"(?<![a-z])(?:you|your|yours|u)(?![a-z'])", re.I)
# "Hey, Tess here": in lower case only after a greeting, for much else stands before "here".
_NAMES_SELF = re.compile(r"(?-i:[A-Z])[a-z]+ here(?: again)?$")
_NAMES_SELF_AFTER = re.compile(
    r"(?!come|over|right|out|up|back|down|new|nobody|still|live|not|stuck|alone)[a-z]{3,12} here(?: again)?$"
)


def _names_self(reading: Reading, text: str) -> bool:
    return _NAMES_SELF.match(text) is not None or (reading.at > 0 and _NAMES_SELF_AFTER.match(text) is not None)


_MINE = re.compile(
    r"(?<![a-z])(?:my (?:\w+ )?(?:favou?rites?|fave|passion|hobby|thing|life|dream|jam)|(?:gives?|makes?|helps?|keeps?) me|for me)(?![a-z])",
    re.I,
)


def part_of_request(reading: Reading, turn: Sequence[Reading], lexicon: Lexicon) -> bool:
    """A wish of the moment in a turn that asks for something: "I want to eat noodles, find me a place".

    What carries a number is told for its own sake ("I'm planning a dinner for 28 people on May 20").
    """
    if reading.language == "en" and _WHILE_THERE.match(plain(reading.core)):
        beside = [r for r in turn if r is not reading and r.clause.sentence == reading.clause.sentence]
        if any(_asks_for(r, lexicon) for r in beside):
            return True
    if reading.lasting or not lexicon.opens("wish", reading.language, plain(reading.core)):
        return False
    if reading.language == "en" and _NUMBER.search(reading.core):
        return False
    return any(_asks_for(other, lexicon) for other in turn if other is not reading)


# "Find me a gym while I'm in Leeds": where somebody is for a while.
_WHILE_THERE = re.compile(
    r"(?:i|we)(?:'m| am|'re| are|'ll be| will be)? (?:in|at|visiting|staying|over in|down in|up in) ", re.I
)
_NUMBER = re.compile(r"\d")


def _asks_for(reading: Reading, lexicon: Lexicon) -> bool:
    if reading.request:
        return True
    return reading.question and lexicon.within("asks_for", reading.language, plain(reading.core))


# "that show", "those names": which, only the talk tells. "This town" and "this job" are where the speaker is.
_THAT_ONE = re.compile(
    r"(?:that|those) (?!(?:time|part|side) of\b)(?:[\w'-]+ ){0,2}[\w'-]+$|(?:this|these) (?!(?:city|town|country|place|state|job|house|school|company|area|neighbou?rhood|season|weather|time)\b)[\w'-]+$",
    re.I,
)


def empty(match: Match, lexicon: Lexicon, language: str) -> bool:
    """Whether a frame's value names nothing by itself: "it", "your watch", 「你」."""
    value = plain(match.value).strip()
    found = lexicon.pattern("empty_value", language).match(value)
    return found is not None and found.end() == len(value)


def judge(
    reading: Reading,
    match: Match,
    sense: Sense,
    lexicon: Lexicon,
    heat: float = 0.0,
    *,
    ironic: bool = False,
    answered: bool = False,
) -> Verdict:
    """Keep or not, by head and frame together; without a head by frame and nearest examples.

    `heat` is the emotion of the hottest clause of the turn: who curses is not calm in the next clause (W7). `ironic`: some
    clause of the turn is; then praise in another one isn't meant either. `answered`: the clause is what an answer makes of
    a question about the user, so that it needn't look like something that people tell unasked.
    """
    answered = answered and reading.person == SELF and not _POINTS.search(plain(reading.core))
    felt = 0.0 if answered else _share(sense, "emotional")
    named = bool(match.slot) and match.slot != PREFERENCE
    emotional = max(reading.emotion, heat) >= HEATED or reading.sarcastic or felt >= (1.0 if named else FELT)
    typed = bool(match.slot) and reading.person in (SELF, OTHER, DROPPED)
    if empty(match, lexicon, reading.language) or (not answered and _points_nowhere(reading, match)):
        return Verdict(0.0, Reason.SMALL_TALK, emotional)
    if match.slot == PREFERENCE and reading.language == "en" and _THAT_ONE.match(plain(match.value)):
        return Verdict(0.0, Reason.EMOTIONAL if emotional else Reason.SMALL_TALK, emotional)
    if match.slot == "allergy" and not may_harm(match.value):
        return Verdict(0.0, Reason.SMALL_TALK, emotional)  # "I'm allergic to Mondays"
    ordered = reading.standing or (reading.lasting and reading.person in (ORDER, DROPPED))
    if ordered and max(reading.emotion, heat) >= HEATED:
        return Verdict(0.0, Reason.EMOTIONAL, True)  # "never suggest anything again!!": a mood, whatever it asks for
    if reading.sarcastic and (felt >= FELT / 2 or match.polarity > 0):
        return Verdict(0.0, Reason.EMOTIONAL, True)
    if ironic and match.slot == PREFERENCE and match.polarity > 0:
        return Verdict(0.0, Reason.EMOTIONAL, True)
    if sense.classes is None:
        known = typed or sense.best()[1] >= NEAR
        return Verdict(FULL if known else 0.0, None if known else Reason.LOW_SALIENCE, emotional)
    weight = _weight(reading, sense, lexicon) - AUDIENCE * min(2, reading.social)
    if reading.harmed and match.slot and max(reading.emotion, heat) < HEATED:
        return Verdict(max(weight, SURE), None, False)  # what it did to somebody is told in earnest, however it is felt
    if reading.standing or _weighty(reading, sense, lexicon) or _told_of_somebody(reading):
        return Verdict(max(weight, KEEP), None, emotional)
    if answered and weight + _share(sense, "chat", "emotional") >= KEEP:
        return Verdict(max(weight, KEEP_TYPED), None, emotional)
    cool = weight if reading.kin_slot and reading.emotion == 0 else weight / 2
    if weight < _bar(reading, match, typed) or (not typed and felt >= max(FELT / 2, cool)):
        return Verdict(weight, _reason(sense), emotional)
    usual = 0.0 if _FROM_NOW_ON.search(reading.core) else _usual(reading, sense)
    if not typed and reading.person != OTHER and sense.typicality < usual:
        return Verdict(weight, Reason.LOW_SALIENCE, emotional)
    return Verdict(weight, None, emotional)


# What only the talk at hand makes sense of, or holds for an hour: "I have seen this one", 「我在吃饭」.
_POINTS = re.compile(
    r"(?<![a-z])(?:this|that|these|those|it|there|here|today|tonight|now|right now|just|going to|you)(?![a-z])"
    r"|这(?!里)|那(?!里)|它|他|她|你|今天|今晚|刚才|刚刚|正在|(?:吃|睡|到|下班|起床|洗)了?(?:饭|早饭|午饭|晚饭)?了?$|在(?:干|忙|看|吃|听|玩|家|外面)",
    re.I,
)
# "I like to swim in it", "I do the same", "I'm none of those": nobody will know what that was.
_POINTS_AWAY = re.compile(
    r"(?:(?<![a-z])(?:in|on|with|at|for|of|from|to|about|up|into|like|without|by|than|through|under|near|over|after) (?:it|them|that|this|those|these|there|one)"
    r"|(?<![a-z])(?:there|the same(?: (?:thing|one|way|kind|problem))?|(?:do|did|done|have|had|use|used|want|need|get|got|know|tried|try|see|seen|saw|make|made|own|keep|find|buy|bought|take|took|give|hear|heard)(?: all| both| some)? (?:it|them|that|this|those|these|one|some|so)|mine|neither|both))"
    r"(?: (?:too|as well|either|myself|sometimes|now|then|already|before|yet|once|often|all the time|every day|a lot|actually|there|here|again|back|at home|also))*$",
    re.I,
)
_PROPER = re.compile(r"(?<=\s)(?!I\b|I'|OK\b|TV\b)[A-Z]|\d")
POINTING_WORDS = 3  # content words beside the pointing ones from which a clause tells something by itself


# "I have hens, six of them": the thing stands in front, and its number behind it.
_COUNTED = re.compile(
    r"[\w'-]+(?P<apart> ?,)? (?:about |around |over |like )?(?:a (?:few|couple|dozen|lot)|lots|plenty|both|all|most|some|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+) of (?:them|those|these)$",
    re.I,
)


_SELF_EVIDENT = frozenset({"employer", "occupation", "residence", "hometown", "pets", "children", "siblings", "age"})
_POINTER = re.compile(
    r"(?:it|that|this|them|those|these|there|here|one|some|mine|both|neither|him|her|the same)(?![a-z])", re.I
)


def _points_nowhere(reading: Reading, match: Match) -> bool:
    """Whether what a clause is about stands somewhere else, and little is said beside it."""
    counted = _COUNTED.search(plain(reading.core).rstrip(" .!,"))
    if match.slot in _SELF_EVIDENT and not _POINTER.match(plain(match.value)):
        return False  # "I work at a mill to pay for it"
    if counted is not None and (counted["apart"] or match.slot not in ("", PREFERENCE)):
        return False
    if reading.language != "en" or reading.person != SELF or reading.meant or _PROPER.search(reading.core):
        return False
    found = _POINTS_AWAY.search(plain(reading.core).rstrip(" .!,"))
    return found is not None and len(content_units(reading.core[: found.start()])) < POINTING_WORDS


def _weighty(reading: Reading, sense: Sense, lexicon: Lexicon) -> bool:
    """What somebody says of themselves with a number, or with "never", is told for its own sake even beside a request."""
    if reading.person != SELF or reading.hypothetical or len(reading.core) < LEAST:
        return False
    if reading.social and not _DATED.search(reading.core):  # a post for an audience seldom names the day
        return False
    if lexicon.within("code", "en", plain(reading.core)):
        return False
    if not (_QUANTITY.search(reading.core) or lexicon.within("absolute", reading.language, plain(reading.core))):
        return False
    return _share(sense, "emotional", "chat") < WEIGHTLESS


def _told_of_somebody(reading: Reading) -> bool:
    """A whole sentence about a person with a full name is told for that person's sake."""
    if reading.person != OTHER or reading.social or reading.hypothetical or reading.question:
        return False
    named = _FULL_NAME.match(reading.core)
    return named is not None and len(reading.core.split()) >= TOLD_WORDS


TOLD_WORDS = 6
_FULL_NAME = re.compile(
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-Z][a-z'-]+(?: [A-Z](?:[a-z][\w'-]*|\.)){1,2}(?:,? (?:and|not) [A-Z]|, | [a-z]+ )"
)
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATED = re.compile(rf"(?<![a-z])(?:{_MONTHS}) \d|\d月\d", re.I)
_QUANTITY = re.compile(
    r"(?<![\w.])[$€£¥]?\d[\d,.:]*(?:\s?(?:%|k\b|[a-z]{2,}|[\u4e00-\u9fff])|-[a-z]{3,})"
    rf"|[$€£¥]\d|(?<![a-z])(?:{_MONTHS}) \d",
    re.I,
)


# A resolution is told for its own sake, whatever it is about.
_FROM_NOW_ON = re.compile(
    r"(?<![a-z])(?:from (?:now|here|today) on|going forward)(?![a-z])|从现在(?:起|开始)|从今(?:往|以)?后|今后", re.I
)


def _usual(reading: Reading, sense: Sense) -> float:
    if reading.social:
        return TYPICAL
    if _share(sense, "event") < KEEP:
        return USUAL_SURE_SELF if reading.person == SELF and _share(sense, "self") >= SURE else USUAL
    return USUAL_EVENT if _share(sense, "event", "self") < SURE else USUAL_SURE_EVENT


_I_LOVE = re.compile(
    r"(?<![a-z])one of (?:the|my) (?:[a-z'-]+ ){0,3}(?:i (?:really |most )*(?:love|like|enjoy|adore)|favou?rites?)(?![a-z])",
    re.I,
)
_LOVES = re.compile(
    r"(?:love|adore|hate)(?! (?:it|this|that|these|those|you|u|him|her|them|me|us|to|when|how|the way|being|your|my|his|their|life|island|is|was)(?![a-z])) [a-z]+(?: [a-z]+)?$",
    re.I,
)
_ATTRIBUTES = frozenset({"budget", "birthday", "blood_type", "native_language", "zodiac", "gender", "name"})


def _bar(reading: Reading, match: Match, typed: bool) -> float:
    """What a clause must reach: less where a frame says what it is about, more where nobody is its subject."""
    if reading.person in (DROPPED, ORDER) and match.slot.startswith(_OF_ANSWERS):
        return KEEP_NAMED  # "no more emojis", "call me Mia": an order about the answers has no subject
    if reading.person == DROPPED and match.slot in _ATTRIBUTES:
        return KEEP_NAMED  # "Budget: around 800", 「预算大概八千块」: whose else?
    if match.slot == PREFERENCE and _I_LOVE.search(plain(reading.core)):
        return 0.0  # "came home from rowing, one of the sports I love": whatever the clause around it tells
    if reading.person == DROPPED and match.slot == PREFERENCE and _LOVES.match(plain(reading.core)):
        return KEEP_LOVED
    if reading.person == DROPPED:
        return KEEP_DROPPED if not typed else KEEP
    if reading.social and (not typed or match.slot == PREFERENCE):
        return KEEP_DROPPED
    if match.slot and match.slot != PREFERENCE:
        return KEEP_NAMED
    return KEEP_TYPED if typed else KEEP


def confidence_of(verdict: Verdict, reading: Reading, match: Match, slot: str, sense: Sense, lexicon: Lexicon) -> float:
    """W5: an explicit statement about a slot that it clearly speaks of starts high; a vague one waits for another session."""
    if reading.hedged or verdict.emotional or reading.social:
        return WEAK
    if reading.standing or match.slot.startswith(_OF_ANSWERS):
        return FULL
    if match.slot and match.slot != PREFERENCE:
        # no word of it is heated, so that it only looks so as a vector: "my birthday is May 13, not May 3"
        calm = _share(sense, "emotional") if reading.emotion == 0 and verdict.weight >= KEEP_TYPED else 0.0
        return FULL if verdict.weight + calm >= KEEP_DROPPED else WEAK
    if reading.person == OTHER and reading.kin_slot and _told_plainly(reading):
        return FULL if verdict.weight >= KEEP_DROPPED else WEAK
    if verdict.weight < SURE:
        return WEAK
    if slot in MISC:
        timed = lexicon.within("time_said", reading.language, plain(reading.core))
        return FULL if timed and reading.person == SELF and sense.typical.get(slot, 0.0) >= TYPICAL_TASTE else WEAK
    usual = TYPICAL_TASTE if match.slot == PREFERENCE else TYPICAL
    sure = sense.slots.get(slot, 0.0) >= FITS and sense.typical.get(slot, 0.0) >= usual
    return FULL if sure else WEAK


# "My daughter is five", 「我儿子叫小明」: who somebody of the family is, in words that can't mean anything else.
_PLAIN_OF_KIN = re.compile(
    r"(?<![a-z])(?:is|are|just turned|turned) (?:\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)?[ -]?"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)?)(?: years? old| months? old)?$"
    r"|(?<![a-z])(?:is called|is named|name is|name's|lives? in|was born|is allergic to|works? (?:as|at|for))(?![a-z])|'s name is(?![a-z])"
    r"|(?:今年|刚满|快|才|已经)*(?:\d{1,3}|[一二三四五六七八九十两半]{1,3})个?(?:岁|周岁|月大)(?:半|多)?了?$|(?:名字)?(?:叫|名叫|名字是)[\u4e00-\u9fffA-Za-z·]{1,8}$"
    r"|(?:住|定居|生活)在.|对.{1,10}过敏|在.{1,12}(?:工作|上班|上学|读书|读大学)(?:了)?$",
    re.I,
)
# ... and what they are, have or do for a living, said of the present.
_KIN_NOW = re.compile(
    r"^(?:my|our) (?:[\w'-]+ ){1,4}?(?:(?:is|are|'s|'re) (?:also |now |both |severely |very |originally )*(?:an? (?!bit|little|lot|mess|pain|jerk|idiot|fool|nightmare|saint|angel|joke)[\w-]+"
    r"|\d{1,3}(?![\w%])|allergic to|intolerant to|called|named|from|vegan|vegetarian|diabetic|deaf|blind|pregnant|retired|married|expecting|in (?:high school|college|university|kindergarten|first grade|hospital))"
    r"|(?:has|have) (?:an? |type \d |severe |been diagnosed with )?(?:asthma|diabetes|epilepsy|autism|adhd|cancer|dementia|alzheimer's|celiac disease|[\w ]{2,20} allergy|\w+ (?:kids|children|sons|daughters|brothers|sisters))"
    r"|(?:work) (?:in|at|as|for|with)|speaks?|stud(?:y|ies) (?:at |in )?\w+|teach(?:es)?|can't eat|cannot eat|doesn't eat|do(?:es)? not eat|goes to)(?![a-z])"
    r"|^[我咱俺](?:们)?(?:的)?.{1,6}?(?:是(?:一?[名个位])?.{0,6}?(?:师|员|医生|护士|老师|教授|学生|律师|司机|经理|老板|警察|军人|会计)$|叫|今年.{1,3}岁|来自|会说|有(?:糖尿病|哮喘|高血压|癫痫|心脏病))",
    re.IGNORECASE,
)


def _told_plainly(reading: Reading) -> bool:
    words = plain(reading.core)
    return _PLAIN_OF_KIN.search(words) is not None or (not reading.past and _KIN_NOW.match(words) is not None)


def _share(sense: Sense, *names: str) -> float:
    return sum(sense.classes[name] for name in names) if sense.classes else 0.0


def _weight(reading: Reading, sense: Sense, lexicon: Lexicon) -> float:
    if (
        reading.person == DROPPED
        and not _TASTE.match(reading.core)
        and lexicon.opens("dropped", reading.language, plain(reading.core))
    ):
        # "Majored in law": its opener says whose it is, so it tells nothing about others or the world.
        return _share(sense, "self", "event", "instruction", "others", "world")
    if reading.person == OTHER:
        told = _share(sense, "others", "self", "event")
        named = " " in reading.subject or bool(reading.kin_slot)
        return told + _share(sense, "world", "instruction") if named and told >= NAMED else told
    return _share(sense, "self", "event", "instruction")


_TASTE = re.compile(r"(?:like|love|hate|need|want|use)(?![a-z])", re.I)  # ... which open as many sayings about anything


def _reason(sense: Sense) -> Reason:
    return _REASONS[max(_REASONS, key=lambda name: _share(sense, name))]


_REASONS = {
    "question": Reason.NOT_A_STATEMENT,
    "request": Reason.ONE_OFF_REQUEST,
    "chat": Reason.SMALL_TALK,
    "emotional": Reason.EMOTIONAL,
    "world": Reason.LOW_SALIENCE,
    "others": Reason.LOW_SALIENCE,
}
