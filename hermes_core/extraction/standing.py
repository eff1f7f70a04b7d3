"""Requests that are meant to last although they come as a question or without a verb: "Can you always answer in British
English?", "No more than three options whenever I ask for ideas", 「以后温度都用摄氏度」 (W2, W6).

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
# Of advice to anybody ("never talk to strangers") these are seldom said.
_FROM_NOW = re.compile(
    r"(?<![a-z])(?:from (?:now|here|today) on(?:wards?)?|going forward|in (?:the )?future|by default|(?:when(?:ever)?|every time|each time|any ?time) (?:i|we) (?:ask|want|need|say|send|write|mention))(?![a-z])",
    re.IGNORECASE,
)
_LASTS = re.compile(rf"(?<![a-z]){_FOR_EVER}(?![a-z])", re.IGNORECASE)
# What an assistant does in every conversation, said of itself or to the speaker ("you" may mean anybody otherwise).
_MANNER = re.compile(
    rf"(?:{_FOR_EVER},? |please |not |just |(?:you|we) (?:can|could|should|may|must|need to|have to|don't (?:have|need) to) )*(?:answer|reply|respond|speak|talk|write|explain|call me|address me|refer to me|give me|show me|tell me|send me|ask me"
    r"|remind me|warn me|greet me|start (?:your|each|every|with)|end (?:your|each|every|with)|begin (?:your|each|every|with)|sign off|format|summari[sz]e|translate"
    r"|convert|cite|quote|double[- ]check|stick to|be (?!a\b|an\b|the\b|able\b|at\b|in\b|on\b)"
    r"|(?:use|using|keep|keeping|include|including|add|adding|put|avoid|avoiding|leave out|skip|list|limit|show)(?= .*(?:answer|repl|respon|unit|metric|celsius|fahrenheit|imperial|spelling|english"
    r"|language|emoji|bullet|table|markdown|heading|format|tone|jargon|sentence|paragraph|word|line|example|source|link|reference|citation|step|option|suggestion"
    r"|summar|euro|dollar|pound|clock|date|introduc|intro|preamble|disclaimer|apolog|greeting|code|comment|pronoun|name|short|brief|simple|concise|formal|polite)))",
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
    """Whether the words say what every answer should be like: "Max two paragraphs per answer", "From now on use Celsius"."""
    if _NAMED.match(core) is not None and _EACH.search(core) is not None:
        return True
    return _FROM_NOW.search(core) is not None and _MANNER.match(core) is not None and _OTHERS.search(core) is None


# 「以后别给我推荐酒」, 「每次最多给我三个选项」: since when or how often it holds, then what an assistant does in every conversation.
_ONWARDS_ZH = r"(?:以后|今后|往后|日后|从现在(?:起|开始)|从今(?:往|以)?后|从今天(?:起|开始)|默认|一律|任何时候|凡是[^，,。]{1,10}?|只要我[^，,。]{1,10}?)"
_ASKED_ZH = r"(?:(?:给我|帮我|替我)(?:写|列|讲|改|做|推荐|解释|翻译|总结|起草)[^，,。]{0,8}?|(?:我)?(?:问|让你|叫你|请你)[^，,。]{0,10}?|(?:写|列|讲|改|推荐|解释|翻译|总结|回答|回复|说话)[^，,。我]{0,6}?)(?:的时候|时)"
_EACH_ZH = rf"(?:每次|每回|每一次|永远|始终|一直|总是|{_ASKED_ZH})"
_WANTED_ZH = r"(?:不要|别|不用|不必|不许|不需要|禁止|少|多|先|尽量|最多|至多|最少|至少|只|只要|只许|记得|务必|必须|一定要?|请|要|得|可以)"
_DOES_ZH = (
    r"(?:给我|跟我|对我|为我|帮我|向我)?(?:再)?(?:用|使用|回答|回复|答复|推荐|建议|写|说|讲|聊|解释|列|举|给|提供|提到|提醒|提|发|加|带|放|附|叫|称呼|喊|显示|标|注明|翻译|总结|概括|控制|保持"
    r"|检查|核对|确认|问|催|客套|啰嗦|重复|道歉|寒暄|开头|结尾|简短|简洁|详细|直接|按|以|采用|遵守|省略|跳过|分点|分步|换算|转换)"
)
_FOR_GOOD_ZH = re.compile(
    rf"(?:请|麻烦|拜托|你|您|那|那么|好的?|记住|记得|还有|另外|对了|[，, ：:])*"
    rf"(?:{_ONWARDS_ZH}[，, ]?(?:你|您)?(?:{_ASKED_ZH}|[^我他她它们，,。]{{0,10}}?|我(?:问|让|叫|要|说|发)[^，,。]{{0,12}}?)(?:{_WANTED_ZH}|都|就|也)+(?:再)?{_DOES_ZH}"
    rf"|(?:默认|一律)(?:都|请|要)?{_DOES_ZH}"
    rf"|{_EACH_ZH}[，, ]?(?:你|您)?(?:[^我他她它们，,。]{{0,6}}?)(?:都|就|也)?{_WANTED_ZH}+{_DOES_ZH}"
    rf"|{_ASKED_ZH}[，, ]?(?:都|就|也)?(?:加上|加|用|带上|带|附上|写上|注明|标注|先|按|分))"
)
# 「别用术语」, 「说话别那么正式」: how to speak, which is never for one answer alone.
_SPEAKS_ZH = re.compile(
    r"(?:请|麻烦|拜托|你|您|跟我|和我|对我|[，, ])*(?:(?:说话|讲话|回答|回复|聊天|语气|措辞|用词|解释)(?:的时候|时)?(?:请|可以)?(?:不要|别|不用|不必|少)(?:再)?(?:那么|这么|太|老是?|总是?)?[\u4e00-\u9fff]{2,8}"
    r"|(?:不要|别|不用|少)(?:再)?(?:跟我|对我|给我)?(?:用|讲|说|整|拽|扯)(?:那么多|这么多|太多|什么|任何)?(?:专业)?(?:术语|行话|黑话|官话|套话|客套话|废话|缩写|英文缩写|网络用语|敬语|文言文?|比喻|成语))(?:了|啦|吧)?$"
)
# 「以后再说吧」, 「每次都给我错的答案」: put off, or complained of.
_NOT_ORDERED_ZH = re.compile(r"再说|再聊|再讲|了吗|吗$|呢$")
# 「以后出门都带伞」: what somebody does out there, which no assistant does.
_OWN_LIFE_ZH = re.compile(
    rf"(?:{_ONWARDS_ZH}|{_EACH_ZH})[，, ]?(?:我)?(?:每次|每回|再)?(?:去)?(?:出门|出去|出差|上班|下班|上学|放学|回家|睡觉|睡前|吃饭|喝酒|开车|坐车|坐飞机|逛街|旅游|旅行|跑步|锻炼|健身|起床|写作业|超市|医院|健身房)(?!.*(?:提醒|推荐|回答|回复|告诉我|给我|帮我|跟我))"
)
_COMPLAINT = re.compile(
    r"(?:你)?(?:每次|一直|总是|老是?)(?:你)?都?(?:给我|给|说|答|推荐|写)(?:的)?(?:都是)?(?:错|一样|相同|这些|没用|乱|一堆|废话|不对)"
    r"|you (?:always|keep|constantly|never|are always|'re always)(?: \w+){0,3}? (?:wrong|useless|the same|bad|irrelevant|broken|incorrect|nonsense|rubbish|garbage)(?![a-z])",
    re.IGNORECASE,
)


def ordered_for_good(core: str) -> bool:
    """Whether a Chinese clause tells the assistant how to do something from now on, or every time."""
    if _NOT_ORDERED_ZH.search(core) or complains(core) or _OWN_LIFE_ZH.match(core):
        return False
    return _FOR_GOOD_ZH.match(core) is not None or _SPEAKS_ZH.match(core) is not None


def goes_on(core: str) -> bool:
    """Whether an order behind one about the answers is about them, too: "... but use English for code comments"."""
    return _MANNER.match(core) is not None and _OTHERS.search(core) is None


def complains(core: str) -> bool:
    """ "You always give me wrong answers", 「每次都给我错的答案」: how it went, and no wish."""
    return _COMPLAINT.search(core) is not None


def meant_for_good(words: str) -> bool:
    """Either language: a lasting request without a verb, or one in Chinese."""
    return named_for_good(words) or ordered_for_good(words)


# 「我每次写作业都要听歌」, "I'm always up to date": what the speaker does every time, and no order to anybody.
_OWN_HABIT = re.compile(
    r"(?:i|we)(?:'m|'re|'ve)? (?!.*(?<![a-z])(?:you|your|yours|answers?|repl(?:y|ies)|responses?|from (?:now|here|today) on|going forward|in (?:the )?future|by default)(?![a-z]))(?!(?:really |always |just |only |'d |would )*(?:want|need|expect|like it|prefer it|would like|'d like))"
    r"|(?:以后|今后|从现在起)?[，, ]?(?:我|咱|俺)(?:自己)?(?:以后|今后)?(?:每次|每回|一直|总是|都)(?!.*[你您])(?!.*给我)",
    re.IGNORECASE,
)


def own_habit(words: str) -> bool:
    """Whether the words tell what the speaker does every time."""
    return _OWN_HABIT.match(words) is not None
