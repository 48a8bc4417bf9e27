"""The routes by which the grading desk keeps drafts and records grades."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from grader_app.domain.grade import GradeEntry
from grader_app.domain.highlight import EVIDENCES, Highlight
from grader_app.domain.panel import Role
from grader_app.errors import (
    AlreadyGraded,
    ForeignRequest,
    GradeProblem,
    GraderAppError,
    NotAllowed,
    NotSignedIn,
    StoreProblem,
    TooLong,
    WrongRole,
)
from grader_app.ui.bodies import body_of
from grader_app.ui.current import bench
from grader_app.ui.requests import refuse_foreign_origin, refuse_wrong_token, visitor
from grader_app.workflow.author_flags import flag_author
from grader_app.workflow.desk_state import desk_state
from grader_app.workflow.evidence import with_places_stored
from grader_app.workflow.grade_submission import (
    LONGEST_NOTE,
    Receipt,
    correct_grade,
    refer_to_lead,
    submit_grade,
)
from grader_app.workflow.live_grading import LONGEST_DRAFT, discard_draft, save_draft
from grader_app.workflow.source_guesses import asks_guess, guess_source
from grader_app.workflow.surplus import WentElsewhere

_STATUS: list[tuple[type[GraderAppError], int]] = [
    (ForeignRequest, 403),
    (NotSignedIn, 401),
    (WrongRole, 403),
    (TooLong, 413),
    (AlreadyGraded, 409),
    (NotAllowed, 409),
    (GradeProblem, 422),
    (StoreProblem, 503),
    (GraderAppError, 400),
]

_MOST_HIGHLIGHTS = 500

_LONGEST_BODY = 4 * (LONGEST_DRAFT + LONGEST_NOTE)

Act = Callable[[str, dict[str, Any]], dict[str, Any]]


def keep_draft(grader_id: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Keep a draft and say when it was on disk."""
    draft, started_from = read_draft(sent.get("draft")), _based_on(sent)
    kept = save_draft(bench(), grader_id, name_in(sent, "assignment"), draft, started_from)
    return {"saved_at": kept.saved_at, "revision": kept.revision}


def state(grader_id: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Say what has become of the answer on the desk, in whatever tab; with the draft itself where asked."""
    at_work, whole = sent.get("at_work") is True, sent.get("with_draft") is True
    found = desk_state(bench(), grader_id, name_in(sent, "assignment"), at_work=at_work)
    draft = found.draft
    return {
        "submitted_at": found.submitted_at,
        "gave": found.gave,
        "revision": draft.revision if draft else 0,
        "saved_at": draft.saved_at if draft else "",
        "saved_by": draft.body.get("tab") if draft else None,
        "correcting": bool(draft and draft.body.get("correcting")),
        "leased_until": found.leased_until,
        "sent_to_lead": found.sent_to_lead,
        "elsewhere": _elsewhere(found.elsewhere),
        "surplus_at": found.surplus_at,
        "closed": found.closed,
        **({"draft": draft.body if draft else None} if whole else {}),
    }


def discard(grader_id: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Forget a draft."""
    discard_draft(bench(), grader_id, name_in(sent, "assignment"))
    return {}


def submit(grader_id: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Record a grade; say when it was on disk, and whether to ask who wrote the answer."""
    assignment = name_in(sent, "assignment")
    receipt = submit_grade(
        bench(),
        grader_id,
        assignment,
        with_places_stored(bench(), grader_id, assignment, read_entry(sent.get("entry"))),
        token=token_in(sent),
        note=_words(sent, "note"),
        seconds_spent=_seconds(sent),
        item_hash=_version(sent),
    )
    if receipt.surplus is not None:
        return _receipt(receipt)
    asks = asks_guess(bench(), grader_id, name_in(sent, "assignment"))
    return _receipt(receipt) | {"ask_guess": asks}


def correct(grader_id: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Record a correction and say when it was on disk."""
    assignment = name_in(sent, "assignment")
    receipt = correct_grade(
        bench(),
        grader_id,
        assignment,
        with_places_stored(bench(), grader_id, assignment, read_entry(sent.get("entry"))),
        reason=_words(sent, "reason"),
        token=token_in(sent),
        note=_words(sent, "note"),
        seconds_spent=_seconds(sent),
        item_hash=_version(sent),
    )
    return _receipt(receipt)


def refer(grader_id: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Send an answer to the lead and say when that was on disk."""
    receipt = refer_to_lead(
        bench(),
        grader_id,
        name_in(sent, "assignment"),
        name_in(sent, "reason"),
        token=token_in(sent),
        note=_words(sent, "note"),
        item_hash=_version(sent),
    )
    return {"recorded_at": receipt.recorded_at, "repeated": receipt.repeated}


def give_author_away(grader_id: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Record that a text gives its author away and say when that was on disk."""
    receipt = flag_author(
        bench(),
        grader_id,
        name_in(sent, "assignment"),
        token=token_in(sent),
        words=_words(sent, "words"),
    )
    return {"recorded_at": receipt.recorded_at, "repeated": receipt.repeated}


def guess(grader_id: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Record who a grader thinks wrote an answer and say when that was on disk."""
    receipt = guess_source(
        bench(),
        grader_id,
        name_in(sent, "assignment"),
        name_in(sent, "guess"),
        None if sent.get("sure") is None else name_in(sent, "sure"),
        token=token_in(sent),
        words=_words(sent, "words"),
    )
    return {"recorded_at": receipt.recorded_at, "repeated": receipt.repeated}


def read_draft(sent: object) -> dict[str, Any]:
    """Read an unfinished grade from JSON: only what the desk itself would send is kept.

    Raises
    ------
    GradeProblem
        It is not of the form a grade has.
    """
    if not isinstance(sent, dict):
        raise GradeProblem("The draft could not be read. Reload the page.")
    entry = read_entry(sent)
    return {
        "score": entry.score,
        "marks": dict(entry.marks or {}),
        "error_types": list(entry.error_types),
        "analysis_gaps": list(entry.analysis_gaps),
        "points": list(entry.points),
        "condition_code": entry.condition_code,
        "highlights": [one.as_json() for one in entry.highlights],
        "note": _words(sent, "note"),
        "reason": _words(sent, "reason"),
        "seconds": _seconds(sent) or 0,
        "correcting": sent.get("correcting") is True,
        "over": _short_or_none(sent, "over"),
        "item_hash": _version(sent),
        "tab": _short_or_none(sent, "tab"),
        "nth": _count_or_none(sent, "nth"),
    }


def read_entry(sent: object) -> GradeEntry:
    """Read what a grader entered from JSON; words are placed in the text as shown.

    Raises
    ------
    GradeProblem
        It is not of the form a grade has.
    """
    if not isinstance(sent, dict):
        raise GradeProblem("The grade could not be read. Reload the page.")
    marks = sent.get("marks") or {}
    if not isinstance(marks, dict):
        raise GradeProblem("The marks could not be read. Reload the page.")
    code = sent.get("condition_code")
    if code is not None and not isinstance(code, str):
        raise GradeProblem("The condition code could not be read. Reload the page.")
    score = sent.get("score")
    return GradeEntry(
        score=None if score is None else _number(score),
        marks={str(criterion): _number(mark) for criterion, mark in marks.items() if mark is not None},
        error_types=_names(sent, "error_types"),
        analysis_gaps=_names(sent, "analysis_gaps"),
        points=_names(sent, "points"),
        condition_code=code or None,
        highlights=_highlights(sent),
    )


def grader_route(path: str, act: Act) -> Route:
    """Make a route by which a signed-in grader acts: JSON in, JSON out, refusals as sentences."""

    async def answer(request: Request) -> Response:
        try:
            refuse_foreign_origin(request)
            found = await run_in_threadpool(visitor, request)
            refuse_wrong_token(request.headers.get("x-csrf-token"), found.csrf_token)
            if found.must_change_password:
                raise WrongRole("Choose your own password first; the one you were given works once.")
            if found.account.role is not Role.GRADER:
                raise WrongRole("Only a grader can do this.")
            sent = await _json(request)
            return JSONResponse(await run_in_threadpool(act, found.account.account_id, sent))
        except GraderAppError as refusal:
            status = next(code for kind, code in _STATUS if isinstance(refusal, kind))
            # What was sent can hold half a character, which no answer can carry.
            said = str(refusal).encode("utf-8", "replace").decode("utf-8")
            return JSONResponse({"problem": said, "kind": type(refusal).__name__}, status_code=status)

    return Route(path, answer, methods=["POST"])


ROUTES = [
    grader_route("/desk/draft", keep_draft),
    grader_route("/desk/discard", discard),
    grader_route("/desk/state", state),
    grader_route("/desk/submit", submit),
    grader_route("/desk/correct", correct),
    grader_route("/desk/refer", refer),
    grader_route("/desk/flag-author", give_author_away),
    grader_route("/desk/guess", guess),
]
"""The routes of this module."""


async def _json(request: Request) -> dict[str, Any]:
    raw = await body_of(request, _LONGEST_BODY)
    try:
        sent = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise GradeProblem("The request could not be read. Reload the page.") from error
    if not isinstance(sent, dict):
        raise GradeProblem("The request could not be read. Reload the page.")
    return sent


def token_in(sent: dict[str, Any]) -> str:
    """Read the client's token for one act; a colon in it is kept for tokens that the program makes itself.

    Raises
    ------
    GradeProblem
        There is none of use.
    """
    token = name_in(sent, "token")
    if ":" in token:
        raise GradeProblem("The request has no usable `token`. Reload the page.")
    return token


def name_in(sent: dict[str, Any], key: str) -> str:
    """Read a short plain name, such as an id or a token.

    Raises
    ------
    GradeProblem
        There is none of use.
    """
    value = sent.get(key)
    if not isinstance(value, str) or not 0 < len(value) <= 100 or not value.isascii():
        raise GradeProblem(f"The request has no usable `{key}`. Reload the page.")
    return value


def _receipt(receipt: Receipt) -> dict[str, Any]:
    return {
        "recorded_at": receipt.recorded_at,
        "repeated": receipt.repeated,
        "elsewhere": _elsewhere(receipt.surplus),
        "earlier_version": receipt.earlier_version,
    }


def _elsewhere(went: WentElsewhere | None) -> dict[str, str] | None:
    return None if went is None else {"at": went.at, "because": went.because}


def _based_on(sent: dict[str, Any]) -> tuple[int, str] | None:
    """Read which draft a page started from; a request that does not say is not held to any."""
    said = sent.get("based_on")
    if said is None:
        return None
    revision, saved_at = (
        (said.get("revision"), said.get("saved_at")) if isinstance(said, dict) else (None, None)
    )
    if type(revision) is not int or not isinstance(saved_at, str):
        raise GradeProblem("The request could not be read. Reload the page.")
    return revision, saved_at


def _version(sent: dict[str, Any]) -> str | None:
    return _short_or_none(sent, "item_hash")


def _short_or_none(sent: dict[str, Any], key: str) -> str | None:
    value = sent.get(key)
    return value if isinstance(value, str) and 0 < len(value) <= 100 and value.isascii() else None


def _count_or_none(sent: dict[str, Any], key: str) -> int | None:
    value = sent.get(key)
    return value if type(value) is int and 0 <= value < 10**9 else None


def _words(sent: dict[str, Any], key: str) -> str:
    value = sent.get(key, "")
    return value if isinstance(value, str) else ""


def _names(sent: dict[str, Any], key: str) -> tuple[str, ...]:
    value = sent.get(key) or []
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise GradeProblem(f"`{key}` could not be read. Reload the page.")
    return tuple(dict.fromkeys(value))


def _highlights(sent: dict[str, Any]) -> tuple[Highlight, ...]:
    found = sent.get("highlights") or []
    if not isinstance(found, list) or len(found) > _MOST_HIGHLIGHTS:
        raise GradeProblem(f"Up to {_MOST_HIGHLIGHTS} places in an answer can be attached. Take some off.")
    return tuple(_highlight(one) for one in found)


def _highlight(sent: object) -> Highlight:
    if isinstance(sent, dict):
        start, end, of, name = (sent.get(key) for key in ("start", "end", "of", "id"))
        # A type of its own: Python takes True for 1.
        if type(start) is int and type(end) is int and of in EVIDENCES and isinstance(name, str):
            return Highlight(start, end, of, name)
    raise GradeProblem("The words attached could not be read. Reload the page.")


def _number(value: object) -> float:
    # Python takes True for 1; a grade must not.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise GradeProblem(f"`{value}` is not a number. Choose a score from the scale.")
    try:
        number = float(value)
    except OverflowError as error:
        raise GradeProblem("That number is beyond any scale. Choose a score from the scale.") from error
    # JSON as Python reads it has NaN and Infinity, which no answer can carry back.
    if not math.isfinite(number):
        raise GradeProblem("That number is beyond any scale. Choose a score from the scale.")
    return number


def _seconds(sent: dict[str, Any]) -> float | None:
    value = sent.get("seconds")
    ok = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 10**6
    return float(value) if ok and value is not None else None
