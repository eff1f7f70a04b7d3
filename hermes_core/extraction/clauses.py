"""A turn cut into sentences and clauses, each with its place in the turn; stretches that are no evidence are left out.

Cuts by script and grammar only. What a clause means is reading.py's question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hermes_core.extraction.lexicon import plain
from hermes_core.extraction.mixed import Gloss, glosses, is_mixed
from hermes_core.extraction.turn_words import Span, TurnWords, Zone

MAX_CLAUSE = 400  # characters; a longer stretch without any boundary is data, not speech
MAX_SENTENCE = 1600  # ... of somebody who talks without a full stop, before it is cut into clauses
_BY_A_PERSON = re.compile(r"(?:i|i'm|i've|my|we|we're|we've)\s|[我咱]", re.I)
MAX_CLAUSES = 64  # of one turn; the rest of a flood is pasted text

_CJK = re.compile(r"[\u3400-\u9fff]")
_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|e\.g|i\.e|a\.m|p\.m|u\.s|no|approx|dept|inc|ltd|co)|\b[A-Za-z])$", re.I
)
_SENTENCE_END = re.compile(
    r"[!?。！？\n]+[”’\"'」』）)]*|\.{1,}(?=\s|$|[”\"'」)\u3400-\u9fff])[”’\"'」)]*|…+|(?<=\s)[-–—]{1,2}(?=\s)"
)
_SUBJECT = (
    r"(?:i|i'm|i've|i'd|i'll|im|ive|my|we|we're|we've|our|you|your|he|she|they|it|it's|that's|there|this|his|her|their"
    r"|(?!(?:which|who|where)\b)[A-Z]\w+ (?:is|was|has|and I))\b"
)
# "..., which has dropped to 120 ms": told, not asked.
_GROWN = r"\s+(?:has|have|had|is|was|recently|now|currently|just|measured|rose|fell|dropped|went|\w+ed)\b[^,.?]*\d"
_ASKING = (
    r"(?:can|could|would|will|do|does|did|is|are|should|what|what's|how|how's|which(?!"
    + _GROWN
    + r")|where|when (?:is|are|do|should|can)|why|who"
    r"|any (?:ideas?|tips|advice|suggestions?|recommendations?|chance)|please(?!\s*(?:[,.!]|$))|so what|so how|help me|tell me|maybe you)\b"
)
# "I met Kim, my aunt, on Sunday": who somebody is, not a clause.
_APPOSITION = r"(?:my|our)(?:\s+(?!(?:is|are|was|were|has|have|and)\b)[\w'-]+){1,3},\s*(?:by|on|at|in|with|for|from|to|about|and then)\b"
# A new clause starts after these: a conjunction before a subject, a comma before a subject or a question.
_CUT_EN = re.compile(
    r",?\s+(?:but|so|because|since|although|though|whereas|while|however|yet|plus|cause|cuz)\s+(?=" + _SUBJECT + r")"
    r"|,?\s+(?:and|or|then)\s+(?=(?:i|i'm|i've|i'd|i'll|im|my|we|you|he|she|they|it)\b)"
    r"|,\s*(?:(?:and|but|so|or|then)\s+)?(?!" + _APPOSITION + r")(?=" + _SUBJECT + r")"
    r"|,\s*(?:(?:and|but|so|or|then)\s+)?(?=" + _ASKING + r")"
    r"|\s+(?:and|so|but)\s+(?=(?:can|could|would|what|how|which|where|please|do you)\b\s+\w)"
    r"|,?\s+but\s+(?=(?:i|not|now|don't|can't|never|hate|love|dislike|prefer|avoid|really|usually|still)\b)"
    r"|,\s+but\s+"
    r"|,?\s+(?:and|but)\s+(?=now (?:i|i'm|i've|we|my)\b)"
    r"|,?\s+(?:and|but)\s+(?=(?:am )?(?:also |severely |very |badly |deathly |highly )?(?:allergic|intolerant) to\b)"
    r"|,\s*(?=(?:now|today|currently|in my \w+|as a \w+)\s+(?:i|we|my)\b)"
    r"|\s+and\s+(?=(?:work|live|study|teach|speak)\s+(?:at|in|for|as|with|[A-Z]))"  # the subject goes on: "I live in X and work at Y"
    r"|,?\s+(?:considering|given|(?:the )?fact|a situation|situations)(?: that| where)?\s+(?=(?:i|we)(?:'ve| have)? (?:also )?(?:never|already)\b)"
    r"|[:;]\s+",
    re.IGNORECASE,
)
# People who type without marks: "i am good i am a doctor", "that is nice i love cooking".
_RUN_ON = re.compile(
    r"\s+(?=(?:i (?:am|love|like|hate|have|live|work|enjoy|prefer|play|was|just|also|really|only|never|always|own|drive|teach|study|got|went|do|used)|i'm|i've|im|ive|(?:it is|it's|its|they are|they're) (?:one of )?my|my (?:\w+ )?(?:wife|husband|mom|dad|favou?rites?|fave|fav|name|dog|cat|job|kids|son|daughter|hobby|passion)(?: \w+)? (?:is|are|was|has|loves|likes|and i))\b)",
    re.IGNORECASE,
)
_NO_RUN_ON = re.compile(
    r"(?:that|when|if|as|where|what|which|who|how|think|know|because|cause|than|like|wish|hope|said|say|says|tells|thinks|claims|believes|insists|swears|sometimes|occasionally|thought|assumes|suspects|guess|believe|since|while|though|although|so|but|and|or|until|before|after|whenever|feel|felt|mean|sure|glad|thing|things|time|way|reason|one|all|do|did|was|am|me|told|tell|why|even|the|a|of|for|with|to|in|at|on|is|are|by|about|from|sorry|happy|realized|noticed|thought|heard|day|place|places|first|last|moment|everything|something|anything|someone|people|person|once|now|then|maybe|unless|whether|except|not|never|just|both|only|wonder|prefer)$",
    re.IGNORECASE,
)
# "At work I prefer ...": when something holds is part of what follows.
_WHEN = re.compile(
    r"^(?:and |but )?(?:in|at|on|for|during|over|after|before|with|as|most|every|each)\b(?: [\w'-]+){1,4}$",
    re.IGNORECASE,
)
# ... and behind a reaction or a place, whatever they go on with: "that is so cool i play the banjo", "to the lake just love lakes".
_GOES_ON = re.compile(
    r"\s+(?=(?:i|i'm|im|i've|ive|my|we|we're|do you|are you|have you|what|how|where|can you)\s+[a-z]|me too(?![a-z]))",
    re.IGNORECASE,
)
_PLACE = re.compile(r"(?:to|at|in|on|by|near) (?:the |a |my )?[a-z]+", re.IGNORECASE)
# "I am good, just painting the fence", "i am great sometimes i sew": how one is, and then what one does.
_HOW_I_AM = re.compile(
    r"(?:hi|hello|hey|yes|oh)?,? ?(?:i am|i'm|im|we are|we're|doing|feeling)(?: doing| feeling)? (?:very |pretty |so |really |just |quite )*(?:good|great|fine|well|ok|okay|alright|awesome|wonderful|fantastic|excellent)(?:,? thanks|,? thank you)?(?: today| tonight)?",
    re.IGNORECASE,
)
_DOING = re.compile(
    r"\s*,?\s+(?=(?:just |sometimes |usually |often |mostly |always )*(?:i |i'm |im |my |[a-z]{2,}ing (?!to\b|for you\b)\w))",
    re.IGNORECASE,
)
# "do you work i clean pools": a question of three or four words, and then the answer to one's own.
_SHORT_ASKED = re.compile(
    r"(?:\w+,? )?(?:do|are|have|did|can) (?:you|u) [a-z]+(?: (?:a lot|much|too|out|there|[a-z]+))?", re.IGNORECASE
)
_ANSWERS = re.compile(
    r"\s+(?=i (?!think|know|could|can|should|would|will|did|do|need|want|get|see|may|might|must|ever|have to|said|say|mean|like to|guess|feel)[a-z]+ (?:[\w'-]+ ?){1,4}$)",
    re.IGNORECASE,
)
_TASTE_ON = re.compile(
    r"\s+(?=(?:just|really|absolutely|totally|simply) (?:love|adore|like|enjoy|hate)\s)", re.IGNORECASE
)
_REACTION = re.compile(
    r"(?:(?:oh|wow|yeah|yes|aw+|ah+|ok|okay|haha|lol|well),? )*(?:(?:that(?:'s| is| sounds| must be)|thats|it(?:'s| is| sounds)|sounds|how|so|very|pretty|really) (?:so |very |really |pretty |too |just |such |quite |like |a )*)?"
    r"(?:nice|cool|great|awesome|good|fun|funny|neat|sweet|sad|tough|rough|bad|amazing|interesting|lovely|wonderful|impressive|fantastic|exciting|beautiful|true|understandable|hilarious|delicious|yummy|tasty|terrible|awful|hard|difficult|stressful|scary|lonely|busy|weird|crazy|odd|strange|gross|wild|unfortunate|annoying|boring|relaxing|adorable|cute|perfect|gorgeous)"
    r"(?: (?:to hear|to know|for (?:you|him|her|them)|job|idea|choice))?"
    r"|(?:good|nice|lucky) for you|me too|same here|me neither|i see|sorry to hear that|nice to meet you|good to know",
    re.IGNORECASE,
)
# "one of the games i enjoy", "the songs i like best": said of the thing before it, and no new sentence.
_RELATIVE = re.compile(
    r"\s+i (?:really |also |just |absolutely |always |most )*(?:love|like|enjoy|hate|adore|prefer|play|own|drive|use|have|collect)(?: (?:the )?(?:most|best|least)| a lot| so much| too| as well)*\s*(?=$|[,.;])",
    re.IGNORECASE,
)
# What somebody who types without marks adds to a question: "do you cook i love baking", "are you married i work nights".
_RUN_ON_ASKED = re.compile(
    r"(?<=[a-z])\s+(?=i (?!think|know|could|can|should|would|will|do|did|need|want|get|see|am\b|may|might|must|ever|have to|had)[a-z]+ (?:in|at|as|for|on|with|the|a|an|my|to|every|all|lots?|it|from|by)\b)",
    re.IGNORECASE,
)
_ASKS_FIRST = re.compile(r"^(?:\w+,? ){0,2}(?:do|are|have|did|can) (?:you|u)\b", re.IGNORECASE)
_ONLY_A_NAME = re.compile(
    r"^\W*(?:my|our|me|(?i:hubby|hubs|wifey|mom|mum|dad|sis|bro|hubster)(?=$)|[A-Z]\w+)(?:\s+(?!(?:is|are|was|were|am|has|have)\b)[\w'-]+){0,3}$"
)
_CUT_EN_CASE = re.compile(r"\band\s+(?=[A-Z]\w+ (?:is|was|has|likes|loves|hates)\b)")
_CUT_ZH = re.compile(
    r"[，：；;]|,(?!\d)|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])|(?<=[\u3400-\u9fff])(?=(?:但是|不过(?!敏|期|夜|关|问|去)|可是|所以|因为|而且|另外)[\u3400-\u9fff])"
)
_EDGES = " \t\r\n,，;；:：.。!！~～…-–—*•·\"“”「」'"


@dataclass(frozen=True)
class Clause:
    """`text` is verbatim, turn[start:end]; `ends` is the closing mark of its sentence, `index` its place in the turn.

    A clause that switches between languages is read as its `gloss`; `other` is how it might be read in the other language.
    """

    text: str
    start: int
    end: int
    sentence: int
    index: int
    language: str
    ends: str = ""
    last: bool = True
    gloss: Gloss | None = None
    other: Gloss | None = None

    @property
    def read(self) -> str:
        """The words as grammar reads them: the user's own, or their gloss."""
        return self.text if self.gloss is None else self.gloss.text

    @property
    def plain(self) -> str:
        return plain(self.read)

    @property
    def unread(self) -> tuple[tuple[str, str], ...]:
        """The language that a clause which switches is not read in, and how it reads in that."""
        return () if self.other is None else ((self.other.language, self.other.text),)

    def place(self, start: int, end: int) -> Span:
        """Where read[start:end] stands in the turn."""
        if self.gloss is not None:
            start, end = self.gloss.place(start, end)
        return Span(self.start + start, self.start + end)

    def said(self, words: str) -> str:
        """The user's own words for some of the words read."""
        return words if self.gloss is None else self.gloss.said(words)

    def otherwise(self) -> Clause:
        """The clause read in the other language; itself where that makes no sense."""
        if self.other is None or not self.other.whole:
            return self
        return replace(self, gloss=self.other, language=self.other.language, other=self.gloss)


def language_of(text: str) -> str:
    """ "zh" when at least a fifth of the letters are ideographs, else "en"."""
    ideographs = len(_CJK.findall(text))
    letters = sum(1 for char in text if char.isalpha())
    return "zh" if ideographs * 5 >= max(letters, 1) and ideographs else "en"


def clauses_of(words: TurnWords) -> list[Clause]:
    """The clauses of a turn's own words, in order; at most MAX_CLAUSES."""
    found: list[Clause] = []
    text = words.text[: words.cut]
    for number, (sentence, mark) in enumerate(_sentences(text, words.zones)):
        spoken = text[sentence.start : sentence.end]
        if len(found) >= MAX_CLAUSES:
            break
        language = language_of(spoken)
        spans = list(_cut(text, sentence, language))
        for place, span in enumerate(spans):
            said = text[span.start : span.end]
            last = place == len(spans) - 1
            clause = Clause(said, span.start, span.end, number, len(found), language, mark, last)
            found.append(_in_its_language(clause) if is_mixed(spoken) else clause)
    return found[:MAX_CLAUSES]


def _in_its_language(clause: Clause) -> Clause:
    """A clause of a sentence that switches, in the language of its own words."""
    if found := glosses(clause.text):
        return replace(clause, language=found[0].language, gloss=found[0], other=found[1])
    if is_mixed(clause.text):
        return clause
    own = language_of(clause.text)
    return replace(clause, language=own if own == "zh" or _ENGLISH.search(clause.text) else clause.language)


# What makes a clause without an ideograph English, and no name in a Chinese row: "Word, Excel".
_ENGLISH = re.compile(
    r"(?<![a-z])(?:i|i'm|my|me|we|you|it|is|are|am|the|don't|not|call|please|but|so|because|to|in|just|give|use|keep)(?![a-z])",
    re.IGNORECASE,
)


def _sentences(text: str, zones: tuple[Zone, ...]) -> Iterator[tuple[Span, str]]:
    for free in _free(len(text), zones):
        at = free.start
        for match in _SENTENCE_END.finditer(text, free.start, free.end):
            if match.group() == "." and _ABBREVIATION.search(text, max(at, match.start() - 8), match.start()):
                continue
            if span := _trimmed(text, at, match.start(), MAX_SENTENCE):
                yield span, match.group()
            at = match.end()
        if span := _trimmed(text, at, free.end, MAX_SENTENCE):
            yield span, ""


def _free(length: int, zones: tuple[Zone, ...]) -> Iterator[Span]:
    at = 0
    for zone in zones:
        if zone.start > at:
            yield Span(at, zone.start)
        at = max(at, zone.end)
    if at < length:
        yield Span(at, length)


# What is said before a statement and belongs to it: "From now on, please ...", 「以后，请……」.
_LEAD = re.compile(
    r"(?:\W*(?:and|but|so|ok(?:ay)?|well),?\s+)?(?:from (?:now|here|today) on|going forward|in (?:the )?future|in general|by default|as a rule|at all times|henceforth|every time|each time)$"
    r"|(?:那|那么|好|所以)?(?:以后|从现在(?:起|开始)|今后|从今(?:往|以)?后|往后|从今天(?:起|开始))$"
    r"|(?:and |but |so )?when (?:i|we) (?:was|were) [\w' -]{1,25}$|我[\d一二三四五六七八九十]{1,3}岁(?:的时候|时|那年)$"
    r"|(?:\W*(?:no|actually|sorry|hey),?\s+)*my name(?:'s not| is not| isn't) [\w'-]+$",
    re.IGNORECASE,
)
# "I'm Marta, 34, living in Porto": one person told in pieces.
_INTRODUCES = re.compile(
    r"(?:[^,.]{0,20}[,!] ?)?(?:hey|hi|hello|so|well)?,? ?(?:i'm|i am|my name(?:'s| is)) ", re.IGNORECASE
)
_PIECE = re.compile(
    r",\s*(?=(?:living|based|working|studying|married|single|divorced|retired|originally from|born)\b|[1-9]\d(?:,|$| years?\b| yo\b))",
    re.IGNORECASE,
)


def _cut(text: str, sentence: Span, language: str) -> Iterator[Span]:
    spoken = plain(text[sentence.start : sentence.end])
    cuts = sorted(_cuts_zh(spoken) if language == "zh" else _cuts_en(spoken))
    if is_mixed(spoken):
        both = _cuts_en(spoken) if language == "zh" else []
        both += [(m.start(), m.end()) for m in _SWITCH.finditer(spoken) if not _LEAD.match(spoken[: m.start()])]
        cuts = sorted([*cuts, *both])
    at = 0
    for start, end in cuts:
        if start < at:
            continue
        if span := _trimmed(text, sentence.start + at, sentence.start + start):
            yield span
        at = end
    if span := _trimmed(text, sentence.start + at, sentence.end):
        yield span


def _cuts_zh(spoken: str) -> list[tuple[int, int]]:
    return [(m.start(), m.end()) for m in _CUT_ZH.finditer(spoken) if not _LEAD.match(spoken[: m.start()])]


def _cuts_en(spoken: str) -> list[tuple[int, int]]:
    cuts = [(m.start(), m.end()) for p in (_CUT_EN, _CUT_EN_CASE) for m in p.finditer(spoken) if not _inside(spoken, m)]
    if _INTRODUCES.match(spoken):
        cuts += [(m.start(), m.end()) for m in _PIECE.finditer(spoken)]
    if _USED_TO_BE.search(spoken):
        cuts += [(m.start(), m.end()) for m in _NOW_IT_IS.finditer(spoken)]
    return [*cuts, *_run_ons(spoken)]


# Where somebody who mixes starts anew in the other language: "I'm vegan，我老公 isn't", 「我对虾过敏 so please ...」.
_SWITCH = re.compile(
    r"[，；]\s*|,\s*(?=[我你您他她咱])|,?\s+(?:but|so|because|cause|cuz|since|and|or|then|plus)\s+(?=[我你您他她咱])"
    r"|(?<=[\u3400-\u9fff])[,，]?\s+(?:(?:but|so|because|since)\s+)?(?=(?:can you|could you|please|i'm|i am|i've|i have|i live|i work|i like|i love|i hate|i prefer|i don't|i can't)(?![a-z]))",
    re.IGNORECASE,
)
# "My favourite tea used to be mint, now it's rooibos": what was, and what is.
_NOW_IT_IS = re.compile(
    r"\s*,?\s+(?:and |but )?(?=(?:now|these days|lately),? (?:it's|it is|its|they're|they are)\s)", re.IGNORECASE
)
_USED_TO_BE = re.compile(r"(?<![a-z])used to be(?![a-z])", re.IGNORECASE)

_OPEN_FRAME = re.compile(
    r"(?:^|\b)(?:if|when|whenever|the|a|that|which|who|than|of|to|for|with|like|as|and|or)$", re.IGNORECASE
)


def _inside(spoken: str, match: re.Match[str]) -> bool:
    """Whether the words before the cut can't stand alone: "the places that, I think, ..."."""
    before = spoken[: match.start()].rstrip(" ,")
    joint = match.group().strip(" ,").lower()
    if joint in ("and", "or") and _ONLY_A_NAME.match(before):
        return True  # "my spouse and I are looking"
    if joint in _CONTRASTS and _POINTED.search(before):
        return False  # "I nearly did that but I want ..."
    return bool(_OPEN_FRAME.search(before) or _LEAD.match(before))


_CONTRASTS = frozenset({"but", "so", "because", "since", "although", "though", "yet"})
_POINTED = re.compile(r"\w that$", re.IGNORECASE)


def _run_ons(spoken: str) -> Iterator[tuple[int, int]]:
    asked = _RUN_ON_ASKED.finditer(spoken) if _ASKS_FIRST.match(spoken) else iter(())
    for first, then in ((_REACTION, _GOES_ON), (_PLACE, _TASTE_ON), (_HOW_I_AM, _DOING), (_SHORT_ASKED, _ANSWERS)):
        for match in then.finditer(spoken):
            if first.fullmatch(spoken[: match.start()].strip(" ,")):
                yield match.start(), match.end()
                break
    for match in (*_RUN_ON.finditer(spoken), *asked):
        before = spoken[: match.start()].rstrip()
        if _RELATIVE.match(spoken, match.start()):
            continue
        if before and before[-1] not in ",;:" and not (_NO_RUN_ON.search(before) or _WHEN.match(before)):
            yield match.start(), match.end()


def _trimmed(text: str, start: int, end: int, longest: int = MAX_CLAUSE) -> Span | None:
    while start < end and text[start] in _EDGES:
        start += 1
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    if end - start > MAX_CLAUSE and (end - start > longest or not _BY_A_PERSON.match(text, start)):
        return None
    if start >= end or not any(c.isalnum() for c in text[start:end]):
        return None
    return Span(start, end)
