"""How much of the evidence stands behind a context: everything ingested through the product, with its bounds on.

    python benchmarks/evidence.py FOLDER [--only locomo realtalk memdaily prefeval] [--task question_answering]

FOLDER holds the public sets (LoCoMo, REALTALK, MemDaily, PrefEval as JSON Lines); nothing of them is kept. Each
speaker is a user: own turns as "user", the other's as "assistant". A question is asked to every speaker who said
some of its evidence, and scored by the share of that speaker's evidence turns behind the context: those cited by
the items shown, and those quoted. Beside it, in the same run: all of the user's own turns stored as they are, the
best by cosine of the same embedder taken while they fit the same budget. PrefEval: is the preference's own turn
behind the context of its own question, with ten other topics' preferences and the distractor chats in between.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np
from _side_by_side import save

from hermes_core import Config, Hermes
from hermes_core.embedding.default import DefaultEmbedder
from hermes_core.testing import FakeClock
from hermes_core.tokens import TiktokenCounter

BUDGETS = (400, 800, 1600)
TARGETS = {"locomo": 0.78, "realtalk": 0.72, "memdaily": 0.75, "prefeval": 0.95}  # at 1,600 tokens
ADVERSARIAL = 5  # LoCoMo's category without an answer
OTHER_TOPICS = 10


@dataclass(frozen=True)
class Said:
    turn_id: str
    session: str
    role: str
    text: str
    at: datetime


@dataclass(frozen=True)
class Question:
    user: str
    text: str
    evidence: tuple[str, ...]
    group: str


@dataclass(frozen=True)
class Dataset:
    name: str
    users: dict[str, list[Said]]
    questions: list[Question]


def rows(folder: Path, name: str) -> list[dict]:
    with open(folder / f"{name}.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


# -- the sets


def conversations(folder: Path, name: str) -> Dataset:
    """LoCoMo and REALTALK: two people, both of them users."""
    talks: dict[str, list[tuple[str, str, str, str, datetime]]] = defaultdict(list)
    for session in rows(folder, f"{name}_sessions"):
        start = moment(session.get("date_iso") or session["date"])
        for n, turn in enumerate(session["turns"]):
            turn_id, who, text = (turn["dia_id"], turn["speaker"], turn["text"]) if isinstance(turn, dict) else turn
            at = start + timedelta(seconds=20 * n)
            talks[session["conv_id"]].append((turn_id, who, text, str(session["session"]), at))
    users: dict[str, list[Said]] = defaultdict(list)
    speaker: dict[tuple[str, str], str] = {}
    for talk, turns in talks.items():
        for me in sorted({who for _, who, *_ in turns}):
            for turn_id, who, text, session, at in turns:
                if text.strip():
                    role = "user" if who == me else "assistant"
                    users[f"{talk}/{me}"].append(Said(turn_id, session, role, text, at))
        speaker.update({(talk, turn_id): who for turn_id, who, *_ in turns})
    return Dataset(name, dict(users), list(_asked(folder, name, speaker)))


def _asked(folder: Path, name: str, speaker: dict[tuple[str, str], str]) -> Iterator[Question]:
    for qa in rows(folder, f"{name}_qa"):
        if name == "locomo" and qa["category"] == ADVERSARIAL:
            continue
        by_user: dict[str, list[str]] = defaultdict(list)
        for turn_id in qa["evidence"]:
            if (qa["conv_id"], turn_id) in speaker:
                by_user[f"{qa['conv_id']}/{speaker[qa['conv_id'], turn_id]}"].append(turn_id)
        for user, evidence in by_user.items():
            yield Question(user, qa["question"], tuple(evidence), str(qa["category_name"]))


def memdaily(folder: Path) -> Dataset:
    users: dict[str, list[Said]] = defaultdict(list)
    for session in rows(folder, "zh_memdaily_sessions"):
        for n, when, text in session["messages"]:
            name = session["session"]
            users[session["user"]].append(Said(f"{name}#{n}", name, "user", text, moment(when)))
    for turns in users.values():
        turns.sort(key=lambda said: said.at)
    asked = [
        Question(qa["user"], qa["question"], tuple(f"{qa['session']}#{n}" for n in qa["evidence"]), qa["qtype"])
        for qa in rows(folder, "zh_memdaily_qa")
        if qa["evidence"]
    ]
    return Dataset("memdaily", dict(users), asked)


def prefeval(folder: Path, most: int) -> Dataset:
    """One user per preference: it is said first, then ten other topics' preferences and the distractor chats."""
    stated, chats = rows(folder, "prefeval_explicit"), rows(folder, "distractor_chats_en")
    chance = random.Random(7)
    by_topic: dict[str, list[dict]] = defaultdict(list)
    for row in stated:
        by_topic[row["topic"]].append(row)
    users: dict[str, list[Said]] = {}
    asked = []
    for row in chance.sample(stated, min(most, len(stated))):
        others = [topic for topic in sorted(by_topic) if topic != row["topic"]]
        between = [chance.choice(by_topic[topic]) for topic in others]
        while len(between) < OTHER_TOPICS:  # nine other topics exist: one gives two
            between.append(chance.choice(by_topic[chance.choice(others)]))
        sessions = [[("user", row["preference"], "own")], *[[("user", b["preference"], b["id"])] for b in between]]
        sessions += [
            [(t["role"], t["content"], f"{chat['id']}#{n}") for n, t in enumerate(chat["turns"])] for chat in chats
        ]
        rest = sessions[1:]
        chance.shuffle(rest)
        users[row["id"]] = list(_days([sessions[0], *rest]))
        asked.append(Question(row["id"], row["question"], ("own",), row["topic"]))
    return Dataset("prefeval", users, asked)


def _days(sessions: Sequence[Sequence[tuple[str, str, str]]]) -> Iterator[Said]:
    day = datetime(2026, 3, 1, 9, tzinfo=timezone.utc)
    for number, session in enumerate(sessions):
        for n, (role, text, turn_id) in enumerate(session):
            if text.strip():
                yield Said(turn_id, f"s{number}", role, text, day + timedelta(days=number, minutes=n))


def moment(text: str) -> datetime:
    """The sets' own ways to write a time, taken as UTC."""
    if chinese := re.match(r"(\d+)年(\d+)月(\d+)日.*?(\d+):(\d+)", text):
        return datetime(*map(int, chinese.groups()), tzinfo=timezone.utc)  # type: ignore[misc]
    form = "%Y-%m-%dT%H:%M:%S" if "T" in text else "%d.%m.%Y, %H:%M:%S"
    return datetime.strptime(text, form).replace(tzinfo=timezone.utc)


# -- through the product


def ingest(hermes: Hermes, clock: FakeClock, data: Dataset) -> float:
    """Everything, through observe and flush; seconds."""
    started = time.perf_counter()
    for n, (user, turns) in enumerate(data.users.items()):
        for said in turns:
            clock.set(said.at)
            hermes.session(user, said.session).observe(said.role, said.text, at=said.at, turn_id=said.turn_id)
        hermes.flush(user, timeout=3600)
        print(f"\r{data.name}: {n + 1}/{len(data.users)} users ingested", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return time.perf_counter() - started


def product(hermes: Hermes, clock: FakeClock, data: Dataset, task: str, budget: int) -> tuple[list[float], list[int]]:
    """Each question's share of evidence, and the tokens of its context."""
    shares, tokens = [], []
    for question in data.questions:
        clock.set(data.users[question.user][-1].at + timedelta(hours=1))
        session = hermes.session(question.user, "asked")
        block = session.context(question.text, task=task, budget=budget)
        behind = set(block.turn_ids)
        shares.append(statistics.fmean(turn in behind for turn in question.evidence))
        tokens.append(block.tokens)
        if block.tokens > budget:
            raise SystemExit(f"law B: a context of {block.tokens} tokens for a budget of {budget}")
    return shares, tokens


def baseline(
    data: Dataset, embed: Callable[[list[str]], np.ndarray], count: Callable[[str], int]
) -> Callable[[int], list[float]]:
    """Store everything: the user's own turns by cosine, best first, until the budget is full."""
    stored = {}
    for user, turns in data.users.items():
        own = [said for said in turns if said.role == "user"]
        stored[user] = (own, embed([said.text for said in own]), [count(said.text + "\n") for said in own])
    asked = embed([question.text for question in data.questions])

    def shares(budget: int) -> list[float]:
        out = []
        for question, vector in zip(data.questions, asked, strict=True):
            own, vectors, sizes = stored[question.user]
            behind, used = set(), 0
            for row in np.argsort(-(vectors @ vector), kind="stable"):
                if used + sizes[row] > budget:
                    break
                used += sizes[row]
                behind.add(own[row].turn_id)
            out.append(statistics.fmean(turn in behind for turn in question.evidence))
        return out

    return shares


def in_batches(embedder: DefaultEmbedder) -> Callable[[list[str]], np.ndarray]:
    return lambda texts: np.concatenate([embedder.embed(texts[i : i + 64]) for i in range(0, len(texts), 64)])


# -- the report


def measure(data: Dataset, task: str) -> dict:
    embedder, counter, clock = DefaultEmbedder(), TiktokenCounter(), FakeClock("2020-01-01T00:00:00+00:00")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        hermes = Hermes.open(scratch, chroma=False, worker=False, clock=clock, config=Config())
        seconds = ingest(hermes, clock, data)
        pools = [hermes.state(user) for user in data.users]
        sizes = {
            "hot": max(len(state.hot) for state in pools),
            "frozen": max(len(state.frozen) for state in pools),
            "archive": max(len(state.archive) for state in pools),
        }
        stored_all = baseline(data, in_batches(embedder), counter.count)
        turns = sum(map(len, data.users.values()))
        print(
            f"\n{data.name}: {len(data.users)} users, {turns} turns in {seconds:.0f} s, {len(data.questions)} questions"
        )
        print(f"largest pools: {sizes['hot']} hot, {sizes['frozen']} frozen, {sizes['archive']} archived")
        print(f"{'tokens':>8} {'Hermes':>8} {'store everything':>17} {'most tokens':>12}")
        found: dict[str, dict] = {}
        for budget in BUDGETS:
            shares, tokens = product(hermes, clock, data, task, budget)
            plain = stored_all(budget)
            mean, beside = statistics.fmean(shares), statistics.fmean(plain)
            print(f"{budget:>8} {mean:>8.3f} {beside:>17.3f} {max(tokens):>12}")
            found[str(budget)] = {"hermes": mean, "store_everything": beside, "most_tokens": max(tokens)}
        groups = defaultdict(list)
        for question, share in zip(data.questions, shares, strict=True):
            groups[question.group].append(share)
        print("  ".join(f"{name} {statistics.fmean(values):.2f}" for name, values in sorted(groups.items())))
        target = TARGETS[data.name]
        print(f"target at {BUDGETS[-1]} tokens: {target} - {'reached' if mean >= target else 'MISSED'}")
        hermes.close()
    return {"budgets": found, "pools": sizes, "turns": turns, "ingest_seconds": seconds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the sets lie as JSON Lines")
    parser.add_argument("--only", nargs="*", default=list(TARGETS), choices=list(TARGETS))
    parser.add_argument("--task", default="question_answering", help="the task that context() is asked for")
    parser.add_argument("--preferences", type=int, default=60, help="how many of PrefEval's preferences")
    chosen = parser.parse_args()
    if not (chosen.folder / "locomo_qa.jsonl").is_file():
        raise SystemExit(
            f"{chosen.folder} has no locomo_qa.jsonl: pass the folder of the public sets; see the docstring"
        )
    results = {}
    for name in chosen.only:
        if name == "prefeval":
            results[name] = measure(prefeval(chosen.folder, chosen.preferences), "")
        elif name == "memdaily":
            results[name] = measure(memdaily(chosen.folder), chosen.task)
        else:
            results[name] = measure(conversations(chosen.folder, name), chosen.task)
    print(f"\nkept in {save('evidence', results)}")


if __name__ == "__main__":
    main()
