"""Laws G and C at the door: a claim stands on words that the user said in that turn, or it is dismissed with a reason.

Pure functions of the claim, the turn and the memory lines that were in the prompt. What a claim is worth is
screen.py's question, what it means for known items relate.py's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from hermes_core.catalogue import BA, Catalogue, clean_value
from hermes_core.extraction.answers import completed
from hermes_core.extraction.contrasts import contrasts, reworded
from hermes_core.extraction.cues import cues, folded
from hermes_core.extraction.mixed import glosses
from hermes_core.extraction.standing import asked_for_good
from hermes_core.extraction.subjects import PEOPLE_SLOTS, told_subject
from hermes_core.extraction.support import (
    Support,
    Vocabulary,
    content_units,
    denies,
    shortened,
    support,
    supported_part,
)
from hermes_core.extraction.turn_words import Span, TurnWords
from hermes_core.extraction.zones import words_of
from hermes_core.items import Candidate, Kind, Turn
from hermes_core.ports import Dismissal
from hermes_core.reasons import Reason

SHORT_QUOTE_WORDS = 3  # a shorter quote is read (and kept) as its whole clause
VALUE_SUPPORT = 0.5  # share of a value's words that must be the user's, or the value is not the user's
TEXT_SUPPORT = 0.6  # ... of a text's words, for a value to be taken from the quote instead
NEAR_QUOTE = 0.8  # share of a quote's words in one sentence that make it that sentence, misquoted
ASKED_AFTERWARDS = 3  # words that follow a statement in the same clause and ask: 「我对花生过敏能吃这个吗」


class Grounded(NamedTuple):
    """A claim whose quote stands verbatim in the turn at start..end; `rebuilt` says which fields were put right."""

    candidate: Candidate
    start: int
    end: int
    rebuilt: tuple[str, ...] = ()


def ground(
    candidate: Candidate,
    turn: Turn,
    recalled: Sequence[str] = (),
    *,
    words: TurnWords | None = None,
    catalogue: Catalogue | None = None,
) -> Grounded | Dismissal:
    """The claim with a verbatim quote and only the user's words in text and value, or why it is no evidence (W4).

    A value that only the catalogue reads in the quote (「简短」 as "concise") is the user's too. `words` is the turn prepared once for many claims (TurnWords), `recalled` the memory lines shown before the turn.
    """
    if turn.role != "user" or candidate.turn_id != turn.id:
        return Dismissal(turn.id, candidate.quote or candidate.text, Reason.UNGROUNDED)
    words = words or TurnWords(turn.text, tuple(recalled))
    catalogue = catalogue or Catalogue.default()
    if candidate.asked:
        return _as_answer(candidate, turn, words, catalogue)
    if candidate.corrects:
        return _as_correction(candidate, words)
    result = _by_itself(candidate, words, catalogue)
    if isinstance(result, Dismissal) and turn.asked and result.reason == Reason.UNGROUNDED:
        return _as_answer(candidate, turn, words, catalogue)
    return result


def _by_itself(candidate: Candidate, words: TurnWords, catalogue: Catalogue) -> Grounded | Dismissal:
    """The claim on the words of the turn alone."""
    span = words.find(candidate.quote) or _misquoted(candidate.quote, words)
    empty = span is None or (
        not content_units(candidate.quote)
        and not _means(candidate.value, candidate.slot, candidate.quote, catalogue)
        and not _named_before(candidate, words, span, catalogue)
    )
    if span is None or empty:  # 「我对虾过敏」: one character may be all there is to say
        return _dismissed(candidate, Reason.UNGROUNDED)
    reason = words.zone_of(span) or why_no_statement(words, span)
    if reason is not None:
        return _dismissed(candidate, reason)
    span = _whole_thought(words, span)
    return _in_users_words(candidate, words, span, catalogue)


def _as_answer(candidate: Candidate, turn: Turn, words: TurnWords, catalogue: Catalogue) -> Grounded | Dismissal:
    """The claim on the user's answer as the question before it completes it; by no other words of the asker (law G)."""
    span = words.find(candidate.quote)
    if span is None:
        return _dismissed(candidate, Reason.UNGROUNDED)
    for one in completed(turn).statements:
        if min(one.end, span.end) <= max(one.start, span.start):
            continue
        statement = TurnWords(one.statement)
        whole = Span(0, len(one.statement))
        result = _in_users_words(msgspec.structs.replace(candidate, quote=one.statement), statement, whole, catalogue)
        if isinstance(result, Grounded):
            quote = turn.text[one.start : one.end]
            fixed = msgspec.structs.replace(result.candidate, quote=quote, asked=one.question, agreed=one.agreed)
            return Grounded(fixed, one.start, one.end, result.rebuilt)
    return _dismissed(candidate, Reason.UNGROUNDED)


def _as_correction(candidate: Candidate, words: TurnWords) -> Grounded | Dismissal:
    """What the user said before, with the one word that the quote puts right; whether it was said before, the caller knows."""
    span = words.find(candidate.quote)
    made = [reworded(candidate.corrects, one) for one in contrasts(candidate.quote)]
    if span is None or words.zone_of(span) is not None or candidate.text not in made:
        return _dismissed(candidate, Reason.UNGROUNDED)
    if (reason := why_no_statement(words, span)) is not None:
        return _dismissed(candidate, reason)
    return Grounded(candidate, span.start, span.end, ())


def ground_all(
    candidates: Iterable[Candidate],
    turns: Mapping[str, Turn],
    recalled: Sequence[str] = (),
    *,
    catalogue: Catalogue | None = None,
    extract_tokens: int = 2000,
) -> tuple[list[Grounded], list[Dismissal]]:
    """`ground` over a batch, each turn prepared once; a claim about a turn that isn't in the batch is UNGROUNDED."""
    prepared: dict[str, TurnWords] = {}
    kept: list[Grounded] = []
    dismissed: list[Dismissal] = []
    for candidate in candidates:
        turn = turns.get(candidate.turn_id)
        if turn is None:
            dismissed.append(_dismissed(candidate, Reason.UNGROUNDED))
            continue
        words = prepared.setdefault(turn.id, TurnWords(turn.text, tuple(recalled), extract_tokens))
        result = ground(candidate, turn, words=words, catalogue=catalogue)
        if isinstance(result, Grounded):
            kept.append(result)
        else:
            dismissed.append(result)
    return kept, dismissed


def _dismissed(candidate: Candidate, reason: Reason) -> Dismissal:
    return Dismissal(candidate.turn_id, candidate.quote or candidate.text, reason)


def _misquoted(quote: str, words: TurnWords) -> Span | None:
    """The one sentence that holds nearly all words of an inexact quote, with the same yes or no."""
    wanted = words_of(quote)
    if len(wanted) < SHORT_QUOTE_WORDS or not content_units(quote):
        return None
    at = 0
    while at < words.cut:
        span = words.sentence(Span(at, at + 1))
        sentence = words.text[span.start : span.end]
        if span.end > span.start and _nearly_says(sentence, quote, wanted):
            return span
        at = max(span.end, at) + 1
    return None


def _nearly_says(sentence: str, quote: str, wanted: list[str]) -> bool:
    have = frozenset(words_of(sentence))
    share = sum(1 for word in wanted if word in have) / len(wanted)
    return share >= NEAR_QUOTE and support(quote, Vocabulary(sentence)).full and denies(sentence) == denies(quote)


def _whole_thought(words: TurnWords, span: Span) -> Span:
    """A quote of a word or two stands for its clause: "peanuts" alone would not tell what was said of them."""
    if len(words_of(words.text[span.start : span.end])) >= SHORT_QUOTE_WORDS:
        return span
    clause = words.clause(span)
    behind = _NEW_THOUGHT.search(words.text, span.end, clause.end)
    cuts = (one.end() for one in _NEW_THOUGHT.finditer(words.text, clause.start, clause.end))
    starts = [cut for cut in cuts if cut <= span.start]
    clause = Span(starts[-1] if starts else clause.start, behind.start() if behind else clause.end)
    return clause if words.zone_of(clause) is None else span


# "I'm vegan and I avoid sugar": two thoughts in one clause, as punctuation has it.
_NEW_THOUGHT = re.compile(
    r"\s*,?\s+(?:and|but|so|or)\s+(?=(?:i|i'm|i've|i'd|i'll|my|we|we're|our|he|she|they|it)(?![a-z]))", re.IGNORECASE
)


# --- is it a statement? ------------------------------------------------------------------------------------------


def why_no_statement(words: TurnWords, span: Span) -> Reason | None:
    """HYPOTHETICAL or NOT_A_STATEMENT when the span's clause supposes or asks; None when it states."""
    sentence = words.sentence(span)
    before = folded(words.text[sentence.start : span.start])
    quote = folded(words.text[span.start : span.end])
    after = folded(words.text[span.end : sentence.end])
    clause = words.clause(span)
    lead = folded(words.text[clause.start : span.start])
    if _asks(before, lead, quote, after):
        return Reason.NOT_A_STATEMENT
    if _supposes(before, lead, quote) or cues("fiction").within(folded(words.text[: span.start])):
        return Reason.HYPOTHETICAL
    return None


# "I wish my kids would visit": that there are kids is wished by nobody.
_WISHER = re.compile(r"(?:i|we) (?:\w+ )?wish (?:that )?$")
_OWN = re.compile(r"(?:my|our)(?: [\w'-]+){1,3}$")


def _supposes(before: str, lead: str, quote: str) -> bool:
    cue = cues("hypothetical")
    if _WISHER.search(lead) and _OWN.match(quote):
        return False
    if cues("supposition").within(before) or cues("supposition").opens(quote):
        return True
    if cue.opens(quote) or cue.starts_before(len(lead), lead + quote):
        return True
    return cue.within(before) and cues("conditional").within(quote)


_TOLD = re.compile(
    rf"(?!(?:{BA}))吧$|^(?:我|咱|俺)(?!.*(?:什么|啥|怎么|哪|谁|几|多少|还是|要不要|该)).*[呢嘛]$"
)  # 「酒吧」, 「我还单身呢」 ask nothing


def _asks(before: str, lead: str, quote: str, after: str) -> bool:
    ending = after or quote
    stripped = ending.rstrip(" \"'”」』)）~～!！")
    if asked_for_good((lead + quote).lstrip(" ,.")):
        return False  # an order that is meant to last, asked politely
    if cues("reason_openers").closes(lead) or cues("reason_openers").opens(quote):
        return cues("asked_about").within(before + lead)
    if cues("direct_question").opens(lead + quote):
        return True
    if not (
        stripped.endswith(("?", "？"))
        or (cues("question_endings").closes(stripped) and not _TOLD.search(lead + stripped))
    ):
        return False
    if cues("asked_about").within(lead) or cues("question").opens(lead + quote):
        return True
    if any(mark in after for mark in ",，:：;；—"):
        return False
    return not (cues("question").within(after) or len(words_of(after)) > ASKED_AFTERWARDS)


# --- are text and value the user's? ------------------------------------------------------------------------------


def _in_users_words(candidate: Candidate, words: TurnWords, span: Span, catalogue: Catalogue) -> Grounded | Dismissal:
    quote = words.text[span.start : span.end].strip()
    said = words.said
    sentence = words.sentence(span)
    heard = _with_what_it_points_to(words, span)
    near = Vocabulary(words.text[min(heard.start, sentence.start) : sentence.end])
    value = _said_value(candidate, words.text[heard.start : heard.end].strip(), said, near, catalogue)
    if value is None:
        return _dismissed(candidate, Reason.UNGROUNDED)
    text = candidate.text if _says_the_same(candidate.text, quote, said) else quote
    polarity = candidate.polarity
    if denies(quote) and not denies(candidate.text) and polarity > 0 and _denied(value, quote):
        polarity = -1
    fixed = msgspec.structs.replace(
        candidate,
        subject=_subject(candidate, quote),
        quote=quote,
        value=value,
        text=shortened(text, value),
        polarity=polarity,
        qualifiers=tuple(part for part in candidate.qualifiers if support(part, said).full),
    )
    rebuilt = tuple(
        f for f in ("subject", "quote", "value", "text", "polarity", "qualifiers") if _differs(candidate, fixed, f)
    )
    return Grounded(fixed, span.start, span.end, rebuilt)


# "Do you like hummus? I love it": what the pronoun stands for was said one sentence before.
_POINTS_BACK = re.compile(r"(?<![a-z])(?:its?|them|they|that|those)(?![a-z])|它|这个|那个")


def _with_what_it_points_to(words: TurnWords, span: Span) -> Span:
    """The span with the sentence before it where it points back; the span itself otherwise."""
    start = words.sentence(span).start
    before = len(words.text[:start].rstrip())
    if before == 0 or not _POINTS_BACK.search(folded(words.text[span.start : span.end])):
        return span
    return Span(words.sentence(Span(before - 1, before)).start, span.end)


def _named_before(candidate: Candidate, words: TurnWords, span: Span, catalogue: Catalogue) -> bool:
    heard = _with_what_it_points_to(words, span)
    if heard == span:
        return False
    said = words.text[heard.start : heard.end]
    named = support(candidate.value, Vocabulary(said)).full and bool(content_units(candidate.value))
    return named or _means(candidate.value, candidate.slot, said, catalogue)


def _subject(candidate: Candidate, quote: str) -> str:
    """X3: words about somebody else are not the user's profile, whatever the extractor says."""
    if candidate.subject != "user" or candidate.kind == Kind.RELATION or candidate.slot in PEOPLE_SLOTS:
        return candidate.subject
    return told_subject(quote) or candidate.subject


def _differs(before: Candidate, after: Candidate, field: str) -> bool:
    return bool(getattr(before, field) != getattr(after, field))


def _said_value(
    candidate: Candidate, quote: str, said: Vocabulary, near: Vocabulary, catalogue: Catalogue
) -> str | None:
    """The value if the user said it, or the catalogue reads it in the quote; its supported part; or None (M3).

    `said` holds the turn's words, `near` the quote's sentence: a value from elsewhere in the turn is not about the quote.
    """
    units = content_units(candidate.value)
    backing = support(candidate.value, said)
    close = any(near.has(unit) for unit in units)
    if backing.full and close:
        return candidate.value
    explained = catalogue.find(candidate.slot, quote)
    if _means(candidate.value, candidate.slot, quote, catalogue):
        return candidate.value
    if not units:
        return _plain_value(candidate, quote, explained)
    if backing.share >= VALUE_SUPPORT and close:
        return supported_part(candidate.value, said) or None
    if _mostly_said(support(candidate.text, said), candidate.text):
        return explained or supported_part(candidate.text, Vocabulary(quote)) or None
    return explained


def _means(value: str, slot: str, quote: str, catalogue: Catalogue) -> bool:
    """Whether the quote holds a wording that the catalogue lists for this value, as it reads in either language."""
    known = catalogue.slot(slot)
    name = catalogue.normalise(slot, value)
    wordings = next((v.words for v in known.values if v.name == name), ()) if known else ()
    readings = (quote, *(gloss.text for gloss in glosses(quote)))
    return any(_holds(reading, wording) for reading in readings for wording in wordings)


def _holds(quote: str, wording: str) -> bool:
    words, wanted = clean_value(quote), clean_value(wording)
    if not wanted.isascii():
        return wanted in words
    return re.search(rf"(?<![a-z0-9]){re.escape(wanted)}s?(?![a-z0-9])", words) is not None


def _plain_value(candidate: Candidate, quote: str, explained: str | None) -> str | None:
    """A value of frame words only ("yes", "no") is kept where the user's words say it too."""
    if explained is not None:
        return explained
    value = folded(candidate.value).strip()
    return candidate.value if value and value in folded(quote) else quote


def _mostly_said(backing: Support, text: str) -> bool:
    return bool(content_units(text)) and backing.share >= TEXT_SUPPORT


def _says_the_same(text: str, quote: str, said: Vocabulary) -> bool:
    """Whether a model's sentence adds nothing: all its words are the user's, its yes or no too, and it is no bare frame."""
    return bool(content_units(text)) and support(text, said).full and denies(text) == denies(quote)


def _denied(value: str, quote: str) -> bool:
    """Whether a negation stands before the value in the quote."""
    place = folded(quote).find(folded(value))
    return place > 0 and denies(_TURNS.split(_AFRESH.sub("", quote[:place]))[-1])


# "No beef please, I'm Hindu": what is refused ends where somebody says what they are.
_AFRESH = re.compile(
    r"^.*(?:(?<![a-z])(?:please|pls|thanks|thx|thank you|for me|because|since|cause|cuz)|[,，;])\s*(?=(?:i'm|im|i am|we're)(?![a-z])|我是|我信)"
    r"|^no (?!(?:way|idea|wonder|doubt)\b)[\w-]+(?: (?:or|and) [\w-]+)? (?=(?:i'm|im|i am|we're)(?![a-z]))",
    re.IGNORECASE,
)
# "I hate X but love Y": the denial ends there, too.
_TURNS = re.compile(
    r"(?<![a-z])but (?=(?:i |we )?(?:do |really |also )*(?:love|like|enjoy|eat|drink|prefer)\b)|但是?(?=我?也?很?[喜爱吃喝])",
    re.IGNORECASE,
)
