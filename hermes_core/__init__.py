"""Hermes Memory: memory of users across sessions, behind two gates. The public names, loaded when first used.

Importing this package touches no disk, network, framework, Chroma or model.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "hermes_core.shell.hermes": ("Hermes",),
    "hermes_core.shell.session": ("Session",),
    "hermes_core.config": ("PRESETS", "Config"),
    "hermes_core.catalogue": ("Catalogue", "Slot"),
    "hermes_core.changes": ("TRANSITIONS", "Cause", "Change", "Event"),
    "hermes_core.items": (
        "Basis", "Candidate", "Evidence", "HeldOverride", "Kind", "Layer", "MemoryItem", "Pool", "Sensitivity", "Status", "Tone", "Turn",
    ),
    "hermes_core.ports": (
        "Clock", "Dismissal", "Embedder", "Extraction", "Extractor", "Index", "Ledger", "Summarizer", "Summary", "TokenCounter",
    ),
    "hermes_core.reasons": ("Reason",),
    "hermes_core.user_model": ("UserModel",),
    "hermes_core.user_state": ("UserState",),
    "hermes_core.views": ("ContextBlock", "ContextLine", "Diagnosis", "Explanation", "Finding", "LeftOut", "RecallHit", "Stats"),
    "hermes_core.errors": (
        "Closed", "EmbedderMismatch", "EmbeddingFailed", "ExtractionFailed", "HermesError", "InvalidInput", "NotFound", "OwnerMismatch", "SchemaMismatch",
        "StoreDamaged", "StoreError", "TimedOut",
    ),
    "hermes_core.embedding.default": ("DefaultEmbedder",),
    "hermes_core.embedding.adapters": ("CallableEmbedder",),
    "hermes_core.tokens": ("TiktokenCounter", "CallableCounter"),
    "hermes_core.extraction.local": ("LocalExtractor",),
    "hermes_core.extraction.model": ("ModelExtractor", "OpenAICompatible"),
    "hermes_core.summarizers": ("ExtractiveSummarizer", "ModelSummarizer"),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME_OF, "__version__"])

if TYPE_CHECKING:
    from hermes_core.catalogue import Catalogue as Catalogue
    from hermes_core.catalogue import Slot as Slot
    from hermes_core.changes import TRANSITIONS as TRANSITIONS
    from hermes_core.changes import Cause as Cause
    from hermes_core.changes import Change as Change
    from hermes_core.changes import Event as Event
    from hermes_core.config import PRESETS as PRESETS
    from hermes_core.config import Config as Config
    from hermes_core.embedding.adapters import CallableEmbedder as CallableEmbedder
    from hermes_core.embedding.default import DefaultEmbedder as DefaultEmbedder
    from hermes_core.errors import *  # noqa: F403
    from hermes_core.extraction.local import LocalExtractor as LocalExtractor
    from hermes_core.extraction.model import ModelExtractor as ModelExtractor
    from hermes_core.extraction.model import OpenAICompatible as OpenAICompatible
    from hermes_core.items import *  # noqa: F403
    from hermes_core.ports import *  # noqa: F403
    from hermes_core.reasons import Reason as Reason
    from hermes_core.shell.hermes import Hermes as Hermes
    from hermes_core.shell.session import Session as Session
    from hermes_core.summarizers import ExtractiveSummarizer as ExtractiveSummarizer
    from hermes_core.summarizers import ModelSummarizer as ModelSummarizer
    from hermes_core.tokens import CallableCounter as CallableCounter
    from hermes_core.tokens import TiktokenCounter as TiktokenCounter
    from hermes_core.user_model import UserModel as UserModel
    from hermes_core.user_state import UserState as UserState
    from hermes_core.views import *  # noqa: F403


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'hermes_core' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
