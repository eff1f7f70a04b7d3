"""ChromaIndex: the published projection in Chroma, embedded or on a server. Only this module knows Chroma.

Disposable, one writer, never on the read path: docs/chroma.md says why. No rule may live here, and importing this
module imports no chromadb. Collections are made and opened with embedding_function=None, and vectors are always
passed: anything else would download a model.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import numpy as np

from hermes_core.errors import Closed, EmbedderMismatch, InvalidInput, StoreError
from hermes_core.ports import IndexRecord, StoredItem
from hermes_core.stores import graph_files, marker
from hermes_core.stores.projection import NEW_AND_EMPTY, document, metadata, published_vector

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

T = TypeVar("T")
log = logging.getLogger(__name__)

COLLECTION = "hermes_memory"
CHUNK = 5000  # Chroma takes at most 5,461 records in one call
PAGE = 1000  # records read in one call
REWRITE_LIMIT = 5000  # records that an erase writes anew at once; a larger index is left to a rebuild
LINK_LIST_BYTES = 1 << 30  # a link_lists.bin beyond this is the runaway of a damaged HNSW graph, not data
_CONFIGURATION = {"hnsw": {"space": "cosine", "sync_threshold": 200, "batch_size": 100}}


class ChromaIndex:
    """The Index port on chromadb 1.5. The folder is first touched by the first call, not by `open`.

    Safe from any thread. StoreError when Chroma or its folder fails, EmbedderMismatch when vectors of another
    dimension are published.
    """

    def __init__(self, client: ClientAPI | None, folder: Path | None, collection: str, make: Any = None) -> None:
        self._client = client
        self._folder = folder
        self._name = collection
        self._make = make
        self._lock = threading.RLock()
        self._found: Collection | None = None
        self._reason: str | None = None
        self._opened = 0
        self._looked = self._dirty = self._closed = False

    @classmethod
    def open(cls, place: str | Path | ClientAPI, *, collection: str = COLLECTION) -> ChromaIndex:
        """An index in a folder of its own, or in a client that the caller owns (and closes)."""
        if isinstance(place, (str, Path)):
            folder = Path(place)
            return cls(None, folder, collection, make=_persistent_client)
        return cls(place, None, collection)

    @classmethod
    def connect(
        cls,
        host: str = "127.0.0.1",
        port: int = 8000,
        *,
        headers: Mapping[str, str] | None = None,
        ssl: bool = False,
        collection: str = COLLECTION,
    ) -> ChromaIndex:
        """An index on a Chroma server. Headers go along with every request (a proxy may want a token)."""
        return cls(None, None, collection, make=lambda _, __: _http_client(host, port, dict(headers or {}), ssl))

    @classmethod
    def connect_url(
        cls, url: str, *, headers: Mapping[str, str] | None = None, collection: str = COLLECTION
    ) -> ChromaIndex:
        """An index on the Chroma server at http(s)://host:port. InvalidInput on another URL."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidInput(f"{url!r} is not the URL of a Chroma server; write http://host:port")
        port = parts.port or (443 if parts.scheme == "https" else 8000)
        return cls.connect(parts.hostname, port, headers=headers, ssl=parts.scheme == "https", collection=collection)

    # -- the port

    def publish(self, items: Sequence[StoredItem], gone: Sequence[str], taken_at: datetime) -> None:
        if not items and not gone:
            return
        newest = list({s.item.id: s for s in items}.values())
        self._with_collection(lambda collection: self._write(collection, newest, gone, taken_at))

    def _write(
        self, collection: Collection, items: Sequence[StoredItem], gone: Sequence[str], taken_at: datetime | None
    ) -> None:
        self._soil()
        for ids in _chunks(gone, CHUNK):
            collection.delete(ids=ids)
        if taken_at is not None:
            for chunk in _chunks(items, CHUNK):
                _upsert(collection, chunk, taken_at)

    def rebuild(self, items: Iterable[StoredItem], taken_at: datetime) -> int:
        with self._lock, _calling():
            self._drop()
            collection = self._collection()
            count = 0
            for chunk in _chunks(items, CHUNK):
                _upsert(collection, chunk, taken_at)
                count += len(chunk)
            self._reason = None
            self._blank()
            return count

    def records(self, user_id: str | None = None) -> list[IndexRecord]:
        where = None if user_id is None else {"user_id": user_id}
        found = self._with_collection(lambda collection: list(_pages(collection, where)))
        return sorted(found, key=lambda record: record.id)

    def count(self) -> int:
        return self._with_collection(lambda collection: int(collection.count()))

    def needs_rebuild(self) -> str | None:
        with self._lock:
            if not self._looked:
                self._look()
            if self._reason is None and self._folder is not None:
                self._reason = _oversized(self._folder)
            return self._reason

    def erase(self, ids: Sequence[str]) -> None:
        """Delete, drop the collection and write the others anew, since a deleted record stays in Chroma's files.

        In a folder no file survives that; on a server `chroma vacuum` finishes it (docs/chroma.md). A large index is not
        written anew here: needs_rebuild() then says that it must be.
        """
        self._with_collection(lambda collection: self._write(collection, (), ids, None))
        with self._lock, _calling():
            collection = self._collection()
            total = int(collection.count())
            kept = list(_pages(collection, None)) if total <= REWRITE_LIMIT else []
            self._drop()
            collection = self._collection()
            for part in _chunks(kept, CHUNK):
                _readd(collection, part)
            late = f"its files were dropped to erase {len(ids)} items"
            self._reason = late if total > REWRITE_LIMIT else None
            self._blank()

    def collections(self) -> list[str]:
        """The names of all collections in this client, other people's included."""
        with self._lock, _calling():
            return _names(self._connected())

    def drop_collections(self, names: Sequence[str]) -> None:
        with self._lock, _calling():
            for name in set(names) & set(_names(self._connected())):
                self._connected().delete_collection(name)

    def close(self) -> None:
        """Close our client and take the dirty marker away; a caller's own client stays open."""
        with self._lock:
            if self._closed:
                return
            try:
                if self._client is not None and self._make is not None:
                    self._close_ours()
            finally:
                self._closed = True

    def _close_ours(self) -> None:
        count = self._count_for_note() if self._folder is not None and self._dirty else None
        self._release()
        if self._dirty:
            self._blank()
        if self._folder is not None and count is not None:
            marker.mark_clean(self._folder, count)

    # -- inside

    def _with_collection(self, work: Callable[[Collection], T]) -> T:
        """Run `work`; once more when another machine has rebuilt the collection under us."""
        with self._lock, _calling():
            collection = self._collection()
            try:
                return work(collection)
            except Exception as error:
                if type(error).__name__ != "NotFoundError":
                    raise
            self._found = None
            return work(self._collection())

    def _blank(self) -> None:
        if self._folder is not None:
            graph_files.blank_unused_room(self._folder)

    def _count_for_note(self) -> int | None:
        """The records at a clean close; None when the folder can't be trusted, which leaves it marked."""
        if self._reason is not None:
            return None
        try:
            with _calling():
                return int(self._collection().count())
        except StoreError as error:
            log.warning("the index in %s could not be closed cleanly and will be rebuilt: %s", self._folder, error)
            return None

    def _look(self) -> None:
        """Decide once whether what lies there can be trusted."""
        self._looked = True
        folder = self._folder
        if folder is not None and marker.is_dirty(folder):
            self._reason = "its last writer ended without closing it"
            return
        reason = _oversized(folder) if folder is not None else None
        if reason is not None:
            self._reason = reason
            return
        try:
            with _calling():
                count = int(self._open_collection().count())
        except StoreError as error:
            if folder is None and _unreachable(error.__cause__):
                self._looked = False  # a server that is away says nothing about what it holds
                raise
            self._reason = f"it can't be read ({error})"
            return
        expected = marker.clean_count(folder) if folder is not None else None
        if folder is not None and self._reason is None and expected != count:
            self._reason = f"it holds {count} records, where {expected} were left at its last closing"

    def _collection(self) -> Collection:
        if self._closed:
            raise Closed("the index was closed; open it again")
        if not self._looked:
            self._look()
        return self._found if self._found is not None else self._open_collection()

    def _open_collection(self) -> Collection:
        client = self._connected()
        if self._name in _names(client):
            self._found = client.get_collection(self._name, embedding_function=None)
        else:
            self._soil()
            self._reason = NEW_AND_EMPTY
            self._found = client.create_collection(
                self._name,
                embedding_function=None,
                configuration=_CONFIGURATION,  # type: ignore[arg-type]
                get_or_create=True,
            )
        return self._found

    def _connected(self) -> ClientAPI:
        if self._client is None:
            self._opened += 1
            client: ClientAPI = self._make(self._folder, self._opened)
            self._client = client
        return self._client

    def _soil(self) -> None:
        """The marker lies on disk before anything is written."""
        if self._folder is not None and not self._dirty:
            marker.mark_dirty(self._folder)
        self._dirty = True

    def _drop(self) -> None:
        """Nothing of the collection remains; in a folder of our own no file does."""
        if self._closed:
            raise Closed("the index was closed; open it again")
        self._looked = True
        self._soil()
        self._found = None
        if self._folder is not None:
            self._release()
            marker.clear(self._folder)
            return
        client = self._connected()
        if self._name in _names(client):
            client.delete_collection(self._name)

    def _release(self) -> None:
        client, self._client, self._found = self._client, None, None
        if client is None:
            return
        client.close()  # type: ignore[attr-defined]
        for part in (client, getattr(client, "_admin_client", None)):
            session = getattr(getattr(part, "_server", None), "_session", None)
            if session is not None:  # an HTTP client's sockets, which its close() leaves open
                session.close()


def _names(client: ClientAPI) -> list[str]:
    return [c if isinstance(c, str) else c.name for c in client.list_collections()]


def _upsert(collection: Collection, chunk: Sequence[StoredItem], taken_at: datetime) -> None:
    collection.upsert(
        ids=[s.item.id for s in chunk],
        embeddings=np.stack([published_vector(s) for s in chunk]),
        documents=[document(s.item) for s in chunk],
        metadatas=[metadata(s.item, taken_at) for s in chunk],
    )


def _readd(collection: Collection, chunk: Sequence[IndexRecord]) -> None:
    collection.upsert(
        ids=[r.id for r in chunk],
        embeddings=np.array([r.vector for r in chunk], dtype=np.float32),
        documents=[r.document for r in chunk],
        metadatas=[r.metadata for r in chunk],
    )


def _pages(collection: Collection, where: dict[str, Any] | None) -> Iterator[IndexRecord]:
    offset = 0
    while True:
        page = collection.get(where=where, limit=PAGE, offset=offset, include=["documents", "metadatas", "embeddings"])
        documents, metadatas, vectors = page["documents"], page["metadatas"], page["embeddings"]
        assert documents is not None
        assert metadatas is not None
        assert vectors is not None
        for n, record_id in enumerate(page["ids"]):
            yield IndexRecord(
                id=record_id,
                document=documents[n] or "",
                metadata=dict(metadatas[n] or {}),  # type: ignore[arg-type]
                vector=tuple(float(x) for x in vectors[n]),
            )
        if len(page["ids"]) < PAGE:
            return
        offset += PAGE


def _chunks(parts: Iterable[Any], size: int) -> Iterator[list[Any]]:
    rest = iter(parts)
    while chunk := list(islice(rest, size)):
        yield chunk


def _oversized(folder: Path) -> str | None:
    size = graph_files.largest(folder, "link_lists.bin") if folder.exists() else 0
    return f"its graph file grew to {size} bytes, which no data explains" if size > LINK_LIST_BYTES else None


def _settings(**fields: Any) -> Any:
    from chromadb.config import Settings

    return Settings(
        _env_file=None,  # the caller's ./.env is not ours to read
        anonymized_telemetry=False,
        chroma_otel_collection_endpoint="",
        allow_reset=False,
        **fields,
    )


def _persistent_client(folder: Path, opened: int) -> ClientAPI:
    """A client that shares nothing: Chroma keeps one engine per spelling of a path, even one that failed to start."""
    import chromadb

    folder.mkdir(parents=True, exist_ok=True)
    settings = _settings(chroma_api_impl="chromadb.api.rust.RustBindingsAPI")
    return chromadb.PersistentClient(path=str(folder.resolve()) + f"{os.sep}." * opened, settings=settings)


def _http_client(host: str, port: int, headers: dict[str, str], ssl: bool) -> ClientAPI:
    import chromadb

    settings = _settings(chroma_server_host=host, chroma_server_http_port=port)
    return chromadb.HttpClient(host=host, port=port, ssl=ssl, headers=headers, settings=settings)


def _unreachable(error: BaseException | None) -> bool:
    return type(error).__module__.startswith("httpx") or "Could not connect" in str(error)


@contextmanager
def _calling() -> Iterator[None]:
    """Everything that Chroma raises, as one of ours. Its Rust core panics outside of Exception."""
    try:
        yield
    except (StoreError, Closed):
        raise
    except BaseException as error:
        module = type(error).__module__.split(".")[0]
        foreign = module in ("chromadb", "httpx", "httpcore", "pyo3_runtime", "sqlite3")
        if not foreign and not isinstance(error, (OSError, ValueError, TypeError, RuntimeError, AttributeError)):
            raise
        said = " ".join(str(error).split())[:300] or type(error).__name__
        if "expecting embedding with dimension" in said:
            raise EmbedderMismatch(f"the index holds vectors of another embedder ({said}); rebuild it") from error
        raise StoreError(f"Chroma failed: {said}") from error
