"""Three weeks of twenty users, four memories side by side: who has to explain themselves again, and who drifts.

    python benchmarks/simulation.py [--users 20] [--days 21] [--plot simulation.png]

Each user has a life of facts and preferences (English or Chinese). Every day is a session: the task of the day needs
some of them; what the context doesn't say, the user says again (a repeated explanation). In between come moods against
what has settled, a friend's tastes, and honest corrections (a move, a new job). All systems read the same turns with the
same embedder and 1,600 tokens, and are given the same claims (a perfect extractor, so that only the memories differ):

- none: no memory. Every need is explained again.
- top-k: store every turn, show those most similar to the day's question.
- newest: one value per slot, the latest statement wins, whatever its mood.
- forever: every statement is kept and shown, latest first; nothing fades, nothing is superseded.
- hermes, and hermes with its own offline extractor.

Printed: repeated explanations (and how many fewer than without memory); drifts (looks at a context that states as true
what was only a mood, of all looks after one); corrections that the next session follows (the new is there, the old isn't
stated beside it).
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import msgspec
import numpy as np
from _side_by_side import save

from hermes_core import Candidate, DefaultEmbedder, Hermes, MemoryItem, TiktokenCounter, Turn
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.testing import FakeClock, ScriptedExtractor

BUDGET = 1600
TOKENS = TiktokenCounter()


@dataclass(frozen=True)
class Trait:
    """Something true of a user: how it is said, what a context must hold to show it, a task that needs it."""

    name: str
    said: str
    shows: tuple[str, ...]
    task: str
    kind: str = "fact"
    against: str = ""  # a mood against it, which a context must not state as the truth
    corrected: str = ""
    then_shows: tuple[str, ...] = ()

    def claims(self, text: str) -> list[Candidate]:
        """What a perfect extractor finds in one of the trait's sentences."""
        words = {"kind": self.kind, "slot": self.name, "text": text, "quote": text, "turn_id": "", "exclusive": True}
        if text == self.against:
            return [Candidate(value=f"not {self.shows[0]}", tone="emotional", **words)]
        if text == self.corrected:
            return [Candidate(value=self.then_shows[0], correction=True, confidence=0.95, **words)]
        if text == self.said or text == now_said(self):
            return [Candidate(value=self.shows[0] if text == self.said else self.then_shows[0], **words)]
        return []


def now_said(trait: Trait) -> str:
    """How the trait is said once it was corrected."""
    return trait.said.replace(trait.shows[0], trait.then_shows[0]) if trait.corrected else trait.said


def english(chance: random.Random) -> list[Trait]:
    city, new_city = chance.sample(["Lyon", "Porto", "Gent", "Turin", "Malaga", "Bergen"], 2)
    job, new_job = chance.sample(["nurse", "carpenter", "translator", "plumber", "pharmacist"], 2)
    food = chance.choice(["peanuts", "shellfish", "soy", "sesame"])
    return [
        Trait("reply", "I prefer concise answers.", ("concise", "short"), "Explain how a mortgage works.", kind="preference",
              against="Ugh, I'm in a hurry, just give me every detail this once!!!"),
        Trait("allergy", f"I'm allergic to {food}.", (food,), "Any idea for a late-night snack?", kind="constraint"),
        Trait("home", f"I live in {city}.", (city,), "What could I do outside this weekend?", kind="fact",
              corrected=f"I've moved to {new_city}.", then_shows=(new_city,)),
        Trait("job", f"I work as a {job}.", (job,), "Help me write a short introduction of myself.", kind="identity",
              corrected=f"I no longer work as a {job}, I'm a {new_job} now.", then_shows=(new_job,)),
        Trait("taste", "I love hiking.", ("hiking",), "Plan my free Saturday.", kind="preference",
              against="I'm so fed up with hiking today, I hate it!!!"),
        Trait("project", "My project is called Heron.", ("heron",), "Draft the status mail for my project."),
    ]  # fmt: skip


def chinese(chance: random.Random) -> list[Trait]:
    city, new_city = chance.sample(["成都", "杭州", "昆明", "厦门", "西安"], 2)
    job, new_job = chance.sample(["护士", "木匠", "翻译", "会计", "药剂师"], 2)
    food = chance.choice(["花生", "海鲜", "芝麻", "芒果"])
    return [
        Trait("reply", "我喜欢简洁的回答。", ("简洁", "concise", "简短"), "解释一下房贷是怎么算的。", kind="preference",
              against="烦死了，赶时间，这次给我写详细点！！！"),
        Trait("allergy", f"我对{food}过敏。", (food,), "推荐一个夜宵吧。", kind="constraint"),
        Trait("home", f"我住在{city}。", (city,), "这个周末去哪里玩好？", kind="fact",
              corrected=f"我搬到{new_city}了。", then_shows=(new_city,)),
        Trait("job", f"我是一名{job}。", (job,), "帮我写一段自我介绍。", kind="identity",
              corrected=f"我不再做{job}了，我现在是一名{new_job}。", then_shows=(new_job,)),
        Trait("taste", "我喜欢爬山。", ("爬山",), "帮我安排一下周六。", kind="preference",
              against="今天真是受够爬山了，烦死了，讨厌爬山！！！"),
        Trait("project", "我的项目叫苍鹭。", ("苍鹭",), "帮我起草项目周报邮件。"),
    ]  # fmt: skip


NOISE = (
    "ok thanks", "haha nice", "what's the weather like?", "My friend Jack hates football.", "好的谢谢", "能再说一遍吗？",
    "帮我翻译一句话", "write me a haiku about trains", "我朋友小杰讨厌足球。",
)  # fmt: skip


Script = Callable[[Sequence[Turn], Sequence[MemoryItem]], Sequence[Candidate]]


class Memory(Protocol):
    def hear(self, user: str, session: str, text: str) -> None: ...
    def context(self, user: str, session: str, query: str) -> str: ...
    def end_of_day(self) -> None: ...


class NoMemory:
    def hear(self, user: str, session: str, text: str) -> None: ...
    def context(self, user: str, session: str, query: str) -> str:
        return ""

    def end_of_day(self) -> None: ...


def fitting(lines: Sequence[str]) -> str:
    """As many lines as the budget holds."""
    out: list[str] = []
    used = 0
    for line in lines:
        used += TOKENS.count(line) + 1
        if used > BUDGET:
            break
        out.append(line)
    return "\n".join(out)


@dataclass
class TopK:
    """Store everything, show what is most similar."""

    embedder: DefaultEmbedder
    said: dict[str, list[tuple[str, np.ndarray]]] = field(default_factory=dict)

    def hear(self, user: str, session: str, text: str) -> None:
        self.said.setdefault(user, []).append((text, self.embedder.embed([text])[0]))

    def context(self, user: str, session: str, query: str) -> str:
        asked = self.embedder.embed([query])[0]
        ranked = sorted(self.said.get(user, ()), key=lambda pair: -float(pair[1] @ asked))
        return fitting(list(dict.fromkeys(text for text, _ in ranked[:20])))

    def end_of_day(self) -> None: ...


@dataclass
class Extracted:
    """Statements by the same local extractor; `key` says which earlier ones a new one overwrites (None: none)."""

    extractor: Script
    key: Callable[[Candidate], object | None]
    held: dict[str, dict[object, str]] = field(default_factory=dict)
    heard: int = 0

    def hear(self, user: str, session: str, text: str) -> None:
        self.heard += 1
        turn = Turn(
            id=str(self.heard), user_id=user, session_id=session, role="user", text=text, said_at=FakeClock().now()
        )
        for found in self.extractor([turn], []):
            self.held.setdefault(user, {})[self.key(found) or self.heard] = found.text

    def context(self, user: str, session: str, query: str) -> str:
        return fitting(list(self.held.get(user, {}).values())[::-1])

    def end_of_day(self) -> None: ...


class HermesMemory:
    def __init__(self, clock: FakeClock, embedder: DefaultEmbedder, script: Script | None) -> None:
        self.hermes = Hermes.open(
            ledger=InMemoryLedger(), chroma=False, clock=clock, embedder=embedder, worker=False,
            extractor=ScriptedExtractor(script) if script else None,
        )  # fmt: skip

    def hear(self, user: str, session: str, text: str) -> None:
        self.hermes.session(user, session).observe("user", text)

    def context(self, user: str, session: str, query: str) -> str:
        return self.hermes.session(user, session).context(query, budget=BUDGET).text

    def end_of_day(self) -> None:
        self.hermes.flush(timeout=600)


@dataclass
class Tally:
    needs: int = 0
    repeated: int = 0
    looks: int = 0
    drifts: int = 0
    corrections: int = 0
    followed: int = 0
    by_day: Counter[int] = field(default_factory=Counter)


MOODS, CORRECTED = (6, 13), 10  # days


def traits_of(number: int) -> list[Trait]:
    return (chinese if number % 2 else english)(random.Random(number))


def perfect(users: int) -> Script:
    known = {
        text: trait.claims(text)
        for number in range(users)
        for trait in traits_of(number)
        for text in (trait.said, trait.against, trait.corrected, now_said(trait))
        if text
    }

    def read(turns: Sequence[Turn], _known: Sequence[MemoryItem]) -> list[Candidate]:
        return [msgspec.structs.replace(c, turn_id=turn.id) for turn in turns for c in known.get(turn.text, ())]

    return read


def stated(shown: str) -> list[str]:
    """The lines that a context states as true now, without what they tell as held or earlier."""
    lines = [line.split("(")[0].split("（")[0].casefold() for line in shown.splitlines()]
    return [line for line in lines if not any(word in line for word in ("earlier", "once", "以前", "曾"))]


def holds(lines: Sequence[str], words: Sequence[str]) -> bool:
    return any(word.casefold() in line for line in lines for word in words)


def live(memory: Memory, clock: FakeClock, users: int, days: int) -> Tally:
    """The same lives for every memory."""
    tally = Tally()
    for day in range(days):
        for number in range(users):
            _day(memory, tally, f"user-{number}", day, traits_of(number), random.Random(1000 * number + day))
        memory.end_of_day()
        clock.advance(days=1)
    return tally


def _day(memory: Memory, tally: Tally, user: str, day: int, traits: Sequence[Trait], chance: random.Random) -> None:
    session = f"{user}-{day}"
    picked = list(traits) if day in (0, CORRECTED + 1) else chance.sample(list(traits), 3)
    for trait in picked:
        corrected = bool(trait.corrected) and day > CORRECTED
        words = trait.then_shows if corrected else trait.shows
        lines = stated(memory.context(user, session, trait.task))
        if day:
            _look(tally, trait, lines, day, corrected)
        memory.hear(user, session, trait.task)
        if not holds(lines, words):
            tally.repeated += bool(day)
            tally.by_day[day] += bool(day)
            memory.hear(user, session, now_said(trait) if corrected else trait.said)
    memory.hear(user, session, chance.choice(NOISE))
    for trait in traits:
        if trait.against and day in MOODS:
            memory.hear(user, session, trait.against)
        if trait.corrected and day == CORRECTED:
            memory.hear(user, session, trait.corrected)


def _look(tally: Tally, trait: Trait, lines: Sequence[str], day: int, corrected: bool) -> None:
    tally.needs += 1
    if trait.against and day > MOODS[0]:
        tally.looks += 1
        tally.drifts += holds(lines, [trait.against])
    if corrected and day == CORRECTED + 1:
        tally.corrections += 1
        old = [line for line in lines if line.strip("- ").startswith(trait.said.casefold().rstrip(".。"))]
        tally.followed += holds(lines, trait.then_shows) and not old


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--days", type=int, default=21)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    embedder = DefaultEmbedder()
    clock, script = FakeClock(), perfect(given.users)
    systems: dict[str, Memory] = {
        "none": NoMemory(),
        "top-k": TopK(embedder),
        "newest": Extracted(script, lambda c: (c.subject, c.slot)),
        "forever": Extracted(script, lambda c: None),
        "hermes": HermesMemory(clock, embedder, script),
        "hermes, offline extractor": HermesMemory(clock, embedder, None),
    }
    tallies = {}
    for name, memory in systems.items():
        clock.set("2026-01-05T09:00:00+00:00")
        tallies[name] = live(memory, clock, given.users, given.days)
        _tell(name, tallies[name], tallies["none"])
    save("simulation", {name: {k: v for k, v in vars(t).items() if k != "by_day"} for name, t in tallies.items()})
    if given.plot:
        _plot(tallies, given.days, given.plot)


def _tell(name: str, tally: Tally, none: Tally) -> None:
    fewer = 1 - tally.repeated / none.repeated if none.repeated else 0.0
    print(
        f"{name:26s} repeated {tally.repeated:5d} of {tally.needs} needs ({fewer:6.1%} fewer)   "
        f"drifts {tally.drifts:4d} of {tally.looks}   corrections followed {tally.followed}/{tally.corrections}"
    )


def _plot(tallies: dict[str, Tally], days: int, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (over_time, summed) = pyplot.subplots(1, 2, figsize=(12, 4), width_ratios=(3, 2))
    for name, tally in tallies.items():
        width = 2.5 if name.startswith("hermes") else 1.2
        over_time.plot(range(1, days), [tally.by_day[d] for d in range(1, days)], label=name, linewidth=width)
    over_time.set(xlabel="day", ylabel="repeated explanations a day", xticks=range(0, days, 5))
    over_time.legend(frameon=False)
    places = np.arange(len(tallies))
    drifts = [100 * t.drifts / max(t.looks, 1) for t in tallies.values()]
    followed = [100 * t.followed / max(t.corrections, 1) for t in tallies.values()]
    for bars in (
        summed.barh(places - 0.2, drifts, 0.4, color="tab:red", label="drifted: a mood stated as the truth"),
        summed.barh(places + 0.2, followed, 0.4, color="tab:green", label="followed: corrections, in the next session"),
    ):
        summed.bar_label(bars, fmt="%.0f %%", padding=3)
    summed.set(yticks=places, yticklabels=list(tallies), xlim=(0, 118), xlabel="% of looks, of corrections")
    summed.invert_yaxis()
    summed.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, 1.2))
    for axes in (over_time, summed):
        axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


if __name__ == "__main__":
    main()
