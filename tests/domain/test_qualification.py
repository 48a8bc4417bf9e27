"""Who has qualified for a question, on which set, and with which attempt."""

from __future__ import annotations

import pytest
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from qualifying import (
    ITEM,
    A,
    B,
    C,
    Make,
    add_set,
    counted,
    grade_all,
    stands,
    two_graders_and_two_sets,  # noqa: F401 - a fixture
    upcoming,
)
from small_workspace import SmallWorkspace, write_packet

from grader_app.agreement.of_round import NOT_REQUIRED, notes_on_graders
from grader_app.domain.qualification import attempts_allowed, qualifying_sets
from grader_app.errors import NotAllowed
from grader_app.workflow.calibration import begin
from grader_app.workflow.registration import register_files


def test_a_round_that_requires_nothing_lets_everyone_grade(make: Make) -> None:
    made = make(packets=(A,), items=(ITEM,))
    found = stands(made)
    assert (found.status, found.may_grade) == ("not_required", True)
    grade_all(made)
    with made.bench.record() as record:
        assert notes_on_graders(record) == [NOT_REQUIRED]


def test_calibration_is_open_before_and_during_a_packet_and_ends_with_qualifying(
    made: SmallWorkspace,
) -> None:
    assert (stands(made).status, stands(made).may_grade) == ("open", False)
    attempt = made.begin(made.graders[0])
    assert stands(made).status == "open"
    made.rank(attempt)
    judged = made.score(attempt).judgment
    found = stands(made)
    assert judged is not None
    assert (found.status, found.may_grade, found.at) == ("qualified", True, judged.at)
    assert (stands(made, 1).status, stands(made, 1).may_grade) == ("open", False), "each for oneself"


def test_without_a_set_there_is_no_way_to_qualify(make: Make) -> None:
    made = make(qualification="required", items=(ITEM,))
    assert (stands(made).status, stands(made).may_grade) == ("no_set", False)
    add_set(made, A)
    assert stands(made).status == "open"


def test_sets_for_validity_papers_qualify_nobody(make: Make) -> None:
    made = make(qualification="required", items=(ITEM,))
    write_packet(made.path, A, purpose="validity")
    register_files(made.bench, made.actor)
    assert stands(made).status == "no_set"
    with made.bench.record() as record:
        assert qualifying_sets(record, ITEM) == []
        assert (attempts_allowed(record, ITEM), upcoming(made)) == (0, None)


def test_a_set_for_another_question_qualifies_nobody_for_this_one(make: Make) -> None:
    made = make(qualification="required")
    write_packet(made.path, "rule-ferry-a", item="rule-ferry", scores=(0, 1, 0, 1, 1), anchors=())
    register_files(made.bench, made.actor)
    with made.bench.record() as record:
        assert (qualifying_sets(record, ITEM), qualifying_sets(record, "rule-ferry")) == (
            [],
            ["rule-ferry-a"],
        )


def test_after_a_first_failure_comes_the_second_set_and_after_that_nothing(made: SmallWorkspace) -> None:
    add_set(made, C)
    assert upcoming(made) == A
    assert made.calibrate(made.graders[0], off=2).set_id == A
    assert (stands(made).status, upcoming(made)) == ("open", B), "never the same set twice"
    second = made.calibrate(made.graders[0], off=2)
    assert (second.set_id, second.number) == (B, 2)
    # The sets allow two attempts, so the third set is not reached.
    found = stands(made)
    assert (found.status, found.may_grade, upcoming(made)) == ("stopped", False, None)
    assert "no attempt is left" in found.says
    assert counted(made) == [A, B]
    with pytest.raises(NotAllowed, match="No attempt is left"):
        begin(made.bench, made.graders[0].account_id, ITEM)
    assert stands(made, 1).status == "open"


def test_passing_the_second_set_is_as_good_as_the_first(made: SmallWorkspace) -> None:
    made.calibrate(made.graders[0], off=2)
    assert made.calibrate(made.graders[0]).number == 2
    assert stands(made).status == "qualified"


def test_the_first_set_says_how_many_attempts_there_are(make: Make) -> None:
    made = make(qualification="required", items=(ITEM,))
    write_packet(made.path, A, more="attempts: 1\n")
    write_packet(made.path, B, more="attempts: 3\n")
    register_files(made.bench, made.actor)
    with made.bench.record() as record:
        assert attempts_allowed(record, ITEM) == 1
    made.calibrate(made.graders[0], off=2)
    assert (stands(made).status, upcoming(made)) == ("stopped", None)


def test_attempts_left_without_a_set_left_are_no_use(make: Make) -> None:
    made = make(packets=(A,), qualification="required", items=(ITEM,))
    made.calibrate(made.graders[0], off=2)
    assert stands(made).status == "stopped"
    write_packet(made.path, A, version=2)
    register_files(made.bench, made.actor)
    assert (stands(made).status, upcoming(made)) == ("stopped", None), "its next version is the same set"
    add_set(made, B)
    assert (stands(made).status, upcoming(made)) == ("open", B)
