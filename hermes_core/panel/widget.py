"""The panel in a notebook: an anywidget around the same page script, and a table for readers without a kernel.

Messages go to a `Desk` that knows one user. anywidget is an extra, imported when a widget is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hermes_core.errors import InvalidInput
from hermes_core.panel.desk import LOOKS, Desk
from hermes_core.panel.fallback import table_html
from hermes_core.panel.server import static
from hermes_core.shell.hermes import Hermes

if TYPE_CHECKING:
    from anywidget import AnyWidget


def widget(hermes: Hermes, user_id: str, *, language: str = "en") -> AnyWidget:
    """The panel of one user as a Jupyter widget. InvalidInput when the extra `panel` is not installed."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise InvalidInput("the panel in a notebook needs an extra: pip install 'hermes-dualgate[panel]'") from None

    class PanelWidget(anywidget.AnyWidget):
        """What is remembered of one user; `view` is the data last drawn, commands arrive as custom messages."""

        _esm = static("panel.js")
        _css = static("panel.css")
        view = traitlets.Dict().tag(sync=True)

        def __init__(self, desk: Desk) -> None:
            super().__init__(view=desk.view(language=language))
            self.desk = desk
            self.on_msg(self._receive)

        def _receive(self, _: Any, message: Any, buffers: Any) -> None:
            reply = self.desk.answer(message)
            self.send(reply)
            if reply["ok"] and reply["id"] is not None and message["action"] not in LOOKS:
                self.refresh()  # other displays of the same panel, and the one that is saved with the notebook

        def refresh(self) -> None:
            """Draw anew what is remembered now."""
            self.view = self.desk.view(language=language)

        def __repr__(self) -> str:
            return f"PanelWidget(user_id={self.view['user_id']!r}, version={self.view['version']})"

        def _repr_mimebundle_(self, **options: Any) -> Any:
            """The widget, and beside it a plain table for code hosts, which run no widgets."""
            self.refresh()
            bundle = super()._repr_mimebundle_(**options)
            data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
            return {**data, "text/html": table_html(self.view)}, metadata

    return PanelWidget(Desk(hermes, user_id))
