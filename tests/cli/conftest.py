"""One demo store for all tests of the command line; whoever changes it works on a copy."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from hermes_core.cli.app import app

Run = Callable[..., Result]


def invoke(*arguments: object, input: str | None = None) -> Result:
    """One command in this process; COLUMNS and the locale are fixed, so that output is the same everywhere."""
    fixed = {"LANG": "en_US.UTF-8", "LC_ALL": "", "COLUMNS": "100", "HERMES_USER": None, "HERMES_STORE": None}
    return CliRunner().invoke(app, [str(a) for a in arguments], input=input, env=fixed, prog_name="hermes")


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "store"


@pytest.fixture(scope="session")
def demo_json(demo_folder: Path) -> dict[str, Any]:
    done = invoke("demo", "--path", demo_folder, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="session")
def store(demo_json: dict[str, Any], demo_folder: Path) -> Path:
    """The demo's store, only to be read."""
    return demo_folder


@pytest.fixture
def copied(store: Path, tmp_path: Path) -> Path:
    """A copy of the demo's store, to be changed."""
    return Path(shutil.copytree(store, tmp_path / "store"))
