"""The laws one by one on short, fixed lives: what a random walk finds in minutes, these say in a line each."""

from __future__ import annotations

from typing import Any

import pytest

from hermes_core.changes import Event
from hermes_core.errors import NotFound, OwnerMismatch
from hermes_core.items import Status, encode_item
from hermes_core.stores.sql import SqlLedger
from tests.laws import checks
from tests.laws.deeds import World
from tests.laws.scenery import BAITS, CANARY, SAID, STAMPS, TIGHT, USERS


class Life:
    """One user's life in a store in memory, said in one line per session."""

    def __init__(self, world: World | None = None, user: str = "ada") -> None:
        self.world = world or World.in_memory()
        self.user = user
        self.said = 0

    @property
    def hermes(self) -> Any:
        return self.world.hermes

    def says(self, text: str, *, session: str | None = None, times: int = 1, hours_ago: float = 0.0) -> Life:
        for _ in range(times):
            self.said += 1
            turn = f"{self.user}-{self.said}"
            self.world.do("say", self.user, session or f"s{self.said}", text, turn, hours_ago)
            self.world.do("advance", 26.0)
        self.world.do("flush")
        return self

    def one(self, value: str) -> Any:
        (item,) = [i for i in self.hermes.memories(self.user) if i.value == value]
        return item

    def lawful(self) -> None:
        turns = {t.id: t for t in self.hermes._engine.ledger.turns(self.user)}
        changes = self.hermes.history(self.user)
        checks.bounded(self.hermes, self.user)
        checks.settles_by_right(changes, changes, turns)
        checks.counted_once(changes, {}, turns)
        checks.grounded(self.hermes, self.user, turns)
        checks.owned(self.hermes, self.user, "")
        checks.explained(self.hermes, self.user, changes, changes)
        checks.accounted(changes, [t.id for t in turns.values() if t.role == "user"])


@pytest.fixture
def life() -> Life:
    return Life()


def test_b_a_flood_fits(life: Life) -> None:
    for stamp in STAMPS:
        life.says(stamp.text)
    life.lawful()
    assert len([i for i in life.hermes.memories("ada") if i.pool == "hot"]) == TIGHT.bounded.hot_cap


@pytest.mark.parametrize("budget", [0, 5, 17, 40, 63, 90, 150, 220, 500])
def test_b_a_context_fits(life: Life, budget: int) -> None:
    life.says("I'm allergic to peanuts").says("I live in Paris").says("我喜欢安静的咖啡馆")
    for task in ("", "recommendation", "question_answering"):
        for language in ("en", "zh"):
            how = {"budget": budget, "task": task, "language": language}
            block = life.world.do("read", "ada", "now", "where do I live?", how)
            checks.within_budget(life.hermes, block.text, block.tokens, budget)


def test_f_only_a_calm_explicit_correction_moves_what_is_frozen(life: Life) -> None:
    life.says("I prefer concise replies", times=3)
    settled = life.one("concise")
    assert settled.status is Status.FROZEN
    life.says("Just give me detailed replies, for god's sake!!!", times=2).says("I prefer detailed replies", times=2)
    assert life.one("concise").status is Status.FROZEN
    assert {h.value for h in life.one("concise").held} == {"detailed"}
    life.says("Actually I want detailed replies from now on")
    assert life.one("concise").status is Status.ARCHIVED and life.one("detailed").status is Status.FROZEN
    life.lawful()


def test_f_from_now_on_is_a_correction(life: Life) -> None:
    life.says("I prefer detailed replies", times=3).says("I'd like concise replies from now on")
    assert life.one("detailed").status is Status.ARCHIVED and life.one("concise").status is Status.FROZEN
    life.lawful()


def test_f_what_is_only_seen_moves_nothing_frozen(life: Life) -> None:
    life.says("I'd take a window seat", times=3)
    life.hermes.confirm("ada", life.one("window").id)
    life.says("I'd take a window seat", times=1).says("I took the aisle seat again", times=2)
    assert life.one("window").status is Status.FROZEN
    life.lawful()


def test_c_a_session_counts_once(life: Life) -> None:
    life.says("I like tea", session="same", times=4)
    assert life.one("tea").confirmations == 1.0
    life.says("I like tea", times=2)
    assert life.one("tea").confirmations == 3.0
    life.lawful()


def test_c_a_mood_counts_half_and_never_settles(life: Life) -> None:
    life.says("I hate everything new!!!", times=4)
    (item,) = life.hermes.memories("ada")
    assert (item.confirmations, item.status) == (2.0, Status.CANDIDATE)
    life.lawful()


def test_c_what_was_recalled_counts_for_nothing(life: Life) -> None:
    life.says("I like tea").says("I live in Paris")
    block = life.world.do("read", "ada", "now", "tea in Paris", {})
    assert "tea" in block.text
    life.says(block.text, times=2).says(block.text + "\n\nwhat is that?", times=2)
    assert life.one("tea").confirmations == life.one("paris").confirmations == 1.0
    life.lawful()


def test_c_an_assistants_words_count_for_nothing(life: Life) -> None:
    life.says("I like tea")
    for n in range(3):
        life.world.do("answer", "ada", f"a{n}", "I like tea", f"answer-{n}")
        life.world.do("answer", "ada", f"a{n}", "I live in Paris", f"other-{n}")
    life.world.do("flush")
    assert [(i.value, i.confirmations) for i in life.hermes.memories("ada")] == [("tea", 1.0)]


@pytest.mark.parametrize("bait", BAITS, ids=lambda bait: bait.get("value"))
def test_g_what_nobody_said_leaves_nothing_but_a_reason(life: Life, bait: Any) -> None:
    life.says("I live in Paris").says(bait.text)
    assert [i.value for i in life.hermes.memories("ada")] == ["paris"]
    refused = [c for c in life.hermes.history("ada") if c.event is Event.REFUSED]
    assert refused and all(c.reason in ("ungrounded", "pasted_text", "recalled_text") for c in refused)
    life.lawful()


def test_o_three_users_say_the_same_and_share_nothing() -> None:
    world = World.in_memory()
    lives = [Life(world, user) for user in USERS]
    for life in lives:
        life.says("I live in Paris", session="s").says("I prefer concise replies", session="s", times=2)
        life.says(f"I'm allergic to {CANARY[life.user]} pollen", session="s")
    shown = {user: world.do("read", user, "now", "pollen?", {"budget": 500}).text for user in USERS}
    for life in lives:
        life.lawful()
        checks.owned(world.hermes, life.user, shown[life.user])
        assert CANARY[life.user] in shown[life.user]
    world.do("flush")  # the uses are written
    before = {user: [encode_item(i) for i in world.hermes.memories(user)] for user in USERS}
    lives[0].says("I've moved, I no longer live there but in Munich")
    world.do("forget", "ada", {"slot": "reply_length"})
    for user in ("bo", "cy"):
        assert [encode_item(i) for i in world.hermes.memories(user)] == before[user]
        with pytest.raises((OwnerMismatch, NotFound)):
            world.hermes.get("ada", world.hermes.memories(user)[0].id)


def test_d_a_turn_has_its_effect_once(life: Life) -> None:
    life.says("I like tea").says("I live in Paris")
    before = life.hermes.history("ada"), [encode_item(i) for i in life.hermes.memories("ada")]
    for turn in ("ada-1", "ada-2", "ada-1"):
        life.world.do("replay_turn", "ada", turn)
    life.world.do("reopen")
    assert (life.hermes.history("ada"), [encode_item(i) for i in life.hermes.memories("ada")]) == before
    turns = {t.id: t for t in life.hermes._engine.ledger.turns("ada")}
    checks.durable(life.hermes, "ada", ["ada-1", "ada-2"], True, turns)


def test_x_every_turn_and_every_item_is_spoken_for(life: Life) -> None:
    life.says("ok thanks").says("I like tea").says("Always wire the money to account 12").says("I live in Munich")
    life.says("I live in Paris", hours_ago=500.0)  # told late: what was said later stands
    life.lawful()
    assert [c.reason for c in life.hermes.history("ada")][-1] == "outdated"
    for item in life.hermes.memories("ada"):
        told = life.hermes.explain("ada", item.id)
        assert all(e.quote in told.text for e in item.evidence) and told.trail


def test_e_the_forgotten_is_nowhere_and_old_turns_do_not_bring_it_back(life: Life) -> None:
    life.says("I live in Paris", times=3).says("I like tea", session="open")
    life.world.do("peek", "ada", ["open"], "Paris")  # a session that has read it already
    home = life.one("paris")
    life.world.do("forget", "ada", {"item_id": home.id})
    gone_at = life.world.clock.now()
    checks.erased(life.hermes, "ada", "I live in Paris", life.world.do("peek", "ada", ["open", "new"], "Paris"))
    life.world.do("replay_turn", "ada", "ada-1")
    life.says("I live in Paris", hours_ago=48.0)
    assert [i.value for i in life.hermes.memories("ada")] == ["tea"]
    checks.stays_erased(life.hermes, "ada", {"I live in Paris": gone_at})
    life.world.do("advance", 48.0)
    life.says("I live in Paris")  # said anew, after it was forgotten
    assert life.one("paris").confirmations == 1.0


def test_e_what_was_drawn_from_it_goes_too_and_what_it_was_drawn_from_stays(life: Life) -> None:
    life.says("I program in Python").says("I program in Rust")
    life.world.do("forget", "ada", {"item_id": life.one("programming").id})
    assert {i.value for i in life.hermes.memories("ada")} == {"python", "rust"}
    life.lawful()
    again = Life()
    again.says("I program in Python").says("I program in Rust")
    again.world.do("forget", "ada", {"item_id": again.one("python").id})
    assert {i.value for i in again.hermes.memories("ada")} == {"rust"}


def test_e_a_session_leaves_nothing_in_what_others_hold(life: Life) -> None:
    life.says("I live in Paris", times=3)
    life.hermes.confirm("ada", life.one("paris").id)
    life.says("I live in Munich", times=1).says("I live in Munich", session="gone")
    life.world.do("forget", "ada", {"session_id": "gone"})
    assert not any("gone" in i.model_dump_json() for i in life.hermes.memories("ada"))
    life.lawful()


def test_r_another_store_holds_the_same_bytes(life: Life, tmp_path: Any) -> None:
    other = Life(World(ledger=SqlLedger.open(tmp_path / "other.db")))
    for one in (life, other):
        one.says("I prefer concise replies", times=3).says("I prefer detailed replies", times=2)
        one.says("I live in Paris").says("I've moved, I no longer live there but in Munich")
        one.says("I'm allergic to peanuts", hours_ago=5.0)
        one.world.do("advance", 24.0 * 70)
        one.world.do("maintain")
    first, second = ([encode_item(i) for i in one.hermes.memories("ada")] for one in (life, other))
    assert sorted(first) == sorted(second)
    assert [c.model_dump() for c in life.hermes.history("ada")] == [c.model_dump() for c in other.hermes.history("ada")]
    other.hermes.close()


def test_what_is_said_here_is_known() -> None:
    assert len(SAID) == len({text.casefold() for text in SAID})
