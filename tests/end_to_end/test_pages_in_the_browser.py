"""What only a browser shows of the pages: that none breaks while it is drawn, and that steps can be left."""

import re
from contextlib import closing

import pytest
from browsers import wait_for_theme, wait_until_drawn
from calibrating import make_round
from people import PHONE, WIDE
from playwright.sync_api import expect
from served_workspace import copy_of
from test_accessibility import SEEN, faults

from grader_app.domain.panel import Role
from grader_app.files.workspace_folder import WorkspaceFolder
from grader_app.ui.app import PAGES
from grader_app.workflow.rulings import make_ruling
from grader_app.workflow.workbench import Workbench

pytestmark = pytest.mark.browser

CHARTS = {"agreement": 2}
"""Charts that a page of the sample draws at least; they come last, and are what broke once."""

VISITS = [
    ("grader-1" if role is Role.GRADER else "lead", address)
    for role, owned in PAGES.items()
    for address, _, _ in owned
]


@pytest.fixture(scope="module")
def sample(sample_workspace, serve, tmp_path_factory):
    """The sample on a server of its own."""
    return serve(copy_of(sample_workspace, tmp_path_factory.mktemp("sample") / "workspace"))


@pytest.mark.parametrize(("name", "address"), VISITS)
def test_no_page_of_the_sample_shows_an_error(sample, new_tab, name, address):
    tab = new_tab(sample)
    broken = []
    tab.page.on("pageerror", lambda error: broken.append(str(error)))
    tab.enter(name, f"/{address}")
    tab.page.get_by_text(SEEN.get(address, "")).first.wait_for()
    wait_until_drawn(tab.page)
    drawn = tab.page.locator("[data-testid=stVegaLiteChart] :is(canvas, svg)")
    for at in range(CHARTS.get(address, 0)):
        expect(drawn.nth(at).or_(tab.page.get_by_test_id("stException").first).first).to_be_visible()
    assert tab.page.get_by_test_id("stException").all_inner_texts() == []
    expect(tab.page.locator("body")).not_to_contain_text(re.compile(r"TypeError|Traceback"))
    assert broken == []


@pytest.mark.parametrize("address", ["calibration", "monitor", "agreement"])
def test_an_address_names_a_question_by_its_id_and_keeps_the_one_chosen(sample, new_tab, address):
    tab = new_tab(sample).enter("lead", f"/{address}?item=mee-negligence")
    named, other = (
        tab.page.get_by_role("radio", name=title)
        for title in ("The ladder on Juniper Avenue", "The rescue bill")
    )
    expect(named).to_be_checked()
    other.focus()
    tab.press("Space")
    expect(tab.page).to_have_url(re.compile("item=mpt-rescue-bill"))
    tab.page.reload()
    expect(other).to_be_checked()


def test_what_lies_beside_a_disputed_answer_has_no_fault(sample, new_tab):
    tab = new_tab(sample).enter("lead", "/adjudicate")
    for title in ("Question", "Rulings"):
        tab.page.get_by_role("tab", name=title).click()
        expect(tab.page.get_by_role("region", name=title)).to_be_visible()
        assert faults(tab.page) == []


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_a_chart_is_whole_from_top_to_bottom_and_scrolls_sideways_by_itself(sample, new_tab, size):
    tab = new_tab(sample)
    tab.page.set_viewport_size(size)
    tab.enter("lead", "/agreement")
    charts = tab.page.get_by_test_id("stFullScreenFrame")
    for chart in (charts.first, charts.nth(1)):
        chart.locator("svg.marks").wait_for()
        assert chart.evaluate("one => one.scrollHeight - one.clientHeight") == 0
        assert chart.evaluate("one => getComputedStyle(one).overflowX") == "auto"
        assert chart.bounding_box()["width"] <= size["width"]


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_what_became_of_an_act_is_in_view_at_the_foot_of_a_page(sample, new_tab, size):
    tab = new_tab(sample)
    tab.page.set_viewport_size(size)
    add = tab.enter("lead", "/panel").button("Add")
    add.wait_for()
    wait_until_drawn(tab.page)
    add.click()
    said = tab.page.get_by_text("cannot be an account's name")
    expect(said).to_be_in_viewport(ratio=1)
    wait_until_drawn(tab.page)
    expect(said).to_be_in_viewport(ratio=1)
    assert tab.page.get_by_test_id("stMain").evaluate("main => main.scrollTop") > size["height"] / 2
    tab.page.emulate_media(color_scheme="dark")
    wait_for_theme(tab.page, "dark")
    expect(tab.page.locator(".st-key-notice")).to_have_css("background-color", "rgb(24, 23, 20)")


# ------------------------------------------------------------------------ in and out of calibration


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory, serve):
    """A round of one question; the first reader has finished a packet, the second is ranking one."""
    folder = tmp_path_factory.mktemp("steps") / "workspace"
    small = make_round(folder, graders=3)
    with closing(small.bench.store):
        first, second, third = small.graders
        served = serve(folder)
        served.finished = small.calibrate(first).attempt_id
        served.ranking = small.begin(second).attempt_id
        scored = small.begin(third)
        small.rank(scored)
        served.scoring = scored.attempt_id
    return served


STEPS = [
    ("reader-1", "finished", "Every paper, the furthest from the reference first"),
    ("reader-2", "ranking", "put these 8 papers in order"),
    ("reader-3", "scoring", "step 2 of 2"),
]


@pytest.mark.parametrize(("name", "step", "seen"), STEPS)
def test_every_step_has_a_way_back_at_its_top(calibrated, new_tab, name, step, seen):
    tab = new_tab(calibrated).enter(name, f"/calibrate?attempt={getattr(calibrated, step)}")
    tab.page.get_by_text(seen).first.wait_for()
    back = tab.page.get_by_role("link", name="Back to calibration").first
    assert back.bounding_box()["y"] < 150
    back.click()
    tab.heading("Calibrate").wait_for()
    assert tab.page.url == f"{calibrated.url}/calibrate"


@pytest.mark.parametrize(("name", "step", "seen"), STEPS)
def test_the_menu_leaves_a_step_of_its_own_page(calibrated, new_tab, name, step, seen):
    tab = new_tab(calibrated)
    menu = tab.page.get_by_role("link", name="Calibrate", exact=True)
    address = f"/calibrate?attempt={getattr(calibrated, step)}"
    # At once, before the page is drawn, and again with the whole step on the page.
    tab.enter(name, address)
    menu.click()
    tab.heading("Calibrate").wait_for()
    assert tab.page.url == f"{calibrated.url}/calibrate"
    tab.open(address).page.get_by_text(seen).first.wait_for()
    menu.click()
    tab.heading("Calibrate").wait_for()
    assert tab.page.url == f"{calibrated.url}/calibrate"
    tab.page.get_by_role("link", name="My progress").click()
    tab.heading("My progress").wait_for()


def test_a_new_board_says_which_end_is_best_and_keeps_no_names(calibrated, new_tab):
    tab = new_tab(calibrated).enter("reader-2", f"/calibrate?attempt={calibrated.ranking}")
    names = tab.page.locator(".pile .name")
    names.first.wait_for()
    shown = names.evaluate_all("all => all.map((one) => [one.placeholder, one.value])")
    assert shown == [["best", ""], *([f"Pile {n}", ""] for n in range(2, len(shown))), ["weakest", ""]]
    tab.page.get_by_role("button", name="+ weaker pile").click()
    expect(names).to_have_count(len(shown) + 1)
    assert names.evaluate_all("all => all.map((one) => one.placeholder)")[-2:] == [
        f"Pile {len(shown)}",
        "weakest",
    ]


def test_a_question_closed_in_the_midst_of_grading_is_named_above_the_desk(sample, new_tab):
    tab = new_tab(sample).enter("grader-1", "/grade")
    tab.at_desk()
    expect(tab.page.get_by_test_id("waits")).to_have_count(0)
    title = tab.page.locator(".bar .title").inner_text()
    with closing(Workbench.open(sample.workspace).store) as store:
        bench = Workbench(store, WorkspaceFolder(sample.workspace))
        item = next(one.id for one in bench.material().items.values() if one.title == title)
        make_ruling(bench, bench.cli_actor("tests"), item, "A ruling in the midst of grading.")
    tab.open("/grade")
    tab.at_desk()
    line = tab.page.get_by_test_id("waits")
    expect(line).to_contain_text(f"{title}” waits: read the new ruling.")
    assert tab.page.locator(".bar .title").inner_text() != title
    line.get_by_role("link").click()
    tab.heading("Calibrate").wait_for()


COLORS = "(one) => [getComputedStyle(one).color, getComputedStyle(one.parentElement).color]"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_link_in_a_table_or_on_the_desk_has_the_color_of_its_text(new_tab, panel, name, scheme):
    tab = new_tab(panel, color_scheme=scheme).enter(name, "/grade")
    first = tab.grade(4)
    tab.next_after(first)
    tab.page.context.clear_cookies()
    tab.press("4", "Control+Enter")
    link = tab.problem.get_by_role("link", name="Sign in")
    own, around = link.evaluate(COLORS)
    assert own == around
    tab.enter(name, "/progress")
    own, around = tab.page.get_by_role("link", name="Correct this grade").evaluate(COLORS)
    assert own == around
