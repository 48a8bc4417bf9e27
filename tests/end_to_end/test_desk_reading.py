"""How answers are read: display, finding words, places kept, the Library, a very long answer."""

import pytest
from browsers import wait_for_theme
from playwright.sync_api import expect
from test_accessibility import faults

pytestmark = pytest.mark.browser


def style(tab, name):
    return tab.answer.evaluate("(one, name) => getComputedStyle(one).getPropertyValue(name)", name)


def top_of(locator):
    return locator.evaluate("(one) => one.scrollTop")


def test_display_is_changed_at_once_and_kept(grader):
    grader.press("o")
    grader.page.get_by_test_id("display-size").fill("24")
    grader.page.get_by_test_id("display-spacing").fill("2")
    grader.page.get_by_test_id("theme-dark").check()
    assert style(grader, "font-size") == "24px"
    grader.press("Escape")
    assert faults(grader.page) == []
    grader.page.reload()
    grader.at_desk()
    assert (style(grader, "font-size"), style(grader, "line-height")) == ("24px", "48px")
    assert style(grader, "color") == "rgb(231, 233, 236)"
    grader.press("o")
    grader.page.get_by_test_id("theme-light").check()
    grader.press("Escape")
    assert style(grader, "color") == "rgb(29, 39, 51)"
    assert faults(grader.page) == []


@pytest.mark.parametrize(("system", "chosen"), [("light", "dark"), ("dark", "light")])
def test_the_colors_chosen_at_the_desk_hold_on_the_other_pages(grader, system, chosen):
    grader.page.emulate_media(color_scheme=system)
    grader.at_desk()
    grader.press("o")
    grader.page.get_by_test_id(f"theme-{chosen}").check()
    grader.press("Escape")
    grader.page.get_by_role("link", name="My progress").first.click()
    grader.heading("My progress").wait_for()
    wait_for_theme(grader.page, chosen)
    grader.open("/calibrate")
    wait_for_theme(grader.page, chosen)
    grader.open("/grade")
    grader.at_desk()
    grader.press("o")
    grader.page.get_by_test_id("theme-system").check()
    grader.press("Escape")
    grader.open("/progress")
    grader.heading("My progress").wait_for()
    wait_for_theme(grader.page, system)


def test_the_checklist_stands_below_the_score(grader):
    reminders = grader.page.get_by_role("region", name="Reminders")
    expect(reminders.get_by_role("listitem").first).to_have_text(
        "Does the answer take up each question that the calls ask?"
    )
    assert faults(grader.page) == []


def test_words_are_found_counted_and_left_as_they_are(corrector):
    tab = corrector("prose")
    before = tab.answer.inner_html()
    tab.press("/")
    tab.page.keyboard.type("LETTER")
    count = tab.page.get_by_test_id("find-count")
    expect(count).to_have_text("1 of 2")
    tab.press("Enter")
    expect(count).to_have_text("2 of 2")
    tab.press("Shift+Enter")
    expect(count).to_have_text("1 of 2")
    assert (tab.painted("found"), tab.painted("found-here")) == (2, 1)
    assert tab.answer.inner_html() == before
    tab.page.get_by_test_id("find-where").select_option("pane")
    tab.page.get_by_test_id("find").fill("stated")
    expect(count).to_have_text("1 of 2")
    tab.page.get_by_test_id("find").fill("\u201csafety\u201d")
    expect(count).to_have_text("not found")
    tab.page.get_by_test_id("find-where").select_option("answer")
    expect(count).to_have_text("1 of 1")
    tab.press("Escape")
    expect(tab.page.get_by_test_id("find")).to_be_hidden()
    assert tab.painted("found-here") == 0


def test_length_is_said_only_to_those_who_have_judged(grader, corrector):
    expect(grader.page.get_by_test_id("length")).to_have_count(0)
    expect(corrector("prose").page.get_by_test_id("length")).to_have_text("34 words")


def test_a_point_leads_into_the_library_and_back_and_places_are_kept(corrector):
    tab = corrector("prose")
    tab.page.get_by_test_id("source-appeal.rule-in-re-gull").click()
    library = tab.page.get_by_role("tabpanel", name="Library")
    expect(library.get_by_role("heading", name="In re Gull")).to_be_focused()
    expect(library.get_by_role("heading", name="In re Gull")).to_be_in_viewport()
    assert top_of(library) > 500
    tab.page.get_by_test_id("library-back").click()
    expect(tab.page.get_by_test_id("point-appeal.rule")).to_be_focused()
    tab.press("Shift+L")
    kept = top_of(library)
    assert kept > 500
    tab.page.reload()
    tab.at_desk()
    expect(library).to_be_visible()
    assert abs(top_of(library) - kept) < 2


def test_sixty_thousand_words_open_with_their_highlights_and_keep_their_place(corrector):
    tab = corrector("long")
    assert tab.painted("point") == 60
    # What is out of sight is not laid out: that is why it opens at once.
    hidden = tab.answer.locator("p").nth(300)
    assert hidden.evaluate("(one) => getComputedStyle(one).contentVisibility") == "auto"
    tab.press("/")
    tab.page.keyboard.type("mark300.")
    expect(tab.page.get_by_test_id("find-count")).to_have_text("1 of 1")
    expect(hidden).to_be_in_viewport()
    tab.press("Escape")
    tab.page.reload()
    tab.at_desk()
    expect(tab.answer.locator("p").nth(300)).to_be_in_viewport()
    tab.page.get_by_role("button", name="Show in text").nth(20).click()
    expect(tab.answer.locator("p").nth(300)).not_to_be_in_viewport()
