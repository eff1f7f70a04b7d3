"""What is measured on which set, against which target. Matching by words is an item's share of the gold's content words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from extraction_pipeline import Answer, Memory, Pipeline

WORDS = "words, 0.6 of the gold's"
COUNT = "count"
_STOP = frozenset(
    """a an the this that these those i i'm i've me my mine we our us you your he she it its they them their is are was were
    be been being am do does did have has had to of in on at for from with by as about into and or but if so not no don't
    just very really also would will can could there""".split()  # noqa: SIM905
)


@dataclass
class Measure:
    """One line of the table; `ok` None means that it is shown and has no target."""

    name: str
    n: int
    value: float
    target: str = ""
    ok: bool | None = None
    how: str = COUNT
    misses: list[str] = field(default_factory=list)


def at_least(name: str, hits: float, n: int, target: float, how: str, misses: list[str] | None = None) -> Measure:
    value = hits / n if n else 0.0
    return Measure(name, n, value, f">= {target:g}", value >= target, how, misses or [])


def at_most(name: str, hits: float, n: int, target: float, how: str, misses: list[str] | None = None) -> Measure:
    value = hits / n if n else 0.0
    return Measure(name, n, value, f"<= {target:g}", value <= target, how, misses or [])


def content_words(text: str) -> set[str]:
    words = {w for w in re.findall(r"[a-z0-9']+", text.lower()) if w not in _STOP}
    for run in re.findall(r"[\u4e00-\u9fff]+", text):
        words |= {run[i : i + 2] for i in range(len(run) - 1)} or {run}
    return words


def carried(gold: str, text: str) -> float:
    """Share of gold's content words that are in the text."""
    wanted = content_words(gold)
    return len(wanted & content_words(text)) / len(wanted) if wanted else 0.0


def kept(gold: str, texts: list[str], share: float = 0.6) -> bool:
    return max((carried(gold, text) for text in texts), default=0.0) >= share


def _texts(answer: Answer) -> list[str]:
    return [f"{one.candidate.text} {one.candidate.value}" for one in answer.kept]


# --- stated and implied preferences ------------------------------------------------------------------------------


def prefeval_explicit(data: Any, pipeline: Pipeline) -> list[Measure]:
    rows = data.rows("prefeval_explicit")
    answers = pipeline.take([row["preference"] for row in rows])
    missed = [
        f"{r['preference']} -> {_texts(a)} {a.dismissed}"
        for r, a in zip(rows, answers, strict=True)
        if not kept(r["preference"], _texts(a))
    ]
    asked = pipeline.take([row["question"] for row in rows])
    stored = [f"{r['question']} -> {_texts(a)}" for r, a in zip(rows, asked, strict=True) if a.kept]
    return [
        at_least("PrefEval explicit: preference kept", len(rows) - len(missed), len(rows), 0.92, WORDS, missed),
        at_most("PrefEval questions: items per turn", _items(asked), len(rows), 0.05, COUNT, stored),
    ]


def prefeval_persona(data: Any, pipeline: Pipeline) -> list[Measure]:
    """The preference is said in passing and in other words, hence also by embedding; the control pairs it with another row's."""
    rows = data.rows("prefeval_implicit_persona")
    near = pipeline.config.similarity.relevant
    words = embedded = control = items = turns = 0
    missed = []
    per_row = [pipeline.take([t["user"] for t in row["conversation"]], together=True) for row in rows]
    golds = [row["preference"] for row in rows]
    for n, (row, answers) in enumerate(zip(rows, per_row, strict=True)):
        texts = [text for answer in answers for text in _texts(answer)]
        turns += len(answers)
        items += len(texts)
        by_words = kept(row["preference"], texts)
        scores = pipeline.similarity([golds[n], golds[(n + 7) % len(golds)]], texts)
        by_meaning = bool(texts) and float(scores[0].max()) >= near
        words += by_words
        embedded += by_words or by_meaning
        control += bool(texts) and float(scores[1].max()) >= near
        if not (by_words or by_meaning):
            said = [t["user"] for t in row["conversation"]][row.get("pref_turn_guess") or 0]
            missed.append(f"{row['preference']} | said: {said[:300]} | kept: {texts}")
    n = len(rows)
    how = f"words 0.6 or embedding {near:g} calibrated"
    return [
        at_least("PrefEval persona: preference kept", embedded, n, 0.6, how, missed),
        Measure("PrefEval persona: by words alone", n, words / n, how=WORDS),
        Measure("PrefEval persona: control, another row's preference", n, control / n, how=f"embedding {near:g}"),
        Measure("PrefEval persona: items per turn", turns, items / turns),
    ]


# --- what must leave nothing -------------------------------------------------------------------------------------


def _items(answers: list[Answer]) -> int:
    return sum(len(answer.kept) for answer in answers)


def distractors(data: Any, pipeline: Pipeline) -> list[Measure]:
    chats = [[t["content"] for t in row["turns"] if t["role"] == "user"] for row in data.rows("distractor_chats_en")]
    answers = [answer for chat in chats for answer in pipeline.take(chat, together=True)]
    texts = [text for chat in chats for text in chat]
    stored = [f"{text[:200]} -> {_texts(a)}" for text, a in zip(texts, answers, strict=True) if a.kept]
    return [at_most("distractor chats: items per turn", _items(answers), len(answers), 0.05, COUNT, stored)]


def _by_label(data: Any, name: str) -> dict[str, list[str]]:
    by: dict[str, list[str]] = {}
    for row in data.rows(name):
        by.setdefault(row["label"], []).append(row["text"])
    return by


def classify(data: Any, pipeline: Pipeline) -> list[Measure]:
    out: list[Measure] = []
    for language in ("en", "zh"):
        by = _by_label(data, f"classify_{language}")
        answers = {label: pipeline.take(texts) for label, texts in by.items()}
        out += _label_measures(language, by, answers, pipeline)
    return out + language_gaps(out)


def _label_measures(
    lang: str, by: dict[str, list[str]], answers: dict[str, list[Answer]], pipeline: Pipeline
) -> list[Measure]:
    def lines(label: str, want: Callable[[Answer], bool]) -> list[str]:
        pairs = zip(by[label], answers[label], strict=True)
        return [f"{text} -> {_texts(a)} {[str(d.reason) for d in a.dismissed]}" for text, a in pairs if want(a)]

    def number(label: str) -> int:
        return len(by.get(label, ()))

    risen = lines("emotional", lambda a: any(pipeline.would_confirm(k) for k in a.kept))
    missed = lines("stable_disclosure", lambda a: not a.kept)
    out = [
        at_least(
            f"stable disclosure {lang}: something kept",
            number("stable_disclosure") - len(missed),
            number("stable_disclosure"),
            0.8,
            "any item",
            missed,
        ),
        at_most(f"emotional {lang}: above candidate", len(risen), number("emotional"), 0.03, "any item", risen),
    ]
    for label, target in (("one_off_request", 0.05), ("chit_chat_weak", 0.15)):
        stored = lines(label, lambda a: bool(a.kept))
        out.append(
            at_most(f"{label} {lang}: items per turn", _items(answers[label]), number(label), target, COUNT, stored)
        )
    for label in ("irony", "neutral_reddit"):
        if label in answers:
            value = _items(answers[label]) / number(label)
            out.append(
                Measure(
                    f"{label} {lang}: items per turn", number(label), value, misses=lines(label, lambda a: bool(a.kept))
                )
            )
    return out


def language_gaps(measures: list[Measure]) -> list[Measure]:
    """The gap between the languages wherever both are measured."""
    by_name = {m.name: m for m in measures}
    gaps = []
    for name, english in by_name.items():
        chinese = by_name.get(name.replace(" en:", " zh:"))
        if " en:" in name and chinese is not None:
            gap = abs(english.value - chinese.value)
            gaps.append(at_most(f"gap en/zh, {name.replace(' en:', ':')}", gap, 1, 0.05, english.how))
    return gaps


def sarcasm(data: Any, pipeline: Pipeline) -> list[Measure]:
    """An item is the literal opposite when its words are the text's and less than half of them what was meant."""
    rows = data.rows("sarcasm_pairs_en")
    answers = pipeline.take([row["text"] for row in rows])
    literal, anything = [], 0
    for row, answer in zip(rows, answers, strict=True):
        anything += bool(answer.kept)
        risen = [one for one in answer.kept if pipeline.would_confirm(one)]
        if any(carried(one.candidate.text, row["meant"]) < 0.5 for one in answer.kept):
            literal.append(f"{row['text']} || {row['meant'][:120]} -> {_texts(answer)} {len(risen)} above candidate")
    return [
        at_most(
            "sarcasm: literal opposite stored",
            len(literal),
            len(rows),
            0.05,
            "under 0.5 of the item's words are meant",
            literal,
        ),
        Measure("sarcasm: anything stored", len(rows), anything / len(rows)),
    ]


# --- attributes --------------------------------------------------------------------------------------------------


def attributes(data: Any, pipeline: Pipeline) -> list[Measure]:
    """Gold: the turn's triples, and the speaker's persona lines for precision; a triple is met by half of its object's words."""
    right = wrong = found = total = told = 0
    wrongs, misses = [], []
    for row in data.rows("attr_extract_en"):
        for who in ("A", "B"):
            turns = [t for t in row["turns"] if t["who"] == who]
            answers = pipeline.take([t["text"] for t in turns], together=True)
            persona = [p for p in row["persona"] if p["who"] == who]
            for turn, answer in zip(turns, answers, strict=True):
                golds = [_object(t) for t in turn["triples"]]
                texts = _texts(answer)
                for gold in filter(None, golds):
                    total += 1
                    met = kept(gold, texts, 0.5)
                    found += met
                    if not met:
                        misses.append(f"{turn['text']} | {turn['triples']} -> {texts}")
                for text in texts:
                    from_told = bool(turn["triples"])
                    told += from_told
                    good = any(kept(g, [text], 0.5) for g in golds if g) or _in_persona(text, persona)
                    right += good
                    wrong += not good
                    if not good:
                        wrongs.append(f"{turn['text']} -> {text}")
    items = right + wrong
    return [
        at_least(
            "attributes en: precision",
            right,
            items,
            0.75,
            "words, 0.5 of a triple's object or persona line",
            wrongs,
        ),
        Measure("attributes en: items from a turn that has a triple", items, told / items if items else 0.0),
        at_least("attributes en: recall", found, total, 0.5, "half of the triple's object words", misses),
    ]


def _object(triple: list[str]) -> str:
    return "" if "<blank>" in triple[2] else triple[2]


def _in_persona(text: str, persona: list[dict]) -> bool:
    return any(
        kept(text, [line["text"]], 0.5) or any(kept(_object(t), [text], 0.5) for t in line["triples"] if _object(t))
        for line in persona
    )


def kvpi(data: Any, pipeline: Pipeline) -> list[Measure]:
    """The profile is what is static about the user: identity, constraint, fact, relation."""
    static = ("identity", "constraint", "fact", "relation")
    rows = data.rows("zh_attr_disclosure")
    answers = pipeline.take([row["text"] for row in rows])
    by: dict[str, list[int]] = {}
    leaks = []
    for row, answer in zip(rows, answers, strict=True):
        reached = any(one.candidate.kind in static for one in answer.about_user)
        by.setdefault(row["label"], []).append(reached)
        if reached and row["label"] == "not_about_self":
            leaks.append(
                f"{row['domain']}: {row['text']} -> {[(o.candidate.slot, o.candidate.text) for o in answer.about_user]}"
            )
    others = by.get("not_about_self", [])
    out = [
        at_least(
            "KvPI: not about self stays out of the profile",
            len(others) - sum(others),
            len(others),
            0.95,
            "no static item about the user",
            leaks,
        )
    ]
    for label in ("self_consistent", "self_contradicts"):
        if flags := by.get(label):
            out.append(Measure(f"KvPI {label}: something in the profile", len(flags), sum(flags) / len(flags)))
    return out


# --- updates and contradictions ----------------------------------------------------------------------------------


def _says(value: str, text: str) -> bool:
    return f" {_plain(value)} " in f" {_plain(text)} "


def _plain(text: str) -> str:
    return re.sub(r"[^\w%]+", " ", text.lower()).strip()


def beam_updates(data: Any, pipeline: Pipeline) -> list[Measure]:
    """The exact ones: the new value stands literally in the updating turn and not in the old one."""
    n = good = current = 0
    misses = []
    for row in data.rows("beam_probe"):
        if row["ability"] != "knowledge_update":
            continue
        old = [e for e in row["evidence"] if e["label"] == "original_info"]
        new = [e for e in row["evidence"] if e["label"] == "updated_info"]
        if not (old and new and _says(row["gold"], new[-1]["text"]) and not _says(row["gold"], old[0]["text"])):
            continue
        n += 1
        memory, before = Memory(pipeline), set()
        for number, evidence in enumerate([*old, *new]):
            memory.feed(evidence["text"], f"s{number}")
            if number == len(old) - 1:
                before = {item.id for item in memory.current}
        has_new = [i for i in memory.current if _says(row["gold"], i.text)]
        rival = [i for i in memory.current if i.id in before and i not in has_new and _rivals(i.text, has_new)]
        current += bool(has_new)
        good += bool(has_new) and not rival
        if not has_new or rival:
            misses.append(
                f"{row['question']} {row['gold']} | {old[0]['text'][:200]} | {new[-1]['text'][:200]} | now {[i.text for i in memory.current]}"
            )
    how = "new value literally in a current item; no current older item with 0.6 of its words"
    return [
        at_least("BEAM updates: new current, old not", good, n, 0.75, how, misses),
        Measure("BEAM updates: new value current", n, current / n if n else 0.0, how="literally"),
    ]


def _rivals(old: str, new_items: list[Any]) -> bool:
    """Whether an older item still says nearly what a newer one says, with another value."""
    return any(carried(old, item.text) >= 0.6 for item in new_items)


def letta_updates(data: Any, pipeline: Pipeline) -> list[Measure]:
    n = good = current = 0
    misses = []
    for row in data.rows("letta_core_memory_updates"):
        for update in row["updates"]:
            n += 1
            memory = Memory(pipeline)
            for fact in row["facts"]:
                memory.feed(fact, "s0")
            memory.feed(update["new_fact"], "s1")
            texts = [item.text for item in memory.current]
            old_facts = [row["facts"][i] for i in update["superseded_fact_idx"]]
            has_new = kept(update["new_fact"], texts)
            stale = any(
                kept(fact, [t], 0.8) and not kept(update["new_fact"], [t], 0.8) for fact in old_facts for t in texts
            )
            current += has_new
            good += has_new and not stale
            if not has_new or stale:
                misses.append(f"{old_facts} => {update['new_fact']} | new {has_new} stale {stale}")
    return [
        at_least("letta updates: new current, old not", good, n, 0.75, "words, 0.6 new, 0.8 old", misses),
        Measure("letta updates: new fact current", n, current / n if n else 0.0, how=WORDS),
    ]


_FLAGGED = frozenset(["contradicted", "held", "staled", "superseded"])


def _found_contradiction(memory: Memory, since: int) -> bool:
    events = {str(change.event) for change in memory.changes[since:]}
    reasons = {str(change.reason) for change in memory.changes[since:]}
    return bool(events & _FLAGGED) or "contradicts" in reasons or any(i.contested_by for i in memory.state)


def beam_contradictions(data: Any, pipeline: Pipeline) -> list[Measure]:
    n = found = 0
    misses = []
    for row in data.rows("beam_probe"):
        if row["ability"] != "contradiction_resolution":
            continue
        first = [e for e in row["evidence"] if e["label"] == "first_statement"]
        second = [
            e for e in row["evidence"] if e["label"] == "second_statement" and e["id"] not in {f["id"] for f in first}
        ]
        if not first or not second:
            continue
        n += 1
        memory = Memory(pipeline)
        for number, evidence in enumerate(first):
            memory.feed(evidence["text"], f"s{number}")
        since = len(memory.changes)
        for evidence in second:
            memory.feed(evidence["text"], "later")
        hit = _found_contradiction(memory, since)
        found += hit
        if not hit:
            misses.append(f"{row['gold'][:250]} | kept {[i.text for i in memory.state]}")
    return [at_least("BEAM contradictions: found", found, n, 0.7, "superseded, held, stale or contested", misses)]


def cdconv(data: Any, pipeline: Pipeline) -> list[Measure]:
    n = found = quiet = false = told = told_found = 0
    misses, alarms = [], []
    for row in data.rows("zh_contradiction"):
        memory = Memory(pipeline)
        first = memory.feed(row["b1"], "s0")
        since = len(memory.changes)
        second = memory.feed(row["b2"], "s1")
        hit = _found_contradiction(memory, since)
        line = f"{row['b1']} / {row['b2']} ({row['kind']}) | {[i.text for i in memory.state]}"
        if row["label"] == "contradiction":
            n += 1
            found += hit
            both = bool(first.kept and second.kept)
            told += both
            told_found += both and hit
            if not hit:
                misses.append(f"{'both kept: ' if both else ''}{line}")
        else:
            quiet += 1
            false += hit
            if hit:
                alarms.append(line)
    return [
        at_least("CDConv contradictions: found", found, n, 0.7, "superseded, held, stale or contested", misses),
        Measure(
            "CDConv contradictions: found where both lines state something", told, told_found / told if told else 0.0
        ),
        Measure("CDConv consistent pairs: false alarms", quiet, false / quiet if quiet else 0.0, misses=alarms),
    ]


# --- cost --------------------------------------------------------------------------------------------------------


def throughput(data: Any, pipeline: Pipeline) -> list[Measure]:
    """Everyday turns of both languages, in batches of 16, embedding included."""
    texts = [r["text"] for r in data.rows("classify_en")[::4]] + [r["text"] for r in data.rows("classify_zh")[::4]]
    before = (pipeline.turns, pipeline.seconds)
    for at in range(0, len(texts), 16):
        pipeline.take(texts[at : at + 16], together=True)
    turns, seconds = pipeline.turns - before[0], pipeline.seconds - before[1]
    return [at_least("throughput: turns per second", turns / seconds, 1, 100, f"{turns} turns, one process")]


def prompt_size(data: Any, pipeline: Pipeline) -> list[Measure]:
    from hermes_core.extraction.prompt import fixed_tokens

    return [at_most("model prompt: fixed tokens", fixed_tokens(), 1, 600, "tiktoken cl100k")]


MEASURES: dict[str, Callable[[Any, Pipeline], list[Measure]]] = {
    "prefeval_explicit": prefeval_explicit,
    "prefeval_persona": prefeval_persona,
    "distractors": distractors,
    "classify": classify,
    "sarcasm": sarcasm,
    "attributes": attributes,
    "kvpi": kvpi,
    "beam_updates": beam_updates,
    "letta_updates": letta_updates,
    "beam_contradictions": beam_contradictions,
    "cdconv": cdconv,
    "throughput": throughput,
    "prompt_size": prompt_size,
}
