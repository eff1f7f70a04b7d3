"""A user's memories as nodes, for whatever takes a retriever. It reads; nothing is stored or changed here."""

from __future__ import annotations

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks import CallbackManager
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from hermes_core import Hermes, RecallHit
from hermes_core.hosting import Host, off_loop, required, shown

READING = "retriever"  # reads under this session see the newest version each time
PLACEHOLDER = "(Nothing is remembered about the user that fits this message.)"


class HermesRetriever(BaseRetriever):
    """The `similarity_top_k` memories that fit a query, best first; fewer when fewer fit (L1, R4).

    When none fits there is one node with the text `placeholder`, since chat engines answer "Empty Response" without
    asking the model when there is no node; `placeholder=None` gives none, for query engines and fused retrievers.
    With `session_id` it reads that conversation's snapshot, else the newest version. A node's id is the memory's, its
    metadata say what the item is and stay out of prompts. Failing memory counts as nothing remembered (`failures`),
    unless `raise_on_error`. InvalidInput when the user id is missing.
    """

    def __init__(
        self,
        hermes: Hermes,
        *,
        user_id: str,
        session_id: str | None = None,
        similarity_top_k: int = 5,
        placeholder: str | None = PLACEHOLDER,
        agent: str | None = None,
        consent: bool = False,
        raise_on_error: bool = False,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        super().__init__(callback_manager=callback_manager)
        self.user_id = required(user_id, "user_id", "HermesRetriever(user_id=…)")
        self.session_id = session_id
        self.similarity_top_k = similarity_top_k
        self.placeholder = placeholder
        self._host = Host(hermes, raise_on_error=raise_on_error)
        self._session = self._host.session(self.user_id, session_id or READING, agent, consent)

    @property
    def failures(self) -> int:
        """Calls that failed and were passed over."""
        return self._host.failures

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self.session_id is None:
            self._session.end()
        found = self._host.recall(self._session, query_bundle.query_str, self.similarity_top_k)
        if not found and self.placeholder is not None:
            return [_node("hermes-nothing", self.placeholder, 0.0, {})]
        return [_node_of(hit) for hit in found]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await off_loop(lambda: self._retrieve(query_bundle))


def _node_of(hit: RecallHit) -> NodeWithScore:
    item = hit.item
    metadata = {
        "kind": str(item.kind),
        "slot": item.slot,
        "status": str(item.status),
        "confidence": item.confidence,
        "said_at": item.said_at.isoformat(),
    }
    return _node(item.id, shown(item), hit.score, metadata)


def _node(node_id: str, text: str, score: float, metadata: dict[str, object]) -> NodeWithScore:
    hidden = list(metadata)
    node = TextNode(
        id_=node_id,
        text=text,
        metadata=metadata,
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=hidden,
    )
    return NodeWithScore(node=node, score=score)
