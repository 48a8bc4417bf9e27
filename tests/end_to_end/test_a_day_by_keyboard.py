"""A grader's whole day without a mouse: every act of it by keys alone, from signing in to signing out."""

import re

import pytest
from people import Tab
from playwright.sync_api import expect
from served_workspace import PASSWORD

pytestmark = pytest.mark.browser

MOST_STOPS = 60


def tab_to(page, target, key="Tab"):
    """Press Tab until the focus is on what is wanted."""
    for _ in range(MOST_STOPS):
        if target.evaluate("one => one.matches(':focus')"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{MOST_STOPS} presses of {key} do not reach {target}")


@pytest.fixture
def morning(new_tab, panel, name):
    """The sign-in page, whose mouse is broken: any click of it fails the test."""
    tab = new_tab(panel).open("/sign-in")
    tab.name = name
    tab.page.add_init_script(
        "for (const kind of ['pointerdown', 'mousedown', 'touchstart'])"
        " addEventListener(kind, () => { throw new Error('a mouse was used'); }, true);"
    )
    tab.mouse = []
    tab.page.on("pageerror", lambda error: tab.mouse.append(str(error)))
    return tab


def sign_in(tab):
    tab_to(tab.page, tab.page.get_by_label("Name"))
    tab.page.keyboard.type(tab.name)
    tab.press("Tab")
    tab.page.keyboard.type(PASSWORD)
    tab.press("Enter")
    return tab.at_desk()


def grade_with_evidence(tab, assignment):
    """Read, tick two points, attach words to the second, score, note, submit."""
    tab.press("PageDown", "j", "x", "j", "x", "w", "Shift+ArrowRight", "Shift+ArrowRight", "v", "Escape")
    expect(tab.page.locator(".quotes q")).to_have_count(1)
    tab.press("4", "n")
    tab.page.keyboard.type("Sees the second issue late.")
    tab.draft_saved()
    tab.press("Control+Enter")
    return tab.next_after(assignment)


def correct_the_last(tab, before):
    """Go back to the answer before, give it a point more, say why, and come back."""
    tab.press("b")
    expect(tab.answer).to_have_attribute("data-response", before)
    tab.press("5")
    tab_to(tab.page, tab.page.get_by_test_id("reason"))
    tab.page.keyboard.type("On a second reading the exception is there.")
    tab.press("Control+Enter")
    tab.page.wait_for_url(re.compile("/(progress|grade$)"))


def refer(tab, assignment):
    """Say that an answer cannot be graded, with the second reason on the list."""
    tab.press("u")
    dialog = tab.page.locator("dialog[open]")
    dialog.wait_for()
    first = dialog.get_by_role("radio").first
    tab_to(tab.page, first)
    tab.press("Space", "ArrowDown")
    tab_to(tab.page, tab.page.get_by_test_id("refer-send"))
    tab.press("Enter")
    return tab.next_after(assignment)


def flag_the_author(tab):
    """Say that the text gives its author away, which leaves it on the desk to be graded."""
    tab.press("g")
    expect(tab.page.get_by_test_id("flag-words")).to_be_focused()
    tab.page.keyboard.type("It names its maker.")
    tab.press("Control+Enter")
    expect(tab.page.get_by_test_id("flag-author")).to_contain_text("noted")


def sign_out(tab):
    tab_to(tab.page, tab.page.get_by_role("button", name="Sign out"), "Shift+Tab")
    tab.press("Enter")
    tab.page.get_by_label("Password").wait_for()


def test_a_whole_day_needs_no_mouse(morning):
    tab: Tab = morning
    first = sign_in(tab)
    second = grade_with_evidence(tab, first)
    correct_the_last(tab, first)
    tab.open("/grade")  # as typed into the address bar
    assert tab.at_desk() == second
    third = refer(tab, second)
    flag_the_author(tab)
    tab.press("3", "Control+Enter")
    tab.next_after(third)
    sign_out(tab)
    tab.open("/grade")
    tab.page.get_by_label("Password").wait_for()
    assert tab.mouse == []
    grades = tab.served.grades_of(tab.name)
    assert [(kind, subject, body["score"]) for kind, subject, body in grades] == [
        ("GradeSubmitted", first, 4),
        ("GradeCorrected", first, 5),
        ("GradeSubmitted", third, 3),
    ]
    assert len(grades[0][2]["points"]) == 2
    assert len(grades[0][2]["highlights"]) == 1
    assert len(tab.served.events("AnswerReferred", second)) == 1
    about_the_third = {
        row["kind"] for row in tab.served.rows("SELECT kind FROM event WHERE subject = ?", third)
    }
    assert {"GradeSubmitted"} < about_the_third
