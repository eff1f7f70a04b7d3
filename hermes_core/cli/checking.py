"""What `hermes doctor` says: the report of the store, one line a check, with stable keys for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hermes_core.cli.output import say

if TYPE_CHECKING:
    from rich.console import Console

    from hermes_core import Hermes


def check(hermes: Hermes, *, repair: bool = False) -> dict[str, Any]:
    """A report with stable keys: healthy, users, checks (user, name, ok, text), repaired (lines, None unless asked)."""
    found = hermes.doctor(repair=repair)
    return {
        "healthy": found.healthy,
        "users": found.users,
        "checks": [{"user": c.user_id, "name": c.name, "ok": c.ok, "text": c.text} for c in found.checks],
        "repaired": list(found.repaired) if repair else None,
    }


def show_report(to: Console, report: dict[str, Any], language: str) -> None:
    for one in report["checks"]:
        mark, style = (
            (say(language, "ok", "正常"), "green") if one["ok"] else (say(language, "BROKEN", "异常"), "bold red")
        )
        to.print(f"[{style}]{mark:<8}[/] {one['name']:<10}", end="")
        where = one["user"] or say(language, "store", "存储")
        to.print(f"{where}: {one['text']}", markup=False, soft_wrap=True)
    for line in report["repaired"] or ():
        to.print(say(language, f"Repaired: {line}", f"已修复：{line}"), markup=False, soft_wrap=True)
    if report["healthy"]:
        to.print(say(language, "The store is healthy.", "存储状态良好。"), style="green")
    else:
        to.print(say(language, "Something is wrong; try --repair.", "存在问题；可用 --repair 修复。"), style="bold red")
