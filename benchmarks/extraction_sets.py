"""What is measured on which set, against which target. Matching by words is an item's share of the gold's content words.

`chit_chat_weak` in English is turns without a listed attribute, not turns that state nothing: 111 of 137 items read by hand
were lasting facts that the speaker states, and 23 of 35 missed `stable_disclosure` turns state none (docs/extractors.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from extraction_matching import COUNT, WORDS, Measure, at_least, at_most, carried, kept, literal_opposite, texts_of
from extraction_pipeline import Answer, Pipeline
from extraction_updates import beam_contradictions, beam_updates, cdconv, letta_updates

# --- stated and implied preferences ------------------------------------------------------------------------------


def prefeval_explicit(data: Any, pipeline: Pipeline) -> list[Measure]:
    rows = data.rows("prefeval_explicit")
    answers = pipeline.take([row["preference"] for row in rows])
    missed = [
        f"{r['preference']} -> {texts_of(a)} {a.dismissed}"
        for r, a in zip(rows, answers, strict=True)
        if not kept(r["preference"], texts_of(a))
    ]
    asked = pipeline.take([row["question"] for row in rows])
    stored = [f"{r['question']} -> {texts_of(a)}" for r, a in zip(rows, asked, strict=True) if a.kept]
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
        texts = [text for answer in answers for text in texts_of(answer)]
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
    stored = [f"{text[:200]} -> {texts_of(a)}" for text, a in zip(texts, answers, strict=True) if a.kept]
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
        return [f"{text} -> {texts_of(a)} {[str(d.reason) for d in a.dismissed]}" for text, a in pairs if want(a)]

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
    """Sentences that their authors meant otherwise, with the authors' own plain rewordings."""
    rows = data.rows("sarcasm_pairs_en")
    answers = pipeline.take([row["text"] for row in rows])
    literal = []
    anything = unmeant = risen = 0
    for row, answer in zip(rows, answers, strict=True):
        anything += bool(answer.kept)
        texts = [one.candidate.text for one in answer.kept]
        unmeant += any(carried(text, row["meant"]) < 0.5 for text in texts)
        risen += any(pipeline.would_confirm(one) for one in answer.kept)
        if any(literal_opposite(text, row["meant"]) for text in texts):
            literal.append(f"{row['text'][:200]} || {row['meant'][:120]} -> {texts_of(answer)}")
    n = len(rows)
    how = "stance not shared by the plain rewording, or its denial"
    return [
        at_most("sarcasm: literal opposite stored", len(literal), n, 0.05, how, literal),
        Measure("sarcasm: under half of an item's words are meant", n, unmeant / n),
        Measure("sarcasm: anything stored", n, anything / n),
        Measure("sarcasm: anything above candidate", n, risen / n),
    ]


# --- attributes --------------------------------------------------------------------------------------------------


@dataclass
class _Tally:
    """Counts over all turns of the attribute set."""

    items: int = 0
    right: int = 0
    by_words: int = 0
    told: int = 0
    by_chance: int = 0
    golds: int = 0
    found: int = 0
    found_by_words: int = 0
    wrongs: list[str] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)


def attributes(data: Any, pipeline: Pipeline) -> list[Measure]:
    """Gold: the turn's triples and, for precision, the speaker's persona lines; chance pairs items with another persona."""
    tally = _Tally()
    rows = data.rows("attr_extract_en")
    for number, row in enumerate(rows):
        for who in ("A", "B"):
            turns = [t for t in row["turns"] if t["who"] == who]
            answers = pipeline.take([t["text"] for t in turns], together=True)
            persona = [p["text"] for p in row["persona"] if p["who"] == who]
            stranger = [p["text"] for p in rows[(number + 1) % len(rows)]["persona"] if p["who"] == who]
            for turn, answer in zip(turns, answers, strict=True):
                _tally_turn(tally, turn, answer, persona, stranger, pipeline)
    n, g = tally.items, tally.golds
    how = f"words 0.5 or embedding {pipeline.config.similarity.relevant:g} calibrated"
    return [
        at_least("attributes en: precision", tally.right, n, 0.75, how, tally.wrongs),
        Measure("attributes en: precision by words alone", n, tally.by_words / n if n else 0.0, how="words 0.5"),
        Measure("attributes en: control, another speaker's persona", n, tally.by_chance / n if n else 0.0, how=how),
        Measure("attributes en: items from a turn that has a triple", n, tally.told / n if n else 0.0),
        at_least("attributes en: recall", tally.found, g, 0.5, how, tally.misses),
        Measure("attributes en: recall by words alone", g, tally.found_by_words / g if g else 0.0, how="words 0.5"),
    ]


def _tally_turn(
    tally: _Tally, turn: dict, answer: Answer, persona: list[str], stranger: list[str], pipeline: Pipeline
) -> None:
    texts = texts_of(answer)
    said = [one.candidate.text for one in answer.kept]
    triples = [" ".join(t).replace("_", " ") for t in turn["triples"] if "<blank>" not in t[2]]
    objects = [t[2] for t in turn["triples"] if "<blank>" not in t[2]]
    near = pipeline.config.similarity.relevant
    scores = pipeline.similarity(said, [*triples, *persona, *stranger])
    own = len(triples) + len(persona)
    for place, text in enumerate(texts):
        words = any(kept(o, [text], 0.5) for o in objects) or any(kept(text, [line], 0.5) for line in persona)
        good = words or bool((scores[place, :own] >= near).any())
        tally.items += 1
        tally.by_words += words
        tally.right += good
        tally.told += bool(turn["triples"])
        tally.by_chance += bool((scores[place, own:] >= near).any()) or any(kept(text, [s], 0.5) for s in stranger)
        if not good:
            tally.wrongs.append(f"{turn['text']} -> {text}")
    for place, wanted in enumerate(objects):
        words = kept(wanted, texts, 0.5)
        met = words or bool(len(said) and (scores[:, place] >= near).any())
        tally.golds += 1
        tally.found_by_words += words
        tally.found += met
        if not met:
            tally.misses.append(f"{turn['text']} | {turn['triples']} -> {texts}")


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
