"""Where a ruling cannot be written, files and record stay as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from ruled_items import FURTHER, ITEM, RULING, change_sheet, files_of, guidelines_of, rule, sheet_of
from small_workspace import SmallWorkspace, write_item

from grader_app.domain.events import EventKind
from grader_app.errors import FileProblems, StoreProblem
from grader_app.workflow import rulings
from grader_app.workflow.registration import register_files


def stuck(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let files of these names fail to be put in place, as when another program holds them open."""
    replace = Path.replace

    def refuse(self: Path, target: Path) -> Path:
        if self.name in names:
            raise PermissionError(13, "Permission denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refuse)


@pytest.mark.parametrize("with_guidelines", [True, False])
@pytest.mark.parametrize("name", ["guidelines.md.new", "point_sheet.yaml.new"])
def test_when_a_file_cannot_be_put_in_place_both_are_byte_for_byte_as_before(
    small: SmallWorkspace, monkeypatch: pytest.MonkeyPatch, name: str, *, with_guidelines: bool
) -> None:
    if with_guidelines:
        guidelines_of(small).write_bytes(b"1. Spelling is no ground.\r\n\r\n")
        write_item(small.path, ITEM, version=2)
        register_files(small.bench, small.actor)
    held, logged = files_of(small), small.kinds()
    stuck(monkeypatch, name)
    with pytest.raises(
        StoreProblem, match=r"could not be written, and they are as they were\. Permission denied\.$"
    ):
        rule(small)
    assert files_of(small) == held
    assert small.kinds() == logged
    monkeypatch.undo()
    rule(small)
    assert small.count(EventKind.RULING_MADE) == 1


def test_what_cannot_be_put_back_is_named_and_kept(
    small: SmallWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule(small)
    held = files_of(small)
    stuck(monkeypatch, "point_sheet.yaml.new", "guidelines.md.old")
    with pytest.raises(StoreProblem, match=r"what was there before lies in guidelines\.md\.old\. "):
        rule(small, FURTHER)
    assert files_of(small)["guidelines.md.old"] == held["guidelines.md"]
    assert files_of(small)["point_sheet.yaml"] == held["point_sheet.yaml"]


@pytest.mark.parametrize("name", ["guidelines.md.new", "point_sheet.yaml.new", "point_sheet.yaml.old"])
def test_where_nothing_can_be_written_nothing_changes(small: SmallWorkspace, name: str) -> None:
    held = files_of(small)
    blocked = small.path / "rubrics" / ITEM / name
    blocked.mkdir()
    (blocked / "something").touch()
    with pytest.raises(
        StoreProblem,
        match=r"guidelines\.md and point_sheet\.yaml could not be written, and they are as they were",
    ):
        rule(small)
    assert files_of(small) == held
    assert small.count(EventKind.RULING_MADE) == 0


def test_when_registration_fails_both_files_are_as_before(
    small: SmallWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule(small, FURTHER)
    held, logged, times = files_of(small), small.kinds(), [0]

    def fail_the_second_time(*arguments: object) -> list[str]:
        times[0] += 1
        if times[0] == 2:
            assert files_of(small)["guidelines.md"].endswith(f"2. {RULING}\n".encode())
            raise StoreProblem("workbench.db: the disk is full.")
        return register_files(small.bench, small.actor)

    monkeypatch.setattr(rulings, "register_files", fail_the_second_time)
    with pytest.raises(StoreProblem, match=r"as they were\. workbench.db: the disk is full\.") as caught:
        rule(small)
    assert str(caught.value).startswith(str(sheet_of(small).parent))
    assert files_of(small) == held
    assert small.kinds() == logged


def test_a_sheet_whose_version_stands_on_no_line_of_its_own_says_how_to_write_it(
    small: SmallWorkspace,
) -> None:
    text = sheet_of(small).read_text("utf-8").replace('version: "1"\nitem', '"version": "2"\nitem')
    sheet_of(small).write_text(text, "utf-8")
    register_files(small.bench, small.actor)
    held = files_of(small)
    with pytest.raises(FileProblems, match='Begin a line of the sheet with `version: "3"`'):
        rule(small)
    assert files_of(small) == held


def test_a_version_on_disk_that_nobody_registered_is_registered_and_read_first(small: SmallWorkspace) -> None:
    change_sheet(small, 2)
    held = files_of(small)
    with pytest.raises(StoreProblem, match="the new version is registered now"):
        rule(small)
    assert files_of(small) == held
    assert small.bench.material().item(ITEM).version == "2"
    assert rule(small) == "3"


def test_a_change_without_a_new_version_stops_a_ruling(small: SmallWorkspace) -> None:
    change_sheet(small, 1)
    held = files_of(small)
    with pytest.raises(FileProblems, match="the version is still 1"):
        rule(small)
    assert files_of(small) == held
    assert small.bench.material().item(ITEM).version == "1"
