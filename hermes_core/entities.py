"""Names, places, numbers, dates and codes in English and Chinese text, sentences and content words: plain text work.

Pure functions over strings; no model, no memory rule, no I/O may live here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

LONGEST_ENTITY = 48  # characters
MOST_SCANNED = 20_000  # characters of one text that are looked at; the rest of a flood is pasted text

_SELF = re.compile(r"\b(?:i|my|me|mine|we|our|us|i'm|i've|i'd|i'll)\b|我|咱|本人", re.I)
_SENTENCE = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|St|Prof|vs|etc|e\.g|i\.e)\.\s|\.(?=\S)|[^.!?。！？；;\n])+[.!?。！？；;]*"
)
_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?|[\u3400-\u9fff]+", re.I)


def _listed(words: str) -> frozenset[str]:
    """A word list written as one string, which is easier to read and to add to."""
    return frozenset(words.split())


_STOP = _listed(
    "a an the and or but so if then than that this these those there here of to in on at by for from with about as is"
    " are was were be been am do does did have has had will would can could should may might must not no yes it its"
    " i'm i me my mine we us our you your he him his she her they them their what which who when where why how just"
    " also too very really quite some any all more most much many other into over up down out off again still only own"
    " same such please thanks thank ok okay well oh hi hello hey i've i'd i'll it's that's don't doesn't didn't let's"
)
# Capitalised only because they open a sentence, or always capitalised without naming anything.
_NOT_NAMES = _STOP | _listed(
    "actually after all although always another anyway because before both btw could day dear during each either"
    " every everyone everything first finally for given good got great however if lately later like look make maybe"
    " meanwhile morning my never next nice nobody nothing now once one our perhaps please recently remember remind"
    " right sadly second see since someone something sometimes soon sorry sounds sure tell that today tomorrow"
    " tonight two until usually want we what while work yesterday yet wow great perfect cool awesome hm hmm thanks"
    " give show write help find get go going let need put take try use explain suggest recommend translate"
    " mr mrs ms dr user assistant dinner lunch breakfast weather life money food music time people school"
)
_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_ZH_NUMBER = r"[0-9零〇一二两三四五六七八九十百千万半]{1,12}"
_DATES = re.compile(
    rf"\d{{4}}[-/.年]\s?\d{{1,2}}(?:[-/.月]\s?\d{{1,2}}日?|月)?|\b{_MONTH}\.?\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}(?:\s\d{{4}})?\b|\b{_WEEKDAY}\b|\b{_MONTH}\s\d{{4}}\b"
    rf"|{_ZH_NUMBER}月(?:{_ZH_NUMBER}[日号])?|(?:下|上|这|本)?(?:周|星期|礼拜)[一二三四五六日天末]"
    r"|\b\d{1,2}:\d{2}(?:\s?[ap]\.?m\.?)?\b|\b\d{1,2}\s?[ap]\.?m\b\.?"
    rf"|(?:早上|上午|中午|下午|晚上|凌晨){_ZH_NUMBER}点(?:半|{_ZH_NUMBER}分)?"
)
_NUMBERS = re.compile(
    r"[$€£¥￥]\s?\d[\d,]{0,15}(?:\.\d{1,9})?[kKmM]?\b|(?<![\w.,-])\d[\d,]{0,15}(?:\.\d{1,9})?\s?"
    r"(?:%|(?:kg|km|cm|mm|mg|g|ml|l|gb|tb|mb|usd|eur|rmb|dollars?|euros?|pounds?|years?|months?|weeks?|days?|hours?|minutes?|people|tokens?)\b)"
    rf"|{_ZH_NUMBER}\s?(?:块钱|公斤|公里|厘米|平米|小时|分钟|元|块|万|岁|年|个月|天|斤|克|米|人|套|台|件|次|页|章|集)(?![点])"
)
_CODES = re.compile(
    r"(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9_-]{1,64}\.[A-Za-z0-9_.-]{2,64}|https?://[^\s\u3000-\u9fff]{1,200}"
    r"|(?<![A-Za-z0-9-])(?=[A-Za-z-]{0,40}\d)(?=[0-9-]{0,40}[A-Za-z])[A-Za-z0-9-]{2,40}(?<!-)(?![A-Za-z0-9-])"
    r"|(?<![A-Za-z])(?!(?:OK|TODO|FYI|BTW|LOL|ASAP|PS|AM|PM|NOT|AND|BUT|NO|YES|I)\b)[A-Z]{2,20}(?![A-Za-z])|(?<!\d)\d{5,20}(?!\d)"
)
_TITLES = re.compile(r"《[^《》\n]{1,40}》|“[^“”\n]{2,30}”|「[^「」\n]{2,30}」|(?<!\w)\"[^\"\n]{2,40}\"(?!\w)")
_NAMES = re.compile(
    r"(?<![A-Za-z’'])[A-Z][a-zà-ÿ]+(?:['’-][A-Z]?[a-z]+)*(?:\s(?:of\s|de\s|van\s|la\s)?[A-Z][a-zà-ÿ]+(?:-[A-Z][a-z]+)*)*"
)
# After a lone capitalised word at the start of a sentence: it acts or owns, so it is a name ("Rex is my dog").
_ACTS = re.compile(
    r"['’]s\b|\s(?:is|was|has|had|will|and|said|says|likes?|loves?|hates?|works?|lives?|wants?|told|came|went)\b"
)
_TITLE = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|St|Prof)\.$")
_RUN = re.compile(r"[A-Za-z][A-Za-z'’-]*(?: [A-Za-z][A-Za-z'’-]*)*|[\u3400-\u9fff]+")
_COMMON = _STOP | _listed(
    "like likes love hate prefer think know feel really always never often want wants don’t can't won't"
)
_ZH_FUNCTION = re.compile(
    "喜欢|讨厌|觉得|以后|现在|最近|一直|总是|非常|比较|可以|需要|应该|已经|因为|所以|但是|如果|这个|那个|一个|一些|不要|不能|没有"
    "|[我你他她它们的了是在不很也都和与有要会能就还被把给对从到吗呢啊吧呀着过这那之以而或]"
)
_SURNAMES = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙陶贺顾毛郝龚邵万钱严武戴莫孔向汤"
_ZH_NAMES = re.compile(
    rf"(?:叫做|名叫|叫|姓名是|名字是|我是|同事|朋友|老板|妻子|老婆|丈夫|老公|儿子|女儿|弟弟|妹妹|哥哥|姐姐|男友|女友)"
    rf"(?P<name>(?:小|老|阿)?[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?)(?=[，。、！？\s,.!?]|和|是|在|说|也|跟|与|的|喜欢|住|去|推荐|告诉|帮|给|让|教|送|介绍|今天|明天|要|$)"
    rf"|(?P<called>[{_SURNAMES}](?:老师|医生|大夫|经理|总监|教授|律师|师傅|先生|女士|总))"
    rf"|(?P<near>(?:小|老)[{_SURNAMES}])(?![\u4e00-\u9fff]*?(?:时候|板))"
    r"|(?:叫做|名叫|名字叫|名字是|叫)(?P<pet>[\u4e00-\u9fff]{2,3})(?=[，。、！？\s,.!?]|$)"
)
_PLACES = _listed(
    "北京 上海 广州 深圳 杭州 南京 苏州 成都 重庆 武汉 西安 天津 青岛 大连 厦门 宁波 无锡 长沙 郑州 济南 合肥 福州 昆明 沈阳"
    " 哈尔滨 长春 石家庄 太原 南昌 贵阳 南宁 海口 三亚 兰州 西宁 银川 乌鲁木齐 拉萨 呼和浩特 珠海 佛山 东莞 温州 嘉兴 绍兴 常州"
    " 徐州 烟台 威海 洛阳 桂林 丽江 大理 香港 澳门 台北 高雄 台湾 新疆 西藏 云南 四川 广东 浙江 江苏 山东 河南 河北 湖南 湖北"
    " 福建 安徽 江西 陕西 山西 甘肃 贵州 广西 海南 辽宁 吉林 黑龙江 内蒙古 中国 美国 英国 法国 德国 日本 韩国 新加坡 泰国 越南"
    " 马来西亚 澳大利亚 新西兰 加拿大 意大利 西班牙 俄罗斯 印度 巴西 墨西哥 瑞士 荷兰 瑞典 东京 大阪 京都 首尔 曼谷 巴黎 伦敦"
    " 柏林 慕尼黑 罗马 米兰 纽约 洛杉矶 旧金山 西雅图 波士顿 芝加哥 多伦多 温哥华 悉尼 墨尔本 迪拜 莫斯科"
)
_ZH_PLACES = re.compile(
    "|".join(sorted(_PLACES, key=lambda place: (-len(place), place)))
    + r"|(?<=[在去到往住])(?![在的])[\u4e00-\u9fff]{1,4}?(?:市|省|区|县|镇|村|路|街|大学|医院|机场|车站|公园|中学|小学|公司|银行|大厦)"
)


def sentences(text: str) -> list[str]:
    """The text's sentences in order, in either script; blank ones left out."""
    found = (match.group().strip() for match in _SENTENCE.finditer(text[:MOST_SCANNED]))
    return [s for s in found if any(c.isalnum() for c in s)]


def entities(text: str) -> tuple[str, ...]:
    """Names, places, titles, dates, amounts and codes of a text, in the order in which they occur, without repeats."""
    text = text[:MOST_SCANNED]
    found = sorted(_spans(text), key=lambda span: (span[0], -span[1]))
    kept: list[str] = []
    seen: set[str] = set()
    end = -1
    for start, stop in found:
        name = re.sub(r"['’]s$", "", text[start:stop].strip(" ,.;:，。；："))
        if start < end or not 0 < len(name) <= LONGEST_ENTITY:
            continue
        end = stop
        if name.casefold() not in seen:
            seen.add(name.casefold())
            kept.append(name)
    return tuple(kept)


def weight(sentence: str) -> float:
    """How much a sentence tells about its speaker, in 0..1: first person, and names in it."""
    return 0.5 * (_SELF.search(sentence) is not None) + 0.5 * min(len(entities(sentence)), 3) / 3


def key_phrases(text: str, most: int = 5) -> tuple[str, ...]:
    """What a text without names is about: runs of content words, the longest first; verbatim parts of the text."""
    found: list[str] = []
    for run in _RUN.findall(text[:MOST_SCANNED]):
        if "\u3400" <= run[0] <= "\u9fff":
            found += [part for part in _ZH_FUNCTION.split(run) if 2 <= len(part) <= 8]
            continue
        phrase: list[str] = []
        for word in [*run.split(" "), "the"]:
            if word.casefold().replace("’", "'") not in _COMMON:
                phrase.append(word)
            else:
                found += [" ".join(phrase[-3:])] if len("".join(phrase)) >= 3 else []
                phrase = []
    ranked = sorted(dict.fromkeys(found), key=lambda phrase: -len(phrase))[:most]
    return tuple(phrase for phrase in dict.fromkeys(found) if phrase in ranked)


def names_in(text: str, names: Iterable[str]) -> list[str]:
    """Those of the names that the text says, whatever their case and spacing."""
    flat = _flat(text)
    return [name for name in names if _flat(name) in flat]


def content_words(text: str) -> frozenset[str]:
    """What a text is about: English words without function words and plural endings, Chinese as pairs of characters."""
    return frozenset(_content(text[:MOST_SCANNED]))


def overlap(words: frozenset[str], others: frozenset[str]) -> float:
    """Share of `words` that `others` has too, in 0..1; 1 for no words at all."""
    return len(words & others) / len(words) if words else 1.0


def mostly_chinese(text: str) -> bool:
    """Whether Chinese characters outweigh English words (mixed sentences follow the heavier script)."""
    ideographs = sum("\u3400" <= c <= "\u9fff" for c in text)
    return ideographs > len(re.findall(r"[A-Za-z]+", text)) * 2 or (ideographs > 0 and not re.search("[A-Za-z]", text))


def _flat(text: str) -> str:
    return "".join(text.casefold().split())


def _content(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text.casefold()):
        word = match.group()
        if "\u3400" <= word[0] <= "\u9fff":
            yield from (word[i : i + 2] for i in range(len(word) - 1)) if len(word) > 1 else (word,)
        elif word not in _STOP:
            yield _stem(word)


def _stem(word: str) -> str:
    """Without plural, past and progressive endings, roughly: enough to meet the same word again."""
    for ending, longest in (("ing", 5), ("ed", 4), ("es", 4), ("s", 3), ("e", 4)):
        if word.endswith(ending) and len(word) > longest and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for pattern in (_CODES, _DATES, _NUMBERS, _TITLES, _ZH_PLACES):
        yield from (match.span() for match in pattern.finditer(text))
    for match in _ZH_NAMES.finditer(text):
        yield match.span(match.lastgroup or 0)
    yield from _english_names(text)


def _english_names(text: str) -> Iterator[tuple[int, int]]:
    for match in _NAMES.finditer(text):
        start, stop = match.span()
        words = match.group().split()
        while words and words[0].casefold().replace("’", "'") in _NOT_NAMES:
            start += len(words[0]) + 1
            words = words[1:]
        if words and words[-1].casefold() in _NOT_NAMES:
            stop -= len(words.pop()) + 1
        if words and (len(words) > 1 or not _opens_sentence(text, start) or _ACTS.match(text, stop)):
            yield start, stop


def _opens_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 12) : start].rstrip(" \"'“‘(*-•\t")
    return not before or (before[-1] in ".!?。！？;；\n" and not _TITLE.search(before))
