"""Answers to "why?", drawn from values: describe, explain, diagnose, audit, stats. No I/O may live here."""

from hermes_core.answers.explain import describe, explain

__all__ = ["describe", "explain"]
