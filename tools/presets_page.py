"""Writes docs/presets.md from the configuration itself, so that the page can't tell other numbers than the code.

Run it after a change of hermes_core/config.py: python tools/presets_page.py (tests/docs compares).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from hermes_core.config import _PRESET_TABLES, PRESETS, Config

PAGE = Path(__file__).resolve().parent.parent / "docs" / "presets.md"

HEADER = """# Presets

Hermes grew from four published designs of a memory with two gates, each with its own table of parameters. Where they
disagree, the defaults decide; each design's own table is kept as a preset, so that whoever knows that design gets the
behaviour that it describes.

```python
from hermes_core import Config

config = Config.preset("companion", context={"total_tokens": 1200})
assert config.context.total_tokens == 1200
```

A file does the same (`Hermes.open("./memory", config="hermes.toml")`): `preset = "companion"` on the first line, then any
section as a table, such as `[context]` with `total_tokens = 1200`.

This page is written by `tools/presets_page.py` from `hermes_core/config.py`. Shares, confidences, similarities and
strengths are on 0..1; similarities are calibrated, so that a number means the same for every embedder.
"""

DESIGNS = {
    "assistant": (
        "A",
        "A personal assistant",
        "Three confirmations in separate sessions freeze a memory, sixty idle days weather it, the bare median of the "
        "pool admits, and 1,600 tokens are split over three levels.",
    ),
    "support": (
        "B",
        "A support desk",
        "A larger quota, two sessions or an explicit “from now on” freeze, a week of observation, corrections of frozen "
        "memories wait for approval, facts go stale after 180 days.",
    ),
    "recommender": (
        "C",
        "A recommender",
        "A small profile of slots with budgets per layer, tastes with a half-life of thirty days, a cool-down after an "
        "opposite statement, wake-up above 0.78.",
    ),
    "companion": (
        "D",
        "A companion",
        "Value decides who is evicted, at most a fifth of the places may freeze, vital facts freeze at once, frozen "
        "memories rank 1.2 to 1.5 times higher.",
    ),
}


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}")


def page() -> str:
    parts = [HEADER, *(_preset(name) for name in PRESETS), _defaults()]
    return "\n".join(parts).rstrip() + "\n"


def _preset(name: str) -> str:
    letter, title, text = DESIGNS[name]
    plain = Config()
    rows = [
        f"| `{path}` | {_shown(value)} | {_shown(_at(plain, path))} | {_source(path)} |"
        for path, value in _leaves(_PRESET_TABLES[name])
    ]
    head = f"## `{name}`: {title.lower()} (design {letter})\n\n{text}\n\n| setting | {name} | default | meaning, source |\n"
    return head + "|---|---|---|---|\n" + "\n".join(rows) + "\n"


def _defaults() -> str:
    lines = ["## Every setting\n", "| setting | default | meaning, source |", "|---|---|---|"]
    for section, _ in Config.model_fields.items():
        value = getattr(Config(), section)
        if isinstance(value, BaseModel):
            lines += [f"| `{p}` | {_shown(_at(Config(), p))} | {_source(p)} |" for p in _paths(value, section)]
        else:
            lines.append(f"| `{section}` | {_shown(value)} | {_source(section)} |")
    return "\n".join(lines) + "\n"


def _paths(model: BaseModel, prefix: str) -> list[str]:
    out: list[str] = []
    for name in type(model).model_fields:
        value = getattr(model, name)
        path = f"{prefix}.{name}"
        out += _paths(value, path) if isinstance(value, BaseModel) else [path]
    return out


def _leaves(table: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    out: list[tuple[str, Any]] = []
    for key, value in table.items():
        path = f"{prefix}{key}"
        deeper = isinstance(value, dict) and isinstance(_at(Config(), path), BaseModel)
        out += _leaves(value, path + ".") if deeper else [(path, value)]
    return out


def _at(model: Any, path: str) -> Any:
    for name in path.split("."):
        model = getattr(model, name)
    return model


def _source(path: str) -> str:
    model: Any = Config
    *sections, name = path.split(".")
    for section in sections:
        model = model.model_fields[section].annotation
    text = (model.model_fields[name].description or "").replace("DESIGN", "H").replace("|", "\\|")
    return re.sub(r"(, |; )?\b[FWRCUS]\d+(-[FWRCUS]\d+)?\b:? ?", "", text)  # rows of a planning table


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(part)}" for key, part in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(_shown(part) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
