"""The server: one process a workspace, Streamlit pages and plain routes behind one gate."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import sys
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from grader_app import __version__
from grader_app.errors import PortTaken

# Loading the pages here lets the first visitor find them ready.
from grader_app.ui import (
    app,
    calibration_routes,
    current,
    desk_routes,
    downloads,
    packet_routes,
    sign_in,
    statement_routes,
)
from grader_app.ui.gate import Gate
from grader_app.workflow.workbench import Workbench

FIRST_PORT = 8501


async def health(request: Request) -> Response:
    """Say that the server is up and that its database answers."""
    current.bench().store.rows("SELECT 1")
    return JSONResponse({"status": "ok", "program": f"grader-app {__version__}"})


def free_port(host: str, asked: int | None) -> int:
    """Give the port asked for, or the first free one from 8501 on.

    Raises
    ------
    PortTaken
        The port asked for is in use.
    """
    try:
        socket.getaddrinfo(host, None)
    except socket.gaierror as error:
        raise PortTaken(f"`{host}` is no address ({error.strerror}). Choose another --host.") from error
    for port in [asked] if asked is not None else range(FIRST_PORT, FIRST_PORT + 200):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            # As the server does, so that a port whose last user has just ended counts as free. On
            # Windows the option means something else: it would take a port that is in use.
            if os.name != "nt":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind((host, port))
                return port
    if asked is not None:
        raise PortTaken(f"Port {asked} on {host} is in use. Choose another with --port, or leave --port out.")
    raise PortTaken(f"No port from {FIRST_PORT} on is free on {host}. Choose one with --port.")


def run(bench: Workbench, *, host: str, port: int) -> None:
    """Serve a workspace until the process is told to end.

    Parameters
    ----------
    bench
        The open workspace; its blinding key is not part of it.
    host, port
        Where to listen.
    """
    current.use(bench)
    logging.getLogger("uvicorn.access").disabled = True
    # Whoever connects decides what it says in X-Forwarded-For; delays must not believe it.
    os.environ["FORWARDED_ALLOW_IPS"] = ""
    application = st.App(
        Path(app.__file__),
        routes=[
            Route("/health", health),
            *sign_in.ROUTES,
            *desk_routes.ROUTES,
            *calibration_routes.ROUTES,
            *downloads.ROUTES,
            *packet_routes.ROUTES,
            *statement_routes.ROUTES,
        ],
        middleware=[Middleware(Gate)],
    )
    # `run` rejects an option it does not know, so naming runner.postScriptGC also tests that it still
    # exists: the garbage collection after every page run takes most of the time under load.
    signal.signal(signal.SIGTERM, _end)
    with contextlib.suppress(KeyboardInterrupt):
        application.run(config=_config(host, port))
    bench.store.close()


def _end(*_: object) -> None:
    # The web server finishes its work, then passes the signal on to here: the end asked for is no failure.
    sys.exit(0)


def _config(host: str, port: int) -> dict[str, object]:
    return {
        "server.address": host,
        "server.port": port,
        "server.headless": True,
        "server.fileWatcherType": "none",
        "server.enableCORS": True,
        "server.enableXsrfProtection": True,
        "browser.serverAddress": host,
        "browser.gatherUsageStats": False,
        "client.toolbarMode": "minimal",
        "client.showErrorDetails": "none",
        "client.showSidebarNavigation": False,
        "runner.postScriptGC": False,
        "runner.magicEnabled": False,
        "runner.fastReruns": True,
        "logger.level": "error",
        "logger.hideWelcomeMessage": True,
        # No base theme: the browser's own preference for light or dark decides.
        "theme.light.primaryColor": "#1f4e79",
        # White text on it and itself on the dark page both stand out enough.
        "theme.dark.primaryColor": "#3a77b5",
        "theme.baseRadius": "small",
    }
