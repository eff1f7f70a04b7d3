"""The words of short first-person statements that traits.py compares: which trait, and where its number or filler stands.

Data only: regular expressions in English and Chinese, matched without case against one clause. Nothing is decided here.
"""

from __future__ import annotations

import re

SUBJECT_ZH = r"我(?:们)?(?:自己)?"
ADVERBS_ZH = (  # none that sets a statement in the past: 「我以前抽烟」 speaks of another time than 「我不抽烟」
    r"(?:平时|平常|现在|目前|今年|最近|一般|通常|经常|常常?|总是|老是|一直|从小|早就|已经|每天|天天|每周|每个月|每月|每年|每次"
    r"|早上|晚上|周末|其实|真的?|就|也|都|还|才|只|又|再|是|很|挺|非常|特别|比较|最|蛮|超级?|可|当然|大概|差不多|确实|一点都?|一点也|根本|完全|一个人)*"
)
NUM = r"(?:\d+(?:\.\d+)?|[一二两三四五六七八九十百千万半]+)"
_KIN_ZH = (
    r"(?:爸爸|爸|父亲|妈妈|妈|母亲|老公|老婆|丈夫|妻子|男朋友|女朋友|对象|儿子|女儿|哥哥|哥|姐姐|姐|弟弟|弟|妹妹|妹)"
)
KIN_KEYS = {"爸": "爸爸", "父亲": "爸爸", "妈": "妈妈", "母亲": "妈妈", "丈夫": "老公", "妻子": "老婆", "哥": "哥哥", "姐": "姐姐", "弟": "弟弟", "妹": "妹妹"}  # fmt: skip


# ---- how a statement goes on after somebody it names, and how it ends. Open ends would read 「我妹妹头很乱」 as a sister,
# "I drive an hour to work" as a car: what is not closed says nothing of a trait.
_DOES_ZH = r"(?=[是在叫做当会有也都就很挺最比和跟给对从去来说刚住开抽喝吃养教学读上下毕]|今年|现在|喜欢|爱|特别|非常|已经|工作|经常|每天|不|\d|[一二两三四五六七八九十]+岁)"
_END_ZH = r"(?:了|呢|啊|的|呀|哦|吧|啦|嘛|哈)*$"
_DOES_EN = r" (?:is|has|works|lives|likes|loves|wants|needs|plays|goes|studies|teaches|does|can|will|just|also|and i)\b(?! my (?:work|job))"
_END_EN = r"(?: now| at the moment| right now| currently| yet| any ?more| at all| again| too| as well)?$"
_MANY_EN = r"(?:two|three|four|five|six|seven|eight|nine|ten|\d+)"

# ---- a day of the year, spans of time, ages, how often
_DATE_ZH = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})月(?:\d{1,2}|[一二三四五六七八九十]{1,3})[号日]?"
_SPAN_ZH = rf"(?:{NUM}年半?|{NUM}个(?:多|半)?月|好?几(?:年|个月)|半年)"
_ABOUT_ZH = r"(?:快|都|差不多|大概|大约|有|将近|至少|才|也就|已经|只|刚)*"
_PERIOD_ZH = r"(?:一|每)(?:个)?(?:周|星期|礼拜|月|年|天)"
# What goes on for months; with its object, since two things learnt are no contradiction.
_VERB_ZH = r"(?:学|练|养|写|玩|打|弹|跳|画|开|教|当|吃|戒|拍|种|跑|做|用|住)"
_JOB_EN = r"(?:doctor|nurse|teacher|farmer|driver|engineer|lawyer|chef|cook|accountant|mechanic|carpenter|pilot|policeman|police officer|firefighter|soldier|dentist|plumber|electrician|baker|butcher|programmer|designer|journalist|professor|scientist|librarian|architect|surgeon|pharmacist|waiter|waitress|hairdresser|secretary|cleaner)"
_LASTING_ZH = r"(?:(?:学|练)[\u4e00-\u9fff]{1,5}?|(?:养|写|玩|打|弹|跳|画|开|教|当|戒|拍|种|做|用|来|搬来|搬到)(?!了)[\u4e00-\u9fff]{1,5}?|毕业|退休|单身|离婚|分手|健身|跑步|减肥|写作|创业|怀孕|吃素|失业|独居|留学)"
_RELATIVE_ZH = r"(?:大|小)?(?:儿子|女儿|孩子|小孩|宝宝|闺女|老公|老婆|丈夫|妻子|爸爸?|妈妈?|父亲|母亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|男朋友|女朋友|男友|女友|对象)"
_RELATIVE_EN = r"(?:older |younger |oldest |youngest |eldest )?(?:son|daughter|baby|husband|wife|mother|mom|mum|father|dad|boyfriend|girlfriend|partner|grandmother|grandfather|grandma|grandpa)"
_NUMBER_EN = r"(?:\d{1,3}|(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?=[a-z]))?)?(?:one|two|three|four|five|six|seven|eight|nine)|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
_SPAN_EN = rf"(?:half a year|(?:an?|{_NUMBER_EN})(?: and a half)? (?:years?|months?|weeks?|days?)(?: and a half)?)"

# ---- counted: the same thing, another number. "A cat" and 「一只猫」 count nothing: who has three has one, too.
COUNTED = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("count", rf"^{SUBJECT_ZH}(?:家)?{ADVERBS_ZH}(?:有|养)(?:着|了)?{ADVERBS_ZH}(?P<n>(?!一[个只条位名套辆台口头匹]){NUM})(?:多)?[个只条位名套辆台口头匹](?P<k>[\u4e00-\u9fff]{{1,4}}?){_END_ZH}"),
        ("count", rf"^{SUBJECT_ZH}(?:家)?(?:现在|目前|也|平时)*[只就才](?:有|养)(?:着|了)?(?P<n>一)[个只条位名套辆台口头匹](?P<k>[\u4e00-\u9fff]{{1,4}}?){_END_ZH}"),
        ("family", rf"^{SUBJECT_ZH}家(?:里)?(?:一共|总共)?(?:有)?(?P<n>{NUM})口人?{_END_ZH}"),
        ("height", rf"^{SUBJECT_ZH}(?:的)?{ADVERBS_ZH}(?:身高)?{ADVERBS_ZH}(?P<n>一米[一二三四五六七八九\d]{{1,2}}|1[.米][5-9]\d?|1[4-9]\d)(?:cm|厘米|公分)?(?:高|左右)?{_END_ZH}"),
        ("weight", rf"^{SUBJECT_ZH}(?:的)?{ADVERBS_ZH}(?:体重)?{ADVERBS_ZH}(?P<n>{NUM})(?:多)?(?P<k>斤|公斤|kg)(?:重|左右)?{_END_ZH}"),
        ("pay", rf"^{SUBJECT_ZH}(?:的)?(?:工资|收入|月薪)?{ADVERBS_ZH}(?:一个?月|每个?月|月薪|工资|月入)(?:能)?(?:是|有|赚|挣|拿|到手)?{ADVERBS_ZH}(?P<n>{NUM})(?:多|来|左右|块钱?|元|工资)*{_END_ZH}"),
        ("age", rf"^{SUBJECT_ZH}{ADVERBS_ZH}(?:快|刚|刚满|马上)?(?P<n>\d{{1,2}}|[一二三四五六七八九]?十[一二三四五六七八九]?)(?:多)?岁?(?:多)?(?:了)?$"),
        ("clock", rf"^{SUBJECT_ZH}{ADVERBS_ZH}(?:凌晨|半夜|中午|下午|早晨)?(?P<n>{NUM}点(?:半)?)(?:多|左右|钟|才|就)*(?P<k>起|睡|上班|下班|吃早饭|吃午饭|吃晚饭|上学|放学|回家)(?:床|觉)?{_END_ZH}"),
        ("since", rf"^{SUBJECT_ZH}{ADVERBS_ZH}(?P<k>(?:在[\u4e00-\u9fff]{{1,8}}?)?(?:工作|上班|劳作)|当[\u4e00-\u9fff]{{1,4}}|结婚|学[\u4e00-\u9fff]{{1,4}}?|弹[\u4e00-\u9fff]{{1,3}}?|写[\u4e00-\u9fff]{{1,4}}?|(?:开始)?写作|住在?[\u4e00-\u9fff]{{0,4}}?|谈恋爱)(?:学了|有|了|才|已经|快|都|也就)*(?P<n>(?:{NUM}|好?几)(?:个半|个多|多)?(?:年半?|个月|月|周|天))(?:多|左右)?{_END_ZH}"),
        ("since", rf"^{SUBJECT_ZH}{ADVERBS_ZH}(?P<k>{_LASTING_ZH})(?:了)?(?:学|练|做|养|写|玩|打|弹|跳|画|开|教|当|用)?(?:了)?{_ABOUT_ZH}(?P<n>{_SPAN_ZH})(?:多|左右)?(?:的时间)?{_END_ZH}"),
        ("since", rf"^{SUBJECT_ZH}{ADVERBS_ZH}(?P<k>{_VERB_ZH})了{_ABOUT_ZH}(?P<n>{_SPAN_ZH})(?:多|左右)?(?:的)?(?P<t>(?![^，]*[就才没不死后又再还过])[\u4e00-\u9fff]{{1,4}}?){_END_ZH}"),
        ("age of", rf"^我(?:的|家|家的)?(?P<k>{_RELATIVE_ZH})(?:他|她)?(?:今年|现在|都|已经|快|也|才|刚|刚满|就|马上|有|大概|差不多|要|满)*(?P<n>{NUM}(?:周)?岁半?|{NUM}个(?:多)?月)(?:多)?(?:大)?{_END_ZH}"),
        ("hours", rf"^{SUBJECT_ZH}(?:现在|目前|一般|平时|大概|基本|通常|都|也|只|才|平均)*(?P<o>[一每](?:天|晚上?|个?星期|周))(?:都|要|得|能|只|才|大概|差不多|至少|平均|一般)*(?P<k>工作|上班|加班|睡觉?|学习|看书|运动|锻炼|通勤|练琴|玩手机|打游戏)(?:要|得|花|用|了)*{_ABOUT_ZH}(?P<n>{NUM}个?(?:多|半)?)(?:多)?小时(?:左右|觉)?{_END_ZH}"),
        ("times", rf"^{SUBJECT_ZH}(?:现在|目前|一般|平时|大概|基本|通常|都|也|是)*(?P<o>{_PERIOD_ZH})(?:都|要|会|得|就|大概|差不多|只|才|至少|一般)*(?P<k>[\u4e00-\u9fff]{{1,5}}?)(?P<n>{NUM})[次回趟](?P<t>[\u4e00-\u9fff]{{0,3}}?){_END_ZH}"),
        ("date", rf"^{SUBJECT_ZH}{ADVERBS_ZH}(?P<n>{_DATE_ZH})(?:左右|就|才|要|会|能|可以|得|的)*(?P<k>开学|放假|考试|结婚|生日|毕业|出发|搬家|开工|入职|面试|出差|交稿|到期|高考|体检|手术|出院|回国){_END_ZH}"),
        ("date", rf"^{SUBJECT_ZH}(?:的)?(?P<k>生日|婚礼|考试|面试|手术|预产期)(?:是|在|就在|定在)*(?P<n>{_DATE_ZH}){_END_ZH}"),
        ("family", rf"^{SUBJECT_ZH}家(?:里)?(?:一共|总共|就|只|有)*(?:我[和跟][\u4e00-\u9fff]{{1,6}})?(?:一共|总共|就|只)*(?P<n>{NUM})(?:个|口)人{_END_ZH}"),
        ("count", rf"^(?:i|we)(?: currently| now| also| only| just)? (?:have|own|keep|'ve got|have got)(?: only| just)? (?P<n>one|{_MANY_EN}) (?P<k>[a-z]+(?: [a-z]+)??)(?:s|(?<=child)ren)?$"),
        ("since", rf"^i(?:'ve| have) (?:been )?(?P<k>an? (?:[a-z]+ ){{0,2}}[a-z]+|single|married|divorced|retired|sober|unemployed|vegan|vegetarian|pregnant|together|in (?:this|the) (?:country|city|job|team|flat)|in [a-z]+|with my [a-z]+|had (?:my|this|the) [a-z]+|(?:[a-z]{{2,}}ing|worked|lived|studied|taught|played|known|owned|driven|run)(?: [a-z]+){{0,5}}?)(?: now)? for (?:about |over |almost |nearly |around |more than |only |just )*(?P<n>{_SPAN_EN})(?: now)?$"),
        ("age of", rf"^(?:my|our) (?P<k>{_RELATIVE_EN})(?: is|'s| just turned| turned| turns)(?: now| only| already| about| almost| nearly| just)*(?P<n> {_NUMBER_EN}(?: (?:years?|months?))?)(?:[- ]old)?(?: now| this year| today| already)?$"),
        ("hours", rf"^i (?:usually |normally |only |mostly |typically |still )*(?P<k>work|sleep|study|exercise|commute|practi[sc]e|train)(?: about| only| for| around| at most| just)* (?P<n>{_NUMBER_EN}) hours?(?: of \w+)? (?:a|per|every|each) (?P<o>day|night|week)$"),
        ("times", rf"^i (?:usually |normally |only |mostly |typically |still )*(?P<k>[a-z]+(?: (?!at least|exactly)[a-z]+){{0,4}}?)(?: only| just| about| around)* (?P<n>once|twice|thrice|{_NUMBER_EN} times) (?:a|per|every|each) (?P<o>day|week|month|year)$"),
        ("height", r"^i(?:'m| am)(?: about| only| almost| nearly| just| over)* (?P<n>\d'\d{1,2}\"?|\d(?:\.\d)? ?(?:feet|foot|ft)(?: \d{1,2}(?: inches)?)?|1\.\d\d ?m|\d{3}(?= ?cm))(?: ?cm)?(?: tall)?$"),
        ("clock", r"^i (?:usually |normally |always |typically |now )*(?P<k>get up|wake up|go to bed|go to sleep|start work|finish work|have breakfast|have dinner)(?: at)? (?P<n>\d{1,2}(?::\d\d)?(?: ?[ap]m)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|midnight)(?: o'clock)?(?: in the morning| in the evening| at night)?(?: every (?:day|morning|night))?(?: now)?$"),
    )
)  # fmt: skip

# ---- one of it: the same place, another filler
_WITH_EN = r"with (?:my |our |some |two |three |a )?(?:parents|mother|mom|mum|father|dad|family|husband|wife|partner|boyfriend|girlfriend|roommates?|flatmates?|housemates?|brothers?|sisters?|kids|children|son|daughter|grandparents|grandmother|friends?)"
ONE = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("major", rf"^{SUBJECT_ZH}(?:大学|本科|研究生)?{ADVERBS_ZH}(?:的)?(?:专业(?:是)?|(?:学|读)的(?:专业)?是)(?P<x>[\u4e00-\u9fff]{{2,16}})$"),
        ("grade", rf"^{SUBJECT_ZH}{ADVERBS_ZH}(?:上|读|念)?{ADVERBS_ZH}(?P<x>[大高初研][一二三四五]|[一二三四五六七八九]年级)(?:了|的|学生)*$"),
        ("grown", rf"^{SUBJECT_ZH}{ADVERBS_ZH}(?:在)?(?P<x>[\u4e00-\u9fff]{{2,6}}?)长大{_END_ZH}"),
        ("studied", rf"^{SUBJECT_ZH}{ADVERBS_ZH}(?:大学)?{ADVERBS_ZH}在(?P<x>[\u4e00-\u9fff]{{2,8}}?)(?:上(?:的)?大学|读(?:的)?大学)(?:的|了|呢|读的?)*$"),
        ("school", rf"^{SUBJECT_ZH}{ADVERBS_ZH}在(?P<x>[\u4e00-\u9fff]{{2,8}}?)(?:上学|读书)(?:呢)?$"),
        ("colour", rf"^{SUBJECT_ZH}(?:现在|一直|其实)*最(?:喜欢|喜爱|爱)(?:的颜色是)?(?P<x>[红橙黄绿青蓝紫黑白灰粉棕金银]色?)(?:的)?$"),
        ("live with", rf"^i(?:'m| am)?(?: currently| still| now)? liv(?:e|ing) (?P<x>alone|by myself|on my own|{_WITH_EN}){_END_EN}"),
        ("live with", rf"^{SUBJECT_ZH}(?:现在|目前|一直|还|就|都|是|平时)*(?P<x>一个人住|自己住|独居|(?:和|跟)[\u4e00-\u9fff]{{1,6}}?(?:一起)?住|住家里|住在?家里){_END_ZH}"),
        ("dormitory", rf"^{SUBJECT_ZH}(?:现在|目前|一直|还|就|都|是|平时)*(?P<x>住校|住宿舍|住家里|住在?家里){_END_ZH}"),
        ("major", rf"^{SUBJECT_ZH}(?:大学|本科|是|也)*学(?P<x>[\u4e00-\u9fff]{{2,8}}?)(?:专业)?的$"),
        ("major", r"^(?:i(?:'m| am)? (?:currently |double )?major(?:ing|ed)? in|my major (?:is|was)|my degree is in) (?P<x>[a-z ]{4,30})$"),
        ("hand", rf"^{SUBJECT_ZH}(?:是)?(?:一?个)?(?P<x>左|右)撇子{_END_ZH}"),
        ("hand", r"^i(?:'m| am) (?P<x>left|right)[- ]?handed$"),
        ("hair", rf"^{SUBJECT_ZH}(?:现在)?(?:是|留着?|有|剪了?|一头)*(?P<x>[长短])(?:头)?发{_END_ZH}"),
        ("hair", r"^(?:i have|my hair is|i've got)(?: really| very)? (?P<x>long|short)(?: (?:curly|straight|wavy|blonde?|brown|black|red|dark))*(?: hair)?$"),
        ("hair colour", r"^(?:i have|my hair is|i've got)(?: (?:long|short|curly|straight|wavy|dark|light))* (?P<x>blonde?|brown|black|red|grey|gray|white|pink|blue)(?: hair)?$"),
        ("eyes", r"^(?:i have|my eyes are|i've got)(?: (?:big|light|dark|bright))* (?P<x>blue|brown|green|grey|gray|hazel)(?: eyes)?$"),
        ("car colour", r"^my car is (?:an? (?:\w+ )?)?(?P<x>red|blue|black|white|silver|grey|gray|green|yellow)(?: one)?$"),
        ("birth order", rf"^{SUBJECT_ZH}(?:是|在|家里?|排行)*(?P<x>老大|老二|老三|老幺|最大|最小|老小)(?:的)?(?:孩子)?{_END_ZH}"),
        ("birth order", r"^i(?:'m| am) the (?P<x>oldest|eldest|youngest|middle)(?: child| kid| one| sibling)?(?: of (?:\w+|my siblings)| in (?:my|the) family)?$"),
        ("gender", rf"^{SUBJECT_ZH}{ADVERBS_ZH}(?:一?个)?(?P<x>男|女)(?:的|生|孩子?|人|性)?$"),
        ("gender", rf"^{SUBJECT_ZH}(?P<x>不是(?:男|女))(?:的|生|孩子?|人|性)?$"),
        ("schooling", rf"^{SUBJECT_ZH}(?:的)?(?:现在|目前|最高|就|是|也)*(?:学历是|(?=[\u4e00-\u9fff]{{2}}学历))(?P<x>小学|初中|高中|中专|大专|本科|硕士|博士)(?:学历)?{_END_ZH}"),
    )
)  # fmt: skip
# ---- an interest that one has or has not
INTEREST = re.compile(
    rf"^{SUBJECT_ZH}{ADVERBS_ZH}(?:(?P<yes>有兴趣)(?:去|做|学)?(?P<x>[\u4e00-\u9fff]{{2,6}})|对(?P<y>[\u4e00-\u9fff]{{2,6}}?)(?:也|都|真的?|一点|其实|并)*(?:不感|没有?(?:什么|啥|太大|多大|太多)?|提不起)兴趣){_END_ZH}"
    r"|^i (?:really )?(?:have no|am not|don't have (?:any|much)|have zero|haven't any) interest(?:ed)? in (?P<z>[a-z ]{3,24})$",
    re.IGNORECASE,
)
# A trade, since one can be a good man and a teacher, or the boss and the cook.
OF_KIN = re.compile(rf"^我(?:的|家)?(?P<k>{_KIN_ZH})(?:现在|就|也)*(?:是|当|做)(?:一?[个名位])?(?P<x>[\u4e00-\u9fff]{{0,5}}(?:[教律厨设工程技理药]师|计师|程师|员|医生|老师|护士|司机|警察|农民|工人|会计|编辑|保安|记者|军人|裁缝))(?:的|了)?$")  # fmt: skip
OF_KIN_EN = re.compile(rf"^(?:my|our) (?P<k>mother|mom|mum|father|dad|husband|wife) (?:is|works as|'s)(?: now| also)? an? (?:[a-z]+ )?(?P<x>{_JOB_EN})(?: (?:at|in|for) .+)?$")  # fmt: skip
SAME_FILLER = {"住在家里": "住家里", "住宿舍": "住校", "自己住": "一个人住", "独居": "一个人住", "by myself": "alone", "on my own": "alone", "eldest": "oldest", "blond": "blonde", "gray": "grey", "老大": "最大", "老小": "最小", "老幺": "最小", "不是男": "女", "不是女": "男"}  # fmt: skip

# ---- had or not: the words that say that one has, and those that say that one has not
_NOW_ZH = r"(?:现在|目前|还|一直|也|是|都|就|只|其实|从来|从|平时|已经|早就|刚)*"
_PERSON_ZH = r"(?:人士|女性|男性|女士|男士|妇女|男人|女人|男青年|女青年|青年|人|贵族|汉)"
_MATE_ZH = "男朋友|女朋友|男友|女友|对象"
_PET_ZH = "猫|狗|狗狗|猫咪|兔子|仓鼠|鹦鹉|乌龟"
_BRAND_ZH = "宝马|奔驰|奥迪|大众|丰田|本田|特斯拉|比亚迪"
_HAVE_NO_EN = r"^(?:i|we) (?:(?:don't|do not) (?:currently )?(?:have|own|keep) (?:any |a )?|have no )"
_OR_HAVE_EN = r"|^(?:i|we)(?: now| also| only| already)? (?:have|'ve got|have got) "
HAD = tuple(
    (name, re.compile(yes, re.IGNORECASE), re.compile(no, re.IGNORECASE))
    for name, yes, no in (
        ("spouse", rf"^我(?:的|家)?(?:老公|老婆|丈夫|妻子|先生|太太){_DOES_ZH}(?!.*(?:去世|过世))|^我(?:们)?(?:已经|早就|都|去年|今年|上个月|刚刚?|现在|是)*(?:结婚|已婚|领证)(?:了)?(?:{NUM}(?:多)?(?:个月|年|天))?{_END_ZH}|^我{_NOW_ZH}(?:一?个|一名|一位)?已婚(?:的)?{_PERSON_ZH}?{_END_ZH}|^我{_NOW_ZH}(?:成家|有家室){_END_ZH}", rf"^我{_NOW_ZH}(?:一?个|一名|一位)?(?:未婚|单身)(?:的)?{_PERSON_ZH}{_END_ZH}|^我{_NOW_ZH}(?:快|马上|正|准备|打算|要|下个?月|明年)+结婚{_END_ZH}|^我(?:们)?{_NOW_ZH}(?:单身|没有?结婚|未婚|不是已婚|没有?(?:老公|老婆|丈夫|妻子)|没嫁人?|没娶)(?:一个人|狗|{NUM}年)?{_END_ZH}"),
        ("sweetheart", rf"^我(?:的|家)?(?:{_MATE_ZH})(?!都){_DOES_ZH}|^我{_NOW_ZH}(?:有(?:一?个|了)?(?:{_MATE_ZH})|(?:在)?谈恋爱|恋爱中|脱单){_END_ZH}", rf"^我{_NOW_ZH}(?:单身|没有?(?:谈)?(?:{_MATE_ZH}|恋爱))(?:一个人|狗|{NUM}年)?{_END_ZH}"),
        ("child", rf"^我(?:的|家)?(?:儿子|女儿|孩子|宝宝|大宝|二宝|闺女){_DOES_ZH}(?!.*(?:以后|将来|没))|^我(?:们)?(?:家)?{_NOW_ZH}(?:有|生了)(?:{NUM}个|个)?(?:儿子|女儿|孩子|宝宝|娃){_END_ZH}", rf"^我(?:们)?{_NOW_ZH}没有?(?:生)?(?:孩子|小孩|娃|宝宝){_END_ZH}"),
        ("sibling", rf"^我(?:的|家|亲)*(?:哥哥?|姐姐?|弟弟?|妹妹?){_DOES_ZH}|^我(?:家)?{_NOW_ZH}有(?:{NUM}个|个)?(?:亲)?(?:哥哥?|姐姐?|弟弟?|妹妹?|兄弟|姐妹){_END_ZH}", rf"^我(?:家)?{_NOW_ZH}(?:个|一个)?(?:独生(?:子女|子|女)?|没有?(?:亲)?(?:兄弟姐妹|哥哥姐姐|弟弟妹妹|兄弟)){_END_ZH}|^我?家(?:里)?(?:就|只有)我一个(?:孩子)?{_END_ZH}"),
        ("pet", rf"^我(?:的|家)?(?:的)?(?:{_PET_ZH}){_DOES_ZH}|^我(?:们)?(?:家)?{_NOW_ZH}(?:有|养)(?:了|着)?(?:{NUM}?[只条个])?(?!热)[\u4e00-\u9fff]{{0,2}}(?:{_PET_ZH}|宠物|金鱼){_END_ZH}", rf"^我(?:们)?(?:家)?(?:里)?{_NOW_ZH}(?:不养|没有?养?过?)(?:任何|什么)?(?:宠物|小动物){_END_ZH}"),
        ("car", rf"^我{_NOW_ZH}(?:开(?:的是)?(?:一?辆)?(?:{_BRAND_ZH})|有(?:一?辆|了|自己的)*车){_END_ZH}|^我的车[是在]", rf"^我(?:们)?(?:家)?{_NOW_ZH}没有?(?:买)?车{_END_ZH}"),
        ("house", rf"^我(?:家)?{_NOW_ZH}(?:有(?:一套|一?栋|自己的)*(?:房子?|公寓)|买(?:了)?房子?){_END_ZH}", rf"^我(?:们)?(?:家)?{_NOW_ZH}没有?(?:买)?(?:自己的)?房子?{_END_ZH}"),
        ("smoking", rf"^我(?:们)?{_NOW_ZH}(?:经常|每天|天天|老是?|偶尔|会|有时候?|一天)*(?:抽烟|吸烟|有烟瘾|[抽吸]{NUM}?[包根支]烟?){_END_ZH}|^我一天{NUM}[包根支]烟{_END_ZH}", rf"^我(?:们)?{_NOW_ZH}(?:不|没)(?:会|有)?(?:抽|吸)过?烟{_END_ZH}|^我{_NOW_ZH}戒烟{_END_ZH}"),
        ("kids", rf"^(?:my|our) (?:son|daughter|kids?|children|oldest|youngest|baby|twins){_DOES_EN}|^(?:my|our) (?:kids|children|twins) (?:are|have|go|love|like|live){_OR_HAVE_EN}(?:an?|one|{_MANY_EN}) (?:little |small |young |grown |adult |older )?(?:kids?|child(?:ren)?|sons?|daughters?|baby){_END_EN}", rf"{_HAVE_NO_EN}(?:kids|children|child|son|daughter){_END_EN}|^i(?:'m| am) childless{_END_EN}"),
        ("spouse", rf"^my (?:husband|wife|spouse){_DOES_EN}|^i(?:'m| am)(?: happily| now| already)* married(?: to (?!my\b|the\b)[a-z' ]+| with (?:[a-z]+ )?(?:kids|children)| for .+)?{_END_EN}|^i(?:'m| am)(?: now| already| happily| also)* an? (?:happily )?(?:married (?:man|woman|guy|lady|person)|newlywed|husband|wife){_END_EN}|^i(?:'ve| have) been (?:happily )?married for .+", rf"^i(?:'m| am) (?:not(?: yet)? |un)married{_END_EN}|^i(?:'m| am)(?: still| currently)? single{_END_EN}|^i(?:'m| am)(?: still| currently| just)* an? (?:\w+ )?(?:bachelor(?:ette)?|spinster|single (?:man|woman|guy|girl|lady|person|mom|mum|mother|dad|father)){_END_EN}|^i(?:'m| am)(?: finally| soon| going to be| about to get| getting| going to get)+ married(?: (?:soon|next \w+|in \w+|this \w+))?{_END_EN}|^i(?:'ve| have) never been married{_END_EN}"),
        ("sweetheart", rf"^my (?:boyfriend|girlfriend){_DOES_EN}{_OR_HAVE_EN}a (?:boyfriend|girlfriend|partner){_END_EN}", rf"^i(?:'m| am)(?: still| currently)? single{_END_EN}|^i(?:'ve| have) been single for .+|{_HAVE_NO_EN}(?:boyfriend|girlfriend|partner){_END_EN}"),
        ("pet", rf"^(?:my|our) (?:dog|cat|puppy|kitten|parrot|rabbit|hamster)(?:'s name)?(?:{_DOES_EN}| (?:sleeps|eats|barks)\b){_OR_HAVE_EN}(?:an?|one|{_MANY_EN}) (?:little |small |old |young |black |white |big )?(?:dogs?|cats?|parrots?|rabbits?|hamsters?|pupp(?:y|ies)|kittens?){_END_EN}", rf"{_HAVE_NO_EN}pets?(?: at home)?{_END_EN}|^i(?:'ve| have) never had (?:a |any )?pets?{_END_EN}"),
        ("siblings", rf"^my (?:older |younger |big |little |twin )?(?:brother|sister){_DOES_EN}|^my (?:older |younger |big |little )?(?:brothers|sisters) (?:are|have|live|work){_OR_HAVE_EN}(?:an?|one|{_MANY_EN}) (?:older |younger |big |little |twin )?(?:brothers?|sisters?|siblings?){_END_EN}", rf"^i(?:'m| am) an only child{_END_EN}|{_HAVE_NO_EN}(?:siblings|brothers or sisters|brothers and sisters){_END_EN}"),
        ("car", rf"^my car (?:is|has|needs|broke)\b|^i drive an? (?:[a-z]+ )?(?:toyota|honda|ford|bmw|audi|mercedes|volkswagen|vw|volvo|tesla|fiat|skoda|nissan|mazda|kia|hyundai){_END_EN}{_OR_HAVE_EN}an? (?:new |old |used |second-hand |small |big |electric )?car{_END_EN}|^i own an? (?:new |old |used |small |electric )?car{_END_EN}", rf"{_HAVE_NO_EN}car{_END_EN}|^i(?:'ve| have) never owned a car{_END_EN}"),
        ("smoking", rf"^i(?: still| usually| often| also| sometimes| do)? smoke(?: cigarettes| a lot| daily| every day| (?:an?|one|{_MANY_EN}|half a) (?:packs?|cigarettes?)(?: of cigarettes)? (?:a|per|every) day)?{_END_EN}|^i(?:'m| am) a (?:heavy |chain |light )?smoker{_END_EN}", rf"^i (?:don't|do not|never|no longer) smoke(?: cigarettes| tobacco)?{_END_EN}|^i(?:'m| am) (?:a non-?smoker|not a smoker){_END_EN}|^i(?:'ve| have) never smoked{_END_EN}|^i (?:quit|stopped) smoking{_END_EN}"),
        ("drinking", r"^i (?:often |usually |regularly |always |like to )?drink (?:a lot of |a |some )?(?:beer|wine|whisk(?:e)?y|alcohol|vodka|cocktails)(?= every| with| after|$)", rf"^i (?:don't|do not|never|no longer) drink(?: any)?(?: alcohol)?{_END_EN}|^i(?:'m| am) (?:sober|a teetotal\w+){_END_EN}"),
    )
)  # fmt: skip
