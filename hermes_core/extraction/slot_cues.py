"""Words without which a guess at a slot is none, English and Chinese. Data; what is guessed is claims.py's business."""

from __future__ import annotations

import re

# Slots that only the words themselves may open: a sentence that merely resembles theirs tells something else.
CUES = {
    "employer": re.compile(
        r"(?<![a-z])(?:work\w*|job|employ\w*|hired?|joined|join|intern\w*|compan(?:y|ies)|firm|boss|team|teach|career|business|startup|office|shifts?)(?![a-z])"
        r"|工作|上班|公司|入职|打工|任职|实习|单位|老板|集团|任教|教书|创业|厂|就职",
        re.IGNORECASE,
    ),
    "parents": re.compile(
        r"(?<![a-z])(?:parents?|moms?|mums?|mothers?|dads?|fathers?|folks|mama|papa|adopt\w*|orphan\w*|foster|step\w+|raised|family|daddy|mommy|mummy|ma|pa)(?![a-z])|[爸妈爹娘]|父|母|双亲|孤儿|家里",
        re.IGNORECASE,
    ),
    "children": re.compile(
        r"(?<![a-z])(?:kids?|child(?:ren|less)?|sons?|daughters?|bab(?:y|ies)|toddler|infant|newborn|pregnan\w+|expecting|mom|mum|mother|dad|father|mommy|daddy|parents?|twins|triplets|grand\w+|boys?|girls?|birth|step\w+|adopt\w*|little ones?|teenagers?|family)(?![a-z])"
        r"|孩|儿|女|娃|宝|孙|妈|爸|怀孕|生|二胎|胎|当爹|家",
        re.IGNORECASE,
    ),
    "siblings": re.compile(
        r"(?<![a-z])(?:brothers?|sisters?|siblings?|twins?|triplets?|only child|family|oldest|youngest|eldest|middle|bro|sis|step\w+|half-\w+)(?![a-z])|哥|弟|姐|妹|兄|胞|独生|老大|老二|排行|家",
        re.IGNORECASE,
    ),
    "age": re.compile(
        r"\d|(?<![a-z])(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:thir|four|fif|six|seven|eigh|nine)teen|eleven|twelve|(?:i am|i'm|i turned|turned|turning) (?:two|three|four|five|six|seven|eight|nine|ten)|born|birth|twenties|thirties|forties|fifties|sixties|seventies|eighties|teens?|teenager|minor|of age)(?![a-z])"
        r"|岁|后|[一二三四五六七八九]?十|[一二三四五六七八九十]|出生|年生|属",
        re.IGNORECASE,
    ),
    "diet": re.compile(
        r"(?<![a-z])(?:eat\w*|ate|diet\w*|drink\w*|avoid\w*|limit\w*|cut\w*|fast|fasting|intake|low|carbs?|consum\w*|veg\w*|plant|keto|kosher|halal|paleo|calori\w*|meat\w*|stay away|steer|gave up|given up|giving up|quit|stopped|meals?|protein|food|can't have|no longer|-free)(?![a-z])"
        r"|吃|喝|饮食|忌|素|戒|斋|控|减|碳水|断食|少油|少盐|清淡|清真|餐|食",
        re.IGNORECASE,
    ),
}
