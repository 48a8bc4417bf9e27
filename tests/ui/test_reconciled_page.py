"""The page Scores begins with the papers: a line when they add up, else a notice and no scores."""

import pytest
from drawn_pages import says, texts
from rows_behind_triggers import remove_answer

from grader_app.workflow.workbench import Workbench


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


def take_one_away(bench, *, graded):
    with bench.record() as record:
        done = {grade.response_id for grade in record.grades.values()}
        found = [r for r in record.response_ids() if (r in done) is graded]
    remove_answer(bench.store.path, found[0])
    return found[0]


def test_one_line_says_that_every_paper_is_accounted_for(lead):
    app = lead.draw("lead_pages.scores")
    assert says(app, "Papers: 92 in = ")
    assert says(app, "complete, ")
    assert not says(app, "Not every paper is accounted for")


@pytest.mark.parametrize("graded", [True, False])
def test_a_paper_taken_away_shows_as_a_notice_in_place_of_the_scores(lead, graded):
    assert says(lead.draw("lead_pages.scores"), "Papers: 92 in = ")
    gone = take_one_away(lead.bench, graded=graded)
    app = lead.draw("lead_pages.scores")
    assert not app.exception
    assert says(app, "Not every paper is accounted for. No scaled scores are shown until they add up.")
    assert any("1 missing." in text for text in texts(app))
    assert says(app, gone)
    assert not says(app, "candidates complete")


def test_the_notice_stands_after_a_restart_too(lead):
    take_one_away(lead.bench, graded=True)
    lead.bench.__dict__.update(Workbench(lead.bench.store, lead.bench.folder).__dict__)
    app = lead.draw("lead_pages.scores")
    assert not app.exception
    assert says(app, "Not every paper is accounted for")
