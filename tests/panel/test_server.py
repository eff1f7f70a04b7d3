"""The page's server over a real socket: who is answered, and who is not."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator

import pytest

from hermes_core import Hermes, InvalidInput
from hermes_core.panel import PanelServer
from hermes_core.panel.server import LONGEST_REQUEST, PAGES
from tests.panel.conftest import USER, item

JSON = "application/json"


@pytest.fixture(scope="module")
def page_server(still: Hermes) -> Iterator[PanelServer]:
    with PanelServer(still, language="en") as server:
        yield server


@pytest.fixture
def memory(still: Hermes) -> Hermes:
    return still


def send(server: PanelServer, method="POST", path="/api", body: object = None, token: str | None = "own", **headers):
    """One request; its status, headers and body. Underscores in `headers` stand for hyphens."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    given = {"Host": f"127.0.0.1:{server.port}", **{k.replace("_", "-"): v for k, v in headers.items()}}
    if method == "POST":
        given.setdefault("Content-Type", JSON)
    if token is not None:
        given["X-Hermes-Token"] = server.token if token == "own" else token
    raw = body if isinstance(body, bytes) else json.dumps(body if body is not None else {"action": "view"}).encode()
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    if method == "POST":
        given.setdefault("Content-Length", str(len(raw)))
    for name, value in given.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders(raw if method == "POST" else None)
    answer = connection.getresponse()
    read = answer.read()
    connection.close()
    return answer.status, answer.headers, read


def test_it_listens_on_loopback_only(page_server: PanelServer):
    assert page_server._http.server_address[0] == "127.0.0.1"
    assert page_server.url.startswith(f"http://127.0.0.1:{page_server.port}/?language=en#")
    assert len(page_server.token) >= 40


def test_tokens_differ_from_run_to_run(memory: Hermes):
    with PanelServer(memory) as one, PanelServer(memory) as other:
        assert one.token != other.token
        assert send(one, token=other.token)[0] == 403


@pytest.mark.parametrize("path", list(PAGES))
def test_the_page_is_served_under_a_strict_policy_and_holds_no_memory(page_server: PanelServer, path: str):
    status, headers, body = send(page_server, "GET", path, token=None)
    assert status == 200
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in headers
    assert b"peanuts" not in body
    assert page_server.token.encode() not in body


def test_the_page_has_no_inline_script_or_style(page_server: PanelServer):
    page = send(page_server, "GET", "/", token=None)[2].decode()
    assert "<style" not in page
    assert "onclick" not in page
    assert page.count("<script") == page.count("<script type=") == 1


def test_nothing_else_is_served(page_server: PanelServer):
    for path in ("/nothing", "/../desk.py", "/static/panel.js", "/api", "//evil.test/", "/%2e%2e/desk.py"):
        assert send(page_server, "GET", path)[0] == 404
    assert send(page_server, "POST", "/", body={"action": "view"})[0] == 404


def test_a_request_with_the_token_is_answered(page_server: PanelServer):
    status, headers, body = send(page_server, body={"action": "view", "user_id": USER, "id": "a"})
    reply = json.loads(body)
    assert (status, headers["Content-Type"], reply["ok"], reply["id"]) == (200, JSON, True, "a")
    assert any("peanuts" in i["text"] for i in reply["view"]["items"])


@pytest.mark.parametrize("token", [None, "", "wrong", "ÿ"])
def test_without_the_token_nothing_is_said_or_done(page_server: PanelServer, memory: Hermes, token: str | None):
    asked = {"action": "forget", "user_id": USER, "item_id": item(memory, "jazz").id}
    status, _, body = send(page_server, body=asked, token=token)
    assert status == 403
    assert "token" in json.loads(body)["error"]["message"]
    assert item(memory, "jazz")


@pytest.mark.parametrize("origin", ["http://evil.test", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
def test_a_foreign_origin_is_refused_even_with_the_token(page_server: PanelServer, origin: str):
    assert send(page_server, Origin=origin)[0] == 403
    assert send(page_server, "GET", "/", Origin=origin)[0] == 403


def test_its_own_origin_is_answered(page_server: PanelServer):
    assert send(page_server, Origin=f"http://127.0.0.1:{page_server.port}")[0] == 200
    assert (
        send(page_server, Host=f"localhost:{page_server.port}", Origin=f"http://localhost:{page_server.port}")[0] == 200
    )


@pytest.mark.parametrize("host", ["evil.test", "evil.test:{port}", "127.0.0.1", "127.0.0.1:1", "", None])
def test_a_name_that_was_rebound_to_loopback_is_refused(page_server: PanelServer, host: str | None):
    named = host.format(port=page_server.port) if host is not None else None
    assert send(page_server, Host=named)[0] == 403
    assert send(page_server, "GET", "/", Host=named)[0] == 403


def test_a_cross_site_fetch_is_refused(page_server: PanelServer):
    assert send(page_server, Sec_Fetch_Site="cross-site")[0] == 403
    assert send(page_server, Sec_Fetch_Site="same-site")[0] == 403
    assert send(page_server, Sec_Fetch_Site="same-origin")[0] == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])
def test_other_methods_are_refused(page_server: PanelServer, method: str):
    status, headers, _ = send(page_server, method)
    assert status == 405
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_only_json_is_read(page_server: PanelServer, kind: str):
    assert send(page_server, Content_Type=kind)[0] == 415


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[1, 2]", b'"view"', b"[" * 60_000])
def test_what_is_not_a_json_object_is_refused_with_words(page_server: PanelServer, body: bytes):
    status, _, told = send(page_server, body=body)
    assert status == 400
    assert json.loads(told)["error"]["message"]


def test_lengths_are_checked_before_reading(page_server: PanelServer):
    assert send(page_server, Content_Length=str(LONGEST_REQUEST + 1))[0] == 413
    assert send(page_server, Content_Length="many")[0] == 411
    assert send(page_server, Content_Length="-1")[0] == 411
    assert send(page_server)[0] == 200


def test_errors_come_back_as_json_in_our_words(page_server: PanelServer, memory: Hermes):
    eggs = item(memory, "eggs", "mo")
    status, _, body = send(page_server, body={"action": "forget", "user_id": USER, "item_id": eggs.id})
    assert (status, json.loads(body)["error"]["kind"]) == (403, "OwnerMismatch")
    status, _, body = send(page_server, body={"action": "explain", "user_id": USER, "item_id": "none"})
    assert (status, json.loads(body)["error"]["kind"]) == (404, "NotFound")
    assert "no memory 'none'" in json.loads(body)["error"]["message"]


def test_a_fault_of_ours_is_a_reply_and_a_line_in_the_log(page_server: PanelServer, still: Hermes, caplog, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(still, "state", broken)
    status, _, body = send(page_server)
    assert (status, json.loads(body)["error"]["kind"]) == (500, "Failed")
    assert "oops" not in body.decode()
    assert "ZeroDivisionError" in caplog.text


def test_whoever_hangs_up_harms_nobody(page_server: PanelServer):
    with socket.create_connection(("127.0.0.1", page_server.port)) as rude:
        rude.sendall(f"POST /api HTTP/1.1\r\nHost: 127.0.0.1:{page_server.port}\r\nContent-Length: 50\r\n\r\n".encode())
    assert send(page_server)[0] == 200


def test_a_server_for_one_user_shows_no_other(memory: Hermes):
    with PanelServer(memory, "mo") as server:
        assert json.loads(send(server)[2])["view"]["user_id"] == "mo"
        assert send(server, body={"action": "view", "user_id": USER})[0] == 403


def test_a_taken_port_is_said_so(memory: Hermes, page_server: PanelServer):
    with pytest.raises(InvalidInput, match="can't be used"):
        PanelServer(memory, port=page_server.port)


def test_after_close_nobody_answers(memory: Hermes):
    with PanelServer(memory) as server:
        port = server.port
    with socket.socket() as probe:
        probe.settimeout(2)
        assert probe.connect_ex(("127.0.0.1", port)) != 0
