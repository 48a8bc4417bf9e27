"""A page shows one version of its question, and what is entered there is judged by that version."""

from __future__ import annotations

from typing import Any

import pytest
from keyed_packets import key_twice, printed
from small_workspace import SIX_POINT, SmallWorkspace, write_item

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.errors import GradeProblem, NotAllowed, NotQualified
from grader_app.store.event_log import find_event
from grader_app.workflow.grade_submission import correct_grade, refer_to_lead, submit_grade
from grader_app.workflow.live_grading import save_draft, serve_next_or_none, sheet_to_correct
from grader_app.workflow.monitoring import pause
from grader_app.workflow.registration import register_files


def new_version(small: SmallWorkspace, **changed: str) -> None:
    """Register version 2 of the question, with other words in its files."""
    write_item(small.path, "mee-barge", version=2, rubric_version=2)
    sheet = small.path / "rubrics" / "mee-barge" / "point_sheet.yaml"
    sheet.write_text(sheet.read_text("utf-8").replace("duty.rule", "duty.control"), encoding="utf-8")
    rubric = SIX_POINT.replace('version: "1"', 'version: "2"')
    for old, new in changed.items():
        assert f"{old}: " in rubric
        rubric = rubric.replace(f"{old}: {'6' if old == 'highest' else ''}", f"{old}: {new}", 1)
    rubric = rubric.replace("score: 6", f"score: {changed.get('highest', '6')}")
    (small.path / "rubrics" / "six_point.yaml").write_text(rubric, encoding="utf-8")
    register_files(small.bench, small.actor)


def page_of(small: SmallWorkspace) -> Any:
    sheet = serve_next_or_none(small.bench, small.graders[0].account_id)
    assert sheet is not None
    return sheet


def send(small: SmallWorkspace, sheet: Any, entry: GradeEntry) -> Any:
    return submit_grade(
        small.bench,
        small.graders[0].account_id,
        sheet.assignment_id,
        entry,
        token=next(small.tokens),
        item_hash=sheet.item_hash,
    )


def test_a_grade_is_given_under_the_version_its_page_showed(small: SmallWorkspace) -> None:
    sheet = page_of(small)
    new_version(small, highest="5")
    receipt = send(small, sheet, GradeEntry(score=6, points=("duty.rule",)))
    assert receipt.earlier_version
    body = find_event(small.bench.store, receipt.event_seq).body
    assert (body["item_version"], body["rubric_version"], body["score"]) == ("1", "1", 6)
    assert body["item_hash"] == sheet.item_hash
    assert body["points"] == ["duty.rule"]


def test_the_next_page_comes_under_the_new_version(small: SmallWorkspace) -> None:
    sheet = page_of(small)
    new_version(small)
    send(small, sheet, GradeEntry(score=4))
    after = page_of(small)
    assert after.item_hash != sheet.item_hash
    receipt = send(small, after, GradeEntry(score=4, points=("duty.control",)))
    assert not receipt.earlier_version
    assert find_event(small.bench.store, receipt.event_seq).body["item_version"] == "2"


def test_a_hash_that_is_no_version_of_the_question_chooses_nothing(small: SmallWorkspace) -> None:
    sheet = page_of(small)
    ferry = small.bench.material().items["rule-ferry"].content_hash
    for item_hash in ("invented", ferry):
        with pytest.raises(GradeProblem, match="not on the scale"):
            submit_grade(
                small.bench,
                small.graders[0].account_id,
                sheet.assignment_id,
                GradeEntry(score=9),
                token="t",
                item_hash=item_hash,
            )


def test_what_is_on_the_desk_can_be_finished_after_a_version_that_asks_for_calibration(make: Any) -> None:
    small = make(packets=("set-a",), qualification="required")
    grader = small.graders[0]
    small.calibrate(grader)
    sheet = page_of(small)
    new_version(small)
    assert serve_next_or_none(small.bench, grader.account_id) is None
    draft = {"score": 4, "item_hash": sheet.item_hash}
    save_draft(small.bench, grader.account_id, sheet.assignment_id, draft)
    with pytest.raises(NotQualified):
        small.submit(small.queue(grader)[0], 4)
    assert send(small, sheet, GradeEntry(score=4)).earlier_version


def test_who_never_qualified_gains_nothing_from_an_earlier_version(make: Any) -> None:
    small = make(packets=("set-a",), qualification="required")
    old = small.bench.material().items["mee-barge"].content_hash
    new_version(small)
    dealt = small.queue(small.graders[0])[0]
    with pytest.raises(NotQualified):
        small.submit(dealt, 4, item_hash=old)


def correct(small: SmallWorkspace, sheet: Any, entry: GradeEntry) -> Any:
    return correct_grade(
        small.bench,
        small.graders[0].account_id,
        sheet.assignment_id,
        entry,
        reason="I misread the second issue.",
        token=next(small.tokens),
        item_hash=sheet.item_hash,
    )


def test_a_grade_is_corrected_under_its_own_version_by_whoever_has_not_calibrated_on_the_new_one(
    make: Any,
) -> None:
    small = make(packets=("set-a",), qualification="required")
    grader = small.graders[0]
    small.calibrate(grader)
    sheet = page_of(small)
    send(small, sheet, GradeEntry(score=4, points=("duty.rule",)))
    new_version(small, highest="5")
    shown = sheet_to_correct(small.bench, grader.account_id, sheet.assignment_id)
    assert shown == sheet
    draft = {"score": 6, "correcting": True, "item_hash": shown.item_hash}
    save_draft(small.bench, grader.account_id, sheet.assignment_id, draft)
    receipt = correct(small, shown, GradeEntry(score=6, points=("duty.rule",)))
    assert receipt.earlier_version
    body = find_event(small.bench.store, receipt.event_seq).body
    assert (body["item_version"], body["rubric_version"], body["score"]) == ("1", "1", 6)
    assert serve_next_or_none(small.bench, grader.account_id) is None


def test_whoever_may_grade_the_new_version_corrects_under_it(small: SmallWorkspace) -> None:
    sheet = page_of(small)
    send(small, sheet, GradeEntry(score=4))
    new_version(small)
    shown = sheet_to_correct(small.bench, small.graders[0].account_id, sheet.assignment_id)
    assert shown.item_hash == small.bench.material().items["mee-barge"].content_hash
    assert not correct(small, shown, GradeEntry(score=5, points=("duty.control",))).earlier_version


def test_a_grade_asked_for_again_is_not_corrected_under_the_version_before(make: Any) -> None:
    small = make(packets=("set-a",), qualification="required")
    grader = small.graders[0]
    small.calibrate(grader)
    sheet = page_of(small)
    send(small, sheet, GradeEntry(score=4))
    new_version(small)
    small.append(
        EventKind.GRADES_RECALLED,
        "mee-barge",
        item="mee-barge",
        assignment_ids=[sheet.assignment_id],
        item_hash=small.bench.material().items["mee-barge"].content_hash,
    )
    with pytest.raises(NotQualified):
        sheet_to_correct(small.bench, grader.account_id, sheet.assignment_id)
    with pytest.raises(NotAllowed, match="asked for this grade again"):
        correct(small, sheet, GradeEntry(score=5))


def test_a_grader_who_is_paused_corrects_nothing(make: Any) -> None:
    small = make(packets=("set-a",), qualification="required")
    grader = small.graders[0]
    small.calibrate(grader)
    sheet = page_of(small)
    send(small, sheet, GradeEntry(score=4))
    new_version(small)
    pause(small.bench, small.actor, grader.account_id, "mee-barge")
    with pytest.raises(NotQualified):
        sheet_to_correct(small.bench, grader.account_id, sheet.assignment_id)
    with pytest.raises(NotQualified):
        correct(small, sheet, GradeEntry(score=5))


def test_what_is_on_the_desk_or_on_paper_can_be_sent_to_the_lead_or_keyed_after_a_new_version(
    make: Any,
) -> None:
    small = make(packets=("set-a",), qualification="required", answers=8)
    grader = small.graders[0]
    small.calibrate(grader)
    packet = printed(small, 1)
    sheet = page_of(small)
    new_version(small)
    with pytest.raises(NotQualified):
        refer_to_lead(small.bench, grader.account_id, sheet.assignment_id, "other", token="r")
    refer_to_lead(
        small.bench, grader.account_id, sheet.assignment_id, "other", token="r", item_hash=sheet.item_hash
    )
    key_twice(small, packet, "4")
    with small.bench.record() as record:
        assert [one.response_id for one in record.referrals.values()] == [
            record.assignments[sheet.assignment_id].response_id
        ]
        (keyed,) = (record.grades[a] for a in packet.assignment_ids)
    assert (keyed.score, keyed.item_hash) == (4, sheet.item_hash)
