"""How tests bring a grader through a packet, and make a panel that has references of its own to make."""

from collections.abc import Callable
from pathlib import Path

from small_workspace import make_workspace

from grader_app.domain.grade import GradeEntry
from grader_app.domain.ids import new_id
from grader_app.domain.panel import Role
from grader_app.workflow import accounts
from grader_app.workflow.calibration import begin, begin_exercise, own_attempt, submit_order
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.registration import register_files
from grader_app.workflow.training import complete_training, see_material, training_of

PLATES = "mee-sale-of-goods"
PANEL_SET = """\
format: calibration_set/1
id: barge-panel
version: "1"
title: The barge, by the panel
item: mee-barge
point_sheet_version: "1"
purpose: qualify
reference: panel
origin: panel
papers: 5
judged_papers: 5
"""


def train(bench, grader_id, item=PLATES):
    """Open every material and say so."""
    for name in training_of(bench, grader_id, item).unseen:
        see_material(bench, grader_id, item, name)
    complete_training(bench, grader_id, item)


def papers_of(bench, grader_id, attempt_id):
    """Give the set's paper by assignment id, in the grader's own order."""
    attempt = own_attempt(bench, grader_id, attempt_id)
    packet = bench.kept_packet(attempt.set_hash)
    with bench.record() as record:
        names = {
            a: record.calibration.papers[record.assignments[a].response_id].essay
            for a in attempt.assignment_ids
        }
    return {a: packet.find_paper(name) for a, name in names.items()}


def as_reference(paper) -> GradeEntry:
    """Judge a paper as its set does."""
    return GradeEntry(score=paper.score, points=paper.points, condition_code=paper.condition_code)


def begin_packet(bench, grader_id, item=PLATES):
    train(bench, grader_id, item)
    return begin(bench, grader_id, item)


def rank(bench, grader_id, attempt_id, best_first):
    state = {"piles": [{"label": "", "groups": [[a] for a in best_first]}]}
    submit_order(bench, grader_id, attempt_id, state, token=new_id("t"))


def finish_packet(bench, grader_id, judge: Callable = as_reference, item=PLATES):
    """Rank the next packet as the reference does and score it; give the attempt's id."""
    attempt_id = begin_packet(bench, grader_id, item)
    papers = papers_of(bench, grader_id, attempt_id)
    rank(bench, grader_id, attempt_id, sorted(papers, key=lambda a: (-papers[a].score, papers[a].essay)))
    for a, paper in papers.items():
        submit_grade(bench, grader_id, a, judge(paper), token=new_id("t"))
    return attempt_id


def finish_exercise(bench, grader_id, judge: Callable, item=PLATES):
    train(bench, grader_id, item)
    attempt_id = begin_exercise(bench, grader_id, item)
    for a, paper in papers_of(bench, grader_id, attempt_id).items():
        submit_grade(bench, grader_id, a, judge(paper), token=new_id("t"))
    return attempt_id


def score_panel_packet(bench, grader_id, scores):
    """Rank and score a packet of live answers: `scores` in the order of the answers' ids."""
    attempt_id = begin_packet(bench, grader_id, "mee-barge")
    attempt = own_attempt(bench, grader_id, attempt_id)
    with bench.record() as record:
        ordered = sorted(attempt.assignment_ids, key=lambda a: record.assignments[a].response_id)
    given = dict(zip(ordered, scores, strict=True))
    rank(bench, grader_id, attempt_id, sorted(ordered, key=lambda a: (-(given[a] or 0), a)))
    for a in attempt.assignment_ids:
        entry = GradeEntry(condition_code="blank") if given[a] is None else GradeEntry(score=given[a])
        submit_grade(bench, grader_id, a, entry, token=new_id("t"))
    return attempt_id


def add_person(bench, actor, name, role=Role.GRADER):
    """Add an account that can sign in at once."""
    account, _ = accounts.add_account(bench, actor, name, role)
    accounts.reset_password(bench, actor, account, chosen="three plain words")
    return account


def panel_workspace(folder: Path, *, graders=3, answers=12):
    """Make a small workspace whose panel makes its own references, with a lead; nothing is dealt yet."""
    made = make_workspace(folder, graders=graders, answers=answers, dealt=False, qualification="required")
    place = folder / "calibration_sets" / "barge-panel"
    place.mkdir(parents=True)
    (place / "calibration_set.yaml").write_text(PANEL_SET, "utf-8")
    register_files(made.bench, made.actor)
    add_person(made.bench, made.actor, "lead", Role.LEAD)
    return made
