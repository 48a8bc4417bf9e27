"""`scale --reads` takes the reads behind a pool file's scores, and says what is wrong with them."""

import json

import pytest
from click.testing import CliRunner

from grader_app.cli.main import cli

ROUND = """format: round/1
id: july
version: "1"
title: July
items:
  - item: a
    component: mee
    weight: 1
  - item: b
    component: mee
    weight: 1
cut:
  total: 280
"""
POOL = "candidate_id,a,b,mbe\n" + "".join(
    f"00{n},{n % 5 + 1},{(2 * n) % 5 + 1},{130 + n}\n" for n in range(40)
)
HEAD = "candidate_id,item,grader_id,score\n"


@pytest.fixture
def run(tmp_path):
    def scaled(reads, *options):
        for name, text in (("pool.csv", POOL), ("round.yaml", ROUND), ("reads.csv", reads)):
            (tmp_path / name).write_text(text, encoding="utf-8")
        files = [str(tmp_path / "pool.csv"), "--round", str(tmp_path / "round.yaml")]
        options = options or ("--reads", str(tmp_path / "reads.csv"), "--scale", "0:6")
        return CliRunner().invoke(cli, ["scale", *files, "--draws", "400", "--json", *options])

    return scaled


def test_two_reads_a_point_apart_give_half_a_squared_point_of_variance(run):
    rows = "".join(
        f"00{n},{item},{grader},{3 + (grader == 'X') * (-1) ** n}\n"
        for n in range(40)
        for item in "ab"
        for grader in "XY"
    )
    found = run(HEAD + rows)
    assert found.exit_code == 0, found.output
    plain = json.loads(found.stdout)
    # Two questions read twice: the composite's variance is 2 x 0.5 / 2, a little less at the scale's ends.
    first, second = plain["candidates"][:2]
    slope = (second["written_scaled"] - first["written_scaled"]) / (
        second["written_raw"] - first["written_raw"]
    )
    sd = plain["error_bars"]["candidates"][2]["readers"]["sd"]
    assert sd == pytest.approx(slope * 0.5**0.5, rel=0.15)


def test_a_row_without_a_score_is_no_read(run):
    found = run(HEAD + "000,a,X,3\n000,a,Y,\n001,a,X,2\n001,a,Y,3\n")
    assert found.exit_code == 0, found.output
    notes = json.loads(found.stdout)["error_bars"]["notes"]
    assert any("From 1 answers" in note or "From 1 answer " in note for note in notes)


@pytest.mark.parametrize(
    ("reads", "says"),
    [
        ("candidate_id,item,score\n", "There is no column `grader_id`."),
        (HEAD + "0099,a,X,3\n", "reads.csv:2: `0099` in column `candidate_id` is not in the pool."),
        (HEAD + "000,a,X,3\n000,c,X,3\n", "reads.csv:3: `c` in column `item` is not in the pool."),
        (HEAD + "000,a,X,3\n000,a,Y,7\n", "line 3"),
        (HEAD + "000,a,X,3\n000,a,X,4\n", "reads.csv:3: Grader `X` gave this answer a score on line 2 too."),
    ],
)
def test_reads_that_cannot_be_used_are_refused_with_their_line(run, reads, says):
    found = run(reads)
    assert found.exit_code == 1
    assert says in found.stderr


def test_reads_and_scale_go_together(run):
    found = run(HEAD, "--scale", "0:6")
    assert found.exit_code == 2
    assert "--reads and --scale go together" in found.stderr
    without = run(HEAD, "--reads", "reads.csv", "--scale", "0:6", "--no-error-bars")
    assert "--reads goes with POOL.csv and with error bars." in without.stderr


def test_a_pool_without_a_round_is_told_how_to_name_one(tmp_path):
    (tmp_path / "pool.csv").write_text(POOL, encoding="utf-8")
    result = CliRunner().invoke(cli, ["scale", str(tmp_path / "pool.csv"), "--workspace", str(tmp_path)])
    assert result.exit_code == 1
    assert result.stderr.endswith("round.yaml: There is no such file. Name the round with --round.\n")


def test_rows_in_another_order_print_the_same_digits(run):
    rows = [
        f"00{n},{item},{grader},{2 + (n + len(grader)) % 3}\n"
        for n in range(40)
        for item in "ab"
        for grader in ("X", "YY", "ZZZ")[n % 2 :]
    ]
    found, turned = run(HEAD + "".join(rows)), run(HEAD + "".join(reversed(rows)))
    assert json.loads(found.stdout)["error_bars"]["candidates"][0]["readers"] is not None
    assert turned.stdout == found.stdout
