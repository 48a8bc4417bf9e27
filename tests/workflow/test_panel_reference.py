"""The panel reads its first packet, and references are frozen from what it gave."""

from __future__ import annotations

import csv
import io

import pytest
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from panel_packets import (
    ITEM,
    SET,
    Make,
    begun,
    drawn_round,  # noqa: F401 - a fixture
    freeze,
    frozen_round,  # noqa: F401 - a fixture
    last_event,
    outcome,
    papers_of,
    read,
    score,
    undrawn_round,  # noqa: F401 - a fixture
    verify,
)
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.export.registry import files_of
from grader_app.export.results import Results
from grader_app.store.event_log import read_events
from grader_app.store.inputs import read_inputs
from grader_app.workflow.assignment import deal
from grader_app.workflow.calibration import begin
from grader_app.workflow.panel_reference import Consensus, freeze_references
from grader_app.workflow.qualification import standing_of


def scores_table(made: SmallWorkspace) -> dict[str, dict[str, str]]:
    files = files_of(Results(list(read_events(made.bench.store)), read_inputs(made.bench.store)))
    return {row["response_id"]: row for row in csv.DictReader(io.StringIO(files["scores.csv"].decode()))}


def test_nobody_begins_before_the_packets_are_drawn(made: SmallWorkspace) -> None:
    made.train(made.graders[0])
    with pytest.raises(NotAllowed, match="has not drawn the packet"):
        begin(made.bench, made.graders[0].account_id, ITEM)


def test_the_first_packet_makes_references_and_the_second_waits_for_them(drawn: SmallWorkspace) -> None:
    one, two, late = drawn.graders
    first = read(drawn, one, 1, 2, 3, 4, 5)
    assert (first.packet, first.number, outcome(drawn, first)) == (1, 0, "reference")
    with drawn.bench.record() as record:
        assert {record.assignments[a].response_id for a in first.assignment_ids} == set(papers_of(drawn, 1))
    assert not standing_of(drawn.bench, one.account_id, ITEM).may_grade
    with pytest.raises(NotAllowed, match="opens after the panel has met on the first"):
        begin(drawn.bench, one.account_id, ITEM)
    read(drawn, two, 1, 2, 3, 4, 5)
    freeze(drawn, 1)
    for grader in (one, late):
        attempt = drawn.begin(grader)
        assert (attempt.packet, attempt.number) == (2, 1), "who joins late goes straight to the second"
        with drawn.bench.record() as record:
            dealt = {record.assignments[a].response_id for a in attempt.assignment_ids}
        assert dealt == set(papers_of(drawn, 2))


def test_whoever_is_still_at_the_first_packet_finishes_it_and_goes_on(drawn: SmallWorkspace) -> None:
    slow, given = begun(drawn, drawn.graders[2], 5, 4, 3, 2, 1)
    for grader in drawn.graders[:2]:
        read(drawn, grader, 1, 2, 3, 4, 5)
    freeze(drawn, 1)
    assert outcome(drawn, score(drawn, slow, given)) == "reference"
    assert drawn.begin(drawn.graders[2]).packet == 2
    with drawn.bench.record() as record:
        assert [record.calibration.frozen[r].score for r in papers_of(drawn, 1)] == [1, 2, 3, 4, 5]


def test_two_readers_must_have_finished_before_references_are_frozen(drawn: SmallWorkspace) -> None:
    read(drawn, drawn.graders[0], 1, 2, 3, 4, 5)
    begun(drawn, drawn.graders[1], 1, 2, 3, 4, 5)
    with pytest.raises(NotAllowed, match="At least 2 graders must have finished"):
        freeze(drawn, 1)
    assert drawn.count(EventKind.REFERENCES_FROZEN) == 0


def test_a_paper_takes_the_middle_score_and_departing_from_it_needs_a_reason(drawn: SmallWorkspace) -> None:
    one = read(drawn, drawn.graders[0], 1, 2, 3, 4, 5)
    read(drawn, drawn.graders[1], 2, 2, 6, 4, 5)
    for word in (Consensus(2), Consensus(2, reason="  "), Consensus(None, "blank")):
        with pytest.raises(GradeProblem, match="Paper 01: the reference departs from the panel's middle"):
            freeze(drawn, 1, p01=word)
    with pytest.raises(GradeProblem, match="Paper 03: the reason has 501 characters; keep it to 500"):
        freeze(drawn, 1, p03=Consensus(5, reason="x" * 501))
    assert drawn.count(EventKind.REFERENCES_FROZEN) == 0
    assert freeze(drawn, 1, p02=Consensus(2), p03=Consensus(5, reason=" Both issues\nare there. ")) == 5
    with drawn.bench.record() as record:
        held = [record.calibration.frozen[r] for r in papers_of(drawn, 1)]
        reads = {
            record.assignments[a].response_id: record.check_grades[a].event_seq for a in one.assignment_ids
        }
    # 1 and 2 have the lower middle 1; 3 and 6 have the middle 3, from which the lead departs.
    assert [found.score for found in held] == [1, 2, 5, 4, 5]
    assert [found.reason for found in held] == ["", "", "Both issues are there.", "", ""]
    for found in held:
        assert len(found.grade_events) == 2
        assert reads[found.response_id] in found.grade_events
    event = last_event(drawn, EventKind.REFERENCES_FROZEN)
    assert (event.subject, event.actor, event.body["packet"]) == (SET, drawn.actor, 1)
    with pytest.raises(NotAllowed, match="frozen already"):
        freeze(drawn, 1)
    verify(drawn)


def test_a_middle_of_three_is_the_one_between(drawn: SmallWorkspace) -> None:
    for grader, first in zip(drawn.graders, (5, 0, 4), strict=True):
        read(drawn, grader, first, 2, 3, 4, 5)
    freeze(drawn, 1)
    with drawn.bench.record() as record:
        assert record.calibration.frozen[papers_of(drawn, 1)[0]].score == 4


@pytest.mark.parametrize(
    ("word", "why"),
    [
        (Consensus(7, reason="More."), "Paper 02: 7 is not on the scale"),
        (Consensus(2.5, reason="Between."), "Paper 02: 2.5 is not on the scale"),
        (Consensus(float("nan"), reason="Unsure."), "Paper 02: nan is not on the scale"),
        (Consensus(None, "torn", reason="Torn."), "Paper 02: the rubric has no code `torn`"),
        (Consensus(None, reason="None."), "Paper 02: a reference is either a score or a code"),
        (Consensus(2, "blank", reason="Both."), "Paper 02: a reference is either a score or a code"),
    ],
)
def test_a_reference_is_a_score_of_the_scale_or_a_code_of_the_rubric(
    drawn: SmallWorkspace, word: Consensus, why: str
) -> None:
    for grader in drawn.graders[:2]:
        read(drawn, grader, 1, 2, 3, 4, 5)
    with pytest.raises(GradeProblem, match=why):
        freeze(drawn, 1, p02=word)
    with pytest.raises(GradeProblem, match="1 of the papers are not in this packet"):
        freeze_references(drawn.bench, drawn.actor, SET, 1, {papers_of(drawn, 2)[0]: Consensus(2)})
    assert drawn.count(EventKind.REFERENCES_FROZEN) == 0


def test_a_code_of_all_is_the_reference_and_a_code_of_one_is_for_the_lead_to_settle(
    drawn: SmallWorkspace,
) -> None:
    read(drawn, drawn.graders[0], "blank", "blank", "off-topic", 4, 5)
    read(drawn, drawn.graders[1], "blank", 0, "blank", 4, 5)
    with pytest.raises(
        GradeProblem, match="Paper 02: the readers gave a code against a score or another code"
    ):
        freeze(drawn, 1)
    with pytest.raises(GradeProblem, match="Paper 02: the reference departs from the panel's middle"):
        freeze(drawn, 1, p02=Consensus(0))
    off_topic = Consensus(None, "off-topic", reason="It answers the torts question.")
    freeze(drawn, 1, p02=Consensus(0, reason="A line is there."), p03=off_topic)
    with drawn.bench.record() as record:
        standings = [record.standing(r) for r in papers_of(drawn, 1)]
    assert [(one.status, one.final) for one in standings] == [
        ("coded", 0),
        ("final", 0),
        ("coded", None),
        ("final", 4),
        ("final", 5),
    ]
    verify(drawn)


def test_only_what_was_drawn_can_be_frozen(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required", answers=0)
    for grader in made.graders:
        made.calibrate(grader)
    for set_id in ("mee-barge-a", "mee-barge-z"):
        with pytest.raises(NotAllowed, match="No packet was drawn"):
            freeze_references(made.bench, made.actor, set_id, 1, {})
    assert made.count(EventKind.REFERENCES_FROZEN) == 0


def test_frozen_scores_are_final_everywhere_and_everything_verifies(frozen: SmallWorkspace) -> None:
    deal(frozen.bench, frozen.actor)
    with frozen.bench.record() as record:
        standings = [record.standing(r) for r in papers_of(frozen, 1)]
        waiting = {record.standing(r).status for r in papers_of(frozen, 2)}
    assert [(one.status, one.raw, one.final) for one in standings] == [
        ("final", score, score) for score in (1, 2, 3, 4, 5)
    ]
    assert waiting == {"waiting"}
    rows = scores_table(frozen)
    assert [(rows[r]["status"], rows[r]["final"]) for r in papers_of(frozen, 1)] == [
        ("final", str(score)) for score in (1, 2, 3, 4, 5)
    ]
    assert {rows[r]["final"] for r in papers_of(frozen, 2)} == {""}
    verify(frozen)
