from __future__ import annotations

from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace, write_item

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.ids import new_ids
from grader_app.domain.panel import Account, Assignment
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store.assignments import last_positions, reads_of
from grader_app.store.event_log import read_events
from grader_app.store.texts import get_text_or_none
from grader_app.workflow.assignment import record_deal
from grader_app.workflow.calibration import submit_order
from grader_app.workflow.grade_submission import correct_grade, submit_grade
from grader_app.workflow.live_grading import save_draft
from grader_app.workflow.panel_reference import draw_packets, freeze_references
from grader_app.workflow.planting import validity_pool
from grader_app.workflow.promotion import promotable, promote
from grader_app.workflow.registration import register_files
from grader_app.workflow.rulings import keep_grades, recall_grades


@pytest.fixture
def small(make: Callable[..., SmallWorkspace]) -> SmallWorkspace:
    """Four graders; two of them have three answers each, each read by both."""
    made = make(graders=2, answers=3, reading="reads: 2")
    made.add_grader("grader-3")
    made.add_grader("grader-4")
    return made


def deal_further(small: SmallWorkspace, response_id: str, grader: Account, number: int) -> None:
    """Deal an answer to one more reader, as a third read would be."""
    place = last_positions(small.bench.store, "mee-barge").get(grader.account_id, 0) + 1
    dealt = Assignment(new_ids("a", 1)[0], response_id, "mee-barge", grader.account_id, place, number)
    with small.bench.store.write() as connection:
        record_deal(small.bench, connection, small.actor, "mee-barge", grader.account_id, [dealt])


def read_by_three(small: SmallWorkspace, *scores: float, place: int = 0) -> str:
    """Let three graders read one answer, each giving a score; the rest of the scores are not given."""
    response_id = sorted({d.response_id for d in small.queue(small.graders[0])})[place]
    deal_further(small, response_id, small.graders[2], 3)
    for dealt, score in zip(reads_of(small.bench.store, response_id), scores, strict=False):
        small.submit(dealt, score)
    return response_id


def listed(small: SmallWorkspace) -> list[tuple[str, float, int]]:
    return [(one.response_id, one.score, one.readers) for one in promotable(small.bench, "mee-barge")]


def test_an_answer_read_alike_by_three_can_be_promoted_and_says_so_in_the_log(small: SmallWorkspace) -> None:
    response_id = read_by_three(small, 4, 4, 4)
    (one,) = promotable(small.bench, "mee-barge")
    assert (one.response_id, one.score, one.readers) == (response_id, 4, 3)
    assert one.text.startswith("Answer ")
    promote(small.bench, small.actor, response_id, "Everybody saw the same.")
    event = list(read_events(small.bench.store))[-1]
    with small.bench.record() as record:
        grades = sorted(grade.event_seq for grade in record.reads(response_id))
    assert (event.kind, event.subject, event.actor) == ("PaperPromoted", response_id, small.actor)
    assert (event.body["item"], event.body["reference"]) == ("mee-barge", 4)
    assert event.body["grade_events"] == grades
    assert len(grades) == 3
    assert get_text_or_none(small.bench.store, event.body["reason_hash"]) == "Everybody saw the same."


def test_a_promoted_answer_is_planted_before_those_only_who_never_read_it(small: SmallWorkspace) -> None:
    response_id = read_by_three(small, 4, 4, 4)
    with small.bench.record() as record:
        before = record.standing(response_id)
    promote(small.bench, small.actor, response_id, "A clear four.")
    pools = [validity_pool(small.bench, "mee-barge", grader.account_id) for grader in small.graders]
    assert pools == [[], [], [], [response_id]]
    with small.bench.record() as record:
        assert record.standing(response_id) == before


@pytest.mark.parametrize("scores", [(4, 4), (4, 4, 5), (4, 3, 4)])
def test_two_readers_or_three_who_differ_are_not_enough(
    small: SmallWorkspace, scores: tuple[float, ...]
) -> None:
    response_id = read_by_three(small, *scores)
    assert listed(small) == []
    with pytest.raises(NotAllowed, match="it takes 3 readers who all gave it the same score"):
        promote(small.bench, small.actor, response_id, "A clear four.")


def test_a_condition_code_is_no_score_to_hold_anyone_against(small: SmallWorkspace) -> None:
    response_id = read_by_three(small)
    for dealt in reads_of(small.bench.store, response_id):
        small.submit(dealt, entry=GradeEntry(condition_code="blank"))
    assert listed(small) == []
    with pytest.raises(NotAllowed):
        promote(small.bench, small.actor, response_id, "All blank.")


def test_an_answer_with_a_fourth_read_to_come_waits_for_it(small: SmallWorkspace) -> None:
    response_id = read_by_three(small, 4, 4, 4)
    deal_further(small, response_id, small.graders[3], 4)
    assert listed(small) == []
    small.submit(small.queue(small.graders[3])[-1], 4)
    assert listed(small) == [(response_id, 4, 4)]


def test_an_answer_is_promoted_once_and_those_with_most_readers_come_first(small: SmallWorkspace) -> None:
    first, second = read_by_three(small, 4, 4, 4), read_by_three(small, 2, 2, 2, place=1)
    deal_further(small, second, small.graders[3], 4)
    small.submit(small.queue(small.graders[3])[-1], 2)
    assert listed(small) == [(second, 2, 4), (first, 4, 3)]
    promote(small.bench, small.actor, second, "A clear two.")
    assert listed(small) == [(first, 4, 3)]
    with pytest.raises(NotAllowed):
        promote(small.bench, small.actor, second, "Again.")
    assert small.count(EventKind.PAPER_PROMOTED) == 1


def test_promoting_needs_a_reason_and_an_answer_that_exists(small: SmallWorkspace) -> None:
    response_id = read_by_three(small, 4, 4, 4)
    with pytest.raises(GradeProblem, match="needs a reason"):
        promote(small.bench, small.actor, response_id, "  ")
    with pytest.raises(NotAllowed, match="rnowhere cannot be a validity paper"):
        promote(small.bench, small.actor, "rnowhere", "A clear four.")
    assert small.count(EventKind.PAPER_PROMOTED) == 0


def test_an_answer_whose_reader_is_correcting_waits_for_the_outcome(small: SmallWorkspace) -> None:
    response_id = read_by_three(small, 4, 4, 4)
    dealt = reads_of(small.bench.store, response_id)[1]
    save_draft(small.bench, dealt.grader_id, dealt.assignment_id, {"score": 5, "correcting": True})
    assert listed(small) == []
    with pytest.raises(NotAllowed):
        promote(small.bench, small.actor, response_id, "A clear four.")
    entry = GradeEntry(score=4, points=("duty.rule",))
    correct_grade(small.bench, dealt.grader_id, dealt.assignment_id, entry, reason="A point.", token="c")
    assert listed(small) == [(response_id, 4, 3)]


def test_a_new_point_sheet_ends_it_until_the_lead_lets_the_grades_stand(small: SmallWorkspace) -> None:
    kept, recalled = read_by_three(small, 4, 4, 4), read_by_three(small, 2, 2, 2, place=1)
    write_item(small.path, "mee-barge", version=2)
    sheet = small.path / "rubrics" / "mee-barge" / "point_sheet.yaml"
    sheet.write_text(sheet.read_text("utf-8").replace("A duty needs control.", "A duty needs care."), "utf-8")
    register_files(small.bench, small.actor)
    assert listed(small) == []
    for act, response_id in ((keep_grades, kept), (recall_grades, recalled)):
        ids = [dealt.assignment_id for dealt in reads_of(small.bench.store, response_id)]
        assert act(small.bench, small.actor, "mee-barge", ids, "The words changed.") == 3
    assert listed(small) == [(kept, 4, 3)]


def test_new_guidelines_alone_leave_a_reference_as_good_as_before_unless_it_is_recalled(
    small: SmallWorkspace,
) -> None:
    response_id = read_by_three(small, 4, 4, 4)
    write_item(small.path, "mee-barge", version=2)
    (small.path / "rubrics" / "mee-barge" / "guidelines.md").write_text("1. Read twice.\n", "utf-8")
    register_files(small.bench, small.actor)
    assert listed(small) == [(response_id, 4, 3)]
    one = reads_of(small.bench.store, response_id)[0].assignment_id
    recall_grades(small.bench, small.actor, "mee-barge", [one], "It turns on the ruling.")
    assert listed(small) == []


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (EventKind.SOURCES_REVEALED, {"export": "x"}),
        (EventKind.PANEL_PACKET_DRAWN, {"packet": 1, "item": "mee-barge"}),
    ],
)
def test_an_answer_whose_source_is_known_or_that_a_panel_calibrates_on_is_no_check(
    small: SmallWorkspace, kind: EventKind, body: dict[str, object]
) -> None:
    response_id = read_by_three(small, 4, 4, 4)
    assert listed(small) == [(response_id, 4, 3)]
    small.append(kind, "mee-barge-p", **(body | {"response_ids": [response_id]}))
    assert listed(small) == []


def test_a_frozen_reference_that_three_readers_gave_alike_can_be_promoted(
    make: Callable[..., SmallWorkspace],
) -> None:
    made = make(graders=3, answers=12, dealt=False, qualification="required", items=("mee-barge",))
    place = made.path / "calibration_sets" / "mee-barge-p"
    place.mkdir(parents=True)
    (place / "calibration_set.yaml").write_text(
        'format: calibration_set/1\nid: mee-barge-p\nversion: "1"\ntitle: The panel\'s own\nitem: mee-barge\n'
        'point_sheet_version: "1"\npurpose: qualify\nreference: panel\norigin: panel\n'
        "papers: 5\njudged_papers: 5\n",
        encoding="utf-8",
    )
    register_files(made.bench, made.actor)
    draw_packets(made.bench, made.actor, "mee-barge-p")
    for grader in made.graders:
        attempt = made.begin(grader)
        state = {"piles": [{"label": "", "groups": [[a] for a in attempt.assignment_ids]}]}
        submit_order(made.bench, grader.account_id, attempt.attempt_id, state, token=f"o{attempt.attempt_id}")
        for at, (_essay, a) in enumerate(sorted((e, a) for a, e in made.essays(attempt).items())):
            # All give the same scores, but for the first paper, which the first grader scores lower.
            off = 1 if at == 0 and grader is made.graders[0] else 0
            submit_grade(made.bench, grader.account_id, a, GradeEntry(score=4 - off), token=f"s{a}")
    assert promotable(made.bench, "mee-barge") == [], "not before the references are frozen"
    freeze_references(made.bench, made.actor, "mee-barge-p", 1, {})
    found = promotable(made.bench, "mee-barge")
    assert [(one.score, one.readers) for one in found] == [(4, 3)] * 4
    promote(made.bench, made.actor, found[0].response_id, "All three agree.")
    assert len(promotable(made.bench, "mee-barge")) == 3
