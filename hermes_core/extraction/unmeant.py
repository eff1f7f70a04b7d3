"""What a clause says in the first person and nobody means of the present speaker: a dream, a game, a song, another one's
words; and what was, or is still to come, in the words of what is ("I start at Meta next month").

By words alone, English and Chinese. Only the clause and what stands before it in its sentence are looked at.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hermes_core.extraction.frames import Match
from hermes_core.extraction.lexicon import plain
from hermes_core.extraction.reading import Reading

_GAMES = (
    r"(?:minecraft|roblox|fortnite|skyrim|gta(?: \w+)?|stardew(?: valley)?|animal crossing|the sims(?: \d)?|sims(?: \d)?|zelda|world of warcraft|wow|runescape|d&d|dnd"
    r"|(?:my|the|this|that|a) (?:video ?|board ?|computer )?(?:game|dream|nightmare|novel|story|play|movie|film|role[- ]?play|rpg|campaign))"
)
_SONG = r"(?:the |this |that |my |a )?(?:song'?s? )?(?:lyrics?|song|chorus|verse|poem|quote|line|refrain|meme|proverb|saying|hook) (?:go(?:es)?|say|says|said|is|are|reads?|like)(?: like(?: this)?)?"
# ... at the end of what stands before the clause, or at its start.
_LEADS = re.compile(
    rf"(?:(?<![a-z])(?:dreamt|dreamed|dreaming|(?:had|have) (?:a|this) (?:\w+ )?(?:dream|nightmare)(?: where| in which)?)(?: that| last night)?"
    rf"|(?<![a-z])in {_GAMES}|(?<![a-z]){_SONG}"
    r"|(?:^|[\s,.])(?:he|she|they|(?:my|the|this|some|our) [\w'-]+(?: [\w'-]+)?)(?: goes| go| went|'s like| is like| was like| be like| are like| were like)(?: to me| all)?"
    r"|梦见|梦到|做梦(?:说)?|游戏里|歌词(?:里)?(?:是|说|唱)?)[\s,，:：\"“'‘]*$",
    re.IGNORECASE,
)
_OPENS = re.compile(
    rf"(?:(?:last night|yesterday|once|today|the other (?:day|night)),? )?(?:i|we)(?:'ve| have)? (?:just |once |also )?(?:dreamt|dreamed|had a (?:\w+ )?(?:dream|nightmare))(?: last night)?(?: that| where| in which)? (?:i|we|my|i'm|i'd)(?![a-z])"
    rf"|in {_GAMES},? (?:i|we|i'm|my|we're|i've)(?![a-z])|{_SONG},? (?:\"|“)?(?:i|my|we|i'm)(?![a-z])"
    r"|[我昨晚天今夜]*(?:梦见|梦到)|在?[\u4e00-\u9fffA-Za-z]{0,8}游戏里",
    re.IGNORECASE,
)
# "For example, I'm a nurse and I need a lesson plan": somebody made up. Only where the turn begins with it.
_EXAMPLE = re.compile(r"\s*(?:so |ok,? |like,? )?(?:for example|for instance|e\.?g\.?|let's say|say)[\s,:]+$", re.I)
_MADE_UP = re.compile(r"(?:i'm|im|i am) an? ", re.I)
# "Don't tell my wife", "to my job haha" (after "Are you married?")
_ORDER = re.compile(
    r"(?:please |pls |just |but )?(?:(?:don'?t|do not|never) )(?:ever )?(?:tell|let|show|call|text|wake|ask|inform) (?:my|our|the|him|her|them|anyone|anybody|any of)(?![a-z])",
    re.I,
)
_TO_WORK = re.compile(r"(?:i'?m |i am )?(?:married )?to (?:my|the) (?:jobs?|work|career|couch|bed|phone|computer|desk|laptop|games?|sofa|studies|business)(?![a-z])", re.I)  # fmt: skip
# 「我住在以前住北京」: what a question makes of an answer about the past.
_WAS_ANSWERED = re.compile(r"^我(?:是|住在|住|在|叫|做|的[\u4e00-\u9fff]{1,4}是)(?:我)?(?:以前|之前|曾经|从前|原来|过去|原先|早先)")  # fmt: skip


def unmeant(reading: Reading, turn: str) -> bool:
    """Whether the clause says nothing of its speaker: dreamt, played, sung, quoted, made up, or an order to keep quiet."""
    core, lead = plain(reading.core), _before(reading, turn)
    if _OPENS.match(core) or _ORDER.match(core) or _TO_WORK.match(core) or _WAS_ANSWERED.match(core):
        return True
    if reading.standing:
        return False
    if _EXAMPLE.fullmatch(plain(turn[: reading.start])) and _MADE_UP.match(core):
        return True
    return _LEADS.search(lead) is not None


def _before(reading: Reading, turn: str) -> str:
    """What stands in the clause's sentence before it."""
    return re.split(r"[.!?。！？;；\n]", plain(turn[: max(0, reading.start)]))[-1]


_NATIONS = frozenset(
    """afghan african dominican albanian algerian american arab argentine argentinian armenian asian australian aussie austrian azerbaijani bangladeshi
    basque belarusian belgian bolivian bosnian brazilian british briton bulgarian burmese cambodian cameroonian canadian catalan chilean chinese
    colombian congolese croatian cuban cypriot czech danish dutch ecuadorian egyptian english eritrean estonian ethiopian european filipino filipina
    finnish flemish french georgian german ghanaian greek guatemalan haitian hispanic hungarian icelandic indian indonesian iranian iraqi irish
    israeli italian jamaican japanese jordanian kazakh kenyan korean kurdish kuwaiti latina latino latvian lebanese libyan lithuanian malaysian
    maltese mexican moldovan mongolian moroccan nepalese nepali nigerian norwegian pakistani palestinian panamanian persian peruvian polish
    portuguese punjabi romanian russian rwandan saudi scottish senegalese serbian singaporean slovak slovenian somali spanish sudanese swedish swiss
    syrian taiwanese tanzanian thai tibetan tunisian turkish ugandan ukrainian uruguayan uzbek venezuelan vietnamese welsh yemeni zimbabwean""".split()
)
_FAITHS = frozenset(
    "muslim jewish hindu buddhist catholic protestant orthodox sikh atheist agnostic baptist lutheran mormon methodist evangelical anglican jain pagan wiccan taoist shia sunni".split()
)
_SIGNS = frozenset(
    "aries virgo aquarius pisces taurus gemini cancer libra scorpio sagittarius capricorn infp infj intj intp enfp enfj entj entp istp istj isfp isfj estp estj esfp esfj".split()
)
_SAID_OF_SELF = re.compile(r"(?:i'm|im|i am)(?: also| still| actually)* ", re.I)

_EVENT, _PLAN = "event", "plan"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_STAYS = re.compile(r"(?<![a-z])stay(?:ing|ed)?(?![a-z])", re.I)
_FOR_A_WHILE = re.compile(
    r"(?<![a-z])(?:(?:'?til|till|until|through)(?![a-z])|for (?:an? |the |one |two |three |four |five |six |\d+ |a few |a couple of |this |next )*(?:night|day|week|weekend|bit|while|holiday|conference|trip|month)s?(?![a-z])|tonight|this week(?:end)?|over (?:the weekend|christmas|easter))",
    re.I,
)
_TO_COME = re.compile(
    rf"(?<![a-z])(?:start(?:ing)?|begin(?:ning)?|join(?:ing)?) (?:.* )?(?:next (?:\w+)|tomorrow|soon|(?:in|this coming|come|this) {_MONTH}|on {_DAY}|in (?:an? |the |two |three |four |six |\d+ |few |couple of )*(?:days?|weeks?|months?|years?|fall|autumn|spring|summer|winter))$"
    r"|下(?:个)?(?:月|周|星期|学期)|明年|明天|后天|即将|马上(?:就)?要|快要|将要|准备去|打算去",
    re.I,
)
_SINCE_WHEN = re.compile(r"(?<![a-z])(?:since|started|began|joined|ago|last)(?![a-z])|已经|了$", re.I)
_WAS = {
    "diet": re.compile(
        r"(?:i|we)(?: also| once| actually)* (?:was|were|had been|'d been) (?!diagnosed|told|raised|born)", re.I
    ),
    "occupation": re.compile(r"(?:i|we)(?: also| once| actually| first)* (?:was|were|had been) (?:once )?an? ", re.I),
}
_STILL = re.compile(r"(?<![a-z])(?:still|and i am|until now|so far|always)(?![a-z])", re.I)
_BACK_WHEN = re.compile(
    r"(?:back )?(?:when|while) (?:i|we) (?:lived|worked|was|were|used|studied|had|resided)(?![a-z])", re.I
)


def placed_in_time(reading: Reading, match: Match) -> Match:
    """The frame's match, or another slot where the words tell what was, is to come, or lasts for days only."""
    core = plain(reading.core).strip(" .!,")
    if match.polarity < 0:
        return match
    if match.slot == "name" and _SAID_OF_SELF.match(core):
        return replace(match, slot=_no_name(match.value.casefold()))
    if match.slot in ("residence", "employer", "occupation", "diet") and _BACK_WHEN.match(core):
        return replace(match, slot=_EVENT)
    if match.slot == "residence" and _STAYS.search(core) and _FOR_A_WHILE.search(core):
        return replace(match, slot="travel_plans")
    if match.slot in ("employer", "occupation") and _TO_COME.search(core) and not _SINCE_WHEN.search(core):
        return replace(match, slot=_PLAN)
    return match


def was_once(slot: str, core: str) -> bool:
    """Whether the clause tells what its speaker was ("I was vegan for two years") where the slot says what they are."""
    text, was = plain(core), _WAS.get(slot)
    return was is not None and was.match(text) is not None and not _STILL.search(text)


def _no_name(word: str) -> str:
    """The slot of what somebody says to be in one word: a people, a faith or a star sign is no name."""
    if word in _FAITHS:
        return "religion"
    if word in _SIGNS:
        return "zodiac" if not re.fullmatch(r"[ei][ns][ft][pj]", word) else "personality"
    return "" if word in _NATIONS else "name"
