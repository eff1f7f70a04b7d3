"""What `hermes doctor` looks at: laws that a store must keep, told one by one. Repairs only what can be rebuilt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hermes_core.changes import replay
from hermes_core.cli.output import say
from hermes_core.errors import HermesError
from hermes_core.items import Status

if TYPE_CHECKING:
    from rich.console import Console

    from hermes_core import Hermes


def check(hermes: Hermes, *, repair: bool = False) -> dict[str, Any]:
    """A report with stable keys: healthy, users, checks (name, ok, text), repaired."""
    checks = [one for user_id in hermes.users() for one in _user_checks(hermes, user_id)]
    repaired = None
    if repair:
        repaired = str(hermes.rebuild())
    return {
        "healthy": all(one["ok"] for one in checks),
        "users": len(hermes.users()),
        "checks": checks,
        "repaired": repaired,
    }


def _user_checks(hermes: Hermes, user_id: str) -> list[dict[str, Any]]:
    stats = hermes.stats(user_id)
    over = [pool for pool, count in stats.pools.items() if count > stats.caps.get(pool, count)]
    return [
        _entry(
            user_id,
            "bounded",
            not over,
            f"over the limit: {', '.join(over)}" if over else "every pool within its limit",
        ),
        _replays(hermes, user_id),
        _grounded(hermes, user_id),
    ]


def _entry(user_id: str, name: str, ok: bool, text: str) -> dict[str, Any]:
    return {"user": user_id, "name": name, "ok": ok, "text": text}


def _replays(hermes: Hermes, user_id: str) -> dict[str, Any]:
    """Law R: the trail leads to what is stored."""
    try:
        from_trail = replay(hermes.history(user_id))
    except HermesError as error:
        return _entry(user_id, "replays", False, str(error))
    stored = {item.id: item for item in hermes.memories(user_id)}
    odd = sorted(k for k in from_trail.keys() | stored.keys() if from_trail.get(k) != stored.get(k))
    text = f"differs from the trail: {', '.join(odd[:5])}" if odd else f"{len(stored)} memories, equal to their trail"
    return _entry(user_id, "replays", not odd, text)


def _grounded(hermes: Hermes, user_id: str) -> dict[str, Any]:
    """Law G: every memory cites words."""
    bare = [
        i.id
        for i in hermes.memories(user_id)
        if not i.evidence and not i.derived_from and i.status is not Status.FORGOTTEN
    ]
    return _entry(
        user_id,
        "grounded",
        not bare,
        f"cite nothing: {', '.join(bare[:5])}" if bare else "every memory cites its words",
    )


def show_report(to: Console, report: dict[str, Any], language: str) -> None:
    for one in report["checks"]:
        mark, style = (
            (say(language, "ok", "正常"), "green") if one["ok"] else (say(language, "BROKEN", "异常"), "bold red")
        )
        to.print(f"[{style}]{mark:<8}[/] {one['name']:<10}", end="")
        to.print(f"{one['user']}: {one['text']}", markup=False, soft_wrap=True)
    if report["repaired"] is not None:
        to.print(
            say(language, f"Rebuilt: {report['repaired']}", f"已重建：{report['repaired']}"),
            markup=False,
            soft_wrap=True,
        )
    if report["healthy"]:
        to.print(say(language, "The store is healthy.", "存储状态良好。"), style="green")
    else:
        to.print(say(language, "Something is wrong; try --repair.", "存在问题；可用 --repair 修复。"), style="bold red")
