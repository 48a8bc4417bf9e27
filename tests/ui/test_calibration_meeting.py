"""Calibration, meeting: the papers that readers judged differently."""

import re
from dataclasses import replace

import pytest
from calibration_drawn import LEAD, cells, click, plain
from drawn_pages import says
from finished_packets import (
    PLATES,
    score_panel_packet,
)

from grader_app.ui.lead_pages.calibration_meeting import _from_reference
from grader_app.workflow.feedback import meeting_of
from grader_app.workflow.progress import all_accounts


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


def test_the_meeting_shows_readers_as_letters_and_no_name(lead):
    app = lead.draw(LEAD, part="Meeting")
    assert not app.exception
    heading, *rows = cells(app, "most differently read first")
    assert (heading[:2], heading[-1]) == (["Paper", "Reference"], "Apart")
    assert re.fullmatch("[A-Z]{4}", "".join(heading[2:-1]))
    assert len(rows) == 30
    said = plain(app)
    for account in all_accounts(lead.bench):
        if account.simulated:
            assert account.name not in said
            assert account.account_id not in said


def test_papers_of_the_meeting_come_by_how_far_the_readers_are_apart(lead):
    rows = cells(lead.draw(LEAD, part="Meeting"), "most differently read first")[1:]
    shown = []
    for row in rows:
        scores = [float(cell) for cell in row[2:6] if cell.isdigit()]
        code = len(scores) < 4
        assert row[6] == ("a code" if code else f"{max(scores) - min(scores):g}")
        shown.append(float("inf") if code else max(scores) - min(scores))
    assert shown == sorted(shown, reverse=True)
    assert shown[0] > shown[-1]


def test_the_paper_discussed_shows_text_reason_and_who_share_each_contested_point(lead):
    bench = lead.bench
    with bench.record() as record:
        attempts = [a for a in record.calibration.attempts.values() if a.set_id == f"{PLATES}-a"]
        ticks = {}
        for attempt in attempts:
            for a in attempt.assignment_ids:
                essay = record.calibration.papers[record.assignments[a].response_id].essay
                ticks.setdefault(essay, []).append(set(record.check_grades[a].points))
    packet = bench.kept_packet(attempts[0].set_hash)
    app = lead.draw(LEAD, part="Meeting")
    box = next(one for one in app.selectbox if one.label == "Paper to discuss")
    first, second = box.options[:2]
    assert box.value == first
    app = click(app, "Next paper")
    assert next(one for one in app.selectbox if one.label == "Paper to discuss").value == second
    paper = packet.find_paper(second)
    said = plain(app)
    assert " ".join(paper.rationale.split()) in said
    assert " ".join(paper.text.split()) in said
    sheet = bench.material().item(PLATES).sheet
    points = {point.id: f"{sheet.numbers[point.id]} {point.text}" for point in sheet.points}
    counts = {p: sum(p in one for one in ticks[second]) for p in points}
    contested = {p: n for p, n in counts.items() if 0 < n < len(attempts)}
    rows = cells(app, "Point on which the readers differ")[1:]
    assert {row[0].rpartition(" (")[0]: row[1] for row in rows} == {
        points[p]: f"{n} of {len(attempts)}" for p, n in contested.items()
    }


def test_one_grader_alone_and_nobody_at_all_are_states_of_the_meeting(panel):
    app = panel.person.draw(LEAD, part="Meeting")
    assert says(app, "Nobody has finished a packet of this question yet.")
    panel.person.draw(LEAD, part="Panel's own references")
    click(panel.person.draw(LEAD, part="Panel's own references"), "Draw the packets")
    score_panel_packet(panel.bench, panel.graders[0].account_id, [4, 3, 5, 2, 1])
    app = panel.person.draw(LEAD, part="Meeting")
    assert not app.exception
    assert says(app, "With one reader there is nothing to compare but the reference.")
    app = panel.person.draw(LEAD)
    assert says(app, "Only one grader has ranked the papers, so rankings cannot be compared.")


def test_with_one_reader_the_papers_furthest_from_the_reference_come_first(lead):
    bench = lead.bench
    with bench.record() as record:
        one = next(a for a in record.calibration.attempts.values() if a.set_id == f"{PLATES}-a")
    papers = meeting_of(bench, one.set_id)
    alone = [
        replace(paper, given=dict([next(iter(sorted(paper.given.items())))]), apart=0.0) for paper in papers
    ]
    ordered = sorted(alone, key=lambda paper: -_from_reference(paper))
    off = [abs(float(p.reference) - float(*p.given.values())) for p in ordered if p.reference.isdigit()]
    assert off == sorted(off, reverse=True)
    assert off[0] > 0
    blank = replace(alone[0], reference="4", given={"Reader A": "blank"})
    assert _from_reference(blank) == float("inf")
    assert _from_reference(replace(blank, reference="blank")) == 0
    assert _from_reference(replace(blank, reference="\N{EN DASH}")) == 0
