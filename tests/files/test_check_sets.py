from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from written_files import workspace
from written_sets import SET, spoil, workspace_with_set, write_set

from grader_app.errors import FileProblems
from grader_app.files.check import check, check_paths
from grader_app.files.file_formats import json_schema
from grader_app.files.workspace_folder import WorkspaceFolder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return workspace_with_set(tmp_path)


def a_set(place: Path) -> Path:
    return place / "calibration_sets" / "mee-barge-a"


def found(*paths: Path) -> list[tuple[str, int, str]]:
    return [(Path(each.path).name, each.line, f"{each.what} {each.fix}") for each in check(paths)]


def test_a_workspace_is_checked_with_its_sets(place: Path) -> None:
    checked = check_paths([place])
    assert not checked.problems
    assert len(checked.files) == 4 + 9
    assert [one.packet.id for one in checked.sets if one.packet] == ["mee-barge-a"]
    spoil(a_set(place) / "reference_scores.csv", "E06,1,", "E06,8,")
    assert [(name, line) for name, line, _ in found(place)] == [("reference_scores.csv", 8)]


def test_a_folder_of_sets_and_one_set_are_checked_with_the_nearest_rubrics(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(a_set(place) / "reference_scores.csv", "E06,1,", "E06,8,")
    expected = [
        ("reference_scores.csv", 8, "The score 8 is not on the scale 0 to 6 in steps of 1. Correct it.")
    ]
    assert found(place / "calibration_sets") == expected
    assert found(a_set(place)) == expected
    monkeypatch.chdir(a_set(place))
    assert [problem.path for problem in check([Path()])] == ["reference_scores.csv"]
    monkeypatch.chdir(place)
    assert [problem.path for problem in check([Path("calibration_sets")])] == [
        str(Path("calibration_sets/mee-barge-a/reference_scores.csv"))
    ]


def test_sets_without_rubrics_anywhere_are_checked_by_themselves(place: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone" / "calibration_sets"
    shutil.copytree(place / "calibration_sets", alone)
    shutil.rmtree(place / "rubrics")
    (place / "round.yaml").unlink()
    spoil(alone / "mee-barge-a" / "reference_scores.csv", "E06,1,", "E06,8,")
    assert found(alone) == found(alone.parent) == []
    assert len(check_paths([alone]).files) == 9


def test_a_folder_of_sets_may_be_empty(tmp_path: Path) -> None:
    (tmp_path / "calibration_sets").mkdir()
    (tmp_path / "calibration_sets" / "README.md").write_text("About sets.", encoding="utf-8")
    assert found(tmp_path / "calibration_sets") == found(tmp_path) == []


def test_without_rubrics_in_the_workspace_a_sets_item_is_missing(place: Path) -> None:
    shutil.rmtree(place / "rubrics")
    assert ("calibration_set.yaml", 5) in [(name, line) for name, line, _ in found(place)]


def test_one_set_is_told_what_it_shares_with_its_neighbours(place: Path) -> None:
    second = a_set(place).with_name("mee-barge-0")  # stands before the first by name
    write_set(second, said=SET.replace("mee-barge-a", "mee-barge-0") + "anchors_from: mee-barge-a\n")
    names = [name for name, _, what in found(second) if "the same text as" in what]
    assert names == [f"{name}.md" for name in ("A1", "E01", "E02", "E03", "E04", "E05", "E06")]
    assert {name for name, _, _ in found(a_set(place))} == set(names)
    assert {Path(each.path).parts[-3] for each in check([a_set(place)])} == {"mee-barge-a"}


def test_single_files_of_a_set_are_seen_with_the_rest_of_it(place: Path) -> None:
    folder = a_set(place)
    spoil(folder / "reference_scores.csv", "E06,1,", "E06,8,")
    spoil(folder / "calibration_set.yaml", "item: mee-barge", "item: mee-barg")
    (folder / "essays" / "E04.md").write_text("# Score: 3\n\nDelivery.", encoding="utf-8")
    (folder / "essays" / "E07.md").write_text("Nobody scored this one.", encoding="utf-8")
    assert [(name, line) for name, line, _ in found(folder / "calibration_set.yaml")] == [
        ("calibration_set.yaml", 5)
    ]
    assert found(folder / "reference_scores.csv") == []  # without the item there is no scale
    assert [(name, line) for name, line, _ in found(folder / "essays" / "E04.md")] == [("E04.md", 1)]
    assert "has no row" in found(folder / "essays" / "E07.md")[0][2]
    spoil(folder / "calibration_set.yaml", "item: mee-barg", "item: mee-barge")
    assert [(name, line) for name, line, _ in found(folder / "reference_scores.csv")] == [
        ("reference_scores.csv", 8)
    ]


def test_single_files_are_named_as_the_person_named_them(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(a_set(place) / "reference_scores.csv", "E06,1,", "E06,8,")
    monkeypatch.chdir(a_set(place) / "essays")
    assert [each.path for each in check([Path("../reference_scores.csv")])] == [
        str(Path("../reference_scores.csv"))
    ]


def test_a_blank_paper_of_an_exercise_is_no_empty_file(place: Path) -> None:
    folder = a_set(place)
    spoil(folder / "calibration_set.yaml", "purpose: qualify", "purpose: codes")
    (folder / "reference_scores.csv").write_text("essay,score,condition_code\nE01,,blank\n", encoding="utf-8")
    for path in (folder / "essays").iterdir():
        path.unlink()
    (folder / "essays" / "E01.md").write_text("", encoding="utf-8")
    assert found(place) == found(folder / "essays" / "E01.md") == []


def test_a_sets_yaml_by_itself_is_a_draft(tmp_path: Path) -> None:
    path = tmp_path / "calibration_set.yaml"
    path.write_text(SET, encoding="utf-8")
    assert found(path) == []
    spoil(path, "purpose: qualify", "purpose: qualifies")
    spoil(path, "format: calibration_set/1\n", "")
    assert [line for _, line, _ in found(path)] == [1, 6]


def test_contents_hold_the_sets_for_the_rounds_items(place: Path) -> None:
    contents = WorkspaceFolder(place).load_contents()
    assert list(contents.sets) == ["mee-barge-a"]
    assert contents.sets["mee-barge-a"].find_paper("E01").score == 6
    other = a_set(place).with_name("mee-other-a")
    write_set(other, said=SET.replace("mee-barge", "mee-other"), scores="essay\n")
    assert list(WorkspaceFolder(place).load_contents().sets) == ["mee-barge-a"]
    assert len(found(place)) > 1


def test_a_set_that_does_not_hold_stops_the_round(place: Path) -> None:
    spoil(a_set(place) / "reference_scores.csv", "E06,1,", "E06,8,")
    spoil(place / "round.yaml", "weight: 1", "weight: -1")
    with pytest.raises(FileProblems) as caught:
        WorkspaceFolder(place).load_contents()
    assert [Path(each.path).name for each in caught.value.problems] == ["reference_scores.csv", "round.yaml"]
    (a_set(place) / "calibration_set.yaml").write_text("{", encoding="utf-8")
    with pytest.raises(FileProblems, match=r"calibration_set\.yaml:1"):
        WorkspaceFolder(place).load_contents()


def test_a_stale_set_is_reported_and_does_not_stop_the_round(place: Path) -> None:
    spoil(place / "rubrics" / "mee-barge" / "point_sheet.yaml", 'version: "1"\nitem', 'version: "2"\nitem')
    contents = WorkspaceFolder(place).load_contents()
    assert contents.sets["mee-barge-a"].is_stale(contents.items["mee-barge"])
    [(name, line, what)] = found(place)
    assert (name, line) == ("calibration_set.yaml", 6)
    assert "Score the set again under version 2 and raise `version`" in what


def test_the_schema_of_a_set_requires_what_has_no_default() -> None:
    schema = json_schema("calibration_set")
    assert schema["required"] == [
        "format",
        "id",
        "version",
        "title",
        "item",
        "point_sheet_version",
        "purpose",
        "reference",
        "origin",
    ]
    assert schema["$defs"]["Gates"]["properties"]["severity_within"]["default"] == 0.4


def test_the_shipped_sets_hold() -> None:
    shipped = Path(__file__).parents[2] / "calibration_sets"
    assert [str(problem) for problem in check([shipped])] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It didn't matter to them, since care was owed.", "It didn\u2019t matter to them at all in law."),
        ("Much diligence was due here by law.", "Much diligence\u200b was due here, on any view."),
        ("Much diligence was due here by law.", "## Issue one:\n\nMuch diligence was due here, as I see it."),
    ],
)
def test_openings_that_look_alike_are_alike(tmp_path: Path, one: str, other: str) -> None:
    place = workspace(tmp_path) / "calibration_sets" / "mee-barge-a"
    write_set(place, E02=one, E03=other)
    assert any("begins with the same words as E02" in each.what for each in check([tmp_path]))


def test_a_long_passage_is_in_one_paper_only(tmp_path: Path) -> None:
    body = " ".join(f"word{n}" for n in range(29))
    place = workspace(tmp_path) / "calibration_sets" / "mee-barge-a"
    starts = {"E02": "One opening of its own kind.", "E03": "Quite another way to begin this."}
    write_set(place, **{name: f"{start} {body}" for name, start in starts.items()})
    assert check([tmp_path]) == []
    longer = f"{body} word29 word30"
    for name, start in starts.items():
        (place / "essays" / f"{name}.md").write_text(f"{start} {longer}\n", encoding="utf-8")
    (found,) = check([tmp_path])
    assert "shares a passage of 30 words with E02" in found.what


def test_what_a_spreadsheet_leaves_at_the_edges_of_the_table_is_passed_over(tmp_path: Path) -> None:
    place = write_set(workspace(tmp_path) / "calibration_sets" / "mee-barge-a")
    path = place / "reference_scores.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    wider = [f"{line},," for line in lines]
    nothing = "," * wider[0].count(",")
    path.write_text("\r\n".join([*wider, nothing, ""]), encoding="utf-8")
    assert check([tmp_path]) == []
    path.write_text("\r\n".join([wider[0], f"{lines[1]},,x", *wider[2:], ""]), encoding="utf-8")
    assert check([tmp_path]) != []
