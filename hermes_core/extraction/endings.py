"""What a statement ends without naming it: who "got fired" no longer works where they worked, whatever the place (O5, F9).

Words only. Whose place it was, the known items say; what becomes of them is the gates' business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from hermes_core.extraction.lexicon import plain
from hermes_core.extraction.reading import Reading
from hermes_core.extraction.revisions import Earlier
from hermes_core.items import Candidate, Kind, Tone

ENDED_SLOT = "employer"
NONE = "none"  # the catalogue's value for having no employer, with the wordings that say it
SURE = 0.9  # of words that a whole pattern fits
SHORT_TURN = 200  # characters
_SINCE = r"(?: (?:today|yesterday|recently|last \w+|this \w+|two \w+ ago|a (?:week|month|few \w+) ago|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|from (?:my|the) job|from work|at work|there|too|so|and|because|due|when|after|again)(?![a-z]).*)?"
_OUT = r"(?:fired|sacked|laid[- ]off|let go|made redundant|dismissed|axed|terminated)"
_LOST = re.compile(
    rf"(?:(?:i|i'm|i've|i am|i have|we|we were|we've)\s)?(?:(?:just|recently|finally|also|have|has|got|get|was|were|been|am) )*(?:got|was|were|been|being) (?:just |recently |finally )*{_OUT}{_SINCE}$"
    rf"|(?:(?:i|i've|i have) )?(?:just |recently |finally |have |already )*(?:quit|left|lost|gave up|resigned from|walked out of) (?:my|the) (?:[\w-]+ )?job{_SINCE}$"
    rf"|(?:i|i've|i have) (?:just |recently |finally |have |already )*(?:resigned|retired|quit(?= (?:today|yesterday|last|this)|$)){_SINCE}$"
    rf"|(?:they|my (?:boss|company|employer|manager|bosses|firm)|the (?:company|boss|firm)) (?:just |recently |have |has |had to )*(?:fired|sacked|dismissed|let go of|laid) me(?: off)?{_SINCE}$"
    rf"|(?:they|my (?:boss|company|employer|manager|firm)|the (?:company|boss|firm)) (?:just |recently |have |has |had to )*let me go{_SINCE}$"
    r"|(?:i'm|i am|i'm now|i am now|now i'm) (?:now |currently |newly |recently |out )*(?:unemployed|jobless|out of (?:work|a job)|between jobs|retired|without a job)(?: now| again| since .*| at the moment)?$"
    r"|i (?:no longer|don't|do not) (?:have a job|work)(?: any ?more| at all| now)?$"
    r"|(?:已经|刚刚?|昨天|今天|上周|上个?月|前几天|最近|终于|突然|也|又|我|俺|咱)*(?:被)?(?:公司|老板|单位)?(?:给)?(?:开除|解雇|辞退|裁员|裁|炒鱿鱼|炒|优化|失业|下岗|辞职|离职|退休)了?(?:了|啦)?$"
    r"|(?:已经|刚刚?|昨天|今天|上周|上个?月|前几天|最近|终于|现在|目前|我|俺|咱)*(?:是)?(?:丢了工作|没有?工作了?|待业(?:在家|中)?|无业|(?:把)?工作(?:辞|丢)了)$",
    re.IGNORECASE,
)
_LONG_AGO = re.compile(
    r"(?<![a-z])(?:years ago|when i was|back (?:then|in)|in (?:19|20)\d\d|once|almost|nearly|never|(?:first|old|last|previous|former|second|side|summer|student|weekend) job)(?![a-z])"
    r"|年前|以前|曾经?|差点|第一份|上一份|当年|兼职",
    re.IGNORECASE,
)


def ends_a_job(text: str) -> bool:
    """Whether the words say that the speaker has lost or left the job that they had."""
    words = plain(text).strip(" .,!。，！~～")
    return len(words) <= SHORT_TURN and _LOST.match(words) is not None and _LONG_AGO.search(words) is None


def _last_job(earlier: Sequence[Earlier]) -> Earlier | None:
    return next((e for e in reversed(earlier) if e.slot == ENDED_SLOT and e.subject == "user"), None)


def begun(claim: Candidate, earlier: Sequence[Earlier]) -> Candidate:
    """A first employer after none is known as what it is: it takes the place of having none, however settled that is."""
    if claim.slot != ENDED_SLOT or claim.subject != "user":
        return claim
    if claim.polarity < 0 and ends_a_job(
        claim.value
    ):  # 「我没有工作」 states that there is none, and denies no one of them
        return msgspec.structs.replace(claim, value=NONE, polarity=1, exclusive=True)
    if claim.polarity < 0 or claim.value == NONE:
        return claim
    job = _last_job(earlier)
    return msgspec.structs.replace(claim, correction=True) if job is not None and job.value == NONE else claim


def ended(claim: Candidate, reading: Reading, earlier: Sequence[Earlier]) -> Candidate | None:
    """The claim that there is no employer any more, said in the same words; None when none was known, or nothing ends."""
    if claim.subject != "user" or claim.slot == ENDED_SLOT or not ends_a_job(reading.core):
        return None
    job = _last_job(earlier)
    if job is None or job.polarity < 0 or job.value == NONE:
        return None
    return msgspec.structs.replace(
        claim,
        kind=str(Kind.FACT),
        slot=ENDED_SLOT,
        value=NONE,
        polarity=1,
        exclusive=True,
        correction=True,
        qualifiers=(),
        confidence=claim.confidence if reading.hedged or claim.tone != Tone.CALM else max(claim.confidence, SURE),
    )


def may_end(text: str, slot: str, value: str) -> bool:
    """Whether a turn may end, or begin anew, what is known in this slot: worth a look however far off as a vector."""
    if slot != ENDED_SLOT:
        return False
    said = text[:SHORT_TURN]
    return _WORK.search(said) is not None if value == NONE else any(ends_a_job(part) for part in _PART.split(said))


_WORK = re.compile(
    r"(?<![a-z])(?:work|job|hired|joined|join|started|start|employ)|上班|工作|入职|加入|打工|就职", re.IGNORECASE
)
_PART = re.compile(r"[.!?。！？;；\n]+\s*|[，,]\s*|\s+(?:and|but|so)\s+")
