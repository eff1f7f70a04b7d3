"""R6: two remembered things that can't both hold are told as a change, also where they stand in different slots."""

from __future__ import annotations

import pytest

from hermes_core.items import Kind, Status


def changes(world) -> list[str]:
    return [line.text for line in world.context().lines if line.level == "changes"]


@pytest.mark.parametrize(
    ("slot", "other", "polarity"),
    [("likes", "music.likes", -1), ("food.likes", "food.dislikes", 1)],
)
def test_a_liking_turned_around_in_another_slot(world, slot, other, polarity):
    kind = {"kind": Kind.PREFERENCE, "value": "jazz"}
    world = world.add("a", "loves jazz", slot=slot, idle=30, **kind)
    world = world.add("b", "can't stand jazz", slot=other, polarity=polarity, idle=2, **kind)
    assert len(changes(world)) == 1


def test_what_is_contested_from_another_slot_is_told_with_its_rival(world):
    world = world.add("a", "works nights", slot="working_hours", idle=30, status=Status.STALE, contested_by="b")
    world = world.add("b", "has a day job", slot="occupation", idle=2)
    (line,) = changes(world)
    assert "works nights" in line and "has a day job" in line


@pytest.mark.parametrize(
    "fields",
    [
        {"qualifiers": ("at night",)},
        {"subject": "Kim"},
        {"value": "jazz dance"},
        {"slot": "food.likes"},
        {"status": Status.FROZEN},
        {"suspicious": True},
    ],
)
def test_what_need_not_clash_is_no_change(world, fields):
    kind = {"kind": Kind.PREFERENCE, "value": "jazz"}
    world = world.add("a", "loves jazz", slot="music.likes", idle=30, **kind)
    world = world.add("b", "can't stand jazz", **{"slot": "likes", "polarity": -1, "idle": 2, **kind, **fields})
    assert changes(world) == []


def test_one_thing_stands_in_one_change(world):
    kind = {"kind": Kind.PREFERENCE, "value": "jazz"}
    world = world.add("a", "loves jazz", slot="music.likes", idle=30, **kind)
    world = world.add("b", "can't stand jazz", slot="likes", polarity=-1, idle=2, **kind)
    world = world.add("c", "hates jazz", slot="dislikes", idle=1, **kind)
    assert len(changes(world)) == 1
