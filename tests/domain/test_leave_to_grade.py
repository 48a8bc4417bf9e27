"""The panel lead lets a grader in who has not qualified, and takes the leave back."""

from __future__ import annotations

import threading

import pytest
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from qualifying import (
    ITEM,
    REASON,
    Make,
    grade_all,
    let,
    reread,
    rule,
    stands,
    two_graders_and_two_sets,  # noqa: F401 - a fixture
)
from small_workspace import SmallWorkspace

from grader_app.agreement.of_round import notes_on_graders
from grader_app.domain.grading_basis import all_qualified, grading_bases
from grader_app.domain.panel import Role
from grader_app.domain.qualification import qualification_of
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.export.results import Results
from grader_app.store.event_log import read_events
from grader_app.store.inputs import read_inputs
from grader_app.workflow.accounts import add_account
from grader_app.workflow.qualification import (
    leaves_that_stand,
    let_all_grade,
    refuse_names,
    standing_of,
    take_back_leave,
)


def results_of(made: SmallWorkspace) -> Results:
    return Results(list(read_events(made.bench.store)), read_inputs(made.bench.store))


def test_an_override_lets_in_and_its_reason_goes_into_every_note(made: SmallWorkspace) -> None:
    made.calibrate(made.graders[0])
    made.calibrate(made.graders[1], off=2)
    let(made, 1, f"  {REASON}\n")
    found = stands(made, 1)
    assert (found.status, found.may_grade, found.reason) == ("overridden", True, REASON)
    assert REASON in found.says
    grade_all(made)
    other = made.graders[1].account_id
    with made.bench.record() as record:
        assert notes_on_graders(record) == [
            f"Graders not calibrated: 1 of 2 who graded {ITEM} had not qualified for it.",
            f"{ITEM}: the panel lead let {other} grade without having qualified. Reason given: {REASON}",
        ]
        footing = {one.grader_id: one.footing for one in grading_bases(record)}
        assert footing == {made.graders[0].account_id: "qualified", other: "overridden"}
        assert not all_qualified(record)
    assert results_of(made).short_note == "provisional; graders not calibrated"


def test_where_all_have_qualified_the_note_says_so(made: SmallWorkspace) -> None:
    for grader in made.graders:
        made.calibrate(grader)
    grade_all(made)
    with made.bench.record() as record:
        assert notes_on_graders(record) == [f"{ITEM}: all 2 graders qualified on a calibration packet first."]
        assert all_qualified(record)
    assert results_of(made).short_note == "provisional"


def test_one_reason_for_several_is_printed_once(made: SmallWorkspace) -> None:
    made.calibrate(made.graders[0])
    made.add_grader("grader-3")
    assert let_all_grade(made.bench, made.actor, ITEM, REASON) == 2
    assert [stands(made, at).status for at in range(3)] == ["qualified", "overridden", "overridden"]
    assert let_all_grade(made.bench, made.actor, ITEM, REASON) == 0
    grade_all(made)
    with made.bench.record() as record:
        assert sum(REASON in note for note in notes_on_graders(record)) == 1


@pytest.mark.parametrize("reason", ["", "    ", "four", "x" * 501])
def test_an_override_needs_a_reason_that_can_be_printed(made: SmallWorkspace, reason: str) -> None:
    with pytest.raises(GradeProblem, match="5 to 500 characters"):
        let(made, 0, reason)
    assert stands(made).status == "open"


def test_nobody_is_let_in_who_may_grade_already(made: SmallWorkspace) -> None:
    made.calibrate(made.graders[0])
    with pytest.raises(NotAllowed, match="may grade this question already"):
        let(made)


def test_having_qualified_counts_for_more_than_having_been_let_in(made: SmallWorkspace) -> None:
    let(made)
    assert stands(made).status == "overridden"
    made.calibrate(made.graders[0])
    assert stands(made).status == "qualified"


def test_whoever_is_let_in_is_stopped_by_a_ruling_too_until_it_is_read(made: SmallWorkspace) -> None:
    let(made)
    rule(made)
    assert stands(made).status == "reread"
    reread(made)
    assert (stands(made).status, stands(made).reason) == ("overridden", REASON)


def test_the_lead_can_let_in_one_who_has_not_read_the_ruling(made: SmallWorkspace) -> None:
    made.calibrate(made.graders[0])
    rule(made)
    let(made, 0, "The ruling was read out to her.")
    assert (stands(made).status, stands(made).may_grade) == ("overridden", True)
    reread(made)
    assert stands(made).status == "qualified"


def test_an_override_holds_for_one_question_only(make: Make) -> None:
    made = make(qualification="required")
    let(made)
    with made.bench.record() as record:
        found = qualification_of(record, made.graders[0].account_id, "rule-ferry")
    assert (found.status, found.may_grade) == ("no_set", False)


WHY_BACK = "There is a packet for this question now."


def take_back(made: SmallWorkspace, grader: int = 0, reason: str = WHY_BACK) -> None:
    take_back_leave(made.bench, made.actor, made.graders[grader].account_id, ITEM, reason)


def test_a_leave_taken_back_closes_live_grading_and_can_be_given_anew(made: SmallWorkspace) -> None:
    let(made)
    grader_id = made.graders[0].account_id
    assert [leave.reason for leave in leaves_that_stand(made.bench, ITEM).values()] == [REASON]
    # Asked before and after, since the answer is kept between events.
    assert standing_of(made.bench, grader_id, ITEM).may_grade
    take_back(made)
    assert not standing_of(made.bench, grader_id, ITEM).may_grade
    assert stands(made).status == "open"
    assert leaves_that_stand(made.bench, ITEM) == {}
    let(made, 0, "The packet was withdrawn again.")
    assert stands(made).reason == "The packet was withdrawn again."
    with made.bench.record() as record:
        first, second = record.calibration.overrides[grader_id, ITEM]
    assert (first.reason, first.taken_back_why, first.stands) == (REASON, WHY_BACK, False)
    assert first.taken_back_at is not None
    assert (second.taken_back_at, second.taken_back_why, second.stands) == (None, "", True)


def test_a_leave_is_taken_back_once_with_a_reason_and_only_where_there_is_one(made: SmallWorkspace) -> None:
    with pytest.raises(NotAllowed, match="No leave to grade this question stands for grader-1"):
        take_back(made)
    let(made)
    with pytest.raises(GradeProblem, match="Taking back a leave needs a reason of 5 to 500 characters"):
        take_back(made, 0, "four")
    take_back(made)
    with pytest.raises(NotAllowed, match="No leave"):
        take_back(made)
    with pytest.raises(NotAllowed, match="There is no such grader"):
        take_back_leave(made.bench, made.actor, made.actor, ITEM, WHY_BACK)


def test_whoever_has_qualified_goes_on_when_the_leave_is_taken_back(made: SmallWorkspace) -> None:
    let(made)
    made.calibrate(made.graders[0])
    take_back(made)
    assert stands(made).status == "qualified"


def test_notes_keep_printing_a_leave_taken_back_for_grades_given_under_it(made: SmallWorkspace) -> None:
    made.calibrate(made.graders[1])
    let(made)
    grade_all(made)
    take_back(made)
    grader_id = made.graders[0].account_id
    with made.bench.record() as record:
        notes, footing = notes_on_graders(record), {one.grader_id: one for one in grading_bases(record)}
        day = record.calibration.overrides[grader_id, ITEM][0].taken_back_at
    assert footing[grader_id].footing == "overridden"
    assert (
        f"{ITEM}: the panel lead let {grader_id} grade without having qualified. Reason given: {REASON} "
        f"Taken back on {str(day)[:10]}. Reason given: {WHY_BACK}"
    ) in notes


def test_who_fails_a_packet_after_being_let_in_reads_both(made: SmallWorkspace) -> None:
    let(made)
    assert stands(made).says == f"The panel lead lets you grade without having qualified: {REASON}"
    made.calibrate(made.graders[0], off=2)
    found = stands(made)
    assert (found.status, found.may_grade) == ("overridden", True)
    assert found.says == (
        "You did not qualify on your packet. You may still grade, because the panel lead let you in before: "
        + REASON
    )
    take_back(made)
    let(made)
    assert stands(made).says == f"The panel lead lets you grade without having qualified: {REASON}"


@pytest.mark.parametrize(
    ("reason", "named"),
    [
        ("We trust KIM with it.", "kim"),
        ("Ruth graded it last year.", "Ruth"),
        ("Ask (Alder) about it.", "Alder"),
        ("Because grader-1 asked for it.", "grader-1"),
    ],
)
def test_a_reason_that_names_somebody_is_refused(made: SmallWorkspace, reason: str, named: str) -> None:
    for name in ("kim", "Ruth Alder", "Al"):
        made.add_grader(name)
    with pytest.raises(GradeProblem, match=f"The reason names {named}; every export prints it. Write it wi"):
        let(made, 0, reason)
    assert stands(made).status == "open"
    let(made, 1)
    with pytest.raises(GradeProblem, match=named):
        take_back(made, 1, reason)
    with pytest.raises(GradeProblem, match=named):
        let_all_grade(made.bench, made.actor, ITEM, reason)


def test_words_that_only_hold_a_name_and_roles_and_short_names_are_no_names(made: SmallWorkspace) -> None:
    for name in ("kim", "Al"):
        made.add_grader(name)
    add_account(made.bench, made.actor, "lead", Role.LEAD)
    refuse_names(made.bench, "The lead was skimming; al dente, and grader-12 is nobody.")


def test_eight_clicks_at_a_time_let_somebody_in_once(made: SmallWorkspace) -> None:
    start, refused = threading.Barrier(8), []

    def click() -> None:
        start.wait()
        try:
            let(made)
        except NotAllowed as error:
            refused.append(str(error))

    threads = [threading.Thread(target=click) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made_events = [e for e in read_events(made.bench.store) if e.kind == "QualificationOverridden"]
    assert (len(made_events), len(refused)) == (1, 7)
