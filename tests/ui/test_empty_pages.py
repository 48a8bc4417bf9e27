"""The lead's pages in a round in which nothing has happened yet."""

import pytest
import streamlit as st
from drawn_pages import add_lead, says


@pytest.fixture
def bench(make):
    """A round without graders and answers."""
    small = make(graders=0, answers=0)
    add_lead(small)
    st.cache_data.clear()
    return small.bench


@pytest.mark.parametrize(
    "page", ["queues", "backreads", "agreement", "calibration", "print_packets", "what_if"]
)
def test_a_page_with_nothing_on_it_leads_on_to_the_panel(person, page):
    app = person.sign_in("lead").draw(f"lead_pages.{page}")
    assert not app.exception
    assert says(app, 'href="/panel"')


def test_guesses_are_asked_for_in_a_file_that_is_named(person):
    app = person.sign_in("lead").draw("lead_pages.blind")
    assert says(app, "write this into a new version of round.yaml")
