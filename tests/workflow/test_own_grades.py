from __future__ import annotations

import pytest
from small_workspace import SmallWorkspace, write_item, write_round

from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Assignment
from grader_app.errors import NotAllowed, NotDealtToYou
from grader_app.workflow.assignment import deal
from grader_app.workflow.grade_submission import correct_grade
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.own_grades import find_own_grade, last_recorded_or_none, own_grades
from grader_app.workflow.registration import register_files


def correct(small: SmallWorkspace, dealt: Assignment, score: float) -> None:
    correct_grade(
        small.bench,
        dealt.grader_id,
        dealt.assignment_id,
        GradeEntry(score=score),
        reason="Misread.",
        token=next(small.tokens),
        note="Better.",
    )


def test_ones_own_grades_are_listed_latest_first_as_they_stand(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])
    small.submit(small.queue(small.graders[1])[0])
    small.submit(first, 3, note="First.")
    small.submit(second, entry=GradeEntry(condition_code="blank"))
    correct(small, first, 5)
    one, other = own_grades(small.bench, first.grader_id)
    assert (one.assignment_id, one.gave, one.note, one.corrections) == (
        first.assignment_id,
        "5",
        "Better.",
        1,
    )
    assert (one.title, one.can_correct) == ("The question of mee-barge", True)
    assert one.entry == GradeEntry(score=5, marks={})
    assert (other.gave, other.note, other.corrections) == ("Blank", "", 0)
    assert last_recorded_or_none(small.bench, first.grader_id) == one.submitted_at


def test_what_was_entered_comes_back_not_what_the_rules_made_of_it(small: SmallWorkspace) -> None:
    small.take_in("rule-ferry", 1)
    deal(small.bench, small.actor)
    (dealt,) = (one for grader in small.graders for one in small.queue(grader, "rule-ferry"))
    entry = GradeEntry(marks={"correctness": 1, "analysis": 1}, error_types=("rule-misstated",))
    small.submit(dealt, entry=entry)
    found = find_own_grade(small.bench, dealt.grader_id, dealt.assignment_id)
    assert found.entry == entry
    assert found.gave == "0"


def test_only_ones_own_graded_answers_are_found(small: SmallWorkspace) -> None:
    mine, theirs = small.queue(small.graders[0])[0], small.queue(small.graders[1])[0]
    small.submit(theirs)
    with pytest.raises(NotDealtToYou):
        find_own_grade(small.bench, mine.grader_id, theirs.assignment_id)
    with pytest.raises(NotAllowed, match="not graded this answer yet"):
        find_own_grade(small.bench, mine.grader_id, mine.assignment_id)
    assert own_grades(small.bench, mine.grader_id) == []
    assert last_recorded_or_none(small.bench, mine.grader_id) is None


def test_a_grade_of_a_closed_item_can_be_seen_and_not_corrected(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    small.submit(dealt)
    close_item(small.bench, small.actor, "mee-barge")
    assert not find_own_grade(small.bench, dealt.grader_id, dealt.assignment_id).can_correct


def test_a_grade_reads_as_it_was_given_after_its_code_left_the_rubric(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    small.submit(dealt, entry=GradeEntry(condition_code="blank"))
    path = small.path / "rubrics" / "six_point.yaml"
    text = path.read_text(encoding="utf-8").replace('version: "1"', 'version: "2"')
    path.write_text(text.replace("id: blank", "id: empty").replace("Blank", "Empty"), encoding="utf-8")
    write_item(small.path, "mee-barge", version=2, rubric_version=2)
    register_files(small.bench, small.actor)
    assert find_own_grade(small.bench, dealt.grader_id, dealt.assignment_id).gave == "Blank"


def test_a_grade_of_an_item_that_the_round_dropped_is_still_listed(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    small.submit(dealt, 3)
    write_item(small.path, "mee-crane")
    write_round(small.path, version=2, items=("mee-crane", "rule-ferry"))
    register_files(small.bench, small.actor)
    (found,) = own_grades(small.bench, dealt.grader_id)
    assert (found.title, found.gave, found.can_correct) == ("The question of mee-barge", "3", False)
