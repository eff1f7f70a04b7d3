"""Whether the words that a claim rests on stand right behind a denial: "I'm not Muslim", 「我不是回族」.

Words only, and strict: what stands between the two may only be an article, an adverb or a verb of having. A denial of
something else in the clause ("no beef please, I'm Hindu") denies nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_BEHIND = re.compile(
    r"(?:(?<![a-z'])(?:not|never|neither|nor|no longer|no|dont|didnt|doesnt|isnt|wasnt|aint|havent)|n't) "
    r"(?!(?:only|just|merely|simply)(?![a-z]))"
    r"(?:(?:an?|any|the|have|had|got|gotten|get|been|be|being|become|really|actually|even|ever|particularly|technically|exactly|remotely|truly|currently|yet|very|much of|at all|all that|that|either|one of the"
    r"|fluent in|able to speak|fond of|keen on|into|suffer from|identify as|consider myself|practi[sc]ing|devout|strict|true|real|proper|native|ethnically|originally|from|into|for|with|diagnosed|expecting) )*$"
    r"|(?:不是|不算|并非|不再是|不会|没有|没得过?|没患过?|没|从未|不信仰?|从来没有?|不)(?:真的|什么|一?个|一?名|虔诚的?|地道的?|纯正?的?|任何|过|再|对|严格的?|传统的?|所谓的?|很|太|特别|非常|怎么|喜欢|爱)*$",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"(?<![a-z])(?:not|no|never|neither|nor|non|none|without|stop\w*|quit)(?![a-z])|n't|不|没|非|无|未", re.IGNORECASE
)


# What a medicine is put away with: "stopped taking metformin", 「停了二甲双胍」.
STOPPED = re.compile(
    r"(?:(?:just |recently |have |'ve )*(?:stopped|quit|came off|went off|gave up)(?: taking| using)?|no longer (?:take|taking|use|using|on)|(?:do not|don't) (?:\w+ )?(?:take|use)|停(?:用|吃|服)?了|停(?:用|吃|服)|不再(?:吃|服用?)|不吃了?) ?(?=\S)",
    re.IGNORECASE,
)
# "I'm not French": whence one is not.
NOT_OF = re.compile(
    r"(?:i am|i'm|im|we are|we're) not (?:really |actually |even |originally |half |part )*[a-z]+$", re.I
)


def stands_denied(wordings: Iterable[str], core: str) -> bool:
    """Whether one of the wordings is in the words, and none of them is there but behind a denial.

    A wording that holds a denial itself ("not religious" for an atheist) is what is said, and not denied.
    """
    text, seen = core.casefold(), False
    for wording in {one.casefold() for one in wordings if one}:
        for place in _places(wording, text):
            if _DENIES.search(wording) or not _BEHIND.search(text[:place]):
                return False
            seen = True
    return seen


def _places(wording: str, text: str) -> list[int]:
    edge = r"(?<![a-z])" if wording.isascii() else ""
    return [m.start() for m in re.finditer(edge + re.escape(wording), text)]
