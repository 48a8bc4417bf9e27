"""The next answer for a grader, and the draft of what has been entered so far."""

from __future__ import annotations

from typing import Any

from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.release import no_regrading
from grader_app.domain.response import BlindSheet
from grader_app.domain.shown_text import shown
from grader_app.errors import AlreadyGraded, DraftMovedOn, ItemIsClosed, NotDealtToYou, ScoresAreReleased
from grader_app.store import assignments, drafts
from grader_app.store.database import Connection
from grader_app.store.grades import graded_at_or_none, standing_at_or_none
from grader_app.store.responses import get_response_or_none
from grader_app.store.set_papers import text_hash_of
from grader_app.store.stages import closed_items, released_at_or_none, set_aside_by_or_none
from grader_app.store.texts import get_text_or_none
from grader_app.workflow import leases
from grader_app.workflow.balancing import even_out
from grader_app.workflow.clock import as_words
from grader_app.workflow.qualification import open_items, refuse_unqualified
from grader_app.workflow.served_version import (
    refuse_unqualified_then,
    served_version,
    version_to_correct_or_none,
)
from grader_app.workflow.workbench import Workbench

LONGEST_DRAFT = 200_000
"""Characters a draft may have as JSON."""


def next_sheet_or_none(bench: Workbench, grader_id: str) -> BlindSheet | None:
    """Give the next answer in a grader's queue; None when nothing is left.

    Notes
    -----
    One question at a time, in the round's order. Closed items are passed over, and those the grader may
    not grade yet. A grader whose queue is empty takes answers over from the longest queue there is.
    """
    sheet = _next_or_none(bench, grader_id)
    if sheet is None and even_out(bench, grader_id):
        return _next_or_none(bench, grader_id)
    return sheet


def _next_or_none(bench: Workbench, grader_id: str) -> BlindSheet | None:
    closed = closed_items(bench.store)
    for item in open_items(bench, grader_id):
        if item not in closed:
            found = assignments.next_assignment_or_none(bench.store, grader_id, item)
            if found is not None:
                return sheet_of(bench, found)
    return None


def serve_next_or_none(bench: Workbench, grader_id: str) -> BlindSheet | None:
    """Put the next answer of a queue on its grader's desk and hold it there; None when nothing is left."""
    while (sheet := next_sheet_or_none(bench, grader_id)) is not None:
        # An answer that went to somebody else between the two steps is passed over.
        if leases.hold_or_none(bench, sheet.assignment_id) is not None:
            break
    return sheet


def sheet_to_correct(bench: Workbench, grader_id: str, assignment_id: str) -> BlindSheet:
    """Give an answer this grader has graded, to correct the grade: under the version in use, where they may.

    Raises
    ------
    NotDealtToYou, ItemIsClosed, NotQualified
        It is not theirs, its question is closed, or they may grade neither version.
    """
    dealt = own_assignment(bench, grader_id, assignment_id)
    refuse_closed(bench, dealt)
    earlier = version_to_correct_or_none(bench, dealt)
    if earlier is None:
        refuse_unqualified(bench, dealt)
    return sheet_of(bench, dealt, earlier)


def get_draft_or_none(bench: Workbench, grader_id: str, assignment_id: str) -> drafts.Draft | None:
    """Give what a grader has entered so far for an answer."""
    own_assignment(bench, grader_id, assignment_id)
    return drafts.get_draft_or_none(bench.store, assignment_id)


def save_draft(
    bench: Workbench,
    grader_id: str,
    assignment_id: str,
    body: dict[str, Any],
    based_on: tuple[int, str] | None = None,
) -> drafts.Draft:
    """Keep what a grader has entered so far; on disk when this returns.

    Parameters
    ----------
    body
        What was entered. ``correcting`` says that it is to replace a grade, ``over`` when that grade was
        given; ``item_hash`` names the version on the page, ``tab`` the page itself, ``nth`` how many drafts
        it had made by then.
    based_on
        Revision and time of the draft that the page started from, or ``(0, "")`` where there was none;
        left out, the draft is kept whatever stands.

    Raises
    ------
    AlreadyGraded
        The answer was submitted meanwhile (in another tab) and this draft is no correction of that grade.
    DraftMovedOn
        Another tab has saved since; nothing is changed.

    Notes
    -----
    A page that got no answer sends again, and a server that hung takes both up in any order: a draft older
    than the one kept from the same page changes nothing.
    """
    dealt = own_assignment(bench, grader_id, assignment_id)
    refuse_unqualified_then(bench, dealt, body.get("item_hash"))
    at = bench.now()
    with bench.store.write() as connection:
        _refuse_late_draft(connection, assignment_id, body)
        standing = drafts.draft_within_or_none(connection, assignment_id)
        if standing is not None and _is_late(standing, body):
            return standing
        if standing is not None and based_on is not None:
            _refuse_unseen(standing, body, based_on)
        revision = drafts.save_draft(connection, assignment_id, body, at)
        if not body.get("correcting") and set_aside_by_or_none(connection, assignment_id) is None:
            leases.renew(bench, connection, assignment_id, at)
    return drafts.Draft(body, revision, at)


def _is_of_one_page(standing: drafts.Draft, body: dict[str, Any]) -> bool:
    return body.get("tab") is not None and standing.body.get("tab") == body["tab"]


def _is_late(standing: drafts.Draft, body: dict[str, Any]) -> bool:
    nth, kept = body.get("nth"), standing.body.get("nth")
    return _is_of_one_page(standing, body) and nth is not None and kept is not None and nth < kept


def _refuse_unseen(standing: drafts.Draft, body: dict[str, Any], based_on: tuple[int, str]) -> None:
    # A page whose own save was acknowledged to nobody, as when the connection broke, goes on from it.
    if not _is_of_one_page(standing, body) and (standing.revision, standing.saved_at) != based_on:
        raise DraftMovedOn(
            f"You saved this answer in another tab at {as_words(standing.saved_at)}. "
            "Choose which of the two to keep."
        )


def _refuse_late_draft(connection: Connection, assignment_id: str, body: dict[str, Any]) -> None:
    graded = graded_at_or_none(connection, assignment_id)
    if graded is not None and not body.get("correcting"):
        raise AlreadyGraded(f"This answer was submitted at {as_words(graded)}; the draft was not kept.")
    stands, over = standing_at_or_none(connection, assignment_id), body.get("over")
    if stands is not None and over and over != stands:
        raise AlreadyGraded(f"You corrected this grade at {as_words(stands)}; the draft was not kept.")


def discard_draft(bench: Workbench, grader_id: str, assignment_id: str) -> None:
    """Forget what a grader has entered, as when a correction is given up."""
    own_assignment(bench, grader_id, assignment_id)
    with bench.store.write() as connection:
        drafts.drop_draft(connection, assignment_id)


def own_assignment(bench: Workbench, grader_id: str, assignment_id: str) -> Assignment:
    """Find an answer in a grader's own queue.

    Raises
    ------
    NotDealtToYou
        It is not in the queue, whoever else may have it.
    """
    dealt = assignments.get_assignment_or_none(bench.store, assignment_id)
    if dealt is None or dealt.grader_id != grader_id:
        raise NotDealtToYou("This answer is not in your queue. Open the grading page to get your next one.")
    return dealt


def refuse_closed(bench: Workbench, dealt: Assignment) -> None:
    """Refuse to grade an answer of an item the lead has closed.

    Raises
    ------
    ItemIsClosed
        Saying what to do.
    """
    closed = bench.kept_while_only_graded("closed", lambda: closed_items(bench.store))
    if dealt.kind is not ReadKind.CALIBRATION and dealt.item in closed:
        # Nothing is released while a question is open, and the log refuses grades after a release by itself.
        released_at = released_at_or_none(bench.store)
        if released_at is not None:
            raise ScoresAreReleased(no_regrading(released_at))
        raise ItemIsClosed(
            "The panel lead has closed this question, so its grades no longer change. "
            "Ask the lead to reopen it."
        )


def sheet_of(bench: Workbench, dealt: Assignment, item_hash: str | None = None) -> BlindSheet:
    """Build the one kind of sheet there is, from the same fields for every kind of paper.

    Parameters
    ----------
    item_hash
        An earlier version of the question to show it under; None for the one in use.
    """
    item, rubric = served_version(bench, dealt, item_hash)
    response = get_response_or_none(bench.store, dealt.response_id)
    text = stored_text_or_none(bench, dealt.response_id)
    return BlindSheet(
        assignment_id=dealt.assignment_id,
        item=item.id,
        title=item.title,
        kind=item.kind,
        prompt=item.prompt,
        answer=shown(text)
        if text is not None
        else "[The text of this answer has been destroyed at the end of its term.]",
        cut_off=response.cut_off if response else False,
        rubric=rubric,
        point_sheet=item.sheet,
        guidelines=item.guidelines or "",
        file=item.file or "",
        library=item.library or "",
        item_hash=item.content_hash,
    )


def stored_text_or_none(bench: Workbench, response_id: str) -> str | None:
    """Give the text of an answer or of a packet's paper as stored; None once it has been destroyed."""
    response = get_response_or_none(bench.store, response_id)
    text_hash = response.text_hash if response else text_hash_of(bench.store, response_id)
    return None if text_hash is None else get_text_or_none(bench.store, text_hash)
