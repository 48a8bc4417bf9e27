"""The routes of a grader's statement: the lead opens anybody's, a grader their own."""

from __future__ import annotations

from datetime import date

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from grader_app.domain.panel import Role
from grader_app.errors import GraderAppError, NotAllowed, NotSignedIn
from grader_app.ui.current import bench
from grader_app.ui.plain_pages import refusal_page
from grader_app.ui.requests import visitor
from grader_app.ui.statement_page import statement_csv, statement_html
from grader_app.workflow.accounts import SignedIn
from grader_app.workflow.statements import Statement, own_statement, statement_of

_OWN = "/statement"


async def statement(request: Request) -> Response:
    """Show a statement, or send it as CSV."""
    try:
        found = await run_in_threadpool(visitor, request)
    except NotSignedIn:
        return RedirectResponse("/sign-in", status_code=303)
    if found.must_change_password:
        return RedirectResponse("/password", status_code=303)
    grader_id = request.path_params.get("grader")
    if found.account.role is not Role.LEAD and grader_id is not None:
        return HTMLResponse(refusal_page("Statements of others belong to the panel lead."), status_code=403)
    try:
        made = await run_in_threadpool(_made, found, grader_id, request)
    except GraderAppError as refusal:
        return HTMLResponse(refusal_page(str(refusal)), status_code=404)
    if request.url.path.endswith("/csv"):
        # The file is named for the random id: a name in a file's name travels further than one meant to.
        name = f"statement-{made.account.account_id}.csv"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(statement_csv(made), media_type="text/csv; charset=utf-8", headers=headers)
    back = ("My progress", "/progress") if grader_id is None else ("Panel", "/panel")
    address = _OWN if grader_id is None else f"{_OWN}/{grader_id}"
    title = bench().material().round.title
    return HTMLResponse(statement_html(made, title, address=address, back=back))


def _made(found: SignedIn, grader_id: str | None, request: Request) -> Statement:
    first, last = (_day(request.query_params.get(name, "")) for name in ("from", "to"))
    if grader_id is None:
        return own_statement(bench(), found.account.account_id, first, last)
    return statement_of(bench(), grader_id, first, last)


def _day(text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise NotAllowed(f"`{text[:40]}` is no day. Write it as 2026-11-30.") from error


ROUTES = [
    Route("/statement", statement, methods=["GET"]),
    Route("/statement/csv", statement, methods=["GET"]),
    Route("/statement/{grader}", statement, methods=["GET"]),
    Route("/statement/{grader}/csv", statement, methods=["GET"]),
]
"""The routes of this module."""
