"""Chinese questions about the user, turned into what their answers state. Grammar only; see questions.py.

A Chinese question keeps the order of its statement: the answer takes the place of the question word.
"""

from __future__ import annotations

import re

from hermes_core.catalogue import BA
from hermes_core.extraction.questions import Question, forms, words_like

_CLAUSE = re.compile(r"[，,：:；;、\s]+")
_LEAD = re.compile(
    r"^(?:那么?|哦+|嗯+|啊|哎|对了|请问(?:一下|下)?|可以问(?:一?下)?|能问(?:一?下)?|话说|所以说?|原来|看来|看起来|听起来|难道|哇|好吧|好的|不过|可是|但是?|顺便(?:问一?下)?|你好呀?|嗨|嘿+|想问(?:一?下)?|方便问一?下|不知道|我想问|那你|然后|是的|真的)+(?=[你您是有还在现平除最做住多几喜爱会养上结])"
)
_TAG = re.compile(r"(?:对|是)(?:吗|吧|不对|不是)$|没错吧$")
_ENDING = re.compile(rf"(?:吗|么(?<!什么)|嘛|{BA}|呢|呀|啊|哈|呐|哦|来着|诶|咯|啰|喽|啦)+$")
_POLAR = re.compile(rf"(?:吗|么(?<!什么)|{BA})[呀啊哈]*$|(?<=[\u4e00-\u9fff])(?:不|没有?)$")
_IS_IT_SO = re.compile(
    r"是不是(?=已经|也|很|特别|非常|都|还|就|只|不|没|每|经常|常|总|一直|喜|爱|讨厌|在|有|要|会|能|打算|准备|想|对|去|从|和|跟|被|把|住|觉)"
)
_A_NOT_A = re.compile(r"(?P<v>[\u4e00-\u9fff])(?:不|没)(?P=v)(?P<r>[\u4e00-\u9fff]?)")
_ASKERS = re.compile(r"(?<!自)我")
_OTHERS = re.compile(r"^(?:这|那|他|她|它|大家|人家|谁|今天|明天)")
_WH = re.compile(
    r"(?P<time>(?:在)?(?:什么时候|什么时间|何时|哪一?[年天]|几点(?:钟)?|几月几?[号日]?|几号))"
    r"|(?P<long>多长时间|多久(?:时间)?)"
    r"|(?P<count>(?:多少|几)(?:年级|个月|个?小时|公里|公斤|块钱|年|天|次|遍|钱|首|本|个|条|只|家|斤|岁|口|位|名|杯|瓶|种|部|米|辆|套|门|句|分)?(?:时间)?)"
    r"|(?P<place>(?:哪里|哪儿|哪个?(?:城市|地方|省|国家|区|县)|什么(?:地方|城市)|哪(?=(?:工作|上|读|教|学|住|生活|玩)))(?:里)?)"
    r"|(?P<whose>谁的|哪位的)|(?P<who>谁|哪位)"
    r"|(?P<what>(?:什么|啥|哪些?|哪[个种款类门支只])(?:样的?|类型的?|种类的?|样子的?)?)"
)
# 「你最喜欢什么季节」: one thing of a sort, so the answer names the sort.
_FAVOURITE = re.compile(
    r"我(?:平时|平常|现在)?最(?P<v>(?:喜欢|喜爱|爱|讨厌|厌恶|不喜欢)[\u4e00-\u9fff]?)(?:什么|哪[个种些支]?|啥)(?:样的?|类型的?|种类的?)?(?P<n>[\u4e00-\u9fff]{1,4})$"
    r"|我最(?P<w>(?:喜欢|喜爱|爱|讨厌|厌恶|不喜欢)[\u4e00-\u9fff]{0,2})的(?P<m>[\u4e00-\u9fff]{1,4})是(?:什么|哪[个种些支]?|啥|谁)(?:样的)?$"
)
_CHOICE = re.compile(r"我.+还是")
# 「你是在工作还是在上学」: what stands before both, and each of the two.
_EITHER = re.compile(
    r"(?P<s>我(?:们)?(?:现在|目前|平时|平常|今年|一般|周末|更|比较|都)*)(?P<v>是|喜欢|爱|想|住在|住|在|有|养|用|学|教|喝|吃)?(?P<a>[^,，还]{1,8})还是(?P<b>[^,，]{1,8})$"
)
_VERB_FIRST = re.compile(r"(?:在|已经|还|要|会|能|喜欢|爱|住|做|去|有|养|用|走|坐|骑|开|学|教|想|自己|一个人|跟|和)")
_DOING = re.compile(
    r"(?P<when>我.*?(?:平时|平常|放假|假期|周末|业余时间|空闲时间|闲时|晚上|每天))(?:都|就)*(?:会|喜欢)?(?:做|干|玩)(?:些|点)?(?:什么|啥)(?:事情?|呢)?$"
)
_NOUN_AFTER = re.compile(r"(?:[\u4e00-\u9fff]{1,4}?)(?=$|的$)")
_DEGREE = re.compile(r"很|非常|特别|十分|超级|超|挺|最|真|比较|也|都|已经|还是?|是不是|应该")
_ADVERBS = re.compile(
    r"^(?P<lead>.*?我(?:们)?(?:的|家)?(?:平时|平常|现在|目前|今天|昨天|昨晚|晚上|周末|最近|一般|通常|经常|每天|每周|一直|从小|以前|自己|一个人|和[\u4e00-\u9fff]{1,5}?(?=住|一起)|跟[\u4e00-\u9fff]{1,5}?(?=住|一起)|在[\u4e00-\u9fff]{1,6}?(?=工作|上班|上学|生活))*)(?P<rest>.+)$"
)
_DONE = re.compile(r"过|了$|了(?=[\u4e00-\u9fff])")
_STANCE = re.compile(r"(?:不)?(?:喜欢|喜爱|爱|讨厌|厌恶|感兴趣|想要?)")


def read(sentence: str) -> Question | None:
    """What an answer to the sentence would state; None when it asks nothing about the user, or offers something."""
    words = "".join(sentence.split())
    asked = _clause(words)
    if asked is None:
        return None
    if any(_ASKERS.search(part) for part in (asked,)) or words_like("offer", "zh").search(
        _ENDING.sub("", asked) or asked
    ):
        return None
    if words_like("offer", "zh").search(asked):
        return None
    core = _ENDING.sub("", asked)
    own = _own(core)
    if not own:
        return None
    for form in forms("zh"):
        if form.ask.match(own) is not None:
            return Question(sentence.strip(), "zh", say=form.say, number=form.number, most=form.most, slot=form.slot)
    if _CHOICE.search(own):
        return _choice(sentence, own)
    if (deed := _DOING.match(own)) is not None:
        return Question(sentence.strip(), "zh", say=f"{deed['when']}{{x}}")
    if (best := _FAVOURITE.match(own)) is not None:
        return Question(sentence.strip(), "zh", say=f"我最{best['v'] or best['w']}的{best['n'] or best['m']}是{{x}}")
    if (found := _WH.search(own)) is not None and not _POLAR.search(asked):
        say = _in_its_place(own, found)
        return Question(sentence.strip(), "zh", say=say, number=found.lastgroup in ("long", "count"))
    if _WH.search(own) is not None:
        return None
    return _polar(sentence, own)


def _clause(words: str) -> str | None:
    """The clause that asks, with a tag ("..., right?") taken off; "you" in an earlier clause goes with it."""
    parts = [p for p in _CLAUSE.split(words.rstrip("?？!！。~～")) if p]
    if len(parts) > 1 and _TAG.fullmatch(parts[-1]):
        parts = parts[:-1]
        parts[-1] += "吗"
    if not parts:
        return None
    asked = parts[-1].replace("您", "你").replace("你们", "你")
    while (lead := _LEAD.match(asked)) is not None and lead.end():
        asked = asked[lead.end() :]
    asked = _TAG.sub("吗", asked)
    if "你" not in asked and (_OTHERS.match(asked) or not _said_to_user(parts)):
        return None
    return asked


def _said_to_user(parts: list[str]) -> bool:
    """A clause without a subject is asked of the user unless the clause before speaks of somebody else."""
    return len(parts) == 1 or "你" in parts[-2] or not _OTHERS.match(parts[-2])


def _own(core: str) -> str:
    """The clause in the user's mouth."""
    own = core.replace("你", "我")
    own = re.sub(r"^(?:我呢|我)(?=我)", "", own)
    return own if "我" in own else "我" + own


def _in_its_place(own: str, found: re.Match[str]) -> str:
    """The statement with {x} in the place of the question word and of the noun that it asks for."""
    before, after = own[: found.start()], own[found.end() :]
    group = found.lastgroup
    if group == "whose":
        return f"{before}{{x}}的{after}"
    if group == "what" and (noun := _NOUN_AFTER.match(after)):
        after = after[noun.end() :]
    if group in ("time", "place") and found.group().startswith("在"):
        before += "在"
    return f"{before}{{x}}{after}"


def _polar(sentence: str, own: str) -> Question | None:
    own = re.sub(r"(?:不|没有?)$", "", own)
    own = re.sub(r"^(我(?:们)?)(?:也|都)?(?:就是|岂不是|不就是)(?=.{2})", r"\1", own)
    own = _IS_IT_SO.sub("", own.replace("难道", "")).replace("是不是", "是")
    own = re.sub(r"有没有(?=[\u4e00-\u9fff]{1,4}过)", "", own)
    own = _A_NOT_A.sub(_said_once, own)
    own = re.sub(r"^(我(?:们)?)不是(?=.)(?!(?:一?个|[^,，]{0,3}人$))", r"\1", own) if "不是" in own[:5] else own
    if len(own) < 3:
        return None
    negative = re.search(r"我[^不没]{0,4}(?:不|没有?)", own) is not None and not re.search(r"不错|不久", own)
    if negative:
        plain_one = _UNSAID.sub(lambda found: "有" if found["have"] else "", own, count=1)
        return Question(sentence.strip(), "zh", affirm=own, deny=plain_one, ended=own)
    deny = denied(own)
    return Question(
        sentence.strip(), "zh", affirm=own, deny=deny, ended=f"{deny}了" if not deny.endswith("了") else deny
    )


# A denial without its negation: 「没有男朋友」 → 「有男朋友」, 「没去过」 → 「去过」, 「不吃肉」 → 「吃肉」.
_UNSAID = re.compile(
    r"没有?(?=[\u4e00-\u9fff]{1,4}过)|(?P<have>没有(?=.)|没(?=车|房|钱|时间|空|男|女|孩|对象|兴趣|朋友|宠物|爱好|兄弟|姐妹|驾照))|不(?!错|久)|没有?"
)


def _choice(sentence: str, own: str) -> Question | None:
    """「你喜欢猫还是狗」: one of two statements, which the answer names."""
    found = _EITHER.match(_IS_IT_SO.sub("", own))
    if found is None:
        return None
    verb, first, second = found["v"] or "", found["a"], found["b"]
    second = second.removeprefix(verb) if verb and len(second) > len(verb) else second
    out = []
    for part in (first, second):
        link = "" if verb == "是" and _VERB_FIRST.match(part) else verb
        out.append(f"{found['s']}{link}{part}")
    return Question(sentence.strip(), "zh", choices=tuple(out))


def _said_once(found: re.Match[str]) -> str:
    """「喜不喜欢」 → 「喜欢」, 「是不是」 → 「是」."""
    return found["v"] + found["r"]


# 「工作忙」, 「家人很多」: a quality of something of one's own; that is what a denial denies.
_QUALITY = re.compile(
    r"(?P<what>[\u4e00-\u9fff]{1,6}?)(?:很|挺|太|特别|非常|比较|真|都|也)*(?P<how>忙|累|多|好|高|大|低|贵|远|近|难|吵|长|辛苦|顺利|稳定|轻松|紧张|有趣|有意思|无聊|满意|理想|方便|自由|健康)$"
)


def denied(statement: str) -> str:
    """「我喜欢辣」 → 「我不喜欢辣」, 「我有猫」 → 「我没有猫」, 「我去过上海」 → 「我没去过上海」."""
    found = _ADVERBS.match(statement)
    if found is None:
        return f"不{statement}"
    lead, rest = found["lead"], found["rest"]
    while (degree := _DEGREE.match(rest)) is not None and degree.end() < len(rest):
        rest = rest[degree.end() :]
    if rest.startswith("有"):
        return f"{lead}没{rest}"
    if (quality := _QUALITY.match(rest)) is not None:
        return f"{lead}{quality['what']}不{quality['how']}"
    if rest.startswith("是"):
        return f"{lead}不{rest}"
    if _DONE.search(rest):
        return f"{lead}没{rest[:-1] if rest.endswith('了') else rest}"
    return f"{lead}不{rest}"


def stance_of(statement: str) -> tuple[str, str]:
    """The word of liking in a statement and what it is about: 「我很喜欢打球」 → (「喜欢」, 「打球」); "" when there is none."""
    found = _STANCE.search(statement)
    if found is None:
        return "", ""
    if found.group().endswith("感兴趣"):
        return found.group(), ""
    return found.group(), statement[found.end() :]
