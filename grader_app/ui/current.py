"""The open workspace and the signed-in person, as pages see them; tests put their own in place."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from grader_app.domain.panel import Role
from grader_app.errors import NotSignedIn, WrongRole
from grader_app.workflow.accounts import SignedIn, signed_in
from grader_app.workflow.workbench import Workbench

COOKIE = "grader_app_session"
"""Name of the cookie that carries the session's token."""

_bench: Workbench | None = None


def _token_from_cookie() -> str | None:
    return st.context.cookies.get(COOKIE)


_find_token: Callable[[], str | None] = _token_from_cookie


def use(bench: Workbench, find_token: Callable[[], str | None] = _token_from_cookie) -> None:
    """Set the workspace that pages show, and how they find the visitor's token."""
    global _bench, _find_token
    _bench, _find_token = bench, find_token


def bench() -> Workbench:
    """Give the open workspace."""
    if _bench is None:
        raise NotSignedIn("No workspace is open in this process. Start it with `grader-app serve`.")
    return _bench


def me(role: Role | None = None) -> SignedIn:
    """Say who is signed in; looked up afresh at every call.

    Pages call it at their top, inside each fragment and inside each callback, since a fragment or a
    callback can run long after the page's own check.

    Parameters
    ----------
    role
        The role the page belongs to; another role is refused.
    """
    found = signed_in(bench(), _find_token())
    if found.must_change_password:
        raise NotSignedIn("The password you were given works once. Sign in and choose your own first.")
    if role is not None and found.account.role is not role:
        raise WrongRole(
            f"This page belongs to the {role.value}. You are signed in as a {found.account.role.value}."
        )
    return found
