"""The page on which a lead settles disputes, in each of its states."""

import pytest
import streamlit as st
from drawn_pages import add_lead, says, texts
from reads_of_one_answer import an_answer, read

from grader_app.domain.grade import GradeEntry
from grader_app.workflow.adjudication import adjudicate, hidden_from, look_first, open_disputes
from grader_app.workflow.assignment import deal
from grader_app.workflow.grade_submission import correct_grade

NAMES = ("Wilhelmina Oystercatcher", "Bartholomew Nightjar", "Thaddeus Turnstone")


@pytest.fixture
def bench(make):
    """Two answers in dispute among six that are read twice."""
    small = make(graders=0, answers=0, reading="reads: 2\nresolve_when_apart_by_more_than: 1")
    for name in NAMES:
        small.add_grader(name)
    small.take_in("mee-barge", 6)
    deal(small.bench, small.actor)
    for place, gave in enumerate([(1, 3), (6, 2), (4, 4)]):
        read(small, an_answer(small, place), *gave)
    add_lead(small)
    st.cache_data.clear()
    return small.bench


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


def draw(lead, **query):
    app = lead.draw("lead_pages.adjudicate", **query)
    assert not app.exception
    return app


def give(app, score, label, reason=None):
    app.radio[0].set_value(float(score))
    if reason is not None:
        app.text_area[0].set_value(reason)
    next(b for b in app.button if b.label == label).click()
    app.run()
    assert not app.exception
    return app


def waiting(lead):
    return [one.response_id for one in open_disputes(lead.bench)[0]]


def settle_all(lead, score=3):
    for response_id in waiting(lead):
        entry = GradeEntry(score=score)
        if response_id in hidden_from(lead.bench, lead.account.account_id):
            look_first(lead.bench, lead.account.account_id, response_id, entry)
        adjudicate(lead.bench, lead.account.account_id, response_id, entry, reason="So.")


def correct_one(lead, response_id):
    with lead.bench.record() as record:
        grade = record.reads(response_id)[0]
    entry = GradeEntry(score=(grade.score + 1) % 6, points=grade.points)
    correct_grade(
        lead.bench, grade.grader_id, grade.assignment_id, entry, reason="Misread.", token="correction"
    )


def test_the_reads_come_only_after_a_score_of_ones_own(lead):
    app = draw(lead)
    assert says(app, "2 answers wait to be settled.")
    assert says(app, "The reads differ")
    assert says(app, "Reminder: Was the other side heard?")
    assert not says(app, "Reader 1")
    assert not says(app, "points apart")
    give(app, 4, "Enter my score")
    assert says(app, "Your score is kept.")
    assert says(app, "Reader 1")
    assert says(app, "You, at first")
    assert app.radio[0].value == 4


def test_a_score_that_changes_needs_a_reason_and_the_next_answer_follows(lead):
    first = waiting(lead)[0]
    app = give(draw(lead), 4, "Enter my score")
    give(app, 5, "Settle")
    assert says(app, "Say in a few words why")
    assert waiting(lead)[0] == first
    give(app, 5, "Settle", "Reader 2 is right.")
    assert says(app, f"Answer {first} is settled.")
    assert says(app, "1 answer waits to be settled.")
    assert first not in waiting(lead)


def test_nothing_chosen_is_said_and_nothing_is_stored(lead):
    app = draw(lead)
    next(b for b in app.button if b.label == "Enter my score").click()
    app.run()
    assert says(app, "No score was given")
    assert len(waiting(lead)) == 2


def test_the_address_may_name_an_answer(lead):
    second = waiting(lead)[1]
    assert says(draw(lead, answer=second), f"answer {second}")
    assert says(draw(lead, answer="r-unknown"), f"answer {waiting(lead)[0]}")


def test_when_all_is_settled_the_page_says_so_and_leads_on(lead):
    settle_all(lead)
    app = draw(lead)
    assert says(app, "No answer waits for you to settle it.")
    assert says(app, "Go to the scores")
    assert app.expander[0].label == "2 answers settled"


def test_a_decision_is_confirmed_with_one_click_after_a_correction(lead):
    first = waiting(lead)[0]
    settle_all(lead)
    correct_one(lead, first)
    app = draw(lead)
    assert says(app, "confirm it or settle it again")
    assert says(app, "It was settled as 3.")
    next(b for b in app.button if b.label == "Confirm 3").click()
    app.run()
    assert says(app, f"Answer {first} stays settled as 3.")
    assert waiting(lead) == []


def test_a_settled_answer_can_be_opened_again_with_a_reason(lead):
    first = waiting(lead)[0]
    settle_all(lead)
    app = draw(lead)
    next(b for b in app.selectbox if b.label == "Answer").set_value(first)
    app.text_input[0].set_value("On appeal.")
    next(b for b in app.button if b.label == "Open it again").click()
    app.run()
    assert waiting(lead) == [first]


def test_a_reason_is_kept_where_the_answer_was_forgotten_and_gone_once_it_is_on_record(lead):
    first = waiting(lead)[0]
    settle_all(lead)
    app = draw(lead)
    app.text_input[0].set_value("On appeal.")
    next(b for b in app.button if b.label == "Open it again").click()
    app.run()
    assert says(app, "Choose an answer first.")
    assert app.text_input[0].value == "On appeal."
    next(b for b in app.selectbox if b.label == "Answer").set_value(first)
    next(b for b in app.button if b.label == "Open it again").click()
    app.run()
    assert waiting(lead) == [first]
    reasons = [one.value for one in app.text_input if one.label == "Reason"]
    assert "On appeal." not in reasons


def test_no_grader_is_named_anywhere_on_the_page(lead):
    app = draw(lead)
    shown = list(texts(app))
    shown += texts(give(app, 4, "Enter my score"))
    settle_all(lead)
    shown += texts(draw(lead))
    for name in NAMES:
        assert not any(name in text for text in shown), name


def test_what_is_hidden_here_is_hidden_on_the_pages_scores_and_agreement(lead):
    hidden = waiting(lead)[0]
    scores = lead.draw("lead_pages.scores")
    assert says(scores, "2 answers have no final score")
    assert not any(hidden in text for text in texts(scores))
    assert says(lead.draw("lead_pages.agreement"), "its reads are hidden until you have scored it")
    look_first(lead.bench, lead.account.account_id, hidden, GradeEntry(score=3))
    button = f"read:score:{hidden}"
    assert button in {b.key for b in lead.draw("lead_pages.agreement").button}
