"""The typer application: which commands exist, and how errors leave the process. No command's work may live here."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from hermes_core.errors import HermesError


class _Commands(TyperGroup):
    """Lists commands in the order in which they were added, and turns our errors into one line and exit code 1."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except HermesError as error:
            typer.echo(f"hermes: {error}", err=True)
            raise typer.Exit(1) from error


def prepare_streams() -> None:
    """Odd characters in someone's memory must not break a terminal that can't show them."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"hermes {version('hermes-dualgate')}")
        raise typer.Exit


app = typer.Typer(
    cls=_Commands,
    name="hermes",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Begin with [bold]hermes demo[/bold], or with your own chat: [bold]hermes ingest FILE[/bold].",
)


@app.callback()
def hermes(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Memory of users across sessions: two gates keep it bounded, and keep it right."""


def _add_commands() -> None:
    from hermes_core.cli import changing, ingesting, operating, planning, reading

    for name, command in (
        ("demo", operating.demo),
        ("ingest", ingesting.ingest),
        ("context", reading.context),
        ("memories", reading.memories),
        ("explain", reading.explain),
        ("diagnose", reading.diagnose),
        ("history", reading.history),
        ("correct", changing.correct),
        ("confirm", changing.confirm),
        ("reject", changing.reject),
        ("pin", changing.pin),
        ("approve", changing.approve),
        ("forget", changing.forget),
        ("export", operating.export),
        ("import", changing.import_),
        ("users", reading.users),
        ("stats", reading.stats),
        ("audit", reading.audit),
        ("plan", planning.plan),
        ("doctor", operating.doctor),
        ("worker", operating.worker),
        ("panel", operating.panel),
    ):
        app.command(name)(command)


_add_commands()
