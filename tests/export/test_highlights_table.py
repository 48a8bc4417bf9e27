"""The words a grader attached are the same words after export and re-import."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from small_workspace import SmallWorkspace, make_workspace
from tampering import repair_fingerprints

from grader_app.domain.grade import GradeEntry
from grader_app.domain.highlight import Highlight
from grader_app.errors import VerificationFailed
from grader_app.export.folder import write_export
from grader_app.export.verify import verify_export
from grader_app.workflow.assignment import deal
from grader_app.workflow.evidence import with_places_stored
from grader_app.workflow.live_grading import sheet_to_correct

LINES = (
    "Der Kläger (Käufer) hat Recht. 🙂",
    "原告は勝つ。被告は負ける。",
    "الحق له، ولا شيء عليه",
    "She wins.",
)
WORDS = ("Käufer) hat Recht. 🙂", "勝つ。被告", "له، ولا", "عليه\nShe")
POINT = "duty.rule"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallWorkspace]:
    made = make_workspace(tmp_path_factory.mktemp("highlights") / "w", graders=1, answers=0)
    yield made
    made.bench.store.close()


@pytest.fixture(scope="module")
def stored(small: SmallWorkspace) -> dict[str, str]:
    """Texts with every kind of line end; each has the same words attached, as they are on the screen."""
    texts = {}
    for end in ("\n", "\r\n", "\r"):
        text = f"{end}  {end.join(LINES)}{end}"
        (response_id,) = small.take_in("mee-barge", 1, said=text)
        texts[response_id] = text
    deal(small.bench, small.actor)
    for dealt in small.queue(small.graders[0]):
        seen = sheet_to_correct(small.bench, dealt.grader_id, dealt.assignment_id).answer
        places = [(seen.index(words), seen.index(words) + len(words)) for words in WORDS]
        marks = tuple(Highlight(start, end, "point", POINT) for start, end in places)
        entry = GradeEntry(score=4, points=(POINT,), highlights=marks)
        small.submit(
            dealt, entry=with_places_stored(small.bench, dealt.grader_id, dealt.assignment_id, entry)
        )
    return texts


@pytest.fixture
def folder(small: SmallWorkspace, stored: dict[str, str], tmp_path: Path) -> Path:
    return write_export(small.bench.store, tmp_path, small.clock())


def spread(words: str, text: str) -> str:
    """The words as a text with its line ends has them."""
    return words.replace("\n", "\r\n" if "\r\n" in text else "\r" if "\r" in text else "\n")


def test_the_csv_reader_gives_the_words_back(folder: Path, stored: dict[str, str]) -> None:
    with (folder / "highlights.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(WORDS) * 3
    assert {(row["of"], row["id"]) for row in rows} == {("point", POINT)}
    for response_id, text in stored.items():
        found = [text[int(r["start"]) : int(r["end"])] for r in rows if r["response_id"] == response_id]
        assert found == [spread(words, text) for words in WORDS]


def test_pandas_gives_the_words_back(folder: Path, stored: dict[str, str]) -> None:
    table = pd.read_csv(folder / "highlights.csv")
    assert str(table["start"].dtype) == "int64"
    for response_id, text in stored.items():
        mine = table[table["response_id"] == response_id]
        found = [text[start:end] for start, end in zip(mine["start"], mine["end"], strict=True)]
        assert found == [spread(words, text) for words in WORDS]


def test_no_word_of_an_answer_is_in_the_export(folder: Path) -> None:
    written = b"".join(path.read_bytes() for path in folder.iterdir() if path.suffix != ".xlsx")
    assert not any(word.encode() in written for word in ("Käufer", "被告", "ولا"))


def test_a_place_edited_by_hand_is_found_even_when_its_hash_was_repaired(folder: Path) -> None:
    verify_export(folder)
    path = folder / "highlights.csv"
    start = pd.read_csv(path)["start"][0]
    path.write_bytes(path.read_bytes().replace(f",{start},".encode(), f",{start + 1},".encode(), 1))
    repair_fingerprints(folder)
    with pytest.raises(VerificationFailed, match=r"highlights\.csv"):
        verify_export(folder)
