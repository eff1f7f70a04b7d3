"""Any LlamaIndex LLM as the extractor (W3). It only carries text: the prompt and all reading is the core's."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from llama_index.core.base.llms.base import BaseLLM
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.tools import FunctionTool, ToolMetadata

from hermes_core import ModelExtractor
from hermes_llamaindex.convert import chat_messages, text_of
from hermes_llamaindex.models import Messages, complete_with, name_of

TOOL = "claims"
MEANING = "Say what the messages state about the user."


class LlamaIndexExtractor(ModelExtractor):
    """Hermes.open(…, extractor=LlamaIndexExtractor(llm)): the model answers by a tool call where it can, else in text.

    A model whose tool call fails while its plain call works is asked plainly from then on. Raises ExtractionFailed
    when neither helped; the local extractor then answers. `structured=False` always asks plainly.
    """

    def __init__(self, llm: BaseLLM, *, name: str | None = None, structured: bool = True, **how: Any) -> None:
        self._llm = llm
        self._plainly = complete_with(llm)
        self._can = structured and isinstance(llm, FunctionCallingLLM) and llm.metadata.is_function_calling_model
        asked = self._by_tool if self._can else None
        super().__init__(self._plainly, name=name or name_of(llm), structured=asked, **how)

    def _by_tool(self, messages: Messages, schema: dict[str, Any]) -> Any:
        if not self._can:
            return self._plainly(messages)
        try:
            return self._called(messages, schema)
        except (
            Exception
        ):  # foreign code: no tools after all, a server's 400. If the plain call fails too, that is raised
            plain = self._plainly(messages)
            self._can = False
            return plain

    def _called(self, messages: Messages, schema: dict[str, Any]) -> Any:
        assert isinstance(self._llm, FunctionCallingLLM)
        tool = FunctionTool(fn=_claims, metadata=_InSchema(MEANING, TOOL, schema=schema))
        reply = self._llm.chat_with_tools([tool], chat_history=chat_messages(messages))
        calls = self._llm.get_tool_calls_from_response(reply, error_on_no_tool_call=False)
        return [call.tool_kwargs for call in calls] if calls else text_of(reply.message)


def _claims(**found: Any) -> dict[str, Any]:
    return found


@dataclass
class _InSchema(ToolMetadata):
    """A tool whose arguments are given as a JSON Schema."""

    schema: dict[str, Any] = field(default_factory=dict)

    def get_parameters_dict(self) -> dict[str, Any]:
        return self.schema
