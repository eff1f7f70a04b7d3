"""The real small model is asked only when it is asked for: `pytest -m model`, or in `make nightly`."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.getoption("-m") or ""
    asked_for = any(word in wanted and f"not {word}" not in wanted for word in ("model", "nightly"))
    if not asked_for:
        for item in items:
            if item.get_closest_marker("model"):
                item.add_marker(pytest.mark.skip(reason="runs a real model for minutes: pytest -m model"))
