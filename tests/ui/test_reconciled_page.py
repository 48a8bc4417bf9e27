"""The page Scores begins with the papers: a line when they add up, else a notice and no scores."""

import pytest
from drawn_pages import says, texts
from rows_behind_triggers import remove_answer

from grader_app.workflow.workbench import Workbench


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


def take_one_away(bench, status):
    with bench.record() as record:
        found = [r for r in record.response_ids() if record.standing(r).status == status]
    remove_answer(bench.store.path, found[0])
    return found[0]


def test_one_line_says_that_every_paper_is_accounted_for(lead):
    app = lead.draw("lead_pages.scores")
    assert says(app, "Papers: 92 in = ")
    assert says(app, "complete, ")
    assert not says(app, "Not every paper is accounted for")


@pytest.mark.parametrize("status", ["final", "waiting"])
def test_a_paper_taken_away_shows_as_a_notice_in_place_of_the_scores(lead, status):
    assert says(lead.draw("lead_pages.scores"), "Papers: 92 in = ")
    gone = take_one_away(lead.bench, status)
    app = lead.draw("lead_pages.scores")
    assert not app.exception
    assert says(app, "Not every paper is accounted for. No scaled scores are shown until they add up.")
    assert any("1 missing." in text for text in texts(app))
    with lead.bench.record() as record:  # the record kept still knows it; only what was dealt has a name
        assert says(app, gone) is record.is_dealt(gone)
    assert not says(app, "candidates complete")


def test_the_notice_stands_after_a_restart_too(lead):
    take_one_away(lead.bench, "final")
    lead.bench.__dict__.update(Workbench(lead.bench.store, lead.bench.folder).__dict__)
    app = lead.draw("lead_pages.scores")
    assert not app.exception
    assert says(app, "Not every paper is accounted for")
