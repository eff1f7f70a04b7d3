"""Hermes Memory in LangChain: chains, message histories, agents, retrievers, tools, and models as extractors.

Importing this package loads neither LangChain nor the core; a name loads what it needs when it is first used.
No rule of memory lives here: messages are translated and ids carried, the core decides.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOME_OF = {
    "HermesMemory": "memory",
    "HermesChatMessageHistory": "chat_history",
    "HermesMiddleware": "middleware",
    "HermesRetriever": "retriever",
    "create_recall_tool": "tools",
    "create_context_runnable": "context",
    "LangChainExtractor": "extractor",
    "LangChainSummarizer": "summarizer",
    "LangChainEmbedder": "embedder",
}
_PACKAGES = ("langchain", "langchain_core", "langchain_classic", "langgraph")

__all__ = [
    "HermesChatMessageHistory",
    "HermesMemory",
    "HermesMiddleware",
    "HermesRetriever",
    "LangChainEmbedder",
    "LangChainExtractor",
    "LangChainSummarizer",
    "create_context_runnable",
    "create_recall_tool",
]

if TYPE_CHECKING:
    from hermes_langchain.chat_history import HermesChatMessageHistory as HermesChatMessageHistory
    from hermes_langchain.context import create_context_runnable as create_context_runnable
    from hermes_langchain.embedder import LangChainEmbedder as LangChainEmbedder
    from hermes_langchain.extractor import LangChainExtractor as LangChainExtractor
    from hermes_langchain.memory import HermesMemory as HermesMemory
    from hermes_langchain.middleware import HermesMiddleware as HermesMiddleware
    from hermes_langchain.retriever import HermesRetriever as HermesRetriever
    from hermes_langchain.summarizer import LangChainSummarizer as LangChainSummarizer
    from hermes_langchain.tools import create_recall_tool as create_recall_tool


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'hermes_langchain' has no attribute {name!r}")
    try:
        value = getattr(import_module(f"hermes_langchain.{home}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        message = f"{name} needs {error.name}: pip install 'hermes-dualgate[langchain]'"
        raise ImportError(message, name=error.name) from error
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
