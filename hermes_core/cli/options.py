"""The options that commands share: one spelling and one help text each. No behaviour may live here."""

from __future__ import annotations

from datetime import datetime, timezone
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

DEFAULT_STORE = Path("memory")


class Language(str, Enum):
    """Languages of the output; memories keep the language that they were said in."""

    EN = "en"
    ZH = "zh"


def moment(text: str) -> datetime:
    """An ISO 8601 date or time; without an offset it is read as UTC. ValueError otherwise."""
    found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return found if found.tzinfo else found.replace(tzinfo=timezone.utc)


Store = Annotated[
    Path,
    typer.Option("--path", "--store", "-p", envvar="HERMES_STORE", help="Folder of the store.", show_default=True),
]
Ledger = Annotated[
    str | None,
    typer.Option("--ledger", envvar="HERMES_LEDGER", help="Database URL of the ledger, instead of the folder's."),
]
Chroma = Annotated[
    str | None,
    typer.Option(
        "--chroma", envvar="HERMES_CHROMA", help="The index: a folder, or a Chroma server as http://host:port."
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", envvar="HERMES_CONFIG", help="Configuration file (TOML)."),
]
User = Annotated[
    str | None,
    typer.Option("--user", "-u", envvar="HERMES_USER", help="Whose memory; may be left out where there is only one."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text.")]
Lang = Annotated[
    Language | None,
    typer.Option("--language", "-l", help="Language of the output; from the locale unless given.", show_default=False),
]
ItemId = Annotated[str, typer.Argument(metavar="ID", help="The memory's id, or enough of its beginning to be clear.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")]
