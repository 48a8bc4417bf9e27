"""What rulings, new sheets and new prompts do to a qualification."""

from __future__ import annotations

from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from qualifying import (
    ITEM,
    A,
    B,
    add_set,
    change_sheet,
    counted,
    let,
    reread,
    rule,
    stands,
    two_graders_and_two_sets,  # noqa: F401 - a fixture
    upcoming,
)
from small_workspace import SmallWorkspace, write_item

from grader_app.domain.qualification import fits_current_item, qualifying_sets, same_but_guidelines
from grader_app.workflow.registration import register_files


def test_a_ruling_keeps_a_qualification_once_it_has_been_read(made: SmallWorkspace) -> None:
    at = made.calibrate(made.graders[0]).judgment
    assert at is not None
    rule(made)
    found = stands(made)
    assert (found.status, found.may_grade, found.at) == ("reread", False, at.at)
    reread(made)
    assert (stands(made).status, stands(made).may_grade) == ("qualified", True)
    rule(made, "A second ruling on the same question.")
    assert stands(made).status == "reread"


def test_a_later_version_of_the_sheet_ends_a_qualification(made: SmallWorkspace) -> None:
    made.calibrate(made.graders[0])
    let(made, 1)
    change_sheet(made, 2)
    assert [stands(made, at).status for at in (0, 1)] == ["no_set", "no_set"]
    reread(made)
    assert stands(made).status == "no_set", "reading the guidelines does not help"
    add_set(made, B, version=2, sheet_version=2)
    assert (stands(made).status, upcoming(made)) == ("open", B)
    made.calibrate(made.graders[0])
    assert stands(made).status == "qualified"


def test_another_prompt_ends_a_qualification_too(made: SmallWorkspace) -> None:
    made.calibrate(made.graders[0])
    write_item(made.path, ITEM, version=2)
    (made.path / "rubrics" / ITEM / "prompt.md").write_text("Discuss the barge, and the tug.\n", "utf-8")
    register_files(made.bench, made.actor)
    assert stands(made).status == "no_set"


def test_a_new_sheet_starts_the_count_of_attempts_anew_and_packets_scored_again_serve_again(
    made: SmallWorkspace,
) -> None:
    for _ in range(2):
        made.calibrate(made.graders[0], off=2)
    rule(made)
    assert (stands(made).status, counted(made)) == ("stopped", [A, B]), "a ruling starts nothing anew"
    change_sheet(made, 3)
    for set_id in (A, B):
        add_set(made, set_id, version=2, sheet_version=3)
    # With one packet nobody could ever qualify again, were a packet scored anew closed to who tried it.
    assert (stands(made).status, upcoming(made), counted(made)) == ("open", A, [])
    assert made.calibrate(made.graders[0], off=2).set_id == A
    assert (stands(made).status, upcoming(made), counted(made)) == ("open", B, [A])
    assert made.calibrate(made.graders[0]).set_id == B
    assert (stands(made).status, counted(made)) == ("qualified", [A, B])


def test_a_set_holds_as_long_as_nothing_but_guidelines_changes(made: SmallWorkspace) -> None:
    rule(made)
    with made.bench.record() as record:
        assert fits_current_item(record, ITEM, "1")
        assert fits_current_item(record, ITEM, "2")
        assert not fits_current_item(record, ITEM, "3")
        assert qualifying_sets(record, ITEM) == [A, B]
    change_sheet(made, 3)
    with made.bench.record() as record:
        assert [fits_current_item(record, ITEM, version) for version in "123"] == [False, False, True]
        assert qualifying_sets(record, ITEM) == []


def test_what_counts_as_nothing_but_guidelines() -> None:
    one = {"sheet": {"version": "1", "title": "Barge"}, "prompt": "Discuss.", "guidelines": None}
    assert same_but_guidelines(
        one, one | {"guidelines": "1. Read.", "sheet": {"version": "2", "title": "Barge"}}
    )
    assert not same_but_guidelines(one, one | {"sheet": {"version": "1", "title": "Barges"}})
    assert not same_but_guidelines(one, one | {"prompt": "Discuss it."})
    assert not same_but_guidelines(one, one | {"file": "A lease."})
