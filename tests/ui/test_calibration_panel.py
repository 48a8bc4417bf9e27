"""Calibration, panel: how each grader went, and whom the lead lets in."""

import re

import pytest
from calibration_drawn import LEAD, account_id, cells, click, events, fill, make_a_ruling, one_below, title_of
from drawn_pages import says
from finished_packets import (
    PLATES,
    add_person,
    begin_packet,
    finish_packet,
    papers_of,
    rank,
)

from grader_app.domain.grade import GradeEntry
from grader_app.ui.lead_pages.calibration_panel import _apart
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.monitoring import pause
from grader_app.workflow.qualification import standing_of


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


def test_each_grader_has_a_row_with_how_it_went_and_where_it_stands(lead):
    bench = lead.bench
    finish_packet(bench, account_id(bench, "grader-1"), one_below)
    add_person(bench, bench.cli_actor("tests"), "Ruth Alder")
    app = lead.draw(LEAD)
    assert not app.exception
    heading, *rows = cells(app, "Materials read")
    by_name = {row[0]: dict(zip(heading, row, strict=True)) for row in rows}
    assert {"ash (simulated)", "grader-1", "Ruth Alder"} <= set(by_name)
    mine = by_name["grader-1"]
    assert mine["Attempt"].split() == ["1", "of", "2"]
    assert mine["Scored"].split() == ["30", "of", "30"]
    # Of the four conditions only severity fails: 1.00 where the set allows less.
    assert re.fullmatch(
        r"not qualified: points from the reference 1\.00 \(at most 0\.\d\d\)", mine["Outcome"]
    )
    assert mine["Kind"] == "severe, 1 point below"
    assert mine["Live grading"].startswith("open: let in by a lead before this packet (Demonstr")
    assert by_name["Ruth Alder"]["Live grading"] == "closed: calibration to be done"
    assert by_name["Ruth Alder"]["Outcome"] == "\N{EN DASH}"
    assert by_name["ash (simulated)"]["Live grading"] == "open: qualified"
    assert says(app, "a program ranked and scored for them")
    assert says(app, "5 of 6 graders may grade this question live, 1 of them without having qualified.")


def test_how_far_the_rankings_agree_is_kendalls_w(lead):
    bench = lead.bench
    with bench.record() as record:
        ranked = [a for a in record.calibration.attempts.values() if a.set_id == f"{PLATES}-a"]
        ranks = [{record.assignments[k].response_id: r for k, r in a.ranks.items()} for a in ranked]
    papers, m = sorted(ranks[0]), len(ranks)
    n = len(papers)
    sums = [sum(one[paper] for one in ranks) for paper in papers]
    # Without ties: W = 12 S / (m² (n³ - n)), S the squared deviations of the rank sums.
    w = 12 * sum((one - m * (n + 1) / 2) ** 2 for one in sums) / (m**2 * (n**3 - n))
    row = next(row for row in cells(lead.draw(LEAD), "Agreement") if "first packet" in row[0])
    assert row[1:4] == [str(m), "30", f"{w:.2f}"]


def test_figures_as_near_as_they_come_still_show_which_is_larger():
    assert _apart(0.9, 0.9, in_percent=True) == ("90.000 %", "90.000 %")
    assert _apart(0.6642, 0.7, in_percent=False) == ("0.66", "0.70")
    assert _apart(0.89999, 0.9, in_percent=True) == ("89.999 %", "90.000 %")


def test_a_lead_lets_somebody_grade_with_a_reason_only(lead):
    bench = lead.bench
    made = add_person(bench, bench.cli_actor("tests"), "Ruth Alder")
    before = len(events(bench, "QualificationOverridden"))
    app = lead.draw(LEAD)
    assert says(app, "Every export prints the reason. Write no name in it.")
    app = click(app, "Let this grader grade")
    assert says(app, "Choose a grader first.")
    next(box for box in app.selectbox if box.label == "Grader").set_value("Ruth Alder")
    app = click(app, "Let this grader grade")
    assert says(app, "needs a reason of 5 to 500 characters")
    assert len(events(bench, "QualificationOverridden")) == before
    next(box for box in app.selectbox if box.label == "Grader").set_value("Ruth Alder")
    fill(app, "Reason", "Graded this question last year.")
    app = click(app, "Let this grader grade")
    assert says(app, f"Ruth Alder may grade {title_of(bench, PLATES)} now.")
    event = events(bench, "QualificationOverridden")[-1]
    assert (event.subject, event.actor) == (made.account_id, lead.account.account_id)
    assert event.body["reason"] == "Graded this question last year."
    assert standing_of(bench, made.account_id, PLATES).may_grade


def test_a_reason_on_record_does_not_stand_in_the_form_for_the_next_grader(lead):
    bench = lead.bench
    for name in ("Ruth Alder", "Ida Birch"):
        add_person(bench, bench.cli_actor("tests"), name)
    app = lead.draw(LEAD)
    fill(app, "Reason", "no")
    next(box for box in app.selectbox if box.label == "Grader").set_value("Ruth Alder")
    app = click(app, "Let this grader grade")
    assert says(app, "needs a reason of 5 to 500 characters")
    assert reason_in(app) == "no"
    fill(app, "Reason", "Graded this question last year.")
    app = click(app, "Let this grader grade")
    assert says(app, "Ruth Alder may grade")
    assert reason_in(app) == ""
    next(box for box in app.selectbox if box.label == "Grader").set_value("Ida Birch")
    app = click(app, "Let this grader grade")
    assert says(app, "needs a reason of 5 to 500 characters")


def reason_in(app):
    return next(box for box in app.text_input if box.label == "Reason").value


def test_letting_all_grade_leaves_out_who_only_has_a_ruling_to_read(lead):
    bench = lead.bench
    new = {add_person(bench, bench.cli_actor("tests"), name).account_id for name in ("Ruth", "Tom")}
    make_a_ruling(lead)
    before = len(events(bench, "QualificationOverridden"))
    app = lead.draw(LEAD)
    fill(app, "Reason", "The examination is tomorrow.")
    app = click(app, "Let all 2 grade")
    assert says(app, f"2 graders may grade {title_of(bench, PLATES)} now.")
    let_in = events(bench, "QualificationOverridden")[before:]
    assert {event.subject for event in let_in} == new


def test_a_paused_grader_goes_on_when_the_lead_gives_a_reason(lead):
    bench, grader_id = lead.bench, account_id(lead.bench, "grader-1")
    assert not says(lead.draw(LEAD), "Let a paused grader go on")
    pause(bench, lead.account.account_id, grader_id, PLATES, "")
    app = lead.draw(LEAD)
    assert says(app, "1 is paused")
    next(box for box in app.selectbox if box.label == "Paused grader").set_value("grader-1")
    fill(app, "Reason to go on", "We have talked it over.")
    app = click(app, "Let go on")
    assert says(app, f"grader-1 can go on with {title_of(bench, PLATES)}.")
    assert standing_of(bench, grader_id, PLATES).may_grade


def test_a_packet_under_way_is_said_to_be_and_judged_nowhere(lead):
    bench, grader_id = lead.bench, account_id(lead.bench, "grader-1")
    attempt = begin_packet(bench, grader_id)
    row = next(row for row in cells(lead.draw(LEAD), "Materials read") if row[0] == "grader-1")
    assert row[3:7] == ["under way", "0\xa0of\xa030", "under way", "\N{EN DASH}"]
    papers = papers_of(bench, grader_id, attempt)
    rank(bench, grader_id, attempt, list(papers))
    submit_grade(bench, grader_id, next(iter(papers)), GradeEntry(score=3), token="one")
    row = next(row for row in cells(lead.draw(LEAD), "Materials read") if row[0] == "grader-1")
    assert row[3] != "under way"
    assert row[4:6] == ["1\xa0of\xa030", "under way"]


def test_a_question_without_a_set_says_what_to_do_in_every_part(lead):
    for part in ("Panel", "Meeting"):
        app = lead.draw(LEAD, item="mee-negligence", part=part)
        assert not app.exception
        assert says(app, f"No calibration set belongs to {title_of(lead.bench, 'mee-negligence')}. Put one")
    for part, words in (
        ("Rulings", "Every live grade was given under the version that stands"),
        ("Questions from graders", "No grader has questioned this point sheet."),
        ("Validity papers", "No set of validity papers belongs to this question"),
    ):
        app = lead.draw(LEAD, item="mee-negligence", part=part)
        assert not app.exception
        assert says(app, words)
    assert "Panel's own references" not in next(r for r in app.radio if r.label == "Part").options


def test_a_leave_is_taken_back_on_the_panel_part_and_leaves_the_list(lead):
    bench, grader_id = lead.bench, account_id(lead.bench, "grader-1")
    app = lead.draw(LEAD)
    assert says(app, "Let in without having qualified")
    app = click(app, "Take the leave back")
    assert says(app, "Choose a grader first.")
    next(box for box in app.selectbox if box.label == "Grader let in").set_value("grader-1")
    fill(app, "Reason to take it back", "Ask grader-1 why.")
    app = click(app, "Take the leave back")
    assert says(app, "The reason names grader-1; every export prints it. Write it without names.")
    next(box for box in app.selectbox if box.label == "Grader let in").set_value("grader-1")
    fill(app, "Reason to take it back", "The trial is over.")
    app = click(app, "Take the leave back")
    assert says(app, "The leave is taken back: grader-1 no longer grades this question live.")
    assert not standing_of(bench, grader_id, PLATES).may_grade
    assert not says(app, "Let in without having qualified")
