"""The score pad: nothing moves under the hand, and what is needed is in view."""

import pytest
from people import offline
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

BELOW = ("code-blank", "note", "found", "refer", "flag-author", "submit")


def places(tab):
    return {
        name: tab.page.get_by_test_id(name).evaluate("(one) => one.getBoundingClientRect().top")
        for name in BELOW
    }


def test_nothing_on_the_pad_moves_when_a_score_is_chosen(grader):
    grader.at_desk()
    before = places(grader)
    for score in range(7):
        grader.page.get_by_test_id(f"score-{score}").click()
        assert places(grader) == before, score


def test_nothing_on_the_desk_moves_when_the_connection_is_lost(grader):
    grader.at_desk()
    grader.press("3")
    grader.draft_saved()
    before = places(grader), grader.answer.bounding_box()
    with offline(grader.page, "/desk/draft"):
        grader.press("4")
        expect(grader.saved).to_have_attribute("data-kind", "problem")
        assert (places(grader), grader.answer.bounding_box()) == before


def test_a_correction_on_a_phone_shows_every_score(corrector):
    tab = corrector("prose")
    tab.page.set_viewport_size({"width": 390, "height": 844})
    foot = tab.page.locator(".pad-foot").evaluate("(one) => one.getBoundingClientRect().top")
    for score in range(7):
        box = tab.page.get_by_test_id(f"score-{score}").bounding_box()
        assert box["y"] + box["height"] <= foot, score
    tab.page.get_by_test_id("reason").fill("Misread.")
    expect(tab.page.get_by_test_id("reason")).to_be_in_viewport()
