"""The essays of a set are texts and nothing besides."""

from __future__ import annotations

from pathlib import Path

import pytest
from examined_sets import (
    Known,
    folder_of_set,  # noqa: F401 - a fixture
    found,
    known_items_and_rubrics,  # noqa: F401 - a fixture
)
from written_sets import write_set


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
