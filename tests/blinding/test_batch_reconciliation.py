"""The command `reconcile`, and what the key adds to it: papers by batch and by file."""

import json

import pytest
from click.testing import CliRunner
from rows_behind_triggers import remove_answer

from grader_app.blinding.batch_reconciliation import reconcile_batches
from grader_app.blinding.undo import undo
from grader_app.cli.main import cli
from grader_app.domain.reconciliation import PaperCount

TWO = "id,source,text\n1,Ann,One\n2,Ben,Two\n"
THREE = "id,source,text\n3,Cy,Three\n4,Dee,Four\n5,Eve,Five\n"


@pytest.fixture
def run(desk):
    def run_command(*arguments):
        result = CliRunner().invoke(cli, ["reconcile", *arguments, "--workspace", str(desk.folder)])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return run_command


def test_each_file_is_accounted_for_by_itself(desk):
    desk.take(TWO, name="first.csv")
    desk.take(THREE, name="second.csv")
    found = reconcile_batches(desk.bench, desk.key)
    assert found.by_file == {
        "first.csv": (2, PaperCount(waiting=2), 0),
        "second.csv": (3, PaperCount(waiting=3), 0),
    }
    assert found.unreconciled == ()


def test_a_batch_taken_back_stays_in_the_sum_as_withdrawn(desk):
    batch = desk.take(TWO).batch_id
    undo(desk.bench, desk.key, batch, desk.actor)
    (found,) = reconcile_batches(desk.bench, desk.key).batches
    assert (found.batch.status, found.taken_in, found.papers) == ("undone", 2, PaperCount(withdrawn=2))


def test_a_row_taken_away_is_named_with_its_file(desk, run):
    desk.take(TWO, name="first.csv")
    batch = desk.take(THREE, name="second.csv").batch_id
    gone = min(desk.key.response_ids(batch))
    remove_answer(desk.bench.store.path, gone)
    result = run("--by-file")
    assert result.exit_code == 1
    assert "mee-barge: 5 papers taken in, 4 there: 1 missing." in result.stdout
    line = f"Batch {batch} (second.csv, mee-barge): 1 of 3 papers are no longer there: {gone}."
    assert line in result.stdout
    assert "Run `grader-app verify`" in result.stdout
    plain = json.loads(run("--by-file", "--json").stdout)
    assert plain["adds_up"] is False
    assert plain["unreconciled_files"] == [line]
    assert [(one["file"], one["waiting"], one["missing"]) for one in plain["files"]] == [
        ("first.csv", 2, 0),
        ("second.csv", 2, 1),
    ]


def test_the_sum_is_printed_with_the_candidates(desk, run):
    desk.take(TWO)
    result = run()
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    heads = "question in graded coded waiting disputed excluded withdrawn missing"
    assert lines[0].split() == heads.split()
    assert lines[1].split() == ["mee-barge", "2", "0", "0", "2", "0", "0", "0", "0"]
    assert "Papers: 2 in = 0 graded + 0 coded + 2 waiting." in lines
    assert lines[-1].startswith("Candidates: 2 with an answer to the one question that counts, 0 to some;")


def test_without_asking_no_file_name_is_said_and_the_key_is_not_opened(desk, run):
    desk.take(TWO, name="model-x.csv")
    desk.key.close()
    desk.key_file.unlink()
    assert "model-x" not in run().stdout + run("--json").stdout
    refused = run("--by-file")
    assert (refused.exit_code, "there is no blinding key here" in refused.stderr) == (1, True)


def test_an_intake_says_at_once_when_an_earlier_paper_is_gone(desk):
    batch = desk.take(TWO).batch_id
    remove_answer(desk.bench.store.path, min(desk.key.response_ids(batch)))
    desk.key.mark(batch, "undone")  # else the intake itself refuses a database that lacks papers
    place = desk.file(THREE)
    arguments = ["intake", str(place), "--item", "mee-barge", "--workspace", str(desk.folder)]
    result = CliRunner().invoke(cli, arguments)
    assert "In the file: 3 = 3 new + 0 unchanged. Stored for mee-barge: 4." in result.stdout
    assert "Does not add up: mee-barge: 5 papers taken in, 4 there: 1 missing." in result.stderr
