from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf

import pytest
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from small_workspace import SmallWorkspace, write_packet

from grader_app.domain.calibration_record import Attempt
from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Account
from grader_app.errors import NotAllowed, NotDealtToYou
from grader_app.workflow.calibration import begin_exercise, own_attempt
from grader_app.workflow.feedback import (
    Feedback,
    MeetingPaper,
    _letters,
    feedback_of,
    finished_attempts,
    hold_feedback,
    meeting_of,
    middle_score,
)
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.registration import register_files

Make = Callable[..., SmallWorkspace]
SET = "mee-barge-a"


@pytest.fixture
def made(make: Make) -> SmallWorkspace:
    """Three graders, and a packet whose papers E01 to E06 have the references 1 2 3 3 4 5."""
    return make(packets=(SET,), qualification="required", graders=3, answers=0)


def give(made: SmallWorkspace, attempt: Attempt, given: Mapping[str, float | str | GradeEntry]) -> Attempt:
    """Score a ranked packet: a number, a code or a whole entry by essay; left-out essays wait."""
    for a, essay in made.essays(attempt).items():
        entry = given.get(essay)
        if isinstance(entry, str):
            entry = GradeEntry(condition_code=entry)
        elif isinstance(entry, int | float):
            entry = GradeEntry(score=entry)
        if entry is not None:
            submit_grade(made.bench, attempt.grader_id, a, entry, token=next(made.tokens))
    return own_attempt(made.bench, attempt.grader_id, attempt.attempt_id)


def scored(made: SmallWorkspace, grader: Account, *given: float | str | GradeEntry) -> Attempt:
    """Rank a packet and score E01, E02 … so."""
    attempt = made.begin(grader)
    made.rank(attempt)
    return give(made, attempt, {f"E{at:02d}": score for at, score in enumerate(given, start=1)})


def feedback(made: SmallWorkspace, attempt: Attempt) -> Feedback:
    return feedback_of(made.bench, attempt.grader_id, attempt.attempt_id)


def meeting(made: SmallWorkspace) -> dict[str, MeetingPaper]:
    return {paper.essay: paper for paper in meeting_of(made.bench, SET)}


def test_feedback_comes_after_the_last_score_and_not_before(made: SmallWorkspace) -> None:
    attempt = made.begin(made.graders[0])
    with pytest.raises(NotAllowed, match="once the packet is finished"):
        feedback(made, attempt)
    made.rank(attempt)
    give(made, attempt, {f"E0{at}": 3 for at in range(1, 6)})
    with pytest.raises(NotAllowed, match="once the packet is finished"):
        feedback(made, attempt)
    give(made, attempt, {"E06": 3})
    assert len(feedback(made, attempt).papers) == 6


def test_each_paper_stands_beside_its_reference_the_furthest_first(made: SmallWorkspace) -> None:
    found = feedback(made, scored(made, made.graders[0], 1, 5, 3, 2, 2, 5))
    # Given 1 5 3 2 2 5 against 1 2 3 3 4 5.
    assert [(p.essay, p.gave, p.reference, p.apart) for p in found.papers] == [
        ("E02", "5", "2", 3),
        ("E05", "2", "4", -2),
        ("E04", "2", "3", -1),
        ("E01", "1", "1", 0),
        ("E03", "3", "3", 0),
        ("E06", "5", "5", 0),
    ]
    assert found.papers[0].rationale == "Because of E02."
    assert found.papers[0].text.startswith(f"E02 of {SET} begins so")
    assert found.attempt.judgment is not None
    assert found.attempt.judgment.outcome == "not_qualified"
    assert found.report.scores is not None
    assert found.report.scores.exact.value == pytest.approx(3 / 6)


def test_a_code_against_a_score_is_furthest(made: SmallWorkspace) -> None:
    found = feedback(made, scored(made, made.graders[0], 6, 2, "blank", 3, 4, 5))
    assert [(p.essay, p.gave, p.apart) for p in found.papers[:2]] == [("E03", "blank", None), ("E01", "6", 5)]


def test_held_feedback_is_refused_in_a_sentence_until_it_is_released(made: SmallWorkspace) -> None:
    attempt = scored(made, made.graders[0], 1, 2, 3, 3, 4, 5)
    hold_feedback(made.bench, made.actor, SET, held=True)
    with pytest.raises(NotAllowed, match=r"at the panel's meeting\. Your scores are in\."):
        feedback(made, attempt)
    hold_feedback(made.bench, made.actor, SET, held=True)
    assert made.count(EventKind.FEEDBACK_HELD) == 1, "held once"
    hold_feedback(made.bench, made.actor, SET, held=False)
    assert len(feedback(made, attempt).papers) == 6
    hold_feedback(made.bench, made.actor, SET, held=False)
    assert made.count(EventKind.FEEDBACK_RELEASED) == 1


def test_only_a_set_there_is_can_be_held(made: SmallWorkspace) -> None:
    with pytest.raises(NotAllowed, match="no such calibration set"):
        hold_feedback(made.bench, made.actor, "mee-barge-z", held=True)
    assert made.count(EventKind.FEEDBACK_HELD) == 0


def test_holding_one_set_holds_no_other(make: Make) -> None:
    made = make(packets=(SET, "mee-barge-b"), qualification="required", answers=0)
    hold_feedback(made.bench, made.actor, "mee-barge-b", held=True)
    assert len(feedback(made, scored(made, made.graders[0], 1, 2, 3, 3, 4, 5)).papers) == 6


def test_nobody_gets_the_feedback_of_another(made: SmallWorkspace) -> None:
    attempt, other = scored(made, made.graders[0], 1, 2, 3, 3, 4, 5), made.graders[1].account_id
    for attempt_id in (attempt.attempt_id, "knone", ""):
        with pytest.raises(NotDealtToYou):
            feedback_of(made.bench, other, attempt_id)


def test_points_read_differently_are_named_on_either_side(make: Make) -> None:
    made = make(qualification="required", answers=0)
    sheet = made.path / "rubrics" / "mee-barge" / "point_sheet.yaml"
    further = (
        "      - id: duty.applied\n        part: application\n        text: >-\n          He held the rope.\n"
    )
    sheet.write_text(
        sheet.read_text("utf-8").replace('version: "1"\nitem', 'version: "2"\nitem') + further, "utf-8"
    )
    write_packet(made.path, SET, sheet_version=2)
    table = made.path / "calibration_sets" / SET / "reference_scores.csv"
    head, *rows = table.read_text("utf-8").splitlines()
    points = {"E01": "", "E02": "duty.rule", "E03": "duty.rule duty.applied"}
    lines = [f"{row},{points.get(row[:3], 'duty.rule')}" for row in rows]
    table.write_text("\n".join([f"{head},points", *lines]) + "\n", "utf-8")
    register_files(made.bench, made.actor)
    ticked = GradeEntry(score=3, points=("duty.rule",))
    found = feedback(
        made,
        scored(made, made.graders[0], ticked, GradeEntry(score=2, points=("duty.applied",)), ticked, 3, 4, 5),
    )
    read = {paper.essay: (paper.only_mine, paper.only_reference) for paper in found.papers}
    assert read["E01"] == (("duty.rule",), ()), "a paper that makes no point says so"
    assert read["E02"] == (("duty.applied",), ("duty.rule",))
    assert read["E03"] == ((), ("duty.applied",))
    assert read["E04"] == ((), ("duty.rule",))


def test_a_set_that_lists_no_points_says_nothing_of_them(made: SmallWorkspace) -> None:
    ticked = GradeEntry(score=1, points=("duty.rule",))
    found = feedback(made, scored(made, made.graders[0], ticked, 2, 3, 3, 4, 5))
    assert {(paper.only_mine, paper.only_reference) for paper in found.papers} == {(None, None)}


def test_after_an_exercise_wrong_codes_stand_before_right_ones(make: Make) -> None:
    made = make(packets=(SET,), qualification="required", answers=0)
    place = made.path / "calibration_sets" / "mee-barge-codes"
    write_packet(made.path, place.name, scores=(), anchors=(), purpose="codes")
    table = "essay,condition_code,anchor,rationale\nC1,blank,no,Empty.\nC2,off-topic,no,Elsewhere.\n"
    (place / "reference_scores.csv").write_text(table, "utf-8")
    for name in ("C1", "C2"):
        (place / "essays" / f"{name}.md").write_text(f"{name} is as it is.\n", "utf-8")
    register_files(made.bench, made.actor)
    grader = made.graders[0].account_id
    attempt = own_attempt(made.bench, grader, begin_exercise(made.bench, grader, "mee-barge"))
    found = feedback(made, give(made, attempt, {"C1": "blank", "C2": "blank"}))
    assert [(p.essay, p.gave, p.reference, p.apart) for p in found.papers] == [
        ("C2", "blank", "off-topic", None),
        ("C1", "blank", "blank", None),
    ]


def test_only_finished_packets_are_in_the_meeting(made: SmallWorkspace) -> None:
    assert meeting_of(made.bench, SET) == ()
    scored(made, made.graders[0], 1, 2, 3, 3, 4, 5)
    unfinished = scored(made, made.graders[1], 6, 6, 6, 6, 6)
    assert {len(paper.given) for paper in meeting(made).values()} == {1}
    give(made, unfinished, {"E06": 6})
    assert {len(paper.given) for paper in meeting(made).values()} == {2}
    with made.bench.record() as record:
        assert [a.grader_id for a in finished_attempts(record, SET)] == [
            grader.account_id for grader in made.graders[:2]
        ]


def test_the_meeting_begins_with_the_paper_read_most_differently(made: SmallWorkspace) -> None:
    scored(made, made.graders[0], 1, 2, 3, 3, 4, 5)
    scored(made, made.graders[1], 1, 4, 3, 2, 4, 2)
    scored(made, made.graders[2], 1, 3, 3, 3, 4, 4)
    papers = meeting_of(made.bench, SET)
    # Highest minus lowest: E06 5 2 4, E02 2 4 3, E04 3 2 3, the others alike.
    assert [(p.essay, p.apart) for p in papers] == [
        *(("E06", 3), ("E02", 2), ("E04", 1)),
        *(("E01", 0), ("E03", 0), ("E05", 0)),
    ]
    assert [p.middle for p in papers] == [4, 3, 3, 1, 3, 4]
    first = papers[0]
    assert sorted(first.given.values()) == ["2", "4", "5"]
    assert (first.reference, first.rationale) == ("5", "Because of E06.")
    assert first.text.startswith(f"E06 of {SET}")


def test_the_middle_of_two_is_the_lower_so_that_it_is_on_the_scale(made: SmallWorkspace) -> None:
    assert (middle_score([6, 1]), middle_score([2]), middle_score([5, 1, 3, 4])) == (1, 2, 3)
    scored(made, made.graders[0], 1, 2, 3, 3, 4, 5)
    scored(made, made.graders[1], 2, 2, 3, 3, 4, 5)
    assert meeting(made)["E01"].middle == 1


def test_a_paper_coded_by_one_reader_stands_first(made: SmallWorkspace) -> None:
    scored(made, made.graders[0], 0, 2, 3, "blank", 4, 5)
    scored(made, made.graders[1], 6, 2, 3, 3, 4, 5)
    first, second, *_ = meeting_of(made.bench, SET)
    assert (first.essay, first.apart, first.middle) == ("E04", inf, None)
    assert sorted(first.given.values()) == ["3", "blank"]
    assert (second.essay, second.apart) == ("E01", 6)


def test_two_different_codes_are_a_disagreement_and_one_code_of_all_is_none(made: SmallWorkspace) -> None:
    scored(made, made.graders[0], "blank", "blank", 3, 3, 4, 5)
    scored(made, made.graders[1], "blank", "off-topic", 3, 3, 4, 5)
    papers = meeting(made)
    assert next(iter(papers)) == "E02"
    assert (papers["E02"].apart, papers["E02"].middle) == (inf, None)
    assert (papers["E01"].apart, papers["E01"].middle) == (0, None)


def test_points_on_which_readers_differ_come_with_the_share_who_ticked_them(made: SmallWorkspace) -> None:
    ticked = GradeEntry(score=1, points=("duty.rule",))
    scored(made, made.graders[0], ticked, ticked, 3, 3, 4, 5)
    scored(made, made.graders[1], 1, ticked, 3, 3, 4, 5)
    scored(made, made.graders[2], 1, ticked, 3, 3, 4, 5)
    papers = meeting(made)
    assert papers["E01"].points == {"duty.rule": pytest.approx(1 / 3)}
    assert papers["E02"].points == papers["E03"].points == {}


def test_readers_keep_their_letters_when_another_finishes_and_stay_without_name(made: SmallWorkspace) -> None:
    first = scored(made, made.graders[0], 1, 1, 1, 1, 1, 1)
    late = scored(made, made.graders[1], 2, 2, 2, 2, 2)
    scored(made, made.graders[2], 3, 3, 3, 3, 3, 3)
    before = meeting(made)["E01"].given
    give(made, late, {"E06": 2})
    after = meeting(made)
    assert sorted(before.values()) == ["1", "3"]
    assert {letter: gave for letter, gave in after["E01"].given.items() if letter in before} == before
    assert len({tuple(paper.given) for paper in after.values()}) == 1, "the same letters on every paper"
    shown = repr(tuple(after.values()))
    for hidden in (first.attempt_id, *(g.account_id for g in made.graders), *(g.name for g in made.graders)):
        assert hidden not in shown
    for a in first.assignment_ids:
        assert a not in shown


def attempts(packet: str, count: int) -> list[Attempt]:
    first = Attempt(packet, "p0", "i", "h", "s", "h", "qualify", 1, 1, "", ())
    return [replace(first, attempt_id=f"{packet}{n}", grader_id=f"p{n}") for n in range(count)]


def test_letters_differ_between_packets_and_are_nobodys_twice() -> None:
    one, other = _letters(attempts("ka", 40)), _letters(attempts("kb", 40))
    assert one != other
    assert sum(one[grader] == other[grader] for grader in one) < 10
    for letters in (one, other):
        assert Counter(letters.values()).most_common(1)[0][1] == 1
        assert all(letter.startswith("Reader ") for letter in letters.values())
        assert list(letters.values()) != sorted(letters.values()), (
            "in the order of beginning they are shuffled"
        )
    assert _letters(attempts("ka", 40)) == one
    assert _letters(attempts("ka", 7)) == dict(list(one.items())[:7])


def test_a_new_version_of_a_set_has_a_meeting_of_its_own(made: SmallWorkspace) -> None:
    scored(made, made.graders[0], 1, 2, 3, 3, 4, 5)
    write_packet(made.path, SET, scores=(1, 2, 3, 3, 4, 6), version=2)
    register_files(made.bench, made.actor)
    assert meeting_of(made.bench, SET) == ()
    assert meeting_of(made.bench, "mee-barge-none") == ()
    scored(made, made.graders[1], 1, 2, 3, 3, 4, 5)
    assert meeting(made)["E06"].reference == "6"
