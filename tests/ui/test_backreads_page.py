import pytest
import streamlit as st
from drawn_pages import add_lead, says

from grader_app.store.accounts import set_password
from grader_app.workflow.accounts import find_account
from grader_app.workflow.backreads import backread_figures, words_to

ITEM = "mee-barge"


@pytest.fixture
def bench(make):
    """Eight answers, all graded by two people."""
    small = make(graders=2, answers=8)
    for grader in small.graders:
        for dealt in small.queue(grader):
            small.submit(dealt, 4)
        with small.bench.store.write() as connection:
            set_password(connection, grader.account_id, "none", one_time=False, at=small.bench.now())
    add_lead(small)
    st.cache_data.clear()
    return small.bench


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


def draw(lead):
    app = lead.draw("lead_pages.backreads")
    assert not app.exception
    return app


def click(app, label):
    next(b for b in app.button if b.label == label).click()
    app.run()
    assert not app.exception
    return app


def choose(lead, app):
    grader = find_account(lead.bench, "grader-1").account_id
    next(s for s in app.selectbox if s.label == "Grader").set_value(grader)
    next(s for s in app.selectbox if s.label == "Question").set_value(ITEM)
    app.run()
    assert not app.exception
    return grader


def read_back(lead, app, score=6):
    grader = choose(lead, app)
    app.radio[0].set_value(float(score))
    click(app, "Enter my score")
    return grader


def test_the_page_asks_whom_to_check_and_shows_no_grade_before_ones_own(lead):
    app = draw(lead)
    assert says(app, "Choose a grader and a question.")
    choose(lead, app)
    assert says(app, "is shown beside yours.")
    assert not says(app, "Judgment")


def test_after_ones_own_score_both_stand_side_by_side(lead):
    app = draw(lead)
    grader = read_back(lead, app)
    assert says(app, "you and grader-1")
    assert says(app, "Judgment")
    (one,) = (f for f in backread_figures(lead.bench) if (f.grader_id, f.item) == (grader, ITEM))
    assert one.n == 1


def test_whoever_was_not_checked_longest_is_one_click_away(lead):
    app = click(draw(lead), "Whoever was not checked longest")
    assert next(s for s in app.selectbox if s.label == "Grader").value is not None
    assert any(b.label == "Enter my score" for b in app.button)


def test_a_word_reaches_the_graders_own_page_alone(lead, person):
    app = draw(lead)
    grader = read_back(lead, app)
    next(a for a in app.text_area if "word to the grader" in a.label).set_value("See <b>duty</b> again.")
    click(app, "Send")
    assert [words for _, _, words in words_to(lead.bench, grader)] == ["See <b>duty</b> again."]
    assert says(app, "You wrote to the grader: See <b>duty</b> again.")
    own = person.sign_in("grader-1").draw("grader_pages.progress")
    assert says(own, "The lead looked at this paper again and writes: See <b>duty</b> again.")
    other = person.sign_in("grader-2").draw("grader_pages.progress")
    assert not other.exception
    assert not says(other, "writes:")


def test_a_backread_leads_to_the_adjudicator(lead):
    app = draw(lead)
    read_back(lead, app, 0)
    next(a for a in app.text_area if a.label == "Why should it be settled anew?").set_value("Too high.")
    click(app, "Bring it before the adjudicator")
    assert says(app, "is in dispute now")
