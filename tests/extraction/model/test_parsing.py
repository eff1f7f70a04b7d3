"""M2: whatever a model answers is salvaged or refused with a reason; no piece vanishes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_core.extraction.parsing import parse
from hermes_core.extraction.schema import FIELDS, response_schema
from hermes_core.reasons import Reason

from .helpers import said

TURNS = [said("I'm allergic to peanuts. I like jazz", "a"), said("我住在杭州", "b")]
PEANUTS = {
    "turn": 1,
    "quote": "I'm allergic to peanuts",
    "kind": "constraint",
    "slot": "allergy",
    "value": "peanuts",
    "confidence": 100,
}
GOOD = json.dumps({"claims": [PEANUTS]})


@pytest.mark.parametrize(
    "reply",
    [
        GOOD,
        f'<think>maybe {{"claims": [1]}} or not</think>\n{GOOD}',
        f'let me think {{"quote": "I like jazz"}} </think>{GOOD}',
        f"Sure! Here it is:\n```json\n{GOOD}\n```\nHope this helps [1].",
        f"The answer is {GOOD} as asked.",
        json.dumps([PEANUTS]),
        json.dumps(PEANUTS),
        "{'claims': [{'turn': 1, 'quote': \"I'm allergic to peanuts\", 'kind': 'constraint', 'slot': 'allergy', 'value': 'peanuts', 'negative': False,}]}",
        GOOD.replace('"confidence": 100', '"confidence": 100, // sure\n'),
        json.dumps([{"name": "remember", "arguments": GOOD}]),
        json.dumps([{"type": "function", "function": {"name": "remember", "arguments": GOOD}}]),
        json.dumps({"result": {"memories": [PEANUTS]}}),
        json.dumps(
            {
                "Claims": [
                    {
                        "Turn": "Message 1",
                        "Quote": "I'm allergic to peanuts",
                        "Kind": "Constraint",
                        "Slot": "allergy",
                        "Value": "peanuts",
                    }
                ]
            }
        ),
        json.dumps([{"fact": "I'm allergic to peanuts", "category": "allergy", "object": "peanuts"}]),
        json.dumps(
            [
                {
                    "memory": "I'm allergic to peanuts",
                    "type": "constraint",
                    "key": "allergy",
                    "value": "peanuts",
                    "certainty": "high",
                }
            ]
        ),
        {"claims": [PEANUTS]},
        [PEANUTS],
        [{"name": "remember", "args": {"claims": [PEANUTS]}}],
    ],
)
def test_the_claim_is_found_however_it_is_wrapped(reply):
    parsed = parse(reply, TURNS)
    assert parsed.fault == ""
    assert [(c.turn_id, c.kind, c.slot, c.value, c.quote) for c in parsed.candidates] == [
        ("a", "constraint", "allergy", "peanuts", "I'm allergic to peanuts")
    ]
    assert all(0 < c.confidence <= 1 for c in parsed.candidates)


def test_a_bare_list_of_sentences_is_taken_as_quotes():
    parsed = parse('["I like jazz", "我住在杭州"]', TURNS)
    assert [(c.turn_id, c.quote) for c in parsed.candidates] == [("a", "I like jazz"), ("b", "我住在杭州")]


def test_truncated_json_keeps_the_whole_claims_and_says_so():
    reply = '{"claims": [' + json.dumps(PEANUTS) + ', {"turn": 2, "quote": "我住在'
    parsed = parse(reply, TURNS)
    assert [c.value for c in parsed.candidates] == ["peanuts"]
    assert "broke off" in parsed.note


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", "empty"),
        (" \n ", "empty"),
        (None, "empty"),
        ("<think>only thoughts</think>", "empty"),
        ("The user is allergic to peanuts.", "no JSON"),
        ("I'm sorry, but I can't help with personal data.", "refused"),
        ("As an AI, I cannot do that.", "refused"),
        ("抱歉，我无法处理这些个人信息。", "refused"),
        ('{"claims": [{"turn": 1, "quote": "I like ja', "broke off"),
        (json.dumps(response_schema()), "schema"),
        (json.dumps({"claims": [dict(FIELDS)]}), "schema"),
        (json.dumps({"answer_is": True}), "no claims"),
        ("null", "no JSON"),
    ],
)
def test_what_can_not_be_read_is_a_fault_never_nothing(reply, fault):
    parsed = parse(reply, TURNS)
    assert fault in parsed.fault
    assert parsed.candidates == []


@pytest.mark.parametrize("reply", ['{"claims": []}', "[]", "{}", "```json\n[]\n```", {"claims": []}, []])
def test_an_empty_list_means_that_there_was_nothing(reply):
    assert parse(reply, TURNS) == ([], [], "", "")


def test_dropped_pieces_leave_their_reason():
    reply = json.dumps(
        {
            "claims": [
                PEANUTS,
                {"turn": 9, "quote": "said by nobody", "value": "x"},
                {"value": " ", "quote": ["", {}], "text": 0.0},
            ]
        }
    )
    parsed = parse(reply, TURNS)
    assert len(parsed.candidates) == 1
    assert Reason.UNGROUNDED in [d.reason for d in parsed.dismissed]
    assert all(d.turn_id in ("a", "b") for d in parsed.dismissed)
    flood = parse(json.dumps([{**PEANUTS, "value": str(n)} for n in range(200)]), TURNS)
    assert len(flood.candidates) == 64
    assert [d.reason for d in flood.dismissed] == [Reason.MALFORMED]


def test_a_wrong_number_gives_way_to_where_the_words_stand():
    parsed = parse(json.dumps([{**PEANUTS, "turn": 2}]), TURNS)
    assert [c.turn_id for c in parsed.candidates] == ["a"]


def test_signs_moods_and_shares_are_read_in_many_wordings():
    piece = {
        "quote": "I like jazz", "polarity": "negative", "tone": "angry", "basis": "inferred", "lasting": "yes",
        "confidence": "80%", "importance": "low", "subject": "The user", "conditions": "at night",
    }  # fmt: skip
    (found,) = parse(json.dumps([piece]), TURNS).candidates
    assert (found.polarity, found.tone, found.basis, found.lasting) == (-1, "emotional", "implied", True)
    assert (found.confidence, found.importance, found.subject) == (0.8, 0.3, "user")
    assert found.qualifiers == ("at night",)
    assert parse(json.dumps([{**piece, "subject": "my friend Jo"}]), TURNS).candidates[0].subject == "my friend Jo"


JSONISH = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["claims", "quote", "text", "value", "turn", "kind", "same", "x"]), inner, max_size=5
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(JSONISH | st.text(st.sampled_from('{}[]":,claimsquote tru0'), max_size=80))
def test_no_answer_raises(reply):
    parsed = parse(reply, TURNS)
    assert parsed.fault == "" or not parsed.candidates
    for shape in (json.dumps(reply, default=str), f"```\n{reply}"):
        parse(shape, TURNS)
