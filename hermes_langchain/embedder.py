"""Any LangChain embeddings as the embedder. It only carries numbers: checks, unit length and calibration are the core's."""

from __future__ import annotations

from langchain_core.embeddings import Embeddings

from hermes_core import CallableEmbedder
from hermes_langchain.models import name_of


class LangChainEmbedder(CallableEmbedder):
    """Hermes.open(…, embedder=LangChainEmbedder(embeddings)). `name` identifies the vector space in the store (I3).

    It is the class and the model's name unless given; without `dimension` one short text is embedded to find it out.
    InvalidInput when the embeddings return another shape or numbers that aren't finite.
    """

    def __init__(self, embeddings: Embeddings, *, name: str | None = None, dimension: int | None = None) -> None:
        own, kind = name_of(embeddings), type(embeddings).__name__
        space = name or (own if own == kind else f"{kind}:{own}")
        super().__init__(embeddings.embed_documents, name=space, dimension=dimension)
