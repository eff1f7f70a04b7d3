"""Fakes and contract suites for whoever builds on Hermes. Importing this needs no test framework.

The contract suites (modules *_contract, and contracts/) need pytest and are imported by their own names.
"""

from __future__ import annotations

from hermes_core.testing.fakes import (
    FailingExtractor,
    FakeClock,
    HashEmbedder,
    ScriptedExtractor,
    SlowExtractor,
    candidate,
)

__all__ = ["FailingExtractor", "FakeClock", "HashEmbedder", "ScriptedExtractor", "SlowExtractor", "candidate"]
