"""A revealed export sets each guess against the truth and prints how well the blind held."""

import csv
import json
import re
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from grader_app.blinding.arms import FROM_KEY
from grader_app.blinding.reveal import reveal
from grader_app.cli.main import cli
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Role
from grader_app.errors import FileProblems
from grader_app.export.folder import write_export
from grader_app.export.verify import verify_export
from grader_app.store.assignments import assignments_of
from grader_app.workflow.accounts import add_account
from grader_app.workflow.assignment import deal
from grader_app.workflow.author_flags import flag_author
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.source_guesses import guess_source

ANSWERS = "id,source,text,temperature\n" + "".join(
    f"0{n},{'=quill' if n % 2 else 'C-1001'},text {n},{'0.7' if n % 2 else ''}\n" for n in range(12)
)
NOW = datetime(2026, 7, 28, 13, tzinfo=UTC)


@pytest.fixture
def guessed(desk):
    """Twelve answers, half of them a model's; the grader takes 8 of 12 for what they are."""
    round_file = desk.folder / "round.yaml"
    said = round_file.read_text(encoding="utf-8")
    round_file.write_text(said + "guesses:\n  share_percent: 100\n", encoding="utf-8")
    desk.take(ANSWERS)
    account, _ = add_account(desk.bench, desk.actor, "grader-1", Role.GRADER)
    deal(desk.bench, desk.actor)
    sender = {kept.response_id: int(kept.sender_id) for kept in desk.key.sources()}
    for dealt in assignments_of(desk.bench.store, account.account_id):
        n, who = sender[dealt.response_id], (account.account_id, dealt.assignment_id)
        submit_grade(desk.bench, *who, GradeEntry(score=float(n % 6)), token=f"s{n}")
        truth, other = ("model", "person") if n % 2 else ("person", "model")
        said = other if n in (0, 1) else "cannot_tell" if n in (2, 3) else truth
        guess_source(desk.bench, *who, said, None, token=f"g{n}")
        if n == 5:
            flag_author(desk.bench, *who, token="f")
    return write_export(desk.bench.store, desk.folder / "exports", NOW)


def table(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_each_guess_stands_beside_its_truth(desk, guessed):
    folder = reveal(desk.bench, desk.key, guessed, desk.actor, although_provisional=True)
    found = {row["response_id"]: row for row in table(folder / "guesses.csv")}
    assert len(found) == 12
    for kept in desk.key.sources():
        row, n = found[kept.response_id], int(kept.sender_id)
        assert row["source"] == ("'=quill" if n % 2 else "C-1001")
        assert row["arm"] == ("model" if n % 2 else "person")
        assert row["right"] == ("no" if n in (0, 1) else "" if n in (2, 3) else "yes")
        assert row["score"] == str(n % 6)
    verify_export(guessed)


def test_the_figures_are_those_of_the_guesses(desk, guessed):
    folder = reveal(desk.bench, desk.key, guessed, desk.actor, although_provisional=True)
    check = json.loads((folder / "blinding_check.json").read_text(encoding="utf-8"))
    figures = {(one["name"], one["arm"]): one for one in check["figures"]}
    for arm in ("person", "model"):
        assert figures["bang_index", arm]["value"] == pytest.approx((4 - 1) / 6)
    assert figures["right_rate", None]["value"] == pytest.approx(8 / 10)
    assert figures["right_rate", None]["details"]["chance"] == pytest.approx(0.5)
    assert (check["asked"], check["answered"], check["arms_from"]) == (12, 12, FROM_KEY)
    assert check["flagged_by_arm"] == {"person": 0, "model": 1}


def test_the_page_can_be_read_and_sent_by_itself(desk, guessed):
    folder = reveal(desk.bench, desk.key, guessed, desk.actor, although_provisional=True)
    page = (folder / "blinding_check.html").read_text(encoding="utf-8")
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "how well the blind held" in text
    assert "Bang&#x27;s index is 0.50" in text
    assert FROM_KEY.split(":")[0] in text
    assert "default-src 'none'" in page
    assert "<script" not in page


def test_the_same_export_gives_the_same_check(desk, guessed):
    import shutil

    folder = reveal(desk.bench, desk.key, guessed, desk.actor, although_provisional=True)
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    shutil.rmtree(folder)
    again = reveal(desk.bench, desk.key, guessed, desk.actor, although_provisional=True)
    assert {path.name: path.read_bytes() for path in again.iterdir()} == first


def test_a_file_of_arms_that_cannot_be_used_reveals_nothing(desk, guessed):
    arms = desk.file("source,arm\nC-1001,person\n", "arms.csv")
    with pytest.raises(FileProblems, match="`=quill` is not in the file"):
        reveal(desk.bench, desk.key, guessed, desk.actor, arms, although_provisional=True)
    assert desk.bench.store.rows("SELECT * FROM event WHERE kind = 'SourcesRevealed'") == []
    assert [path.name for path in guessed.parent.iterdir()] == [guessed.name]


def test_the_command_takes_the_file_and_says_where_the_arms_are_from(desk, guessed):
    arms = desk.file("source,arm\nC-1001,model\n=quill,person\n", "arms.csv")
    words = ["reveal", str(guessed), "--provisional", "--workspace", str(desk.folder)]
    done = CliRunner().invoke(cli, [*words, "--arms", str(arms)])
    assert done.exit_code == 0, done.output
    assert FROM_KEY not in done.output
    folder = guessed.with_name(guessed.name + "-revealed")
    check = json.loads((folder / "blinding_check.json").read_text(encoding="utf-8"))
    assert "--arms" in check["arms_from"]
    # The arms are turned about, and so is what is right: wrong guesses outnumber right ones.
    assert {one["value"] for one in check["figures"] if one["name"] == "bang_index"} == {-0.5}


def test_without_a_file_the_command_says_what_was_taken_for_a_model(desk, guessed):
    done = CliRunner().invoke(cli, ["reveal", str(guessed), "--provisional", "--workspace", str(desk.folder)])
    assert done.exit_code == 0, done.output
    assert FROM_KEY in done.output


def test_without_guesses_the_check_says_that_there_are_none(desk):
    desk.take(ANSWERS)
    add_account(desk.bench, desk.actor, "grader-1", Role.GRADER)
    deal(desk.bench, desk.actor)
    folder = write_export(desk.bench.store, desk.folder / "exports", NOW)
    revealed = reveal(desk.bench, desk.key, folder, desk.actor, although_provisional=True)
    check = json.loads((revealed / "blinding_check.json").read_text(encoding="utf-8"))
    assert {one["status"] for one in check["figures"]} == {"too_few"}
    assert table(revealed / "guesses.csv") == []
