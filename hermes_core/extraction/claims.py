"""Kept clauses worded as claims: slot, value, subject, and a short text in the user's own words (W2).

Nothing is judged here; a claim that shares its sentence and slot with another one becomes one claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from hermes_core.catalogue import Catalogue, Slot
from hermes_core.extraction.frames import PREFERENCE, Match
from hermes_core.extraction.harm import (
    ALLERGIC,
    AS_A_CHILD,
    BUT_NOT,
    DENIED,
    OUTGROWN,
    harms_speaker,
    may_harm,
    tells_harm,
)
from hermes_core.extraction.judging import FULL, MISC, TYPICAL, WEAK, Verdict, confidence_of
from hermes_core.extraction.lexicon import Lexicon, plain
from hermes_core.extraction.meaning import Sense
from hermes_core.extraction.negation import NOT_OF, STOPPED, stands_denied
from hermes_core.extraction.passing import HEARD, is_gone, no_longer_had, own_in, wished_of_own
from hermes_core.extraction.qualifiers import qualifiers_of, unqualified
from hermes_core.extraction.reading import DROPPED, OTHER, SELF, THING, Reading
from hermes_core.extraction.screen import speaks_for_self
from hermes_core.extraction.slot_cues import CUES
from hermes_core.extraction.spelling import spelt
from hermes_core.extraction.standing import own_habit
from hermes_core.extraction.tense import is_over
from hermes_core.extraction.turn_words import rough_tokens
from hermes_core.extraction.unmeant import was_once
from hermes_core.items import Basis, Candidate, Kind, Tone, Turn
from hermes_core.reasons import Reason

TEXT_TOKENS = 44  # rough; an item holds 50 by the real counter (B)
OF_OTHERS = 0.7  # importance of what the user took the trouble to tell about somebody else
_ANY = Slot("fact", Kind.FACT, importance=0.4)
_STANDING = "standing_instruction"
_ABOUT_REPLIES = ("reply_", _STANDING, "code_examples", "form_of_address")
# Slots that a like or dislike may end up in, beside every preference.
_TASTES = ("diet", "values", "vehicle", "programming_languages", "tools", "fitness", "allergy", "goal", "learning_goal", "personality", "budget", "finances", "volunteering", "sleep", "devices", "health.condition", "medication", "children", "pets", "home")  # fmt: skip


_I_ZH = "我"  # a Chinese clause that leaves its subject out is worded with it: 「住在杭州，是老师」


# "I want a van", "I hope to have kids", 「我想养只猫」: what is wished for is not had.
_WISHED = re.compile(
    r"(?:i|we)(?:'d|'m| am)? (?:really |also |still |just |always |do |so |badly |definitely |would |have |only )*(?:want|wanna|wish|hope|hoping|dream|dreaming|long|would like|like to have|love to (?:have|own|get|buy|adopt|marry)|aim|plan to (?:have|own|get|buy|adopt|marry)|planning to (?:have|own|get|buy|adopt|marry)|saving (?:up )?for|wanted)(?![a-z])"
    r"|[我咱](?:们)?(?:一直|真的?|也|很|好|特别|非常|以后|将来|还|都|挺)*(?:想(?:要|养|买|有|换|生)|希望(?:能|有|以后)?|梦想|盼望|渴望)",
    re.IGNORECASE,
)
_HAD = frozenset({"vehicle", "children", "pets", "devices", "possessions", "home", "partner", "marital_status", "siblings", "hometown", "appearance", "occupation", "employer"})  # fmt: skip
_LEFT_BEHIND = frozenset({"partner", "pets", "vehicle", "children", "devices", "possessions"})
_GOAL = "goal"
# "I work in the music industry": whatever it resembles, it tells of work.
_AT_WORK = re.compile(
    r"(?:i|we)(?:'m| am|'ve| have)? ?(?:also |now |currently |just |still |mostly |been |mainly )*(?:work|working|worked|employed) (?!out\b|on (?:my|our|being)\b|hard\b|my (?:ass|butt|hardest)\b)",
    re.IGNORECASE,
)
_OF_WORK = ("occupation", "employer", "working_hours", "work_style", "colleagues", "project", "current_focus", "volunteering", "fact")  # fmt: skip
# That there is somebody, or what becomes of them; "we argue about the kids" says something else.
_PEOPLE = frozenset({"partner", "children", "siblings", "parents", "friends", "colleagues", "pets", "relation"})
_THERE_IS = re.compile(
    r"^\d|(?<![a-z])(?:have|has|had|got|'ve|am|'m|are|'re|was|were|raise\w*|expect\w*|adopt\w*|rescued?|come from|live|lives|lost|love|miss|own|keep|care|look after|met|married|marry|dat(?:e|ing)|engaged|divorced|come|family|my|our|no|grew up|cannot|can't|afford|born)(?![a-z])",
    re.IGNORECASE,
)
# "I'm too old to dance": no hobby.
_BEYOND = re.compile(
    r"(?:i|we)(?:'m| am|'re| are) (?:just |getting |way |far |a bit |also )*too [\w-]+ (?:to|for) ", re.IGNORECASE
)
# Below both, a clause merely resembles the best slot's sentences, and says something of its own.
SURE_FIT, SURE_LIKE = 0.45, 0.55


# "When I was twenty", 「我二十岁的时候」: an age that was.
_AT_THAT_AGE = re.compile(
    r"(?<![a-z])(?:when|since|until|before|after|back when|by the time) (?:i|we) (?:was|were|turned|am|turn)(?![a-z])|岁(?:的时候|时|那年|以前|之前|以后|起|就|才|开始)",
    re.IGNORECASE,
)


def _says_so(name: str, words: str) -> bool:
    if name == "age" and _AT_THAT_AGE.search(words):
        return False
    return name not in CUES or CUES[name].search(words) is not None


def _may_be_of_others(slot: Slot | None) -> bool:
    """Whether a frame's slot holds people and animals of the user's, or any fact; what may save a life is the user's own."""
    return slot is not None and (slot.kind is Kind.RELATION or slot.name in ("fact", "event"))


@dataclass(frozen=True)
class Draft:
    """A clause on its way to a claim; the fields after `match` are filled when it is placed."""

    turn: Turn
    reading: Reading
    match: Match
    heat: float = 0.0
    ironic: bool = False
    refused: str = ""  # the reason why it made no claim
    slot: Slot = _ANY
    confidence: float = 0.0
    emotional: bool = False
    start: int = 0
    end: int = 0


class Claims:
    """Places and words drafts with a catalogue; immutable, safe to share between threads."""

    def __init__(self, catalogue: Catalogue, lexicon: Lexicon) -> None:
        self.catalogue = catalogue
        self._lexicon = lexicon
        tastes = (s.name for s in catalogue if s.kind is Kind.PREFERENCE and not s.name.startswith(_ABOUT_REPLIES))
        self._tastes = (*tastes, *(name for name in _TASTES if name in catalogue))
        self._exclusive = frozenset(s.name for s in catalogue if s.exclusive)
        self._happenings = tuple(s.name for s in catalogue if s.kind in (Kind.EVENT, Kind.STATE))
        self._answers = tuple(s.name for s in catalogue if s.name.startswith(_ABOUT_REPLIES))
        self._others = tuple(s.name for s in catalogue if not s.name.startswith(_ABOUT_REPLIES))

    def placed(self, draft: Draft, verdict: Verdict, sense: Sense) -> Draft:
        """The draft with its slot, confidence and place in the turn."""
        slot = self._slot(draft, sense)
        return replace(
            draft,
            slot=slot,
            confidence=confidence_of(verdict, draft.reading, draft.match, slot.name, sense, self._lexicon),
            emotional=verdict.emotional,
            start=draft.reading.since if draft.reading.since >= 0 else draft.reading.start,
            end=draft.reading.end,
        )

    def _slot(self, draft: Draft, sense: Sense) -> Slot:
        name = draft.match.slot
        if draft.reading.person == OTHER and (not name or not _may_be_of_others(self.catalogue.slot(name))):
            return self.catalogue.slot("fact") or _ANY  # what is said of others has no place among the user's own slots
        if draft.reading.standing and not name.startswith(_ABOUT_REPLIES):
            name = self._of_answers(draft.reading, sense)
        elif not name or name == PREFERENCE:
            about_us = self._lexicon.within("about_answers", draft.reading.language, draft.reading.core)
            among = (
                None
                if about_us or (draft.reading.lasting and not own_habit(plain(draft.reading.core)))
                else self._others
            )
            name, fit = sense.best(self._tastes if name == PREFERENCE and not about_us else among)
            own = fit > 1.0  # nearer to the examples of a slot that the user added than to anything shipped
            if not own and not draft.match.slot and sense.happens and draft.reading.kin_slot == "":
                name, _ = sense.best(self._happenings)
            found = self.catalogue.slot(name)
            unsure = sense.typical.get(name, 0.0) < TYPICAL or _LEAVES.search(plain(draft.reading.core)) is not None
            if found is not None and found.exclusive and unsure and not about_us:
                # Only one value fits an exclusive slot: a guess may not push out what the user said plainly.
                name, _ = sense.best([n for n in self._others if n not in self._exclusive])
        if draft.match.slot in ("", PREFERENCE):
            name = self._as_said(name, draft, sense)
        if name == "employer" and draft.match.polarity < 0 and self.catalogue.find("residence", draft.match.value):
            name = "residence"  # "I left Rome"
        if name == _ALLERGY and draft.match.slot == PREFERENCE and not _UNABLE.search(draft.reading.core):
            name = _DIET  # "I avoid nuts" says no word of what they would do to somebody
        if name in _LEFT_BEHIND and draft.match.polarity > 0 and is_gone(draft.reading.core):
            name = "event"  # "I gave my two cats away"
        if draft.match.polarity > 0 and draft.reading.person == SELF and was_once(name, draft.reading.core):
            name = "event"
        return self.catalogue.slot(name) or _ANY

    def _as_said(self, name: str, draft: Draft, sense: Sense) -> str:
        """A slot that was guessed, or a plainer one where the words say that it is something else, or not enough."""
        words = spelt(plain(draft.reading.core))
        if not _says_so(name, words):
            name, _ = sense.best([n for n in self._others if n not in self._exclusive and n not in CUES])
        if draft.reading.standing or name not in self._others or draft.reading.kin_slot:
            return name
        if name in _SPOKEN and NOT_OF.match(words):
            return "fact"  # "I'm not French" says nothing of what is spoken
        if name in _HAD and _WISHED.match(words):
            return _GOAL
        if not draft.match.slot and name not in _OF_WORK and _AT_WORK.match(words):
            name, _ = sense.best(_OF_WORK)
        if name in _PEOPLE and not draft.match.slot and draft.reading.language == "en" and not _THERE_IS.search(words):
            return "fact"
        if _BEYOND.match(words) and name in self._tastes:
            return "fact"
        if draft.reading.language != "en":
            return name
        if sense.slots.get(name, 0.0) < SURE_FIT and sense.typical.get(name, 0.0) < SURE_LIKE and not sense.happens:
            return "likes" if draft.match.slot == PREFERENCE else "fact"
        return name

    def _told_why(self, draft: Draft, quote: str) -> Slot:
        """The draft's slot; an allergy where that is the reason for what is not eaten: 「我不能吃海鲜，会过敏」.

        And none where the reason is somebody else's, denied or outgrown: "I can't eat nuts, my daughter is allergic".
        """
        allergy, guessed = self.catalogue.slot(_ALLERGY), draft.match.slot in ("", PREFERENCE)
        if allergy is None or draft.reading.person == OTHER:
            return draft.slot
        if draft.slot.name == _ALLERGY and AS_A_CHILD.search(quote):
            return self.catalogue.slot("event") or _ANY
        harmed = harms_speaker(quote)
        if guessed and draft.slot.name == _ALLERGY and not harmed:
            if OUTGROWN.search(quote):
                return self.catalogue.slot("event") or _ANY
            if ALLERGIC.search(quote) and draft.match.polarity < 0:
                return self.catalogue.slot(_DIET) or _ANY
            if not (_UNABLE.search(quote) or _REACTS.search(quote)):
                return _ANY  # "I've run out of gluten free flour"
        if guessed and draft.slot.name == _ALLERGY and not self._names_substance(draft):
            return _ANY  # "I get a rash": of what?
        eaten = draft.slot.name in (_DIET, "food.likes", "drink.likes")
        return allergy if eaten and harmed and draft.match.polarity < 0 else draft.slot

    def _names_substance(self, draft: Draft) -> bool:
        """Whether a guess holds something that one can be allergic to."""
        return draft.match.slot == PREFERENCE or self.catalogue.find(_ALLERGY, draft.reading.core) is not None

    def _of_answers(self, reading: Reading, sense: Sense) -> str:
        """What of the answers a lasting request is about; a slot of listed values only where one of them is named."""
        name, _ = sense.best(self._answers)
        slot = self.catalogue.slot(name)
        return _STANDING if slot and slot.closed and not self.catalogue.find(name, reading.core) else name

    def worded(self, draft: Draft) -> Candidate:
        """The claim: its text is the user's own words, its quote stands verbatim in the turn."""
        reading, match = draft.reading, draft.match
        quote = draft.turn.text[draft.start : draft.end]
        slot = self._told_why(draft, quote)
        gives_up = slot.name == _ALLERGY and (match.slot == PREFERENCE or draft.slot.name != _ALLERGY)
        plainly = gives_up and harms_speaker(quote)
        when = qualifiers_of(quote, reading.language) if _may_be_qualified(slot, reading) else ()
        value = self._value(slot, reading, match, when)
        return Candidate(
            kind=str(Kind.PREFERENCE if match.slot == PREFERENCE and slot.kind is Kind.FACT else slot.kind),
            slot=slot.name,
            value=value,
            text=worded_text(_told(reading, quote)),
            quote=self._quoted(draft, slot, value, quote),
            turn_id=draft.turn.id,
            subject=self._subject(slot, reading, match),
            qualifiers=when,
            polarity=1 if gives_up else self._polarity(slot, draft, value, quote),
            exclusive=slot.exclusive,
            basis=str(Basis.EXPLICIT),
            tone=str(Tone.EMOTIONAL if draft.emotional else Tone.CALM),
            correction=reading.correction,
            lasting=reading.lasting or (slot.name.startswith("reply_") and _NO_MORE.search(plain(quote)) is not None),
            # "allergic" is as plain as can be, however the head weighs the clause before it
            confidence=FULL if plainly and not (draft.emotional or reading.hedged) else draft.confidence,
            importance=slot.importance if reading.person != OTHER else max(slot.importance, OF_OTHERS),
        )

    def _quoted(self, draft: Draft, slot: Slot, value: str, quote: str) -> str:
        """「我叫小雨，有糖尿病」: what a life hangs on is quoted with the clause before, where that says who speaks."""
        lender = draft.reading.lender
        hangs = slot.high_impact or self.catalogue.vital(slot.name, value)
        if not 0 <= lender < draft.start or not hangs or speaks_for_self(quote):
            return quote
        return draft.turn.text[lender : draft.end]

    def _is_name(self, subject: str) -> bool:
        return bool(subject) and not any(words.fullmatch(subject) for _, words in self._lexicon.kin)

    def of_pet(self, draft: Draft) -> Candidate | None:
        """That the named pet whose age or habit is told is the user's: "My dog Rex is 9" tells of Rex, and that there is Rex."""
        reading = draft.reading
        slot = self.catalogue.slot(_PETS)
        if slot is None or reading.kin_slot != _PETS or draft.slot.name == _PETS or not self._is_name(reading.subject):
            return None
        named = plain(reading.core).find(reading.subject) + len(reading.subject)
        if reading.past or reading.hedged or _NO_MORE_HERE.search(plain(reading.core)):
            return None
        return self._of_own(draft, slot, reading.subject, draft.turn.text[draft.start : draft.start + named])

    def in_passing(self, draft: Draft) -> Candidate | None:
        """What a clause that made no claim takes for granted: "that won't fit in my Honda Civic" tells that there is one."""
        reading = draft.reading
        wishes = draft.refused == Reason.HYPOTHETICAL and wished_of_own(reading.core)
        aloud = reading.question or reading.request or reading.sarcastic or reading.social or reading.emotion > 1.0
        if not (draft.refused in HEARD or wishes) or aloud or reading.language != "en":
            return None
        own = own_in(reading.core, self._lexicon)
        slot = self.catalogue.slot(own.slot) if own else None
        if own is None or slot is None:
            return None
        start = reading.clause.start + reading.at
        claim = self._of_own(draft, slot, own.value, draft.turn.text[start + own.start : start + own.end])
        return msgspec.structs.replace(claim, confidence=WEAK)

    def _of_own(self, draft: Draft, slot: Slot, value: str, words: str) -> Candidate:
        return Candidate(
            kind=str(slot.kind),
            slot=slot.name,
            value=self.catalogue.normalise(slot.name, value),
            text=worded_text(words),
            quote=words,
            turn_id=draft.turn.id,
            exclusive=slot.exclusive,
            basis=str(Basis.EXPLICIT),
            tone=str(Tone.EMOTIONAL if draft.emotional else Tone.CALM),
            importance=slot.importance,
        )

    def _subject(self, slot: Slot, reading: Reading, match: Match) -> str:
        """Who the claim is about; that somebody or some pet is the user's own is the user's."""
        if reading.person != OTHER or (match.slot == slot.name and slot.kind is Kind.RELATION):
            return "user"
        return reading.clause.said(reading.subject) or "someone"

    def _polarity(self, slot: Slot, draft: Draft, value: str, quote: str) -> int:
        """The frame's, but -1 where the very words deny or end it, whatever frame they fit: "I'm not Muslim"."""
        reading, match, core = draft.reading, draft.match, plain(draft.reading.core)
        if slot.name == _ALLERGY:
            said = [core, *([reading.clause.other.text] if reading.clause.other else [])]
            if OUTGROWN.search(plain(quote)) or (reading.negated and any(map(DENIED.search, said))):
                return -1
        if slot.name in _LEFT_BEHIND and no_longer_had(reading.core):
            return -1
        if match.polarity < 0 or reading.standing or slot.name.startswith(_ABOUT_REPLIES) or slot.name in _TOLD:
            return match.polarity
        if slot.name == _MEDICATION and STOPPED.match(plain(match.value)):
            return -1
        listed = next(((v.name, *v.words) for v in slot.values if v.name == value), (value, match.value))
        return -1 if reading.negated and stands_denied(listed, core) else match.polarity

    def _value(self, slot: Slot, reading: Reading, match: Match, when: tuple[str, ...]) -> str:
        own = own_in(reading.core, self._lexicon) if not match.slot and reading.language == "en" else None
        if own is not None and own.slot == slot.name and reading.person != SELF:
            return self.catalogue.normalise(slot.name, own.value)
        had = no_longer_had(reading.core) if slot.name in _LEFT_BEHIND else ""
        words = had or unqualified(match.value, when, reading.language)
        if slot.name == match.slot == _ALLERGY:
            words = BUT_NOT.split(words, maxsplit=1)[0] or words
        elif slot.name == _MEDICATION:
            words = STOPPED.sub("", words)
        said = reading.clause.said(words)
        known = self.catalogue.find(slot.name, said) or self.catalogue.find(slot.name, words) if slot.values else None
        if known is None and (slot.closed or (slot.name == _ALLERGY and not may_harm(words))):
            known = self.catalogue.find(slot.name, reading.core)
        return known or self.catalogue.normalise(slot.name, said)


# "No more emojis", 「别再用表情了」: a wish about answers that is meant to last.
_NO_MORE = re.compile(
    r"(?<![a-z])(?:no more|any ?more|stop \w+ing)(?![a-z])|(?:别|不要|不许|不用)再|(?:别|不要).{0,10}了", re.I
)


_ALLERGY, _DIET = "allergy", "diet"
# "I can't eat gluten", 「我不能吃麸质」: an intolerance by the words of a dislike.
_UNABLE = re.compile(
    r"(?<![a-z])(?:can't|cannot|can not|mustn't|must not|not able to|unable to|may not) (?:\w+ )?(?:eat|have|drink|take|tolerate|digest|touch|be near)(?![a-z])|不能|不可以|没法|不得|吃不了|喝不了",
    re.IGNORECASE,
)
_REACTS = re.compile(
    r"(?<![a-z])(?:react\w*|sneez\w+|itch\w*|wheez\w+|shock|sick|ill|hay fever|c(?:o)?eliac|sensitive|swell\w*|hospital|hives|epi-?pen)(?![a-z])"
    r"|(?<![a-z])(?:can't|cannot) (?:\w+ )?(?:handle|do|be around)|打喷嚏|痒|肿|疹|不舒服|受不了|拉肚子|哮喘",
    re.IGNORECASE,
)
# What leaves or loses something says what is over, and not what is: "I quit my side job" names no employer.
_LEAVES = re.compile(r"(?<![a-z])(?:quit|left|lost|gave up|given up|stopped|resigned)(?![a-z])|辞|离职|丢了|放弃", re.I)
_PETS, _MEDICATION, _SPOKEN = "pets", "medication", ("languages", "native_language")
_TOLD = ("fact", "event", "plan", "current_focus")  # slots whose value is the whole statement
# A pet that was: "My dog Rex died in spring".
_NO_MORE_HERE = re.compile(
    r"(?<![a-z])(?:late|died|dead|passed away|put (?:him|her|it) down|ran away|gone|lost|used to)(?![a-z])|死|走丢|去世|没了",
    re.I,
)


def _may_be_qualified(slot: Slot, reading: Reading) -> bool:
    """Tastes, limits and wishes hold somewhere or sometimes; who one is, and what may save a life, always does."""
    if reading.person == OTHER or slot.high_impact or slot.sensitivity != "normal":
        return False
    return slot.kind is Kind.PREFERENCE or slot.kind is Kind.CONSTRAINT


def _told(reading: Reading, quote: str) -> str:
    """What the item says: the quote, with what it leaves out where that stands in other words of the turn."""
    if reading.since >= 0:
        return quote
    leaves_out = reading.lent == _I_ZH or (reading.lent and quote.startswith("am "))
    return reading.meant or (reading.lent + quote if leaves_out else quote)


def worded_text(words: str) -> str:
    """The words as one line with a capital, cut to what an item may hold."""
    text = " ".join(words.split())
    while rough_tokens(text) > TEXT_TOKENS:
        cut = max(text.rfind(mark, 0, -1) for mark in (" ", "，", ",", "、"))
        text = text[:cut] if cut > 0 else text[:TEXT_TOKENS]
    return text[:1].upper() + text[1:]


def merged(drafts: Sequence[Draft], rest: Sequence[Draft] = ()) -> list[Draft]:
    """One claim where neighbouring clauses of a sentence say one thing: the same slot, person and attitude, or a reason.

    `rest` are the clauses that made no claim; one that only points back ("because they make me sick") is a reason.
    """
    places = sorted((*drafts, *rest), key=lambda d: (d.turn.seq, d.turn.id, d.reading.clause.index))
    kept = {id(draft) for draft in drafts}
    out: list[Draft] = []
    previous: Draft | None = None
    open_claim = False
    for draft in places:
        symptom = open_claim and id(draft) in kept and _is_symptom(out[-1], draft)
        if id(draft) in kept and not symptom:
            if open_claim and _belongs(out[-1], draft):
                out[-1] = replace(out[-1], end=draft.end)
            else:
                out.append(_with_lead(previous, draft) if not open_claim and previous is not None else draft)
            open_claim = True
        elif open_claim and _explains(out[-1], draft):
            out[-1] = replace(out[-1], end=draft.reading.clause.end)
        else:
            open_claim = False
        previous = draft
    return out


def _is_symptom(before: Draft, after: Draft) -> bool:
    """What comes of the thing that the clause before names: "... my throat swelled up", 「……不是过敏」."""
    eaten = before.match.polarity < 0 and before.slot.name in (_ALLERGY, _DIET, "food.likes", "drink.likes", "likes")
    core, named = after.reading.core, after.match.slot not in ("", PREFERENCE)
    told = tells_harm(core) or (not named and ALLERGIC.search(core) is not None)
    return eaten and told and _explains(before, after)


def _with_lead(before: Draft, after: Draft) -> Draft:
    """ "I've been working on the tangents, and I've solved ten of them": of what, only the clause before says."""
    start, lead = before.reading.start, before.reading
    if lead.question or lead.request or lead.hypothetical or lead.person != SELF or after.reading.person != SELF:
        return after
    if not _OF_THEM.search(after.reading.core) or not _one_sentence(replace(before, start=start), after, after.end):
        return after
    return replace(after, start=start)


_OF_THEM = re.compile(r"(?<![a-z])(?:of|with|for|on|about) (?:it|them|those|these)(?![a-z])", re.I)


def _explains(before: Draft, after: Draft) -> bool:
    if not _one_sentence(before, after, after.reading.clause.end):
        return False
    reading = after.reading
    if reading.question or reading.request or reading.hypothetical or reading.emotion >= 2:
        return False
    reason = _POINTS_BACK.search(reading.core) or ALLERGIC.search(reading.core) or tells_harm(reading.core)
    return reading.person in (THING, OTHER, DROPPED) or bool(reason)


_POINTS_BACK = re.compile(r"(?<![a-z])(?:it|them|they|that|those|these|this)(?![a-z])|它|他们|这", re.I)


def _one_sentence(before: Draft, after: Draft, end: int) -> bool:
    if before.turn.id != after.turn.id or before.reading.clause.sentence != after.reading.clause.sentence:
        return False
    return rough_tokens(before.turn.text[before.start : end]) <= TEXT_TOKENS


def _belongs(before: Draft, after: Draft) -> bool:
    if not _one_sentence(before, after, after.end):
        return False
    if before.reading.person != after.reading.person or before.reading.subject != after.reading.subject:
        return False
    if before.slot.exclusive or before.match.polarity != after.match.polarity:
        return False
    if is_over(before.reading.core) and not is_over(after.reading.spoken):
        return False  # what was, and what is now
    return before.slot.name == after.slot.name or after.slot.name in MISC
