from __future__ import annotations

import json
from pathlib import Path

import pytest
from graded_rounds import NOW, GradedRound
from rows_behind_triggers import remove_answer
from tampering import change, repair_fingerprints

from grader_app.errors import VerificationFailed
from grader_app.export.folder import write_export
from grader_app.export.verify import verify_export
from grader_app.workflow.reconciliation import reconciliation_of


def test_an_export_says_that_every_paper_is_accounted_for(exported: Path, graded: GradedRound) -> None:
    found = json.loads((exported / "reconciliation.json").read_text("utf-8"))
    states = ("final", "coded", "waiting", "disputed", "excluded", "withdrawn")
    assert found["adds_up"] is True
    assert found["taken_in"] == 36 == sum(found[state] for state in states)
    for item in found["items"]:
        assert item["taken_in"] == 12 == sum(item[state] for state in states)
    assert found["candidates"]["all_items"] == 12
    assert found["candidates"]["without_mbe"] == [graded.candidates[-1]]
    assert {key: found[key] for key in reconciliation_of(graded.bench).as_json()} == json.loads(
        json.dumps(reconciliation_of(graded.bench).as_json())
    )


def test_the_report_says_the_same_sum(exported: Path) -> None:
    page = (exported / "report.html").read_text("utf-8")
    assert "Papers: 36 in = " in page
    assert (
        "Candidates: 12 with an answer to each of the 2 questions that count, 0 to some; 11 with an MBE score"
        in page
    )


def test_an_edited_count_is_found_although_its_fingerprint_was_repaired(export_copy: Path) -> None:
    change(
        export_copy, "reconciliation.json", lambda data: data.replace(b'"taken_in": 36', b'"taken_in": 35')
    )
    repair_fingerprints(export_copy)
    with pytest.raises(VerificationFailed, match=r"reconciliation\.json"):
        verify_export(export_copy)


def test_an_export_taken_while_a_paper_is_missing_says_so(own_round: GradedRound, tmp_path: Path) -> None:
    gone = own_round.ids["mee-barge", 0]
    remove_answer(own_round.bench.store.path, gone)
    path = write_export(own_round.bench.store, tmp_path / "exports", NOW)
    found = json.loads((path / "reconciliation.json").read_text("utf-8"))
    assert found["adds_up"] is False
    assert found["unreconciled"] == [
        "mee-barge: 4 papers taken in, 3 there: 1 missing.",
        f"Dealt and no longer there: {gone}.",
    ]
    with pytest.raises(VerificationFailed):
        verify_export(path)
