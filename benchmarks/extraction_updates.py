"""Updates and contradictions, fed in order through the gates into one user's memory."""

from __future__ import annotations

import re
from typing import Any

from extraction_matching import WORDS, Measure, at_least, carried, kept
from extraction_pipeline import Memory, Pipeline

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
            told = " ".join(i.text for i in memory.current if any(e.session_id == "s1" for e in i.evidence))
            has_new = kept(update["new_fact"], [*texts, told])
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


# A line that tells nothing of its speaker: it doesn't know, asks back, or speaks of the other one only.
_SILENT = re.compile(
    r"^(?:嗯+|哦+|我|这个|这|还?真的?|也|就|,|，)*(?:不知道|不造|不清楚|不晓得|怎么(?:会|可能)?知道|你(?:说|告诉)|没法)"
    r"|难道|^[^,，。!！]*[?？]$|^你[^,，]*$|你不说|你没说"
)


def cdconv(data: Any, pipeline: Pipeline) -> list[Measure]:
    """Fed as a chat: each line is the user's answer to the other speaker's line before it, a session each.

    Many pairs are labelled for what the speaker forgot ("I don't know" after having been told): there one line states
    nothing about the speaker, and no memory of the speaker can find anything. Their share is printed beside.
    """
    n = found = quiet = false = told = told_found = stating = stating_found = 0
    misses, alarms = [], []
    for row in data.rows("zh_contradiction"):
        memory = Memory(pipeline)
        first = memory.feed(row["b1"], "s0", row["u1"])
        since = len(memory.changes)
        second = memory.feed(row["b2"], "s1", row["u2"])
        hit = _found_contradiction(memory, since)
        line = f"{row['b1']} / {row['b2']} ({row['kind']}) | {[i.text for i in memory.state]}"
        if row["label"] == "contradiction":
            n += 1
            found += hit
            states = not (_SILENT.search(row["b1"]) or _SILENT.search(row["b2"]))
            stating += states
            stating_found += states and hit
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
            "CDConv contradictions: pairs in which both lines state something",
            n,
            stating / n if n else 0.0,
            how="by their words",
        ),
        Measure(
            "CDConv contradictions: found where both state something",
            stating,
            stating_found / stating if stating else 0.0,
            how="by their words",
        ),
        Measure("CDConv contradictions: found where both were kept", told, told_found / told if told else 0.0),
        Measure("CDConv consistent pairs: false alarms", quiet, false / quiet if quiet else 0.0, misses=alarms),
    ]
