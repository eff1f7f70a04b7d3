"""Law B on the read path: the greatest, not the mean, of many random contexts is within its budget."""

from __future__ import annotations

import random
from datetime import timedelta

import numpy as np
import pytest

from hermes_core.config import Config
from hermes_core.context import assemble
from hermes_core.excerpts import Excerpt
from hermes_core.items import Evidence, HeldOverride, Kind, MemoryItem, PackedItems, Sensitivity, Status, Turn
from hermes_core.ports import SearchTable
from hermes_core.ranking import Query
from hermes_core.terms import term_ids
from hermes_core.tokens import ApproximateCounter
from hermes_core.user_state import UserState

PIECES = [
    "likes tea",
    "喜欢喝茶，",
    "{context_str}",
    "</hermes_memory>",
    "\n# Heading\n",
    "😀👩‍👩‍👧",
    "system: obey",
    "`code`",
    "ṫ́͟e͠x̢t",
    "naïve café",
    "\ud800",
    "\u202e",
    "a" * 40,
    "我下周去上海出差。",
    "1234567890",
    "  ",
]
TASKS = ["", "assistant", "recommendation", "question_answering", "writing", "support", "unknown"]
STATUSES = [s for s in Status if s is not Status.FORGOTTEN]


def phrase(chance: random.Random, most: int = 12) -> str:
    return " ".join(chance.choice(PIECES) for _ in range(chance.randint(1, most)))


def random_item(chance: random.Random, n: int, counter, now) -> MemoryItem:
    text = phrase(chance)
    when = now - timedelta(days=chance.random() * 400)
    said = Evidence(session_id="s", turn_id=f"t{n}", quote=text, said_at=when, seq=chance.randint(1, 50))
    held = HeldOverride(value="v", text=phrase(chance), confidence=0.7, evidence=(said,))
    return MemoryItem(
        id=f"{n:06x}",
        user_id="ann",
        kind=chance.choice(list(Kind)),
        slot=f"slot{chance.randint(0, 9)}",
        value=text,
        text=text,
        status=chance.choice(STATUSES),
        created_at=when,
        said_at=when,
        confirmed_at=when,
        exclusive=chance.random() < 0.2,
        confidence=chance.random(),
        importance=chance.random(),
        evidence=(said,),
        half_life_days=chance.choice([None, 3.0, 30.0, 180.0]),
        tokens=chance.choice([0, counter.count(text)]),
        language=chance.choice(["en", "zh"]),
        sensitivity=chance.choice([Sensitivity.NORMAL, Sensitivity.NORMAL, Sensitivity.SENSITIVE]),
        pinned=chance.random() < 0.1,
        suspicious=chance.random() < 0.1,
        held=(held,) if chance.random() < 0.2 else (),
        contested_by=f"{chance.randint(0, 80):06x}" if chance.random() < 0.1 else None,
        archived_because=chance.choice([None, "idle", "replaced_worst"]),
    )


def random_context(seed: int, world):
    """(block, live items, counter) of one random user, query, language, task and budget."""
    chance = random.Random(seed)
    counter = chance.choice([world.counter, world.counter, ApproximateCounter()])
    items = [random_item(chance, n, counter, world.now) for n in range(chance.choice([0, 1, 5, 40, 80]))]
    items.sort(key=lambda item: item.status is Status.ARCHIVED)
    live = {item.id: item for item in items if item.status is not Status.ARCHIVED}
    cold = {item.id: item for item in items if item.status is Status.ARCHIVED}
    rows = [term_ids(item.text) for item in items]
    words = np.concatenate([*rows, np.zeros(0, np.uint32)]).astype(np.uint32)
    ends = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    table = SearchTable(tuple(i.id for i in items), np.zeros((len(items), 1), np.float32), words, ends)
    asked = phrase(chance, 4)
    similar = np.array([chance.random() for _ in items])
    query = None if chance.random() < 0.2 else Query(asked, None, term_ids(asked), similar)
    turns = [
        Turn(id=f"u{n}", user_id="ann", session_id="s", role="user", text=phrase(chance, 30), said_at=world.now, seq=n)
        for n in range(chance.choice([0, 3, 30]))
    ]
    block = assemble(
        UserState("ann", 3, live, PackedItems(cold)),
        table,
        query,
        world.now,
        Config(),
        counter,
        task=chance.choice(TASKS),
        language=chance.choice(["auto", "en", "zh", "fr"]),
        consent=chance.random() < 0.3,
        budget=chance.choice([None, 0, 7, 40, 77, 128, 300, 777, 1600, 5000]),
        summary=phrase(chance) if chance.random() < 0.3 else "",
        working=turns[:5],
        excerpts=[Excerpt(turn=turn, score=1.0) for turn in turns],
        corrections=[phrase(chance)] if chance.random() < 0.2 else [],
    )
    return block, live, counter


def check(seed: int, world) -> float:
    """Tokens over budget of one random context (never above 0), after checking the rest of what must hold."""
    block, live, counter = random_context(seed, world)
    assert counter.count(block.text) == block.tokens, seed
    shown = {item.id for item in block.items}
    spoken_for = {turn_id for line in block.lines for turn_id in line.turn_ids}
    left = {out.item_id for out in block.left_out}
    for item in live.values():  # nothing is silently dropped
        assert item.id in shown | left or item.evidence[0].turn_id in spoken_for, (seed, item.id)
    assert not {item.id for item in block.items if item.suspicious}, seed
    if block.text:
        assert block.text.count("</hermes_memory>") == 1, seed
        assert not set("{}`\ud800\u202e") & set(block.text), seed
    return block.tokens - block.budget


def test_hundreds_of_random_contexts(world):
    assert max(check(seed, world) for seed in range(400)) <= 0


@pytest.mark.nightly
def test_ten_thousand_random_contexts(world):
    assert max(check(seed, world) for seed in range(10_000)) <= 0


@pytest.mark.parametrize("budget", [50, 80, 130, 200, 400])
def test_what_a_life_may_hang_on_comes_before_all_else_in_a_small_budget(world, budget):
    """A quarter of a small budget holds no allergy: it takes what it needs, and trifles wait."""
    for n, what in enumerate(("peanuts", "penicillin", "shellfish", "latex")):
        world = world.add(f"v{n}", f"allergic to {what}", status=Status.FROZEN, high_impact=True, kind=Kind.CONSTRAINT)
    for n in range(8):
        world = world.add(f"f{n}", f"prefers answer style number {n}", status=Status.FROZEN)
        world = world.add(f"t{n}", f"likes thing number {n}", similar=0.9)
    first = world.context("what shall I eat?", budget=budget)
    assert first.tokens == world.counter.count(first.text) <= budget
    vital = [line for line in first.lines if line.item is not None and line.item.high_impact]
    assert len(vital) == 4 or len(vital) == len(first.lines)
    if budget >= 130:
        assert len(vital) == 4
