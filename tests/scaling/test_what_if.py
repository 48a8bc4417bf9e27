"""The what-if desk's arithmetic, on a round small enough to follow with a pencil."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from small_workspace import SmallWorkspace

from grader_app.agreement.reader_variance import reader_variance_of_record
from grader_app.domain.events import EventKind
from grader_app.domain.panel import Assignment
from grader_app.domain.scaling_rules import SetRules
from grader_app.domain.supposed_record import under_rules
from grader_app.errors import ScalingProblem
from grader_app.scaling.of_round import scaled_of_record
from grader_app.scaling.what_if import Move, Question, WhatIf, what_if
from grader_app.scaling.what_if_says import crossing_sentence, noise_sentence
from grader_app.store.responses import add_mbe
from grader_app.workflow.assignment import deal

Make = Callable[..., SmallWorkspace]
CUT = "cut:\n  total: 270\n"
TWO_READS = "reads: 2\nresolve_when_apart_by_more_than: 3"
WEIGHTED = ("mee-barge", "mee-crane")
BARGE, CRANE = (1, 2, 4, 5), (5, 4, 2, 3)
MBES = (120.0, 130.0, 140.0, 150.0)


def round_of(
    make: Make, *, reading: str = "reads: 1", more: str = CUT, dealt: bool = True, graders: int = 2
) -> tuple[SmallWorkspace, list[str]]:
    """Four candidates with two answers each, dealt and not yet graded."""
    small = make(graders=graders, answers=0, items=(*WEIGHTED, "rule-ferry"), reading=reading, more=more)
    answers = [small.take_in_of_one_candidate("mee-barge", "mee-crane") for _ in MBES]
    with small.bench.record() as record:
        people = [str(record.candidate_of(barge)) for barge, _ in answers]
    with small.bench.store.write() as connection:
        add_mbe(connection, list(zip(people, MBES, strict=True)))
    small.append(EventKind.MBE_TAKEN_IN, "mbe", n=len(MBES))
    if dealt:
        deal(small.bench, small.actor)
    return small, people


def grade(small: SmallWorkspace, people: list[str], stray: tuple[int, ...] = (0, 0, 0, 0)) -> None:
    """Give each answer its score; the second grader strays from it, by so much for each candidate."""
    places = {who: place for place, who in enumerate(people)}
    for grader in small.graders:
        for item, scores in (("mee-barge", BARGE), ("mee-crane", CRANE)):
            for dealt in small.queue(grader, item):
                with small.bench.record() as record:
                    place = places[str(record.candidate_of(dealt.response_id))]
                small.submit(dealt, scores[place] + stray[place] * (grader is not small.graders[0]))


def asked(small: SmallWorkspace, *, without: str | None = None, **rules: object) -> WhatIf:
    with small.bench.record() as record:
        question = Question(SetRules.model_validate(rules), without)
        return what_if(record, question, reader_variance_of_record(record))


def test_another_weight_moves_totals_as_the_same_weight_in_the_file_would(make: Make) -> None:
    small, people = round_of(make)
    grade(small, people)
    found = asked(small, weights={"mee-crane": 3})
    # Composites 6, 6, 6, 8 become 16, 14, 10, 14; these are scaled to the MBE's mean of 135 and its SD.
    by_id = {move.candidate_id: move for move in found.moves}
    assert [by_id[who].before for who in people] == [pytest.approx(total) for total in (249, 259, 269, 304)]
    assert [by_id[who].after for who in people] == [pytest.approx(total) for total in (268, 268, 257, 288)]
    assert [by_id[who].move for who in people] == [19, 9, -12, -16]
    assert (len(found.moved), found.moved[0].candidate_id, found.mean_size) == (4, people[0], 14)
    with small.bench.record() as record:
        assert record.round is not None
        assert record.round.weights == {"mee-barge": 1, "mee-crane": 1}


def test_who_crosses_is_named_by_side(make: Make) -> None:
    small, people = round_of(make)
    grade(small, people)
    lower = asked(small, cut=265)
    assert (lower.line_before, lower.line_after) == (270, 265)
    assert [move.candidate_id for move in lower.crossing("up")] == [people[2]]
    assert (lower.crossing("down"), lower.moved) == ((), ())
    higher = asked(small, cut=304.5)
    assert [move.candidate_id for move in higher.crossing("down")] == [people[3]]


def test_without_a_line_nobody_crosses_and_a_line_can_be_tried(make: Make) -> None:
    small, people = round_of(make, more="")
    grade(small, people)
    found = asked(small, method="equipercentile")
    assert (found.line_before, found.line_after) == (None, None)
    assert {move.crosses for move in found.moves} == {None}
    tried = asked(small, cut=270)
    assert {(move.passes_before, move.crosses) for move in tried.moves} == {(None, None)}
    assert [move.passes_after for move in tried.moves].count(True) == 1


def test_a_move_smaller_than_the_readers_error_is_within_noise(make: Make) -> None:
    small, people = round_of(make, reading=TWO_READS)
    grade(small, people, (1, -1, 1, -1))
    found = asked(small, reads_rule="higher")
    assert found.reader_sd is not None
    assert found.reader_sd > 0
    if found.everything_sd is not None:
        assert found.everything_sd > found.reader_sd
    for move in found.moves:
        assert move.within_error is (abs(move.move) < (move.reader_sd or 0))
    assert found.n_within_error == sum(bool(move.within_error) for move in found.moved)


def test_without_double_reads_nothing_is_said_of_noise(make: Make) -> None:
    small, people = round_of(make)
    grade(small, people)
    found = asked(small, weights={"mee-crane": 3})
    assert (found.reader_sd, found.n_within_error) == (None, None)
    assert {move.within_error for move in found.moves} == {None}


@pytest.mark.parametrize(
    ("rule", "barge"), [("mean", 1.5), ("higher", 2), ("replace", None), ("first", None)]
)
def test_reads_combine_by_the_rule_asked_for(make: Make, rule: str, barge: float | None) -> None:
    small, people = round_of(make, reading=TWO_READS)
    grade(small, people, (1, 1, 1, 1))
    with small.bench.record() as record:
        supposed = under_rules(record, SetRules(reads_rule=rule))
        (answer,) = [r for r in record.response_ids("mee-barge") if record.candidate_of(r) == people[0]]
        reads = [read.score for read in record.reads(answer)]
        expected = {"replace": reads[-1], "first": reads[0]}.get(rule, barge)
        assert supposed.standing(answer).final == expected
        assert record.standing(answer).final == 1.5


def test_without_a_grader_the_other_read_stands_alone(make: Make) -> None:
    small, people = round_of(make, reading=TWO_READS)
    grade(small, people, (1, 1, 1, 1))
    two = next(g for g in small.graders if g.name == "grader-2")
    found = asked(small, without=two.account_id)
    # Everyone had half a point more on each question, which scaling takes out again.
    assert [move.move for move in found.moves] == [0, 0, 0, 0]
    assert found.left_out == ()


def test_whoever_is_left_without_a_read_is_listed_as_left_out(make: Make) -> None:
    small, people = round_of(make, reading=TWO_READS, dealt=False)
    one, two = (grader.account_id for grader in small.graders)
    with small.bench.record() as record:
        answers = {(item, record.candidate_of(r)): r for item in WEIGHTED for r in record.response_ids(item)}
    # The first candidate's essay on the barge is read by the first grader alone.
    for number, ((item, who), response_id) in enumerate(answers.items()):
        readers = (one,) if (item, who) == ("mee-barge", people[0]) else (one, two)
        for read, grader in enumerate(readers, start=1):
            small.plant(Assignment(f"a{number}x{read}", response_id, item, grader, number + 1, read))
    grade(small, people)
    found = asked(small, without=one, weights={"mee-crane": 2.5})
    assert [(left.candidate_id, left.why) for left in found.left_out] == [
        (people[0], "No read is left of mee-barge.")
    ]
    assert {move.candidate_id for move in found.moves} == set(people[1:])
    assert asked(small, without=two, weights={"mee-crane": 2.5}).left_out == ()


def test_nothing_left_to_scale_is_a_sentence(make: Make) -> None:
    small, people = round_of(make, graders=1)
    grade(small, people)
    with pytest.raises(ScalingProblem, match="Then nothing could be scaled"):
        asked(small, without=small.graders[0].account_id)


def test_a_question_changes_nothing_in_the_record(make: Make) -> None:
    small, people = round_of(make, reading=TWO_READS)
    grade(small, people, (1, 1, 1, 1))
    with small.bench.record() as record:
        before = scaled_of_record(record)
    asked(small, without=small.graders[0].account_id, weights={"mee-crane": 5}, cut=250, reads_rule="higher")
    with small.bench.record() as record:
        assert scaled_of_record(record) == before
        assert record.rules.decisions == []
        assert len(record.grades) == 16


def test_a_weight_for_a_question_without_one_is_refused_by_name(make: Make) -> None:
    small, people = round_of(make)
    grade(small, people)
    with pytest.raises(ScalingProblem, match=r"rule-ferry has no weight in this round\. Items .*: mee-barge"):
        asked(small, weights={"rule-ferry": 2})


def test_a_round_that_is_not_scaled_yet_says_why(make: Make) -> None:
    small, _ = round_of(make)
    with pytest.raises(ScalingProblem, match="Nothing is scaled yet: no candidate has a final score"):
        asked(small, cut=260)


def test_the_wider_error_is_said_first() -> None:
    found = WhatIf(Question(SetRules()), (), (), (), 266, 270, 4.5, 5.9, ())
    assert noise_sentence(found) == (
        "A total could be off by 5.9 points (one SD) through readers, questions and pool, "
        "by 4.5 through its readers alone."
    )
    assert "how much more through questions and pool is not known" in noise_sentence(
        replace(found, everything_sd=None)
    )
    assert crossing_sentence(found) == "Nobody crosses the line of 270 (now 266)."


def test_crossing_is_said_as_passing() -> None:
    up = Move("c1", "total", 265, 267, False, True, None)
    found = WhatIf(Question(SetRules()), (up,), (), (), 266, 266, None, None, ())
    assert crossing_sentence(found) == (
        "With the line at 266, 1 candidate would newly pass and nobody would no longer pass."
    )
