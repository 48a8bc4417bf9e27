"""The commands `intake` and `reveal`, as a custodian types them."""

import json
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from grader_app.cli.intake import intake
from grader_app.cli.reveal import reveal
from grader_app.errors import FileProblems, KeyProblem
from grader_app.export.folder import write_export

TWO = "id,source,text\n000123,Ann,One\n2,Ben,Two\n"


@pytest.fixture
def run(desk):
    def run_command(*arguments, command=intake, ok=True):
        result = CliRunner().invoke(command, [*map(str, arguments), "--workspace", str(desk.folder)])
        if ok and result.exception:
            raise result.exception
        return result

    return run_command


def test_answers_are_taken_in_and_the_batch_is_named_with_its_undo(desk, run):
    said = run(desk.file(TWO), "--item", "mee-barge").stdout
    (batch,) = desk.key.batches()
    undo = f"undo with `grader-app intake --undo {batch.batch_id}` before dealing"
    sums = "In the file: 2 = 2 new + 0 unchanged. Stored for mee-barge: 2.\n"
    assert said == f"2 new, 0 unchanged. Batch {batch.batch_id}; {undo}.\n{sums}"
    sums = "In the file: 2 = 0 new + 2 unchanged. Stored for mee-barge: 2.\n"
    assert run(desk.file(TWO), "--item", "mee-barge").stdout == f"0 new, 2 unchanged.\n{sums}"


def test_an_undo_says_how_many_answers_were_taken_back(desk, run):
    batch = json.loads(run(desk.file(TWO), "--item", "mee-barge", "--json").stdout)["batch"]
    assert run("--undo", batch).stdout.startswith("2 answers taken back")
    assert json.loads(run(desk.file(TWO), "--item", "mee-barge", "--json").stdout)["new"] == 2


def test_json_stands_alone(desk, run):
    result = run(desk.file("id,source,text\n1,Ann,\n"), "--item", "mee-barge", "--json")
    said = json.loads(result.stdout)
    assert (said["new"], said["unchanged"], said["dry_run"]) == (1, 0, False)
    assert (said["in_file"], said["stored"]) == (1, 1)
    assert said["warnings"] == ["1 blank answer (line 2)."]
    assert result.stderr == ""


def test_a_dry_run_shows_the_dialect_and_the_first_three_rows_and_stores_nothing(desk, run):
    rows = "".join(f"{n};m{n};text {n}\n" for n in range(1, 6))
    desk.key.close()
    desk.key_file.unlink()
    said = run(desk.file("id;source;text\n" + rows), "--item", "mee-barge", "--dry-run").stdout
    assert "semicolon-separated" in said
    assert "; 5 answers.\n" in said
    one = run(desk.file("id;source;text\n1;m1;text 1\n"), "--item", "mee-barge", "--dry-run").stdout
    assert "; 1 answer.\n" in one
    assert said.count("Line ") == 3
    assert "text: text 3" in said
    assert said.endswith("5 new, 0 unchanged. Nothing was stored (dry run).\n")
    assert not desk.key_file.exists()
    assert desk.count("response") == 0


def test_a_map_names_the_columns(desk, run):
    table = desk.file("doc_id,model,answer\n1,m,x\n")
    a_map = desk.file("id: doc_id\nsource: model\ntext: answer\n", "map.yaml")
    assert run(table, "--item", "mee-barge", "--map", a_map).stdout.startswith("1 new")


def test_the_key_may_lie_elsewhere(desk, run, tmp_path):
    key = tmp_path / "safe" / "key.db"
    key.parent.mkdir()
    run(desk.file(TWO), "--item", "mee-barge", "--key", key)
    assert key.exists()
    with pytest.raises(KeyProblem, match="does not know 2"):
        run(desk.file(TWO), "--item", "mee-barge")


def test_the_environment_names_the_key(desk, run, tmp_path, monkeypatch):
    monkeypatch.setenv("GRADER_APP_KEY", str(tmp_path / "env.db"))
    run(desk.file(TWO), "--item", "mee-barge")
    assert (tmp_path / "env.db").exists()


def test_mbe_scores_are_taken_in(desk, run):
    run(desk.file(TWO), "--item", "mee-barge")
    mbe = desk.file("source,mbe\nAnn,140\nBen,\n", "mbe.csv")
    said = run("--mbe", mbe).stdout
    assert said == "MBE scores: 1 new, 0 unchanged. 1 sources have no MBE score.\n"
    assert json.loads(run("--mbe", mbe, "--json").stdout)["unchanged"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Give one of"),
        (("a.csv",), "--item"),
        (("a.csv", "--mbe", "m.csv"), "FILE and --mbe"),
        (("--item", "mee-barge", "--undo", "b1"), "--item goes with"),
        (("a.csv", "--item", "mee-barge", "--format", "xml"), "csv, jsonl"),
    ],
)
def test_wrong_usage_is_exit_2(run, arguments, said):
    result = run(*arguments, ok=False)
    assert result.exit_code == 2
    assert said in result.output


def test_a_bad_file_is_a_persons_mistake(desk, run):
    with pytest.raises(FileProblems, match="found `a`, `b`"):
        run(desk.file("a,b\n1,2\n"), "--item", "mee-barge")


def test_acts_are_recorded_under_the_name_given(desk, run):
    run(desk.file(TWO), "--item", "mee-barge", "--as", "custodian")
    row = desk.bench.store.rows(
        "SELECT name FROM actor JOIN event ON event.actor = actor.id WHERE event.kind = 'AnswersTakenIn'"
    )
    assert [one["name"] for one in row] == ["custodian"]


def test_reveal_prints_the_folder_last(desk, run):
    run(desk.file(TWO), "--item", "mee-barge")
    export = write_export(desk.bench.store, desk.folder / "exports", datetime(2026, 7, 28, tzinfo=UTC))
    said = run(export, command=reveal).stdout
    assert said.splitlines()[-1] == f"{export}-revealed"
    with pytest.raises(KeyProblem, match="no blinding key"):
        run(export, "--key", desk.folder / "none.db", command=reveal)
