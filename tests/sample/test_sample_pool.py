"""The sample pool can be scaled at once, from the commands that README.md prints."""

import csv
import json
import re
from collections import defaultdict
from pathlib import Path

import pytest
from click.testing import CliRunner

import grader_app
from grader_app.cli.main import cli
from grader_app.files.round_file import load_round

SAMPLE = Path(grader_app.__file__).parent / "sample"
POOL, ROUND, READS = (SAMPLE / name for name in ("pool.csv", "pool-round.yaml", "pool-reads.csv"))
WITH_READS = ("--reads", str(READS), "--scale", "0:6")


def scaled(*options):
    result = CliRunner().invoke(cli, ["scale", str(POOL), "--round", str(ROUND), *options])
    assert result.exit_code == 0, result.output
    return result.stdout


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_scaling_the_sample_pool_gives_everybody_both_intervals_and_both_chances():
    found = json.loads(scaled(*WITH_READS, "--json"))
    bars = found["error_bars"]["candidates"]
    assert len(bars) == len(found["candidates"]) == 60
    for row in bars:
        readers, everything = row["readers"], row["readers_questions_pool"]
        assert everything["low"] < readers["low"] < readers["high"] < everything["high"]
        assert 0 <= row["chance_rescore"] <= 1
        assert 0 <= row["chance_true_score"] <= 1
    assert any(0.2 < row["chance_true_score"] < 0.8 for row in bars)
    assert found["error_bars"]["papers"]
    assert (
        "Readers: From 160 answers with two independent reads, on 8 questions."
        in (found["error_bars"]["notes"])
    )


def test_the_printed_table_of_the_sample_pool_leaves_nothing_unknown():
    text = scaled(*WITH_READS)
    heads = ["readers, questions, pool", "readers only", "re-score passes", "true score passes"]
    (line,) = [one for one in text.splitlines() if one.startswith("candidate_id") and "re-score" in one]
    assert [one for one in re.split(r"  +", line) if one in heads] == heads
    assert "not known" not in text
    assert "Passing total 266: 41 pass, 14 fail." in text


def test_without_its_reads_the_sample_pool_says_how_to_name_them():
    text = scaled()
    assert "name them with --reads READS.csv --scale 0:6" in text
    assert "not known" in text


def test_a_performance_test_weighs_as_much_as_two_essays_in_the_sample_pool():
    weights = {entry.item: entry.weight for entry in load_round(ROUND).items}
    assert sorted(weights.values()) == [1, 1, 1, 1, 1, 1, 2, 2]
    assert {item for item, weight in weights.items() if weight == 2} == {"mpt-memorandum", "mpt-brief"}


def test_every_score_of_the_sample_pool_is_the_mean_of_its_reads_and_a_third_have_two():
    given = defaultdict(list)
    for row in rows_of(READS):
        given[row["candidate_id"], row["item"]].append(float(row["score"]))
    scores = {
        (row["candidate_id"], item): float(row[item])
        for row in rows_of(POOL)
        for item in row
        if item not in {"candidate_id", "mbe"}
    }
    assert {answer: sum(reads) / len(reads) for answer, reads in given.items()} == pytest.approx(scores)
    assert sorted({len(reads) for reads in given.values()}) == [1, 2]
    assert sum(len(reads) == 2 for reads in given.values()) == len(given) / 3 == 160


def test_the_reads_of_the_sample_pool_also_serve_agreement():
    result = CliRunner().invoke(
        cli,
        ["agreement", str(READS), "--response", "candidate_id,item", "--scale", "0:6", "--resamples", "0"],
    )
    assert result.exit_code == 0
    assert "480 answers, 12 graders, 640 ratings; 160 answers rated by two or more." in result.stdout


def test_the_sample_pool_says_that_it_is_simulated():
    assert "All figures are simulated." in ROUND.read_text(encoding="utf-8")
