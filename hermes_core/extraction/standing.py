"""Requests that are meant to last although they come as a question or without a verb: "Can you always answer in British
English?", "No more than three options whenever I ask for ideas" (W2, W6).

By their words alone. What merely asks whether something can be done, and what is asked for once, is none.
"""

from __future__ import annotations

import re

_ASKED = re.compile(
    r"(?:would you mind(?: please)?|(?:can|could|would|will) (?:you|we)(?: (?:please|pls|kindly|maybe|just))*|(?:is|would) it (?:be )?(?:possible|ok|okay) (?:for you )?to"
    r"|(?:can|could|may) i (?:please )?(?:ask|get|have) you to|do you think you (?:can|could)),? ",
    re.IGNORECASE,
)
_FOR_EVER = (
    r"(?:from (?:now|here|today) on(?:wards?)?|going forward|in (?:the )?future|by default|as a rule|at all times|every time|each time"
    r"|any ?time|whenever|when(?:ever)? (?:i|we) ask|for all (?:my|our)|in all (?:your|of your)|always|never|permanently)"
)
_LASTS = re.compile(rf"(?<![a-z]){_FOR_EVER}(?![a-z])", re.IGNORECASE)
# What an assistant does in every conversation, said of itself or to the speaker ("you" may mean anybody otherwise).
_MANNER = re.compile(
    rf"(?:{_FOR_EVER},? |please |not |just )*(?:answer|reply|respond|speak|talk|write|explain|call me|address me|refer to me|give me|show me|tell me|send me|ask me"
    r"|remind me|warn me|greet me|start (?:your|each|every|with)|end (?:your|each|every|with)|begin (?:your|each|every|with)|sign off|format|summari[sz]e|translate"
    r"|convert|cite|quote|double[- ]check|stick to|be (?!a\b|an\b|the\b|able\b|at\b|in\b|on\b)"
    r"|(?:use|using|keep|keeping|include|including|add|adding|put|avoid|avoiding|leave out|skip|list|limit|show)(?= .*(?:answer|repl|respon|unit|metric|celsius|fahrenheit|imperial|spelling|english"
    r"|language|emoji|bullet|table|markdown|heading|format|tone|jargon|sentence|paragraph|word|line|example|source|link|reference|citation|step|option|suggestion"
    r"|summar|euro|dollar|pound|clock|date|code|comment|pronoun|name|short|brief|simple|concise|formal|polite)))",
    re.IGNORECASE,
)
# "Could you always be honest with your boss?": of the one who is asked, or of anybody.
_OTHERS = re.compile(
    r"(?<![a-z])(?:your (?!answers?|repl|respon|messages?|explanations?|tone|style|language|suggestions?|recommendations?|examples?|sources?|code|output|text|summar|advice|lists?|tables?|wording|spelling|sentences?|emojis?|opinions?)[a-z]"
    r"|(?:answer|reply to|respond to) (?:an? |the |all |any )?(?:unknown |strange )?(?:calls?|phones?|doors?|e-?mails?|letters?|texts?))",
    re.IGNORECASE,
)
# A limit or a wish without a verb about what answers are made of.
_THING = (
    r"(?:options?|suggestions?|ideas?|choices?|alternatives?|recommendations?|results?|items?|examples?|sentences?|words?|paragraphs?|lines?|pages?|points?|bullets?"
    r"|bullet points?|steps?|questions?|answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|emojis?|links?|sources?|references?|tables?|lists?|headings?"
    r"|units?|spelling|english|code(?: samples| examples| snippets)?|jargon|small talk|disclaimers?|apologies|compliments|markdown)"
)
_LIMIT = (
    r"(?:no more than|no longer than|not more than|never more than|at most|at least|max(?:imum)?(?: of)?|up to|only|just|always|fewer|less|more|shorter|longer|short|brief|detailed"
    r"|plain|simple|metric|imperial|british|american|no|one|two|three|four|five|a maximum of|\d+)"
)
_NAMED = re.compile(
    rf"(?:(?:please|and|also|oh),? )*{_LIMIT} (?:(?!i\b|my\b|we\b|you\b)[\w'-]+ ){{0,3}}?{_THING}(?![a-z])",
    re.IGNORECASE,
)
# ... and every time: for each answer, or whenever something is asked.
_EACH = re.compile(
    r"(?<![a-z])(?:(?:per|in (?:your|each|every|all)|for (?:each|every|all)) (?:of )?(?:your |my )?(?:answers?|repl(?:y|ies)|responses?|messages?|questions?|requests?|time)|at a time"
    rf"|(?:when(?:ever)?|every time|each time|any ?time|if ever) (?:i|we|you)(?:'m|'re| am| are)? \w+|{_FOR_EVER})(?![a-z])",
    re.IGNORECASE,
)


def asked_for_good(core: str) -> int:
    """Where the order starts in a lasting request that is phrased as a question; 0 when it is none."""
    asked = _ASKED.match(core)
    if asked is None or _LASTS.search(core) is None:
        return 0
    return asked.end() if _MANNER.match(core, asked.end()) and _OTHERS.search(core) is None else 0


def named_for_good(core: str) -> bool:
    """Whether the words name what every answer should be like, without a verb: "Max two paragraphs per answer, please"."""
    return _NAMED.match(core) is not None and _EACH.search(core) is not None
