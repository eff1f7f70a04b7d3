"""Any chat model as extractor (W3): one prompt, salvage, one repair, then ExtractionFailed for the fallback chain.

The model is a callable that carries text; no framework is known here, and nothing is called that wasn't configured.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hermes_core.catalogue import Catalogue
from hermes_core.checks import checked_function, checked_most, checked_seconds, checked_text
from hermes_core.errors import ExtractionFailed, ExtractorUnreachable, InvalidInput
from hermes_core.extraction.metrics import Counters
from hermes_core.extraction.parsing import Parsed, parse
from hermes_core.extraction.prompt import Message, build_messages, repair_messages
from hermes_core.extraction.schema import response_schema
from hermes_core.items import Candidate, MemoryItem, Turn
from hermes_core.ports import Dismissal, Extraction
from hermes_core.reasons import Reason

BUSY = (408, 425, 429)  # HTTP statuses after which another try makes sense
Complete = Callable[[list[Message]], Any]  # chat messages -> the reply's text
Structured = Callable[[list[Message], dict[str, Any]], Any]  # chat messages, JSON Schema -> a dict, a list or a text


class ModelExtractor:
    """Extractor over `complete`, any function from chat messages to the reply's text. Source row W3.

    `structured(messages, schema)` is asked first where a model can answer in a schema; `complete` then repairs.
    `extract` makes one call per batch, at most one more to repair; it raises ExtractionFailed when neither helped and
    ExtractorUnreachable when the model could not be asked.
    Safe from several threads if the callables are.
    """

    def __init__(
        self,
        complete: Complete,
        *,
        name: str,
        structured: Structured | None = None,
        catalogue: Catalogue | None = None,
        extract_tokens: int = 2000,
        counters: Counters | None = None,
    ) -> None:
        checked_function(complete, "complete")
        if structured is not None:
            checked_function(structured, "structured")
        self.name = checked_text(name, "name")  # of the model that answers; it is written into the turn's record
        self.counters = counters or Counters()
        self._complete, self._structured = complete, structured
        self._catalogue = catalogue or Catalogue.default()
        self._extract_tokens = checked_most(extract_tokens, "extract_tokens")

    def extract(self, turns: Sequence[Turn], known: Sequence[MemoryItem]) -> list[Candidate]:
        """The model's claims as an Extraction whose `note` tells of repairs and losses; [] without a call for blank turns."""
        spoken = [turn for turn in turns if turn.role == "user" and turn.text.strip()]
        if not spoken:
            return Extraction((), (Dismissal(turn.id, turn.text, Reason.NOTHING_FOUND) for turn in turns), self.name)
        asked = build_messages(spoken, known, self._catalogue, self._extract_tokens)
        reply = self._ask_first(asked)
        parsed = parse(reply, spoken, known, self._catalogue)
        note = parsed.note
        if parsed.fault:
            self.counters.add("repairs")
            first = parsed.fault
            repaired = self._ask(self._complete, repair_messages(asked, _as_text(reply), first))
            parsed = parse(repaired, spoken, known, self._catalogue)
            note = "; ".join(part for part in (f"repaired: {first}", parsed.note) if part)
            if parsed.fault:
                self.counters.add("failures")
                raise ExtractionFailed(f"{self.name} gave no usable answer: {first}; after one repair: {parsed.fault}")
        return self._extraction(parsed, spoken, note)

    def _extraction(self, parsed: Parsed, spoken: Sequence[Turn], note: str) -> Extraction:
        self.counters.add("turns", len(spoken))
        self.counters.add("claims", len(parsed.candidates))
        self.counters.dismissed(parsed.dismissed)
        return Extraction(parsed.candidates, parsed.dismissed, self.name, note)

    def _ask_first(self, asked: list[Message]) -> Any:
        structured = self._structured
        if structured is None:
            return self._ask(self._complete, asked)
        return self._ask(lambda messages: structured(messages, response_schema()), asked)

    def _ask(self, call: Complete, messages: list[Message]) -> Any:
        started = time.perf_counter()
        try:
            return call(messages)
        except ExtractionFailed:
            self.counters.add("failures")
            raise
        except Exception as error:  # the model is foreign code: whatever it raises, the turn is kept and told why
            self.counters.add("failures")
            raise ExtractorUnreachable(
                f"{self.name} could not be asked: {type(error).__name__}: {error}"[:400]
            ) from error
        finally:
            self.counters.took(time.perf_counter() - started)


def _as_text(reply: Any) -> str:
    return reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False, default=str)


class OpenAICompatible:
    """A chat-completions server as the `complete` of a ModelExtractor; nothing is sent before it is called.

    `base_url` up to and including /v1, `timeout` in seconds per call, `options` go into every request's body.
    Raises ExtractorUnreachable when the server is down, slow or busy, ExtractionFailed when it refuses or sends no message.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str | None = None,
        *,
        timeout: float = 60.0,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        if not checked_text(base_url, "base_url").startswith(("http://", "https://")):
            raise InvalidInput(f"base_url must start with http:// or https://, got {base_url!r}")
        self.url = base_url.rstrip("/") + "/chat/completions"
        self.model, self.timeout = checked_text(model, "model"), checked_seconds(timeout, "timeout")
        self.options = {"temperature": 0, "max_tokens": 1024, **(options or {})}
        self._api_key = api_key

    def __repr__(self) -> str:
        return f"OpenAICompatible({self.url!r}, {self.model!r})"

    def __call__(self, messages: list[Message]) -> str:
        return self._post({"messages": messages})

    def structured(self, messages: list[Message], schema: dict[str, Any]) -> str:
        """The same with `response_format`, for servers that constrain the answer to a JSON Schema."""
        wanted = {"name": "claims", "schema": schema, "strict": True}
        return self._post({"messages": messages, "response_format": {"type": "json_schema", "json_schema": wanted}})

    def _post(self, body: dict[str, Any]) -> str:
        import httpx

        headers = {"Content-Type": "application/json"}
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        payload = json.dumps({"model": self.model, **self.options, **body})  # ASCII: a lone surrogate can't break it
        try:
            response = httpx.post(self.url, content=payload, headers=headers, timeout=self.timeout)
            response.raise_for_status()
            message = response.json()["choices"][0]["message"]
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            failure = ExtractorUnreachable if status in BUSY or status >= 500 else ExtractionFailed
            raise failure(f"{self.url} answered {status}: {error.response.text[:200]}") from error
        except httpx.HTTPError as error:
            raise ExtractorUnreachable(f"{self.url} can't be reached: {type(error).__name__}: {error}") from error
        except (ValueError, LookupError, TypeError) as error:
            raise ExtractionFailed(f"{self.url} answered without a message: {type(error).__name__}") from error
        return _content(message)


def _content(message: Mapping[str, Any]) -> str:
    """The reply's text, or its tool calls' arguments as JSON."""
    if calls := message.get("tool_calls"):
        return json.dumps([call.get("function", call) for call in calls])
    content = message.get("content")
    if isinstance(content, list):  # content parts
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""
