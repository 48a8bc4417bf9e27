from __future__ import annotations

import csv
import io
import secrets
import threading
from collections.abc import Callable, Mapping

import pytest
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from small_workspace import SmallWorkspace, write_item, write_packet

from grader_app.agreement.of_attempt import references_of
from grader_app.domain.calibration_record import Attempt
from grader_app.domain.events import Event, EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.ids import new_ids
from grader_app.domain.panel import Account, ReadKind
from grader_app.domain.response import Response
from grader_app.errors import GradeProblem, GraderAppError, NotAllowed
from grader_app.export.folder import write_export
from grader_app.export.registry import files_of
from grader_app.export.results import Results
from grader_app.export.verify import ends_of_exports, verify_export
from grader_app.store.event_log import append, read_events
from grader_app.store.inputs import read_inputs
from grader_app.store.integrity import check_store
from grader_app.store.responses import add_responses, dealt_among, last_deal_order
from grader_app.store.texts import salted_hash, word_counts
from grader_app.workflow.assignment import deal
from grader_app.workflow.calibration import begin, own_attempt
from grader_app.workflow.feedback import feedback_of, meeting_of
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.panel_reference import (
    Consensus,
    draw_packets,
    freeze_references,
    judge_panel,
    spread_over_length,
)
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.registration import register_files
from grader_app.workflow.rulings import make_ruling

Make = Callable[..., SmallWorkspace]
ITEM, SET = "mee-barge", "mee-barge-p"
PANEL_SET = """\
format: calibration_set/1
id: mee-barge-p
version: "{version}"
title: The panel's own papers
item: mee-barge
point_sheet_version: "{sheet}"
purpose: qualify
reference: panel
origin: panel
papers: 5
judged_papers: 5
"""


def write_panel_set(made: SmallWorkspace, *, version: int = 1, sheet: int = 1) -> None:
    place = made.path / "calibration_sets" / SET
    place.mkdir(parents=True, exist_ok=True)
    (place / "calibration_set.yaml").write_text(PANEL_SET.format(version=version, sheet=sheet), "utf-8")


def take_in(made: SmallWorkspace, count: int) -> list[str]:
    """Store answers of 1, 2, 3 … words; give their ids, the shortest first."""
    ids = new_ids("r", count)
    start = last_deal_order(made.bench.store, ITEM)
    rows = []
    for words, (response_id, candidate) in enumerate(zip(ids, new_ids("c", count), strict=True), start=1):
        salt, text = secrets.token_hex(16), " ".join(["control"] * words)
        place, digest = start + words, salted_hash(salt, text)
        rows.append((Response(response_id, ITEM, candidate, place, digest, False), salt, text))
    with made.bench.store.write() as connection:
        add_responses(connection, rows)
        body = {"item": ITEM, "n": count}
        kind = EventKind.ANSWERS_TAKEN_IN
        append(connection, at=made.bench.now(), actor=made.actor, kind=kind, subject=ITEM, body=body)
    return ids


@pytest.fixture
def made(make: Make) -> SmallWorkspace:
    """Three graders, twenty answers that nobody was dealt, and a set whose references the panel makes."""
    made = make(graders=3, answers=0, qualification="required", items=(ITEM,))
    take_in(made, 20)
    write_panel_set(made)
    register_files(made.bench, made.actor)
    return made


@pytest.fixture
def drawn(made: SmallWorkspace) -> SmallWorkspace:
    draw_packets(made.bench, made.actor, SET)
    return made


@pytest.fixture
def frozen(drawn: SmallWorkspace) -> SmallWorkspace:
    """Two graders have read the first packet alike, and its references are frozen."""
    for grader in drawn.graders[:2]:
        read(drawn, grader, 1, 2, 3, 4, 5)
    freeze(drawn, 1)
    return drawn


def papers_of(made: SmallWorkspace, packet: int) -> list[str]:
    """List what was drawn for a packet, in the order in which papers are named."""
    with made.bench.record() as record:
        return sorted(r for r, where in record.calibration.drawn.items() if where == (SET, packet))


def begun(
    made: SmallWorkspace, grader: Account, *given: float | str
) -> tuple[Attempt, dict[str, float | str]]:
    """Begin a packet and rank it by what is about to be given; a code stands last."""
    attempt = made.begin(grader)
    with made.bench.record() as record:
        papers = {a: record.assignments[a].response_id for a in attempt.assignment_ids}
    planned = dict(zip(papers_of(made, attempt.packet), given, strict=True))
    by_paper = {a: planned[r] for a, r in papers.items()}
    made.rank(attempt, [[a] for a in sorted(by_paper, key=lambda a: (_standing(by_paper[a]), papers[a]))])
    return attempt, by_paper


def _standing(given: float | str) -> float:
    return 1 if isinstance(given, str) else -given


def score(made: SmallWorkspace, attempt: Attempt, given: Mapping[str, float | str]) -> Attempt:
    for a, one in given.items():
        entry = GradeEntry(condition_code=one) if isinstance(one, str) else GradeEntry(score=one)
        submit_grade(made.bench, attempt.grader_id, a, entry, token=next(made.tokens))
    return own_attempt(made.bench, attempt.grader_id, attempt.attempt_id)


def read(made: SmallWorkspace, grader: Account, *given: float | str) -> Attempt:
    """Go through the next packet; Paper 01, Paper 02 … get these scores or codes."""
    attempt, by_paper = begun(made, grader, *given)
    return score(made, attempt, by_paper)


def freeze(made: SmallWorkspace, packet: int, **said: Consensus) -> int:
    """Freeze a packet; `said` is the lead's word by the paper's name, such as ``p01``."""
    papers = papers_of(made, packet)
    words = {papers[int(name[1:]) - 1]: word for name, word in said.items()}
    return freeze_references(made.bench, made.actor, SET, packet, words)


def judge(made: SmallWorkspace) -> int:
    return judge_panel(made.bench, made.actor, SET)


def outcome(made: SmallWorkspace, attempt: Attempt) -> str | None:
    found = own_attempt(made.bench, attempt.grader_id, attempt.attempt_id)
    return None if found.judgment is None else found.judgment.outcome


def figures(made: SmallWorkspace, attempt: Attempt) -> dict[str, float | None]:
    judged = own_attempt(made.bench, attempt.grader_id, attempt.attempt_id).judgment
    assert judged is not None
    return {condition["name"]: condition["value"] for condition in judged.conditions}


def last_event(made: SmallWorkspace, kind: EventKind) -> Event:
    return [event for event in read_events(made.bench.store) if event.kind == kind][-1]


def scores_table(made: SmallWorkspace) -> dict[str, dict[str, str]]:
    files = files_of(Results(list(read_events(made.bench.store)), read_inputs(made.bench.store)))
    return {row["response_id"]: row for row in csv.DictReader(io.StringIO(files["scores.csv"].decode()))}


def verify(made: SmallWorkspace) -> None:
    """Check the workspace, an export of it, and the workspace against that export."""
    verify_export(write_export(made.bench.store, made.path / "exports", made.clock()))
    check_store(made.bench.store, ends_of_exports(made.path / "exports"))


# ---------------------------------------------------------------------------------------------- drawing


def test_one_answer_is_drawn_from_each_band_of_length() -> None:
    words = {f"r{n:02d}": n for n in range(1, 91)}
    found = spread_over_length(list(reversed(words)), words, 30, "7")
    # Ninety answers of 1 to 90 words make thirty bands of three: 1-3, 4-6 … 88-90.
    assert [(words[r] - 1) // 3 for r in found] == list(range(30))
    assert spread_over_length(list(words), words, 30, "7") == found, "seeded, whatever the order"
    assert spread_over_length(list(words), words, 30, "8") != found
    assert len({words[r] % 3 for r in found}) == 3, "drawn at random within each band"


@pytest.mark.parametrize("count", range(1, 12))
def test_no_band_is_empty_and_no_answer_drawn_twice(count: int) -> None:
    words = {f"r{n:02d}": n for n in range(11)}
    assert len(set(spread_over_length(list(words), words, count, "7"))) == count
    assert spread_over_length(list(words), words, 11, "7") == list(words)


def test_both_packets_are_drawn_over_all_lengths_by_the_rounds_seed(made: SmallWorkspace) -> None:
    words = word_counts(made.bench.store)
    assert draw_packets(made.bench, made.actor, SET) == (5, 5)
    first, second = papers_of(made, 1), papers_of(made, 2)
    # Twenty answers of 1 to 20 words, ten drawn: one from each two; of each two drawn, one in each packet.
    assert sorted((words[r] - 1) // 2 for r in first + second) == list(range(10))
    for packet in (first, second):
        assert sorted((words[r] - 1) // 4 for r in packet) == list(range(5))
    both = spread_over_length(list(words), words, 10, f"11:{SET}")
    assert sorted(first + second) == sorted(both)
    events = [event for event in read_events(made.bench.store) if event.kind == EventKind.PANEL_PACKET_DRAWN]
    assert [event.body["packet"] for event in events] == [1, 2]
    assert [event.body["response_ids"] for event in events] == [first, second]
    assert {(event.subject, event.body["item"], event.actor) for event in events} == {(SET, ITEM, made.actor)}
    verify(made)


def test_what_is_drawn_is_never_dealt_nor_graded_live(drawn: SmallWorkspace) -> None:
    deal(drawn.bench, drawn.actor)
    later = drawn.take_in(ITEM, 3)
    deal(drawn.bench, drawn.actor)
    chosen = set(papers_of(drawn, 1) + papers_of(drawn, 2))
    with drawn.bench.record() as record:
        dealt = {one.response_id for one in record.assignments.values()}
        assert len(chosen) == 10
        assert not dealt & chosen
        assert len(dealt) == 13
        assert set(later) <= dealt
        assert {record.standing(r).why for r in chosen} == {"The panel calibrates on this answer."}
    read(drawn, drawn.graders[0], 1, 2, 3, 4, 5)
    with drawn.bench.record() as record:
        kinds = {one.kind for one in record.assignments.values() if one.response_id in chosen}
        assert kinds == {ReadKind.CALIBRATION}
        assert record.grades == {}
        assert not any(record.is_dealt(r) for r in chosen)
    assert dealt_among(drawn.bench.store, sorted(chosen)) == chosen, "their intake cannot be undone"


def test_too_few_answers_are_refused_with_both_numbers(make: Make) -> None:
    made = make(graders=3, answers=2, qualification="required", items=(ITEM,))
    write_panel_set(made)
    register_files(made.bench, made.actor)
    take_in(made, 9)
    refused = rf"^9 answers to {ITEM} were never dealt, and the packets need 5 \+ 5\."
    with pytest.raises(NotAllowed, match=refused):
        draw_packets(made.bench, made.actor, SET)
    assert made.count(EventKind.PANEL_PACKET_DRAWN) == 0
    take_in(made, 1)
    assert draw_packets(made.bench, made.actor, SET) == (5, 5)


def test_packets_are_drawn_once_and_for_a_panels_set_only(drawn: SmallWorkspace) -> None:
    write_packet(drawn.path, "mee-barge-a")
    register_files(drawn.bench, drawn.actor)
    logged = drawn.kinds()
    for set_id, why in (
        (SET, "drawn already"),
        ("mee-barge-a", "are given, so there is nothing to draw"),
        ("mee-barge-z", "no such calibration set"),
    ):
        with pytest.raises(NotAllowed, match=why):
            draw_packets(drawn.bench, drawn.actor, set_id)
    assert drawn.kinds() == logged


def test_two_clicks_at_once_draw_once(made: SmallWorkspace) -> None:
    ready = threading.Barrier(2)
    errors: list[GraderAppError] = []

    def act() -> None:
        ready.wait()
        try:
            draw_packets(made.bench, made.actor, SET)
        except GraderAppError as error:
            errors.append(error)

    threads = [threading.Thread(target=act) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 1
    assert made.count(EventKind.PANEL_PACKET_DRAWN) == 2


def test_nothing_is_drawn_for_a_sheet_that_has_changed_since_though_a_ruling_is_no_change(
    made: SmallWorkspace,
) -> None:
    write_item(made.path, ITEM, version=2)
    sheet = made.path / "rubrics" / ITEM / "point_sheet.yaml"
    sheet.write_text(sheet.read_text("utf-8").replace("needs control", "needs custody"), "utf-8")
    register_files(made.bench, made.actor)
    with pytest.raises(NotAllowed, match=r"is for version 1 of the point sheet.*Raise `point_sheet_version`"):
        draw_packets(made.bench, made.actor, SET)
    write_panel_set(made, version=2, sheet=2)
    register_files(made.bench, made.actor)
    make_ruling(made.bench, made.actor, ITEM, "Either side of control earns the point.")
    assert draw_packets(made.bench, made.actor, SET) == (5, 5)


# ----------------------------------------------------------------------------------- the first packet


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


# ---------------------------------------------------------------------------------- judging the panel


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


# --------------------------------------------------------------------------- the meeting and feedback


def test_the_meeting_names_papers_by_number_and_shows_a_reference_once_it_is_frozen(
    drawn: SmallWorkspace,
) -> None:
    read(drawn, drawn.graders[0], 1, 2, 3, 4, 5)
    read(drawn, drawn.graders[1], 1, 4, 3, 4, 5)
    papers = meeting_of(drawn.bench, SET, 1)
    assert [paper.essay for paper in papers] == ["Paper 02", "Paper 01", "Paper 03", "Paper 04", "Paper 05"]
    assert [paper.response_id for paper in sorted(papers, key=lambda p: p.essay)] == papers_of(drawn, 1)
    assert {paper.reference for paper in papers} == {"\N{EN DASH}"}
    assert (papers[0].middle, papers[0].apart) == (2, 2)
    assert papers[0].text.startswith("control")
    freeze(drawn, 1, p02=Consensus(3, reason="Half of it is there."))
    first = meeting_of(drawn.bench, SET, 1)[0]
    assert (first.essay, first.reference, first.rationale) == ("Paper 02", "3", "Half of it is there.")
    assert meeting_of(drawn.bench, SET, 2) == ()


def test_feedback_on_the_first_packet_comes_with_what_was_frozen(drawn: SmallWorkspace) -> None:
    one = read(drawn, drawn.graders[0], 1, 2, 3, 4, 5)
    read(drawn, drawn.graders[1], 1, 4, 3, 4, 5)
    assert feedback_of(drawn.bench, one.grader_id, one.attempt_id).papers == ()
    freeze(drawn, 1, p02=Consensus(3, reason="Half of it is there."))
    found = feedback_of(drawn.bench, one.grader_id, one.attempt_id).papers
    assert [(p.essay, p.gave, p.reference, p.apart) for p in found] == [
        ("Paper 02", "2", "3", -1),
        ("Paper 01", "1", "1", 0),
        ("Paper 03", "3", "3", 0),
        ("Paper 04", "4", "4", 0),
        ("Paper 05", "5", "5", 0),
    ]
    assert found[0].rationale == "Half of it is there."


def test_feedback_on_the_second_packet_waits_for_the_lead_and_shows_no_answers_id(
    frozen: SmallWorkspace,
) -> None:
    one, *_ = (read(frozen, grader, 1, 2, 3, 4, 5) for grader in frozen.graders)
    with pytest.raises(
        NotAllowed, match=r"Your scores are in\. Feedback comes once the panel lead has judged"
    ):
        feedback_of(frozen.bench, one.grader_id, one.attempt_id)
    judge(frozen)
    found = feedback_of(frozen.bench, one.grader_id, one.attempt_id)
    assert [paper.essay for paper in found.papers] == [f"Paper 0{n}" for n in range(1, 6)]
    shown = repr((found.papers, found.report))
    assert not any(r in shown for r in papers_of(frozen, 2))
