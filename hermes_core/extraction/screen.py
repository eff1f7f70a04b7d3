"""What a grounded claim is worth before the gates see it (W5-W7, P1): salience, tone, starting confidence, suspicion.

Pure functions of the claim, the turn and the configuration. Room and settled beliefs are the gates' business.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from hermes_core.config import Config, ScreenConfig
from hermes_core.extraction.cues import cues, folded
from hermes_core.extraction.harm import AT_A_BITE
from hermes_core.extraction.standing import meant_for_good
from hermes_core.extraction.support import content_units
from hermes_core.items import Basis, Candidate, Kind, Tone, Turn
from hermes_core.ports import Dismissal
from hermes_core.reasons import Reason

# W6: where salience starts, by kind: what holds for long and what others must not get wrong weighs most.
KIND_SALIENCE: Mapping[Kind, float] = {
    Kind.CONSTRAINT: 0.65,
    Kind.IDENTITY: 0.6,
    Kind.PREFERENCE: 0.55,
    Kind.RELATION: 0.5,
    Kind.FACT: 0.5,
    Kind.EVENT: 0.45,
    Kind.STATE: 0.45,
}
IMPORTANCE_SPAN = 0.4  # the extractor's importance moves salience by +- half of this
LASTING_GAIN = 0.15
CORRECTION_GAIN = 0.1
IMPLIED_LOSS = 0.1
EMOTIONAL_LOSS = 0.1
OTHERS_LOSS = 0.05  # claims about somebody else
CAPITALS_SHARE = 0.7  # of at least 12 Latin letters, shouted
MARKS = 3  # "!!!" and more
_CHINESE = re.compile("[\u3400-\u9fff]")
_OTHER_SCRIPT = re.compile(
    "[\u3040-\u30ff\uac00-\ud7af\u0400-\u04ff\u0600-\u06ff\u0900-\u097f\u0e00-\u0e7f\u0370-\u03ff\u0590-\u05ff]"
)


class Screened(NamedTuple):
    """A claim fit for the gates: kind, tone, basis and confidence put right; `salience` in 0..1."""

    candidate: Candidate
    salience: float
    suspicious: bool


def screen(candidate: Candidate, turn: Turn, config: Config | ScreenConfig) -> Screened | Dismissal:
    """The claim with its tone, basis and confidence set by rule, or why it leaves nothing (W5, W6, W7).

    Dismissals: SMALL_TALK, ONE_OFF_REQUEST, EMOTIONAL, LOW_SALIENCE, MALFORMED. Suspicious claims are kept, marked:
    they stay candidates, never freeze and are never rendered as an instruction (P1).
    """
    limits = config.screen if isinstance(config, Config) else config
    kind = kind_of(candidate.kind)
    if kind is None:
        return _dismissed(candidate, Reason.MALFORMED)
    said = said_by(candidate)
    told = is_small_talk(said) and is_small_talk(candidate.text)
    if told and kind is not Kind.CONSTRAINT:  # 「我对虾过敏」 has few words
        return _dismissed(candidate, Reason.SMALL_TALK)
    if _is_one_off(candidate, kind):
        return _dismissed(candidate, Reason.ONE_OFF_REQUEST)
    emotional = candidate.tone == Tone.EMOTIONAL or sounds_emotional(candidate.quote) or sounds_emotional(said)
    if emotional and kind is Kind.IDENTITY:
        kind = Kind.STATE  # W7: a mood never becomes who somebody is
    settled = msgspec.structs.replace(
        candidate,
        kind=str(kind),
        tone=str(Tone.EMOTIONAL if emotional else Tone.CALM),
        basis=str(basis_of(candidate)),
        lasting=candidate.lasting and cues("lasting").within(folded(said)),
        importance=_share(candidate.importance, 0.5),
    )
    settled = msgspec.structs.replace(settled, confidence=starting_confidence(settled, limits))
    salience = salience_of(settled, kind)
    if salience < limits.salience_floor:
        return _dismissed(candidate, Reason.EMOTIONAL if emotional else Reason.LOW_SALIENCE)
    return Screened(settled, salience, is_suspicious(candidate))


def said_by(candidate: Candidate) -> str:
    """The user's words; for an answer, the statement that the question makes of them, and likewise for a correction."""
    return candidate.text if candidate.asked or candidate.corrects else candidate.quote


def _dismissed(candidate: Candidate, reason: Reason) -> Dismissal:
    return Dismissal(candidate.turn_id, candidate.quote or candidate.text, reason)


def kind_of(name: str) -> Kind | None:
    try:
        return Kind(name)
    except ValueError:
        return None


def salience_of(candidate: Candidate, kind: Kind) -> float:
    """W6, B5.1: how much a claim deserves a place in a memory, 0..1."""
    salience = KIND_SALIENCE[kind] + (candidate.importance - 0.5) * IMPORTANCE_SPAN
    salience += LASTING_GAIN * candidate.lasting + CORRECTION_GAIN * candidate.correction
    salience -= IMPLIED_LOSS * (candidate.basis == Basis.IMPLIED)
    salience -= EMOTIONAL_LOSS * (candidate.tone == Tone.EMOTIONAL)
    salience -= OTHERS_LOSS * (candidate.subject != "user")
    return min(1.0, max(0.0, salience))


def starting_confidence(candidate: Candidate, limits: ScreenConfig) -> float:
    """W5: the start of its basis is a ceiling; a model's own certainty can only lower it."""
    start = {
        Basis.EXPLICIT: limits.explicit_start,
        Basis.BEHAVIOUR: limits.behaviour_start,
        Basis.IMPLIED: limits.implied_start,
    }[Basis(candidate.basis)]
    confidence = min(_share(candidate.confidence, start), start)
    return min(confidence, limits.emotional_confidence) if candidate.tone == Tone.EMOTIONAL else confidence


def _share(number: float, otherwise: float) -> float:
    """A number that should be in 0..1; what is not one counts as `otherwise`."""
    if not isinstance(number, (int, float)) or not math.isfinite(number) or not 0.0 < number <= 1.0:
        return otherwise
    return float(number)


def basis_of(candidate: Candidate) -> Basis:
    """W5: explicit about the user only where the quote speaks for them (first person, or an order about the answers)."""
    try:
        basis = Basis(candidate.basis)
    except ValueError:
        basis = Basis.IMPLIED
    about_user = candidate.subject == "user"
    if basis is Basis.EXPLICIT and about_user and _is_known_language(said_by(candidate)):
        return basis if speaks_for_self(said_by(candidate)) else Basis.IMPLIED
    return basis


def _is_known_language(quote: str) -> bool:
    """Whether the lists can tell who speaks: English and Chinese; in other languages the extractor's word is taken."""
    if _OTHER_SCRIPT.search(quote):
        return False
    return _CHINESE.search(quote) is not None or cues("english").within(folded(quote))


_OWN_DOING = re.compile(
    r"(?:i|we|my|our)\b(?!.*\b(?:want|need|expect|order|tell|ask|instruct)\b)|我(?!.*(?:要求|命令|让|叫|希望))"
)
_ADDRESSED = re.compile(
    r"\b(?:you|your|assistant|agent|bot|ai|model|system|tool|all users|everyone)\b|[你您]|助手|助理|系统|模型|工具"
)


def speaks_for_self(quote: str) -> bool:
    """Whether the words are the speaker's about themselves: "I …", "my …", 「我…」, "Love tea.", "Keep it short"."""
    lowered = folded(quote)
    if AT_A_BITE.match(lowered):
        return True
    return cues("first_person").within(lowered) or cues("self_openers").opens(lowered) or meant_for_good(lowered)


def is_small_talk(quote: str) -> bool:
    """Whether nothing is left when greetings, thanks and nods are taken away (X1, X5)."""
    left = cues("small_talk").removed_from(folded(quote))
    return not re.search(r"\w", left) or not content_units(quote)


# "I'm looking for a job": no answer ends that.
_FOR_WORK = re.compile(
    r"i(?:'m| am) looking for (?:an? |some |any )?(?:new |better |different |full[- ]time |part[- ]time |summer |first |second )*(?:jobs?|work|employment)(?![a-z])"
)


def _is_one_off(candidate: Candidate, kind: Kind) -> bool:
    """A request that ends with its answer; one about how to answer, or for ever, may be remembered."""
    lowered = folded(said_by(candidate))
    lasts = cues("lasting").within(lowered) or meant_for_good(lowered) or _FOR_WORK.match(lowered)
    if lasts or not cues("request").opens(lowered):
        return False
    return not (kind in (Kind.PREFERENCE, Kind.CONSTRAINT) and cues("about_answers").within(lowered))


def sounds_emotional(quote: str) -> bool:
    """W7: profanity and outbursts, a row of exclamation marks, shouting."""
    if cues("emotional").within(folded(quote)):
        return True
    if len(re.findall(r"[!！]", quote)) >= MARKS:
        return True
    letters = re.findall(r"[A-Za-z]", quote)
    return len(letters) >= 12 and sum(map(str.isupper, letters)) / len(letters) >= CAPITALS_SHARE


def is_suspicious(candidate: Candidate) -> bool:
    """P1: an instruction aimed at the assistant's tools, its rules, or at third parties."""
    if any(cues("override").within(folded(words)) for words in (candidate.quote, candidate.text, candidate.value)):
        return True
    if _tells_of_self(folded(candidate.quote)) and _tells_of_self(folded(candidate.text)):
        return False
    return any(
        cues("deed").within(lowered) and (cues("order").within(lowered) or cues("deed").opens(lowered))
        for lowered in map(folded, (candidate.quote, candidate.text, candidate.value))
    )


def _tells_of_self(lowered: str) -> bool:
    """What the speaker does ("I always buy milk from the farm"): nobody is addressed, so nobody is given an order."""
    return _OWN_DOING.match(lowered) is not None and _ADDRESSED.search(lowered) is None


def sounds_suspicious(text: str) -> bool:
    """The same look at plain text, for importers and audits."""
    return is_suspicious(Candidate(kind="fact", slot="", value="", text=text, quote=text, turn_id=""))
