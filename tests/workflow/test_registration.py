from __future__ import annotations

from pathlib import Path

import pytest
from small_workspace import SmallWorkspace, write_item, write_round

from grader_app.domain.events import EventKind
from grader_app.errors import FileProblems
from grader_app.workflow.registration import register_files


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_nothing_is_registered_twice(small: SmallWorkspace) -> None:
    before = small.count(EventKind.FILE_REGISTERED)
    assert before == 5
    assert register_files(small.bench, small.actor) == []
    assert small.count(EventKind.FILE_REGISTERED) == before


@pytest.mark.parametrize(
    "file", ["round.yaml", "rubrics/six_point.yaml", "rubrics/mee-barge/point_sheet.yaml"]
)
def test_a_comment_a_blank_line_or_other_line_ends_are_no_change(small: SmallWorkspace, file: str) -> None:
    path = small.path / file
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_bytes("\r\n".join([lines[0], "# a comment", "", *lines[1:], "# the end", ""]).encode())
    assert register_files(small.bench, small.actor) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "what"),
    [
        ("round.yaml", "seed: 11", "seed: 12", "round small-round"),
        ("rubrics/six_point.yaml", "Sees every issue.", "Sees most issues.", "rubric six-point"),
        ("rubrics/mee-barge/point_sheet.yaml", "needs control", "needs custody", "item mee-barge"),
        ("rubrics/mee-barge/prompt.md", "Discuss", "Consider", "item mee-barge"),
    ],
)
def test_a_change_without_a_new_version_stops_registration_and_names_the_file(
    small: SmallWorkspace, file: str, old: str, new: str, what: str
) -> None:
    edit(small.path / file, old, new)
    before = small.bench.material()
    with pytest.raises(FileProblems) as caught:
        register_files(small.bench, small.actor)
    (problem,) = caught.value.problems
    named = small.path / file.replace("prompt.md", "point_sheet.yaml")
    assert problem.path == str(named)
    assert problem.what == f"Content of {what} changed, but the version is still 1."
    assert "Raise `version`" in problem.fix
    assert small.bench.material() == before
    assert small.count(EventKind.FILE_REGISTERED) == 5


def test_every_silent_change_is_listed_at_once(small: SmallWorkspace) -> None:
    edit(small.path / "round.yaml", "seed: 11", "seed: 12")
    edit(small.path / "rubrics/six_point.yaml", "Sees every issue.", "Sees most issues.")
    with pytest.raises(FileProblems) as caught:
        register_files(small.bench, small.actor)
    assert len(caught.value.problems) == 2


def test_under_a_new_version_old_grades_keep_the_rubric_they_were_given_under(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])[:2]
    small.submit(first, 4)
    edit(small.path / "rubrics/six_point.yaml", "Sees every issue.", "Sees most issues.")
    edit(small.path / "rubrics/six_point.yaml", 'version: "1"', 'version: "2"')
    write_item(small.path, "mee-barge", version=2, rubric_version=2)
    assert register_files(small.bench, small.actor) == [
        "rubric six-point, version 2",
        "item mee-barge, version 2",
    ]
    small.submit(second, 5)
    with small.bench.record() as record:
        one, other = record.grades[first.assignment_id], record.grades[second.assignment_id]
        assert (one.rubric_version, other.rubric_version) == ("1", "2")
        assert one.rubric_hash != other.rubric_hash
        assert record.rubric(one.rubric_hash).levels[0].means == "Sees every issue."
        assert record.rubric(other.rubric_hash).levels[0].means == "Sees most issues."


def test_both_versions_of_a_rubric_may_lie_side_by_side(small: SmallWorkspace) -> None:
    old = small.path / "rubrics/six_point.yaml"
    text = old.read_text(encoding="utf-8")
    (small.path / "rubrics/six_point_2.yaml").write_text(
        text.replace('version: "1"', 'version: "2"'), encoding="utf-8"
    )
    assert register_files(small.bench, small.actor) == []
    write_item(small.path, "mee-barge", version=2, rubric_version=2)
    assert len(register_files(small.bench, small.actor)) == 2


def test_files_with_problems_register_nothing(small: SmallWorkspace) -> None:
    write_round(small.path, version=2, items=("mee-barge", "mee-none"))
    with pytest.raises(FileProblems, match="mee-none"):
        register_files(small.bench, small.actor)
    assert small.count(EventKind.FILE_REGISTERED) == 5
