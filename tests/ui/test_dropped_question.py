"""The lead's pages once a new round has dropped a question that has answers, grades and disputes."""

import pytest
import streamlit as st
from drawn_pages import add_lead, says
from reads_of_one_answer import an_answer, read
from small_workspace import write_item, write_round

from grader_app.errors import NotAllowed
from grader_app.workflow.adjudication import open_disputes
from grader_app.workflow.assignment import deal
from grader_app.workflow.disputes import disputes
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.registration import register_files

READING = "reads: 2\nresolve_when_apart_by_more_than: 1"
PAGES = (
    "panel",
    "queues",
    "calibration",
    "agreement",
    "monitor",
    "backreads",
    "adjudicate",
    "versions",
    "scores",
    "blind",
    "print_packets",
    "keying",
)


@pytest.fixture
def bench(make):
    """One answer in dispute among six that are read twice, and then the question leaves the round."""
    small = make(graders=2, answers=0, reading=READING)
    small.take_in("mee-barge", 6)
    deal(small.bench, small.actor)
    read(small, an_answer(small, 0), 1, 6)
    read(small, an_answer(small, 1), 4, 4)
    add_lead(small)
    st.cache_data.clear()
    write_item(small.path, "mee-crane")
    write_round(small.path, version=2, items=("mee-crane", "rule-ferry"), reading=READING)
    register_files(small.bench, small.actor)
    return small.bench


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


@pytest.mark.parametrize("page", PAGES)
def test_every_page_of_the_lead_is_drawn(lead, page):
    assert not lead.draw(f"lead_pages.{page}").exception


def test_its_disputes_ask_for_nothing_and_the_scores_say_why(lead):
    assert open_disputes(lead.bench) == ([], [])
    assert [(one.dropped, one.can_be_settled) for one in disputes(lead.bench)] == [(True, False)]
    assert says(lead.draw("lead_pages.adjudicate"), "No answer waits for you to settle it.")
    scores = lead.draw("lead_pages.scores")
    assert says(scores, "1 belongs to a question that is no longer in the round.")
    assert not says(scores, "/adjudicate")


def test_it_is_offered_to_close_nowhere(lead):
    scores = lead.draw("lead_pages.scores")
    assert says(scores, "mee-barge: no longer in the round")
    assert "close:mee-barge" not in [button.key for button in scores.button]
    with pytest.raises(NotAllowed, match="no item `mee-barge`"):
        close_item(lead.bench, lead.account.account_id, "mee-barge")
