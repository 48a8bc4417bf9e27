from __future__ import annotations

from datetime import UTC, datetime

import pytest
from drawn_pages import says, texts
from streamlit.testing.v1 import AppTest

from grader_app.domain.panel import Role
from grader_app.ui.lead_pages.board_columns import line_html
from grader_app.ui.lead_pages.board_steps import step_of
from grader_app.workflow import accounts
from grader_app.workflow.accounts import add_account, find_account
from grader_app.workflow.apprentices import apprentices
from grader_app.workflow.assignment import deal
from grader_app.workflow.passing_on import waiting_for
from grader_app.workflow.pausing import pause_everybody, paused_for_all
from grader_app.workflow.qualification import let_all_grade
from grader_app.workflow.waiting import Waiting, Why


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click()
    return app.run()


def asked(app: AppTest, key: str) -> AppTest:
    """Press an act's button and then its yes."""
    return press(press(app, f"ask:{key}"), f"yes:{key}")


def kinds(lead) -> list[str]:
    return [row["kind"] for row in lead.bench.store.rows("SELECT kind FROM event ORDER BY seq")]


def test_the_board_answers_its_three_questions(lead):
    app = lead.draw("lead_pages.panel")
    assert not app.exception
    for question in ("Who needs you", "What is stuck", "When are we done"):
        assert says(app, question)
    assert says(app, "No day can be given yet")
    assert says(app, "/statement/")
    assert not any(word in text for text in texts(app) for word in ("None", "nan", "inf "))


@pytest.mark.parametrize("why", Why)
def test_every_line_has_a_next_step_at_an_address_within_the_workbench(why):
    text, address = step_of(Waiting(why, 2, "wait", item="mee-barge", grader_id="p1"))
    assert text
    assert address.startswith("/")
    assert " " not in address


def test_one_of_a_kind_is_spoken_of_as_one():
    assert step_of(Waiting(Why.DISPUTE, 1, "disputed answer"))[0] == "Settle it"
    assert step_of(Waiting(Why.DISPUTE, 2, "disputed answers"))[0] == "Settle them"
    assert step_of(Waiting(Why.CODED, 1, ""))[0] == "Decide how it counts"


@pytest.mark.parametrize(
    ("why", "count", "said"),
    [
        (Why.DISPUTE, 1, "waits 2 hours"),
        (Why.DISPUTE, 2, "the oldest waits 2 hours"),
        (Why.LEFT_BEHIND, 1, "dealt 2 hours ago"),
        (Why.LEFT_BEHIND, 2, "the oldest dealt 2 hours ago"),
        (Why.SURPLUS, 1, "2 hours ago"),
        (Why.SURPLUS, 2, "the first 2 hours ago"),
    ],
)
def test_a_line_says_how_long_it_has_been_so(why, count, said):
    now = datetime(2026, 12, 1, 12, tzinfo=UTC)
    line = Waiting(why, count, "", since="2026-12-01T10:00:00.000Z")
    assert f">{said}</span>" in line_html(line, now, marked=False)


def test_a_line_leads_to_its_question_and_its_grader():
    assert step_of(Waiting(Why.ALARM, 1, "", item="mee-barge"))[1] == "/monitor?item=mee-barge"
    assert step_of(Waiting(Why.QUIET, 1, "", grader_id="p1"))[1] == "/panel?act=deal-again&grader=p1"
    assert step_of(Waiting(Why.SHEET_QUESTION, 1, ""))[1] == "/calibration?part=Questions%20from%20graders"


def test_one_graders_answers_go_to_others_only_after_yes(lead):
    giver = find_account(lead.bench, "grader-1").account_id
    waiting = len(waiting_for(lead.bench, giver))
    assert waiting
    add_account(lead.bench, giver, "Kim", Role.GRADER)
    for item in lead.bench.material().items:
        let_all_grade(lead.bench, lead.account.account_id, item, "Has graded before.")
    app = lead.draw("lead_pages.panel", act="deal-again", grader=giver)
    before = kinds(lead)
    press(app, f"ask:pass-on:{giver}:")
    assert says(app, f"{waiting} answers of grader-1 go to whoever has the shortest queue")
    press(app, f"no:pass-on:{giver}:")
    assert kinds(lead) == before
    asked(app, f"pass-on:{giver}:")
    assert says(app, "of grader-1 dealt to others")
    assert len(waiting_for(lead.bench, giver)) < waiting


def test_answers_left_behind_are_dealt_again(lead):
    actor = lead.account.account_id
    accounts.disable_account(lead.bench, actor, find_account(lead.bench, "grader-1"))
    add_account(lead.bench, actor, "Kim", Role.GRADER)
    board = lead.draw("lead_pages.panel")
    assert says(board, "left behind by grader-1")
    app = lead.draw("lead_pages.panel", act="deal-again")
    asked(app, "left-behind")
    assert says(app, "dealt again")


def test_a_question_is_paused_for_everybody_and_goes_on(lead):
    item = next(iter(lead.bench.material().items))
    app = lead.draw("lead_pages.panel", act="pause")
    app.radio(key="pause-what").set_value(item).run()
    asked(app, f"pause:{item}")
    assert paused_for_all(lead.bench) == [item]
    assert says(app, "is paused for everybody")
    asked(app, f"go-on:{item}")
    assert paused_for_all(lead.bench) == []


def test_a_grader_reads_that_everybody_is_paused_and_not_that_calibration_comes_first(lead, person):
    pause_everybody(lead.bench, lead.account.account_id, None, "Back at two.")
    person.sign_in("grader-1")
    app = person.draw("grader_pages.grade")
    assert says(app, "Grading is paused")
    assert says(app, "Back at two.")
    assert not says(app, "Calibration comes first")


def test_a_question_is_closed_after_a_question_and_reopened_with_a_reason(lead):
    item = "mee-negligence"
    app = lead.draw("lead_pages.panel", act="close")
    asked(app, f"close:{item}")
    assert kinds(lead)[-1] == "ItemClosed"
    asked(app, f"reopen:{item}")
    assert kinds(lead)[-1] == "ItemClosed"
    app.text_input(key=f"reason:{item}").set_value("Two papers were found.").run()
    asked(app, f"reopen:{item}")
    assert kinds(lead)[-1] == "ItemReopened"


def test_dealing_says_that_nothing_is_left_to_deal(lead):
    assert says(lead.draw("lead_pages.panel", act="deal"), "Every answer taken in has been dealt.")


def test_an_unknown_act_shows_the_board(lead):
    assert says(lead.draw("lead_pages.panel", act="nonsense"), "Who needs you")


def test_an_apprentice_is_added_read_beside_and_let_in_with_a_reason(lead):
    app = lead.draw("lead_pages.panel")
    app.text_input[0].set_value("Junior")
    app.checkbox[0].check()
    next(button for button in app.button if button.label == "Add").click()
    app.run()
    (pupil,) = apprentices(lead.bench)
    deal(lead.bench, lead.account.account_id)
    app = lead.draw("lead_pages.panel")
    assert says(app, "Apprentices")
    app.selectbox(key="apprentice").set_value(pupil.account_id).run()
    app.text_input(key=f"ended:{pupil.account_id}").set_value("Agrees with the panel.").run()
    asked(app, f"end:{pupil.account_id}")
    assert says(app, "Junior is no apprentice any more.")
    assert apprentices(lead.bench) == []


def test_nothing_of_the_board_reaches_a_grader(person):
    person.sign_in("grader-1")
    for act in ("deal", "deal-again", "pause", "close"):
        assert texts(person.draw("lead_pages.panel", act=act)) == []
