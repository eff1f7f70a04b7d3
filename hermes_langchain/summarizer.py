"""Any LangChain chat model as the summariser (R11). It only carries text: prompt, reading and checks are the core's."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel

from hermes_core import ModelSummarizer
from hermes_langchain.models import complete_with, name_of


class LangChainSummarizer(ModelSummarizer):
    """Hermes.open(…, summarizer=LangChainSummarizer(model)); a summary that fails the core's checks is not kept."""

    def __init__(self, model: BaseChatModel, *, name: str | None = None) -> None:
        super().__init__(complete_with(model), name=name or name_of(model))
