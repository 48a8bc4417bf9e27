from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path

import pytest
from written_files import CRITERIA, SHEET, spoiled, workspace
from written_sets import HEADER, ROWS, SET, TEXTS, spoil, table, workspace_with_set, write_set

from grader_app.domain.item import Item
from grader_app.domain.rubric import Rubric
from grader_app.errors import FileProblems
from grader_app.files.calibration_folder import examine_set, load_set
from grader_app.files.calibration_sets import examine_sets, item_of_set, set_folders
from grader_app.files.item_folder import load_item
from grader_app.files.rubric_file import RubricKey, load_rubrics

Known = tuple[dict[str, Item], dict[RubricKey, Rubric]]
CSV = "reference_scores.csv"
YAML = "calibration_set.yaml"


@pytest.fixture
def known(tmp_path: Path) -> Known:
    place = workspace(tmp_path / "known") / "rubrics"
    rubrics = load_rubrics(place)
    return {"mee-barge": load_item(place / "mee-barge", rubrics)}, rubrics


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "sets" / "mee-barge-a"


def found(folder: Path, known: Known | tuple[()] = ()) -> list[tuple[str, int, str]]:
    problems = sorted(examine_set(folder, *known).problems)
    return [(Path(each.path).name, each.line, f"{each.what} {each.fix}") for each in problems]


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


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("---\nscore: 4\n---\nGreat care.", 1, "The essay begins with a block between lines `---`."),
        ("\n# Score: 4\n\nGreat care.", 2, "The essay begins with a score: `# Score: 4`."),
        ("## Essay 6 (graded 4 of 6)\nGreat care.", 1, "The essay begins with a score:"),
        ("**Grade: 5/6**\n\nGreat care.", 1, "The essay begins with a score:"),
        ("Score 4\nGreat care.", 1, "The essay begins with a score:"),
        ("Marks out of habit are no score of 4.", None, ""),
        ("Mark 4 on the hull shows that care was owed.", None, ""),
        ("# Did Owner score a claim?\n\n4 points follow.", None, ""),
        ("1. Was there a bailment? The score of cases says so.", None, ""),
    ],
)
def test_an_essay_is_its_text_and_nothing_besides(
    folder: Path, known: Known, text: str, line: int | None, says: str
) -> None:
    write_set(folder, E06=text)
    problems = found(folder, known)
    assert [(file, at) for file, at, _ in problems] == ([] if line is None else [("E06.md", line)])
    assert all(says in what for _, _, what in problems)


def test_essays_that_cannot_be_read_are_named_once(folder: Path, known: Known) -> None:
    write_set(folder)
    (folder / "essays" / "E04.md").write_bytes(b"caf\xe9")
    (folder / "essays" / "E06.md").write_text("There was\u202e delivery.", encoding="utf-8")
    assert [(file, line) for file, line, _ in found(folder, known)] == [("E04.md", 1), ("E06.md", 1)]


def test_what_is_no_essay_may_not_lie_among_them(folder: Path, known: Known) -> None:
    write_set(folder)
    for name in ("E07.txt", "E 08.md", ".DS_Store"):
        (folder / "essays" / name).write_text("Text of it.", encoding="utf-8")
    (folder / "essays" / "E09.md").mkdir()
    assert sorted(file for file, _, _ in found(folder, known)) == ["E 08.md", "E07.txt", "E09.md"]
    assert all("ends in .md, such as E01.md; this is not." in what for _, _, what in found(folder, known))


def test_names_a_little_off_are_not_passed_over(folder: Path, known: Known) -> None:
    write_set(folder)
    (folder / CSV).rename(folder / "reference_score.csv")
    (folder / YAML).rename(folder / "calibration_set.yml")
    says = {file: what for file, _, what in found(folder, known)}
    assert says["reference_score.csv"].endswith("Did you mean `reference_scores.csv`?")
    assert says["calibration_set.yml"].endswith("Rename it to calibration_set.yaml.")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert found(tmp_path / "nowhere") == [("nowhere", 0, "There is no such folder. Check the name.")]


def both(tmp_path: Path, *, said: str = "", other_item: bool = False, **texts: str) -> Path:
    """Write two sets of one item, the second with other texts throughout."""
    sets = workspace_with_set(tmp_path / "two") / "calibration_sets"
    second = SET.replace("mee-barge-a", "mee-barge-b") + said
    if other_item:
        second = second.replace("item: mee-barge", "item: mee-other")
    others = {name: f"{name} is turned the other way. {text}" for name, text in TEXTS.items()}
    write_set(sets / "mee-barge-b", said=second, **{**others, **texts})
    return sets


def between(sets: Path, known: Known | tuple[()] = ()) -> list[tuple[str, int, str]]:
    problems = sorted(examine_sets(sets, *known).problems)
    return [(Path(each.path).name, each.line, f"{each.what} {each.fix}") for each in problems]


def test_sets_are_found_by_id(tmp_path: Path, known: Known) -> None:
    sets = both(tmp_path)
    (sets / "README.md").write_text("About sets.", encoding="utf-8")
    (sets / "drafts").mkdir()
    found_sets = examine_sets(sets, *known)
    assert (found_sets.problems, found_sets.problems_in_use) == ([], [])
    assert list(found_sets.packets) == ["mee-barge-a", "mee-barge-b"]
    assert [folder.name for folder in set_folders(sets)] == ["mee-barge-a", "mee-barge-b"]
    assert set_folders(sets / "none") == []
    assert item_of_set(sets / "mee-barge-a") == "mee-barge"
    assert item_of_set(sets / "drafts") is None


def test_no_two_papers_of_an_item_have_the_same_text(tmp_path: Path, known: Known) -> None:
    sets = both(tmp_path, E04=f"{TEXTS['E06'].upper()}\n\n", E05=TEXTS["E06"])
    assert between(sets, known) == [
        ("E04.md", 0, "The essay has the same text as E06 of mee-barge-a. Remove one of the two."),
        ("E05.md", 0, "The essay has the same text as E06 of mee-barge-a. Remove one of the two."),
    ]
    assert list(examine_sets(sets, *known).packets) == ["mee-barge-a"]


def test_no_two_papers_of_an_item_begin_alike(tmp_path: Path, known: Known) -> None:
    sets = both(
        tmp_path, E04="# A borrower — owes **great** care; nothing else.", E05="A borrower owes great skill."
    )
    assert between(sets, known) == [
        (
            "E04.md",
            0,
            "The essay begins with the same words as E02 of mee-barge-a: `a borrower owes great care`. "
            "Begin one of them otherwise: a grader would know it again.",
        )
    ]
    within = both(
        tmp_path / "within", E05="One two three four five.", E06="One, two, three, four, five: six."
    )
    assert [(file, "as E05:" in what) for file, _, what in between(within, known)] == [("E06.md", True)]


def test_papers_of_other_items_may_be_alike(tmp_path: Path) -> None:
    assert between(both(tmp_path, other_item=True, **TEXTS)) == []


def test_two_sets_of_one_name_are_named(tmp_path: Path, known: Known) -> None:
    sets = both(tmp_path)
    spoil(sets / "mee-barge-b" / YAML, "mee-barge-b", "mee-barge-a")
    assert between(sets, known) == [
        (YAML, 2, "The id `mee-barge-a` is also the id of the set in mee-barge-a/. Give each its own."),
        (YAML, 2, "`id` is `mee-barge-a`, but the folder is named `mee-barge-b`. Give both the same name."),
    ]


def test_anchors_come_from_a_set_of_the_item_that_has_some(tmp_path: Path, known: Known) -> None:
    sets = both(tmp_path, said="anchors_from: mee-barge-a\n")
    assert between(sets, known) == []
    spoil(sets / "mee-barge-a" / CSV, "A1,4,,yes", "A1,4,,no")
    [(file, line, what)] = between(sets, known)
    assert (file, line) == (YAML, 10)
    assert what.startswith("`anchors_from` names `mee-barge-a`, which has no anchors. Name a set that has")
    spoil(sets / "mee-barge-b" / YAML, "anchors_from: mee-barge-a", "anchors_from: mee-barge-aa")
    [(_, _, what)] = between(sets, known)
    assert (
        what == "`anchors_from` names `mee-barge-aa`, and there is no such set. Did you mean `mee-barge-a`?"
    )


def test_anchors_of_another_item_are_refused_and_ones_own_are_fine(tmp_path: Path) -> None:
    sets = both(tmp_path, said="anchors_from: mee-barge-a\n", other_item=True)
    [(_, line, what)] = between(sets)
    assert line == 10
    assert what == (
        "`anchors_from` names `mee-barge-a`, whose papers answer `mee-barge`. Name a set of the same item."
    )
    spoil(sets / "mee-barge-b" / YAML, "anchors_from: mee-barge-a", "anchors_from: mee-barge-b")
    assert between(sets) == []
