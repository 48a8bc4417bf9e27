"""Model answers, answers that cannot be graded, and an empty queue."""

import uuid

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def skip_to(grader, item=None):
    """Grade everything before an item over HTTP, as the desk would; everything there is without an item."""
    served, name = grader.served, grader.name
    cookie = served.session_of(name)
    waiting = served.rows(
        "SELECT s.id, s.item FROM assignment s JOIN actor a ON a.id = s.grader_id WHERE a.name = ? "
        "AND NOT EXISTS (SELECT 1 FROM event e WHERE e.subject = s.id AND e.kind = 'GradeSubmitted')",
        name,
    )
    token = served.csrf_token_of(name)
    for row in waiting:
        if row["item"] != item:
            marks = {"correctness": 1, "analysis": 1} if row["item"].startswith("rule-") else {}
            entry = {"marks": marks} if marks else {"score": 3}
            sent = {"assignment": row["id"], "token": str(uuid.uuid4()), "entry": entry, "seconds": 60}
            answer = served.request_json("/desk/submit", sent, cookie, token)
            assert answer.status == 200, answer.text
    grader.page.reload()


@pytest.fixture
def at_rule(grader):
    """A grader who has come to the model answers."""
    skip_to(grader, "rule-hearsay")
    grader.at_desk()
    return grader


def submitted(grader, assignment):
    return next(body for _, subject, body in grader.served.grades_of(grader.name) if subject == assignment)


def checked(grader, criterion, value):
    return expect(grader.page.get_by_test_id(f"mark-{criterion}-{value}")).to_have_attribute(
        "aria-checked", "true"
    )


def test_an_error_sets_correctness_and_analysis_to_zero_as_counted_and_keeps_what_was_entered(at_rule):
    assignment = at_rule.at_desk()
    at_rule.page.get_by_test_id("mark-correctness-1").click()
    at_rule.page.get_by_test_id("mark-analysis-1").click()
    checked(at_rule, "correctness", 1)
    at_rule.page.get_by_test_id("error-logic-error").check()
    checked(at_rule, "correctness", 0)
    checked(at_rule, "analysis", 0)
    expect(at_rule.page.get_by_text("an error is marked, so this is 0")).to_be_visible()
    expect(at_rule.page.get_by_text("0, because correctness is not met")).to_be_visible()
    at_rule.press("Control+Enter")
    at_rule.next_after(assignment)
    body = submitted(at_rule, assignment)
    assert body["marks"] == {"correctness": 0, "analysis": 0}
    assert body["marks_entered"] == {"correctness": 1, "analysis": 1}
    assert body["error_types"] == ["logic-error"]
    assert body["score"] == 0


def test_errors_and_gaps_have_a_key_each_and_the_first_leads_on_to_the_others(at_rule):
    at_rule.at_desk()
    at_rule.press("e")
    expect(at_rule.page.get_by_test_id("error-rule-misstated")).to_be_focused()
    at_rule.press("y")
    first_gap = at_rule.page.locator("[data-testid^=gap-]").first
    expect(first_gap).to_be_focused()
    at_rule.press("Shift+E")
    expect(at_rule.page.locator("[data-testid^=error-]").last).to_be_focused()
    at_rule.press("e")
    expect(first_gap).to_be_focused()
    hints = at_rule.page.locator(".pad-scroll h2 kbd").all_inner_texts()
    assert len(hints) == len(set(hints)) == 4


def test_marking_an_error_alone_answers_both_questions(at_rule):
    assignment = at_rule.at_desk()
    at_rule.page.get_by_test_id("error-rule-misstated").check()
    at_rule.page.get_by_test_id("error-wrong-outcome").check()
    at_rule.page.get_by_test_id("submit").click()
    at_rule.next_after(assignment)
    body = submitted(at_rule, assignment)
    assert body["marks"] == {"correctness": 0, "analysis": 0}
    assert body["marks_entered"] == {}
    assert body["error_types"] == ["rule-misstated", "wrong-outcome"]


def test_criteria_are_marked_by_keys_and_their_gaps_by_clicks(at_rule):
    assignment = at_rule.at_desk()
    at_rule.press("c", "a", "a")
    checked(at_rule, "correctness", 1)
    checked(at_rule, "analysis", 0)
    at_rule.page.get_by_test_id("gap-prediction-only").check()
    at_rule.press("Control+Enter")
    at_rule.next_after(assignment)
    body = submitted(at_rule, assignment)
    assert body["marks"] == {"correctness": 1, "analysis": 0}
    assert body["analysis_gaps"] == ["prediction-only"]
    assert body["score"] == 1


def test_an_incomplete_model_answer_is_not_sent(at_rule):
    assignment = at_rule.at_desk()
    at_rule.press("c", "Control+Enter")
    expect(at_rule.problem).to_contain_text("Mark every criterion first")
    assert at_rule.at_desk() == assignment


def test_an_answer_that_cannot_be_graded_goes_to_the_lead_and_back(grader, lead):
    assignment = grader.at_desk()
    grader.page.get_by_test_id("refer").click()
    grader.page.get_by_test_id("refer-send").click()
    expect(grader.page.get_by_text("Choose a reason.")).to_be_visible()
    grader.page.get_by_label("The text names its writer").check()
    grader.page.get_by_test_id("refer-note").fill("It is signed.")
    grader.page.get_by_test_id("refer-send").click()
    grader.next_after(assignment)

    lead.page.goto(lead.served.url + "/queues")
    form = lead.page.get_by_test_id("stForm").filter(has_text="Decide").last
    expect(lead.page.get_by_text("The grader writes: It is signed.")).to_be_visible()
    expect(lead.page.get_by_text(f"Answer {assignment} ·")).to_be_visible()
    form.get_by_text("Back to the same grader", exact=True).click()
    form.get_by_role("button", name="Decide").click()
    expect(lead.page.get_by_text("It is back in its grader's queue.")).to_be_visible()
    grader.page.reload()
    expect(grader.answer).to_have_attribute("data-response", assignment)


def test_an_answer_whose_writer_the_grader_knows_goes_to_another_grader_at_once(grader):
    assignment = grader.at_desk()
    grader.press("u")
    grader.page.get_by_label("I know, or may know, who wrote it").check()
    grader.page.get_by_test_id("refer-send").click()
    grader.next_after(assignment)
    (taken,) = grader.served.rows("SELECT response_id FROM assignment WHERE id = ?", assignment)
    readers = grader.served.rows(
        "SELECT a.name FROM assignment s JOIN actor a ON a.id = s.grader_id WHERE s.response_id = ? "
        "AND s.id NOT IN (SELECT assignment_id FROM set_aside)",
        taken["response_id"],
    )
    assert readers
    assert grader.name not in {row["name"] for row in readers}


def test_an_empty_queue_says_so_and_leads_on(grader):
    skip_to(grader)
    expect(grader.page.get_by_text("You have graded everything dealt to you")).to_be_visible()
    grader.page.get_by_role("link", name="Look at my grades").click()
    grader.heading("My grades").wait_for()


def test_a_closed_question_takes_no_more_grades_and_opens_again_with_a_reason(new_tab, own_panel):
    grader = new_tab(own_panel).enter("grader-1", "/grade")
    assignment = grader.at_desk()
    lead = new_tab(own_panel).enter("lead", "/scores")
    lead.page.locator(".st-key-close-mee-sale-of-goods").get_by_role("button").click()
    expect(lead.page.get_by_text("is closed.")).to_be_visible()
    grader.press("4", "Control+Enter")
    expect(grader.problem).to_contain_text("The panel lead has closed this question")
    grader.button("Go to the next answer").click()
    grader.next_after(assignment)
    reopen = lead.page.locator(".st-key-reopen-mee-sale-of-goods").get_by_role("button")
    lead.page.get_by_label("Reason to reopen").fill("Two papers were found.")
    lead.page.get_by_label("Reason to reopen").press("Enter")
    reopen.click()
    expect(lead.page.get_by_text("is open again.")).to_be_visible()
    grader.page.reload()
    expect(grader.answer).to_have_attribute("data-response", assignment)
