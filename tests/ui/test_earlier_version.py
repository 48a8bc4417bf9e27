"""What a grader is told who corrects a grade under an earlier version of its question."""

import pytest
from small_workspace import write_item

from grader_app.ui import current
from grader_app.ui.parts.earlier_version import earlier_version_says
from grader_app.workflow.live_grading import sheet_to_correct
from grader_app.workflow.registration import register_files


@pytest.fixture
def small(make):
    found = make(packets=("set-a",), qualification="required")
    current.use(found.bench)
    return found


def test_a_page_under_the_version_before_says_so_and_why(small):
    grader = small.graders[0]
    small.calibrate(grader)
    dealt = small.queue(grader)[0]
    small.submit(dealt)
    assert earlier_version_says(sheet_to_correct(small.bench, grader.account_id, dealt.assignment_id)) == ""
    write_item(small.path, "mee-barge", version=2)
    sheet_file = small.path / "rubrics" / "mee-barge" / "point_sheet.yaml"
    sheet_file.write_text(sheet_file.read_text("utf-8").replace("duty.rule", "duty.control"), "utf-8")
    register_files(small.bench, small.actor)
    says = earlier_version_says(sheet_to_correct(small.bench, grader.account_id, dealt.assignment_id))
    assert "a new version that you have not calibrated on" in says
    assert "a correction is made under it" in says
