"""The version of a question that a grading page showed: what is entered there is judged by that version."""

from __future__ import annotations

from grader_app.domain.item import Item
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.qualification import could_grade_under
from grader_app.domain.rubric import Rubric
from grader_app.errors import NotQualified
from grader_app.store.file_versions import find_version
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
