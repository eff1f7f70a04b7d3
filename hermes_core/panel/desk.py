"""The desk that page and widget both speak to: one request in, one reply out, both plain JSON types.

It asks Hermes and draws the view. It knows no socket and no widget; a refused request is a reply, not an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hermes_core.errors import Closed, HermesError, InvalidInput, NotFound, OwnerMismatch
from hermes_core.panel import data
from hermes_core.shell.hermes import Hermes

LANGUAGES = ("en", "zh")
LOOKS = ("view", "explain")  # actions that change nothing
Request = Mapping[str, Any]


class Desk:
    """One store as the panel sees it. `only` limits it to one user; without it every user can be looked at.

    A request is `{"action": …, "user_id": …, "language": "en"|"zh", "query": …}` and what the action needs:
    view; explain, confirm, reject, forget (item_id); correct (item_id, text); pin (item_id, pinned);
    approve, decline (item_id, override). The reply is `{"ok": True, "view": …}` (`"why"` for explain) or
    `{"ok": False, "error": {"kind", "message"}}`; `id` comes back as it was sent.
    """

    def __init__(self, hermes: Hermes, only: str | None = None) -> None:
        self._hermes = hermes
        self.only = only
        self._commands: dict[str, Callable[[str, Request], object]] = {
            "confirm": lambda user, asked: hermes.confirm(user, _text(asked, "item_id")),
            "reject": lambda user, asked: hermes.reject(user, _text(asked, "item_id")),
            "forget": lambda user, asked: hermes.forget(user, _text(asked, "item_id")),
            "correct": lambda user, asked: hermes.correct(user, _text(asked, "item_id"), _text(asked, "text")),
            "pin": lambda user, asked: hermes.pin(user, _text(asked, "item_id"), _flag(asked, "pinned")),
            "approve": lambda user, asked: hermes.approve(user, _text(asked, "item_id"), _number(asked, "override")),
            "decline": lambda user, asked: hermes.decline(user, _text(asked, "item_id"), _number(asked, "override")),
        }

    @property
    def users(self) -> list[str]:
        return [self.only] if self.only is not None else self._hermes.users()

    def answer(self, request: object) -> dict[str, Any]:
        """The reply to one request; never raises for what a caller or the world did wrong."""
        asked: Request = request if isinstance(request, Mapping) else {}
        try:
            reply = self._answer(asked)
        except HermesError as error:
            reply = refusal(error)
        return {**reply, "id": asked.get("id")}

    def _answer(self, asked: Request) -> dict[str, Any]:
        action, user_id = _text(asked, "action"), self._user(asked)
        language = self._language(asked)
        if action == "explain":
            return {"ok": True, "why": self._why(user_id, _text(asked, "item_id"), language)}
        if action != "view":
            command = self._commands.get(action)
            if command is None:
                raise InvalidInput(f"no action {action!r}; use view, explain, {', '.join(self._commands)}")
            command(user_id, asked)
        return {"ok": True, "view": self.view(user_id, language, _text(asked, "query", ""))}

    def view(self, user_id: str | None = None, language: str = "en", query: str = "") -> dict[str, Any]:
        """What the panel shows of a user (the first one unless named)."""
        chosen = user_id if user_id is not None else self._user({})
        engine = self._hermes._engine  # the panel belongs to the house: it needs the store's clock and settings
        return data.view(
            self._hermes.state(chosen),
            self._hermes.history(chosen, limit=data.TRAIL_READ),
            engine.clock.now(),
            engine.configs.of(chosen),
            language=language,
            query=query,
            users=self.users,
        )

    def _why(self, user_id: str, item_id: str, language: str) -> dict[str, Any]:
        item = self._hermes.get(user_id, item_id)
        turns = self._hermes._engine.ledger.turns(user_id, turn_ids=[e.turn_id for e in item.evidence])
        return data.why(item, self._hermes.history(user_id, item_id), turns, language)

    def _user(self, asked: Request) -> str:
        """The user asked about. OwnerMismatch where the panel is another user's, NotFound where nobody is known."""
        given = asked.get("user_id")
        users = self.users
        if given is None:
            if not users:
                raise NotFound("nobody has said anything here yet")
            return users[0]
        if not isinstance(given, str):
            raise InvalidInput("user_id must be a text")
        if self.only is not None and given != self.only:
            raise OwnerMismatch(f"this panel shows user {self.only!r} only, not {given!r}")
        if given not in users:
            raise NotFound(f"no user {given!r} here")
        return given

    @staticmethod
    def _language(asked: Request) -> str:
        language = asked.get("language") or LANGUAGES[0]
        if language not in LANGUAGES:
            raise InvalidInput(f"language {language!r} is unknown; use one of {', '.join(LANGUAGES)}")
        return str(language)


def refusal(error: HermesError) -> dict[str, Any]:
    """An error as a reply: its kind, and our message for people."""
    return {"ok": False, "error": {"kind": type(error).__name__, "message": str(error)}}


def status_of(reply: Mapping[str, Any]) -> int:
    """The HTTP status that fits a reply: who must act decides it."""
    if reply.get("ok"):
        return 200
    kinds = {
        InvalidInput.__name__: 400,
        OwnerMismatch.__name__: 403,
        NotFound.__name__: 404,
        Closed.__name__: 503,
    }
    return kinds.get(reply["error"]["kind"], 500)


def _text(asked: Request, name: str, otherwise: str | None = None) -> str:
    value = asked.get(name, otherwise)
    if not isinstance(value, str):
        raise InvalidInput(f"the request needs {name!r}, a text")
    return value


def _flag(asked: Request, name: str) -> bool:
    value = asked.get(name)
    if not isinstance(value, bool):
        raise InvalidInput(f"the request needs {name!r}, true or false")
    return value


def _number(asked: Request, name: str) -> int:
    value = asked.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"the request needs {name!r}, a whole number")
    return value
