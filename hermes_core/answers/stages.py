"""The stages that can lose a statement, which reason belongs to which, and what to do at each, in both languages (C3).

Data only; hermes_core.answers.diagnose decides.
"""

from __future__ import annotations

from collections.abc import Mapping

from hermes_core.items import _Text
from hermes_core.reasons import Reason


class Stage(_Text):
    """Where a statement ended: remembered, never said, or lost at one of ten stages."""

    REMEMBERED = "remembered"
    NEVER_SAID = "never_said"
    NOT_EXTRACTED = "not_extracted"
    UNGROUNDED = "ungrounded"
    SCREENED = "screened"
    REFUSED_BY_GATE = "refused_by_gate"
    MERGED_INTO = "merged_into"
    SUPERSEDED = "superseded"
    ASLEEP = "asleep"
    RANKED_OUT = "ranked_out"
    OVER_BUDGET = "over_budget"
    FORGOTTEN = "forgotten"


_SCREEN = (
    Reason.RECALLED_TEXT,
    Reason.PASTED_TEXT,
    Reason.NOT_A_STATEMENT,
    Reason.ONE_OFF_REQUEST,
    Reason.LOW_SALIENCE,
    Reason.EMOTIONAL,
    Reason.HYPOTHETICAL,
    Reason.SMALL_TALK,
    Reason.UNANSWERED,
    Reason.TOO_LONG,
    Reason.SUSPICIOUS,
)

# A refused claim's reason -> stage; what is not here was refused by one of the gates.
STAGE_OF_REASON: Mapping[str, Stage] = {
    Reason.NOTHING_FOUND.value: Stage.NOT_EXTRACTED,
    Reason.EXTRACTOR_FAILED.value: Stage.NOT_EXTRACTED,
    Reason.MALFORMED.value: Stage.NOT_EXTRACTED,
    Reason.UNGROUNDED.value: Stage.UNGROUNDED,
    **{reason.value: Stage.SCREENED for reason in _SCREEN},
    Reason.FORGOTTEN_BY_USER.value: Stage.FORGOTTEN,
    Reason.ALREADY_KNOWN.value: Stage.MERGED_INTO,
    Reason.OUTDATED.value: Stage.SUPERSEDED,
    Reason.NEWER_WINS.value: Stage.SUPERSEDED,
}

# Why a context left an item out (views.LeftOut) -> stage; what is not here lost on rank or on visibility.
STAGE_OF_LEFT_OUT: Mapping[str, Stage] = {
    "over_budget": Stage.OVER_BUDGET,
    "asleep": Stage.ASLEEP,
    "stale": Stage.ASLEEP,
    "superseded": Stage.SUPERSEDED,
}

LEFT_OUT_WORDS: Mapping[str, tuple[str, str]] = {
    "over_budget": ("the context's tokens were used up", "上下文的 token 预算已用完"),
    "asleep": ("it has faded and the question did not wake it", "它已淡化，而问题没有唤醒它"),
    "stale": ("it waits to be confirmed again", "它在等待重新确认"),
    "superseded": ("something newer took its place", "已被更新的记忆取代"),
    "per_topic": ("other memories of the same topic ranked higher", "同一话题的其他记忆排名更高"),
    "not_relevant": ("it was not similar enough to the question", "它与问题的相关度不够"),
    "over_items": ("enough other memories ranked higher", "排名更高的记忆已经够数"),
    "no_consent": ("it is sensitive, and the session has no consent to show it", "它属于敏感信息，而会话没有获得同意"),
    "not_visible": ("this agent may not see it", "当前智能体无权查看"),
    "observed": ("it is still under observation", "它仍在观察期"),
    "pending": ("its turn is still waiting to be read", "这条消息还在等待处理"),
    "set_aside": ("its turn could not be read and was set aside", "这条消息无法处理，已被搁置"),
    "no_words": ("the user's turns do not contain it", "用户的消息里没有这句话"),
    "only_assistant": ("only the assistant said it", "只有助手说过"),
    "shown": ("a context for it shows the memory", "相应的上下文里有这条记忆"),
    "not_ranked": ("it did not come up for this question", "这个问题没有带出它"),
}

ADVICE: Mapping[Stage, tuple[str, str]] = {
    Stage.REMEMBERED: ("It is remembered and shown.", "它被记住，也会被提供给模型。"),
    Stage.NEVER_SAID: (
        "Check the user id, or whether the turn was observed with role “user”.",
        "请检查用户标识，或消息是否以 user 角色写入。",
    ),
    Stage.NOT_EXTRACTED: (
        "It was said, but nothing was extracted from it; flush if the turn is still waiting, add an example sentence or a cue to the catalogue, or use a model as extractor.",
        "说过，但没有被抽取；若消息仍在等待请先 flush，或为目录补充例句或线索，或改用模型抽取。",
    ),
    Stage.UNGROUNDED: (
        "The extractor's claim did not quote the user's words; check the extractor's quotes.",
        "抽取的说法没有引用用户原话；请检查抽取器给出的引文。",
    ),
    Stage.SCREENED: (
        "The screen took it for something not worth keeping; if that is wrong, have the user say it as a plain statement, or lower screen.salience_floor.",
        "筛查认为它不值得长期记住；如有误，请用户直接陈述，或调低 screen.salience_floor。",
    ),
    Stage.REFUSED_BY_GATE: (
        "A gate refused it; correct or pin the memory on the user's behalf, or raise the cap that was full.",
        "闸门没有放行；可代用户更正或置顶，或提高已满的上限。",
    ),
    Stage.MERGED_INTO: (
        "It was taken as the same as another memory and counted there; correct that memory if they differ.",
        "它被视为与另一条记忆相同并合并计数；如果两者不同，请更正那条记忆。",
    ),
    Stage.SUPERSEDED: (
        "A later statement took its place; correct the newer memory if it is wrong.",
        "后来的说法取代了它；如果新的不对，请更正新的记忆。",
    ),
    Stage.ASLEEP: (
        "It has faded or waits for re-confirmation; it wakes when the topic comes back, or confirm or pin it.",
        "它已淡化或等待重新确认；话题再次出现时会被唤醒，也可以确认或置顶。",
    ),
    Stage.RANKED_OUT: (
        "It is remembered, but other memories ranked higher for this question; pin it, or lower similarity.relevant.",
        "它被记住了，但对这个问题排名不够；可以置顶，或调低 similarity.relevant。",
    ),
    Stage.OVER_BUDGET: (
        "It is remembered, but the budget ended before it; raise the context's tokens or pin it.",
        "它被记住了，但预算用完了；请提高上下文的 token 上限，或置顶它。",
    ),
    Stage.FORGOTTEN: (
        "The user had it forgotten; it comes back only if the user says it anew.",
        "用户要求忘掉它；只有用户重新说起才会再记住。",
    ),
}
