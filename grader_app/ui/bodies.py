"""Reading what a request brings, and never more of it than its route has use for."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from grader_app.errors import TooLong

LONGEST_FORM = 20_000
"""Bytes that the forms of signing in, signing out and choosing a password may have."""


async def body_of(request: Request, longest: int) -> bytes:
    """Read the body of a request.

    Raises
    ------
    TooLong
        It has more than `longest` bytes; the rest is not read.
    """
    parts: list[bytes] = []
    length = 0
    try:
        async for part in request.stream():
            length += len(part)
            if length > longest:
                raise TooLong(f"This has more than {longest:,} bytes. Nothing was stored; shorten it.")
            parts.append(part)
    except ClientDisconnect as gone:
        raise TooLong("The request broke off before its end. Nothing was stored; send it again.") from gone
    return b"".join(parts)


async def form_of(request: Request, longest: int, fields: int = 1_000) -> FormData:
    """Read the form that a request brings.

    Parameters
    ----------
    fields
        How many fields it may have.

    Raises
    ------
    TooLong
        It has more than `longest` bytes.
    """
    body = await body_of(request, longest)

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return await Request(request.scope, receive).form(max_fields=fields)
