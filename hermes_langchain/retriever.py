"""A user's memories as documents, for chains that take a retriever. It reads; nothing is stored or changed here."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field, PrivateAttr

from hermes_core import Hermes, RecallHit
from hermes_core.hosting import Host, off_loop, shown
from hermes_langchain.identity import user_id_of

READING = "retriever"  # reads under this session see the newest version each time


class HermesRetriever(BaseRetriever):
    """The `k` memories that fit a query, best first; fewer, or none, when fewer fit (L1, R4).

    `user_id` here or in the run's configurable (inside LCEL, or by `configurable_fields`); InvalidInput without one.
    With `session_id` it reads that conversation's snapshot, else the newest version. A document's id is the memory's,
    its metadata hold `score` and what the item is. Failing memory gives no documents, unless `raise_on_error`.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    hermes: Hermes = Field(exclude=True, repr=False)
    user_id: str | None = None
    session_id: str | None = None
    k: int = Field(default=5, ge=1)
    agent: str | None = None
    consent: bool = False
    raise_on_error: bool = False
    _host: Host = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        self._host = Host(self.hermes, raise_on_error=self.raise_on_error)

    @property
    def failures(self) -> int:
        """Calls that failed and were passed over."""
        return self._host.failures

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        return self._documents(user_id_of(self.user_id), query, k or self.k)

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        user = user_id_of(self.user_id)
        return await off_loop(lambda: self._documents(user, query, k or self.k))

    def _documents(self, user: str, query: str, k: int) -> list[Document]:
        session = self._host.session(user, self.session_id or READING, self.agent, self.consent)
        if self.session_id is None:
            session.end()
        return [_document(hit) for hit in self._host.recall(session, query, k)]


def _document(hit: RecallHit) -> Document:
    item = hit.item
    metadata = {
        "score": hit.score,
        "kind": str(item.kind),
        "slot": item.slot,
        "status": str(item.status),
        "confidence": item.confidence,
        "said_at": item.said_at.isoformat(),
    }
    return Document(id=item.id, page_content=shown(item), metadata=metadata)
