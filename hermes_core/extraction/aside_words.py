"""The wordings that asides.py looks for, English and Chinese side by side. Patterns only; no rule may live here."""

from __future__ import annotations

import re

_LEAD_EN = r"(?:please|pls|kindly|just|can you|could you|would you|will you|i want you to|i'd like you to|i need you to|help me(?: to)?|you can|you should|you may|now|ok|okay|so|actually|and|then|but|hey|sorry|also|let's|wait|no)"
_START_EN = (
    rf"(?:(?<![^\n.!?;,:—–])[^\S\n]*|(?<=[.!?;,:] ))(?:{_LEAD_EN}[\s,]+)*"  # a line's start runs over no other line
)
_START_ZH = r"(?:^|(?<=[\n，。！？,.!?；;：:\s]))(?:那就?|所以|然后|顺便|还是|算了|麻烦你?|请你?|拜托你?|你|帮我|能不能|可不可以|可以|就|能|我想让你|我希望你|我要你)*"

_TASK = r"(?:write|draft|compose|translate|rewrite|re-write|proofread|polish|paraphrase|rephrase|summari[sz]e|transcribe|type up|post|tweet|send|reply|respond with|say|repeat|print|continue|complete|convert|turn|put)"
_TEXTS = r"(?:grammar|spelling|wording|sentences?|text|paragraph|e-?mail|letter|essay|message|translation|draft|statement|quote|note|post|caption)"
_TASK_ZH = r"(?:写|起草|草拟|拟|翻译|译|润色|改写|修改|改一下|校对|缩写|扩写|总结|概括|续写|仿写|造句|朗读|念|回复|发|转成|改成)"

# "Write an email to my boss: …", "Check the grammar of this sentence: …", 「帮我写封邮件：…」
TASK_COLON = re.compile(
    rf"{_START_EN}{_TASK}\b[^\n.!?:：\"“”]{{0,90}}[:：]\s*?(?=\S|\n|$)"
    rf"|{_START_EN}(?:check|correct|fix|edit|improve|review|grade|shorten|simplify|analy[sz]e|classify|read)\b[^\n.!?:：]{{0,50}}?\b{_TEXTS}\b[^\n.!?:：]{{0,40}}[:：]"
    rf"|{_START_ZH}(?:把[^\n。！？：:]{{1,24}}?)?{_TASK_ZH}[^\n。！？!?：:「“\"]{{0,40}}[：:]",
    re.IGNORECASE | re.MULTILINE,
)
TASK_QUOTE = re.compile(
    rf"(?:{_START_EN}{_TASK}\b[^\n.!?\"“”]{{0,60}}|{_START_ZH}(?:把|{_TASK_ZH}[^\n。！？「“\"]{{0,30}}))(?P<words>[\"“「][^\"”」\n]+[\"”」])",
    re.IGNORECASE | re.MULTILINE,
)

# "Write an email saying I'm allergic to nuts", "translate I live in Rome", 「翻译一下我住在罗马」: what follows, to the end of the sentence.
_START = rf"(?:{_START_EN}|{_START_ZH}\s{{0,8}})"  # bounded: every blank of a long gap begins one
TASK_SAYING = re.compile(
    rf"{_START}(?:write|draft|compose|type|create|make|send|post|tweet|text|reply|respond|email|message|print|say|generate|give me|prepare)\b[^\n.!?:\"“”]{{0,80}}?(?<![a-z])(?:saying|stating|claiming|which says?|that says?|that reads|telling (?:him|her|them|[\w' ]{{1,20}}?) that|in which i say|to say)(?: that)?[\s,]+(?=\S)"
    rf"|{_START}translate\s+(?=(?:i|i'm|im|i've|ive|i'd|we|we're|我|my [\w ]{{1,25}}? (?:is|are))(?![a-z])|[\u4e00-\u9fff])"
    rf"|(?:{_START_EN})?how (?:do|would|can|should) (?:you|i|we|one) say\s+(?=\S)"
    rf"|{_START_ZH}(?:翻译|译)(?:一下|下)?\s*(?=(?:我(?!的|这|们?写|发)|i'm|im|i|i've|we|my)(?![a-z]))",
    re.IGNORECASE | re.MULTILINE,
)

_PEOPLE_ZH = r"(?:同事|朋友|老板|领导|经理|客户|同学|室友|舍友|邻居|闺蜜|网友|医生|大夫|老师|爸爸?|妈妈?|爷爷|奶奶|外公|外婆|哥哥?|姐姐?|弟弟?|妹妹?|老公|老婆|男朋友|女朋友|男友|女友|儿子|女儿|孩子|表[哥姐弟妹]|堂[哥姐弟妹]|叔叔|阿姨|舅舅|房东|他们?|她们?|有人|别人|人家|对方|[小老阿][\u4e00-\u9fff]{1,2}?|[\u4e00-\u9fff]{1,2}(?:总|姐|哥|老师|先生|女士|经理|主任))"
_SAYS = r"(?:said|says|told (?:me|us|him|her|them)|tells (?:me|us)|wrote|writes|texted|texts|emailed|messaged|replied|answered|asked|goes|went|was like|is like|claims|claimed|posted|tweeted|shouted|commented)"
_WHO = r"(?:(?:my|our|the|a|an|his|her|their|this|that|some|one) (?:[\w'-]+ ){0,4}?[\w'-]+|he|she|they|(?:someone|somebody|everyone|one)(?: [\w'-]+){0,3}|(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?))"
# "My colleague said: I live in Berlin", 「同事说：我住在柏林」; a doctor's finding after a comma may well be the user's own.
OTHERS_SAID = re.compile(
    rf"(?:(?<![^\n.!?;,])\s*|\b(?:and|but|then|so|because|when|while|as|today|yesterday)\s+){_WHO} (?:just |once |always |recently |also |then |yesterday |today )?{_SAYS}\b(?:[^\n:.!?]{{0,30}}:|(?<!\bgoes)(?<!\bwent)(?: me| us| back)?,)\s*"
    rf"|(?:我们?的?|咱们?|他的?|她的?|公司的?)?(?:那个|一个|有个|隔壁)?(?:{_PEOPLE_ZH})(?:[小老阿]?[\u4e00-\u9fff]{{0,2}})(?:今天|昨天|刚才|刚刚|跟我|对我|和我|在群里|在微信上?|总|老|经常|又)*(?:说|问|写道|回复?我?|讲|喊|告诉我|发消息|发微信|发邮件|留言)(?:道|了|过|说)?[：:]"
    rf"|(?:我们?的?|他的?|她的?)?(?:那个|一个|有个|隔壁)?(?!医生|大夫)(?:{_PEOPLE_ZH})(?:今天|昨天|刚才|刚刚|跟我|对我|和我)*(?:说|写道|告诉我)(?:道|了|过)?[，,]",
    re.IGNORECASE,
)

JOKE = re.compile(
    r"(?<![a-z'])(?:(?:as|for|it's|it was|that's|that was) a joke|(?:just |only |i'm |i am |i was )+(?:kidding|joking)|kidding[!.]|jk|j/k|pulling your leg|april fools?|in jest)(?![a-z])"
    r"|开(?:个)?玩笑(?:的|啦|而已|哈|哦|罢了)|开个玩笑|逗你(?:的|玩|呢)|说着玩|闹着玩|骗你的|瞎说的|胡说的",
    re.IGNORECASE,
)
NO_JOKE = re.compile(
    r"(?:not|n't|no|never) (?:a )?(?:kidding|joking|joke|pulling)|kidding me|(?:joking|kidding) aside|不(?:是|在)?开玩笑|没(?:有|在)?开玩笑|别开玩笑|(?:喜欢|爱|讨厌|不要)[^，。]{0,8}开玩笑",
    re.IGNORECASE,
)

# "forget that I live in Lisbon", 「忘掉我住在深圳这件事」: up to where something else is said
FORGET_CLAUSE = re.compile(
    rf"(?P<wish>{_START_EN}(?:(?:forget|unlearn|disregard)\s+(?!it\b(?! that)|about it\b|what i (?:just )?said(?: before| earlier)?\s*(?:[,.;:!—]|$))(?:that|about|my|our|everything|anything|all|what|the|this|i\b|where|how|who|it that)"
    rf"|(?:don't|do not|never|stop) (?:remember|remembering|sav(?:e|ing)|stor(?:e|ing)|memori[sz](?:e|ing)|keep(?:ing)? (?:a )?(?:record|note)s? (?:of|that)|record(?:ing)?)\s+(?:that \w|about|my|our|everything|anything|what|the fact|i\b|where|how)"
    rf"|(?:delete|remove|erase|wipe|clear|drop)\b[^.!?\n]{{0,60}}\b(?:from (?:your |the )?memor(?:y|ies)|your memor(?:y|ies)|what you know about|you know about me|about me)\b)"
    rf"|{_START_ZH}(?:忘掉|抹掉|删掉|删除|清除|(?<!你)忘了(?=我|这|那|刚才|之前|关于|有关|他|她)|(?<!你)忘记(?=我|这|那|刚才|之前|关于|有关)|(?:别|不要|不用|不必|无需|请勿)再?(?:记(?:住|下|录|得)?|保存|存)(?=我|这|那|关于|有关|他|她|刚才))"
    rf"|(?<!我)把(?=[^，。！？\n]{{0,30}}(?:我|这|关于|信息|记忆|资料))[^，。！？\n]{{1,30}}(?:忘掉|忘了|忘记|删掉|删了|删除|抹掉|清除)"
    rf"|(?:^|(?<=[，。！？\n]))[^，。！？\n]{{2,30}}(?:这件事|这事|这个|这条|这些|这点)你?(?:请|就)?(?:忘掉|忘了吧|忘记吧|别再?记|不要再?记|删掉|不用记))",
    re.IGNORECASE | re.MULTILINE,
)
FORGET_END = re.compile(
    r"[!?;。！？；\n]|\.(?=\s|$)|[，,](?!\d)\s*(?=(?:but|instead|because|since|i|i'm|i've|my|we|please|now|it)\b|[\u3400-\u9fff])|\s(?=(?:but|because) )",
    re.IGNORECASE,
)
# "…, but don't remember that", 「……，这个别记」: the whole sentence
FORGET_ALL = re.compile(
    r"(?:(?<![^\n.!?;,—])\s*|\b(?:please|but|and|so|just)\s+)(?:don't|do not|never) (?:remember|save|store|keep|memori[sz]e|record|note)\s+(?:that|this|it|any of (?:that|this))(?: down)?\s*(?=[.!,;)]|$|please|though|ok)|\boff the record\b"
    r"|(?:这个?|这件事|这些|它|请|就|但|你|[，,]|^)(?:别|不要|不用|不必)再?(?:记(?:住|下来?|录|着|了)?|保存|存)(?:它|这个|了|吧|哦|啊|哈|呀)*(?=[，。！？,.!?\s]|$)",
    re.IGNORECASE | re.MULTILINE,
)

_TONGUES = r"(?:english|chinese|mandarin|french|german|spanish|italian|japanese|korean|russian|arabic|portuguese|dutch)"
ONE_OFF = re.compile(
    r"(?<![a-z])(?:(?:just|only) (?:for )?(?:this (?:one|once|time)|once|now|today)|for this (?:one|time|once|answer|reply|question|message)(?: only)?|this (?:one )?time|(?:only|just) in this (?:answer|reply|case)|for the next (?:answer|reply|question|one)|for once|in this (?:answer|reply|message)(?: only)?|this once|for now|one[- ]time only|as a one[- ]off)(?![a-z])"
    r"|就?这一?次|这一?回(?!事)|仅此一次|仅限这次|下(?:一个|一条|个|条)?(?:回答|回复)|这(?:个|道|条)(?:问题|回答|回复|题)|暂时先?|今天先|先暂时",
    re.IGNORECASE,
)
ONE_OFF_TOPIC = re.compile(
    rf"(?<![a-z])(?:answer|reply|replies|respond|response|explain|write|speak|talk|use|keep|give me|make it|format|bullets?|bullet points|emojis?|table|short|brief|concise|detailed|longer|shorter|tone|formal|casual|in {_TONGUES}|please)(?![a-z])"
    r"|回答|回复|用[\u4e00-\u9fff]{1,4}[语文]|简短|简洁|详细|短一?点|长一?点|列表|表格|表情|语气|正式|讲|解释|举例|分点|翻译|说",
    re.IGNORECASE,
)
NO_ONE_OFF = re.compile(
    r"(?<![a-z])(?:from now on|always|every time|each time|going forward|(?<!i'd )i (?!want|need|prefer|would|'d))|以后|每次|从现在|今后|一直|(?<![给跟对和帮让叫])我(?!想|要|希望|需要)",
    re.IGNORECASE,
)

_SECRET = r"passwords?|passcode|passphrase|pin(?: code| number)|pin|api[ _-]?keys?|secret keys?|access (?:keys?|tokens?)|private keys?|seed phrase|recovery (?:phrase|code)|cvv|cvc|security code|ssn|social security(?: number)?|(?:credit|debit|bank) ?card(?: number)?|card number|(?:bank )?account number|iban|routing number|passport number|otp|verification code"
SECRET_NAMED = re.compile(
    rf"(?P<what>(?:(?<![a-z])(?:{_SECRET})(?: (?:for|of|on|at) (?:my |the )?[\w' -]{{1,30}}?)?|(?:支付|登录|银行卡?|信用卡|开机|手机|邮箱|微信|wifi|账号)?(?:密码|口令|验证码|PIN码|密钥|私钥|助记词|安全码)|(?:银行|信用)?卡号|(?:银行|信用)卡|身份证(?:号码?)?|护照号码?|社保号))"
    r"(?:(?:'s|\s+is|\s+was|\s+are|\s*[:：=]|\s+changed to|\s*(?:是|为|改成了?|设成了?|换成了?))(?!\s*(?:too|so|very|not|in|on|at|safe|strong|weak|required|stored|expired|about|hard|easy|wrong|lost|always|never|long|short|stolen|gone|new|old|the same|kept|important|protected|managed|maxed|blocked|declined|full|frozen)\b|\s*(?:什么|多少|啥|不|很|太|错|对|被|[^\sA-Za-z0-9]{0,6}(?:生日|名字)[^\d]*$))\s*\S+|\s*[a-z]{0,4}\d[\d -]{2,}\S*"
    r"|(?<=[码令钥词卡号])(?:以后|今后|都|就|一律|统一|一直|全部?|也|默认|请|要)*(?:用|设|填|输入?)(?:成|为)?(?!什么|哪|多少|指纹|密码|手机|浏览器|管理|工具|不|强|复杂|长|大写|字母|数字|中文|随机|别)\s*[A-Za-z0-9!@#$%^&*_.-]{3,})",
    re.IGNORECASE,
)
# "use the password swordfish": the word after it is the secret, whatever it looks like.
SECRET_USED = re.compile(
    r"(?<![a-z])(?:use|using|enter|type|try|set|log ?in with|sign in with|unlock with) (?:the |my |this |our |a )?(?:[\w-]+ )?(?P<what>password|passcode|passphrase|pin(?: code)?|api key)[ :=]+[\"'“‘]?"
    r"(?!(?:manager|managers|protection|protected|generator|field|reset|policy|hash\w*|prompt|for|to|that|which|and|or|in|on|at|when|whenever|every|only|is|was|are|as|with|from|by|instead|again|everywhere|anywhere|please|now|you|i|we|without|login|authentication|auth|screen|input|rather|than|but|if|because|since|so|first|always|never|of|the|a|an|too|correctly|wrong)(?![\w-]))[^\s\"'”’.,!?]{3,}",
    re.IGNORECASE,
)
SECRET_SHAPED = re.compile(
    r"\bsk-[A-Za-z0-9_-]{12,}|\bgh[pousr]_\w{20,}|\bAKIA[0-9A-Z]{12,}|\bxox[abprs]-\S{10,}|\beyJ[\w-]{20,}\.|-----BEGIN [A-Z ]*PRIVATE KEY"
)

# "Is this sentence right? …", 「这句话通顺吗？……」: what follows is the sentence.
CHECKED = re.compile(
    r"(?:is|are|does|do|was) (?:this|these|the following|my)(?: english| following)? (?:sentences?|phrases?|text|paragraph|translation)\b[^\n?:]{0,40}[?:]"
    r"|(?:这|下面|以下)(?:句|段|几句)?(?:话|句子|文字)?[^\n。？?，]{0,6}(?:对|通顺|正确|地道|有语病|语法)[^\n。？?]{0,6}[吗么？?：:]+",
    re.IGNORECASE,
)
# "My sister: I live in Paris"
OTHERS_LABEL = re.compile(
    r"(?:(?<![^\n.!?])\s*)(?:my|our|his|her) (?:[a-z-]+ )?(?:sister|brother|mom|mum|mother|dad|father|wife|husband|partner|friend|boss|manager|colleague|co-?worker|teacher|doctor|son|daughter|roommate|neighbou?r|boyfriend|girlfriend|client)(?: [A-Z][a-z]+)?:\s*"
    r"|(?<![^\n。！？])我的?(?:妹妹?|姐姐?|哥哥?|弟弟?|妈妈?|爸爸?|老婆|老公|朋友|老板|同事|老师|医生|儿子|女儿|室友|邻居|男友|女友|客户)[：:]\s*",
    re.IGNORECASE,
)
# "According to your memory …": what the assistant is said to know is nobody's statement.
OF_MEMORY = re.compile(
    r"(?:according to|based on|as per|from) (?:your|my|the) (?:memory|memories|notes|records|profile)\b|\b(?:your|the) (?:memory|memories|notes|records) (?:say|says|show|shows|state|states)\b"
    r"|(?:根据|按照?|依据)你的?(?:记忆|记录|笔记|资料)|你的?(?:记忆|记录|笔记)(?:里|中|上)?(?:说|写|显示|记着)",
    re.IGNORECASE,
)
TRANSCRIPT = re.compile(
    r"^[ \t]*(?:user|human|me|用户|我)[ \t]*[:：].*\n+[ \t]*(?:assistant|ai|bot|chatgpt|gpt|助手|助理)[ \t]*[:：]",
    re.IGNORECASE | re.MULTILINE,
)
