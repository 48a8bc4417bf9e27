import pytest
from drawn_pages import says, texts

from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import ReadKind
from grader_app.store.assignments import waiting_in_queue
from grader_app.workflow.accounts import find_account
from grader_app.workflow.coded_answers import coded_answers, decide_code
from grader_app.workflow.grade_submission import correct_grade, refer_to_lead, submit_grade
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.recusals import recusals
from grader_app.workflow.waiting import Waiting, Why

PAGE = "lead_pages.queues"
OUT, COUNTS = "What happens to it", "How it counts"


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


def grader_id(lead):
    return find_account(lead.bench, "grader-1").account_id


def refer_one(lead, reason="source-shown", note="It is signed."):
    """Let grader-1 send the answer on the desk to the lead."""
    sheet = next_sheet_or_none(lead.bench, grader_id(lead))
    token = f"token {sheet.assignment_id}"
    refer_to_lead(lead.bench, grader_id(lead), sheet.assignment_id, reason, token=token, note=note)
    return sheet


def code_one(lead):
    """Let all who read one answer give it a code that the rubric leaves to the lead; it is the only one."""
    for before in coded_answers(lead.bench):
        decide_code(lead.bench, lead.account.account_id, before.response_id, "zero")
    entry = GradeEntry(condition_code="off-topic")
    with lead.bench.record() as record:
        dealt = next(
            one
            for one in waiting_in_queue(lead.bench.store, grader_id(lead))
            if one.kind is ReadKind.LIVE and one.item.startswith("mee")
        )
        others = record.reads(dealt.response_id)
    a = dealt.assignment_id
    submit_grade(lead.bench, grader_id(lead), a, entry, token="c", note="Another question.")
    for other in others:
        token = f"token {other.assignment_id}"
        correct_grade(
            lead.bench, other.grader_id, other.assignment_id, entry, reason="So it is.", token=token
        )


def of_label(elements, label):
    return [one for one in elements if one.label == label]


def choose(app, question, way, button, said=""):
    """Choose a way out in the first form that asks a question, write the reason, and send it."""
    asked = of_label(app.radio, question)
    at = [radio.label for radio in app.radio].index(question)
    if way:
        asked[0].set_value(next(one for one in asked[0].options if one.startswith(way)))
    if said:
        app.text_area[at].set_value(said)
    forms = [one for one in app.button if one.label in ("Decide", "Decide again", "Close the incident")]
    assert forms[at].label == button
    forms[at].click()
    return app.run()


def kinds(lead):
    return [row["kind"] for row in lead.bench.store.rows("SELECT kind FROM event ORDER BY seq")]


def test_an_empty_page_says_what_comes_here(lead, monkeypatch):
    monkeypatch.setattr("grader_app.ui.lead_pages.queues.open_disputes", lambda bench: ([], []))
    monkeypatch.setattr("grader_app.ui.lead_pages.queues.coded_answers", lambda bench: [])
    monkeypatch.setattr("grader_app.ui.lead_pages.queues.for_lead", lambda bench: [])
    app = lead.draw(PAGE)
    assert not app.exception
    assert says(app, "Nothing waits for your decision.")
    assert says(app, "Incidents, disputes, coded answers and answers that a grader could not grade")


def test_alarms_and_questions_wait_here_too_and_lead_to_their_pages(lead, monkeypatch):
    lines = [
        Waiting(Why.ALARM, 2, "alarms on graders' scores (birch, cedar)", item="mee-barge"),
        Waiting(Why.SHEET_QUESTION, 1, "question on a point sheet"),
        Waiting(Why.CODED, 1, "is on this page already"),
    ]
    monkeypatch.setattr("grader_app.ui.lead_pages.queues.for_lead", lambda bench: lines)
    app = lead.draw(PAGE)
    assert says(app, "2 alarms on graders&#x27; scores (birch, cedar).")
    assert says(app, "<b>2</b>alarms")
    assert says(app, 'href="/monitor?item=mee-barge"')
    assert says(app, 'href="/calibration?part=Questions%20from%20graders"')
    assert not says(app, "is on this page already")
    assert not says(app, "Nothing waits for your decision.")


def test_a_referred_answer_waits_with_its_reason_and_goes_back(lead):
    sheet = refer_one(lead)
    app = lead.draw(PAGE)
    assert says(app, "The text names its writer")
    assert says(app, "The grader writes: It is signed.")
    assert sheet.answer in [text.value for text in app.text]
    choose(app, OUT, "Back to the same", "Decide")
    assert next_sheet_or_none(lead.bench, grader_id(lead)).assignment_id == sheet.assignment_id
    assert not says(app, "Each of these left its grader's queue")
    assert says(app, "back to its grader")


def test_no_page_of_the_lead_shows_a_candidate_or_a_response_beside_an_answer(lead):
    refer_one(lead)
    code_one(lead)
    app = lead.draw(PAGE)
    assert says(app, "A reader writes: Another question.")
    for row in lead.bench.store.rows("SELECT id, candidate_id FROM response"):
        assert not says(app, row["id"])
        assert not says(app, row["candidate_id"])


def test_an_incident_is_folded_away_until_opened_and_closed_with_a_word_only(lead):
    sheet = refer_one(lead, "concern-distress", "Read the last line.")
    app = lead.draw(PAGE)
    assert says(app, "the writer may be in distress")
    assert says(app, f"/queues?open={sheet.assignment_id}")
    assert not says(app, "Read the last line.")
    assert sheet.answer not in [text.value for text in app.text]

    app = lead.draw(PAGE, open=sheet.assignment_id)
    assert says(app, "Read the last line.")
    assert sheet.answer in [text.value for text in app.text]
    before = kinds(lead)
    choose(app, OUT, "Out of the round", "Close the incident")
    assert says(app, "needs a reason")
    assert kinds(lead) == before
    choose(app, OUT, "Out of the round", "Close the incident", "The dean was told.")
    assert kinds(lead)[-1] == "AnswerReturned"
    assert says(app, "out of the round")
    assert says(app, "The dean was told.")
    app.text_input[0].set_value("It was a quotation.")
    next(one for one in app.button if one.label == "Bring it back").click()
    app.run()
    assert says(app, "It is back in the round")


def test_a_coded_answer_is_decided(lead):
    code_one(lead)
    assert len(coded_answers(lead.bench)) == 1
    app = lead.draw(PAGE)
    assert says(app, "A reader writes: Another question.")
    choose(app, COUNTS, "", "Decide")
    assert says(app, "Choose how it counts first.")
    choose(app, COUNTS, "Counts as zero", "Decide", "As the rules say.")
    assert kinds(lead)[-1] == "CodeDecided"
    assert coded_answers(lead.bench) == []
    assert says(app, "Reason: As the rules say.")


def test_a_recusal_is_on_the_page_and_can_be_taken_back(lead):
    refer_one(lead, "conflict", "My niece, I think.")
    app = lead.draw(PAGE)
    assert not app.exception
    assert says(app, "I know, or may know, who wrote it")
    assert says(app, "No other grader can take it over")
    assert says(app, "My niece, I think.")
    choose(app, OUT, "Back to the same grader: take", "Decide", "Another person of that name.")
    assert says(app, "Another person of that name.")
    assert recusals(lead.bench) == []


def test_a_decision_needs_a_choice(lead):
    refer_one(lead)
    app = choose(lead.draw(PAGE), OUT, "", "Decide")
    assert says(app, "Choose what happens to it first.")
    assert "AnswerReturned" not in kinds(lead)


def test_many_are_drawn_some_at_a_time(lead, monkeypatch):
    monkeypatch.setattr("grader_app.ui.lead_pages.queue_referrals.MOST_AT_ONCE", 1)
    first, second = refer_one(lead), refer_one(lead)
    app = lead.draw(PAGE)
    assert says(app, first.assignment_id)
    assert says(app, "1 more follows as you settle these.")
    assert not any(second.answer == text for text in texts(app))
