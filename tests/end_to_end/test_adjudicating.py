"""Settling a dispute in the browser, from the keyboard, and blind until a score is given."""

from contextlib import closing

import pytest
from browsers import wait_until_drawn
from playwright.sync_api import expect
from reads_of_one_answer import an_answer, read, standing
from served_workspace import add_people
from small_workspace import make_workspace
from test_accessibility import faults

from grader_app.workflow.assignment import deal

pytestmark = pytest.mark.browser

PAUSE_AFTER_TABS = """
{
  const listen = WebSocket.prototype.addEventListener;
  WebSocket.prototype.addEventListener = function (kind, hear, ...rest) {
    if (kind !== "message") return listen.call(this, kind, hear, ...rest);
    let last = Promise.resolve();
    const handOn = (event) => {
      last = last.then(() => hear.call(this, event));
      if (!new TextDecoder().decode(event.data).includes(":beside")) return;
      last = last.then(() => new Promise((goOn) => setTimeout(goOn, 200)));
    };
    return listen.call(this, kind, handOn, ...rest);
  };
}
"""
"""Let the browser draw a row of tabs before it hears which tabs are in it, as a busy one does."""

NAMES = ("Wilhelmina Oystercatcher", "Bartholomew Nightjar", "Thaddeus Turnstone")


@pytest.fixture
def disputed(tmp_path, serve):
    """A round with one answer read as 1 and as 6."""
    folder = tmp_path / "workspace"
    small = make_workspace(folder, graders=0, answers=0, reading="reads: 2", items=("mee-barge",))
    for name in NAMES:
        small.add_grader(name)
    small.take_in("mee-barge", 3)
    deal(small.bench, small.actor)
    read(small, an_answer(small), 1, 6)
    add_people(folder, "lead", "lead")
    with closing(small.bench.store):
        yield serve(folder), small


def choose(page, score):
    page.get_by_role("radio", name=score, exact=True).focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("radio", name=score, exact=True)).to_be_checked()


def test_a_dispute_is_settled_blind_and_from_the_keyboard(disputed, new_tab):
    served, small = disputed
    tab = new_tab(served).enter("lead", "/adjudicate")
    page = tab.page
    expect(page.get_by_text("1 answer waits to be settled.")).to_be_visible()
    expect(page.get_by_text("Reader 1")).to_have_count(0)
    assert faults(page) == []
    choose(page, "4")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Reader 1")).to_be_visible()
    expect(page.get_by_text("The reads are 5 points apart.")).to_be_visible()
    assert faults(page) == []
    everything = page.content()
    assert not any(name in everything for name in NAMES)
    choose(page, "5")
    page.get_by_label("Reason, if it is not what you gave at first").fill("Reader 2 saw the gift.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("No answer waits for you to settle it.")).to_be_visible()
    assert standing(small, an_answer(small)).final == 5


def test_the_reads_and_the_next_answer_come_to_the_front_of_their_tabs(disputed, new_tab):
    """The browser would else keep the tab that was chosen for what stood there before."""
    served, small = disputed
    read(small, an_answer(small, 1), 2, 5)
    tab = new_tab(served)
    tab.page.add_init_script(PAUSE_AFTER_TABS)
    page = tab.enter("lead", "/adjudicate").page

    def in_front():
        wait_until_drawn(page)
        return page.get_by_role("tab", selected=True).all_inner_texts()

    expect(page.get_by_text("2 answers wait to be settled.")).to_be_visible()
    assert in_front() == ["Answer", "Point sheet"]
    choose(page, "4")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("The reads are shown now")).to_be_visible()
    assert in_front() == ["Answer", "The reads"]
    page.get_by_role("tab", name="Question").click()
    page.get_by_role("tab", name="Point sheet").click()
    choose(page, "4")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("1 answer waits to be settled.")).to_be_visible()
    assert in_front() == ["Answer", "Point sheet"]
