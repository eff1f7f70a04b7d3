"""What the grammar of a clause says: whose it is, whether it states, asks, asks for or supposes, and in which mood.

Cues come from the lexicon; nothing is kept or dropped here, and no meaning of a slot is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from hermes_core.extraction.clauses import Clause
from hermes_core.extraction.harm import AT_A_BITE, harms_speaker
from hermes_core.extraction.lexicon import Lexicon
from hermes_core.extraction.mixed import starts_in
from hermes_core.extraction.pointing import allergic_too, as_meant, as_now, liked_too, supplied, thing_named
from hermes_core.extraction.spelling import spelt, unlaughed
from hermes_core.extraction.standing import asked_for_good, meant_for_good
from hermes_core.extraction.subjects import BEFELL, OF_THEM_ZH, somebody_of_mine
from hermes_core.extraction.tense import announces_change

SELF, OTHER, YOU, THING, DROPPED, ORDER = "self", "other", "you", "thing", "dropped", "order"

_EN_SELF = re.compile(
    r"(?:i|i'm|im|i've|ive|i'd|id(?= (?:like|love|rather|prefer|never) )|i'll|ill|we|we're|we've|we'll|we'd)(?![a-z'])",
    re.I,
)
_EN_MY = re.compile(r"(?:my|our)(?![a-z])\s*", re.I)
# "Jazz is my favourite music", 「爵士是我最喜欢的音乐」: the thing comes first, but it is said of the speaker.
_EN_MINE = re.compile(
    r"[^,;]{1,60}? (?:is|are|was|were|has (?:always )?been) (?:still |always |definitely |probably |by far |one of )*my "
    r"(?:all[- ]time |absolute |most |least |true |real |first |biggest |greatest |big |only )*"
    r"(?:favou?rites?|fave|passion|hobby|thing|cup of tea|obsession|infatuation|addiction|go-?to|jam|calling|weakness|guilty pleasure|dream|fear|nightmare|specialty"
    r"|(?:[a-z]+ )?(?:drink|food|sport|season|colou?r|band|singer|movie|book|game|team|snack|choice|love) of choice|(?:favou?rite|preferred) [a-z]+)(?![a-z])",
    re.I,
)
_ZH_MINE = re.compile(
    r"[^，。；]{1,24}?(?:一直|永远|也|就)?是我的?(?:最|很|特别|比较|一直|真正)*(?:喜欢|爱|讨厌|热爱|擅长|常|首选|命|本命|软肋|强项|爱好|热情|梦想|心头好|死穴)"
    r"|[^，。；我你他她它谁]{1,14}我(?:会|就|都|也|是|一直|从小|从来|不会?|没有?)*(?:严重)?(?:过敏|不耐受)"
)
# 「大家都叫我小李」: others do it, but it is the speaker's name.
_CALLED = re.compile(
    r"(?:大家|朋友们?|别人|同事们?|家里?人|同学们?|身边的?人)(?:平时|一般|私下)?(?:都|也)?(?:叫|喊|称呼)我[\u4e00-\u9fffA-Za-z]{1,8}$"
)
_EN_YOU = re.compile(r"(?:you|you're|you've|your|yours|u|ur)(?![a-z'])", re.I)
_EN_PRONOUN = re.compile(
    r"(?:he|she|they|he's|she's|they're|they've|his|her|their|him|them|everyone|everybody|people|someone|somebody|nobody)(?![a-z'])",
    re.I,
)
_EN_THING = re.compile(r"(?:it|it's|its|this|that|that's|there|there's|these|those|here|here's)(?![a-z'])", re.I)
_EN_NAME = re.compile(
    r"(?:Both )?(?!(?:I|Nothing|Everything|Everyone|People|Someone|Something|Nobody|Most|Some|Many|All|Each|Every|Other|Another|Good|Great|God|Winter|Summer|Spring|Money|Life|Time|Today|Now|Here|There|Then|Kids|Men|Women|Books|Dogs|Cats)\b)(?P<name>(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?[A-Z][a-zà-ÿ'-]+(?: [A-Z][a-zà-ÿ'-]+){0,3})(?:,? and [A-Z][\w'-]+(?: [A-Z][\w'-]+){0,3})?(?=(?:'s)? (?:is|was|has|had|are|were|will|does|did|can|lives|works|likes|loves|hates|\w+s|\w+ed|\w+ly|both|always|never|often|once|also|currently|and)\b)"
)
LONGEST_NAME = 14  # letters of a first name
_SPOKEN = re.compile(r"(?<![\w'])[a-z]{2,}")
_EN_FULL_NAME = re.compile(
    r"(?:Both |When |After |While )?(?P<name>[A-Z][a-zà-ÿ]+(?: [A-Z][a-zà-ÿ'-]*[a-zà-ÿ])+)(?=\W|$)"
)
_EN_ANY_SELF = re.compile(r"(?<![a-z])(?:i|i'm|im|i've|me|my|mine|myself|we|our|us)(?![a-z])", re.I)
_EN_TOP = re.compile(
    r"(?:when (?:i|we) (?:was|were) [^,]{1,30}?|in|on|at|for|as|after|before|during|when|since|while|every|each|last|next|this|over|from|with|most|usually|sometimes|often|always|recently|currently|lately|now|today|tonight|tomorrow|yesterday|these|right|growing|being|once|until|by|due|apart|besides|unlike|like|speaking|to|one|my whole life|all my life)\b[^,]{0,60}?,?\s+(?=(?:i|i'm|i've|i'd|i'll|im|my|we|we're|our)(?![a-z]))",
    re.I,
)
_ZH_SELF = re.compile(r"(?:我们|我俩|咱们|我|咱|俺|本人|偶|小弟|在下|老子|本宝宝|鄙人)(?!国|校|院|市|省|爱你)")
_ZH_YOU = re.compile(r"(?:你们|您|你|亲)")
_ZH_PRONOUN = re.compile(r"(?:他们|她们|它们|他|她|它|人家|大家|别人|有人|有些人|某人|谁)")
_ZH_THING = re.compile(r"(?:这|那|此|其|该)")
_ZH_TIME = re.compile(
    r"(?:(?:今天|昨天|明天|前天|后天|今年|去年|明年|前年|最近|现在|目前|平时|平常|每天|每晚|每早|(?:每个?|逢)?(?:周|星期|礼拜)[一二三四五六日天](?:到(?:周|星期|礼拜)?[一二三四五六日天])?|每个?(?:周|星期|礼拜)(?:末)?|隔周|每月|每个月|每年|每次|周末|工作日|节假日|早上|晚上|上午|下午|中午|小时候|以前|以后|从小|有时候?|经常|一般|通常|上周|下周|上个月|下个月|这周|刚才|刚刚|业余时间|空闲时间|闲的时候|从现在起|从现在开始|今后|在家|在学校|在公司|大学时|退休后|下班后?|\d+年前?|\d+月\d*[日号]?)[，,\s]*)+"
)
# "When I work I ...", 「工作的时候我……」: when something holds stands before the subject.
_ZH_WHEN = re.compile(
    r"(?!我|你|他|她)[\u4e00-\u9fffA-Za-z]{1,8}?(?:的时候|的话|时|期间|之前|之后)[，,]?(?=我|咱|俺|本人)"
)
_ZH_ANY_SELF = re.compile(r"我|咱|俺|本人")
_LETTERS = re.compile(r"[A-Za-z]")
_MARKS = re.compile(r"[!！]")
_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]")


_POLITE = re.compile(
    r",?\s*if (?:you(?:'re| are)? (?:interested|curious|want|like|know|ask|don't mind|wonder\w*)|that helps|possible|anyone (?:cares|asks)|i'm (?:honest|not mistaken)|i remember (?:correctly|right))\b.*$",
    re.I,
)
_SUPPOSED = re.compile(r"(?<![a-z])(?:would|could|might)(?![a-z])|'d(?![a-z])|就|会|肯定|一定", re.I)
_TAGS = re.compile(r"(?<!\w)[@#]\w+")
_PRAISE = re.compile(
    r"(?<![a-z])(?<!don't )(?<!not )(?:love|enjoy|adore|favou?rite|can't wait|glad|grateful|thrilled|fun|great|amazing|lovely|festive|blessed|feel (?:so )?empowered)(?![a-z])|太棒|太好|真好|开心|最喜欢|最爱|幸福|美滋滋|感谢",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading:
    """One clause read. `core` is the statement without openers and its start in the clause; `subject` names another person."""

    clause: Clause
    core: str
    at: int
    person: str
    subject: str = ""
    kin_slot: str = ""
    question: bool = False
    request: bool = False
    hypothetical: bool = False
    hedged: bool = False
    negated: bool = False
    past: bool = False
    habit_over: bool = False
    future: bool = False
    lasting: bool = False
    correction: bool = False
    sarcastic: bool = False
    social: int = 0
    emotion: float = 0.0
    speaks_of_self: bool = False
    standing: bool = False  # a request that is meant to last, phrased as a question or without a verb
    since: int = -1  # where the clause starts that announced this one ("I've moved, ..."), or -1
    lent: str = ""  # the subject that a clause without one takes over from the clause before it
    lender: int = -1  # where the clause starts that lends it, or -1
    harmed: bool = False  # this clause or its sentence tells what the thing did to the speaker
    introduced: bool = False  # tells of the person or pet that the clause before introduces
    meant: str = ""  # the statement with the thing that its pronoun stands for, when the clause before names it

    @property
    def spoken(self) -> str:
        """The statement as it is understood: with the subject that it leaves out, and what its pronoun stands for."""
        return self.meant or f"{self.lent}{self.core}"

    @property
    def language(self) -> str:
        return self.clause.language

    @property
    def start(self) -> int:
        """Where the statement starts in the turn, and where it ends."""
        return self.clause.place(self.at, self.at + len(self.core)).start

    @property
    def end(self) -> int:
        return self.clause.place(self.at, self.at + len(self.core)).end


class Reader:
    """Reads clauses by a lexicon; immutable and safe to share between threads."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._kin_en = _kin_en(lexicon.kin_words)
        self._kin_zh = _kin_zh(lexicon.kin_words)

    def read_all(self, clauses: Sequence[Clause]) -> list[Reading]:
        """The clauses of one turn in order: what has no subject of its own takes it from the clause before it."""
        out: list[Reading] = []
        for clause in clauses:
            reading = self.read(clause)
            before = out[-1] if out else None
            same_sentence = before is not None and before.clause.sentence == clause.sentence
            if before is not None and _tells_of_introduced(before, reading):
                reading = replace(reading, person=THING, subject="", kin_slot="", introduced=True)
            if before is not None and same_sentence and _continues(before, reading):
                own = "我" if clause.language == "zh" else "I "
                lent = own if before.person == SELF else before.subject + " "
                lent = "" if _HAS_SUBJECT.match(reading.core) else lent
                lender = before.lender if before.lender >= 0 else before.start
                reading = replace(
                    reading,
                    person=before.person,
                    subject=before.subject,
                    kin_slot=before.kin_slot,
                    lent=lent,
                    lender=lender if lent == own else -1,
                )
            elif before is not None and same_sentence and reading.person == DROPPED and OF_THEM_ZH.match(before.core):
                reading = replace(reading, person=OTHER)
            if before is not None and (whole := _completed(before, reading)):
                reading = replace(reading, meant=whole, person=SELF)
            if before is not None and (meant := self._meant(before, reading)):
                heat = self.emotion(meant + clause.ends, clause.language)
                since = before.clause.start + before.at if as_now(before.core, reading.core) else reading.since
                reading = replace(reading, meant=meant, person=SELF, emotion=heat, since=since)
            if before is not None and _points_to(before, reading):
                reading = replace(reading, subject=before.subject)
            if before is not None and same_sentence and announces_change(before.core):
                reading = replace(reading, correction=True, since=before.start)
            if before is not None and before.hypothetical and same_sentence:
                supposes = reading.hypothetical or _SUPPOSED.search(reading.core) is not None
                reading = replace(reading, hypothetical=supposes)
            out.append(reading)
        return _with_harm(out)

    def _meant(self, before: Reading, reading: Reading) -> str:
        """The statement with its pronoun filled from the clause before, which asks after or praises the thing."""
        if reading.language != before.language or reading.question or reading.sarcastic or before.sarcastic:
            return ""
        if told := supplied(before.core, reading.core):
            return told
        thing = thing_named(before.core, before.language)
        words = reading.clause.read if reading.language == "zh" else reading.core  # 「那」 is an opener, too
        return as_meant(words, thing, reading.language)

    def read(self, clause: Clause) -> Reading:
        """The clause's person, mood and time; a pure function of its words and its sentence's closing mark."""
        text, language = clause.plain, clause.language
        core, at = self._core(text, language)
        words, talk = spelt(text), unlaughed(text)
        said = clause.unread  # a mood may be told in either language, ...
        led = [(other, self._core(part, other)[0]) for other, part in said if starts_in(other, clause.text)]

        def within(name: str) -> bool:
            return self.lexicon.within(name, language, words) or any(self.lexicon.within(name, *one) for one in said)

        order = asked_for_good(core) if language == "en" else 0
        core, at = core[order:], at + order
        standing = order > 0 or meant_for_good(core)
        person, subject, kin_slot = (ORDER, "", "") if standing else self._person(core, language)
        asks = not standing and (
            self._asks(clause, core, language) or any(self._opens_asking(*one) for one in led or said)
        )
        return Reading(
            clause,
            clause.read[at : at + len(core)],
            at,
            person,
            subject,
            kin_slot,
            question=asks,
            request=standing or any(self.lexicon.opens("request", *one) for one in ((language, core), *led)),
            hypothetical=any(
                self.lexicon.within("hypothetical", spoken, _POLITE.sub("", words))
                for spoken, words in ((language, text), *said)
            ),
            hedged=within("hedge"),
            negated=within("negation"),
            past=within("past"),
            habit_over=within("past_habit"),
            future=within("future"),
            lasting=standing or within("lasting"),
            correction=within("correction"),
            sarcastic=within("sarcasm") or self._ironic(core, language),
            social=self.lexicon.count("social", language, talk) + len(_EMOJI.findall(talk)) + len(_TAGS.findall(talk)),
            emotion=max(self.emotion(part + clause.ends, spoken) for spoken, part in ((language, text), *said)),
            speaks_of_self=bool((_ZH_ANY_SELF if language == "zh" else _EN_ANY_SELF).search(text)),
            standing=standing,
        )

    def emotion(self, text: str, language: str) -> float:
        """How heated the words are: about 1 for one strong cue, 0 for none (W7)."""
        score = float(min(3, self.lexicon.count("emotional", language, text)))
        score += 0.5 * max(0, len(_MARKS.findall(text)) - 1) + 0.5 * len(_EMOJI.findall(text))
        letters = _LETTERS.findall(text)
        if len(letters) >= 12 and sum(map(str.isupper, letters)) / len(letters) > 0.7:
            score += 1.0
        return score

    def _ironic(self, core: str, language: str) -> bool:
        """Praise of what nobody is glad of: "I love paying rent for a room without heating"."""
        return _PRAISE.search(core) is not None and self.lexicon.within("unpleasant", language, core)

    def _core(self, text: str, language: str) -> tuple[str, int]:
        """The clause without what is said before the statement ("by the way, ..."), and where it starts."""
        at = 0
        pattern = self.lexicon.pattern("openers", language)
        for _ in range(6):
            match = pattern.match(text, at)
            if match is None or match.end() >= len(text):
                break
            rest = match.end()
            while rest < len(text) and text[rest] in " ,，、:：.~-!！":
                rest += 1
            if rest >= len(text) or (language == "zh" and len(text) - rest < 2):
                break
            at = rest
        return text[at:], at

    def _asks(self, clause: Clause, core: str, language: str) -> bool:
        pattern = self.lexicon.pattern("question", language)
        marked = "?" in clause.ends or "？" in clause.ends
        if language == "zh":
            return (marked and clause.last) or pattern.search(core) is not None
        opens = pattern.match(core) is not None
        return opens or (marked and clause.last and not self._states(core))

    def _opens_asking(self, language: str, text: str) -> bool:
        """Whether the words of the other language ask, in a clause that switches: English asks with its first words."""
        pattern = self.lexicon.pattern("question", language)
        return (pattern.search(text) if language == "zh" else pattern.match(text)) is not None

    def _states(self, core: str) -> bool:
        """Whether an English clause under a question mark is a statement with the mark put on all the same."""
        return _EN_SELF.match(core) is not None and len(core.split()) >= 6

    def _person(self, core: str, language: str) -> tuple[str, str, str]:
        return self._person_zh(core) if language == "zh" else self._person_en(core)

    def _person_en(self, core: str) -> tuple[str, str, str]:
        if match := _EN_TOP.match(core):
            core = core[match.end() :]
        if _EN_SELF.match(core):
            return SELF, "", ""
        if joint_subject(core, "en") or BEFELL.match(core):
            return SELF, "", ""
        if _EN_MY.match(core):
            if kin := self._kin_en.match(core):
                word = kin.group("kin")
                return OTHER, (kin.group("name") or word).strip(), self._kin_slot(word)
            return SELF, "", ""
        if _EN_MINE.match(core):
            return SELF, "", ""
        if _EN_YOU.match(core):
            return YOU, "", ""
        if _EN_PRONOUN.match(core):
            return OTHER, "", ""
        if _EN_THING.match(core):
            return THING, "", ""
        if self.lexicon.opens("request", "en", core):
            return ORDER, "", ""
        if name := _EN_FULL_NAME.match(core) or _EN_NAME.match(core):
            told = name.group("name")
            if len(told.split()[0]) > LONGEST_NAME or not _SPOKEN.search(core, name.end("name")):
                return THING, "", ""  # a heading, or a term at the head of its sentence
            return OTHER, told, ""
        return (DROPPED if core[:1].islower() or core else THING), "", ""

    def _person_zh(self, core: str) -> tuple[str, str, str]:
        if match := _ZH_TIME.match(core):
            core = core[match.end() :] or core
        if match := _ZH_WHEN.match(core):
            core = core[match.end() :]
        if kin := self._kin_zh.match(core):
            word = kin.group("kin")
            return OTHER, (kin.group("name") or word).strip(), self._kin_slot(word)
        if who := somebody_of_mine(core):
            return OTHER, who, ""
        if _ZH_SELF.match(core):
            return SELF, "", ""
        if _ZH_MINE.match(core) or _CALLED.match(core):
            return SELF, "", ""
        if _ZH_YOU.match(core):
            return YOU, "", ""
        if _ZH_PRONOUN.match(core):
            return OTHER, "", ""
        if _ZH_THING.match(core):
            return THING, "", ""
        if self.lexicon.opens("request", "zh", core):
            return ORDER, "", ""
        return DROPPED, "", ""

    def _kin_slot(self, word: str) -> str:
        return next((slot for slot, pattern in self.lexicon.kin if pattern.fullmatch(word)), "relation")


@lru_cache(maxsize=8)
def _kin_en(words: str) -> re.Pattern[str]:
    return re.compile(
        r"(?:my|our)\s+(?:(?:best|old|oldest|older|younger|youngest|elder|little|big|late|dear|good|close|twin|new|former|current|two|three|four|first|second|middle|only|other|beloved|grown)\s+){0,2}"
        rf"(?P<kin>{words})(?![a-z])(?!'s? (?:house|place|birthday))(?P<name>\s+(?-i:[A-Z][a-z]+))?",
        re.I,
    )


@lru_cache(maxsize=8)
def _kin_zh(words: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:我们?|咱|俺)(?:的|家)?(?:最好的|好|大|小|双胞胎|以前的|新|两个|三个)?(?P<kin>{words})(?P<name>(?!是|很|也|都|最|特别|非常|不|没|真|还|就|太|挺|超|老(?:是|爱|喜欢)|总|一直|现在|已经)(?!对|和|跟|与|说|问|讲|觉得|认为|告诉|会|在|吃|喝|去|养|得|患|被|常|每|因|今|昨|从|刚|要|想)[\u4e00-\u9fff]{{1,3}}?(?=(?:是|喜欢|讨厌|不|住在|说|最|很|有|也|爱|对|会|在|没|吃|喝|去|养|得了|患|被|常|每|刚|要|想|今年)))?"
    )


_SHUNS = re.compile(
    r"(?:i|we) (?:\w+ )?(?:can't|cannot|can not|don't|do not|never|mustn't|no longer|avoid|stay away|steer clear|stay clear|keep away|won't|have to avoid|must avoid)(?![a-z])"
    r"|(?:我们?|咱|俺)?[^，。]{0,4}?(?:不能|不敢|不可以|不吃|不喝|不碰|不再|从不|没法|远离|避开|吃不了)",
    re.IGNORECASE,
)


def _shuns(core: str) -> bool:
    return _SHUNS.match(core.replace("’", "'")) is not None or AT_A_BITE.match(core) is not None


def _with_harm(readings: Sequence[Reading]) -> list[Reading]:
    """What is shunned, marked where its sentence tells what it did to the speaker."""
    out = []
    for at, reading in enumerate(readings):
        if reading.person in (SELF, DROPPED) and _shuns(reading.core):
            rest = [r for r in readings[at:] if r.clause.sentence == reading.clause.sentence]
            words = ", ".join(r.clause.plain for r in rest)
            asks = any(r.question or r.hypothetical for r in rest)
            reading = replace(reading, harmed=not asks and harms_speaker(words))
        out.append(reading)
    return out


_PAUSE = re.compile(r"^((?:以后|从现在(?:起|开始)|今后|从今(?:往|以)?后|往后|从今天(?:起|开始)))[，,]\s*")
_USED_TO = re.compile(
    r"(?<![a-z])(?:used to|previously|formerly|once(?! (?:in|a|every|per|upon|i|we|again)\b)) ", re.IGNORECASE
)


def as_if_present(core: str) -> str:
    """The clause without what puts it into the past, and without a pause after its time, to see what it speaks of.

    "My wife and I live in Oslo" is read as "we live in Oslo".
    """
    core = spelt(core)
    for language, pattern in _JOINT.items():
        core = pattern.sub("we" if language == "en" else "我们", core, count=1)
    core = _ONWARDS.sub("", core, count=1)
    if match := _EN_TOP.match(core) or _EN_FOR.match(core) or _ZH_WHEN.match(core) or _ZH_LEAD.match(core):
        core = core[match.end() :]
    return _PAUSE.sub(r"\1", _USED_TO.sub("", core))


# "For code, give me ...": what an order holds for.
_EN_FOR = re.compile(
    r"(?:for|in|at|on|during|when|whenever|with)\b[^,]{1,40},\s*(?=(?:please |always |never |just )*(?:give|use|keep|answer|reply|respond|write|be|don't|do not|avoid|include|show|explain|speak|skip|make)\b)",
    re.IGNORECASE,
)
# "From now on call me ...": since when it holds stands before the order.
_ONWARDS = re.compile(
    r"^(?:from (?:now|here|today) on|going forward|in (?:the )?future|by default),?\s+(?=(?!i\b|i'|my\b|we\b)[a-z])",
    re.IGNORECASE,
)
# A time before the subject: 「早上我喝咖啡」.
_ZH_LEAD = re.compile(_ZH_TIME.pattern + r"(?=我|咱|俺)")
# The speaker among others: "my wife and I", "me and my family", 「我和老公」.
_JOINT = {
    "en": re.compile(
        r"^(?:both )?(?:(?:(?:my|our)(?: [\w'-]+){1,3}?|hubby|hubs|wifey|mom|mum|dad|sis|bro),? and (?:i|me|myself)|(?:me|i|myself) and my(?: (?!is\b|are\b|was\b|were\b|have\b|has\b|live\b|love\b|like\b|work\b|both\b)[\w'-]+){1,3}?)"
        r"(?= (?:both |all |just |now |also |recently |currently |usually |always |never |often |really |together |don't |do not |can't |used to )*(?:am|are|'re|have|'ve|had|do|did|live|lived|love|like|hate|work|own|moved|met|got|share|run|eat|drink|speak|enjoy|prefer|adopted|keep|play|go|went|want|need|plan|were|was|rent|bought|married|started|study|grew|met|make|cook|avoid|disagree|agree|argue|fight|visit|travel|raise|raised|watch|spend|garden|hike|camp|dance|sing|sail|swim|walk|ride|talk|separated|divorced|hope|never|always|don't)\b)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"^(?:我|咱|俺)(?:和|跟|与|同)(?:我的?)?(?!你|您|他|她|它)[\u4e00-\u9fff]{1,6}?(?=(?:现在|目前|一直|都|一起|也|常|已经|刚|最近|一般|平时)*(?:住|在|搬|定居|生活|养|有|是|喜欢|爱|讨厌|不|结婚|吃|喝|去))"
    ),
}


def joint_subject(core: str, language: str) -> bool:
    """Whether the clause is about the speaker together with somebody."""
    return _JOINT[language].match(core) is not None


def _completed(before: Reading, after: Reading) -> str:
    """The statement that a clause makes with the words of the clause before it, or ""."""
    if after.language != "zh" or before.clause.sentence != after.clause.sentence or after.question or before.question:
        return ""
    return liked_too(before.meant or before.core, after.core) or allergic_too(
        before.core, after.core, after.clause.said
    )


def _points_to(before: Reading, after: Reading) -> bool:
    """ "Ida never sang; instead, she danced": the pronoun stands for the person of the clause before it."""
    if before.person != OTHER or not before.subject or before.clause.sentence != after.clause.sentence:
        return False
    return after.person == OTHER and not after.subject


# 「医生让我少吃盐」: has its own subject, and yet tells of the speaker.
_HAS_SUBJECT = re.compile(
    r"(?!别|不|又|也|还|就|都|再)[\u4e00-\u9fff]{1,5}?(?:让|叫|劝|逼|要求|建议|允许|不让|提醒|催|教|嘱咐|安排|允许|不许)我"
)
# 「我们有个女儿叫朵朵」, 「我养了一只猫」, 「我家的猫叫咪咪」: what follows without a subject tells of that one.
_INTRODUCES = re.compile(
    r"(?:我们?|咱们?|俺)?(?:家|家里)?(?:现在|还|也|就|目前|刚|最近)*(?:有|生|养|领养|收养|捡|买|抱)(?:了|着)?[一二两三四五六几\d]*(?:个|位|只|条|匹|头|对)"
    r"[\u4e00-\u9fffA-Za-z]{0,6}?(?:女儿|儿子|孩子|娃|宝宝|小孩|闺女|双胞胎|姐姐?|妹妹?|哥哥?|弟弟?|侄[子女]|外甥女?|孙[子女]|男朋友|女朋友|对象|朋友|室友|同事|表[姐妹哥弟]|猫咪?|狗狗?|金毛|柯基|泰迪|哈士奇|布偶|英短|橘猫|兔子?|仓鼠|鹦鹉|乌龟|鸟|马|鱼)"
    r"|(?:我们?|咱们?|俺)家(?:里)?(?:的|那只|有只|养的)?[\u4e00-\u9fff]{1,5}?(?:名字)?(?:叫|名叫)"
    # 「我家的狗，叫旺财」: the one named first is only named
    r"|(?:我们?|咱们?|俺)(?:家|家里)?(?:的|那只|有只|养的|这只)?(?:大|小|老)?(?:狗狗?|猫咪?|金毛|柯基|泰迪|哈士奇|布偶|英短|橘猫|兔子?|仓鼠|鹦鹉|乌龟|鸟|马|儿子|女儿|孩子|闺女|宝宝|姐姐|妹妹|哥哥|弟弟|老公|老婆|[男女]朋友|邻居|同事|室友|朋友)$"
)
_ITS_OWN = re.compile(r"(?:my |i |we |i'm |我|咱|俺|你|他们|她们)", re.I)
_OF_IT = re.compile(r"(?:it|it's|he|he's|she|she's|they|they're|its|his|her)(?![a-z'])", re.I)


def _tells_of_introduced(before: Reading, after: Reading) -> bool:
    """Whether a clause without a subject of its own tells of the person or pet that the clause before it introduced."""
    if before.clause.sentence != after.clause.sentence or before.language != "zh" or after.standing or after.question:
        return False
    if not (before.introduced or _INTRODUCES.match(before.core)):
        return False
    if _OF_ANSWERS_ZH.match(after.core) or _ITS_OWN.match(after.core) or _HAS_SUBJECT.match(after.core):
        return False
    return after.person == DROPPED or _OF_IT.match(after.core) is not None


_OF_ANSWERS_ZH = re.compile(r"(?:请)?(?:你的)?(?:回答|回复|答案|说话|语气|输出|解释|说明)(?!了|过)")


def _continues(before: Reading, after: Reading) -> bool:
    """ "I love tea but hate coffee", 「我住在北京，在银行上班」: the second clause has the first one's subject."""
    if after.person != DROPPED or before.question or before.hypothetical:
        return False
    if after.standing or _OF_ANSWERS_ZH.match(after.core):  # 「我不喜欢香菜，回答尽量简短」: the assistant's answers
        return False
    return before.person == SELF or (before.person == OTHER and bool(before.subject))
