"""The folder of a calibration set is read whole, and everything wrong with it is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from examined_sets import (
    CSV,
    YAML,
    Known,
    folder_of_set,  # noqa: F401 - a fixture
    found,
    known_items_and_rubrics,  # noqa: F401 - a fixture
)
from written_files import spoiled
from written_sets import HEADER, ROWS, SET, TEXTS, spoil, table, write_set

from grader_app.errors import FileProblems
from grader_app.files.calibration_folder import examine_set, load_set


def test_a_set_that_holds_is_loaded_with_its_papers(folder: Path, known: Known) -> None:
    packet = load_set(write_set(folder), *known)
    assert [paper.essay for paper in packet.papers] == list(ROWS)
    assert {paper.essay: paper.text for paper in packet.papers} == TEXTS
    assert [paper.score for paper in packet.papers] == [4, 6, 4, 4, 2, 2, 1]
    first, last = packet.find_paper("A1"), packet.find_paper("E05")
    assert (first.anchor, first.rationale) == (True, "Care is right, the bailment thin.")
    assert (last.departs_because, last.feature) == (
        "Every point is close and none is made.",
        "long-and-empty",
    )
    assert packet.find_paper("E04").points == ("bailment.rule", "bailment.application")
    assert packet.matched_pairs == (("E02", "E03"),)
    assert load_set(folder) == packet


def test_all_files_of_a_set_are_named(folder: Path, known: Known) -> None:
    names = [path.name for path in examine_set(write_set(folder), *known).files]
    assert sorted(names) == sorted([YAML, CSV, *(f"{essay}.md" for essay in TEXTS)])


def test_layout_does_not_change_the_content(folder: Path, known: Known) -> None:
    first = load_set(write_set(folder), *known).content_hash
    spoil(folder / YAML, "title:", "# a remark\ntitle:")
    (folder / "essays" / "E06.md").write_text("There was delivery.\r\n\r\n", encoding="utf-8")
    assert load_set(folder, *known).content_hash == first
    (folder / "essays" / "E06.md").write_text("There was a delivery.", encoding="utf-8")
    assert load_set(folder, *known).content_hash != first


def test_everything_wrong_is_found_at_once(folder: Path, known: Known) -> None:
    rows = table(
        header=HEADER.replace("rationale", "rational"),
        E01="E01,7,,no,All of it.,bailment.rule bailment.application care.rule,,,,",
        E04='E04,"2,5",,nein,,bailment.rle,,,,',
    )
    write_set(folder, said=spoiled(SET, "title:", "titel:"), scores=rows, E06="")
    assert found(folder, known) == [
        (YAML, 4, "Unknown key `titel`. Did you mean `title`?"),
        ("E06.md", 0, "The essay is empty. Write its text, or remove file and row."),
        (CSV, 1, "`rational` is no column of this table. Did you mean `rationale`?"),
        (CSV, 3, "The score 7 is not on the scale 0 to 6 in steps of 1. Correct it."),
        (CSV, 6, "In column `score`, `2,5` uses a decimal comma. Write 2.5."),
        (CSV, 6, "The point sheet has no point `bailment.rle`. Did you mean `bailment.rule`?"),
        (CSV, 6, "`anchor` is `nein`. Write yes for a paper shown with its score beforehand, otherwise no."),
    ]
    with pytest.raises(FileProblems) as caught:
        load_set(folder, *known)
    assert len(caught.value.problems) == 7


def test_without_table_or_essays_the_missing_part_is_named(folder: Path, known: Known) -> None:
    write_set(folder)
    (folder / CSV).unlink()
    assert found(folder, known) == [(CSV, 0, "There is no such file. Check the name and the folder.")]
    (folder / CSV).write_text(table(), encoding="utf-8")
    (folder / "essays").rename(folder / "essay")
    problems = found(folder, known)
    assert ("essay", 0, "The program reads nothing of the name essay. Did you mean `essays`?") in problems
    assert (
        "essays",
        0,
        "The set has no folder of essays. Make it, with one answer a file: E01.md.",
    ) in problems


def test_a_set_of_the_panel_is_its_yaml_alone(folder: Path, known: Known) -> None:
    said = SET.replace("reference: given", "reference: panel").replace("origin: constructed", "origin: panel")
    write_set(folder, said=said)
    [(file, line, what)] = found(folder, known)
    assert (file, line) == (YAML, 8)
    assert "the papers come from live answers, but the set has its own" in what
    for path in [*(folder / "essays").iterdir(), folder / CSV]:
        path.unlink()
    (folder / "essays").rmdir()
    packet = load_set(folder, *known)
    assert (packet.papers, packet.set.papers, packet.set.judged_papers) == ((), 30, 15)


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("id: mee-barge-a", "id: mee-barge-b", 2, "but the folder is named `mee-barge-a`."),
        ("item: mee-barge", "item: mee-barg", 5, "no item `mee-barg` in rubrics/. Did you mean `mee-barge`?"),
        ("item: mee-barge", "item: mpt-x", 5, "Put a folder mpt-x/ into rubrics/."),
        ('point_sheet_version: "1"', 'point_sheet_version: "3"', 6, "made under version 3 of the"),
        ('point_sheet_version: "1"', "point_sheet_version: 1", 6, "without quotes"),
        ("purpose: qualify", "purpose: qualifying", 7, "Write qualify, validity or codes."),
        (
            "purpose: qualify",
            "purpose: validity\nattempts: 2",
            8,
            "`attempts` belong to a set that graders must",
        ),
        ("origin: constructed", "origin: panel\nmakeup:\n  anchors: 2", 11, "promises 2 anchors and has 1."),
        ("origin: constructed", "origin: constructed\nmakeup:\n  words_to: 9", None, "promises at most 9."),
        ("format: calibration_set/1", "format: calibration_set/2", 1, "is too new"),
        ("format: calibration_set/1", "format: rubric/1", 1, "This is a rubric file; a calibration_set"),
        ("origin: constructed", "origin: constructed\ngates:", 10, "`gates` is empty."),
        (
            "origin: constructed",
            "origin: panel\ngates:\n  severity: 1",
            11,
            "Did you mean `severity_within`?",
        ),
    ],
)
def test_what_the_set_says_of_itself_is_checked(
    folder: Path, known: Known, old: str, new: str, line: int | None, says: str
) -> None:
    write_set(folder, said=spoiled(SET, old, new))
    problems = found(folder, known)
    if line is None:
        assert {file for file, _, _ in problems} == {
            f"{name}.md" for name in ("A1", "E01", "E02", "E04", "E05")
        }
    else:
        assert [(file, at) for file, at, _ in problems] == [(YAML, line)]
    assert all(says in what for _, _, what in problems)


def test_a_stale_set_says_so_and_is_there_all_the_same(folder: Path, known: Known) -> None:
    items, rubrics = known
    newer = items["mee-barge"].sheet.model_copy(update={"version": "2", "issues": ()})
    later = {"mee-barge": items["mee-barge"].model_copy(update={"sheet": newer})}
    stale = examine_set(write_set(folder), later, rubrics)
    assert stale.stale
    assert stale.packet == load_set(folder, *known)
    assert found(folder, (later, rubrics)) == [
        (
            YAML,
            6,
            "The references were made under version 1 of the point sheet; mee-barge has 2. "
            'Score the set again under version 2 and raise `version`, then write `point_sheet_version: "2"`.',
        )
    ]
    with pytest.raises(FileProblems, match="Score the set again"):
        load_set(folder, later, rubrics)
    spoil(folder / CSV, "E06,1,,no", "E06,1,,maybe")
    assert examine_set(folder, later, rubrics).packet is None


def test_without_items_and_rubrics_the_set_is_read_by_itself(folder: Path) -> None:
    write_set(
        folder, said=spoiled(SET, "item: mee-barge", "item: mee-other"), scores=table(E06="E06,9,,no,,,,,,")
    )
    assert found(folder) == []
    (folder / CSV).write_text("essay,score,clarity\nE01,1,2\n", encoding="utf-8")
    assert not any(file == CSV and line == 1 for file, line, _ in found(folder))
    (folder / CSV).write_text("essay,score,anchr\nE01,1,2\n", encoding="utf-8")
    assert (CSV, 1, "`anchr` is no column of this table. Did you mean `anchor`?") in found(folder)


def test_an_item_that_could_not_be_read_is_no_problem_of_the_set(folder: Path, known: Known) -> None:
    assert examine_set(write_set(folder), {"mee-barge": None}, known[1]).problems == []


def test_names_a_little_off_are_not_passed_over(folder: Path, known: Known) -> None:
    write_set(folder)
    (folder / CSV).rename(folder / "reference_score.csv")
    (folder / YAML).rename(folder / "calibration_set.yml")
    says = {file: what for file, _, what in found(folder, known)}
    assert says["reference_score.csv"].endswith("Did you mean `reference_scores.csv`?")
    assert says["calibration_set.yml"].endswith("Rename it to calibration_set.yaml.")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert found(tmp_path / "nowhere") == [("nowhere", 0, "There is no such folder. Check the name.")]
