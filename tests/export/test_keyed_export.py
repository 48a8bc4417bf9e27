"""Grades keyed from paper in an export: marked, and checked against their keyings."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from keyed_packets import key_twice, printed
from small_workspace import SmallWorkspace
from tampering import repair_events

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import event_hash
from grader_app.errors import VerificationFailed
from grader_app.export.folder import write_export
from grader_app.export.verify import verify_export


@pytest.fixture
def folder(make: Callable[..., SmallWorkspace], tmp_path: Path) -> Path:
    small = make(answers=4)
    for dealt in small.queue(small.graders[1]):
        small.submit(dealt)
    key_twice(small, printed(small, 1), "5")
    return write_export(small.bench.store, tmp_path / "exports", small.clock())


def test_a_grade_from_paper_says_so_in_its_note(folder: Path) -> None:
    with (folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    marked = [row for row in rows if "keyed from paper, twice" in row["note"]]
    assert [row["value"] for row in marked] == ["5"]
    assert len(rows) == 3
    verify_export(folder)


def test_an_export_whose_keyings_differ_from_its_grade_is_refused(folder: Path) -> None:
    lines = [json.loads(line) for line in (folder / "events.jsonl").read_text("utf-8").splitlines()]
    previous = "0" * 64
    for event in lines:
        if event["kind"] == "PaperScoreKeyed" and event["body"]["keying"] == 2:
            event["body"]["score"] = 1.0
        said = (event["seq"], event["at"], event["actor"], event["kind"], event["subject"])
        event["previous_hash"] = previous
        event["hash"] = previous = event_hash(*said, canonical_json(event["body"]), previous)
    text = "".join(canonical_json(event) + "\n" for event in lines)
    (folder / "events.jsonl").write_text(text, encoding="utf-8", newline="")
    repair_events(folder)
    with pytest.raises(VerificationFailed, match="keyed from paper, and its two keyings differ"):
        verify_export(folder)
