"""`describe` and `explain`: a change, and a whole memory, in sentences for people (C2, law X).

Pure: works on the trail and turns that it is given; never reads a store, never decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from hermes_core.answers.words import EVENT_WORDS, is_chinese, kind_words, pick, reason_words, status_words
from hermes_core.changes import Cause, Change, Event
from hermes_core.items import Evidence, HeldOverride, MemoryItem, Tone, Turn
from hermes_core.views import Explanation

LONGEST_QUOTE = 160  # characters of the user's words in one line


def describe(change: Change, language: str = "en") -> str:
    """One line for one change: what happened, why, and how its status moved."""
    text = change.after.text if change.after is not None else change.claim
    what = pick(EVENT_WORDS[change.event], language).format(text=shorten(text) or "…")
    why = reason_words(change.reason, language)
    moved = _moved(change, language)
    aside = brackets(change.detail, language) if change.detail else ""
    if is_chinese(language):
        return f"{what}{moved}：因为{why}{aside}。" if why else f"{what}{moved}{aside}。"
    return f"{what}{moved}, because {why}{aside}."


def explain(item: MemoryItem, trail: Iterable[Change], turns: Iterable[Turn] = (), language: str = "en") -> Explanation:
    """C2: the item, the user's own words behind it (session, turn, time), and every decision that made it what it is.

    `trail` may hold other items' changes; only this item's are kept. `turns` add the full turn where the quote is short.
    """
    own = tuple(change for change in trail if change.item_id == item.id)
    known = {turn.id: turn for turn in turns}
    parts = [_headline(item, language), *_words_section(item, known, language), *_held_section(item, language)]
    parts += _links_section(item, language)
    parts += _decisions_section(own, language)
    return Explanation(item=item, trail=own, text="\n".join(parts))


def shorten(text: str, longest: int = LONGEST_QUOTE) -> str:
    """The text on one line, cut with an ellipsis after `longest` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"


def brackets(text: str, language: str) -> str:
    """An aside after a word, in the brackets of the language."""
    return f"（{text}）" if is_chinese(language) else f" ({text})"


def moment(at: datetime) -> str:
    """A time for people, to the minute, in its own zone (stored times are UTC)."""
    return at.strftime("%Y-%m-%d %H:%M") + (" UTC" if not at.utcoffset() else at.strftime(" %z"))


def _moved(change: Change, language: str) -> str:
    if change.status is None or change.before is change.status:
        return ""
    after = status_words(change.status, language)
    if change.before is None:
        return brackets(after, language)
    before = status_words(change.before, language)
    return brackets(f"{before} → {after}", language)


def _headline(item: MemoryItem, language: str) -> str:
    status, kind = status_words(item.status, language), kind_words(item.kind, language)
    if is_chinese(language):
        return f"「{item.text}」— {kind}，{status}，置信度 {item.confidence:.2f}，确认 {item.confirmations:g} 次。"
    times = "confirmation" if item.confirmations == 1 else "confirmations"
    return f"“{item.text}” — {kind}, {status}, confidence {item.confidence:.2f}, {item.confirmations:g} {times}."


def _words_section(item: MemoryItem, known: Mapping[str, Turn], language: str) -> list[str]:
    if not item.evidence:
        return ["没有引用用户的原话。" if is_chinese(language) else "It cites no words of the user."]
    title = "用户的原话：" if is_chinese(language) else "The user's own words:"
    return [title, *(_quote_line(e, known.get(e.turn_id), language) for e in item.evidence)]


def _quote_line(evidence: Evidence, turn: Turn | None, language: str) -> str:
    when, emotional = moment(evidence.said_at), evidence.tone is Tone.EMOTIONAL
    whole = shorten(turn.text) if turn is not None else ""
    quote = shorten(evidence.quote)
    if is_chinese(language):
        context = f"，整句：「{whole}」" if whole and whole != quote else ""
        mood = "，情绪激动" if emotional else ""
        asked = f"，回答：「{shorten(evidence.asked)}」" if evidence.asked else ""
        return f"- 「{quote}」（会话 {evidence.session_id}，消息 {evidence.turn_id}，{when}{mood}{asked}{context}）"
    context = f", in: “{whole}”" if whole and whole != quote else ""
    mood = ", emotional" if emotional else ""
    asked = f", in answer to: “{shorten(evidence.asked)}”" if evidence.asked else ""
    return f"- “{quote}” (session {evidence.session_id}, turn {evidence.turn_id}, {when}{mood}{asked}{context})"


def _held_section(item: MemoryItem, language: str) -> list[str]:
    """What was said against the item, and what a person can do about it."""
    lines = [line for held in item.held for line in _held_lines(held, language)]
    return [*lines, pick(_WHAT_TO_DO, language)] if lines else []


_WHAT_TO_DO = (
    "Which one is right? The memory stands until `approve` lets the other statement take over, or `correct` rewords it.",
    "哪一个才对？在 `approve` 让另一说法取而代之，或用 `correct` 改写之前，仍以这条记忆为准。",
)


def _held_lines(held: HeldOverride, language: str) -> list[str]:
    why = reason_words(held.reason, language) if held.reason else ""
    if is_chinese(language):
        head = f"暂存的不同说法：「{held.text}」" + (brackets(why, language) if why else "")
    else:
        head = f"Kept beside it: “{held.text}”" + (brackets(why, language) if why else "")
    return [head, *(_quote_line(e, None, language) for e in held.evidence)]


def _links_section(item: MemoryItem, language: str) -> list[str]:
    named = (
        (("Drawn from", "归纳自"), item.derived_from),
        (("Takes the place of", "取代了"), item.supersedes),
        (("Goes with", "关联"), item.complements),
        (("Superseded by", "已被取代"), (item.superseded_by,) if item.superseded_by else ()),
        (("Contested by", "存在相反说法"), (item.contested_by,) if item.contested_by else ()),
    )
    colon = "：" if is_chinese(language) else ": "
    return [f"{pick(words, language)}{colon}{', '.join(ids)}" for words, ids in named if ids]


def _decisions_section(trail: tuple[Change, ...], language: str) -> list[str]:
    if not trail:
        return ["没有找到决策记录。" if is_chinese(language) else "No decision about it was found in the trail."]
    title = "决策过程：" if is_chinese(language) else "Decisions:"
    shown = [change for change in trail if change.event is not Event.HIT]
    hits = [change for change in trail if change.event is Event.HIT]
    lines = [f"- {moment(c.cause.at)} · {_by(c.cause, language)} · {describe(c, language)}" for c in shown]
    if hits:
        last = moment(hits[-1].cause.at)
        lines.append(f"- 提供给模型 {len(hits)} 次，最近 {last}。" if is_chinese(language) else _hits_line(hits, last))
    return [title, *lines]


def _hits_line(hits: list[Change], last: str) -> str:
    return f"- Shown to the model {len(hits)} time{'s' if len(hits) > 1 else ''}, last at {last}."


def _by(cause: Cause, language: str) -> str:
    chinese = is_chinese(language)
    if cause.by == "turn":
        return f"会话 {cause.session_id}" if chinese else f"session {cause.session_id}"
    if cause.by == "command":
        return f"用户命令 {cause.command or ''}".strip() if chinese else f"command {cause.command or ''}".strip()
    names = {"time": "时间", "read": "读取", "import": "导入", "rollback": "回滚"}
    return names.get(cause.by, cause.by) if chinese else cause.by
