"""The routes of paper: a packet to print, and the form in which its score sheet is typed."""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from grader_app.domain.panel import Role
from grader_app.domain.score_sheet import SheetRow
from grader_app.errors import ForeignRequest, GraderAppError, NotAllowed, NotSignedIn, TooLong, WrongRole
from grader_app.ui.bodies import form_of
from grader_app.ui.current import bench
from grader_app.ui.keying_form import keying_form, letter_field, value_field
from grader_app.ui.packet_page import packet_page
from grader_app.ui.plain_pages import refusal_page
from grader_app.ui.requests import refuse_foreign_origin, refuse_wrong_token, visitor
from grader_app.workflow.accounts import SignedIn
from grader_app.workflow.paper_scores import (
    FIRST,
    LONGEST_NOTE,
    SECOND,
    key_scores,
    papers_of,
    sheet_of_packet,
)
from grader_app.workflow.printed_packets import (
    MOST_PAPERS,
    find_out_packet,
    find_packet,
    printed_name_or_none,
    sheets_of,
)

# A form of 200 papers with a rubric of many criteria; the server's own limit is 1,000 fields.
_MOST_FIELDS = 10_000
# As many papers, each with a note in full of letters that take nine bytes in a form, and its other fields.
_LONGEST_FORM = MOST_PAPERS * (9 * LONGEST_NOTE + 2_000)


async def show_packet(request: Request) -> Response:
    """Show a packet as a page to print."""
    return await _for_the_lead(request, lambda _: HTMLResponse(_packet(request.path_params["packet"])))


async def show_keying(request: Request) -> Response:
    """Show the form in which a packet's score sheet is typed."""
    return await _for_the_lead(request, lambda lead: HTMLResponse(_form(lead, *_which(request.path_params))))


async def key(request: Request) -> Response:
    """Record what was typed, or show the form again with what is wrong and everything still in it."""
    try:
        form = await form_of(request, _LONGEST_FORM, _MOST_FIELDS)
    except TooLong as refusal:
        return HTMLResponse(refusal_page(str(refusal)), status_code=413)
    return await _for_the_lead(request, lambda lead: _keyed(request, lead, form))


ROUTES = [
    Route("/packet/{packet}", show_packet, methods=["GET"]),
    Route("/packet/{packet}/keying/{keying}", show_keying, methods=["GET"]),
    Route("/packet/{packet}/keying/{keying}", key, methods=["POST"]),
]
"""The routes of this module."""


async def _for_the_lead(request: Request, act: Callable[[SignedIn], Response]) -> Response:
    """Do what a signed-in lead asks for, in a thread; refuse everybody else with a sentence."""
    try:
        refuse_foreign_origin(request)
        found = await run_in_threadpool(visitor, request)
        if found.must_change_password:
            return RedirectResponse("/password", status_code=303)
        if found.account.role is not Role.LEAD:
            raise WrongRole("Printed packets belong to the panel lead.")
        return await run_in_threadpool(act, found)
    except NotSignedIn:
        return RedirectResponse("/sign-in", status_code=303)
    except (ForeignRequest, WrongRole) as refusal:
        return HTMLResponse(refusal_page(str(refusal)), status_code=403)
    except NotAllowed as refusal:
        return HTMLResponse(refusal_page(str(refusal)), status_code=404)


def _packet(packet_id: str) -> str:
    packet = find_packet(bench(), packet_id)
    return packet_page(packet, sheets_of(bench(), packet), printed_name_or_none(bench(), packet))


def _which(parameters: dict[str, str]) -> tuple[str, int]:
    numbers = {"first": FIRST, "second": SECOND}
    if parameters["keying"] not in numbers:
        raise NotAllowed("There is a first and a second keying, and no other. Open the keying page.")
    return parameters["packet"], numbers[parameters["keying"]]


def _form(
    lead: SignedIn, packet_id: str, keying: int, sent: FormData | None = None, problem: str = ""
) -> str:
    packet = find_out_packet(bench(), packet_id)
    return keying_form(
        packet,
        sheet_of_packet(bench(), packet),
        papers_of(bench(), packet_id),
        keying,
        lead,
        typed={} if sent is None else {name: value for name, value in sent.items() if isinstance(value, str)},
        problem=problem,
    )


def _keyed(request: Request, lead: SignedIn, form: FormData) -> Response:
    packet_id, keying = _which(request.path_params)
    sent = {name: value for name, value in form.items() if isinstance(value, str)}
    refuse_wrong_token(sent.get("csrf_token"), lead.csrf_token)
    sheet = sheet_of_packet(bench(), find_out_packet(bench(), packet_id))
    rows = {
        paper.assignment_id: SheetRow(
            sent.get(letter_field(paper.assignment_id), ""),
            {name: sent.get(value_field(paper.assignment_id, name), "") for name in sheet.fields},
        )
        for paper in papers_of(bench(), packet_id)
    }
    try:
        key_scores(
            bench(),
            lead.account.account_id,
            packet_id,
            keying,
            rows,
            token=sent.get("token") or "",
            alone=sent.get("alone") == "yes",
        )
    except GraderAppError as problem:
        return HTMLResponse(_form(lead, packet_id, keying, form, str(problem)), status_code=400)
    return RedirectResponse(f"/keying?packet={packet_id}", status_code=303)
