"""The panel as a page of its own: a small HTTP server on the loopback address, for one person and one run.

It can delete memories, so it trusts nobody: 127.0.0.1 only, a token per run, Host and Origin checked (a foreign page
that resolves its own name to 127.0.0.1 is refused), no CORS, a policy that runs no foreign or inline script.
No rule of memory and no drawing may live here.
"""

from __future__ import annotations

import hmac
import json
import logging
import secrets
import threading
import webbrowser
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from hermes_core.errors import InvalidInput
from hermes_core.panel.desk import Desk, status_of
from hermes_core.shell.hermes import Hermes

log = logging.getLogger("hermes.panel")

LOOPBACK = "127.0.0.1"
TOKEN_BYTES = 32
LONGEST_REQUEST = 65_536  # bytes of one POST's body
SECONDS_PER_REQUEST = 30.0  # a connection that says nothing for this long is closed
TOKEN_HEADER = "X-Hermes-Token"

# path -> (file in static/, content type)
PAGES: Mapping[str, tuple[str, str]] = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/panel.js": ("panel.js", "text/javascript; charset=utf-8"),
    "/panel.css": ("panel.css", "text/css; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def static(name: str) -> str:
    """One of the panel's own files."""
    return files("hermes_core.panel").joinpath("static").joinpath(name).read_text(encoding="utf-8")


class PanelServer:
    """The server, bound at once (port 0: any free one) and answering in its own threads until `close`."""

    def __init__(
        self, hermes: Hermes, user_id: str | None = None, *, port: int = 0, language: str | None = None
    ) -> None:
        self.token = secrets.token_urlsafe(TOKEN_BYTES)
        self._language = language
        try:
            self._http = _Http(port, Desk(hermes, user_id), self.token)
        except OSError as error:
            raise InvalidInput(f"port {port} can't be used ({error.strerror}); take another, or 0 for any") from error
        self._thread = threading.Thread(target=self._http.serve_forever, name="hermes-panel", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.port}/"

    @property
    def url(self) -> str:
        """The link that opens the panel; the token stands behind # and so is never sent with the page's request."""
        language = f"?language={self._language}" if self._language else ""
        return f"{self.address}{language}#{self.token}"

    def wait(self) -> None:
        """Until the server ends; KeyboardInterrupt passes through."""
        while self._thread.is_alive():
            self._thread.join(0.5)

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> PanelServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def serve(
    hermes: Hermes,
    user_id: str | None = None,
    *,
    port: int = 0,
    language: str | None = None,
    browser: bool = True,
    announce: Callable[[str], object] = print,
) -> None:
    """Show the panel until interrupted: `announce` gets the link, `browser` opens it. InvalidInput when the port is taken."""
    with PanelServer(hermes, user_id, port=port, language=language) as server:
        announce(server.url)
        if browser:
            webbrowser.open(server.url)
        try:
            server.wait()
        except KeyboardInterrupt:
            log.info("the panel ends")


class _Refused(Exception):
    """A request that is not answered, with its status and the words for it."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class _Http(ThreadingHTTPServer):
    """Bound to loopback, with what its handlers need: the desk and the token of this run."""

    daemon_threads = True

    def __init__(self, port: int, desk: Desk, token: str) -> None:
        self.desk = desk
        self.token = token
        super().__init__((LOOPBACK, port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    """One request: its source checked first, then its token, then answered by the desk."""

    server: _Http
    timeout = SECONDS_PER_REQUEST
    protocol_version = "HTTP/1.1"
    server_version = "hermes-panel"
    sys_version = ""

    def do_GET(self) -> None:
        self._guarded(self._page)

    def do_POST(self) -> None:
        self._guarded(self._asked)

    def _method_refused(self) -> None:
        self._guarded(self._no_method)

    do_HEAD = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_TRACE = _method_refused

    def _guarded(self, answer: Callable[[], None]) -> None:
        try:
            self._check_source()
            answer()
        except _Refused as refused:
            self.close_connection = True  # what was not read of it must not be taken for the next request
            self._send_error(refused.status, "Refused", refused.message)
        except (ConnectionError, TimeoutError):
            self.close_connection = True  # whoever asked is gone
        except Exception:
            log.exception("the panel could not answer")
            self.close_connection = True
            self._send_error(HTTPStatus.INTERNAL_SERVER_ERROR, "Failed", "something went wrong; the log says what")

    def _send_error(self, status: HTTPStatus, kind: str, message: str) -> None:
        self._send_json(status, {"ok": False, "error": {"kind": kind, "message": message}})

    def _check_source(self) -> None:
        port = self.server.server_address[1]
        hosts = (f"{LOOPBACK}:{port}", f"localhost:{port}")
        if self.headers.get_all("Host", []) not in ([hosts[0]], [hosts[1]]):
            raise _Refused(HTTPStatus.FORBIDDEN, "the panel answers to its own address only")
        origin = self.headers.get("Origin")
        if origin is not None and origin not in [f"http://{host}" for host in hosts]:
            raise _Refused(HTTPStatus.FORBIDDEN, "the panel answers its own page only")
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise _Refused(HTTPStatus.FORBIDDEN, "the panel answers its own page only")

    def _no_method(self) -> None:
        raise _Refused(HTTPStatus.METHOD_NOT_ALLOWED, f"{self.command} is not used here")

    def _page(self) -> None:
        found = PAGES.get(urlsplit(self.path).path)
        if found is None:
            raise _Refused(HTTPStatus.NOT_FOUND, "there is no such page")
        name, content_type = found
        self._send(HTTPStatus.OK, content_type, static(name).encode())

    def _asked(self) -> None:
        if urlsplit(self.path).path != "/api":
            raise _Refused(HTTPStatus.NOT_FOUND, "there is no such page")
        given = self.headers.get(TOKEN_HEADER, "")
        if not hmac.compare_digest(given.encode("utf-8", "replace"), self.server.token.encode()):
            raise _Refused(HTTPStatus.FORBIDDEN, "wrong token; open the link that `hermes panel` printed")
        reply = self.server.desk.answer(self._json())
        self._send_json(HTTPStatus(status_of(reply)), reply)

    def _json(self) -> Any:
        if self.headers.get_content_type() != "application/json":
            raise _Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "requests are JSON")
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            raise _Refused(HTTPStatus.LENGTH_REQUIRED, "the request's length is missing")
        if int(length) > LONGEST_REQUEST:
            raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request has at most {LONGEST_REQUEST} bytes")
        try:
            found = json.loads(self.rfile.read(int(length)).decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise _Refused(HTTPStatus.BAD_REQUEST, f"this is not JSON: {error}") from None
        if not isinstance(found, dict):
            raise _Refused(HTTPStatus.BAD_REQUEST, "a request is a JSON object")
        return found

    def _send_json(self, status: HTTPStatus, value: object) -> None:
        # escaped to ASCII: a lone surrogate in a memory must not break the reply
        self._send(status, "application/json", json.dumps(value).encode("ascii"))

    def _send(self, status: HTTPStatus, content_type: str, body: bytes) -> None:
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": content_type, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        log.debug("%s %s", self.address_string(), format % args)
