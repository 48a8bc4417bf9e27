"""Words attached to points, errors and gaps: what is chosen on the screen is what is recorded."""

import pytest
from evidence_workspace import PROSE, SCRIPTS
from playwright.sync_api import expect

from grader_app.domain.score_range import ScoreRange
from grader_app.domain.tally import departs
from grader_app.workflow.evidence import Places

pytestmark = pytest.mark.browser


def stored_text(served, assignment):
    (row,) = served.rows(
        "SELECT k.body FROM assignment a JOIN response r ON r.id = a.response_id "
        "JOIN kept_text k ON k.hash = r.text_hash WHERE a.id = ?",
        assignment,
    )
    return row["body"]


def last_grade(served, name, assignment):
    return [body for _, subject, body in served.grades_of(name) if subject == assignment][-1]


def send_correction(tab, assignment):
    tab.page.get_by_test_id("reason").fill("Words attached.")
    tab.press("Control+Enter")
    tab.page.wait_for_url("**/progress")
    return last_grade(tab.served, "grader-1", assignment)


def quotes(tab):
    return tab.page.locator(".quotes q")


def test_words_chosen_by_keys_are_recorded_with_the_point_they_show(grader):
    assignment = grader.at_desk()
    grader.press("j", "w", "ArrowDown", "Shift+ArrowDown", "v")
    expect(quotes(grader)).to_have_count(1)
    assert grader.painted("point") == 1
    grader.press("Escape", "4", "Control+Enter")
    grader.next_after(assignment)
    body = last_grade(grader.served, grader.name, assignment)
    (one,) = body["highlights"]
    assert (one["of"], [one["id"]]) == ("point", body["points"])
    words = stored_text(grader.served, assignment)[one["start"] : one["end"]]
    assert words
    assert words == words.strip()
    assert grader.painted("point") == 0


def test_words_in_every_script_are_the_stored_words_and_come_back(corrector, evidence):
    tab = corrector("scripts")
    chosen = [("Kläger", "Recht."), ("🙂", "She"), ("wins", "は勝つ"), ("له", "شيء")]
    for first, last in chosen:
        tab.select(first, last)
        tab.press("Shift+V")
        tab.page.get_by_test_id("attach-point-permit.rule").click()
    expect(quotes(tab)).to_have_count(len(chosen))
    body = send_correction(tab, evidence.answers["scripts"])
    found = [SCRIPTS[one["start"] : one["end"]] for one in body["highlights"]]
    assert found == [SCRIPTS[SCRIPTS.index(a) : SCRIPTS.index(b) + len(b)] for a, b in chosen]
    again = corrector("scripts")
    expect(quotes(again)).to_have_count(len(chosen))
    draft = again.page.locator("q").first.inner_text()
    assert draft == "Kläger hat Recht."
    again.press("4")
    expect(again.saved).to_contain_text("changed since submission, not confirmed; kept")
    kept = again.served.drafts_of("grader-1")[evidence.answers["scripts"]]["highlights"]
    places = Places(SCRIPTS)
    assert [places.to_stored(one["start"], one["end"]) for one in kept] == [
        (one["start"], one["end"]) for one in body["highlights"]
    ]
    again.page.get_by_test_id("leave").click()
    again.page.wait_for_url("**/progress")


def test_unticking_takes_the_words_off_until_they_are_put_back(grader):
    assignment = grader.at_desk()
    grader.press("j", "w", "v")
    point = grader.page.locator("input[data-testid^=point-]").first
    expect(point).to_be_checked()
    point.uncheck()
    expect(quotes(grader)).to_have_count(0)
    assert grader.painted("point") == 0
    grader.page.get_by_role("button", name="Put back").click()
    expect(point).to_be_checked()
    expect(quotes(grader)).to_have_count(1)
    grader.draft_saved()
    grader.page.reload()
    assert grader.at_desk() == assignment
    expect(quotes(grader)).to_have_count(1)
    grader.page.get_by_role("button", name="Remove:").click()
    grader.press("Control+z")
    expect(quotes(grader)).to_have_count(1)


def test_errors_and_gaps_take_words_and_each_is_drawn_in_its_own_way(corrector, evidence):
    tab = corrector("rule")
    tab.select("only for a stated")
    tab.button("An error").click()
    tab.page.get_by_test_id("attach-error_type-rule-misstated").click()
    expect(tab.page.get_by_test_id("error-rule-misstated")).to_be_checked()
    tab.select("So the refusal")
    tab.button("A gap").click()
    tab.press("Enter")
    expect(tab.page.get_by_test_id("gap-prediction-only")).to_be_checked()
    assert (tab.painted("error"), tab.painted("gap"), tab.painted("point")) == (1, 1, 0)
    body = send_correction(tab, evidence.answers["rule"])
    assert [(one["of"], PROSE[one["start"] : one["end"]]) for one in body["highlights"]] == [
        ("error_type", "only for a stated"),
        ("analysis_gap", "So the refusal"),
    ]
    assert body["error_types"] == ["rule-misstated"]


def test_the_tally_beside_the_score_is_the_one_the_program_computes(corrector):
    tab = corrector("prose")
    worth = {"permit.rule": 35, "permit.application": 35, "appeal.rule": 30}
    ticked = []
    for point in worth:
        tab.page.get_by_test_id(f"point-{point}").check()
        ticked.append(point)
        percent = sum(worth[one] for one in ticked)
        tallied = 6 * percent / 100
        found = tab.page.get_by_test_id("found")
        expect(found).to_contain_text(f"Points found {len(ticked)} of 3 ({percent} % by weight)")
        expect(found).to_contain_text(f"about {tallied:.1f}")
        for score in range(7):
            tab.page.get_by_test_id(f"score-{score}").click()
            asked = tab.page.get_by_test_id("tally-question").inner_text() != ""
            assert asked == departs(score, tallied, ScoreRange(0, 6, 1)), (score, tallied)
    tab.page.get_by_test_id("score-2").click()
    expect(tab.page.get_by_test_id("tally-question")).to_contain_text("Is something ticked too many")
    tab.page.get_by_test_id("tally-dismiss").click()
    tab.page.get_by_test_id("score-1").click()
    expect(tab.page.get_by_test_id("tally-question")).to_be_empty()
    tab.page.get_by_test_id("leave").click()
    tab.page.wait_for_url("**/progress")


def test_a_browser_that_cannot_color_words_draws_boxes_behind_them(new_tab, panel, graders):
    tab = new_tab(panel)
    tab.page.add_init_script("delete window.Highlight; delete CSS.highlights;")
    tab.enter(next(graders), "/grade").at_desk()
    tab.press("j", "w", "v", "Escape")
    expect(tab.page.locator(".box-point").first).to_be_visible()
