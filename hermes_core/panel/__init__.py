"""The panel: a person looks at what is remembered of them, and has the last word (C1, C5). No rule of memory lives here.

`serve` is the page behind `hermes panel`, `widget` what `Hermes.panel` shows in a notebook; both speak to one `Desk`.
"""

from __future__ import annotations

from hermes_core.panel.desk import Desk
from hermes_core.panel.server import PanelServer, serve
from hermes_core.panel.widget import widget

__all__ = ["Desk", "PanelServer", "serve", "widget"]
