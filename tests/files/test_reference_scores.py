"""The table of reference scores: its columns, rows and cells, as spreadsheets save them."""

from __future__ import annotations

import codecs
from collections.abc import Callable
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
from written_files import CRITERIA, SHEET, spoiled, workspace
from written_sets import HEADER, SET, TEXTS, spoil, table, write_set

from grader_app.domain.rubric import Rubric
from grader_app.files.calibration_folder import load_set
from grader_app.files.item_folder import load_item
from grader_app.files.rubric_file import load_rubrics


@pytest.mark.parametrize(
    "rewritten",
    [
        lambda text: codecs.BOM_UTF8 + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode("utf-16"),
        lambda text: text.replace(",", ";").replace('right; "', 'right, "').encode(),
        lambda text: text.replace(",", "\t").replace("\n", "\r").encode(),
        lambda text: text.replace(",yes,", ", YES ,").replace("E06,1,", "E06,1.0,").encode(),
    ],
)
def test_what_spreadsheets_save_is_the_same_set(
    folder: Path, known: Known, rewritten: Callable[[str], bytes]
) -> None:
    first = load_set(write_set(folder), *known)
    plain = table(A1="A1,4,,yes,Care is right.,care.rule,,,,")
    (folder / CSV).write_text(plain, encoding="utf-8")
    expected = load_set(folder, *known)
    (folder / CSV).write_bytes(rewritten(plain))
    assert load_set(folder, *known) == expected
    assert expected != first


@pytest.mark.parametrize(
    ("name", "row", "line", "says"),
    [
        ("A1", "A1,,,yes,,care.rule,,,,", 2, "A1 is an anchor and has no score."),
        ("E01", "E01,6,,,,,,,,", 3, "`anchor` is empty. Write yes for"),
        ("E01", "E01,VI,,no,,,,,,", 3, "In column `score`, `VI` is not a finite number."),
        ("E01", "E01,inf,,no,,,,,,", 3, "In column `score`, `inf` is not a finite number."),
        ("E01", "E01,4.5,,no,,,,,,", 3, "The score 4.5 is not on the scale 0 to 6 in steps of 1."),
        ("E01", "E01,,,no,,,,,,", 3, "E01 has no score."),
        ("E01", ",6,,no,,,,,,", 3, "The row names no essay. Write its name under `essay`, such as E01."),
        ("E01", "E 01,6,,no,,,,,,", 3, "In column `essay`, `E 01` cannot be a name."),
        ("E01", "E01.md,6,,no,,,,,,", 3, "has its file's ending. Write E01."),
        ("E01", "E01,6,first,no,,,,,,", 3, "In column `reference_rank`, `first` is not a finite number."),
        ("E05", "E05,2,,no,,,,,,Long Empty", 7, "`feature` is the text `Long Empty`. Write small"),
        (
            "E03",
            "E03,4,,no,,care.rule,,p1,plain,",
            5,
            "`style` is the text `plain`. Write fuller or plainer.",
        ),
        ("E03", "E03,4,,no,,care.rule,,p1,fuller,", 5, "E02 and E03, the pair `p1`, are both fuller."),
        ("E05", "E05,2,,no,,,,,,long-and-empty", None, ""),
        ("E06", "E06,1,,no,,bailment.rule,Too short.,,,", 8, "E06 scores 1; its points come to 1.2. Empty"),
        ("E06", "E06,3,,no,,bailment.rule,,,,", 8, "E06 scores 3; its points come to 1.2. Say why under"),
        ("E06", "E06,1,,no,,Bailment.Rule,,,,", 8, "`points` is the text `Bailment.Rule`."),
    ],
)
def test_a_wrong_cell_is_named_with_its_line(
    folder: Path, known: Known, name: str, row: str, line: int | None, says: str
) -> None:
    write_set(folder, scores=table(**{name: row}))
    in_table = [(at, what) for file, at, what in found(folder, known) if file == CSV]
    if line is None:
        assert in_table == []
    else:
        assert any(at == line and says in what for at, what in in_table), in_table


def test_lines_are_those_of_the_file(folder: Path, known: Known) -> None:
    write_set(
        folder, scores=table(A1='A1,4,,yes,"Two\nlines, and\r\none.",care.rule,,,,', E01="E01,9,,no,,,,,,")
    )
    assert [(line, what) for _, line, what in found(folder, known)] == [
        (5, "The score 9 is not on the scale 0 to 6 in steps of 1. Correct it.")
    ]


def test_an_essay_with_several_rows_lists_all_their_lines(folder: Path, known: Known) -> None:
    write_set(folder, scores=table() + "E01,5,,no,,,,,,\nE06,2,,no,,,,,,\nE01,5,,no,,,,,,\n")
    assert found(folder, known) == [
        (CSV, 3, "`E01` has 3 rows, on lines 3, 9 and 11. Keep one."),
        (CSV, 8, "`E06` has 2 rows, on lines 8 and 10. Keep one."),
    ]


def test_rows_and_essays_that_do_not_match_are_named_with_the_nearest(folder: Path, known: Known) -> None:
    rows = table(E01="E1,6,,no,,,,,,", E06="Z9,1,,no,,bailment.rule,,,,")
    write_set(folder, scores=rows)
    assert found(folder, known) == [
        (
            "E01.md",
            0,
            "The essay `E01` has no row in reference_scores.csv. Add a row for it, or remove the file.",
        ),
        (
            "E06.md",
            0,
            "The essay `E06` has no row in reference_scores.csv. Add a row for it, or remove the file.",
        ),
        (CSV, 3, "E1 scores 6; its points come to 0.0. Say why under `departs_because`."),
        (CSV, 3, "There is no essay `E1`. Did you mean `E01`?"),
        (CSV, 8, "There is no essay `Z9`. Add essays/Z9.md, or remove the row."),
    ]


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("essay,scroe", "`scroe` is no column of this table. Did you mean `score`?"),
        ("essay,Score", "`Score` is no column of this table. Did you mean `score`?"),
        ("essay,grade given", "`grade given` is no column of this table. The columns are essay, score,"),
        ("essay,score,colour", "`colour` is no column of this table. The columns are essay, score,"),
        ("essay,mark", "There is no column `score`; found `essay`, `mark`"),
        ("paper,score", "There is no column `essay`; found `paper`, `score`"),
    ],
)
def test_columns_that_are_missing_or_unknown(folder: Path, known: Known, header: str, says: str) -> None:
    write_set(folder, scores=f"{header}\n{'E01,1,1'[: 2 * header.count(',') + 3]}\n")
    assert any(file == CSV and line == 1 and says in what for file, line, what in found(folder, known))


def test_a_table_that_cannot_be_read_hides_nothing_else(folder: Path, known: Known) -> None:
    write_set(
        folder, scores=HEADER + "\nE01,6\n", said=spoiled(SET, "origin: constructed", "origin: invented")
    )
    assert found(folder, known) == [
        (YAML, 9, "`origin` is the text `invented`. Write constructed or panel."),
        (
            CSV,
            2,
            "The row has 2 cells; the header has 10. "
            "Add or remove cells, and quote cells that hold the delimiter.",
        ),
    ]


def test_criteria_of_the_rubric_are_columns(folder: Path, known: Known) -> None:
    items, rubrics = known
    criteria = Rubric.model_validate(
        {
            **rubrics["six-point", "1"].model_dump(mode="json"),
            "criteria": [
                {"id": name, "title": name, "question": "Is it?", "lowest": 0, "highest": 3, "step": 1}
                for name in ("clarity", "style")
            ],
        }
    )
    known = items, {("six-point", "1"): criteria}
    rows = "essay,score,clarity,style\n" + "".join(
        f"{name},{at},{at % 4},2\n" for at, name in enumerate(TEXTS)
    )
    write_set(folder, scores=rows)
    papers = load_set(folder, *known).papers
    assert papers[5].marks == {"clarity": 1, "style": 2}
    assert papers[5].style is None
    spoil(folder / CSV, "E01,1,1,2", "E01,1,5,much")
    spoil(folder / CSV, "clarity", "clarty")
    assert found(folder, known) == [
        (
            CSV,
            1,
            "`clarty` is no column of this table and no criterion of the rubric `six-point`. "
            "Did you mean `clarity`?",
        ),
        (
            CSV,
            3,
            "In column `style`, `much` is not a finite number. Write a number, or leave the cell empty.",
        ),
    ]
    spoil(folder / CSV, "clarty", "clarity")
    assert (CSV, 3, "The mark `clarity` 5 is not on the scale 0 to 3 in steps of 1. Correct it.") in found(
        folder, known
    )


def test_reference_marks_make_the_score_where_the_rubric_says_so(tmp_path: Path) -> None:
    place = workspace(tmp_path) / "rubrics"
    (place / "rule_application.yaml").write_text(CRITERIA, encoding="utf-8")
    sheet = spoiled(SHEET, "rubric: six-point", "rubric: rule-application")
    (place / "mee-barge" / "point_sheet.yaml").write_text(sheet, encoding="utf-8")
    rubrics = load_rubrics(place)
    known = {"mee-barge": load_item(place / "mee-barge", rubrics)}, rubrics
    scores = (1, 2, 0, 1, 2, 1, 0)
    rows = [f"{e},{s},{min(s, 1)},{max(s - 1, 0)}" for e, s in zip(TEXTS, scores, strict=True)]
    folder = write_set(
        tmp_path / "mee-barge-a", scores="\n".join(["essay,score,correctness,analysis", *rows]) + "\n"
    )
    assert found(folder, known) == []
    spoil(folder / CSV, "E01,2,1,1", "E01,2,0,1")
    assert found(folder, known) == [
        (CSV, 3, "The marks of E01 make 0 by the rubric, but its score is 2. Correct the score or a mark.")
    ]


CODES = spoiled(SET, "purpose: qualify", "purpose: codes")


def test_an_exercise_on_codes_has_codes_for_scores_and_may_have_blank_papers(
    folder: Path, known: Known
) -> None:
    rows = "essay,condition_code,score\nE01,,6\nE02,blank,\n"
    others = dict.fromkeys(set(TEXTS) - {"E01", "E02"})
    write_set(folder, said=CODES, scores=rows, E02="\n", **others)
    packet = load_set(folder, *known)
    assert [paper.condition_code for paper in packet.papers] == [None, "blank"]
    assert packet.set.gates is None
    spoil(folder / CSV, "E02,blank,", "E02,blnk,")
    spoil(folder / CSV, "E01,,6", "E01,,")
    assert found(folder, known) == [
        (CSV, 2, "E01 has no score. Write its score; in a set for condition codes, a score or a code."),
        (CSV, 3, "The rubric `six-point` has no condition code `blnk`. Its codes are blank."),
    ]
    (folder / CSV).write_text("essay,score\nE01,6\n", encoding="utf-8")
    assert any("There is no column `condition_code`" in what for _, _, what in found(folder, known))
