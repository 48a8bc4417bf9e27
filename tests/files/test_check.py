from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from written_files import CRITERIA, ROUND, RUBRIC, SHEET, spoiled, workspace

from grader_app.errors import FileProblems
from grader_app.files.check import check, check_paths
from grader_app.files.item_folder import load_item
from grader_app.files.round_file import load_round
from grader_app.files.rubric_file import load_rubric, load_rubrics
from grader_app.files.workspace_folder import WorkspaceFolder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return workspace(tmp_path)


def spoil(path: Path, old: str, new: str) -> None:
    path.write_text(spoiled(path.read_text(encoding="utf-8"), old, new), encoding="utf-8")


def found(*paths: Path) -> list[tuple[str, int, str]]:
    return [(Path(each.path).name, each.line, f"{each.what} {each.fix}") for each in check(paths)]


def test_a_workspace_that_holds_has_no_problems(place: Path) -> None:
    checked = check_paths([place])
    assert not checked.problems
    assert sorted(path.name for path in checked.files) == [
        "point_sheet.yaml",
        "prompt.md",
        "round.yaml",
        "six_point.yaml",
    ]


def test_contents_are_the_round_its_items_and_all_rubrics(place: Path) -> None:
    (place / "rubrics" / "rule_application.yaml").write_text(CRITERIA, encoding="utf-8")
    contents = WorkspaceFolder(place).load_contents()
    assert contents.round.title == "July"
    assert list(contents.items) == ["mee-barge"]
    assert contents.items["mee-barge"].prompt == "# Barge\n\nDiscuss."
    assert set(contents.rubrics) == {("six-point", "1"), ("rule-application", "1")}


def test_an_item_outside_the_round_stops_check_but_not_the_round(place: Path) -> None:
    shutil.copytree(place / "rubrics" / "mee-barge", place / "rubrics" / "mee-other")
    assert len(WorkspaceFolder(place).load_contents().items) == 1
    [(name, line, what)] = found(place)
    assert (name, line) == ("point_sheet.yaml", 4)
    assert "folder is named `mee-other`" in what


def test_the_folders_of_a_workspace_have_fixed_names(tmp_path: Path) -> None:
    folder = WorkspaceFolder(tmp_path)
    paths = (
        folder.round_path,
        folder.rubrics_path,
        folder.calibration_sets_path,
        folder.exports_path,
        folder.database_path,
    )
    names = [path.relative_to(tmp_path).as_posix() for path in paths]
    assert names == ["round.yaml", "rubrics", "calibration_sets", "exports", "workbench.db"]


def test_problems_of_all_files_are_listed_at_once(place: Path) -> None:
    item = place / "rubrics" / "mee-barge"
    spoil(place / "round.yaml", "weight: 1", "weight: -1")
    spoil(place / "rubrics" / "six_point.yaml", "lowest: 0", "lowst: 0")
    spoil(item / "point_sheet.yaml", "weight_percent: 60", "weight_percent: 61")
    (item / "prompt.md").write_bytes(b"caf\xe9")
    expected = [("point_sheet.yaml", 11), ("prompt.md", 1), ("six_point.yaml", 6), ("round.yaml", 8)]
    assert sorted((name, line) for name, line, _ in found(place)) == sorted(expected)
    with pytest.raises(FileProblems) as caught:
        WorkspaceFolder(place).load_contents()
    assert len(caught.value.problems) == 4


def test_a_missing_round_and_an_empty_workspace_are_no_problem(place: Path, tmp_path: Path) -> None:
    (place / "round.yaml").unlink()
    assert found(place) == []
    empty = tmp_path / "empty"
    empty.mkdir()
    assert found(empty) == []


def test_without_a_round_there_are_no_contents(place: Path) -> None:
    (place / "round.yaml").unlink()
    with pytest.raises(FileProblems, match=r"round\.yaml: There is no such file"):
        WorkspaceFolder(place).load_contents()


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "says"),
    [
        ("round.yaml", "item: mee-barge", "item: mee-barg", 6, "Did you mean `mee-barge`?"),
        ("round.yaml", "component: mee", "component: mpt", 7, "is of kind mee. Write `component: mee`."),
        ("point_sheet.yaml", "rubric: six-point", "rubric: six-points", 6, "Did you mean `six-point`?"),
        ("point_sheet.yaml", 'rubric_version: "1"', 'rubric_version: "2"', 7, "no version 2 of the rubric"),
        ("point_sheet.yaml", "item: mee-barge", "item: mee-barges", 4, "folder is named `mee-barge`"),
    ],
)
def test_what_files_say_of_each_other_is_checked(
    place: Path, file: str, old: str, new: str, line: int, says: str
) -> None:
    path = place / file if file == "round.yaml" else place / "rubrics" / "mee-barge" / file
    spoil(path, old, new)
    [(name, at, what)] = found(place)
    assert (name, at) == (file, line)
    assert says in what


def test_a_sheet_that_names_a_broken_rubric_has_no_problem_of_its_own(place: Path) -> None:
    spoil(place / "rubrics" / "six_point.yaml", "label: Nothing", "label: 7")
    assert [name for name, _, _ in found(place)] == ["six_point.yaml"]


def test_two_files_with_one_rubric_are_named(place: Path) -> None:
    (place / "rubrics" / "copy.yaml").write_text(RUBRIC, encoding="utf-8")
    [(name, line, what)] = found(place)
    assert (name, line) == ("six_point.yaml", 2)
    assert "is also in copy.yaml" in what


def test_an_mpt_needs_its_file_and_its_library_and_others_have_none(place: Path) -> None:
    item = place / "rubrics" / "mee-barge"
    (item / "library.md").write_text("Law.", encoding="utf-8")
    [(name, _, what)] = found(place)
    assert name == "library.md"
    assert "belongs to an MPT only" in what
    spoil(item / "point_sheet.yaml", "kind: mee", "kind: mpt")
    spoil(place / "round.yaml", "component: mee", "component: mpt")
    assert [name for name, _, _ in found(place)] == ["file.md"]


def test_a_text_under_a_name_a_little_off_is_named(place: Path) -> None:
    item = place / "rubrics" / "mee-barge"
    (item / "prompt.md").rename(item / "promt.md")
    (item / "guideline.md").write_text("Rulings.", encoding="utf-8")
    names = {name: what for name, _, what in found(place)}
    assert "Rename promt.md to prompt.md." in names["prompt.md"]
    assert "Did you mean `guidelines.md`?" in names["guideline.md"]


def test_yml_files_are_not_passed_over_in_silence(place: Path) -> None:
    (place / "rubrics" / "six_point.yaml").rename(place / "rubrics" / "six_point.yml")
    assert ("six_point.yml", 0, "The file's name ends in .yml. Rename it to six_point.yaml.") in found(place)


@pytest.mark.parametrize("content", ["", " \n\n"])
def test_an_empty_prompt_is_named(place: Path, content: str) -> None:
    (place / "rubrics" / "mee-barge" / "prompt.md").write_text(content, encoding="utf-8")
    assert [(name, what) for name, _, what in found(place)] == [
        ("prompt.md", "The file is empty. Write its text, or remove it.")
    ]


def test_marks_that_turn_the_direction_of_reading_are_named_in_texts(place: Path) -> None:
    (place / "rubrics" / "mee-barge" / "prompt.md").write_text("one\ntw\u202eo\twith tab\n", encoding="utf-8")
    [(name, line, what)] = found(place)
    assert (name, line) == ("prompt.md", 2)
    assert "U+202E" in what


def test_a_single_file_is_checked_with_the_nearest_rubrics(place: Path) -> None:
    sheet = place / "rubrics" / "mee-barge" / "point_sheet.yaml"
    spoil(sheet, "rubric: six-point", "rubric: seven-point")
    spoil(place / "round.yaml", "mee-barge", "mee-barque")
    assert [line for _, line, _ in found(sheet)] == [6]
    assert [line for _, line, _ in found(sheet.parent)] == [6]
    assert [line for _, line, _ in found(place / "round.yaml")] == [6]
    assert found(place / "rubrics" / "six_point.yaml") == []
    assert [line for _, line, _ in found(place / "rubrics")] == [6]


def test_a_sheet_far_from_any_rubrics_is_checked_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "point_sheet.yaml"
    path.write_text(SHEET, encoding="utf-8")
    assert found(path) == []


def test_kinds_of_file_that_are_not_known_are_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.docx"
    path.write_bytes(b"PK")
    [(name, _, what)] = found(path)
    assert name == "notes.docx"
    assert "does not know files that end in `.docx`" in what
    [(_, _, what)] = found(tmp_path / "nothing.yaml")
    assert "There is no such file or folder." in what


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("some.yaml", "format: rubrik/1\nid: a\n", "Did you mean `rubric`?"),
        ("some.yaml", "id: a\n", "is not `format: rubric/1`"),
        ("round.yaml", ROUND.replace("format: round/1\n", ""), "is not `format: round/1`"),
        ("some.md", "", "The file is empty."),
        ("some.csv", "essay,score\nE01,5,6\n", "3 cells; the header has 2"),
        ("some.csv", "a,a\n", "both named `a`"),
        ("some.yaml", "", "The file is empty."),
    ],
)
def test_single_files_of_each_kind_are_read(tmp_path: Path, name: str, content: str, says: str) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    assert any(says in what for _, _, what in found(path))


def test_loaders_give_what_the_files_hold(place: Path) -> None:
    rubrics = load_rubrics(place / "rubrics")
    assert rubrics[("six-point", "1")] == load_rubric(place / "rubrics" / "six_point.yaml")
    assert load_item(place / "rubrics" / "mee-barge", rubrics).sheet.title == "The borrowed barge"
    assert load_round(place / "round.yaml").seed == 0
    with pytest.raises(FileProblems, match=r"point_sheet\.yaml:6: There is no rubric `six-point`"):
        load_item(place / "rubrics" / "mee-barge", {})
    with pytest.raises(FileProblems, match="There is no such folder"):
        load_rubrics(place / "nowhere")
    with pytest.raises(FileProblems, match="There is no such folder"):
        load_item(place / "nowhere")


def test_the_shipped_rubrics_and_items_hold() -> None:
    shipped = Path(__file__).parents[2] / "rubrics"
    assert [str(problem) for problem in check([shipped])] == []
