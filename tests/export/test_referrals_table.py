"""The trail of recusals, incidents and decisions in an export: complete, wordless, verified."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from graded_rounds import NOW
from small_workspace import SmallWorkspace
from tampering import change, repair_fingerprints

from grader_app.domain.grade import GradeEntry
from grader_app.errors import VerificationFailed
from grader_app.export.folder import write_export
from grader_app.export.verify import verify_export
from grader_app.workflow.coded_answers import decide_code
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.recusals import lift_recusal
from grader_app.workflow.referrals import exclude


@pytest.fixture
def exported(make: Callable[..., SmallWorkspace]) -> tuple[SmallWorkspace, Path]:
    """One recusal taken back, one incident closed, one referral open, one code decided twice."""
    small = make(graders=3, answers=9)
    aside, incident, other = small.queue(small.graders[0])
    for dealt, reason in ((aside, "conflict"), (incident, "concern-threat"), (other, "other")):
        refer_to_lead(
            small.bench, dealt.grader_id, dealt.assignment_id, reason, token=reason, note="Zanzibar."
        )
    lift_recusal(small.bench, small.actor, aside.assignment_id, "Zanzibar.")
    exclude(small.bench, small.actor, incident.assignment_id, "Zanzibar.")
    coded = small.queue(small.graders[1])[0]
    small.submit(coded, entry=GradeEntry(condition_code="off-topic"))
    for counts_as in ("excluded", "zero"):
        decide_code(small.bench, small.actor, coded.response_id, counts_as, "Zanzibar.")
    return small, write_export(small.bench.store, small.path / "exports", NOW)


def rows_of(path: Path, file: str) -> list[dict[str, str]]:
    with (path / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_the_trail_says_who_sent_what_when_and_what_was_decided(
    exported: tuple[SmallWorkspace, Path],
) -> None:
    small, path = exported
    found = [(row["kind"], row["reason"], row["decision"]) for row in rows_of(path, "referrals.csv")]
    assert found == [
        ("recusal", "conflict", "taken_out"),
        ("recusal", "conflict", "recusal_lifted"),
        ("incident", "concern-threat", "excluded"),
        ("not_graded", "other", ""),
        ("code", "off-topic", "excluded"),
        ("code", "off-topic", "zero"),
    ]
    went_on, lifted, *_ = rows_of(path, "referrals.csv")
    assert went_on["decided_by"] == went_on["grader_id"] == small.graders[0].account_id
    assert lifted["decided_by"] == small.actor


def test_the_scores_say_what_the_lead_decided(exported: tuple[SmallWorkspace, Path]) -> None:
    coded = {
        row["note"]: row["final"] for row in rows_of(exported[1], "scores.csv") if row["status"] == "coded"
    }
    (out, final), (decided, zero) = sorted(coded.items(), key=lambda found: "decided" in found[0])
    assert out.endswith("Taken out of the round by the lead")
    assert final == ""
    assert decided.endswith("Off topic: the lead decided that it counts as zero")
    assert zero == "0"


def test_no_file_of_an_export_holds_a_word_of_it(exported: tuple[SmallWorkspace, Path]) -> None:
    files = [one for one in exported[1].iterdir() if one.suffix != ".xlsx"]
    assert len(files) > 10
    assert not any(b"Zanzibar" in one.read_bytes() for one in files)


def test_an_export_with_a_changed_decision_does_not_verify(exported: tuple[SmallWorkspace, Path]) -> None:
    _, path = exported
    verify_export(path)
    change(path, "referrals.csv", lambda data: data.replace(b",recusal_lifted,", b",taken_out,", 1))
    repair_fingerprints(path)
    with pytest.raises(VerificationFailed, match=r"referrals\.csv, line"):
        verify_export(path)
