"""The version of a question that a grading page showed: what is entered there is judged by that version."""

from __future__ import annotations

from grader_app.domain.item import Item
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.qualification import could_grade_under
from grader_app.domain.rubric import Rubric
from grader_app.errors import NotAllowed, NotQualified
from grader_app.store.file_versions import find_version
from grader_app.store.grades import get_grade_or_none
from grader_app.workflow.qualification import refuse_unqualified, standing_of
from grader_app.workflow.workbench import Workbench


def served_version(bench: Workbench, dealt: Assignment, item_hash: str | None) -> tuple[Item, Rubric]:
    """Give the question and its rubric as a page showed them.

    Parameters
    ----------
    item_hash
        Content hash that the page was served with; None for the version in use.

    Notes
    -----
    A hash that is none of the question's own gives the version in use: nobody chooses a version freely.
    """
    material = bench.material()
    current = material.item(dealt.item)
    if not is_earlier(bench, dealt, item_hash):
        return current, material.rubrics[dealt.item]
    item = bench.kept_item(str(item_hash))
    kept = find_version(bench.store, "rubric", item.sheet.rubric, item.sheet.rubric_version)
    return item, bench.kept_rubric(kept.hash)


def is_earlier(bench: Workbench, dealt: Assignment, item_hash: str | None) -> bool:
    """Say whether a page was served with a version of the question that is no longer in use."""
    if item_hash is None or dealt.kind is ReadKind.CALIBRATION:
        return False
    if item_hash == bench.material().item(dealt.item).content_hash:
        return False
    try:
        return bench.kept_item(item_hash).id == dealt.item
    except (KeyError, ValueError):
        return False


def version_to_correct_or_none(bench: Workbench, dealt: Assignment) -> str | None:
    """Give the earlier version under which a grader corrects a grade; None for the version in use.

    Notes
    -----
    A correction is made under the version in use wherever its grader may grade that. Where a new version
    waits for them to calibrate, a slip in an older grade is mended under the version it was given under, if
    they had qualified for that. What the lead has asked for again is graded under the version in use alone.
    """
    if dealt.kind is ReadKind.CALIBRATION or dealt.item not in bench.material().items:
        return None
    standing = standing_of(bench, dealt.grader_id, dealt.item)
    if standing.may_grade or standing.pause is not None or standing.qualification.status == "reread":
        return None
    given = get_grade_or_none(bench.store, dealt.assignment_id)
    if given is None or not is_earlier(bench, dealt, given.body["item_hash"]):
        return None
    item_hash = str(given.body["item_hash"])
    with bench.record() as record:
        if dealt.assignment_id in record.calibration.recalled:
            return None
        return item_hash if could_grade_under(record, dealt.grader_id, dealt.item, item_hash) else None


def refuse_earlier_where_recalled(bench: Workbench, dealt: Assignment, item_hash: str | None) -> None:
    """Refuse to correct a grade under an earlier version where the lead has asked for it under the new one.

    Raises
    ------
    NotAllowed
        Saying what to do.
    """
    with bench.record() as record:
        recalled = dealt.assignment_id in record.calibration.recalled
    if recalled and is_earlier(bench, dealt, item_hash):
        raise NotAllowed(
            "The panel lead has asked for this grade again under the new version of the question. "
            "Reload the page to see it."
        )


def refuse_unqualified_then(bench: Workbench, dealt: Assignment, item_hash: str | None) -> None:
    """Refuse live grading to whoever may not grade the question as the page showed it.

    Raises
    ------
    NotQualified
        Saying what comes first.

    Notes
    -----
    A version registered while a grader is at work closes the question until they have read it. What is on
    their desk under the version before can still be finished; the next answer comes under the new one.
    """
    if dealt.kind is ReadKind.CALIBRATION or not is_earlier(bench, dealt, item_hash):
        refuse_unqualified(bench, dealt)
        return
    pause = standing_of(bench, dealt.grader_id, dealt.item).pause
    with bench.record() as record:
        could = could_grade_under(record, dealt.grader_id, dealt.item, str(item_hash))
    if pause is not None:
        raise NotQualified(f"{pause.why} Open the calibration page.")
    if not could:
        refuse_unqualified(bench, dealt)
