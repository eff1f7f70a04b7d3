"""What became of one item within one turn, as one line: several changes of one decision read as one. Pure.

"remembered", "confirmed" and "frozen" in one breath is one line that says frozen; every change stays in the trail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rich.cells import cell_len

from hermes_core.answers.words import pick, reason_words
from hermes_core.catalogue import Catalogue, base_slot
from hermes_core.changes import Change, Event
from hermes_core.items import MemoryItem, Status
from hermes_core.reasons import Reason


@dataclass(frozen=True)
class Fate:
    """One printed line: a short label with its colour, the words that it is about, what their slot is called, and why.

    `read`: the words are what this very turn was read as, so a short answer's are not its own. `quiet`: a greeting or
    another trifle, worth a line only where nothing else happened.
    """

    label: str
    style: str
    words: str
    slot: str
    why: str
    refused: bool
    read: bool
    quiet: bool


# The first of these that happened to an item names its line: what weighs most, first.
# event -> English label, Chinese label, colour
_LABELS: dict[Event, tuple[str, str, str]] = {
    Event.FORGOTTEN: ("forgotten", "遗忘", "red"),
    Event.FROZE: ("frozen", "冻结", "bold cyan"),
    Event.REFROZEN: ("frozen", "重新冻结", "bold cyan"),
    Event.SUPERSEDED: ("replaced", "被取代", "magenta"),
    Event.EVICTED: ("evicted", "淘汰", "red"),
    Event.DROPPED: ("dropped", "舍弃", "red"),
    Event.SEALED: ("sealed", "封存", "blue"),
    Event.WITHDRAWN: ("withdrawn", "撤回", "red"),
    Event.WEATHERED: ("thawed", "风化", "blue"),
    Event.WOKEN: ("woken", "唤醒", "green"),
    Event.STALED: ("in doubt", "待确认", "yellow"),
    Event.HELD: ("held", "暂存", "yellow"),
    Event.RELEASED: ("released", "放下", "blue"),
    Event.UNLOCKED: ("unlocked", "解冻", "magenta"),
    Event.ADMITTED: ("remembered", "记住", "green"),
    Event.RESTORED: ("restored", "恢复", "green"),
    Event.RECONFIRMED: ("confirmed", "再次确认", "green"),
    Event.CONFIRMED: ("said again", "又说一次", "green"),
    Event.PROMOTED: ("confirmed", "已确认", "green"),
    Event.CONTRADICTED: ("shaken", "动摇", "yellow"),
    Event.LENGTHENED: ("kept alive", "保活", "blue"),
    Event.NOTED: ("noted", "提及", "dim"),
    Event.LINKED: ("linked", "关联", "blue"),
    Event.OBSERVED: ("watched", "观察", "yellow"),
    Event.REVALUED: ("revalued", "重估", "dim"),
    Event.LIKED: ("liked", "认可", "green"),
    Event.REJECTED: ("rejected", "否定", "red"),
    Event.PINNED: ("pinned", "置顶", "green"),
    Event.UNPINNED: ("unpinned", "取消置顶", "dim"),
    Event.REFUSED: ("not kept", "未记", "dim"),
    Event.HIT: ("shown", "取用", "dim"),
}
_ORDER = {event: place for place, event in enumerate(_LABELS)}
_CONCLUDED = ("concluded", "归纳", "blue")
_CORRECTED = ("corrected", "更正", "magenta")  # a frozen one, unlocked for it
_TENTATIVE = ("tentative", "试记", "yellow")
_COUNTED = ("{n} of {needed} confirmations to freeze", "冻结需 {needed} 次确认，已有 {n} 次")
_DULL = frozenset({Reason.ROOM, Reason.ABOVE_THRESHOLD})  # every admission has one of these unless it has a better one
_SHORT = 20  # columns of a trifle
_TRIFLES = frozenset({Reason.SMALL_TALK, Reason.LOW_SALIENCE, Reason.NOTHING_FOUND})


def fates(changes: Iterable[Change], language: str = "en", needed: float = 3.0) -> list[Fate]:
    """One Fate for each item that the changes touched, and for each refusal, in order.

    `needed` confirmations freeze an item.
    """
    groups: dict[str, list[Change]] = {}
    for place, change in enumerate(changes):
        key = f"refusal {place}" if change.event is Event.REFUSED else change.item_id or f"change {place}"
        groups.setdefault(key, []).append(change)
    return [_fate(group, language, needed) for group in groups.values()]


def tally(changes: Iterable[Change], language: str = "en") -> list[tuple[str, str, int]]:
    """(label, colour, how often) for what happened, weightiest first; notes of what reached a context are left out."""
    counts: Counter[Event] = Counter(change.event for change in changes if change.event is not Event.HIT)
    return [
        (pick((english, chinese), language), style, counts[event])
        for event, (english, chinese, style) in _LABELS.items()
        if counts[event]
    ]


def _fate(group: list[Change], language: str, needed: float) -> Fate:
    chief = min(group, key=lambda change: _ORDER[change.event])
    english, chinese, style = _LABELS[chief.event]
    if chief.event is Event.ADMITTED and chief.reason == Reason.AGGREGATED:
        english, chinese, style = _CONCLUDED
    elif chief.event is Event.ADMITTED and group[-1].status is Status.CANDIDATE:
        english, chinese, style = _TENTATIVE
    elif chief.event is Event.SUPERSEDED and any(change.event is Event.UNLOCKED for change in group):
        english, chinese, style = _CORRECTED
    return Fate(
        label=pick((english, chinese), language),
        style=style,
        words=" ".join(_words(chief).split()),
        slot=_called(chief.after, language)
        if chief.after is not None and chief.event in (Event.ADMITTED, Event.FROZE)
        else "",
        why=_why(chief, group, language, needed),
        refused=chief.event is Event.REFUSED,
        read=chief.event in (Event.REFUSED, Event.ADMITTED),
        quiet=chief.event is Event.REFUSED and chief.reason in _TRIFLES and cell_len(chief.claim) <= _SHORT,
    )


def _called(item: MemoryItem, language: str) -> str:
    slot = Catalogue.default().slot(item.slot)
    return slot.called(language) if slot is not None else base_slot(item.slot)


def _words(change: Change) -> str:
    if change.event is Event.HELD and change.after is not None and change.after.held:
        return change.after.held[-1].text
    return change.after.text if change.after is not None else change.claim


def _why(chief: Change, group: list[Change], language: str, needed: float) -> str:
    after = chief.after
    if after is not None and chief.event is Event.CONFIRMED and after.status is not Status.FROZEN:
        return pick(_COUNTED, language).format(n=f"{after.confirmations:g}", needed=f"{needed:g}")
    why = reason_words(_reason(chief, group), language)
    if after is not None and chief.event is Event.HELD:
        return pick((f"“{after.text}” stays: ", f"「{after.text}」不变："), language) + why
    return why


def _reason(chief: Change, group: list[Change]) -> str:
    """The reason that tells most: that there was room says less than why it was believed."""
    if chief.event is Event.ADMITTED and chief.reason in _DULL:
        return next((change.reason for change in group if change.event is Event.PROMOTED), chief.reason)
    return chief.reason
