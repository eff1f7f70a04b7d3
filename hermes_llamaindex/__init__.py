"""Hermes Memory in LlamaIndex: chat engines, agents, retrievers, tools, and models as extractors.

Importing this package loads neither LlamaIndex nor the core; a name loads what it needs when it is first used.
No rule of memory lives here: messages are translated and ids carried, the core decides.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOME_OF = {
    "HermesMemory": "memory",
    "HermesMemoryBlock": "memory_block",
    "HermesRetriever": "retriever",
    "create_recall_tool": "tools",
    "LlamaIndexExtractor": "extractor",
    "LlamaIndexSummarizer": "summarizer",
    "LlamaIndexEmbedder": "embedder",
}
_PACKAGES = ("llama_index",)

__all__ = [
    "HermesMemory",
    "HermesMemoryBlock",
    "HermesRetriever",
    "LlamaIndexEmbedder",
    "LlamaIndexExtractor",
    "LlamaIndexSummarizer",
    "create_recall_tool",
]

if TYPE_CHECKING:
    from hermes_llamaindex.embedder import LlamaIndexEmbedder as LlamaIndexEmbedder
    from hermes_llamaindex.extractor import LlamaIndexExtractor as LlamaIndexExtractor
    from hermes_llamaindex.memory import HermesMemory as HermesMemory
    from hermes_llamaindex.memory_block import HermesMemoryBlock as HermesMemoryBlock
    from hermes_llamaindex.retriever import HermesRetriever as HermesRetriever
    from hermes_llamaindex.summarizer import LlamaIndexSummarizer as LlamaIndexSummarizer
    from hermes_llamaindex.tools import create_recall_tool as create_recall_tool


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'hermes_llamaindex' has no attribute {name!r}")
    try:
        value = getattr(import_module(f"hermes_llamaindex.{home}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        message = f"{name} needs {error.name}: pip install 'hermes-dualgate[llamaindex]'"
        raise ImportError(message, name=error.name) from error
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
