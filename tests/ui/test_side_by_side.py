"""The lead's view of one paper: judgments side by side, with the words each reader attached."""

import pytest
from small_workspace import make_workspace

from grader_app.domain.grade import GradeEntry
from grader_app.domain.highlight import Highlight
from grader_app.ui.parts.side_by_side import side_by_side
from grader_app.workflow.papers import find_paper


@pytest.fixture
def small(tmp_path):
    made = make_workspace(tmp_path / "w", reading="reads: 2")
    yield made
    made.bench.store.close()


def test_a_point_read_differently_shows_the_words_of_who_found_it(small):
    one = small.queue(small.graders[0])[0]
    other = next(each for each in small.queue(small.graders[1]) if each.response_id == one.response_id)
    marks = (Highlight(0, 6, "point", "duty.rule"),)
    small.submit(one, entry=GradeEntry(score=4, points=("duty.rule",), highlights=marks))
    small.submit(other, 2)
    material = small.bench.material()
    reads = find_paper(small.bench, one.response_id).reads
    rows = side_by_side(material.items["mee-barge"], material.rubrics["mee-barge"], reads)
    assert {cell for row in rows if row[0] == "1.1 A duty needs control." for cell in row[1:]} == {
        "found: “Answer”",
        "not ticked",
    }
