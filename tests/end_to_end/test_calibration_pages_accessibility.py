"""The pages of calibration, each in the state in which there is most on it, by the same automatic check."""

from contextlib import closing

import pytest
from calibrating import ITEM, make_round
from test_accessibility import faults

from grader_app.domain.events import EventKind
from grader_app.workflow.rulings import make_ruling, question_sheet

pytestmark = pytest.mark.browser

PARTS = {
    "Panel": "Do the graders put papers in the same order?",
    "Meeting": "most differently read first",
    "Rulings": "Graded under an earlier version",
    "Questions from graders": "The first issue weighs too much.",
    "Validity papers": "One is planted about every 2 live answers",
}


@pytest.fixture(scope="module")
def served(tmp_path_factory, serve):
    """A round in which two have calibrated and one has graded; a ruling and a question came after."""
    folder = tmp_path_factory.mktemp("calibrated") / "workspace"
    small = make_round(folder, graders=3)
    with closing(small.bench.store):
        first, second, _ = small.graders
        served = serve(folder)
        served.attempt = small.calibrate(first).attempt_id
        small.calibrate(second, off=2)
        small.submit(next(one for one in small.queue(first) if one.kind == "live"))
        question_sheet(small.bench, first.account_id, ITEM, "The first issue weighs too much.")
        make_ruling(small.bench, small.actor, ITEM, "A barge without a crew is a vessel too.")
        small.append(EventKind.GRADING_PAUSED, first.account_id, item=ITEM, why="Paused for a test.")
    return served


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("part", PARTS)
def test_no_part_of_the_leads_page_has_a_grave_fault(served, new_tab, part, scheme):
    tab = new_tab(served, color_scheme=scheme).enter("lead", f"/calibration?part={part.replace(' ', '+')}")
    tab.page.get_by_text(PARTS[part]).first.wait_for()
    assert faults(tab.page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_feedback_on_a_packet_has_no_grave_fault(served, new_tab, scheme):
    tab = new_tab(served, color_scheme=scheme).enter("reader-1", f"/calibrate?attempt={served.attempt}")
    tab.heading("Every paper, the furthest from the reference first").wait_for()
    assert faults(tab.page) == []


def test_a_phone_shows_the_feedback_without_scrolling_sideways(served, new_tab):
    tab = new_tab(served).enter("reader-1", f"/calibrate?attempt={served.attempt}")
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.heading("Every paper, the furthest from the reference first").wait_for()
    main = tab.page.get_by_test_id("stMain")
    assert main.evaluate("one => one.scrollWidth - one.clientWidth") == 0
