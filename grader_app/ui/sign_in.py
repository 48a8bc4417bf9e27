"""The routes of signing in and out and of choosing a password."""

from __future__ import annotations

import secrets

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from grader_app.domain.panel import Role
from grader_app.errors import ForeignRequest, NotAllowed, NotSignedIn, SignInRefused, TooLong
from grader_app.ui import plain_pages
from grader_app.ui.bodies import LONGEST_FORM, form_of
from grader_app.ui.current import COOKIE, bench
from grader_app.ui.requests import refuse_foreign_origin, refuse_wrong_token, visitor
from grader_app.workflow import accounts
from grader_app.workflow.sign_in_delay import SignInDelay

_FORM_COOKIE = "grader_app_form"  # Ties the sign-in form to the browser that was given it.
_COOKIE_SECONDS = 12 * 3600  # A working day; the idle time-out on the server ends a session sooner.
_HOME = {Role.GRADER: "/grade", Role.LEAD: "/panel"}
_delay = SignInDelay()


def home_of(role: Role) -> str:
    """Give the page a person of a role starts on."""
    return _HOME[role]


async def show_sign_in(request: Request) -> Response:
    """Show the sign-in form; someone already signed in goes on to their first page."""
    try:
        found = await run_in_threadpool(visitor, request)
    except NotSignedIn:
        return _sign_in_form(request, goes_to=request.query_params.get("goes_to", ""))
    return RedirectResponse(home_of(found.account.role), status_code=303)


async def sign_in(request: Request) -> Response:
    """Check a name and a password and start a session."""
    try:
        form = await form_of(request, LONGEST_FORM)
    except TooLong as refusal:
        return HTMLResponse(plain_pages.refusal_page(str(refusal)), status_code=413)
    name, goes_to = _text(form, "name"), _text(form, "goes_to")
    keys = (f"name:{name.casefold()}", f"address:{request.client.host if request.client else ''}")
    try:
        refuse_foreign_origin(request)
        refuse_wrong_token(
            _text(form, "csrf_token"), request.cookies.get(_FORM_COOKIE) or secrets.token_hex()
        )
        _delay.check(bench().clock(), *keys)
        # Counted before the slow check, so that many tries at once do not all slip through.
        _delay.failed(bench().clock(), *keys)
    except ForeignRequest as refusal:
        return HTMLResponse(plain_pages.refusal_page(str(refusal)), status_code=403)
    except SignInRefused as refusal:
        return _sign_in_form(request, problem=str(refusal), name=name, goes_to=goes_to, status=429)
    try:
        account = await run_in_threadpool(accounts.check_password, bench(), name, _text(form, "password"))
    except SignInRefused as refusal:
        return _sign_in_form(request, problem=str(refusal), name=name, goes_to=goes_to, status=401)
    _delay.succeeded(*keys)
    token = await run_in_threadpool(accounts.start_session, bench(), account)
    response = RedirectResponse(_safe(goes_to) or home_of(account.role), status_code=303)
    _set_cookie(request, response, COOKIE, token)
    response.delete_cookie(_FORM_COOKIE)
    return response


async def show_sign_out(request: Request) -> Response:
    """Ask whether to sign out."""
    try:
        found = await run_in_threadpool(visitor, request)
    except NotSignedIn:
        return RedirectResponse("/sign-in", status_code=303)
    return HTMLResponse(plain_pages.sign_out_page(found.csrf_token, found.account.name))


async def sign_out(request: Request) -> Response:
    """End the session, in the database and in the browser."""
    try:
        refuse_foreign_origin(request)
        found = await run_in_threadpool(visitor, request)
        refuse_wrong_token(_text(await form_of(request, LONGEST_FORM), "csrf_token"), found.csrf_token)
    except ForeignRequest as refusal:
        return HTMLResponse(plain_pages.refusal_page(str(refusal)), status_code=403)
    except TooLong as refusal:
        return HTMLResponse(plain_pages.refusal_page(str(refusal)), status_code=413)
    except NotSignedIn:
        return RedirectResponse("/sign-in", status_code=303)
    await run_in_threadpool(accounts.sign_out, bench(), request.cookies[COOKIE])
    response = RedirectResponse("/sign-in", status_code=303)
    response.delete_cookie(COOKIE)
    return response


async def show_choose_password(request: Request) -> Response:
    """Show the form in which a one-time password is replaced."""
    try:
        found = await run_in_threadpool(visitor, request)
    except NotSignedIn:
        return RedirectResponse("/sign-in", status_code=303)
    return _password_form(found.csrf_token)


async def choose_password(request: Request) -> Response:
    """Set the visitor's own password."""
    try:
        refuse_foreign_origin(request)
        found = await run_in_threadpool(visitor, request)
        form = await form_of(request, LONGEST_FORM)
        refuse_wrong_token(_text(form, "csrf_token"), found.csrf_token)
    except ForeignRequest as refusal:
        return HTMLResponse(plain_pages.refusal_page(str(refusal)), status_code=403)
    except TooLong as refusal:
        return HTMLResponse(plain_pages.refusal_page(str(refusal)), status_code=413)
    except NotSignedIn:
        return RedirectResponse("/sign-in", status_code=303)
    if _text(form, "password") != _text(form, "again"):
        return _password_form(found.csrf_token, "The two passwords differ. Type the same one twice.", 400)
    try:
        await run_in_threadpool(
            accounts.change_password, bench(), request.cookies[COOKIE], _text(form, "password")
        )
    except NotAllowed as refusal:
        return _password_form(found.csrf_token, str(refusal), 400)
    return RedirectResponse(home_of(found.account.role), status_code=303)


ROUTES = [
    Route("/sign-in", show_sign_in, methods=["GET"]),
    Route("/sign-in", sign_in, methods=["POST"]),
    Route("/sign-out", show_sign_out, methods=["GET"]),
    Route("/sign-out", sign_out, methods=["POST"]),
    Route("/password", show_choose_password, methods=["GET"]),
    Route("/password", choose_password, methods=["POST"]),
]
"""The routes of this module."""


def _sign_in_form(
    request: Request, *, problem: str = "", name: str = "", goes_to: str = "", status: int = 200
) -> Response:
    # The same token serves all forms of one browser, so that a second tab does not spoil the first.
    token = request.cookies.get(_FORM_COOKIE) or secrets.token_urlsafe(24)
    page = plain_pages.sign_in_page(token, problem=problem, name=name, goes_to=_safe(goes_to))
    response = HTMLResponse(page, status_code=status)
    _set_cookie(request, response, _FORM_COOKIE, token)
    return response


def _password_form(csrf_token: str, problem: str = "", status: int = 200) -> Response:
    page = plain_pages.choose_password_page(csrf_token, shortest=accounts.SHORTEST_PASSWORD, problem=problem)
    return HTMLResponse(page, status_code=status)


def _set_cookie(request: Request, response: Response, name: str, value: str) -> None:
    secure = request.url.scheme == "https" or request.headers.get("x-forwarded-proto") == "https"
    # Without an age the cookie would end with the browser, and a killed browser would sign people out.
    response.set_cookie(
        name, value, httponly=True, samesite="lax", secure=secure, path="/", max_age=_COOKIE_SECONDS
    )


def _text(form: FormData, field: str) -> str:
    value = form.get(field, "")
    return value if isinstance(value, str) else ""


def _safe(goes_to: str) -> str:
    """Allow only one of the workbench's own paths as a destination."""
    return goes_to if goes_to.startswith("/") and not goes_to.startswith(("//", "/\\")) else ""
