"""What an automatic check can say about reading these pages with other means than eyes and a mouse."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsers import DRAWN, wait_for_theme, wait_until_drawn
from people import PHONE, WIDE
from playwright.sync_api import expect

from grader_app.domain.panel import Role
from grader_app.ui.app import PAGES

pytestmark = pytest.mark.browser

SEEN = {"grade": "Answer a", "progress": "My progress", "panel": "Accounts", "agreement": "Pairs of graders"}
SEEN |= {"scores": "Write an export", "calibration": "Questions from graders"}
SEEN |= {"blind": "Guesses"}
SEEN |= {"calibrate": "Before you grade a question live"}
SEEN |= {"print": "Printed so far", "keying": "Print a packet"}


def faults(page):
    wait_until_drawn(page)
    found = Axe().run(page).response["violations"]
    return [f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:200]}" for one in found]


def test_the_sign_in_page_has_no_grave_fault(panel, new_tab):
    tab = new_tab(panel).open("/sign-in")
    assert faults(tab.page) == []
    tab.fill_sign_in("nobody", "wrong")
    expect(tab.page.get_by_role("alert")).to_be_visible()
    assert faults(tab.page) == []


def too_wide(page):
    """Say so where a page as a whole scrolls sideways; a table or a chart may, by itself."""
    main = page.get_by_test_id("stMain")
    over = main.evaluate("one => one.scrollWidth - one.clientWidth")
    return [f"{over} pixels too wide"] if over else []


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("grader-1" if role is Role.GRADER else "lead", address)
        for role, owned in PAGES.items()
        for address, _, _ in owned
    ],
)
def test_no_page_has_a_fault_in_either_theme_on_a_screen_or_a_phone(panel, new_tab, name, address):
    """Every page there is, from the list the program itself draws its pages from."""
    tab = new_tab(panel).enter(name, f"/{address}")
    tab.page.get_by_text(SEEN.get(address, "")).first.wait_for()
    found = {}
    for scheme in ("light", "dark"):
        for size in (WIDE, PHONE):
            tab.page.set_viewport_size(size)
            tab.page.emulate_media(color_scheme=scheme)
            wait_for_theme(tab.page, scheme)
            found[scheme, size["width"]] = faults(tab.page) + too_wide(tab.page)
    assert {where: what for where, what in found.items() if what} == {}


def test_a_page_counts_as_drawn_only_when_its_fields_can_be_reached(panel, new_tab):
    tab = new_tab(panel)
    held = []
    tab.page.route("**/Checkbox*.js", lambda route: held.append(route))
    tab.enter("lead", "/panel")
    tab.button("Add").wait_for()
    assert not tab.page.evaluate(DRAWN)
    box = tab.page.get_by_role("checkbox")
    assert box.count() == 0
    for one in held:
        one.continue_()
    wait_until_drawn(tab.page)
    assert box.count() == 1


def test_the_plain_form_has_no_grave_fault(panel, new_tab):
    tab = new_tab(panel).enter("grader-1", "/grade?form=plain")
    tab.button("Submit").wait_for()
    assert faults(tab.page) == []


def test_the_dialogs_of_the_desk_have_no_grave_fault(panel, new_tab):
    tab = new_tab(panel).enter("grader-1", "/grade")
    for key in ("?", "u", "g"):
        tab.at_desk()
        tab.press(key)
        tab.page.locator("dialog[open]").wait_for()
        assert faults(tab.page) == []
        tab.press("Escape")
