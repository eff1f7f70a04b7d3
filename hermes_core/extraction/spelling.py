"""English as people type it, spelt as it is in print: "im" is "I'm", "dont" is "don't", no space before a comma.

For patterns and vectors only: what is quoted stays as it was typed. No rule of grammar may live here.
"""

from __future__ import annotations

import re

SHORT_TALK = 8  # words of what is typed to one person rather than to an audience

_JOINED = {
    "im": "i'm", "ive": "i've", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "cant": "can't", "wont": "won't",
    "isnt": "isn't", "arent": "aren't", "wasnt": "wasn't", "werent": "weren't", "havent": "haven't", "hasnt": "hasn't",
    "hadnt": "hadn't", "couldnt": "couldn't", "wouldnt": "wouldn't", "shouldnt": "shouldn't", "aint": "ain't",
    "youre": "you're", "theyre": "they're", "thats": "that's",
}  # fmt: skip
# "i ll", "i m", "do n't": cut at the apostrophe. "id" and "ill" are words, except where a verb follows the speaker.
_CUT = re.compile(r"(?<![a-z'])(?P<who>i|we|you|they) (?P<rest>m|ve|ll|re|d)(?= [a-z])", re.IGNORECASE)
_WOULD = re.compile(
    r"^(?:id|ill)(?= (?:like|love|rather|prefer|be|have|never|always|probably)(?![a-z]))", re.IGNORECASE
)
_WORD = re.compile(rf"(?<![\w'])(?:{'|'.join(_JOINED)})(?![\w'])", re.IGNORECASE)
# A laugh behind a statement is no part of it.
_LAUGH = re.compile(r"[ ,.]+(?:lol|lmao|haha+|hehe+|xd|:-?\)|;-?\))[ .!]*$", re.IGNORECASE)
_BEFORE_MARK = re.compile(r"[ \t]+(?=[,;:.!?](?:\s|$))")


def spelt(text: str) -> str:
    """The text with the apostrophes that it leaves out; Chinese text is returned as it is."""
    text = _BEFORE_MARK.sub("", _LAUGH.sub("", text))
    text = _CUT.sub(lambda m: f"{m['who']}'{m['rest']}", text)
    text = _WOULD.sub(lambda m: f"{m[0][0]}'{m[0][1:]}", text)
    return _WORD.sub(lambda m: m[0][0] + _JOINED[m[0].lower()][1:], text)


def unlaughed(text: str) -> str:
    """A short statement without the laugh behind it, which is no mark of a post for an audience: "i love pie , lol"."""
    return _LAUGH.sub("", text) if len(text.split()) <= SHORT_TALK else text
