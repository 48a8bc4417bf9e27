import base64
import json
import os
import re
import socket
import zipfile

import pytest
from served_workspace import run_command

from grader_app.ui import desk_routes, downloads, packet_routes, sign_in, statement_routes
from grader_app.ui.app import PAGES

HEADERS = {
    "content-security-policy": "default-src 'self'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
ROUTES = [
    *sign_in.ROUTES,
    *desk_routes.ROUTES,
    *downloads.ROUTES,
    *packet_routes.ROUTES,
    *statement_routes.ROUTES,
]
STANDS_FOR = {"{name}": "x", "{what}": "zip", "{packet}": "x", "{keying}": "first", "{grader}": "x"}


def addresses():
    """Every address of the plain routes and pages, from the code."""
    plain = {re.sub(r"{\w+}", lambda found: STANDS_FOR[found.group()], route.path) for route in ROUTES}
    pages = {f"/{address}" for owned in PAGES.values() for address, _, _ in owned}
    return sorted(plain | pages | {"/", "/health", "/nowhere", "/_stcore/health", "/favicon.png"})


def handshake(served, origin, cookie, path="/_stcore/stream"):
    """Open a WebSocket as a browser does and give the first line of the answer."""
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [f"GET {path} HTTP/1.1", f"Host: {served.host}", "Connection: Upgrade", "Upgrade: websocket"]
    lines += ["Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", f"Cookie: {cookie}"]
    lines += [f"Origin: {origin}"] if origin else []
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return connection.recv(4096).split(b"\r\n")[0].decode()


@pytest.fixture(scope="module")
def export(served):
    """The name of an export that the lead may download."""
    done = run_command("export", "--workspace", served.workspace)
    return done.stdout.strip().splitlines()[-1].replace("\\", "/").rsplit("/", 1)[-1]


def test_health_is_json_for_anyone(served):
    answer = served.request("GET", "/health")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json["status"] == "ok"


def test_the_root_sends_everyone_to_the_right_place(served, grader, lead):
    assert served.request("GET", "/").headers["location"] == "/sign-in"
    assert served.request("GET", "/", cookie=grader).headers["location"] == "/grade"
    assert served.request("GET", "/", cookie=lead).headers["location"] == "/panel"


@pytest.mark.parametrize("page", sorted(f"/{address}" for owned in PAGES.values() for address, _, _ in owned))
def test_no_page_is_served_to_someone_not_signed_in(served, page):
    for address in (page, f"{page}/", f"{page}?x=1"):
        answer = served.request("GET", address)
        assert answer.status == 303
        assert answer.headers["location"].startswith("/sign-in?goes_to=")


@pytest.mark.parametrize("address", addresses())
def test_every_answer_keeps_the_browser_strict(served, lead, address):
    for method in ("GET", "POST"):
        answer = served.request(method, address, cookie=lead)
        for name, starts in HEADERS.items():
            assert answer.headers.get(name, "").startswith(starts), (method, name)


@pytest.mark.parametrize("page", sorted(f"/{address}" for owned in PAGES.values() for address, _, _ in owned))
def test_every_page_comes_with_the_script_that_lets_the_menu_leave_a_step(served, lead, page):
    """In the head, so that it listens before anything is drawn."""
    answer = served.request("GET", page, cookie=lead)
    assert answer.status == 200
    head = answer.text.partition("</head>")[0]
    assert "location.assign(location.pathname)" in head
    assert 'src="./static/js/index.' in head
    assert served.request("HEAD", page, cookie=lead).text == ""


@pytest.mark.parametrize("address", ["/grade", "/panel", "/sign-in", "/password", "/sign-out"])
def test_pages_with_private_content_are_not_kept_by_the_browser(served, lead, address):
    assert served.request("GET", address, cookie=lead).headers["cache-control"] == "no-store"


def test_the_lead_downloads_an_export_whole(served, lead, export, tmp_path):
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
    connection.request("GET", f"/exports/{export}/zip", headers={"Cookie": lead})
    got = connection.getresponse()
    content = got.read()
    connection.close()
    assert got.status == 200
    assert f'filename="{export}.zip"' in got.headers["content-disposition"]
    (tmp_path / "export.zip").write_bytes(content)
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        archive.extractall(tmp_path)
    assert run_command("verify", tmp_path / export, cwd=tmp_path).returncode == 0


def test_the_report_of_an_export_is_a_page_for_the_lead(served, lead, export):
    answer = served.request("GET", f"/exports/{export}/report", cookie=lead)
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/html")


def test_exports_are_for_the_lead_only(served, grader, export):
    for what in ("zip", "report"):
        assert served.request("GET", f"/exports/{export}/{what}").headers["location"] == "/sign-in"
        answer = served.request("GET", f"/exports/{export}/{what}", cookie=grader)
        assert answer.status == 403
        assert "Exports belong to the panel lead" in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/exports/../zip",
        "/exports/%2e%2e/zip",
        "/exports/..%2f..%2fetc/zip",
        "/exports/..%5c..%5cetc/zip",
        "/exports/%2e/zip",
        "/exports/no-such-export/zip",
        "/exports/x%00y/zip",
    ],
)
def test_no_path_leads_out_of_the_exports(served, lead, export, path):
    answer = served.request("GET", path, cookie=lead)
    assert answer.status in (400, 404)
    assert not answer.headers.get("content-type", "").startswith("application/zip")


def test_only_the_two_known_forms_of_an_export_are_served(served, lead, export):
    for what in ("events.jsonl", "manifest.json"):
        assert served.request("GET", f"/exports/{export}/{what}", cookie=lead).status == 404


def test_a_revealed_export_is_not_served(served, lead, export):
    revealed = served.workspace / "exports" / f"{export}-revealed"
    revealed.mkdir()
    (revealed / "manifest.json").write_text(json.dumps({}), encoding="utf-8")
    assert served.request("GET", f"/exports/{export}-revealed/zip", cookie=lead).status == 404


def test_a_websocket_from_another_site_is_refused(served, grader):
    assert " 101 " in handshake(served, served.url, grader)
    assert " 403 " in handshake(served, "http://elsewhere.example", grader)
    assert " 403 " in handshake(served, "null", grader)
    # Browsers send the cookie to every port of a host: another service there is another site.
    assert " 403 " in handshake(served, "http://127.0.0.1:1", grader)


def test_the_server_ends_quietly_and_in_time(sample_copy, serve):
    server = serve(sample_copy)
    assert server.stop() == 0


def test_the_server_writes_no_traceback(served):
    assert "Traceback" not in served.log.read_text(encoding="utf-8")
