"""What every request passes on its way in: sign-in for pages, and headers that keep the browser strict."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grader_app.errors import NotSignedIn
from grader_app.ui.page_html import page_html
from grader_app.ui.requests import visitor
from grader_app.ui.sign_in import home_of

PAGES = (
    "/grade",
    "/calibrate",
    "/progress",
    "/panel",
    "/queues",
    "/calibration",
    "/agreement",
    "/monitor",
    "/backreads",
    "/adjudicate",
    "/versions",
    "/scores",
    "/what-if",
    "/blind",
    "/print",
    "/keying",
)
"""Addresses of Streamlit pages; nobody gets one without signing in."""

_HEADERS = {
    "content-security-policy": "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' ws: wss:; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'self'; "
    "form-action 'self'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


class Gate:
    """An ASGI middleware."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or send its visitor to the sign-in page."""
        if scope["type"] == "websocket" and not _from_here(scope):
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if _is_private(scope["path"]):
                    headers["cache-control"] = "no-store"
            await send(message)

        app = await self._page(scope) if _is_page(scope["path"]) else self.app
        await app(scope, receive, send_with_headers)

    async def _page(self, scope: Scope) -> ASGIApp:
        """Give what answers a request for a page."""
        elsewhere = await self._elsewhere(scope)
        if elsewhere:
            return RedirectResponse(elsewhere, status_code=303)
        # Streamlit answers what is left: another method, or an address that ends in a slash.
        is_read = scope["method"] in ("GET", "HEAD") and scope["path"] in PAGES
        return HTMLResponse(page_html()) if is_read else self.app

    async def _elsewhere(self, scope: Scope) -> str | None:
        """Give the address a visitor must go to first, or None."""
        request = Request(scope)
        try:
            found = await run_in_threadpool(visitor, request)
        except NotSignedIn:
            if scope["path"] == "/":
                return "/sign-in"
            asked = scope["path"] + (f"?{request.url.query}" if request.url.query else "")
            return f"/sign-in?goes_to={quote(asked)}"
        if found.must_change_password:
            return "/password"
        return home_of(found.account.role) if scope["path"] == "/" else None


def _from_here(scope: Scope) -> bool:
    """Say whether a websocket comes from this very address; a page on another port of the host is foreign."""
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host", "")


def _is_page(path: str) -> bool:
    return path == "/" or path.rstrip("/") in PAGES


def _is_private(path: str) -> bool:
    return _is_page(path) or path.startswith(
        ("/desk", "/calibration", "/exports", "/packet", "/statement", "/password", "/sign")
    )
