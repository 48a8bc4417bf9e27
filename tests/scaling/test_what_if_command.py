"""The command `what-if`, as a lead types it."""

import json

import pytest
from click.testing import CliRunner
from rows_behind_triggers import remove_answer

from grader_app.cli.main import cli
from grader_app.workflow.workbench import Workbench


@pytest.fixture
def run(sample_copy):
    def run_command(*arguments, command="what-if"):
        result = CliRunner().invoke(cli, [command, "--workspace", str(sample_copy), *arguments])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return run_command


def events(workspace):
    bench = Workbench.open(workspace)
    found = [row["kind"] for row in bench.store.rows("SELECT kind FROM event ORDER BY seq")]
    bench.store.close()
    return found


def test_old_and_new_totals_stand_side_by_side_and_nothing_is_stored(run, sample_copy):
    before = events(sample_copy)
    said = run("--weight", "mpt-rescue-bill=5", "--cut", "270")
    assert said.exit_code == 0, said.output
    assert "would move; the furthest is c" in said.stdout
    assert "Mean size of a move: " in said.stdout
    assert "within the noise of reading" in said.stdout
    assert "candidate" in said.stdout
    assert said.stdout.endswith("Nothing was stored.\n")
    assert events(sample_copy) == before


def test_json_says_everything_and_agrees_with_scale(run):
    found = json.loads(run("--method", "equipercentile", "--json").stdout)
    scaled = json.loads(run("--no-error-bars", "--json", command="scale").stdout)
    then = json.loads(run("--no-error-bars", "--method", "equipercentile", "--json", command="scale").stdout)
    of = {row["candidate_id"]: row for row in found["candidates"]}
    for which, rows in (("before", scaled["candidates"]), ("after", then["candidates"])):
        for row in rows:
            shown = row["written_scaled"] if row["total"] is None else row["total"]
            assert of[row["candidate_id"]][which] == pytest.approx(shown)
    assert found["event"] is None
    assert found["n_moved"] == sum(abs(row["move"]) > 1e-9 for row in found["candidates"])


def test_rules_applied_with_a_reason_are_followed_by_scale(run, sample_copy):
    asked = json.loads(run("--weight", "mpt-rescue-bill=5", "--json").stdout)
    said = run("--weight", "mpt-rescue-bill=5", "--apply", "--reason", "The board corrected this weight.")
    assert "Recorded as event" in said.stdout
    assert events(sample_copy)[-1] == "ScalingRulesSet"
    scaled = json.loads(run("--no-error-bars", "--json", command="scale").stdout)
    totals = {row["candidate_id"]: row["total"] for row in scaled["candidates"]}
    assert {r["candidate_id"]: r["after"] for r in asked["candidates"] if r["of"] == "total"} == {
        who: total for who, total in totals.items() if total is not None
    }
    assert any("The board corrected this weight." in warning for warning in scaled["warnings"])
    back = run("--apply", "--own-rules", "--reason", "The board went back to its rules.")
    assert "The rules of the round's own file stand again." in back.stdout
    again = json.loads(run("--no-error-bars", "--json", command="scale").stdout)
    assert not any("Rules of scaling set" in warning for warning in again["warnings"])


def test_without_a_grader_is_a_question_and_no_act(run, sample_copy):
    found = [
        json.loads(run("--without-grader", name, "--json").stdout)
        for name in ("ash", "Birch", "cedar (simulated)", "dogwood")
    ]
    assert len({one["without_grader"] for one in found}) == 4
    assert any(one["n_moved"] > 0 for one in found)  # one of them alone may have read nobody who is complete
    before = events(sample_copy)
    refused = run("--without-grader", "ash", "--apply", "--reason", "Too harsh by far.")
    assert (refused.exit_code, "deal the grader's answers to others" in refused.stderr) == (1, True)
    assert events(sample_copy) == before
    unknown = run("--without-grader", "nobody")
    assert unknown.exit_code == 1
    assert "There is no grader called `nobody`. Graders: " in unknown.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ((), 2, "Say what would be otherwise"),
        (("--weight", "mee-negligence"), 2, "write ITEM=W"),
        (("--weight", "mee-negligence=0"), 2, "Give a number above 0."),
        (("--weight", "mee-negligence=nan"), 2, "write ITEM=W"),
        (("--weight", "mee-negligence=2", "--weight", "mee-negligence=3"), 2, "mee-negligence two weights"),
        (("--weight", "mee-moat=2"), 1, "mee-moat has no weight in this round."),
        (("--cut", "266", "--reason", "Because."), 2, "go with --apply"),
        (("--cut", "200", "--apply"), 1, "needs a reason of 5 to 500 characters"),
        (("--cut", "inf"), 2, "`inf` is not a number"),
    ],
)
def test_a_mistake_is_answered_with_a_sentence(run, arguments, code, says):
    result = run(*arguments)
    assert (result.exit_code, says in result.stderr) == (code, True), result.output


def test_while_a_paper_is_missing_nothing_is_said(run, sample_copy):
    bench = Workbench.open(sample_copy)
    with bench.record() as record:
        gone = record.response_ids("mee-negligence")[0]
    bench.store.close()
    remove_answer(sample_copy / "workbench.db", gone)
    result = run("--cut", "266")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Not every paper is accounted for" in result.stderr
