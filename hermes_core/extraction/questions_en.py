"""English questions about the user, turned into what their answers state. Grammar only; see questions.py."""

from __future__ import annotations

import re

from hermes_core.extraction.questions import Question, forms, words_like

_LEAD = re.compile(
    r"^(?:.*?(?:[,;:—–]|\s-)\s+)??(?:(?:and|so|but|ok|okay|well|also|then|oh|great|nice|cool|now|just curious|out of curiosity|by the way|tell me|before (?:we|i) \w+)[,:]?\s+)*"
    r"(?=(?:do|don't|does|doesn't|did|didn't|are|aren't|were|weren't|is|isn't|was|wasn't|have|haven't|has|can|can't|could|would|will|should|shall|may"
    r"|what|what's|where|where's|when|when's|who|who's|whom|which|how|why|any|got|you|you're|you've|still|your)(?![a-z]))",
    re.IGNORECASE,
)
_ASKERS = re.compile(r"(?<![a-z])(?:i|i'm|i've|i'll|i'd|me|my|mine|we|us|our|let's)(?![a-z])", re.IGNORECASE)
_OR = re.compile(r"\s+or\s+", re.IGNORECASE)
_OR_NOT = re.compile(r",? or (?:not|something|anything|so|no)$", re.IGNORECASE)
_TAG = re.compile(
    r"^(?P<s>you(?:'re|'ve)? .+?),\s*(?:right|correct|yes|no|huh|eh|(?:is|are|do|don't|aren't|isn't|haven't|have|didn't|did)(?:n't)? (?:it|you)|is (?:that|it) (?:right|correct|so))$",
    re.IGNORECASE,
)
_DO = re.compile(r"(?:do|don't) you (?P<v>.+)", re.IGNORECASE)
_DID = re.compile(r"(?:did|didn't) you (?P<v>.+)", re.IGNORECASE)
_ARE = re.compile(r"(?:are|aren't) you (?P<v>.+)", re.IGNORECASE)
_WERE = re.compile(r"(?:were|weren't) you (?P<v>.+)", re.IGNORECASE)
_HAVE = re.compile(r"(?:have|haven't) you (?P<v>.+)", re.IGNORECASE)
_CAN = re.compile(r"(?:can|can't) you (?P<v>.+)", re.IGNORECASE)
_YOUR_IS = re.compile(
    r"(?:is|are|isn't|aren't) your (?P<n>(?:(?:all-time |new |current |native |mother |first )?(?:favou?rite )?[\w'-]+)) (?P<v>.+)",
    re.IGNORECASE,
)
_YOUR_DOES = re.compile(r"(?P<a>do|does) your (?P<n>[\w'-]+) (?P<v>.+)", re.IGNORECASE)
_STILL = re.compile(
    r"still (?P<v>(?:living|working|studying|playing|teaching|eating|using|taking|learning|at|in|on|with) .+)"
)
_PLAIN = re.compile(r"(?:so )?you(?P<be>'re| are| were|'ve| have)? (?P<v>.+)", re.IGNORECASE)
_ADVERB = re.compile(
    r"^(?:still|also|ever|really|actually|already|usually|normally|currently|now|happen to|yourself)\s+", re.I
)
_CHOICE = re.compile(
    r"(?:do|are) you (?P<v>(?:prefer|like|love|use|drink|eat|speak|have|drive|play|want|live in|work in|work at|work for|a|an|more of an?|on|in)?)\s*(?P<a>.+?),? or (?P<b>.+)",
    re.IGNORECASE,
)
_ANYTHING = re.compile(r"any(?:thing|one|body|where)(?: (?:in particular|else|special|specific))?")
_ANY = re.compile(r"\s+any\s+(?=\w)")
_PAST = {
    "have": "had", "go": "went", "get": "got", "grow": "grew", "eat": "ate", "buy": "bought", "take": "took", "make": "made", "do": "did",
    "teach": "taught", "drive": "drove", "write": "wrote", "read": "read", "see": "saw", "come": "came", "leave": "left", "quit": "quit",
    "become": "became", "sell": "sold", "run": "ran", "win": "won", "lose": "lost", "find": "found", "meet": "met", "speak": "spoke",
    "give": "gave", "drink": "drank", "sleep": "slept", "keep": "kept", "begin": "began", "break": "broke", "sing": "sang", "swim": "swam",
}  # fmt: skip
_THIRD = {"have": "has", "do": "does", "go": "goes", "study": "studies", "teach": "teaches", "watch": "watches"}


def read(sentence: str) -> Question | None:
    """What an answer to the sentence would state; None when it asks nothing about the user, or offers something."""
    words = " ".join(sentence.split())
    asked = words.rstrip(" ?!.")
    asked = asked[_LEAD.match(asked).end() :] if _LEAD.match(asked) else asked  # type: ignore[union-attr]
    asked = _OR_NOT.sub("", asked)
    if _ASKERS.search(asked) or words_like("offer", "en").match(asked):
        return None
    for form in forms("en"):
        if (found := form.ask.match(asked)) is not None:
            groups = {k: _mine(v or "") for k, v in found.groupdict().items()}
            say, none = (_filled(t, groups) for t in (form.say, form.none))
            return Question(words, "en", say=say, none=none, number=form.number, most=form.most, slot=form.slot)
    if (choice := _CHOICE.match(asked)) is not None:
        return _choice(words, choice)
    if _OR.search(asked) or not _about_user(asked):
        return None
    return _polar(words, asked)


def _filled(template: str, groups: dict[str, str]) -> str:
    for name, value in groups.items():
        template = template.replace("{" + name + "}", value)
    return template


def _about_user(asked: str) -> bool:
    return re.search(r"(?<![a-z])(?:you|you're|you've|your|still)(?![a-z])", asked, re.IGNORECASE) is not None


def _choice(words: str, choice: re.Match[str]) -> Question | None:
    verb = choice["v"].lower()
    if not choice.group().lower().startswith("do"):
        return Question(words, "en", say="I am {x}")
    return Question(words, "en", say=f"I {verb} {{x}}") if verb and verb not in ("a", "an", "want") else None


def _polar(words: str, asked: str) -> Question | None:
    if (tag := _TAG.match(asked)) is not None:
        asked = tag["s"]
    for pattern, build in _BUILDERS:
        if (found := pattern.fullmatch(asked)) is not None:
            affirm, deny, ended = (_tidy(part) for part in build(found))
            say = _ANYTHING.sub("{x}", affirm) if _ANYTHING.search(affirm) else ""
            return Question(words, "en", affirm="" if say else affirm, deny=deny, ended=ended, say=say)
    return None


def _do(found: re.Match[str]) -> tuple[str, str, str]:
    rest = _verb(found["v"])
    lack = f"I don't {rest}"
    if _kept_on(found["v"]):
        return f"I {rest}", f"{lack} any more", f"{lack} any more"
    return f"I {_ANY.sub(' ', rest, count=1)}", lack, f"{lack} any more"


def _did(found: re.Match[str]) -> tuple[str, str, str]:
    rest = _verb(found["v"])
    verb, _, tail = rest.partition(" ")
    return f"I {_past(verb)} {tail}", f"I didn't {rest}", f"I didn't {rest}"


def _are(found: re.Match[str]) -> tuple[str, str, str]:
    rest = _verb(found["v"])
    deny = f"I am not {rest} any more" if _kept_on(found["v"]) else f"I am not {rest}"
    return f"I am {rest}", deny, f"I am no longer {rest}"


def _were(found: re.Match[str]) -> tuple[str, str, str]:
    rest = _verb(found["v"])
    return f"I was {rest}", f"I wasn't {rest}", f"I wasn't {rest}"


def _have(found: re.Match[str]) -> tuple[str, str, str]:
    ever = re.match(r"ever\s", found["v"], re.IGNORECASE) is not None
    rest = re.sub(r"^got (?:any )?", "", _verb(found["v"]))
    if rest != _verb(found["v"]):
        return f"I have {rest}", f"I don't have any {rest}".replace("any a ", "a "), f"I don't have {rest} any more"
    return f"I have {rest}", f"I have never {rest}" if ever else f"I haven't {rest}", f"I haven't {rest}"


def _can(found: re.Match[str]) -> tuple[str, str, str]:
    rest = _verb(found["v"])
    return f"I can {rest}", f"I can't {rest}", f"I can't {rest} any more"


def _your_is(found: re.Match[str]) -> tuple[str, str, str]:
    noun, rest, be = found["n"], _mine(found["v"]), "are" if found.group().lower().startswith("are") else "is"
    return f"my {noun} {be} {rest}", f"my {noun} {be} not {rest}", f"my {noun} {be} no longer {rest}"


def _your_does(found: re.Match[str]) -> tuple[str, str, str]:
    noun, rest = found["n"], _verb(found["v"])
    if found["a"].lower() == "do":
        return f"my {noun} {rest}", f"my {noun} don't {rest}", f"my {noun} don't {rest} any more"
    verb, _, tail = rest.partition(" ")
    return f"my {noun} {_third(verb)} {tail}", f"my {noun} doesn't {rest}", f"my {noun} doesn't {rest} any more"


def _still(found: re.Match[str]) -> tuple[str, str, str]:
    rest = _mine(found["v"])
    return f"I am still {rest}", f"I am not {rest} any more", f"I am not {rest} any more"


def _plain_statement(found: re.Match[str]) -> tuple[str, str, str]:
    be, rest = (found["be"] or "").strip().lower(), _verb(found["v"])
    if be in ("'re", "are"):
        return f"I am {rest}", f"I am not {rest}", f"I am no longer {rest}"
    if be == "were":
        return f"I was {rest}", f"I wasn't {rest}", f"I wasn't {rest}"
    if be in ("'ve", "have"):
        return f"I have {rest}", f"I haven't {rest}", f"I haven't {rest}"
    if rest.startswith("don't "):
        return f"I {rest}", f"I {rest[6:]}", f"I {rest}"
    return f"I {rest}", f"I don't {rest}", f"I don't {rest} any more"


_BUILDERS = (
    (_DO, _do),
    (_DID, _did),
    (_ARE, _are),
    (_WERE, _were),
    (_HAVE, _have),
    (_CAN, _can),
    (_YOUR_IS, _your_is),
    (_YOUR_DOES, _your_does),
    (_STILL, _still),
    (_PLAIN, _plain_statement),
)


def _kept_on(words: str) -> bool:
    return words.lower().startswith("still ")


def _verb(words: str) -> str:
    """The predicate in the user's mouth, without the adverbs that only ask."""
    words = _mine(words)
    while (found := _ADVERB.match(words)) is not None:
        words = words[found.end() :]
    return re.sub(r"\s+(?:any ?more|yet|at all|by any chance|these days|then|though|too|as well)$", "", words)


def _mine(words: str) -> str:
    """ "your" in the asker's mouth is "my" in the user's."""
    for theirs, own in (
        ("yourself", "myself"),
        ("yours", "mine"),
        ("your", "my"),
        ("you're", "I'm"),
        ("you've", "I've"),
        ("you", "me"),
    ):
        words = re.sub(rf"(?<![a-z'])(?i:{theirs})(?![a-z'])", own, words)
    return words.strip()


def _past(verb: str) -> str:
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return verb + "d"
    return verb[:-1] + "ied" if re.search(r"[^aeiou]y$", verb) else verb + "ed"


def _third(verb: str) -> str:
    return _THIRD.get(verb) or (verb + "es" if verb.endswith(("s", "sh", "ch", "x", "o")) else verb + "s")


def _tidy(statement: str) -> str:
    return " ".join(statement.split())
