"""Calibration, up to the finished order: what a grader does is what the log holds, and nothing gets lost."""

from contextlib import closing

import pytest
from calibrating import ITEM, SAVED, Board, calibrating_round, open_board
from people import Tab, intercept
from playwright.sync_api import expect

from grader_app.workflow.accounts import find_account
from grader_app.workflow.calibration import begin, own_attempt
from grader_app.workflow.training import complete_training, see_material, training_of
from grader_app.workflow.workbench import Workbench

pytestmark = pytest.mark.browser

UNSAVED = "not saved: no connection; trying again"
LAPTOP = {"width": 1366, "height": 768}


@pytest.fixture(scope="module")
def panel(tmp_path_factory, serve):
    """A round of its own, since one test kills its server."""
    with calibrating_round(tmp_path_factory.mktemp("calibrating") / "workspace", serve, graders=9) as made:
        yield made


@pytest.fixture
def grader(panel):
    return panel.grader()


@pytest.fixture
def board(panel, grader, new_tab):
    """The board of a grader who has read the materials and moved nothing yet."""
    return open_board(new_tab(panel.served), grader.name, panel.small.begin(grader))


# --------------------------------------------------------------------------------------------- materials


def test_the_materials_are_read_page_by_page_and_the_record_says_which(panel, grader, new_tab):
    tab = new_tab(panel.served).enter(grader.name, "/calibrate")
    tab.page.get_by_role("link", name="The question of mee-barge: read the materials").click()
    expect(tab.button("I have read the materials")).to_have_count(0)
    opened = []
    for title, seen in (
        ("rubric", "Sees every issue."),
        ("point sheet", "A duty needs control."),
        ("guidelines", "A barge is a vessel."),
        ("anchor papers", "An anchor worth 5."),
    ):
        tab.page.get_by_role("link", name=f"Next: {title}").click()
        expect(tab.page.get_by_text(seen)).to_be_visible()
        opened.append(title.replace("anchor papers", "anchors").replace(" ", "_"))
        assert materials_seen(panel, grader) == opened
    assert panel.served.events("TrainingCompleted", grader.account_id) == []
    tab.button("I have read the materials").click()
    expect(tab.page.get_by_text("Recorded: you have read the materials")).to_be_visible()
    (completed,) = panel.served.events("TrainingCompleted", grader.account_id)
    assert (completed["item"], completed["materials"]) == (ITEM, opened)


def test_the_packet_opens_only_after_the_materials(panel, grader, new_tab):
    tab = new_tab(panel.served).enter(grader.name, "/calibrate")
    begin = tab.button("The question of mee-barge: begin the packet")
    expect(tab.page.get_by_role("link", name="The question of mee-barge: read the materials")).to_be_visible()
    expect(begin).to_have_count(0)
    panel.small.train(grader)
    tab.page.reload()
    begin.click()
    tab.page.get_by_test_id("paper").first.wait_for()
    assert panel.attempt_of(grader).set_id == "heron-set"
    expect(tab.page.get_by_test_id("placed")).to_have_text("0 placed · 8 to place")


def materials_seen(panel, grader):
    return [body["material"] for body in panel.served.events("MaterialSeen", grader.account_id)]


# --------------------------------------------------------------------------------------- mouse and keyboard


def test_one_grader_ranks_by_mouse(panel, board):
    a, b, c, d, e, f, g, h = board.papers("tray")
    board.drag(a, board.get("pile-2"))
    board.drag(b, board.get("pile-2"))
    assert board.papers(2) == [a, b]
    board.drag(c, board.card(b), 0.1)  # Between the two.
    assert board.papers(2) == [a, c, b]
    board.drag(d, board.card(a), 0.5)  # Onto the middle of the first: a tie.
    board.drag(b, board.card(a), 0.1)  # To the top of its own pile.
    assert board.is_saved().papers(2) == [b, a, d, c]
    assert panel.kept_order(board.attempt) == [[], [[b], [a, d], [c]]]
    board.drag(e, board.get("pile-1"))
    board.drag(f, board.get("pile-6"))
    board.drag(g, board.get("pile-6"))
    board.drag(f, board.get("tray"))  # Thought better of.
    board.drag(f, board.get("pile-4"))
    board.drag(h, board.card(f), 0.1)
    expect(board.get("placed")).to_have_text("8 placed · 0 to place")
    board.get("submit-ranking").click()
    expect(board.get("confirm-ties")).to_contain_text("1 tie")
    board.get("confirm-submit").dblclick()
    expect(board.page.get_by_text("Calibration, step 2 of 2: score the same papers")).to_be_visible()
    assert panel.orders(board.attempt) == [[[e], [b], [a, d], [c], [h], [f], [g]]]


def test_another_grader_ranks_by_keyboard_alone(panel, grader, new_tab):
    panel.small.train(grader)
    tab = new_tab(panel.served).enter(grader.name, "/calibrate")
    tab.button("The question of mee-barge: begin the packet").focus()
    tab.press("Enter")
    tab.page.get_by_test_id("paper").first.wait_for()
    board = Board(tab, panel.attempt_of(grader))
    a, b, c, d, e, f, g, h = board.papers("tray")
    board.press("2", "2", "1", "3", "3")  # The cursor goes on to the next paper to place by itself.
    assert board.at() == f
    board.press("ArrowRight", "4", "6", "6")  # G, then h and f, to which it comes back.
    assert [board.papers(pile) for pile in range(1, 7)] == [[c], [a, b], [d, e], [g], [], [h, f]]
    board.press("Alt+ArrowUp")  # F above h.
    assert board.papers(6) == [f, h]
    board.press("ArrowDown", "=")  # H tied with f.
    board.press("ArrowLeft")
    assert board.at() == g
    board.press("Alt+ArrowLeft")  # To the bottom of the better pile.
    assert board.papers(3) == [d, e, g]
    board.press("Alt+ArrowUp", "Alt+ArrowUp", "z")  # One too many, and taken back.
    assert board.papers(3) == [d, g, e]
    board.submit()
    assert panel.orders(board.attempt) == [[[c], [a], [b], [d], [g], [e], [f, h]]]


def test_an_unfinished_order_is_not_submitted(panel, board):
    board.press(*"123456", "Control+Enter")
    expect(board.problem).to_contain_text("2 papers are not placed yet")
    expect(board.get("confirm")).to_be_hidden()
    assert panel.orders(board.attempt) == []


# ----------------------------------------------------------------------------------------- nothing gets lost


def test_a_reload_in_the_middle_or_right_after_a_move_loses_nothing(panel, board):
    a, b, c, d, *rest = board.papers("tray")
    board.press("1", "2", "1")
    board.card(c).click()
    board.press("=")
    board.is_saved()
    board.page.reload()
    board.ready()
    assert (board.papers(1), board.papers(2), board.papers("tray")) == ([a, c], [b], [d, *rest])
    for pile in (3, 4):
        board.press(str(pile), str(pile))
        board.page.reload()  # The first move is still on its way, the second waits behind it.
        assert len(board.ready().papers(pile)) == 2
    board.is_saved()
    pairs = [[[d], [rest[0]]], [[rest[1]], [rest[2]]]]
    assert panel.kept_order(board.attempt) == [[[a, c]], [[b]], *pairs]


def test_a_reload_before_a_move_could_be_saved_loses_nothing(panel, board):
    a, b, *rest = board.papers("tray")
    board.press("1")
    board.is_saved()
    intercept(board.page, "/calibration/ranking", lambda route: route.abort("connectionreset"))
    board.press("2")
    expect(board.saved).to_have_text(UNSAVED)
    board.page.reload()
    assert board.ready().papers(2) == [b]
    board.page.unroute("**/calibration/ranking")
    board.is_saved()
    assert panel.kept_order(board.attempt) == [[[a]], [[b]]]
    assert board.papers("tray") == rest


def test_a_killed_server_loses_nothing(panel, board):
    a, b, c, *rest = board.papers("tray")
    board.press("1", "2")
    board.is_saved()
    panel.served.process.kill()
    panel.served.process.wait()
    assert panel.kept_order(board.attempt) == [[[a]], [[b]]]
    board.press("3")
    expect(board.saved).to_have_text(UNSAVED)
    assert board.papers(3) == [c]  # The grader goes on meanwhile.
    panel.served.start()
    expect(board.saved).to_have_text(SAVED, timeout=20_000)
    assert panel.kept_order(board.attempt) == [[[a]], [[b]], [[c]]]
    board.page.reload()
    assert [board.ready().papers(place) for place in (1, 2, 3, "tray")] == [[a], [b], [c], rest]
    expect(board.problem).to_be_empty()


def test_the_second_of_two_tabs_is_told(panel, board):
    a, b, c, *_ = board.papers("tray")
    board.press("1")
    board.is_saved()
    second = Tab(board.page.context.new_page(), panel.served)
    second = Board(second.open(f"/calibrate?attempt={board.attempt.attempt_id}"), board.attempt).ready()
    second.press("2")
    second.is_saved()
    board.press("3")
    expect(board.problem).to_contain_text("Papers were moved in another tab since.")
    board.press("4", "z")  # Nothing moves here until the newer order is loaded.
    assert board.papers(4) == []
    assert panel.kept_order(board.attempt) == [[[a]], [[b]]]
    board.get("load-newer").click()
    expect(board.get("pile-2").get_by_test_id("paper")).to_have_count(1)
    assert board.papers(3) == []
    board.press("3")
    board.is_saved()
    assert panel.kept_order(board.attempt) == [[[a]], [[b]], [[c]]]


# ------------------------------------------------------------------------------------------- thirty papers


def begin_shipped(workspace):
    """Begin the shipped packet of thirty papers for the sample's grader."""
    bench = Workbench.open(workspace)
    with closing(bench.store):
        grader_id = find_account(bench, "grader-1").account_id
        for material in training_of(bench, grader_id, "mee-sale-of-goods").unseen:
            see_material(bench, grader_id, "mee-sale-of-goods", material)
        complete_training(bench, grader_id, "mee-sale-of-goods")
        return own_attempt(bench, grader_id, begin(bench, grader_id, "mee-sale-of-goods"))


def test_thirty_papers_piles_and_the_text_are_in_view_on_a_laptop(sample_copy, serve, new_tab):
    attempt = begin_shipped(sample_copy)
    tab = new_tab(serve(sample_copy))
    tab.page.set_viewport_size(LAPTOP)
    board = open_board(tab, "grader-1", attempt)
    expect(board.get("paper")).to_have_count(30)
    all_in_view(board)
    first, second, third, *_ = board.papers("tray")
    board.press("3")  # One key moves the first.
    board.drag(second, board.get("pile-5"))  # One drag the second.
    assert (board.papers(3), board.papers(5)) == ([first], [second])
    expect(board.get("reading")).to_have_attribute("data-paper", second)
    board.card(third).click()
    # With the two placed, what the shipped packet's scores come to: 2, 5, 8, 8, 5 and 2 papers.
    board.press(*"11", *"22222", *"3333333", *"44444444", *"5555", *"66")
    expect(board.get("placed")).to_have_text("30 placed · 0 to place")
    all_in_view(board)


OUTSIDE = """
(cards) => cards.filter((card) => {
  const { left, top, right, bottom } = card.getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
}).length
"""


def all_in_view(board):
    """Check that every card, every pile, the text and the buttons stand on the screen without scrolling."""
    piles = [f"pile-{place}" for place in range(1, 7)]
    for part in ("tray", *piles, "reading", "to-pile-1", "act-up", "submit-ranking"):
        expect(board.get(part)).to_be_in_viewport()
    cards = board.get("paper")
    assert cards.evaluate_all(OUTSIDE) == 0
    for place in range(30):
        expect(cards.nth(place)).to_be_in_viewport(ratio=1)
    assert board.page.evaluate("[document.scrollingElement.scrollHeight <= innerHeight, scrollY]") == [
        True,
        0,
    ]
