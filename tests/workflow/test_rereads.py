"""Papers near the line read again before release: by whom, when, and what becomes of the score."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reads_of_one_answer import correct, judged, live_reads, standing
from reread_pools import CUT, SCORES, answers, give_mbe, near_the_line, pool, rereads, rule
from small_workspace import SmallWorkspace, write_round

from grader_app.agreement.of_round import ratings_of_record
from grader_app.agreement.reader_variance import reader_variance_of_record
from grader_app.domain.counted_reads import counted_readers
from grader_app.domain.events import EventKind
from grader_app.domain.panel import Role
from grader_app.domain.read_again import candidates_read_again, read_again
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store.assignments import count_waiting, waiting_in_queue
from grader_app.workflow import accounts
from grader_app.workflow.accounts import disable_account
from grader_app.workflow.adjudication import adjudicate, look_first, open_disputes
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.item_closing import close_item, reopen_item
from grader_app.workflow.live_grading import sheet_of
from grader_app.workflow.redealing import deal_left_behind
from grader_app.workflow.registration import register_files
from grader_app.workflow.reread_effect import effect_lines
from grader_app.workflow.reread_plan import not_yet, papers_to_pick
from grader_app.workflow.rereads import begin_rereads, call_off_reread, plan_rereads
from grader_app.workflow.statements import own_statement

Make = Callable[..., SmallWorkspace]
GAP = "mean_unless_apart_then_third"


def begun(small: SmallWorkspace) -> tuple[str, str]:
    begin_rereads(small.bench, small.actor)
    return near_the_line(small)


def refusal(small: SmallWorkspace) -> str:
    with pytest.raises(NotAllowed) as refused:
        begin_rereads(small.bench, small.actor)
    assert small.count(EventKind.REREADS_BEGUN) == 0
    return str(refused.value)


def test_every_paper_in_the_band_goes_to_a_grader_who_never_had_it_on_both_sides_of_the_line(
    make: Make,
) -> None:
    small = pool(make)
    near = begun(small)
    for response_id in near:
        (again,) = rereads(small, response_id)
        assert again.grader_id not in {one.grader_id for one in live_reads(small, response_id)}
        assert again.read_number == 4
        assert again in waiting_in_queue(small.bench.store, again.grader_id)
        found = standing(small, response_id)
        assert (found.raw, found.final, found.status) == (3, None, "waiting")
    assert all(not rereads(small, other) for other in set(answers(small)) - set(near))


def test_a_plan_says_the_same_and_records_nothing(make: Make) -> None:
    small = pool(make)
    before = small.kinds()
    plan = plan_rereads(small.bench)
    assert set(plan.readers) == set(near_the_line(small))
    assert (len(plan.candidates), plan.nobody, plan.passed_over) == (2, (), {})
    assert small.kinds() == before


@pytest.mark.parametrize(
    ("name", "up", "down"), [("replace", 5.0, 2.0), ("mean", 4.0, 2.5), ("higher", 5.0, 3.0)]
)
def test_the_combined_score_counts_whether_it_rises_or_falls(
    make: Make, name: str, up: float, down: float
) -> None:
    small = pool(make, rule(name))
    below, above = begun(small)
    for response_id, score in ((below, 5), (above, 2)):
        small.submit(rereads(small, response_id)[0], score)
    one, other = standing(small, below), standing(small, above)
    assert (one.raw, one.final, one.settled_by, one.status) == (3, up, "re-read", "final")
    assert (other.raw, other.final, other.settled_by) == (3, down, "re-read")
    with small.bench.record() as record:
        found = read_again(record)
        assert (found.answers, found.done, found.up, found.down) == (2, 2, 1, int(name != "higher"))
        assert candidates_read_again(record) == {record.candidate_of(below), record.candidate_of(above)}


def test_beyond_the_gap_a_third_grader_reads_and_stands_alone(make: Make) -> None:
    small = pool(make, rule(GAP, 1))
    below, above = begun(small)
    small.submit(rereads(small, above)[0], 4)
    assert (standing(small, above).final, len(rereads(small, above))) == (3.5, 1)
    small.submit(rereads(small, below)[0], 5)
    second, third = rereads(small, below)
    assert third.read_number == 5
    assert third.grader_id not in {second.grader_id, live_reads(small, below)[0].grader_id}
    assert standing(small, below).why == "A re-read is under way."
    small.submit(third, 1)
    assert (standing(small, below).final, standing(small, below).raw) == (1, 3)
    with small.bench.record() as record:
        assert counted_readers(record, below) == (third.grader_id,)
        assert set(counted_readers(record, above)) == {
            live_reads(small, above)[0].grader_id,
            rereads(small, above)[0].grader_id,
        }


def test_a_correction_within_the_gap_takes_an_unread_third_out(make: Make) -> None:
    small = pool(make, rule(GAP, 1))
    below, _ = begun(small)
    (second,) = rereads(small, below)
    small.submit(second, 6)
    correct(small, second, 4)
    assert standing(small, below).final == 3.5
    third = rereads(small, below)[-1]
    assert third not in waiting_in_queue(small.bench.store, third.grader_id)


def test_without_anybody_for_the_third_the_answer_goes_to_the_adjudicator(make: Make) -> None:
    small = pool(make, rule(GAP, 1), graders=2)
    below, _ = begun(small)
    small.submit(rereads(small, below)[0], 6)
    ((dispute,), with_third) = open_disputes(small.bench)
    assert (dispute.response_id, dispute.kind, with_third) == (below, "The re-read did not settle it", [])
    lead = accounts.add_account(small.bench, small.actor, "lead", Role.LEAD)[0].account_id
    look_first(small.bench, lead, below, judged(4))
    adjudicate(small.bench, lead, below, judged(4))
    assert (standing(small, below).final, standing(small, below).settled_by) == (4, "adjudication")


def test_a_re_read_that_gives_a_code_goes_to_the_adjudicator(make: Make) -> None:
    small = pool(make)
    below, _ = begun(small)
    small.submit(rereads(small, below)[0], entry=judged("blank"))
    assert (standing(small, below).status, standing(small, below).raw) == ("disputed", 3)


def test_the_re_reader_sees_the_sheet_of_a_first_read_and_nothing_of_the_candidate(make: Make) -> None:
    small = pool(make)
    below, _ = begun(small)
    (again,) = rereads(small, below)
    (first,) = live_reads(small, below)
    plain = vars(sheet_of(small.bench, first))
    assert vars(sheet_of(small.bench, again)) == {**plain, "assignment_id": again.assignment_id}
    waiting = [count_waiting(small.bench.store, grader.account_id, "mee-barge") for grader in small.graders]
    assert sum(waiting) == 2
    assert own_statement(small.bench, again.grader_id).total.kinds == ()


def test_re_reads_enter_no_figure_on_agreement_and_no_reader_variance(make: Make) -> None:
    def figures() -> tuple[dict[str, int], object]:
        with small.bench.record() as record:
            rated = {one.facet: one.ratings.n_ratings for one in ratings_of_record(record)}
            return rated, reader_variance_of_record(record)

    small = pool(make, reading="reads: 2")
    before = figures()
    for response_id in begun(small):
        small.submit(rereads(small, response_id)[0], 6)
    assert figures() == before
    assert before[0] == {"score": 16}
    assert "mee-barge" in before[1]


def test_they_wait_for_all_first_reads_and_for_disputes(make: Make) -> None:
    small = pool(make, graded=False)
    assert "8 answers wait for their first reads. Let them be read first." in refusal(small)


def test_they_are_refused_while_a_dispute_is_open(make: Make) -> None:
    small = pool(make)
    small.append(EventKind.DISPUTE_RAISED, answers(small)[0], item="mee-barge", reason_hash=None)
    assert "1 answer is in dispute. Settle it first." in refusal(small)


def test_they_are_refused_after_reveal_and_in_closed_questions(make: Make) -> None:
    small = pool(make)
    close_item(small.bench, small.actor, "mee-barge")
    assert "Closed: mee-barge. Scores of closed questions no longer change;" in refusal(small)
    reopen_item(small.bench, small.actor, "mee-barge", "To read again.")
    small.append(EventKind.SOURCES_REVEALED, "x", response_ids=[answers(small)[0]])
    assert "a re-read is blind. It comes before reveal, or not at all." in refusal(small)


def test_without_a_rule_the_round_says_what_to_write(make: Make) -> None:
    small = pool(make, CUT)
    with small.bench.record() as record:
        assert not_yet(record) == [
            "The round has no re-read rule. Write `reread` in a new version of round.yaml."
        ]


def test_without_a_new_reader_for_every_answer_nothing_is_dealt(make: Make) -> None:
    small = pool(make, graders=2)
    (had,) = live_reads(small, near_the_line(small)[0])
    other = next(grader for grader in small.graders if grader.account_id != had.grader_id)
    disable_account(small.bench, small.actor, other)
    assert "no grader is left who is new to them" in refusal(small)


def test_nobody_reads_again_what_a_candidate_wrote_from_whom_they_stepped_aside(make: Make) -> None:
    small = make(graders=3, answers=8, items=("mee-barge",), more=rule())
    give_mbe(small)
    below = answers(small)[3]
    (first,) = live_reads(small, below)
    refer_to_lead(small.bench, first.grader_id, first.assignment_id, "conflict", token="t")
    for response_id, score in zip(answers(small), SCORES, strict=True):
        for one in live_reads(small, response_id):
            if one.assignment_id != first.assignment_id:
                small.submit(one, score)
    begin_rereads(small.bench, small.actor)
    had = {one.grader_id for one in live_reads(small, below)}
    assert first.grader_id in had
    assert len(had) == 2
    (again,) = rereads(small, below)
    assert again.grader_id not in had


def test_an_answer_is_read_again_once(make: Make) -> None:
    small = pool(make)
    begun(small)
    with pytest.raises(NotAllowed, match="No total in the band has papers left"):
        begin_rereads(small.bench, small.actor)
    for response_id in near_the_line(small):
        small.submit(rereads(small, response_id)[0], 3)
    plan = plan_rereads(small.bench)
    assert (plan.readers, plan.candidates) == ({}, ())


def test_one_that_is_called_off_leaves_the_first_score_and_can_be_begun_again(make: Make) -> None:
    small = pool(make)
    below, above = begun(small)
    with pytest.raises(GradeProblem, match="reason"):
        call_off_reread(small.bench, small.actor, below, " ")
    call_off_reread(small.bench, small.actor, below, "Nobody has time.")
    assert (standing(small, below).final, standing(small, below).settled_by) == (3, "")
    small.submit(rereads(small, above)[0], 3)
    with pytest.raises(NotAllowed, match="No re-read of this answer waits"):
        call_off_reread(small.bench, small.actor, above, "Nobody has time.")
    begin_rereads(small.bench, small.actor)
    assert len({one.grader_id for one in rereads(small, below)}) == 2


def test_a_re_read_left_behind_goes_on_to_another_new_reader(make: Make) -> None:
    small = pool(make)
    below, _ = begun(small)
    (again,) = rereads(small, below)
    leaving = next(grader for grader in small.graders if grader.account_id == again.grader_id)
    disable_account(small.bench, small.actor, leaving)
    deal_left_behind(small.bench, small.actor)
    (fresh,) = (one for one in rereads(small, below) if one.grader_id != again.grader_id)
    assert fresh.grader_id != live_reads(small, below)[0].grader_id
    small.submit(fresh, 5)
    assert standing(small, below).final == 4


def test_a_first_grade_corrected_meanwhile_moves_the_combined_score(make: Make) -> None:
    small = pool(make)
    below, _ = begun(small)
    small.submit(rereads(small, below)[0], 5)
    correct(small, live_reads(small, below)[0], 1)
    found = standing(small, below)
    assert (found.raw, found.final) == (1, 3)


def test_a_rule_changed_later_leaves_what_was_begun(make: Make) -> None:
    small = pool(make, rule("mean"))
    below, _ = begun(small)
    write_round(Path(small.path), items=("mee-barge",), more=rule("higher"), version=2)
    register_files(small.bench, small.actor)
    small.submit(rereads(small, below)[0], 5)
    assert standing(small, below).final == 4


def test_single_papers_are_picked_from_the_reading_list_only(make: Make) -> None:
    small = pool(make, rule(all_papers=False))
    with pytest.raises(NotAllowed, match="reads only papers that the lead picks"):
        begin_rereads(small.bench, small.actor)
    with small.bench.record() as record:
        candidate = str(record.candidate_of(answers(small)[0]))
    with pytest.raises(NotAllowed, match=f"Not on the reading list .*{candidate} mee-barge"):
        begin_rereads(small.bench, small.actor, [(candidate, "mee-barge")])


def test_a_picked_paper_is_read_again_by_the_same_rule_and_the_candidate_stays_in_the_band(
    make: Make,
) -> None:
    small = pool(make, rule(all_papers=False), reading="reads: 2", times=5)
    with small.bench.record() as record:
        paper = papers_to_pick(record)[0]
    begin_rereads(small.bench, small.actor, [paper])
    with small.bench.record() as record:
        (response_id,) = record.rereads.last_of
        first = record.first_standing(response_id).final
        assert record.candidate_of(response_id) == paper[0]
        assert paper not in papers_to_pick(record)
    small.submit(rereads(small, response_id)[0], 0)
    assert first is not None
    assert standing(small, response_id).final == first / 2
    with small.bench.record() as record:
        assert candidates_read_again(record) == set()


def test_the_bias_to_expect_is_said_in_points_of_the_total_where_readers_are_known(make: Make) -> None:
    with pool(make, rule(GAP, 1), reading="reads: 2").bench.record() as record:
        says = effect_lines(record)
    assert says[1].startswith("New scores move the mean and SD that all are scaled by")
    assert says[2].startswith("Bias to expect, in points of the total")
    assert [line.split(":")[0] for line in says[4:]] == ["replace", "replace", "mean", "mean"]


def test_the_effect_is_said_before_anybody_begins(make: Make) -> None:
    with pool(make, rule("higher")).bench.record() as record:
        says = effect_lines(record)
    assert says[0].startswith("The higher of the first score and the re-read.")
    assert "can only raise them" in says[0]
    assert says[1].startswith("New scores move the mean and SD that all are scaled by")
    assert says[2].startswith("The bias to expect is not known: too few answers were read twice")
    with pool(make, rule(GAP, 1)).bench.record() as record:
        assert "The gap is 1 point. The score counts whether it rises or falls." in effect_lines(record)[0]
