"""The sample panel's own calibration: training, a packet ranked and scored, a second where one failed."""

from __future__ import annotations

import random
from collections.abc import Mapping

from grader_app.domain.grade import GradeEntry
from grader_app.domain.ids import new_id
from grader_app.domain.qualification import next_set_or_none
from grader_app.sample.content import IntendedGrade
from grader_app.sample.simulated_panel import PassingClock, SimulatedGrader, judgment
from grader_app.workflow.calibration import begin, own_attempt, submit_order
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.qualification import enabled_graders, let_grade, standing_of
from grader_app.workflow.training import complete_training, see_material, training_of
from grader_app.workflow.workbench import Workbench

NO_SET = "No calibration set comes with the sample for this question."
DEMONSTRATION = "Demonstration account, let in so that the desk can be tried at once."
STOPPED = "Simulated grader who did not pass the sample's packets; kept so that the figures show one."
"""Reasons for which the sample lets somebody grade; its exports print them."""


def calibrate_panel(
    bench: Workbench, panel: Mapping[str, SimulatedGrader], lead_id: str, clock: PassingClock
) -> None:
    """Let each simulated grader calibrate where there is a set, and let the others in with a reason."""
    for item in bench.material().items:
        for account_id, grader in panel.items():
            while _may_try(bench, account_id, item):
                _attempt(bench, account_id, grader, item, clock)
    let_rest_in(bench, lead_id)


def let_rest_in(bench: Workbench, lead_id: str) -> None:
    """Let in whoever has not qualified, each with the reason that holds."""
    for item in bench.material().items:
        for account in enabled_graders(bench):
            standing = standing_of(bench, account.account_id, item).qualification
            if standing.may_grade:
                continue
            reason = (
                NO_SET if standing.status == "no_set" else STOPPED if account.simulated else DEMONSTRATION
            )
            let_grade(bench, lead_id, account.account_id, item, reason)


def _may_try(bench: Workbench, account_id: str, item: str) -> bool:
    if standing_of(bench, account_id, item).may_grade:
        return False
    with bench.record() as record:
        return next_set_or_none(record, account_id, item) is not None


def _attempt(
    bench: Workbench, account_id: str, grader: SimulatedGrader, item: str, clock: PassingClock
) -> None:
    training = training_of(bench, account_id, item)
    for name in training.unseen:
        clock.passes(240)
        see_material(bench, account_id, item, name)
    complete_training(bench, account_id, item)
    attempt_id = begin(bench, account_id, item)
    attempt = own_attempt(bench, account_id, attempt_id)
    papers = {paper.essay: paper for paper in bench.kept_packet(attempt.set_hash).papers}
    with bench.record() as record:
        essays = {
            a: record.calibration.papers[record.assignments[a].response_id].essay
            for a in attempt.assignment_ids
        }
    seen = {
        a: (papers[essays[a]].score or 0)
        + random.Random(f"{grader.name}:{attempt.set_id}:{essays[a]}:rank").gauss(0, grader.noise)
        for a in attempt.assignment_ids
    }
    best_first = sorted(seen, key=lambda a: -seen[a])
    clock.passes(len(seen) * 60)
    state = {"piles": [{"label": "", "groups": [[a] for a in best_first]}]}
    submit_order(bench, account_id, attempt_id, state, token=new_id("t"))
    rubric = bench.material().rubrics[item]
    for a in attempt.assignment_ids:
        paper = papers[essays[a]]
        draw = random.Random(f"{grader.name}:{attempt.set_id}:{paper.essay}:score")
        seconds = draw.uniform(90, 240)
        clock.passes(seconds)
        deserves = IntendedGrade(paper.score, GradeEntry(score=paper.score, points=paper.points))
        entry = judgment(grader, deserves, rubric, draw)
        submit_grade(bench, account_id, a, entry, token=new_id("t"), seconds_spent=seconds)


def validity_papers(bench: Workbench) -> dict[str, tuple[str, IntendedGrade]]:
    """Give each validity paper's name and what it deserves, by response id, for `grade_everything`."""
    found = {}
    with bench.record() as record:
        for paper in record.calibration.papers.values():
            packet = bench.kept_packet(paper.set_hash)
            if packet.set.purpose == "validity":
                made = packet.find_paper(paper.essay)
                entry = GradeEntry(score=made.score, points=made.points)
                found[paper.response_id] = (f"{paper.set_id}:{paper.essay}", IntendedGrade(made.score, entry))
    return found
