"""What an automatic check can say about calibrating with other means than eyes and a mouse."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsers import wait_for_theme, wait_until_drawn
from calibrating import ITEM, calibrating_round
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SIZES = {"wide": {"width": 1440, "height": 900}, "narrow": {"width": 390, "height": 844}}


@pytest.fixture(scope="module")
def panel(tmp_path_factory, serve):
    with calibrating_round(tmp_path_factory.mktemp("accessible") / "workspace", serve, graders=5) as made:
        yield made


@pytest.fixture
def tab(panel, new_tab):
    opened = new_tab(panel.served, color_scheme="light", reduced_motion="reduce")
    opened.grader = panel.grader()
    return opened


def enter(tab, query, seen):
    tab.enter(tab.grader.name, f"/calibrate{query}")
    tab.page.get_by_text(seen).first.wait_for()
    return tab


def faults(tab):
    """Everything the check finds, whatever its weight, in both themes, on a wide and on a narrow screen."""
    found = {}
    for scheme in ("light", "dark"):
        tab.page.emulate_media(color_scheme=scheme)
        wait_for_theme(tab.page, scheme)
        for size, viewport in SIZES.items():
            tab.page.set_viewport_size(viewport)
            wait_until_drawn(tab.page)
            for one in Axe().run(tab.page).response["violations"]:
                found[f"{one['id']}, {scheme}, {size}"] = one["nodes"][0]["html"][:200]
    return found


def test_the_list_of_questions_has_no_fault(panel, tab):
    panel.small.train(tab.grader)
    enter(tab, "", "begin the packet")
    assert faults(tab) == {}


def test_the_materials_have_no_fault(panel, tab):
    enter(tab, f"?item={ITEM}", "First opened")
    found = {"list": faults(tab)}
    for material, seen in (
        ("rubric", "Sees every issue."),
        ("point_sheet", "A duty needs control."),
        ("guidelines", "A barge is a vessel."),
        ("anchors", "The reason of an anchor."),  # With the button that says that all is read.
    ):
        enter(tab, f"?item={ITEM}&material={material}", seen)
        found[material] = faults(tab)
    assert {name: one for name, one in found.items() if one} == {}


def test_the_board_has_no_fault(panel, tab):
    attempt = panel.small.begin(tab.grader)
    enter(tab, f"?attempt={attempt.attempt_id}", "Calibration, step 1 of 2")
    assert faults(tab) == {}
    tab.press("1", "1", "2")
    tab.page.get_by_test_id("paper").first.click()
    tab.press("c")
    expect(tab.page.get_by_test_id("compare")).to_be_visible()
    assert faults(tab) == {}


def test_the_desk_for_scoring_has_no_fault(panel, tab):
    attempt = panel.small.begin(tab.grader)
    panel.small.rank(attempt)
    enter(tab, f"?attempt={attempt.attempt_id}", "Calibration, step 2 of 2")
    tab.press("4")
    assert faults(tab) == {}


def test_the_feedback_has_no_fault(panel, tab):
    attempt = panel.small.calibrate(tab.grader, off=3)
    enter(tab, f"?attempt={attempt.attempt_id}", "Every paper, the furthest from the reference first")
    assert faults(tab) == {}
