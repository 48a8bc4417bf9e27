"""Scaling begins with the papers: it says that they add up, or refuses."""

import json
import sqlite3

from click.testing import CliRunner
from rows_behind_triggers import remove_answer

from grader_app.cli.main import cli


def run(workspace, *options):
    return CliRunner().invoke(cli, ["scale", "--no-error-bars", "--workspace", str(workspace), *options])


def test_scaling_a_workspace_says_first_that_its_papers_add_up(sample_copy):
    result = run(sample_copy)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Papers: 92 in = ")
    assert "Papers:" not in run(sample_copy, "--json").stdout
    json.loads(run(sample_copy, "--json").stdout)


def test_an_assumed_reference_is_the_first_line_of_a_workspace_too_and_its_papers_the_second(sample_copy):
    lines = run(sample_copy, "--reference", "assumed:143.8,17.7").stdout.splitlines()
    assert lines[0].startswith("Assumed reference: the MBE mean 143.8 and SD 17.7 were typed in")
    assert lines[1].startswith("Papers: 92 in = ")


def test_scaling_is_refused_with_the_table_while_a_paper_is_missing(sample_copy):
    database = sample_copy / "workbench.db"
    connection = sqlite3.connect(database)
    (gone,) = connection.execute("SELECT min(id) FROM response WHERE item = 'mee-negligence'").fetchone()
    connection.close()
    remove_answer(database, gone)
    result = run(sample_copy)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "1 missing." in result.stderr
    assert "question" in result.stderr.splitlines()[0]
    assert result.stderr.splitlines()[-1].startswith(
        "Not every paper is accounted for, so nothing was scaled. Run `grader-app verify`"
    )
    assert run(sample_copy, "--json").exit_code == 1
