"""From a user's words to grounded claims: the local and the model extractor, grounding, screening (W2-W7).

Names load when first asked for; nothing heavy is imported here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "Counters": "metrics",
    "FallbackExtractor": "fallback",
    "Grounded": "grounding",
    "LocalExtractor": "local",
    "ModelExtractor": "model",
    "OpenAICompatible": "model",
    "Screened": "screen",
    "TurnWords": "turn_words",
    "ground": "grounding",
    "ground_all": "grounding",
    "sounds_suspicious": "screen",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
