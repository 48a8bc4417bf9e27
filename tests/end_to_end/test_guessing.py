"""The question who wrote an answer, and the flag, at the desk: by keys alone, and never by accident."""

import re

import pytest
from people import intercept
from playwright.sync_api import expect
from served_workspace import copy_of, run_command, wait_until

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def asking(panel_workspace, serve, tmp_path_factory):
    """A panel whose graders are asked after every grade."""
    folder = copy_of(panel_workspace, tmp_path_factory.mktemp("asking") / "workspace")
    path = folder / "round.yaml"
    said = path.read_text(encoding="utf-8").replace('version: "2"', 'version: "3"', 1)
    path.write_text(said + "guesses:\n  share_percent: 100\n", encoding="utf-8")
    run_command("assign", "--workspace", folder)
    return serve(folder)


@pytest.fixture
def asked(new_tab, asking, name):
    """A grader at that panel's desk."""
    tab = new_tab(asking).enter(name, "/grade")
    tab.name = name
    tab.at_desk()
    return tab


def question(tab):
    return tab.page.get_by_role("dialog", name="Who wrote the answer you just graded?")


def past_the_rush(tab):
    """Wait until keys count; the page says when, so nothing is slept over."""
    tab.page.wait_for_function(
        "opened => performance.now() - opened > 450", arg=tab.page.evaluate("performance.now()")
    )


def guesses(tab, assignment):
    return tab.served.events("SourceGuessed", assignment)


def test_the_question_comes_after_the_grade_and_is_answered_by_keys(asked):
    assignment = asked.grade(4)
    expect(question(asked)).to_be_visible()
    expect(asked.page.get_by_test_id("submit")).to_have_text(re.compile("^Submitted"))
    expect(asked.answer).to_have_attribute("data-response", assignment)
    assert [subject for _, subject, _ in asked.served.grades_of(asked.name)] == [assignment]
    past_the_rush(asked)
    asked.press("2", "l", "Enter")
    asked.next_after(assignment)
    expect(question(asked)).to_have_count(0)
    (said,) = guesses(asked, assignment)
    assert (said["guess"], said["sure"]) == ("model", "leaning")
    assert asked.chosen_score() is None


def test_a_score_typed_in_a_rush_answers_nothing(asked):
    """Whoever types 4, Ctrl+Enter, 1, Ctrl+Enter, Enter without looking has said nothing of the writer."""
    assignment = asked.at_desk()
    asked.press("4", "Control+Enter")
    question(asked).wait_for()
    asked.press("1", "Enter", "Control+Enter", "Escape")
    past_the_rush(asked)
    expect(question(asked)).to_be_visible()
    asked.press("3", "Control+Enter", "Control+Enter")
    expect(question(asked)).to_be_visible()
    assert guesses(asked, assignment) == []
    asked.press("Escape")
    asked.next_after(assignment)
    assert guesses(asked, assignment) == []
    assert [body["score"] for _, _, body in asked.served.grades_of(asked.name)] == [4]


def test_enter_without_a_choice_says_what_is_missing(asked):
    assignment = asked.grade(4)
    question(asked).wait_for()
    past_the_rush(asked)
    asked.press("Enter")
    expect(asked.page.get_by_test_id("guess-problem")).to_contain_text("Choose one of the three")
    asked.page.get_by_test_id("guess-skip").click()
    asked.next_after(assignment)


def test_who_cannot_tell_is_not_asked_how_sure(asked):
    asked.grade(4)
    question(asked).wait_for()
    past_the_rush(asked)
    asked.press("1", "s", "3")
    expect(asked.page.get_by_test_id("sure-sure")).to_be_disabled()
    expect(asked.page.get_by_test_id("sure-sure")).not_to_be_checked()


def test_words_are_typed_as_words(asked):
    assignment = asked.grade(4)
    question(asked).wait_for()
    past_the_rush(asked)
    asked.page.get_by_test_id("guess-words").click()
    asked.page.keyboard.type("13 slips")
    expect(asked.page.get_by_test_id("guess-words")).to_have_value("13 slips")
    expect(asked.page.locator("input[data-testid^=guess-]:checked")).to_have_count(0)
    asked.page.get_by_test_id("guess-person").check()
    asked.page.get_by_test_id("guess-send").click()
    asked.next_after(assignment)
    (said,) = guesses(asked, assignment)
    assert said["sure"] is None
    assert said["note_hash"]


def test_a_reload_leaves_the_question_unanswered_for_good(asked):
    assignment = asked.grade(4)
    question(asked).wait_for()
    asked.page.reload()
    asked.next_after(assignment)
    expect(question(asked)).to_have_count(0)
    assert guesses(asked, assignment) == []


def test_a_guess_that_does_not_arrive_can_be_sent_again_and_is_one(asked):
    assignment = asked.grade(4)
    question(asked).wait_for()
    past_the_rush(asked)
    intercept(asked.page, "/desk/guess", lambda route: route.abort("connectionreset"), times=1)
    asked.press("1", "Enter")
    expect(asked.page.get_by_test_id("guess-problem")).to_contain_text("No connection")
    asked.press("Enter")
    asked.next_after(assignment)
    assert len(guesses(asked, assignment)) == 1


def test_a_correction_is_not_followed_by_the_question(asked):
    assignment = asked.grade(4)
    question(asked).wait_for()
    asked.page.get_by_test_id("guess-skip").click()
    asked.next_after(assignment)
    asked.open(f"/grade?correct={assignment}")
    asked.at_desk()
    asked.page.get_by_test_id("reason").fill("Misread.")
    asked.page.get_by_test_id("score-3").click()
    asked.page.get_by_test_id("submit").click()
    expect(asked.page).to_have_url(re.compile("/progress$"))


def test_the_flag_is_put_on_record_by_keys_and_the_draft_stays(grader):
    assignment = grader.at_desk()
    grader.press("5", "g")
    dialog = grader.page.get_by_role("dialog", name="The text gives its author away")
    expect(dialog).to_be_visible()
    grader.page.keyboard.type("2 marks of a model")
    grader.press("Control+Enter")
    expect(dialog).to_have_count(0)
    expect(grader.page.get_by_test_id("flag-author")).to_contain_text("noted")
    assert grader.chosen_score() == "score-5"
    grader.press("g")
    expect(dialog).to_have_count(0)
    assert len(grader.served.events("AuthorGivenAway", assignment)) == 1
    wait_until(lambda: grader.served.drafts_of(grader.name).get(assignment))
    grader.page.reload()
    expect(grader.page.get_by_test_id("flag-author")).to_contain_text("noted")
    assert grader.chosen_score() == "score-5"


def test_the_flag_stands_in_a_correction_too(grader):
    assignment = grader.grade(4)
    grader.next_after(assignment)
    grader.open(f"/grade?correct={assignment}")
    grader.at_desk()
    grader.press("g")
    grader.page.get_by_test_id("flag-send").click()
    expect(grader.page.get_by_test_id("flag-author")).to_contain_text("noted")
    assert len(grader.served.events("AuthorGivenAway", assignment)) == 1
