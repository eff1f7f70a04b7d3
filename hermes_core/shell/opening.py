"""Opens a store: its folder or servers, its identity (embedder, calibration, secret), its ports. Nothing is changed
before everything has been checked."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hermes_core.catalogue import Catalogue
from hermes_core.checks import shown
from hermes_core.clock import SystemClock
from hermes_core.config import Config
from hermes_core.embedding.adapters import CallableEmbedder, CheckedEmbedder
from hermes_core.embedding.calibration import Calibration, calibration_for
from hermes_core.embedding.default import DefaultEmbedder
from hermes_core.errors import EmbedderMismatch, InvalidInput, StoreDamaged, StoreError
from hermes_core.extraction.fallback import FallbackExtractor
from hermes_core.extraction.local import LocalExtractor
from hermes_core.items import Candidate, MemoryItem, Turn
from hermes_core.metrics import Meter
from hermes_core.ports import Cipher, Clock, Embedder, Extractor, Index, Ledger, Summarizer, TokenCounter
from hermes_core.shell.engine import Configs, Engine
from hermes_core.stores.publisher import Publisher
from hermes_core.stores.sealing import KEY_CHECK, cipher_from, key_check
from hermes_core.stores.shards import FolderLayout, ServerLayout, ShardedIndex
from hermes_core.summarizers import ExtractiveSummarizer
from hermes_core.tokens import CallableCounter, TiktokenCounter

EMBEDDER_KEY = "embedder"
CALIBRATION_KEY = "calibration"
SECRET_KEY = "secret"


def open_engine(
    path: str | Path | None,
    *,
    ledger: str | Path | Ledger | None,
    chroma: str | Path | Index | bool | None,
    config: Config | str | Path | Callable[[str], Config] | None,
    extractor: Extractor | None,
    embedder: Embedder | Callable[[list[str]], Any] | None,
    summarizer: Summarizer | None,
    token_counter: TokenCounter | Callable[[str], int] | None,
    clock: Clock | None,
    catalogue: Catalogue | None,
    rewrite: Callable[[str], Sequence[str]] | None,
    cipher: Any,
) -> Engine:
    """An Engine on checked ports; InvalidInput or a StoreError otherwise, and everything opened so far is closed."""
    configs, ticking = Configs(config_source(config)), _clock(clock)
    configs.of("")
    space = _embedder(embedder)
    sealing = cipher_from(cipher)
    truth, place = _ledger(path, ledger, sealing)
    try:
        _check_key(truth, sealing)
        _check_embedder(truth, space, place)
        calibration = _calibration(truth, space)
        words = catalogue or Catalogue.default()
        local = OnFirstUse("local", lambda: LocalExtractor(words, space))
        return Engine(
            ledger=truth,
            publisher=_publisher(path, chroma, truth, configs.of("").index.shards),
            embedder=space,
            calibration=calibration,
            counter=_counter(token_counter),
            clock=ticking,
            configs=configs,
            catalogue=words,
            extractor=FallbackExtractor(extractor, local) if extractor is not None else local,
            local=local,
            summarizer=summarizer or ExtractiveSummarizer(),
            meter=Meter(),
            secret=_secret(truth),
            place=place,
            rewrite=rewrite,
        )
    except BaseException:
        truth.close()
        raise


class OnFirstUse:
    """An extractor that is made when it is first asked: opening a store to read costs no lexicon and no model."""

    def __init__(self, name: str, make: Callable[[], Extractor]) -> None:
        self.name = name
        self._make = make
        self._made: Extractor | None = None
        self._lock = threading.Lock()

    def extract(self, turns: Sequence[Turn], known: Sequence[MemoryItem]) -> list[Candidate]:
        with self._lock:
            made = self._made = self._made or self._make()
        return made.extract(turns, known)


def config_source(config: Config | str | Path | Callable[[str], Config] | None) -> Config | Callable[[str], Config]:
    """A Config, or a function of the user id that gives one; a path is read. InvalidInput on a file that can't be used."""
    if config is None:
        return Config()
    return Config.from_file(config) if isinstance(config, (str, Path)) else config


def _embedder(embedder: Embedder | Callable[[list[str]], Any] | None) -> Embedder:
    if embedder is None:
        return DefaultEmbedder()
    if isinstance(embedder, Embedder):
        return CheckedEmbedder(embedder)
    return CheckedEmbedder(CallableEmbedder(embedder, name=getattr(embedder, "__name__", "callable")))


def _counter(counter: TokenCounter | Callable[[str], int] | None) -> TokenCounter:
    if counter is None:
        return TiktokenCounter()
    if isinstance(counter, TokenCounter):
        return counter
    return CallableCounter(counter, getattr(counter, "__name__", "callable"))


def _clock(clock: Clock | None) -> Clock:
    """The clock, looked at once: a naive or foreign time would be stored with the first turn."""
    if clock is None:
        return SystemClock()
    now = clock.now()
    if not isinstance(now, datetime) or now.tzinfo is None:
        raise InvalidInput(f"clock.now() must give an aware datetime, not {shown(now)}")
    return clock


def _ledger(path: str | Path | None, ledger: str | Path | Ledger | None, cipher: Any) -> tuple[Ledger, str]:
    from hermes_core.stores.sql import SqlLedger

    if isinstance(ledger, Ledger):
        return ledger, type(ledger).__name__
    if isinstance(ledger, str) and "://" in ledger:
        return SqlLedger.open(ledger, cipher=cipher), ledger.split("@")[-1]
    if path is None and ledger is None:
        raise InvalidInput(
            'pass a folder, as in Hermes.open("./memory"), or a ledger, as in ledger="postgresql+psycopg://…"'
        )
    file = Path(ledger) if ledger is not None else Path(str(path)) / "ledger.db"
    return SqlLedger.open(file, cipher=cipher), str(file.parent.resolve())


def _space(embedder: Embedder) -> str:
    """The vector space as a store remembers it (I3)."""
    return f"{embedder.name}:{embedder.dimension}"


def _check_embedder(ledger: Ledger, embedder: Embedder, place: str) -> None:
    """I3: a store's vectors mean something in one space only."""
    asked = _space(embedder)
    stored = ledger.meta(EMBEDDER_KEY)
    if stored is not None and stored != asked:
        raise EmbedderMismatch(
            f"the store at {place} was written with the embedder {stored}, and {asked} can't read its vectors; nothing was "
            f"changed. Open it with the first one, or re-embed: Hermes.open(…, embedder=<{stored}>), export() every user, "
            f"and import_() the lines into a new store with {asked}"
        )


def _check_key(ledger: Ledger, cipher: Cipher | None) -> None:
    """C8: a wrong key is noticed at the door, not at the first sensitive row. StoreError then."""
    stored = ledger.meta(KEY_CHECK)
    if stored is None:
        if cipher is not None:
            ledger.put_meta(KEY_CHECK, key_check(cipher))
    elif cipher is None:
        raise StoreError("this store is encrypted; open it with its key: cipher=… or the variable HERMES_KEY")
    else:
        cipher.decrypt(bytes.fromhex(stored))


def _calibration(ledger: Ledger, embedder: Embedder) -> Calibration:
    stored = ledger.meta(CALIBRATION_KEY)
    if stored is not None:
        if ledger.meta(EMBEDDER_KEY) is None:
            ledger.put_meta(EMBEDDER_KEY, _space(embedder))
        try:
            return Calibration.from_json(stored)
        except ValueError as error:
            raise StoreDamaged(
                f"the store's calibration can't be read ({error}); restore ledger.db from a backup"
            ) from error
    fitted = calibration_for(embedder)  # the first thing that is asked of it: a broken one leaves no trace in the store
    ledger.put_meta(EMBEDDER_KEY, _space(embedder))
    ledger.put_meta(CALIBRATION_KEY, fitted.to_json())
    return fitted


def _secret(ledger: Ledger) -> bytes:
    """The key of this store's tombstones; it leaves with the store."""
    stored = ledger.meta(SECRET_KEY)
    if stored is None:
        stored = secrets.token_hex(32)
        ledger.put_meta(SECRET_KEY, stored)
    return bytes.fromhex(stored)


def _publisher(
    path: str | Path | None, chroma: str | Path | Index | bool | None, ledger: Ledger, shards: int
) -> Publisher | None:
    if chroma is False:
        return None
    if isinstance(chroma, Index):
        return Publisher(ledger, chroma)
    if isinstance(chroma, str) and "://" in chroma:
        return Publisher(ledger, _on_server(chroma, shards))
    if path is None and not isinstance(chroma, (str, Path)):
        return None
    folder = Path(chroma) if isinstance(chroma, (str, Path)) else Path(str(path)) / "chroma"
    return Publisher(ledger, _in_folder(folder, shards), lock_path=folder.with_suffix(".lock"))


def _in_folder(folder: Path, shards: int) -> Index:
    from hermes_core.stores.chroma import ChromaIndex

    layout = FolderLayout(folder, shards)
    return ShardedIndex([ChromaIndex.open(part) for part in layout.parts], layout)


def _on_server(url: str, shards: int) -> Index:
    from hermes_core.stores.chroma import COLLECTION, ChromaIndex

    place = urlsplit(url)
    if place.scheme not in ("http", "https") or not place.hostname:
        raise InvalidInput(f"chroma must be a folder or a server as http(s)://host:port, not {url!r}")
    layout = ServerLayout(COLLECTION, shards)
    parts = [
        ChromaIndex.connect(place.hostname, place.port or 8000, ssl=place.scheme == "https", collection=name)
        for name in layout.parts
    ]
    layout.server = parts[0]
    return ShardedIndex(parts, layout)
