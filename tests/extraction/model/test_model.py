"""W3: one prompt within 600 tokens, one call per batch, one repair, then the fallback; over a real HTTP server too."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from hermes_core.catalogue import Catalogue
from hermes_core.errors import ExtractionFailed, ExtractorUnreachable, InvalidInput
from hermes_core.extraction import FallbackExtractor, ModelExtractor, OpenAICompatible
from hermes_core.extraction.prompt import FIXED_TOKENS, build_messages, fixed_tokens, system_text
from hermes_core.items import Kind, MemoryItem, Status
from hermes_core.ports import Extraction, Extractor
from hermes_core.testing import FailingExtractor, ScriptedExtractor

from .helpers import NOON, claim, said

JAZZ = json.dumps(
    {"claims": [{"turn": 1, "quote": "I love jazz", "kind": "preference", "slot": "music.likes", "value": "jazz"}]}
)


class Replies:
    """A model that answers from a list and remembers what it was asked."""

    def __init__(self, *replies: object) -> None:
        self.replies = list(replies)
        self.asked: list[list[dict[str, str]]] = []

    def __call__(self, messages: list[dict[str, str]]) -> object:
        self.asked.append(messages)
        reply = self.replies.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        return reply


def known(text: str, slot: str, value: str) -> MemoryItem:
    return MemoryItem(
        id="secret-id-123", user_id="u", kind=Kind.FACT, slot=slot, value=value, text=text, status=Status.CONFIRMED,
        created_at=NOON, said_at=NOON, confirmed_at=NOON,
    )  # fmt: skip


def test_the_fixed_part_of_the_prompt_fits():
    assert fixed_tokens() <= FIXED_TOKENS == 600
    offered = system_text(Catalogue.default())
    assert "allergy" in offered
    assert "{" not in offered.replace('{"claims": [...]}', "")


def test_known_items_are_numbered_and_never_named_by_id():
    messages = build_messages(
        [said("I left Alpha")], [known("Works at Alpha", "employer", "Alpha")], Catalogue.default()
    )
    assert [m["role"] for m in messages] == ["system", "user"]
    assert "1. employer: Works at Alpha" in messages[1]["content"]
    assert "secret-id" not in json.dumps(messages)


def test_a_long_turn_is_cut_to_its_tokens():
    messages = build_messages([said("word " * 40_000)], [], Catalogue.default(), extract_tokens=500)
    assert len(messages[1]["content"]) < 3000


def test_one_call_for_a_batch():
    model = Replies(JAZZ)
    extractor = ModelExtractor(model, name="m")
    found = extractor.extract([said("I love jazz", "a"), said("nice weather", "b")], [])
    assert isinstance(extractor, Extractor)
    assert isinstance(found, Extraction)
    assert (found.by, found.note, len(model.asked)) == ("m", "", 1)
    assert [(c.slot, c.value, c.turn_id) for c in found] == [("music.likes", "jazz", "a")]
    assert extractor.counters.snapshot()["calls"] == 1


def test_blank_turns_make_no_call():
    model = Replies()
    found = ModelExtractor(model, name="m").extract([said("   "), said("\n", "b")], [])
    assert list(found) == []
    assert model.asked == []


def test_same_and_corrects_take_the_known_items_slot():
    reply = json.dumps(
        [{"turn": 1, "quote": "I'm at Beta now", "value": "Beta", "kind": "state", "slot": "job", "corrects": 1}]
    )
    (found,) = ModelExtractor(Replies(reply), name="m").extract(
        [said("I left Alpha, I'm at Beta now")], [known("Works at Alpha", "employer", "Alpha")]
    )
    assert (found.slot, found.kind, found.value, found.correction) == ("employer", "fact", "Beta", True)


def test_an_unreadable_answer_is_repaired_once():
    model = Replies("Sure, noted!", JAZZ)
    found = ModelExtractor(model, name="m").extract([said("I love jazz")], [])
    assert [c.value for c in found] == ["jazz"]
    assert "repaired: no JSON" in found.note
    assert [m["role"] for m in model.asked[1]] == ["system", "user", "assistant", "user"]


def test_two_bad_answers_fail_and_say_why():
    extractor = ModelExtractor(Replies("", "抱歉，我无法"), name="m")
    with pytest.raises(ExtractionFailed, match=r"empty reply; after one repair: the model refused"):
        extractor.extract([said("I love jazz")], [])
    assert extractor.counters.snapshot()["failures"] == 1


def test_structured_output_is_asked_first_and_text_repairs():
    seen = []

    def structured(messages, schema):
        seen.append(schema)
        return {"nonsense": True}

    found = ModelExtractor(Replies(JAZZ), name="m", structured=structured).extract([said("I love jazz")], [])
    assert seen[0]["properties"]["claims"]["type"] == "array"
    assert [c.value for c in found] == ["jazz"]


def test_the_chain_answers_with_the_local_one_and_explains():
    local = ScriptedExtractor({"I love jazz": [claim("I love jazz", "jazz")]})
    chain = FallbackExtractor(ModelExtractor(Replies("", "nonsense"), name="m"), local)
    found = chain.extract([said("I love jazz")], [])
    assert [c.value for c in found] == ["jazz"]
    assert found.by == local.name
    assert "m: m gave no usable answer: empty reply; after one repair: no JSON" in found.note
    assert chain.counters.snapshot()["fallbacks"] == 1


def test_a_model_that_can_not_be_reached_is_tried_again_later_unless_told_otherwise():
    local = ScriptedExtractor({"I love jazz": [claim("I love jazz", "jazz")]})
    dead = ModelExtractor(Replies(ValueError("boom"), ValueError("boom")), name="m")
    with pytest.raises(ExtractorUnreachable, match="ValueError: boom"):
        FallbackExtractor(dead, local).extract([said("I love jazz")], [])
    found = FallbackExtractor(dead, local, retry=False).extract([said("I love jazz")], [])
    assert [c.value for c in found] == ["jazz"]
    assert "m could not be asked" in found.note


def test_the_chain_fails_only_when_everything_failed():
    with pytest.raises(ExtractionFailed):
        FallbackExtractor(FailingExtractor(), FailingExtractor()).extract([said("I love jazz")], [])


def test_a_wrong_construction_says_what_to_pass():
    with pytest.raises(InvalidInput, match="function"):
        ModelExtractor("gpt", name="m")
    with pytest.raises(InvalidInput, match="http"):
        OpenAICompatible("localhost:1", "m")
    assert "sk-1" not in repr(OpenAICompatible("http://localhost:1/v1", "m", "sk-1"))


# --- over HTTP ---------------------------------------------------------------------------------------------------


class _Server(BaseHTTPRequestHandler):
    message: dict = {}
    status = 200
    bodies: list = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.bodies.append((self.path, self.headers.get("Authorization"), json.loads(body)))
        payload = json.dumps({"choices": [{"message": self.message}]}).encode()
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    _Server.bodies, _Server.status, _Server.message = [], 200, {"content": JAZZ}
    running = HTTPServer(("127.0.0.1", 0), _Server)
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}/v1/"
    running.shutdown()
    running.server_close()
    thread.join()


def test_a_server_is_asked_in_the_common_protocol(server):
    model = OpenAICompatible(server, "small", "sk-1", options={"temperature": 0.5})
    found = ModelExtractor(model, name="small", structured=model.structured).extract([said("I love jazz \ud800")], [])
    assert [c.value for c in found] == ["jazz"]
    path, authorization, body = _Server.bodies[0]
    assert (path, authorization, body["model"], body["temperature"]) == (
        "/v1/chat/completions",
        "Bearer sk-1",
        "small",
        0.5,
    )
    assert body["response_format"]["json_schema"]["schema"]["required"] == ["claims"]


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "tool_calls": [{"function": {"name": "remember", "arguments": JAZZ}}]},
        {"content": [{"type": "text", "text": JAZZ}]},
    ],
)
def test_tool_calls_and_content_parts_are_read(server, message):
    _Server.message = message
    found = ModelExtractor(OpenAICompatible(server, "small"), name="small").extract([said("I love jazz")], [])
    assert [c.value for c in found] == ["jazz"]


def test_errors_of_the_server_are_failures_with_a_cause(server):
    _Server.status = 503
    with pytest.raises(ExtractionFailed, match="503"):
        ModelExtractor(OpenAICompatible(server, "small"), name="small").extract([said("I love jazz")], [])
    _Server.status, _Server.message = 200, {"content": 7}
    with pytest.raises(ExtractionFailed, match="empty"):
        ModelExtractor(OpenAICompatible(server, "small"), name="small").extract([said("I love jazz")], [])
    with pytest.raises(ExtractionFailed, match="can't be reached"):
        OpenAICompatible("http://127.0.0.1:9/v1", "m", timeout=2)([])
