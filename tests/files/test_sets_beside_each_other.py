"""Several sets in one workspace: names, texts and anchors between them."""

from __future__ import annotations

from pathlib import Path

from examined_sets import (
    CSV,
    YAML,
    Known,
    folder_of_set,  # noqa: F401 - a fixture
    known_items_and_rubrics,  # noqa: F401 - a fixture
)
from written_sets import SET, TEXTS, spoil, workspace_with_set, write_set

from grader_app.files.calibration_sets import examine_sets, item_of_set, set_folders


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
