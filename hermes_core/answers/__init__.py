"""Answers to "why?", drawn from values: describe, explain, diagnose, audit, stats, plan. No I/O may live here."""

from hermes_core.answers.diagnose import diagnose
from hermes_core.answers.explain import describe, explain

__all__ = ["describe", "diagnose", "explain"]
