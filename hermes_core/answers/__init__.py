"""Answers to "why?" and "how much?", drawn from values. No I/O may live here."""

from hermes_core.answers.audit import audit
from hermes_core.answers.diagnose import diagnose
from hermes_core.answers.explain import describe, explain
from hermes_core.answers.plan import Measured, Plan, plan
from hermes_core.answers.stages import Stage
from hermes_core.answers.stats import repeated_explanation_rate, stats

__all__ = [
    "Measured",
    "Plan",
    "Stage",
    "audit",
    "describe",
    "diagnose",
    "explain",
    "plan",
    "repeated_explanation_rate",
    "stats",
]
