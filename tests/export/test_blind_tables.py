"""Guesses and flags in an export: what stands there, what does not, and that both recompute."""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_workspace import SmallWorkspace, make_workspace
from tampering import change, repair_fingerprints

from grader_app.agreement.blinding_of_round import blinding_check, flagged_scores
from grader_app.domain.blinding_check import Guess
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import ReadKind
from grader_app.errors import VerificationFailed
from grader_app.export.folder import read_results, write_export
from grader_app.export.verify import verify_export
from grader_app.workflow.author_flags import flag_author
from grader_app.workflow.grade_submission import correct_grade
from grader_app.workflow.source_guesses import guess_source

WORDS = "It thanks its programmers."


@pytest.fixture(scope="module")
def guessed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallWorkspace]:
    """Ten answers read twice, each grade followed by a guess; every third is flagged."""
    small = make_workspace(
        tmp_path_factory.mktemp("guessed") / "w",
        answers=10,
        reading="reads: 2",
        more="guesses:\n  share_percent: 100\n",
    )
    for grader in small.graders:
        for place, dealt in enumerate(small.queue(grader)):
            code = place == 9
            small.submit(
                dealt, entry=GradeEntry(condition_code="blank") if code else GradeEntry(score=place % 6)
            )
            said = ("person", "model", "cannot_tell")[place % 3]
            who = (dealt.grader_id, dealt.assignment_id)
            if place != 1:
                guess_source(small.bench, *who, said, "leaning", token=f"g{dealt.assignment_id}", words=WORDS)
            if place % 3 == 0:
                flag_author(small.bench, *who, token=f"f{dealt.assignment_id}", words=WORDS)
    yield small
    small.bench.store.close()


@pytest.fixture(scope="module")
def exported(guessed: SmallWorkspace) -> Path:
    return write_export(guessed.bench.store, guessed.path / "exports", guessed.clock())


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((folder / name).read_text(encoding="utf-8"), newline="")))


def test_each_answered_question_has_a_row_and_an_unanswered_one_none(exported: Path) -> None:
    found = rows(exported, "guesses.csv")
    assert len(found) == 18
    assert {row["guess"] for row in found} == {"person", "model", "cannot_tell"}
    assert {row["sure"] for row in found if row["guess"] == "cannot_tell"} == {""}
    assert {row["sure"] for row in found if row["guess"] != "cannot_tell"} == {"leaning"}
    assert [row for row in found if row["score"] == ""] != []


def test_a_guess_says_nothing_of_right_or_wrong_and_words_are_in_no_file(exported: Path) -> None:
    assert not {"right", "source", "arm"} & set(rows(exported, "guesses.csv")[0])
    for path in exported.iterdir():
        assert WORDS.encode() not in path.read_bytes(), path.name


def test_flags_have_a_row_an_answer_and_grader(exported: Path, guessed: SmallWorkspace) -> None:
    found = rows(exported, "author_flags.csv")
    assert len(found) == 8
    assert {row["grader_id"] for row in found} == {g.account_id for g in guessed.graders}
    assert {row["referred"] for row in found} == {"no"}


def test_the_report_compares_flagged_and_other_answers(exported: Path, guessed: SmallWorkspace) -> None:
    text = re.sub(r"<[^>]+>", " ", (exported / "report.html").read_text(encoding="utf-8"))
    assert "How well the blind held" in text
    assert "asked 20 times and answered 18 times" in text
    with guessed.bench.record() as record:
        (found,) = flagged_scores(record)
        flags = {flag.response_id for flag in record.author_flags.values()}
        scores = [g.score for g in record.grades.values() if g.response_id in flags and g.score is not None]
    assert found.flagged.mean == pytest.approx(sum(scores) / len(scores))
    assert f"{found.flagged.mean:.2f}" in text


def test_a_round_without_guesses_or_flags_says_so(make) -> None:
    small = make()
    folder = write_export(small.bench.store, small.path / "exports", small.clock())
    verify_export(folder)
    assert rows(folder, "guesses.csv") == rows(folder, "author_flags.csv") == []
    text = (folder / "report.html").read_text(encoding="utf-8")
    assert "Graders were not asked who wrote the answers." in text
    assert "No grader said of any answer" in text


@pytest.mark.parametrize(
    ("name", "old", "new"), [("guesses.csv", "person", "model"), ("author_flags.csv", ",no,", ",yes,")]
)
def test_an_edited_table_is_found_though_its_fingerprint_was_repaired(
    exported: Path, tmp_path: Path, name: str, old: str, new: str
) -> None:
    copy = Path(shutil.copytree(exported, tmp_path / exported.name))
    verify_export(copy)
    change(copy, name, lambda data: data.replace(old.encode(), new.encode(), 1))
    repair_fingerprints(copy)
    with pytest.raises(VerificationFailed, match=name):
        verify_export(copy)


def test_the_score_beside_a_guess_is_that_of_the_grade_as_it_stands(make) -> None:
    small = make(more="guesses:\n  share_percent: 100\n")
    dealt = small.queue(small.graders[0])[0]
    small.submit(dealt, 4)
    who = (dealt.grader_id, dealt.assignment_id)
    guess_source(small.bench, *who, "model", None, token="g")
    correct_grade(small.bench, *who, GradeEntry(score=2), reason="Misread.", token="c")
    folder = write_export(small.bench.store, small.path / "exports", small.clock())
    assert [row["score"] for row in rows(folder, "guesses.csv")] == ["2"]


def test_the_check_of_a_round_counts_each_guess_against_its_truth(guessed: SmallWorkspace) -> None:
    record = read_results(guessed.bench.store).record
    order = record.response_ids()
    arms = {r: Guess.MODEL if n % 2 else Guess.PERSON for n, r in enumerate(order)}
    found = blinding_check(record, arms)
    assert (found["asked"], found["answered"], found["left_out"]) == (20, 18, [])
    by_arm = {one["arm"]: one for one in found["figures"] if one["name"] == "bang_index"}
    for arm in ("person", "model"):
        mine = [one for one in record.guesses.values() if arms[one.response_id] == arm]
        right = sum(one.guess == arm for one in mine)
        cannot = sum(one.guess == "cannot_tell" for one in mine)
        details = by_arm[arm]["details"]
        assert (details["right"], details["cannot_tell"]) == (right, cannot)
        assert details["wrong"] == len(mine) - right - cannot
    assert sum(row["right"] + row["wrong"] + row["cannot_tell"] for row in found["graders"]) == 18
    assert sum(found["flagged_by_arm"].values()) == len({f.response_id for f in record.author_flags.values()})


def test_answers_of_unknown_source_are_left_out_and_named(guessed: SmallWorkspace) -> None:
    found = blinding_check(read_results(guessed.bench.store).record, {})
    assert found["left_out"] == [{"n": 18, "why": "about answers whose source is not known"}]
    assert {one["status"] for one in found["figures"]} == {"too_few"}
    assert found["says"].startswith("Too few guesses")


def test_only_reads_that_count_enter_the_check(guessed: SmallWorkspace) -> None:
    record = read_results(guessed.bench.store).record
    some = next(iter(record.guesses))
    was = record.assignments[some]
    record.assignments[some] = type(was)(
        was.assignment_id, was.response_id, was.item, was.grader_id, was.position, 0, ReadKind.APPRENTICE
    )
    arms = dict.fromkeys(record.response_ids(), Guess.MODEL)
    found = blinding_check(record, arms)
    assert found["answered"] == 17
    assert found["left_out"][0]["n"] == 1


def test_no_figure_on_scores_uses_an_answer_whose_scores_are_not_disclosed(guessed: SmallWorkspace) -> None:
    record = read_results(guessed.bench.store).record
    arms = dict.fromkeys(record.response_ids(), Guess.MODEL)
    found = blinding_check(record, arms, leave_out=record.response_ids())
    assert found["answered"] == 18
    assert found["scores"] == []
    assert {one["flagged"]["n"] + one["others"]["n"] for one in found["flagged"]} == {0}
