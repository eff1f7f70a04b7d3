"""Any LangChain chat model as the extractor (W3). It only carries text: the prompt and all reading is the core's."""

from __future__ import annotations

from typing import Any

from langchain_core.language_models import BaseChatModel

from hermes_core import ModelExtractor
from hermes_langchain.convert import chat_messages
from hermes_langchain.models import QUIET, Messages, answered, complete_with, name_of

SCHEMA_NAME = {"title": "claims", "description": "What the messages say about the user."}


class LangChainExtractor(ModelExtractor):
    """Hermes.open(…, extractor=LangChainExtractor(model)): the model answers in the schema where it can, else in text.

    A model whose structured call fails while its plain call works is asked plainly from then on. Raises
    ExtractionFailed when neither helped; the local extractor then answers. `structured=False` always asks plainly.
    """

    def __init__(self, model: BaseChatModel, *, name: str | None = None, structured: bool = True, **how: Any) -> None:
        self._model = model
        self._plainly = complete_with(model)
        self._can = structured
        asked = self._in_schema if structured else None
        super().__init__(self._plainly, name=name or name_of(model), structured=asked, **how)

    def _in_schema(self, messages: Messages, schema: dict[str, Any]) -> Any:
        if not self._can:
            return self._plainly(messages)
        try:
            able = self._model.with_structured_output({**SCHEMA_NAME, **schema}, include_raw=True)
            reply: Any = able.invoke(chat_messages(messages), QUIET)
        except (
            Exception
        ):  # foreign code: no tools, no schema, a server's 400. If the plain call fails too, that is raised
            plain = self._plainly(messages)
            self._can = False
            return plain
        parsed = reply.get("parsed")
        return parsed if parsed is not None else answered(reply.get("raw"))
