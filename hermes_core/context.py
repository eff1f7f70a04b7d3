"""What the model gets to see: three levels within a budget, then what else helps (R1, R2, R6-R9). Pure.

Chooses and orders; ranking is recall's, words are wording's, tokens are the page's. Never alters an item.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial
from typing import Any, NamedTuple

import msgspec
import numpy as np

from hermes_core.config import Config
from hermes_core.conflicts import Pair, stale_alone, survivors
from hermes_core.decay import observed
from hermes_core.deferred import Deferred
from hermes_core.excerpts import Excerpt
from hermes_core.fencing import looks_like_instruction, neutralise
from hermes_core.items import Kind, MemoryItem, Turn
from hermes_core.page import Page, quick_count
from hermes_core.ports import SearchTable, TokenCounter
from hermes_core.ranking import Bools, Floats, Query, ReadView, prepare, top
from hermes_core.recall import Recalled, Scored, Viewer, recall_explained, score
from hermes_core.templates import TaskTemplate, Templates, Wording, builtin
from hermes_core.user_state import UserState
from hermes_core.views import ContextBlock, ContextLine, LeftOut
from hermes_core.wording import Sentence, Writer, anchor, language_of, shorten

__all__ = ["assemble"]

_CHANGES_SHOWN = 5
_FRAME_SHARE = 4  # a frame that takes more than a quarter of the budget is written short
_LEAST_AROUND = 6  # tokens of a line beside the item's own words: bullet, anchor, line end
_EXCERPT_CHARACTERS = 400  # of one quoted turn


def assemble(
    state: UserState,
    table: SearchTable,
    query: Query | None,
    now: datetime,
    config: Config,
    counter: TokenCounter,
    *,
    task: str = "",
    language: str = "auto",
    agent: str | None = None,
    consent: bool = False,
    budget: int | None = None,
    summary: str = "",
    working: Sequence[Turn] = (),
    corrections: Sequence[MemoryItem | Turn | str] = (),
    excerpts: Sequence[Excerpt] = (),
    templates: Templates | None = None,
    sentence: Sentence | None = None,
    view: ReadView | None = None,
) -> ContextBlock:
    """The context for one query (None: the start of a session), at most `budget` tokens by `counter` on the final text.

    Frozen core, then the best of the hot pool, then what recall finds in hot and cold; what one level leaves the
    next may use (R1), and excerpts of the user's own turns, best first, fill the rest. `language` is "en", "zh" or
    "auto" (the query's script); `view` is prepare(state, table, config) where the caller keeps it. LawBroken if the
    text would not fit.
    """
    ready = view or prepare(state, table, config)
    limit = config.context.budget if budget is None else budget
    chosen = _language(language, query, ready)
    wording = (templates or builtin()).of(chosen)
    head = _head(wording, template := wording.task(task), state.version, counter, limit)
    desk = _Desk(
        view=ready,
        query=query,
        scored=score(ready, query, now) if query is not None else None,
        now=now,
        who=Viewer(agent, consent),
        template=template,
        writer=Writer(wording, config.timezone, sentence),
        page=Page(counter, limit, head, wording.frame["foot"], wording.sections, _kept(ready, "counted", counter)),
        lines=_kept(ready, wording.language, wording, sentence, counter, config.timezone),
        most=config.context.task_items.get(task),
        share=limit / config.context.total_tokens,
    )
    desk.fill(corrections, summary, working, excerpts)
    text, tokens, lines, dropped = desk.page.close()
    desk.drop(dropped)
    return ContextBlock(
        text=text,
        tokens=tokens,
        budget=limit,
        version=state.version,
        lines=tuple(lines),
        left_out=Deferred(partial(_unshown, desk.left_out, lines)),
        user_id=state.user_id,
        task=task,
        language=chosen,
    )


def _head(wording: Wording, template: TaskTemplate, version: int, counter: TokenCounter, limit: int) -> str:
    """The frame's opening: version (R9), what the notes are, the task's hint; the short form where room is scarce."""
    opening = wording.frame["head"].format(version=version)
    full = "\n".join(part for part in (opening, wording.frame["note"], template.note) if part)
    if quick_count(counter, full) * _FRAME_SHARE <= limit:
        return full
    return f"{opening}\n{wording.frame['short_note']}"


def _language(language: str, query: Query | None, view: ReadView) -> str:
    if language != "auto":
        return language
    found = language_of(query.text) if query is not None else None
    if found is not None:
        return found
    chinese = sum(item.language.startswith("zh") for item in view.items)
    return "zh" if chinese * 2 > len(view.items) else "en"


def _kept(view: ReadView, name: str, *by: object) -> dict[Any, Any]:
    """A place beside the view for what is made of its items by these very objects; it goes when the user's memory changes."""
    kept = view.memo.get((_kept, name))
    if kept is None or any(one is not other for one, other in zip(kept[0], by, strict=True)):
        kept = view.memo[_kept, name] = (by, {})
    found: dict[Any, Any] = kept[1]
    return found


def _core_of(view: ReadView, standing: Floats) -> Sequence[MemoryItem]:
    """The frozen items, what is pinned and what is vital first; kept, since nothing frozen loses standing with time."""
    kept: list[MemoryItem] | None = view.memo.get("core")
    if kept is None:

        def rank(place: int) -> tuple[bool, bool, float, str]:
            item = view.items[place]
            return not item.pinned, not item.high_impact, -standing[place] * item.confidence, item.id

        places = sorted(np.flatnonzero(view.frozen).tolist(), key=rank)
        kept = view.memo["core"] = [view.items[place] for place in places]
    return kept


_Reasons = Callable[[], Iterable[LeftOut]]


def _reasons(who: Viewer, stayed_out: Iterable[tuple[MemoryItem, str, float]]) -> Iterator[LeftOut]:
    """Item, reason and value as they are told to this viewer."""
    for item, reason, value in stayed_out:
        hidden = who.hidden(item)
        yield LeftOut(item_id=item.id, reason=hidden or reason, text="" if hidden else item.text, score=value)


def _unshown(reasons: Iterable[_Reasons], lines: Iterable[ContextLine]) -> Iterable[LeftOut]:
    """Each item that no line shows, once, with the last reason found (a later level may have had another)."""
    shown = {line.item.id for line in lines if line.item is not None}
    return {out.item_id: out for told in reasons for out in told() if out.item_id not in shown}.values()


class _Core:
    """The frozen core as it was last put on a page, which `begun` for this viewer with this room."""

    def __init__(
        self,
        begun: tuple[Viewer, int, int],
        lines: Sequence[ContextLine],
        refused: Sequence[tuple[MemoryItem, str, float]],
    ) -> None:
        self.begun = begun
        self.lines = lines
        self.tokens = sum(line.tokens for line in lines)
        self.ids = frozenset(line.item.id for line in lines if line.item is not None)
        self.refused = refused


class _Hot(NamedTuple):
    """What level 2 chose from, as far as the reasons need it; a context holds nothing larger."""

    items: Sequence[MemoryItem]
    values: Floats
    frozen: Bools
    stale: Bools
    asleep: Bools

    def not_shown(self, who: Viewer, done: Collection[str], over: Sequence[int]) -> Iterator[LeftOut]:
        """Why the others stay out: `over` are those for which there were too many."""
        cold = (self.values < 0.0) & ~self.frozen
        asleep = cold & ~self.stale & self.asleep
        places = {"stale": cold & self.stale, "asleep": asleep, "not_relevant": cold & ~self.stale & ~asleep}
        rest = [(i, "over_items") for i in over]
        rest += [(i, reason) for reason, which in places.items() for i in np.flatnonzero(which).tolist()]
        values = np.maximum(self.values, 0.0).tolist()
        return _reasons(who, [(self.items[i], why, values[i]) for i, why in rest if self.items[i].id not in done])


def _hidden(view: ReadView, who: Viewer) -> dict[str, str | None]:
    """Why this viewer may not see each live item; kept per view, since few viewers ask often."""
    kept: dict[str, str | None] | None = view.memo.get(who)
    if kept is None:
        kept = view.memo[who] = {item.id: who.hidden(item) for item in view.items}
    return kept


@dataclass
class _Desk:
    """One context in the making: `done` are items shown or spoken for, `left_out` the reasons for the others."""

    view: ReadView
    query: Query | None
    scored: Scored | None
    now: datetime
    who: Viewer
    template: TaskTemplate
    writer: Writer
    page: Page
    most: int | None
    share: float
    lines: dict[Any, Any]  # items' lines as they were written before, and the last core
    left_out: list[_Reasons] = field(default_factory=list)
    done: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        view = self.view
        self.standing = view.standing(self.now) if self.scored is None else self.scored.standing
        self.asleep = view.asleep(self.now) if self.scored is None else self.scored.asleep
        self.any_topic = view.of_kinds(self.template.any_topic)
        if Kind.IDENTITY in self.template.any_topic:  # who somebody is includes where they live and what they do
            self.any_topic = self.any_topic | view.profile
        self.hidden = _hidden(view, self.who)
        self.relevant = np.zeros(len(view.items)) if self.scored is None else self.scored.relevance[view.rows]
        self.near = self.relevant >= view.config.similarity.relevant
        self.matters = self.near | self.any_topic | (self.scored is None)

    def fill(
        self,
        corrections: Sequence[MemoryItem | Turn | str],
        summary: str,
        working: Sequence[Turn],
        excerpts: Sequence[Excerpt],
    ) -> None:
        """Everything in order of priority; a line that does not fit is left out and smaller ones may still come."""
        context = self.view.config.context
        self.page.level(int(context.frozen_tokens * self.share))
        self._correct(corrections)
        self._core()
        self.page.level(int(context.active_tokens * self.share))
        self._changes()
        active, retrieved = self._quota()
        self._active(active)
        self.page.level(int(context.retrieved_tokens * self.share))
        self._retrieved(self._recalled(retrieved))
        self.page.level(self.page.limit)
        self._said(excerpts)  # the words themselves, before what was made of them
        if summary.strip():
            self._plain("summary", "summary", neutralise(summary))
        self._working(working)

    def _correct(self, corrections: Sequence[MemoryItem | Turn | str]) -> None:
        """What this very session put right: shown at once, and what it replaced is not (R5)."""
        for correction in corrections:
            if isinstance(correction, MemoryItem):
                self.done.update(correction.supersedes)
                self._show("corrections", correction, "corrected_now")
            elif isinstance(correction, Turn):
                self._quote("corrections", "correction", correction, {})
            elif not looks_like_instruction(correction):
                self._plain("corrections", "correction", neutralise(correction))

    def _core(self) -> None:
        """Level 1: the frozen core, whatever the topic is: the same for every query that finds the same room.

        What a life may hang on takes its place before everything else, beyond the level's allowance if it must.
        """
        begun = (self.who, self.page.room, self.page.left)
        kept: _Core | None = None if self.done else self.lines.get("core")
        if kept is None or kept.begun != begun:
            items = _core_of(self.view, self.standing)
            fresh, refused = not self.done, []
            for item in items:
                with self.page.unreserved() if item.high_impact else nullcontext():
                    shown = self._show("core", item, "frozen", item.confidence)
                if not shown and item.id not in self.done:
                    refused.append((item, "over_budget", item.confidence))
            placed = self.page.placed("core") if fresh else None
            if placed is not None and not any(item.held or item.observed_until for item in items):
                self.lines["core"] = _Core(begun, placed, refused)
            return
        self.page.place_all("core", kept.lines, kept.tokens)
        self.done |= kept.ids
        self.left_out.append(partial(_reasons, self.who, kept.refused))

    def _changes(self) -> None:
        """R6: what changed and what waits for re-confirmation, where it speaks to the topic."""
        place, shown = self.view.place, 0
        for pair in survivors(self.view):
            if shown < _CHANGES_SHOWN and (self.matters[place[pair.old.id]] or self.matters[place[pair.new.id]]):
                shown += self._pair(pair)
        for item in stale_alone(self.view):
            if shown < _CHANGES_SHOWN and (self.near[place[item.id]] or self.scored is None):
                shown += self._show("changes", item, "stale", float(self.relevant[place[item.id]]))

    def _pair(self, pair: Pair) -> bool:
        old, new = pair
        if {old.id, new.id} & self.done or self.who.hidden(old) or self.who.hidden(new):
            return False
        self.done |= {old.id, new.id}
        turn_ids = tuple(e.turn_id for item in pair for e in item.evidence)
        words = f"{self.writer.change(old, new)} {anchor(new.id)}"
        line = ContextLine(text=words, item=new, level="changes", reason="change_over_time", turn_ids=turn_ids)
        if self.page.add("changes", line):
            return True
        for item in pair:
            self._leave(item, "over_budget")
        return False

    def _recalled(self, most: int) -> Recalled:
        if self.query is None:
            return Recalled((), ())
        return recall_explained(self.view, self.query, self.now, self.who, k=most, skip=self.done, scored=self.scored)

    @cached_property
    def _values(self) -> Floats:
        """Level 2's order: -1 for what is not in the awake hot pool or has nothing to do with the topic."""
        fit = self.view.awake_pool & ~self.asleep & self.matters
        worth = self.standing * (self.view.confidence if self.scored is None else self.relevant)
        return np.where(fit, worth, -1.0)

    def _quota(self) -> tuple[int, int]:
        """Items of level 2 and 3: the config's, or what the task's few best over both need (R7)."""
        context = self.view.config.context
        if self.most is None:
            return context.active_items, context.retrieved_items
        warm = [(-float(self._values[i]), 0) for i in top(self._values, self.most) if self._values[i] >= 0]
        ids = {self.view.items[i].id for i in np.flatnonzero(self._values >= 0).tolist()}
        cold = [(-hit.score, 1) for hit in self._recalled(self.most).hits if hit.item.id not in ids]
        retrieved = sum(level for _, level in sorted(warm + cold)[: self.most])
        return min(self.most - retrieved, context.active_items), min(retrieved, context.retrieved_items)

    def _active(self, most: int) -> None:
        """Level 2: the best of the hot pool that shape any answer or speak to the topic."""
        view, values = self.view, self._values
        order = top(values, int((values >= 0.0).sum()))
        worth, near = values.tolist(), self.near.tolist()
        shown = tried = 0
        while tried < len(order) and shown < most:
            i = order[tried]
            tried += 1
            shown += self._show("active", view.items[i], "topic" if near[i] else "any_topic", worth[i])
        hot = _Hot(view.items, values, view.frozen, view.stale, self.asleep)
        self.left_out.append(partial(hot.not_shown, self.who, self.done, order[tried:]))

    def _retrieved(self, found: Recalled) -> None:
        """Level 3: what recall finds beyond the levels above, the archive included."""
        self.left_out.append(found.left_out.__iter__)
        for hit in found.hits:
            self._show("retrieved", hit.item, hit.route, hit.score, woken=hit.woken)

    def _said(self, excerpts: Sequence[Excerpt]) -> None:
        """The user's own words on the topic, by date, as far as there is room."""
        for excerpt in excerpts:
            if self.page.room < _LEAST_AROUND:
                break
            self._quote("said", "said", excerpt.turn, {}, excerpt)

    def _working(self, turns: Sequence[Turn]) -> None:
        """R10: the latest turns; when room is short the newest ones stay."""
        roles = self.writer.wording.roles
        for turn in reversed(turns):
            self._quote("working", "working", turn, {"role": roles.get(turn.role, turn.role)})

    # lines

    def _show(self, section: str, item: MemoryItem, reason: str, value: float = 0.0, woken: bool = False) -> bool:
        """Whether the item got its line; otherwise the reason is noted, and a later level may try again."""
        if item.id in self.done:
            return False
        if item.tokens + _LEAST_AROUND <= self.page.room and not self._why_hidden(item):
            line = self._line(section, item, reason, value, woken)
            if self.page.place(section, line if line.score == value else msgspec.structs.replace(line, score=value)):
                self.done.add(item.id)
                return True
        self._leave(item, "over_budget", value)
        return False

    def _line(self, section: str, item: MemoryItem, reason: str, value: float, woken: bool) -> ContextLine:
        """The item's line with its cost, made once for as long as the user's memory stays as it is; only the score changes."""
        held = unsure = False
        if item.held:
            held = (place := self.view.place.get(item.id)) is None or bool(self.matters[place])
        if item.observed_until is not None:
            unsure = observed(item, self.now)
        key = (item.id, section, reason, woken, held, unsure)
        line: ContextLine | None = self.lines.get(key)
        if line is None:
            line = self.lines[key] = self._written(section, item, reason, value, woken, held)
        return line

    def _written(
        self, section: str, item: MemoryItem, reason: str, value: float, woken: bool, held: bool
    ) -> ContextLine:
        text = self.writer.line(item, self.now, woken=woken, show_held=held)
        return ContextLine(
            text=text,
            item=item,
            level=section,
            reason=reason,
            score=value,
            tokens=self.page.tokens(text, item),
            turn_ids=tuple([e.turn_id for e in item.evidence]),
        )

    def drop(self, lines: Iterable[ContextLine]) -> None:
        """Lines that the page had to take off again."""
        for line in lines:
            if line.item is not None:
                self._leave(line.item, "over_budget", line.score)

    def _leave(self, item: MemoryItem, reason: str, value: float = 0.0) -> None:
        self.left_out.append(partial(_reasons, self.who, ((item, reason, value),)))

    def _why_hidden(self, item: MemoryItem) -> str | None:
        return self.hidden[item.id] if item.id in self.hidden else self.who.hidden(item)

    def _quote(
        self, section: str, name: str, turn: Turn, values: Mapping[str, str], excerpt: Excerpt | None = None
    ) -> None:
        """A turn's own words, cut and made harmless; never when they give orders to a model (P1)."""
        if excerpt is None and looks_like_instruction(turn.text):  # excerpts were looked at when they were recalled
            return
        reason, value = section, 0.0
        turn_ids: tuple[str, ...] = (turn.id,)
        if excerpt is not None:
            reason, value, turn_ids = excerpt.route, excerpt.score, excerpt.turn_ids or (turn.id,)
        words = neutralise(shorten(turn.text, _EXCERPT_CHARACTERS))
        text = self.writer.wording.line(name, text=words, **values)
        day = "" if excerpt is None else self.writer.date(turn.said_at)
        line = ContextLine(text=text, level=section, reason=reason, score=value, turn_ids=turn_ids)
        self.page.add(section, line, day)

    def _plain(self, section: str, name: str, text: str) -> None:
        words = self.writer.wording.line(name, text=text)
        self.page.add(section, ContextLine(text=words, level=section, reason=section))
