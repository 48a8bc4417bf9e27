from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Account, ReadKind, Role
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.export.folder import write_export
from grader_app.export.verify import verify_export
from grader_app.store.accounts import get_account_or_none
from grader_app.workflow.accounts import add_account
from grader_app.workflow.apprentices import apprentice_items, apprentices, end_apprenticeship
from grader_app.workflow.assignment import deal
from grader_app.workflow.grade_submission import correct_grade, refer_to_lead
from grader_app.workflow.live_grading import next_sheet_or_none, sheet_of
from grader_app.workflow.progress import grader_progress, item_progress, planted_checks
from grader_app.workflow.redealing import deal_left_behind
from grader_app.workflow.referrals import deal_to_another, open_referrals, other_graders, take_out


def add_apprentice(small: SmallWorkspace, name: str = "junior") -> Account:
    made, _ = add_account(small.bench, small.actor, name, Role.GRADER, apprentice=True)
    return made


@pytest.fixture
def taught(make: Callable[..., SmallWorkspace]) -> tuple[SmallWorkspace, Account]:
    """Two graders with six answers each, and an apprentice dealt to beside them."""
    small = make(answers=12, dealt=False, reading="reads: 1\nworkload: as_dealt")
    apprentice = add_apprentice(small)
    deal(small.bench, small.actor)
    return small, apprentice


def test_an_apprentice_is_dealt_answers_that_others_read_as_many_as_a_grader(taught) -> None:
    small, apprentice = taught
    queue = small.queue(apprentice)
    others = {one.response_id for grader in small.graders for one in small.queue(grader)}
    assert len(queue) == 6
    assert {one.kind for one in queue} == {ReadKind.APPRENTICE}
    assert {one.response_id for one in queue} <= others
    assert [one.position for one in queue] == list(range(1, 7))
    assert sum(len(small.queue(grader)) for grader in small.graders) == 12


def test_dealing_again_deals_an_apprentice_nothing_twice_and_a_late_one_a_share(taught) -> None:
    small, apprentice = taught
    deal(small.bench, small.actor)
    assert len(small.queue(apprentice)) == 6
    late = add_apprentice(small, "late")
    deal(small.bench, small.actor)
    assert len(small.queue(late)) == 6
    assert small.queue(late) != small.queue(apprentice)


@pytest.mark.parametrize("percent", [0, 10, 50])
def test_the_round_says_how_much_an_apprentice_reads(make, percent: int) -> None:
    small = make(answers=12, dealt=False, reading=f"reads: 1\napprentice_percent: {percent}")
    apprentice = add_apprentice(small)
    deal(small.bench, small.actor)
    assert len(small.queue(apprentice)) == math.ceil(6 * percent / 100)


def test_an_apprentice_alone_is_no_grader_to_deal_to(make) -> None:
    small = make(graders=0, answers=0)
    small.take_in("mee-barge", 2)
    add_apprentice(small)
    with pytest.raises(NotAllowed, match="no grader to deal to"):
        deal(small.bench, small.actor)
    with pytest.raises(NotAllowed, match="Only a grader"):
        add_account(small.bench, small.actor, "boss", Role.LEAD, apprentice=True)


def test_what_an_apprentice_sees_is_what_the_grader_beside_sees_but_for_the_id(taught) -> None:
    small, apprentice = taught
    sheet = next_sheet_or_none(small.bench, apprentice.account_id)
    assert sheet is not None
    dealt = next(one for one in small.queue(apprentice) if one.assignment_id == sheet.assignment_id)
    beside = next(
        one for g in small.graders for one in small.queue(g) if one.response_id == dealt.response_id
    )
    other = sheet_of(small.bench, beside)
    assert {**vars(other), "assignment_id": ""} == {**vars(sheet), "assignment_id": ""}


def test_no_grade_of_an_apprentice_counts_anywhere(taught) -> None:
    small, apprentice = taught
    before = item_progress(small.bench)
    first, second = small.queue(apprentice)[:2]
    small.submit(first, 1)
    small.submit(second, 2)
    correct_grade(
        small.bench,
        apprentice.account_id,
        second.assignment_id,
        GradeEntry(score=3),
        reason="Read again.",
        token="c",
    )
    with small.bench.record() as record:
        assert record.grades == {}
        assert record.check_grades == {}
        assert {a: grade.score for a, grade in record.shadow_grades.items()} == {
            first.assignment_id: 1,
            second.assignment_id: 3,
        }
        assert record.standing(first.response_id).status == "waiting"
    assert item_progress(small.bench) == before
    assert small.bench.store.rows("SELECT * FROM rating") == []
    (row,) = grader_progress(small.bench, apprentice.account_id)
    assert (row.done, row.left) == (2, 4)
    checks = planted_checks(small.bench)[apprentice.account_id]
    assert (checks.done, checks.left) == (0, 0)


def test_exports_keep_apprentices_apart_and_verify(taught, tmp_path: Path) -> None:
    small, apprentice = taught
    for dealt in small.queue(apprentice)[:3]:
        small.submit(dealt, 2)
    live = [small.queue(grader)[0] for grader in small.graders]
    for dealt in live:
        small.submit(dealt, 4)
    folder = write_export(small.bench.store, tmp_path / "exports", small.clock())
    verify_export(folder)
    grades = (folder / "grades.csv").read_text(encoding="utf-8")
    shadow = (folder / "apprentices.csv").read_text(encoding="utf-8").splitlines()
    assert apprentice.account_id not in grades
    assert len(grades.splitlines()) == 3
    assert len(shadow) == 4
    assert all(line.split(",")[1] == apprentice.account_id for line in shadow[1:])


def test_the_lead_sees_how_an_apprentice_agrees_with_the_reads_that_count(taught) -> None:
    small, apprentice = taught
    queue = small.queue(apprentice)[:3]
    live = {one.response_id: one for grader in small.graders for one in small.queue(grader)}
    for dealt, own, counted in zip(queue, (4, 3, 1), (4, 4, 4), strict=True):
        small.submit(dealt, own)
        small.submit(live[dealt.response_id], counted)
    (row,) = apprentice_items(small.bench, apprentice.account_id)
    assert (row.item, row.dealt, row.done, row.beside.n) == ("mee-barge", 6, 3, 3)
    assert row.beside.exact == pytest.approx(1 / 3)
    assert row.beside.exact_or_adjacent == pytest.approx(2 / 3)
    assert row.beside.mean_difference == pytest.approx(-4 / 3)


def test_an_ended_apprenticeship_gives_live_reads_at_the_next_deal_and_old_grades_never_count(taught) -> None:
    small, apprentice = taught
    graded = small.queue(apprentice)[0]
    small.submit(graded, 5)
    taken = end_apprenticeship(small.bench, small.actor, apprentice.account_id, "Agrees with the panel.")
    assert taken == 5
    assert next_sheet_or_none(small.bench, apprentice.account_id) is None
    account = get_account_or_none(small.bench.store, apprentice.account_id)
    assert account is not None
    assert not account.apprentice
    assert apprentices(small.bench) == []
    small.take_in("mee-barge", 6)
    deal(small.bench, small.actor)
    live = [one for one in small.queue(apprentice) if one.kind is ReadKind.LIVE]
    assert len(live) >= 2
    small.submit(live[0], 4)
    with small.bench.record() as record:
        assert [grade.assignment_id for grade in record.grades.values()] == [live[0].assignment_id]
        assert list(record.shadow_grades) == [graded.assignment_id]


def test_whoever_read_an_answer_as_an_apprentice_never_reads_it_for_the_score(make) -> None:
    small = make(graders=1, answers=4, dealt=False)
    apprentice = add_apprentice(small)
    deal(small.bench, small.actor)
    (leaving,) = small.graders
    small.submit(small.queue(apprentice)[0], 5)
    end_apprenticeship(small.bench, small.actor, apprentice.account_id, "Agrees with the panel.")
    small.append(EventKind.ACCOUNT_DISABLED, leaving.account_id)
    assert len(small.queue(apprentice)) == 4
    assert deal_left_behind(small.bench, small.actor) == 0
    fresh = small.add_grader("fresh")
    assert deal_left_behind(small.bench, small.actor) == 4
    assert len(small.queue(fresh)) == 4


def test_ending_needs_a_reason_without_names_and_an_apprentice(taught) -> None:
    small, apprentice = taught
    with pytest.raises(GradeProblem, match="reason of 5 to 500"):
        end_apprenticeship(small.bench, small.actor, apprentice.account_id, " ")
    with pytest.raises(GradeProblem, match="names junior"):
        end_apprenticeship(small.bench, small.actor, apprentice.account_id, "junior agrees well")
    with pytest.raises(NotAllowed, match="no apprentice"):
        end_apprenticeship(small.bench, small.actor, small.graders[0].account_id, "Agrees with the panel.")
    assert small.count(EventKind.APPRENTICESHIP_ENDED) == 0


def test_an_apprentices_answer_sent_to_the_lead_is_taken_out_and_holds_up_nothing(taught) -> None:
    small, apprentice = taught
    before = item_progress(small.bench)
    dealt = small.queue(apprentice)[0]
    refer_to_lead(small.bench, apprentice.account_id, dealt.assignment_id, "other", token="t")
    assert item_progress(small.bench) == before
    (referral,) = open_referrals(small.bench)
    assert referral.is_check
    assert apprentice.account_id not in {
        g.account_id for g in other_graders(small.bench, dealt.assignment_id)
    }
    with pytest.raises(NotAllowed, match="No score waits for this read"):
        deal_to_another(small.bench, small.actor, dealt.assignment_id, small.graders[0].account_id)
    take_out(small.bench, small.actor, dealt.assignment_id)
    assert open_referrals(small.bench) == []
