"""From the sign-in to a verified export, as people do it."""

import re
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import expect
from served_workspace import run_command

pytestmark = pytest.mark.browser


def count_live(workspace, assignments):
    marks = ", ".join("?" * len(assignments))
    with closing(sqlite3.connect(workspace / "workbench.db")) as connection:
        sql = f"SELECT count(*) FROM assignment WHERE kind = 'live' AND id IN ({marks})"
        return connection.execute(sql, assignments).fetchone()[0]


def test_a_grade_travels_from_the_desk_into_a_verified_export(own_panel, new_tab):
    grader = new_tab(own_panel).open("/grade")
    expect(grader.page).to_have_url(re.compile(r"/sign-in\?goes_to=/grade$"))
    grader.fill_sign_in("grader-1")
    expect(grader.page).to_have_url(own_panel.url + "/grade")

    # The first by keys alone.
    first = grader.at_desk()
    grader.press("j", "x", "4")
    assert grader.chosen_score() == "score-4"
    grader.press("Control+Enter")
    second = grader.next_after(first)
    # The second by clicks alone.
    grader.page.get_by_test_id("score-2").click()
    grader.note.fill("Misses the second issue.")
    grader.page.get_by_test_id("submit").click()
    third = grader.next_after(second)
    # The third by both.
    grader.page.get_by_test_id("score-5").click()
    grader.press("Control+Enter")
    grader.next_after(third)
    assert [(kind, subject, body["score"]) for kind, subject, body in own_panel.grades_of("grader-1")] == [
        ("GradeSubmitted", first, 4),
        ("GradeSubmitted", second, 2),
        ("GradeSubmitted", third, 5),
    ]
    assert len(own_panel.grades_of("grader-1")[0][2]["points"]) == 1
    assert own_panel.grades_of("grader-1")[1][2]["note_hash"]

    # A correction, from the list of one's own grades, with a reason.
    grader.open("/progress")
    row = grader.page.get_by_role("row").filter(has_text=second)
    row.get_by_role("link", name="Correct").click()
    expect(grader.answer).to_have_attribute("data-response", second)
    assert grader.chosen_score() == "score-2"
    expect(grader.note).to_have_value("Misses the second issue.")
    grader.page.get_by_test_id("score-3").click()
    grader.page.get_by_test_id("submit").click()
    expect(grader.problem).to_contain_text("why you correct it")
    grader.page.get_by_test_id("reason").fill("I overlooked the last paragraph.")
    grader.page.get_by_test_id("submit").click()
    expect(grader.page).to_have_url(own_panel.url + "/progress")
    expect(grader.page.get_by_role("row").filter(has_text=second)).to_contain_text("corrected 1 time")
    kind, subject, body = own_panel.grades_of("grader-1")[-1]
    assert (kind, subject, body["score"]) == ("GradeCorrected", second, 3)

    # The lead sees the grader's answers in the agreement figures; a planted check among them is no answer.
    live = count_live(own_panel.workspace, (first, second, third))
    assert live >= 2
    lead = new_tab(own_panel).enter("lead", "/agreement")
    lead.heading("Graders").wait_for()
    lead.page.evaluate("document.querySelectorAll('details:not([open]) > summary').forEach((s) => s.click())")
    own = lead.page.get_by_role("row").filter(has=lead.page.get_by_text("grader-1", exact=True))
    own = own.first.get_by_role("cell")
    expect(own.nth(1)).to_have_text(str(live))

    # And writes an export, which verifies anywhere.
    lead.open("/scores")
    lead.button("Write an export").click()
    said = lead.page.get_by_text("Written and verified:")
    said.wait_for()
    folder = own_panel.workspace / "exports" / said.inner_text().rpartition(" ")[2]
    done = run_command("verify", folder)
    assert done.returncode == 0
    grades = (folder / "grades.csv").read_text(encoding="utf-8")
    assert "I overlooked" not in grades
    assert "I overlooked" not in (folder / "events.jsonl").read_text(encoding="utf-8")
    with lead.page.expect_download() as download:
        lead.page.get_by_role("link", name="Download").first.click()
    assert download.value.suggested_filename == f"{folder.name}.zip"
