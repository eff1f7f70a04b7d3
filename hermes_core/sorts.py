"""A whole sort of things denied beside one of that sort: "I don't like sports" and "I love tennis", 「我没出过国」 and
「我去过日本」 (W13, O-rows).

Only that way round: who dislikes running may like sports. By words alone, in English and Chinese, with a few everyday
sorts; what becomes of either statement is the gates' business.
"""

from __future__ import annotations

import re

from hermes_core.occasions import times

LONGEST = 48  # characters of a clause that is read

_ADV_ZH = r"(?:也|都|就|还|很|最|挺|蛮|真的?|其实|一直|从来|特别|非常|比较|超级?|更|平时|现在|一般|经常|每天|偶尔)*"
_END_ZH = r"(?:了|呢|啊|的|呀|哦|吧|啦|嘛|哈)*$"
_LIKE_ZH = rf"^我(?:们)?{_ADV_ZH}(?:喜欢|爱|热爱|爱好|喜爱)"
_LIKE_EN = r"^i (?:really |also |still |just |do |absolutely )*(?:like|love|enjoy|adore)(?: to)?(?: a lot of)?"
_NO_LIKE_EN = r"^i (?:really |just |also |absolutely )*(?:(?:don't|do not|never)(?: really| much)? (?:like|enjoy|care for)|hate|dislike|can't stand|have no interest in|(?:am|'m) not (?:really )?(?:into|interested in|a fan of))(?: any| all| doing)?"


def _no_like_zh(thing: str) -> str:
    return (
        rf"^我(?:也|都|真的?|其实|一点都?|一点也|从来)*(?:(?:不(?:太|怎么|是很|大)?(?:喜欢|爱|爱好)|讨厌|厌恶)(?:任何|做)?{thing}"
        rf"|对{thing}(?:都|也|真的?|一点)*(?:不感|没有?(?:什么|啥|太大)?)兴趣){_END_ZH}"
    )


_SPORT_ZH = r"(?:打(?:篮球|羽毛球|网球|排球|乒乓球?|球)|踢(?:足)?球|跑步|游泳|滑雪|健身|爬山|骑车|篮球|足球|羽毛球|网球|乒乓球|排球)"
_SPORT_EN = r"(?:tennis|football|soccer|basketball|volleyball|badminton|baseball|hockey|golf|rugby|swimming|running|jogging|cycling|skiing|squash)"
_BOOK_ZH = r"(?:看|读)(?:[\u4e00-\u9fff]{0,4}(?:小说|书|名著|散文|传记|诗集))"
_BOOK_EN = r"read(?:ing)? (?:[a-z]+ ){0,2}(?:novels?|books?|fiction|poetry|thrillers|biographies|stories)"
_MUSIC_EN = r"(?:listen(?:ing)? to )?(?:[a-z]+ )?(?:jazz|rock|pop|hip[- ]hop|blues|opera|techno|classical music|folk music|country music)"
_PET_ZH = r"(?:养)?(?:小)?(?:猫|狗|猫咪|狗狗|兔子|鸟|仓鼠)"
_FRUIT_ZH = r"(?:吃)?(?:苹果|香蕉|西瓜|葡萄|草莓|橙子|橘子|桃子?|芒果|梨|樱桃)"
_MEAT_ZH = r"(?:牛肉|羊肉|猪肉|鸡肉|鸭肉|红烧肉|烤肉|牛排|排骨|鸡翅|火腿|肉)"
_MEAT_EN = r"(?:beef|steaks?|chicken|pork|bacon|ham|lamb|turkey|ribs|meat)"
_ABROAD_ZH = r"(?:日本|韩国|泰国|美国|英国|法国|德国|意大利|西班牙|俄罗斯|澳大利亚|澳洲|新西兰|加拿大|新加坡|马来西亚|越南|印度|埃及|希腊|瑞士|荷兰|巴西|国外|欧洲|东京|首尔|纽约|伦敦|巴黎|曼谷)"

# What denies the sort, and what states one of it.
_SORTS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(denied, re.IGNORECASE), re.compile(stated, re.IGNORECASE))
    for denied, stated in (
        (_no_like_zh("(?:体育)?(?:运动|锻炼|体育)"), rf"{_LIKE_ZH}{_SPORT_ZH}{_END_ZH}"),
        (rf"{_NO_LIKE_EN} (?:sports?|exercise|exercising)$", rf"{_LIKE_EN} (?:play(?:ing)? |go(?:ing)? )?{_SPORT_EN}$"),
        (_no_like_zh("(?:看书|读书|阅读|书)"), rf"{_LIKE_ZH}{_BOOK_ZH}{_END_ZH}"),
        (rf"{_NO_LIKE_EN} (?:reading|books|to read)$", rf"{_LIKE_EN} {_BOOK_EN}$"),
        (_no_like_zh("(?:听)?(?:音乐|歌)"), rf"{_LIKE_ZH}(?:听)?(?:摇滚|爵士|民谣|流行|古典|说唱)(?:乐|音乐|歌)?{_END_ZH}"),
        (rf"{_NO_LIKE_EN} (?:listening to )?music$", rf"{_LIKE_EN} {_MUSIC_EN}$"),
        (_no_like_zh("(?:养)?(?:小)?(?:动物|宠物)"), rf"{_LIKE_ZH}{_PET_ZH}{_END_ZH}"),
        (rf"{_NO_LIKE_EN} (?:animals|pets)$", rf"{_LIKE_EN} (?:my )?(?:cats?|dogs?|horses|rabbits|parrots)$"),
        (_no_like_zh("(?:吃)?水果"), rf"{_LIKE_ZH}{_FRUIT_ZH}{_END_ZH}"),
        (rf"{_NO_LIKE_EN} (?:eating )?fruits?$", rf"{_LIKE_EN} (?:eat(?:ing)? )?(?:apples|bananas|grapes|strawberries|oranges|peaches|mangoes|mangos|pears|cherries)$"),
        (_no_like_zh("(?:吃)?肉"), rf"{_LIKE_ZH}吃{_MEAT_ZH}{_END_ZH}"),
        (rf"^我(?:现在|一直|也|是|从小|已经)*(?:个|一个)?(?:吃素|素食主义者|素食者|不吃肉){_END_ZH}", rf"^我{_ADV_ZH}(?:喜欢|爱)?吃{_MEAT_ZH}{_END_ZH}"),
        (r"^i(?:'m| am)(?: a| an)?(?: strict| lifelong)? (?:vegan|vegetarian)$|^i (?:don't|do not|never) eat(?: any)? meat$", rf"^i (?:really |also |still |usually |often )*(?:(?:like|love|enjoy)(?: eating)?|eat)(?: a lot of| my)? {_MEAT_EN}(?: every \w+| for \w+| a lot)?$"),
        (rf"^我(?:也|都|从来|还|从|一直|这辈子)*(?:没有?|未)(?:出过国|去过国外|去过外国){_END_ZH}", rf"^我(?:也|都|就|以前|去年|前年|曾经|还|之前|已经)*(?:去过{_ABROAD_ZH}|在{_ABROAD_ZH}(?:留(?:过)?学|生活|住|工作|读书|上学|玩)(?:过)?.{{0,4}})(?:旅游|玩|几次|两次|三次|一次)?{_END_ZH}"),
        (r"^i(?:'ve| have) never (?:been abroad|left (?:the|my) country|been overseas|travel+ed abroad)$", r"^i(?:'ve| have)? ?(?:studied|lived|worked|been|travel+ed)(?: to \w+ countries| abroad| overseas)(?: for .+| last \w+| in \d{4})?$"),
    )
)  # fmt: skip
_EVER = re.compile(r"\bnever\b|没|未")
_FIRST = re.compile(r"[，,。；;！!]|但是?|不过|可是|因为|\s(?:but|because|so|and)\s")


def sort_denied(new: str, old: str) -> bool:
    """Whether one text denies a sort of things of which the other states one."""
    one, other = _clause(new), _clause(old)
    if max(len(one), len(other)) > LONGEST:
        return False
    return any(_denies(a, b) for a, b in ((one, other), (other, one)))


def _denies(denial: str, stated: str) -> bool:
    if not _EVER.search(denial) and "then" in times(denial) ^ times(stated):
        return False
    return any(no.match(denial) and yes.match(stated) for no, yes in _SORTS)


def _clause(text: str) -> str:
    return _FIRST.split(text.replace("’", "'").strip(" .!。！~～"), maxsplit=1)[0].strip()
