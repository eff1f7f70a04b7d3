"""Any LlamaIndex embedding model as the embedder. It only carries numbers: checks, unit length and calibration are the core's."""

from __future__ import annotations

from llama_index.core.base.embeddings.base import BaseEmbedding

from hermes_core import CallableEmbedder
from hermes_llamaindex.models import name_of


class LlamaIndexEmbedder(CallableEmbedder):
    """Hermes.open(…, embedder=LlamaIndexEmbedder(embed_model)). `name` identifies the vector space in the store (I3).

    It is the class and the model's name unless given; without `dimension` one short text is embedded to find it out.
    InvalidInput when the embeddings return another shape or numbers that aren't finite.
    """

    def __init__(self, embed_model: BaseEmbedding, *, name: str | None = None, dimension: int | None = None) -> None:
        own, kind = name_of(embed_model), type(embed_model).__name__
        space = name or (own if own == kind else f"{kind}:{own}")
        super().__init__(embed_model.get_text_embedding_batch, name=space, dimension=dimension)
