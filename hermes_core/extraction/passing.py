"""What a clause presupposes although it tells of something else: "that won't fit in my Honda Civic", "two of my four
sisters are coming", "no, but my son does". Whose it is stands in the words ("my"); nothing is inferred beyond them.

By words alone, English. Whether the clause may be heard at all is local.py's question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hermes_core.extraction.lexicon import Lexicon, plain
from hermes_core.reasons import Reason

# Refusals that say nothing against what a clause takes for granted.
HEARD = frozenset({Reason.LOW_SALIENCE, Reason.SMALL_TALK, Reason.EMOTIONAL})

_MAKES = (
    r"(?:honda|toyota|ford|chevy|chevrolet|nissan|bmw|audi|mercedes(?: benz)?|volkswagen|vw|subaru|mazda|hyundai|kia|jeep|tesla|volvo|porsche|ferrari"
    r"|lamborghini|lexus|acura|dodge|chrysler|cadillac|buick|gmc|pontiac|mitsubishi|suzuki|yamaha|kawasaki|harley(?: davidson)?|ducati|vespa|fiat|renault"
    r"|peugeot|citroen|skoda|opel|vauxhall|jaguar|bentley|mini cooper|civic|corolla|camry|prius|mustang|camaro|corvette|impala|wrangler|range rover|land rover)"
)
_TYPES = r"(?:mini ?van|pick ?up(?: truck)?|motor ?bike|motorcycle|moped|tractor|camper(?: van)?|motorhome|rv|station wagon|convertible|yacht|sailboat|speedboat|houseboat|kayak|canoe)"
_PLAIN = r"(?:(?:old|new|little|big|red|blue|green|white|black|silver|grey|gray|yellow|orange|purple|beloved|trusty|rusty|vintage|classic|used|own|beat[- ]up|(?:19|20)\d\d|'?\d\d) )*"
_NO_MODEL = r"(?!(?:is|was|and|or|can|could|will|would|has|had|have|to|for|in|at|on|with|from|by|of|the|a|an|my|that|which|who|when|while|if|but|so|because|really|just|again|too|also|though|today|now|since|as|it|i|he|she|they|we|you|every|all|like|than|broke|got|needs?|runs?|makes?|looks?|keeps?|gets?)\b)"
_VEHICLE = re.compile(
    rf"(?<![a-z])(?:my|our) (?P<said>{_PLAIN}(?P<thing>{_MAKES}(?: {_NO_MODEL}[\w-]+)?|{_TYPES}))(?![\w'])",
    re.IGNORECASE,
)
_NUMBER = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})"
_SORT = r"(?:older|younger|little|big|grown|grown[- ]up|adult|small|young|step|teenage|rescue|adopted)"
_MANY = r"(?:kids|children|sons|daughters|boys|girls|brothers|sisters|siblings|grandkids|grandchildren|grandsons|granddaughters|nieces|nephews|cats|dogs|puppies|kittens|horses|rabbits|parrots|birds|chickens|goats|ferrets|snakes|pets)"
_COUNTED = re.compile(
    rf"(?<![a-z])(?:my|our) (?P<said>{_NUMBER} (?:{_SORT} )?(?P<thing>{_MANY}))(?![\w'])", re.IGNORECASE
)
_ORDINAL = re.compile(
    r"(?<![a-z])(?:my|our) (?P<said>(?:second|third|fourth|fifth|sixth|youngest|oldest|eldest|middle|first[- ]?born) (?P<thing>son|daughter|child|kid|boy|girl|brother|sister))(?![\w'])",
    re.IGNORECASE,
)
_NEAREST = (
    r"wife|husband|hubby|fianc[eé]e?|boyfriend|girlfriend|sons?|daughters?|kids|children|grandkids|grandchildren|grandsons?"
    r"|granddaughters?|twins|step(?:son|daughter)s?"
)
_NEAR = re.compile(rf"(?<![a-z])(?:my|our) (?P<said>(?:{_SORT} )?(?P<thing>{_NEAREST}))(?![\w'])", re.IGNORECASE)
# "my son does", "my sisters are too": all that is told is that there is one.
_ELLIPSIS = re.compile(
    r"(?:my|our) (?P<said>(?:(?:best|old|oldest|older|younger|youngest|elder|little|big|two|three|four|five|twin) ){0,2}(?P<thing>[a-z-]+))"
    r" (?:does|do|did|is|are|has|have|can|could|will|would|was|were|might)(?:n't| not)?(?: too| also| as well| either| though| sometimes| all the time| anyway)*$",
    re.IGNORECASE,
)
_BUSINESS = re.compile(
    r"(?<![a-z])(?:my|our) (?P<said>(?:own |little |small |new |old )*(?P<thing>store|shop|bakery|restaurant|cafe|salon|farm|ranch|clinic|vineyard|orchard|food truck|barber ?shop|book ?shop|book ?store|brewery))(?![\w'])",
    re.IGNORECASE,
)
_WISH = re.compile(r"(?:i|we) (?:really |just |only |do |often |sometimes )*wish(?: that)? (?:my|our) ", re.IGNORECASE)
# Idioms, and those that are no more.
_NOT_SO = re.compile(
    r"(?<![a-z])(?:dumped|left (?:me|us)|broke up|broken up|breaking up|split (?:up|from)|separated|divorc\w+|(?:gave|given|giving) (?:.* )?away|rehomed|stolen|stole|traded|repossessed|any ?more|no longer|late|dead|died|alive|still here|were here|was here|passed away|ex|used to|if|had|sold|closed|crashed|totaled|imaginary|future|my (?:boys|girls|sons) (?:won|lost|played|beat))(?![a-z])|(?<![a-z])(?:was|were) my(?![a-z])",
    re.IGNORECASE,
)
# What somebody is told to do, and what is sung or quoted, tells of nobody of the speaker's.
_NOT_OWN = re.compile(
    r"(?<![a-z])(?:(?:he|she|they|it) (?:asks?|asked|told|tells?|begged|ordered|wants?|wanted|needs?|expects?|urged) (?:me|us) (?:not )?to|like (?:a|the) (?:man|woman|father|mother|husband|wife|king)"
    r"|lyrics?|chorus|verse|poem|the (?:song|line|quote|meme|saying))(?![a-z])"
    r"|^(?:please |pls |just |but )?(?:(?:don'?t|do not|never) (?:ever )?)?(?:tell|ask|let|show|call|text|wake|remind|inform|write|give|send) (?:my|our)(?![a-z])",
    re.IGNORECASE,
)
# What somebody of the speaker's, or something, was, and is no more.
_GONE = re.compile(
    r"(?<![a-z])(?:dumped me|left (?:me|us)(?: for| after|$)|broke up|broken up|split up|(?:gave|given) (?:.* )?away|rehomed|(?:got|was|were|been) stolen|stole my|(?:traded|trading) (?:.* )?in|traded .* for|lost (?:my|our|both|all))(?![a-z])",
    re.IGNORECASE,
)


def is_gone(core: str) -> bool:
    """Whether a clause tells that somebody or something of the speaker's is theirs no more."""
    return _GONE.search(plain(core)) is not None


_NO_LONGER_HAD = re.compile(
    r"(?:i |we )?(?:don'?t|do not|no longer) have (?:my|our|the|those) (?P<what>.+?)(?: any ?more)?$", re.IGNORECASE
)


def no_longer_had(core: str) -> str:
    """What the clause says that the speaker has no more ("dont have my two cats anymore"), or ""."""
    found = _NO_LONGER_HAD.match(plain(core).strip(" .!"))
    return found["what"] if found else ""


@dataclass(frozen=True)
class Own:
    """Somebody or something of the speaker's: the slot, the value, and where its words ("my four sisters") stand."""

    slot: str
    value: str
    start: int
    end: int


def own_in(core: str, lexicon: Lexicon) -> Own | None:
    """What the clause says to be the speaker's own, beside what it tells; None where it is unclear or over."""
    text = plain(core)
    if _NOT_SO.search(text) or _NOT_OWN.search(text):
        return None
    if (found := _ELLIPSIS.match(text)) and (slot := _slot_of(found["thing"], lexicon)):
        return Own(slot, found["said"], found.start(), found.end("said"))
    if found := _VEHICLE.search(text):
        return Own("vehicle", found["thing"], found.start(), found.end())
    if found := _BUSINESS.search(text):
        return Own("possessions", found["said"], found.start(), found.end())
    for pattern in (_COUNTED, _ORDINAL):
        if (found := pattern.search(text)) and (slot := _slot_of(found["thing"], lexicon)):
            return Own(slot, found["said"], found.start(), found.end())
    if (found := _NEAR.search(text)) and (slot := _slot_of(found["thing"], lexicon)):
        return Own(slot, found["said"], found.start(), found.end())
    return None


def wished_of_own(core: str) -> bool:
    """ "I wish my kids would visit": what is wished is not so, but there are kids."""
    return _WISH.match(plain(core)) is not None


def names_own_thing(core: str) -> bool:
    """Whether a clause about something else names a vehicle or a business of the speaker's."""
    return _VEHICLE.search(core) is not None or _BUSINESS.search(core) is not None


def says_there_is(core: str) -> bool:
    """ "My son does": of somebody of the speaker's, and nothing but that there is one."""
    return _ELLIPSIS.match(plain(core)) is not None


def _slot_of(word: str, lexicon: Lexicon) -> str:
    return next((slot for slot, pattern in lexicon.kin if slot != "colleagues" and pattern.fullmatch(word)), "")
