"""Embedders (port Embedder) and the calibration of their similarities."""

from __future__ import annotations

from hermes_core.embedding.adapters import CallableEmbedder
from hermes_core.embedding.calibration import Calibration, Pair, calibration_for, fit, shipped_pairs
from hermes_core.embedding.default import DefaultEmbedder

__all__ = [
    "Calibration",
    "CallableEmbedder",
    "DefaultEmbedder",
    "Pair",
    "calibration_for",
    "fit",
    "shipped_pairs",
]
