"""The statement that a question and the few words of its answer make together. Pure functions of words."""

from __future__ import annotations

import re

from hermes_core.extraction.questions import Question

_PREPOSITION = re.compile(
    r"(?:in|at|near|outside|on|by|for|with|as|from|around|after|before|every|once|twice)(?![a-z])", re.IGNORECASE
)
_QUANTITY_ZH = re.compile(
    r"(?:\d+(?:\.\d+)?|[一二两三四五六七八九十百千万半]+)(?:多)?(?:个?多?(?:月|小时|星期)|年|天|周|岁|点(?:半|多|钟)?|块|千|万|次|遍|斤|公斤|米[一二三四五六七八九\d]*|口)?(?:半|多|左右|以上)?"
)


_ITS_OWN_NOUN = re.compile(
    r"(?:[一二两三四五六七八九十]|\d+)[个只条位名套辆台](?:儿子|女儿|男孩|女孩|哥哥?|姐姐?|弟弟?|妹妹?|[\u4e00-\u9fff]{0,2}[猫狗鱼鸟兔])"
)


def _without_overlap(say: str, value: str) -> str:
    """The answer without the question's words that it repeats: 「十点就睡了」 to 「我{x}睡」, 「和爸妈一起住」 to 「我和{x}住」."""
    before, _, after = say.partition("{x}")
    after = re.sub(r"\{.\}", "", after)
    for size in range(min(len(after), len(value)), 0, -1):
        if value.endswith(after[:size]) and len(value) > size:
            value = value[:-size]
            break
    for size in range(min(len(before), len(value)), 0, -1):
        if value.startswith(before[-size:]) and len(value) > size:
            value = value[size:]
            break
    amounts = _QUANTITY_ZH.findall(value)
    if len(amounts) == 1 and value != amounts[0]:
        rest = re.sub(r"[了就才也都已经快的有]", "", value.replace(amounts[0], "", 1))
        if rest and all(char in say for char in rest):
            return str(amounts[0])
    return value


def filled(question: Question, value: str) -> str:
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
        value = re.sub(r"\s*(?:(?:years?(?: old)?|yo)\b|周?岁).*$", "", value, flags=re.IGNORECASE)
    if question.language == "zh":
        value = _without_overlap(say, value)
        if _ITS_OWN_NOUN.fullmatch(value):  # 「一个女儿」 to 「我有{x}孩子」: the answer names the sort itself
            say = re.sub(r"(?<=\{x\})[\u4e00-\u9fff]{1,3}$", "", say)
    say = say.replace("{的}", "" if value.endswith("的") or not value.startswith(("做", "干", "搞")) else "的")
    say = say.replace("{岁}", "" if re.search(r"岁|年|后|月", value) else "岁")
    say = say.replace("{人}", "" if value.endswith(("人", "的")) else "人")
    return " ".join(say.replace("{x}", value).split())


def without_its_verb(say: str, value: str) -> str:
    """「我才写三个多月」 to 「我写小说{x}了」 is 「三个多月」; 「没几天」 is a few days."""
    value = re.sub(r"^(?:也|还|才)?没(?=几[天个年])", "", value)
    found = re.match(
        r"我(?:们)?(?:才|都|已经|快|也|就|刚|差不多)*(?P<v>[\u4e00-\u9fff]{1,3}?)了?(?=[\d一二两三四五六七八九十半几])",
        value,
    )
    return value[found.end() :] if found is not None and all(char in say for char in found["v"]) else value
