from __future__ import annotations

from pathlib import Path

import pytest

from grader_app.blinding.formats import read_answers
from grader_app.domain.grade import check_grade
from grader_app.files.workspace_folder import WorkspaceContents, WorkspaceFolder
from grader_app.sample.content import ANSWER_FILES, ITEMS, MBE_FILE, copy_files, intended_grades


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> WorkspaceContents:
    folder = tmp_path_factory.mktemp("sample-files")
    copy_files(folder)
    return WorkspaceFolder(folder).load_contents()


def test_the_samples_files_hold_and_name_its_items(contents: WorkspaceContents) -> None:
    assert tuple(contents.items) == ITEMS == tuple(ANSWER_FILES)


@pytest.mark.parametrize("item", ITEMS)
def test_every_answer_has_an_intended_grade_that_fits_its_rubric(
    contents: WorkspaceContents, item: str
) -> None:
    sheet = contents.items[item].sheet
    rubric = contents.rubrics[sheet.rubric, sheet.rubric_version]
    intended = intended_grades(item)
    assert {answer.sender_id for answer in read_answers(ANSWER_FILES[item]).answers} == set(intended)
    for grade in intended.values():
        check_grade(rubric, sheet, grade.entry)


def test_the_samples_files_are_there(tmp_path: Path) -> None:
    assert MBE_FILE.is_file()
    copy_files(tmp_path)
    assert (tmp_path / "round.yaml").is_file()
