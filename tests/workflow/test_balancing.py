from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.panel import Account, Assignment, ReadKind, Role
from grader_app.store.assignments import waiting_in_queue
from grader_app.store.drafts import save_draft
from grader_app.store.integrity import check_store
from grader_app.workflow.accounts import add_account, disable_account
from grader_app.workflow.assignment import deal
from grader_app.workflow.balancing import even_out
from grader_app.workflow.clock import as_text
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.printed_packets import print_packet
from grader_app.workflow.redealing import deal_left_behind

Make = Callable[..., SmallWorkspace]


def queue(small: SmallWorkspace, grader: Account) -> list[str]:
    return [one.assignment_id for one in waiting_in_queue(small.bench.store, grader.account_id)]


def finishes(small: SmallWorkspace, grader: Account) -> None:
    for dealt in waiting_in_queue(small.bench.store, grader.account_id):
        small.submit(dealt)


def hold(small: SmallWorkspace, assignment_id: str, minutes: float = 30) -> None:
    """Put an answer on its grader's desk for some minutes."""
    until = small.clock.now.timestamp() + 60 * minutes
    at = as_text(small.clock.now.fromtimestamp(until, small.clock.now.tzinfo))
    with small.bench.store.write() as connection:
        connection.execute("INSERT OR REPLACE INTO lease VALUES (?, ?)", (assignment_id, at))


@pytest.fixture
def one_idle(make: Make) -> SmallWorkspace:
    """Two graders with six answers each; the first has graded hers."""
    small = make(answers=12)
    finishes(small, small.graders[0])
    return small


def test_an_empty_queue_takes_half_of_the_longest_from_its_end(one_idle: SmallWorkspace) -> None:
    idle, busy = one_idle.graders
    before = queue(one_idle, busy)
    sheet = next_sheet_or_none(one_idle.bench, idle.account_id)
    assert sheet is not None
    assert queue(one_idle, busy) == before[:3], "the order of what stays does not move"
    assert len(queue(one_idle, idle)) == 3
    assert sheet.assignment_id not in before
    rows = one_idle.bench.store.rows("SELECT body FROM event WHERE kind = 'AnswerReturned' ORDER BY seq")
    said = [json.loads(row["body"]) for row in rows]
    assert said == [{"decision": "taken_out", "why": "balanced"}] * 3
    check_store(one_idle.bench.store)


def test_every_answer_ends_with_one_grade_whoever_gave_it(one_idle: SmallWorkspace) -> None:
    for _ in range(10):
        for grader in one_idle.graders:
            sheet = next_sheet_or_none(one_idle.bench, grader.account_id)
            if sheet is not None:
                one_idle.submit(
                    next(a for a in one_idle.queue(grader) if a.assignment_id == sheet.assignment_id)
                )
    with one_idle.bench.record() as record:
        states = [record.standing(response_id).status for response_id in record.response_ids("mee-barge")]
        assert states == ["final"] * 12
        assert len(record.grades) == 12


def test_a_round_can_leave_everything_as_it_was_dealt(make: Make) -> None:
    small = make(answers=12, reading="reads: 1\nworkload: as_dealt")
    finishes(small, small.graders[0])
    assert next_sheet_or_none(small.bench, small.graders[0].account_id) is None
    assert small.count(EventKind.ANSWER_RETURNED) == 0


def test_whoever_still_has_something_takes_nothing(make: Make) -> None:
    small = make(answers=12)
    first = small.queue(small.graders[0])
    for dealt in first[:-1]:
        small.submit(dealt)
    assert even_out(small.bench, small.graders[0].account_id) == 0


def test_the_answer_on_a_desk_is_never_taken(one_idle: SmallWorkspace) -> None:
    idle, busy = one_idle.graders
    for assignment_id in queue(one_idle, busy)[1:]:
        hold(one_idle, assignment_id)
    first = queue(one_idle, busy)[0]
    assert even_out(one_idle.bench, idle.account_id) == 1
    assert first not in queue(one_idle, busy)
    assert len(queue(one_idle, busy)) == 5
    finishes(one_idle, idle)
    assert even_out(one_idle.bench, idle.account_id) == 0
    one_idle.clock.passes(hours=1)
    assert even_out(one_idle.bench, idle.account_id) == 3, "leases ran out"


def test_a_draft_kept_after_its_lease_ran_out_holds_the_answer(one_idle: SmallWorkspace) -> None:
    idle, busy = one_idle.graders
    waiting = queue(one_idle, busy)
    hold(one_idle, waiting[-1], 1)
    hold(one_idle, waiting[-2], 1)
    one_idle.clock.passes(minutes=5)
    with one_idle.bench.store.write() as connection:
        save_draft(connection, waiting[-1], {"note": "Back."}, one_idle.bench.now())
    assert even_out(one_idle.bench, idle.account_id) == 3
    assert queue(one_idle, busy) == [waiting[0], waiting[1], waiting[-1]]


def test_the_last_answer_goes_when_nobody_is_at_it_and_stays_when_somebody_is(make: Make) -> None:
    small = make(answers=2)
    idle, busy = small.graders
    finishes(small, idle)
    (last,) = queue(small, busy)
    hold(small, last)
    assert even_out(small.bench, idle.account_id) == 0
    small.clock.passes(hours=1)
    assert even_out(small.bench, idle.account_id) == 1
    assert queue(small, busy) == []
    assert even_out(small.bench, busy.account_id) == 0, "nobody is given the same answer twice"


def test_simulated_graders_give_nothing_and_get_nothing(make: Make) -> None:
    small = make(answers=0, dealt=False)
    made, _ = add_account(small.bench, small.actor, "ash", Role.GRADER, simulated=True)
    small.take_in("mee-barge", 9)
    deal(small.bench, small.actor, simulated=True)
    for grader in small.graders:
        finishes(small, grader)
    before = queue(small, made)
    assert len(before) == 3
    assert even_out(small.bench, small.graders[0].account_id) == 0
    assert queue(small, made) == before
    assert even_out(small.bench, made.account_id) == 0


def test_what_the_taker_has_read_or_may_not_read_stays(make: Make) -> None:
    small = make(answers=6, graders=2, reading="reads: 2")
    idle, busy = small.graders
    finishes(small, idle)
    assert even_out(small.bench, idle.account_id) == 0, "she has read each of them"
    assert len(queue(small, busy)) == 6


def test_a_recusal_is_respected(make: Make) -> None:
    small = make(answers=6)
    idle, busy = small.graders
    refused = small.queue(idle)[0]
    refer_to_lead(small.bench, idle.account_id, refused.assignment_id, "conflict", token="r")
    finishes(small, idle)
    even_out(small.bench, idle.account_id)
    held = {one.response_id for one in waiting_in_queue(small.bench.store, busy.account_id)}
    assert refused.response_id in held


def test_closed_questions_and_those_a_grader_may_not_grade_stay(make: Make) -> None:
    small = make(packets=("mee-barge-a",), qualification="required", answers=8)
    idle, busy = small.graders
    for grader in small.graders:
        small.calibrate(grader)
    joins = small.add_grader("late")
    assert even_out(small.bench, joins.account_id) == 0, "calibration comes first"
    finishes(small, idle)
    close_item(small.bench, small.actor, "mee-barge")
    assert even_out(small.bench, idle.account_id) == 0
    assert len(queue(small, busy)) == 4


def test_a_printed_packet_stays_with_its_grader(one_idle: SmallWorkspace) -> None:
    idle, busy = one_idle.graders
    waiting = queue(one_idle, busy)
    print_packet(one_idle.bench, one_idle.actor, busy.account_id, "mee-barge", 5, token="p")
    assert queue(one_idle, busy) == waiting[5:]
    assert even_out(one_idle.bench, idle.account_id) == 1
    assert queue(one_idle, busy) == []
    assert even_out(one_idle.bench, busy.account_id) == 0, "the papers on paper are still to do"


def test_third_reads_and_apprentice_reads_stay(make: Make) -> None:
    small = make(answers=2)
    idle, busy = small.graders
    finishes(small, idle)
    finishes(small, busy)
    fresh = small.take_in("mee-barge", 2)
    for response_id, kind in zip(fresh, (ReadKind.THIRD, ReadKind.APPRENTICE), strict=True):
        small.plant(Assignment(f"a{kind}", response_id, "mee-barge", busy.account_id, 9, 3, kind))
    assert even_out(small.bench, idle.account_id) == 0


def test_what_was_taken_over_goes_back_when_the_taker_leaves(one_idle: SmallWorkspace) -> None:
    idle, busy = one_idle.graders
    before = queue(one_idle, busy)
    even_out(one_idle.bench, idle.account_id)
    disable_account(one_idle.bench, one_idle.actor, idle)
    assert deal_left_behind(one_idle.bench, one_idle.actor) == 3
    assert queue(one_idle, busy) == before, "under the same ids, in the same places"
    check_store(one_idle.bench.store)


def test_checks_that_would_stand_alone_leave_with_the_answers_behind_them(make: Make) -> None:
    small = make(answers=12)
    idle, busy = small.graders
    finishes(small, idle)
    paper = small.take_in("rule-ferry", 1)[0]
    for at, kind in ((2, ReadKind.VALIDITY), (50, ReadKind.VALIDITY)):
        small.plant(Assignment(f"a{at}", f"{paper}{at}", "mee-barge", busy.account_id, at, 0, kind))
    even_out(small.bench, idle.account_id)
    left = queue(small, busy)
    assert "a2" in left
    assert "a50" not in left


def test_a_late_deal_goes_on_as_before(one_idle: SmallWorkspace) -> None:
    even_out(one_idle.bench, one_idle.graders[0].account_id)
    one_idle.take_in("mee-barge", 4)
    (dealt,) = deal(one_idle.bench, one_idle.actor)
    assert dealt.answers == 4
    assert sorted(dealt.by_grader.values()) == [2, 2]
