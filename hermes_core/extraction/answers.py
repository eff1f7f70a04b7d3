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
from hermes_core.extraction.filling import filled, without_its_verb
from hermes_core.extraction.lexicon import load_lexicon, plain
from hermes_core.extraction.questions import Question, echoes, is_chinese, words_like
from hermes_core.extraction.questions_zh import stance_of
from hermes_core.extraction.support import content_units, numbers_in
from hermes_core.extraction.turn_words import Span, TurnWords
from hermes_core.items import Turn
from hermes_core.traits import tells_of_life

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
    r"^(?:我|俺)?(?:也|都|就|很|挺|真的?|最|蛮|比较|特别|非常|超级?|可|当然|一直|倒|现在|还是?|已经|只是|其实|并|又|根本|一点都|完全|从来|每天|天天|每周|每个?月|每年|经常|常常?|总是?|老是?|去年|前年|今年|上个?月|上周|昨天|早就|早)*"
)
_SINGLISH = re.compile(r",?\s+(?:lah?|leh|lor|loh|hor|sia|ah|wor)$", re.IGNORECASE)  # "no lah"
# What an echo adds to the question's verb: 「谈过两次」, 「有一套」, 「学了十年」, 「很少去」 is none.
_HOW_MUCH = re.compile(
    r"(?<=[\u4e00-\u9fff])(?:快|都|已经)?(?:好|很)?(?:多|几|半|[一二两三四五六七八九十]+|\d+)(?:多)?(?:次|遍|回|套|本|台|辆|只|条|个|年|天|个月|家|部|首)?(?:多)?(?:了)?$"
)
_OWN_EN = re.compile(
    r"(?:i|i'm|i've|i'd|i'll|my|we|we're|our|you|you're|your|he|she|they|it|this|that|there|these|those|not|to be|what|how|why|who)(?![a-z'])",
    re.IGNORECASE,
)
_OWN_ZH = re.compile(r"[我俺咱你您他她它]|这|那(?!里)|人家|什么|怎么|为什么|吗|" + BA + "$|不|没|谁")
_PLACED = re.compile(
    r"^(?P<frame>I (?:am (?:living|working|based|studying) |live |work |study |am )(?:in|at|from|for|as) )(?P<x>.+)$"
)
_NUMBER_ZH = re.compile(r"[零一二两三四五六七八九十百千万半几\d]|没多久")
_DATE_ZH = re.compile(
    r"(?:\d+|[一二两三四五六七八九十]+)(?:月|号|点|[月日]底|月初)|[上下]个?月|(?:周|星期)[一二三四五六日天]"
)
_OWN_DAY = re.compile(
    r"[\d一二两三四五六七八九十月号日]{2,8}(?:就|才|要|会)(?:开学|放假|考试|毕业|出发|搬家|开工|入职|回[去来家])了?"
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
    if len(pieces) > 1 and _SO_SO.fullmatch(pieces[0].words) and question.language == "zh":
        pieces = pieces[1:]  # 「还好，不是很忙」
    if not pieces:
        return Answered()
    if _held_back(text, pieces, question):
        return Answered((), question.words)
    found = _statements(words, pieces, question)
    fit = tuple(c for c in found if words.zone_of(Span(c.start, c.end)) is None)
    return Answered(fit, slot=question.slot)


_SO_SO = re.compile(r"还好|还行|还可以|一般般?|马马虎虎|就那样|也还好|还好(?:吧|啦)")


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
        # 「两个多月吧」, 「三月十号左右吧」 are rough, and still an answer
        return not (_DATE_ZH.search(first) or (question.number and _NUMBER_ZH.search(first)))
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
    if question.choices:
        found += _chosen(pieces, question)
    if question.language == "zh" and found and len(pieces) > 1:
        found += _counted(pieces[1], question, found)
    if question.say and not found:
        return _few_words(words, pieces, question)
    if question.language == "zh":
        found += _liked(pieces, question, found)
        found += _of_life(pieces, question, found)
    return found


_KIN = re.compile(r"儿子|女儿|孩子|宝宝|[爸妈哥姐弟妹]|父|母|老公|老婆|丈夫|妻子|朋友|对象|[他她它]")


def _of_life(pieces: list[_Piece], question: Question, found: list[Completed]) -> list[Completed]:
    """「还没毕业」, 「孩子都五岁了」 beside or instead of what was asked of the user: whose it is, the question says."""
    out = []
    for piece in pieces:
        whose = _KIN.search(question.words) is not None and _KIN.match(piece.words) is None
        taken = any(piece.start < other.end and other.start < piece.end for other in found)
        statement = f"我{_PARTICLES.sub('', piece.words)}"
        if not (whose or taken or piece.words.startswith(("我", "你"))) and tells_of_life(statement):
            out.append(Completed(piece.start, piece.end, statement, question.words, False))
    return out


# ---- yes and no
def _yes_or_no(pieces: list[_Piece], question: Question) -> list[Completed]:
    first = pieces[0]
    language = _language(first.words, question)
    stance, rest_at = _stance(first.words, language, question)
    second = pieces[1] if len(pieces) > 1 else None
    end = first.end
    if stance and second is not None and not rest_at:
        again, _ = _stance(_BUT.sub("", second.words), _language(second.words, question), question)
        if again == "over" or (again == stance and not _says_more(second.words)):
            stance, end = again, second.end
    statement = {"yes": question.affirm, "no": question.deny, "over": question.ended}.get(stance, "")
    if not statement:
        return []
    if stance == "yes" and question.language == "zh":
        statement = _with_its_number(first.words, statement)
    out = [Completed(first.start, end, statement, question.words, True)]
    if stance == "no" and second is not None and second.end > end and (placed := _placed(question, second)):
        out.append(Completed(second.start, second.end, placed, question.words, False))
    return out


def _with_its_number(words: str, statement: str) -> str:
    """「结婚快五年了」 to 「你结婚了吗」: the echo says the whole of it, and how much."""
    core = _LOUD.sub("", _PARTICLES.sub("", words))
    asked = re.sub(r"[了过]$", "", _LOUD.sub("", statement))
    return f"我{core}" if _HOW_MUCH.search(core) and core.startswith(asked) and len(asked) >= 2 else statement


def _stance(words: str, language: str, question: Question) -> tuple[str, bool]:
    """("yes" | "no" | "over" | "", whether more follows in the piece)."""
    if language == "zh" and (said := _as_denied(words, question)):
        return said, False
    if language == "en":
        words = _SINGLISH.sub("", words)
    for name in ("over", "no", "yes"):
        if _is(words, name, language):
            return name, False
    if language == "zh":
        return _echoed(words, question) if question.language == "zh" else _echoed_across(words, question), False
    for name in ("no", "yes"):
        found = words_like(name, language).match(words)
        if found is not None and (tail := words[found.end() :].strip()):
            again, _ = _stance(tail, language, question)
            if again:
                return again, False
            return ("", True) if _OWN_EN.match(tail) is None else (name, True)
    return "", False


def _chosen(pieces: list[_Piece], question: Question) -> list[Completed]:
    """「工作了」 to 「你是在工作还是在上学」: the one of the two statements that holds the answer's words."""
    for piece in pieces[:2]:
        if question.language == "zh":
            core = _PARTICLES.sub("", re.sub(r"^(?:当然|肯定|应该|就|更|还是|是|都?(?:已经|早就))+", "", piece.words))
            core = re.sub(r"(?:了|的|呢)+$", "", _PARTICLES.sub("", core))
            fits = 0 < len(core) <= CHARACTERS // 2 and not _OWN_ZH.search(core)
            held = [one for one in question.choices if core in one] if fits else []
        else:
            core = _FILLERS_EN.sub("", piece.words.casefold() + " ").strip()
            fits = 0 < len(core.split()) <= WORDS // 2 and not _OWN_EN.match(core)
            held = [one for one in question.choices if re.search(rf"\b{re.escape(core)}\b", one, re.I)] if fits else []
        if len(held) == 1:
            return [Completed(piece.start, piece.end, held[0], question.words, False)]
    return []


def _says_more(words: str) -> bool:
    return len(words) > 24


def _as_denied(words: str, question: Question) -> str:
    """「没有」 to 「你没有男朋友吗」 and 「不」 to 「你不吃肉吗」 say the question's own denial back."""
    asked = re.match(r"我[^不没]{0,4}(?P<no>不|没)", question.affirm)
    if asked is None or len(question.affirm) < len(question.deny) or question.language != "zh":
        return ""
    core = _PARTICLES.sub("", words)
    if asked["no"] == "没":
        if re.fullmatch(r"(?:嗯+|是的?|对)?(?:还|确实|真的?)?(?:没有?|没呢)", core):
            return "yes"
        return "no" if core in ("有", "有的") else ""
    said = re.fullmatch(r"(?:嗯+|是的?|对)?不(?P<v>[\u4e00-\u9fff]*)", core)  # 「不会啊」 to 「你不会无聊吗」
    verb = question.affirm[asked.end() :]
    if said is not None:
        return "yes" if verb.startswith(said["v"]) else ""
    return "no" if core in (verb[:1], verb[:2]) else ""


def _echoed(words: str, question: Question) -> str:
    """「喜欢啊」, 「没吃呢」: the question's own verb said back, without anything else."""
    core = _PARTICLES.sub("", words)
    if (lead := words_like("yes", "zh").match(core)) is not None and lead.end() < len(core):
        core = core[lead.end() :]
    core = _LOUD.sub("", core) or core
    core = _HOW_MUCH.sub("", _PARTICLES.sub("", core))
    plain_one = question.affirm if question.affirm else ""
    positive = min((question.affirm, question.deny), key=lambda s: len(re.findall(r"[不没]", s)))
    negative = question.deny if positive == question.affirm else question.affirm
    bare = re.sub(r"^(?:没有|没|不|还没)(?:是)?(?:很|太|怎么|算)*", "", core)
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


def _echoed_across(words: str, question: Question) -> str:
    """「不吃」 to "Do you eat meat?": the Chinese for the question's own verb, said back without anything else."""
    core = _LOUD.sub("", _PARTICLES.sub("", words))
    bare = re.sub(r"^(?:没有|没|不|还没)(?:是)?(?:很|太|怎么)*", "", core)
    verb = re.sub(r"^[会能]|[了过的]+$", "", bare)
    if not verb or not any(verb in said for said in echoes(question.words)):
        return ""
    return "yes" if bare == core else "no"


def _placed(question: Question, piece: _Piece) -> str:
    """ "Do you live in Munich?" "No, Berlin": the name takes the other one's place."""
    found = _PLACED.match(question.affirm)
    if found is None or not _CAPITAL.match(piece.words) or _OWN_EN.match(piece.words):
        return ""
    short = len(piece.words.split()) <= 4
    return f"{found['frame']}{piece.words}" if short else ""


_BUT = re.compile(r"^(?:不过|但是?|可是|只是)")
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
    skipped = _is(first.words, "yes", language) or _is_filler(first.words) or _SHORTLY.fullmatch(first.words)
    if skipped and len(pieces) > 1:
        start = pieces[1].start
    stop = _LIST_END.search(text, start)
    end = len(text.rstrip()) if stop is None else max(stop.start(), start)
    if question.number and language == "zh" and (comma := re.search(r"[,，、](?!\d)", text[start:end])):
        end = start + comma.start()
    said = text[start:end].rstrip(" ,，。.!！")
    fillers = (_FILLERS_ZH if language == "zh" else _FILLERS_EN).match(said)
    at = fillers.end() if fillers is not None and fillers.end() < len(said) else 0
    value = _PARTICLES.sub("", _RESTATED.sub("", said[at:])) if language == "zh" else said[at:]
    if language == "zh" and question.say.partition("{x}")[0].endswith("在"):
        value = _OWN_PLACE.sub("", value)
    own = _OWN_DAY.fullmatch(value) if language == "zh" else None
    if (
        own is not None and "{x}" in question.say[:8] and question.say[:1] == "我"
    ):  # 「三月就放假了」 to 「我{x}开始放假」
        return [Completed(start, start + len(said), f"我{value}", question.words, False)]
    if question.number and language == "zh":
        value = without_its_verb(question.say, value)
        value = re.sub(
            r"^我(?:们)?(?=(?:今年|才|都|已经|快|也|就|刚|大概|差不多)*\d|(?:才|都|已经|快|也|就|刚)*[一二两三四五六七八九十半])",
            "",
            value,
        )
        value = re.sub(r"^(?:今年|才|都|已经|快|也|就|刚|大概|差不多)+", "", value)
        value = re.sub(rf"了?{BA}$", "", value)
    elif language == "zh" and _DATE_ZH.search(value):
        value = re.sub(rf"了?{BA}$", "", value)
    if not _is_value(value, language, question):
        return []
    statement = filled(question, value)
    return [Completed(start, start + len(said), statement, question.words, False)]


_OWN_PLACE = re.compile(r"^(?:我(?:们)?)?(?:现在|目前|就|也|是|一直|都)*在(?=.{2})")
_SHORTLY = re.compile(
    r"(?:也|还|才)?没(?:多久|多长时间|几天|多少)|(?:也|还)?不(?:太)?(?:久|多|长)|挺久|很久|好久(?:了)?"
)
# 「老家是山东的」 to 「你老家是哪里的」: the question's own noun said again.
_RESTATED = re.compile(r"^我?(?:的)?(?:老家|家乡|专业|名字|职业|工作|爱好|年龄|生日|血型)(?:是|在|叫|就是)(?=.)")


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
