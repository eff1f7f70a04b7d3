"""When and where a liking, a limit or a wish about answers holds: "tea in the evening", 「工作时」 (W2, W13).

Words of the clause only; which kinds of claims carry qualifiers is claims.py's business.
"""

from __future__ import annotations

import re

from hermes_core.extraction.lexicon import plain

MOST = 3  # qualifiers of one claim

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_TIME_EN = rf"(?P<time>mornings?|afternoons?|evenings?|summers?|winters?|spring|autumn|fall|nights?|noon|midnight|weekends?|weekdays?|{_DAY}s?|holidays?|vacations?|lunch|breakfast|dinner|bedtime)"
_PLACE_EN = (
    r"(?P<place>work|home|school|church|parties|restaurants?|the office|the gym|the beach|my desk|trips|flights|planes?"
    r"|trains|the road|the go|business trips|public|bed|meetings|class)"
)
_FOR_EN = r"(?P<topic>code|coding|programming|work|breakfast|lunch|dinner|dessert|business|technical (?:topics|questions)|short trips|long trips|special occasions|exercise|workouts)"
# "in the evening", "at work", "on Fridays", "for breakfast", "when I travel", "before noon", "while working".
_EN = re.compile(
    r"(?<![a-z])(?:"
    rf"(?:in|on|at|during|over) (?:the |my |late |early |cold |hot |long )*{_TIME_EN}"
    rf"|(?:at|in|on|during) {_PLACE_EN}"
    rf"|for {_FOR_EN}"
    r"|(?P<bound>(?:before|after) (?:noon|bed|bedtime|work|school|midnight|breakfast|lunch|dinner|meals|training|\d{1,2}(?::\d\d)? ?(?:am|pm|o'clock)?))"
    r"|(?:when|whenever|while) (?:(?:i(?:'m| am)?|we(?:'re| are)?|it(?:'s| is)?) )?(?P<when>(?!i\b|was\b|were\b|had\b)[a-z' -]{3,36}?)"
    r")(?=$|[,.;!]|\s+(?:i|we|and|but|because|since|please|so|give|use|keep|answer|reply|write|be|don't|never|always|only|to|over|than|rather|instead)(?![a-z]))",
    re.IGNORECASE,
)
_PAST_EN = re.compile(
    r"(?:when|while|whenever) (?:i|we) (?:was|were|had|lived|worked|moved|\w+ed)(?![a-z])", re.IGNORECASE
)
_TIME_ZH = r"(?<!每天)(?<!每个)(?<!每)(?<!天天)(?P<time>早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|睡前|饭前|饭后|下班后|放学后|周末|工作日|节假日|假期|夏天|冬天|春天|秋天|周[一二三四五六日天]|星期[一二三四五六日天])"
_ZH = re.compile(
    rf"{_TIME_ZH}"
    r"|在(?P<place>家里?|公司|办公室|学校|外面|国外|飞机上|火车上|路上|聚会上|餐厅)(?=我|[^里上住工上]|，|,)(?!工作|上班|上学|读书)"
    r"|(?P<when>(?!我|你|他|她|以前|小|当年|那|有|这)[\u4e00-\u9fffA-Za-z]{1,6}?)(?:的时候|期间|(?<!小)(?<!同)(?<!及)(?<!随)(?<!平)(?<!准)(?<!暂)(?<!有)(?<!当)(?<!按)(?<!临)(?<!到)(?<!何)(?<!定)(?<!计)(?<!那)(?<!这)时(?=[我请就要，,不只给用也都喜爱更最总常习偏希想讨]))"
)
_EDGE = re.compile(r"^(?:the|my|i'm|i am|i|we're|we are|we|it's|it is) ", re.IGNORECASE)


def qualifiers_of(core: str, language: str) -> tuple[str, ...]:
    """The conditions that the clause names, in order, without their prepositions; at most MOST."""
    found: list[str] = []
    text = plain(core)
    if language == "en" and _PAST_EN.search(text):
        return ()
    for match in (_ZH if language == "zh" else _EN).finditer(text):
        words = next(part for part in match.groups() if part)
        words = _bare(words) if language == "en" else words.removeprefix("在")
        if words and words not in found:
            found.append(words)
    return tuple(found[:MOST])


def _bare(words: str) -> str:
    """Without a leading article or person, and one of a kind: "evenings" is "evening"."""
    words = _EDGE.sub("", words.strip().lower()).strip()
    return words.removesuffix("s") if re.fullmatch(_TIME_EN, words) and "day" not in words else words


def unqualified(value: str, qualifiers: tuple[str, ...], language: str) -> str:
    """The value up to the first qualifier in it; the value itself when nothing else would be left."""
    if not qualifiers:
        return value
    first = (_ZH if language == "zh" else _EN).search(plain(value))
    rest = value[: first.start()].strip(" ,，") if first else value
    rest = re.sub(r"\s+(?:only|just|mostly|mainly|usually|especially|except)$", "", rest, flags=re.IGNORECASE)
    return rest or value
