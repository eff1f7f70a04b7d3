"""The panel's data as a plain table in HTML, for code hosts that run no widgets. Everything that was said is escaped."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

_HEADS = {
    "en": ("memory", "status", "kind", "confidence", "confirmations", "strength now → in 30 days", "said in"),
    "zh": ("记忆", "状态", "类别", "置信度", "确认次数", "强度：现在 → 30 天后", "来自会话"),
}
_TITLES = {"en": "What is remembered of {user}, version {version}", "zh": "关于 {user} 的记忆，版本 {version}"}
LONGEST = 40  # rows


def table_html(view: Mapping[str, Any]) -> str:
    """A table of the live items; no script, no style sheet, nothing that a code host would strip."""
    language = view["language"]
    title = _TITLES[language].format(user=view["user_id"], version=view["version"])
    live = [item for item in view["items"] if item["status"] != "archived"]
    head = "".join(f"<th>{escape(name)}</th>" for name in _HEADS[language])
    rows = "".join(_row(item, view) for item in live[:LONGEST])
    return (
        f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        f"<p>{_sizes(view)}</p>"
    )


def _row(item: Mapping[str, Any], view: Mapping[str, Any]) -> str:
    month = item["curve"][10]  # of one point every three days
    sessions = ", ".join(dict.fromkeys(e["session_id"] for e in item["evidence"]))
    cells = (
        item["text"],
        view["words"]["status"][item["status"]],
        view["words"]["kind"][item["kind"]],
        f"{item['confidence']:.2f}",
        f"{item['confirmations']:g}",
        f"{item['strength']:.2f} → {month:.2f}",
        sessions,
    )
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


def _sizes(view: Mapping[str, Any]) -> str:
    return " · ".join(f"{escape(pool['name'])} {pool['size']} / {pool['cap']}" for pool in view["pools"])
