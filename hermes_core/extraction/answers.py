"""A short answer read together with the question directly before it: "no" to "do you eat meat?", 「两只」 to 「你养几只猫？」.

The user's own words stay the evidence; the question only completes them into a statement, which says so (law G). What
evades, doubts, jokes or asks back completes nothing, and the asker's words by themselves are never anybody's statement.
Pure functions of the turn and what was said before it; what a statement is worth is the extractor's and screen's question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from hermes_core.catalogue import BA
from hermes_core.extraction.asking import question_of
from hermes_core.extraction.lexicon import load_lexicon, plain
from hermes_core.extraction.questions import Question, is_chinese, words_like
from hermes_core.extraction.questions_zh import stance_of
from hermes_core.extraction.support import content_units, numbers_in
from hermes_core.extraction.turn_words import Span, TurnWords
from hermes_core.items import Turn

LONGEST_ANSWER = 400  # characters of a turn that may be an answer
PIECES = 3  # parts of a turn in which an answer is looked for
WORDS, CHARACTERS = 9, 18  # of what a few words may state, in English and in Chinese

_PIECE = re.compile(r"(?:[^,，。.!！?？;；…~～\n、]|(?<=\d)[.,](?=\d)|(?<=\w)\.(?=\w))+")
_STOPS = re.compile(r"[。.!！?？;；…~～\n]")
_LIST_END = re.compile(
    r"[。.!！?？;；…~～\n]|(?:[,，]|\s-)\s*(?=(?:i|i'm|i've|my|we|it|it's|they|he|she|you|but|because|since|so|and (?:i|you|we|how|what)|which|what|how|why|though|although|if|can|could|do|are|is|please)(?![a-z]))"
    r"|\s+(?=(?:but|because|since|although|though|so that|if|when|and (?:i|you|my|we|it|how|what))\s)|[,，]\s*(?=[你您我咱那这])|但|不过|因为|所以|可是"
)
_FILLERS_EN = re.compile(
    r"^(?:(?:oh|well|um+|uh+|er|so|just|mostly|mainly|usually|currently|actually|honestly|the|it's|it is|that's|that would be|they're|they are|hmm+|let's see|let me see|yes|yeah)[,:]?\s+)+",
    re.IGNORECASE,
)
_FILLERS_ZH = re.compile(
    r"^(?:嗯+|哦+|啊|额|呃|哈+|是的?(?=[\u4e00-\u9fff]{2})|就(?:是)?|主要(?:是)?|一般(?:是)?|大多(?:是)?|平时|当然(?:是)?|其实(?:是)?|那?是)+"
)
_PARTICLES = re.compile(r"(?:的(?=[啊呀呢哦哈]|$)|[啊呀呢哦啦哈嘛喽噢诶欸哒滴呐耶哟呗])+$")
_LOUD = re.compile(
    r"^(?:我|俺)?(?:也|都|就|很|挺|真的?|最|蛮|比较|特别|非常|超级?|可|当然|一直|倒|现在|还是?|已经|只是|其实|并|又|根本|一点都|完全|从来)*"
)
_OWN_EN = re.compile(
    r"(?:i|i'm|i've|i'd|i'll|my|we|we're|our|you|you're|your|he|she|they|it|this|that|there|these|those|not|to be|what|how|why|who)(?![a-z'])",
    re.IGNORECASE,
)
_OWN_ZH = re.compile(r"[我俺咱你您他她它]|这|那(?!里)|人家|什么|怎么|为什么|吗|" + BA + "$|不|没|谁")
_PLACED = re.compile(
    r"^(?P<frame>I (?:am (?:living|working|based|studying) |live |work |study |am )(?:in|at|from|for|as) )(?P<x>.+)$"
)
_NUMBER_ZH = re.compile(r"[零一二两三四五六七八九十百千万半几\d]")
_PREPOSITION = re.compile(
    r"(?:in|at|near|outside|on|by|for|with|as|from|around|after|before|every|once|twice)(?![a-z])", re.IGNORECASE
)
_CAPITAL = re.compile(r"[A-Z\u3400-\u9fff]")


@dataclass(frozen=True)
class Completed:
    """One statement that an answer makes: `start`..`end` is the user's own part of it in the turn.

    `agreed`: the user only said yes or no, the rest of the statement are the asker's words.
    """

    start: int
    end: int
    statement: str
    question: str
    agreed: bool


@dataclass(frozen=True)
class Answered:
    """What a turn answers. `unanswered` names the question that got none; both empty where nothing was asked.

    `slot` is what the question is about where that is certain, also for an answer that needs no completion.
    """

    statements: tuple[Completed, ...] = ()
    unanswered: str = ""
    slot: str = ""


NOTHING = Answered()


def completed(turn: Turn) -> Answered:
    """What the turn's answer to the question before it states (Turn.asked); nothing for a turn without one."""
    return _completed(turn.text, turn.asked) if turn.asked and turn.role == "user" else NOTHING


@lru_cache(maxsize=256)
def _completed(text: str, asked: str) -> Answered:
    question = question_of(asked)
    if question is None or len(text) > LONGEST_ANSWER:
        return NOTHING
    words = TurnWords(text)
    pieces = _pieces(words)
    if not pieces:
        return Answered()
    if _held_back(text, pieces, question):
        return Answered((), question.words)
    found = _statements(words, pieces, question)
    fit = tuple(c for c in found if words.zone_of(Span(c.start, c.end)) is None)
    return Answered(fit, slot=question.slot)


@dataclass(frozen=True)
class _Piece:
    words: str
    start: int
    end: int


def _pieces(words: TurnWords) -> list[_Piece]:
    text = plain(words.text)
    out = []
    for match in _PIECE.finditer(text):
        raw = match.group()
        start = match.start() + len(raw) - len(raw.lstrip())
        if raw.strip() and any(c.isalnum() for c in raw):
            out.append(_Piece(raw.strip(), start, start + len(raw.strip())))
        if len(out) == PIECES:
            break
    return out


def _held_back(text: str, pieces: list[_Piece], question: Question) -> bool:
    """Evaded, doubted, joked about, or asked back instead of answered."""
    language = _language(pieces[0].words, question)
    first = pieces[0].words
    if words_like("evades", language).match(first) and not _is(first, "no", language):
        return True
    sentence = _STOPS.split(plain(text).strip(), maxsplit=1)[0]
    mark = _STOPS.search(plain(text))
    if mark is not None and mark.group() in "?？" and not (len(pieces) > 1 and pieces[0].end < mark.start()):
        return True
    doubted = words_like("doubts", language)
    if doubted.search(first) if language == "zh" else doubted.match(first):
        return True
    if language == "zh" and re.search(rf"(?<!好){BA}$", first):
        return True
    lexicon = load_lexicon()
    return lexicon.within("sarcasm", language, sentence) or lexicon.within("hypothetical", language, sentence)


def _language(words: str, question: Question) -> str:
    if is_chinese(words):
        return "zh"
    return "en" if re.search(r"[A-Za-z]{2}", words) else question.language


def _is(words: str, name: str, language: str) -> bool:
    return words_like(name, language).fullmatch(words) is not None


def _statements(words: TurnWords, pieces: list[_Piece], question: Question) -> list[Completed]:
    found = _yes_or_no(pieces, question) if question.deny else []
    if question.language == "zh" and found and len(pieces) > 1:
        found += _counted(pieces[1], question, found)
    if question.say and not found:
        return _few_words(words, pieces, question)
    if question.language == "zh":
        found += _liked(pieces, question, found)
    return found


# ---- yes and no
def _yes_or_no(pieces: list[_Piece], question: Question) -> list[Completed]:
    first = pieces[0]
    language = _language(first.words, question)
    stance, rest_at = _stance(first.words, language, question)
    second = pieces[1] if len(pieces) > 1 else None
    end = first.end
    if stance and second is not None and not rest_at:
        again, _ = _stance(second.words, _language(second.words, question), question)
        if again == "over" or (again == stance and not _says_more(second.words)):
            stance, end = again, second.end
    statement = {"yes": question.affirm, "no": question.deny, "over": question.ended}.get(stance, "")
    if not statement:
        return []
    out = [Completed(first.start, end, statement, question.words, True)]
    if stance == "no" and second is not None and second.end > end and (placed := _placed(question, second)):
        out.append(Completed(second.start, second.end, placed, question.words, False))
    return out


def _stance(words: str, language: str, question: Question) -> tuple[str, bool]:
    """("yes" | "no" | "over" | "", whether more follows in the piece)."""
    for name in ("over", "no", "yes"):
        if _is(words, name, language):
            return name, False
    if language == "zh":
        return _echoed(words, question), False
    for name in ("no", "yes"):
        found = words_like(name, language).match(words)
        if found is not None and (tail := words[found.end() :].strip()):
            again, _ = _stance(tail, language, question)
            if again:
                return again, False
            return ("", True) if _OWN_EN.match(tail) is None else (name, True)
    return "", False


def _says_more(words: str) -> bool:
    return len(words) > 24


def _echoed(words: str, question: Question) -> str:
    """「喜欢啊」, 「没吃呢」: the question's own verb said back, without anything else."""
    core = _PARTICLES.sub("", words)
    if (lead := words_like("yes", "zh").match(core)) is not None and lead.end() < len(core):
        core = core[lead.end() :]
    core = _LOUD.sub("", core) or core
    core = _PARTICLES.sub("", core)
    plain_one = question.affirm if question.affirm else ""
    positive = min((question.affirm, question.deny), key=lambda s: len(re.findall(r"[不没]", s)))
    negative = question.deny if positive == question.affirm else question.affirm
    bare = re.sub(r"^(?:没有|没|不|还没)", "", core)
    if not plain_one or not core:
        return ""
    asked = re.sub(r"^我(?:们)?", "", positive)
    if bare == core:
        verb = _LOUD.sub("", asked)
        fits = len(core) <= 6 and re.sub(r"[了过]$", "", core) in asked
        fits = fits and (len(core) * 3 >= min(len(asked), 6) or verb.startswith(core))
        return ("yes" if positive == question.affirm else "no") if fits else ""
    if (not bare or re.sub(r"[了过]$", "", bare) in asked) and len(bare) <= 8:
        return "yes" if negative == question.affirm else "no"
    return ""


def _placed(question: Question, piece: _Piece) -> str:
    """ "Do you live in Munich?" "No, Berlin": the name takes the other one's place."""
    found = _PLACED.match(question.affirm)
    if found is None or not _CAPITAL.match(piece.words) or _OWN_EN.match(piece.words):
        return ""
    short = len(piece.words.split()) <= 4
    return f"{found['frame']}{piece.words}" if short else ""


_HAVING = re.compile(r"我(?:家|们)?(?:里|还|现在|已经)*(?P<v>有|养)(?P<n>[\u4e00-\u9fff]{1,4})")
_COUNTED = re.compile(r"(?:有|养了?)?(?P<x>(?:[一二两三四五六七八九十]|\d+)[\u4e00-\u9fff](?P<n>[\u4e00-\u9fff]{0,4}))")


def _counted(piece: _Piece, question: Question, found: list[Completed]) -> list[Completed]:
    """「你有孩子吗？」「有啊，两个」: how many there are, and of what sort."""
    had = _HAVING.match(question.affirm)
    number = _COUNTED.fullmatch(_PARTICLES.sub("", piece.words))
    if had is None or number is None or found[0].statement != question.affirm or piece.start < found[0].end:
        return []
    statement = f"我{had['v']}{number['x']}{'' if number['n'] else re.sub(r'^(?:过|着)', '', had['n'])}"
    return [Completed(piece.start, piece.end, statement, question.words, False)]


def _liked(pieces: list[_Piece], question: Question, found: list[Completed]) -> list[Completed]:
    """「不讨厌，只是不喜欢」: a word of liking without an object is about what was asked."""
    _, thing = stance_of(question.affirm)
    if not thing:
        return []
    out = []
    for piece in pieces:
        core = _PARTICLES.sub("", piece.words)
        core = _PARTICLES.sub("", re.sub(r"(?:而已|罢了|了)$", "", core))
        core = _LOUD.sub("", core) or core
        said = re.fullmatch(r"(?P<no>不|没那么|没有那么)?(?P<v>喜欢|喜爱|爱|讨厌|厌恶)", core)
        if said is None:
            continue
        statement = f"我{'不' if said['no'] else ''}{said['v']}{thing}"
        if all(piece.start >= other.end for other in found):
            out.append(Completed(piece.start, piece.end, statement, question.words, False))
    return out


# ---- a few words
def _few_words(words: TurnWords, pieces: list[_Piece], question: Question) -> list[Completed]:
    text = plain(words.text)
    first = pieces[0]
    language = _language(first.words, question)
    if question.none and (
        _is(first.words, "no", language) or re.match(r"(?:none|nothing|no|no one|nobody)\b", first.words, re.I)
    ):
        return [Completed(first.start, first.end, question.none, question.words, True)]
    start = first.start
    if (_is(first.words, "yes", language) or _is_filler(first.words)) and len(pieces) > 1:
        start = pieces[1].start
    stop = _LIST_END.search(text, start)
    end = len(text.rstrip()) if stop is None else max(stop.start(), start)
    said = text[start:end].rstrip(" ,，。.!！")
    fillers = (_FILLERS_ZH if language == "zh" else _FILLERS_EN).match(said)
    at = fillers.end() if fillers is not None and fillers.end() < len(said) else 0
    value = _PARTICLES.sub("", said[at:]) if language == "zh" else said[at:]
    if question.number and language == "zh":
        value = re.sub(
            r"^我(?:们)?(?=(?:今年|才|都|已经|快|也|就|刚|大概|差不多)*\d|(?:才|都|已经|快|也|就|刚)*[一二两三四五六七八九十半])",
            "",
            value,
        )
        value = re.sub(r"^(?:今年|才|都|已经|快|也|就|刚|大概|差不多)+", "", value)
    if not _is_value(value, language, question):
        return []
    statement = _said(question, value)
    return [Completed(start, start + len(said), statement, question.words, False)]


def _is_filler(words: str) -> bool:
    return (
        re.fullmatch(r"oh|well|um+|uh+|hmm+|hi|hey|hello|thanks|thank you|嗯+|哦+|额|呃|啊|哈+|你好|谢谢", words, re.I)
        is not None
    )


def _is_value(value: str, language: str, question: Question) -> bool:
    if language == "zh":
        fits = 0 < len(value) <= CHARACTERS and not _OWN_ZH.search(value)
    else:
        fits = 0 < len(value.split()) <= (question.most or WORDS) and not _OWN_EN.match(value)
    if not fits or _is(value, "no", language) or _is(value, "yes", language):
        return False
    if words_like("evades", language).match(value):
        return False
    if question.number:
        return bool(numbers_in(value) or _NUMBER_ZH.search(value))
    return bool(content_units(value)) or bool(re.search(r"\w", value))


def _said(question: Question, value: str) -> str:
    """The question's statement with the value in its place; small words fit it in."""
    joined = _PREPOSITION.match(value) is not None
    say = question.say
    role = (
        value
        if re.match(r"(?:an?|the|my|self)\b", value) or not re.fullmatch(r"[a-z][\w' -]*(?<!ing)(?<!s)", value)
        else ""
    )
    article = "as" if role else ("as an" if value[:1] in "aeiou" else "as a")
    for name, word in (("in", "in"), ("at", "at"), ("at_time", "at"), ("as", article)):
        say = say.replace("{" + name + "}", "" if joined else word)
    say = re.sub(r"\b(?:for|with|by|from) (?=\{x\})", "", say) if joined else say
    value = re.sub(r"^(?:years old|岁)$", "", value)
    if (
        "years old" in say
        and re.search(r"[a-z]", re.sub(r"\b(?:years?|old|turned|turning|almost|nearly)\b", "", value, flags=re.I), re.I)
        is None
    ):
        value = re.sub(r"\s*(?:years?(?: old)?|yo)\b.*$", "", value, flags=re.IGNORECASE)
    say = say.replace("{的}", "" if value.endswith("的") or not value.startswith(("做", "干", "搞")) else "的")
    say = say.replace("{岁}", "" if re.search(r"岁|年|后|月", value) else "岁")
    say = say.replace("{人}", "" if value.endswith(("人", "的")) else "人")
    return " ".join(say.replace("{x}", value).split())
