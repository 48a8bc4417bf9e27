"""What graders send by hand past the gate between calibration and live grading is refused."""

from functools import partial

import pytest
from calibrating import ITEM
from gated_round import (
    Hand,
    begin_live_work,
    calibrating_panel,  # noqa: F401 - a fixture
    grader_at_work,  # noqa: F401 - a fixture
    grader_of_ones_own,  # noqa: F401 - a fixture
    holds_live_work,
    queue,
    use_up_attempts,
)
from playwright.sync_api import expect

from grader_app.domain.events import EventKind

pytestmark = pytest.mark.browser
ENTRY = {"score": 3}


@pytest.fixture(scope="module")
def stopped(panel):
    """A grader who has used up both attempts."""
    return use_up_attempts(panel, panel.grader())


def test_the_messages_of_a_stopped_grader_bring_no_live_answer(panel, stopped, at_work):
    hand, own, others = (
        Hand(panel, stopped),
        queue(panel, stopped),
        queue(panel, at_work),
    )
    # The same messages bring answers to whoever may grade.
    assert holds_live_work(Hand(panel, at_work).run("grade"))
    assert holds_live_work(Hand(panel, at_work).run("grade", f"correct={others[0]}"))
    for page in ("grade", "calibrate", "progress"):
        for query in (
            "",
            "form=plain",
            *(f"{form}correct={a}" for form in ("", "form=plain&") for a in (*own, *others)),
        ):
            sent = hand.run(page, query)
            assert len(sent) > 1000
            assert not holds_live_work(sent), f"{page}?{query}"


def test_what_a_stopped_grader_sends_by_hand_is_refused(panel, stopped, at_work):
    hand = Hand(panel, stopped)
    for number, assignment in enumerate(queue(panel, stopped)):
        token = f"hand-{stopped.account_id}-{number}"
        refused = partial(hand.is_refused, words="no attempt is left", assignment=assignment)
        refused("/desk/draft", draft=ENTRY)
        refused("/desk/draft", draft=ENTRY | {"correcting": True})
        refused("/desk/submit", token=token, entry=ENTRY)
        refused("/desk/refer", token=token, reason="other")
        hand.is_refused("/desk/correct", assignment=assignment, token=token, entry=ENTRY, reason="To get in.")
    for assignment in queue(panel, at_work):
        token = f"other-{stopped.account_id}"
        refused = partial(hand.is_refused, words="not in your queue", assignment=assignment)
        refused("/desk/draft", draft=ENTRY)
        refused("/desk/submit", token=token, entry=ENTRY)
        refused("/desk/correct", token=token, entry=ENTRY, reason="To get in.")
        refused("/desk/refer", token=token, reason="other")
    assert (
        panel.served.rows(
            "SELECT 1 FROM draft d JOIN assignment a ON a.id = d.assignment_id WHERE a.grader_id = ?",
            stopped.account_id,
        )
        == []
    )


def test_live_work_that_is_paused_is_closed_to_corrections_too(panel, grader):
    begin_live_work(panel, grader)
    graded, waiting, *_ = queue(panel, grader)
    hand = Hand(panel, grader)
    assert holds_live_work(hand.run("grade", f"correct={graded}"))
    why = "Your live work on this question is paused until you have calibrated again."
    panel.small.append(EventKind.GRADING_PAUSED, grader.account_id, item=ITEM, why=why)
    for query in ("", "form=plain", f"correct={graded}", f"form=plain&correct={graded}"):
        assert not holds_live_work(hand.run("grade", query)), query
    token = f"paused-{grader.account_id}"
    refused = partial(hand.is_refused, words=why)
    refused("/desk/draft", assignment=waiting, draft=ENTRY)
    refused("/desk/draft", assignment=graded, draft=ENTRY | {"correcting": True})
    refused("/desk/submit", assignment=waiting, token=token, entry=ENTRY)
    refused("/desk/correct", assignment=graded, token=token, entry=ENTRY, reason="To get in.")
    refused("/desk/refer", assignment=waiting, token=token, reason="other")


def test_nobody_scores_a_packet_before_ranking_it(panel, grader, new_tab):
    attempt = panel.small.begin(grader)
    hand = Hand(panel, grader)
    for number, paper in enumerate(attempt.assignment_ids):
        token = f"early-{grader.account_id}-{number}"
        refused = partial(hand.is_refused, assignment=paper)
        refused("/desk/submit", "Put the papers in order first.", token=token, entry=ENTRY)
        refused("/desk/correct", token=token, entry=ENTRY, reason="To be early.")
        refused("/desk/refer", token=token, reason="other")
    hand.is_refused(
        "/calibration/ranked",
        "7 of the papers are not placed yet.",
        attempt=attempt.attempt_id,
        token="early-order",
        state={"piles": [{"label": "", "groups": [[attempt.assignment_ids[0]]]}]},
    )
    tab = new_tab(panel.served).enter(grader.name, f"/calibrate?attempt={attempt.attempt_id}")
    tab.page.get_by_test_id("paper").first.wait_for()
    expect(tab.answer).to_have_count(0)
    for query in (f"correct={attempt.assignment_ids[0]}", f"form=plain&correct={attempt.assignment_ids[0]}"):
        assert b"not graded this answer yet" in hand.run("grade", query)


def test_nobody_ranks_or_sees_the_packet_of_another(panel, grader, at_work, new_tab):
    small = panel.small
    theirs, done = small.begin(grader), panel.attempt_of(at_work)
    intruder = panel.grader()
    mine = small.begin(intruder)
    hand = Hand(panel, intruder)
    groups = [[a] for a in theirs.assignment_ids]
    state = {"piles": [{"label": "", "groups": groups}]}
    for attempt in (theirs, done):
        refused = partial(hand.is_refused, words="This packet is not yours.", attempt=attempt.attempt_id)
        refused("/calibration/ranking", state=state, revision=0)
        refused("/calibration/ranked", state=state, token=f"not-mine-{attempt.attempt_id}")
        tab = new_tab(panel.served).enter(intruder.name, f"/calibrate?attempt={attempt.attempt_id}")
        expect(tab.page.get_by_text("This packet is not yours.")).to_be_visible()
        sent = hand.run("calibrate", f"attempt={attempt.attempt_id}")
        assert b"This packet is not yours." in sent
        assert b"Tides" not in sent
        assert b"heron" not in sent.lower()
    hand.is_refused(
        "/calibration/ranked", "or one of another packet", attempt=mine.attempt_id, state=state, token="mixed"
    )
    assert b"because of the heron" in Hand(panel, at_work).run("calibrate", f"attempt={done.attempt_id}")


def test_a_finished_packet_no_longer_changes(panel, at_work):
    attempt, hand = panel.attempt_of(at_work), Hand(panel, at_work)
    paper = attempt.assignment_ids[0]
    state = {"piles": [{"label": "", "groups": [[a] for a in reversed(attempt.assignment_ids)]}]}
    refused = partial(hand.is_refused, attempt=attempt.attempt_id, state=state)
    refused("/calibration/ranking", "It no longer changes.", revision=0)
    refused("/calibration/ranked", "It no longer changes.", token="again")
    refused = partial(hand.is_refused, assignment=paper, entry={"score": 0})
    refused("/desk/correct", "its scores no longer change", token="correct-it", reason="To look better.")
    refused("/desk/submit", token="score-it")
