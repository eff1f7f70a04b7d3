"""Any LlamaIndex LLM as the summariser (R11). It only carries text: prompt, reading and checks are the core's."""

from __future__ import annotations

from llama_index.core.base.llms.base import BaseLLM

from hermes_core import ModelSummarizer
from hermes_llamaindex.models import complete_with, name_of


class LlamaIndexSummarizer(ModelSummarizer):
    """Hermes.open(…, summarizer=LlamaIndexSummarizer(llm)); a summary that fails the core's checks is not kept."""

    def __init__(self, llm: BaseLLM, *, name: str | None = None) -> None:
        super().__init__(complete_with(llm), name=name or name_of(llm))
