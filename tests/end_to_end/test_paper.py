"""A packet printed, keyed by two people and settled, in the browser and on paper."""

import re
from contextlib import closing

import pytest
from playwright.sync_api import expect
from served_workspace import add_people, copy_of
from test_accessibility import faults

from grader_app.domain.ids import check_letter
from grader_app.workflow import accounts
from grader_app.workflow.printed_packets import find_packet, print_packet
from grader_app.workflow.workbench import Workbench

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def served(panel_workspace, serve, tmp_path_factory):
    folder = copy_of(panel_workspace, tmp_path_factory.mktemp("paper") / "workspace")
    add_people(folder, "lead", "Perrin")
    return serve(folder)


def printed(served, name, count, item="mee-sale-of-goods"):
    bench = Workbench.open(served.workspace)
    with closing(bench.store):
        grader, lead = (accounts.find_account(bench, one).account_id for one in (name, "lead"))
        return find_packet(bench, print_packet(bench, lead, grader, item, count, token=f"{name}:{item}"))


def type_rows(tab, packet, scores):
    """Type rows with the keyboard alone: Enter goes on, and nothing is sent before the button."""
    tab.page.get_by_label("Check letter of paper 1").focus()
    for a, score in zip(packet.assignment_ids, scores, strict=True):
        for field in (
            check_letter(a).lower(),
            score,
            "",
            "1.1 1.2",
            *(["Well put"] if tab.keeps_notes else []),
        ):
            tab.page.keyboard.type(field)
            tab.page.keyboard.press("Enter")
    expect(tab.page.get_by_role("button", name="Save this keying")).to_be_focused()
    tab.page.keyboard.press("Enter")


def pdf_pages(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_a_packet_is_keyed_twice_with_the_keyboard_and_the_difference_settled(served, new_tab):
    packet = printed(served, "reader-1", 3)
    first = new_tab(served).enter("lead", f"/keying?packet={packet.packet_id}")
    first.page.get_by_role("link", name="First keying").click()
    first.keeps_notes = True
    assert faults(first.page) == []
    type_rows(first, packet, ("4", "3", "2"))
    first.page.get_by_text("3 rows wait for the second keying").wait_for()

    second = new_tab(served).enter("Perrin", f"/packet/{packet.packet_id}/keying/second")
    second.keeps_notes = False
    type_rows(second, packet, ("4", "9", "2"))
    expect(second.page.get_by_role("alert")).to_contain_text("Paper 2")
    assert faults(second.page) == []
    second.page.get_by_label("Score of paper 2").fill("5")
    second.page.get_by_role("button", name="Save this keying").click()
    second.page.get_by_text("1 paper was keyed differently").wait_for()
    assert faults(second.page) == []
    second.page.get_by_role("button", name="The first is right").click()
    second.page.get_by_text("Done: every paper of this packet has its grade.").wait_for()
    graded = {a: body for a, body in graded_in(served) if a in packet.assignment_ids}
    assert [graded[a]["score"] for a in packet.assignment_ids] == [4.0, 3.0, 2.0]


def graded_in(served):
    subjects = served.rows("SELECT subject FROM event WHERE kind = 'GradeSubmitted' ORDER BY seq")
    return zip((row["subject"] for row in subjects), served.events("GradeSubmitted"), strict=True)


def test_what_was_typed_outlives_a_reload(served, new_tab):
    packet = printed(served, "reader-2", 2)
    tab = new_tab(served).enter("lead", f"/packet/{packet.packet_id}/keying/first")
    tab.page.get_by_label("Score of paper 2").fill("5")
    tab.page.reload()
    expect(tab.page.get_by_label("Score of paper 2")).to_have_value("5")
    sql = "SELECT 1 FROM event WHERE kind = 'PaperScoreKeyed' AND subject = ?"
    assert served.rows(sql, packet.assignment_ids[1]) == []


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_every_paper_begins_a_page_of_its_own(served, new_tab, paper):
    packet = printed(served, "reader-3", 4)
    tab = new_tab(served).enter("lead", f"/packet/{packet.packet_id}")
    expect(tab.page.locator("section.paper")).to_have_count(4)
    pages = pdf_pages(tab.page.pdf(format=paper))
    # Cover, question, point sheet, scale and rulings, the papers, the score sheet.
    assert 5 + 4 + 1 <= pages <= 10 + 4 + 1
    assert faults(tab.page) == []


def test_a_packet_can_be_read_on_a_narrow_screen(served, new_tab):
    packet = printed(served, "reader-4", 2)
    tab = new_tab(served).enter("lead", f"/packet/{packet.packet_id}")
    tab.page.set_viewport_size({"width": 390, "height": 844})
    wide = tab.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    assert faults(tab.page) == []
