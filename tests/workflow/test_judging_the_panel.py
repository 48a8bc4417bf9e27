"""The panel is judged on its second packet, each against the others."""

from __future__ import annotations

import pytest
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from panel_packets import (
    ITEM,
    Make,
    begun,
    drawn_round,  # noqa: F401 - a fixture
    freeze,
    frozen_round,  # noqa: F401 - a fixture
    judge,
    last_event,
    outcome,
    papers_of,
    read,
    score,
    undrawn_round,  # noqa: F401 - a fixture
    verify,
    write_panel_set,
)
from small_workspace import SmallWorkspace

from grader_app.agreement.of_attempt import references_of
from grader_app.domain.calibration_record import Attempt
from grader_app.domain.events import EventKind
from grader_app.errors import NotAllowed
from grader_app.workflow.assignment import deal
from grader_app.workflow.calibration import own_attempt
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.panel_reference import judge_panel
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.registration import register_files
from grader_app.workflow.rulings import make_ruling


def figures(made: SmallWorkspace, attempt: Attempt) -> dict[str, float | None]:
    judged = own_attempt(made.bench, attempt.grader_id, attempt.attempt_id).judgment
    assert judged is not None
    return {condition["name"]: condition["value"] for condition in judged.conditions}


def test_each_is_judged_against_the_others_without_them(frozen: SmallWorkspace) -> None:
    one, two, three = (
        read(frozen, grader, *given)
        for grader, given in zip(
            frozen.graders, ((1, 2, 3, 4, 5), (1, 2, 3, 4, 5), (4, 2, 3, 4, 5)), strict=True
        )
    )
    assert {outcome(frozen, attempt) for attempt in (one, two, three)} == {None}
    assert judge(frozen) == 3
    with frozen.bench.record() as record:
        papers = {
            attempt.grader_id: {
                record.assignments[a].response_id: (found.essay, found.score, found.standing)
                for a, found in references_of(record, record.calibration.attempts[attempt.attempt_id]).items()
            }
            for attempt in (one, three)
        }
    first = papers_of(frozen, 2)[0]
    # On Paper 01 the other two gave 1 and 4 to the first: mean 2.5, and the nearest score is the lower, 2.
    assert papers[one.grader_id][first] == ("Paper 01", 2, 2.5)
    # To the third they gave 1 and 1; the third's own 4 is not among them.
    assert papers[three.grader_id][first] == ("Paper 01", 1, 1)
    # Reference mean minus own mean: (2+2+3+4+5)/5 - 15/5 = 0.2, and 15/5 - (4+2+3+4+5)/5 = -0.6.
    assert figures(frozen, one)["severity"] == pytest.approx(0.2)
    assert figures(frozen, three)["severity"] == pytest.approx(-0.6)
    # By the standing 2.5 2 3 4 5 the first two papers of ten pairs stand the other way round.
    assert figures(frozen, one)["rank_order"] == pytest.approx(9 / 10)
    assert figures(frozen, three)["exact_or_adjacent"] == pytest.approx(4 / 5)
    assert [outcome(frozen, attempt) for attempt in (one, two, three)] == [
        "qualified",
        "qualified",
        "not_qualified",
    ]
    assert last_event(frozen, EventKind.QUALIFICATION_JUDGED).actor == frozen.actor
    assert judge(frozen) == 0
    verify(frozen)


def test_there_must_be_two_others(frozen: SmallWorkspace) -> None:
    for grader in frozen.graders[:2]:
        read(frozen, grader, 1, 2, 3, 4, 5)
    attempt, given = begun(frozen, frozen.graders[2], 1, 2, 3, 4, 5)
    refused = r"against at least 2 others, and 2 have finished the second packet \(1 are still reading\)"
    with pytest.raises(NotAllowed, match=refused):
        judge(frozen)
    assert [outcome(frozen, attempt)] == [None]
    score(frozen, attempt, given)
    assert judge(frozen) == 3


def test_sets_with_references_of_their_own_are_judged_by_nobody(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required", answers=0, graders=3)
    for grader in made.graders:
        made.calibrate(grader)
    with pytest.raises(NotAllowed, match="0 have finished the second packet"):
        judge_panel(made.bench, made.actor, "mee-barge-a")


def test_the_qualified_grade_live_and_the_others_do_not(frozen: SmallWorkspace) -> None:
    deal(frozen.bench, frozen.actor)
    for grader, given in zip(
        frozen.graders, ((1, 2, 3, 4, 5), (1, 2, 3, 4, 5), (4, 2, 3, 4, 5)), strict=True
    ):
        read(frozen, grader, *given)
        assert next_sheet_or_none(frozen.bench, grader.account_id) is None
    judge(frozen)
    open_to = [next_sheet_or_none(frozen.bench, grader.account_id) is not None for grader in frozen.graders]
    assert open_to == [True, True, False]
    frozen.submit(frozen.queue(frozen.graders[0])[0])


def test_what_somebody_gives_later_changes_no_judgment_made_before(frozen: SmallWorkspace) -> None:
    late, later = frozen.add_grader("grader-4"), frozen.add_grader("grader-5")
    early = [read(frozen, grader, 1, 2, 3, 4, 5) for grader in frozen.graders[:3]]
    # One who is half-way when the panel is judged is no other yet.
    attempt, given = begun(frozen, late, 6, 6, 6, 6, 6)
    half = dict(list(given.items())[:3])
    score(frozen, attempt, half)
    judge(frozen)
    assert [figures(frozen, one)["severity"] for one in early] == [0, 0, 0]
    verify(frozen)
    score(frozen, attempt, {a: one for a, one in given.items() if a not in half})
    assert judge(frozen) == 1
    # Against 1 2 3 4 5 of the three others, six throughout is three points lenient.
    assert figures(frozen, attempt)["severity"] == pytest.approx(-3)
    assert outcome(frozen, attempt) == "not_qualified"
    last = read(frozen, later, 1, 2, 3, 4, 5)
    assert judge(frozen) == 1
    # Means of 1 1 1 6, 2 2 2 6 … are 2.25 3 3.75 4.5 5.25, nearest 2 3 4 4 5 (4.5 goes down): 18/5 - 15/5.
    assert figures(frozen, last)["severity"] == pytest.approx(0.6)
    verify(frozen)


def test_a_paper_that_others_coded_is_judged_by_the_scores_of_two_or_not_at_all(
    frozen: SmallWorkspace,
) -> None:
    one = read(frozen, frozen.graders[0], 1, 2, 3, 4, 5)
    read(frozen, frozen.graders[1], 1, 2, 3, 4, 5)
    read(frozen, frozen.graders[2], "blank", 2, 3, 4, 5)
    judge(frozen)
    with frozen.bench.record() as record:
        found = references_of(record, record.calibration.attempts[one.attempt_id])
        named = sorted(reference.essay for reference in found.values())
    assert named == ["Paper 02", "Paper 03", "Paper 04", "Paper 05"]
    verify(frozen)


def test_the_second_packet_is_frozen_after_it_is_judged(frozen: SmallWorkspace) -> None:
    for grader in frozen.graders:
        read(frozen, grader, 2, 2, 3, 4, 5)
    with pytest.raises(NotAllowed, match="Judge the panel on this packet first"):
        freeze(frozen, 2)
    judge(frozen)
    assert freeze(frozen, 2) == 5
    with frozen.bench.record() as record:
        assert [record.standing(r).final for r in papers_of(frozen, 2)] == [2, 2, 3, 4, 5]
    late = frozen.add_grader("grader-4")
    attempt = read(frozen, late, 2, 2, 3, 4, 5)
    assert attempt.packet == 2
    assert judge(frozen) == 1
    assert outcome(frozen, attempt) == "qualified"
    verify(frozen)


def test_a_new_version_of_the_set_keeps_the_papers_and_who_has_read_them(drawn: SmallWorkspace) -> None:
    read(drawn, drawn.graders[0], 1, 2, 3, 4, 5)
    write_panel_set(drawn, version=2)
    register_files(drawn.bench, drawn.actor)
    read(drawn, drawn.graders[1], 1, 2, 3, 4, 5)
    assert freeze(drawn, 1) == 5
    attempts = [read(drawn, grader, 1, 2, 3, 4, 5) for grader in drawn.graders[:2]]
    write_panel_set(drawn, version=3)
    register_files(drawn.bench, drawn.actor)
    attempts.append(read(drawn, drawn.graders[2], 1, 2, 3, 4, 5))
    assert judge(drawn) == 3
    assert {outcome(drawn, attempt) for attempt in attempts} == {"qualified"}
    verify(drawn)


def test_after_a_ruling_at_the_meeting_the_panel_goes_on(drawn: SmallWorkspace) -> None:
    for grader in drawn.graders[:2]:
        read(drawn, grader, 1, 2, 3, 4, 5)
    make_ruling(drawn.bench, drawn.actor, ITEM, "Either side of control earns the point.")
    freeze(drawn, 1)
    attempts = [read(drawn, grader, 1, 2, 3, 4, 5) for grader in drawn.graders]
    judge(drawn)
    assert {outcome(drawn, attempt) for attempt in attempts} == {"qualified"}
    assert all(standing_of(drawn.bench, grader.account_id, ITEM).may_grade for grader in drawn.graders)
    verify(drawn)
