"""What a short first-person statement says of one trait, so that two of them can be compared: "I have two kids" and
"I have three kids", 「我不抽烟」 and 「我一天抽一包烟」, "I live alone" and "I live with my parents" (W13, O-rows).

By words alone, in English and Chinese. A trait is counted, or there is one of it, or somebody has it or not; which
status either statement then gets is the gates' business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from hermes_core.likeness import normal
from hermes_core.occasions import times

LONGEST = 48  # characters of a statement that is read
ROUGHLY = 0.15  # two counts this near (share of the larger one) may be one, told roughly

_SUBJECT_ZH = r"我(?:们)?(?:自己)?"
_ADVERBS_ZH = (  # none that sets a statement in the past: 「我以前抽烟」 speaks of another time than 「我不抽烟」
    r"(?:平时|平常|现在|目前|今年|最近|一般|通常|经常|常常?|总是|老是|一直|从小|早就|已经|每天|天天|每周|每个月|每月|每年|每次"
    r"|早上|晚上|周末|其实|真的?|就|也|都|还|才|只|又|再|是|很|挺|非常|特别|比较|最|蛮|超级?|可|当然|大概|差不多|确实|一点都?|一点也|根本|完全|一个人)*"
)
_NUM = r"(?:\d+(?:\.\d+)?|[一二两三四五六七八九十百千万半]+)"
_KIN_ZH = (
    r"(?:爸爸|爸|父亲|妈妈|妈|母亲|老公|老婆|丈夫|妻子|男朋友|女朋友|对象|儿子|女儿|哥哥|哥|姐姐|姐|弟弟|弟|妹妹|妹)"
)
_KIN_KEYS = {"爸": "爸爸", "父亲": "爸爸", "妈": "妈妈", "母亲": "妈妈", "丈夫": "老公", "妻子": "老婆", "哥": "哥哥", "姐": "姐姐", "弟": "弟弟", "妹": "妹妹"}  # fmt: skip


class Trait(NamedTuple):
    """`name` and `key` say which trait it is, `value` what is said of it; "yes" and "no" for what one has or does."""

    name: str
    key: str
    value: str


# ---- how a statement goes on after somebody it names, and how it ends. Open ends would read 「我妹妹头很乱」 as a sister,
# "I drive an hour to work" as a car: what is not closed says nothing of a trait.
_DOES_ZH = r"(?=[是在叫做当会有也都就很挺最比和跟给对从去来说刚住开抽喝吃养教学读上下毕]|今年|现在|喜欢|爱|特别|非常|已经|工作|经常|每天|不|\d|[一二两三四五六七八九十]+岁)"
_END_ZH = r"(?:了|呢|啊|的|呀|哦|吧|啦|嘛|哈)*$"
_DOES_EN = r" (?:is|has|works|lives|likes|loves|wants|needs|plays|goes|studies|teaches|does|can|will|just|also|and i)\b(?! my (?:work|job))"
_END_EN = r"(?: now| at the moment| right now| currently| yet| any ?more| at all| again| too| as well)?$"
_MANY_EN = r"(?:two|three|four|five|six|seven|eight|nine|ten|\d+)"

# ---- counted: the same thing, another number. "A cat" and 「一只猫」 count nothing: who has three has one, too.
_COUNTED = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("count", rf"^{_SUBJECT_ZH}(?:家)?{_ADVERBS_ZH}(?:有|养)(?:着|了)?{_ADVERBS_ZH}(?P<n>(?!一[个只条位名套辆台口头匹]){_NUM})(?:多)?[个只条位名套辆台口头匹](?P<k>[\u4e00-\u9fff]{{1,4}}?){_END_ZH}"),
        ("count", rf"^{_SUBJECT_ZH}(?:家)?(?:现在|目前|也|平时)*[只就才](?:有|养)(?:着|了)?(?P<n>一)[个只条位名套辆台口头匹](?P<k>[\u4e00-\u9fff]{{1,4}}?){_END_ZH}"),
        ("family", rf"^{_SUBJECT_ZH}家(?:里)?(?:一共|总共)?(?:有)?(?P<n>{_NUM})口人?{_END_ZH}"),
        ("height", rf"^{_SUBJECT_ZH}(?:的)?{_ADVERBS_ZH}(?:身高)?{_ADVERBS_ZH}(?P<n>一米[一二三四五六七八九\d]{{1,2}}|1[.米][5-9]\d?|1[4-9]\d)(?:cm|厘米|公分)?(?:高|左右)?{_END_ZH}"),
        ("weight", rf"^{_SUBJECT_ZH}(?:的)?{_ADVERBS_ZH}(?:体重)?{_ADVERBS_ZH}(?P<n>{_NUM})(?:多)?(?P<k>斤|公斤|kg)(?:重|左右)?{_END_ZH}"),
        ("pay", rf"^{_SUBJECT_ZH}(?:的)?(?:工资|收入|月薪)?{_ADVERBS_ZH}(?:一个?月|每个?月|月薪|工资|月入)(?:能)?(?:是|有|赚|挣|拿|到手)?{_ADVERBS_ZH}(?P<n>{_NUM})(?:多|来|左右|块钱?|元|工资)*{_END_ZH}"),
        ("age", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?:快|刚|刚满|马上)?(?P<n>\d{{1,2}}|[一二三四五六七八九]?十[一二三四五六七八九]?)(?:多)?岁?(?:多)?(?:了)?$"),
        ("clock", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?P<n>{_NUM}点(?:半)?)(?:多|左右|钟|才|就)*(?P<k>起|睡|上班|下班|吃早饭|吃午饭|吃晚饭|上学|放学|回家)(?:床|觉)?{_END_ZH}"),
        ("since", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?P<k>(?:在[\u4e00-\u9fff]{{1,8}}?)?(?:工作|上班|劳作)|当[\u4e00-\u9fff]{{1,4}}|结婚|学[\u4e00-\u9fff]{{1,4}}?|弹[\u4e00-\u9fff]{{1,3}}?|写[\u4e00-\u9fff]{{1,4}}?|(?:开始)?写作|住在?[\u4e00-\u9fff]{{0,4}}?|谈恋爱)(?:学了|有|了|才|已经|快|都|也就)*(?P<n>(?:{_NUM}|好?几)(?:个半|个多|个多|多)?(?:年|个月|月|周|天))(?:多|左右)?{_END_ZH}"),
        ("count", rf"^(?:i|we)(?: currently| now| also| only| just)? (?:have|own|keep|'ve got|have got)(?: only| just)? (?P<n>one|{_MANY_EN}) (?P<k>[a-z]+(?: [a-z]+)??)(?:s|(?<=child)ren)?$"),
        ("since", r"^i(?:'ve| have) (?:been )?(?P<k>(?:[a-z]{2,}ing|worked|lived|studied|taught|played|known|owned|married)(?: [a-z]+){0,3}?)(?: now)? for (?:about |over |almost |nearly |more than )?(?P<n>(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty) (?:years?|months?|weeks?|days?))(?: now)?$"),
        ("clock", r"^i (?:usually |normally |always |typically |now )*(?P<k>get up|wake up|go to bed|go to sleep|start work|finish work|have breakfast|have dinner)(?: at)? (?P<n>\d{1,2}(?::\d\d)?(?: ?[ap]m)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|midnight)(?: o'clock)?(?: in the morning| in the evening| at night)?(?: now)?$"),
    )
)  # fmt: skip

# ---- one of it: the same place, another filler
_WITH_EN = r"with (?:my |our |some |two |three |a )?(?:parents|mother|mom|mum|father|dad|family|husband|wife|partner|boyfriend|girlfriend|roommates?|flatmates?|housemates?|brothers?|sisters?|kids|children|son|daughter|grandparents|grandmother|friends?)"
_ONE = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("major", rf"^{_SUBJECT_ZH}(?:大学|本科|研究生)?{_ADVERBS_ZH}(?:的)?(?:专业(?:是)?|(?:学|读)的(?:专业)?是)(?P<x>[\u4e00-\u9fff]{{2,16}})$"),
        ("grade", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?:上|读|念)?{_ADVERBS_ZH}(?P<x>[大高初研][一二三四五]|[一二三四五六七八九]年级)(?:了|的|学生)*$"),
        ("grown", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?:在)?(?P<x>[\u4e00-\u9fff]{{2,6}}?)长大{_END_ZH}"),
        ("studied", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?:大学)?{_ADVERBS_ZH}在(?P<x>[\u4e00-\u9fff]{{2,8}}?)(?:上(?:的)?大学|读(?:的)?大学)(?:的|了|呢|读的?)*$"),
        ("school", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}在(?P<x>[\u4e00-\u9fff]{{2,8}}?)(?:上学|读书)(?:呢)?$"),
        ("colour", rf"^{_SUBJECT_ZH}(?:现在|一直|其实)*最(?:喜欢|喜爱|爱)(?:的颜色是)?(?P<x>[红橙黄绿青蓝紫黑白灰粉棕金银]色?)(?:的)?$"),
        ("live with", rf"^i(?:'m| am)?(?: currently| still| now)? liv(?:e|ing) (?P<x>alone|by myself|on my own|{_WITH_EN}){_END_EN}"),
        ("live with", rf"^{_SUBJECT_ZH}(?:现在|目前|一直|还|就|都|是|平时)*(?P<x>一个人住|自己住|独居|(?:和|跟)[\u4e00-\u9fff]{{1,6}}?(?:一起)?住|住家里|住在?家里){_END_ZH}"),
        ("dormitory", rf"^{_SUBJECT_ZH}(?:现在|目前|一直|还|就|都|是|平时)*(?P<x>住校|住宿舍|住家里|住在?家里){_END_ZH}"),
        ("gender", rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?:一?个)?(?P<x>男|女)(?:的|生|孩子?|人|性)?$"),
        ("gender", rf"^{_SUBJECT_ZH}(?P<x>不是(?:男|女))(?:的|生|孩子?|人|性)?$"),
        ("schooling", rf"^{_SUBJECT_ZH}(?:的)?(?:现在|目前|最高|就|是|也)*(?:学历是|(?=[\u4e00-\u9fff]{{2}}学历))(?P<x>小学|初中|高中|中专|大专|本科|硕士|博士)(?:学历)?{_END_ZH}"),
    )
)  # fmt: skip
# A trade, since one can be a good man and a teacher, or the boss and the cook.
_OF_KIN = re.compile(rf"^我(?:的|家)?(?P<k>{_KIN_ZH})(?:现在|就|也)*(?:是|当|做)(?:一?[个名位])?(?P<x>[\u4e00-\u9fff]{{0,5}}(?:[教律厨设工程技理药]师|计师|程师|员|医生|老师|护士|司机|警察|农民|工人|会计|编辑|保安|记者|军人|裁缝))(?:的|了)?$")  # fmt: skip
_SAME_FILLER = {"住在家里": "住家里", "住宿舍": "住校", "自己住": "一个人住", "独居": "一个人住", "by myself": "alone", "on my own": "alone", "不是男": "女", "不是女": "男"}  # fmt: skip

# ---- had or not: the words that say that one has, and those that say that one has not
_NOW_ZH = r"(?:现在|目前|还|一直|也|是|都|就|只|其实|从来|从|平时|已经|早就|刚)*"
_MATE_ZH = "男朋友|女朋友|男友|女友|对象"
_PET_ZH = "猫|狗|狗狗|猫咪|兔子|仓鼠|鹦鹉|乌龟"
_BRAND_ZH = "宝马|奔驰|奥迪|大众|丰田|本田|特斯拉|比亚迪"
_HAVE_NO_EN = r"^(?:i|we) (?:(?:don't|do not) (?:currently )?(?:have|own|keep) (?:any |a )?|have no )"
_OR_HAVE_EN = r"|^(?:i|we)(?: now| also| only| already)? (?:have|'ve got|have got) "
_HAD = tuple(
    (name, re.compile(yes, re.IGNORECASE), re.compile(no, re.IGNORECASE))
    for name, yes, no in (
        ("spouse", rf"^我(?:的|家)?(?:老公|老婆|丈夫|妻子|先生|太太){_DOES_ZH}(?!.*(?:去世|过世))|^我(?:们)?(?:已经|早就|都|去年|今年|上个月|刚刚?|现在|是)*(?:结婚|已婚|领证)(?:了)?(?:{_NUM}(?:多)?(?:个月|年|天))?{_END_ZH}", rf"^我(?:们)?{_NOW_ZH}(?:单身|没有?结婚|未婚|不是已婚|没有?(?:老公|老婆|丈夫|妻子)|没嫁人?|没娶)(?:一个人|狗|{_NUM}年)?{_END_ZH}"),
        ("sweetheart", rf"^我(?:的|家)?(?:{_MATE_ZH})(?!都){_DOES_ZH}|^我{_NOW_ZH}(?:有(?:一?个|了)?(?:{_MATE_ZH})|(?:在)?谈恋爱|恋爱中|脱单){_END_ZH}", rf"^我{_NOW_ZH}(?:单身|没有?(?:谈)?(?:{_MATE_ZH}|恋爱))(?:一个人|狗|{_NUM}年)?{_END_ZH}"),
        ("child", rf"^我(?:的|家)?(?:儿子|女儿|孩子|宝宝|大宝|二宝|闺女){_DOES_ZH}(?!.*(?:以后|将来|没))|^我(?:们)?(?:家)?{_NOW_ZH}(?:有|生了)(?:{_NUM}个|个)?(?:儿子|女儿|孩子|宝宝|娃){_END_ZH}", rf"^我(?:们)?{_NOW_ZH}没有?(?:生)?(?:孩子|小孩|娃|宝宝){_END_ZH}"),
        ("sibling", rf"^我(?:的|家|亲)*(?:哥哥?|姐姐?|弟弟?|妹妹?){_DOES_ZH}|^我(?:家)?{_NOW_ZH}有(?:{_NUM}个|个)?(?:亲)?(?:哥哥?|姐姐?|弟弟?|妹妹?|兄弟|姐妹){_END_ZH}", rf"^我(?:家)?{_NOW_ZH}(?:个|一个)?(?:独生(?:子女|子|女)?|没有?(?:亲)?(?:兄弟姐妹|哥哥姐姐|弟弟妹妹|兄弟)){_END_ZH}|^我?家(?:里)?(?:就|只有)我一个(?:孩子)?{_END_ZH}"),
        ("pet", rf"^我(?:的|家)?(?:的)?(?:{_PET_ZH}){_DOES_ZH}|^我(?:们)?(?:家)?{_NOW_ZH}(?:有|养)(?:了|着)?(?:{_NUM}?[只条个])?(?!热)[\u4e00-\u9fff]{{0,2}}(?:{_PET_ZH}|宠物|金鱼){_END_ZH}", rf"^我(?:们)?(?:家)?(?:里)?{_NOW_ZH}(?:不养|没有?养?过?)(?:任何|什么)?(?:宠物|小动物){_END_ZH}"),
        ("car", rf"^我{_NOW_ZH}(?:开(?:的是)?(?:一?辆)?(?:{_BRAND_ZH})|有(?:一?辆|了|自己的)*车){_END_ZH}|^我的车[是在]", rf"^我(?:们)?(?:家)?{_NOW_ZH}没有?(?:买)?车{_END_ZH}"),
        ("house", rf"^我(?:家)?{_NOW_ZH}(?:有(?:一套|一?栋|自己的)*(?:房子?|公寓)|买(?:了)?房子?){_END_ZH}", rf"^我(?:们)?(?:家)?{_NOW_ZH}没有?(?:买)?(?:自己的)?房子?{_END_ZH}"),
        ("smoking", rf"^我(?:们)?{_NOW_ZH}(?:经常|每天|天天|老是?|偶尔|会|有时候?|一天)*(?:抽烟|吸烟|有烟瘾|[抽吸]{_NUM}?[包根支]烟?){_END_ZH}|^我一天{_NUM}[包根支]烟{_END_ZH}", rf"^我(?:们)?{_NOW_ZH}(?:不|没)(?:会|有)?(?:抽|吸)过?烟{_END_ZH}|^我{_NOW_ZH}戒烟{_END_ZH}"),
        ("kids", rf"^(?:my|our) (?:son|daughter|kids?|children|oldest|youngest|baby|twins){_DOES_EN}|^(?:my|our) (?:kids|children|twins) (?:are|have|go|love|like|live){_OR_HAVE_EN}(?:an?|one|{_MANY_EN}) (?:little |small |young |grown |adult |older )?(?:kids?|child(?:ren)?|sons?|daughters?|baby){_END_EN}", rf"{_HAVE_NO_EN}(?:kids|children|child|son|daughter){_END_EN}|^i(?:'m| am) childless{_END_EN}"),
        ("spouse", rf"^my (?:husband|wife|spouse){_DOES_EN}|^i(?:'m| am)(?: happily| now| already)* married(?: to (?!my\b|the\b)[a-z' ]+| with (?:[a-z]+ )?(?:kids|children)| for .+)?{_END_EN}", rf"^i(?:'m| am) (?:not(?: yet)? |un)married{_END_EN}|^i(?:'m| am)(?: still| currently)? single{_END_EN}|^i(?:'ve| have) never been married{_END_EN}"),
        ("sweetheart", rf"^my (?:boyfriend|girlfriend){_DOES_EN}{_OR_HAVE_EN}a (?:boyfriend|girlfriend|partner){_END_EN}", rf"^i(?:'m| am)(?: still| currently)? single{_END_EN}|{_HAVE_NO_EN}(?:boyfriend|girlfriend|partner){_END_EN}"),
        ("pet", rf"^(?:my|our) (?:dog|cat|puppy|kitten|parrot|rabbit|hamster)(?:'s name)?(?:{_DOES_EN}| (?:sleeps|eats|barks)\b){_OR_HAVE_EN}(?:an?|one|{_MANY_EN}) (?:little |small |old |young |black |white |big )?(?:dogs?|cats?|parrots?|rabbits?|hamsters?|pupp(?:y|ies)|kittens?){_END_EN}", rf"{_HAVE_NO_EN}pets?(?: at home)?{_END_EN}|^i(?:'ve| have) never had (?:a |any )?pets?{_END_EN}"),
        ("siblings", rf"^my (?:older |younger |big |little |twin )?(?:brother|sister){_DOES_EN}|^my (?:older |younger |big |little )?(?:brothers|sisters) (?:are|have|live|work){_OR_HAVE_EN}(?:an?|one|{_MANY_EN}) (?:older |younger |big |little |twin )?(?:brothers?|sisters?|siblings?){_END_EN}", rf"^i(?:'m| am) an only child{_END_EN}|{_HAVE_NO_EN}(?:siblings|brothers or sisters|brothers and sisters){_END_EN}"),
        ("car", rf"^my car (?:is|has|needs|broke)\b|^i drive an? (?:[a-z]+ )?(?:toyota|honda|ford|bmw|audi|mercedes|volkswagen|vw|volvo|tesla|fiat|skoda|nissan|mazda|kia|hyundai){_END_EN}{_OR_HAVE_EN}an? (?:new |old |used |second-hand |small |big |electric )?car{_END_EN}|^i own an? (?:new |old |used |small |electric )?car{_END_EN}", rf"{_HAVE_NO_EN}car{_END_EN}|^i(?:'ve| have) never owned a car{_END_EN}"),
        ("smoking", rf"^i(?: still| usually| often| also| sometimes| do)? smoke(?: cigarettes| a lot| daily| every day| (?:an?|one|{_MANY_EN}|half a) (?:packs?|cigarettes?)(?: of cigarettes)? (?:a|per|every) day)?{_END_EN}|^i(?:'m| am) a (?:heavy |chain |light )?smoker{_END_EN}", rf"^i (?:don't|do not|never|no longer) smoke(?: cigarettes| tobacco)?{_END_EN}|^i(?:'m| am) (?:a non-?smoker|not a smoker){_END_EN}|^i(?:'ve| have) never smoked{_END_EN}|^i (?:quit|stopped) smoking{_END_EN}"),
        ("drinking", r"^i (?:often |usually |regularly |always |like to )?drink (?:a lot of |a |some )?(?:beer|wine|whisk(?:e)?y|alcohol|vodka|cocktails)(?= every| with| after|$)", rf"^i (?:don't|do not|never|no longer) drink(?: any)?(?: alcohol)?{_END_EN}|^i(?:'m| am) (?:sober|a teetotal\w+){_END_EN}"),
    )
)  # fmt: skip

# What is told of one of the user's people or animals says that there is one, and nothing else about the user.
_BEINGS = frozenset({"spouse", "sweetheart", "child", "kids", "sibling", "siblings", "pet"})

# ---- done or not: a predicate, and the same one denied
_PREDICATE_ZH = re.compile(rf"^{_SUBJECT_ZH}{_ADVERBS_ZH}(?P<no>(?:从来|从|并|也|都)*(?:不|没有?|未)(?:再)?)?(?:是)?(?:怎么|太|很)*(?P<p>[\u4e00-\u9fff]{{1,10}}?)(?:了|呢|啊|的|呀)*$")  # fmt: skip
_PREDICATE_EN = re.compile(
    r"^i(?: (?:usually|often|always|still|really|also|just|actually|regularly|sometimes))*(?P<no> (?:do not|don't|never|cannot|can't|can not|haven't|have never|have not|am not|no longer|don't ever))?(?P<aux> (?:can|have|do|am|'ve|'m))? (?P<p>[a-z][a-z' -]{2,40})$",
    re.IGNORECASE,
)
_MODAL_EN = {"can't": "can", "cannot": "can", "can not": "can", "haven't": "have", "have never": "have", "have not": "have", "am not": "am"}  # fmt: skip
_TAIL_EN = re.compile(r" (?:very well|well|a lot|every \w+|often|regularly|daily|once|twice|much|all the time)$")
_DENIED_TAIL_EN = re.compile(r" (?:at all|any ?more|yet)$")  # "not often" and "not well" deny less
_NO_PREDICATE = re.compile(
    r"知道|觉得|认为|想|打算|准备|希望|记得|确定|清楚|敢|好意思|告诉|同意|是|能够|行|可以|用了|怎么|什么|这|那|它|他|她|你"
)
_QUALITIES = frozenset("忙闲胖瘦穷富高矮懒宅")
_ASPECT = re.compile(r"[过了着]")
_QUANTITY = re.compile(rf"(?:一年|一周|一天|一个月|每周)?{_NUM}(?:次|遍|回|年|个月|天)(?:了)?$")


def clash(new: str, old: str, *, of_one: bool = True) -> bool:
    """Whether both texts speak of one trait, and can't both be right. `of_one` False: one is told of the user's people,
    which only says that there are such people ("my husband is a driver").
    """
    mine = traits(new)
    theirs = traits(old) if mine else ()
    if not theirs or times(new) != times(old):
        return False
    return any(_differ(one, other) and (of_one or one.name in _BEINGS) for one in mine for other in theirs)


@lru_cache(maxsize=8192)
def traits(text: str) -> tuple[Trait, ...]:
    """What a statement says of the traits listed here; empty for most statements."""
    plain = text.replace("’", "'").strip(" .,!。！，~～")
    first = re.split(r"[，,。；;！!]|但是?|不过|可是|因为", plain, maxsplit=1)[0].strip()
    if re.match(r"[不没喜爱讨会能从]", first):
        first = "我" + first  # a clause that leaves its subject out
    if len(first) > LONGEST or first[:1].casefold() not in "我iwm":
        return ()
    return tuple(_read(first.casefold()))


def _read(text: str) -> Iterator[Trait]:
    for name, pattern in _COUNTED:
        if found := pattern.match(text):
            yield Trait(name, _key(found.groupdict().get("k") or ""), str(_number(found["n"])))
    for name, pattern in _ONE:
        if found := pattern.match(text):
            yield Trait("one " + name, "", _filler(name, found["x"]))
    if found := _OF_KIN.match(text):
        yield Trait("one job", _KIN_KEYS.get(found["k"], found["k"]), found["x"])
    for name, yes, no in _HAD:
        if no.match(text):
            yield Trait(name, "", "no")
        elif yes.match(text):
            yield Trait(name, "", "yes")
    yield from _predicate(text)


def _filler(name: str, words: str) -> str:
    """Whom one lives with is not one thing: with my parents, with my brother. Alone or not is."""
    words = _SAME_FILLER.get(words, words)
    if name == "live with":
        return "alone" if words in ("alone", "一个人住") else "in company"
    return words


def _predicate(text: str) -> Iterator[Trait]:
    """「我从来不运动」 → (运动, no); "I can't cook at all" → (can cook, no)."""
    if found := _PREDICATE_ZH.match(text):
        words = _QUANTITY.sub("", found["p"])
        core = _ASPECT.sub("", words)
        core = re.sub(r"^有(?=[\u4e00-\u9fff]?[猫狗鱼鸟兔])", "养", core)
        aspect = "过" if "过" in words else ""
        if not aspect and (re.search("[没未]", found["no"] or "") or (not found["no"] and text.endswith("了"))):
            aspect = "了"  # what was not done once, or was, against what one never does
        if (len(core) >= 2 or core in _QUALITIES) and not _NO_PREDICATE.search(core):
            yield Trait("doing", aspect + core, "no" if found["no"] else "yes")
    elif found := _PREDICATE_EN.match(text):
        no = (found["no"] or "").strip()
        modal = _MODAL_EN.get(no, (found["aux"] or "").strip().lstrip("'"))
        tail = _DENIED_TAIL_EN if no else _TAIL_EN
        words = tail.sub("", found["p"].removeprefix("been able to ").strip())
        if words and modal in ("can", "have"):
            yield Trait("doing", f"{modal} {words}", "no" if no else "yes")
        elif words and modal in ("", "do"):
            yield Trait("doing", words, "no" if no else "yes")


def _key(words: str) -> str:
    words = re.sub(r"(?<=[a-z]{3})(?:ing|ed)\b", "", words)
    return {"劳作": "工作", "上班": "工作", "起": "起床", "wake up": "get up", "go to sleep": "go to bed"}.get(words, normal(words))  # fmt: skip


def _differ(one: Trait, other: Trait) -> bool:
    if (one.name, one.key) != (other.name, other.key) or one.value == other.value:
        return False
    if one.name.startswith("one "):
        return one.value not in other.value and other.value not in one.value
    if "no" in (one.value, other.value):
        return "yes" in (one.value, other.value)
    if one.name == "doing" or not (one.value and other.value):
        return False
    return _apart(one.value, other.value)


def _apart(one: str, other: str) -> bool:
    try:
        first, second = float(one), float(other)
    except ValueError:
        return False
    return abs(first - second) > ROUGHLY * max(first, second)


# ---- numbers
_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2, "半": 0.5, "几": 4}
_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_WORDS = {w: n for n, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}
_WORDS |= {"a": 1, "an": 1, "twenty": 20, "midnight": 0}
_UNITS = {"年": 365.0, "月": 30.0, "周": 7.0, "天": 1.0, "year": 365.0, "month": 30.0, "week": 7.0, "day": 1.0}


def _number(words: str) -> float | str:
    """「一个半月」 and "six months" in days, 「一米八五」 in centimetres, 「八点半」 in hours, any other number as it is."""
    if metres := re.fullmatch(r"(?:一米|1[.米])([一二三四五六七八九\d]{1,2})", words):
        digits = "".join(str(_DIGITS.get(c, c)) for c in metres[1])
        return 100.0 + float(digits.ljust(2, "0"))
    unit = next((size for name, size in _UNITS.items() if re.search(rf"{name}s?$", words)), 1.0)
    half = 0.5 if re.search(r"个半|点半|多", words) else 0.0
    words = words.removeprefix("好")
    digits = re.sub(
        r"(?:个半|多个|个多|多|个|点半|点|年|月|周|天|:\d\d| ?[ap]m| ?(?:years?|months?|weeks?|days?))", "", words
    )
    amount = _amount(digits.strip())
    return (amount + half) * unit if amount is not None else ""


def _amount(digits: str) -> float | None:
    if re.fullmatch(r"\d+(?:\.\d+)?", digits):
        return float(digits)
    if digits in _WORDS:
        return float(_WORDS[digits])
    total = part = 0.0
    last: float | None = None
    for char in digits:
        if char in _DIGITS:
            last = float(_DIGITS[char])
        elif char in _SCALES:
            part += (last if last is not None else 1.0) * _SCALES[char]
            total, part, last = (total + part, 0.0, None)
        else:
            return None
    return total + (last or 0.0) if digits else None
