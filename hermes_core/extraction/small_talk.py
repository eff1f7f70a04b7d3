"""What is said of the moment by its very words: how one is, what the evening fulfils, what is over by tomorrow.

Patterns over one clause, English and Chinese; whether anything else is small talk, the head weighs (judging.py).
"""

from __future__ import annotations

import re

# "I'm doing very well", 「我挺好的」: how somebody is at the moment.
_HOW_ARE_YOU = re.compile(
    r"(?:i'm|i am|im|we're|we are|i feel|i'm feeling|i am feeling)(?: (?:doing|feeling|very|so|pretty|really|quite|just|all|still|also|too|rather|super|extremely|mostly|a bit|a little|kind of|kinda|ok and))*"
    r" (?:good|great|fine|well|okay|ok|alright|all right|fantastic|wonderful|excellent|awesome|amazing|better|bored|tired|sleepy|exhausted|hungry|thirsty|starving|full|cold|hot|warm|freezing|busy|free|ready|here|back|home|up|awake|late|early|done|stuffed|sore|blessed|lucky|jealous|impressed|surprised|confused|lost|flattered|touched|speechless)"
    r"(?:,? (?:today|tonight|now|right now|at the moment|this (?:morning|evening|afternoon|week|weekend)|here|too|as well|though|thanks|thank you|so far|and (?:you|u)|enough))*[ .!]*$"
    r"|我(?:今天|现在|这会儿|也|都|还|有点儿?|真的?|真|很|挺|非常|好|太|特别|最近)*(?:好|不错|还行|困|累|饿|渴|冷|热|忙|无聊|开心|高兴|没事|饱|醒)(?:的|了|呢|啊|呀|哦|死了|极了|得很|着呢)*$",
    re.I,
)
# "I really need a drink", 「我想喝一杯」: a wish that the evening fulfils.
_OF_THE_MOMENT = re.compile(
    r"(?:i|we)(?:'m| am|'d|'ve)? ?(?:just |really |so |badly |desperately |also |totally |still |definitely )*(?:need|could use|could go for|could do with|crave|craving|want|am craving|in need of|am in the mood for|in the mood for|feel like)"
    r" (?:an? |some |another |my |to take a |to have a )*(?:(?:good|long|stiff|cold|hot|strong|big|little|quick|real|nice|warm) )*(?:drinks?|cocktails?|beers?|coffees?|tea|wine|naps?|breaks?|rest|sleep|vacations?|holidays?|hugs?|showers?|baths?|snacks?|burgers?|pizza|tacos?|chocolate|ice cream|massage|cigarette|smoke|weekend|day off|minute|moment)"
    r"(?:,? (?:now|right now|so bad|badly|too|today|tonight|after (?:today|this|that|work)|please|myself))*[ .!]*$"
    r"|(?:我|咱)先(?!生|天|前|后|进)(?:去|来)?[\u4e00-\u9fffA-Za-z]{1,6}?(?:一下|了|吧|啦)*$"
    r"|(?:我|咱)自己(?:来|弄|搞定|查|搜|google|search|想办法|看看|解决)(?:一下)?(?:吧|就行|就好|了)*$"
    r"|(?:我|咱)?(?:真的?|好|很|太|现在|今天|今晚|也|就|又|完全|根本|一点都?)*不想(?:工作|上班|上学|上课|学习|加班|起床|动|说话|出门|做饭|干活|见人)(?:了|啊|呀)*$"
    r"|我(?:真|好|很|太|现在|也|就)*(?:想|要|需要)(?:喝一杯|睡一觉|睡一会儿?|休息一下|歇会儿?|静静|抱抱|放个假|来一杯)(?:了|啊|呀)*$",
    re.I,
)
# 「会过敏」: to what, the clause before says.
_TO_WHAT = re.compile(
    r"我?(?:一?(?:吃|喝|碰)(?:了|到|过|完)?(?:之?后|的话)?)?(?:会|就|都|很|也|严重|真的)+过敏(?:的|了|啊)*$"
)
# 「我在等公交车」, 「现在在开会」: what somebody is doing this minute ("I'm waiting for the bus" is small talk by its words).
_JUST_NOW = re.compile(
    r"(?:我们?|咱)?(?:现在|正好?|这会儿|此刻|刚好|还|都|人)*在(?:家|外面|公司|路上|车上|学校|办公室|地铁上|医院)?(?:里)?"
    r"(?:开(?:会|车)|上(?:班|课|厕所)|等(?!级|于)[\u4e00-\u9fff]{1,6}|排队|吃(?:饭|早饭|午饭|晚饭|早餐|午餐|晚餐)|喝(?:水|茶)|洗(?:澡|碗|衣服)|做饭|加班|坐(?:车|地铁|飞机|高铁)|赶路|逛街"
    r"|睡觉|休息|发呆|忙|摸鱼|聊天|路上|外面|打(?:电话|车|游戏)|看(?:电视|比赛|直播|手机|电影)|收拾(?:东西|行李|房间)?|打扫(?:卫生)?|买菜|遛狗|散步|跑步)(?:呢|了|着呢|啊|哦)*$",
    re.I,
)
# "My sister just called", "my boss just told me to ...": news of the hour.
_SAID_OF_LATE = re.compile(
    r"(?:my|our) (?:[\w'-]+ ){1,3}?(?:has |have )?just (?:called|texted|messaged|phoned|told|asked|said|reminded|convinced|persuaded|showed|sent|woke|yelled|walked|came|left|got (?:home|back|here|in|up)|made me|let me|gave me|handed|dropped|went (?:out|to bed|home)|fell asleep|looked|laughed|finished|started (?:crying|barking|laughing))(?![a-z])",
    re.I,
)
# "I'll see my cousin today", "I'm going to call him later": over by tomorrow.
_OF_THE_DAY = re.compile(
    r"(?:i|we)(?:'ll| will|'m going to|'m gonna| am going to| am gonna|'re going to| are going to| have to| need to| gotta| get to| should| plan to) (?:just |also |probably |maybe |try to |go |go and )*(?:see|call|visit|meet|cook|make|watch|eat|get|pick|grab|do|have|play|clean|bring|try|check|ask|text|head|swing|stop|drop|take|walk|feed|look|read|work|coach|tell|give|buy|bake|order|wash|run|put|finish|sleep|rest|relax|talk|hang|stay|drive|teach|practice)(?![a-z])[^\d]*?"
    r" (?:today|tonight|later|later on|later today|in a (?:bit|minute|moment|while|few minutes)|(?:this|in the) (?:evening|afternoon|morning)|after (?:work|school|class|dinner|lunch|this|that)|before (?:work|bed|dinner|i (?:go|leave)))$",
    re.I,
)
# "I'm younger as well", "I am a bit slower": measured against somebody who is not named.
_COMPARED = re.compile(
    r"(?:i|we)(?:'m| am|'re| are) (?:(?:a )?(?:bit|little|lot)|much|way|slightly|far|even|also|just|probably|so much|actually|still| )*(?:younger|older|taller|shorter|bigger|smaller|faster|slower|smarter|richer|poorer|stronger|weaker|luckier|busier|worse|braver|lazier|nicer)"
    r"(?: than (?:you|that|this|him|her|it|them|me|i look|most|some)(?: are| is| do)?)?(?:,? (?:too|as well|though|now|actually|then|probably|myself|i think|i guess))*[ .!]*$",
    re.I,
)
# "I'm doing my best to help them": everybody does.
_ONES_BEST = re.compile(
    r"(?:i|we)(?:'m| am|'re| are|'ve been| have been)? ?(?:just |really |always |only |still |also )*(?:working|work|trying|try|doing|do|did|tried|giving|give) (?:(?:as hard as|the best|all|everything|whatever) (?:i|we) can|(?:it |them )?(?:my|our|the) (?:very |level )?(?:hardest|best|all))(?![a-z])"
    r"|(?:i|we) (?:just |always |usually )*(?:agree|agreed) to (?:disagree|differ)(?![a-z])",
    re.I,
)
# "I'm all ears".
_IDIOM = re.compile(
    r"(?:i|we)(?:'m| am|'re| are) (?:just |so |totally |already )*(?:all ears|in (?:quite )?a (?:pickle|mess|bind|rush|hurry)|along for the ride|down for (?:it|that|anything)|all set|on it|out of ideas|at a loss|torn|on the fence|stuck between .*)[ .!]*$",
    re.I,
)


def of_the_moment(text: str) -> bool:
    """Whether the clause says nothing that holds tomorrow; `text` has straight apostrophes."""
    patterns = (
        _HOW_ARE_YOU,
        _OF_THE_MOMENT,
        _JUST_NOW,
        _TO_WHAT,
        _SAID_OF_LATE,
        _OF_THE_DAY,
        _COMPARED,
        _ONES_BEST,
        _IDIOM,
    )
    return any(pattern.match(text) for pattern in patterns)
