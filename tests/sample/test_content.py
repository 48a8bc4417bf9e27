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


def test_a_performance_test_counts_twice_an_essay(contents: WorkspaceContents) -> None:
    weights = contents.round.weights
    mpt = [weight for item, weight in weights.items() if item.startswith("mpt")]
    mee = [weight for item, weight in weights.items() if item.startswith("mee")]
    assert mpt == [2 * mee[0]]
    assert len(set(mee)) == 1


def test_each_authority_of_the_performance_test_stands_under_a_heading_of_its_library(
    contents: WorkspaceContents,
) -> None:
    item = contents.items["mpt-rescue-bill"]
    headings = [line.lstrip("# ") for line in (item.library or "").splitlines() if line.startswith("#")]
    assert item.sheet.library
    for document in item.sheet.library:
        assert sum(heading.startswith(document.title) for heading in headings) == 1, document.title
    cited = {source for issue in item.sheet.issues for point in issue.points for source in point.sources}
    assert cited == {document.id for document in item.sheet.library} - {"act-105"}


@pytest.mark.parametrize("item", ["mpt-rescue-bill", "rule-diversity", "rule-predominant-purpose"])
def test_the_facts_that_a_point_names_stand_in_the_papers_of_its_question(
    contents: WorkspaceContents, item: str
) -> None:
    found = contents.items[item]
    papers = " ".join(f"{found.prompt} {found.file or ''}".replace("|", " ").split())
    for issue in found.sheet.issues:
        for point in issue.points:
            for fact in point.facts:
                assert " ".join(fact.split()) in papers, (point.id, fact)


def test_the_answers_to_the_performance_test_come_from_candidates_of_both_essays() -> None:
    sources = {
        item: {answer.source for answer in read_answers(path).answers} for item, path in ANSWER_FILES.items()
    }
    assert len(sources["mpt-rescue-bill"]) == 8
    assert sources["mpt-rescue-bill"] <= sources["mee-negligence"] & sources["mee-sale-of-goods"]


@pytest.mark.parametrize("item", ["rule-hearsay", "rule-diversity", "rule-predominant-purpose"])
def test_twelve_answers_to_each_rule_question_show_many_kinds_of_error(item: str) -> None:
    grades = intended_grades(item).values()
    assert len(grades) == 12
    kinds = {error for grade in grades for error in grade.entry.error_types}
    assert len(kinds) >= 4
    assert {gap for grade in grades for gap in grade.entry.analysis_gaps} == {
        "prediction-only",
        "restatement-only",
    }
    assert any(grade.entry.condition_code for grade in grades)


def test_the_samples_files_are_there(tmp_path: Path) -> None:
    assert MBE_FILE.is_file()
    copy_files(tmp_path)
    assert (tmp_path / "round.yaml").is_file()
