"""A new version of a question changes no score that was exported before it."""

from __future__ import annotations

from pathlib import Path

from graded_rounds import NOW
from small_workspace import SmallWorkspace, make, small, write_item  # noqa: F401 - fixtures

from grader_app.export.folder import write_export
from grader_app.export.verify import verify_export
from grader_app.workflow.registration import register_files
from grader_app.workflow.rulings import graded_before, keep_grades


def test_a_new_version_and_letting_grades_stand_leave_every_score_as_it_was(
    small: SmallWorkspace,  # noqa: F811
    tmp_path: Path,
) -> None:
    for grader, score in zip(small.graders, (5, 3), strict=False):
        for dealt in small.queue(grader):
            small.submit(dealt, score)
    first = write_export(small.bench.store, tmp_path / "first", NOW)
    write_item(small.path, "mee-barge", version=2)
    register_files(small.bench, small.actor)
    second = write_export(small.bench.store, tmp_path / "second", NOW)
    before = [one.assignment_id for one in graded_before(small.bench, "mee-barge")]
    keep_grades(small.bench, small.actor, "mee-barge", before, "Only the number changed.")
    third = write_export(small.bench.store, tmp_path / "third", NOW)
    assert len(before) > 1
    for file in ("scores.csv", "grades.csv"):
        held = (first / file).read_bytes()
        assert held.count(b"\n") > len(before)
        assert (second / file).read_bytes() == (third / file).read_bytes() == held
    verify_export(third)
