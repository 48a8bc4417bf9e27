from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from checked_workspace import make_checked, of_kind
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import ReadKind, Role
from grader_app.workflow.accounts import add_account
from grader_app.workflow.adjudication import open_disputes
from grader_app.workflow.disputes import disputes
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.progress import (
    PlantedChecks,
    all_accounts,
    grader_progress,
    item_progress,
    panel_progress,
    planted_checks,
)


def test_a_graders_answers_are_done_left_or_with_the_lead(make: Callable[..., SmallWorkspace]) -> None:
    small = make(answers=10)
    grader = small.graders[0]
    queue = small.queue(grader)
    for dealt, seconds in zip(queue[:3], (100, None, 300), strict=True):
        small.submit(dealt, seconds_spent=seconds)
    refer_to_lead(small.bench, grader.account_id, queue[3].assignment_id, "other", token="t")
    (row,) = grader_progress(small.bench, grader.account_id)
    assert (row.item, row.done, row.left, row.with_lead) == ("mee-barge", 3, 1, 1)
    assert (row.median_seconds, row.closed) == (200, False)
    close_item(small.bench, small.actor, "mee-barge")
    (row,) = grader_progress(small.bench, grader.account_id)
    assert (row.done, row.left, row.closed) == (3, 0, True)


def test_nothing_graded_has_no_median_and_nothing_dealt_no_row(small: SmallWorkspace) -> None:
    (row,) = grader_progress(small.bench, small.graders[0].account_id)
    assert row.median_seconds is None
    assert grader_progress(small.bench, small.add_grader("late").account_id) == []


def test_every_answer_of_an_item_is_in_exactly_one_stage(make: Callable[..., SmallWorkspace]) -> None:
    small = make(answers=6, reading="reads: 2")
    first, second = ({dealt.response_id: dealt for dealt in small.queue(grader)} for grader in small.graders)
    final, disputed, coded, half = list(first)[:4]
    blank = GradeEntry(condition_code="blank")
    for response_id, one, other in (
        (final, GradeEntry(score=4), GradeEntry(score=5)),
        (disputed, GradeEntry(score=1), GradeEntry(score=5)),
        (coded, blank, blank),
        (half, GradeEntry(score=0), None),
    ):
        small.submit(first[response_id], entry=one)
        if other is not None:
            small.submit(second[response_id], entry=other)
    late = small.take_in("mee-barge", 3)
    small.append(EventKind.ANSWERS_WITHDRAWN, "mee-barge", response_ids=late[:1])
    rows = {row.item: row for row in item_progress(small.bench)}
    barge = rows["mee-barge"]
    assert (barge.answers, barge.undealt, barge.waiting) == (8, 2, 3)
    assert (barge.final, barge.disputed, barge.coded) == (1, 1, 1)
    assert barge.undealt + barge.waiting + barge.final + barge.disputed + barge.coded == barge.answers
    assert rows["rule-ferry"].answers == 0


def test_what_had_no_final_score_when_sources_were_revealed_waits_for_nobody(
    make: Callable[..., SmallWorkspace],
) -> None:
    small = make(answers=6, reading="reads: 2")
    first, second = ({dealt.response_id: dealt for dealt in small.queue(grader)} for grader in small.graders)
    final, disputed, half = list(first)[:3]
    for response_id, one, other in ((final, 4, 5), (disputed, 1, 5), (half, 3, None)):
        small.submit(first[response_id], one)
        if other is not None:
            small.submit(second[response_id], other)
    small.append(EventKind.SOURCES_REVEALED, "x", response_ids=[final, disputed, half])
    barge = next(row for row in item_progress(small.bench) if row.item == "mee-barge")
    assert (barge.final, barge.disputed, barge.undecided, barge.revealed) == (1, 0, 2, 3)
    assert barge.final + barge.undecided + barge.waiting == barge.answers
    assert open_disputes(small.bench) == ([], [])
    assert [(one.response_id, one.revealed) for one in disputes(small.bench)] == [(disputed, True)]


def test_the_panel_is_its_graders_by_name_without_the_leads(small: SmallWorkspace) -> None:
    add_account(small.bench, small.actor, "Ann", Role.LEAD)
    add_account(small.bench, small.actor, "ash", Role.GRADER, simulated=True)
    names = [account.shown_name for account, _ in panel_progress(small.bench)]
    assert names == ["ash (simulated)", "grader-1", "grader-2"]
    assert [account.name for account in all_accounts(small.bench)] == ["Ann", "ash", "grader-1", "grader-2"]


def test_a_leads_figures_can_leave_out_the_checks_that_graders_see_in_their_sums(tmp_path: Path) -> None:
    small = make_checked(tmp_path / "w", graders=2, answers=60)
    grader = small.graders[0]
    checks = of_kind(small, grader, ReadKind.VALIDITY) + of_kind(small, grader, ReadKind.REPEAT)
    live = of_kind(small, grader, ReadKind.LIVE)
    for dealt in (*checks[:2], *live[:5]):
        small.submit(dealt, 4)
    (row,) = grader_progress(small.bench, grader.account_id)
    found = planted_checks(small.bench)[grader.account_id]
    assert found == PlantedChecks(2, len(checks) - 2)
    assert (row.done - found.done, row.left - found.left) == (5, len(live) - 5)
    close_item(small.bench, small.actor, "mee-barge")
    assert planted_checks(small.bench)[grader.account_id] == PlantedChecks(2, 0)
