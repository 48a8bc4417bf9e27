"""A new version moves no grade; the lead sees what would change and decides."""

from __future__ import annotations

import pytest
from small_workspace import SmallWorkspace, write_item

from grader_app.domain.events import EventKind
from grader_app.errors import GradeProblem, ItemIsClosed
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.registration import register_files
from grader_app.workflow.rulings import keep_grades, recall_grades, to_grade_again
from grader_app.workflow.versions import newer_versions, version_decisions

ITEM = "mee-barge"


def new_sheet(small: SmallWorkspace, version: int = 2) -> None:
    """Register a point sheet whose one point has a new id."""
    write_item(small.path, ITEM, version=version)
    path = small.path / "rubrics" / ITEM / "point_sheet.yaml"
    path.write_text(path.read_text("utf-8").replace("duty.rule", f"duty.rule{version}"), "utf-8")
    register_files(small.bench, small.actor)


@pytest.fixture
def graded(small: SmallWorkspace) -> SmallWorkspace:
    """Each grader has graded one answer under version 1."""
    for grader, score in zip(small.graders, (5, 3), strict=False):
        small.submit(small.queue(grader)[0], score)
    return small


def test_with_one_version_nothing_is_to_decide(graded: SmallWorkspace) -> None:
    assert newer_versions(graded.bench) == []
    assert version_decisions(graded.bench) == []


def test_each_grade_is_listed_with_what_the_new_version_would_change(graded: SmallWorkspace) -> None:
    first = graded.queue(graded.graders[0])[0].assignment_id
    new_sheet(graded)
    (found,) = newer_versions(graded.bench)
    assert (found.item, found.version, found.by_version, found.closed) == (ITEM, "2", {"1": 2}, False)
    assert (found.moved, found.total_moved, found.without_score) == (0, 0, 0)
    one = next(one for one in found.grades if one.before.assignment_id == first)
    assert (one.before.gave, one.reads.score, one.page_showed_it) == ("5", 5, False)
    assert one.reads.differs == ("1 point is new and not ticked",)


def test_a_new_version_moves_no_grade(graded: SmallWorkspace) -> None:
    with graded.bench.record() as record:
        grades = dict(record.grades)
        standing = {one: record.standing(one) for one in record.response_ids()}
    new_sheet(graded)
    with graded.bench.record() as record:
        assert record.grades == grades
        assert {one: record.standing(one) for one in record.response_ids()} == standing


def test_a_grade_from_a_page_that_still_showed_the_older_version_is_flagged(graded: SmallWorkspace) -> None:
    late = graded.queue(graded.graders[0])[1]
    shown = graded.bench.material().item(ITEM).content_hash
    new_sheet(graded)
    receipt = graded.submit(late, 2, item_hash=shown)
    assert receipt.earlier_version
    (found,) = newer_versions(graded.bench)
    flagged = {one.before.assignment_id for one in found.grades if one.page_showed_it}
    assert (flagged, len(found.grades)) == ({late.assignment_id}, 3)


def test_what_is_left_to_stand_is_not_asked_again_until_the_next_version(graded: SmallWorkspace) -> None:
    new_sheet(graded)
    chosen = [one.before.assignment_id for one in newer_versions(graded.bench)[0].grades]
    keep_grades(graded.bench, graded.actor, ITEM, chosen, "Only an id changed.")
    assert newer_versions(graded.bench) == []
    (decided,) = version_decisions(graded.bench)
    assert (decided.kept, decided.count, decided.reason) == (True, 2, "Only an id changed.")
    new_sheet(graded, version=3)
    assert newer_versions(graded.bench)[0].by_version == {"1": 2}


def test_grades_asked_for_again_wait_for_their_graders(graded: SmallWorkspace) -> None:
    new_sheet(graded)
    chosen = [newer_versions(graded.bench)[0].grades[0].before]
    recall_grades(graded.bench, graded.actor, ITEM, [chosen[0].assignment_id], "The rule was wrong.")
    assert to_grade_again(graded.bench, chosen[0].grader_id) == [(chosen[0].assignment_id, ITEM)]
    (found,) = newer_versions(graded.bench)
    assert [one.before.recalled for one in found.grades] == [True, False]
    (decided,) = version_decisions(graded.bench)
    assert (decided.kept, decided.count) == (False, 1)


def test_a_decision_needs_a_reason_and_a_closed_question_asks_nobody(graded: SmallWorkspace) -> None:
    new_sheet(graded)
    chosen = [one.before.assignment_id for one in newer_versions(graded.bench)[0].grades]
    with pytest.raises(GradeProblem):
        keep_grades(graded.bench, graded.actor, ITEM, chosen, " ")
    close_item(graded.bench, graded.actor, ITEM)
    assert newer_versions(graded.bench)[0].closed
    with pytest.raises(ItemIsClosed):
        recall_grades(graded.bench, graded.actor, ITEM, chosen, "The rule was wrong.")
    assert graded.count(EventKind.GRADES_RECALLED) == 0
