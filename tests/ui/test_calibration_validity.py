"""Calibration, validity papers: how many are left, and which answers become some."""

import pytest
from calibration_drawn import LEAD, account_id, cells, click, events, fill
from drawn_pages import says
from finished_packets import (
    PLATES,
    add_person,
)

from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Assignment
from grader_app.store.assignments import reads_of
from grader_app.ui.lead_pages.calibration_validity import warning_of
from grader_app.workflow.assignment import deal, record_deal
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.monitoring import ValidityLeft


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


def test_validity_papers_are_counted_for_each_grader(lead):
    bench, grader_id = lead.bench, account_id(lead.bench, "grader-1")
    kinds = [
        row["n"]
        for row in bench.store.rows(
            "SELECT count(*) AS n FROM assignment WHERE grader_id = ? AND item = ? AND kind = 'validity'",
            (grader_id, PLATES),
        )
    ]
    (planted,) = kinds
    row = next(
        r for r in cells(lead.draw(LEAD, part="Validity papers"), "Still needed") if r[0] == "grader-1"
    )
    # The shipped set has 15, and nothing is left to deal.
    assert row == ["grader-1", "0", str(planted), str(15 - planted), "0"]


@pytest.mark.parametrize(
    ("unused", "needed", "warning", "said"),
    [
        (3, 0, "", ""),
        (2, 0, "", "Ruth has 2 unused validity papers left"),
        (1, 0, "", "Ruth has 1 unused validity paper left"),
        (1, 4, "Ruth's validity papers will run out.", "Ruth's validity papers will run out."),
    ],
)
def test_a_supply_below_three_is_said_to_be_low(lead, unused, needed, warning, said):
    account = add_person(lead.bench, lead.bench.cli_actor("tests"), "Ruth")
    found = warning_of(ValidityLeft(account, unused, needed, 0, warning))
    assert found.startswith(said)
    assert bool(found) == bool(said)


def test_a_round_without_validity_papers_says_how_to_plant_some(panel):
    app = panel.person.draw(LEAD, part="Validity papers")
    assert says(app, "To plant some, write `validity_paper_every` under `checks`")
    assert says(app, "None yet. It takes 3 readers of one answer")


def test_an_answer_that_three_read_alike_is_shown_and_promoted_with_a_reason(panel):
    bench, person = panel.bench, panel.person
    app = person.draw(LEAD)
    fill(app, "Reason", "They are let in for a test.")
    click(app, "Let all 3 grade")
    deal(bench, panel.actor)
    dealt = panel.queue(panel.graders[0])[0]
    further = [g for g in panel.graders if g.account_id != dealt.grader_id]
    for number, grader in enumerate(further, start=2):
        one = Assignment(f"a{number}", dealt.response_id, "mee-barge", grader.account_id, 90, number)
        with bench.store.write() as connection:
            record_deal(bench, connection, panel.actor, "mee-barge", grader.account_id, [one])
    for read in reads_of(bench.store, dealt.response_id):
        submit_grade(bench, read.grader_id, read.assignment_id, GradeEntry(score=4), token=read.assignment_id)
    app = person.draw(LEAD, part="Validity papers")
    assert cells(app, "Readers")[1:] == [[dealt.response_id, "4", "3", "4"]]
    assert says(app, "to mee-barge.")
    app = click(app, "Make it a validity paper with reference 4")
    assert says(app, "needs a reason")
    fill(app, "Why it makes a good check", "Nobody hesitated.")
    app = click(app, "Make it a validity paper with reference 4")
    assert says(app, f"{dealt.response_id} is a validity paper now, planted from the next deal on.")
    assert events(bench, "PaperPromoted")[-1].subject == dealt.response_id
    assert says(app, "1 answer serves as a validity paper already.")
