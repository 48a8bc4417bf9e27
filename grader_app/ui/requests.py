"""What every plain route checks before it acts: where a request comes from, who sends it, its form token."""

from __future__ import annotations

import secrets
from urllib.parse import urlsplit

from starlette.requests import Request

from grader_app.errors import ForeignRequest
from grader_app.ui.current import COOKIE, bench
from grader_app.workflow.accounts import SignedIn, signed_in


def refuse_foreign_origin(request: Request) -> None:
    """Refuse a request whose ``Origin`` is another site.

    Raises
    ------
    ForeignRequest
        A browser says that another site sent it.
    """
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host", ""):
        raise ForeignRequest(
            "This request came from another site and was refused. Open the workbench itself."
        )


def visitor(request: Request) -> SignedIn:
    """Say who sends a request.

    Raises
    ------
    NotSignedIn
        Nobody is signed in.
    """
    return signed_in(bench(), request.cookies.get(COOKIE))


def refuse_wrong_token(sent: str | None, expected: str) -> None:
    """Refuse a form without this session's token.

    Raises
    ------
    ForeignRequest
        The token is missing or another.
    """
    if sent is None or not secrets.compare_digest(sent.encode(), expected.encode()):
        raise ForeignRequest("This form has no valid token and was refused. Reload the page and try again.")
