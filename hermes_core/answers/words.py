"""Every event, reason and status in plain English and Chinese: the one place where the trail's codes become sentences.

Data and look-up only; no rule may live here. A test holds that no code is missing in either language.
"""

from __future__ import annotations

from collections.abc import Mapping

from hermes_core.changes import Event
from hermes_core.items import Kind, Status
from hermes_core.reasons import Reason

Words = tuple[str, str]  # English, Chinese


def is_chinese(language: str) -> bool:
    """Whether a language code asks for Chinese; every other code gets English."""
    return language.lower().startswith("zh")


def pick(words: Words, language: str) -> str:
    return words[1] if is_chinese(language) else words[0]


# {text} is the item's text, or the refused claim.
EVENT_WORDS: Mapping[Event, Words] = {
    Event.ADMITTED: ("Took in “{text}”", "记下了「{text}」"),
    Event.CONFIRMED: ("Counted one more confirmation of “{text}”", "「{text}」又得到一次确认"),
    Event.NOTED: ("Noted another mention of “{text}”, without counting it", "又提到「{text}」，记下但不计数"),
    Event.PROMOTED: ("Confirmed “{text}”", "「{text}」转为已确认"),
    Event.FROZE: ("Froze “{text}”", "冻结了「{text}」"),
    Event.CONTRADICTED: ("Took a confirmation back from “{text}”", "「{text}」被扣回一次确认"),
    Event.HELD: ("Kept a different statement beside “{text}”", "把不同的说法暂存在「{text}」旁边"),
    Event.RELEASED: ("Dropped what was kept beside “{text}”", "放下了「{text}」旁边暂存的说法"),
    Event.STALED: ("Set “{text}” aside until it is confirmed again", "「{text}」暂停使用，等待重新确认"),
    Event.RECONFIRMED: ("Confirmed “{text}” anew", "「{text}」重新得到确认"),
    Event.UNLOCKED: ("Unlocked “{text}”", "解冻了「{text}」"),
    Event.REFROZEN: ("Froze “{text}” again", "重新冻结了「{text}」"),
    Event.SUPERSEDED: ("Archived “{text}”: something newer took its place", "「{text}」已被新的记忆取代，转入归档"),
    Event.WEATHERED: ("Thawed “{text}”", "「{text}」久未使用，从冻结退回已确认"),
    Event.SEALED: ("Sealed “{text}” into the archive", "把「{text}」封存到归档"),
    Event.EVICTED: ("Moved “{text}” to the archive to make room", "为腾出位置，把「{text}」移到归档"),
    Event.WOKEN: ("Brought “{text}” back from the archive", "从归档唤回「{text}」"),
    Event.DROPPED: ("Dropped “{text}”", "舍弃了「{text}」"),
    Event.FORGOTTEN: ("Forgot a memory", "遗忘了一条记忆"),
    Event.PINNED: ("Pinned “{text}”", "置顶了「{text}」"),
    Event.UNPINNED: ("Unpinned “{text}”", "取消置顶「{text}」"),
    Event.LIKED: ("Marked “{text}” as right", "把「{text}」标为正确"),
    Event.REJECTED: ("Marked “{text}” as doubtful", "把「{text}」标为存疑"),
    Event.LINKED: ("Linked “{text}” with related memories", "为「{text}」建立了关联"),
    Event.HIT: ("Showed “{text}” to the model", "把「{text}」提供给了模型"),
    Event.OBSERVED: ("Put “{text}” under observation, or ended it", "开始或结束对「{text}」的观察"),
    Event.LENGTHENED: ("Let “{text}” live longer", "延长了「{text}」的保鲜期"),
    Event.REVALUED: ("Recomputed “{text}”", "重新计算了「{text}」"),
    Event.RESTORED: ("Restored “{text}”", "恢复了「{text}」"),
    Event.WITHDRAWN: ("Withdrew “{text}”", "撤回了「{text}」"),
    Event.REFUSED: ("Did not remember “{text}”", "没有记住「{text}」"),
}

# Reads after "because" / 「因为」.
REASON_WORDS: Mapping[Reason, Words] = {
    Reason.NOTHING_FOUND: ("nothing in it was worth keeping", "其中没有值得长期记住的内容"),
    Reason.UNGROUNDED: ("its words were not found in what the user said", "用户的原话里找不到这些词"),
    Reason.RECALLED_TEXT: (
        "it only repeated what had been recalled from memory",
        "它只是重复了从记忆里取出的内容",
    ),
    Reason.PASTED_TEXT: ("it stood in pasted or quoted text", "它出现在粘贴或引用的文字里"),
    Reason.NOT_A_STATEMENT: ("it was a question, not a statement", "这是提问，不是陈述"),
    Reason.ONE_OFF_REQUEST: ("it was a request for this moment only", "这只是一次性的请求"),
    Reason.LOW_SALIENCE: ("it was too slight to matter later", "它太琐碎，以后用不上"),
    Reason.EMOTIONAL: ("it was said in an emotional moment", "这是情绪激动时说的"),
    Reason.HYPOTHETICAL: ("it was a supposition", "这只是假设"),
    Reason.SMALL_TALK: ("it was small talk", "这是闲聊"),
    Reason.UNANSWERED: ("it leaves the question before it unanswered", "没有明确回答前面的问题"),
    Reason.TOO_LONG: ("it was longer than a memory may be", "它超出了单条记忆的长度"),
    Reason.MALFORMED: ("the extractor's answer could not be read", "抽取器的输出无法读懂"),
    Reason.SUSPICIOUS: (
        "it looked like an instruction aimed at the assistant or at others",
        "它像是针对助手或他人的指令",
    ),
    Reason.SECRET: ("it held a password, a key or another secret", "它含有密码、密钥或其他机密"),
    Reason.FORGET_WISH: (
        "the user wished it forgotten: call forget() for what is remembered of it",
        "用户希望忘掉它：已记住的内容请调用 forget() 删除",
    ),
    Reason.FORGOTTEN_BY_USER: ("the user asked to forget it", "用户要求忘掉它"),
    Reason.EXTRACTOR_FAILED: ("the extractor could not answer", "抽取器没能给出结果"),
    Reason.SAID_AGAIN: ("the user said it again in another session", "用户在另一个会话里又说了一次"),
    Reason.SAME_SESSION: ("it was said again in the same session", "这是同一会话里的重复"),
    Reason.ALREADY_COUNTED: ("this statement had already been counted", "这句话已经计过数"),
    Reason.ROOM: ("there was room", "还有空位"),
    Reason.ABOVE_THRESHOLD: ("its value passed the admission threshold", "它的价值高于准入门槛"),
    Reason.BELOW_THRESHOLD: (
        "its value was under the admission threshold, which rises as the pool fills",
        "它的价值低于准入门槛（池子越满，门槛越高）",
    ),
    Reason.REPLACED_WORST: ("it was worth more than the least valuable memory", "它比价值最低的记忆更有价值"),
    Reason.WORST_OF_ALL: ("the memory was full and this was worth the least", "记忆已满，而它的价值最低"),
    Reason.SHORT_TERM_FULL: ("the places for short-term states were taken", "短期状态的名额已满"),
    Reason.DYNAMIC_FULL: ("the places for preferences were taken", "偏好的名额已满"),
    Reason.ARCHIVE_FULL: ("the archive was full", "归档已满"),
    Reason.RATE_LIMITED: ("this state changed too often in one day", "这个状态一天内变化太频繁"),
    Reason.REFINES: ("it says more precisely what was known", "它让已有的记忆更具体"),
    Reason.COMPLEMENTS: ("it adds to what was known", "它补充了已有的记忆"),
    Reason.CONTRADICTS: ("the user said something opposite", "用户说了相反的内容"),
    Reason.NEWER_WINS: ("the newer statement wins", "以较新的说法为准"),
    Reason.EXPLICIT_WINS: ("what the user states outright beats what was inferred", "明说的优先于推断的"),
    Reason.OUTDATED: ("something said later is already known", "已经知道之后的说法"),
    Reason.WEAKER: ("what is known is better supported", "已有的记忆依据更充分"),
    Reason.COOLING_DOWN: ("the opposite was said, and the next session decides", "出现相反说法，由下一次会话决定"),
    Reason.COOLED_DOWN: ("a later session settled which of the two holds", "后来的会话已经分出了哪个成立"),
    Reason.SETTLED: ("it was confirmed often enough, in separate sessions", "它在不同会话里得到了足够多的确认"),
    Reason.VITAL: ("it is vital, lasting, and was said clearly and calmly", "它至关重要、长期有效，而且说得明确平静"),
    Reason.FROM_NOW_ON: ("the user said that it holds from now on", "用户说了以后都这样"),
    Reason.FROZEN_POOL_FULL: ("the places for frozen memories were taken", "冻结名额已满"),
    Reason.FROZEN_IGNORES: (
        "the frozen memory stands, and the claim against it was too weak",
        "冻结的记忆不变，相反的说法太弱",
    ),
    Reason.FROZEN_HOLDS: (
        "the frozen memory stands, and the claim against it waits for more evidence",
        "冻结的记忆不变，相反的说法等待更多依据",
    ),
    Reason.VITAL_STANDS: (
        "it is vital, so it takes two sessions, or the user's command, to take it back",
        "它至关重要，要在两个会话中说过或由用户下令才会收回",
    ),
    Reason.HELD_OFTEN: ("several sessions spoke against it", "多个会话都与它相悖"),
    Reason.REJECTED_OFTEN: ("it was rejected several times in a row", "它连续多次被否定"),
    Reason.CORRECTED_BY_USER: ("the user corrected it", "用户更正了它"),
    Reason.AWAITS_APPROVAL: ("the correction waits for approval", "更正正在等待批准"),
    Reason.APPROVED: ("the correction was approved", "更正已获批准"),
    Reason.OUTLIVED: ("its time ran out without support", "它到期也没有得到支持"),
    Reason.EARNED: ("it has been confirmed often enough", "它已得到足够的确认"),
    Reason.CALM_AND_EXPLICIT: ("the user said it clearly and calmly", "用户说得明确而平静"),
    Reason.IDLE: ("it was not used or mentioned for a long time", "它很久没有被用到或提起"),
    Reason.UNCONFIRMED_LONG: ("it was not confirmed for a long time", "它很久没有得到确认"),
    Reason.KEPT_ALIVE: ("it keeps being confirmed across sessions", "它在各会话里不断得到确认"),
    Reason.SEEN_AGAIN_SOON: ("it was seen again within a few days", "它在几天内又出现了"),
    Reason.OBSERVATION_OVER: ("its time under observation is over", "观察期已结束"),
    Reason.RECALLED: ("it was relevant to the conversation", "它与当前对话有关"),
    Reason.WOKEN_BY_TOPIC: ("the conversation came back to its topic", "对话又回到了这个话题"),
    Reason.WOKEN_BY_CLAIM: ("the user spoke of it again", "用户又提到了它"),
    Reason.COMPACTED: ("the archive was compacted", "归档做了压缩"),
    Reason.AGGREGATED: ("several observations support it", "多条观察都支持它"),
    Reason.BASIS_GONE: ("too little of what it rested on remains", "它所依据的内容所剩太少"),
    Reason.POOL_FULL: ("the places for it were taken", "没有空余的名额"),
    Reason.ALREADY_KNOWN: ("it is already known", "这已经知道了"),
    Reason.FILLS_THE_GAP: ("something known takes the place that was left open", "已有新的说法填上了空缺"),
    Reason.COMMANDED: ("the user asked for it", "这是用户的要求"),
    Reason.ROLLED_BACK: ("the memory was rolled back to an earlier version", "记忆回滚到了较早的版本"),
    Reason.IMPORTED: ("it was imported", "它来自导入"),
    Reason.REBUILT: ("the memory was rebuilt", "记忆做了重建"),
}

STATUS_WORDS: Mapping[Status, Words] = {
    Status.CANDIDATE: ("candidate", "候选"),
    Status.CONFIRMED: ("confirmed", "已确认"),
    Status.FROZEN: ("frozen", "已冻结"),
    Status.UNLOCKED: ("unlocked", "临时解冻"),
    Status.STALE: ("stale", "待重新确认"),
    Status.ARCHIVED: ("archived", "已归档"),
    Status.FORGOTTEN: ("forgotten", "已遗忘"),
}

KIND_WORDS: Mapping[Kind, Words] = {
    Kind.IDENTITY: ("identity", "身份"),
    Kind.CONSTRAINT: ("constraint", "约束"),
    Kind.PREFERENCE: ("preference", "偏好"),
    Kind.FACT: ("fact", "事实"),
    Kind.RELATION: ("relation", "关系"),
    Kind.EVENT: ("event", "事件"),
    Kind.STATE: ("state", "状态"),
}


POOL_WORDS: Mapping[str, Words] = {
    "hot": ("hot", "活跃"),
    "frozen": ("frozen", "冻结"),
    "archive": ("archive", "归档"),
    "short_term": ("short term", "短期"),
    "dynamic": ("dynamic", "动态偏好"),
}

# Names of `stats` numbers; what the meter measured (hermes.*) keeps its name, as programs know it.
NUMBER_WORDS: Mapping[str, Words] = {
    "users": ("users", "用户"),
    "waiting_turns": ("waiting turns", "待处理消息"),
    "live_items": ("live items", "有效记忆"),
    "live_tokens": ("live tokens", "有效记忆的 token"),
    "growth_week": ("growth week", "近七天新增"),
    "hit_rate": ("hit rate", "命中率"),
    "frozen_share": ("frozen share", "冻结占比"),
    "mean_confidence": ("mean confidence", "平均置信度"),
    "held_overrides": ("held overrides", "暂存的不同说法"),
    "context_tokens_a_turn": ("context tokens a turn", "每次上下文的 token"),
    "repeated_explanation_rate": ("repeated explanation rate", "重复解释率"),
    "compression": ("compression", "摘要压缩比"),
    "summaries": ("summaries", "摘要"),
}


def pool_words(pool: str, language: str = "en") -> str:
    """A pool, or a status that is counted like one."""
    if pool in POOL_WORDS:
        return pick(POOL_WORDS[pool], language)
    return status_words(Status(pool), language)


def number_words(name: str, language: str = "en") -> str:
    """A number of `stats`; one that has no words reads as its own name."""
    return pick(NUMBER_WORDS[name], language) if name in NUMBER_WORDS else name


def reason_words(reason: str, language: str = "en") -> str:
    """The clause for a reason code; an unknown code reads as its own words."""
    try:
        return pick(REASON_WORDS[Reason(reason)], language)
    except (ValueError, KeyError):
        return reason.replace("_", " ")


def status_words(status: Status, language: str = "en") -> str:
    return pick(STATUS_WORDS[status], language)


def kind_words(kind: Kind, language: str = "en") -> str:
    return pick(KIND_WORDS[kind], language)
